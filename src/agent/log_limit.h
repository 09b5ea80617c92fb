/* SPDX-License-Identifier: BSD-3-Clause */
/* log_limit.h - keep a log that others append to from growing without bound
 *
 * Whoever looks and finds it too long leaves the beginning and the end, with a
 * line between them that says how much is missing.  Between two looks it may
 * be longer.  Writers need O_APPEND; what they write during the cut is lost.
 */
#ifndef AGENT_LOG_LIMIT_H
#define AGENT_LOG_LIMIT_H

#include <sys/types.h>

/* A smaller limit is this one. */
enum { LOG_LIMIT_LEAST_BYTES = 1 << 16 };

struct log_limit {
    int64_t left_out_bytes; /* up to now */
    off_t head;             /* the beginning that stays; 0: nothing was cut */
    off_t size;             /* at the last look */
    double looked_s;        /* clock_mono_s */
    double wait_s;          /* between the last two looks */
};

/* Look at the log open at 'fd' and cut it when it is longer than 'limit' bytes
 * (0: never).  Returns when to look again: soon while it grows quickly, by and
 * by every two seconds; INFINITY: never.
 */
double log_limit_look (struct log_limit *log, int fd, int64_t limit);

/* The same for the last time. */
void log_limit_finish (struct log_limit *log, int fd, int64_t limit);

#endif /* !AGENT_LOG_LIMIT_H */
