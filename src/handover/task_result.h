/* SPDX-License-Identifier: BSD-3-Clause */
/* task_result.h - out/result.json: a task took effect
 *
 * The file is written last into `out` of the task's new place, which becomes
 * job/<task> by one rename when all of it is on the disk; where the file is and
 * is valid, the outcome is ok.
 */
#ifndef HANDOVER_TASK_RESULT_H
#define HANDOVER_TASK_RESULT_H

#include "base/digest.h"
#include "space/layout.h"

/* {"format": 1, "stage", "iteration", "task", "identity", "seed", "attempt",
 *  "claim",
 *  "params": {..}, "artifacts": {..} (as outputs_check returns), "run": {host,
 *  started_s, wall_s, cpu_s, energy_j, peak_bytes, what a `start` in the log
 * tells of cores, memory and gpus, version_line (absent: not known), commands:
 * [{argv0, wall_s}]}}
 */

enum task_result {
    TASK_RESULT_THERE,      /* the task is ok */
    TASK_RESULT_ABSENT,     /* there is no job/<task> */
    TASK_RESULT_DAMAGED,    /* what is there is not the result of this task */
    TASK_RESULT_UNREADABLE, /* it cannot be known now: an input/output error,
                               too many open files, ... */
};

/* Read and check job/<task>/out/result.json below 'campaign_dir': that it is of
 * this task and made by the definition with 'identity' (NULL: by any), and that
 * every artifact is there as it was recorded (artifact_record.h).  THERE gives
 * a new reference in *result; DAMAGED and UNREADABLE a sentence in 'err'.
 */
enum task_result task_result_read (const char *campaign_dir,
                                   const struct stage_place *place, int task,
                                   const char *identity, struct json **result,
                                   struct error *err);

/* Bring the names in job/ to the disk, for what was found there: whoever put it
 * there may have died before it did.  *way_synced: so is the way to job/
 * already; set when it is.
 */
int task_results_make_last (const char *campaign_dir,
                            const struct stage_place *place, bool *way_synced,
                            struct error *err);

/* As task_result_read, of the directory 'task_dir', wherever that lies. */
enum task_result task_result_read_in (const char *task_dir,
                                      const struct stage_place *place, int task,
                                      const char *identity,
                                      struct json **result, struct error *err);

/* The same of any definition, with the digest of the file; 'contents': all
 * artifacts are read, however they look.
 */
enum task_result task_result_read_whole (const char *campaign_dir,
                                         const struct stage_place *place,
                                         int task, bool contents,
                                         struct json **result,
                                         char sha256[DIGEST_HEX_SIZE],
                                         struct error *err);

/* The part of that which needs no disk: is 'result' the result of this task,
 * with an object of parameters, and artifacts that each have a path below
 * `out` and a size?
 */
int task_result_check (const struct json *result,
                       const struct stage_place *place, int task,
                       struct error *err);

#endif /* !HANDOVER_TASK_RESULT_H */
