/* SPDX-License-Identifier: BSD-3-Clause */
/* train_input.c - input.json of `dp train`, from the user's template */
#include "base/base.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_keys.h"
#include "operators/deepmd/train_input.h"
#include "operators/kit.h"

/* --- what it must be --- */

struct template
{
    const char *text;
    size_t len;
    const char *name;
    struct json *v;
};

static const struct template_key ours[] = {
    { "training.training_data.systems", "write datasets of the stage" },
    { "training.systems", "write datasets of the stage" },
    { "training.set_prefix", "sets are called set.000 ..." },
    { "training.validation_data.systems", "write validation of the stage" },
    { "training.training_data.sys_probs",
      "there are more systems with every iteration: write auto_prob" },
    { "training.training_data.sys_weights",
      "there are more systems with every iteration: write auto_prob" },
    { "training.sys_probs",
      "there are more systems with every iteration: write auto_prob_style" },
    { "training.sys_weights",
      "there are more systems with every iteration: write auto_prob_style" },
    { "training.seed", NULL },
    { "model.*seed", NULL },
    { NULL, NULL },
};

/* Complain of the key at 'path', or of where it should be. */
static int refuse (const struct template *t, const char *path, const char *what,
                   struct error *err)
{
    size_t line = json_key_line (t->text, t->len, path);

    return error_set (err, "%s:%zu: '%s' %s", t->name, line > 0 ? line : 1,
                      path, what);
}

/* Several models at once have data and seeds elsewhere. */
static int check_single (const struct template *t, struct error *err)
{
    static const char *const paths[] = { "model.model_dict",
                                         "training.data_dict" };

    for (size_t i = 0; i < ARRAY_SIZE (paths); i++) {
        if (json_get_path (t->v, paths[i]))
            return refuse (t, paths[i],
                           "is of a training of several tasks at once, which "
                           "needs an operator of your own (`command:`)",
                           err);
    }
    return 0;
}

static int check_objects (const struct template *t, struct error *err)
{
    static const char *const names[] = { "model", "training" };

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (json_kind (json_get (t->v, names[i])) != JSON_KIND_OBJECT)
            return error_set (err,
                              "%s: there is no '%s', which `dp train` needs",
                              t->name, names[i]);
    }
    return 0;
}

/* What says how long it is trained, by all the names that dp has for it. */
static const char *const lengths[] = {
    "numb_steps", "stop_batch", "num_step",  "num_steps",   "numb_step",
    "numb_epoch", "num_epochs", "num_epoch", "numb_epochs",
};

int64_t deepmd_input_steps (const struct json *input)
{
    const struct json *training = json_get (input, "training");

    for (size_t i = 0; i < ARRAY_SIZE (lengths); i++) {
        const struct json *v = json_get (training, lengths[i]);

        if (v && !strstr (lengths[i], "epoch"))
            return json_as_int (v);
    }
    return -1;
}

int deepmd_restart_check (const char *dir, int64_t steps, struct error *err)
{
    char *path = path_join (dir, "input.json");
    struct json *input = json_read_file (path, NULL);
    int64_t done = deepmd_input_steps (input);

    json_unref (input);
    free (path);
    if (steps < 0 || done < steps)
        return 0;
    return error_set (err,
                      "'%s' has done %lld steps, and the input has numb_steps "
                      "%lld: nothing is left to train; write init_model, and "
                      "reuse: {steps: N}, or a larger numb_steps",
                      dir, (long long)done, (long long)steps);
}

static int check_length (const struct template *t, struct error *err)
{
    const struct json *training = json_get (t->v, "training");

    for (size_t i = 0; i < ARRAY_SIZE (lengths); i++) {
        if (json_get (training, lengths[i]))
            return 0;
    }
    return refuse (t, "training", "does not say how long; add numb_steps", err);
}

static int check_names (const struct template *t, struct error *err)
{
    static const struct {
        const char *path, *value;
    } fixed[] = {
        { "training.disp_file", DEEPMD_CURVE },
        { "training.save_ckpt", DEEPMD_CHECKPOINT },
    };

    for (size_t i = 0; i < ARRAY_SIZE (fixed); i++) {
        const struct json *v = json_get_path (t->v, fixed[i].path);

        if (v && strcmp (json_as_string (v), fixed[i].value) != 0)
            return refuse (t, fixed[i].path,
                           "is a name that Fanfold looks for; remove it", err);
    }
    return 0;
}

/* The elements, in their order; more may follow. */
static int check_type_map (const struct template *t,
                           const struct strvec *elements, struct error *err)
{
    const struct json *map = json_get_path (t->v, "model.type_map");
    size_t i = 0;

    while (map && i < elements->n
           && strcmp (elements->v[i], json_as_string (json_at (map, i))) == 0)
        i++;
    if (!map || i == elements->n)
        return 0;
    return error_set (
        err,
        "%s:%zu: 'model.type_map' has '%s' as type %zu, where the "
        "elements of the campaign have '%s'; remove type_map, or "
        "let it begin with the elements",
        t->name, json_key_line (t->text, t->len, "model.type_map"),
        json_as_string (json_at (map, i)), i, elements->v[i]);
}

static int check_keys (const struct template *t, struct error *err)
{
    return template_check_keys_of ("model", json_each_key, ours, t->text,
                                   t->len, t->name, err);
}

/* All that is wrong, a line each. */
static int check (const struct template *t, const struct strvec *elements,
                  struct error *err)
{
    static int (*const checks[]) (const struct template *t,
                                  struct error *err) = {
        check_single, check_keys, check_names, check_length
    };
    _cleanup_ (strbuf_release) struct strbuf all = STRBUF_INIT;
    struct error one = ERROR_INIT;

    if (check_objects (t, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE (checks); i++) {
        if (checks[i](t, &one) < 0)
            strbuf_addf (&all, "%s%s", all.len > 0 ? "\n" : "", one.text);
    }
    if (check_type_map (t, elements, &one) < 0)
        strbuf_addf (&all, "%s%s", all.len > 0 ? "\n" : "", one.text);
    return all.len > 0 ? error_set (err, "%s", all.buf) : 0;
}

int deepmd_input_check (const char *text, size_t len, const char *name,
                        const struct strvec *elements, struct error *err)
{
    struct template t = { text, len, name, json_parse (text, len, name, err) };
    int rc = t.v ? check (&t, elements, err) : -1;

    json_unref (t.v);
    return rc;
}

bool deepmd_input_validates (const char *text, size_t len)
{
    return json_key_line (text, len, "training.validation_data") > 0;
}

/* --- seeds --- */

struct seeds {
    uint64_t seed;
    uint64_t n; /* drawn */
};

static struct json *draw (struct seeds *seeds)
{
    uint64_t n = seeds->n++;

    return json_int ((int64_t)(hash_words (seeds->seed, &n, 1) & 0x7fffffff));
}

/* A hybrid descriptor has a list of others, and no seed. */
static void seed_part (struct json *part, struct seeds *seeds)
{
    struct json *list = json_get (part, "list");

    for (size_t i = 0; i < json_count (list); i++)
        seed_part (json_at (list, i), seeds);
    if (!list && json_kind (part) == JSON_KIND_OBJECT
        && strcmp (json_get_string (part, "type"), "loc_frame") != 0)
        json_set (part, "seed", draw (seeds));
}

/* A model may be a sum of models. */
static void seed_model (struct json *model, struct seeds *seeds)
{
    static const char *const parts[] = { "descriptor", "fitting_net",
                                         "type_embedding" };
    struct json *models = json_get (model, "models");

    for (size_t i = 0; i < ARRAY_SIZE (parts); i++)
        seed_part (json_get (model, parts[i]), seeds);
    for (size_t i = 0; i < json_count (models); i++)
        seed_model (json_at (models, i), seeds);
}

/* --- data --- */

/* Version 1 had systems, and what goes with them, in `training`. */
static bool is_version_1 (const struct json *input)
{
    const struct json *training = json_get (input, "training");

    return !json_get (training, "training_data")
           && (json_get (training, "batch_size")
               || json_get (training, "stop_batch")
               || json_get (training, "auto_prob_style"));
}

static void set_below (struct json *input, const char *where, const char *key,
                       struct json *v)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

    strbuf_addf (&path, "%s.%s", where, key);
    json_set_path (input, path.buf, v);
}

static struct json *paths_of (const struct deepmd_systems *systems)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < systems->paths.n; i++)
        json_push (list, json_string (systems->paths.v[i]));
    return list;
}

/* Of a list, the number of each data set, and for those behind its end the
 * last one: `dp` needs one for each system.
 */
static struct json *batch_sizes (const struct json *of_sets,
                                 const struct deepmd_systems *systems)
{
    struct json *list = json_array ();

    for (size_t set = 0; set < systems->n_sets; set++) {
        size_t last = json_count (of_sets) - 1;

        for (size_t i = 0; i < systems->n_of_set[set]; i++)
            json_push (list,
                       json_ref (json_at (of_sets, set < last ? set : last)));
    }
    return list;
}

static void set_data (struct json *input, const char *where,
                      const struct deepmd_systems *systems)
{
    const struct json *sizes =
        json_get (json_get_path (input, where), "batch_size");

    if (json_count (sizes) > 0)
        set_below (input, where, "batch_size", batch_sizes (sizes, systems));
    set_below (input, where, "systems", paths_of (systems));
}

/* --- where a model is trained further --- */

/* DP-GEN's training_reuse_numb_steps, _start_lr, _start_pref_e and _f. */
static const struct {
    const char *key, *path;
} changes[] = {
    { "start_lr", "learning_rate.start_lr" },
    { "start_pref_e", "loss.start_pref_e" },
    { "start_pref_f", "loss.start_pref_f" },
    { "start_pref_v", "loss.start_pref_v" },
};

/* The part of old data in what is trained on: a number, or "auto:W": frames of
 * the last data set count W times as much as others.
 */
static double old_ratio (const struct json *ratio,
                         const struct deepmd_systems *systems)
{
    const char *weight = strchr (json_as_string (ratio), ':');
    double n_new = (double)systems->frames_of_set[systems->n_sets - 1];
    double n_old = (double)deepmd_systems_frames (systems) - n_new;

    if (json_kind (ratio) != JSON_KIND_STRING)
        return json_as_double (ratio);
    return n_old / (n_old + n_new * (weight ? atof (weight + 1) : 10));
}

static void set_ratio (struct json *input, const struct json *ratio,
                       const struct deepmd_systems *systems)
{
    const char *path = is_version_1 (input)
                           ? "training.auto_prob_style"
                           : "training.training_data.auto_prob";
    double old = old_ratio (ratio, systems);
    size_t n = systems->paths.n;
    size_t n_old = n - systems->n_of_set[systems->n_sets - 1];

    if (json_get_path (input, "training.training_data.auto_prob_style"))
        json_delete (json_get_path (input, "training.training_data"),
                     "auto_prob_style"); /* the same by another name */
    json_set_path (input, path,
                   json_stringf ("prob_sys_size; 0:%zu:%f; %zu:%zu:%f", n_old,
                                 old, n_old, n, 1 - old));
}

static void set_length (struct json *input, struct json *steps)
{
    struct json *training = json_get (input, "training");
    const char *name =
        json_get (training, "stop_batch") ? "stop_batch" : "numb_steps";

    for (size_t i = 0; i < ARRAY_SIZE (lengths); i++)
        json_delete (training, lengths[i]);
    json_set (training, name, json_ref (steps));
}

static void set_reuse (struct json *input, const struct json *reuse,
                       const struct deepmd_systems *systems)
{
    const struct json *ratio = json_get (reuse, "old_ratio");
    struct json *steps = json_get (reuse, "steps");

    if (!json_is_null (steps))
        set_length (input, steps);
    for (size_t i = 0; i < ARRAY_SIZE (changes); i++) {
        struct json *v = json_get (reuse, changes[i].key);

        if (!json_is_null (v))
            json_set_path (input, changes[i].path, json_ref (v));
    }
    if (!json_is_null (ratio) && systems->n_sets > 1)
        set_ratio (input, ratio, systems);
}

/* --- all of it --- */

static void complete (struct json *input, const struct deepmd_completion *with)
{
    struct seeds seeds = { (uint64_t)with->seed, 0 };
    struct json *elements = json_array ();

    for (size_t i = 0; i < with->elements->n; i++)
        json_push (elements, json_string (with->elements->v[i]));
    if (!json_get_path (input, "model.type_map"))
        json_set_path (input, "model.type_map", json_ref (elements));
    json_unref (elements);
    seed_model (json_get (input, "model"), &seeds);
    json_set_path (input, "training.seed", draw (&seeds));
    if (with->reuse)
        set_reuse (input, with->reuse, with->training);
    set_data (input,
              is_version_1 (input) ? "training" : "training.training_data",
              with->training);
    if (with->validation->paths.n > 0)
        set_data (input, "training.validation_data", with->validation);
}

struct json *deepmd_input_complete (const char *text, size_t len,
                                    const char *name,
                                    const struct deepmd_completion *with,
                                    struct error *err)
{
    struct json *input;

    if (deepmd_input_check (text, len, name, with->elements, err) < 0)
        return NULL;
    if ((input = json_parse (text, len, name, err)))
        complete (input, with);
    return input;
}
