/* SPDX-License-Identifier: BSD-3-Clause */
/* far_nodes.h - the other nodes of a group, as seen from the first one
 *
 * The profile's `agents:` starts `fanfold group --node DIR` once on each node
 * of the task.  Those processes find where to connect in NODES_FILE of the
 * task's directory, which only this user can read, and say half of what else
 * stands there; the other half is answered.  When all are there, the one on
 * this host is let go, since its work is done here, and the others become the
 * group's second node and so on.  From then on they start what they are told
 * and tell how it ended.  One whose connection is lost is gone with its node;
 * when this process is gone they lose theirs, and end.
 */
#ifndef GROUP_FAR_NODES_H
#define GROUP_FAR_NODES_H

#include <sys/types.h>

#include "group/node.h"
#include "group/order.h"
#include "group/watch.h"

#define NODES_FILE "nodes.json"
enum { NODES_SECRET_HALF = 16 };

struct far_node;
struct group_file;
struct stream;

struct far_events {
    struct node_events node; /* as those of the node here */
    /* 'name' is the scheduler's; NULL: not told */
    void (*lost) (void *arg, size_t node, const char *name, const char *why);
};

struct far_nodes {
    const struct group_file *file; /* lent */
    const char *dir;               /* the task's, absolute; lent */
    int epoll_fd, log_fd;          /* lent */
    struct meeting_point meeting;  /* the address when all are there */
    struct far_events events;
    struct json *hosts; /* of all nodes, in their order; when all are there */
    struct watch listener;
    char secret[2 * NODES_SECRET_HALF + 1];
    struct far_node **v; /* in the order in which they connected */
    size_t n, wanted;
    size_t n_ready, n_done;
    bool failed; /* before all were ready: 'why' */
    struct error *why;
    pid_t pid; /* of what starts them; 0: it has ended */
    struct stream *stream;
    struct json *runs; /* what those tell that are done */
};

/* Start them all.  Release in any case. */
int far_nodes_start (struct far_nodes *nodes, struct error *err);

/* What started them was reaped. */
void far_nodes_reaped (struct far_nodes *nodes, int status);

bool far_nodes_are_ready (const struct far_nodes *nodes);

/* Begin the step of a part there. */
void far_nodes_begin (struct far_nodes *nodes, size_t node, size_t part,
                      enum group_phase phase);
void far_nodes_signal (struct far_nodes *nodes, int signal);

/* Let them end; all of them are gone or have said goodbye. */
void far_nodes_finish (struct far_nodes *nodes);
bool far_nodes_are_done (const struct far_nodes *nodes);

/* What started them is killed, and they are with it. */
void far_nodes_release (struct far_nodes *nodes);

#endif /* !GROUP_FAR_NODES_H */
