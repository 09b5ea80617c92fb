/* SPDX-License-Identifier: BSD-3-Clause */
/* result_log.h - results-<element>.<n>: what the n-th agent of an element did
 *
 * A record_log.  Records, by "ev":
 *   claim     element, claim (n), nonce, job_id, host, boot_id, pid, now_s,
 *             node (as the scheduler calls it, where it tells),
 *             node_differs (from node.topology of the profile, a sentence;
 *             absent: in nothing),
 *             older [{n, bytes, sha256}]: what counts of the element's older
 *             logs, all of them
 *   start     task, slot, now_s, cores ("0-1": CPUs it may run on, read back),
 *             cores_wanted (absent: the same), memory {mode: "preferred",
 *             "strict" or "interleaved", nodes: "0-1"} (the policy of its first
 *             command, read back; absent: any), memory_wanted (absent: the
 *             same), gpus
 *             (this charges a try)
 *   end       task, outcome, exit, signal (of the last command), wall_s,
 *             now_s (when it ended; absent: not known),
 *             cpu_s (of its commands and of what they waited for), energy_j
 *             (of the node's processors, where it had all of them; absent: not
 *             known),
 *             peak_bytes (of memory, on the agent's node; absent: not known),
 *             version_line (in which its code told its version; absent: not
 *             known),
 *             message, node (of the task, which was lost: not the agent's);
 *             ok: printed [offset, bytes] in output-<element>.<n>,
 *             params {NAME: value} of a stage without output artifacts
 *             (absent: {}), of another result, the SHA-256 of result.json;
 *             of a group: report {name: the last one}
 *   found     task                (out/result.json was there before)
 *   returned  task                (not started: drained, no time left)
 *   machine_error  task, message, pause    (handed back: the machine failed it)
 *   retired   device, host, failures, message: a GPU gets no more tasks here;
 *             the tasks it failed are handed back by machine_error
 *   durable   bytes: so much of this log is on the disk
 *   done      now_s: the agent ended in good order
 *
 * A task's `end` always follows its `start`, also when it could not be
 * started.  After `returned` and `machine_error` a task may still be started by
 * another claim.  An `end` that is ok counts once a `durable` covers it: it may
 * be the only record of the task's parameters.
 */
#ifndef HANDOVER_RESULT_LOG_H
#define HANDOVER_RESULT_LOG_H

#include "arrays/outcome.h"
#include "base/digest.h"

/* --- records --- */

/* One record as it is read; strings and json are lent. */
struct result_event {
    enum result_event_kind {
        RESULT_CLAIM,
        RESULT_START,
        RESULT_END,
        RESULT_FOUND,
        RESULT_RETURNED,
        RESULT_MACHINE_ERROR,
        RESULT_DURABLE,
        RESULT_DONE,
        RESULT_RETIRED,
    } kind;
    int task;             /* -1 for claim, durable, done, retired */
    int slot;             /* start */
    enum outcome outcome; /* end: as told; found: ok */
    int exit_code;        /* end: of the last command; -1: none */
    int signal;           /* end: 0 is none */
    double wall_s;        /* end */
    double now_s;         /* claim; end: when it ended; 0: not told */
    int64_t peak_bytes;   /* end; 0: not told */
    const char *message;  /* end, machine_error, retired: why, for a person; ok:
                             a remark,  or "" */
    bool pause;         /* machine_error: nothing is to run before a person has
                           looked: space is missing, inputs changed */
    const char *host;   /* claim, retired */
    const char *device; /* retired */
    const char *node;   /* claim; end: which was lost; or "" */
    const struct json *older;  /* claim: an array, or NULL */
    const struct json *params; /* end that is ok: or NULL */
    const struct json *report; /* end, of a group: or NULL */
    bool printed;              /* end: the next two are told */
    uint64_t printed_at, printed_bytes;
    uint64_t durable_bytes;    /* durable */
    const struct json *record; /* the whole of it */
    uint64_t end_bytes;        /* where the record ends in the log */
};

/* Call 'each' for every whole record of a log's text.  Records of an unknown
 * kind are passed over.  *accepted_bytes: how long the whole records are.
 */
int result_log_scan (const char *text, size_t len, const char *name,
                     int (*each) (const struct result_event *event, void *arg,
                                  struct error *err),
                     void *arg, uint64_t *accepted_bytes, struct error *err);

/* The same of the text that lies 'from' bytes behind the beginning of a log, at
 * the end of a record; lines are counted from there.
 */
int result_log_scan_from (uint64_t from, const char *text, size_t len,
                          const char *name,
                          int (*each) (const struct result_event *event,
                                       void *arg, struct error *err),
                          void *arg, uint64_t *accepted_bytes,
                          struct error *err);

/* Is it the end of a task by SIGTERM or SIGKILL, or of a launcher or shell that
 * tells of one?  The scheduler may have sent it, and the agent not have heard
 * of its own end yet.
 */
bool result_is_killed (const struct result_event *event);

/* --- names --- */

/* "results-<element>.<n>" -> element, and *n unless that is NULL; -1 when it is
 * no such name (numbers have no leading zeros and at most 18 digits).
 */
int64_t result_log_element (const char *file_name, int64_t *n);

/* --- which bytes of an element's logs count --- */

/* What the claim of a newer log says of an older one. */
struct older_log {
    int64_t n;
    uint64_t bytes;
    char sha256[DIGEST_HEX_SIZE]; /* of these bytes */
};

/* A log as it was found. */
struct log_extent {
    int64_t n;
    uint64_t claim_bytes;     /* of its first record; 0: that is not whole */
    uint64_t whole_bytes;     /* of its whole records */
    uint64_t durable_bytes;   /* as its last `durable` tells; else the claim
                                 where something follows it */
    uint64_t journaled_bytes; /* what a driver built on already; 0: nothing */
    const struct older_log *older; /* as its claim tells */
    size_t n_older;
};

/* What counts of it. */
struct log_limit_of {
    uint64_t bytes;   /* what lies behind does not exist; 0: nor does the log */
    uint64_t durable; /* of these, so many can no longer be lost */
};

/* The rule of reading, for all logs of an element in ascending order: a log
 * counts up to the least that any newer claim gives it, of those that count
 * themselves; one whose claim lies behind that does not exist.  What was
 * journaled stays.
 */
void result_log_limits (const struct log_extent *logs, size_t n,
                        struct log_limit_of *limits);

#endif /* !HANDOVER_RESULT_LOG_H */
