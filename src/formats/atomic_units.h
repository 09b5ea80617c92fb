/* SPDX-License-Identifier: BSD-3-Clause */
/* atomic_units.h - units of codes in ours (CODATA 2018; see frame.h) */
#ifndef FORMATS_ATOMIC_UNITS_H
#define FORMATS_ATOMIC_UNITS_H

#define HARTREE_EV 27.211386245988
#define BOHR_A 0.529177210903
#define EV_J 1.602176634e-19 /* exact, as 1 mol is */
#define MOL 6.02214076e23

#define EV_A3_GPA 160.2176634
#define GPA_EV_A3 (1 / EV_A3_GPA)
#define KBAR_EV_A3 (GPA_EV_A3 / 10)

#endif /* !FORMATS_ATOMIC_UNITS_H */
