/* SPDX-License-Identifier: BSD-3-Clause */
/* task_key.h - one name for a stage of an iteration, or for a task of it
 *
 *     iter-000003--train.run          the stage
 *     iter-000003--train.run-000002   its task 2
 */
#ifndef SPACE_TASK_KEY_H
#define SPACE_TASK_KEY_H

#include "space/layout.h"

struct task_key {
    char stage[LAYOUT_STAGE_NAME_MAX + 1];
    int iteration;
    int task; /* -1: the stage */
};

/* Does 'text' begin as a key does, so that it is meant to be one? */
bool task_key_is_meant (const char *text);

/* 0, or -1 where 'text' is no key; *key is untouched then.  Of numbers there
 * may be fewer digits than are written.
 */
int task_key_parse (const char *text, struct task_key *key);

/* Append the key of the stage, or of its task (-1: none). */
void task_key_text (const char *stage, int iteration, int task,
                    struct strbuf *out);

#endif /* !SPACE_TASK_KEY_H */
