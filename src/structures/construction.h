/* SPDX-License-Identifier: BSD-3-Clause */
/* construction.h - what is made of each structure: the inputs of
 * structures.make
 *
 * {"surface": {"miller": [1, 1, 1], "layers": 6, "vacuum": 15},
 *  "supercell": [2, 2, 2],              or three rows, or {"atoms": 64}
 *  "vacancies": 1,
 *  "substitute": {"Al": {"Mg": 0.25}}, "interstitials": {"H": 1},
 *  "draws": 1,                          of what is random in these three
 *  "scale": [0.96, 1, 1.04],
 *  "strain": [[0.01, 0, 0, 0, 0, 0]],   or {"elastic": 0.01}, a list of these
 *  "displace": {"sigma": 0.05, "count": 10},
 *  "least_distance": 0.5, "seed": 1}
 *
 * They are done in this order; what is a list multiplies.
 */
#ifndef STRUCTURES_CONSTRUCTION_H
#define STRUCTURES_CONSTRUCTION_H

#include "structures/defects.h"
#include "structures/surface.h"

struct json;

/* More frames than anybody labels are a slip of the pen. */
enum { CONSTRUCTION_FRAMES_MAX = 10000 };

struct construction {
    const struct json *elements; /* the campaign's; lent, may be NULL */
    struct surface_cut surface;
    bool repeats;       /* there is a supercell: */
    int64_t rows[9];    /* its rows, */
    int64_t most_atoms; /* unless one of at most so many is to be chosen */
    int64_t vacancies;
    struct exchange *exchanges;
    size_t n_exchanges;
    struct atoms_of *interstitials;
    size_t n_interstitials;
    int64_t draws;
    double *scales;
    size_t n_scales;
    double (*strains)[6];
    size_t n_strains; /* 0: nothing is strained */
    double sigma_A;
    int64_t displacements; /* 0: nothing is displaced */
    double least_distance_A;
    int64_t seed;
};

#define CONSTRUCTION_INIT                                                      \
    {                                                                          \
        .draws = 1                                                             \
    }

/* Read one input of 'inputs' alone, which is of its port's type: 0 also where
 * there is no such key, or nothing is said.  -1 with 'err' "NAME: what; what to
 * do".  'c' must be initialised, and released in any case.
 */
int construction_read_input (const char *name, const struct json *inputs,
                             struct construction *c, struct error *err);

/* Read all of them, and what they have to agree in. */
int construction_read (const struct json *inputs, struct construction *c,
                       struct error *err);
void construction_release (struct construction *c);

/* How many frames it makes of one, equal ones counted. */
double construction_variants (const struct construction *c);

/* Of construction_elements.c: read {"H": 1, ...}, and {"Al": {"Mg": 0.25, ...},
 * ...}; elements are among c->elements.
 */
int construction_read_interstitials (const struct json *v,
                                     struct construction *c, struct error *err);
int construction_read_exchanges (const struct json *v, struct construction *c,
                                 struct error *err);

#endif /* !STRUCTURES_CONSTRUCTION_H */
