/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_source.h - what a file format does for vector_reader */
#ifndef FORMATS_VECTOR_SOURCE_H
#define FORMATS_VECTOR_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct packed_file;
struct vector_frame;
struct vector_options;

struct vector_source {
    void *(*open) (const char *path,
                   const struct vector_options *options,
                   struct error *err);
    void (*close) (void *self);
    int (*next) (void *self, struct vector_frame *frame, struct error *err);
    bool (*truncated) (const void *self);
    int (*go_to) (void *self, uint64_t place, struct error *err);

    /* In a file that is not compressed, the first frame that starts at byte
     * 'from' or later and tells its step: 1, 0 when there is none, or -1.
     * NULL: its frames tell none.
     */
    int (*find) (struct packed_file *file,
                 uint64_t from,
                 uint64_t *place,
                 int64_t *step,
                 struct error *err);
};

extern const struct vector_source vector_text_dump;
extern const struct vector_source vector_binary_dump;
extern const struct vector_source vector_extxyz;
extern const struct vector_source vector_npy;

/* The names of a vector's columns in dumps. */
const char *const *vector_columns (const struct vector_options *options);

/* What the first bytes of a file show.  Anything that is nothing else is a
 * text dump.  NULL when it cannot be read, with errno as open left it.
 */
const struct vector_source *vector_source_of (const char *path,
                                              struct error *err);

#endif /* !FORMATS_VECTOR_SOURCE_H */
