/* SPDX-License-Identifier: BSD-3-Clause */
/* lineage.c - what a result was made from, back to files that no stage made */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "commands/lineage_left.h"
#include "commands/lineage.h"
#include "engine/history/removal.h"
#include "handover/slice_file.h"
#include "signature/programs.h"
#include "space/layout_read.h"

enum { SLICES_AT_A_TIME = 512 };

void lineage_init (struct lineage *lineage, const char *dir)
{
    *lineage = (struct lineage){ .dir = dir,
                                 .publishers = STRVEC_INIT,
                                 .files = json_object (),
                                 .used_s = json_object () };
}

void lineage_release (struct lineage *lineage)
{
    for (size_t i = 0; i < lineage->n; i++) {
        struct lineage_stage *s = &lineage->stages[i];

        free (s->dir);
        free (s->stage);
        free (s->code);
        task_range_release (&s->tasks);
        task_range_release (&s->left);
        json_unref (s->manifest);
        json_unref (s->bindings);
        json_unref (s->removed);
    }
    free (lineage->stages);
    strvec_release (&lineage->publishers);
    json_unref (lineage->files);
    json_unref (lineage->used_s);
}

struct stage_place lineage_place (const struct lineage_stage *stage)
{
    return (struct stage_place){ stage->stage, stage->code, stage->iteration,
                                 (int)json_get_int (stage->manifest,
                                                    "generation") };
}

/* --- what is on the disk --- */

char *lineage_path (const struct lineage_stage *stage, const char *name)
{
    const struct stage_place place = lineage_place (stage);
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    char *path;

    layout_stage_dir (&place, &relative);
    if (name)
        strbuf_addf (&relative, "/%s", name);
    path = path_join (stage->dir, relative.buf);
    return path;
}

struct json *lineage_file (const struct lineage_stage *stage, const char *name)
{
    _cleanup_free_ char *path = lineage_path (stage, name);
    struct json *v = json_read_file (path, NULL);

    return v;
}

/* A stage is prepared after what it uses is done. */
static double prepared_s (const struct lineage_stage *stage)
{
    _cleanup_free_ char *path = lineage_path (stage, LAYOUT_STAGE_MANIFEST);
    struct stat st;
    double s = 0;

    if (stat (path, &st) == 0)
        s = (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec * 1e-9;
    return s;
}

/* --- the stages --- */

static struct lineage_stage *find_stage (const struct lineage *lineage,
                                         const char *dir,
                                         const struct stage_place *place)
{
    for (size_t i = 0; i < lineage->n; i++) {
        struct lineage_stage *s = &lineage->stages[i];

        if (s->iteration == place->iteration
            && strcmp (s->stage, place->stage) == 0
            && strcmp (s->code, place->code) == 0 && strcmp (s->dir, dir) == 0)
            return s;
    }
    return NULL;
}

static struct lineage_stage *add_stage (struct lineage *lineage,
                                        const char *dir,
                                        const struct stage_place *place)
{
    struct lineage_stage *s = find_stage (lineage, dir, place);

    if (s)
        return s;
    lineage->stages = grow_array (lineage->stages, lineage->n, &lineage->alloc,
                                  sizeof (*lineage->stages));
    s = &lineage->stages[lineage->n++];
    *s = (struct lineage_stage){ .dir = xstrdup (dir),
                                 .stage = xstrdup (place->stage),
                                 .code = xstrdup (place->code),
                                 .iteration = place->iteration,
                                 .tasks = TASK_RANGE_INIT,
                                 .left = TASK_RANGE_INIT };
    s->prepared_s = prepared_s (s);
    s->manifest = lineage_file (s, LAYOUT_STAGE_MANIFEST);
    s->bindings = lineage_file (s, LAYOUT_ORIGINS);
    s->removed = removals_read (dir, place);
    return s;
}

static void add_task (struct lineage_stage *stage, int task)
{
    if (task_range_contains (&stage->tasks, task))
        return;
    task_range_add (&stage->tasks, task);
    task_range_add (&stage->left, task);
}

/* How many tasks it has: outputs.json tells where the run files are gone. */
static int64_t count_tasks (const struct lineage_stage *stage)
{
    _cleanup_json_ struct json *file =
        stage->manifest ? json_ref (stage->manifest)
                        : lineage_file (stage, LAYOUT_OUTPUTS);

    return json_get_int (file, "tasks");
}

static void add_all_tasks (struct lineage_stage *stage)
{
    int64_t n = stage->collected ? 0 : count_tasks (stage);

    for (int task = 0; !stage->collected && task < n; task++)
        add_task (stage, task);
    stage->collected = true;
}

/* All of a stage, whatever code it had: there is one in an iteration. */
static bool add_named (struct lineage *lineage, const char *dir,
                       const char *stage, int iteration)
{
    _cleanup_free_ char *top = path_join (dir, stage);
    _cleanup_ (strvec_release) struct strvec codes = STRVEC_INIT;
    bool found = false;

    file_list_dir (top, &codes, NULL);
    for (size_t i = 0; i < codes.n; i++) {
        const struct stage_place place = { stage, codes.v[i], iteration, 0 };
        _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
        _cleanup_free_ char *path = NULL;

        layout_stage_dir (&place, &relative);
        path = path_join (dir, relative.buf);
        if (file_exists (path)) {
            add_all_tasks (add_stage (lineage, dir, &place));
            found = true;
        }
    }
    return found;
}

/* --- paths --- */

/* A file that no stage made; 'user' knows what it was.  It may have been edited
 * between two of them: what the last one used stands.
 */
static void add_file (struct lineage *lineage, const char *dir,
                      const char *path, const struct lineage_stage *user)
{
    const struct json *told =
        user ? json_get (json_get (user->bindings, "files"), path) : NULL;
    _cleanup_free_ char *key = strcmp (dir, lineage->dir) == 0
                                   ? xstrdup (path)
                                   : path_join (dir, path);

    if (!json_get (lineage->files, key)
        || (told
            && user->prepared_s > json_get_double (lineage->used_s, key))) {
        json_set (lineage->files, key,
                  told ? json_deep_copy (told) : json_object ());
        json_set (lineage->used_s, key,
                  json_real (told ? user->prepared_s : 0));
    }
}

static void add_dataset (struct lineage *lineage, const char *dir,
                         int iteration)
{
    for (size_t i = 0; i < lineage->publishers.n; i++)
        add_named (lineage, dir, lineage->publishers.v[i], iteration);
}

static void add_path (struct lineage *lineage, const char *dir,
                      const char *path, const struct lineage_stage *user)
{
    struct space_path at;
    struct stage_place place;

    space_path_read (path, &at);
    place = (struct stage_place){ at.name, at.code, at.iteration, 0 };
    if (at.kind == SPACE_DATASET && at.iteration >= 0)
        add_dataset (lineage, dir, at.iteration);
    else if (at.kind != SPACE_STAGE)
        add_file (lineage, dir, path, user);
    else if (at.task >= 0)
        add_task (add_stage (lineage, dir, &place), at.task);
    else if (path_is_at_or_below (at.rest, LAYOUT_PREPARED))
        add_stage (lineage, dir, &place);
    else
        add_all_tasks (add_stage (lineage, dir, &place));
}

/* All paths in a value: a string, a frame, or a list of these. */
static void each_path (const struct json *value,
                       void (*each) (const char *path, void *arg), void *arg)
{
    if (json_kind (value) == JSON_KIND_STRING)
        each (json_as_string (value), arg);
    else if (json_kind (value) == JSON_KIND_OBJECT && json_get (value, "path"))
        each (json_get_string (value, "path"), arg);
    for (size_t i = 0;
         json_kind (value) == JSON_KIND_ARRAY && i < json_count (value); i++)
        each_path (json_at (value, i), each, arg);
}

struct following {
    struct lineage *lineage;
    size_t user; /* its number: the table may move */
};

static void follow_path (const char *path, void *arg)
{
    const struct following *f = arg;
    const struct lineage_stage *user = &f->lineage->stages[f->user];
    _cleanup_free_ char *dir = xstrdup (user->dir);

    add_path (f->lineage, dir, path, user);
}

static void follow_values (struct following *f, const struct json *values)
{
    JSON_FOREACH (values, it) {
        if (lineage_is_artifact (&f->lineage->stages[f->user],
                                 json_iter_key (it)))
            each_path (json_iter_value (it), follow_path, f);
    }
}

/* --- what they were made from --- */

/* Parameters that other stages made tell nothing of where they come from. */
static void follow_sources (struct following *f)
{
    const struct lineage_stage *user = &f->lineage->stages[f->user];
    _cleanup_json_ struct json *sources =
        json_ref (json_get (user->bindings, "sources"));
    _cleanup_free_ char *dir = xstrdup (user->dir);

    JSON_FOREACH (sources, it) {
        const struct json *list = json_iter_value (it);

        if (lineage_is_artifact (&f->lineage->stages[f->user],
                                 json_iter_key (it)))
            continue;
        for (size_t i = 0; i < json_count (list); i++) {
            _cleanup_ (task_range_release) struct task_range at =
                TASK_RANGE_INIT;

            task_range_parse (json_get_string (json_at (list, i), "iterations"),
                              &at, NULL);
            for (int32_t n = -1; (n = task_range_next (&at, n)) >= 0;)
                add_named (f->lineage, dir,
                           json_get_string (json_at (list, i), "stage"), n);
        }
    }
}

/* What tasks have in common, and the campaign's programs. */
static void follow_stage (struct following *f)
{
    struct lineage_stage *user = &f->lineage->stages[f->user];
    _cleanup_json_ struct json *values =
        json_ref (json_get (user->manifest, "values"));
    _cleanup_json_ struct json *programs =
        json_ref (json_get (json_get (user->manifest, "parts"), "files"));

    user->bound = true;
    follow_values (f, values);
    JSON_FOREACH (programs, it) {
        _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

        programs_run_from (f->lineage->stages[f->user].manifest,
                           json_iter_key (it), &path);
        follow_path (path.buf, f);
    }
    follow_sources (f);
}

/* Is what lies there what 'result' was taken from?  Another one may have come
 * in its place since.
 */
static bool is_origin (const char *dir, const struct stage_place *place,
                       int task, const struct json *result)
{
    _cleanup_json_ struct json *there = lineage_result_at (dir, place, task);

    return json_equal (json_get (there, "identity"),
                       json_get (result, "identity"))
           && json_equal (json_get (there, "run"), json_get (result, "run"));
}

/* The task that ran, of one that was reused. */
static void follow_reused (struct following *f, int task)
{
    _cleanup_json_ struct json *result =
        lineage_result (&f->lineage->stages[f->user], task);
    const struct json *reused = json_get (result, "reused");
    const char *dir = json_get_string (reused, "campaign");
    _cleanup_free_ char *code = xstrdup (f->lineage->stages[f->user].code);
    const struct stage_place place = { json_get_string (reused, "stage"), code,
                                       (int)json_get_int (reused, "iteration"),
                                       0 };
    int of = (int)json_get_int (reused, "task");

    if (reused && is_origin (dir, &place, of, result))
        add_task (add_stage (f->lineage, dir, &place), of);
}

static int follow_slices (struct following *f, const struct task_range *tasks,
                          struct error *err)
{
    const struct lineage_stage *user = &f->lineage->stages[f->user];
    size_t n = task_range_count (tasks);
    _cleanup_free_ struct json **slices = xcalloc (n, sizeof (*slices));
    _cleanup_free_ char *dir = lineage_path (user, NULL);
    int rc = 0;

    if (json_as_bool (json_get (user->manifest, "sliced")))
        rc = slice_file_read (dir, tasks, slices, err);
    for (size_t i = 0; i < n; i++) {
        if (rc == 0)
            follow_values (f, slices[i]);
        json_unref (slices[i]);
    }
    for (int32_t t = -1; rc == 0 && (t = task_range_next (tasks, t)) >= 0;)
        follow_reused (f, t);
    return rc;
}

static int follow_tasks (struct following *f, struct error *err)
{
    _cleanup_ (task_range_release) struct task_range left =
        f->lineage->stages[f->user].left;
    struct task_cursor at = { 0 };
    struct task_range some = TASK_RANGE_INIT;
    int rc = 0;

    f->lineage->stages[f->user].left = (struct task_range)TASK_RANGE_INIT;
    if (f->lineage->stages[f->user].manifest) {
        task_range_take (&left, &at, SLICES_AT_A_TIME, &some);
        while (rc == 0 && some.n_spans > 0) {
            rc = follow_slices (f, &some, err);
            task_range_release (&some);
            task_range_take (&left, &at, SLICES_AT_A_TIME, &some);
        }
    }
    task_range_release (&some);
    return rc;
}

int lineage_add (struct lineage *lineage, const char *path, struct error *err)
{
    struct space_path at;

    space_path_read (path, &at);
    if (at.kind == SPACE_RUN || at.kind == SPACE_RECORDS
        || at.kind == SPACE_REPLACED || at.kind == SPACE_CALLS)
        return error_set (err,
                          "%s: not made by a stage; name a result, a dataset, "
                          "or a file that a stage reads",
                          path);
    add_path (lineage, lineage->dir, path, NULL);
    return 0;
}

int lineage_follow (struct lineage *lineage, struct error *err)
{
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = 0; i < lineage->n; i++) {
            struct following f = { lineage, i };

            if (lineage->stages[i].bound
                && lineage->stages[i].left.n_spans == 0)
                continue;
            more = true;
            if (!lineage->stages[i].bound)
                follow_stage (&f);
            if (follow_tasks (&f, err) < 0)
                return -1;
        }
    }
    return 0;
}

static int compare (const void *x, const void *y)
{
    const struct lineage_stage *a = x, *b = y;

    if (a->prepared_s != b->prepared_s)
        return a->prepared_s < b->prepared_s ? 1 : -1;
    return a->iteration != b->iteration ? b->iteration - a->iteration
                                        : strcmp (a->stage, b->stage);
}

void lineage_sort (struct lineage *lineage)
{
    qsort (lineage->stages, lineage->n, sizeof (*lineage->stages), compare);
}

/* --- who made what --- */

struct makers {
    const struct lineage *lineage;
    const struct lineage_stage *user;
    struct task_range *tasks; /* by stage */
};

static void note_maker (const char *path, void *arg)
{
    const struct makers *m = arg;
    const struct lineage_stage *s;
    struct stage_place place;
    struct space_path at;

    space_path_read (path, &at);
    place = (struct stage_place){ at.name, at.code, at.iteration, 0 };
    if (at.kind != SPACE_STAGE
        || !(s = find_stage (m->lineage, m->user->dir, &place)))
        return;
    if (at.task >= 0)
        task_range_add (&m->tasks[s - m->lineage->stages], at.task);
    else if (s->collected)
        for (int32_t t = -1; (t = task_range_next (&s->tasks, t)) >= 0;)
            task_range_add (&m->tasks[s - m->lineage->stages], t);
}

struct json *lineage_makers (const struct lineage *lineage,
                             const struct lineage_stage *stage,
                             const struct json *values)
{
    struct makers m = { lineage, stage,
                        xcalloc (lineage->n + 1, sizeof (*m.tasks)) };
    struct json *list = json_array ();

    JSON_FOREACH (values, it) {
        if (lineage_is_artifact (stage, json_iter_key (it)))
            each_path (json_iter_value (it), note_maker, &m);
    }
    for (size_t i = 0; i < lineage->n; i++) {
        const struct lineage_stage *s = &lineage->stages[i];
        struct json *one;

        if (m.tasks[i].n_spans > 0) {
            one = json_object ();
            if (strcmp (s->dir, lineage->dir) != 0)
                json_set (one, "campaign", json_string (s->dir));
            json_set (one, "stage", json_string (s->stage));
            json_set (one, "iteration", json_int (s->iteration));
            json_set (one, "tasks", task_range_to_json (&m.tasks[i]));
            json_push (list, one);
        }
        task_range_release (&m.tasks[i]);
    }
    free (m.tasks);
    return list;
}
