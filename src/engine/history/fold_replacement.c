/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_replacement.c - stages that begin anew, folded in */
#include "base/base.h"

#include "base/json.h"
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
    if (state->moves)
        return error_set (err, "replacement %lld is not complete",
                          (long long)json_get_int (state->moves, "number"));
    return number > state->generation
               ? 0
               : error_set (err, "number %lld was given before",
                            (long long)number);
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

/* Nothing has happened to it but that; what it was called stays known. */
static void begin_anew (struct stage_state *stage)
{
    struct stage_state anew = { .name = stage->name,
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
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    state_meant (state, stage, &names);
    for (size_t i = 0; i < names.n; i++)
        forget_stage (state, names.v[i]);
}

/* No iteration has been. */
static void begin_again (struct state *state, const struct json *event)
{
    while (state->n_iterations > 0)
        drop_last_iteration (state);
    state->config_sha256[0] = '\0';
    state->config_iteration = 0;
    state->config_number = 0;
    state->kept =
        json_get (event, "keep") ? (int)json_get_int (event, "number") : 0;
}

/* --- what may be taken --- */

int fold_generation (struct state *state, int64_t number, struct error *err)
{
    if (err && number <= state->generation)
        return error_set (err, "number %lld was given before",
                          (long long)number);
    if (number > state->generation)
        state->generation = (int)number;
    return 0;
}

void fold_superseded (struct state *state, int64_t generation,
                      const char *first_name, int64_t iteration,
                      const struct json *outputs)
{
    struct json *one = json_object ();

    if (!state->superseded)
        state->superseded = json_array ();
    json_set (one, "generation", json_int (generation));
    json_set (one, "stage", json_string (first_name));
    json_set (one, "iteration", json_int (iteration));
    if (outputs)
        json_set (one, "outputs", json_deep_copy (outputs));
    json_push (state->superseded, one);
}

void fold_found (struct state *state, int64_t generation,
                 const char *first_name, int64_t iteration)
{
    bool known =
        generation < state_fresh_since (state, first_name, (int)iteration);

    for (size_t i = 0; i < json_count (state->superseded); i++)
        known = known
                || json_get_int (json_at (state->superseded, i), "generation")
                       == generation;
    if (!known)
        fold_superseded (state, generation, first_name, iteration, NULL);
}

/* By the request of this number. */
static void note_fresh (struct state *state, const char *first_name,
                        int64_t iteration, int64_t number)
{
    struct json *one = json_object (), *list = json_array ();

    if (first_name)
        json_set (one, "stage", json_string (first_name));
    json_set (one, "iteration", json_int (iteration));
    for (size_t i = 0; i < json_count (state->fresh); i++) {
        struct json *other = json_at (state->fresh, i);

        if (json_get_int (other, "iteration") != iteration
            || !json_equal (json_get (other, "stage"), json_get (one, "stage")))
            json_push (list, json_ref (other));
    }
    json_set (one, "number", json_int (number));
    json_push (list, one);
    json_unref (state->fresh);
    state->fresh = list;
}

/* No result of stages with these first names (NULL: of any) in that iteration
 * (-1: in any) may be taken, nor from other campaigns.
 */
static void drop_superseded (struct state *state, const struct strvec *names,
                             int64_t iteration, int64_t number)
{
    struct json *kept = json_array ();

    for (size_t i = 0; names && i < names->n; i++)
        note_fresh (state, names->v[i], iteration, number);
    if (!names)
        note_fresh (state, NULL, iteration, number);

    for (size_t i = 0; i < json_count (state->superseded); i++) {
        struct json *one = json_at (state->superseded, i);

        if ((names && !strvec_contains (names, json_get_string (one, "stage")))
            || (iteration >= 0 && json_get_int (one, "iteration") != iteration))
            json_push (kept, json_ref (one));
    }
    json_unref (state->superseded);
    state->superseded = json_count (kept) > 0 ? kept : NULL;
    if (!state->superseded)
        json_unref (kept);
}

static void push_first_name (const struct state *state, const char *name,
                             struct strvec *names)
{
    strvec_push (names, state_first_name (state, name, name));
}

/* What a person wants made again, or forgotten, is not taken from before. */
static void drop_what_is_fresh (struct state *state, const struct json *event)
{
    const struct json *fresh = json_get (event, "fresh");
    int64_t number = json_get_int (event, "number");
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec meant = STRVEC_INIT;

    if (strcmp (json_get_string (event, "kind"), "reset") == 0) {
        drop_superseded (state, NULL, -1, number);
    } else if (json_get (event, "forgotten")) {
        state_meant (state, json_get_string (event, "forgotten"), &meant);
        for (size_t i = 0; i < meant.n; i++)
            push_first_name (state, meant.v[i], &names);
        drop_superseded (state, &names, -1, number);
    } else if (json_count (fresh) > 0) {
        for (size_t i = 0; i < json_count (fresh); i++)
            push_first_name (state, json_as_string (json_at (fresh, i)),
                             &names);
        drop_superseded (state, &names, json_get_int (event, "to"), number);
    }
}

static void supersede (struct state *state, const struct json *event)
{
    const struct json *list = json_get (event, "supersedes");

    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *one = json_at (list, i);

        fold_superseded (state, json_get_int (one, "generation"),
                         json_get_string (one, "stage"),
                         json_get_int (one, "iteration"),
                         json_get (one, "outputs"));
    }
    drop_what_is_fresh (state, event);
}

/* --- the whole --- */

/* What is still to be done. */
static struct json *moves_of (const struct json *event)
{
    static const char *const keys[] = { "number", "supersedes", "keep",
                                        "publish" };
    struct json *moves = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        if (json_get (event, keys[i]))
            json_set (moves, keys[i],
                      json_deep_copy (json_get (event, keys[i])));
    }
    json_set (moves, "paths", json_deep_copy (json_get (event, "moves")));
    return moves;
}

static void begin_stages_anew (struct state *state, const struct json *event)
{
    struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;

    for (size_t i = 0; it && i < it->n_stages; i++) {
        struct stage_state *stage = &it->stages[i];

        if (!json_array_has_string (json_get (event, "stages"), stage->name))
            continue;
        usage_add_all (&state->replaced_usage, &stage->usage);
        begin_anew (stage);
    }
}

int fold_replacement (struct state *state, const struct json *event,
                      struct error *err)
{
    if (check (state, event, err) < 0)
        return -1;
    fold_generation (state, json_get_int (event, "number"), NULL);
    supersede (state, event);
    if (json_get (event, "forgotten"))
        forget_all (state, json_get_string (event, "forgotten"));
    else if (strcmp (json_get_string (event, "kind"), "reset") == 0)
        begin_again (state, event);
    else
        go_back (state, (int)json_get_int (event, "to"));
    begin_stages_anew (state, event);
    if (!json_get (event, "forgotten"))
        state->converged = false;
    move_datasets (state, json_get (event, "moves"));
    state->moves = moves_of (event);
    return 0;
}

static int fold_replaced (struct state *state, const struct json *event,
                          struct error *err)
{
    int64_t number = json_get_int (event, "number");

    if (!state->moves || number != json_get_int (state->moves, "number"))
        return error_set (err, "nothing is being replaced as number %lld",
                          (long long)number);
    JSON_FOREACH (json_get (event, "datasets"), it)
        fold_dataset (state, atoll (json_iter_key (it)), json_iter_value (it));
    json_unref (state->moves);
    state->moves = NULL;
    return 0;
}

const struct event_fold replacement_folds[] = {
    { "replaced", fold_replaced },
    { NULL, NULL },
};
