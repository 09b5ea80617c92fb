/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.h - the folds of single events (events.h), shared by state_fold.c and
 * the files of its folds; nothing else may change a state
 *
 * A fold checks everything it needs before it changes anything.
 */
#ifndef ENGINE_FOLD_H
#define ENGINE_FOLD_H

#include "campaign/notify.h"
#include "engine/history/state.h"

/* When it happened. */
double fold_now_s (const struct json *event);

/* Replace *to by a copy of 'text'; NULL for "" or NULL. */
void fold_text (char **to, const char *text);

/* The stage an event is about, which something happened to before; NULL with
 * 'err'.
 */
struct stage_state *fold_event_stage (const struct state *state,
                                      const struct json *event,
                                      struct error *err);

/* The same, made when nothing has happened to it yet: call it when nothing can
 * fail any more.
 */
struct stage_state *fold_event_new_stage (struct state *state,
                                          const struct json *event,
                                          struct error *err);

/* The name of the stage that an event of the current iteration is about; NULL
 * with 'err'.
 */
const char *fold_event_stage_name (const struct state *state,
                                   const struct json *event, struct error *err);

/* The stage of the current iteration, made when there is none. */
struct stage_state *fold_new_stage (struct state *state, const char *name);

/* The user who submits, and 1; 0 where the event does not say. */
int64_t fold_uid (const struct json *event);

/* The submission an event is about, or NULL with 'err'. */
struct submission *fold_event_submission (struct state *state,
                                          const struct json *event,
                                          struct error *err);

/* Dependency jobs that ended or never came to be are no longer there. */
void fold_drop_dependency_jobs (struct state *state);

/* Give a task its outcome, keeping the stage's counts. */
void fold_set_outcome (struct stage_state *stage, int32_t task,
                       enum outcome outcome);

/* A task ended so; 'told' is what the event tells of its checkpoint, or NULL.
 * True: it is a newer one than what was known, so that the try is not charged,
 * nor counted as one that needs more time; a thousand times at most.  Before
 * the outcome is folded in.
 */
bool fold_checkpoint (struct stage_state *stage, int32_t task,
                      enum outcome outcome, bool tried,
                      const struct json *told);

/* What is known of an iteration's training data: {FORM: SHA256}, or NULL. */
void fold_dataset (struct state *state, int64_t iteration,
                   const struct json *dataset);

/* This number was given, never before; with 'err' NULL perhaps it was. */
int fold_generation (struct state *state, int64_t number, struct error *err);

/* Results of this generation of stage 'first_name' may be taken from now on. */
void fold_superseded (struct state *state, int64_t generation,
                      const char *first_name, int64_t iteration,
                      const struct json *outputs);

/* The same of one that a preparation found in its place, unless it is known to
 * be superseded or older than what was to be made anew: another host may have
 * seen it where it was no longer.
 */
void fold_found (struct state *state, int64_t generation,
                 const char *first_name, int64_t iteration);

/* What a request replaces, if anything, before the rest of it is folded in. */
int fold_replacement (struct state *state, const struct json *event,
                      struct error *err);

/* A driver will ask the schedulers anew, or none any more. */
void fold_forget_outages (struct state *state);

/* Stages that have other names by a new configuration. */
int fold_renames (struct state *state, const struct json *event,
                  struct error *err);

/* What people may be told of an event, by the state before it is folded in;
 * NOTICE_EVENTS: nothing.
 */
enum notice_event fold_notice_of (const struct state *state,
                                  const struct json *event);

/* When it is: 'notice' waits, if it is asked for; and whether the campaign
 * moved on by it.
 */
void fold_moved (struct state *state, const struct json *event,
                 enum notice_event notice);

/* What happened is another directory's to tell. */
void fold_forget_notices (struct state *state);

/* A stage, or steps of one, will not run. */
int fold_skip (struct state *state, const struct json *event,
               struct error *err);

/* The campaign pauses itself. */
int fold_paused (struct state *state, const struct json *event,
                 struct error *err);

/* --- the folds of each file, up to one without a kind --- */

struct event_fold {
    const char *kind; /* "ev" of its events */
    int (*apply) (struct state *state, const struct json *event,
                  struct error *err);
};

extern const struct event_fold home_folds[];
extern const struct event_fold stage_folds[];
extern const struct event_fold dependency_job_folds[];
extern const struct event_fold submission_folds[];
extern const struct event_fold outage_folds[];
extern const struct event_fold replacement_folds[];
extern const struct event_fold removal_folds[];
extern const struct event_fold request_folds[];
extern const struct event_fold notice_folds[];

#endif /* !ENGINE_FOLD_H */
