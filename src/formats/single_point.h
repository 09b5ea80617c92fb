/* SPDX-License-Identifier: BSD-3-Clause */
/* single_point.h - what a reader found of one calculation of energy and forces
 *
 * Readers of the outputs of codes fill one in, in units of Fanfold (frame.h);
 * what is missing is complained of here, and the frame is made here.
 */
#ifndef FORMATS_SINGLE_POINT_H
#define FORMATS_SINGLE_POINT_H

#include "formats/frame.h"

struct lines;

struct numbers {
    double *v;
    size_t n;
    size_t alloc;
};

struct single_point {
    char (*symbols)[SYMBOL_SIZE];
    size_t n_atoms;
    size_t symbols_alloc;
    bool periodic[3];
    struct numbers positions; /* 3 of each atom */
    struct numbers forces;    /* 3 of each atom */
    struct numbers cell;      /* 9 */
    struct numbers stress;    /* 9 or none, with the sign of a virial; eV/A^3 */
    struct numbers energy;    /* 1 */
    bool converged;           /* it says so */
    bool not_converged;       /* it says so */
    bool ended;               /* it says so */
    size_t forces_line;       /* where their table begins; 0: none did */
};

#define SINGLE_POINT_INIT                                                      \
    {                                                                          \
        .periodic = { true, true, true }                                       \
    }

void single_point_release (struct single_point *point);

/* Forget the numbers; the atoms stay. */
void single_point_begin (struct single_point *point);

void numbers_add (struct numbers *numbers, const double *v, size_t n);
void numbers_scale (struct numbers *numbers, double unit);

/* Append an atom; -1, and nothing done, where symbol_set refuses its symbol. */
int single_point_add_atom (struct single_point *point, const char *symbol,
                           size_t len);

/* A table of forces begins with the line at hand; there must be one alone. */
int single_point_begin_forces (struct single_point *point,
                               const struct lines *lines, struct error *err);

/* What a line says by having words in it: a flag of the point is set. */
struct single_point_note {
    const char *words; /* NULL ends a table */
    size_t flag;       /* its offset */
};
void single_point_note (struct single_point *point,
                        const struct single_point_note *notes,
                        const struct lines *lines);

/* The positions were fractions of the cell: make them angstrom. */
void single_point_place (struct single_point *point);

/* Are energy, forces, cell and positions there? */
bool single_point_is_labelled (const struct single_point *point);

/* Replace 'frame', which must be initialised; without labels when the
 * calculation is not converged.  0, or -1 without memory.
 */
int single_point_frame (const struct single_point *point, struct frame *frame,
                        struct error *err);

/* What a code's users do where something is missing: NULL where nothing helps,
 * "print &CELL".
 */
struct single_point_advice {
    const char *last_words; /* of a whole output; NULL: it has none */
    const char *structure;  /* ... where coordinates or the cell are missing */
    const char *labels;     /* ... energy or forces */
};

/* Make the frame of all that stood in 'lines', and say whether it converged; an
 * error names what is missing.
 */
int single_point_finish (const struct single_point *point,
                         const struct single_point_advice *advice,
                         const struct lines *lines, struct frame *frame,
                         bool *converged, struct error *err);

#endif /* !FORMATS_SINGLE_POINT_H */
