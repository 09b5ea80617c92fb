/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_source.h - what a file format does for vector_reader */
#ifndef FORMATS_VECTOR_SOURCE_H
#define FORMATS_VECTOR_SOURCE_H

#include "formats/vector_reader.h"

struct packed_file;

/* What the reader of every format begins with. */
struct vector_reader {
    const struct vector_source *source;   /* both are set once it is open; */
    const struct vector_options *options; /* lent */
    bool truncated;                       /* set by 'next' */
};

struct vector_source {
    struct vector_reader *(*open) (const char *path,
                                   const struct vector_options *options,
                                   struct error *err);
    void (*close) (struct vector_reader *reader);
    int (*next) (struct vector_reader *reader, struct vector_frame *frame,
                 struct error *err);
    int (*go_to) (struct vector_reader *reader, uint64_t place,
                  struct error *err);

    /* In a file that is not compressed, the first frame that starts at byte
     * 'from' or later and tells its step: 1, 0 when there is none, or -1.
     * NULL: its frames tell none.
     */
    int (*find) (struct packed_file *file, uint64_t from, uint64_t *place,
                 int64_t *step, struct error *err);
};

extern const struct vector_source vector_text_dump;
extern const struct vector_source vector_binary_dump;
extern const struct vector_source vector_extxyz;
extern const struct vector_source vector_npy;

/* What the first bytes of a file show.  Anything that is nothing else is a
 * text dump.  NULL when it cannot be read.
 */
const struct vector_source *vector_source_of (const char *path,
                                              struct error *err);

#endif /* !FORMATS_VECTOR_SOURCE_H */
