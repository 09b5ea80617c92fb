/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.h - the system calls a crash or a fault may come at
 *
 * A seccomp filter stops a traced process at them and at no other, so that
 * tracing costs little.
 */
#ifndef TESTS_CRASH_CALLS_H
#define TESTS_CRASH_CALLS_H

#include <sys/types.h>

enum call_set {
    CALLS_OF_CRASHES, /* what changes a file system or starts a process */
    CALLS_OF_FILES,   /* what changes or reads a file or directory */
};

/* From here on this process and all it starts stop for their tracer at each of
 * these calls; without one they fail.  -1 with errno.
 */
int calls_stop_here (enum call_set set);

enum { CALL_PATH_SIZE = 1024 };

/* One call a process is about to make. */
struct call {
    const char *name; /* NULL: none of ours */
    uint64_t args[6];
    char path[CALL_PATH_SIZE];   /* the file it is about, absolute, or "" */
    char path_2[CALL_PATH_SIZE]; /* of rename and link the other one, or "" */
    bool opens;
    bool has_path; /* it finds its file by name, not by a descriptor */
    bool changes;  /* not only reads */
    bool takes_space;
    bool is_write;
};

/* What the process, stopped by the filter, is about to do.  Calls on
 * descriptors of anything but files are none of ours.
 */
void calls_look (pid_t pid, struct call *call);

/* Do half of a write on behalf of the process. */
void calls_tear (pid_t pid, const struct call *call);

/* The stopped process does not make its call, which seems to return 'result'
 * (an error as -errno).  -1 where registers cannot be set.
 */
int calls_skip (pid_t pid, long result);

/* At the end of its call: it seems to return 'result'. */
int calls_set_result (pid_t pid, long result);

/* It reads or writes half as much as it wants, at least one byte. */
int calls_shorten (pid_t pid, const struct call *call);

#endif /* !TESTS_CRASH_CALLS_H */
