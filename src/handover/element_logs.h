/* SPDX-License-Identifier: BSD-3-Clause */
/* element_logs.h - all result logs of one element, read and limited
 *
 * Agents read the older logs before they claim an element, drivers all of them.
 */
#ifndef HANDOVER_ELEMENT_LOGS_H
#define HANDOVER_ELEMENT_LOGS_H

#include "handover/result_log.h"

struct element_log {
    char *path;
    struct strbuf text; /* what is there, up to what is damaged of it */
    char *damage;       /* a sentence: FILE:LINE and what; NULL: nothing is */
    struct log_extent extent;
    struct older_log *older; /* what extent.older points to */
    struct log_limit_of limit;
};

struct element_logs {
    struct element_log *v; /* by n, ascending */
    size_t n, alloc;
};

#define ELEMENT_LOGS_INIT                                                      \
    {                                                                          \
        0                                                                      \
    }

/* Read results-<element>.<n> in 'dir', which must be the next in order; an
 * absent file is as good as an empty one, and one that is damaged as one that
 * ends before that: like a log that shows late.  'journaled_bytes' of it are
 * known to count.  The limits are to be set anew.
 */
int element_logs_add (struct element_logs *logs, const char *dir,
                      int64_t element, int64_t n, uint64_t journaled_bytes,
                      struct error *err);
void element_logs_release (struct element_logs *logs);

/* Set every log's limit by the rule of reading.  -1: a claim's digest of an
 * older log is not that of its bytes.
 */
int element_logs_limit (struct element_logs *logs, struct error *err);

/* Call 'each' for every record of a log that counts; an `end` that is ok and
 * not durable does not.
 */
int element_log_scan (const struct element_log *log,
                      int (*each) (const struct result_event *event, void *arg,
                                   struct error *err),
                      void *arg, struct error *err);

/* How much of a log counts and can no longer be lost. */
uint64_t element_log_durable (const struct element_log *log);

/* What a newer claim tells of them: [{n, bytes, sha256}], the durable bytes and
 * their digest, which costs a pass over them.
 */
struct json *element_logs_older_json (const struct element_logs *logs);

#endif /* !HANDOVER_ELEMENT_LOGS_H */
