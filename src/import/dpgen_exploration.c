/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_exploration.c - a job of DP-GEN as inputs of lammps.explore */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/lammps_lines.h"
#include "import/md_template.h"
#include "import/template_runs.h"

enum { SYSTEMS_MAX = 100000 };

static const char *const temperature_names[] = { "Ts", "temps", NULL };
static const char *const pressure_names[] = { "Ps", "press", NULL };
static const char *const every_names[] = { "t_freq", "trj_freq", "traj_freq",
                                           NULL };
static const char *const ensemble_names[] = { "ens", "ensemble", NULL };

char *dpgen_job_prefix (size_t i)
{
    return xasprintf ("model_devi_jobs[%zu].", i);
}

char *dpgen_system_name (int64_t number)
{
    return xasprintf ("%03lld", (long long)number);
}

const struct json *dpgen_alias (const struct json *job,
                                const char *const *names, const char **found)
{
    for (; *names; names++) {
        const struct json *v = json_get (job, *names);

        if (!v)
            continue;
        if (found)
            *found = *names;
        return v;
    }
    return NULL;
}

/* --- systems --- */

/* "a", "a-b" or "a-b:step"; the end is not in it. */
static int add_range (const char *text, struct json *numbers, const char *path,
                      struct error *err)
{
    char *end;
    long first = strtol (text, &end, 10), last = -1, step = 1;
    bool is_range = end > text && *end == '-';
    const char *at = end;

    if (is_range) {
        last = strtol (at + 1, &end, 10);
        if (end > at + 1 && *end == ':') {
            at = end;
            step = strtol (at + 1, &end, 10);
        }
    }
    /* Looked at before anything is added to them: they may be the greatest. */
    if (end == text || *end || first < 0 || first > SYSTEMS_MAX
        || last > SYSTEMS_MAX || (is_range && last < 0) || step < 1
        || step > SYSTEMS_MAX)
        return error_set (err,
                          "%s: '%.40s' is no number, and no range a-b or "
                          "a-b:step",
                          path, text);
    for (long i = first; i < (is_range ? last : first + 1); i += step)
        json_push (numbers, json_int (i));
    return 0;
}

static int check_numbers (const struct json *numbers, const char *path,
                          size_t n_systems, struct error *err)
{
    struct json *seen = json_object ();
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (numbers); i++) {
        int64_t number = json_as_int (json_at (numbers, i));
        char *name = dpgen_system_name (number);

        if (number < 0 || (size_t)number >= n_systems)
            rc = error_set (err,
                            "%s: there is no system %lld; sys_configs has %zu",
                            path, (long long)number, n_systems);
        else if (json_get (seen, name))
            rc = error_set (err, "%s: system %lld is there twice", path,
                            (long long)number);
        json_set (seen, name, json_bool (true));
        free (name);
    }
    if (rc == 0 && json_count (numbers) == 0)
        rc = error_set (err, "%s: it names no system", path);
    json_unref (seen);
    return rc;
}

struct json *dpgen_system_numbers (const struct json *job, const char *prefix,
                                   size_t n_systems, struct error *err)
{
    char *path = xasprintf ("%ssys_idx", prefix);
    struct json *numbers = json_array (), *list;
    int rc = value_list (json_get (job, "sys_idx"), path, &list, err);

    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        const struct json *v = json_at (list, i);
        int64_t number;

        if (json_kind (v) == JSON_KIND_STRING)
            rc = add_range (json_as_string (v), numbers, path, err);
        else if ((rc = value_int (v, path, &number, err)) == 0)
            json_push (numbers, json_int (number));
    }
    if (rc == 0)
        rc = check_numbers (numbers, path, n_systems, err);
    if (rc < 0) {
        json_unref (numbers);
        numbers = NULL;
    }
    free (path);
    return numbers;
}

/* The paths of one system, as the campaign names them. */
static struct json *system_paths (struct dpgen *dpgen, int64_t number,
                                  const char *prefix, struct error *err)
{
    const struct json *all = json_get (dpgen->param, "sys_configs");
    const struct json *one = json_at (all, (size_t)number);
    struct json *paths = json_array ();
    size_t n = json_kind (one) == JSON_KIND_ARRAY ? json_count (one) : 1;

    for (size_t i = 0; i < n; i++) {
        const struct json *v =
            json_kind (one) == JSON_KIND_ARRAY ? json_at (one, i) : one;
        char *path;

        if (json_kind (v) != JSON_KIND_STRING) {
            error_set (err,
                       "sys_configs[%lld]: expected a list of paths, found %s",
                       (long long)number, json_kind_name (v));
            json_unref (paths);
            return NULL;
        }
        path = draft_locate (dpgen->draft, prefix, json_as_string (v));
        json_push (paths, draft_named (dpgen->draft, path));
        free (path);
    }
    return paths;
}

/* {NAME: [path]} of these systems. */
static struct json *systems_of (struct dpgen *dpgen, const struct json *numbers,
                                struct error *err)
{
    struct json *systems = json_object ();
    const char *prefix = "";

    if (key_text (dpgen->param, "", "sys_configs_prefix", &prefix, err) < 0)
        goto failed;
    for (size_t i = 0; i < json_count (numbers); i++) {
        int64_t number = json_as_int (json_at (numbers, i));
        struct json *paths = system_paths (dpgen, number, prefix, err);
        char *name;

        if (!paths)
            goto failed;
        name = dpgen_system_name (number);
        json_set (systems, name, paths);
        outline_share (&dpgen->draft->campaign, name, paths);
        free (name);
    }
    return systems;
failed:
    json_unref (systems);
    return NULL;
}

/* --- an MD that DP-GEN writes --- */

/* A list of numbers, also of one that stands alone. */
static struct json *number_list (const struct json *v, const char *path,
                                 struct error *err)
{
    struct json *list = json_array ();
    bool alone = json_kind (v) != JSON_KIND_ARRAY;
    size_t n = alone ? 1 : json_count (v);

    for (size_t i = 0; i < n; i++) {
        double number;

        if (value_number (alone ? v : json_at (v, i), path, &number, err) < 0) {
            json_unref (list);
            return NULL;
        }
        json_push (list, number_json (number));
    }
    if (n > 0)
        return list;
    error_set (err, "%s: the list is empty", path);
    json_unref (list);
    return NULL;
}

static int add_values (const struct json *job, const char *prefix,
                       const char *const *names, const char *variable,
                       struct json *for_each, struct error *err)
{
    const char *found = names[1];
    const struct json *v = dpgen_alias (job, names, &found);
    char *path = xasprintf ("%s%s", prefix, found);
    struct json *list = v ? number_list (v, path, err)
                          : (error_set (err, "%s: it is missing", path), NULL);

    if (list)
        json_set (for_each, variable, list);
    free (path);
    return list ? 0 : -1;
}

/* A number of the job, else of the file. */
static int setting (const struct dpgen *dpgen, const struct json *job,
                    const char *prefix, const char *job_key,
                    const char *param_key, double *out, struct error *err)
{
    int rc = key_number (job, prefix, job_key, out, err);

    if (rc > 0)
        rc = key_number (dpgen->param, "", param_key, out, err);
    return rc < 0 ? -1 : 0;
}

static int read_md (const struct dpgen *dpgen, const struct json *job,
                    const char *prefix, struct md_settings *md,
                    struct error *err)
{
    const struct json *masses = json_get (dpgen->param, "mass_map");
    double delay = -1, neighbors = -1;

    *md = (struct md_settings){ .tau_t_ps = 0.1,
                                .tau_p_ps = 0.5,
                                .symbols = dpgen->elements };
    if (json_kind (masses) == JSON_KIND_ARRAY)
        md->masses = masses;
    if (md->masses && json_count (masses) < json_count (dpgen->elements))
        return error_set (err, "mass_map: it has %zu masses for %zu elements",
                          json_count (masses), json_count (dpgen->elements));
    if (key_number (dpgen->param, "", "model_devi_dt", &md->timestep_ps, err)
        != 0)
        return json_get (dpgen->param, "model_devi_dt")
                   ? -1
                   : error_set (err, "model_devi_dt: it is missing");
    if (setting (dpgen, job, prefix, "taut", "model_devi_taut", &md->tau_t_ps,
                 err)
            < 0
        || setting (dpgen, job, prefix, "taup", "model_devi_taup",
                    &md->tau_p_ps, err)
               < 0
        || setting (dpgen, job, prefix, "neidelay", "model_devi_neidelay",
                    &delay, err)
               < 0
        || key_number (dpgen->param, "", "lmp_neigh_modify_one", &neighbors,
                       err)
               < 0)
        return -1;
    md->delay = (int64_t)delay;
    md->neighbors = (int64_t)neighbors;
    return 0;
}

static int check_masses (const struct json *masses, struct error *err)
{
    for (size_t i = 0; i < json_count (masses); i++) {
        double mass;

        if (value_number (json_at (masses, i), "mass_map", &mass, err) < 0)
            return -1;
        if (mass <= 0)
            return error_set (err, "mass_map: %g is no mass", mass);
    }
    return 0;
}

/* The file of the user's lines, and the variables. */
static int add_native (struct dpgen *dpgen, const struct json *job,
                       const char *prefix, struct json *with, struct error *err)
{
    const char *found = "ensemble", *ensemble;
    const struct json *given = dpgen_alias (job, ensemble_names, &found);
    char *path = xasprintf ("%s%s", prefix, found), *name = NULL;
    struct json *for_each = json_object ();
    struct strbuf text = STRBUF_INIT;
    struct md_settings md;
    int rc = -1;

    if (!given) {
        error_set (err, "%s: it is missing", path);
        goto done;
    }
    if (value_text (given, path, &ensemble, err) < 0
        || read_md (dpgen, job, prefix, &md, err) < 0
        || check_masses (md.masses, err) < 0)
        goto done;
    md.ensemble = ensemble;
    if (add_values (job, prefix, temperature_names, "temperature", for_each,
                    err)
            < 0
        || (md_needs_pressure (ensemble)
            && add_values (job, prefix, pressure_names, "pressure", for_each,
                           err)
                   < 0))
        goto done;
    if (lammps_lines_write (&md, "DP-GEN's model_devi_jobs", &text, err) < 0) {
        error_prefix (err, "%s", path);
        goto done;
    }
    name = xasprintf ("lammps/%s.in", ensemble);
    json_set (with, "input",
              json_string (draft_add_file (dpgen->draft, name, text.buf)));
    json_set (with, "for_each", json_ref (for_each));
    rc = 0;
done:
    free (path);
    free (name);
    json_unref (for_each);
    strbuf_release (&text);
    return rc;
}

/* --- an MD from the user's template --- */

struct template_job {
    struct dpgen *dpgen;
    const struct json *job;
    const char *prefix; /* "model_devi_jobs[0]." */
    struct strbuf lammps, plumed, plumed_path;
    char *name; /* of the template, as the input calls it */
    bool there; /* has it been read? */
    bool has_plumed;
};

/* lmp_neigh_modify_one goes behind the line `neighbor`, or else `units`, of a
 * template that does not set it, as DP-GEN does.
 */
static int add_neighbors (struct template_job *t, struct error *err)
{
    int64_t neighbors;
    int rc =
        key_int (t->dpgen->param, "", "lmp_neigh_modify_one", &neighbors, err);
    const char *at = t->lammps.buf, *units = NULL, *neighbor = NULL;
    struct strbuf out = STRBUF_INIT;

    if (rc != 0)
        return rc < 0 ? -1 : 0;
    while (*at) {
        const char *word = at + strspn (at, " \t");
        size_t len = strcspn (at, "\n");
        char *line = xstrndup (at, len);
        bool is_set =
            strncmp (word, "neigh_modify", 12) == 0 && strstr (line, " one ");

        free (line);
        if (is_set)
            return 0;
        at += len + (at[len] == '\n');
        if (strncmp (word, "neighbor", 8) == 0)
            neighbor = at;
        else if (!units && strncmp (word, "units", 5) == 0)
            units = at;
    }
    at = neighbor ? neighbor : units;
    if (!at)
        return 0;
    strbuf_add (&out, t->lammps.buf, (size_t)(at - t->lammps.buf));
    strbuf_addf (&out, "%sneigh_modify    one %lld\n",
                 at[-1] == '\n' ? "" : "\n", (long long)neighbors);
    strbuf_add_str (&out, at);
    strbuf_release (&t->lammps);
    t->lammps = out;
    return 0;
}

static int read_template (struct template_job *t, const char *key,
                          struct strbuf *text, struct error *err)
{
    const struct json *template = json_get (t->job, "template");
    char *below = xasprintf ("%stemplate.", t->prefix), *path;
    const char *file;
    int rc = key_text (template, below, key, &file, err);

    if (rc != 0) {
        if (rc > 0)
            rc = error_set (err, "%s%s: it is missing", below, key);
        free (below);
        return rc;
    }
    path = draft_locate (t->dpgen->draft, NULL, file);
    rc = t->dpgen->draft->files->read (path, text, err);
    if (rc > 0) {
        draft_remark (t->dpgen->draft,
                      "%s%s: when %s is there, run fanfold import again: it "
                      "must be rewritten for lammps.explore",
                      below, key, path);
        t->there = false;
    } else if (rc == 0 && strcmp (key, "lmp") == 0) {
        t->name = xstrdup (file);
    }
    free (path);
    free (below);
    return rc < 0 ? -1 : 0;
}

/* Add {WORD: [value, ...]}; a word that is there has its values already. */
static int add_words (const struct json *from, const char *prefix,
                      struct json *words, struct error *err)
{
    JSON_FOREACH (from, it) {
        const char *word = json_iter_key (it);
        struct json *values = json_iter_value (it), *list;

        if (word[0] == '_' || json_get (words, word))
            continue;
        if (json_kind (values) == JSON_KIND_ARRAY) {
            list = json_ref (values);
        } else {
            list = json_array ();
            json_push (list, json_ref (values));
        }
        json_set (words, word, list);
        if (json_count (list) == 0)
            return error_set (err, "%srev_mat: '%s' has no values", prefix,
                              word);
    }
    return 0;
}

/* Those of rev_mat and of the system's own, lmp first; plm where PLUMED is. */
static struct json *words_of (const struct template_job *t, const char *system,
                              struct error *err)
{
    static const char *const kinds[] = { "lmp", "plm" };
    const struct json *of_all = json_get (t->job, "rev_mat");
    const struct json *own =
        json_get (json_get (t->job, "sys_rev_mat"), system);
    struct json *words = json_object ();

    for (size_t k = 0; k < (t->has_plumed ? 2 : 1); k++) {
        if (add_words (json_get (of_all, kinds[k]), t->prefix, words, err) < 0
            || add_words (json_get (own, kinds[k]), t->prefix, words, err)
                   < 0) {
            json_unref (words);
            return NULL;
        }
    }
    return words;
}

/* Append the runs of some systems with these words. */
static int add_runs (struct template_job *t, const struct json *words,
                     struct json *systems, struct json *runs, struct error *err)
{
    struct md_template text = {
        .name = t->name,
        .lammps = t->lammps.buf,
        .plumed = t->plumed.len > 0 ? t->plumed.buf : NULL,
        .plumed_path = t->plumed_path.len > 0 ? t->plumed_path.buf : NULL,
    };
    char *key = xasprintf ("%srev_mat", t->prefix);
    int rc = template_runs_add (t->dpgen->draft, key, &text, words, systems,
                                runs, err);

    free (key);
    return rc;
}

/* Of a template that is not there: what can be said without it. */
static int add_absent (struct template_job *t, struct json *systems,
                       struct json *with, struct error *err)
{
    const char *file = json_get_string (json_get (t->job, "template"), "lmp");
    struct json *words = words_of (t, "", err);
    char *path = draft_path (t->dpgen->draft, NULL, file);
    int64_t steps = 0;

    if (!words) {
        free (path);
        return -1;
    }
    JSON_FOREACH (words, it) {
        const char *word = json_iter_key (it);

        if (strcasestr (word, "step"))
            value_int (json_at (json_iter_value (it), 0), word, &steps, NULL);
    }
    key_int (t->job, t->prefix, "nsteps", &steps, NULL);
    json_set (with, "input", draft_named (t->dpgen->draft, path));
    json_set (with, "systems", json_ref (systems));
    json_set (with, "steps", json_int (steps > 0 ? steps : 1000));
    json_unref (words);
    free (path);
    return 0;
}

static int add_template_runs (struct template_job *t,
                              const struct json *numbers, struct json *systems,
                              struct json *with, struct error *err)
{
    struct json *runs = json_array ();
    bool own = json_count (json_get (t->job, "sys_rev_mat")) > 0;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < (own ? json_count (numbers) : 1); i++) {
        int64_t number = json_as_int (json_at (numbers, i));
        char *key = xasprintf ("%lld", (long long)number);
        char *name = dpgen_system_name (number);
        struct json *words = words_of (t, own ? key : "", err);
        struct json *some = json_object ();

        if (own)
            json_set (some, name, json_ref (json_get (systems, name)));
        rc = words ? add_runs (t, words, own ? some : systems, runs, err) : -1;
        json_unref (some);
        json_unref (words);
        free (key);
        free (name);
    }
    if (rc == 0 && json_count (runs) == 1) {
        JSON_FOREACH (json_at (runs, 0), it)
            json_set (with, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    } else if (rc == 0) {
        json_set (with, "runs", json_ref (runs));
    }
    json_unref (runs);
    return rc;
}

static int add_template (struct dpgen *dpgen, const struct json *job,
                         const char *prefix, const struct json *numbers,
                         struct json *systems, struct json *with,
                         struct error *err)
{
    struct template_job t = { .dpgen = dpgen,
                              .job = job,
                              .prefix = prefix,
                              .lammps = STRBUF_INIT,
                              .plumed = STRBUF_INIT,
                              .plumed_path = STRBUF_INIT,
                              .there = true };
    bool plumed = false, path = false;
    int rc = -1;

    if (key_bool (dpgen->param, "", "model_devi_plumed", &plumed, err) >= 0
        && key_bool (dpgen->param, "", "model_devi_plumed_path", &path, err)
               >= 0
        && read_template (&t, "lmp", &t.lammps, err) == 0
        && add_neighbors (&t, err) == 0
        && (!plumed || read_template (&t, "plm", &t.plumed, err) == 0)
        && (!plumed || !path
            || read_template (&t, "plm_path", &t.plumed_path, err) == 0)) {
        t.has_plumed = plumed;
        rc = t.there ? add_template_runs (&t, numbers, systems, with, err)
                     : add_absent (&t, systems, with, err);
    }
    if (rc < 0)
        error_prefix (err, "%stemplate", prefix);
    strbuf_release (&t.lammps);
    strbuf_release (&t.plumed);
    strbuf_release (&t.plumed_path);
    free (t.name);
    return rc;
}

/* --- one job --- */

static int refuse_keys (const struct json *job, const char *prefix,
                        struct error *err)
{
    if (!json_is_null (json_get (job, "nbeads")))
        return error_set (err,
                          "%snbeads: lammps.explore runs classical MD; "
                          "path integrals need an operator of your own "
                          "(fanfold-groups(7) has one with a driver)",
                          prefix);
    if (!json_is_null (json_get (job, "pka_e")))
        return error_set (err,
                          "%spka_e: no cascade is written; give the job a "
                          "`template` that sets the velocity",
                          prefix);
    return 0;
}

static int add_whole (const struct json *job, const char *prefix,
                      const char *const *names, const char *to,
                      struct json *with, struct error *err)
{
    const char *found = names[1];
    const struct json *v = dpgen_alias (job, names, &found);
    char *path = xasprintf ("%s%s", prefix, found);
    int64_t n = 0;
    int rc = v ? value_int (v, path, &n, err)
               : error_set (err, "%s: it is missing", path);

    if (rc == 0 && n < 1)
        rc = error_set (err, "%s: expected 1 or more, found %lld", path,
                        (long long)n);
    if (rc == 0)
        json_set (with, to, json_int (n));
    free (path);
    return rc;
}

struct json *dpgen_exploration (struct dpgen *dpgen, size_t i,
                                struct error *err)
{
    static const char *const steps_names[] = { "nsteps", "nsteps", NULL };
    const struct json *job = json_at (dpgen->jobs, i);
    char *prefix = dpgen_job_prefix (i);
    struct json *with = json_object (), *numbers = NULL, *systems = NULL;
    int rc = refuse_keys (job, prefix, err);

    if (rc == 0) {
        numbers = dpgen_system_numbers (
            job, prefix, json_count (json_get (dpgen->param, "sys_configs")),
            err);
        systems = numbers ? systems_of (dpgen, numbers, err) : NULL;
        rc = systems ? 0 : -1;
    }
    if (rc == 0)
        rc = add_whole (job, prefix, every_names, "dump_every", with, err);
    if (rc == 0 && json_get (job, "template")) {
        rc = add_template (dpgen, job, prefix, numbers, systems, with, err);
    } else if (rc == 0) {
        json_set (with, "systems", json_ref (systems));
        rc = add_whole (job, prefix, steps_names, "steps", with, err);
        if (rc == 0)
            rc = add_native (dpgen, job, prefix, with, err);
    }
    json_unref (numbers);
    json_unref (systems);
    if (rc < 0) {
        json_unref (with);
        with = NULL;
    }
    free (prefix);
    return with;
}
