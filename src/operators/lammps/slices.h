/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.h - the tasks of lammps.explore: systems x variables x replicas */
#ifndef OPERATORS_LAMMPS_SLICES_H
#define OPERATORS_LAMMPS_SLICES_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct json;

/* 'systems' is {NAME: data file}: at least one, whose names can be a file's. */
int lammps_check_systems (const struct json *systems, struct error *err);

/* 'for_each' is {NAME: [number, ...]}: how many combinations there are; -1 for
 * an empty list, a value that is no number, or a name that cannot be a LAMMPS
 * variable's.
 */
int64_t lammps_count_combinations (const struct json *for_each,
                                   struct error *err);

/* How many tasks these make; -1 for more than a million. */
int64_t lammps_count_tasks (size_t n_systems,
                            int64_t combinations,
                            int64_t replicas,
                            struct error *err);

/* {"system": [NAME, ...], "variables": [{NAME: number, ...}, ...]}, one entry
 * per task.  Replicas vary fastest, then the last variable; systems slowest.
 * NULL with 'err' for what the functions above refuse.  Caller unrefs.
 */
struct json *lammps_slices (const struct json *systems,
                            const struct json *for_each,
                            int64_t replicas,
                            struct error *err);

#endif /* !OPERATORS_LAMMPS_SLICES_H */
