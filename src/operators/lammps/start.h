/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h - the configuration an MD of lammps.explore starts from */
#ifndef OPERATORS_LAMMPS_START_H
#define OPERATORS_LAMMPS_START_H

#include <stddef.h>

struct error;
struct frame;
struct json;
struct step_task;

/* Read the data file inputs.systems.NAME (its path is relative to 'dir', the
 * campaign directory) with inputs.elements.  'frame' must be initialised.
 */
int lammps_read_system (const struct json *inputs,
                        const char *dir,
                        const char *name,
                        struct frame *frame,
                        struct error *err);

/* Write the system inputs.system, scaled by the variable `scale` (if there is
 * one) in cell and positions, to LAMMPS_START_FILE.
 */
int lammps_write_start (const struct step_task *task,
                        size_t *n_atoms,
                        struct error *err);

#endif /* !OPERATORS_LAMMPS_START_H */
