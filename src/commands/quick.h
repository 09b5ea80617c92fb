/* SPDX-License-Identifier: BSD-3-Clause */
/* quick.h - what the files of `fanfold quick` share */
#ifndef COMMANDS_QUICK_H
#define COMMANDS_QUICK_H

#include "commands/command.h"
#include "engine/history/state.h"

struct plan;
struct store;

/* A call, with the store and the profiles it is about. */
struct quick {
    const struct invocation *invocation;
    struct plan *site; /* the profiles alone */
    struct store *store;
};

/* --- quick.c --- */

/* Fill in what the options say that is neither a resource nor a word of its
 * own: hyperparameters, nodes, needs.  Not STATUS_DONE: it has complained.
 */
struct training;
enum exit_status quick_options_read (const struct quick *quick,
                                     struct training *training);

/* --- quick_make.c --- */

/* Make the task that the options and COMMAND ask for, or find the one that a
 * killed call of the same words made; its ID, which the caller frees.  Not
 * STATUS_DONE: it has complained.
 */
enum exit_status quick_make (const struct quick *quick, char **task);

/* --- quick_drive.c: tasks as campaigns --- */

/* How a task stands; 'why' (or NULL) gets the reason, if there is one.  -1
 * after complaining.
 */
int quick_state (const struct quick *quick, const char *task,
                 enum campaign_status *status, struct strbuf *why);

/* The same after a step, unless another drives. */
int quick_settle (const struct quick *quick, const char *task,
                  enum campaign_status *status, struct strbuf *why);

/* Submit what can be submitted. */
enum exit_status quick_submit (const struct quick *quick, const char *task);

/* Drive these tasks until they end, each by a step when it is due. */
enum exit_status quick_drive (const struct quick *quick,
                              const struct strvec *tasks);

/* "done", "failed" ... */
const char *quick_state_word (enum campaign_status status);

/* Where the output of a task that is done lies; NULL: it keeps none.  Caller
 * frees.
 */
char *quick_output_dir (const struct quick *quick, const char *task,
                        const struct json *record);

/* Complain that 'err' ended something: STATUS_FAILED where the machine did,
 * else STATUS_INVALID.
 */
enum exit_status quick_complain (const struct error *err);

/* --- quick_tasks.c --- */

/* What there is to tell of a task, which the caller unrefs. */
struct json *quick_view (const struct quick *quick, const char *task,
                         const struct json *record);

enum exit_status quick_list (const struct quick *quick);
enum exit_status quick_show (const struct quick *quick);
enum exit_status quick_get (const struct quick *quick);
enum exit_status quick_resume (const struct quick *quick);

#endif /* !COMMANDS_QUICK_H */
