/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - the operator lammps.label: a potential of LAMMPS as the reference
 */
#ifndef OPERATORS_LAMMPS_LABEL_H
#define OPERATORS_LAMMPS_LABEL_H

#include "operators/label/label_kit.h"

extern const struct label_kit lammps_label;

#endif /* !OPERATORS_LAMMPS_LABEL_H */
