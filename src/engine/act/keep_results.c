/* SPDX-License-Identifier: BSD-3-Clause */
/* keep_results.c - what a stage's tasks made, kept in the store */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrays/task_range.h"
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/act/front_step.h"
#include "engine/act/keep_results.h"
#include "engine/act/logged_params.h"
#include "engine/act/result_store.h"
#include "engine/act/result_table.h"
#include "engine/history/engine.h"
#include "handover/slice_file.h"
#include "handover/task_result.h"
#include "signature/outputs.h"
#include "space/layout.h"
#include "space/lease.h"
#include "store/store.h"

enum {
    BATCH = 1024
}; /* tasks whose slices are in memory, and that the campaign
      refers to at once */

struct keeping {
    struct engine *engine;
    const struct stage *stage;
    const struct stage_place *place;
    const struct stage_state *state;
    struct store *store;
    struct json *manifest;    /* stage.json */
    struct task_range reused; /* what came from elsewhere is kept there */
    char *run_dir;
    char *dir; /* of this driver, for the table */
    struct table_writer table;
    struct strvec refers; /* digests that were put, not referred to yet */
    struct error *err;    /* of what reads parameters */
    char **identities;    /* by task of a stage without artifacts */
};

/* --- one task --- */

static int put (struct keeping *k, const char *path, char hex[DIGEST_HEX_SIZE],
                struct error *err)
{
    if (store_put (k->store, path, hex, err) < 0)
        return -1;
    strvec_push (&k->refers, hex);
    return 0;
}

static bool is_later (struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* Is 'path' older than result.json beside it, which has its digest and was
 * written last?
 */
static bool is_as_written (const char *path, const char *out_dir)
{
    char *result = path_join (out_dir, LAYOUT_RESULT_FILE);
    struct stat of_path, of_result;
    bool is = lstat (path, &of_path) == 0 && S_ISREG (of_path.st_mode)
              && lstat (result, &of_result) == 0
              && !is_later (of_path.st_mtim, of_result.st_mtim);

    free (result);
    return is;
}

/* Gigabytes of trajectories were read once, by the agent, for their digests.
 * 1; 0: it is no longer what the task made; -1.
 */
static int put_artifact (struct keeping *k, const char *out_dir,
                         const struct json *artifact, struct error *err)
{
    char *path = path_join (out_dir, json_get_string (artifact, "path"));
    const char *known = json_get_string (artifact, "sha256");
    char hex[DIGEST_HEX_SIZE];
    int rc = is_as_written (path, out_dir)
                 ? store_put_known (k->store, path, known, hex, err)
                 : store_put (k->store, path, hex, err);

    if (rc == 0)
        strvec_push (&k->refers, hex);
    free (path);
    return rc < 0 ? -1 : strcmp (hex, known) == 0;
}

static int put_artifacts (struct keeping *k, int32_t task,
                          const struct json *result, struct error *err)
{
    struct strbuf out = STRBUF_INIT;
    char *out_dir;
    int rc = 1;

    layout_task_out (k->place, task, &out);
    out_dir = engine_path (k->engine, &out);
    JSON_FOREACH (json_get (result, "artifacts"), it) {
        if (rc > 0 && !json_is_null (json_iter_value (it)))
            rc = put_artifact (k, out_dir, json_iter_value (it), err);
    }
    free (out_dir);
    return rc;
}

/* What is the same wherever it is. */
static struct json *line_of (const struct json *result)
{
    static const char *const keys[] = { "params", "artifacts", "run" };
    struct json *line = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        if (json_get (result, keys[i]))
            json_set (line, keys[i], json_ref (json_get (result, keys[i])));
    }
    return line;
}

static int keep_artifacts (struct keeping *k, int32_t task,
                           const char *identity, struct error *err)
{
    struct json *result = NULL, *line;
    int rc = -1;

    if (task_result_read (k->engine->dir, k->place, task, NULL, &result, err)
        == TASK_RESULT_THERE)
        rc = put_artifacts (k, task, result, err);
    if (rc > 0) {
        line = line_of (result);
        rc = table_writer_add (&k->table, identity, task, line, err);
        json_unref (line);
    }
    json_unref (result);
    return rc;
}

static bool is_kept (const struct keeping *k, int32_t task)
{
    return k->state->tasks[task].outcome == OUTCOME_OK
           && !task_range_contains (&k->reused, task);
}

/* --- all of them --- */

static int refer (struct keeping *k, struct error *err)
{
    int rc = k->refers.n == 0 ? 0
                              : store_refer (k->store, k->engine->dir,
                                             (const char *const *)k->refers.v,
                                             k->refers.n, err);

    strvec_release (&k->refers);
    k->refers = (struct strvec)STRVEC_INIT;
    return rc;
}

/* Call 'each' with the identity of every task that is kept. */
static int each_identity (struct keeping *k, const struct task_range *batch,
                          int (*each) (struct keeping *k, int32_t task,
                                       const char *identity, struct error *err),
                          struct error *err)
{
    const char *of_stage = json_get_string (k->manifest, "identity");
    bool sliced = json_as_bool (json_get (k->manifest, "sliced"));
    struct json *slices[BATCH] = { 0 };
    size_t n = task_range_count (batch);
    int32_t task = -1;
    int rc = sliced ? slice_file_read (k->run_dir, batch, slices, err) : 0;

    for (size_t i = 0; i < n; i++) {
        const char *identity = slice_identity (slices[i], of_stage);

        task = task_range_next (batch, task);
        if (rc >= 0 && identity)
            rc = each (k, task, identity, err);
        json_unref (slices[i]);
    }
    return rc < 0 ? -1 : refer (k, err);
}

static int each_batch (struct keeping *k,
                       int (*each) (struct keeping *k, int32_t task,
                                    const char *identity, struct error *err),
                       struct error *err)
{
    int rc = 0;

    for (int32_t t = 0; rc == 0 && t < k->state->n_tasks;) {
        struct task_range batch = TASK_RANGE_INIT;

        engine_heartbeat (k->engine);
        for (int n = 0; n < BATCH && t < k->state->n_tasks; t++) {
            if (is_kept (k, t)) {
                task_range_add (&batch, t);
                n++;
            }
        }
        rc = each_identity (k, &batch, each, err);
        task_range_release (&batch);
    }
    return rc;
}

/* --- tasks without artifacts --- */

static int note_identity (struct keeping *k, int32_t task, const char *identity,
                          struct error *err)
{
    (void)err;
    k->identities[task] = xstrdup (identity);
    return 0;
}

static void keep_params (int32_t task, const struct json *params, void *arg)
{
    struct keeping *k = arg;
    struct json *line;

    if (!is_kept (k, task) || !k->identities[task] || k->err->text[0])
        return;
    line = json_object ();
    json_set (line, "params",
              params ? json_ref ((struct json *)params) : json_object ());
    table_writer_add (&k->table, k->identities[task], task, line, k->err);
    json_unref (line);
}

static int keep_all_params (struct keeping *k, struct error *err)
{
    size_t n = (size_t)k->state->n_tasks;
    int rc;

    k->identities = xcalloc (n + 1, sizeof (*k->identities));
    k->err = err;
    rc = each_batch (k, note_identity, err);
    if (rc == 0)
        rc = logged_params_read (k->engine->dir, k->place, k->state,
                                 keep_params, k, &k->engine->heartbeat, err);
    for (size_t i = 0; i < n; i++)
        free (k->identities[i]);
    free (k->identities);
    return rc < 0 || err->text[0] ? -1 : 0;
}

/* --- the document --- */

/* The operator's files, as the identity has them. */
static int put_files (struct keeping *k, struct error *err)
{
    JSON_FOREACH (json_get (json_get (k->manifest, "parts"), "files"), it) {
        char *path = path_join (k->engine->dir, json_iter_key (it));
        char hex[DIGEST_HEX_SIZE];
        int rc = put (k, path, hex, err);

        free (path);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static struct json *document_of (const struct keeping *k, const char *lines,
                                 const char *index)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "operator", json_string (k->stage->op->name));
    json_set (v, "campaign", json_string (k->engine->dir));
    json_set (v, "stage", json_string (k->stage->name));
    json_set (v, "iteration", json_int (k->place->iteration));
    json_set (v, "tasks", json_int ((int64_t)k->table.n));
    json_set (v, "made_s", json_real (engine_now_s (k->engine)));
    json_set (v, "parts", json_ref (json_get (k->manifest, "parts")));
    json_set (v, "lines", json_string (lines));
    json_set (v, "index", json_string (index));
    return v;
}

static int write_document (struct keeping *k, struct error *err)
{
    const char *identity = json_get_string (k->manifest, "identity");
    char lines[DIGEST_HEX_SIZE], index[DIGEST_HEX_SIZE];
    struct strbuf name = STRBUF_INIT;
    struct json *document;
    int rc;

    if (table_writer_commit (&k->table, err) < 0
        || put (k, k->table.lines.path, lines, err) < 0
        || put (k, k->table.index.path, index, err) < 0
        || put_files (k, err) < 0)
        return -1;
    strvec_push (&k->refers, identity);
    if (refer (k, err) < 0)
        return -1;
    document = document_of (k, lines, index);
    result_document_name (identity, k->engine->dir, k->place,
                          k->stage->op->name, &name);
    rc = store_record_write (k->store, "results", name.buf, document, err);
    strbuf_release (&name);
    json_unref (document);
    return rc;
}

static int read_manifest (struct keeping *k, struct error *err)
{
    char *path = path_join (k->run_dir, LAYOUT_STAGE_MANIFEST);

    k->manifest = json_read_file (path, err);
    free (path);
    return k->manifest ? 0 : -1;
}

static int open_table (struct keeping *k, struct error *err)
{
    char *lines, *index;
    int rc;

    k->dir =
        front_step_dir (k->engine, k->stage, k->place->iteration, "keep", err);
    if (!k->dir || file_make_dirs (k->dir, err) < 0)
        return -1;
    lines = path_join (k->dir, "lines");
    index = path_join (k->dir, "index");
    rc = table_writer_open (&k->table, lines, index, err);
    free (lines);
    free (index);
    return rc;
}

static int keep (struct keeping *k, struct error *err)
{
    int rc = read_manifest (k, err);

    /* An older program prepared it: that identity would not be looked for. */
    if (rc < 0 || !json_get (k->manifest, "parts"))
        return rc;
    if (open_table (k, err) < 0)
        return -1;
    rc = outputs_have_artifacts (k->stage->op->outputs)
             ? each_batch (k, keep_artifacts, err)
             : keep_all_params (k, err);
    return rc == 0 && k->table.n > 0 ? write_document (k, err) : rc;
}

/* Tasks that have their results from elsewhere. */
static void find_reused (struct keeping *k)
{
    const struct json *reused = k->state->reused;

    for (size_t i = 0; i < json_count (reused); i++) {
        struct task_range one = TASK_RANGE_INIT;
        const char *text = json_get_string (json_at (reused, i), "tasks");

        if (task_range_parse (text, &one, NULL) == 0) {
            for (int32_t t = -1; (t = task_range_next (&one, t)) >= 0;)
                task_range_add (&k->reused, t);
        }
        task_range_release (&one);
    }
}

/* Does `keep:` make room of any output?  The store would take it away again. */
static bool lets_go (const struct stage *stage)
{
    const struct port *port = stage->op->outputs;

    while (port && port->name && stage_keep (stage, port) == KEEP_ALWAYS)
        port++;
    return port && port->name;
}

void keep_results (struct engine *engine, const struct stage *stage,
                   const struct stage_place *place,
                   const struct stage_state *state)
{
    struct keeping k = { .engine = engine,
                         .stage = stage,
                         .place = place,
                         .state = state,
                         .reused = TASK_RANGE_INIT,
                         .table = TABLE_WRITER_INIT,
                         .refers = STRVEC_INIT };
    struct strbuf run = STRBUF_INIT;
    struct error why = ERROR_INIT;
    int rc;

    if (!stage_reuses (stage) || lets_go (stage)
        || state->by_outcome[OUTCOME_OK] == 0
        || !(k.store = result_store_open (engine)))
        return;
    store_gather (k.store);
    layout_run_stage (place->stage, place->iteration, &run);
    k.run_dir = engine_path (engine, &run);
    find_reused (&k);
    rc = keep (&k, &why);
    result_store_note (engine, rc < 0 ? &why : NULL);
    table_writer_release (&k.table);
    if (k.dir)
        (void)file_remove_tree (k.dir, &engine->heartbeat, NULL);
    strvec_release (&k.refers);
    task_range_release (&k.reused);
    json_unref (k.manifest);
    store_close (k.store);
    free (k.run_dir);
    free (k.dir);
}
