/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_training.c - how DP-GEN trains, as the stage train */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/training_input.h"

/* --- batch sizes --- */

/* A number, "auto", or NULL: sizes that are not all the same. */
static struct json *one_size (const struct json *sizes)
{
    const struct json *first = json_at (sizes, 0);

    for (size_t i = 1; i < json_count (sizes); i++) {
        if (!json_equal (first, json_at (sizes, i)))
            return NULL;
    }
    return json_ref ((struct json *)first);
}

static bool has_auto (const struct json *sizes)
{
    return json_array_has_string (sizes, "auto")
           || (json_kind (sizes) == JSON_KIND_STRING);
}

/* A data set of the campaign is one of init_data_sys, or all that an iteration
 * labelled: so deepmd.train takes a list of the former and one number for the
 * latter.
 */
static struct json *batch_size (struct dpgen *dpgen)
{
    const struct json *init = section_get (&dpgen->param, "init_batch_size");
    const struct json *later = section_get (&dpgen->param, "sys_batch_size");
    struct json *list, *of_later;

    if (json_count (init) == 0 && json_count (later) > 0)
        key_report_say (&dpgen->recipe.draft->report, "sys_batch_size",
                        KEY_UNSUPPORTED,
                        "left out: without init_batch_size all data sets have "
                        "\"auto\"");
    if (json_count (init) == 0 || has_auto (init) || has_auto (later))
        return json_string ("auto");
    of_later = one_size (json_count (later) > 0 ? later : init);
    if (!of_later) {
        of_later =
            json_ref (json_at (json_count (later) > 0 ? later : init, 0));
        key_report_say (&dpgen->recipe.draft->report, "sys_batch_size",
                        KEY_UNSUPPORTED,
                        "what an iteration labels is one data set: it has the "
                        "size of the first system");
    }
    list = json_array ();
    for (size_t i = 0; i < json_count (init); i++)
        json_push (list, json_ref (json_at (init, i)));
    json_push (list, of_later);
    of_later = one_size (list);
    if (of_later) {
        json_unref (list);
        return of_later;
    }
    return list;
}

/* --- data --- */

static int add_data (struct dpgen *dpgen, struct error *err)
{
    const struct dpgen_progress *progress = dpgen->progress;
    const char *prefix = "";
    struct json *paths;

    if (key_text (&dpgen->param, "init_data_prefix", &prefix, err) < 0)
        return -1;
    paths = recipe_paths (&dpgen->recipe, &dpgen->param, "init_data_sys",
                          prefix, err);
    if (!paths)
        return -1;
    for (size_t i = 0; progress && i < json_count (progress->data); i++)
        json_push (paths, json_ref (json_at (progress->data, i)));
    outline_set (&dpgen->recipe.draft->campaign, "data.initial", paths,
                 progress ? "init_data_sys, and what DP-GEN labelled"
                          : "init_data_sys");
    return 0;
}

/* --- models to begin with --- */

/* There is one for each model, so no pattern is taken. */
static int check_paths (const struct dpgen *dpgen, const char *key,
                        struct error *err)
{
    const char *text = json_get_string (dpgen->param.v, key);

    return strpbrk (text, "*?[")
               ? error_set (err,
                            "%s: write the paths one by one; there is one for "
                            "each model",
                            key)
               : 0;
}

static int64_t reuse_from (const struct dpgen *dpgen)
{
    int64_t from = -1;

    key_int (&dpgen->param, "training_reuse_iter", &from, NULL);
    return from;
}

static size_t first_job (const struct dpgen *dpgen)
{
    return dpgen->progress ? (size_t)dpgen->progress->first_job : 0;
}

/* training_init_frozen_model and training_finetune_model are of iteration 0
 * only, as in DP-GEN, and it takes one way to begin.
 */
static int read_start (struct dpgen *dpgen, bool init_model, struct error *err)
{
    static const struct {
        const char *key, *port;
    } starts[] = {
        { "training_init_frozen_model", "init_frz" },
        { "training_finetune_model", "finetune" },
    };

    for (size_t i = 0; i < ARRAY_SIZE (starts); i++) {
        struct json *models;

        if (check_paths (dpgen, starts[i].key, err) < 0
            || recipe_models (&dpgen->recipe, &dpgen->param, starts[i].key,
                              &models, err)
                   < 0)
            return -1;
        if (models && (init_model || dpgen->start)) {
            json_unref (models);
            return error_set (err,
                              "%s: DP-GEN begins in one way only; take it "
                              "away, or %s",
                              starts[i].key,
                              init_model ? "training_init_model"
                                         : starts[0].key);
        }
        if (models) {
            dpgen->start = models;
            dpgen->start_port = starts[i].port;
        }
    }
    return 0;
}

/* The checkpoints that iteration 0 goes on from, where it does. */
static int read_checkpoints (struct dpgen *dpgen, bool init_model,
                             struct error *err)
{
    static const char key[] = "training_iter0_model_path";

    if (!init_model) {
        if (!json_is_null (json_get (dpgen->param.v, key)))
            key_report_say (&dpgen->recipe.draft->report, key, KEY_NOT_NEEDED,
                            "training_init_model is false: DP-GEN does not "
                            "begin with them either");
        return 0;
    }
    if (!section_has (&dpgen->param, key))
        return 0;
    if (check_paths (dpgen, key, err) == 0)
        dpgen->checkpoints =
            recipe_paths (&dpgen->recipe, &dpgen->param, key, NULL, err);
    return dpgen->checkpoints ? 0 : -1;
}

/* What the first training begins with.  Iteration 0 may be one that reuses. */
static int read_first_models (struct dpgen *dpgen, bool init_model,
                              struct error *err)
{
    static const char *const keys[] = { "training_init_frozen_model",
                                        "training_finetune_model",
                                        "training_iter0_model_path" };
    bool first = init_model || reuse_from (dpgen) == 0;

    if (first_job (dpgen) > 0
        || (dpgen->progress && dpgen->progress->trained)) {
        if (dpgen->progress->models)
            dpgen->checkpoints = json_ref (dpgen->progress->models);
        for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
            if (!json_is_null (json_get (dpgen->param.v, keys[i])))
                key_report_say (&dpgen->recipe.draft->report, keys[i],
                                KEY_NOT_NEEDED,
                                "of the first training, which is done");
        }
        return 0;
    }
    if (read_start (dpgen, first, err) < 0)
        return -1;
    return read_checkpoints (dpgen, first, err);
}

/* Each training goes on from the models of the one before. */
static struct json *from_before (const struct dpgen *dpgen)
{
    return recipe_binding ("previous.train.checkpoint",
                           dpgen->checkpoints ? json_ref (dpgen->checkpoints)
                                              : json_array ());
}

static struct json *reuse_section (const struct dpgen *dpgen)
{
    struct json *reuse = json_object ();

    settings_apply (&dpgen->param, "reuse", reuse, NULL, NULL);
    /* DP-GEN's default. */
    if (!json_get (reuse, "old_ratio"))
        json_set (reuse, "old_ratio", json_string ("auto"));
    return reuse;
}

/* s_t of a job leaves out the training on its labels, which is that of the
 * iteration after it.
 */
static bool is_skipped (const struct dpgen *dpgen, size_t i)
{
    bool skipped = false;

    if (i > 0)
        key_bool (&dpgen->jobs[i - 1], "s_t sk_tr skip_train skip_training",
                  &skipped, NULL);
    return skipped;
}

bool dpgen_trains (const struct dpgen *dpgen, size_t i)
{
    if (i == first_job (dpgen)) {
        /* There must be models to explore with. */
        if (!dpgen->progress || !dpgen->progress->potentials)
            return true;
        if (dpgen->progress->trained)
            return false;
    }
    return !is_skipped (dpgen, i);
}

struct json *dpgen_training_of_job (struct dpgen *dpgen, size_t i)
{
    int64_t from = reuse_from (dpgen);
    struct json *changes = json_object ();

    if (!dpgen_trains (dpgen, i))
        json_set (changes, "when", json_bool (false));
    if (i == 0 && dpgen->start) {
        _cleanup_free_ char *path = xasprintf ("with.%s", dpgen->start_port);

        json_set_path (changes, path, json_ref (dpgen->start));
    }
    if (from >= 0 && (int64_t)i >= from) {
        json_set_path (changes, "with.init_model", from_before (dpgen));
        if (i > 0)
            json_set_path (changes, "with.reuse", reuse_section (dpgen));
    }
    if (json_count (changes) > 0)
        return changes;
    json_unref (changes);
    return NULL;
}

/* --- the stage --- */

static const struct {
    const char *given, *backend;
} backends[] = {
    { "tensorflow", "tf" }, { "tf", "tf" },   { "pytorch", "pt" },
    { "pt", "pt" },         { "jax", "jax" }, { "paddle", "pd" },
    { "pd", "pd" },
};

static int add_backend (struct dpgen *dpgen, struct error *err)
{
    const char *given = "tensorflow";

    if (key_text (&dpgen->param, "train_backend", &given, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE (backends); i++) {
        if (strcmp (backends[i].given, given) == 0) {
            recipe_set (&dpgen->recipe, "train.with.backend",
                        json_string (backends[i].backend), "train_backend");
            return 0;
        }
    }
    return error_set (err,
                      "train_backend: '%s' is not known; there is tensorflow, "
                      "pytorch and jax",
                      given);
}

/* input.json beside the campaign. */
static int add_input (struct dpgen *dpgen, struct json *held_out,
                      struct error *err)
{
    static const char key[] = "default_training_param";
    struct draft *draft = dpgen->recipe.draft;
    struct json *given;
    _cleanup_json_ struct json *input = NULL;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = key_mapping (&dpgen->param, key, &given, err);

    if (rc != 0)
        return rc < 0 ? -1 : key_missing (&dpgen->param, key, err);
    training_input_say (given, "default_training_param.", &draft->report);
    input = training_input_template (given, held_out);
    training_input_set_batch (input, batch_size (dpgen));
    json_dump (input, JSON_PRETTY, &text);
    recipe_set (
        &dpgen->recipe, "train.with.input",
        json_string (draft_add_file (draft, "deepmd/input.json", text.buf)),
        key);
    return 0;
}

/* DP-GEN copies the models of a training that is left out, checkpoints too. */
static void remark_gaps (struct dpgen *dpgen)
{
    for (size_t i = first_job (dpgen) + 1; i < dpgen->n_jobs; i++) {
        if (is_skipped (dpgen, i))
            draft_remark (dpgen->recipe.draft,
                          "the phase after job_%02zu begins its training "
                          "anew: job_%02zu has none to go on from, where "
                          "DP-GEN takes an older one",
                          i, i);
    }
}

static void add_start (struct dpgen *dpgen, bool init_model)
{
    if (init_model || reuse_from (dpgen) >= 0)
        remark_gaps (dpgen);
    if (init_model)
        recipe_set (&dpgen->recipe, "train.with.init_model",
                    from_before (dpgen), "training_init_model");
    else if (dpgen->checkpoints && reuse_from (dpgen) < 0)
        draft_remark (dpgen->recipe.draft,
                      "trainings begin from nothing, as with DP-GEN; to begin "
                      "with its models write `init_model: %s/...` into with: "
                      "of the stage train",
                      json_as_string (json_at (dpgen->checkpoints, 0)));
}

/* fp_task_min: DP-GEN keeps the models where no system has so many new frames.
 */
static int add_condition (struct dpgen *dpgen, struct error *err)
{
    int64_t minimum = 0;

    if (key_int (&dpgen->param, "fp_task_min", &minimum, err) < 0)
        return -1;
    if (minimum > 0)
        recipe_set (&dpgen->recipe, "train.when",
                    json_stringf ("iteration == 0 or default(label.labelled, "
                                  "0) >= %lld",
                                  (long long)minimum),
                    "fp_task_min, of all systems together");
    return 0;
}

static int add_flags (struct dpgen *dpgen, struct error *err)
{
    _cleanup_json_ struct json *flags = json_object ();
    _cleanup_json_ struct json *notes = json_object ();
    int rc = settings_apply (&dpgen->param, "train", flags, notes, err);

    recipe_set_inputs (&dpgen->recipe, "train", flags, notes);
    return rc;
}

int dpgen_add_training (struct dpgen *dpgen, struct error *err)
{
    static const char validation[] =
        "default_training_param.training.validation_data";
    struct recipe *recipe = &dpgen->recipe;
    _cleanup_json_ struct json *held_out = json_array ();
    bool init_model = false;

    recipe_add_stage (recipe, IMPORT_TRAIN, "deepmd.train", NULL,
                      "machine file: train.resources");
    if (add_condition (dpgen, err) < 0
        || key_bool (&dpgen->param, "training_init_model", &init_model, err) < 0
        || read_first_models (dpgen, init_model, err) < 0
        || add_input (dpgen, held_out, err) < 0 || add_data (dpgen, err) < 0
        || add_backend (dpgen, err) < 0)
        return -1;
    recipe_add_program (recipe, "train.with.dp",
                        json_ref (recipe->stages[IMPORT_TRAIN].program),
                        "machine file: train.command");
    recipe_add_held_out (
        recipe, recipe_locate (recipe, held_out, validation, NULL, err),
        validation);
    if (add_flags (dpgen, err) < 0)
        return -1;
    add_start (dpgen, init_model);
    return 0;
}
