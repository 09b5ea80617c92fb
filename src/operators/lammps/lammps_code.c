/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_code.c - how LAMMPS ends
 *
 * An explosion is told from a mistake by the text of the error (LAMMPS manual,
 * "Error messages"): both exit with status 1, and both happen under "ERROR:"
 * (all ranks) and "ERROR on proc N:" (one rank).
 */
#include "base/base.h"

#include "operators/lammps/lammps.h"

static const struct code_ending endings[] = {
    { "Lost atoms", .ending = ENDING_DIVERGED },
    { "Non-numeric",
      .ending = ENDING_DIVERGED }, /* coordinates, box, pressure */
    { "simulation unstable",
      .ending = ENDING_DIVERGED }, /* as newer releases put it */
    { "Out of range atoms",
      .ending = ENDING_DIVERGED }, /* long-range solvers */
    { "Neighbor list overflow", .ending = ENDING_DIVERGED },
    { "Too many neighbor bins", .ending = ENDING_DIVERGED },
    { "Domain too large for neighbor bins", .ending = ENDING_DIVERGED },
    { "Cannot use neighbor bins - box size << cutoff",
      .ending = ENDING_DIVERGED },
    { "missing on proc",
      .ending = ENDING_DIVERGED }, /* bond, angle, dihedral, shake */
    { "atom missing in",
      .ending = ENDING_DIVERGED }, /* image flags, box size check */
    { "Bond extent", .ending = ENDING_DIVERGED },
    { "tilted box too far", .ending = ENDING_DIVERGED }, /* fix npt and nph */
    { "Shake determinant", .ending = ENDING_DIVERGED },
    { "Particle on or inside", .ending = ENDING_DIVERGED },
    { "Atoms too close", .ending = ENDING_DIVERGED },
    { "Pair distance <", .ending = ENDING_DIVERGED }, /* tabulated potentials */
    { "Pair distance >", .ending = ENDING_DIVERGED },
    { "KIM Compute returned error", .ending = ENDING_DIVERGED },
    /* of models on a GPU that others use, too, or that is broken */
    { "out of memory", .ending = ENDING_PASSING },
    { "RESOURCE_EXHAUSTED", .ending = ENDING_PASSING },
    { "CUDA error", .ending = ENDING_PASSING },
    { "CUDA_ERROR_", .ending = ENDING_PASSING },
    { "Failed to allocate", .ending = ENDING_PASSING },
    { "Failed to reallocate", .ending = ENDING_PASSING },
    { "Unrecognized pair style 'deepmd'", .ending = ENDING_MISTAKE,
      .message = LAMMPS_LACKS_DEEPMD },
    { "ERROR", .ending = ENDING_MISTAKE },
    { 0 },
};

const struct code lammps_code = {
    .name = "LAMMPS",
    .first_words = "LAMMPS (",
    .begins = "ERROR",
    .also = "Last command: ",
    .endings = endings,
};
