/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2.c - the input of DPGEN2 as a campaign of Fanfold */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/dpgen2.h"
#include "import/dpgen2_keys.h"
#include "import/program_words.h"
#include "import/training_input.h"

enum { PHASES_MAX = 100 };

/* --- the parts of the input --- */

static const struct {
    enum dpgen2_part above;
    const char *key, *prefix;
    const struct setting *table;
    bool needed;
} parts[DPGEN2_PARTS] = {
    [DPGEN2_TOP] = { DPGEN2_TOP, "", "", dpgen2_keys, false },
    [DPGEN2_INPUTS] = { DPGEN2_TOP, "inputs", "inputs.", dpgen2_inputs_keys,
                        true },
    [DPGEN2_TRAIN] = { DPGEN2_TOP, "train", "train.", dpgen2_train_keys, true },
    [DPGEN2_CONFIG] = { DPGEN2_TRAIN, "config", "train.config.",
                        dpgen2_train_config_keys, false },
    [DPGEN2_EXPLORE] = { DPGEN2_TOP, "explore", "explore.", dpgen2_explore_keys,
                         true },
    [DPGEN2_CONVERGENCE] = { DPGEN2_EXPLORE, "convergence",
                             "explore.convergence.", dpgen2_convergence_keys,
                             false },
    [DPGEN2_FP] = { DPGEN2_TOP, "fp", "fp.", dpgen2_fp_keys, false },
    [DPGEN2_FP_INPUTS] = { DPGEN2_FP, "inputs_config", "fp.inputs_config.",
                           dpgen2_fp_inputs_keys, false },
    [DPGEN2_STEP] = { DPGEN2_TOP, "default_step_config", "default_step_config.",
                      dpgen2_step_keys, false },
};

static int read_parts (struct dpgen2 *dpgen2, const struct json *input,
                       struct error *err)
{
    for (size_t i = 0; i < DPGEN2_PARTS; i++) {
        struct section *s = &dpgen2->parts[i];
        struct json *v = (struct json *)input;
        int rc = 0;

        if (i != DPGEN2_TOP) {
            v = NULL;
            rc = key_mapping (&dpgen2->parts[parts[i].above], parts[i].key, &v,
                              err);
        }
        if (rc < 0)
            return -1;
        if (!v && parts[i].needed)
            return error_set (err, "%s: it is missing; no input of DPGEN2",
                              parts[i].key);
        *s = (struct section){ .v = v,
                               .prefix = parts[i].prefix,
                               .table = parts[i].table,
                               .report = &dpgen2->recipe.draft->report };
    }
    for (size_t i = 0; i < DPGEN2_PARTS; i++) {
        if (settings_refuse (&dpgen2->parts[i], err) < 0)
            return -1;
    }
    return 0;
}

/* --- machines --- */

static const struct {
    const char *step, *prefix, *profile;
    enum dpgen2_part part; /* where its command stands, */
    const char *config;    /* and below which key */
} steps[IMPORT_STAGES] = {
    [IMPORT_TRAIN] = { "run_train_config", "step_configs.run_train_config.",
                       "train", DPGEN2_TRAIN, "config" },
    [IMPORT_EXPLORE] = { "run_explore_config",
                         "step_configs.run_explore_config.", "explore",
                         DPGEN2_EXPLORE, "config" },
    [IMPORT_LABEL] = { "run_fp_config", "step_configs.run_fp_config.", "label",
                       DPGEN2_FP, "run_config" },
};

/* What step 'i' says itself. */
static struct section step_of (const struct dpgen2 *dpgen2, size_t i)
{
    const struct section *top = &dpgen2->parts[DPGEN2_TOP];

    return (struct section){
        .v = json_get (section_get (top, "step_configs"), steps[i].step),
        .prefix = steps[i].prefix,
        .table = dpgen2_step_keys,
        .report = top->report,
    };
}

/* What a step says itself, else what all do. */
static const struct json *step_value (const struct dpgen2 *dpgen2, size_t i,
                                      const char *key)
{
    const struct section step = step_of (dpgen2, i);
    const struct json *v = section_get (&step, key);

    return v ? v : section_get (&dpgen2->parts[DPGEN2_STEP], key);
}

static void add_machine (struct dpgen2 *dpgen2, size_t i)
{
    const struct section *part = &dpgen2->parts[steps[i].part];
    _cleanup_free_ char *below = xasprintf ("%sexecutor.", steps[i].prefix);
    _cleanup_free_ char *command_of =
        xasprintf ("%s%s.", part->prefix, steps[i].config);
    _cleanup_free_ char *command_key = xasprintf ("%scommand", command_of);
    const struct section config = { .v = section_get (part, steps[i].config),
                                    .prefix = command_of,
                                    .report = part->report };
    const struct section executor = { .v = step_value (dpgen2, i, "executor"),
                                      .prefix = below,
                                      .table = dpgen2_executor_keys,
                                      .report = part->report };
    struct machine_source source = {
        .profile = steps[i].profile,
        .prefix = below,
        .machine = section_get (&executor, "machine_dict"),
        .resources = section_get (&executor, "resources_dict"),
        .command_key = command_key,
    };

    key_text (&config, "command", &source.command, NULL);
    machine_add_profile (dpgen2->recipe.draft, &source,
                         &dpgen2->recipe.stages[i]);
    settings_tell (&executor);
}

/* The fraction of tasks that must be good. */
static int add_success (struct dpgen2 *dpgen2, const char *path, size_t i,
                        struct error *err)
{
    static const char key[] = "continue_on_success_ratio";
    const struct json *v = step_value (dpgen2, i, key);
    double ratio;

    if (!v)
        return 0;
    if (value_number (v, key, &ratio, err) < 0)
        return -1;
    recipe_set (&dpgen2->recipe, path, number_json (ratio), key);
    return 0;
}

/* --- training --- */

/* input.json, or where it is looked for. */
static int add_template (struct dpgen2 *dpgen2, struct error *err)
{
    static const char key[] = "train.template_script";
    struct draft *draft = dpgen2->recipe.draft;
    const struct json *given =
        section_get (&dpgen2->parts[DPGEN2_TRAIN], "template_script");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf written = STRBUF_INIT;
    _cleanup_json_ struct json *document = NULL;
    _cleanup_json_ struct json *input = NULL;
    const char *name;
    _cleanup_free_ char *path = NULL;
    int rc;

    if (json_kind (given) == JSON_KIND_ARRAY) {
        key_report_say (&draft->report, key, KEY_UNSUPPORTED,
                        "the first of the list: all members have one "
                        "input.json and differ by their seeds");
        given = json_at (given, 0);
    }
    if (value_text (given, key, &name, err) < 0)
        return -1;
    path = draft_locate (draft, NULL, name);
    rc = draft->files->read (path, &text, err);
    if (rc == 0) {
        document = document_parse (text.buf, text.len, path, err);
        rc = document ? 0 : -1;
    } else if (rc > 0) {
        draft_remark (draft,
                      "%s: when %s is there, run fanfold import again, or take "
                      "its systems and seeds out of it",
                      key, path);
    }
    if (rc == 0) {
        input = training_input_template (document, NULL);
        json_dump (input, JSON_PRETTY, &written);
    }
    if (rc >= 0)
        recipe_set (&dpgen2->recipe, "train.with.input",
                    input ? json_string (draft_add_file (
                        draft, "deepmd/input.json", written.buf))
                          : json_string (path),
                    key);
    return rc < 0 ? -1 : 0;
}

/* What the first iteration begins with: only that has them, in a phase of its
 * own.
 */
static int read_first_models (struct dpgen2 *dpgen2, struct error *err)
{
    bool finetune = false;

    if (recipe_models (&dpgen2->recipe, &dpgen2->parts[DPGEN2_TRAIN],
                       "init_models_paths", &dpgen2->first_models, err)
        < 0)
        return -1;
    if (key_bool (&dpgen2->parts[DPGEN2_INPUTS], "do_finetune", &finetune, err)
        < 0)
        return -1;
    dpgen2->first_port = finetune ? "finetune" : "init_model";
    return 0;
}

/* What later iterations begin with. */
static int add_start (struct dpgen2 *dpgen2, struct error *err)
{
    const struct section *config = &dpgen2->parts[DPGEN2_CONFIG];
    const char *policy = "no";
    _cleanup_json_ struct json *reuse = NULL;

    if (read_first_models (dpgen2, err) < 0
        || key_text (config, "init_model_policy", &policy, err) < 0)
        return -1;
    if (strncmp (policy, "old_data_larger_than", 20) == 0)
        key_report_say (config->report, "train.config.init_model_policy",
                        KEY_UNSUPPORTED,
                        "taken for yes: there is no number of frames from "
                        "which on models go on");
    if (strcmp (policy, "no") == 0)
        return 0;
    recipe_set (&dpgen2->recipe, "train.with.init_model",
                recipe_binding ("previous.train.checkpoint", json_array ()),
                "train.config.init_model_policy");
    reuse = json_object ();
    settings_apply (config, "reuse", reuse, NULL, NULL);
    if (json_count (reuse) > 0)
        recipe_set (&dpgen2->recipe, "train.with.reuse", json_ref (reuse),
                    "train.config.init_model_*");
    return 0;
}

static int add_backend (struct dpgen2 *dpgen2, struct error *err)
{
    const char *given = "tensorflow";

    if (key_text (&dpgen2->parts[DPGEN2_CONFIG], "impl backend", &given, err)
        < 0)
        return -1;
    recipe_set (&dpgen2->recipe, "train.with.backend",
                json_string (strcmp (given, "pytorch") == 0 ? "pt" : "tf"),
                "train.config.backend");
    return 0;
}

/* "--model-branch X", of the first training. */
static int read_options (struct dpgen2 *dpgen2, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    const char *text = "";

    if (dpgen2->first_models
        && key_text (&dpgen2->parts[DPGEN2_CONFIG], "finetune_args", &text, err)
               < 0)
        return -1;
    strvec_split (&words, text, " \t");
    if (words.n > 0)
        dpgen2->first_options = json_array ();
    for (size_t i = 0; i < words.n; i++)
        json_push (dpgen2->first_options, json_string (words.v[i]));
    return 0;
}

/* [path] of a key of `inputs`, below what another one says. */
static struct json *data_paths (struct dpgen2 *dpgen2, const char *key,
                                const char *prefix_key, struct error *err)
{
    const struct section *inputs = &dpgen2->parts[DPGEN2_INPUTS];
    const char *prefix = "";

    if (section_get (inputs, key)
        && key_text (inputs, prefix_key, &prefix, err) < 0)
        return NULL;
    return recipe_paths (&dpgen2->recipe, inputs, key, prefix, err);
}

static int add_data (struct dpgen2 *dpgen2, struct error *err)
{
    _cleanup_json_ struct json *initial =
        data_paths (dpgen2, "init_data_sys", "init_data_prefix", err);
    struct json *held_out = initial ? data_paths (dpgen2, "valid_data_sys",
                                                  "valid_data_prefix", err)
                                    : NULL;
    int rc = held_out ? 0 : -1;

    if (json_count (initial) > 0)
        outline_set (&dpgen2->recipe.draft->campaign, "data.initial",
                     json_ref (initial), "inputs.init_data_sys");
    recipe_add_held_out (&dpgen2->recipe, held_out, "inputs.valid_data_sys");
    return rc;
}

static int add_training (struct dpgen2 *dpgen2, struct error *err)
{
    struct recipe *recipe = &dpgen2->recipe;

    recipe_add_stage (recipe, IMPORT_TRAIN, "deepmd.train", NULL,
                      "step_configs.run_train_config");
    if (add_template (dpgen2, err) < 0 || add_backend (dpgen2, err) < 0
        || add_start (dpgen2, err) < 0 || read_options (dpgen2, err) < 0)
        return -1;
    recipe_add_program (recipe, "train.with.dp",
                        json_ref (recipe->stages[IMPORT_TRAIN].program),
                        "train.config.command");
    return add_data (dpgen2, err);
}

/* --- exploring and selecting --- */

static int add_explore (struct dpgen2 *dpgen2, struct error *err)
{
    struct recipe *recipe = &dpgen2->recipe;
    const struct section *explore = &dpgen2->parts[DPGEN2_EXPLORE];
    const struct section first = {
        .v = json_at (json_at (json_get (explore->v, "stages"), 0), 0),
        .prefix = "explore.stages[0][0].",
        .table = dpgen2_group_keys,
        .report = explore->report,
    };
    _cleanup_json_ struct json *with = json_object ();
    _cleanup_json_ struct json *notes = json_object ();
    int rc = settings_apply (&first, "explore", with, notes, err);

    recipe_add_stage (recipe, IMPORT_EXPLORE, "lammps.explore", NULL,
                      "step_configs.run_explore_config");
    recipe_set (recipe, "explore.with.committee", json_string ("deepmd"), NULL);
    recipe_add_program (
        recipe, "explore.with.lammps",
        lammps_arguments (recipe->stages[IMPORT_EXPLORE].program),
        "explore.config.command");
    recipe_set_inputs (recipe, "explore", with, notes);
    return rc < 0
               ? -1
               : add_success (dpgen2, "explore.success", IMPORT_EXPLORE, err);
}

static int add_select (struct dpgen2 *dpgen2, struct error *err)
{
    _cleanup_json_ struct json *with = dpgen2_selection (dpgen2, err);

    if (with)
        recipe_add_select (
            &dpgen2->recipe, with, "the host that fanfold runs on",
            "explore.convergence", "fp.task_max, of each iteration");
    return with ? 0 : -1;
}

/* The models that are given are for the first iteration only: a stage has one
 * start, so a phase of one iteration comes before the others.
 */
static struct json *first_phase (struct dpgen2 *dpgen2)
{
    struct json *phase = json_object ();
    _cleanup_free_ char *path =
        xasprintf ("stages.train.with.%s", dpgen2->first_port);

    json_set (phase, "name", json_string ("first"));
    json_set (phase, "iterations", json_int (1));
    if (strcmp (dpgen2->first_port, "init_model") != 0)
        json_set_path (phase, "stages.train.with.init_model", json_null ());
    json_set_path (phase, "stages.train.with.reuse", json_null ());
    json_set_path (phase, path, json_ref (dpgen2->first_models));
    if (dpgen2->first_options)
        json_set_path (phase, "stages.train.with.options",
                       json_ref (dpgen2->first_options));
    return phase;
}

static struct json *phase_of_stage (size_t i, int64_t iterations, bool fatal,
                                    const struct json *base,
                                    const struct json *explore)
{
    struct json *phase = json_object ();

    json_set (phase, "name", json_stringf ("stage_%02zu", i));
    json_set (phase, "iterations", json_int (iterations));
    json_set (phase, "until", json_string ("select.converged"));
    json_set (phase, "on_maximum", json_string (fatal ? "stop" : "continue"));
    if (!json_equal (base, explore))
        json_set_path (phase, "stages.explore.with",
                       json_ref ((struct json *)explore));
    return phase;
}

/* A phase for each of explore.stages. */
static int add_stages (struct dpgen2 *dpgen2, const struct json *stages,
                       int64_t iterations, bool fatal, struct json *phases,
                       struct error *err)
{
    _cleanup_json_ struct json *base = NULL;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (stages); i++) {
        _cleanup_json_ struct json *explore =
            dpgen2_exploration (dpgen2, i, err);

        rc = explore ? 0 : -1;
        if (explore && !base) {
            base = json_ref (explore);
            recipe_set_inputs (&dpgen2->recipe, "explore", base, NULL);
        }
        if (explore)
            json_push (phases,
                       phase_of_stage (i, iterations, fatal, base, explore));
    }
    return rc;
}

static int add_phases (struct dpgen2 *dpgen2, struct error *err)
{
    const struct section *explore = &dpgen2->parts[DPGEN2_EXPLORE];
    struct json *stages = NULL;
    _cleanup_json_ struct json *phases = NULL;
    int64_t iterations = 10;
    bool fatal = true;
    int rc = key_list (explore, "stages", &stages, err);

    if (rc >= 0 && json_count (stages) == 0)
        rc = key_missing (explore, "stages", err);
    if (rc == 0 && json_count (stages) >= PHASES_MAX)
        rc = error_set (err, "explore.stages: more than %d", PHASES_MAX - 1);
    if (rc < 0 || key_int (explore, "max_numb_iter", &iterations, err) < 0
        || key_bool (explore, "fatal_at_max", &fatal, err) < 0)
        return -1;
    phases = json_array ();
    if (dpgen2->first_models)
        json_push (phases, first_phase (dpgen2));
    rc = add_stages (dpgen2, stages, iterations, fatal, phases, err);
    if (rc == 0)
        outline_set (&dpgen2->recipe.draft->campaign, "phases",
                     json_ref (phases),
                     "explore.stages: each until it has converged");
    return rc;
}

/* --- all of it --- */

/* As fanfold-campaign(5) has names of campaigns. */
static bool is_title (const char *name)
{
    static const char characters[] = "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_.-";
    size_t len = strlen (name);

    return len > 0 && len <= 64 && !strchr ("_.-", name[0])
           && strspn (name, characters) == len;
}

static int add_head (struct dpgen2 *dpgen2, struct error *err)
{
    const struct section *top = &dpgen2->parts[DPGEN2_TOP];
    const char *name = json_as_string (section_get (top, "name"));
    bool named = is_title (name);

    if (*name && !named)
        key_report_say (top->report, "name", KEY_UNSUPPORTED,
                        "left out: '%.80s' cannot be the name of a campaign",
                        name);
    return recipe_add_head (
        &dpgen2->recipe, named ? name : "dpgen2", named ? "name" : NULL,
        &dpgen2->parts[DPGEN2_INPUTS], &dpgen2->parts[DPGEN2_TRAIN], err);
}

static int add_stages_of_all (struct dpgen2 *dpgen2, struct error *err)
{
    for (size_t i = 0; i < IMPORT_STAGES; i++)
        add_machine (dpgen2, i);
    return dpgen2_add_labelling (dpgen2, err) < 0
                   || add_success (dpgen2, "label.success", IMPORT_LABEL, err)
                          < 0
                   || add_training (dpgen2, err) < 0
                   || add_explore (dpgen2, err) < 0
                   || add_select (dpgen2, err) < 0
                   || add_phases (dpgen2, err) < 0
               ? -1
               : 0;
}

static void tell_keys (const struct dpgen2 *dpgen2)
{
    for (size_t i = 0; i < IMPORT_STAGES; i++) {
        const struct section step = step_of (dpgen2, i);

        settings_tell (&step);
    }
    for (size_t i = 0; i < DPGEN2_PARTS; i++)
        settings_tell (&dpgen2->parts[i]);
    dpgen2_tell_configurations (dpgen2);
}

static const char *const history[][2] = {
    { "history.accurate", "select.accurate" },
    { "history.failed", "select.failed" },
    { "history.labelled", "label.labelled" },
};

int dpgen2_translate (const struct json *input, struct draft *draft,
                      struct error *err)
{
    struct dpgen2 dpgen2 = { .recipe.draft = draft };
    int rc = read_parts (&dpgen2, input, err);

    if (rc == 0)
        rc = add_head (&dpgen2, err);
    if (rc == 0)
        rc = add_stages_of_all (&dpgen2, err);
    for (size_t i = 0; rc == 0 && i < ARRAY_SIZE (history); i++)
        outline_set (&draft->campaign, history[i][0],
                     json_string (history[i][1]), NULL);
    if (rc == 0)
        tell_keys (&dpgen2);
    json_unref (dpgen2.first_models);
    json_unref (dpgen2.first_options);
    recipe_release (&dpgen2.recipe);
    return rc;
}
