/* SPDX-License-Identifier: BSD-3-Clause */
/* node.h - the part of a group that runs on one node: its steps and reports
 *
 * It is told which steps to start, and tells how each of them ended.  Who
 * decides is the runner (group.h), here or on another node.
 */
#ifndef GROUP_NODE_H
#define GROUP_NODE_H

#include <signal.h>
#include <sys/types.h>

#include "group/order.h"
#include "group/port.h"
#include "group/workspace.h"
#include "handover/group_file.h"
#include "placement/slots.h"

struct report;
struct script_variables;
struct step;
struct stream;

/* What a node tells; 'arg' is handed back. */
struct node_events {
    void (*ended) (void *arg, size_t part, const struct group_end *end);
    /* A report printed 'report', an object, which is lent. */
    void (*reported) (void *arg, const char *name, struct json *report);
    void *arg;
};

struct node {
    const struct group_file *file; /* lent */
    size_t index;                  /* among the group's nodes */
    struct part *parts;            /* as in struct order */
    size_t n_parts;
    const struct json *hosts; /* lent: of all nodes, in their order */
    struct meeting_point meeting;
    int epoll_fd, log_fd; /* lent */
    struct node_events events;
    struct workspace workspace;
    struct slots slots;  /* of the instances here, in their order */
    struct step **steps; /* that are busy */
    size_t n_steps, alloc_steps;
    struct stream *old_streams; /* of programs that ended; what they left
                                   running may print on */
    struct report *reports;     /* those of this node and of instances here */
    size_t n_reports;
    size_t n_running; /* programs */
    struct json
        *runs; /* [{name, cores, gpus, wall_s}] of programs that ended */
};

/* Cut what was given into slots and take the workspace, which is described in
 * workspace.h; a global one is the first node's to take, and the others may use
 * it.  Release in any case.
 */
int node_init (struct node *node, const sigset_t *interrupts,
               struct error *err);
void node_release (struct node *node);

/* Begin the step of a part here.  'ended' may be called before this returns. */
void node_start (struct node *node, size_t part, enum group_phase phase);

/* Send a signal to all steps that are busy, and to last reports. */
void node_signal (struct node *node, int signal);

/* A child was reaped, maybe one of this node's. */
void node_reaped (struct node *node, pid_t pid, int status);

/* Start the reports that are due; when the next one is. */
void node_report (struct node *node, double now_s);
double node_due_s (const struct node *node);

/* --- for steps and reports --- */

/* What an instance here was given of the node. */
const struct slot *node_slot (const struct node *node, size_t part);

/* {PLACEHOLDER: value} of a part; the caller unrefs.  NULL with 'err'. */
struct json *node_values (const struct node *node, size_t part,
                          struct error *err);

/* Start a program of the group, in a part of the node or, with NULL, in all of
 * it; 'variables' are those of a script, or NULL: its pid, or -1 with 'err'.
 */
pid_t node_spawn (struct node *node, const struct slot *slot, int threads,
                  const struct script_variables *variables,
                  const struct strvec *argv, int out_fd, int err_fd,
                  struct error *err);

/* Read on from a stream whose program has ended, until it is closed. */
void node_keep_stream (struct node *node, struct stream *stream);

/* "=== 2026-11-22T20:00:00Z local/force:2: text", a line in the log. */
void node_note (struct node *node, const char *name, const char *text);

#endif /* !GROUP_NODE_H */
