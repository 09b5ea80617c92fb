/* SPDX-License-Identifier: BSD-3-Clause */
/* log_reading.h - what agents appended to their logs since the last look
 */
#ifndef ENGINE_LOG_READING_H
#define ENGINE_LOG_READING_H

struct attempt_logs;
struct heartbeat;
struct stage_state;

/* The logs of one chunk. */
struct chunk_logs {
    const char *dir;       /* absolute */
    const char *name;      /* as the journal names it: ATTEMPT/CHUNK */
    int64_t first_element; /* among those of the attempt */
    int64_t n_elements;
    bool fresh; /* open each of them, so that a network file system asks its
                   server how long it is */
    const struct stage_state *stage;
    struct attempt_logs *logs;
    const struct heartbeat *heartbeat;
};

/* Read what is new in the logs of a chunk; those of an element whose tasks are
 * all recorded as ok are not looked at.  'journal' becomes {LOG: {bytes,
 * sha256}} of logs of which more counts than was journaled (caller unrefs).
 * Sets *changed when anything was read.  -1: a log is damaged or cannot be
 * read.
 */
int chunk_logs_read (const struct chunk_logs *chunk, struct json **journal,
                     bool *changed, struct error *err);

#endif /* !ENGINE_LOG_READING_H */
