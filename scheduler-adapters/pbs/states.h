/* SPDX-License-Identifier: BSD-3-Clause */
/* states.h - PBS's letters for the state of a job (pure) */
#ifndef PBS_STATES_H
#define PBS_STATES_H

#include "adapter.h"

/* What a record tells. */
struct pbs_word {
    char state;     /* job_state; '\0': there is no record */
    bool own;       /* of the sub-job itself: without an array_index the record
                       is a copy of the array's */
    bool exited;    /* has an exit status */
    int64_t status; /* ... which one */
    int64_t substate;
};

/* How a sub-job stands, from its own word, that of its array, and whether the
 * server keeps a history.  Without one the record of a sub-job that has ended
 * shows the exit status of another: nothing is known then.  A letter that is
 * not known is ELEMENT_UNCLEAR.
 */
struct element_status pbs_element (const struct pbs_word *array,
                                   const struct pbs_word *word,
                                   bool history);

/* Will a job with this comment never start by itself?  Then what a person can
 * do about it; else NULL.
 */
const char *pbs_stuck (const char *comment);

#endif /* !PBS_STATES_H */
