/* SPDX-License-Identifier: BSD-3-Clause */
/* assignment.h - what an agent was told to do, as read from the run files */
#ifndef AGENT_ASSIGNMENT_H
#define AGENT_ASSIGNMENT_H

#include <signal.h>

#include "handover/job_manifest.h"
#include "handover/stage_manifest.h"
#include "arrays/task_range.h"

struct agent_options;
struct slots;

struct assignment {
    char *campaign_dir; /* absolute */
    char *run_dir;      /* absolute: .fanfold/run/<generation>/<att>/<chunk> */
    char *stage_dir; /* absolute: of the generation, which may be moved away */
    int stage_fd;    /* the same, open: results go there, wherever it is */
    char *closed_path;
    const char *program; /* lent by the options */
    char *python_path;   /* handover/python_path.h; NULL: there is none */
    const char *job_id;
    int64_t element;
    struct job_manifest job;
    struct stage_manifest stage;
    struct task_range tasks;
    struct json **slices; /* of the i-th task: {NAME: value} */
};

#define ASSIGNMENT_INIT                                                        \
    {                                                                          \
        .stage_fd = -1, .stage = STAGE_MANIFEST_INIT, .tasks = TASK_RANGE_INIT \
    }

/* Read job.json, which has our bundle, stage.json and our lines of
 * slices.jsonl; the directory of the generation is waited for up to
 * visibility_s.  'assignment' must be initialised; release it in any case.
 */
int assignment_read (struct assignment *assignment,
                     const struct agent_options *options,
                     const sigset_t *interrupts, struct error *err);
void assignment_release (struct assignment *assignment);

/* Was the generation superseded: does another stand in its place, or nothing?
 * 1, 0, or -1 when that cannot be known.
 */
int assignment_moved (const struct assignment *assignment, struct error *err);

/* Did the engine close this attempt, or supersede the generation?  1, 0, or -1
 * when that cannot be known.
 */
int assignment_closed (const struct assignment *assignment, struct error *err);

/* Cut what was given of this node into slots for the tasks of the job. */
int assignment_slots (const struct assignment *assignment, struct slots *slots,
                      struct error *err);

/* In what this node is not as the job's profile has it recorded; NULL: in
 * nothing, or it has not.  The node counts; the difference is for a person to
 * know.  Caller frees.
 */
char *assignment_node_differs (const struct assignment *assignment);

/* Is this job the recorded one?  Waits for submission.json up to visibility_s;
 * a pending signal of 'interrupts' ends the wait.  0, or -1 with 'err'.
 */
int in_job_check (const struct assignment *assignment,
                  const sigset_t *interrupts, struct error *err);

#endif /* !AGENT_ASSIGNMENT_H */
