/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2.c - the input of DPGEN2 as a campaign of Fanfold */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "import/document.h"
#include "import/dpgen2.h"
#include "import/dpgen2_keys.h"
#include "import/program_words.h"
#include "import/training_input.h"

enum { PHASES_MAX = 100 };

/* --- what is refused at once, and what all need --- */

static int read_parts (struct dpgen2 *dpgen2, struct error *err)
{
    struct json *inputs = NULL, *train = NULL;
    const char *type = "dp", *explore = "lmp";
    int64_t temperature = 0;
    bool multitask = false, of_config = false;

    if (key_mapping (dpgen2->input, "", "inputs", &inputs, err) < 0
        || key_mapping (dpgen2->input, "", "train", &train, err) < 0
        || key_mapping (dpgen2->input, "", "explore", &dpgen2->explore, err)
               < 0)
        return -1;
    if (!inputs || !train || !dpgen2->explore)
        return error_set (err, "%s: it is missing; no input of DPGEN2",
                          !inputs  ? "inputs"
                          : !train ? "train"
                                   : "explore");
    if (key_text (train, "train.", "type", &type, err) < 0
        || key_text (dpgen2->explore, "explore.", "type", &explore, err) < 0
        || key_bool (inputs, "inputs.", "multitask", &multitask, err) < 0
        || key_bool (json_get (train, "config"), "train.config.", "multitask",
                     &of_config, err)
               < 0
        || key_int (inputs, "inputs.", "use_ele_temp", &temperature, err) < 0)
        return -1;
    if (strcmp (type, "dp") != 0)
        return error_set (err,
                          "train.type: '%s' has no operator here, only dp has; "
                          "train with an operator of your own (`command:` in "
                          "fanfold-campaign(5))",
                          type);
    if (strcmp (explore, "lmp") != 0)
        return error_set (err,
                          "explore.type: '%s' has no operator here, only lmp "
                          "has; explore with an operator of your own",
                          explore);
    if (multitask || of_config)
        return error_set (err,
                          "%s.multitask: a training of several tasks needs an "
                          "operator of your own",
                          multitask ? "inputs" : "train.config");
    if (temperature != 0)
        return error_set (err, "inputs.use_ele_temp: only 0 is supported");
    return 0;
}

static int read_elements (struct dpgen2 *dpgen2, struct error *err)
{
    const struct json *inputs = json_get (dpgen2->input, "inputs");
    int rc = key_list (inputs, "inputs.", "type_map", &dpgen2->elements, err);

    if (rc > 0 || (rc == 0 && json_count (dpgen2->elements) == 0))
        rc = error_set (err, "inputs.type_map: it is missing");
    for (size_t i = 0; rc == 0 && i < json_count (dpgen2->elements); i++) {
        const char *symbol;

        rc = value_text (json_at (dpgen2->elements, i), "inputs.type_map",
                         &symbol, err);
    }
    return rc;
}

/* --- machines --- */

static const struct {
    const char *step, *profile;
    const char *part, *config; /* where its command stands */
} steps[IMPORT_STAGES] = {
    [IMPORT_TRAIN] = { "run_train_config", "train", "train", "config" },
    [IMPORT_EXPLORE] = { "run_explore_config", "explore", "explore", "config" },
    [IMPORT_LABEL] = { "run_fp_config", "label", "fp", "run_config" },
};

/* What a step says itself, else what all do. */
static const struct json *step_value (const struct dpgen2 *dpgen2, size_t i,
                                      const char *key)
{
    const struct json *v = json_get (
        json_get (json_get (dpgen2->input, "step_configs"), steps[i].step),
        key);

    return v ? v
             : json_get (json_get (dpgen2->input, "default_step_config"), key);
}

static void add_machine (struct dpgen2 *dpgen2, size_t i)
{
    const struct json *executor = step_value (dpgen2, i, "executor");
    const struct json *part = json_get (dpgen2->input, steps[i].part);
    const struct json *step =
        json_get (json_get (dpgen2->input, "step_configs"), steps[i].step);
    char *prefix = xasprintf ("step_configs.%s.", steps[i].step);
    char *below = xasprintf ("%sexecutor.", prefix);
    char *command = xasprintf ("%s.%s.command", steps[i].part, steps[i].config);
    struct machine_source source = {
        .profile = steps[i].profile,
        .prefix = below,
        .machine = json_get (executor, "machine_dict"),
        .resources = json_get (executor, "resources_dict"),
        .command_key = command,
    };

    if (json_get (json_get (part, steps[i].config), "command"))
        source.command =
            json_get_string (json_get (part, steps[i].config), "command");
    machine_add_profile (dpgen2->draft, &source, &dpgen2->stages[i]);
    key_report_table (&dpgen2->draft->report, step, prefix, dpgen2_step_keys,
                      NULL);
    key_report_table (&dpgen2->draft->report, executor, below,
                      dpgen2_executor_keys, NULL);
    free (prefix);
    free (below);
    free (command);
}

/* --- data --- */

static int add_paths (struct dpgen2 *dpgen2, const char *key,
                      const char *prefix_key, const char *to, struct error *err)
{
    const struct json *inputs = json_get (dpgen2->input, "inputs");
    const struct json *given = json_get (inputs, key);
    bool alone = json_kind (given) == JSON_KIND_STRING;
    struct json *paths = json_array ();
    const char *prefix = "";
    int rc = key_text (inputs, "inputs.", prefix_key, &prefix, err);

    rc = rc < 0 ? -1 : 0;
    for (size_t i = 0; rc == 0 && i < (alone ? 1 : json_count (given)); i++) {
        const char *text;

        rc = value_text (alone ? given : json_at (given, i), key, &text, err);
        if (rc == 0) {
            char *path = draft_locate (dpgen2->draft, prefix, text);

            json_push (paths, draft_named (dpgen2->draft, path));
            free (path);
        }
    }
    if (rc == 0 && json_count (paths) > 0)
        outline_set (&dpgen2->draft->campaign, to, json_ref (paths),
                     "inputs.%s", key);
    json_unref (paths);
    return rc;
}

/* --- training --- */

static struct json *reuse_section (const struct json *config)
{
    static const struct {
        const char *key, *to;
    } keys[] = {
        { "init_model_numb_steps", "steps" },
        { "init_model_stop_batch", "steps" },
        { "init_model_start_lr", "start_lr" },
        { "init_model_start_pref_e", "start_pref_e" },
        { "init_model_start_pref_f", "start_pref_f" },
        { "init_model_start_pref_v", "start_pref_v" },
        { "init_model_old_ratio", "old_ratio" },
    };
    struct json *reuse = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        struct json *v = json_get (config, keys[i].key);

        if (!json_is_null (v) && !json_get (reuse, keys[i].to))
            json_set (reuse, keys[i].to, json_ref (v));
    }
    return reuse;
}

/* input.json, or where it is looked for. */
static int add_template (struct dpgen2 *dpgen2, const struct json *train,
                         struct error *err)
{
    struct outline *campaign = &dpgen2->draft->campaign;
    const struct json *given = json_get (train, "template_script");
    struct strbuf text = STRBUF_INIT, written = STRBUF_INIT;
    struct json *document = NULL, *input = NULL;
    const char *name;
    char *path = NULL;
    int rc;

    if (json_kind (given) == JSON_KIND_ARRAY) {
        key_report_say (&dpgen2->draft->report, "train.template_script",
                        KEY_UNSUPPORTED,
                        "the first of the list: all members have one "
                        "input.json and differ by their seeds");
        given = json_at (given, 0);
    }
    rc = value_text (given, "train.template_script", &name, err);
    if (rc < 0)
        return -1;
    path = draft_locate (dpgen2->draft, NULL, name);
    rc = dpgen2->draft->files->read (path, &text, err);
    if (rc == 0) {
        document = document_parse (text.buf, text.len, path, err);
        rc = document ? 0 : -1;
    }
    if (rc == 0) {
        input = training_input_template (document, NULL);
        json_dump (input, JSON_PRETTY, &written);
        outline_set (campaign, "stages.train.with.input",
                     json_string (draft_add_file (
                         dpgen2->draft, "deepmd/input.json", written.buf)),
                     "train.template_script");
    } else if (rc > 0) {
        outline_set (campaign, "stages.train.with.input", json_string (path),
                     "train.template_script");
        draft_remark (dpgen2->draft,
                      "train.template_script: when %s is there, run fanfold "
                      "import again, or take its systems and seeds out of it",
                      path);
        rc = 0;
    }
    json_unref (document);
    json_unref (input);
    strbuf_release (&text);
    strbuf_release (&written);
    free (path);
    return rc;
}

/* [directory] of copies of the models that are given. */
static int first_models (struct dpgen2 *dpgen2, const struct json *train,
                         struct json **models, struct error *err)
{
    struct json *list = NULL;

    *models = json_array ();
    if (key_list (train, "train.", "init_models_paths", &list, err) < 0)
        return -1;
    for (size_t i = 0; i < json_count (list); i++) {
        const char *text;
        char *path, *name;

        if (value_text (json_at (list, i), "train.init_models_paths", &text,
                        err)
            < 0)
            return -1;
        path = draft_locate (dpgen2->draft, NULL, text);
        name = xasprintf ("models/%03zu", i);
        draft_add_copy (dpgen2->draft, name, path);
        json_push (*models, json_string (name));
        free (name);
        free (path);
    }
    return 0;
}

/* What the first iteration begins with, and what later ones do. */
static int add_start (struct dpgen2 *dpgen2, const struct json *train,
                      const struct json *config, struct error *err)
{
    struct outline *campaign = &dpgen2->draft->campaign;
    const char *policy = "no";
    bool finetune = false;
    struct json *models = NULL, *reuse = reuse_section (config), *binding;
    int rc = first_models (dpgen2, train, &models, err);

    if (rc == 0
        && (key_text (config, "train.config.", "init_model_policy", &policy,
                      err)
                < 0
            || key_bool (json_get (dpgen2->input, "inputs"), "inputs.",
                         "do_finetune", &finetune, err)
                   < 0))
        rc = -1;
    if (rc == 0 && strncmp (policy, "old_data_larger_than", 20) == 0)
        key_report_say (&dpgen2->draft->report,
                        "train.config.init_model_policy", KEY_UNSUPPORTED,
                        "taken for yes: there is no number of frames from "
                        "which on models go on");
    if (rc == 0 && json_count (models) > 0) {
        /* Only the first iteration has them: a phase of its own. */
        dpgen2->first_models = json_ref (models);
        dpgen2->first_port = finetune ? "finetune" : "init_model";
    }
    if (rc == 0 && strcmp (policy, "no") != 0) {
        binding = json_object ();
        json_set (binding, "from", json_string ("previous.train.checkpoint"));
        json_set (binding, "default", json_array ());
        outline_set (campaign, "stages.train.with.init_model", binding,
                     "train.config.init_model_policy");
        if (json_count (reuse) > 0)
            outline_set (campaign, "stages.train.with.reuse", json_ref (reuse),
                         "train.config.init_model_*");
    }
    json_unref (models);
    json_unref (reuse);
    return rc;
}

static int add_backend (struct dpgen2 *dpgen2, const struct json *config,
                        struct error *err)
{
    const char *given = "tensorflow";

    if (key_text (config, "train.config.", "impl", &given, err) < 0
        || key_text (config, "train.config.", "backend", &given, err) < 0)
        return -1;
    outline_set (&dpgen2->draft->campaign, "stages.train.with.backend",
                 json_string (strcmp (given, "pytorch") == 0 ? "pt" : "tf"),
                 "train.config.backend");
    return 0;
}

/* "--model-branch X" */
static void add_options (struct dpgen2 *dpgen2, const struct json *config)
{
    struct strvec words = STRVEC_INIT;
    struct json *list = json_array ();

    strvec_split (&words, json_get_string (config, "finetune_args"), " \t");
    for (size_t i = 0; i < words.n; i++)
        json_push (list, json_string (words.v[i]));
    if (words.n > 0)
        dpgen2->first_options = json_ref (list);
    json_unref (list);
    strvec_release (&words);
}

static void set_machine (struct dpgen2 *dpgen2, const char *stage, size_t i)
{
    struct stage_machine *machine = &dpgen2->stages[i];
    char *profile = xasprintf ("stages.%s.profile", stage);
    char *task = xasprintf ("stages.%s.task", stage);

    outline_set (&dpgen2->draft->campaign, profile,
                 json_string (machine->profile), NULL);
    outline_set (&dpgen2->draft->campaign, task, json_ref (machine->task),
                 "step_configs.%s", steps[i].step);
    free (profile);
    free (task);
}

static int add_success (struct dpgen2 *dpgen2, const char *stage, size_t i,
                        struct error *err)
{
    const struct json *v = step_value (dpgen2, i, "continue_on_success_ratio");
    char *path = xasprintf ("stages.%s.success", stage);
    double ratio;
    int rc = 0;

    if (!json_is_null (v)) {
        rc = value_number (v, "continue_on_success_ratio", &ratio, err);
        if (rc == 0)
            outline_set (&dpgen2->draft->campaign, path, number_json (ratio),
                         "continue_on_success_ratio");
    }
    free (path);
    return rc;
}

static int add_training (struct dpgen2 *dpgen2, struct error *err)
{
    struct outline *campaign = &dpgen2->draft->campaign;
    const struct json *train = json_get (dpgen2->input, "train");
    const struct json *config = json_get (train, "config");
    const struct json *program = dpgen2->stages[IMPORT_TRAIN].program;
    struct json *binding;

    outline_set (campaign, "stages.train.uses", json_string ("deepmd.train"),
                 NULL);
    set_machine (dpgen2, "train", IMPORT_TRAIN);
    if (add_template (dpgen2, train, err) < 0
        || add_backend (dpgen2, config, err) < 0
        || add_start (dpgen2, train, config, err) < 0)
        return -1;
    add_options (dpgen2, config);
    if (json_count (program) > 0)
        outline_set (campaign, "stages.train.with.dp",
                     json_ref ((struct json *)program), "train.config.command");
    if (json_get_path (campaign->root, "data.held_out")) {
        binding = json_object ();
        json_set (binding, "from", json_string ("data.held_out"));
        outline_set (campaign, "stages.train.with.validation", binding, NULL);
    }
    return 0;
}

/* --- exploring and selecting --- */

static int add_explore (struct dpgen2 *dpgen2, struct error *err)
{
    struct outline *campaign = &dpgen2->draft->campaign;
    struct json *words =
        lammps_arguments (dpgen2->stages[IMPORT_EXPLORE].program);
    const struct json *first =
        json_at (json_at (json_get (dpgen2->explore, "stages"), 0), 0);
    double level;

    outline_set (campaign, "stages.explore.uses",
                 json_string ("lammps.explore"), NULL);
    set_machine (dpgen2, "explore", IMPORT_EXPLORE);
    outline_set (campaign, "stages.explore.with.committee",
                 json_string ("deepmd"), NULL);
    if (json_count (words) > 0)
        outline_set (campaign, "stages.explore.with.lammps", json_ref (words),
                     "explore.config.command");
    json_unref (words);
    if (key_number (first, "", "relative_f_epsilon", &level, NULL) == 0)
        outline_set (campaign, "stages.explore.with.relative.force",
                     number_json (level), "relative_f_epsilon");
    if (key_number (first, "", "relative_v_epsilon", &level, NULL) == 0)
        outline_set (campaign, "stages.explore.with.relative.virial",
                     number_json (level), "relative_v_epsilon");
    return add_success (dpgen2, "explore", IMPORT_EXPLORE, err);
}

static int add_select (struct dpgen2 *dpgen2, struct error *err)
{
    struct outline *campaign = &dpgen2->draft->campaign;
    struct json *with = dpgen2_selection (dpgen2, err);

    if (!with)
        return -1;
    outline_set (&dpgen2->draft->site, "profiles.here.scheduler",
                 json_string ("local"), "the host that fanfold runs on");
    outline_set (campaign, "stages.select.uses",
                 json_string ("model_devi.select"), NULL);
    outline_set (campaign, "stages.select.profile", json_string ("here"), NULL);
    outline_note (campaign, "stages.select.with.levels", "explore.convergence");
    outline_note (campaign, "stages.select.with.pick",
                  "fp.task_max, of each iteration");
    outline_set_inputs (campaign, "select", with);
    json_unref (with);
    return 0;
}

/* The models that are given are for the first iteration only: a stage has one
 * start, so a phase of one iteration comes before the others.
 */
static struct json *first_phase (struct dpgen2 *dpgen2)
{
    struct json *phase = json_object ();
    char *path = xasprintf ("stages.train.with.%s", dpgen2->first_port);

    json_set (phase, "name", json_string ("first"));
    json_set (phase, "iterations", json_int (1));
    if (strcmp (dpgen2->first_port, "init_model") != 0)
        json_set_path (phase, "stages.train.with.init_model", json_null ());
    json_set_path (phase, "stages.train.with.reuse", json_null ());
    json_set_path (phase, path, json_ref (dpgen2->first_models));
    if (dpgen2->first_options)
        json_set_path (phase, "stages.train.with.options",
                       json_ref (dpgen2->first_options));
    free (path);
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
static int add_phases (struct dpgen2 *dpgen2, struct error *err)
{
    struct json *stages = NULL, *phases = json_array (), *base = NULL;
    int64_t iterations = 10;
    bool fatal = true;
    int rc = key_list (dpgen2->explore, "explore.", "stages", &stages, err);

    if (rc == 0 && json_count (stages) == 0)
        rc = 1;
    if (rc > 0)
        rc = error_set (err, "explore.stages: it is missing");
    if (rc == 0 && json_count (stages) >= PHASES_MAX)
        rc = error_set (err, "explore.stages: more than %d", PHASES_MAX - 1);
    if (rc == 0
        && (key_int (dpgen2->explore, "explore.", "max_numb_iter", &iterations,
                     err)
                < 0
            || key_bool (dpgen2->explore, "explore.", "fatal_at_max", &fatal,
                         err)
                   < 0))
        rc = -1;
    if (rc == 0 && dpgen2->first_models)
        json_push (phases, first_phase (dpgen2));
    for (size_t i = 0; rc == 0 && i < json_count (stages); i++) {
        struct json *explore = dpgen2_exploration (dpgen2, i, err);

        if (!explore) {
            rc = -1;
            break;
        }
        if (!base) {
            base = json_ref (explore);
            outline_set_inputs (&dpgen2->draft->campaign, "explore", base);
        }
        json_push (phases,
                   phase_of_stage (i, iterations, fatal, base, explore));
        json_unref (explore);
    }
    if (rc == 0)
        outline_set (&dpgen2->draft->campaign, "phases", json_ref (phases),
                     "explore.stages: each until it has converged");
    json_unref (base);
    json_unref (phases);
    return rc;
}

/* --- all of it --- */

static void say_keys (struct dpgen2 *dpgen2)
{
    static const struct {
        const char *path;
        const struct known_key *table;
    } tables[] = {
        { "inputs", dpgen2_inputs_keys },
        { "train", dpgen2_train_keys },
        { "train.config", dpgen2_train_config_keys },
        { "explore", dpgen2_explore_keys },
        { "explore.convergence", dpgen2_convergence_keys },
        { "fp", dpgen2_fp_keys },
        { "fp.inputs_config", dpgen2_fp_inputs_keys },
        { "default_step_config", dpgen2_step_keys },
    };
    struct key_report *report = &dpgen2->draft->report;
    const struct json *list = json_get (dpgen2->explore, "configurations");

    key_report_table (report, dpgen2->input, "", dpgen2_keys, NULL);
    for (size_t i = 0; i < ARRAY_SIZE (tables); i++) {
        char *prefix = xasprintf ("%s.", tables[i].path);

        key_report_table (report, json_get_path (dpgen2->input, tables[i].path),
                          prefix, tables[i].table, NULL);
        free (prefix);
    }
    for (size_t i = 0; i < json_count (list); i++) {
        char *prefix = xasprintf ("explore.configurations[%zu].", i);

        key_report_table (report, json_at (list, i), prefix,
                          dpgen2_configuration_keys, NULL);
        free (prefix);
    }
}

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

static void add_head (struct dpgen2 *dpgen2, int64_t models)
{
    struct outline *campaign = &dpgen2->draft->campaign;
    const struct json *given = json_get (dpgen2->input, "name");
    const char *name =
        json_kind (given) == JSON_KIND_STRING ? json_as_string (given) : NULL;
    bool named = name && is_title (name);

    outline_set (&dpgen2->draft->site, "format", json_int (1), NULL);
    outline_set (campaign, "format", json_int (1), NULL);
    outline_set (campaign, "campaign", json_string (named ? name : "dpgen2"),
                 named ? "name" : NULL);
    if (name && !named)
        key_report_say (&dpgen2->draft->report, "name", KEY_UNSUPPORTED,
                        "left out: '%.80s' cannot be the name of a campaign",
                        name);
    outline_set (campaign, "elements", json_ref (dpgen2->elements),
                 "inputs.type_map");
    outline_set (campaign, "models", json_int (models),
                 json_get (json_get (dpgen2->input, "train"), "numb_models")
                     ? "train.numb_models"
                     : NULL);
}

static void add_history (struct outline *campaign)
{
    outline_set (campaign, "history.accurate", json_string ("select.accurate"),
                 NULL);
    outline_set (campaign, "history.failed", json_string ("select.failed"),
                 NULL);
    outline_set (campaign, "history.labelled", json_string ("label.labelled"),
                 NULL);
}

int dpgen2_translate (const struct json *input, struct draft *draft,
                      struct error *err)
{
    struct dpgen2 dpgen2 = { .input = input, .draft = draft };
    int64_t models = 4;
    int rc = read_parts (&dpgen2, err);

    if (rc == 0
        && key_int (json_get (input, "train"), "train.", "numb_models", &models,
                    err)
               < 0)
        rc = -1;
    if (rc == 0)
        rc = read_elements (&dpgen2, err);
    if (rc == 0)
        add_head (&dpgen2, models);
    for (size_t i = 0; rc == 0 && i < IMPORT_STAGES; i++)
        add_machine (&dpgen2, i);
    if (rc == 0
        && (add_paths (&dpgen2, "init_data_sys", "init_data_prefix",
                       "data.initial", err)
                < 0
            || add_paths (&dpgen2, "valid_data_sys", "valid_data_prefix",
                          "data.held_out", err)
                   < 0))
        rc = -1;
    if (rc == 0)
        rc = dpgen2_add_labelling (&dpgen2, err);
    if (rc == 0)
        rc = add_success (&dpgen2, "label", IMPORT_LABEL, err);
    if (rc == 0)
        rc = add_training (&dpgen2, err);
    if (rc == 0)
        rc = add_explore (&dpgen2, err);
    if (rc == 0)
        rc = add_select (&dpgen2, err);
    if (rc == 0)
        rc = add_phases (&dpgen2, err);
    if (rc == 0) {
        add_history (&draft->campaign);
        say_keys (&dpgen2);
    }
    json_unref (dpgen2.first_models);
    json_unref (dpgen2.first_options);
    for (size_t i = 0; i < IMPORT_STAGES; i++)
        stage_machine_release (&dpgen2.stages[i]);
    return rc;
}
