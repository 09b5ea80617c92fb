/* SPDX-License-Identifier: BSD-3-Clause */
/* group_signals.h - signals of a group's process, as something to wait for */
#ifndef GROUP_GROUP_SIGNALS_H
#define GROUP_GROUP_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

#include "group/watch.h"

struct group_signals {
    struct watch watch;
    sigset_t interrupts; /* by which it is told to end; blocked */
    void (*child) (void *arg, pid_t pid, int status);
    void (*told) (void *arg, int signal);
    void *arg;
};

#define GROUP_SIGNALS_INIT                                                     \
    {                                                                          \
        .watch = {.fd = -1 }                                                   \
    }

/* From now on 'child' is called for each child that was reaped, and 'told' of
 * SIGTERM, SIGINT and SIGHUP.
 */
int group_signals_take (struct group_signals *signals, int epoll_fd,
                        void (*child) (void *arg, pid_t pid, int status),
                        void (*told) (void *arg, int signal), void *arg,
                        struct error *err);
void group_signals_release (struct group_signals *signals);

#endif /* !GROUP_GROUP_SIGNALS_H */
