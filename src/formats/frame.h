/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h - one atomic configuration, with labels when it has them
 *
 * Units everywhere in Fanfold: angstrom, eV, eV/angstrom.  The virial is the
 * total one in eV with DeePMD-kit's sign (positive under compression:
 * virial = -stress * volume), 9 numbers, row-major.
 */
#ifndef FORMATS_FRAME_H
#define FORMATS_FRAME_H

enum { SYMBOL_SIZE = 8 }; /* an element symbol or label and its NUL */

struct frame {
    size_t n_atoms;
    double cell[9]; /* rows are the vectors a, b, c */
    bool periodic[3];
    char (*symbols)[SYMBOL_SIZE];
    double *positions; /* 3 * n_atoms, atom by atom */
    double *forces;    /* 3 * n_atoms, or NULL */
    double energy;     /* valid when has_energy */
    double virial[9];  /* valid when has_virial */
    bool has_energy;
    bool has_virial;
    char *info; /* further "key=value ..." text of the frame; NULL: none */
};

#define FRAME_INIT                                                             \
    {                                                                          \
        0                                                                      \
    }

/* Reserve memory for n atoms (symbols, positions and, if asked, forces);
 * everything is zero.  The frame must be released or initialised before.  n
 * comes from input: may fail.
 */
int frame_resize (struct frame *frame, size_t n_atoms, bool with_forces,
                  struct error *err);
void frame_release (struct frame *frame);

/* Set one symbol.  -1, and nothing done, when the text is empty, longer than
 * SYMBOL_SIZE - 1 or holds a space or a control character.
 */
int symbol_set (char symbol[SYMBOL_SIZE], const char *text, size_t len);

/* What follows KEY= in the frame's info, without its quotes: false when there
 * is no such key.  Lent.
 */
bool frame_info_value (const struct frame *frame, const char *key,
                       const char **value, size_t *len);

/* The step of the MD that the frame's info tells: "step=10", or "Timestep=10"
 * as LAMMPS writes it.  False when there is none.
 */
bool frame_step (const struct frame *frame, int64_t *step);

/* det(cell); negative for a left-handed cell. */
double cell_volume (const double cell[9]);
double frame_volume (const struct frame *frame);

/* An order with the atoms of one element together, elements by their first
 * atom: order[i], for which there is room, is the atom that comes as i-th.
 */
void frame_order_by_element (const struct frame *frame, size_t *order);

/* Are all of n values finite? */
bool all_finite (const double *values, size_t n);

/* -1 with 'err', which says what has one, when a number of the cell, the
 * positions or the labels is not finite.
 */
int frame_check_finite (const struct frame *frame, struct error *err);

/* Append " x y z" and a line break, with the fewest digits that read back
 * exactly.
 */
void frame_add_vector (const double *v, struct strbuf *out);

#endif /* !FORMATS_FRAME_H */
