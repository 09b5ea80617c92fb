/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_names.c - stages that have other names from now on, folded in
 *
 * Files stay where they are: what stages made, and what others recorded of it,
 * names these paths.  So a stage keeps, of each iteration, the name that it was
 * prepared with.
 */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

static int check (const struct state *state, const char *from, const char *to,
                  struct error *err)
{
    for (int i = 0; i <= state_iteration (state); i++) {
        if (state_stage (state, i, from) && state_stage (state, i, to))
            return error_set (err,
                              "stages '%s' and '%s' are both in iteration %d",
                              from, to, i);
    }
    return 0;
}

static void rename_stage (struct stage_state *stage, const char *to)
{
    if (!stage->first_name)
        stage->first_name = xstrdup (stage->name);
    if (!stage->dir)
        stage->dir = xstrdup (stage->name);
    free (stage->name);
    stage->name = xstrdup (to);
}

static void rename_all (struct state *state, const char *from, const char *to)
{
    for (int i = 0; i <= state_iteration (state); i++) {
        struct stage_state *stage = state_stage (state, i, from);

        if (stage)
            rename_stage (stage, to);
    }
    for (size_t i = 0; i < state->n_dependency_jobs; i++) {
        if (strcmp (state->dependency_jobs[i].stage, from) == 0)
            fold_text (&state->dependency_jobs[i].stage, to);
    }
}

int fold_renames (struct state *state, const struct json *event,
                  struct error *err)
{
    const struct json *renamed = json_get (event, "renamed");

    JSON_FOREACH (renamed, it) {
        if (check (state, json_iter_key (it),
                   json_as_string (json_iter_value (it)), err)
            < 0)
            return -1;
    }
    JSON_FOREACH (renamed, it)
        rename_all (state, json_iter_key (it),
                    json_as_string (json_iter_value (it)));
    return 0;
}
