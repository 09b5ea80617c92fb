/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_dataset.h - DeePMD-kit's npy systems (deepmd-kit/doc/data/system.md)
 *
 *   DIR/<formula>/type.raw
 *   DIR/<formula>/type_map.raw
 *   DIR/<formula>/set.000/{box,coord,energy,force,virial}.npy
 *
 * One system per list of atom types (frames whose atoms come in the same
 * order of elements share one), and another for such frames without a virial,
 * which has no virial.npy; named by formula, "Si8", with "-1", "-2" ... for a
 * further one of the same formula.  float64, C order.
 */
#ifndef FORMATS_DEEPMD_DATASET_H
#define FORMATS_DEEPMD_DATASET_H

#include <stddef.h>

struct error;
struct heartbeat;

/* Write the labelled frames of an extxyz file.  'dir' must not exist, and does
 * not exist after a failure.  Frames without energy or forces, with numbers
 * that are not finite, not periodic in all directions, or of elements outside
 * 'elements' (which is the type map), are an error naming the frame (from 0).
 */
int deepmd_dataset_write (const char *extxyz_path, char *const *elements,
                          size_t n_elements, const char *dir,
                          const struct heartbeat *heartbeat, struct error *err);

/* Could they all be written? */
int deepmd_dataset_check (const char *extxyz_path, char *const *elements,
                          size_t n_elements, const struct heartbeat *heartbeat,
                          struct error *err);

#endif /* !FORMATS_DEEPMD_DATASET_H */
