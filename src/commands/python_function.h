/* SPDX-License-Identifier: BSD-3-Clause */
/* python_function.h - what the annotations of a Python function declare */
#ifndef COMMANDS_PYTHON_FUNCTION_H
#define COMMANDS_PYTHON_FUNCTION_H

struct plan;
struct problems;

/* Ask Python, which reads the file and does not run it: {"name":
 * "train.train", "operator": {...}} of "FILE:FUNCTION", FILE a path from 'dir'.
 * 'program' is fanfold's path.  Caller unrefs.  NULL with 'err': what is wrong
 * in the file, with its line; or, with *silent true, there is no Python that
 * could read it.
 */
struct json *python_function_read (const char *program, const char *dir,
                                   const char *function, bool *silent,
                                   struct error *err);

/* Name each difference between the operators of the plan's stages and functions
 * and the Python functions that they run (function_compare.h); where there is
 * no Python, warn that nothing was compared.
 */
void python_functions_check (const struct plan *plan, const char *program,
                             const char *file, struct problems *problems);

#endif /* !COMMANDS_PYTHON_FUNCTION_H */
