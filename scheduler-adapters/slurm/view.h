/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h - how submissions stand, from what squeue and sacct print (pure) */
#ifndef SLURM_VIEW_H
#define SLURM_VIEW_H

#include "adapter.h"

/* A view begins empty, takes squeue's rows, then sacct's, and says what is
 * known.
 */
struct slurm_view {
    struct slurm_view_job {
        int64_t id; /* -1: no number; nothing is known */
        int64_t n_elements;
        struct element_status *elements;
        bool *told;                 /* squeue or sacct has a row on it */
        bool seen;                  /* squeue has some row of it */
        double submit_s;            /* 0: not told */
        struct element_status rest; /* of the row without index */
        bool rest_told;
        char note[JOB_NOTE_SIZE];
    } * jobs;
    size_t n;
};

void slurm_view_init (struct slurm_view *view,
                      const struct job_status *jobs,
                      size_t n);
void slurm_view_release (struct slurm_view *view);

/* Each takes the whole answer; -1 with 'err' when a line cannot be read. */
int slurm_view_squeue (struct slurm_view *view,
                       const char *text,
                       size_t len,
                       struct error *err);
int slurm_view_sacct (struct slurm_view *view,
                      const char *text,
                      size_t len,
                      struct error *err);

/* Is there an element that neither has told of? */
bool slurm_view_lacks (const struct slurm_view *view);

/* An element that was cancelled before it started leaves no trace.  Of an
 * array younger than half of 'min_job_age_s' squeue forgets nothing else: what
 * it does not show was cancelled.
 */
void slurm_view_infer (struct slurm_view *view,
                       double now_s,
                       double min_job_age_s);

/* Fill in the elements and notes of the jobs the view was made for. */
void slurm_view_result (const struct slurm_view *view, struct job_status *jobs);

#endif /* !SLURM_VIEW_H */
