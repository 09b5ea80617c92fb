/* SPDX-License-Identifier: BSD-3-Clause */
/* replacement.c - what is done again, and what makes way for it */
#include "base/base.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "campaign/plan.h"
#include "engine/act/fan_in.h"
#include "engine/act/stage_description.h"
#include "engine/drive/redo_inputs.h"
#include "engine/drive/replacement.h"
#include "engine/history/engine.h"
#include "engine/history/orphans.h"
#include "space/layout.h"

/* --- what moves --- */

static void push_text (struct json *list, struct strbuf *text)
{
    json_push (list, json_string (text->buf));
    strbuf_reset (text);
}

/* What makes way. */
struct making_way {
    struct json
        *supersedes;    /* [{generation, dir, stage, iteration, outputs}] */
    struct json *moves; /* [PATH]: what is of no generation */
};

static struct making_way making_way_init (void)
{
    return (struct making_way){ json_array (), json_array () };
}

static void making_way_release (struct making_way *way)
{
    json_unref (way->supersedes);
    json_unref (way->moves);
}

/* The generation of a stage that was prepared; parameters of one that has not
 * ended are told by its outputs.json from then on.
 */
static int supersede_stage (struct engine *engine, const char *name,
                            int iteration, struct making_way *way,
                            struct error *err)
{
    const struct state *state = &engine->state;
    const struct stage_state *stage = state_stage (state, iteration, name);
    char sha256[DIGEST_HEX_SIZE];
    _cleanup_free_ char *dir = NULL;
    struct json *one;

    if (stage->generation == 0 || stage->status == STAGE_WAITING
        || stage->status == STAGE_SKIPPED || stage->bad_input)
        return 0;
    if (fan_in_unfinished (engine, stage, iteration, sha256, err) < 0)
        return -1;
    dir = state_stage_dir (state, iteration, name);
    one = json_object ();
    json_set (one, "generation", json_int (stage->generation));
    json_set (one, "dir", json_string (dir));
    json_set (one, "stage", json_string (state_first_name (state, name, name)));
    json_set (one, "iteration", json_int (iteration));
    json_set (one, "outputs",
              json_string (stage->outputs ? stage->outputs : sha256));
    json_push (way->supersedes, one);
    return 0;
}

/* The data that were published in the iteration, in every form. */
static int move_datasets (const struct engine *engine, int iteration,
                          struct json *moves, struct error *err)
{
    _cleanup_free_ char *dir = path_join (engine->dir, LAYOUT_DATASET_DIR);
    _cleanup_ (strvec_release) struct strvec formats = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    struct error why = ERROR_INIT;
    int rc = 0;

    if (file_list_dir (dir, &formats, &why) < 0 && why.number != ENOENT)
        rc = error_copy (err, &why);
    for (size_t i = 0; i < formats.n; i++) {
        layout_dataset_dir (formats.v[i], iteration, &path);
        push_text (moves, &path);
    }
    return rc;
}

static void push_number_once (struct json *list, int n)
{
    for (size_t i = 0; i < json_count (list); i++) {
        if (json_as_int (json_at (list, i)) == n)
            return;
    }
    json_push (list, json_int (n));
}

static bool has_published (const struct engine *engine, const char *name,
                           int iteration)
{
    int at = plan_stage_find (engine->plan, name);
    const struct stage_state *s = state_stage (&engine->state, iteration, name);

    return s && s->status == STAGE_DONE && at >= 0
           && stage_publishes (&engine->plan->stages[at]);
}

static void move_config (int iteration, struct json *moves)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

    layout_config_file (iteration, 0, &path);
    strbuf_truncate (&path, (size_t)(path_base (path.buf) - 1 - path.buf));
    push_text (moves, &path);
}

/* All of an iteration that is undone. */
static int move_iteration (struct engine *engine, int iteration,
                           struct making_way *way, struct error *err)
{
    const struct iteration_state *it = &engine->state.iterations[iteration];
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < it->n_stages; i++)
        rc = supersede_stage (engine, it->stages[i].name, iteration, way, err);
    move_config (iteration, way->moves);
    return rc == 0 ? move_datasets (engine, iteration, way->moves, err) : rc;
}

static void fill (const struct engine *engine, int iteration,
                  struct json *stages, struct json *fresh,
                  const struct making_way *way, struct json *event)
{
    json_set (event, "to", json_int (iteration));
    json_set (event, "stages", stages);
    json_set (event, "fresh", fresh);
    json_set (event, "number", json_int (engine->state.generation + 1));
    json_set (event, "supersedes", way->supersedes);
    json_set (event, "moves", way->moves);
}

/* --- redo --- */

/* One is complete before the next begins. */
static int check_moved (const struct state *state, struct error *err)
{
    return state->moves
               ? error_set (err, "what was replaced last is still being "
                                 "moved; run the command again")
               : 0;
}

static int check_idle (const struct state *state, const char *command,
                       struct error *err)
{
    const struct iteration_state *it =
        &state->iterations[state->n_iterations - 1];

    for (size_t i = 0; i < it->n_stages; i++) {
        if (stage_open_attempt (&it->stages[i]))
            return error_set (err,
                              "stage '%s' is running; run `fanfold cancel`, "
                              "wait until it has ended, then run `fanfold %s`",
                              it->stages[i].name, command);
    }
    return 0;
}

/* By its condition, or since nothing came to it: it would be skipped again.
 * What a person skipped may be run.
 */
static int check_not_skipped (const struct state *state, const char *stage,
                              int iteration, struct error *err)
{
    const struct stage_state *s = state_stage (state, iteration, stage);
    _cleanup_free_ char *ran = NULL;
    int at = iteration;

    if (s->status != STAGE_SKIPPED || s->skip_asked)
        return 0;
    while (at >= 0 && (!s || s->status == STAGE_SKIPPED))
        s = --at >= 0 ? state_stage (state, at, stage) : NULL;
    ran = at < 0 ? xstrdup ("")
                 : xasprintf ("name --iteration %d, where it ran, or ", at);
    s = state_stage (state, iteration, stage);
    error_set (err,
               "stage '%s' was skipped in iteration %d (%s): nothing to run "
               "again; %sleave the stage out to decide all of iteration %d "
               "anew",
               stage, iteration, s->why ? s->why : "no reason was given", ran,
               iteration);
    return -1;
}

/* The stage, or a step of it, has begun there and has something to run. */
static int check_begun (const struct engine *engine, const char *stage,
                        int iteration, struct error *err)
{
    const struct state *state = &engine->state;
    bool begun = false;
    int rc = 0;

    for (size_t i = 0; i < engine->plan->n_stages; i++) {
        const char *name = engine->plan->stages[i].name;
        const struct stage_state *s = state_stage (state, iteration, name);

        if (!stage_is_of (name, stage) || !s || s->status == STAGE_WAITING)
            continue;
        begun = true;
        rc = check_not_skipped (state, name, iteration, err);
        if (rc == 0)
            return 0;
    }
    return begun ? rc
                 : error_set (err, "stage '%s' has not begun in iteration %d",
                              stage, iteration);
}

static int check_redo (const struct engine *engine, const char *stage,
                       int iteration, struct error *err)
{
    const struct state *state = &engine->state;

    if (iteration < 0 || iteration > state_iteration (state))
        return error_set (err, "iteration %d has not begun", iteration);
    if (stage && check_begun (engine, stage, iteration, err) < 0)
        return -1;
    if (check_moved (state, err) < 0 || check_idle (state, "redo", err) < 0)
        return -1;
    return redo_check_inputs (engine, stage, iteration, err);
}

int replacement_of_redo (struct engine *engine, const char *stage,
                         int iteration, struct json *event, struct error *err)
{
    const struct plan *plan = engine->plan;
    const struct iteration_state *it;
    struct json *stages, *fresh, *publish;
    struct making_way way;
    bool *depends;
    bool moved = false, others = false; /* published data */
    int rc = 0;

    if (check_redo (engine, stage, iteration, err) < 0)
        return -1;
    it = &engine->state.iterations[iteration];
    depends = redo_depending (plan, stage);
    stages = json_array ();
    fresh = json_array ();
    publish = json_array ();
    way = making_way_init ();
    for (size_t i = 0; rc == 0 && i < it->n_stages; i++) {
        const char *name = it->stages[i].name;
        int at = plan_stage_find (plan, name);

        if (at < 0 ? stage != NULL : !depends[at]) {
            others |= has_published (engine, name, iteration);
            continue;
        }
        json_push (stages, json_string (name));
        if (stage && stage_is_of (name, stage))
            json_push (fresh, json_string (name));
        rc = supersede_stage (engine, name, iteration, &way, err);
        if (at >= 0 && stage_publishes (&plan->stages[at]))
            moved = true;
    }
    if (rc == 0 && moved)
        rc = move_datasets (engine, iteration, way.moves, err);
    if (moved && others)
        push_number_once (publish, iteration);
    for (int i = iteration + 1;
         rc == 0 && i <= state_iteration (&engine->state); i++)
        rc = move_iteration (engine, i, &way, err);
    free (depends);
    if (rc == 0) {
        fill (engine, iteration, stages, fresh, &way, event);
        json_set (event, "publish", publish);
        return 0;
    }
    json_unref (stages);
    json_unref (fresh);
    json_unref (publish);
    making_way_release (&way);
    return -1;
}

/* --- forget --- */

/* The stage's published data, and what others published with them. */
static int move_published (const struct engine *engine, const char *name,
                           int iteration, struct json *moves,
                           struct json *publish, struct error *err)
{
    const struct plan *plan = engine->plan;
    int at = plan_stage_find (plan, name);
    const struct stage_state *s = state_stage (&engine->state, iteration, name);

    if (s->status != STAGE_DONE
        || (at >= 0 && !stage_publishes (&plan->stages[at])))
        return 0;
    for (size_t i = 0; i < plan->n_stages; i++) {
        if ((int)i != at
            && has_published (engine, plan->stages[i].name, iteration))
            push_number_once (publish, iteration);
    }
    return move_datasets (engine, iteration, moves, err);
}

/* Meant was one that the file does not have, mostly. */
static int nothing_known (const struct plan *plan, const struct state *state,
                          const char *stage, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const char *near;

    orphans_find (plan, state, &names);
    near = nearest_word (stage, &names);
    error_set (err, "nothing is known of a stage '%s'%s%s%s", stage,
               near ? "; did you mean '" : "", near ? near : "",
               near ? "'?" : "");
    return -1;
}

/* 'name': the stage, or a step of it. */
static int check_forget_one (const struct plan *offered,
                             const struct state *state, const char *name,
                             const char *stage, struct error *err)
{
    _cleanup_json_ struct json *due = renames_due (offered, state);
    const struct json *to = json_get (due, name);
    int rc = 0;

    if (plan_stage_find (offered, name) >= 0)
        rc = error_set (err,
                        "stage '%s' is in campaign.yaml; take it out of the "
                        "file, then run `fanfold forget %s`",
                        name, stage);
    else if (to)
        rc = error_set (err,
                        "stage '%s' goes on as '%s' (renamed_from); remove "
                        "that from the file, then run `fanfold forget %s`",
                        name, json_as_string (to), stage);
    return rc;
}

static int check_forget (const struct engine *engine, const char *stage,
                         const struct strvec *names, struct error *err)
{
    const struct plan *offered = engine_offered_plan (engine);
    const struct state *state = &engine->state;

    if (names->n == 0)
        return nothing_known (offered, state, stage, err);
    for (size_t i = 0; i < names->n; i++) {
        if (check_forget_one (offered, state, names->v[i], stage, err) < 0)
            return -1;
    }
    if (check_moved (state, err) < 0 || check_idle (state, "forget", err) < 0)
        return -1;
    return 0;
}

/* What is prepared may have been bound to what goes. */
static int unprepare (struct engine *engine, const struct strvec *but,
                      struct json *stages, struct making_way *way,
                      struct error *err)
{
    int iteration = state_iteration (&engine->state);
    const struct iteration_state *it = &engine->state.iterations[iteration];
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < it->n_stages; i++) {
        const char *name = it->stages[i].name;

        if (it->stages[i].status != STAGE_PREPARED
            || strvec_contains (but, name))
            continue;
        json_push (stages, json_string (name));
        rc = supersede_stage (engine, name, iteration, way, err);
    }
    return rc;
}

/* All of one that is forgotten. */
static int move_forgotten (struct engine *engine, const char *name,
                           struct making_way *way, struct json *publish,
                           struct error *err)
{
    const struct state *state = &engine->state;
    int rc = 0;

    for (int i = 0; rc == 0 && i <= state_iteration (state); i++) {
        if (!state_stage (state, i, name))
            continue;
        rc = supersede_stage (engine, name, i, way, err);
        if (rc == 0)
            rc = move_published (engine, name, i, way->moves, publish, err);
    }
    return rc;
}

int replacement_of_forget (struct engine *engine, const char *stage,
                           struct json *event, struct error *err)
{
    const struct state *state = &engine->state;
    struct json *stages, *publish;
    struct making_way way;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int64_t results = 0;
    int rc;

    state_meant (state, stage, &names);
    if ((rc = check_forget (engine, stage, &names, err)) < 0)
        return -1;
    stages = json_array ();
    way = making_way_init ();
    publish = json_array ();
    rc = unprepare (engine, &names, stages, &way, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        rc = move_forgotten (engine, names.v[i], &way, publish, err);
        results += orphan_results (state, names.v[i]);
    }
    fill (engine, state_iteration (state), stages, json_array (), &way, event);
    json_set (event, "forgotten", json_string (stage));
    json_set (event, "results", json_int (results));
    json_set (event, "publish", publish);
    return rc;
}

/* --- reset --- */

static void push_once (struct json *list, const char *text)
{
    if (text && !json_array_has_string (list, text))
        json_push (list, json_string (text));
}

/* All directories of the data space, each as a whole. */
static void move_all (const struct engine *engine, bool keep_data,
                      struct json *moves)
{
    static const char *const dirs[] = { LAYOUT_DATASET_DIR, LAYOUT_CONFIG_DIR,
                                        LAYOUT_RUN_DIR, LAYOUT_WORKSPACE_DIR };
    const struct plan *offered = engine_offered_plan (engine);
    const struct state *state = &engine->state;

    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            push_once (moves, it->stages[k].name);
            push_once (moves, it->stages[k].dir);
        }
    }
    for (size_t i = 0; i < offered->n_stages; i++)
        push_once (moves, offered->stages[i].name);
    for (size_t i = 0; i < ARRAY_SIZE (dirs); i++)
        push_once (moves, dirs[i]);
    if (!keep_data)
        push_once (moves, LAYOUT_KEPT_DIR);
}

/* How many tasks are ok. */
static int64_t count_results (const struct state *state)
{
    int64_t n = 0;

    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++)
            n += it->stages[k].by_outcome[OUTCOME_OK];
    }
    return n;
}

int replacement_of_reset (struct engine *engine, bool keep_data,
                          struct json *event, struct error *err)
{
    const struct state *state = &engine->state;
    struct making_way way;

    if (state->n_iterations == 0)
        return error_set (err, "nothing has run; the campaign is as new");
    if (check_moved (state, err) < 0 || check_idle (state, "reset", err) < 0)
        return -1;
    way = making_way_init ();
    move_all (engine, keep_data, way.moves);
    fill (engine, 0, json_array (), json_array (), &way, event);
    json_set (event, "results", json_int (count_results (state)));
    json_set (event, "iterations", json_int (state_iteration (state) + 1));
    if (keep_data)
        json_set (event, "keep", json_string (LAYOUT_DATASET_EXTXYZ));
    return 0;
}

/* --- retry --- */

/* Would it be prepared otherwise?  1; 0; -1.  Of one whose inputs do not fit
 * any more that is told when it is prepared.
 */
static int is_changed (struct engine *engine, const struct stage_state *s,
                       struct error *err)
{
    int at = plan_stage_find (engine->plan, s->name);
    int iteration = state_iteration (&engine->state);
    struct stage_description now;
    struct error why = ERROR_INIT;
    struct json *manifest;
    int changed = -1;

    if (at < 0 || s->status != STAGE_FAILED || s->bad_input
        || stage_open_attempt (s))
        return 0;
    if (s->unsteady) /* none of its results counts */
        return 1;
    manifest =
        engine_stage_file (engine, iteration, s->name, LAYOUT_STAGE_MANIFEST);
    if (!json_get (manifest, "definition")) {
        json_unref (manifest);
        return 0;
    }
    if (stage_describe (engine, &engine->plan->stages[at], iteration, false,
                        &now, &why)
        == 0)
        changed =
            strcmp (now.definition, json_get_string (manifest, "definition"))
            != 0;
    if (changed < 0)
        changed = error_is_machine_error (&why) ? error_copy (err, &why) : 1;
    stage_description_release (&now);
    json_unref (manifest);
    return changed;
}

int replacement_of_retry (struct engine *engine, const char *stage,
                          struct json *event, struct error *err)
{
    const struct state *state = &engine->state;
    int iteration = state_iteration (state);
    const struct iteration_state *it = &state->iterations[iteration];
    struct making_way way = making_way_init ();
    struct json *stages = json_array ();
    int changed = 0;

    for (size_t i = 0; changed >= 0 && i < it->n_stages; i++) {
        const struct stage_state *s = &it->stages[i];

        if (stage && !stage_is_of (s->name, stage))
            continue;
        if ((changed = is_changed (engine, s, err)) <= 0)
            continue;
        json_push (stages, json_string (s->name));
        if (supersede_stage (engine, s->name, iteration, &way, err) < 0)
            changed = -1;
    }
    if (json_count (stages) > 0 && check_moved (state, err) < 0)
        changed = -1;
    if (changed >= 0 && json_count (stages) > 0) {
        fill (engine, iteration, stages, json_array (), &way, event);
        return 0;
    }
    json_unref (stages);
    making_way_release (&way);
    return changed < 0 ? -1 : 0;
}
