/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - where a campaign stands: the fold of its journal
 *
 * Nothing else changes a state: state_apply folds one event in, so replaying
 * the journal gives the same state again.  Stages are known by name, because
 * campaign.yaml may be edited between two commands.
 */
#ifndef ENGINE_STATE_H
#define ENGINE_STATE_H

#include "arrays/array_job.h"
#include "arrays/outcome.h"
#include "arrays/packing.h"
#include "arrays/task_range.h"
#include "engine/history/size_counts.h"
#include "engine/history/usage.h"
#include "signature/resources.h"

struct stage_place;

enum submission_status {
    SUBMISSION_INTENDED, /* journaled, may or may not exist */
    SUBMISSION_RECORDED, /* its id is known; held */
    SUBMISSION_RELEASED,
    SUBMISSION_ENDED,  /* every element accounted for */
    SUBMISSION_ABSENT, /* concluded: it never came to be */
};

struct submission {
    enum submission_status status;
    char token[TOKEN_LENGTH + 1];
    char *id; /* NULL before RECORDED */
    int chunk;
    int64_t elements;
    double intended_s;
    int empty_answers;  /* successful find() answers without an id */
    struct json *asked; /* {BOOT: [FIRST, LAST]}: when hosts that were booted
                           once asked for its jobs, by their uptime; or NULL */
    bool cancel_asked;
    bool found;    /* its id is from find(), not from the submit's reply */
    bool swept;    /* no other job has its token, long after it was asked for */
    double over_s; /* since when the scheduler has nothing queued or running
                      of it; 0: it has */
    char *note;    /* what the scheduler says a person should know; or NULL */
    double noted_s; /* since when */
    int64_t uid;    /* of the user who submitted it, and 1; 0: not known */
};

struct attempt {
    struct task_range tasks;
    bool closed;
    struct packing packing; /* bundles and jobs follow from it and 'tasks' */
    struct resources task;  /* after what retries changed */
    double node_share;   /* the part of a node that a task has; 0: not known */
    int64_t site_submit; /* elements the scheduler lets one have queued and
                            running at a time; 0: it does not say */
    struct submission *submissions;
    size_t n_submissions;
    size_t alloc;
};

/* A job that is to wake the campaign: it becomes the driver when another has
 * ended, or when its time has come.  One that has ended, or never came to be,
 * is no longer in the state.
 */
struct dependency_job {
    struct submission job; /* INTENDED, or RECORDED: waiting or running */
    char after[TOKEN_LENGTH + 1]; /* the submission it waits for; "": none */
    double at_s;                  /* without one: when it is to start */
    char *stage;                  /* whose profile it runs with */
};

/* Elements of one, where arrays may be so large: while the first is driving
 * the next is waiting, and takes over should the first be killed.
 */
enum { DEPENDENCY_JOB_ELEMENTS = 2 };

/* What became of one task. */
struct task_state {
    uint8_t outcome;  /* enum outcome; NONE: still to run */
    uint8_t tries;    /* charged: an agent logged the start */
    uint8_t timeouts; /* ended so, for the walltime of the next try */
    uint8_t out_of_memory;
    uint8_t renewed; /* it was cancelled in the attempt that is open, which is
                        recorded, and runs again in the next one */
};

/* Is recorded how it ended in the attempt that is open? */
bool task_is_judged (const struct task_state *task);

enum stage_status {
    STAGE_WAITING,
    STAGE_PREPARED, /* tasks are known and are being run */
    STAGE_DONE,
    STAGE_SKIPPED,
    STAGE_FAILED,
};

struct stage_state {
    char *name;
    enum stage_status status;
    char *why;        /* skipped, failed: for a person; prepared: what a job
                         printed of which nothing came; else NULL */
    bool bad_input;   /* failed so: a retry prepares it anew */
    bool skip_asked;  /* skipped so, by a person */
    int generation;   /* of the files of its place; 0: it was not prepared */
    int config;       /* number of the configuration it was prepared with */
    char *code;       /* of the operator it was prepared with; NULL: not yet, or
                         journaled by an older program */
    char *dir;        /* the name that it was prepared with, which its files are
                         below; NULL: 'name' */
    char *first_name; /* what it was called in the beginning: its seeds and
                         identities are by that; NULL: 'name' */
    char *unsteady;   /* what of its work, or of its inputs, changed while it
                         ran; NULL: nothing.  Its results are taken by nothing
                         (act/witness.h) */
    char *outputs;    /* SHA-256 of its outputs.json; NULL: it has none */
    int32_t n_tasks;
    struct task_state *tasks;
    int32_t by_outcome[OUTCOME_COUNT]; /* how many tasks stand so */
    struct attempt *attempts;
    size_t n_attempts;
    size_t attempts_alloc;
    struct json *avoid;       /* [NODE] no further attempt is to use, the latest
                                 last; NULL: none */
    struct json *retired;     /* {SENTENCE: {[node], host, device}}: devices on
                                 which tasks failed that did not elsewhere;
                                 NULL: none */
    struct json *logs;        /* {LOG: {bytes, sha256}}: how much of the agents'
                                 logs was built on; NULL: nothing */
    struct json *reused;      /* [{campaign, stage, iteration, tasks: RANGE}]:
                                 where results come from that its tasks did not
                                 have to make; NULL: they made all */
    struct json *checkpoints; /* {TASK: ...}: what tries that were cut short
                                 left (fold_checkpoint.c); NULL: nothing */
    struct json *removed;     /* {OUTPUT: {keep, at[, bytes]}}: outputs that
                                 nothing needed any more (removal.h); NULL:
                                 none */
    int without_result;      /* attempts in a row that closed without any try */
    int64_t timed_tasks;     /* ok, with the time each took known; */
    double timed_s;          /* the sum of these times */
    struct task_sizes sizes; /* what tasks that are ok needed */
    struct usage usage;      /* what all its tries used, and when */
    double began_s, ended_s; /* 0: not yet */
    int64_t count;           /* done: its `count` and `proceed` outputs */
    bool proceed;
};

struct iteration_state {
    struct stage_state *stages; /* those something happened to */
    size_t n_stages;
    size_t alloc;
    bool closed;
    bool stop;              /* the stop rule held at its end */
    char config_sha256[65]; /* of its last configuration, */
    int config_number;      /* and of its file */
    char *phase;            /* of the campaign that it belongs to; NULL: none */
    int phase_number;       /* among the phases at that time */
    bool until;             /* the phase's own rule held at its end */
    struct json *history;   /* {NAME: value}; NULL before closed */
    struct json *dataset;   /* {FORM: SHA256}: its training data; NULL: none */
    double began_s, ended_s;
};

enum campaign_status {
    CAMPAIGN_RUNNING,
    CAMPAIGN_PAUSED,
    CAMPAIGN_DONE,
    CAMPAIGN_FAILED,
};

enum then_status {
    THEN_NOT_RUN,
    THEN_RUNNING, /* it was begun; whoever did that may have been killed */
    THEN_FAILED,
    THEN_DONE,
};

/* What was run when a call was done. */
struct then_state {
    char *event; /* id, which names the result it was run for; NULL: none */
    enum then_status status;
    char *why; /* it failed; else NULL */
    int64_t n; /* its last event's number */
};

struct state {
    int64_t n; /* events folded in */
    char *id;  /* the campaign's own; NULL before its first event */
    struct {
        char *path;  /* resolved; NULL: not known */
        char *inode; /* "DEVICE:INODE" */
    } home;          /* the directory it was begun in, or adopted */
    enum campaign_status status;
    char *why; /* paused, done, failed: for a person; else NULL */
    bool converged;
    bool cancelling;  /* paused, and what is queued or running is to end */
    bool auto_paused; /* paused by the program: a person has to fix something */
    bool chained;     /* jobs are to wake it: no driver need be called */
    struct dependency_job *dependency_jobs;
    size_t n_dependency_jobs, dependency_jobs_alloc;
    struct iteration_state *iterations;
    size_t n_iterations; /* the last one is the current */
    size_t alloc;
    char config_sha256[65];  /* of the configuration last journaled; "" */
    int config_iteration;    /* that it was written for, */
    int config_number;       /* of its file among those of its iteration */
    char *path;              /* that jobs saw which see a driver's; NULL */
    int generation;          /* the highest number that was given, to a
                                generation or a replacement */
    struct json *superseded; /* [{generation, stage, iteration [outputs]}],
                                oldest first: of which results may be taken;
                                'stage' is its first name, 'outputs' the
                                digest of outputs.json; NULL: none */
    struct json *fresh;      /* [{[stage] iteration number}]: what was to be
                                made anew: 'stage' (its first name) of the
                                iteration, -1: of any; without: all; 'number'
                                of the request; NULL: nothing */
    struct json *reuse_from; /* [PATTERN], absolute: what --reuse-from named;
                                NULL: nothing */
    struct usage replaced_usage; /* what had been used for what was replaced */
    int kept;                    /* number of data that are initial ones since,
                                    0: none */
    struct json *moves;          /* {number, supersedes, paths ...}: of the last
                                    replacement, what is still to be moved;
                                    NULL: nothing */
    struct json *requests_seen;  /* {REQUEST_ID: true} of late */
    struct then_state then;      /* of a call: its function's `then:` */
    struct json *outages;        /* {PROFILE: {scheduler, since_s, why, full}}:
                                     of schedulers that do not answer, or ('full')
                                     take no jobs for now; NULL: none */
    struct json *notify;         /* [EVENT] with programs of `notify:`; NULL */
    struct json *notices;        /* [{event, of, at_s, begun ...}]: what was not
                                    told yet, oldest first (fold_notice.c);
                                    NULL: nothing */
    struct json *notice_failed;  /* {event, why, at_s}: the last notice could
                                    not be given; NULL: it was */
    int64_t moved_n;             /* the event by which it moved on last, */
    double moved_s;              /* and when; 0: not known */
    int64_t stuck_n; /* 'moved_n' when it was told last that nothing moves */
};

#define STATE_INIT                                                             \
    {                                                                          \
        0                                                                      \
    }

void state_release (struct state *state);

/* Fold one event in.  An event that does not fit (unknown kind, stage or
 * token) is an error and leaves the state as it was.
 */
int state_apply (struct state *state, const struct json *event,
                 struct error *err);

/* The stage's state in an iteration, or NULL when nothing happened to it. */
struct stage_state *state_stage (const struct state *state, int iteration,
                                 const char *name);

/* The name that the stage's files of an iteration are below: it may have been
 * renamed since.  Lent.
 */
const char *state_dir_name (const struct state *state, int iteration,
                            const char *name);

/* Where the stage's results of an iteration are; code "": it was not prepared.
 * Strings are lent.
 */
struct stage_place state_place (const struct state *state, int iteration,
                                const char *name);

/* The directory of these, and of one of its tasks, relative to the campaign;
 * NULL: it was not prepared.  Caller frees.
 */
char *state_stage_dir (const struct state *state, int iteration,
                       const char *name);
char *state_task_dir (const struct state *state, int iteration,
                      const char *name, int task);

/* The stage whose results are at 'place', or NULL. */
const struct stage_state *state_stage_in (const struct state *state,
                                          const struct stage_place *place);

/* What the stage was called when it began, by the newest iteration that knows;
 * 'otherwise' where none does.  Lent.
 */
const char *state_first_name (const struct state *state, const char *name,
                              const char *otherwise);

/* Were the results of the stage with this first name to be made anew?  Then no
 * other campaign's are taken, and none of a generation with a lower number than
 * this; 0: never.
 */
int state_fresh_since (const struct state *state, const char *first_name,
                       int iteration);

/* May its failed tasks get new tries?  Not while it runs: the logs of the open
 * attempt would say the same again.
 */
bool stage_may_be_retried (const struct stage_state *stage);

/* How many of its tasks have their results from elsewhere. */
int64_t stage_reused_tasks (const struct stage_state *stage);

/* Has anything happened to a stage of this name, in any iteration? */
bool state_knows (const struct state *state, const char *name);

/* Push the names of the stages that 'stage' means: its own, where anything
 * happened to one of that name, else those of its steps.
 */
void state_meant (const struct state *state, const char *stage,
                  struct strvec *names);

/* How long a task of stage 'name' took, the mean of the ok ones of the latest
 * iteration that has any; 0: none has.
 */
double state_task_s (const struct state *state, const char *name);

/* Its attempt that is not closed, or NULL. */
struct attempt *stage_open_attempt (const struct stage_state *stage);

/* The submission carrying 'token' in the current iteration, or the job of a
 * dependency job, or NULL.
 */
struct submission *state_submission (const struct state *state,
                                     const char *token);

/* The dependency job carrying 'token', or NULL. */
struct dependency_job *state_dependency_job (const struct state *state,
                                             const char *token);

/* What keeps the scheduler of a profile from being used, lent; NULL: nothing
 * that is known.
 */
const struct json *state_outage (const struct state *state,
                                 const char *profile);

/* Number of the current iteration, -1 before the first. */
int state_iteration (const struct state *state);

/* What they own. */
void submission_release (struct submission *submission);
void dependency_job_release (struct dependency_job *dependency_job);
void stage_state_release (struct stage_state *stage);
void iteration_state_release (struct iteration_state *iteration);

const char *then_status_name (enum then_status status);
const char *stage_status_name (enum stage_status status);
const char *campaign_status_name (enum campaign_status status);

/* Checkpoints: the whole state as JSON and back. */
struct json *state_to_json (const struct state *state);
int state_from_json (const struct json *v, struct state *state,
                     struct error *err);

#endif /* !ENGINE_STATE_H */
