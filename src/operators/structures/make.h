/* SPDX-License-Identifier: BSD-3-Clause */
/* make.h - the operator structures.make: from a structure to frames */
#ifndef OPERATORS_STRUCTURES_MAKE_H
#define OPERATORS_STRUCTURES_MAKE_H

#include "operators/table.h"

extern const struct operator_spec structures_make_operator;

/* Its steps: can all frames be made, and make them. */
enum step_status structures_prepare (struct error *err);
enum step_status structures_make (struct error *err);

#endif /* !OPERATORS_STRUCTURES_MAKE_H */
