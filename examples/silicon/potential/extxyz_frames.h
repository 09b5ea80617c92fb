/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_frames.h - labelled frames of a periodic crystal, from extended XYZ
 *
 * A small strict reader.  A frame is
 *
 *   8
 *   Lattice="a1 a2 a3 b1 b2 b3 c1 c2 c3"
 * Properties=species:S:1:pos:R:3:forces:R:3 energy=-866.3 pbc="T T T" Si 0.05 0
 * 0 -0.31 0.02 0.07
 *   ...
 *
 * with the property columns in any order; other keys and columns are passed
 * over.  Frames follow each other without blank lines.
 */
#ifndef EXTXYZ_FRAMES_H
#define EXTXYZ_FRAMES_H

#include <stddef.h>

struct problem;

struct frame {
    const char
        *path; /* where it was read, as the caller spelled it: borrowed */
    size_t line;
    size_t atom_count;
    double cell[3][3];      /* one lattice vector a row, any shape, A */
    double (*positions)[3]; /* A */
    double (*forces)[3];    /* eV/A */
    double energy_eV;
};

struct frames {
    struct frame *items;
    size_t count;
    size_t capacity;
};

#define FRAMES_INIT                                                            \
    {                                                                          \
        NULL, 0, 0                                                             \
    }

void frames_release (struct frames *frames);

/* Append every frame of the file, which must hold at least one.  All atoms
 * must be 'species'.  On failure nothing is appended, and the problem starts
 * with "path:line: ".
 */
int frames_read (struct frames *frames, const char *path, const char *species,
                 struct problem *problem);

/* The same from text[0 .. length); 'path' is only for messages. */
int frames_parse (struct frames *frames, const char *path, const char *text,
                  size_t length, const char *species, struct problem *problem);

#endif /* !EXTXYZ_FRAMES_H */
