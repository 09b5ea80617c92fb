/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_dataset.h - labelled frames published as DeePMD-kit's systems
 * (deepmd_writer.h), in their npy form, the mixed or the raw one
 */
#ifndef FORMATS_DEEPMD_DATASET_H
#define FORMATS_DEEPMD_DATASET_H

struct heartbeat;

/* Write the labelled frames of an extxyz file.  'dir' must not exist, and does
 * not exist after a failure.  Frames without energy or forces, with numbers
 * that are not finite, periodic in some directions only, or of elements outside
 * 'elements' (which is the type map), are an error naming the frame (from 0).
 */
int deepmd_dataset_write (const char *extxyz_path, char *const *elements,
                          size_t n_elements, const char *dir,
                          const struct heartbeat *heartbeat, struct error *err);
int deepmd_mixed_write (const char *extxyz_path, char *const *elements,
                        size_t n_elements, const char *dir,
                        const struct heartbeat *heartbeat, struct error *err);

int deepmd_raw_write (const char *extxyz_path, char *const *elements,
                      size_t n_elements, const char *dir,
                      const struct heartbeat *heartbeat, struct error *err);

/* Could they all be written? */
int deepmd_dataset_check (const char *extxyz_path, char *const *elements,
                          size_t n_elements, const struct heartbeat *heartbeat,
                          struct error *err);

#endif /* !FORMATS_DEEPMD_DATASET_H */
