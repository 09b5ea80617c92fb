/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.h - the system calls a crash may come before
 *
 * All that change a file system or start a process.  A seccomp filter stops a
 * traced process at them and at no other, so that tracing costs little.
 */
#ifndef TESTS_CRASH_CALLS_H
#define TESTS_CRASH_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* From here on this process and all it starts stop for their tracer at each of
 * these calls; without one they fail.  -1 with errno.
 */
int calls_stop_here (void);

/* One call a process is about to make. */
struct call {
    const char *name; /* NULL: none of ours */
    uint64_t args[6];
    char detail[200]; /* the file it is about, where it is about one */
    bool is_write;
};

/* What the process, stopped by the filter, is about to do.  Writes to anything
 * but files are none of ours.
 */
void calls_look (pid_t pid, struct call *call);

/* Do half of a write on behalf of the process. */
void calls_tear (pid_t pid, const struct call *call);

#endif /* !TESTS_CRASH_CALLS_H */
