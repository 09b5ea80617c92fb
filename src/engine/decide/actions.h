/* SPDX-License-Identifier: BSD-3-Clause */
/* actions.h - what decide() says is to be done, in order */
#ifndef ENGINE_ACTIONS_H
#define ENGINE_ACTIONS_H

#include "arrays/array_job.h"
#include "arrays/task_range.h"
#include "signature/resources.h"

enum action_kind {
    ACT_RECORD,       /* journal 'event', nothing else */
    ACT_RESULTS,      /* journal 'event', results, when no task of it that is
                         not ok has its result after all */
    ACT_CONFIG,       /* write the configuration, which was edited, as file
                         'number' of iteration 'iteration' */
    ACT_REPLACE,      /* move what is to be replaced (state.moves) */
    ACT_BEGIN,        /* begin iteration 'iteration' */
    ACT_PREPARE,      /* bind and slice 'stage' */
    ACT_OPEN_ATTEMPT, /* pack 'tasks' of 'stage' */
    ACT_SUBMIT,       /* chunk 'chunk' of the open attempt of 'stage' */
    ACT_FIND,         /* did the submission 'token' come to be? */
    ACT_RELEASE, /* record the submission 'token' for its job, let it run */
    ACT_CANCEL,  /* tell the scheduler to cancel 'token' */
    ACT_END, /* journal the end of 'token', of which some task never told how it
                ended: the scheduler is told to cancel it first */
    ACT_SWEEP,   /* cancel other jobs with the token of 'token' */
    ACT_WAKE,    /* submit a job that drives when the submission 'token' has
                    ended, or ("") in 'delay_s'; as one of 'stage' */
    ACT_DISMISS, /* cancel the dependency job 'token': it is not needed any more
                  */
    ACT_CLOSE_ATTEMPT, /* of 'stage' */
    ACT_FAN_IN,        /* stack, collect and publish the outputs of 'stage' */
    ACT_REMOVE,        /* remove outputs of 'stage' that nothing needs: what
                          'event' says, or what a driver has begun to (NULL) */
};

struct action {
    enum action_kind kind;
    int stage; /* index in the plan */
    int iteration;
    int chunk;
    int number;                   /* ACT_CONFIG: of the file; ACT_BEGIN: of the
                                     phase */
    char token[TOKEN_LENGTH + 1]; /* "": none */
    double delay_s;               /* ACT_WAKE only */
    struct json *event;   /* ACT_RECORD, ACT_RESULTS, ACT_REMOVE; ACT_END: what
                             classify_not_begun found */
    unsigned avoid_after; /* ACT_RESULTS: bit 1 << OUTCOME for each outcome
                             after which the stage avoids the node */
    struct task_range tasks; /* ACT_OPEN_ATTEMPT: those to pack, */
    struct resources task;   /* what each of them gets, */
    double measured_s;       /* how long one took so far (state_task_s), */
    int64_t reserved; /* and elements of `limits: submit:` that are kept for
                         dependency jobs */
    int64_t elements; /* of an array at most, by earlier attempts; 0: any */
    bool repack;     /* ACT_CLOSE_ATTEMPT: its arrays never got in; smaller ones
                        may */
    int64_t running; /* ACT_SUBMIT: elements of this array at a time; 0: all */
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

const char *action_name (enum action_kind kind);

/* May it lead to more now?  Results trickle in while tasks run: recording them
 * leads to nothing new, and looking again at once would only find the next few.
 */
bool action_leads_on (const struct action *action);

/* Append an action and return it. */
struct action *actions_add (struct actions *actions, enum action_kind kind,
                            int stage, int iteration);

/* Append ACT_RECORD, taking over 'event'. */
void actions_record (struct actions *actions, struct json *event);

/* Look again no later than in 's' seconds (> 0). */
void actions_wait (struct actions *actions, double s);

/* The same for what the end of a job will tell: where jobs drive the campaign
 * none need look before.
 */
void actions_follow (struct actions *actions, double s);

#endif /* !ENGINE_ACTIONS_H */
