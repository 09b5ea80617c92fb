/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_selection.c - trust levels, quotas and filters of a job of DP-GEN as
 * inputs of model_devi.select
 */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/exploration.h"

/* Above it DP-GEN means: not looked at. */
#define LEVEL_NONE 1e10

/* --- levels --- */

/* The level of one system: of a number, a list by its number, or a map by its
 * number.  NULL with 'err'.
 */
static const struct json *level_of (const struct json *levels, int64_t system,
                                    const char *path, struct error *err)
{
    const struct json *v = levels;

    if (json_kind (levels) == JSON_KIND_ARRAY) {
        v = json_at (levels, (size_t)system);
    } else if (json_kind (levels) == JSON_KIND_OBJECT) {
        _cleanup_free_ char *key = xasprintf ("%lld", (long long)system);

        v = json_get (levels, key);
    }
    if (!v)
        error_set (err,
                   "%s: nothing is said of system %lld, which the job "
                   "explores",
                   path, (long long)system);
    return v;
}

/* {NAME: level} of the job's systems, or one number where they have the same;
 * null where the key is not there.  NULL with 'err'.
 */
static struct json *levels_of (const struct dpgen *dpgen, size_t i,
                               const char *key, const struct json *systems,
                               struct error *err)
{
    /* Of the job itself, or else of all. */
    const struct section *from = json_is_null (json_get (dpgen->jobs[i].v, key))
                                     ? &dpgen->param
                                     : &dpgen->jobs[i];
    const struct json *levels = section_get (from, key);
    _cleanup_free_ char *path = section_path (from, key);
    struct json *out = json_object (), *first = NULL;
    bool same = true;

    if (json_is_null (levels)) {
        json_unref (out);
        return json_null ();
    }
    for (size_t s = 0; out && s < json_count (systems); s++) {
        int64_t number = json_as_int (json_at (systems, s));
        const struct json *v = level_of (levels, number, path, err);
        double level;

        if (!v || value_number (v, path, &level, err) < 0) {
            json_unref (out);
            out = NULL;
        } else {
            _cleanup_free_ char *name = system_name (number);

            json_set (out, name, number_json (level));
            first = first ? first : json_get (out, name);
            same = same && json_equal (first, json_get (out, name));
        }
    }
    if (out && first && same) {
        first = json_ref (first);
        json_unref (out);
        out = first;
    }
    return out;
}

/* The high level of which DP-GEN never sees a frame. */
static bool is_none (const struct json *level)
{
    return json_is_null (level)
           || (json_kind (level) != JSON_KIND_OBJECT
               && json_as_double (level) >= LEVEL_NONE);
}

/* [lo, hi], or {low, high} where systems differ; with 'adaptive' {high}. */
static struct json *level_pair (struct json *low, struct json *high,
                                bool adaptive)
{
    struct json *pair;

    if (!adaptive && json_kind (low) != JSON_KIND_OBJECT
        && json_kind (high) != JSON_KIND_OBJECT) {
        pair = json_array ();
        json_push (pair, low);
        json_push (pair, high);
        return pair;
    }
    pair = json_object ();
    if (!adaptive)
        json_set (pair, "low", low);
    else
        json_unref (low);
    json_set (pair, "high", high);
    return pair;
}

/* Has a quantity candidates where it has no high level?  By its low level, or
 * as the so many highest, of which DP-GEN takes 10 by the force where nothing
 * is said.
 */
static bool has_candidates (const struct dpgen *dpgen, char letter,
                            const struct json *low, bool adaptive)
{
    _cleanup_free_ char *count_key =
        xasprintf ("model_devi_numb_candi_%c", letter);
    _cleanup_free_ char *percent_key =
        xasprintf ("model_devi_perc_candi_%c", letter);
    double count = letter == 'f' ? 10 : 0, percent = 0;

    key_number (&dpgen->param, count_key, &count, NULL);
    key_number (&dpgen->param, percent_key, &percent, NULL);
    return adaptive ? count > 0 || percent > 0 : !is_none (low);
}

/* A level of 0 is meant: below it nothing is. */
static int add_quantity (const struct dpgen *dpgen, size_t i, char letter,
                         bool adaptive, const struct json *systems,
                         const char *name, struct json *levels,
                         struct error *err)
{
    _cleanup_free_ char *low_key = xasprintf ("model_devi_%c_trust_lo", letter);
    _cleanup_free_ char *high_key =
        xasprintf ("model_devi_%c_trust_hi", letter);
    struct json *low = levels_of (dpgen, i, low_key, systems, err);
    struct json *high =
        low ? levels_of (dpgen, i, high_key, systems, err) : NULL;
    int rc = low && high ? 0 : -1;

    if (rc == 0 && letter == 'f' && json_is_null (high)) {
        rc = error_set (err, "%s: it is missing", high_key);
        json_unref (low);
        json_unref (high);
    } else if (rc == 0 && is_none (high)
               && has_candidates (dpgen, letter, low, adaptive)) {
        json_unref (high);
        high = number_json (LEVEL_NONE);
        json_set (levels, name, level_pair (low, high, adaptive));
    } else if (rc == 0 && is_none (high)) {
        json_unref (low);
        json_unref (high);
    } else if (rc == 0 && is_none (low) && !adaptive) {
        rc = error_set (err, "%s: it is missing, and %s is there", low_key,
                        high_key);
        json_unref (low);
        json_unref (high);
    } else if (rc == 0) {
        json_set (levels, name, level_pair (low, high, adaptive));
    } else {
        json_unref (low);
    }
    return rc;
}

/* {count, fraction} of one quantity; 0 of both is none. */
static int add_candidates (const struct dpgen *dpgen, char letter,
                           const char *name, int64_t otherwise,
                           struct json *adaptive, struct error *err)
{
    _cleanup_free_ char *count_key =
        xasprintf ("model_devi_numb_candi_%c", letter);
    _cleanup_free_ char *percent_key =
        xasprintf ("model_devi_perc_candi_%c", letter);
    int64_t count = otherwise;
    double percent = 0;
    int rc = -1;

    if (key_int (&dpgen->param, count_key, &count, err) >= 0
        && key_number (&dpgen->param, percent_key, &percent, err) >= 0) {
        struct json *of_one = json_object ();

        json_set (of_one, "count", json_int (count));
        json_set (of_one, "fraction", number_json (percent / 100));
        if (count > 0 || percent > 0)
            json_set (adaptive, name, json_ref (of_one));
        json_unref (of_one);
        rc = 0;
    }
    return rc;
}

/* DP-GEN takes 10 by the force where nothing is said. */
static int add_adaptive (const struct dpgen *dpgen, struct json *levels,
                         struct error *err)
{
    struct json *adaptive = json_object ();
    int rc = add_candidates (dpgen, 'f', "force", 10, adaptive, err);

    if (rc == 0)
        rc = add_candidates (dpgen, 'v', "virial", 0, adaptive, err);
    /* A quantity with a high level needs a word here, too. */
    if (rc == 0 && json_get (levels, "virial")
        && !json_get (adaptive, "virial")) {
        struct json *none = json_object ();

        json_set (none, "count", json_int (0));
        json_set (none, "fraction", json_int (0));
        json_set (adaptive, "virial", none);
    }
    json_set (levels, "adaptive", adaptive);
    return rc;
}

static struct json *job_levels (const struct dpgen *dpgen, size_t i,
                                const struct json *systems, struct error *err)
{
    struct json *levels = json_object ();
    bool adaptive = false;

    if (key_bool (&dpgen->param, "model_devi_adapt_trust_lo", &adaptive, err)
            < 0
        || add_quantity (dpgen, i, 'f', adaptive, systems, "force", levels, err)
               < 0
        || add_quantity (dpgen, i, 'v', adaptive, systems, "virial", levels,
                         err)
               < 0
        || (adaptive && add_adaptive (dpgen, levels, err) < 0)) {
        json_unref (levels);
        return NULL;
    }
    if (json_count (levels) == 0) {
        error_set (err, "model_devi_f_trust_lo: there are no trust levels");
        json_unref (levels);
        return NULL;
    }
    return levels;
}

/* --- how many, and which --- */

/* "length_ratio:5;height_ratio:5" */
static int add_box_filters (const struct dpgen *dpgen, struct json *with,
                            struct error *err)
{
    static const char *const names[] = { "length_ratio", "height_ratio",
                                         "wrap_ratio", "tilt_ratio", NULL };
    _cleanup_ (strvec_release) struct strvec parts = STRVEC_INIT;
    const char *text;
    int rc = key_text (&dpgen->param, "fp_skip_bad_box", &text, err);

    if (rc != 0)
        return rc < 0 ? -1 : 0;
    strvec_split (&parts, text, ";");
    for (size_t i = 0; rc == 0 && i < parts.n; i++) {
        char *colon = strchr (parts.v[i], ':'), *path, *end;
        double ratio = colon ? strtod (colon + 1, &end) : 0;

        if (!colon || end == colon + 1 || *end || ratio <= 0) {
            rc = error_set (err, "fp_skip_bad_box: '%s' is not NAME:NUMBER",
                            parts.v[i]);
            break;
        }
        *colon = '\0';
        if (!words_contain (names, parts.v[i])) {
            rc = error_set (err,
                            "fp_skip_bad_box: '%s' is none of length_ratio, "
                            "height_ratio, wrap_ratio and tilt_ratio",
                            parts.v[i]);
            break;
        }
        path = xasprintf ("filters.%s", parts.v[i]);
        json_set_path (with, path, number_json (ratio));
        free (path);
    }
    return rc;
}

/* DP-GEN compares the number of the MD step. */
static int add_skip (const struct dpgen *dpgen, size_t i, struct json *with,
                     struct error *err)
{
    int64_t skip = 0, every = 0;

    if (key_int (&dpgen->param, "model_devi_skip", &skip, err) < 0)
        return -1;
    json_set_path (with, "skip.steps", json_int (skip));
    if (skip > 1
        && key_int (&dpgen->jobs[i], "trj_freq t_freq traj_freq", &every, err)
               == 0)
        json_set_path (with, "skip.dump_every", json_int (every));
    return 0;
}

/* Everything but the levels. */
static int add_rest (const struct dpgen *dpgen, size_t i, struct json *with,
                     struct error *err)
{
    struct json *pick = json_object ();

    json_set (with, "pick", pick);
    if (settings_apply (&dpgen->param, "quota", pick, NULL, err) < 0
        || settings_apply (&dpgen->jobs[i], "pick", pick, NULL, err) < 0
        || settings_apply (&dpgen->param, "pick", pick, NULL, err) < 0
        || add_skip (dpgen, i, with, err) < 0
        || add_box_filters (dpgen, with, err) < 0)
        return -1;
    return settings_apply (&dpgen->param, "select", with, NULL, err);
}

struct json *dpgen_selection (struct dpgen *dpgen, size_t i, struct error *err)
{
    _cleanup_json_ struct json *systems = dpgen_system_numbers (dpgen, i, err);
    struct json *levels = systems ? job_levels (dpgen, i, systems, err) : NULL;
    struct json *with = NULL;

    if (levels) {
        with = json_object ();
        json_set (with, "semantics", json_string ("dpgen"));
        json_set (with, "levels", levels);
    }
    if (with && add_rest (dpgen, i, with, err) < 0) {
        json_unref (with);
        with = NULL;
    }
    return with;
}
