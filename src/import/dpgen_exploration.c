/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_exploration.c - a job of DP-GEN as inputs of lammps.explore */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/exploration.h"

/* --- systems --- */

/* {NAME: [path]} of these systems. */
static struct json *systems_of (struct dpgen *dpgen, const struct json *numbers,
                                struct error *err)
{
    const struct json *all = section_get (&dpgen->param, "sys_configs");
    _cleanup_json_ struct json *systems = json_object ();
    const char *prefix = "";

    if (key_text (&dpgen->param, "sys_configs_prefix", &prefix, err) < 0)
        return NULL;
    for (size_t i = 0; i < json_count (numbers); i++) {
        int64_t number = json_as_int (json_at (numbers, i));
        _cleanup_free_ char *path =
            xasprintf ("sys_configs[%lld]", (long long)number);
        _cleanup_free_ char *name = system_name (number);
        struct json *paths = recipe_locate (
            &dpgen->recipe, json_at (all, (size_t)number), path, prefix, err);

        if (!paths)
            return NULL;
        json_set (systems, name, paths);
        outline_share (&dpgen->recipe.draft->campaign, name, paths);
    }
    return steal (&systems);
}

struct json *dpgen_system_numbers (const struct dpgen *dpgen, size_t i,
                                   struct error *err)
{
    size_t n = json_count (json_get (dpgen->param.v, "sys_configs"));

    return system_numbers (&dpgen->jobs[i], "sys_idx", n, err);
}

/* --- an MD from the user's template --- */

/* lmp_neigh_modify_one goes behind the line `neighbor`, or else `units`, of a
 * template that does not set it, as DP-GEN does.
 */
static int add_neighbors (const struct dpgen *dpgen, struct strbuf *lammps,
                          struct error *err)
{
    int64_t neighbors;
    int rc = key_int (&dpgen->param, "lmp_neigh_modify_one", &neighbors, err);
    const char *at = lammps->buf, *units = NULL, *neighbor = NULL;
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
    strbuf_add (&out, lammps->buf, (size_t)(at - lammps->buf));
    strbuf_addf (&out, "%sneigh_modify    one %lld\n",
                 at[-1] == '\n' ? "" : "\n", (long long)neighbors);
    strbuf_add_str (&out, at);
    strbuf_release (lammps);
    *lammps = out;
    return 0;
}

/* Those of rev_mat and of the system's own, lmp first; plm where PLUMED is. */
static struct json *words_of (const struct section *job, const char *system,
                              bool plumed, struct error *err)
{
    static const char *const kinds[] = { "lmp", "plm" };
    const struct json *of[] = {
        section_get (job, "rev_mat"),
        json_get (section_get (job, "sys_rev_mat"), system),
    };
    _cleanup_free_ char *path = section_path (job, "rev_mat");
    _cleanup_json_ struct json *words = json_object ();

    for (size_t k = 0; k < (plumed ? 2 : 1); k++) {
        for (size_t i = 0; i < ARRAY_SIZE (of); i++) {
            if (template_add_words (json_get (of[i], kinds[k]), path, words,
                                    err)
                < 0)
                return NULL;
        }
    }
    return steal (&words);
}

/* The runs of one system with words of its own, or of all. */
static int add_runs (const struct exploration *e,
                     const struct template_files *files, bool plumed,
                     const char *system, struct json *systems,
                     struct json *runs, struct error *err)
{
    _cleanup_json_ struct json *words = words_of (e->keys, system, plumed, err);
    _cleanup_free_ char *path = section_path (e->keys, "rev_mat");

    return words ? template_add_runs (e, files, path, words, systems, runs, err)
                 : -1;
}

static int add_own_runs (const struct exploration *e,
                         const struct template_files *files, bool plumed,
                         const struct json *numbers, const struct json *systems,
                         struct json *runs, struct error *err)
{
    for (size_t i = 0; i < json_count (numbers); i++) {
        int64_t number = json_as_int (json_at (numbers, i));
        _cleanup_free_ char *key = xasprintf ("%lld", (long long)number);
        _cleanup_free_ char *name = system_name (number);
        _cleanup_json_ struct json *one = json_object ();

        json_set (one, name, json_ref (json_get (systems, name)));
        if (add_runs (e, files, plumed, key, one, runs, err) < 0)
            return -1;
    }
    return 0;
}

/* One run is the stage's own. */
static void set_runs (struct json *with, struct json *runs)
{
    if (json_count (runs) != 1) {
        json_set (with, "runs", json_ref (runs));
        return;
    }
    JSON_FOREACH (json_at (runs, 0), it)
        json_set (with, json_iter_key (it), json_ref (json_iter_value (it)));
}

static int read_files (struct dpgen *dpgen, const struct exploration *e,
                       struct template_files *files, bool *plumed,
                       struct error *err)
{
    _cleanup_free_ char *prefix = xasprintf ("%stemplate.", e->keys->prefix);
    const struct section s = { .v = section_get (e->keys, "template"),
                               .prefix = prefix };
    bool path = false;

    if (template_files_read (e, &s, "lmp", files, &files->lammps, err) < 0
        || add_neighbors (dpgen, &files->lammps, err) < 0
        || key_bool (&dpgen->param, "model_devi_plumed", plumed, err) < 0
        || key_bool (&dpgen->param, "model_devi_plumed_path", &path, err) < 0)
        return -1;
    if (!*plumed)
        return 0;
    if (template_files_read (e, &s, "plm", files, &files->plumed, err) < 0)
        return -1;
    return path ? template_files_read (e, &s, "plm_path", files,
                                       &files->plumed_path, err)
                : 0;
}

static int add_template (struct dpgen *dpgen, const struct exploration *e,
                         const struct json *numbers, struct json *systems,
                         struct json *with, struct error *err)
{
    _cleanup_ (template_files_release) struct template_files files =
        TEMPLATE_FILES_INIT;
    _cleanup_json_ struct json *runs = json_array ();
    bool plumed = false;
    int rc = read_files (dpgen, e, &files, &plumed, err);

    if (rc == 0 && !files.absent
        && json_count (json_get (e->keys->v, "sys_rev_mat")) > 0)
        rc = add_own_runs (e, &files, plumed, numbers, systems, runs, err);
    else if (rc == 0)
        rc = add_runs (e, &files, plumed, "", systems, runs, err);
    if (rc == 0)
        set_runs (with, runs);
    else
        error_prefix (err, "%stemplate", e->keys->prefix);
    return rc;
}

/* --- one job --- */

/* An MD that DP-GEN writes: the job's settings are before those of all. */
static int add_md (struct dpgen *dpgen, const struct exploration *e,
                   struct json *with, struct error *err)
{
    _cleanup_json_ struct json *md = json_object ();

    if (settings_apply (e->keys, "steps", with, NULL, err) < 0
        || settings_apply (&dpgen->param, "md", md, NULL, err) < 0
        || settings_apply (e->keys, "md", md, NULL, err) < 0)
        return -1;
    return exploration_add_md (e, NULL, md, with, err);
}

struct json *dpgen_exploration (struct dpgen *dpgen, size_t i,
                                struct error *err)
{
    const struct section *job = &dpgen->jobs[i];
    const struct exploration e = { &dpgen->recipe, job, &dpgen->param,
                                   "DP-GEN's model_devi_jobs" };
    _cleanup_json_ struct json *with = json_object ();
    _cleanup_json_ struct json *numbers = NULL;
    _cleanup_json_ struct json *systems = NULL;
    int rc;

    if (settings_refuse (job, err) < 0
        || !(numbers = dpgen_system_numbers (dpgen, i, err))
        || !(systems = systems_of (dpgen, numbers, err))
        || settings_apply (job, "every", with, NULL, err) < 0)
        return NULL;
    if (section_has (job, "template")) {
        rc = add_template (dpgen, &e, numbers, systems, with, err);
    } else {
        json_set (with, "systems", json_ref (systems));
        rc = add_md (dpgen, &e, with, err);
    }
    return rc < 0 ? NULL : steal (&with);
}
