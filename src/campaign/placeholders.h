/* SPDX-License-Identifier: BSD-3-Clause */
/* placeholders.h - do the placeholders of an operator's programs exist? */
#ifndef CAMPAIGN_PLACEHOLDERS_H
#define CAMPAIGN_PLACEHOLDERS_H

struct operator_spec;
struct yaml_node;

/* Where a program stands. */
enum program_place {
    AT_COMMAND,         /* of a task */
    AT_REPORT,          /* beside it */
    AT_PREPARE,         /* once, before all tasks */
    AT_COLLECT,         /* once, after them */
    AT_NODE,            /* of a group: setup and exit of a node */
    AT_NODE_REPORT,     /* its report */
    AT_PROGRAM,         /* setup and exit of a program */
    AT_INSTANCE,        /* what an instance runs */
    AT_INSTANCE_REPORT, /* its report */
};

/* Record every placeholder that is none at 'place' in 'argv', which is an argv
 * or a list of them (NULL: there is none).  The ports of 'op' are good; 'nodes'
 * are the names of the group's nodes, NULL-terminated (NULL: no group).
 */
void placeholders_check (const struct yaml_node *argv,
                         const struct operator_spec *op,
                         enum program_place place, const char *const *nodes);

#endif /* !CAMPAIGN_PLACEHOLDERS_H */
