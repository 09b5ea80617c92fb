/* SPDX-License-Identifier: BSD-3-Clause */
/* python_path.h - where the commands of an operator find Fanfold's Python
 * package
 */
#ifndef HANDOVER_PYTHON_PATH_H
#define HANDOVER_PYTHON_PATH_H

/* The directory that has the package of the fanfold at 'program': beside it in
 * a build, in ../share/fanfold of where it is installed.  NULL: it is not
 * there.  Caller frees.
 */
char *python_path (const char *program);

/* Append that directory (NULL: none) to PYTHONPATH of 'env', behind what users
 * put there: their own package of that name wins.
 */
void python_path_append (const char *dir, struct strvec *env);

#endif /* !HANDOVER_PYTHON_PATH_H */
