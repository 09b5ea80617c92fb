/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - a model of DeePMD-kit, as programs that load it name it */
#ifndef OPERATORS_DEEPMD_MODEL_H
#define OPERATORS_DEEPMD_MODEL_H

/* Has the path the ending of a model, by which DeePMD-kit tells the backend? */
bool deepmd_is_model (const char *path);

/* Where the model at 'path' is found that is linked as 'link': the link, or in
 * it the only model of the directory 'path'.  Caller frees; NULL with 'err'.
 */
char *deepmd_find_model (const char *path, const char *link, struct error *err);

/* Is the file 'name' in 'dir' one that is looked for?  'arg' is the caller's.
 */
typedef bool deepmd_file_test (const char *dir, const char *name,
                               const char *arg);

/* The name in 'dir' that is 'preferred' (NULL: none is), or else the only one
 * that is wanted; *n: how many are, as far as was looked.  Caller frees; NULL:
 * there is none, or there are several.
 */
char *deepmd_only_file (const char *dir, const char *preferred,
                        deepmd_file_test *is_wanted, const char *arg,
                        size_t *n);

#endif /* !OPERATORS_DEEPMD_MODEL_H */
