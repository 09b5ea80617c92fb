/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_forecast.c - how many tasks of a stage would be reused, and why not all
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/act/known_results.h"
#include "engine/act/result_store.h"
#include "engine/act/reuse.h"
#include "engine/act/reuse_forecast.h"
#include "engine/act/slices.h"
#include "engine/act/stage_description.h"
#include "engine/history/engine.h"
#include "signature/task_uses.h"
#include "store/store.h"

struct forecast {
    struct engine *engine;
    const struct stage *stage;
    int iteration;
    struct store *store;
    struct stage_description d;
    struct json *waits_for;
    struct known_results known;
    int64_t tasks, reused; /* -1: not known */
    struct json *nearest;  /* a document */
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

/* Those of all tasks come first; *n_all of them. */
static void find_differences (const struct forecast *f,
                              const struct json *document,
                              struct strvec *differs, size_t *n_all)
{
    const struct json *mine = f->d.parts;
    const struct json *theirs = json_get (document, "parts");

    compare_versions (mine, theirs, differs);
    compare ("parameter", json_get (mine, "parameters"),
             json_get (theirs, "parameters"), f->waits_for, differs);
    compare ("input", json_get (mine, "inputs"), json_get (theirs, "inputs"),
             f->waits_for, differs);
    compare_places (json_get (mine, "place"), json_get (theirs, "place"),
                    differs);
    *n_all = differs->n;
    compare_sliced (f, json_get (mine, "sliced"), json_get (theirs, "sliced"),
                    differs);
}

/* --- the nearest --- */

/* Is 'document' nearer than what was found so far, which differs in as much? */
static bool is_nearer (const struct forecast *f, const struct json *document)
{
    bool same_iteration = json_get_int (document, "iteration") == f->iteration;
    bool was_same = json_get_int (f->nearest, "iteration") == f->iteration;

    if (same_iteration != was_same)
        return same_iteration;
    return json_get_double (document, "made_s")
           > json_get_double (f->nearest, "made_s");
}

/* Takes over 'document'. */
static void consider (struct forecast *f, struct json *document)
{
    struct strvec differs = STRVEC_INIT;
    size_t n_all;

    find_differences (f, document, &differs, &n_all);
    if (!f->nearest || differs.n < f->differs.n
        || (differs.n == f->differs.n && is_nearer (f, document))) {
        json_unref (f->nearest);
        strvec_release (&f->differs);
        f->nearest = document;
        f->differs = differs;
        f->in_items = n_all == 0 && differs.n > 0;
        return;
    }
    strvec_release (&differs);
    json_unref (document);
}

/* Among all results of the operator. */
static void find_nearest (struct forecast *f)
{
    struct strvec names = STRVEC_INIT;
    struct strbuf end = STRBUF_INIT;

    strbuf_addf (&end, "-%.100s", f->stage->op->name);
    (void)result_documents_find (f->store, NULL, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        size_t len = strlen (names.v[i]);
        struct json *document = NULL;

        if (len > end.len && strcmp (names.v[i] + len - end.len, end.buf) == 0
            && result_document_read (f->store, names.v[i], &document, NULL) > 0)
            consider (f, document);
    }
    strbuf_release (&end);
    strvec_release (&names);
}

/* --- its tasks --- */

static int count_slice (const struct json *slice, void *arg, struct error *err)
{
    struct forecast *f = arg;
    char identity[DIGEST_HEX_SIZE];
    struct match match;
    int32_t task = (int32_t)f->tasks++;

    if (task_identity (&f->d.contents, &f->d.manifest, task, slice, identity,
                       err)
        < 0)
        return -1;
    f->reused += known_results_take (&f->known, task, identity, &match);
    return 0;
}

/* What tables are placed in; caller removes it and frees. */
static char *make_scratch (void)
{
    const char *base = getenv ("TMPDIR");
    char *dir =
        xasprintf ("%s/fanfold-plan.XXXXXX", base && base[0] ? base : "/tmp");

    if (mkdtemp (dir))
        return dir;
    free (dir);
    return NULL;
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
        struct match match;

        f->tasks = 1;
        f->reused = known_results_take (&f->known, 0, f->d.identity, &match);
    }
}

/* What prepare makes is known when it has run. */
static void look_at_tasks (struct forecast *f)
{
    char *dir;

    if (f->stage->op->prepare || json_count (f->waits_for) > 0
        || known_results_find (&f->known, f->store, f->d.identity, NULL) < 0
        || !(dir = make_scratch ()))
        return;
    known_results_open (&f->known, f->store, dir, NULL);
    count_tasks (f);
    (void)file_remove_tree (dir, NULL, NULL);
    free (dir);
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

/* The store, if there is one: it is not made for this. */
static struct store *open_store (const struct engine *engine)
{
    char *dir = store_dir_named (engine->plan->store);
    struct store *store =
        dir && store_there (dir, NULL) > 0 ? store_open (dir, NULL) : NULL;

    free (dir);
    return store;
}

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

    if (!reuse_is_wanted (engine, stage, iteration)
        || !(f.store = open_store (engine)))
        return NULL;
    if (describe (&f) == 0) {
        look_at_tasks (&f);
        find_nearest (&f);
        name_seed (&f);
        v = forecast_json (&f);
    }
    known_results_release (&f.known);
    stage_description_release (&f.d);
    strvec_release (&f.differs);
    json_unref (f.waits_for);
    json_unref (f.nearest);
    store_close (f.store);
    return v;
}
