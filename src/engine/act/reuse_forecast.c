/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_forecast.c - how many tasks of a stage would be reused, and why not all
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/identity_index.h"
#include "engine/act/other_campaigns.h"
#include "engine/act/reuse_forecast.h"
#include "engine/act/slices.h"
#include "engine/act/stage_description.h"
#include "engine/act/witness.h"
#include "engine/history/engine.h"
#include "engine/history/version_lines.h"
#include "arrays/task_range.h"
#include "signature/task_uses.h"
#include "space/layout.h"

/* A generation whose tasks may be equal. */
struct known {
    struct identity_index index;
    struct task_range ok;
};

struct forecast {
    struct engine *engine;
    const struct stage *stage;
    int iteration;
    struct other_generations others;
    struct known *known;
    size_t n_known;
    struct stage_description d;
    struct json *waits_for;
    int64_t tasks, reused; /* -1: not known */
    struct json *nearest;  /* {campaign, stage, iteration, tasks} */
    struct strvec differs;
    bool in_items; /* ... all in lists that are cut into tasks */
};

/* --- what differs --- */

/* {NAME: DIGEST} of both; what is not known yet ('waits_for') is not compared.
 */
static void compare (const char *what, const struct json *mine,
                     const struct json *theirs, const struct json *waits_for,
                     struct strvec *differs)
{
    JSON_FOREACH (mine, it) {
        if (!json_equal (json_iter_value (it),
                         json_get (theirs, json_iter_key (it))))
            strvec_pushf (differs, "%s %s", what, json_iter_key (it));
    }
    JSON_FOREACH (theirs, it) {
        const char *name = json_iter_key (it);

        if (!json_get (mine, name) && !json_array_has_string (waits_for, name))
            strvec_pushf (differs, "%s %s", what, name);
    }
}

static void compare_versions (const struct json *mine,
                              const struct json *theirs, struct strvec *differs)
{
    size_t before = differs->n;

    if (json_equal (json_get (mine, "version"), json_get (theirs, "version")))
        return;
    compare ("file", json_get (mine, "files"), json_get (theirs, "files"), NULL,
             differs);
    if (differs->n == before)
        strvec_push (differs, "version");
}

static void compare_places (const struct json *mine, const struct json *theirs,
                            struct strvec *differs)
{
    static const char *const keys[] = { "iteration", "seed" };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        if (!json_equal (json_get (mine, keys[i]), json_get (theirs, keys[i])))
            strvec_push (differs, keys[i]);
    }
}

static bool is_artifact (const struct forecast *f, const char *name)
{
    const struct port *port = port_find (f->d.ports, name);

    return port && type_is_artifact (&port->type);
}

/* Lists that are cut into tasks: which of them are others is told, not which
 * items.
 */
static void compare_sliced (const struct forecast *f, const struct json *mine,
                            const struct json *theirs, struct strvec *differs)
{
    JSON_FOREACH (mine, it) {
        const char *name = json_iter_key (it);

        if (!json_equal (json_iter_value (it), json_get (theirs, name)))
            strvec_pushf (differs, "%s %s",
                          is_artifact (f, name) ? "input" : "parameter", name);
    }
}

/* What was seen, besides files. */
static void compare_seen (const struct json *mine, const struct json *theirs,
                          struct strvec *differs)
{
    static const char *const keys[] = { "setup", "env", "image" };
    size_t before = differs->n;

    for (size_t i = 0; mine && i < ARRAY_SIZE (keys); i++) {
        if (!json_equal (json_get (mine, keys[i]), json_get (theirs, keys[i])))
            strvec_push (differs, keys[i]);
    }
    if (mine && differs->n == before && !witness_is_equal (mine, theirs))
        strvec_push (differs, json_get (theirs, "unsteady")
                                  ? "being unsteady"
                                  : "what is known of its files or image");
}

/* Those of all tasks come first; *n_all of them. */
static void find_differences (const struct forecast *f,
                              const struct json *manifest,
                              const struct json *witness,
                              struct strvec *differs, size_t *n_all)
{
    const struct json *mine = f->d.parts;
    const struct json *theirs = json_get (manifest, "parts");

    compare_versions (mine, theirs, differs);
    compare ("parameter", json_get (mine, "parameters"),
             json_get (theirs, "parameters"), f->waits_for, differs);
    compare ("input", json_get (mine, "inputs"), json_get (theirs, "inputs"),
             f->waits_for, differs);
    compare_places (json_get (mine, "place"), json_get (theirs, "place"),
                    differs);
    if (differs->n == 0)
        compare_seen (f->d.witness, witness, differs);
    if (!version_lines_allow (f->stage->op->versions, manifest, witness))
        strvec_push (differs,
                     "the version of the code, or what is known of it");
    *n_all = differs->n;
    compare_sliced (f, json_get (mine, "sliced"), json_get (theirs, "sliced"),
                    differs);
}

/* --- the nearest --- */

/* Others come the newest first: is this one nearer than what was found so far,
 * which differs in as much?
 */
static bool is_nearer (const struct forecast *f, const struct json *manifest)
{
    return json_get_int (manifest, "iteration") == f->iteration
           && json_get_int (f->nearest, "iteration") != f->iteration;
}

static struct json *nearest_json (const char *campaign,
                                  const struct json *manifest)
{
    static const char *const keys[] = { "stage", "iteration", "tasks" };
    struct json *v = json_object ();

    json_set (v, "campaign", json_string (campaign));
    for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
        json_set (v, keys[i], json_ref (json_get (manifest, keys[i])));
    return v;
}

static void consider (struct forecast *f, const char *campaign,
                      const struct json *manifest, const struct json *witness)
{
    struct strvec differs = STRVEC_INIT;
    size_t n_all;

    find_differences (f, manifest, witness, &differs, &n_all);
    if (!f->nearest || differs.n < f->differs.n
        || (differs.n == f->differs.n && is_nearer (f, manifest))) {
        json_unref (f->nearest);
        strvec_release (&f->differs);
        f->nearest = nearest_json (campaign, manifest);
        f->differs = differs;
        f->in_items = n_all == 0 && differs.n > 0;
        return;
    }
    strvec_release (&differs);
}

/* Its tasks that are ok may be taken. */
static void note_known (struct forecast *f, const char *dir,
                        const struct json *manifest)
{
    struct known *known = &f->known[f->n_known];
    _cleanup_free_ char *file = path_join (dir, LAYOUT_OUTPUTS);
    _cleanup_json_ struct json *outputs = json_read_file (file, NULL);

    *known = (struct known){ .ok = TASK_RANGE_INIT };
    if (task_range_parse (json_get_string (outputs, "ok"), &known->ok, NULL)
            == 0
        && identity_index_build (&known->index, dir, manifest, NULL, NULL) == 0)
        f->n_known++;
    else
        task_range_release (&known->ok);
}

/* Of the same operator? */
static bool is_of_operator (const struct forecast *f,
                            const struct json *manifest)
{
    return strcmp (json_get_string (manifest, "operator"), f->stage->op->name)
           == 0;
}

static void look_at_others (struct forecast *f)
{
    other_generations_find (f->engine, f->stage->op->code, &f->others);
    f->known = xcalloc (f->others.n + 1, sizeof (*f->known));
    for (size_t i = 0; i < f->others.n; i++) {
        const struct other_generation *other = &f->others.v[i];
        _cleanup_free_ char *file =
            path_join (other->dir, LAYOUT_STAGE_MANIFEST);
        _cleanup_json_ struct json *manifest = json_read_file (file, NULL);
        _cleanup_json_ struct json *witness = witness_read (other->dir);

        if (is_of_operator (f, manifest))
            consider (f, other->campaign, manifest, witness);
        if (strcmp (json_get_string (manifest, "identity"), f->d.identity) == 0
            && f->d.witness && witness_is_equal (f->d.witness, witness)
            && version_lines_allow (f->stage->op->versions, manifest, witness))
            note_known (f, other->dir, manifest);
    }
}

/* --- its tasks --- */

static bool is_known (struct forecast *f, const char *identity)
{
    for (size_t i = 0; i < f->n_known; i++) {
        int32_t task = identity_index_take (&f->known[i].index, identity);

        if (task >= 0 && task_range_contains (&f->known[i].ok, task))
            return true;
    }
    return false;
}

static int count_slice (const struct json *slice, void *arg, struct error *err)
{
    struct forecast *f = arg;
    char identity[DIGEST_HEX_SIZE];
    int32_t task = (int32_t)f->tasks++;

    if (task_identity (&f->d.contents, &f->d.manifest, task, slice, identity,
                       err)
        < 0)
        return -1;
    f->reused += is_known (f, identity);
    return 0;
}

static void count_tasks (struct forecast *f)
{
    struct json *same;
    size_t n;

    f->tasks = f->reused = 0;
    if (operator_fans_out (f->stage->op)) {
        same = slices_cut (f->stage->op, f->d.values, NULL, f->engine->dir,
                           count_slice, f, &n, NULL, NULL);
        json_unref (same);
        if (!same)
            f->tasks = f->reused = -1;
    } else {
        f->tasks = 1;
        f->reused = is_known (f, f->d.identity);
    }
}

/* What is left when nothing else tells one task from another. */
static void name_seed (struct forecast *f)
{
    if (f->nearest && f->differs.n == 0 && f->reused >= 0
        && f->reused < f->tasks && (f->d.manifest.uses & USES_SEED))
        strvec_push (&f->differs, "seed");
}

/* --- the stage --- */

static int describe (struct forecast *f)
{
    f->waits_for = json_array ();
    if (stage_describe (f->engine, f->stage, f->iteration, false, &f->d, NULL)
        == 0)
        return stage_description_add_sliced (&f->d, f->stage->op, NULL, NULL);
    stage_description_release (&f->d);
    return stage_describe_known (f->engine, f->stage, f->iteration, &f->d,
                                 f->waits_for, NULL);
}

static struct json *count_json (int64_t n)
{
    return n < 0 ? json_null () : json_int (n);
}

static struct json *forecast_json (const struct forecast *f)
{
    static const char *const keys[] = { "campaign", "stage", "iteration",
                                        "tasks" };
    struct json *v = json_object (), *nearest = NULL;
    struct json *differs = json_array ();

    for (size_t i = 0; i < f->differs.n; i++)
        json_push (differs, json_string (f->differs.v[i]));
    if (f->nearest)
        nearest = json_object ();
    for (size_t i = 0; f->nearest && i < ARRAY_SIZE (keys); i++)
        json_set (nearest, keys[i], json_ref (json_get (f->nearest, keys[i])));
    json_set (v, "tasks", count_json (f->tasks));
    json_set (v, "reused", count_json (f->reused));
    json_set (v, "waits_for", json_ref (f->waits_for));
    json_set (v, "nearest", nearest ? nearest : json_null ());
    json_set (v, "differs", differs);
    json_set (v, "in_items", json_bool (f->in_items));
    return v;
}

static void release (struct forecast *f)
{
    for (size_t i = 0; i < f->n_known; i++) {
        identity_index_release (&f->known[i].index);
        task_range_release (&f->known[i].ok);
    }
    free (f->known);
    other_generations_release (&f->others);
    stage_description_release (&f->d);
    strvec_release (&f->differs);
    json_unref (f->waits_for);
    json_unref (f->nearest);
}

/* What prepare makes is known when it has run. */
struct json *reuse_forecast (struct engine *engine, const struct stage *stage,
                             int iteration)
{
    struct forecast f = { .engine = engine,
                          .stage = stage,
                          .iteration = iteration,
                          .tasks = -1,
                          .reused = -1,
                          .differs = STRVEC_INIT };
    struct json *v = NULL;

    if ((engine->plan->reuse_from.n == 0 && !engine->state.reuse_from)
        || !others_are_wanted (engine, stage, iteration, -1))
        return NULL;
    if (describe (&f) == 0) {
        look_at_others (&f);
        if (!stage->op->prepare && json_count (f.waits_for) == 0)
            count_tasks (&f);
        name_seed (&f);
        v = forecast_json (&f);
    }
    release (&f);
    return v;
}
