/* SPDX-License-Identifier: BSD-3-Clause */
/* job_view.h - how submissions stand, as replies tell of it row by row (pure)
 *
 * A view begins without a word on any element.  Of an element the first word
 * counts: who is to be believed is read first.
 */
#ifndef SCHEDULER_JOB_VIEW_H
#define SCHEDULER_JOB_VIEW_H

#include "adapter.h"

struct job_view {
    struct job_view_job {
        const char *id; /* lent */
        int64_t number; /* that the id begins with; -1: it is no id of this
                           scheduler, and nothing is known */
        int64_t n_elements;
        struct element_status *elements;
        bool *told;     /* there is a word on the element */
        bool held;      /* as a whole: what is queued of it is held */
        double since_s; /* wall clock: nothing of it ended before; INFINITY:
                           nor since; 0: not told */
        bool rest_told; /* there is a word on all elements that have none */
        struct element_status rest;
        char note[JOB_NOTE_SIZE];
    } * jobs;
    size_t n;
};

void job_view_init (struct job_view *view,
                    const struct job_status *jobs,
                    size_t n,
                    bool (*is_id) (const char *text));
void job_view_release (struct job_view *view);

/* The job whose id begins with 'number', or NULL. */
struct job_view_job *job_view_find (const struct job_view *view,
                                    int64_t number);

/* A word on one element, which may be any number; -1: on all that have none
 * when the reply has been read.
 */
void job_view_tell (struct job_view_job *job,
                    int64_t element,
                    enum element_state state,
                    enum outcome outcome);

/* It has ended, and how is not told: what is said of all others is not about
 * it.
 */
void job_view_tell_lost (struct job_view_job *job, int64_t element);

/* A reply has been read. */
void job_view_settle (struct job_view *view);

/* Is there an element of a known job without a word? */
bool job_view_lacks (const struct job_view *view);

/* ... and is there no word on any? */
bool job_view_is_silent (const struct job_view *view);

/* Append the ids of the known jobs. */
struct strvec;
void job_view_ids (const struct job_view *view, struct strvec *argv);

/* Some ends leave no trace: of an element that was cancelled before it started,
 * say.  What was not there 'kept_s' ago and ended otherwise would still be
 * shown; so what is without a word was cancelled.
 */
void job_view_infer (struct job_view *view, double now_s, double kept_s);

/* What is worth a person's attention; the first note stays.  A state that is
 * not understood, in the scheduler's words, of the row called 'id'; or that it
 * waits, and what to do.
 */
void job_view_note_unclear (struct job_view_job *job,
                            const char *id,
                            const char *state);
void job_view_note_waits (struct job_view_job *job,
                          const char *id,
                          const char *reason,
                          const char *advice);

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
