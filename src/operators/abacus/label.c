/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the kit of abacus.label: ABACUS's single points
 *
 * ABACUS reads INPUT, STRU and, if the input does not say its k-points, KPT;
 * results go to OUT.<suffix>/running_scf.log (ABACUS manual).
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/abacus/k_points.h"
#include "formats/abacus/running_log.h"
#include "formats/abacus/stru.h"
#include "formats/frame.h"
#include "formats/lines.h"
#include "operators/abacus/label.h"
#include "operators/label/element_files.h"

#define SUFFIX "fanfold"
#define LOG_FILE "OUT." SUFFIX "/running_scf.log"

/* --- how ABACUS ends --- */

/* Older releases quit with exit status 0. */
static const struct code_ending endings[] = {
    { "convergence has not been achieved", .ending = ENDING_UNCONVERGED,
      .message = "SCF not converged" },
    { "convergence has NOT been achieved", .ending = ENDING_UNCONVERGED,
      .message = "SCF not converged" },
    { "CONVERGENCE HAS NOT BEEN ACHIEVED", .ending = ENDING_UNCONVERGED,
      .message = "SCF not converged" },
    { "SCF IS NOT CONVERGED", .ending = ENDING_UNCONVERGED,
      .message = "SCF not converged" },
    /* a line of '!' or '-' and an empty one stand before the text */
    { "NOTICE  ", .ending = ENDING_MISTAKE, .more = 3 },
    { "!ERROR!", .ending = ENDING_MISTAKE, .more = 3 },
    { "ERROR! ", .ending = ENDING_MISTAKE },
    { 0 },
};

const struct code abacus_code = {
    .name = "ABACUS",
    .first_words = "ABACUS",
    .trimmed = " !-",
    .endings = endings,
};

/* --- the template --- */

static const struct template_key keys[] = {
    { "suffix", NULL },
    { "calculation", NULL },
    { "ntype", NULL },
    { "cal_force", NULL },
    { "stru_file", NULL },
    { "kpoint_file", "write kpt of the stage instead" },
    { "pseudo_dir", "write pseudo_dir of the stage instead" },
    { "orbital_dir", "write orbital_dir of the stage instead" },
    { "out_level", NULL },
    /* values for each kind of atoms, whose order a frame has */
    { "hubbard_u", NULL },
    { "orbital_corr", NULL },
    { 0 },
};

/* What an input has that other ports depend on. */
struct settings {
    struct abacus_k_points k_points; /* its own */
    bool orbitals;                   /* numerical ones are its basis */
    bool stress;
};

static void note_setting (const char *key, const char *value,
                          struct settings *settings)
{
    abacus_k_points_note (key, value, &settings->k_points);
    if (strcmp (key, "basis_type") == 0)
        settings->orbitals = strncmp (value, "lcao", 4) == 0;
    if (strcmp (key, "cal_stress") == 0)
        settings->stress = true;
}

static struct settings settings_of (const char *text, size_t len)
{
    struct settings settings = { .orbitals = false };
    const char *key, *value;
    size_t key_len, value_len;
    struct lines lines;

    lines_of_text (&lines, text, len, "", 1);
    while (lines_next (&lines, NULL) > 0) {
        if (lines_take_word (&lines, &key, &key_len)
            && lines_take_word (&lines, &value, &value_len)) {
            _cleanup_free_ char *k = xstrndup (key, key_len);
            _cleanup_free_ char *v = xstrndup (value, value_len);

            note_setting (k, v, &settings);
        }
    }
    lines_close (&lines);
    return settings;
}

/* Its first line that says something is a title. */
static int check_template (const char *text, size_t len, const char *name,
                           struct error *err)
{
    struct lines lines;
    int rc;

    lines_of_text (&lines, text, len, name, 1);
    while ((rc = lines_next (&lines, err)) > 0
           && (lines_at_end (&lines) || strchr ("#/", *lines.at)))
        ;
    if (rc == 0 || !lines_take_prefix (&lines, "INPUT_PARAMETERS"))
        rc = lines_error (&lines, err,
                          "expected INPUT_PARAMETERS, with which an input of "
                          "ABACUS begins");
    lines_close (&lines);
    return rc < 0 ? -1 : abacus_check_lines (text, len, name, err);
}

/* --- what is known before anything runs --- */

static bool is_given (const struct json *inputs, const char *port)
{
    return json_count (json_get (inputs, port)) > 0
           || json_kind (json_get (inputs, port)) == JSON_KIND_STRING;
}

/* Has the stage what the template needs? */
static int check_with (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct error *err)
{
    struct settings settings = settings_of (text, len);
    const struct json *inputs = input->others;

    if (settings.k_points.spacing && is_given (inputs, "kpt"))
        return error_set (
            err, "%s sets kspacing; remove that, or kpt of the stage", name);
    if (!settings.k_points.spacing && !settings.k_points.gamma
        && !is_given (inputs, "kpt"))
        return error_set (err,
                          "%s: there are no k-points; write kpt: FILE, or set "
                          "kspacing or gamma_only in the input",
                          name);
    if (settings.orbitals && !is_given (inputs, "orbitals"))
        return error_set (
            err, "%s: basis_type lcao needs orbitals: {ELEMENT: FILE}", name);
    if (is_given (inputs, "orbitals") && !is_given (inputs, "orbital_dir"))
        return error_set (err, "orbitals need a directory; write orbital_dir");
    return 0;
}

LABEL_CHECK (abacus_label)

/* --- its files --- */

/* A directory, seen from the task's. */
static int add_dir (const struct label_input *input, const char *key,
                    const char *files, struct strbuf *out, struct error *err)
{
    _cleanup_free_ char *dir = element_files_dir (input, files, err);

    if (dir)
        strbuf_addf (out, "%s %s/\n", key, dir);
    return dir ? 0 : -1;
}

static int write_input (const struct label_input *input, struct error *err)
{
    struct settings settings = settings_of (input->text, input->len);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_add (&text, input->text, input->len);
    strbuf_add_str (&text, "\nsuffix " SUFFIX "\ncalculation scf\n"
                           "cal_force 1\n");
    if (!settings.stress)
        strbuf_add_str (&text, "cal_stress 1\n");
    if (add_dir (input, "pseudo_dir", "pseudopotentials", &text, err) < 0
        || (is_given (input->inputs, "orbitals")
            && add_dir (input, "orbital_dir", "orbitals", &text, err) < 0))
        return -1;
    return file_write_atomic ("INPUT", text.buf, text.len, err);
}

static int write_stru (const struct label_input *input, struct error *err)
{
    const struct stru_species species = {
        .pseudopotentials = json_get (input->inputs, "pseudopotentials"),
        .orbitals = json_get (input->inputs, "orbitals"),
        .magnetization = json_get (input->inputs, "magnetization"),
    };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    return stru_format (input->frame, &species, &text, err) < 0
               ? -1
               : file_write_atomic ("STRU", text.buf, text.len, err);
}

static int write_inputs (const struct label_input *input, struct error *err)
{
    const struct json *kpt = json_get (input->inputs, "kpt");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (write_input (input, err) < 0 || write_stru (input, err) < 0)
        return -1;
    if (json_kind (kpt) != JSON_KIND_STRING)
        return 0;
    return file_read (json_as_string (kpt), TEMPLATE_MAX_BYTES, &text, err) < 0
               ? -1
               : file_write_atomic ("KPT", text.buf, text.len, err);
}

/* --- the kit --- */

static const struct type moment = ONE (FLOAT);

static const struct port inputs[] = {
    LABEL_INPUTS ("abacus", "[\"abacus\"]"),
    { "kpt", ONE (FILE), .optional = true, .check = abacus_check_kpt },
    ELEMENT_FILES ("pseudopotentials"),
    { "pseudo_dir", .type = ONE (STRING) },
    { "orbitals", MAP_OF (element_file_name), .optional = true,
      .check = element_files_check, .doubt = element_files_doubt },
    { "orbital_dir", ONE (STRING), .optional = true },
    { "magnetization", MAP_OF (moment), .optional = true },
    { 0 },
};

/* DP-GEN's. */
static const struct other_name other_names[] = {
    { "fp_incar", "input: FILE, an INPUT" },
    { "user_fp_params", "input: FILE, an INPUT" },
    { "fp_pp_path", "pseudo_dir: DIRECTORY" },
    { "fp_pp_files", "pseudopotentials: {ELEMENT: FILE}" },
    { "fp_orb_files", "orbitals: {ELEMENT: FILE}" },
    { "fp_kpt_file", "kpt: FILE" },
    { "k_points", "kpt: FILE" },
    { NULL, NULL },
};

static const char *const arguments[] = { NULL };
static const char *const results[] = { "OUT." SUFFIX, "KPT", NULL };

static const char *const raw[] = { "abacus.out", LOG_FILE, NULL };

static const char *const input_files[] = { "INPUT", "STRU", "KPT", NULL };

const struct label_kit abacus_label = {
    .spec = LABEL_OPERATOR ("abacus.label", "abacus", inputs, other_names,
                            input_files, "ABACUS v"),
    .code = &abacus_code,
    .program = "abacus",
    .arguments = arguments,
    .output = "abacus.out",
    .raw = raw,
    .results = results,
    .scan = template_first_words,
    .keys = keys,
    .check_template = check_template,
    .check_with = check_with,
    .doubt_template = abacus_doubt_input,
    .same = abacus_same,
    .setting = abacus_setting,
    .needs_cell = true,
    .needs_periods = true,
    .by_element = true,
    .write_inputs = write_inputs,
    .results_file = LOG_FILE,
    .parse = abacus_log_read,
    .scales = true,
    /* six digits of the cell, in which positions may be told */
    .same_place_A = 1e-3,
    .same_cell_A = 1e-3,
};
