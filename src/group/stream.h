/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h - our end of a pipe that a program prints into */
#ifndef GROUP_STREAM_H
#define GROUP_STREAM_H

#include "group/lines.h"
#include "group/watch.h"

struct stream {
    struct watch watch; /* fd -1: it is closed */
    int epoll_fd;
    int log_fd;          /* lines go there; -1: the text is kept */
    struct lines lines;  /* for the log */
    struct strbuf text;  /* kept, up to: */
    size_t text_max;     /* what comes then is dropped */
    struct stream *next; /* of those whose program has ended */
};

/* A pipe whose lines go to 'log_fd', each after 'name'; or, with 'log_fd' -1,
 * of which 'text_max' bytes are kept.  *writer is the program's end.  NULL with
 * 'err'.
 */
struct stream *stream_open (int epoll_fd, const char *name, int log_fd,
                            size_t text_max, int *writer, struct error *err);

/* Read what is there. */
void stream_drain (struct stream *stream);

void stream_destroy (struct stream *stream);

#endif /* !GROUP_STREAM_H */
