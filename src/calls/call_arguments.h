/* SPDX-License-Identifier: BSD-3-Clause */
/* call_arguments.h - NAME=VALUE ... -> what a call's inputs are */
#ifndef CALLS_CALL_ARGUMENTS_H
#define CALLS_CALL_ARGUMENTS_H

#include "base/problems.h"

struct binding;
struct function;
struct plan;

/* Is the input left for whoever calls, and must it be given? */
bool call_input_is_open (const struct binding *binding);
bool call_input_is_needed (const struct binding *binding);

/* Read the 'n' arguments: VALUE is YAML, of the type of the input NAME, which
 * `with:` of the function leaves open; its paths are relative to the working
 * directory, and are looked at.  Sets in 'values' each by name, with paths
 * relative to the campaign where they are below it, else absolute.  Records
 * everything that is wrong, and -1 if anything is.
 */
int call_arguments_read (const struct plan *plan,
                         const struct function *function,
                         const char *const *arguments, size_t n,
                         struct json *values, struct problems *problems);

#endif /* !CALLS_CALL_ARGUMENTS_H */
