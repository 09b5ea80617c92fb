/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_systems.h - which systems a directory of DeePMD data holds, and how
 * large they are
 */
#ifndef FORMATS_DEEPMD_SYSTEMS_H
#define FORMATS_DEEPMD_SYSTEMS_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct strvec;

/* Append the paths of the systems in 'dir', which is one or has some below, in
 * the order of their names.  -1 with 'err' where there is none.
 */
int deepmd_systems_find (const char *dir, struct strvec *systems,
                         struct error *err);

/* Frames of the system at 'dir': rows of coord.npy in all its sets. */
int deepmd_system_count (const char *dir, uint64_t *n_frames,
                         struct error *err);

/* Has each type of the system's atoms the name that it has among 'elements'?
 * By type_map.raw, or, where there is none, by number.
 */
int deepmd_system_check_types (const char *dir, char *const *elements,
                               size_t n_elements, struct error *err);

#endif /* !FORMATS_DEEPMD_SYSTEMS_H */
