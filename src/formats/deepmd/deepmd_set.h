/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_set.h - the arrays of one set of a DeePMD system, row by row
 *
 *   npy    DIR/coord.npy ... of set.NNN, or
 *   raw    DIR/coord.raw ...: text, a line for each frame
 *
 * Row i of every array belongs to frame i.  Streams: memory is a row of each.
 */
#ifndef FORMATS_DEEPMD_SET_H
#define FORMATS_DEEPMD_SET_H

enum deepmd_array {
    DEEPMD_COORD,
    DEEPMD_BOX,
    DEEPMD_ENERGY,
    DEEPMD_FORCE,
    DEEPMD_VIRIAL,
    DEEPMD_REAL_TYPES, /* of the mixed form: types of each frame's atoms */
    DEEPMD_FPARAM,     /* of any width */
    DEEPMD_APARAM,
    DEEPMD_ARRAYS,
};

/* "coord", "box" ...: what its file is called. */
const char *deepmd_array_name (enum deepmd_array array);

struct deepmd_set;

/* Open the set in 'dir', whose frames have n_atoms atoms.  NULL with 'err' when
 * there are no coordinates, no box although the system is periodic, or an array
 * of another width.
 */
struct deepmd_set *deepmd_set_open (const char *dir, bool is_raw,
                                    size_t n_atoms, bool periodic,
                                    struct error *err);
void deepmd_set_close (struct deepmd_set *set); /* NULL is legal */

/* Go to the next row of all: 1, 0 at the end of all, or -1. */
int deepmd_set_next (struct deepmd_set *set, struct error *err);

/* The row at hand, lent until the next call, and how many numbers it has
 * (where 'width' is not NULL); NULL: there is no such array.
 */
const double *deepmd_set_row (const struct deepmd_set *set,
                              enum deepmd_array array, size_t *width);

/* "sys/set.000/coord.npy", for messages. */
const char *deepmd_set_name (const struct deepmd_set *set);

/* Append the names of arrays in 'dir' that are none of the above. */
void deepmd_set_others (const char *dir, bool is_raw, struct strvec *names);

#endif /* !FORMATS_DEEPMD_SET_H */
