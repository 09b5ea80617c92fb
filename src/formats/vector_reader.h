/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_reader.h - positions or forces, frame after frame, out of any file
 *
 *   LAMMPS dumps, text and binary   columns by name: x y z (where structures
 *                                   are read: or xu, xs, xsu ...), fx fy fz,
 *                                   id; type or (text) element
 *   extended XYZ                    species, pos; forces, energy, virial
 *   NumPy arrays                    a row for each frame, 3 numbers an atom;
 *                                   energies and virials are energy.npy and
 *                                   virial.npy beside it, as in DeePMD sets;
 *                                   the cell is box.npy, the elements type.raw
 *                                   and type_map.raw in the directory above,
 *                                   where nopbc says that it is not periodic
 *
 * Which it is shows in the first bytes, not in the name, and all may be
 * compressed.  Streams: memory is a block or a frame.
 */
#ifndef FORMATS_VECTOR_READER_H
#define FORMATS_VECTOR_READER_H

#include "formats/frame.h"

enum vector_kind { VECTOR_POSITIONS, VECTOR_FORCES };

struct vector_options {
    enum vector_kind kind;
    bool energy;         /* the frames' energies, virials have to be there */
    bool virial;         /* (a file without them is an error) */
    bool structure;      /* cells and elements have to be there */
    bool with_forces;    /* beside positions, where a dump has any */
    const char *columns; /* of binary dumps that name none; NULL: unknown */
};

/* A frame; what it points to is lent until the next call. */
struct vector_frame {
    bool has_step; /* else 'step' is the number of the frame in the file */
    int64_t step;
    uint64_t place; /* where the frame is, for vector_reader_go_to */
    size_t n_atoms;
    const double *ids;     /* rising; NULL: atoms are in the file's order */
    const double *vectors; /* 3 * n_atoms: A, or eV/A */
    const double *forces;  /* beside them, when asked for; NULL: none */
    double energy;         /* eV; when it was asked for */
    double virial[9];      /* eV; when it was asked for */

    const char *units; /* LAMMPS's, that the file tells; "" or NULL: none */

    /* When the structure was asked for; one of the elements' both may be NULL
     */
    double cell[9]; /* rows a, b, c in A */
    bool periodic[3];
    const char (*symbols)[SYMBOL_SIZE];
    const double *types; /* of elements, from 1 */
};

struct vector_reader;

/* Open 'path'; 'options' and its text are lent.  NULL with an absence
 * (base/error.h) when there is no such file.
 */
struct vector_reader *vector_reader_open (const char *path,
                                          const struct vector_options *options,
                                          struct error *err);
void vector_reader_close (struct vector_reader *reader); /* NULL is legal */

/* The next frame: 1, 0 at the end or when the file was cut within the frame
 * (then vector_reader_truncated is true), or -1 when the file is malformed or
 * lacks what is asked for.
 */
int vector_reader_next (struct vector_reader *reader,
                        struct vector_frame *frame, struct error *err);
bool vector_reader_truncated (const struct vector_reader *reader);

/* Go to the place of a frame that was read before, from this file.  Frames of
 * extended XYZ without steps are numbered on from the last.
 */
int vector_reader_go_to (struct vector_reader *reader, uint64_t place,
                         struct error *err);

/* Set places[i] to where the last frame of steps[i] is in 'path', or to
 * UINT64_MAX when there is none; steps[0..n-1] rise.  A frame that was cut may
 * be found, too.  'columns' as in the options.  -1 when the file cannot be
 * read, with an absence when it is not there.
 */
int vector_find_steps (const char *path, const char *columns,
                       const int64_t *steps, size_t n, uint64_t *places,
                       struct error *err);

/* How frames are found in the middle of a file: not at all (compressed files,
 * what cannot be read, and frames that neither tell a step nor are rows of an
 * array), by their steps (below), or by their numbers.  The beginning
 * of the file decides: frames without a step may follow.
 */
enum vector_division { VECTOR_WHOLE, VECTOR_BY_STEP, VECTOR_BY_NUMBER };
enum vector_division vector_division (const char *path);

/* In a file of VECTOR_BY_STEP the first frame that starts at byte 'from' or
 * later: 1, 0 when there is none, or -1.  Frames whose step was cut, or that
 * have none, do not count.
 */
int vector_find_from (const char *path, uint64_t from, uint64_t *place,
                      int64_t *step, struct error *err);

/* The first frame of 'step' or a later one where steps only rise, by halves: 1,
 * 0 when there is none, or -1.  Where they do not rise it is some frame.
 */
int vector_find_rising (const char *path, int64_t step, uint64_t *place,
                        struct error *err);

#endif /* !FORMATS_VECTOR_READER_H */
