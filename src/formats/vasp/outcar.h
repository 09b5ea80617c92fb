/* SPDX-License-Identifier: BSD-3-Clause */
/* outcar.h - energies, forces and stresses from VASP's OUTCAR
 *
 * A step of the ions is read from what VASP 4.6 to 6.x prints at its end:
 *
 *   "aborting loop because EDIFF is reached"    the SCF has come to an end
 *   "FORCE on cell" ... "in kB"                 XX YY ZZ XY YZ ZX
 *   "VOLUME and BASIS-vectors" ... "direct lattice vectors"
 *   "POSITION ... TOTAL-FORCE (eV/Angst)"
 *   "free  energy   TOTEN"                      the energy
 *
 * The energy is the free energy, the one of which the forces are derivatives
 * (and which dpdata reads); "energy(sigma->0)" is another when SIGMA smears the
 * occupations.  Rows in kB have the sign of a virial, not of a stress.
 *
 * A step that took NELM electronic steps is unconverged: VASP 5 says that EDIFF
 * was reached then, too.  What a machine-learned force field of VASP predicted
 * ("ML FORCE", "(ML)") is no label.
 */
#ifndef FORMATS_OUTCAR_H
#define FORMATS_OUTCAR_H

#include "formats/single_point.h"

struct lines;

/* VASP's eV/A^3 in kB, which its rows "Total" (eV) and "in kB" show; the CODATA
 * 2018 value is 4e-7 less.
 */
#define VASP_KILOBAR_PER_EV_A3 1602.17733

/* Symbols of potentials. */
struct outcar_symbols {
    char (*v)[SYMBOL_SIZE];
    size_t n;
    size_t alloc;
};

/* A file as it is read.  Initialise with OUTCAR_INIT, release at the end. */
struct outcar {
    /* what its head says, which may come again with other atoms */
    struct outcar_symbols titles;  /* "TITEL" */
    struct outcar_symbols potcars; /* "POTCAR:", where TITEL is not printed */
    size_t *counts;                /* "ions per type" */
    size_t n_counts;
    size_t counts_alloc;
    size_t n_ions;     /* "NIONS"; 0: not told */
    int64_t scf_limit; /* NELM; 0: not told */

    /* what was read of the step at hand; atoms that it knows stay */
    struct single_point point;
    int64_t scf_step;
    bool scf_ended;
    bool predicted; /* the stress that follows is a force field's */
    bool cell_follows;

    /* steps that are no frames: unconverged, and without positions, forces or
     * cell (NWRITE < 2 prints few)
     */
    size_t n_unconverged;
    size_t n_unlabelled;
};

#define OUTCAR_INIT                                                            \
    {                                                                          \
        .point = SINGLE_POINT_INIT                                             \
    }

void outcar_release (struct outcar *outcar);

/* Read the next step whose SCF converged and that has energy and forces; it
 * replaces 'frame'.  1, 0 at the end, or when the file ends within a step (then
 * *truncated is set), or -1.
 */
int outcar_next (struct outcar *outcar, struct lines *lines,
                 struct frame *frame, bool *truncated, struct error *err);

#endif /* !FORMATS_OUTCAR_H */
