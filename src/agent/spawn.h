/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.h - start a task's command at about the cost of posix_spawn
 *
 * posix_spawn itself can neither bind to CPUs nor ask for a signal when the
 * parent dies.
 */
#ifndef AGENT_SPAWN_H
#define AGENT_SPAWN_H

#include <sys/types.h>

struct error;
struct slot;

struct spawn {
    const char *const *argv; /* argv[0] is looked up on the PATH of 'env'; with
                                a '/' it is taken as it is, seen from 'dir' */
    char *const *env;
    const char *dir;         /* to run in */
    int output_fd;           /* stdout and stderr */
    const struct slot *slot; /* to run on */
};

/* Start the program in a process group of its own, stdin from /dev/null, all
 * other descriptors closed, signals at their defaults; it is killed when this
 * process dies.  Returns its pid, or -1 with 'err' when there is no such
 * program or directory, or no process can be had.
 */
pid_t spawn (const struct spawn *spec, struct error *err);

#endif /* !AGENT_SPAWN_H */
