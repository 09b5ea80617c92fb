/* SPDX-License-Identifier: BSD-3-Clause */
/* operator_file.h - `operators:` of campaign.yaml -> struct operator_spec
 *
 * What a user declares is the same struct as a built-in operator; nobody above
 * this file can tell them apart.
 */
#ifndef CAMPAIGN_OPERATOR_FILE_H
#define CAMPAIGN_OPERATOR_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct operator_spec;
struct strvec;
struct yaml_node;

struct operator_set {
    const struct operator_spec *const *builtin; /* NULL-terminated */
    const struct yaml_node *node;               /* `operators:`, or NULL */
    const struct operator_spec **own; /* one per key of 'node'; NULL: broken */
};

/* Read what 'node' (NULL: nothing) declares.  An operator with a problem is
 * left out but its name stays known.
 */
void operator_file_read (const struct yaml_node *node,
                         const struct operator_spec *const *builtin,
                         struct operator_set *set);

/* The operator called 'name', or NULL; *broken says whether it was declared
 * but has problems.
 */
const struct operator_spec *operator_set_find (const struct operator_set *set,
                                               const char *name,
                                               bool *broken);

/* Append the names of all operators. */
void operator_set_names (const struct operator_set *set, struct strvec *names);

/* Where the input 'port' of the declared operator 'name' says `from:`; NULL
 * for a built-in one.
 */
const struct yaml_node *operator_set_from (const struct operator_set *set,
                                           const char *name,
                                           const char *port);

#endif /* !CAMPAIGN_OPERATOR_FILE_H */
