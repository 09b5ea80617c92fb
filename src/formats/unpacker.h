/* SPDX-License-Identifier: BSD-3-Clause */
/* unpacker.h - gzip and zstd, piece by piece
 *
 * Several compressed streams in a row, as appending to a compressed file
 * leaves them, are one.
 */
#ifndef FORMATS_UNPACKER_H
#define FORMATS_UNPACKER_H

#include <stdbool.h>
#include <stddef.h>

struct unpacker;

/* So many bytes tell whether and how a file is compressed. */
enum { UNPACKER_MAGIC_BYTES = 4 };

/* An unpacker for what begins with these bytes; NULL: they are not compressed.
 * Caller frees.
 */
struct unpacker *unpacker_for (const char *bytes, size_t n);
void unpacker_free (struct unpacker *unpacker); /* NULL is legal */

/* Bytes to unpack, and room for what comes out of them. */
struct unpacking {
    const char *in;
    size_t n_in;
    char *out;
    size_t n_out;
};

/* Unpack as much as can be done, and leave 'unpacking' with what remains of
 * both.  NULL, or what is wrong (static text) when the bytes are no compressed
 * data.  All of the input is taken unless the output is full.
 */
const char *unpacker_run (struct unpacker *unpacker,
                          struct unpacking *unpacking);

/* May the input end here? */
bool unpacker_is_complete (const struct unpacker *unpacker);

/* "gzip" or "zstd" */
const char *unpacker_name (const struct unpacker *unpacker);

#endif /* !FORMATS_UNPACKER_H */
