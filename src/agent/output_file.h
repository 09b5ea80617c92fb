/* SPDX-License-Identifier: BSD-3-Clause */
/* output_file.h - output-<element>.<n>: what an agent's tasks printed
 *
 * One file for all tasks that ended well, one after the other; the `end`
 * records of the result log are its index.  What tasks print is no result:
 * where it cannot be kept, for want of space or whatever, nothing else fails.
 */
#ifndef AGENT_OUTPUT_FILE_H
#define AGENT_OUTPUT_FILE_H

struct output_file {
    char *dir;
    char *path;
    int fd;                /* -1: not made yet */
    uint64_t bytes;        /* of it, with what is pending */
    struct strbuf pending; /* not written yet */
    bool dirty;            /* written to since it was synced */
    bool broken;           /* it could not be written: no more is taken */
};

#define OUTPUT_FILE_INIT                                                       \
    {                                                                          \
        .fd = -1, .pending = STRBUF_INIT                                       \
    }

/* Of an element's claim in the chunk's directory 'dir'.  Makes nothing. */
void output_file_init (struct output_file *output, const char *dir,
                       int64_t element, int64_t n);
void output_file_release (struct output_file *output);

/* Append all that is in the file 'fd': *at and *bytes tell where it is.  -1: it
 * cannot be kept.
 */
int output_file_add (struct output_file *output, int fd, uint64_t *at,
                     uint64_t *bytes);

/* Bring all of it to the disk. */
void output_file_sync (struct output_file *output);

#endif /* !AGENT_OUTPUT_FILE_H */
