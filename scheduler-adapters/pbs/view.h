/* SPDX-License-Identifier: BSD-3-Clause */
/* view.h - how submissions stand, from what qstat prints (pure) */
#ifndef PBS_VIEW_H
#define PBS_VIEW_H

#include "adapter.h"

/* What a record tells. */
struct pbs_word {
    char state;     /* job_state; '\0': there is no record */
    bool own;       /* of the sub-job itself: without an array_index the record
                       is a copy of the array's */
    bool waits;     /* is held until another job has ended */
    bool exited;    /* has an exit status */
    int64_t status; /* ... which one */
    int64_t substate;
    double began_s; /* wall clock; 0: it has not */
};

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

/* Is there an ended sub-job without a record of its own?  Then it matters how
 * long the server keeps those.
 */
bool pbs_view_has_lost_records (const struct pbs_view *view);

/* Fill in the elements and notes of the jobs the view was made for.  'kept_s':
 * for so long the server shows what has ended.  0: not at all; the record of a
 * sub-job that has ended then shows the exit status of another, and nothing is
 * known.
 */
void pbs_view_result (const struct pbs_view *view,
                      double kept_s,
                      double now_s,
                      struct job_status *jobs);

#endif /* !PBS_VIEW_H */
