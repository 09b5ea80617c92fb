/* SPDX-License-Identifier: BSD-3-Clause */
/* result_log.h - results-<element>.<claim>: what an agent did
 *
 * A record_log.  Records, by "ev":
 *   claim     element, claim, nonce, job_id, host, boot_id, pid, now_s,
 *             node (as the scheduler calls it, where it tells)
 *   start     task, slot, cores ("0-1"), now_s       (this charges a try)
 *   end       task, outcome, exit, signal (of the last command), wall_s,
 *             message, ok: result (the whole result.json)
 *   found     task, result        (out/result.json was there before)
 *   returned  task                (not started: drained, no time left)
 *   trouble   task, message, no_space    (handed back: the machine failed it)
 *   done      now_s               (the agent ended in good order)
 *
 * A task's `end` always follows its `start`, also when it could not be
 * started.  After `returned` and `trouble` a task may still be started by
 * another claim.
 */
#ifndef ARRAYS_RESULT_LOG_H
#define ARRAYS_RESULT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arrays/outcome.h"

struct error;
struct json;

/* One record as the engine sees it; strings and json are lent. */
struct result_event {
    enum result_event_kind {
        RESULT_CLAIM,
        RESULT_START,
        RESULT_END,
        RESULT_FOUND,
        RESULT_RETURNED,
        RESULT_TROUBLE,
        RESULT_DONE,
    } kind;
    int task;                  /* -1 for claim and done */
    enum outcome outcome;      /* end: as told; found: ok */
    double wall_s;             /* end */
    const char *message;       /* end, trouble: why, for a person; ok: a remark,
                                  or "" */
    bool no_space;             /* trouble: it was room that was missing */
    const char *host;          /* claim */
    const char *node;          /* claim: or "" */
    const struct json *result; /* ok only: the result.json */
};

/* Call 'each' for every whole record of a log's text.  Records of an unknown
 * kind are passed over.  *accepted_bytes: where to continue when more has
 * been appended.
 */
int result_log_scan (const char *text,
                     size_t len,
                     const char *name,
                     int (*each) (const struct result_event *event,
                                  void *arg,
                                  struct error *err),
                     void *arg,
                     uint64_t *accepted_bytes,
                     struct error *err);

/* "results-<element>.<claim>" -> element; -1 when it is no such name. */
int64_t result_log_element (const char *file_name);

#endif /* !ARRAYS_RESULT_LOG_H */
