/* SPDX-License-Identifier: BSD-3-Clause */
/* operator_file.h - `operators:` of campaign.yaml -> struct operator_spec
 *
 * What a user declares is the same struct as a built-in operator; nothing above
 * this file can tell them apart.
 */
#ifndef CAMPAIGN_OPERATOR_FILE_H
#define CAMPAIGN_OPERATOR_FILE_H

#include "signature/type.h"

struct port;
struct operator_spec;
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
                                               const char *name, bool *broken);

/* Record that no operator has the name in 'node', and which there are. */
void operator_set_complain (const struct operator_set *set,
                            const struct yaml_node *node);

/* Where the input 'port' of the declared operator 'name' says `from:`; NULL
 * for a built-in one.
 */
const struct yaml_node *operator_set_from (const struct operator_set *set,
                                           const char *name, const char *port);

/* --- ports --- */

enum port_role {
    PORT_INPUT,     /* inputs: */
    PORT_SLICE,     /* prepare: slices: */
    PORT_OUTPUT,    /* outputs: of a task */
    PORT_COLLECTED, /* collect: outputs: */
};

/* Whose ports are read. */
struct port_context {
    enum port_role role;
    const char *const *fan_out; /* of inputs: those that are sliced, whose
                                   defaults are lists; NULL: none */
    const char *dtype;          /* of arrays that state none; NULL: any */
};

/* Read a mapping NAME: {type: ...} into a table terminated by a nameless port,
 * in the reader's arena; of inputs also NAME: {inputs: {NAME: {type: ...}}},
 * a section.  NULL when anything is wrong.
 */
const struct port *port_file_read (const struct yaml_node *node,
                                   const struct port_context *context);

/* `keep:` of an output, into a struct port whose type is read; for a struct
 * field.
 */
void port_keep_read (const struct yaml_node *node, void *port);

/* Append the names of the inputs that are declared in a mapping (NULL: none).
 */
void port_file_names (const struct yaml_node *node, struct strvec *names);

/* What declares the input 'name' there, or NULL. */
const struct yaml_node *port_file_find (const struct yaml_node *node,
                                        const char *name);

/* The type of what is bound to an input: a list of what a task sees when the
 * input is in 'fan_out' (NULL: none); frames are sliced frame by frame and
 * stay frames.
 */
struct type port_bound_type (const struct port *port,
                             const char *const *fan_out);

#endif /* !CAMPAIGN_OPERATOR_FILE_H */
