/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz.h - extended XYZ, the form in which frames travel between stages
 *
 * The number of atoms; one line of key=value; then a line for each atom:
 *
 *   8
 *   Lattice="5.43 0 0 0 5.43 0 0 0 5.43" Properties=species:S:1:pos:R:3:...
 *   Si 0 0 0 0.1 0.2 0.3
 *
 * Reading: property columns in any order; `force` and `forces`, `energy`,
 * `virial`, `stress` (9 or 6 Voigt numbers xx yy zz yz xz xy, eV/A^3, ASE's
 * sign) and `pbc` are understood; other columns are dropped, other keys kept
 * in frame->info as they stand.  Without Properties the columns are species
 * and pos; without pbc a frame with a Lattice is periodic.
 * Writing: numbers with the fewest digits that read back exactly.
 */
#ifndef FORMATS_EXTXYZ_H
#define FORMATS_EXTXYZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct frame;
struct strbuf;

/* Where each frame of a file lies. */
struct extxyz_index {
    uint64_t *offset; /* n + 1 entries: frame i is [offset[i], offset[i+1]) */
    uint64_t *line;   /* n + 1 entries: the number of its first line, from 1 */
    size_t n;
    size_t alloc;
};

#define EXTXYZ_INDEX_INIT                                                      \
    {                                                                          \
        0                                                                      \
    }

void extxyz_index_release (struct extxyz_index *index);

/* Find the frames of 'path' by atom counts alone (atom lines are not parsed);
 * a cut or malformed file is an error naming the line.  Empty lines after the
 * last frame are allowed.
 */
int extxyz_index_file (const char *path, struct extxyz_index *index,
                       struct error *err);

/* Parse exactly one frame; 'name' and 'first_line' (from 1) are for messages.
 * 'frame' must be initialised; it is replaced.
 */
int extxyz_parse (const char *text, size_t len, const char *name,
                  size_t first_line, struct frame *frame, struct error *err);

/* Append the frame's text.  A cell of zeros is no Lattice. */
void extxyz_format (const struct frame *frame, struct strbuf *out);

/* Read all frames of a file, in order, calling 'each' (its -1 stops, and is
 * returned, with 'err' as 'each' left it).
 */
int extxyz_read_file (const char *path,
                      int (*each) (const struct frame *frame, void *arg,
                                   struct error *err),
                      void *arg, struct error *err);

/* Read the next frame, which replaces 'frame', and where it begins.  1, 0 at
 * the end, or when the file ends within the frame (then *truncated is set), or
 * -1.  A last line that no line break ends was cut, too.
 */
struct lines;
int extxyz_next (struct lines *lines, struct frame *frame, uint64_t *offset,
                 bool *truncated, struct error *err);

#endif /* !FORMATS_EXTXYZ_H */
