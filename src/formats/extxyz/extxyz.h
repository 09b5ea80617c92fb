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
 * in frame->info as they stand.  Where there are no species, Z or numbers
 * (atomic ones) tell the elements.  Without Properties the columns are species
 * and pos; without pbc a frame with a Lattice is periodic.  What other programs
 * call their labels: extxyz_labels.h. Writing: numbers with the fewest digits
 * that read back exactly.
 */
#ifndef FORMATS_EXTXYZ_H
#define FORMATS_EXTXYZ_H

struct frame;
struct lines;

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

/* What labels are called.  One of virial and stress is written: the stress,
 * when it has a name (then the cell has a volume).
 */
struct extxyz_names {
    const char *energy;
    const char *forces;
    const char *virial;
    const char *stress; /* or NULL */
};

#define EXTXYZ_NAMES_OURS                                                      \
    {                                                                          \
        .energy = "energy", .forces = "forces", .virial = "virial"             \
    }

/* The same, with labels called so. */
void extxyz_format_as (const struct frame *frame,
                       const struct extxyz_names *names, struct strbuf *out);

/* Read all frames of a file, in order, calling 'each' (its -1 stops, and is
 * returned, with 'err' as 'each' left it).
 */
int extxyz_read_file (const char *path,
                      int (*each) (const struct frame *frame, void *arg,
                                   struct error *err),
                      void *arg, struct error *err);

/* Read the next frame, which replaces 'frame', of a file that is to be whole;
 * as 'reading' says, which may be NULL.  1, 0 at the end, or -1, also when the
 * file ends within a frame.
 */
struct extxyz_reading;
int extxyz_next_whole (struct lines *lines,
                       const struct extxyz_reading *reading,
                       struct frame *frame, struct error *err);

/* Read the next frame, which replaces 'frame', and where it begins.  1, 0 at
 * the end, or when the file ends within the frame (then *truncated is set), or
 * -1.  A last line that no line break ends was cut, too.
 */
int extxyz_next (struct lines *lines, struct frame *frame, uint64_t *offset,
                 bool *truncated, struct error *err);

#endif /* !FORMATS_EXTXYZ_H */
