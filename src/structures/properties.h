/* SPDX-License-Identifier: BSD-3-Clause */
/* properties.h - which cells are computed to know properties of a crystal, and
 * what follows from their energies and stresses
 *
 * {"curve": {"range": 0.06, "points": 7},  energy over volume, +-6 %
 *  "elastic": {"strain": 0.005},
 *  "vacancy": {"supercell": [3, 3, 3],      as of construction.h
 *              "atom": 1},
 *  "surfaces": [{"miller": [1, 1, 1], "layers": 6, "vacuum": 15}]}
 *
 * All of it pure.  The crystal is at rest: cell and positions are relaxed.
 */
#ifndef STRUCTURES_PROPERTIES_H
#define STRUCTURES_PROPERTIES_H

#include "structures/construction.h"

struct property_request {
    int64_t points;                /* of the curve; 0: there is none */
    double range;                  /* of volumes, as a fraction */
    double strain;                 /* 0: no elastic constants */
    int64_t atom;                  /* that is taken out, from 1; 0: none is */
    struct construction supercell; /* it is taken out of */
    struct surface_cut *surfaces;
    size_t n_surfaces;
};

#define PROPERTY_REQUEST_INIT                                                  \
    {                                                                          \
        .supercell = CONSTRUCTION_INIT                                         \
    }

/* Read one input of 'inputs', or all of them, of which there must be one; as
 * construction_read_input.
 */
int property_request_read_input (const char *name, const struct json *inputs,
                                 struct property_request *r, struct error *err);
int property_request_read (const struct json *inputs,
                           struct property_request *r, struct error *err);
void property_request_release (struct property_request *r);

/* Append what will be known: "energy", "volume", "e0", "c11", "vacancy",
 * "surface_1_1_1" ...
 */
void property_names (const struct property_request *r, struct strvec *names);

/* "GPa"; static. */
const char *property_unit (const char *name);

/* --- what is computed --- */

struct property_cell {
    char *name; /* for people: "elastic, strain 2 of 12" */
    struct frame frame;
};

struct property_cells {
    struct property_cell *v;
    size_t n;
};

/* Make the cells of 'crystal'.  'cells' must be empty; release it also after a
 * failure.  -1 with 'err' "PROPERTY: what" for what cannot be made.
 */
int property_cells_make (const struct property_request *r,
                         const struct frame *crystal,
                         struct property_cells *cells, struct error *err);
void property_cells_release (struct property_cells *cells);

/* Of a cell whose atoms are at rest. */
struct cell_result {
    double energy_eV;
    double stress_GPa[6]; /* elastic.h */
};

/* Set in 'values' each name, to a number; where the crystal is not stable under
 * strain, its averages to null.  'curve' gets "volume" and "energy", lists, per
 * atom.  -1 with 'err' "PROPERTY: what".
 */
int property_values (const struct property_request *r,
                     const struct frame *crystal,
                     const struct cell_result *at_rest,
                     const struct property_cells *cells,
                     const struct cell_result *results, struct json *values,
                     struct json *curve, struct error *err);

#endif /* !STRUCTURES_PROPERTIES_H */
