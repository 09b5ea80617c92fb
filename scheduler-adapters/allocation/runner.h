/* SPDX-License-Identifier: BSD-3-Clause */
/* runner.h - what the process on a node has: elements that run, its place in a
 * team
 */
#ifndef ALLOCATION_RUNNER_H
#define ALLOCATION_RUNNER_H

#include <signal.h>

#include "allocation/allocation.h"
#include "element_run.h"
#include "spool.h"

/* How long what was seen of the other runners holds: all of them look at all of
 * them.
 */
#define SEEN_FOR_S 5.0

struct run {
    struct element_run process;
    struct spool_job job;  /* of its element */
    int status;            /* when it was reaped */
    double over_s;         /* then, by the clock of the file system; 0: not
                              looked at yet */
    int64_t team;          /* that it is run by; 0: on this node alone */
    struct strvec members; /* ids of its runners, ours first */
};

/* A node that is kept for a team. */
struct membership {
    int64_t team; /* 0: none */
    char *token;
    int64_t element;
    char *lead; /* id */
    struct cores cores;
    struct gpus gpus;
};

struct runner_process {
    struct runner_node node;
    char *spool;
    struct run **runs;
    size_t n_runs, alloc;
    double busy_s; /* mono: when there was something to do */
    double look_s;
    struct runners runners; /* as they were seen */
    double seen_s;          /* mono: then; -INFINITY: not yet */
    bool leaving;           /* take nothing more */
    bool took;
    struct membership member;
    int64_t organizes;   /* the team that we organized last */
    double organizing_s; /* mono: since when */
    sigset_t signals;
};

/* --- runner.c --- */

/* Look at the other runners, unless that was done a moment ago. */
int runner_see_others (struct runner_process *r, struct error *err);

/* Could the node ever run an element of the job, and is there memory for it
 * beside what runs?
 */
bool runner_has_room (const struct runner_process *r,
                      const struct spool_job *job);

/* Would the node ever do, in time? */
bool runner_could_run (struct runner_process *r, const struct spool_job *job);

/* Is an element of the job not to run on that node? */
bool is_excluded (const struct spool_job *job, const char *node);

/* Start an element that was taken; takes 'run' over.  1: it runs. */
int run_start (struct runner_process *r, struct run *run, int64_t element,
               struct error *err);
void run_release (struct run *run);

/* --- runner_environment.c --- */

/* Forget what only processes of the step have that started us. */
void runner_drop_step_variables (void);

/* Append what an element finds in its environment: later entries count. */
int run_environment (const struct runner_process *r, const struct run *run,
                     struct strvec *env, struct error *err);

/* Remove the file that names its nodes, if there is one. */
void run_remove_host_file (const struct runner_process *r,
                           const struct run *run);

/* --- runner_team.c: elements of several nodes --- */

/* Do what is next in a team, or begin one for a job among these.  1: the node
 * is kept for it: take nothing else.
 */
int runner_team_step (struct runner_process *r, const struct spool_job *jobs,
                      size_t n, struct error *err);

/* Is known of all members whether they were there when the element had ended? A
 * launcher that fails may be the first sign of a node that is lost: then its
 * end is that of the node.  1: yes; 0: not yet.
 */
int runner_team_is_settled (struct runner_process *r, struct run *run,
                            struct error *err);

/* End what has lost a node. */
int runner_team_watch (struct runner_process *r, struct error *err);

/* It ended: its members are free. */
void runner_team_ended (const struct runner_process *r, const struct run *run);

/* Give back what is kept. */
void runner_leave_team (struct runner_process *r);

#endif /* !ALLOCATION_RUNNER_H */
