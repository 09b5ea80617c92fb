/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.c - what an exploring stage runs: systems, each under its conditions */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/file_glob.h"
#include "base/json.h"
#include "operators/explore/runs.h"
#include "operators/step_task.h"

/* Far beyond what a scheduler takes: more is a slip of the pen. */
enum { MOST_TASKS = 1000000, LONGEST_NAME = 200 };

/* --- systems --- */

/* The name of a system becomes the name of a file of frames. */
static int check_name (const char *name, struct error *err)
{
    const char *at = name;

    while (isalnum ((unsigned char)*at)
           || (at > name && *at && strchr ("_-.", *at)))
        at++;
    if (at > name && *at == '\0' && at - name <= LONGEST_NAME)
        return 0;
    return error_set (err,
                      "systems: '%.100s' is no good as a name; use up to %d "
                      "letters, digits, '_', '-' and '.', a letter or digit "
                      "first, in systems: {NAME: FILE}",
                      name, LONGEST_NAME);
}

static bool is_paths (const struct json *v)
{
    for (size_t i = 0; i < json_count (v); i++) {
        if (json_kind (json_at (v, i)) != JSON_KIND_STRING)
            return false;
    }
    return json_kind (v) == JSON_KIND_STRING
           || (json_kind (v) == JSON_KIND_ARRAY && json_count (v) > 0);
}

static int check_systems (const struct json *systems, struct error *err)
{
    if (json_kind (systems) != JSON_KIND_OBJECT)
        return is_paths (systems)
                   ? 0
                   : error_set (err, "systems: expected a path, a list of "
                                     "paths or {NAME: path, ...}; name at "
                                     "least one data file");
    if (json_count (systems) == 0)
        return error_set (err, "systems: name at least one data file");
    JSON_FOREACH (systems, it) {
        if (check_name (json_iter_key (it), err) < 0)
            return -1;
        if (!is_paths (json_iter_value (it)))
            return error_set (err,
                              "systems.%s: expected a path or a list of them, "
                              "got %s",
                              json_iter_key (it),
                              json_kind_name (json_iter_value (it)));
    }
    return 0;
}

/* Append 'part' of a path, without its ending where it is the last. */
static void add_part (struct strbuf *name, const char *part, size_t len,
                      bool is_last)
{
    const char *dot = is_last ? memrchr (part, '.', len) : NULL;

    if (dot && dot > part)
        len = (size_t)(dot - part);
    if (name->len > 0)
        strbuf_add_char (name, '-');
    strbuf_add (name, part, len);
}

/* "a" for confs/a/conf.data of confs/?/conf.data, "diamond" for
 * data/diamond.data.
 */
static char *name_of_path (const char *path, const char *pattern)
{
    struct strbuf name = STRBUF_INIT;

    while (*path) {
        size_t len = strcspn (path, "/"), wide = strcspn (pattern, "/");
        size_t wild = strcspn (pattern, "*?[");
        bool is_last = path[len] == '\0';

        if (wild < wide)
            add_part (&name, path, len, is_last);
        path += len + !is_last;
        pattern += wide + (pattern[wide] == '/');
    }
    return strbuf_detach (&name);
}

static char *name_of_file (const char *path)
{
    struct strbuf name = STRBUF_INIT;

    add_part (&name, path_base (path), strlen (path_base (path)), true);
    return strbuf_detach (&name);
}

/* --- one run being read --- */

struct reading {
    struct explore_runs *runs;
    const char *dir;
    struct json *named; /* {system: path} of those called by their files */
    struct explore_run *run;
};

static void add_structure (struct reading *r, const char *system,
                           const char *path)
{
    struct explore_run *run = r->run;
    struct arena *arena = r->runs->arena;
    size_t n = run->n_structures;

    if ((n & (n - 1)) == 0) { /* full at powers of two */
        struct explore_structure *more =
            arena_array (arena, n ? 2 * n : 1, sizeof (*more));

        if (n > 0)
            memcpy (more, run->structures, n * sizeof (*more));
        run->structures = more;
    }
    run->structures[run->n_structures++] =
        (struct explore_structure){ arena_strdup (arena, system),
                                    arena_strdup (arena, path) };
}

/* A file that has no name. */
static int add_unnamed (struct reading *r, const char *path,
                        const char *pattern, struct error *err)
{
    bool found = strcmp (path, pattern) != 0;
    _cleanup_free_ char *name =
        found ? name_of_path (path, pattern) : name_of_file (path);
    const struct json *other = json_get (r->named, name);
    int rc = check_name (name, err);

    if (rc == 0 && other && strcmp (json_as_string (other), path) != 0)
        rc = error_set (err,
                        "systems: '%s' and '%s' would both be called '%s'; "
                        "name them, systems: {NAME: FILE}",
                        json_as_string (other), path, name);
    if (rc == 0) {
        json_set (r->named, name, json_string (path));
        add_structure (r, name, path);
    }
    return rc;
}

/* 'system' NULL: each file is one. */
static int add_pattern (struct reading *r, const char *system,
                        const char *pattern, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    int rc = file_glob (r->dir, pattern, &paths, err);

    if (rc < 0)
        error_prefix (err, "systems");
    for (size_t i = 0; rc == 0 && i < paths.n; i++) {
        if (system)
            add_structure (r, system, paths.v[i]);
        else
            rc = add_unnamed (r, paths.v[i], pattern, err);
    }
    return rc;
}

static int add_paths (struct reading *r, const char *system,
                      const struct json *paths, struct error *err)
{
    if (json_kind (paths) == JSON_KIND_STRING)
        return add_pattern (r, system, json_as_string (paths), err);
    for (size_t i = 0; i < json_count (paths); i++) {
        if (add_pattern (r, system, json_as_string (json_at (paths, i)), err)
            < 0)
            return -1;
    }
    return 0;
}

static int add_systems (struct reading *r, const struct json *systems,
                        struct error *err)
{
    if (check_systems (systems, err) < 0)
        return -1;
    if (json_kind (systems) != JSON_KIND_OBJECT)
        return add_paths (r, NULL, systems, err);
    JSON_FOREACH (systems, it) {
        if (add_paths (r, json_iter_key (it), json_iter_value (it), err) < 0)
            return -1;
    }
    return 0;
}

/* --- variables --- */

/* What every code's variables may be called. */
static int check_variable (const char *name, struct error *err)
{
    const char *at = name;

    while (isalnum ((unsigned char)*at) || *at == '_')
        at++;
    if (at == name || *at)
        return error_set (err,
                          "for_each: '%s' cannot name a variable; use letters, "
                          "digits and underscores",
                          name);
    if (strcmp (name, "seed") == 0 || strcmp (name, "steps") == 0)
        return error_set (err,
                          "for_each: the variable '%s' is set by Fanfold; "
                          "choose another name",
                          name);
    return 0;
}

static int check_values (const char *name, const struct json *values,
                         struct error *err)
{
    bool scales = strcmp (name, "scale") == 0;

    if (check_variable (name, err) < 0)
        return -1;
    if (json_count (values) == 0)
        return error_set (
            err, "for_each.%s: there are no values; write [300, 600]", name);
    for (size_t i = 0; scales && i < json_count (values); i++) {
        double factor = json_as_double (json_at (values, i));

        if (!(factor > 0))
            return error_set (err,
                              "for_each.scale[%zu]: %g is not positive; write "
                              "factors such as 0.98",
                              i, factor);
    }
    return 0;
}

int64_t explore_count_combinations (const struct json *for_each,
                                    struct error *err)
{
    int64_t n = 1;

    JSON_FOREACH (for_each, it) {
        if (check_values (json_iter_key (it), json_iter_value (it), err) < 0)
            return -1;
        n *= (int64_t)json_count (json_iter_value (it));
        if (n > MOST_TASKS)
            return error_set (err,
                              "for_each makes more than %d tasks; write fewer "
                              "values",
                              MOST_TASKS);
    }
    return n;
}

struct json *explore_run_combination (const struct explore_run *run,
                                      int64_t index)
{
    struct json *chosen = json_object ();
    int64_t total = run->combinations;

    JSON_FOREACH (run->for_each, it) {
        struct json *values = json_iter_value (it);

        total /= (int64_t)json_count (values);
        json_set (chosen, json_iter_key (it),
                  json_ref (json_at (values, (size_t)(index / total))));
        index %= total;
    }
    return chosen;
}

/* --- a run --- */

const struct type explore_values = LIST_OF (FLOAT);

const struct type_field explore_run_fields[] = {
    { "systems", ONE (ANY), true },
    { "for_each", MAP_OF (explore_values), true },
    { "replicas", ONE (INT), true },
    { "steps", ONE (INT), true },
    { "dump_every", ONE (INT), true },
    { "input", ONE (STRING), true },
    { 0 },
};

/* What holds for a run: its own keys, else the stage's inputs. */
static struct json *merged (const struct json *own, const struct json *inputs)
{
    struct json *v = json_object ();

    for (const struct type_field *f = explore_run_fields; f->name; f++) {
        struct json *value = json_get (own, f->name);

        if (json_is_null (value))
            value = json_get (inputs, f->name);
        if (!json_is_null (value))
            json_set (v, f->name, json_ref (value));
    }
    return v;
}

static int want_keys (const struct json *v, struct error *err)
{
    static const char *const wanted[] = { "systems", "steps", "dump_every",
                                          "input", NULL };

    for (size_t i = 0; wanted[i]; i++) {
        if (!json_get (v, wanted[i]))
            return error_set (err,
                              "%s is missing; give it in with:, or in each "
                              "of runs",
                              wanted[i]);
    }
    return 0;
}

int explore_runs_are_whole (const struct json *inputs, struct error *err)
{
    _cleanup_json_ struct json *v = merged (NULL, inputs);

    return want_keys (v, err);
}

static int check_frames (const struct explore_run *run, struct error *err)
{
    if (run->dump_every <= run->steps)
        return 0;
    return error_set (err,
                      "dump_every: no frame is written in %" PRId64
                      " steps; make it at most that",
                      run->steps);
}

static int count_tasks (struct reading *r, struct error *err)
{
    const struct explore_run *run = r->run;
    int64_t structures = (int64_t)run->n_structures;
    int64_t room = MOST_TASKS - r->runs->n_tasks;

    if (structures > room || run->combinations > room / structures
        || run->replicas > room / structures / run->combinations)
        return error_set (
            err,
            "%" PRId64 " structures, %" PRId64 " combinations and %" PRId64
            " replicas make more than %d tasks; write fewer",
            structures, run->combinations, run->replicas, MOST_TASKS);
    r->runs->n_tasks += structures * run->combinations * run->replicas;
    return 0;
}

static int read_values (struct reading *r, struct json *v, struct error *err)
{
    struct explore_run *run = r->run;
    struct json *for_each = json_get (v, "for_each");

    run->replicas = 1;
    if (json_get (v, "replicas")
        && step_count (v, "replicas", 1, &run->replicas, err) < 0)
        return -1;
    if (step_count (v, "steps", 1, &run->steps, err) < 0
        || step_count (v, "dump_every", 1, &run->dump_every, err) < 0
        || json_want_string (v, "input", &run->input, err) < 0)
        return -1;
    run->for_each = for_each;
    run->combinations = explore_count_combinations (for_each, err);
    return run->combinations < 0 ? -1 : check_frames (run, err);
}

static int read_run (struct reading *r, const struct json *own,
                     const struct json *inputs, struct error *err)
{
    struct json *v = merged (own, inputs);

    json_push (r->runs->held, v);
    return want_keys (v, err) < 0 || read_values (r, v, err) < 0
                   || add_systems (r, json_get (v, "systems"), err) < 0
                   || count_tasks (r, err) < 0
               ? -1
               : 0;
}

int explore_runs_read (const struct json *inputs, const char *dir,
                       struct explore_runs *runs, struct error *err)
{
    const struct json *list = json_get (inputs, "runs");
    size_t n = json_count (list) ? json_count (list) : 1;
    struct reading r = { runs, dir, json_object (), NULL };
    int rc = 0;

    runs->arena = arena_create ();
    runs->held = json_array ();
    runs->v = arena_array (runs->arena, n, sizeof (*runs->v));
    for (runs->n = 0; rc == 0 && runs->n < n; runs->n++) {
        r.run = &runs->v[runs->n];
        rc = read_run (&r, json_at (list, runs->n), inputs, err);
        if (rc < 0 && json_count (list) > 0)
            error_prefix (err, "runs[%zu]", runs->n);
    }
    json_unref (r.named);
    return rc;
}

void explore_runs_release (struct explore_runs *runs)
{
    arena_destroy (runs->arena);
    json_unref (runs->held);
}
