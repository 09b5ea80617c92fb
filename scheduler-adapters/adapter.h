/* SPDX-License-Identifier: BSD-3-Clause */
/* adapter.h - what a campaign asks of a batch scheduler
 *
 * An adapter translates and nothing more: array_job -> site directives, site
 * replies -> element states.  When to retry, what to spend and what comes next
 * belong to src/engine.  An adapter sees arrays and base only and starts
 * agents by argv.
 */
#ifndef SCHEDULER_ADAPTER_H
#define SCHEDULER_ADAPTER_H

#include "arrays/outcome.h"
#include "base/heartbeat.h"

struct array_job;
struct command_scheduler;
struct findings;

enum answer {
    ANSWER_OK = 0,
    ANSWER_TRY_LATER = -1, /* silent or busy: nothing is known */
    ANSWER_REFUSED = -2,   /* this job is unacceptable; others may pass */
    ANSWER_BROKEN = -3,    /* no call can succeed until a person acts */
    ANSWER_NOT_NOW = -4,   /* it answered: no job now (a limit, a queue that is
                              closed) */
};

/* Which scheduler, and where and how to reach it; lent to every call. */
struct scheduler {
    const struct scheduler_adapter *adapter; /* whose call it is */
    const char *spool; /* where an adapter that runs elements itself keeps
                          its jobs: on a local disk (runs_here), or seen by
                          all nodes (shared_spool) */
    const char *const *agents; /* shared_spool: argv template that starts a
                                  program on each of {nodes} nodes */
    const char *queue;     /* partition or queue; NULL: the site's default */
    const char *account;   /* NULL: the user's default */
    const char *qos;       /* NULL: the user's default */
    const char *cache_dir; /* where an adapter may remember what a site told;
                              made when needed; NULL: nowhere */
    double deadline_s;     /* no call blocks longer */
    struct heartbeat
        heartbeat; /* sent about once a second while a call waits */
    void *own; /* what an adapter that was handed in works with; else NULL */
};

struct scheduler_limits {
    int64_t elements;  /* largest array; 0: unbounded */
    int64_t submit;    /* elements queued and running at a time; 0: unbounded */
    double walltime_s; /* of an element in the queue; 0: unbounded */
    /* What most nodes of the queue have; 0 cores: the site does not tell. */
    int node_cores;
    int node_gpus;
    int64_t node_memory_bytes; /* 0: not told */
};

enum element_state {
    ELEMENT_UNKNOWN = 0, /* the scheduler does not know it */
    ELEMENT_HELD,        /* submitted, not released */
    ELEMENT_QUEUED,
    ELEMENT_RUNNING,
    ELEMENT_ENDED,   /* see outcome */
    ELEMENT_UNCLEAR, /* it is there, in a state the adapter does not know */
};

struct element_status {
    enum element_state state;
    enum outcome outcome; /* ended: what the scheduler says of the element:
                             OK, FAILED, TIMEOUT, OUT_OF_MEMORY,
                             NODE_FAILURE, PREEMPTED, CANCELLED */
};

enum { JOB_NOTE_SIZE = 256 };

/* Which job.  A scheduler gives an id out again when its state was lost or its
 * numbers have run out.  So a job counts as ours only while it has our name,
 * and one of that id with another name is unknown to the scheduler: poll()
 * reads nothing from it, release() and cancel() leave it alone.  Do not rename
 * a job.
 */
struct job_key {
    const char *id;    /* what submit() or find() told */
    const char *token; /* its name: job->token when it was submitted */
};

/* One submission in a poll: key and size go in, elements and note come out. */
struct job_status {
    struct job_key key;
    int64_t n_elements;
    struct element_status *elements; /* caller's array of n_elements */
    char note[JOB_NOTE_SIZE]; /* what a person should know: why it waits for
                                 ever, a word that is not understood; or "" */
};

/* What a profile asks of the scheduler, for examine(). */
struct profile_use {
    const char *profile;
    const struct array_job *job; /* an element that fills a node for as long as
                                    the profile allows; 0 cores: it leaves that
                                    to the site */
    double poll_s;               /* least time between two status queries */
    int64_t submit; /* elements queued and running at a time; 0: unbounded */
};

/* Anything but ANSWER_OK fills in 'err' and leaves the outputs untouched.
 *
 * No call waits longer than scheduler->deadline_s, all commands it runs taken
 * together; each runs in a process group of its own and without those variables
 * of the caller's environment that would change what it does.  What each call
 * may answer:
 *
 *              OK   TRY_LATER   REFUSED   BROKEN   NOT_NOW
 *   limits     x    x                     x
 *   render     x                x
 *   submit     x    x           x         x        x
 *   release    x    x           x         x
 *   find       x    x                     x
 *   poll       x    x                     x
 *   cancel     x    x           x         x
 *   forget     x    x
 *   time_left  x    x           x         x
 *   examine    x    x                     x
 *   usable     x                          x
 */
struct scheduler_adapter {
    const char *name;            /* as written in site.yaml */
    const char *const *programs; /* its commands, which every driver needs on
                                    PATH; ends with NULL; NULL: none */
    const char *whole_cores;     /* a directive with which jobs have as many
                                    cores as they ask for, also where the site
                                    counts hardware threads; NULL: none */
    bool runs_here; /* jobs are processes of this host; nothing of struct
                       scheduler but 'spool' is meant for it */
    bool own_path;  /* jobs have the PATH of a login, not that of who submits */
    bool shared_spool; /* jobs are processes of the nodes of another scheduler's
                          job, of which the caller is part; each element is a
                          share of one node */
    const struct command_scheduler *commands; /* what the calls are made of,
                                                 where it is reached by its
                                                 commands; else NULL */
    bool can_hold; /* submit() leaves the job held until release(), unless
                      it is job->unheld */
    bool can_wait; /* submit() does what job->after and job->delay_s say.  An
                      'after' that has ended, or that the scheduler does not
                      know any more, is waited for no longer; one that is
                      held has not ended. */

    bool has_priorities;         /* job->priority has an effect */
    const char *raised_priority; /* who may raise one above 0; NULL: anybody */

    /* The argv template that starts a program once on each of {nodes} nodes of
     * a job; NULL: none of its own, mpirun does.
     */
    const char *const *(*agents) (void);

    /* The most nodes that an element can have where the calling process is; 0:
     * that is not known there.  NULL: one, if the adapter runs them here, else
     * as many as the site has.
     */
    int (*nodes) (void);

    /* May a profile have it among its `directives`?  NULL: any. */
    int (*check_directive) (const struct scheduler_adapter *adapter,
                            const char *directive, struct error *err);

    /* Does it say how large a job is, which follows from the tasks in it? NULL:
     * none does.
     */
    bool (*sizes_job) (const struct scheduler_adapter *adapter,
                       const char *directive);

    /* What the site allows in scheduler->queue.  May be remembered for some
     * minutes in scheduler->cache_dir.
     */
    enum answer (*limits) (const struct scheduler *scheduler,
                           struct scheduler_limits *limits, struct error *err);

    /* Append the whole script for 'job'.  Pure: same job, same bytes; waits for
     * nothing.  REFUSED: a word of the profile cannot be passed on; 'err' names
     * its key.
     */
    enum answer (*render) (const struct scheduler *scheduler,
                           const struct array_job *job, struct strbuf *script,
                           struct error *err);

    /* Submit the script at the absolute 'script_path' (held, if can_hold);
     * append the id to 'id'.  REFUSED only when the scheduler looked at the job
     * and said no: there is none; so is one that could run on nodes of
     * job->exclude only.  NOT_NOW: a limit is reached, the queue takes none.
     * With any failure but REFUSED (no answer, an answer that cannot be read)
     * it may exist: find() its token before submitting again.
     */
    enum answer (*submit) (const struct scheduler *scheduler,
                           const struct array_job *job, const char *script_path,
                           struct strbuf *id, struct error *err);

    /* Let it run.  Doing so twice is no error, nor is a job that has ended; one
     * that the scheduler does not know is REFUSED.
     */
    enum answer (*release) (const struct scheduler *scheduler,
                            const struct job_key *job, struct error *err);

    /* Append the ids of all jobs carrying 'token', none if there is none. */
    enum answer (*find) (const struct scheduler *scheduler, const char *token,
                         struct strvec *ids, struct error *err);

    /* Fill in the elements of all 'n' submissions: one question to the
     * scheduler for all of them (a second one to its accounting where the first
     * does not show an element).  A job it does not know, or an element it does
     * not show, is ELEMENT_UNKNOWN; an answer that cannot be read as a whole
     * is TRY_LATER.
     */
    enum answer (*poll) (const struct scheduler *scheduler,
                         struct job_status *jobs, size_t n, struct error *err);

    /* Cancel the whole job, or one element (>= 0).  Twice is no error, nor is
     * a job that is gone or whose id is another's by now.  REFUSED: the user
     * may not.
     */
    enum answer (*cancel) (const struct scheduler *scheduler,
                           const struct job_key *job, int64_t element,
                           struct error *err);

    /* Forget a job that has ended, or is about to, when it has: remove what the
     * adapter keeps of it.  NULL where the scheduler does that itself.
     */
    enum answer (*forget) (const struct scheduler *scheduler, const char *id,
                           struct error *err);

    /* How long the job that the calling process is part of may still run, in
     * seconds; INFINITY: without limit.  REFUSED: it is part of none, which is
     * found out without asking the scheduler, or of one that is over.  NULL:
     * there is no knowing.
     */
    enum answer (*time_left) (const struct scheduler *scheduler, double *left_s,
                              struct error *err);

    /* Can it do anything for the calling process, where that is?  NULL: always,
     * as far as can be known without asking.
     */
    enum answer (*usable) (const struct scheduler *scheduler,
                           struct error *err);

    /* Look at all that bears on running jobs here, and as the 'n' profiles of
     * this scheduler would: its commands, their version, accounting, settings
     * and limits; each profile's queue, account, walltime and nodes.  Nothing
     * is submitted.  Every finding names what of site.yaml to change, if that
     * is it.  What was found before the scheduler went silent stays: unlike
     * other outputs, 'findings' grows whatever the answer.  NULL: there is
     * nothing to look at.
     */
    enum answer (*examine) (const struct scheduler *scheduler,
                            const struct profile_use *uses, size_t n,
                            struct findings *findings, struct error *err);

    /* Be a process that an adapter starts to run elements, `fanfold STARTS
     * DIR`. Returns when it is not needed any more.  NULL: it starts none.
     */
    const char *starts;
    int (*supervise) (const char *dir, struct error *err);
};

/* The adapter called 'name', or NULL.  Never free it. */
const struct scheduler_adapter *scheduler_adapter_find (const char *name);

/* The adapters, by number from 0; NULL behind the last one. */
const struct scheduler_adapter *scheduler_adapter_at (size_t i);

/* Render the script of 'job' and write it whole to 'path', whose directory is
 * made.
 */
int scheduler_write_script (const struct scheduler *scheduler,
                            const struct array_job *job, const char *path,
                            struct error *err);

/* Append those of 'programs' (ends with NULL; NULL: none) that are not on PATH:
 * "qsub, qstat".
 */
void scheduler_missing_programs (const char *const *programs,
                                 struct strbuf *missing);

#endif /* !SCHEDULER_ADAPTER_H */
