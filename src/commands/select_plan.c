/* SPDX-License-Identifier: BSD-3-Clause */
/* select_plan.c - what fanfold-reduce would be asked to do, but for the writing
 */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "commands/select_plan.h"
#include "commands/select_source.h"
#include "reduce/plan_file.h"

/* What a stage looked at is looked at; in other files, structures only if the
 * rules are about them.
 */
static bool needs_structures (const struct select_source *source,
                              const struct rules *rules)
{
    return source->inputs || rules->avg_relative || rules->filters.any
           || rules->duplicates > 0 || rules->pick == PICK_DIVERSE;
}

static void take_trajectory (const struct select_source *source,
                             size_t i,
                             struct plan *plan,
                             struct trajectory *one)
{
    char *path = select_source_trajectory (source, i);

    if (path[0] != '\0')
        one->path = arena_strdup (plan->texts, path);
    free (path);
}

static int take_forces (const struct select_source *source,
                        size_t i,
                        struct plan *plan,
                        struct trajectory *one,
                        struct error *err)
{
    size_t n;

    one->path = source->files.v[i];
    one->forces = select_source_forces (source->inputs, i, &n);
    if (plan->n_models == 0)
        plan->n_models = n;
    if (n != plan->n_models)
        return error_set (err,
                          "task %zu has %zu files of forces, and others %zu", i,
                          n, plan->n_models);
    return 0;
}

/* A task that left nothing has no file. */
static int take_files (const struct select_source *source,
                       struct plan *plan,
                       struct error *err)
{
    bool structures = needs_structures (source, &plan->rules);
    int rc = 0;

    plan->trajectories =
        xcalloc (source->files.n, sizeof (*plan->trajectories));
    for (size_t i = 0; rc == 0 && i < source->files.n; i++) {
        struct trajectory *one = &plan->trajectories[plan->n_trajectories];

        if (source->files.v[i][0] == '\0')
            continue;
        plan->n_trajectories++;
        one->task = (int64_t)i;
        one->system = source->system[i];
        one->name = source->systems.v[one->system];
        if (source->by_forces) {
            rc = take_forces (source, i, plan, one, err);
        } else {
            one->deviations = source->files.v[i];
            if (structures)
                take_trajectory (source, i, plan, one);
        }
    }
    return rc;
}

int select_plan (const struct select_source *source,
                 const struct json *asked,
                 struct plan *plan,
                 struct error *err)
{
    plan->iteration = source->iteration;
    plan->texts = arena_create ();
    for (size_t i = 0; i < source->systems.n; i++)
        strvec_push (&plan->systems, source->systems.v[i]);
    if (plan_read_lists (asked, plan, err) < 0
        || rules_from_json (asked, &plan->systems, &plan->rules, err) < 0
        || committee_rules_from_json (asked, &plan->committee, err) < 0
        || take_files (source, plan, err) < 0)
        return -1;
    return plan_check (plan, err);
}
