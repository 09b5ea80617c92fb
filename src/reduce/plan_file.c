/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_file.c - what fanfold-reduce is asked to do: plan.json */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/strbuf.h"
#include "formats/frame.h"
#include "reduce/plan_entry.h"
#include "reduce/plan_file.h"

enum { FORMAT = 1 };

static const char *const no_keys[] = { NULL };

void plan_release (struct plan *plan)
{
    for (size_t i = 0; i < plan->n_trajectories; i++)
        free (plan->trajectories[i].forces);
    free (plan->trajectories);
    rules_release (&plan->rules);
    strvec_release (&plan->elements);
    strvec_release (&plan->systems);
    strvec_release (&plan->labelled);
    json_unref (plan->entries);
    json_unref (plan->json);
    arena_destroy (plan->texts);
    *plan = (struct plan)PLAN_INIT;
}

static bool is_among (const char *key, const char *const *keys)
{
    while (*keys && strcmp (*keys, key) != 0)
        keys++;
    return *keys;
}

/* Only the keys in 'keys' and 'more' (NULL-terminated) may be there. */
static int only_keys (const struct json *v,
                      const char *const *keys,
                      const char *const *more,
                      struct error *err)
{
    if (json_kind (v) != JSON_KIND_OBJECT)
        return error_set (err, "expected an object, got %s",
                          json_kind_name (v));
    JSON_FOREACH (v, it) {
        const char *key = json_iter_key (it);

        if (!is_among (key, keys) && !is_among (key, more))
            return error_set (err, "unknown key '%s'", key);
    }
    return 0;
}

/* A whole number that is not negative. */
static int want_count (const struct json *v,
                       const char *key,
                       uint64_t *count,
                       struct error *err)
{
    int64_t value;

    if (json_want_int (v, key, &value, err) < 0)
        return -1;
    if (value < 0)
        return error_set (err, "key '%s': %lld is negative", key,
                          (long long)value);
    *count = (uint64_t)value;
    return 0;
}

/* Text that is not empty. */
static int want_text (const struct json *v,
                      const char *key,
                      const char **text,
                      struct error *err)
{
    if (json_want_string (v, key, text, err) < 0)
        return -1;
    if ((*text)[0] == '\0')
        return error_set (err, "key '%s': the text is empty", key);
    return 0;
}

static int read_elements (const struct json *v,
                          struct strvec *elements,
                          struct error *err)
{
    struct json *array;

    if (json_want_array (v, "elements", &array, err) < 0)
        return -1;
    for (size_t i = 0; i < json_count (array); i++) {
        const char *symbol = json_as_string (json_at (array, i));

        if (symbol[0] == '\0' || strlen (symbol) >= SYMBOL_SIZE)
            return error_set (err,
                              "key 'elements': expected texts of 1 to %d "
                              "characters",
                              SYMBOL_SIZE - 1);
        strvec_push (elements, symbol);
    }
    if (elements->n == 0)
        return error_set (err, "key 'elements': the list is empty");
    return 0;
}

static int read_missing (const struct json *v,
                         struct plan *plan,
                         struct error *err)
{
    static const char *const keys[] = { "tasks", "frames", NULL };
    struct json *missing;

    if (!json_get (v, "missing"))
        return 0;
    if (json_want_object (v, "missing", &missing, err) < 0)
        return -1;
    if (only_keys (missing, keys, no_keys, err) < 0
        || want_count (missing, "tasks", &plan->missing_tasks, err) < 0
        || want_count (missing, "frames", &plan->missing_frames, err) < 0)
        return error_prefix (err, "key 'missing'");
    return 0;
}

static int want_system (const struct json *v,
                        const char **system,
                        struct error *err)
{
    if (want_text (v, "system", system, err) < 0)
        return -1;
    if (!plan_entry_names_system (*system))
        return error_set (err,
                          "key 'system': '%s'; a name has letters, digits, _ . "
                          "- and starts with a letter or digit",
                          *system);
    return 0;
}

static int read_forces (const struct json *v,
                        struct plan *plan,
                        struct trajectory *trajectory,
                        struct error *err)
{
    struct json *array;
    size_t n;

    if (json_want_array (v, "forces", &array, err) < 0)
        return -1;
    n = json_count (array);
    if (plan->n_models == 0)
        plan->n_models = n;
    if (n < 2 || n != plan->n_models)
        return error_set (err,
                          "key 'forces': %zu files; expected one for each "
                          "model, at least 2, as many everywhere",
                          n);
    trajectory->forces = xcalloc (n, sizeof (*trajectory->forces));
    for (size_t i = 0; i < n; i++) {
        trajectory->forces[i] = json_as_string (json_at (array, i));
        if (trajectory->forces[i][0] == '\0')
            return error_set (err, "key 'forces': expected a list of paths");
    }
    return 0;
}

/* Deviations, or the forces of a committee. */
static int read_source (const struct json *v,
                        struct plan *plan,
                        struct trajectory *trajectory,
                        struct error *err)
{
    if (!json_get (v, "deviations"))
        return read_forces (v, plan, trajectory, err);
    if (json_get (v, "forces"))
        return error_set (err, "deviations and forces; one is enough");
    return want_text (v, "deviations", &trajectory->deviations, err);
}

/* The number of the system 'name', which is new or that of the trajectory
 * before more often than not.
 */
static size_t system_number (struct plan *plan, const char *name, size_t likely)
{
    size_t i = likely;

    if (i < plan->systems.n && strcmp (plan->systems.v[i], name) == 0)
        return i;
    for (i = 0; i < plan->systems.n; i++) {
        if (strcmp (plan->systems.v[i], name) == 0)
            return i;
    }
    strvec_push (&plan->systems, name);
    return i;
}

static int read_trajectory (struct json *v,
                            struct plan *plan,
                            struct trajectory *trajectory,
                            struct error *err)
{
    static const char *const keys[] = {
        "task",   "part",       "system",          "trajectory",
        "forces", "deviations", "expected_frames", NULL
    };
    uint64_t task = 0, part = 0;

    if (only_keys (v, keys, no_keys, err) < 0
        || want_count (v, "task", &task, err) < 0
        || (json_get (v, "part") && want_count (v, "part", &part, err) < 0)
        || want_system (v, &trajectory->name, err) < 0
        || ((json_get (v, "trajectory") || !json_get (v, "deviations"))
            && want_text (v, "trajectory", &trajectory->path, err) < 0)
        || want_count (v, "expected_frames", &trajectory->expected_frames, err)
               < 0
        || read_source (v, plan, trajectory, err) < 0)
        return -1;
    trajectory->task = (int64_t)task;
    trajectory->part = (int64_t)part;
    return 0;
}

static int compare_places (const void *a, const void *b)
{
    const struct trajectory *x = a, *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

/* Each (task, part) once; number the systems. */
static int order_trajectories (struct plan *plan, struct error *err)
{
    size_t system = 0;

    if (plan->n_trajectories > 1)
        qsort (plan->trajectories, plan->n_trajectories,
               sizeof (*plan->trajectories), compare_places);
    for (size_t i = 0; i < plan->n_trajectories; i++) {
        struct trajectory *one = &plan->trajectories[i];

        if (i > 0 && compare_places (one - 1, one) == 0)
            return error_set (err, "trajectories: task %lld occurs twice",
                              (long long)one->task);
        one->system = system = system_number (plan, one->name, system);
    }
    return 0;
}

/* Those that have not been read where they stand. */
static int read_trajectories (const struct json *v,
                              struct plan *plan,
                              struct error *err)
{
    struct json *array;

    if (!plan->entries) {
        if (json_want_array (v, "trajectories", &array, err) < 0)
            return -1;
        plan->entries = json_ref (array);
        plan->n_trajectories = json_count (array);
        plan->trajectories =
            xcalloc (plan->n_trajectories, sizeof (*plan->trajectories));
    }
    for (size_t i = 0; i < plan->n_trajectories; i++) {
        struct trajectory *one = &plan->trajectories[i];

        if (!one->name
            && read_trajectory (json_at (plan->entries, i), plan, one, err) < 0)
            return error_prefix (err, "trajectories[%zu]", i);
    }
    return order_trajectories (plan, err);
}

/* A list of texts, if it is there. */
static int read_texts (const struct json *v,
                       const char *key,
                       struct strvec *texts,
                       struct error *err)
{
    struct json *array;

    if (!json_get (v, key))
        return 0;
    if (json_want_array (v, key, &array, err) < 0)
        return -1;
    for (size_t i = 0; i < json_count (array); i++)
        strvec_push (texts, json_as_string (json_at (array, i)));
    return 0;
}

int plan_read_lists (const struct json *v, struct plan *plan, struct error *err)
{
    if (json_get (v, "elements") && read_elements (v, &plan->elements, err) < 0)
        return -1;
    return read_texts (v, "labelled", &plan->labelled, err);
}

/* What is known of the campaign that the selection is a part of. */
static int read_campaign (const struct json *v,
                          struct plan *plan,
                          struct error *err)
{
    uint64_t iteration = 0;
    struct json *earlier;

    plan->iteration = -1;
    if (json_get (v, "iteration")) {
        if (want_count (v, "iteration", &iteration, err) < 0)
            return -1;
        plan->iteration = (int64_t)iteration;
    }
    if (json_get (v, "earlier")) {
        if (json_want_array (v, "earlier", &earlier, err) < 0)
            return -1;
        plan->earlier = earlier;
    }
    return 0;
}

/* Models say nothing of distances. */
static int check_quantities (const struct plan *plan, struct error *err)
{
    for (size_t i = 0; plan->n_models > 0 && i < plan->rules.n_systems; i++) {
        if (plan->rules.criteria[i].has[DEVIATION_DISTANCE])
            return error_set (err, "key 'distance': only files of deviations "
                                   "hold it; filters: {closest} looks at the "
                                   "structures");
    }
    return 0;
}

int plan_check (const struct plan *plan, struct error *err)
{
    if (plan->rules.pick == PICK_DIVERSE && plan->elements.n == 0)
        return error_set (err, "pick: diverse needs elements, the list of all "
                               "that there are");
    for (size_t i = 0; i < plan->n_trajectories; i++) {
        if (plan->rules.pick == PICK_DIVERSE && !plan->trajectories[i].path)
            return error_set (err, "pick: diverse needs trajectories");
        if (plan->rules.avg_relative
            && (!plan->trajectories[i].path
                || !plan->trajectories[i].deviations))
            return error_set (err,
                              "avg_relative needs deviations, and trajectories "
                              "with forces");
        if (plan->rules.duplicates > 0 && !plan->trajectories[i].path)
            return error_set (err, "duplicates: they need trajectories");
    }
    return check_quantities (plan, err);
}

/* Frames need a place to be written to, if there are any to be had. */
static int read_outputs (const struct json *v,
                         struct plan *plan,
                         struct error *err)
{
    bool any = plan->n_trajectories == 0;

    for (size_t i = 0; i < plan->n_trajectories; i++)
        any = any || plan->trajectories[i].path;
    if ((any || json_get (v, "frames_dir"))
        && want_text (v, "frames_dir", &plan->frames_dir, err) < 0)
        return -1;
    if (json_get (v, "lists")
        && want_text (v, "lists", &plan->lists_dir, err) < 0)
        return -1;
    if (json_get (v, "root") && want_text (v, "root", &plan->root, err) < 0)
        return -1;
    if (json_get (v, "provenance")
        && want_text (v, "provenance", &plan->provenance_path, err) < 0)
        return -1;
    return want_text (v, "params", &plan->params_path, err);
}

static int read_plan (struct plan *plan, struct error *err)
{
    static const char *const keys[] = {
        "format",    "elements",   "systems",  "trajectories",
        "missing",   "frames_dir", "params",   "provenance",
        "iteration", "earlier",    "relative", "columns",
        "labelled",  "lists",      "root",     NULL,
    };
    const struct json *v = plan->json;
    struct json *elements;
    int64_t format = 0;

    if (only_keys (v, keys, rules_keys, err) < 0
        || json_want_int (v, "format", &format, err) < 0
        || read_campaign (v, plan, err) < 0)
        return -1;
    if (format != FORMAT)
        return error_set (err, "key 'format': %lld; this program reads %d",
                          (long long)format, FORMAT);
    if (json_want_array (v, "elements", &elements, err) < 0
        || plan_read_lists (v, plan, err) < 0
        || read_texts (v, "systems", &plan->systems, err) < 0
        || read_trajectories (v, plan, err) < 0
        || rules_from_json (v, &plan->systems, &plan->rules, err) < 0
        || committee_rules_from_json (v, &plan->committee, err) < 0
        || plan_check (plan, err) < 0 || read_missing (v, plan, err) < 0
        || read_outputs (v, plan, err) < 0)
        return -1;
    return 0;
}

/* --- the text --- */

/* One more trajectory, as it is or as JSON: false when it is neither. */
static bool take_entry (struct plan *plan,
                        size_t *alloc,
                        const char **at,
                        const char *end)
{
    size_t n = plan->n_trajectories;
    const char *start = *at;
    struct trajectory *one;
    struct json *v = NULL;

    plan->trajectories =
        grow_array (plan->trajectories, n, alloc, sizeof (*plan->trajectories));
    one = &plan->trajectories[n];
    *one = (struct trajectory){ 0 };
    if (!plan_entry_read (at, end, plan->texts, n > 0 ? one - 1 : NULL, one)) {
        *at = json_text_skip (start, end);
        v = *at ? json_parse (start, (size_t)(*at - start), "", NULL) : NULL;
        if (!v)
            return false;
    }
    json_push (plan->entries, v);
    plan->n_trajectories++;
    return true;
}

/* The list that starts at *at, which is then behind it. */
static bool take_entries (struct plan *plan, const char **at, const char *end)
{
    size_t alloc = 0;
    bool more;

    *at = json_text_skip_space (*at + 1, end);
    if (*at < end && **at == ']')
        return (*at)++;
    do {
        *at = json_text_skip_space (*at, end);
        if (!take_entry (plan, &alloc, at, end))
            return false;
        *at = json_text_skip_space (*at, end);
        more = *at < end && **at == ',';
        *at += more;
    } while (more);
    return *at < end && *(*at)++ == ']';
}

/* Read the trajectories where they stand, and all else as JSON.  False when
 * that does not work: the text is then malformed, or not as we write it.
 */
static bool read_apart (const char *text, size_t len, struct plan *plan)
{
    const char *list = json_text_member (text, len, "trajectories");
    const char *end = text + len, *at = list;
    struct strbuf rest = STRBUF_INIT;

    if (!list || list == end || *list != '[')
        return false;
    plan->entries = json_array ();
    plan->texts = arena_create ();
    if (!take_entries (plan, &at, end))
        return false;
    strbuf_add (&rest, text, (size_t)(list - text));
    strbuf_add_str (&rest, "[]");
    strbuf_add (&rest, at, (size_t)(end - at));
    plan->json = json_parse (rest.buf, rest.len, "", NULL);
    strbuf_release (&rest);
    return plan->json;
}

int plan_parse (const char *text,
                size_t len,
                const char *name,
                struct plan *plan,
                struct error *err)
{
    struct plan made = PLAN_INIT;

    if (!read_apart (text, len, &made)) {
        plan_release (&made);
        made.json = json_parse (text, len, name, err);
    }
    if (!made.json)
        return -1;
    if (read_plan (&made, err) < 0) {
        error_prefix (err, "%s", name);
        plan_release (&made);
        return -1;
    }
    plan_release (plan);
    *plan = made;
    return 0;
}
