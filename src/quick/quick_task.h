/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_task.h - the tasks of `fanfold quick`: campaign directories in the
 * store
 *
 *     STORE/quick/TASK/              a campaign; quick.json: what was asked for
 *     STORE/quick/TASK/told          whoever asked was told its ID
 *     STORE/making/TASK[.json]       being made, and by which process
 *     document "quick" TASK          that there was such a task
 *
 * The rename from making/ to quick/ is what makes a task; all the rest can be
 * made up for.  An ID that was used is never used again, since its document
 * stays.
 */
#ifndef QUICK_QUICK_TASK_H
#define QUICK_QUICK_TASK_H

#include "base/digest.h"
#include "store/store.h"

#define QUICK_FILE "quick.json"

/* Remove what those were making who are dead, and write the documents of tasks
 * that have none.  Called before anything is made.
 */
int quick_tasks_finish_making (struct store *store, struct error *err);

/* A new ID, and a directory to make its campaign in, on the file system where
 * it will be.  Caller frees both.
 */
int quick_task_begin (struct store *store, char **task, char **dir,
                      struct error *err);

/* Drop it. */
void quick_task_drop (struct store *store, const char *task);

/* The directory is complete but for 'record', which becomes quick.json: from
 * now on there is the task.
 */
int quick_task_commit (struct store *store, const char *task,
                       const struct json *record, struct error *err);

/* Its directory.  Caller frees. */
char *quick_task_dir (const struct store *store, const char *task);

/* What quick.json says, which the caller unrefs.  1; 0: there is no such task,
 * or its directory is gone, which 'err' tells; -1.
 */
int quick_task_read (struct store *store, const char *task,
                     struct json **record, struct error *err);

/* The IDs of those that are there, in the order in which they were made. */
int quick_task_list (struct store *store, struct strvec *tasks,
                     struct error *err);

/* Whoever asked knows its ID. */
int quick_task_tell (struct store *store, const char *task, struct error *err);

/* A task that was asked for in the same words, by a process that is dead and
 * told of none: whoever asks again is to go on with it.  1, and the caller
 * frees; 0; -1.
 */
int quick_task_untold (struct store *store, const char *request, char **task,
                       struct error *err);

#endif /* !QUICK_QUICK_TASK_H */
