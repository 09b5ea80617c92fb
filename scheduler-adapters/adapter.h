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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arrays/outcome.h"

struct array_job;
struct error;
struct strbuf;
struct strvec;

enum answer {
    ANSWER_OK = 0,
    ANSWER_TRY_LATER = -1, /* silent or busy: nothing is known */
    ANSWER_REFUSED = -2,   /* this job is unacceptable; others may pass */
    ANSWER_BROKEN = -3,    /* no call can succeed until a person acts */
};

/* Where and how to reach the scheduler; lent to every call. */
struct scheduler {
    const char *spool;     /* local: directory on a local disk */
    double deadline_s;     /* no call blocks longer */
    void (*beat) (void *); /* NULL, or called about once a second while a
                              call waits */
    void *beat_arg;
};

struct scheduler_limits {
    int64_t elements; /* largest array; 0: unbounded */
    int64_t submit;   /* elements queued and running at a time; 0: unbounded */
};

enum element_state {
    ELEMENT_UNKNOWN = 0, /* the scheduler has no word on it */
    ELEMENT_HELD,        /* submitted, not released */
    ELEMENT_QUEUED,
    ELEMENT_RUNNING,
    ELEMENT_ENDED, /* see outcome */
};

struct element_status {
    enum element_state state;
    enum outcome outcome; /* ended: what the scheduler says of the element:
                             OK, FAILED, TIMEOUT, OUT_OF_MEMORY,
                             NODE_FAILURE, PREEMPTED, CANCELLED */
};

/* One submission in a poll: id and size go in, elements come out. */
struct job_status {
    const char *id;
    int64_t n_elements;
    struct element_status *elements; /* caller's array of n_elements */
};

/* Anything but ANSWER_OK fills in 'err' and leaves the outputs untouched. */
struct scheduler_adapter {
    const char *name; /* as written in site.yaml */
    bool can_hold;    /* submit() leaves the job held until release() */

    /* What the site allows. */
    enum answer (*limits) (const struct scheduler *scheduler,
                           struct scheduler_limits *limits,
                           struct error *err);

    /* Append the whole script for 'job'.  Pure: same job, same bytes. */
    enum answer (*render) (const struct array_job *job,
                           struct strbuf *script,
                           struct error *err);

    /* Submit the script at 'script_path' (held, if can_hold); append the id to
     * 'id'.  Unless the answer is REFUSED the job may exist: find() its token
     * before submitting again.
     */
    enum answer (*submit) (const struct scheduler *scheduler,
                           const struct array_job *job,
                           const char *script_path,
                           struct strbuf *id,
                           struct error *err);

    /* Let it run.  Doing so twice is no error; a job that is gone is REFUSED.
     */
    enum answer (*release) (const struct scheduler *scheduler,
                            const char *id,
                            struct error *err);

    /* Append the ids of all jobs carrying 'token', none if there is none. */
    enum answer (*find) (const struct scheduler *scheduler,
                         const char *token,
                         struct strvec *ids,
                         struct error *err);

    /* Fill in the elements of all 'n' submissions: one scheduler call. */
    enum answer (*poll) (const struct scheduler *scheduler,
                         struct job_status *jobs,
                         size_t n,
                         struct error *err);

    /* Cancel the whole job, or one element (>= 0).  Twice is no error, nor is
     * a job that is gone.
     */
    enum answer (*cancel) (const struct scheduler *scheduler,
                           const char *id,
                           int64_t element,
                           struct error *err);

    /* Forget a job that has ended: remove what the adapter keeps of it.  NULL
     * where the scheduler does that itself.
     */
    enum answer (*forget) (const struct scheduler *scheduler,
                           const char *id,
                           struct error *err);
};

/* The adapter called 'name', or NULL.  Never free it. */
const struct scheduler_adapter *scheduler_adapter_find (const char *name);

/* All of them, NULL-terminated. */
const struct scheduler_adapter *const *scheduler_adapters (void);

const char *answer_name (enum answer answer);

#endif /* !SCHEDULER_ADAPTER_H */
