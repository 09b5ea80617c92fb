/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.h - the simulated scheduler: the adapter contract in virtual time
 *
 * It lives within one process: struct scheduler's `own` is the struct
 * simulation where its jobs are.  Time passes only in sim_advance.  A player
 * tells what is beyond a scheduler: it is told when an element begins on a node
 * and says when it has ended, and it decides what goes wrong.  Everything
 * follows from the calls made, so the same calls give the same history.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "adapter.h"

extern const struct scheduler_adapter sim_adapter;

struct simulation;

struct sim_site {
    int nodes;
    int cores;        /* of a node */
    int64_t elements; /* of an array at most; 0: unbounded */
    int64_t submit;   /* elements queued and running; 0: unbounded */
    double cycle_s;   /* between two looks for something to start */
    double keep_s;    /* how long an ended job is remembered */
    double lag_s;     /* how late a job or a change of state shows at most */
};

/* What may go wrong where the player says so. */
enum sim_fault {
    SIM_SUBMIT_BUSY,    /* no answer, no job */
    SIM_SUBMIT_REFUSED, /* no job, and a reason */
    SIM_SUBMIT_CUT,     /* a job, but no answer */
    SIM_SUBMIT_LATE,    /* no answer, and a job later */
    SIM_SUBMIT_TWICE,   /* two jobs with one token */
    SIM_FIND_BUSY,
    SIM_FIND_LATE, /* a new job cannot be found yet */
    SIM_RELEASE_BUSY,
    SIM_RELEASE_CUT, /* done, but no answer */
    SIM_CANCEL_BUSY,
    SIM_CANCEL_CUT,
    SIM_POLL_BUSY,
    SIM_STATUS_LATE,    /* a change of state does not show yet */
    SIM_STATUS_UNKNOWN, /* nothing is known of the job for a while */
    SIM_STATUS_LIES,    /* a living element is said to have ended */
    SIM_REQUEUE,        /* instead of ending: again, under the same id */
    SIM_SLOW_CALL,      /* a call takes as long as it may */
    SIM_FAULTS,
};

const char *sim_fault_name (enum sim_fault fault);

/* One try of the scheduler to run an element. */
struct sim_run {
    const struct array_job *job;
    const char *id; /* of the job */
    const char *script_path;
    int64_t element;
    int node;
    int number;   /* 0, 1, ... of this element's */
    void *player; /* the player's own */
};

/* All may be NULL. */
struct sim_player {
    void *arg;
    /* A call of the adapter takes so long.  False: it was never made. */
    bool (*wait) (double s, void *arg);
    /* An element begins.  The player calls sim_ended, now or later. */
    void (*start) (struct sim_run *run, void *arg);
    /* It is told to end: SIGTERM; with 'kill' SIGKILL.  May call sim_ended. */
    void (*stop) (struct sim_run *run, bool kill, void *arg);
    bool (*strikes) (enum sim_fault fault, void *arg);
    double (*draw) (void *arg); /* [0, 1); NULL: always 1/2 */
};

struct simulation *sim_create (const struct sim_site *site,
                               const struct sim_player *player);
void sim_destroy (struct simulation *sim); /* NULL is legal */

/* Let everything happen that is due up to 'now_s' (which never goes back). */
void sim_advance (struct simulation *sim, double now_s);

/* When something is due next; INFINITY when nothing is. */
double sim_next_s (const struct simulation *sim);

/* The program of 'run' exited; 'ok': with status 0.  'run' is gone then. */
void sim_ended (struct simulation *sim, struct sim_run *run, bool ok);

/* --- what happens to a cluster --- */

/* A node goes down until 'up_s'.  What runs on it ends, or starts again
 * elsewhere under the same id (SIM_REQUEUE); its programs the player ends by
 * himself, with sim_ended, or lets run on: nobody cares for them any more.
 */
void sim_node_fails (struct simulation *sim, int node, double up_s);

/* The i-th (modulo how many there are) of the runs a scheduler knows of;
 * NULL when there is none.
 */
struct sim_run *sim_pick_run (const struct simulation *sim, uint64_t i);

/* Its place is needed: it is told to end, and killed after a while. */
void sim_preempt (struct simulation *sim, struct sim_run *run);

/* Somebody cancels an element (-1: all of the job) as scancel does. */
void sim_cancel (struct simulation *sim, const char *id, int64_t element);

/* --- what an onlooker may know --- */

/* How many jobs were ever accepted. */
int64_t sim_count_jobs (const struct simulation *sim);

/* Call 'each' for every job ever accepted. */
struct sim_job_view {
    const char *id;
    const char *token;
    double submitted_s;
    bool landed; /* a late one is not there before it is */
    bool released;
    int64_t living;
};
void sim_each_job (const struct simulation *sim,
                   void (*each) (const struct sim_job_view *job, void *arg),
                   void *arg);

#endif /* !SIM_SIM_H */
