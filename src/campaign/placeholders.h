/* SPDX-License-Identifier: BSD-3-Clause */
/* placeholders.h - the programs of a declared operator: where they stand, and
 * do their placeholders exist?
 */
#ifndef CAMPAIGN_PLACEHOLDERS_H
#define CAMPAIGN_PLACEHOLDERS_H

struct operator_spec;
struct yaml_node;

/* Where a program stands. */
enum program_place {
    AT_COMMAND,         /* of a task */
    AT_WORKER,          /* of all tasks of a slot */
    AT_REPORT,          /* beside it */
    AT_PREPARE,         /* once, before all tasks */
    AT_COLLECT,         /* once, after them */
    AT_NODE,            /* of a group: setup and exit of a node */
    AT_NODE_REPORT,     /* its report */
    AT_PROGRAM,         /* setup and exit of a program */
    AT_INSTANCE,        /* what an instance runs */
    AT_INSTANCE_REPORT, /* its report */
};

/* Call 'each' for every argv, or list of them, in the declaration 'node' of an
 * operator.
 */
void operator_argvs (const struct yaml_node *node,
                     void (*each) (const struct yaml_node *argv,
                                   enum program_place place, void *arg),
                     void *arg);

/* Append the placeholders that 'op', whose ports and group are good, has at a
 * place.
 */
void placeholders_at (const struct operator_spec *op, enum program_place place,
                      struct strvec *names);

/* Record every placeholder that is none where it stands in the declaration
 * 'node' of 'op', whose ports and group are good.
 */
void placeholders_check (const struct yaml_node *node,
                         const struct operator_spec *op);

#endif /* !CAMPAIGN_PLACEHOLDERS_H */
