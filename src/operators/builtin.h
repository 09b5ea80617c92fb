/* SPDX-License-Identifier: BSD-3-Clause */
/* builtin.h - the built-in operators and their steps, for the table */
#ifndef OPERATORS_BUILTIN_H
#define OPERATORS_BUILTIN_H

#include "operators/table.h"

struct error;
struct operator_spec;

extern const struct operator_spec command_operator;
extern const struct operator_spec lammps_explore_operator;
extern const struct operator_spec model_devi_select_operator;
extern const struct operator_spec qe_label_operator;

/* Check what the user gave and say what the tasks are. */
enum step_status lammps_explore_prepare (struct error *err);

/* One MD and its reruns. */
enum step_status lammps_explore_run (struct error *err);

/* One single point; all of them in one file. */
enum step_status qe_label_run (struct error *err);
enum step_status qe_label_collect (struct error *err);

#endif /* !OPERATORS_BUILTIN_H */
