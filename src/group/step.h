/* SPDX-License-Identifier: BSD-3-Clause */
/* step.h - one part of a group at work: its commands, one after the other */
#ifndef GROUP_STEP_H
#define GROUP_STEP_H

#include <sys/types.h>

#include "group/order.h"
#include "handover/group_file.h"

struct node;
struct slot;
struct stream;

struct step {
    struct node *node; /* lent */
    size_t part;
    enum group_phase phase;
    char *name;                         /* "local/force:2 setup" */
    const char *const *const *commands; /* lent; NULL: none */
    size_t command;                     /* the running one */
    struct json *values;                /* of its placeholders */
    const struct slot *slot; /* lent; NULL: all of the node's share */
    pid_t pid;               /* 0: it is over */
    struct stream *stream;   /* what that prints */
    double start_s;
    char *cores; /* what its first command was really bound to, or NULL */
    bool told;   /* to end: no other command is started */
    bool over;
    struct group_end end; /* when it is over */
};

/* Start the first command.  'values' is taken over; NULL: they cannot be told,
 * for which 'why' says the reason.
 */
struct step *step_start (struct node *node, size_t part, enum group_phase phase,
                         struct json *values, const struct error *why);

/* Its command was reaped: start the next, or end. */
void step_reaped (struct step *step, int status);

/* Send a signal to what runs; it is not to go on. */
void step_signal (struct step *step, int signal);

/* What runs is killed. */
void step_destroy (struct step *step);

#endif /* !GROUP_STEP_H */
