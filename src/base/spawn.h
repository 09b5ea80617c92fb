/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.h - start a program at about the cost of posix_spawn
 *
 * posix_spawn itself can neither bind to CPUs nor ask for a signal when the
 * parent dies.
 */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <sched.h>
#include <sys/types.h>

struct spawn {
    const char *const *argv; /* argv[0] is looked up on the PATH of 'env'; with
                                a '/' it is taken as it is, seen from 'dir' */
    char *const *env;        /* NULL: ours */
    const char *dir;         /* to run in; NULL: ours */
    const char *stdin_path;  /* NULL: /dev/null */
    int in_fd;               /* becomes stdin in its place; 0: does not */
    int out_fd, err_fd;      /* become stdout and stderr */
    int death_signal;        /* what it is sent when this process dies */
    const cpu_set_t *cpus;   /* to run on; NULL: any */
    size_t cpus_bytes;
    const char *cgroup_procs; /* of the cgroup to join; NULL: ours */
    const unsigned long
        *memory_nodes;  /* NUMA nodes for its memory; NULL: any */
    size_t memory_bits; /* of the mask */
    bool strict_memory; /* from nowhere else; else preferred */
    bool *refused;      /* is set where the kernel does not let us prefer them;
                           NULL: not asked for */
    int keep_fd;        /* stays open, as 3; 0: none */
};

/* Start the program in a process group of its own, all other descriptors
 * closed but 'keep_fd', signals at their defaults.  Returns its pid, or -1 with
 * 'err' when there is no such program or directory, or no process can be had.
 */
pid_t spawn (const struct spawn *spec, struct error *err);

/* A pipe for a program: closed on exec, its ends above 2, so that moving them
 * to 0-2 loses none.  -1 with errno; 'ends' are then untouched.
 */
int spawn_pipe (int ends[2]);

/* In a child: default actions, no signal blocked.  Until then they are to be
 * blocked, so that no handler of the parent's runs in the child.
 */
void child_reset_signals (void);

/* In a child: close all descriptors from 'first' on. */
void child_close_from (int first);

#endif /* !BASE_SPAWN_H */
