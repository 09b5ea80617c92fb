/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h - how submissions stand, from what qstat prints (pure) */
#ifndef PBS_VIEW_H
#define PBS_VIEW_H

#include "pbs/states.h"

struct pbs_view {
    struct pbs_view_job {
        int64_t number; /* -1: the id is none of PBS's; nothing is known */
        int64_t n_elements;
        struct pbs_word array;
        struct pbs_word *words; /* of the elements */
        char note[JOB_NOTE_SIZE];
    } * jobs;
    size_t n;
};

void pbs_view_init (struct pbs_view *view,
                    const struct job_status *jobs,
                    size_t n);
void pbs_view_release (struct pbs_view *view);

/* Take the whole answer of `qstat -f -t`; -1 with 'err' when a line cannot be
 * read.
 */
int pbs_view_qstat (struct pbs_view *view,
                    const char *text,
                    size_t len,
                    struct error *err);

/* Fill in the elements and notes of the jobs the view was made for. */
void pbs_view_result (const struct pbs_view *view,
                      bool history,
                      struct job_status *jobs);

#endif /* !PBS_VIEW_H */
