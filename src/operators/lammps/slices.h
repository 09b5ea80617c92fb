/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.h - the tasks of lammps.explore: systems x variables x replicas */
#ifndef OPERATORS_LAMMPS_SLICES_H
#define OPERATORS_LAMMPS_SLICES_H

#include <stdint.h>

struct error;
struct json;

/* {"system": [NAME, ...], "variables": [{NAME: number, ...}, ...]}, one entry
 * per task.  'systems' is {NAME: data file}, 'for_each' {NAME: [number, ...]}.
 * Replicas vary fastest, then the last variable; systems slowest.  NULL with
 * 'err' for an empty list, a value that is no number, a name that cannot be a
 * file's or a LAMMPS variable's, and for more than a million tasks.  Caller
 * unrefs.
 */
struct json *lammps_slices (const struct json *systems,
                            const struct json *for_each,
                            int64_t replicas,
                            struct error *err);

#endif /* !OPERATORS_LAMMPS_SLICES_H */
