/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_frame.h - a frame of a LAMMPS dump, and what is read of its atoms */
#ifndef FORMATS_DUMP_FRAME_H
#define FORMATS_DUMP_FRAME_H

#include "formats/frame.h"

struct vector_frame;
struct vector_options;

/* Where in a row it stands; negative: nowhere, or not asked for. */
struct dump_columns {
    int id;
    int vector[3];
    int force[3]; /* beside positions */
    int type;
    int symbol;
};

struct dump_frame {
    int64_t step;
    uint64_t offset; /* where in the file it starts */
    size_t n_atoms;
    double cell[9]; /* rows a, b, c, angstrom */
    bool periodic[3];
    char units[16];        /* what the file says: "metal"; "": nothing */
    struct strvec columns; /* names after "ITEM: ATOMS" */
    struct strbuf heading; /* that they were read from */
    struct dump_columns at;
    bool is_scaled; /* positions are fractions of the cell's vectors */

    double *ids;     /* n_atoms */
    double *vectors; /* 3 * n_atoms */
    double *forces;  /* 3 * n_atoms, when they are asked for */
    double *types;   /* n_atoms, when structures are read; */
    char (*symbols)[SYMBOL_SIZE];
    size_t alloc; /* atoms that there is memory for */
};

#define DUMP_FRAME_INIT                                                        \
    {                                                                          \
        .columns = STRVEC_INIT, .heading = STRBUF_INIT                         \
    }
void dump_frame_release (struct dump_frame *frame);

/* Set the cell from the rows xlo xhi xy, ylo yhi xz, zlo zhi yz, the bounds
 * being those of the bounding box.
 */
void dump_frame_set_box (struct dump_frame *frame, const double rows[3][3]);

/* Set the names of the columns from a heading like "id type x y z". */
void dump_frame_set_columns (struct dump_frame *frame, const char *heading,
                             size_t len);

/* Find the columns that are asked for, and reserve memory for n_atoms, which
 * came from input.  -1 when a column of the vector is not there, or there is no
 * memory.
 */
int dump_frame_prepare (struct dump_frame *frame,
                        const struct vector_options *options,
                        struct error *err);

/* All rows are read: make positions of fractions, and put the atoms into the
 * order of their ids, if they have any.  -1, the order being unspecified, when
 * an id is not finite or occurs twice; 'err' says which, and of what step.
 * Where the cell stands does not matter: fractions are of a cell at 0.
 */
int dump_frame_finish (struct dump_frame *frame, struct error *err);

/* What a reader tells of the frame; lent. */
void dump_frame_lend (const struct dump_frame *frame,
                      struct vector_frame *lent);

/* Dumps hold nothing but what atoms have: -1 when more is asked for. */
int dump_check_options (const char *path, const struct vector_options *options,
                        struct error *err);

#endif /* !FORMATS_DUMP_FRAME_H */
