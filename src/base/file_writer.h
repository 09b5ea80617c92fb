/* SPDX-License-Identifier: BSD-3-Clause */
/* file_writer.h - a file written piece by piece that is whole or absent
 *
 * What is added goes to a temporary name beside the file; file_writer_commit
 * syncs it, puts it in the file's place and syncs the directory.
 */
#ifndef BASE_FILE_WRITER_H
#define BASE_FILE_WRITER_H

#include <stddef.h>

#include "base/strbuf.h"

struct error;

struct file_writer {
    char *path;      /* NULL: not open */
    char *temporary; /* NULL: committed */
    struct strbuf pending;
    int fd;
};

#define FILE_WRITER_INIT                                                       \
    {                                                                          \
        .pending = STRBUF_INIT, .fd = -1                                       \
    }

int file_writer_open (struct file_writer *writer,
                      const char *path,
                      struct error *err);
int file_writer_add (struct file_writer *writer,
                     const void *bytes,
                     size_t len,
                     struct error *err);
int file_writer_commit (struct file_writer *writer, struct error *err);

/* In any case: what was not committed is removed. */
void file_writer_release (struct file_writer *writer);

#endif /* !BASE_FILE_WRITER_H */
