/* SPDX-License-Identifier: BSD-3-Clause */
/* act.h - one action done and journaled
 *
 * Every effect is followed by its event; a crash between the two leaves what
 * decide can go on from.
 */
#ifndef ENGINE_ACT_H
#define ENGINE_ACT_H

#include "adapter.h"

struct action;
struct engine;
struct profile;
struct submission;

enum act_result {
    ACT_DONE = 0,
    ACT_LATER = 1,   /* the scheduler is silent: 'err' says what it said */
    ACT_NOT_NOW = 2, /* it takes no job now: the same */
    ACT_BROKEN = 3,  /* it cannot be used before a person acts: the same */
    ACT_FAILED = -1, /* nothing more can be done now (disk, lease, ...) */
};

enum act_result act (struct engine *engine, const struct action *action,
                     struct error *err);

/* Of an answer that is neither ANSWER_OK nor ANSWER_REFUSED. */
enum act_result act_unanswered (enum answer answer);

/* Journal that the scheduler calls the job carrying 'token' 'id'; 'found': it
 * was not told when it was submitted.
 */
int act_record_id (struct engine *engine, const char *token, const char *id,
                   bool found, struct error *err);

/* Journal that the scheduler refused it, which pauses the campaign. */
enum act_result act_record_refusal (struct engine *engine, const char *token,
                                    const char *what,
                                    const struct profile *profile,
                                    struct error *err);

/* Absolute path of 'name' in an attempt's directory, and in that of one of its
 * chunks; 'dir' is the campaign directory.  Caller frees.
 */
struct attempt_place {
    int generation; /* of the stage */
    int attempt;
};
char *attempt_path (const char *dir, const struct attempt_place *place,
                    const char *name);
char *attempt_chunk_path (const char *dir, const struct attempt_place *place,
                          int chunk, const char *name);

/* Cancel every job with the submission's token but the recorded one. */
enum answer act_cancel_others (const struct scheduler_adapter *adapter,
                               const struct scheduler *scheduler,
                               const struct submission *submission,
                               struct error *err);

/* A task whose result is there is ok, whatever was logged of it: the log of the
 * agent that committed it may be late or lost, and the record another copy's.
 * Returns the "results" event with every task that is_found() tells of moved to
 * `ok` (it is asked only about the others), and with "avoid": the nodes at
 * which tasks ended with one of the outcomes 'avoid_after' (bits 1 << OUTCOME).
 * Pure; caller unrefs.
 */
struct json *results_checked (const struct json *event, unsigned avoid_after,
                              bool (*is_found) (int32_t task, void *arg),
                              void *arg);

/* The kinds of action, by file. */
enum act_result act_results (struct engine *engine, const struct action *action,
                             struct error *err);
enum act_result act_prepare (struct engine *engine, const struct action *action,
                             struct error *err);
enum act_result act_open_attempt (struct engine *engine,
                                  const struct action *action,
                                  struct error *err);
enum act_result act_close_attempt (struct engine *engine,
                                   const struct action *action,
                                   struct error *err);
enum act_result act_submit (struct engine *engine, const struct action *action,
                            struct error *err);
enum act_result act_find (struct engine *engine, const struct action *action,
                          struct error *err);
enum act_result act_release (struct engine *engine, const struct action *action,
                             struct error *err);
enum act_result act_cancel (struct engine *engine, const struct action *action,
                            struct error *err);
enum act_result act_end (struct engine *engine, const struct action *action,
                         struct error *err);
enum act_result act_sweep (struct engine *engine, const struct action *action,
                           struct error *err);
enum act_result act_dismiss (struct engine *engine, const struct action *action,
                             struct error *err);
enum act_result act_wake (struct engine *engine, const struct action *action,
                          struct error *err);
enum act_result act_fan_in (struct engine *engine, const struct action *action,
                            struct error *err);
enum act_result act_config (struct engine *engine, const struct action *action,
                            struct error *err);
enum act_result act_replace (struct engine *engine, const struct action *action,
                             struct error *err);
enum act_result act_remove (struct engine *engine, const struct action *action,
                            struct error *err);
enum act_result act_begin (struct engine *engine, const struct action *action,
                           struct error *err);
#endif /* !ENGINE_ACT_H */
