/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse.c - results of the store that are what a stage's tasks would make */
#include "config.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays/outcome.h"
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/act/front_step.h"
#include "engine/act/known_results.h"
#include "engine/act/result_store.h"
#include "engine/act/result_table.h"
#include "engine/act/reuse.h"
#include "engine/act/stage_description.h"
#include "engine/history/engine.h"
#include "space/layout.h"
#include "signature/task_uses.h"
#include "space/lease.h"
#include "space/task_key.h"
#include "store/store.h"

enum {
    BATCH = 1024, /* tasks that are put in their places together */
    FEW = 32,     /* so many are synced one by one */
};

struct reuse {
    struct engine *engine;
    const struct stage *stage;
    const struct stage_description *description;
    struct store *store;
    char *dir; /* of this driver: tasks are made there */
    struct known_results known;
    struct match *matches;
    size_t n, alloc;
};

/* --- what is known --- */

/* Does 'word', a key or the name of a stage or of what it is a step of, speak
 * of all of the stage (task -1), or of this task?
 */
static bool speaks_of (const char *word, const char *stage, int iteration,
                       int32_t task)
{
    struct task_key key;

    if (task_key_parse (word, &key) < 0)
        return stage_is_of (stage, word);
    return key.iteration == iteration && stage_is_of (stage, key.stage)
           && (key.task < 0 || key.task == task);
}

static bool is_refused (const struct engine *engine, const char *stage,
                        int iteration, int32_t task)
{
    const char *const *word = engine->no_reuse;
    bool refused = word && !*word;

    for (; !refused && word && *word; word++)
        refused = speaks_of (*word, stage, iteration, task);
    return refused;
}

/* What was done once more here, or begun again, was to be made anew. */
bool reuse_is_wanted (const struct engine *engine, const struct stage *stage,
                      int iteration)
{
    const struct stage_state *earlier =
        state_stage (&engine->state, iteration, stage->name);

    return stage_reuses (stage) && engine->state.fresh_after == 0
           && !(earlier && earlier->adopt_after > 0)
           && !is_refused (engine, stage->name, iteration, -1);
}

static int begin (struct reuse *reuse, struct error *err)
{
    const struct stage_description *d = reuse->description;

    if (known_results_find (&reuse->known, reuse->store, d->identity, err) < 0
        || reuse->known.n == 0)
        return -1;
    reuse->dir = front_step_dir (reuse->engine, reuse->stage,
                                 d->manifest.place.iteration, "reuse", err);
    if (!reuse->dir || file_make_dirs (reuse->dir, err) < 0)
        return -1;
    known_results_open (&reuse->known, reuse->store, reuse->dir,
                        &reuse->engine->heartbeat);
    return 0;
}

struct reuse *reuse_begin (struct engine *engine, const struct stage *stage,
                           const struct stage_description *description)
{
    struct reuse *reuse;
    struct error why = ERROR_INIT;

    if (!reuse_is_wanted (engine, stage, description->manifest.place.iteration))
        return NULL;
    reuse = xcalloc (1, sizeof (*reuse));
    reuse->engine = engine;
    reuse->stage = stage;
    reuse->description = description;
    reuse->store = result_store_open (engine);
    if (reuse->store && begin (reuse, &why) == 0 && reuse->known.n > 0)
        return reuse;
    if (why.text[0])
        result_store_note (engine, &why);
    reuse_end (reuse);
    return NULL;
}

void reuse_end (struct reuse *reuse)
{
    if (!reuse)
        return;
    known_results_release (&reuse->known);
    if (reuse->dir)
        (void)file_remove_tree (reuse->dir, &reuse->engine->heartbeat, NULL);
    store_close (reuse->store);
    free (reuse->matches);
    free (reuse->dir);
    free (reuse);
}

void reuse_find (struct reuse *reuse, int32_t task, const char *identity)
{
    const struct stage_place *place = &reuse->description->manifest.place;
    struct match match;

    if (is_refused (reuse->engine, place->stage, place->iteration, task))
        return;
    if (!known_results_take (&reuse->known, task, identity, &match))
        return;
    reuse->matches = grow_array (reuse->matches, reuse->n, &reuse->alloc,
                                 sizeof (*reuse->matches));
    reuse->matches[reuse->n++] = match;
}

/* --- what was found --- */

/* A match with what the table tells of it. */
struct found {
    const struct match *match;
    struct table_entry entry;
    struct json *line; /* NULL: it cannot be read */
    bool made;         /* it is ready to be put in its place */
};

static void found_read (const struct reuse *reuse, const struct match *match,
                        struct found *found)
{
    const struct result_table *table = &reuse->known.v[match->known].table;

    *found = (struct found){ .match = match };
    if (result_table_entry (table, match->number, &found->entry, NULL) == 0)
        found->line = result_table_read (table, found->entry.offset, NULL);
}

/* {"campaign", "stage", "iteration", "task"} */
static struct json *origin_of (const struct reuse *reuse,
                               const struct found *found)
{
    static const char *const keys[] = { "campaign", "stage", "iteration" };
    const struct json *of = reuse->known.v[found->match->known].document;
    struct json *v = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
        json_set (v, keys[i], json_ref (json_get (of, keys[i])));
    json_set (v, "task", json_int (found->entry.task));
    return v;
}

static void add_artifacts (const struct json *line, struct strvec *hex)
{
    JSON_FOREACH (json_get (line, "artifacts"), it) {
        const struct json *sha256 = json_get (json_iter_value (it), "sha256");

        if (sha256)
            strvec_push (hex, json_as_string (sha256));
    }
}

/* What this campaign uses from now on, before it is placed: then it is
 * not removed.
 */
static int refer (struct reuse *reuse, const struct found *found, size_t n,
                  struct error *err)
{
    struct strvec hex = STRVEC_INIT;
    int rc;

    strvec_push (&hex, reuse->description->identity);
    for (size_t i = 0; i < reuse->known.n; i++) {
        const struct json *document = reuse->known.v[i].document;

        strvec_push (&hex, json_get_string (document, "lines"));
        strvec_push (&hex, json_get_string (document, "index"));
    }
    for (size_t i = 0; i < n; i++)
        add_artifacts (found[i].line, &hex);
    rc = store_refer (reuse->store, reuse->engine->dir,
                      (const char *const *)hex.v, hex.n, err);
    strvec_release (&hex);
    return rc;
}

/* --- a task's directory --- */

static char *task_dir (const struct reuse *reuse, int32_t task)
{
    return xasprintf ("%s/%06d", reuse->dir, task);
}

static struct json *result_of (const struct reuse *reuse,
                               const struct found *found)
{
    const struct stage_manifest *manifest = &reuse->description->manifest;
    int32_t task = found->match->task;
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "stage", json_string (manifest->place.stage));
    json_set (v, "iteration", json_int (manifest->place.iteration));
    json_set (v, "task", json_int (task));
    json_set (v, "identity", json_string (found->entry.identity));
    if (manifest->uses & USES_SEED)
        json_set (v, "seed", json_int (stage_manifest_seed (manifest, task)));
    json_set (v, "params", json_ref (json_get (found->line, "params")));
    json_set (v, "artifacts", json_ref (json_get (found->line, "artifacts")));
    json_set (v, "run", json_ref (json_get (found->line, "run")));
    json_set (v, "reused", origin_of (reuse, found));
    return v;
}

static int write_result (const char *out_dir, const struct json *result,
                         struct error *err)
{
    char *path = path_join (out_dir, LAYOUT_RESULT_FILE);
    struct strbuf text = STRBUF_INIT;
    int fd = file_open (path, O_WRONLY | O_CREAT | O_EXCL, 0444);
    int rc;

    json_dump (result, JSON_PRETTY, &text);
    rc = fd < 0 ? error_errno (err, "cannot create '%s'", path)
                : file_write_all (fd, text.buf, text.len, err);
    file_close (fd);
    strbuf_release (&text);
    free (path);
    return rc;
}

static enum store_kind kind_of (const struct reuse *reuse, const char *output)
{
    const struct port *port = port_find (reuse->stage->op->outputs, output);

    return port && (port->type.kind == TYPE_DIR || port->type.depth > 0)
               ? STORE_TREE
               : STORE_FILE;
}

/* 1; 0: the store does not have it, or cannot be used: 'why'. */
static int place_artifact (struct reuse *reuse, const char *output,
                           const struct json *artifact, const char *out_dir,
                           struct error *why)
{
    const char *name = json_get_string (artifact, "path");
    char *path = path_join (out_dir, name);
    int rc = 0;

    if (path_is_inside (name) && file_make_parent (path, why) == 0)
        rc = store_place_kind (reuse->store, kind_of (reuse, output),
                               json_get_string (artifact, "sha256"), path, why);
    free (path);
    return rc > 0;
}

/* The task's directory as it is to be.  Where anything is missing the task will
 * run.  -1 with 'err' when the campaign's own disk fails.
 */
static int make_task (struct reuse *reuse, struct found *found,
                      struct error *err)
{
    char *dir = task_dir (reuse, found->match->task);
    char *out_dir = path_join (dir, "out");
    struct error why = ERROR_INIT;
    struct json *result;
    int rc = file_make_dirs (out_dir, err);

    found->made = rc == 0;
    JSON_FOREACH (json_get (found->line, "artifacts"), it) {
        if (found->made && !json_is_null (json_iter_value (it)))
            found->made = place_artifact (reuse, json_iter_key (it),
                                          json_iter_value (it), out_dir, &why);
    }
    if (why.text[0])
        result_store_note (reuse->engine, &why);
    if (found->made) {
        result = result_of (reuse, found);
        rc = write_result (out_dir, result, err);
        json_unref (result);
    }
    free (out_dir);
    free (dir);
    return rc;
}

/* --- its place --- */

static int sync_all (const struct reuse *reuse, struct error *err)
{
    int fd = file_open (reuse->engine->dir, O_RDONLY | O_DIRECTORY, 0);
    int rc = fd < 0 || syncfs (fd) < 0
                 ? error_errno (err, "cannot sync '%s'", reuse->engine->dir)
                 : 0;

    file_close (fd);
    return rc;
}

/* What is to be seen must be on the disk before. */
static int sync_made (struct reuse *reuse, const struct found *found, size_t n,
                      struct error *err)
{
    int rc = 0;

    if (reuse->n > FEW)
        return sync_all (reuse, err);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        char *dir = task_dir (reuse, found[i].match->task);

        if (found[i].made)
            rc = file_seal_tree (dir, &reuse->engine->heartbeat, err);
        free (dir);
    }
    return rc;
}

/* 1; 0: something is there, of another definition, and the agent will see to
 * it; -1.
 */
static int put_in_place (struct reuse *reuse, const struct found *found,
                         struct error *err)
{
    struct strbuf place = STRBUF_INIT;
    char *from, *to;
    int rc;

    layout_task_dir (&reuse->description->manifest.place, found->match->task,
                     &place);
    from = task_dir (reuse, found->match->task);
    to = engine_path (reuse->engine, &place);
    rc = file_look (to, err);
    if (rc == 0)
        rc = file_make_parent (to, err) < 0 ? -1
             : rename (from, to) == 0       ? 1
                                            : error_errno (err, "%s", to);
    else if (rc > 0)
        rc = 0;
    free (from);
    free (to);
    return rc;
}

static int sync_places (struct reuse *reuse, struct error *err)
{
    struct strbuf job = STRBUF_INIT;
    char *below;
    int rc;

    if (reuse->n > FEW)
        return sync_all (reuse, err);
    layout_stage_path (&reuse->description->manifest.place, LAYOUT_JOBS "/any",
                       &job);
    below = engine_path (reuse->engine, &job);
    rc = file_sync_way (below, reuse->engine->dir, err);
    free (below);
    return rc;
}

static int put_all (struct reuse *reuse, const struct found *found, size_t n,
                    struct task_range *ok, struct origins *origins,
                    struct error *err)
{
    int rc = lease_check (reuse->engine->lease, err);

    point_reached ("reuse.checked");
    for (size_t i = 0; rc >= 0 && i < n; i++) {
        struct json *of;

        if (!found[i].made)
            continue;
        rc = put_in_place (reuse, &found[i], err);
        if (rc <= 0)
            continue;
        of = origin_of (reuse, &found[i]);
        origins_add (origins, of, found[i].match->task);
        task_range_add (ok, found[i].match->task);
        json_unref (of);
    }
    return rc < 0 ? -1 : sync_places (reuse, err);
}

/* --- batches --- */

/* Read up to BATCH matches from *at on, but for those of tasks in 'ok'. */
static size_t read_batch (const struct reuse *reuse, size_t *at,
                          const struct task_range *ok, struct found *found)
{
    size_t n = 0;

    for (; *at < reuse->n && n < BATCH; (*at)++) {
        if (!task_range_contains (ok, reuse->matches[*at].task))
            found_read (reuse, &reuse->matches[*at], &found[n++]);
    }
    return n;
}

static void release_batch (struct found *found, size_t n)
{
    for (size_t i = 0; i < n; i++)
        json_unref (found[i].line);
}

static int take_batch (struct reuse *reuse, struct found *found, size_t n,
                       struct task_range *ok, struct origins *origins,
                       struct error *err)
{
    struct error why = ERROR_INIT;
    int rc = 0;

    if (refer (reuse, found, n, &why) < 0) {
        result_store_note (reuse->engine, &why);
        return 0;
    }
    for (size_t i = 0; rc == 0 && i < n; i++) {
        engine_heartbeat (reuse->engine);
        if (found[i].line)
            rc = make_task (reuse, &found[i], err);
    }
    if (rc == 0)
        rc = sync_made (reuse, found, n, err);
    return rc == 0 ? put_all (reuse, found, n, ok, origins, err) : -1;
}

int reuse_take (struct reuse *reuse, struct task_range *ok,
                struct origins *origins, struct error *err)
{
    struct found *found = xcalloc (BATCH, sizeof (*found));
    int rc = 0;

    for (size_t at = 0; rc == 0 && at < reuse->n;) {
        size_t n = read_batch (reuse, &at, ok, found);

        if (n > 0)
            rc = take_batch (reuse, found, n, ok, origins, err);
        release_batch (found, n);
    }
    free (found);
    return rc;
}

/* --- tasks without artifacts --- */

static int put_end (struct reuse *reuse, const struct found *found,
                    struct task_range *ok, struct origins *origins,
                    int (*put) (const struct json *record, void *arg,
                                struct error *err),
                    void *arg, struct error *err)
{
    struct json *of, *record;
    int rc;

    if (!found->line)
        return 0;
    of = origin_of (reuse, found);
    record = json_object ();
    json_set (record, "ev", json_string ("end"));
    json_set (record, "task", json_int (found->match->task));
    json_set (record, "outcome", json_string (outcome_name (OUTCOME_OK)));
    json_set (record, "wall_s", json_real (0));
    json_set (record, "message", json_string (""));
    json_set (record, "params", json_ref (json_get (found->line, "params")));
    json_set (record, "reused", json_ref (of));
    rc = put (record, arg, err);
    if (rc == 0) {
        origins_add (origins, of, found->match->task);
        task_range_add (ok, found->match->task);
    }
    json_unref (record);
    json_unref (of);
    return rc;
}

int reuse_take_params (struct reuse *reuse, struct task_range *ok,
                       struct origins *origins,
                       int (*put) (const struct json *record, void *arg,
                                   struct error *err),
                       void *arg, struct error *err)
{
    struct found *found = xcalloc (BATCH, sizeof (*found));
    struct error why = ERROR_INIT;
    int rc = 0;

    if (refer (reuse, NULL, 0, &why) < 0)
        result_store_note (reuse->engine, &why);
    for (size_t at = 0; rc == 0 && at < reuse->n;) {
        size_t n = read_batch (reuse, &at, ok, found);

        engine_heartbeat (reuse->engine);
        for (size_t i = 0; rc == 0 && i < n; i++)
            rc = put_end (reuse, &found[i], ok, origins, put, arg, err);
        release_batch (found, n);
    }
    free (found);
    return rc;
}
