/* SPDX-License-Identifier: BSD-3-Clause */
/* geometry.h - is a structure one that a label can be had for?
 *
 *   {"closest": 0.8,        A; no two atoms, nor their images, closer than that
 *    "safe_ratio": 1,       times the sum of their elements' radii: the same;
 *                           atoms of elements without one may be anywhere
 *    "vacuum": 8,           A; at least so much around a cluster: the smallest
 *                           of |a| - x extent, |b| - y extent, |c| - z extent
 *    "length_ratio": 5,     longest / shortest cell vector
 *    "height_ratio": 5,     longest cell vector / least distance of two faces
 *    "wrap_ratio": 0.9,     |b_x|/|a_x|, |c_y|/|b_y|, |c_x|/|a_x|
 *    "tilt_ratio": 1,       |b_x|/|b_y|, |c_y|/|c_z|, |c_x|/|c_z|
 *    "side_ratio": 5,       the largest of a_x, b_y, c_z over the smallest
 *    "skew_angle": 60}      degrees, below 90: the largest angle whose tangent
 *                           is |b_x|/b_y, |c_x|/c_z or |c_y|/c_z
 *
 * A structure is refused above a ratio or angle.  The first four and the vacuum
 * are those of DP-GEN (fp_skip_bad_box, fp_cluster_vacuum), for a cell as
 * LAMMPS has it; the last two are DPGEN2's box_length and box_skewness, for any
 * cell, turned so that a lies along x and b in the plane of x and y; safe_ratio
 * is DPGEN2's filter distance.
 */
#ifndef SELECTION_GEOMETRY_H
#define SELECTION_GEOMETRY_H

#include "formats/frame.h"

enum geometry_limit {
    LIMIT_CLOSEST,
    LIMIT_SAFE_RATIO,
    LIMIT_VACUUM,
    LIMIT_LENGTH_RATIO,
    LIMIT_HEIGHT_RATIO,
    LIMIT_WRAP_RATIO,
    LIMIT_TILT_RATIO,
    LIMIT_SIDE_RATIO,
    LIMIT_SKEW_ANGLE,
    GEOMETRY_LIMITS,
};

struct geometry_limits {
    bool any;
    double value[GEOMETRY_LIMITS]; /* 0: none */
};

enum geometry_verdict {
    GEOMETRY_GOOD,
    GEOMETRY_BAD_BOX,
    GEOMETRY_TOO_CLOSE,
    GEOMETRY_NO_VACUUM,
};

/* Positions are 3 numbers an atom, cell rows a, b, c; lent. */
struct geometry {
    size_t n_atoms;
    const double *positions;
    const double *cell;
    const bool *periodic;
    const char (*symbols)[SYMBOL_SIZE]; /* NULL: not known */
};

/* Read the object above; every key may be absent.  'limits' is untouched on
 * failure.
 */
int geometry_limits_from_json (const struct json *v,
                               struct geometry_limits *limits,
                               struct error *err);

enum geometry_verdict geometry_judge (const struct geometry *geometry,
                                      const struct geometry_limits *limits);

/* Row i of 'inverse' is the normal of the faces that vector i connects, over
 * their distance heights[i]: its product with a position is the fraction of
 * vector i.  False for a cell without volume.
 */
bool geometry_invert_cell (const double *cell, double inverse[9],
                           double heights[3]);

/* Atoms that have no cell, and no images, get one around them in 'cell', which
 * is lent from then on.
 */
void geometry_isolate (struct geometry *geometry, double cell[9]);

/* Is the cell, which has a volume, lower than 'height' (A) along a periodic
 * direction?
 */
bool geometry_is_flat (const struct geometry *geometry, double height);

/* Call 'each' for all pairs closer than 'distance', an atom with its own images
 * included: twice for each, as (a, b) and (b, a), with the square of their
 * distance.  Its true stops.  1 when it was stopped, 0, or -1 for a cell
 * without volume.  Images farther away than 100 cells are not looked at.
 */
int geometry_each_pair (const struct geometry *geometry, double distance,
                        bool (*each) (size_t a, size_t b, double squared,
                                      void *arg),
                        void *arg);

/* The same for the pairs (atom, b) of one atom alone. */
int geometry_each_neighbour (
    const struct geometry *geometry, size_t atom, double distance,
    bool (*each) (size_t a, size_t b, double squared, void *arg), void *arg);

/* Set out[], three numbers for each of atoms[0 .. n - 1], to the image whose
 * fractional coordinates differ from those of atom 'centre' by at least -1/2
 * and less than 1/2 along periodic directions.  The cell has a volume.
 */
void geometry_nearest_images (const struct geometry *geometry, size_t centre,
                              const size_t *atoms, size_t n, double *out);

/* Are two atoms (or an atom and an image of one along a periodic direction)
 * closer than 'distance'?  Time and memory are linear in the atoms when there
 * is a volume of about distance^3 for each (a cell list).
 */
bool geometry_has_closer (const struct geometry *geometry, double distance);

#endif /* !SELECTION_GEOMETRY_H */
