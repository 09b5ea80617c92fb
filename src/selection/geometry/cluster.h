/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.h - the surroundings of one atom, cut out of a structure
 *
 *   {"cutoff": 5,      angstrom: molecules with an atom nearer than that are
 *                      taken whole
 *    "hard": 8}        but nothing that is not nearer than that; may be absent
 *
 * As DP-GEN's cluster_cutoff and cluster_cutoff_hard (dpgen/generator/lib/
 * gaussian.py, take_cluster).  Two atoms of a molecule are bonded when they are
 * nearer than the sum of their covalent radii and 0.45 A (what OpenBabel, which
 * DP-GEN asks, begins with: N. O'Boyle et al., J. Cheminf. 3, 33 (2011)); atoms
 * of unknown elements have no bonds.  Bonds are not cut with hydrogen, as
 * DP-GEN does for cluster_minify: it cuts single ones alone, for which
 * OpenBabel has to guess the order of each from angles and elements.
 */
#ifndef SELECTION_CLUSTER_H
#define SELECTION_CLUSTER_H

#include "formats/frame.h"

struct geometry;

struct cluster_limits {
    bool any;
    double cutoff;
    double hard; /* INFINITY: none */
};

/* Read the object above.  'limits' is untouched on failure. */
int cluster_limits_from_json (const struct json *v,
                              struct cluster_limits *limits, struct error *err);

/* Which atoms are in the cluster around atom 'centre': atoms[0 .. n - 1], in
 * rising order, and their positions, three numbers each, every atom being the
 * image whose fractional coordinates are nearest to those of the centre along
 * periodic directions.  Both have room for all atoms.  Returns n; 0 for a cell
 * without volume.
 */
size_t cluster_cut (const struct geometry *geometry,
                    const char (*symbols)[SYMBOL_SIZE], size_t centre,
                    const struct cluster_limits *limits, size_t *atoms,
                    double *positions);

#endif /* !SELECTION_CLUSTER_H */
