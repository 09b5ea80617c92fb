/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2_exploration.c - a stage of DPGEN2 as inputs of lammps.explore, and its
 * convergence as those of model_devi.select
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/dpgen2.h"
#include "import/dpgen2_keys.h"
#include "import/lammps_lines.h"
#include "import/md_template.h"
#include "import/template_runs.h"

/* One task group, "explore.stages[0][1].". */
struct group {
    struct dpgen2 *dpgen2;
    const struct json *v;
    char *prefix;
    struct json *systems;
};

static const char *const temperature_names[] = { "temps", "Ts", NULL };
static const char *const pressure_names[] = { "press", "Ps", NULL };
static const char *const every_names[] = { "trj_freq", "t_freq", "traj_freq",
                                           NULL };
static const char *const ensemble_names[] = { "ens", "ensemble", NULL };
static const char *const systems_names[] = { "conf_idx", "sys_idx", NULL };

static char *group_path (const struct group *g, const char *key)
{
    return xasprintf ("%s%s", g->prefix, key);
}

/* --- structures --- */

static int check_configuration (const struct json *v, const char *prefix,
                                struct error *err)
{
    const char *type = "file";
    bool on = false;

    if (key_text (v, prefix, "type", &type, err) < 0
        || key_bool (v, prefix, "remove_pbc", &on, err) < 0)
        return -1;
    if (strcmp (type, "file") != 0)
        return error_set (err,
                          "%stype: no '%s' structures are made here; write "
                          "them to files and name these (type: file)",
                          prefix, type);
    if (on)
        return error_set (err,
                          "%sremove_pbc: lammps.explore has periodic "
                          "boundaries only",
                          prefix);
    return 0;
}

/* [path] of one of explore.configurations. */
static struct json *configuration_paths (struct dpgen2 *dpgen2, int64_t number,
                                         struct error *err)
{
    const struct json *v =
        json_at (json_get (dpgen2->explore, "configurations"), (size_t)number);
    char *prefix =
        xasprintf ("explore.configurations[%lld].", (long long)number);
    struct json *files = NULL, *paths = json_array ();
    const char *below = "";
    int rc = check_configuration (v, prefix, err);

    if (rc == 0
        && (key_text (dpgen2->explore, "explore.", "configuration_prefix",
                      &below, err)
                < 0
            || key_text (v, prefix, "prefix", &below, err) < 0))
        rc = -1;
    if (rc == 0)
        rc = key_list (v, prefix, "files", &files, err);
    if (rc > 0)
        rc = error_set (err, "%sfiles: it is missing", prefix);
    for (size_t i = 0; rc == 0 && i < json_count (files); i++) {
        const char *text;

        rc = value_text (json_at (files, i), prefix, &text, err);
        if (rc == 0) {
            char *path = draft_locate (dpgen2->draft, below, text);

            json_push (paths, draft_named (dpgen2->draft, path));
            free (path);
        }
    }
    if (rc < 0) {
        json_unref (paths);
        paths = NULL;
    }
    free (prefix);
    return paths;
}

static struct json *group_systems (struct group *g, struct error *err)
{
    const char *found = systems_names[0];
    const struct json *list = dpgen_alias (g->v, systems_names, &found);
    struct json *index = json_object (), *systems = json_object (), *numbers;
    size_t n = json_count (json_get (g->dpgen2->explore, "configurations"));

    if (list)
        json_set (index, "sys_idx", json_ref ((struct json *)list));
    numbers = dpgen_system_numbers (index, g->prefix, n, err);
    for (size_t i = 0; systems && i < json_count (numbers); i++) {
        int64_t number = json_as_int (json_at (numbers, i));
        struct json *paths = configuration_paths (g->dpgen2, number, err);
        char *name = dpgen_system_name (number);

        if (paths) {
            json_set (systems, name, paths);
        } else {
            json_unref (systems);
            systems = NULL;
        }
        free (name);
    }
    if (!numbers) {
        json_unref (systems);
        systems = NULL;
    }
    json_unref (index);
    json_unref (numbers);
    return systems;
}

/* --- groups --- */

static int refuse_keys (const struct group *g, struct error *err)
{
    static const struct {
        const char *key, *words;
    } refused[] = {
        { "pka_e", "no cascade is written; use an lmp-template that sets the "
                   "velocity" },
        { "ele_temp_f", "fparam is not supported" },
        { "ele_temp_a", "aparam is not supported" },
        { "pimd_bead", "lammps.explore runs classical MD; path integrals need "
                       "an operator of your own (fanfold-groups(7))" },
    };
    static const char *const off[] = { "no_pbc", "use_clusters" };

    for (size_t i = 0; i < ARRAY_SIZE (refused); i++) {
        if (!json_is_null (json_get (g->v, refused[i].key)))
            return error_set (err, "%s%s: %s", g->prefix, refused[i].key,
                              refused[i].words);
    }
    for (size_t i = 0; i < ARRAY_SIZE (off); i++) {
        bool on = false;

        if (key_bool (g->v, g->prefix, off[i], &on, err) < 0)
            return -1;
        if (on)
            return error_set (err, "%s%s: only false is supported", g->prefix,
                              off[i]);
    }
    return 0;
}

static int read_whole (const struct group *g, const char *const *names,
                       int64_t otherwise, const char *to, struct json *run,
                       struct error *err)
{
    const char *found = names[0];
    const struct json *v = dpgen_alias (g->v, names, &found);
    char *path = group_path (g, found);
    int64_t n = otherwise;
    int rc = v ? value_int (v, path, &n, err) : 0;

    if (rc == 0 && n < 1)
        rc = error_set (err, "%s: expected 1 or more, found %lld", path,
                        (long long)n);
    if (rc == 0)
        json_set (run, to, json_int (n));
    free (path);
    return rc;
}

static int read_values (const struct group *g, const char *const *names,
                        const char *variable, struct json *for_each,
                        struct error *err)
{
    const char *found = names[0];
    const struct json *v = dpgen_alias (g->v, names, &found);
    char *path = group_path (g, found);
    struct json *list = NULL;
    int rc = value_list (v, path, &list, err);

    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        double number;

        rc = value_number (json_at (list, i), path, &number, err);
    }
    if (rc == 0 && json_count (list) == 0)
        rc = error_set (err, "%s: the list is empty", path);
    if (rc == 0)
        json_set (for_each, variable, json_ref (list));
    free (path);
    return rc;
}

static int read_md (const struct group *g, struct md_settings *md,
                    struct error *err)
{
    const struct json *inputs = json_get (g->dpgen2->input, "inputs");
    const struct json *given = dpgen_alias (g->v, ensemble_names, NULL);
    const struct json *masses = json_get (inputs, "mass_map");
    double delay = -1;

    *md = (struct md_settings){ .ensemble = "nve",
                                .timestep_ps = 0.001,
                                .tau_t_ps = 0.05,
                                .tau_p_ps = 0.5,
                                .delay = -1,
                                .neighbors = -1,
                                .symbols = g->dpgen2->elements };
    if (json_kind (masses) == JSON_KIND_ARRAY)
        md->masses = masses;
    for (size_t i = 0; i < json_count (md->masses); i++) {
        double mass;

        if (value_number (json_at (masses, i), "inputs.mass_map", &mass, err)
            < 0)
            return -1;
    }
    if ((given && value_text (given, "ensemble", &md->ensemble, err) < 0)
        || key_number (g->v, g->prefix, "dt", &md->timestep_ps, err) < 0
        || key_number (g->v, g->prefix, "tau_t", &md->tau_t_ps, err) < 0
        || key_number (g->v, g->prefix, "tau_p", &md->tau_p_ps, err) < 0
        || key_number (g->v, g->prefix, "neidelay", &delay, err) < 0)
        return -1;
    md->delay = (int64_t)delay;
    return 0;
}

static int add_md (struct group *g, struct json *runs, struct error *err)
{
    static const char *const steps_names[] = { "nsteps", NULL };
    struct json *run = json_object (), *for_each = json_object ();
    struct strbuf text = STRBUF_INIT;
    struct md_settings md;
    char *name = NULL;
    int rc = -1;

    json_set (run, "systems", json_ref (g->systems));
    if (read_md (g, &md, err) < 0
        || read_whole (g, steps_names, 100, "steps", run, err) < 0
        || read_whole (g, every_names, 10, "dump_every", run, err) < 0
        || read_values (g, temperature_names, "temperature", for_each, err) < 0
        || (md_needs_pressure (md.ensemble)
            && read_values (g, pressure_names, "pressure", for_each, err) < 0))
        goto done;
    if (lammps_lines_write (&md, "DPGEN2's lmp-md", &text, err) < 0) {
        error_prefix (err, "%sensemble", g->prefix);
        goto done;
    }
    name = xasprintf ("lammps/%s.in", md.ensemble);
    json_set (run, "input",
              json_string (draft_add_file (g->dpgen2->draft, name, text.buf)));
    json_set (run, "for_each", json_ref (for_each));
    json_push (runs, json_ref (run));
    rc = 0;
done:
    json_unref (run);
    json_unref (for_each);
    strbuf_release (&text);
    free (name);
    return rc;
}

/* 0, or 1 where the template is not there. */
static int read_template (struct group *g, const char *const *names,
                          const char **file, struct strbuf *text,
                          struct error *err)
{
    const struct json *v = dpgen_alias (g->v, names, NULL);
    char *where = group_path (g, names[0]), *path;
    int rc = value_text (v, where, file, err);

    if (rc == 0) {
        path = draft_locate (g->dpgen2->draft, NULL, *file);
        rc = g->dpgen2->draft->files->read (path, text, err);
        free (path);
    }
    free (where);
    return rc;
}

static struct json *revisions_of (const struct group *g, struct error *err)
{
    struct json *given = NULL, *words = json_object ();

    if (key_mapping (g->v, g->prefix, "revisions", &given, err) < 0) {
        json_unref (words);
        return NULL;
    }
    JSON_FOREACH (given, it) {
        struct json *values = json_iter_value (it), *list = json_array ();

        for (size_t i = 0; i < json_count (values); i++)
            json_push (list, json_ref (json_at (values, i)));
        if (json_count (list) == 0)
            json_push (list, json_ref (values));
        json_set (words, json_iter_key (it), list);
    }
    return words;
}

/* Of a template that is not there: what can be said without it. */
static void add_absent (struct group *g, const char *file,
                        const struct json *words, struct json *runs)
{
    struct json *run = json_object ();
    char *path = draft_path (g->dpgen2->draft, NULL, file);
    int64_t steps = 0;

    JSON_FOREACH (words, it) {
        if (strcasestr (json_iter_key (it), "step"))
            value_int (json_at (json_iter_value (it), 0), "", &steps, NULL);
    }
    draft_remark (g->dpgen2->draft,
                  "%slmp: when %s is there, run fanfold import again: it must "
                  "be rewritten for lammps.explore",
                  g->prefix, path);
    json_set (run, "systems", json_ref (g->systems));
    json_set (run, "input", draft_named (g->dpgen2->draft, path));
    json_set (run, "steps", json_int (steps > 0 ? steps : 1000));
    json_push (runs, run);
    free (path);
}

static int add_template (struct group *g, struct json *runs, struct error *err)
{
    static const char *const lmp_names[] = { "lmp", "lmp_template",
                                             "lmp_template_fname", NULL };
    static const char *const plm_names[] = { "plm", "plm_template",
                                             "plm_template_fname", NULL };
    struct strbuf lammps = STRBUF_INIT, plumed = STRBUF_INIT;
    struct json *words = revisions_of (g, err), *some = json_array ();
    const char *file = NULL, *plumed_file;
    char *key = group_path (g, "revisions");
    int rc = words ? read_template (g, lmp_names, &file, &lammps, err) : -1;

    if (rc == 0 && dpgen_alias (g->v, plm_names, NULL))
        rc = read_template (g, plm_names, &plumed_file, &plumed, err);
    if (rc > 0) {
        add_absent (g, file, words, some);
        rc = 0;
    } else if (rc == 0) {
        struct md_template text = { .name = file,
                                    .lammps = lammps.buf,
                                    .plumed =
                                        plumed.len > 0 ? plumed.buf : NULL };

        rc = template_runs_add (g->dpgen2->draft, key, &text, words, g->systems,
                                some, err);
    }
    for (size_t i = 0; rc == 0 && i < json_count (some); i++) {
        struct json *run = json_ref (json_at (some, i));

        rc = read_whole (g, every_names, 10, "dump_every", run, err);
        json_push (runs, run);
    }
    json_unref (words);
    json_unref (some);
    strbuf_release (&lammps);
    strbuf_release (&plumed);
    free (key);
    return rc;
}

/* `relative` of the stage is that of the first group. */
static void say_relative (const struct group *g)
{
    static const char *const keys[] = { "relative_f_epsilon",
                                        "relative_v_epsilon" };
    const struct json *first =
        json_at (json_at (json_get (g->dpgen2->explore, "stages"), 0), 0);

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        const struct json *v = json_get (g->v, keys[i]);
        char *path = xasprintf ("%s%s", g->prefix, keys[i]);

        if (v && !json_equal (v, json_get (first, keys[i])))
            key_report_say (&g->dpgen2->draft->report, path, KEY_UNSUPPORTED,
                            "left out: all groups have that of "
                            "explore.stages[0][0]%s",
                            json_get (first, keys[i]) ? ""
                                                      : ", which has none");
        free (path);
    }
}

static int add_group (struct group *g, struct json *runs, struct error *err)
{
    const char *type;
    int rc = key_text (g->v, g->prefix, "type", &type, err);

    if (rc > 0)
        rc = error_set (err, "%stype: it is missing", g->prefix);
    if (rc == 0)
        rc = refuse_keys (g, err);
    if (rc == 0 && !(g->systems = group_systems (g, err)))
        rc = -1;
    if (rc < 0)
        return -1;
    if (strcmp (type, "lmp-md") == 0 || strcmp (type, "lmp-npt") == 0)
        rc = add_md (g, runs, err);
    else if (strcmp (type, "lmp-template") == 0)
        rc = add_template (g, runs, err);
    else
        rc = error_set (err,
                        "%stype: '%s' is no run of lammps.explore (lmp-md and "
                        "lmp-template are); explore with an operator of your "
                        "own",
                        g->prefix, type);
    say_relative (g);
    key_report_table (&g->dpgen2->draft->report, g->v, g->prefix,
                      dpgen2_group_keys, NULL);
    return rc;
}

struct json *dpgen2_exploration (struct dpgen2 *dpgen2, size_t i,
                                 struct error *err)
{
    const struct json *stage =
        json_at (json_get (dpgen2->explore, "stages"), i);
    struct json *with = json_object (), *runs = json_array (), *groups;
    char *path = xasprintf ("explore.stages[%zu]", i);
    int rc = value_list (stage, path, &groups, err);

    for (size_t k = 0; rc == 0 && k < json_count (groups); k++) {
        struct group g = { .dpgen2 = dpgen2,
                           .v = json_at (groups, k),
                           .prefix = xasprintf ("%s[%zu].", path, k) };
        struct json *mapping;

        rc = value_mapping (g.v, path, &mapping, err);
        if (rc == 0)
            rc = add_group (&g, runs, err);
        json_unref (g.systems);
        free (g.prefix);
    }
    if (rc == 0 && json_count (runs) == 0)
        rc = error_set (err, "%s: it has no task group", path);
    json_set (with, "runs", runs);
    if (rc < 0) {
        json_unref (with);
        with = NULL;
    }
    free (path);
    return with;
}

/* --- convergence --- */

static int copy_number (const struct json *from, const char *key,
                        const char *to, struct json *with, struct error *err)
{
    double value;
    int rc = key_number (from, "explore.convergence.", key, &value, err);

    if (rc == 0)
        json_set_path (with, to, number_json (value));
    return rc < 0 ? -1 : 0;
}

static int add_pair (const struct json *c, char letter, const char *to,
                     struct json *with, struct error *err)
{
    char *low_key = xasprintf ("level_%c_lo", letter);
    char *high_key = xasprintf ("level_%c_hi", letter);
    double low, high;
    int rc = key_number (c, "explore.convergence.", high_key, &high, err);

    if (rc == 0) {
        rc = key_number (c, "explore.convergence.", low_key, &low, err);
        if (rc > 0)
            rc = error_set (err, "explore.convergence.%s: it is missing",
                            low_key);
    }
    if (rc == 0) {
        struct json *pair = json_array ();

        json_push (pair, number_json (low));
        json_push (pair, number_json (high));
        json_set_path (with, to, pair);
    }
    free (low_key);
    free (high_key);
    return rc < 0 ? -1 : 0;
}

static int add_fixed (const struct json *c, struct json *with,
                      struct error *err)
{
    if (add_pair (c, 'f', "levels.force", with, err) < 0
        || add_pair (c, 'v', "levels.virial", with, err) < 0)
        return -1;
    return copy_number (c, "conv_accuracy", "convergence.accurate", with, err);
}

static int add_adaptive (const struct json *c, struct json *with,
                         struct error *err)
{
    static const struct {
        const char *key, *to;
    } numbers[] = {
        { "level_f_hi", "levels.force.high" },
        { "level_v_hi", "levels.virial.high" },
        { "numb_candi_f", "levels.adaptive.force.count" },
        { "rate_candi_f", "levels.adaptive.force.fraction" },
        { "numb_candi_v", "levels.adaptive.virial.count" },
        { "rate_candi_v", "levels.adaptive.virial.fraction" },
        { "n_checked_steps", "convergence.steps" },
        { "conv_tolerance", "convergence.drift" },
    };
    const char *chance = "uniform";

    for (size_t i = 0; i < ARRAY_SIZE (numbers); i++) {
        if (copy_number (c, numbers[i].key, numbers[i].to, with, err) < 0)
            return -1;
    }
    if (!json_get_path (with, "levels.adaptive"))
        json_set_path (with, "levels.adaptive.force", json_object ());
    json_set_path (with, "convergence.earlier",
                   json_string ("all.select.levels"));
    if (key_text (c, "explore.convergence.", "candi_sel_prob", &chance, err)
        < 0)
        return -1;
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

    if (key_list (dpgen2->explore, "explore.", "filters", &list, err) < 0)
        return -1;
    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *v = json_at (list, i);
        const char *type = json_get_string (v, "type");
        char *prefix = xasprintf ("explore.filters[%zu].", i);
        bool found = false;

        for (size_t k = 0; k < ARRAY_SIZE (known); k++) {
            double value = known[k].otherwise;

            if (strcmp (known[k].type, type) != 0)
                continue;
            found = key_number (v, prefix, known[k].key, &value, err) >= 0;
            json_set_path (with, known[k].to, number_json (value));
        }
        if (!found && !(err && err->text[0]))
            error_set (err,
                       "%stype: '%s' is not known; there is distance, "
                       "box_length and box_skewness",
                       prefix, type);
        if (found && json_get (v, "custom_safe_dist")) {
            char *path = xasprintf ("%scustom_safe_dist", prefix);

            key_report_say (&dpgen2->draft->report, path, KEY_UNSUPPORTED,
                            "left out: the radii are those of DPGEN2 for all "
                            "elements; filters.closest has one distance for "
                            "all");
            free (path);
        }
        free (prefix);
        if (!found)
            return -1;
    }
    return 0;
}

struct json *dpgen2_selection (struct dpgen2 *dpgen2, struct error *err)
{
    struct json *with = json_object (), *c = NULL;
    const char *type = "fixed-levels";
    int64_t quota = 10;
    int rc = key_mapping (dpgen2->explore, "explore.", "convergence", &c, err);

    if (rc > 0)
        rc = error_set (err, "explore.convergence: it is missing");
    json_set (with, "semantics", json_string ("dpgen2"));
    if (rc == 0
        && (key_text (c, "explore.convergence.", "type", &type, err) < 0
            || key_int (json_get (dpgen2->input, "fp"), "fp.", "task_max",
                        &quota, err)
                   < 0))
        rc = -1;
    if (rc == 0) {
        bool fixed = strcmp (type, "fixed-levels") == 0;
        bool most = strcmp (type, "fixed-levels-max-select") == 0;

        if (fixed || most)
            rc = add_fixed (c, with, err);
        else if (strcmp (type, "adaptive-lower") == 0)
            rc = add_adaptive (c, with, err);
        else
            rc = error_set (err,
                            "explore.convergence.type: '%s' is not known; "
                            "there is fixed-levels, fixed-levels-max-select "
                            "and adaptive-lower",
                            type);
        json_set_path (with, "pick.quota", json_int (quota));
        if (most)
            json_set_path (with, "pick.how", json_string ("max"));
    }
    if (rc == 0)
        rc = add_filters (dpgen2, with, err);
    if (rc < 0) {
        json_unref (with);
        with = NULL;
    }
    return with;
}
