/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2_exploration.c - a stage of DPGEN2 as inputs of lammps.explore, and its
 * convergence as those of model_devi.select
 */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/dpgen2.h"
#include "import/dpgen2_keys.h"
#include "import/exploration.h"

/* One task group, "explore.stages[0][1].". */
struct group {
    struct dpgen2 *dpgen2;
    struct section keys;
    struct json *systems;
};

/* --- structures --- */

/* [path] of one of explore.configurations, of which is told. */
static struct json *configuration_paths (struct dpgen2 *dpgen2, int64_t number,
                                         struct error *err)
{
    const struct section *explore = &dpgen2->parts[DPGEN2_EXPLORE];
    const struct json *all = section_get (explore, "configurations");
    _cleanup_free_ char *prefix =
        xasprintf ("explore.configurations[%lld].", (long long)number);
    const struct section s = { .v = json_at (all, (size_t)number),
                               .prefix = prefix,
                               .table = dpgen2_configuration_keys,
                               .report = explore->report };
    const char *below = "";

    if (settings_refuse (&s, err) < 0
        || key_text (explore, "configuration_prefix", &below, err) < 0
        || key_text (&s, "prefix", &below, err) < 0)
        return NULL;
    if (section_get (&s, "files"))
        return recipe_paths (&dpgen2->recipe, &s, "files", below, err);
    key_missing (&s, "files", err);
    return NULL;
}

static struct json *group_systems (struct group *g, struct error *err)
{
    const struct json *all =
        json_get (g->dpgen2->parts[DPGEN2_EXPLORE].v, "configurations");
    _cleanup_json_ struct json *systems = json_object ();
    _cleanup_json_ struct json *numbers =
        system_numbers (&g->keys, "conf_idx sys_idx", json_count (all), err);

    if (!numbers)
        return NULL;
    for (size_t i = 0; i < json_count (numbers); i++) {
        int64_t number = json_as_int (json_at (numbers, i));
        struct json *paths = configuration_paths (g->dpgen2, number, err);
        _cleanup_free_ char *name = system_name (number);

        if (!paths)
            return NULL;
        json_set (systems, name, paths);
    }
    return steal (&systems);
}

/* --- groups --- */

static int add_md (struct group *g, const struct exploration *e,
                   struct json *runs, struct error *err)
{
    _cleanup_json_ struct json *run = json_object ();
    _cleanup_json_ struct json *md = json_object ();

    json_set (run, "systems", json_ref (g->systems));
    if (settings_apply (&g->keys, "md", md, NULL, err) < 0
        || settings_apply (&g->keys, "steps", run, NULL, err) < 0
        || settings_apply (&g->keys, "every", run, NULL, err) < 0
        || exploration_add_md (e, "nve", md, run, err) < 0)
        return -1;
    json_push (runs, json_ref (run));
    return 0;
}

static int add_template (struct group *g, const struct exploration *e,
                         struct json *runs, struct error *err)
{
    static const char plumed[] = "plm_template_fname plm_template plm";
    _cleanup_ (template_files_release) struct template_files files =
        TEMPLATE_FILES_INIT;
    struct json *given = NULL;
    _cleanup_json_ struct json *words = json_object ();
    _cleanup_json_ struct json *some = json_array ();
    _cleanup_free_ char *path = section_path (&g->keys, "revisions");

    if (key_mapping (&g->keys, "revisions", &given, err) < 0
        || template_add_words (given, path, words, err) < 0
        || template_files_read (e, &g->keys,
                                "lmp_template_fname lmp_template lmp", &files,
                                &files.lammps, err)
               < 0
        || (section_get (&g->keys, plumed)
            && template_files_read (e, &g->keys, plumed, &files, &files.plumed,
                                    err)
                   < 0)
        || template_add_runs (e, &files, path, words, g->systems, some, err)
               < 0)
        return -1;
    for (size_t i = 0; i < json_count (some); i++) {
        struct json *run = json_at (some, i);

        if (settings_apply (&g->keys, "every", run, NULL, err) < 0)
            return -1;
        json_push (runs, json_ref (run));
    }
    return 0;
}

/* `relative` of the stage is that of the first group. */
static void say_relative (const struct group *g)
{
    static const char *const keys[] = { "relative_f_epsilon",
                                        "relative_v_epsilon" };
    const struct json *first = json_at (
        json_at (json_get (g->dpgen2->parts[DPGEN2_EXPLORE].v, "stages"), 0),
        0);

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        const struct json *v = json_get (g->keys.v, keys[i]);
        _cleanup_free_ char *path = section_path (&g->keys, keys[i]);

        if (v && !json_equal (v, json_get (first, keys[i])))
            key_report_say (g->keys.report, path, KEY_UNSUPPORTED,
                            "left out: all groups have that of "
                            "explore.stages[0][0]%s",
                            json_get (first, keys[i]) ? ""
                                                      : ", which has none");
    }
}

static int add_group (struct group *g, struct json *runs, struct error *err)
{
    const struct exploration e = { &g->dpgen2->recipe, &g->keys,
                                   &g->dpgen2->parts[DPGEN2_INPUTS],
                                   "DPGEN2's lmp-md" };
    const char *type;
    int rc = key_text (&g->keys, "type", &type, err);

    if (rc > 0)
        rc = key_missing (&g->keys, "type", err);
    if (rc == 0)
        rc = settings_refuse (&g->keys, err);
    if (rc == 0 && !(g->systems = group_systems (g, err)))
        rc = -1;
    if (rc < 0)
        return -1;
    if (strcmp (type, "lmp-md") == 0 || strcmp (type, "lmp-npt") == 0)
        rc = add_md (g, &e, runs, err);
    else if (strcmp (type, "lmp-template") == 0)
        rc = add_template (g, &e, runs, err);
    else
        rc = error_set (err,
                        "%stype: '%s' is no run of lammps.explore (lmp-md and "
                        "lmp-template are); explore with an operator of your "
                        "own",
                        g->keys.prefix, type);
    say_relative (g);
    settings_tell (&g->keys);
    return rc;
}

struct json *dpgen2_exploration (struct dpgen2 *dpgen2, size_t i,
                                 struct error *err)
{
    const struct section *explore = &dpgen2->parts[DPGEN2_EXPLORE];
    const struct json *stage = json_at (json_get (explore->v, "stages"), i);
    _cleanup_json_ struct json *with = json_object ();
    _cleanup_free_ char *path = xasprintf ("explore.stages[%zu]", i);
    struct json *runs = json_array (), *groups;
    int rc = 0;

    json_set (with, "runs", runs);
    if (value_list (stage, path, &groups, err) < 0)
        return NULL;
    for (size_t k = 0; rc == 0 && k < json_count (groups); k++) {
        _cleanup_free_ char *prefix = xasprintf ("%s[%zu].", path, k);
        struct group g = { .dpgen2 = dpgen2,
                           .keys = { .v = json_at (groups, k),
                                     .prefix = prefix,
                                     .table = dpgen2_group_keys,
                                     .report = explore->report } };
        struct json *mapping;

        rc = value_mapping (g.keys.v, path, &mapping, err);
        if (rc == 0)
            rc = add_group (&g, runs, err);
        json_unref (g.systems);
    }
    if (rc == 0 && json_count (runs) == 0)
        rc = error_set (err, "%s: it has no task group", path);
    return rc == 0 ? steal (&with) : NULL;
}

void dpgen2_tell_configurations (const struct dpgen2 *dpgen2)
{
    const struct section *explore = &dpgen2->parts[DPGEN2_EXPLORE];
    const struct json *list = json_get (explore->v, "configurations");

    for (size_t i = 0; i < json_count (list); i++) {
        _cleanup_free_ char *prefix =
            xasprintf ("explore.configurations[%zu].", i);
        const struct section s = { .v = json_at (list, i),
                                   .prefix = prefix,
                                   .table = dpgen2_configuration_keys,
                                   .report = explore->report };

        settings_tell (&s);
    }
}

/* --- convergence --- */

static int add_pair (const struct section *c, char letter, const char *to,
                     struct json *with, struct error *err)
{
    _cleanup_free_ char *low_key = xasprintf ("level_%c_lo", letter);
    _cleanup_free_ char *high_key = xasprintf ("level_%c_hi", letter);
    struct json *pair;
    double low, high;
    int rc = key_number (c, high_key, &high, err);

    if (rc != 0)
        return rc < 0 ? -1 : 0;
    if ((rc = key_number (c, low_key, &low, err)) != 0)
        return rc < 0 ? -1 : key_missing (c, low_key, err);
    pair = json_array ();
    json_push (pair, number_json (low));
    json_push (pair, number_json (high));
    json_set_path (with, to, pair);
    return 0;
}

static int add_fixed (const struct section *c, struct json *with,
                      struct error *err)
{
    if (add_pair (c, 'f', "levels.force", with, err) < 0
        || add_pair (c, 'v', "levels.virial", with, err) < 0)
        return -1;
    return settings_apply (c, "fixed", with, NULL, err);
}

static int add_adaptive (const struct section *c, struct json *with,
                         struct error *err)
{
    const char *chance = "uniform";

    if (settings_apply (c, "adaptive", with, NULL, err) < 0
        || key_text (c, "candi_sel_prob", &chance, err) < 0)
        return -1;
    if (!json_get_path (with, "levels.adaptive"))
        json_set_path (with, "levels.adaptive.force", json_object ());
    json_set_path (with, "convergence.earlier",
                   json_string ("all.select.levels"));
    if (strncmp (chance, "inv_pop_f", 9) == 0) {
        json_set_path (with, "pick.how", json_string ("inverse_population"));
        if (chance[9] == ':')
            json_set_path (with, "pick.bins",
                           json_int (strtol (chance + 10, NULL, 10)));
    }
    return 0;
}

static int add_filters (const struct dpgen2 *dpgen2, struct json *with,
                        struct error *err)
{
    static const struct {
        const char *type, *key, *to;
        double otherwise;
    } known[] = {
        { "distance", "safe_dist_ratio", "filters.safe_ratio", 1 },
        { "box_length", "length_ratio", "filters.side_ratio", 5 },
        { "box_skewness", "theta", "filters.skew_angle", 60 },
    };
    struct json *list = NULL;

    if (key_list (&dpgen2->parts[DPGEN2_EXPLORE], "filters", &list, err) < 0)
        return -1;
    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *v = json_at (list, i);
        const char *type = json_get_string (v, "type");
        _cleanup_free_ char *prefix = xasprintf ("explore.filters[%zu].", i);
        const struct section s = { .v = v, .prefix = prefix };
        bool found = false;

        for (size_t k = 0; k < ARRAY_SIZE (known); k++) {
            double value = known[k].otherwise;

            if (strcmp (known[k].type, type) != 0)
                continue;
            found = key_number (&s, known[k].key, &value, err) >= 0;
            json_set_path (with, known[k].to, number_json (value));
        }
        if (!found && !(err && err->text[0]))
            error_set (err,
                       "%stype: '%s' is not known; there is distance, "
                       "box_length and box_skewness",
                       prefix, type);
        if (found && json_get (v, "custom_safe_dist")) {
            _cleanup_free_ char *path =
                xasprintf ("%scustom_safe_dist", prefix);

            key_report_say (&dpgen2->recipe.draft->report, path,
                            KEY_UNSUPPORTED,
                            "left out: the radii are those of DPGEN2 for all "
                            "elements; filters.closest has one distance for "
                            "all");
        }
        if (!found)
            return -1;
    }
    return 0;
}

/* Levels and convergence by their type; *most: it selects the highest. */
static int add_levels (const struct section *c, struct json *with, bool *most,
                       struct error *err)
{
    const char *type = "fixed-levels";

    if (key_text (c, "type", &type, err) < 0)
        return -1;
    *most = strcmp (type, "fixed-levels-max-select") == 0;
    if (*most || strcmp (type, "fixed-levels") == 0)
        return add_fixed (c, with, err);
    if (strcmp (type, "adaptive-lower") == 0)
        return add_adaptive (c, with, err);
    return error_set (err,
                      "explore.convergence.type: '%s' is not known; there is "
                      "fixed-levels, fixed-levels-max-select and "
                      "adaptive-lower",
                      type);
}

struct json *dpgen2_selection (struct dpgen2 *dpgen2, struct error *err)
{
    const struct section *c = &dpgen2->parts[DPGEN2_CONVERGENCE];
    _cleanup_json_ struct json *with = json_object ();
    int64_t quota = 10;
    bool most = false;

    if (!c->v) {
        key_missing (&dpgen2->parts[DPGEN2_EXPLORE], "convergence", err);
        return NULL;
    }
    json_set (with, "semantics", json_string ("dpgen2"));
    if (add_levels (c, with, &most, err) < 0
        || key_int (&dpgen2->parts[DPGEN2_FP], "task_max", &quota, err) < 0)
        return NULL;
    json_set_path (with, "pick.quota", json_int (quota));
    if (most)
        json_set_path (with, "pick.how", json_string ("max"));
    return add_filters (dpgen2, with, err) < 0 ? NULL : steal (&with);
}
