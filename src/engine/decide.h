/* SPDX-License-Identifier: BSD-3-Clause */
/* decide.h - what to do next (pure)
 *
 * decide (plan, state, observations) -> actions: no I/O, no clock.  Doing the
 * actions in order and deciding again leads to a finished campaign from any
 * state that a crash may have left.
 */
#ifndef ENGINE_DECIDE_H
#define ENGINE_DECIDE_H

#include <stddef.h>

#include "arrays/array_job.h"
#include "engine/observe.h"

struct json;
struct outputs_store;
struct plan;
struct state;

enum action_kind {
    ACT_RECORD,       /* journal 'event', nothing else */
    ACT_RESULTS,      /* journal 'event', results, when no task of it that is
                         not ok has its result after all */
    ACT_BEGIN,        /* begin iteration 'iteration' */
    ACT_PREPARE,      /* bind and slice 'stage' */
    ACT_OPEN_ATTEMPT, /* pack what is pending of 'stage' */
    ACT_SUBMIT,       /* chunk 'chunk' of the open attempt of 'stage' */
    ACT_FIND,         /* did the submission 'token' come to be? */
    ACT_RELEASE, /* record the submission 'token' for its job, let it run */
    ACT_CANCEL,  /* tell the scheduler to cancel 'token' */
    ACT_SWEEP,   /* cancel other jobs with the token of 'token' */
    ACT_WAKE,    /* submit a job that drives when the submission 'token' has
                    ended, or ("") in 'delay_s'; as one of 'stage' */
    ACT_DISMISS, /* cancel the wake-up 'token': it is not needed any more */
    ACT_CLOSE_ATTEMPT, /* of 'stage' */
    ACT_FAN_IN,        /* stack, collect and publish the outputs of 'stage' */
    ACT_CLOSE_ITERATION,
};

struct action {
    enum action_kind kind;
    int stage; /* index in the plan */
    int iteration;
    int chunk;
    char token[TOKEN_LENGTH + 1]; /* "": none */
    double delay_s;               /* ACT_WAKE only */
    struct json *event;           /* ACT_RECORD, ACT_RESULTS only */
};

struct actions {
    struct action *v;
    size_t n, alloc;
    double next_s; /* look again after so long; 0: nothing to wait for */
    double due_s;  /* the same, for what no job's end will tell */
};

#define ACTIONS_INIT                                                           \
    {                                                                          \
        0                                                                      \
    }

void actions_release (struct actions *actions);

/* 'outputs' answers for the frozen results `when:` looks at. */
void decide (const struct plan *plan,
             const struct state *state,
             const struct observations *observations,
             struct outputs_store *outputs,
             struct actions *actions);

const char *action_name (enum action_kind kind);

#endif /* !ENGINE_DECIDE_H */
