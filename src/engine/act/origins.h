/* SPDX-License-Identifier: BSD-3-Clause */
/* origins.h - where the results come from that tasks did not have to make */
#ifndef ENGINE_ORIGINS_H
#define ENGINE_ORIGINS_H

#include "arrays/task_range.h"

struct origin {
    struct json *of;         /* {"campaign": DIR, "stage", "iteration"} */
    struct task_range tasks; /* of the stage that has the results now */
};

struct origins {
    struct origin *v;
    size_t n, alloc;
};

void origins_release (struct origins *origins);

/* Task 'task' has its result from there; other keys of 'of' are passed over.
 * NULL: it made it itself.
 */
void origins_add (struct origins *origins, const struct json *of, int32_t task);

/* [{"campaign", "stage", "iteration", "tasks": RANGE}]; NULL: of no task. */
struct json *origins_to_json (const struct origins *origins);

#endif /* !ENGINE_ORIGINS_H */
