/* SPDX-License-Identifier: BSD-3-Clause */
/* group_signals.c - signals of a group's process, as something to wait for */
#include "base/base.h"

#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "group/group_signals.h"

static void reap_all (struct group_signals *signals)
{
    int status;
    pid_t pid;

    while ((pid = waitpid (-1, &status, WNOHANG)) > 0)
        signals->child (signals->arg, pid, status);
}

static void on_ready (void *arg)
{
    struct group_signals *signals = arg;
    struct signalfd_siginfo info;

    if (read (signals->watch.fd, &info, sizeof (info)) != sizeof (info))
        return;
    if (info.ssi_signo == SIGCHLD)
        reap_all (signals);
    else
        signals->told (signals->arg, (int)info.ssi_signo);
}

int group_signals_take (struct group_signals *signals, int epoll_fd,
                        void (*child) (void *arg, pid_t pid, int status),
                        void (*told) (void *arg, int signal), void *arg,
                        struct error *err)
{
    static const int interrupts[] = { SIGTERM, SIGINT, SIGHUP };
    sigset_t all;

    *signals = (struct group_signals){ .watch = { -1, on_ready, signals },
                                       .child = child,
                                       .told = told,
                                       .arg = arg };
    sigemptyset (&signals->interrupts);
    for (size_t i = 0; i < ARRAY_SIZE (interrupts); i++)
        sigaddset (&signals->interrupts, interrupts[i]);
    all = signals->interrupts;
    sigaddset (&all, SIGCHLD);
    sigprocmask (SIG_BLOCK, &all, NULL);
    signals->watch.fd = signalfd (-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals->watch.fd < 0)
        return error_errno (err, "cannot wait for signals");
    return watch_begin (epoll_fd, &signals->watch, err);
}

void group_signals_release (struct group_signals *signals)
{
    file_close (signals->watch.fd);
}
