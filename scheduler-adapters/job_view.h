/* SPDX-License-Identifier: BSD-3-Clause */
/* job_view.h - the states of submissions, as replies tell them row by row
 * (pure)
 *
 * In a new view nothing is told.  What is told first of an element counts: read
 * the better source first.
 */
#ifndef SCHEDULER_JOB_VIEW_H
#define SCHEDULER_JOB_VIEW_H

#include "adapter.h"

struct job_view {
    struct job_view_job {
        struct job_key key; /* lent */
        int64_t number;     /* that the id begins with; -1: it is no id of this
                               scheduler, or is another job's by now: nothing is
                               known of it */
        int64_t n_elements;
        struct element_status *elements;
        bool *told;     /* the element's state is told */
        bool held;      /* as a whole: what is queued of it is held */
        double since_s; /* wall clock: nothing of it ended before; INFINITY:
                           nor since; 0: not told */
        bool rest_told; /* 'rest' is told of all other elements */
        struct element_status rest;
        char note[JOB_NOTE_SIZE];
    } * jobs;
    size_t n;
};

void job_view_init (struct job_view *view, const struct job_status *jobs,
                    size_t n, bool (*is_id) (const char *text));
void job_view_release (struct job_view *view);

/* The job that a row about job 'number', called 'name', is about; NULL: none of
 * the view.  Jobs of that number whose token is another name are gone: nothing
 * that is told of the number is about them.
 */
struct job_view_job *job_view_find (struct job_view *view, int64_t number,
                                    const char *name);

/* Tell the state of one element, which may be any number; -1: of all that were
 * not told when the reply has been read.
 */
void job_view_tell (struct job_view_job *job, int64_t element,
                    enum element_state state, enum outcome outcome);

/* It has ended, and how is not told: what is said of all others is not about
 * it.
 */
void job_view_tell_lost (struct job_view_job *job, int64_t element);

/* A reply has been read. */
void job_view_settle (struct job_view *view);

/* Is there an element of a known job whose state was not told? */
bool job_view_lacks (const struct job_view *view);

/* ... and was none told? */
bool job_view_is_silent (const struct job_view *view);

/* Append the ids of the known jobs. */
void job_view_ids (const struct job_view *view, struct strvec *argv);

/* Some ends leave no trace: of an element that was cancelled before it started,
 * say.  What was not there 'kept_s' ago and ended otherwise would still be
 * shown; so what was not told was cancelled.
 */
void job_view_infer (struct job_view *view, double now_s, double kept_s);

/* What is worth a person's attention; the first note stays.  A state that is
 * not understood, in the scheduler's words, of the row called 'id'; or that it
 * waits, and what to do.
 */
void job_view_note_unclear (struct job_view_job *job, const char *id,
                            const char *state);
void job_view_note_waits (struct job_view_job *job, const char *id,
                          const char *reason, const char *advice);

/* Reasons for which a job never starts by itself, and what a person can do
 * about them.
 */
struct stuck_reason {
    const char *words; /* of the reason; NULL ends a list */
    const char *advice;
};
const char *stuck_advice (const struct stuck_reason *reasons,
                          const char *reason);

/* Fill in the elements and notes of the jobs the view was made for. */
void job_view_result (const struct job_view *view, struct job_status *jobs);

#endif /* !SCHEDULER_JOB_VIEW_H */
