/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - one place to wait for many descriptors (epoll) */
#ifndef GROUP_WATCH_H
#define GROUP_WATCH_H

struct watch {
    int fd;
    void (*ready) (void *arg); /* something can be read, or it was closed; may
                                  end this watch and others */
    void *arg;
};

/* A descriptor to wait on, or -1. */
int watch_open (struct error *err);

/* 'watch' is lent until watch_end. */
int watch_begin (int epoll_fd, struct watch *watch, struct error *err);
void watch_end (int epoll_fd, const struct watch *watch);

/* Wait until one is ready and tell it, until 'due_s' (clock_mono_s; INFINITY:
 * for any time) at most.
 */
void watch_wait (int epoll_fd, double due_s);

#endif /* !GROUP_WATCH_H */
