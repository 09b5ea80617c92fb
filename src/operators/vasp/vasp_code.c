/* SPDX-License-Identifier: BSD-3-Clause */
/* vasp_code.c - how VASP 5 and 6 end */
#include "base/base.h"

#include "operators/vasp/vasp.h"

#define OTHER_ALGORITHM "; try another ALGO in a fallback"
#define NO_SYMMETRY                                                            \
    "VASP could not determine the symmetry; set ISYM = 0 in INCAR"
#define NO_TETRAHEDRA                                                          \
    "the tetrahedron method needs more k-points; set ISMEAR = 0 in INCAR"
#define NO_PROJECTION                                                          \
    "projection in real space failed; set LREAL = .FALSE. in INCAR"
#define MORE_BANDS "there are too few bands; set a larger NBANDS in INCAR"
#define MISTAKE .ending = ENDING_MISTAKE
#define UNCONVERGED .ending = ENDING_UNCONVERGED
#define PASSING .ending = ENDING_PASSING

static const char *const steps[] = { "DAV:", "RMM:", "CGA:", "DMP:",
                                     "SDA:", "EDA:", "DIA:", NULL };

/* Words of VASP 5 and 6.  What it only warns of and overcomes is not here. */
static const struct code_ending endings[] = {
    { "The electronic self-consistency was not achieved", UNCONVERGED,
      .message = "SCF not converged in NELM steps" },
    { "EDDDAV: Call to ZHEGV failed", UNCONVERGED,
      .message = "the Davidson iteration failed (EDDDAV)" OTHER_ALGORITHM },
    { "EDDRMM: call to ZHEGV failed", UNCONVERGED,
      .message = "the RMM-DIIS iteration failed (EDDRMM)" OTHER_ALGORITHM },
    { "EDWAV: internal error", UNCONVERGED,
      .message = "a gradient is not orthogonal (EDWAV)" OTHER_ALGORITHM },
    { "ERROR in EDDIAG", UNCONVERGED,
      .message = "a diagonalisation failed (EDDIAG)" OTHER_ALGORITHM },
    { "ERROR EDDIAG", UNCONVERGED,
      .message = "a diagonalisation failed (EDDIAG)" OTHER_ALGORITHM },
    { "ERROR in subspace rotation", UNCONVERGED,
      .message = "a subspace rotation failed" OTHER_ALGORITHM },
    { "BRMIX: very serious problems", UNCONVERGED,
      .message = "the charge density could not be mixed (BRMIX); try another "
                 "mixing or ALGO in a fallback" },
    { "Routine ZPOTRF failed", UNCONVERGED,
      .message = "the orbitals could not be made orthogonal (ZPOTRF); atoms "
                 "may be too close, or NCORE too large" },
    { "exchange-correlation table", .ending = ENDING_DIVERGED,
      .message = "the density is larger than the functional is tabulated for "
                 "(FEXCF); atoms are too close" },
    { "SGRCON", MISTAKE, .message = NO_SYMMETRY " (SGRCON)" },
    { "POSMAP", MISTAKE, .message = NO_SYMMETRY " (POSMAP)" },
    { "RHOSYG", MISTAKE, .message = NO_SYMMETRY " (RHOSYG)" },
    { "PRICELV", MISTAKE, .message = NO_SYMMETRY " (PRICELV)" },
    { "subroutine PRICEL", MISTAKE, .message = NO_SYMMETRY " (PRICEL)" },
    { "subroutine IBZKPT", MISTAKE, .message = NO_SYMMETRY " (IBZKPT)" },
    { "subroutine INVGRP", MISTAKE, .message = NO_SYMMETRY " (INVGRP)" },
    { "group operation missing", MISTAKE, .message = NO_SYMMETRY },
    { "rotation matrix was not found", MISTAKE, .message = NO_SYMMETRY },
    { "Inconsistent Bravais lattice", MISTAKE, .message = NO_SYMMETRY },
    { "not all point group operations", MISTAKE, .message = NO_SYMMETRY },
    { "etrahedron method fails", MISTAKE, .message = NO_TETRAHEDRA },
    { "TETIRR needs special values", MISTAKE, .message = NO_TETRAHEDRA },
    { "BZINTS", MISTAKE, .message = NO_TETRAHEDRA },
    { "REAL_OPTLAY: internal", MISTAKE, .message = NO_PROJECTION },
    { "REAL_OPT: internal", MISTAKE, .message = NO_PROJECTION },
    { "ERROR RSPHER", MISTAKE, .message = NO_PROJECTION },
    { "nicht konvergent", MISTAKE, .message = NO_PROJECTION },
    { "TOO FEW BANDS", MISTAKE, .message = MORE_BANDS },
    { "number of bands is not sufficient", MISTAKE, .message = MORE_BANDS },
    { "can not subdivide", MISTAKE,
      .message = "NCORE, NPAR or KPAR of INCAR does not divide the ranks" },
    { "ZBRENT: fatal", MISTAKE },
    { "Fatal error detecting k-mesh", MISTAKE },
    { "unable to match k-point", MISTAKE },
    { "Error reading item", MISTAKE, .more = 1 },
    { "type information on POSCAR and POTCAR are incompatible", MISTAKE },
    { "triple product of the basis vectors", MISTAKE, .more = 1 },
    { "insufficient virtual memory", PASSING,
      .message = "there was not enough memory; raise memory of the task" },
    { "SIGSEGV", PASSING,
      .message = "segmentation fault; VASP needs `ulimit -s unlimited`, and "
                 "enough memory" },
    { "VERY BAD NEWS", MISTAKE, .more = 1 },
    { 0 },
};

const struct code vasp_code = {
    .name = "VASP",
    .first_words = " vasp.",
    .steps = steps,
    .trimmed = " \t|", /* errors are in boxes */
    .endings = endings,
};
