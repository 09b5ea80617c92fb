/* SPDX-License-Identifier: BSD-3-Clause */
/* exploration.c - what lammps.explore runs, of a job of DP-GEN or a task group
 * of DPGEN2
 */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/exploration.h"
#include "import/lammps_lines.h"
#include "import/md_template.h"
#include "import/template_runs.h"

enum { SYSTEMS_MAX = 100000 };

/* --- systems --- */

char *system_name (int64_t number)
{
    return xasprintf ("%03lld", (long long)number);
}

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
    _cleanup_json_ struct json *seen = json_object ();
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (numbers); i++) {
        int64_t number = json_as_int (json_at (numbers, i));
        _cleanup_free_ char *name = system_name (number);

        if (number < 0 || (size_t)number >= n_systems)
            rc = error_set (err,
                            "%s: there is no system %lld; sys_configs has %zu",
                            path, (long long)number, n_systems);
        else if (json_get (seen, name))
            rc = error_set (err, "%s: system %lld is there twice", path,
                            (long long)number);
        json_set (seen, name, json_bool (true));
    }
    if (rc == 0 && json_count (numbers) == 0)
        rc = error_set (err, "%s: it names no system", path);
    return rc;
}

struct json *system_numbers (const struct section *s, const char *names,
                             size_t n, struct error *err)
{
    _cleanup_free_ char *path = section_path (s, names);
    struct json *numbers = json_array (), *list;
    int rc = value_list (section_get (s, names), path, &list, err);

    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        const struct json *v = json_at (list, i);
        int64_t number;

        if (json_kind (v) == JSON_KIND_STRING)
            rc = add_range (json_as_string (v), numbers, path, err);
        else if ((rc = value_int (v, path, &number, err)) == 0)
            json_push (numbers, json_int (number));
    }
    if (rc == 0)
        rc = check_numbers (numbers, path, n, err);
    if (rc < 0) {
        json_unref (numbers);
        numbers = NULL;
    }
    return numbers;
}

/* --- an MD --- */

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

static int add_values (const struct section *s, const char *names,
                       const char *variable, struct json *for_each,
                       struct error *err)
{
    const struct json *v = section_get (s, names);
    _cleanup_free_ char *path = section_path (s, names);
    struct json *list = v ? number_list (v, path, err) : NULL;

    if (!v)
        key_missing (s, names, err);
    if (list)
        json_set (for_each, variable, list);
    return list ? 0 : -1;
}

/* Masses by type; where they are no list LAMMPS has them from the file. */
static int read_masses (const struct exploration *e, const struct json **out,
                        struct error *err)
{
    size_t n = json_count (e->recipe->elements);
    const struct json *masses = section_get (e->all, "mass_map");
    _cleanup_free_ char *path = section_path (e->all, "mass_map");
    int rc = 0;

    *out = json_kind (masses) == JSON_KIND_ARRAY ? masses : NULL;
    if (*out && json_count (masses) < n)
        rc = error_set (err, "%s: it has %zu masses for %zu elements", path,
                        json_count (masses), n);
    for (size_t i = 0; rc == 0 && i < json_count (*out); i++) {
        double mass;

        rc = value_number (json_at (masses, i), path, &mass, err);
        if (rc == 0 && mass <= 0)
            rc = error_set (err, "%s: %g is no mass", path, mass);
    }
    return rc;
}

static int64_t count_in (const struct json *md, const char *key)
{
    return json_get (md, key) ? json_get_int (md, key) : -1;
}

static int write_md (const struct exploration *e, const char *ensemble,
                     const struct json *settings, struct json *run,
                     struct error *err)
{
    struct md_settings md = {
        .ensemble = ensemble,
        .timestep_ps = json_get_double (settings, "timestep"),
        .tau_t_ps = json_get_double (settings, "tau_t"),
        .tau_p_ps = json_get_double (settings, "tau_p"),
        .delay = count_in (settings, "delay"),
        .neighbors = count_in (settings, "neighbors"),
        .symbols = e->recipe->elements,
    };
    _cleanup_free_ char *name = xasprintf ("lammps/%s.in", ensemble);
    _cleanup_free_ char *path = section_path (e->keys, "ensemble ens");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = read_masses (e, &md.masses, err);

    if (rc == 0 && lammps_lines_write (&md, e->origin, &text, err) < 0)
        rc = error_prefix (err, "%s", path);
    if (rc == 0) {
        const char *file = draft_add_file (e->recipe->draft, name, text.buf);

        json_set (run, "input", json_string (file));
    }
    return rc;
}

int exploration_add_md (const struct exploration *e, const char *ensemble,
                        const struct json *md, struct json *run,
                        struct error *err)
{
    _cleanup_json_ struct json *for_each = json_object ();

    if (key_text (e->keys, "ensemble ens", &ensemble, err) < 0)
        return -1;
    if (!ensemble)
        return key_missing (e->keys, "ensemble ens", err);
    if (add_values (e->keys, "temps Ts", "temperature", for_each, err) < 0
        || (md_needs_pressure (ensemble)
            && add_values (e->keys, "press Ps", "pressure", for_each, err) < 0)
        || write_md (e, ensemble, md, run, err) < 0)
        return -1;
    json_set (run, "for_each", json_ref (for_each));
    return 0;
}

/* --- a template --- */

void template_files_release (struct template_files *files)
{
    free (files->name);
    strbuf_release (&files->lammps);
    strbuf_release (&files->plumed);
    strbuf_release (&files->plumed_path);
}

int template_files_read (const struct exploration *e, const struct section *s,
                         const char *names, struct template_files *files,
                         struct strbuf *text, struct error *err)
{
    struct draft *draft = e->recipe->draft;
    const char *file;
    _cleanup_free_ char *path = NULL;
    _cleanup_free_ char *key = NULL;
    int rc = key_text (s, names, &file, err);

    if (rc != 0)
        return rc < 0 ? -1 : key_missing (s, names, err);
    path = draft_locate (draft, NULL, file);
    key = section_path (s, names);
    if (text == &files->lammps)
        files->name = xstrdup (file);
    rc = draft->files->read (path, text, err);
    if (rc > 0) {
        draft_remark (draft,
                      "%s: when %s is there, run fanfold import again: it must "
                      "be rewritten for lammps.explore",
                      key, path);
        files->absent = true;
    }
    return rc < 0 ? -1 : 0;
}

int template_add_words (const struct json *from, const char *path,
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
            return error_set (err, "%s: '%s' has no values", path, word);
    }
    return 0;
}

/* Of a template that is not there: what can be said without it. */
static void add_absent (const struct exploration *e,
                        const struct template_files *files,
                        const struct json *words, struct json *systems,
                        struct json *runs)
{
    struct json *run = json_object ();
    _cleanup_free_ char *path =
        draft_path (e->recipe->draft, NULL, files->name);
    int64_t steps = 0;

    JSON_FOREACH (words, it) {
        const char *word = json_iter_key (it);

        if (strcasestr (word, "step"))
            value_int (json_at (json_iter_value (it), 0), word, &steps, NULL);
    }
    key_int (e->keys, "nsteps", &steps, NULL);
    json_set (run, "input", draft_named (e->recipe->draft, path));
    json_set (run, "systems", json_ref (systems));
    json_set (run, "steps", json_int (steps > 0 ? steps : 1000));
    json_push (runs, run);
}

int template_add_runs (const struct exploration *e,
                       const struct template_files *files, const char *path,
                       const struct json *words, struct json *systems,
                       struct json *runs, struct error *err)
{
    const char *plumed_path = files->plumed_path.buf;
    struct md_template text = {
        .name = files->name,
        .lammps = files->lammps.buf,
        .plumed = files->plumed.len > 0 ? files->plumed.buf : NULL,
        .plumed_path = files->plumed_path.len > 0 ? plumed_path : NULL,
    };

    if (!files->absent)
        return template_runs_add (e->recipe->draft, path, &text, words, systems,
                                  runs, err);
    add_absent (e, files, words, systems, runs);
    return 0;
}
