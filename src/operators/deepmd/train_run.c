/* SPDX-License-Identifier: BSD-3-Clause */
/* train_run.c - a training with DeePMD-kit, from its input to its model */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/deepmd/deepmd_dataset.h"
#include "formats/deepmd/lcurve.h"
#include "operators/deepmd/backend.h"
#include "operators/deepmd/train.h"
#include "operators/deepmd/train_input.h"
#include "operators/kit.h"
#include "operators/python_error.h"
#include "operators/table.h"
#include "operators/train/train_kit.h"

#define COMPRESSED "compressed"

/* What `dp train` writes of its input before it begins: the model is the one
 * that it makes, where --finetune and --use-pretrain-script take that of
 * another training.
 */
#define USED_FILE "out.json"

enum { INPUT_MAX_BYTES = 256 << 20 };

static const struct deepmd_backend *backend_of (const struct training *t)
{
    return deepmd_backend_find (json_get_string (t->task.inputs, "backend"));
}

/* --- the data --- */

/* Write the frames of each file as systems below 'dir', and add these. */
static int write_systems (const struct training *t, const struct strvec *files,
                          const char *dir, struct deepmd_systems *systems,
                          struct error *err)
{
    int rc = file_remove_tree (dir, NULL, err);

    if (rc == 0 && files->n > 0)
        rc = file_make_dirs (dir, err);
    for (size_t i = 0; rc == 0 && i < files->n; i++) {
        _cleanup_free_ char *set = xasprintf ("%s/%04zu", dir, i);

        if (deepmd_dataset_write (files->v[i], t->elements.v, t->elements.n,
                                  set, NULL, err)
                < 0
            || deepmd_systems_add (systems, set, &t->elements, err) < 0)
            rc = -1;
    }
    return rc;
}

/* The user's directories come first: what is new comes last. */
static int gather_systems (const struct training *t,
                           struct deepmd_systems *training,
                           struct deepmd_systems *validation, struct error *err)
{
    struct strvec dirs = STRVEC_INIT;
    int rc = step_strings (t->task.inputs, "systems", &dirs, err);

    for (size_t i = 0; rc == 0 && i < dirs.n; i++)
        rc = deepmd_systems_add (training, dirs.v[i], &t->elements, err);
    strvec_release (&dirs);
    if (rc < 0 || write_systems (t, &t->datasets, "data", training, err) < 0
        || write_systems (t, &t->validation, "validation", validation, err) < 0)
        return -1;
    if (deepmd_systems_frames (training) == 0)
        return error_set (err, "there are no frames to train on; see datasets "
                               "and systems of the stage");
    return 0;
}

/* --- the model to begin with --- */

/* *start: which input has one, and *dir where; NULL: none. */
static int find_start (const struct training *t,
                       const struct deepmd_start **start, const char **dir,
                       struct error *err)
{
    *start = NULL;
    for (const struct deepmd_start *s = deepmd_starts; s->input; s++) {
        const char *found;

        if (train_member (t, s->input, &found, err) < 0)
            return -1;
        if (found && *start)
            return error_set (err,
                              "%s and %s are given; a training begins with one "
                              "model",
                              (*start)->input, s->input);
        if (found) {
            *start = s;
            *dir = found;
        }
    }
    return 0;
}

/* --- the model that is made --- */

/* 'model' of an input of dp, or NULL.  Caller unrefs. */
static struct json *model_of (const char *path)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_json_ struct json *input = NULL;

    if (file_read (path, INPUT_MAX_BYTES, &text, NULL) < 0
        || !(input = json_parse (text.buf, text.len, path, NULL))
        || json_kind (json_get (input, "model")) != JSON_KIND_OBJECT)
        return NULL;
    return json_ref (json_get (input, "model"));
}

/* The model of the checkpoint that an earlier try left, where that is not the
 * template's; NULL: it is, or there is none.  dp writes USED_FILE anew in every
 * try: where it was killed then, the input of that try has the model.
 */
static struct json *model_to_go_on_with (const struct training *t,
                                         const struct deepmd_start *start)
{
    _cleanup_free_ char *last =
        start && t->restart ? deepmd_last_checkpoint (backend_of (t)) : NULL;
    struct json *model = NULL;

    if (last && !(model = model_of (USED_FILE)))
        model = model_of (DEEPMD_INPUT);
    return model;
}

/* --- before --- */

static int write_input (const struct training *t, const char *text, size_t len,
                        const char *name, const struct deepmd_systems *training,
                        const struct deepmd_systems *validation,
                        struct error *err)
{
    const struct deepmd_start *start;
    struct deepmd_completion with = { .elements = &t->elements,
                                      .training = training,
                                      .validation = validation,
                                      .seed = t->task.seed };
    _cleanup_json_ struct json *input = NULL;
    struct json *model;
    const char *dir;

    if (find_start (t, &start, &dir, err) < 0)
        return -1;
    if (start && strcmp (start->input, "init_model") == 0)
        with.reuse = json_get (t->task.inputs, "reuse");
    if (!(input = deepmd_input_complete (text, len, name, &with, err)))
        return -1;
    if ((model = model_to_go_on_with (t, start)))
        json_set (input, "model", model);
    return json_write_file (DEEPMD_INPUT, input, err);
}

static int write_inputs (struct training *t, const char *text, size_t len,
                         const char *name, struct error *err)
{
    _cleanup_ (deepmd_systems_release) struct deepmd_systems training =
        DEEPMD_SYSTEMS_INIT;
    _cleanup_ (deepmd_systems_release) struct deepmd_systems validation =
        DEEPMD_SYSTEMS_INIT;
    int rc = gather_systems (t, &training, &validation, err);

    if (rc == 0)
        rc = write_input (t, text, len, name, &training, &validation, err);
    t->n_frames = deepmd_systems_frames (&training);
    return rc;
}

/* --- running --- */

/* What a user set stays.  Without these TensorFlow has a thread for each core
 * of the node in each task.
 */
static void set_environment (const struct training *t)
{
    static const char *const threads[] = { "DP_INTRA_OP_PARALLELISM_THREADS",
                                           "TF_INTRA_OP_PARALLELISM_THREADS",
                                           NULL };
    static const char *const pools[] = { "DP_INTER_OP_PARALLELISM_THREADS",
                                         "TF_INTER_OP_PARALLELISM_THREADS",
                                         NULL };
    int cores = t->task.resources.cores;
    _cleanup_free_ char *n = xasprintf ("%d", cores > 0 ? cores : 1);

    for (const char *const *name = threads; *name; name++)
        setenv (*name, n, 0);
    for (const char *const *name = pools; *name; name++)
        setenv (*name, "1", 0);
    if (!backend_of (t)->flag)
        setenv ("DP_BACKEND", "tensorflow", 1);
}

enum step_status deepmd_run (const struct training *t, deepmd_runner *run,
                             const struct strvec *words, struct error *err)
{
    const char *flag = backend_of (t)->flag;
    _cleanup_ (strvec_release) struct strvec arguments = STRVEC_INIT;

    if (flag)
        strvec_push (&arguments, flag);
    strvec_push_all (&arguments, words->v);
    return run (t, (const char *const *)arguments.v, err);
}

/* For how many steps it is trained; -1: the input does not say so. */
static int64_t steps_to_train (void)
{
    _cleanup_json_ struct json *input = json_read_file (DEEPMD_INPUT, NULL);

    return deepmd_input_steps (input);
}

/* Had an earlier try, whose last checkpoint is 'last', done all steps?  dp
 * would train one more.
 */
static bool is_trained (const char *last)
{
    const char *dash = strrchr (path_base (last), '-');
    int64_t steps = steps_to_train ();

    return dash && steps > 0 && atoll (dash + 1) >= steps;
}

static int add_start (const struct training *t, struct strvec *words,
                      struct error *err)
{
    const struct deepmd_start *start;
    const char *dir;
    _cleanup_free_ char *path = NULL;

    if (find_start (t, &start, &dir, err) < 0)
        return -1;
    if (!start)
        return 0;
    path = deepmd_start_model (backend_of (t), start->input, dir, err);
    if (!path
        || (strcmp (start->input, "restart") == 0
            && deepmd_restart_check (dir, steps_to_train (), err) < 0)) {
        return error_prefix (err, "%s", start->input);
    }
    strvec_push (words, start->option);
    strvec_push (words, path);
    return 0;
}

/* Where an earlier try was, or with a model, or from nothing. */
static int add_beginning (const struct training *t, struct strvec *words,
                          struct error *err)
{
    _cleanup_free_ char *last =
        t->restart ? deepmd_last_checkpoint (backend_of (t)) : NULL;

    if (!last)
        return add_start (t, words, err);
    strvec_push (words, "--restart");
    strvec_push (words, last);
    return 0;
}

static enum step_status train (const struct training *t, struct error *err)
{
    const struct json *inputs = t->task.inputs;
    _cleanup_free_ char *last =
        t->restart ? deepmd_last_checkpoint (backend_of (t)) : NULL;
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

    set_environment (t);
    if (last && is_trained (last))
        return STEP_OK;
    if (deepmd_backend_check_ranks (backend_of (t), t->task.resources.ranks,
                                    err)
        < 0)
        return STEP_FATAL;
    strvec_push (&words, "train");
    strvec_push (&words, DEEPMD_INPUT);
    if (add_beginning (t, &words, err) < 0)
        return STEP_FATAL;
    if (json_as_bool (json_get (inputs, "skip_neighbor_stat")))
        strvec_push (&words, "--skip-neighbor-stat");
    return step_strings (inputs, "options", &words, err) < 0
               ? STEP_FATAL
               : deepmd_run (t, train_program, &words, err);
}

/* --- the curve --- */

/* Errors on training data are called as they are, those on validation data
 * have "_val" behind them.
 */
static struct json *name_errors (const struct json *row)
{
    struct json *named = json_object ();

    JSON_FOREACH (row, it) {
        const char *column = json_iter_key (it);
        size_t len = strlen (column);
        bool is_trained_on = len > 4 && strcmp (column + len - 4, "_trn") == 0;
        _cleanup_free_ char *name =
            xasprintf ("%.*s", (int)(len - (is_trained_on ? 4 : 0)), column);

        json_set (named, name, json_ref (json_iter_value (it)));
    }
    return named;
}

static int read_curve (const char *path, struct train_curve *curve,
                       struct error *err)
{
    struct lcurve read = LCURVE_INIT;

    if (lcurve_read_file (path, &read, err) < 0)
        return -1;
    curve->last = name_errors (read.last);
    curve->diverged_at = read.diverged_at;
    lcurve_release (&read);
    return 0;
}

/* --- after --- */

static enum step_status freeze (const struct training *t, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

    strvec_push (&words, "freeze");
    strvec_push (&words, "-o");
    strvec_push (&words, backend_of (t)->frozen);
    return deepmd_run (t, train_program_alone, &words, err);
}

/* The compressed model takes the place of the other. */
static enum step_status compress (const struct training *t, struct error *err)
{
    const struct deepmd_backend *backend = backend_of (t);
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    enum step_status status;
    _cleanup_free_ char *path =
        xasprintf (COMPRESSED "%s", strrchr (backend->frozen, '.'));

    strvec_push (&words, "compress");
    strvec_push (&words, "-t");
    strvec_push (&words, DEEPMD_INPUT);
    strvec_push (&words, "-i");
    strvec_push (&words, backend->frozen);
    strvec_push (&words, "-o");
    strvec_push (&words, path);
    status = deepmd_run (t, train_program_alone, &words, err);
    if (status == STEP_OK && file_rename (path, backend->frozen, err) < 0) {
        status = STEP_FAILED;
        error_prefix (err, "`dp compress` left no model");
    }
    return status;
}

/* Move graph, with any of the backend's endings, to 'dir'. */
static int move_potential (const struct deepmd_backend *backend,
                           const char *dir, struct error *err)
{
    size_t n = 0;
    int rc = file_make_dirs (dir, err);

    for (const char *const *e = backend->frozen_endings; rc == 0 && *e; e++) {
        _cleanup_free_ char *from = xasprintf ("graph%s", *e);
        _cleanup_free_ char *to = xasprintf ("%s/graph%s", dir, *e);

        if (file_exists (from) && ++n > 0)
            rc = file_rename (from, to, err);
    }
    return rc == 0 && n == 0
               ? error_set (err, "`dp freeze` left no %s", backend->frozen)
               : rc;
}

/* What the model was trained by belongs to it. */
static int keep_input (const struct training *t, const char *dir,
                       struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, DEEPMD_INPUT);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_json_ struct json *input = NULL;
    struct json *model = NULL;
    const struct deepmd_start *start;
    const char *from;

    if (find_start (t, &start, &from, err) < 0
        || file_read (DEEPMD_INPUT, INPUT_MAX_BYTES, &text, err) < 0
        || !(input = json_parse (text.buf, text.len, DEEPMD_INPUT, err)))
        return -1;
    if (start && (model = model_of (USED_FILE)))
        json_set (input, "model", model);
    return json_write_file (path, input, err);
}

static int make_outputs (const struct training *t, struct error *err)
{
    const char *potential, *checkpoint;

    return step_task_output (&t->task, "potential", &potential, err) < 0
                   || step_task_output (&t->task, "checkpoint", &checkpoint,
                                        err)
                          < 0
                   || move_potential (backend_of (t), potential, err) < 0
                   || deepmd_keep_checkpoint (backend_of (t), checkpoint, err)
                          < 0
               ? -1
               : keep_input (t, checkpoint, err);
}

static enum step_status finish (const struct training *t, struct error *err)
{
    enum step_status status = freeze (t, err);

    if (status == STEP_OK
        && json_as_bool (json_get (t->task.inputs, "compress")))
        status = compress (t, err);
    if (status == STEP_OK)
        deepmd_make_parity (t, backend_of (t)->frozen);
    if (status == STEP_OK && make_outputs (t, err) < 0)
        status = STEP_FAILED;
    return status;
}

/* --- the kit --- */

/* dp is Python.  What the node, its GPU, or the file system had too little of,
 * or did not do, may be there at another try; Python has names of their own for
 * errors of the operating system that are mistakes (FileNotFoundError).
 */
static const struct code_ending endings[] = {
    { "ut of memory", ENDING_PASSING, NULL, 0 },
    { "ResourceExhaustedError", ENDING_PASSING, NULL, 0 },
    { "RESOURCE_EXHAUSTED", ENDING_PASSING, NULL, 0 },
    { "CUDA error", ENDING_PASSING, NULL, 0 },
    { "CUBLAS_STATUS_ALLOC_FAILED", ENDING_PASSING, NULL, 0 },
    { "CUDNN_STATUS_NOT_INITIALIZED", ENDING_PASSING, NULL, 0 },
    { "NCCL error", ENDING_PASSING, NULL, 0 },
    { "MemoryError", ENDING_PASSING, NULL, 0 },
    { "OSError: [Errno ", ENDING_PASSING, NULL, 0 },
    { "BlockingIOError", ENDING_PASSING, NULL, 0 },
    { "unable to lock file", ENDING_PASSING, NULL, 0 },
    { "PytorchStreamWriter failed", ENDING_PASSING, NULL, 0 },
    { "BrokenPipeError", ENDING_PASSING, NULL, 0 },
    { "ConnectionResetError", ENDING_PASSING, NULL, 0 },
    { "TimeoutError", ENDING_PASSING, NULL, 0 },
    { "ChildFailedError", ENDING_PASSING,
      "a rank failed; its error is in the log, before that of torchrun", 0 },
    { "No module named 'tensorflow'", ENDING_MISTAKE,
      "there is no TensorFlow for dp (No module named 'tensorflow'); write "
      "backend: pt, jax or pd in the stage, or let setup of the profile load a "
      "dp that has it",
      0 },
    { "No module named 'torch'", ENDING_MISTAKE,
      "there is no PyTorch for dp (No module named 'torch'); write backend: "
      "tf, "
      "jax or pd in the stage, or let setup of the profile load a dp that has "
      "it",
      0 },
    { "No module named 'jax'", ENDING_MISTAKE,
      "there is no JAX for dp (No module named 'jax'); write backend: tf, pt "
      "or "
      "pd in the stage, or let setup of the profile load a dp that has it",
      0 },
    { "No module named 'paddle'", ENDING_MISTAKE,
      "there is no Paddle for dp (No module named 'paddle'); write backend: "
      "tf, "
      "pt or jax in the stage, or let setup of the profile load a dp that has "
      "it",
      0 },
    { "", ENDING_MISTAKE, NULL, 0 }, /* any other */
    { NULL, ENDING_DONE, NULL, 0 },
};

const struct code dp_code = {
    .name = "dp",
    .first_words = "",
    .tells = python_tells_error,
    .last_error = python_last_error,
    .place = "  File ",
    .endings = endings,
};

/* What `dp train` goes on from; the curve, to which it appends; the model. */
static const char *const checkpoint[] = { DEEPMD_CHECKPOINT "*", "checkpoint",
                                          DEEPMD_CURVE,          USED_FILE,
                                          DEEPMD_INPUT,          NULL };

static const char *const input_files[] = { DEEPMD_INPUT, NULL };

const struct train_kit deepmd_train = {
    .spec = TRAIN_OPERATOR ("deepmd.train", "deepmd", deepmd_train_inputs,
                            deepmd_train_other_names, deepmd_train_outputs,
                            checkpoint, input_files,
                            "DEEPMD INFO    DeePMD version:"),
    .code = &dp_code,
    .program = "dp",
    .curve = DEEPMD_CURVE,
    .repeats = true,
    .write_inputs = write_inputs,
    .train = train,
    .read_curve = read_curve,
    .finish = finish,
};
