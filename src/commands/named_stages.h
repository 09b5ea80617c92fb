/* SPDX-License-Identifier: BSD-3-Clause */
/* named_stages.h - what STAGE [TASK] of a command names
 *
 * A stage; one that has steps, and so all of them; a step; or a key
 * (space/task_key.h), which says the iteration as well, and maybe the task.
 */
#ifndef COMMANDS_NAMED_STAGES_H
#define COMMANDS_NAMED_STAGES_H

#include "commands/command.h"
#include "space/task_key.h"

struct campaign;
struct family;
struct plan;
struct stage;

struct named_stages {
    char name[LAYOUT_STAGE_NAME_MAX + 1]; /* without the rest of a key */
    const struct family *family;          /* NULL: it has no steps */
    const struct stage **v; /* in the plan's order; of a family its steps */
    size_t n;
    int iteration; /* by --iteration or the key; -1: not said */
    int task;      /* by TASK or the key; -1: not said */
};

#define NAMED_STAGES_INIT                                                      \
    {                                                                          \
        .iteration = -1, .task = -1                                            \
    }

/* What 'text' means, with 'task' (NULL: none was given) and --iteration.  Not
 * STATUS_DONE: it has complained.  Release 'named' whatever comes of it.
 */
enum exit_status named_stages_find (const struct invocation *invocation,
                                    const struct plan *plan, const char *text,
                                    const char *task,
                                    struct named_stages *named);
void named_stages_release (struct named_stages *named);

/* The text alone: its name and the numbers of a key; for stages that the plan
 * need not have.
 */
enum exit_status named_stages_read (const struct invocation *invocation,
                                    const char *text, const char *task,
                                    struct named_stages *named);

/* The only stage; NULL after complaining that it has steps. */
const struct stage *named_stage (const struct named_stages *named);

/* The iteration that was named, or the current one, which has begun.  Not
 * STATUS_DONE: after complaining, '*iteration' untouched.
 */
enum exit_status named_iteration (const struct campaign *campaign,
                                  const struct named_stages *named,
                                  int *iteration);

/* That of --iteration alone. */
enum exit_status campaign_iteration (const struct campaign *campaign,
                                     const struct invocation *invocation,
                                     int *iteration);

/* "train.prep, train.run" */
void named_stages_text (const struct named_stages *named, struct strbuf *out);

#endif /* !COMMANDS_NAMED_STAGES_H */
