/* SPDX-License-Identifier: BSD-3-Clause */
/* commit.h - what ended well on its way to the disk
 *
 * A slot takes its next task as soon as a task is over.  What the task left is
 * made durable behind it, together with that of other tasks: each file and
 * directory is synced once, the element's log once for all of them.  A task
 * with output artifacts is logged as ended when what it left is durable in its
 * place, job/<task>; what was not when an agent dies runs again.
 */
#ifndef AGENT_COMMIT_H
#define AGENT_COMMIT_H

#include "agent/claim.h"

struct assignment;
struct commit;

struct commits {
    const struct assignment *assignment; /* lent */
    struct claim *claim;                 /* lent */
    struct commit *v; /* tasks with output artifacts, the oldest first */
    size_t n, alloc;
    size_t n_batch;    /* of these, those being made durable now */
    size_t n_synced;   /* of these, those whose files are on the disk */
    bool place_synced; /* the way to job/ is, too */
    double began_s;    /* clock_mono_s: this batch; of the one before: */
    double ended_s, took_s;
};

/* Nothing is to be committed yet. */
void commits_init (struct commits *commits, const struct assignment *assignment,
                   struct claim *claim);
void commits_release (struct commits *commits);

/* Take over a task that ended ok: its working directory 'dir', beside which
 * <dir>.place has all that is to stay, and 'result', which is what result.json
 * there says.
 * 'end', copied, is logged when all that is durable in its place.
 */
void commits_add (struct commits *commits, int task, char *dir,
                  struct json *result, const struct task_end *end);

/* Are so many waiting that no task should be started? */
bool commits_full (const struct commits *commits);

/* When commits_step is to be called (clock_mono_s): at once where little is
 * going on; else as long after the last batch that most of the time is the
 * tasks'.  INFINITY: never, since all is durable.
 */
double commits_due_s (const struct commits *commits);

/* Bring one task's files to the disk; or, where that was done for all of a
 * batch, put them in their places, log them and sync the log.  -1 only when the
 * agent itself cannot go on.
 */
int commits_step (struct commits *commits, struct error *err);

#endif /* !AGENT_COMMIT_H */
