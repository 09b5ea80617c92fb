/* SPDX-License-Identifier: BSD-3-Clause */
/* template.h - argv templates with {placeholders} (list in operator.h) */
#ifndef SIGNATURE_TEMPLATE_H
#define SIGNATURE_TEMPLATE_H

#include <stddef.h>

struct error;
struct json;
struct strvec;

/* Call 'each' with every placeholder name of one argument; a stray or
 * unclosed brace is an error naming the argument and its column.
 */
int template_scan (const char *argument,
                   int (*each) (const char *name, void *arg, struct error *err),
                   void *arg, struct error *err);

/* Append 'argument' expanded to 'argv'.  'values' maps placeholder names to
 * JSON.  An argument that is exactly one placeholder with a list value yields
 * one argument per (non-null) element (of lists in it as well), none for an
 * empty list; a list inside other text, a null, or an object is an error.
 * Reals are written to read back exactly.
 */
int template_expand (const char *argument, const struct json *values,
                     struct strvec *argv, struct error *err);

/* Expand a whole NULL-terminated template. */
int template_expand_argv (const char *const *argv_template,
                          const struct json *values, struct strvec *argv,
                          struct error *err);

#endif /* !SIGNATURE_TEMPLATE_H */
