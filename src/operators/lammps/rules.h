/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - what lammps.explore asks of its inputs beyond their types */
#ifndef OPERATORS_LAMMPS_RULES_H
#define OPERATORS_LAMMPS_RULES_H

#include "signature/operator.h"

/* For struct operator_spec. */
extern const struct input_rule lammps_explore_rules[];

#endif /* !OPERATORS_LAMMPS_RULES_H */
