/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_values.h - values of rules that may be absent
 *
 * Absent, or null, leaves what is there as it is; another kind of value, or one
 * out of its range, is an error that names the key.
 */
#ifndef SELECTION_RULES_VALUES_H
#define SELECTION_RULES_VALUES_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct json;

/* Only the keys in 'keys' (NULL-terminated) may be in an object. */
int rules_only_keys (const struct json *v,
                     const char *const *keys,
                     struct error *err);

/* Is there a value that is not null? */
bool rules_given (const struct json *v, const char *key);

/* Whole, or real? */
bool rules_is_number (const struct json *v);

/* A whole number from 0 on. */
int rules_count (const struct json *v,
                 const char *key,
                 uint64_t *count,
                 struct error *err);

/* From 0 to 1. */
int rules_fraction (const struct json *v,
                    const char *key,
                    double *fraction,
                    struct error *err);

/* One of 'names' (NULL-terminated): its number. */
int rules_choose (const struct json *v,
                  const char *key,
                  const char *const *names,
                  int *choice,
                  struct error *err);

#endif /* !SELECTION_RULES_VALUES_H */
