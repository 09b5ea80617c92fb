/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_replacement.c - stages that begin anew, folded in */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "engine/history/fold.h"
#include "space/layout_read.h"

void fold_dataset (struct state *state, int64_t iteration,
                   const struct json *dataset)
{
    struct iteration_state *it;

    if (iteration < 0 || iteration > state_iteration (state))
        return;
    it = &state->iterations[iteration];
    json_unref (it->dataset);
    it->dataset = dataset ? json_deep_copy (dataset) : NULL;
}

/* Training data that move are no more. */
static void move_datasets (struct state *state, const struct json *moves)
{
    for (size_t i = 0; i < json_count (moves); i++) {
        struct space_path at;

        space_path_read (json_as_string (json_at (moves, i)), &at);
        if (at.kind == SPACE_DATASET)
            fold_dataset (state, at.iteration, NULL);
    }
}

static int check (const struct state *state, const struct json *event,
                  struct error *err)
{
    int64_t to = json_get_int (event, "to");
    int64_t number = json_get_int (event, "number");

    if (to < 0 || to > state_iteration (state))
        return error_set (err, "iteration %lld has not begun", (long long)to);
    if (number != state->replaced + 1)
        return error_set (err, "replacement %lld is not next",
                          (long long)number);
    if (state->moves)
        return error_set (err, "replacement %d is not complete",
                          state->replaced);
    return 0;
}

/* What was used for it stays used. */
static void drop_last_iteration (struct state *state)
{
    struct iteration_state *last = &state->iterations[--state->n_iterations];

    for (size_t i = 0; i < last->n_stages; i++)
        usage_add_all (&state->replaced_usage, &last->stages[i].usage);
    iteration_state_release (last);
}

/* Later iterations have not been. */
static void go_back (struct state *state, int to)
{
    struct iteration_state *it = &state->iterations[to];

    while (state_iteration (state) > to)
        drop_last_iteration (state);
    it->closed = false;
    it->stop = false;
    it->until = false;
    it->ended_s = 0;
    json_unref (it->history);
    it->history = NULL;
    state->config_iteration = to;
    state->config_number = it->config_number;
    memcpy (state->config_sha256, it->config_sha256,
            sizeof (state->config_sha256));
}

/* Nothing has happened to it but that; what it was called stays known.  Its
 * results, replaced as 'number', are not adopted if it is 'fresh', or if what
 * made which of them is not known.
 */
static void begin_anew (struct stage_state *stage, int number, bool fresh)
{
    int adopt_after = fresh || stage->unsteady ? number : 0;
    struct stage_state anew = { .name = stage->name,
                                .adopt_after = adopt_after,
                                .dir = stage->dir,
                                .first_name = stage->first_name };

    stage->name = stage->dir = stage->first_name = NULL;
    stage_state_release (stage);
    *stage = anew;
}

/* It has not been, in any iteration. */
static void forget_stage (struct state *state, const char *name)
{
    for (int i = 0; i <= state_iteration (state); i++) {
        struct iteration_state *it = &state->iterations[i];
        struct stage_state *stage = state_stage (state, i, name);
        size_t at = stage ? (size_t)(stage - it->stages) : 0;

        if (!stage)
            continue;
        usage_add_all (&state->replaced_usage, &stage->usage);
        stage_state_release (stage);
        memmove (stage, stage + 1,
                 (it->n_stages - at - 1) * sizeof (*it->stages));
        it->n_stages--;
    }
}

/* Of a stage that has steps: of all of them. */
static void forget_all (struct state *state, const char *stage)
{
    struct strvec names = STRVEC_INIT;

    state_meant (state, stage, &names);
    for (size_t i = 0; i < names.n; i++)
        forget_stage (state, names.v[i]);
    strvec_release (&names);
}

/* No iteration has been. */
static void begin_again (struct state *state, const struct json *event)
{
    while (state->n_iterations > 0)
        drop_last_iteration (state);
    state->config_sha256[0] = '\0';
    state->config_iteration = 0;
    state->config_number = 0;
    state->fresh_after = (int)json_get_int (event, "number");
    state->kept = json_get (event, "keep") ? state->fresh_after : 0;
}

int fold_replacement (struct state *state, const struct json *event,
                      struct error *err)
{
    struct iteration_state *it;
    int number = (int)json_get_int (event, "number");

    if (check (state, event, err) < 0)
        return -1;
    if (json_get (event, "forgotten"))
        forget_all (state, json_get_string (event, "forgotten"));
    else if (strcmp (json_get_string (event, "kind"), "reset") == 0)
        begin_again (state, event);
    else
        go_back (state, (int)json_get_int (event, "to"));
    it = state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                 : NULL;
    for (size_t i = 0; it && i < it->n_stages; i++) {
        struct stage_state *stage = &it->stages[i];

        if (!json_array_has_string (json_get (event, "stages"), stage->name))
            continue;
        usage_add_all (&state->replaced_usage, &stage->usage);
        begin_anew (
            stage, number,
            json_array_has_string (json_get (event, "fresh"), stage->name));
    }
    if (!json_get (event, "forgotten"))
        state->converged = false;
    move_datasets (state, json_get (event, "moves"));
    state->replaced = number;
    state->moves = json_object ();
    json_set (state->moves, "number", json_int (number));
    json_set (state->moves, "paths",
              json_deep_copy (json_get (event, "moves")));
    if (json_get (event, "keep"))
        json_set (state->moves, "keep",
                  json_deep_copy (json_get (event, "keep")));
    if (json_get (event, "publish"))
        json_set (state->moves, "publish",
                  json_deep_copy (json_get (event, "publish")));
    return 0;
}

int fold_replaced (struct state *state, const struct json *event,
                   struct error *err)
{
    if (!state->moves || json_get_int (event, "number") != state->replaced)
        return error_set (err, "nothing is being replaced as number %lld",
                          (long long)json_get_int (event, "number"));
    JSON_FOREACH (json_get (event, "datasets"), it)
        fold_dataset (state, atoll (json_iter_key (it)), json_iter_value (it));
    json_unref (state->moves);
    state->moves = NULL;
    return 0;
}
