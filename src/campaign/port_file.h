/* SPDX-License-Identifier: BSD-3-Clause */
/* port_file.h - the inputs and outputs of a declared operator */
#ifndef CAMPAIGN_PORT_FILE_H
#define CAMPAIGN_PORT_FILE_H

#include "signature/type.h"

struct port;
struct yaml_node;

enum port_role {
    PORT_INPUT,     /* inputs: */
    PORT_SLICE,     /* prepare: slices: */
    PORT_OUTPUT,    /* outputs: of a task */
    PORT_COLLECTED, /* collect: outputs: */
};

/* Read a mapping NAME: {type: ...} into a table terminated by a nameless port,
 * in the reader's arena.  'fan_out' (NULL: none) lists the inputs that are
 * sliced: their defaults are lists.  NULL when anything is wrong.
 */
const struct port *port_file_read (const struct yaml_node *node,
                                   enum port_role role,
                                   const char *const *fan_out);

/* The type of what is bound to an input: a list of what a task sees when the
 * input is in 'fan_out' (NULL: none); frames are sliced frame by frame and
 * stay frames.
 */
struct type port_bound_type (const struct port *port,
                             const char *const *fan_out);

#endif /* !CAMPAIGN_PORT_FILE_H */
