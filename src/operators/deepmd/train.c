/* SPDX-License-Identifier: BSD-3-Clause */
/* train.c - the ports of deepmd.train, and what its inputs must satisfy */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "operators/deepmd/backend.h"
#include "operators/deepmd/train.h"
#include "operators/deepmd/train_input.h"
#include "operators/train/train_kit.h"
#include "signature/operator.h"

/* --- rules --- */

static bool is_bound (const struct known_input *input, const char *name)
{
    const struct json *v = json_get (input->others, name);

    return !v || json_count (v) > 0; /* what is not known may be anything */
}

/* The elements, if they are known by now. */
static int elements_of (const struct known_input *input,
                        struct strvec *elements, struct error *err)
{
    return json_get (input->others, "elements")
               ? step_strings (input->others, "elements", elements, err)
               : 0;
}

static int check_text (const struct known_input *input,
                       const struct strbuf *text, const struct strvec *elements,
                       struct error *err)
{
    const char *path = json_as_string (input->value);
    struct json *v = json_parse (text->buf, text->len, path, err);

    if (!v)
        return error_set (err,
                          "input: %s; look there: JSON has no comments, and no "
                          "comma before } and ]",
                          err->text);
    json_unref (v);
    if (deepmd_input_check (text->buf, text->len, path, elements, err) < 0
        || deepmd_settings_check (text->buf, text->len, path, elements, err)
               < 0)
        return error_prefix (err, "input");
    if (deepmd_input_validates (text->buf, text->len)
        && !is_bound (input, "validation"))
        return error_set (err,
                          "input: %s asks for validation, and there are no "
                          "data for it; bind validation: {from: "
                          "data.held_out}, or remove validation_data",
                          path);
    return 0;
}

static int check_template (const struct known_input *input, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec elements = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = elements_of (input, &elements, err);

    if (rc == 0)
        rc = train_read_template (input, &text, err);
    if (rc == 0)
        rc = check_text (input, &text, &elements, err);
    return rc;
}

static void doubt_template (const struct known_input *input,
                            struct strbuf *says)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (train_read_template (input, &text, NULL) == 0)
        deepmd_settings_doubt (text.buf, text.len,
                               json_as_string (input->value), says);
}

static const struct deepmd_backend *backend_of (const struct json *inputs)
{
    return deepmd_backend_find (json_get_string (inputs, "backend"));
}

/* What another stage makes is not there yet. */
static void doubt_restart (const struct known_input *input, struct strbuf *says)
{
    if (!json_get (input->others, "restart"))
        strbuf_add_str (says,
                        "restart: goes on to the numb_steps of the input, "
                        "which a model that was trained by the same input has "
                        "done; to train it further write init_model, and "
                        "reuse: {steps: N}");
}

static int check_compress (const struct known_input *input, struct error *err)
{
    const struct deepmd_backend *backend = backend_of (input->others);

    if (!json_as_bool (input->value))
        return 0;
    if (backend && !backend->compresses)
        return error_set (err,
                          "compress: models of the backend %s cannot be "
                          "compressed for LAMMPS; write compress: false",
                          backend->name);
    if (json_as_bool (json_get (input->others, "skip_neighbor_stat")))
        return error_set (err, "compress: needs what skip_neighbor_stat "
                               "leaves out; let one of them be false");
    return 0;
}

static int check_systems (const struct known_input *input, struct error *err)
{
    _cleanup_ (deepmd_systems_release) struct deepmd_systems systems =
        DEEPMD_SYSTEMS_INIT;
    _cleanup_ (strvec_release) struct strvec elements = STRVEC_INIT;
    int rc = elements_of (input, &elements, err);

    for (size_t i = 0; rc == 0 && i < json_count (input->value); i++) {
        _cleanup_free_ char *dir =
            path_join (input->dir, json_as_string (json_at (input->value, i)));

        rc = deepmd_systems_add (&systems, dir, &elements, err);
    }
    if (rc == 0 && is_bound (input, "datasets"))
        rc = deepmd_systems_refuse_mixed (&systems, &elements, err);
    return rc < 0 ? error_prefix (err, "systems") : 0;
}

/* --- models to begin with --- */

const struct deepmd_start deepmd_starts[] = {
    { "init_model", "--init-model" },
    { "restart", "--restart" },
    { "finetune", "--finetune" },
    { "init_frz", "--init-frz-model" },
    { NULL, NULL },
};

static bool begins_frozen (const struct deepmd_backend *backend,
                           const char *input)
{
    return strcmp (input, "init_frz") == 0
           || (strcmp (input, "finetune") == 0 && backend->finetunes_frozen);
}

/* What another stage makes is known by its name. */
static int check_sources (const struct deepmd_backend *backend,
                          const struct json *sources, struct error *err)
{
    for (const struct deepmd_start *s = deepmd_starts; s->input; s++) {
        bool frozen = begins_frozen (backend, s->input);
        const char *wanted = frozen ? "potential" : "checkpoint";
        const char *other = frozen ? "checkpoint" : "potential";

        if (strcmp (json_get_string (sources, s->input), other) == 0)
            return error_set (err,
                              "%s: %s of the backend %s begins with a %s, and "
                              "%s is none; write %s in its place",
                              s->input, s->option, backend->name,
                              frozen ? "frozen model" : "checkpoint", other,
                              wanted);
    }
    return 0;
}

static int check_backend (const struct known_input *input, struct error *err)
{
    const char *name = json_as_string (input->value);
    const struct deepmd_backend *backend = deepmd_backend_find (name);

    if (!backend)
        return error_set (err,
                          "backend: '%s' is none of DeePMD-kit; write tf, pt, "
                          "jax or pd",
                          name);
    return deepmd_backend_check_ranks (backend, input->ranks, err) < 0
               ? -1
               : check_sources (backend, input->sources, err);
}

char *deepmd_start_model (const struct deepmd_backend *backend,
                          const char *input, const char *dir, struct error *err)
{
    bool frozen = begins_frozen (backend, input);

    if (strcmp (input, "init_frz") == 0 && !backend->starts_frozen) {
        error_set (err, "the backend %s cannot begin with a frozen model",
                   backend->name);
        return NULL;
    }
    return frozen ? deepmd_find_frozen (backend, dir, err)
                  : deepmd_find_checkpoint (backend, dir, err);
}

static int64_t steps_of_template (const struct known_input *input)
{
    const char *path = json_get_string (input->others, "input");
    _cleanup_json_ struct json *v = json_read_file (path, NULL);

    return deepmd_input_steps (v);
}

/* One of them at most, and those named in the campaign are there. */
static int check_start (const struct known_input *input, struct error *err)
{
    const struct deepmd_backend *backend = backend_of (input->others);
    int rc = 0;

    if (json_count (input->value) == 0)
        return 0;
    for (const struct deepmd_start *s = deepmd_starts; s->input; s++) {
        if (strcmp (s->input, input->name) != 0
            && json_count (json_get (input->others, s->input)) > 0)
            return error_set (err,
                              "%s: %s is given, too; a training begins with "
                              "one model: remove one of them",
                              input->name, s->input);
    }
    for (size_t i = 0; rc == 0 && backend && i < json_count (input->value);
         i++) {
        _cleanup_free_ char *dir =
            path_join (input->dir, json_as_string (json_at (input->value, i)));
        _cleanup_free_ char *path =
            deepmd_start_model (backend, input->name, dir, err);

        if (!path
            || (strcmp (input->name, "restart") == 0
                && deepmd_restart_check (dir, steps_of_template (input), err)
                       < 0))
            rc = error_prefix (err, "%s", input->name);
    }
    return rc;
}

/* What changes where a model is trained further needs that model. */
static int check_further (const struct known_input *input, struct error *err)
{
    return is_bound (input, "init_model")
               ? 0
               : error_set (err,
                            "%s: is of a model that is trained further; give "
                            "init_model, or remove it",
                            input->name);
}

/* A number from 0 to 1, "auto" or "auto:WEIGHT". */
static int check_old_ratio (const struct known_input *input, struct error *err)
{
    const char *text = json_as_string (input->value);
    double ratio = json_as_double (input->value);
    char *end = "";

    if (check_further (input, err) < 0)
        return -1;
    if (json_kind (input->value) == JSON_KIND_STRING
        && strncmp (text, "auto", 4) == 0
        && (text[4] == '\0'
            || (text[4] == ':' && strtod (text + 5, &end) > 0 && !*end)))
        return 0;
    if ((json_kind (input->value) == JSON_KIND_REAL
         || json_kind (input->value) == JSON_KIND_INT)
        && ratio >= 0 && ratio <= 1)
        return 0;
    return error_set (err, "reuse.old_ratio: write a number from 0 to 1, auto, "
                           "or auto:WEIGHT");
}

static int check_positive (const struct known_input *input, struct error *err)
{
    if (check_further (input, err) < 0)
        return -1;
    return json_as_double (input->value) > 0
               ? 0
               : error_set (err, "%s: must be more than 0", input->name);
}

static int check_not_negative (const struct known_input *input,
                               struct error *err)
{
    if (check_further (input, err) < 0)
        return -1;
    return json_as_double (input->value) >= 0
               ? 0
               : error_set (err, "%s: must not be negative", input->name);
}

static int check_steps (const struct known_input *input, struct error *err)
{
    if (check_further (input, err) < 0)
        return -1;
    return json_as_int (input->value) > 0
               ? 0
               : error_set (err, "%s: must be 1 or more", input->name);
}

/* --- the ports --- */

#define START(name)                                                            \
    {                                                                          \
        name, LIST_OF (PATH), .optional = true, .holes = true,                 \
                              .check = check_start                             \
    }

/* A model that is trained further learns in smaller steps than a new one. */
static void doubt_rate (const struct known_input *input, struct strbuf *says)
{
    static const double most = 0.002;
    double rate = json_as_double (input->value);

    if (rate > most)
        strbuf_addf (says,
                     "reuse: start_lr: %g, where 1e-4 is usual, undoes what "
                     "the model has learned; write that",
                     rate);
}

#define CHANGE(name, what, checked)                                            \
    {                                                                          \
        "reuse." name, ONE (what), .optional = true, .check = (checked)        \
    }

const struct port deepmd_train_inputs[] = {
    TRAIN_INPUTS (check_template, doubt_template),
    { "systems", LIST_OF (DIR), .default_json = "[]", .check = check_systems },
    { "backend", ONE (STRING), .default_json = "\"tf\"", .check = check_backend,
      .doubt = doubt_restart },
    START ("init_model"),
    START ("restart"),
    START ("finetune"),
    START ("init_frz"),
    CHANGE ("steps", INT, check_steps),
    { "reuse.start_lr", ONE (FLOAT), .optional = true, .check = check_positive,
      .doubt = doubt_rate },
    CHANGE ("start_pref_e", FLOAT, check_not_negative),
    CHANGE ("start_pref_f", FLOAT, check_not_negative),
    CHANGE ("start_pref_v", FLOAT, check_not_negative),
    CHANGE ("old_ratio", ANY, check_old_ratio),
    { "skip_neighbor_stat", ONE (BOOL), .default_json = "false" },
    { "options", ONE (LIST), .default_json = "[]" },
    { "compress", ONE (BOOL), .default_json = "false",
      .check = check_compress },
    { "dp", ONE (LIST), .default_json = "[\"dp\"]", .program = true,
      .check = step_check_program },
    { 0 },
};

/* DP-GEN's, and those of dp. */
const struct other_name deepmd_train_other_names[] = {
    { "default_training_param", "input: FILE, an input.json" },
    { "type_map", "elements: [SYMBOL, ...]" },
    { "numb_models", "models: N of the campaign" },
    { "init_data_sys", "data: {initial: [...]} of the campaign, or systems" },
    { "training_init_model", "init_model: [DIRECTORY, ...]" },
    { "training_iter0_model_path", "init_model: [DIRECTORY, ...]" },
    { "training_init_frozen_model", "init_frz: [DIRECTORY, ...]" },
    { "training_finetune_model", "finetune: [DIRECTORY, ...]" },
    { "training_reuse_iter", "init_model: previous.STAGE.checkpoint" },
    { "training_reuse_numb_steps", "reuse: {steps: N}" },
    { "training_reuse_stop_batch", "reuse: {steps: N}" },
    { "training_reuse_start_lr", "reuse: {start_lr: X}" },
    { "training_reuse_start_pref_e", "reuse: {start_pref_e: X}" },
    { "training_reuse_start_pref_f", "reuse: {start_pref_f: X}" },
    { "training_reuse_old_ratio", "reuse: {old_ratio: X}" },
    { "dp_compress", "compress: true" },
    { "dp_train_skip_neighbor_stat", "skip_neighbor_stat: true" },
    { "init_frz_model", "init_frz: [DIRECTORY, ...]" },
    { NULL, NULL },
};

#define ERROR(name)                                                            \
    {                                                                          \
        name, .type = ONE (FLOAT), .optional = true                            \
    }

const struct port deepmd_train_outputs[] = {
    TRAIN_OUTPUTS (DEEPMD_CURVE),
    ERROR ("rmse"),
    ERROR ("rmse_e"),
    ERROR ("rmse_f"),
    ERROR ("rmse_v"),
    ERROR ("rmse_val"),
    ERROR ("rmse_e_val"),
    ERROR ("rmse_f_val"),
    ERROR ("rmse_v_val"),
    { "last_row", .type = ONE (MAP) },
    { 0 },
};
