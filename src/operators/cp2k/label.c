/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the kit of cp2k.label: CP2K's single points */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/cp2k/cp2k_out.h"
#include "formats/frame.h"
#include "operators/cp2k/data_files.h"
#include "operators/cp2k/input.h"
#include "operators/cp2k/label.h"

#define INPUT_FILE "cp2k.inp"
#define OUTPUT_FILE "cp2k.out"

/* --- how CP2K ends --- */

static const struct code_ending endings[] = {
    /* a warning until 2023, with exit status 0; since 2024 in a box */
    { "SCF run NOT converged", .ending = ENDING_UNCONVERGED,
      .message = "SCF not converged" },
    /* another mixing, preconditioner or more smearing may help */
    { "Cholesky decomposition failed", .ending = ENDING_UNCONVERGED,
      .more = 4 },
    /* " *  \___/      invalid value for enumeration:Quickstepp        *" and
     * what stands beside the rest of the picture */
    { "\\___/ ", .ending = ENDING_MISTAKE, .more = 4 },
    { 0 },
};

const struct code cp2k_code = {
    .name = "CP2K",
    .first_words = "PROGRAM STARTED AT",
    .last_words = "PROGRAM ENDED AT",
    .trimmed = " *\\_/|O",
    .endings = endings,
};

/* --- the template --- */

static const struct template_key keys[] = {
    { "GLOBAL/PROJECT", NULL },
    { "GLOBAL/PROJECT_NAME", NULL },
    { "GLOBAL/RUN_TYPE", NULL },
    { "&EXT_RESTART", NULL },
    { "&MULTIPLE_FORCE_EVALS", NULL },
    { "FORCE_EVAL/SUBSYS/&CELL", NULL },
    { "FORCE_EVAL/SUBSYS/&COORD", NULL },
    { "FORCE_EVAL/SUBSYS/TOPOLOGY/COORD_FILE_NAME", NULL },
    { "FORCE_EVAL/SUBSYS/TOPOLOGY/COORD_FILE_FORMAT", NULL },
    { "FORCE_EVAL/SUBSYS/TOPOLOGY/COORDINATE", NULL },
    { "FORCE_EVAL/SUBSYS/PRINT/&ATOMIC_COORDINATES", NULL },
    { "FORCE_EVAL/SUBSYS/PRINT/&CELL", NULL },
    { "FORCE_EVAL/PRINT/&FORCES", NULL },
    { "FORCE_EVAL/PRINT/&STRESS_TENSOR", NULL },
    { 0 },
};

/* --- what is known before anything runs --- */

/* The input data_dir, where it is given; else NULL.  Caller frees. */
static char *given_data_dir (const struct json *inputs,
                             const char *campaign_dir)
{
    const struct json *dir = json_get (inputs, "data_dir");

    return json_kind (dir) == JSON_KIND_STRING
               ? path_join (campaign_dir, json_as_string (dir))
               : NULL;
}

static int check_with (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct error *err)
{
    _cleanup_free_ char *given = given_data_dir (input->others, input->dir);
    struct cp2k_data data = { .dir = cp2k_data_dir (given),
                              .files = json_get (input->others, "files") };
    int rc = cp2k_check_data (&data, text, len, name, err);

    if (rc == 0)
        rc = cp2k_check_kinds (text, len, name, input->elements, err);
    return rc;
}

LABEL_CHECK (cp2k_label)

static void doubt_data_dir (const struct known_input *input,
                            struct strbuf *says)
{
    _cleanup_free_ char *dir =
        path_join (input->dir, json_as_string (input->value));

    if (!cp2k_data_dir (dir))
        strbuf_addf (says,
                     "data_dir: there is no directory '%s' on this host; if "
                     "the nodes do not have it either: correct it",
                     dir);
}

/* --- its files --- */

static int write_inputs (const struct label_input *input, struct error *err)
{
    _cleanup_free_ char *dir =
        given_data_dir (input->inputs, input->task->campaign_dir);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = cp2k_format_input (input->text, input->len, input->name,
                                input->frame, &text, err);

    if (rc == 0)
        rc = file_write_atomic (INPUT_FILE, text.buf, text.len, err);
    if (rc == 0 && dir)
        setenv ("CP2K_DATA_DIR", dir, 1);
    return rc;
}

/* --- the kit --- */

static const struct port inputs[] = {
    LABEL_INPUTS ("cp2k", "[\"cp2k\"]"),
    { "data_dir", ONE (STRING), .optional = true, .doubt = doubt_data_dir },
    { 0 },
};

/* DP-GEN's. */
static const struct other_name other_names[] = {
    { "external_input_path", "input: FILE, the whole input" },
    { "user_fp_params", "input: FILE, the whole input" },
    { "fp_params", "input: FILE, the whole input" },
    { NULL, NULL },
};

static const char *const arguments[] = { "-i", INPUT_FILE, NULL };
static const char *const scratch[] = { CP2K_PROJECT "-RESTART.wfn",
                                       CP2K_PROJECT "-RESTART.wfn.bak-1",
                                       CP2K_PROJECT "-RESTART.kp",
                                       CP2K_PROJECT "-RESTART.kp.bak-1", NULL };

static const char *const raw[] = { OUTPUT_FILE, NULL };

static const char *const input_files[] = { INPUT_FILE, NULL };

const struct label_kit cp2k_label = {
    .spec = LABEL_OPERATOR ("cp2k.label", "cp2k", inputs, other_names,
                            input_files, "CP2K| version string:"),
    .code = &cp2k_code,
    .program = "cp2k",
    .arguments = arguments,
    .output = OUTPUT_FILE,
    .raw = raw,
    .scratch = scratch, /* wave functions */
    .scan = cp2k_keys,
    .keys = keys,
    .check_template = cp2k_check_input,
    .check_with = check_with,
    .doubt_template = cp2k_doubt_input,
    .same = cp2k_same,
    .setting = cp2k_setting,
    .needs_cell = true,
    .write_inputs = write_inputs,
    .results_file = OUTPUT_FILE,
    .parse = cp2k_out_read,
    .scales = true,
    /* it converts to bohr, with the constants of its release, and back, and
     * prints six decimals, of the cell three */
    .same_place_A = 1e-4,
    .same_cell_A = 2e-3,
    .for_place = "remove &CENTER_COORDINATES",
};
