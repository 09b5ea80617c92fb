/* SPDX-License-Identifier: BSD-3-Clause */
/* observations.h - what a driver saw: all that decide() knows of the world
 * besides the journal
 */
#ifndef ENGINE_OBSERVATIONS_H
#define ENGINE_OBSERVATIONS_H

#include "adapter.h"
#include "arrays/outcome.h"
#include "arrays/task_range.h"
#include "engine/history/attempt_logs.h"
#include "engine/history/events.h"
#include "engine/history/state.h"

struct observed_submission {
    const char *token;
    bool polled; /* the scheduler answered: 'elements' is valid */
    struct element_status *elements;
    const struct task_range *bundles; /* per element; lent by the logs */
    const struct read_element *read;  /* per element; lent by the logs; NULL:
                                         nothing is known */
    int64_t n_elements;
    struct json *logs; /* {LOG: {bytes, sha256}}: those of which more counts
                          than was journaled; NULL: not released */
    char note[JOB_NOTE_SIZE]; /* the scheduler's, for a person; "" */
};

/* One open attempt. */
struct observed_attempt {
    const char *stage;
    const struct attempt_logs *logs; /* as far as they were read; lent */
    const char *machine_error; /* how a machine failed tasks; lent; NULL: none
                                  did */
    bool pause;                /* ... in a way that a person has to look at */
    struct observed_submission *submissions; /* in the attempt's order; those
                                                not released: token only */
    size_t n_submissions;
};

/* A dependency job, in the state's order. */
struct observed_dependency_job {
    bool polled;  /* the scheduler answered */
    bool started; /* it runs, or did */
    bool living;  /* something of it waits or runs, or is held */
    bool ended;   /* all of it has, as the scheduler says */
    struct element_status elements[DEPENDENCY_JOB_ELEMENTS];
};

/* The frozen results of a stage. */
struct observed_outputs {
    const char *stage; /* lent by the plan */
    int iteration;
    const struct json *outputs; /* {NAME: value}; lent by who observed */
};

struct observations {
    double now_s;
    struct uptime up;          /* of this host */
    const char *config_sha256; /* of what this driver goes by; NULL: unknown */
    const char *driving_job;   /* token of the dependency job this driver is;
                                  NULL: none */
    double patience_s;         /* how long this driver will wait by itself */
    struct observed_dependency_job *dependency_jobs;
    size_t n_dependency_jobs;
    struct observed_attempt *attempts;
    size_t n_attempts;
    struct observed_outputs *outputs; /* what pending conditions look at */
    size_t n_outputs, outputs_alloc;
    bool unreachable; /* a scheduler did not answer */
};

void observations_release (struct observations *observations);

/* The attempt of stage 'name', or NULL. */
const struct observed_attempt *observations_find (
    const struct observations *observations, const char *name);

/* Add the results of a stage, which must outlive the observations. */
void observations_add_outputs (struct observations *observations,
                               const char *stage, int iteration,
                               const struct json *outputs);

/* The results of a stage, lent; NULL: they were not read. */
const struct json *observations_outputs (
    const struct observations *observations, const char *stage, int iteration);

#endif /* !ENGINE_OBSERVATIONS_H */
