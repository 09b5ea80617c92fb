/* SPDX-License-Identifier: BSD-3-Clause */
/* train.c - the operator gpumd.train: NEP models with GPUMD's nep */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/file_copy.h"
#include "base/json.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/frame_writer.h"
#include "formats/gpumd/loss_out.h"
#include "formats/lines.h"
#include "operators/gpumd/gpumd.h"
#include "operators/train/parity.h"

/* Names in the task's directory that nep has. */
#define CURVE "loss.out"
#define MODEL "nep.txt"
#define STATE "nep.restart"
#define TEST_SET "test.xyz"
#define TEST_FORCES "force_test.out"
#define INPUT_FILE "nep.in"

/* Without the keyword (doc/nep/input_parameters/generation). */
enum { DEFAULT_GENERATIONS = 100000, STATE_MAX_BYTES = 1 << 30 };

static const struct template_key keys[] = {
    { "type", "write elements of the stage instead" },
    { "prediction", NULL },
    { 0 },
};

/* --- the template --- */

/* What the last line with the keyword says; -1 with 'err' where that is no
 * number of 'least' or more.
 */
static int read_generations (const char *text, size_t len, const char *name,
                             int64_t least, int64_t *generations,
                             struct error *err)
{
    struct lines lines = LINES_INIT;
    const char *word;
    size_t n;
    int rc;

    *generations = DEFAULT_GENERATIONS;
    lines_of_text (&lines, text, len, name, 1);
    while ((rc = lines_next (&lines, err)) == 1) {
        if (!lines_take_word (&lines, &word, &n) || n != 10
            || memcmp (word, "generation", n) != 0)
            continue;
        if (!lines_take_integer (&lines, generations) || *generations < least) {
            rc = lines_error (&lines, err,
                              "generation: write a number of 1 or "
                              "more");
            break;
        }
    }
    lines_close (&lines);
    return rc < 0 ? -1 : 0;
}

/* Keywords of nep (doc/nep/input_parameters). */
static const char keywords[] =
    "version type type_weight model_type prediction zbl use_typewise_cutoff "
    "use_typewise_cutoff_zbl cutoff n_max basis_size l_max neuron lambda_1 "
    "lambda_2 lambda_e lambda_f lambda_v lambda_q lambda_shear force_delta "
    "batch population generation save_potential fine_tune charge_mode "
    "output_descriptor atomic_v energy_mode import_q_scaler";

static int check_line (struct lines *lines, struct error *err)
{
    const char *at, *value;
    size_t n, m;
    _cleanup_free_ char *word = NULL;
    _cleanup_free_ char *meant = NULL;
    double cutoff[2];
    int rc = 0;

    if (!lines_take_word (lines, &at, &n) || *at == '#')
        return 0;
    word = xstrndup (at, n);
    meant = template_meant (word, keywords, 4, 1);
    if (meant)
        rc = lines_error (lines, err,
                          "nep has no keyword '%s'; did you mean '%s'?", word,
                          meant);
    else if (strcmp (word, "cutoff") == 0
             && lines_take_finite (lines, cutoff, 2) && cutoff[0] < cutoff[1])
        rc = lines_error (lines, err,
                          "cutoff: the radial one, %g, is below the angular "
                          "one, %g; write the larger one first",
                          cutoff[0], cutoff[1]);
    else if (lines_take_word (lines, &value, &m) && *value == '=')
        rc = lines_error (lines, err,
                          "nep reads no '='; write the keyword, a blank and "
                          "the value");
    return rc;
}

static int check_lines (const char *text, size_t len, const char *name,
                        struct error *err)
{
    struct lines lines;
    int rc;

    lines_of_text (&lines, text, len, name, 1);
    while ((rc = lines_next (&lines, err)) == 1) {
        if ((rc = check_line (&lines, err)) < 0)
            break;
    }
    lines_close (&lines);
    return rc < 0 ? -1 : 0;
}

static int check_text (const char *text, size_t len, const char *name,
                       struct error *err)
{
    int64_t generations;

    return template_check_keys_of ("model", template_first_words, keys, text,
                                   len, name, err)
                       < 0
                   || read_generations (text, len, name, 1, &generations, err)
                          < 0
               ? -1
               : check_lines (text, len, name, err);
}

/* --- what looks wrong --- */

static const struct {
    const char *keyword;
    double least, most;
    const char *says;
} usual[] = {
    { "cutoff", 2, 15, "is in angstrom, where 8 and 4 are usual; write that" },
    { "generation", 5000, 1e8, "is few, where 100,000 are usual; write that" },
    { "population", 10, 200, "is not usual; write 50" },
    { "lambda_f", 1e-9, 1e9, "trains on no force; remove it" },
};

static void doubt_line (struct lines *lines, const char *name,
                        struct strbuf *says)
{
    const char *at;
    size_t n;
    double value;

    if (!lines_take_word (lines, &at, &n) || *at == '#'
        || !lines_take_number (lines, &value))
        return;
    for (size_t i = 0; i < ARRAY_SIZE (usual); i++) {
        if (n == strlen (usual[i].keyword)
            && strncmp (at, usual[i].keyword, n) == 0
            && (value < usual[i].least || value > usual[i].most))
            template_doubt (says, name, lines->number, "%s %g %s",
                            usual[i].keyword, value, usual[i].says);
    }
}

static void doubt_template (const struct known_input *input,
                            struct strbuf *says)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct lines lines;

    if (train_read_template (input, &text, NULL) == 0) {
        const char *name = json_as_string (input->value);

        lines_of_text (&lines, text.buf, text.len, name, 1);
        while (lines_next (&lines, NULL) == 1)
            doubt_line (&lines, name, says);
        lines_close (&lines);
    }
}

static int check_template (const struct known_input *input, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = train_read_template (input, &text, err);

    if (rc == 0
        && (rc = check_text (text.buf, text.len, json_as_string (input->value),
                             err))
               < 0)
        error_prefix (err, "input");
    return rc;
}

/* --- the data --- */

struct copying {
    struct frame_writer *to;
    const char *path; /* of the file at hand */
    uint64_t in_file;
    uint64_t n;
};

static int copy_frame (const struct frame *frame, void *arg, struct error *err)
{
    struct copying *c = arg;
    int rc;

    if (!(fabs (frame_volume (frame)) > 0))
        rc = error_set (err, "it has no cell, and nep needs one");
    else
        rc = frame_writer_add (c->to, frame, err);
    if (rc < 0)
        return error_prefix (err, "%s: frame %" PRIu64, c->path, c->in_file);
    c->in_file++;
    c->n++;
    return 0;
}

/* All frames of the files as 'path', with the names that nep reads. */
static int write_frames (const struct training *t, const struct strvec *files,
                         const char *path, uint64_t *n, struct error *err)
{
    struct frame_writing writing = FRAME_WRITING_INIT;
    struct copying c = { 0 };
    int rc = -1;

    writing.format = "extxyz";
    writing.elements = t->elements.v;
    writing.n_elements = t->elements.n;
    writing.names = frame_consumer_find ("nep")->names;
    writing.for_training = true;
    if (!(c.to = frame_writer_open (path, &writing, err)))
        return -1;
    for (size_t i = 0; i < files->n; i++) {
        c.path = files->v[i];
        c.in_file = 0;
        if (extxyz_read_file (files->v[i], copy_frame, &c, err) < 0)
            goto done;
    }
    rc = frame_writer_commit (c.to, err);
done:
    frame_writer_close (c.to);
    *n = c.n;
    return rc;
}

static int write_data (struct training *t, struct error *err)
{
    uint64_t n;

    if (write_frames (t, &t->datasets, "train.xyz", &t->n_frames, err) < 0)
        return -1;
    if (t->n_frames == 0)
        return error_set (err, "there are no frames to train on; see datasets "
                               "of the stage");
    return t->validation.n == 0
               ? 0
               : write_frames (t, &t->validation, TEST_SET, &n, err);
}

/* --- where it begins --- */

/* How many generations an earlier try, whose files lie here, has done.  State
 * and curve are of nothing alone, and no good where the loss is no number.
 */
static int64_t generations_done (void)
{
    struct loss_curve curve = { .diverged_at = -1 };
    int64_t done = 0;

    if (file_exists (STATE) && loss_out_read_file (CURVE, &curve, NULL) == 0
        && curve.diverged_at < 0) {
        done = curve.step;
    } else {
        unlink (STATE);
        unlink (CURVE);
    }
    json_unref (curve.last);
    return done;
}

/* The state of another training: nep writes to the file, so it is copied. */
static int take_state (const struct training *t, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *dir;
    _cleanup_free_ char *path = NULL;
    int rc;

    if (train_member (t, "restart", &dir, err) < 0)
        return -1;
    if (!dir)
        return 0;
    path = path_join (dir, STATE);
    rc = file_read (path, STATE_MAX_BYTES, &text, err);
    if (rc == 0)
        rc = file_write_atomic (STATE, text.buf, text.len, err);
    if (rc < 0)
        error_prefix (err, "restart");
    return rc;
}

/* "type 2 Te Pb", the user's lines, and how much of it is left. */
static int write_input (const struct training *t, const char *lines, size_t len,
                        int64_t left, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "type %zu", t->elements.n);
    for (size_t i = 0; i < t->elements.n; i++)
        strbuf_addf (&text, " %s", t->elements.v[i]);
    strbuf_add_char (&text, '\n');
    strbuf_add (&text, lines, len);
    strbuf_addf (&text, "\ngeneration %" PRId64 "\n", left);
    return file_write_atomic (INPUT_FILE, text.buf, text.len, err);
}

static int write_inputs (struct training *t, const char *text, size_t len,
                         const char *name, struct error *err)
{
    int64_t generations, done = t->restart ? generations_done () : 0;

    if (check_text (text, len, name, err) < 0
        || read_generations (text, len, name, 1, &generations, err) < 0
        || write_data (t, err) < 0)
        return -1;
    if (done == 0 && take_state (t, err) < 0)
        return -1;
    return write_input (t, text, len,
                        generations > done ? generations - done : 0, err);
}

/* --- running --- */

/* What the try before left cannot be gone on from: nep was killed while it
 * wrote.
 */
static int begin_anew (const struct training *t, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *path;
    int64_t generations;

    unlink (STATE);
    unlink (CURVE);
    if (json_want_string (t->task.inputs, "input", &path, err) < 0
        || file_read (path, TRAIN_TEMPLATE_MAX_BYTES, &text, err) < 0
        || read_generations (text.buf, text.len, path, 1, &generations, err) < 0
        || take_state (t, err) < 0)
        return -1;
    return write_input (t, text.buf, text.len, generations, err);
}

static int generations_left (int64_t *left, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = file_read (INPUT_FILE, TRAIN_TEMPLATE_MAX_BYTES, &text, err);

    if (rc == 0)
        rc = read_generations (text.buf, text.len, INPUT_FILE, 0, left, err);
    return rc;
}

static enum step_status train (const struct training *t, struct error *err)
{
    static const char *const none[] = { NULL };
    enum step_status status;
    int64_t left;

    if (generations_left (&left, err) < 0)
        return STEP_FAILED;
    if (left == 0)
        return STEP_OK;
    status = train_program (t, none, err);
    if (status != STEP_FATAL || !t->restart || !file_exists (STATE))
        return status;
    return begin_anew (t, err) < 0 ? STEP_FATAL : train_program (t, none, err);
}

/* --- after --- */

static int read_curve (const char *path, struct train_curve *curve,
                       struct error *err)
{
    static const char *const of_test[] = { "rmse_val", "rmse_e_val",
                                           "rmse_f_val", "rmse_v_val", NULL };
    struct loss_curve read = { .diverged_at = -1 };

    if (loss_out_read_file (path, &read, err) < 0)
        return -1;
    /* without a test set nep prints zeros */
    for (size_t i = 0; of_test[i] && !file_exists (TEST_SET); i++)
        json_delete (read.last, of_test[i]);
    curve->last = read.last;
    curve->diverged_at = read.diverged_at;
    return 0;
}

static int check_model (struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = file_read (MODEL, STATE_MAX_BYTES, &text, err);

    if (rc < 0)
        error_prefix (err, "nep left no model");
    else if (strncmp (text.buf, "nep", 3) != 0)
        rc = error_set (err, MODEL " does not begin with nep");
    else if (strstr (text.buf, "nan") || strstr (text.buf, "inf"))
        rc = error_set (err, MODEL " has parameters that are no numbers");
    return rc;
}

/* The file stays, too, so that a task that is killed now goes on from it. */
static int copy_to (const char *name, const char *dir, struct error *err)
{
    _cleanup_free_ char *to = path_join (dir, name);
    int rc = file_make_dirs (dir, err);

    if (rc == 0 && file_exists (name))
        rc = file_copy (name, to, 0666, NULL, err);
    return rc;
}

/* nep writes the forces with the model, every hundred generations. */
static void make_parity (const struct training *t)
{
    struct error why = ERROR_INIT;

    if (file_exists (TEST_SET)
        && train_write_parity (t, TEST_FORCES, LABELLED_LAST, &why) < 0)
        train_no_parity (&why);
}

static enum step_status finish (const struct training *t, struct error *err)
{
    const char *potential, *checkpoint;

    make_parity (t);
    return check_model (err) < 0
                   || step_task_output (&t->task, "potential", &potential, err)
                          < 0
                   || step_task_output (&t->task, "checkpoint", &checkpoint,
                                        err)
                          < 0
                   || copy_to (MODEL, potential, err) < 0
                   || copy_to (STATE, checkpoint, err) < 0
               ? STEP_FAILED
               : STEP_OK;
}

/* --- the operator --- */

#define ERROR(name)                                                            \
    {                                                                          \
        name, .type = ONE (FLOAT), .optional = true                            \
    }

static const struct port inputs[] = {
    TRAIN_INPUTS (check_template, doubt_template),
    { "restart", LIST_OF (DIR), .optional = true, .holes = true },
    { "nep", ONE (LIST), .default_json = "[\"nep\"]", .program = true,
      .check = step_check_program },
    { 0 },
};

static const struct other_name other_names[] = {
    { "type", "elements: [SYMBOL, ...]" },
    { "type_map", "elements: [SYMBOL, ...]" },
    { "numb_models", "models: N of the campaign" },
    { NULL, NULL },
};

static const struct port outputs[] = {
    TRAIN_OUTPUTS (CURVE),
    ERROR ("loss"),
    ERROR ("rmse_e"),
    ERROR ("rmse_f"),
    ERROR ("rmse_v"),
    ERROR ("rmse_e_val"),
    ERROR ("rmse_f_val"),
    ERROR ("rmse_v_val"),
    { "last_row", .type = ONE (MAP) },
    { 0 },
};

static const char *const checkpoint[] = { STATE, MODEL, CURVE, TEST_FORCES,
                                          NULL };

static const char *const input_files[] = { INPUT_FILE, NULL };

const struct train_kit gpumd_train = {
    .spec = TRAIN_OPERATOR ("gpumd.train", "gpumd", inputs, other_names,
                            outputs, checkpoint, input_files, NULL),
    .code = &nep_code,
    .program = "nep",
    .curve = CURVE,
    .repeats = false, /* nep takes its seed from the clock */
    .write_inputs = write_inputs,
    .train = train,
    .read_curve = read_curve,
    .finish = finish,
};
