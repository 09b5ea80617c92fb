/* SPDX-License-Identifier: BSD-3-Clause */
/* adoption.h - results that are there already and are what a task would make
 *
 * A stage is prepared again after an edit, a `redo`, or without the journal
 * that knew of it.  What lies in its place, or in that of a name that the stage
 * had before, or was moved from there to .fanfold/replaced,
 * and has the identity that the task has now, need not be computed again.
 */
#ifndef ENGINE_ADOPTION_H
#define ENGINE_ADOPTION_H

#include <stdbool.h>

#include "arrays/task_range.h"
#include "base/strvec.h"
#include "engine/act/origins.h"
#include "space/layout.h"

struct engine;
struct error;
struct stage_description;

struct adoption {
    struct engine *engine;
    struct stage_place place;
    struct strvec names; /* that the stage had before, besides that in 'place':
                            results lie below these, too */
    bool in_place;       /* is there anything below these names? */
    int newest, after; /* numbers of the replaced ones to look at: newest first,
                          down to that behind 'after' */
    struct strvec unsteady; /* places whose results are not adopted: absolute */
    struct task_range ok;   /* adopted */
    struct origins origins; /* ... of those that had been reused */
};

/* 'names' are taken over; 'after': nothing that was replaced so early, or
 * earlier.  To be released in any case.
 */
void adoption_begin (struct adoption *adoption, struct engine *engine,
                     const struct stage_description *stage, struct strvec names,
                     int after);
void adoption_release (struct adoption *adoption);

/* Are the results of the stage, by that name, below 'dir' unsteady? */
bool adoption_is_unsteady (const struct adoption *adoption, const char *dir,
                           const char *name);

/* Adopt the result of 'task' if there is one with 'identity'; one that has to
 * be moved is synced with its place.  -1 when that cannot be known now.
 */
int adoption_try (struct adoption *adoption, int task, const char *identity,
                  struct error *err);

#endif /* !ENGINE_ADOPTION_H */
