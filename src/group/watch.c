/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - one place to wait for many descriptors (epoll) */
#include "base/base.h"

#include <sys/epoll.h>

#include "base/clock.h"
#include "group/watch.h"

int watch_open (struct error *err)
{
    int fd = epoll_create1 (EPOLL_CLOEXEC);

    return fd < 0 ? error_errno (err, "cannot wait for descriptors") : fd;
}

int watch_begin (int epoll_fd, struct watch *watch, struct error *err)
{
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = watch };

    return epoll_ctl (epoll_fd, EPOLL_CTL_ADD, watch->fd, &event) < 0
               ? error_errno (err, "cannot wait for a descriptor")
               : 0;
}

void watch_end (int epoll_fd, const struct watch *watch)
{
    epoll_ctl (epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
}

/* One at a time: what is told may end others. */
void watch_wait (int epoll_fd, double due_s)
{
    double wait_s = fmin (fmax (due_s - clock_mono_s (), 0), 3600);
    struct epoll_event event;
    const struct watch *watch;

    if (epoll_wait (epoll_fd, &event, 1, (int)ceil (wait_s * 1e3)) <= 0)
        return;
    watch = event.data.ptr;
    watch->ready (watch->arg);
}
