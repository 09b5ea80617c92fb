/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.h - jobs, elements and nodes of the simulated scheduler */
#ifndef SIM_CLUSTER_H
#define SIM_CLUSTER_H

#include "arrays/array_job.h"
#include "sim/sim.h"

/* An element on a node.  The program may outlive what the scheduler knows. */
struct run {
    struct sim_run public; /* first: what the player holds */
    struct job *job;       /* NULL: the scheduler has forgotten it */
    double told_at_s;      /* when it is told to end: its walltime */
    double kill_at_s;      /* when it is killed */
    bool told;
    enum outcome why; /* what its end will be called; NONE: as it exits */
    bool requeue;     /* its end is another beginning */
};

struct element {
    struct element_status now;
    struct element_status shown; /* what a poll tells until shown_until_s */
    double shown_until_s;
    struct run *run;
    int runs;
};

struct job {
    struct array_job order; /* a copy */
    char *script_path;
    char id[16];
    bool held;
    double submitted_s;
    double lands_s; /* before: it is not there */
    double found_s; /* before: find() does not see it */
    double unknown_until_s;
    double ended_s; /* once nothing of it lives */
    struct element *elements;
    int64_t running;
    int64_t living; /* held, queued, running */
};

struct node {
    int free_cores;
    double up_s; /* down before */
};

struct simulation {
    struct sim_site site;
    struct sim_player player;
    double now_s;
    double cycle_at_s; /* the next look for something to start */
    struct job **jobs;
    size_t n_jobs, jobs_alloc;
    struct run **runs;
    size_t n_runs, runs_alloc;
    struct node *nodes;
    int64_t living; /* of all jobs */
};

bool sim_strikes (struct simulation *sim, enum sim_fault fault);

/* Between 0 and 'most'. */
double sim_draw (struct simulation *sim, double most);

/* A new job, held, there from 'lands_s' on. */
struct job *job_add (struct simulation *sim, const struct array_job *order,
                     const char *script_path, double lands_s);
void job_free (struct job *job);

/* The job, unless it is not there (yet, or any more). */
struct job *job_find (const struct simulation *sim, const char *id);
bool job_is_there (const struct simulation *sim, const struct job *job);

void job_release (struct simulation *sim, struct job *job);
void job_cancel (struct simulation *sim, struct job *job, int64_t element);

/* What a poll tells of an element now. */
struct element_status element_shown (const struct simulation *sim,
                                     const struct element *element);

#endif /* !SIM_CLUSTER_H */
