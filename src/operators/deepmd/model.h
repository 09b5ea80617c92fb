/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - a model of DeePMD-kit, as programs that load it name it */
#ifndef OPERATORS_DEEPMD_MODEL_H
#define OPERATORS_DEEPMD_MODEL_H

#include <stdbool.h>

struct error;

/* Has the path the ending of a model, by which DeePMD-kit tells the backend? */
bool deepmd_is_model (const char *path);

/* Where the model at 'path' is found that is linked as 'link': the link, or in
 * it the only model of the directory 'path'.  Caller frees.
 */
char *deepmd_find_model (const char *path, const char *link, struct error *err);

#endif /* !OPERATORS_DEEPMD_MODEL_H */
