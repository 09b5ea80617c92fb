/* SPDX-License-Identifier: BSD-3-Clause */
/* spool.h - what an adapter keeps of a job that runs its elements itself
 *
 *   SPOOL/<token>/job.json   elements, running, what an element needs, program,
 *                          home, unheld; after and begin_s where it waits
 *                 script     the job script (a copy)
 *                 released   there: it may run
 *                 cancel     there: it is to end; cancel-<e>: one element
 *                 forget     there: to be removed when it has ended, by its
 *                            supervisor, or where that died, at the next submit
 *                 lock       flock held by the supervisor while it lives
 *                 supervisor its pid and start ticks
 *                 events     "start E" and "end E OUTCOME" lines, fsynced
 *                 output     what supervisor and agents print
 *   SPOOL/.gone-<token>/     one that is being removed; whoever submits next
 *                          does so where that was cut off
 *   SPOOL/cores/             machine-wide core locks (cores.h)
 *
 * The id of a job is its token.  SPOOL is on a local disk, mode 0700 and ours.
 */
#ifndef SCHEDULER_SPOOL_H
#define SCHEDULER_SPOOL_H

#include "adapter.h"

struct spool_job {
    char *dir;
    char *token;
    char *program; /* path of fanfold */
    char *home;    /* the directory the script came from */
    int64_t elements;
    int64_t running; /* at a time; 0: no limit */
    int nodes;       /* of an element; at most 1: a share of one */
    int ranks;       /* on each of several nodes */
    int cores;       /* of an element, on each of its nodes */
    int gpus;
    int64_t memory_bytes; /* 0: unstated */
    char *exclude;        /* nodes it is not to run on: " n1 n2 " */
    double walltime_s;    /* of an element; 0: none */
    char *after;          /* the job that must have ended before; NULL: none */
    double begin_s;   /* no element starts sooner (wall clock); 0: any time */
    bool unheld;      /* may run without having been released */
    bool login_shell; /* runs its script */
    bool released;
    bool *cancelled;               /* of each element */
    struct element_status *status; /* from 'events' */
};

#define SPOOL_FORGET "forget"
#define SPOOL_GONE ".gone-"

/* Make sure the spool directory is there, ours, and private. */
int spool_open (const char *spool, struct error *err);

/* The same, as a scheduler's answer. */
enum answer spool_ready (const char *spool, struct error *err);

/* Directory of job 'id'; NULL with 'err' when it is no token.  Caller frees. */
char *spool_job_dir (const char *spool, const char *id, struct error *err);

/* Write a new job, whole or not at all. */
int spool_create (const char *spool, const struct array_job *job,
                  const char *script_path, struct error *err);

/* Remove a job, wholly or not at all, and what is left of one whose making or
 * removal was cut off.  There may be none.
 */
int spool_remove (const char *spool, const char *token, struct error *err);

/* Read a job and its marks.  1: there is no such job; -1: 'err'. */
int spool_read_job (const char *dir, struct spool_job *job, struct error *err);

/* The same with its events. */
int spool_read (const char *dir, struct spool_job *job, struct error *err);
void spool_job_release (struct spool_job *job);

/* Copy the end of what was printed, if anything was, to 'output' beside the
 * script, where people look.
 */
void spool_keep_output (const struct spool_job *job);

/* Create the empty file 'name' in a job's directory, durably. */
int spool_mark (const char *dir, const char *name, struct error *err);

/* Read the marks of a job again: what is released, what is cancelled. */
int spool_read_marks (struct spool_job *job, struct error *err);

/* Append "end E OUTCOME", or "start E" where the outcome is NONE, durably, and
 * note it in job->status.
 */
int spool_log (struct spool_job *job, int64_t element, enum outcome outcome,
               struct error *err);

/* Open (or make) the file and flock it: a descriptor, or -1 with errno, which
 * is EWOULDBLOCK when 'how' does not wait and another has it.
 */
int spool_flock (const char *path, int how);

/* Have all elements ended? */
bool spool_job_over (const struct spool_job *job);

/* The environment entry that marks every process of an element. */
char *spool_element_tag (const struct spool_job *job, int64_t element);

#endif /* !SCHEDULER_SPOOL_H */
