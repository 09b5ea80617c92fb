/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_systems.h - which systems a directory of DeePMD data holds, and how
 * large they are
 */
#ifndef FORMATS_DEEPMD_SYSTEMS_H
#define FORMATS_DEEPMD_SYSTEMS_H

/* Is 'dir' a system, or has it any below? */
bool deepmd_has_system (const char *dir);

/* Append the paths of the systems in 'dir', itself included, in the order of
 * their names; no more when there are 'max' (0: all).  -1 with 'err' where a
 * directory cannot be read.
 */
int deepmd_systems_find (const char *dir, size_t max, struct strvec *systems,
                         struct error *err);

/* Frames of the system at 'dir': rows of coord.npy in all its sets. */
int deepmd_system_count (const char *dir, uint64_t *n_frames,
                         struct error *err);

/* What `dp` makes of a system: it reads sets of arrays, of the npy form, whose
 * frames have the same atoms, or of the mixed form, and no text.
 */
enum deepmd_form { DEEPMD_FORM_NPY, DEEPMD_FORM_MIXED, DEEPMD_FORM_NO_SETS };
enum deepmd_form deepmd_system_form (const char *dir);

/* Has each type of the system's atoms the name that it has among 'elements'?
 * By type_map.raw, or, where there is none, by number.
 */
int deepmd_system_check_types (const char *dir, char *const *elements,
                               size_t n_elements, struct error *err);

#endif /* !FORMATS_DEEPMD_SYSTEMS_H */
