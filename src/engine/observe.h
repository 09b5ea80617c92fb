/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.h - what the world says: the scheduler first, then the logs
 *
 * Looks at every open attempt of the current iteration.  Reading only.
 */
#ifndef ENGINE_OBSERVE_H
#define ENGINE_OBSERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapter.h"
#include "arrays/outcome.h"
#include "arrays/task_range.h"
#include "base/strvec.h"
#include "engine/state.h"

struct engine;
struct error;
struct json;

/* What the logs say of one task in this attempt. */
struct task_word {
    bool started;
    enum outcome outcome; /* NONE: no word on its end */
    size_t node; /* where it was started last: 1 + index in the attempt's nodes;
                    0: not told */
};

struct observed_submission {
    const char *token;
    bool polled; /* the scheduler answered: 'elements' is valid */
    struct element_status *elements;
    struct task_range *bundles; /* per element */
    int64_t n_elements;
    char note[JOB_NOTE_SIZE]; /* the scheduler's, for a person; "" */
};

/* One open attempt. */
struct observed_attempt {
    const char *stage;
    struct task_word *words; /* by task number */
    int32_t n_words;
    struct strvec nodes; /* as the scheduler calls them */
    struct json *why; /* {TASK: sentence} of failures, or a remark */
    char *trouble;    /* how a machine failed tasks; NULL: none did */
    bool no_space;    /* ... of room */
    struct observed_submission *submissions; /* in the attempt's order; those
                                                not released: token only */
    size_t n_submissions;
};

/* A wake-up, in the state's order. */
struct observed_wakeup {
    bool polled;  /* the scheduler answered */
    bool started; /* it runs, or did */
    bool living;  /* something of it waits or runs, or is held */
    bool ended;   /* all of it has, as the scheduler says */
    struct element_status elements[WAKEUP_ELEMENTS];
};

struct observations {
    double now_s;
    const char *waking; /* token of the wake-up this driver is; NULL: none */
    double patience_s;  /* how long this driver will wait by itself */
    struct observed_wakeup *wakeups;
    size_t n_wakeups;
    struct observed_attempt *attempts;
    size_t n_attempts;
    bool unreachable; /* a scheduler did not answer; 'trouble' says what */
    char *trouble;
};

/* With 'ask_scheduler' false only logs are read (`status`); else a profile's
 * scheduler is asked unless this driver did so less than its poll_s ago.  A log
 * that is damaged is an error; an unreachable scheduler is not.
 */
int observe (struct engine *engine,
             bool ask_scheduler,
             struct observations *observations,
             struct error *err);
void observations_release (struct observations *observations);

/* The attempt of stage 'name', or NULL. */
const struct observed_attempt *observations_find (
    const struct observations *observations,
    const char *name);

#endif /* !ENGINE_OBSERVE_H */
