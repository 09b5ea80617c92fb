/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the kit of qe.label: pw.x of Quantum ESPRESSO */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "formats/element.h"
#include "formats/frame.h"
#include "formats/qe/qe_xml.h"
#include "operators/label/label_kit.h"
#include "operators/qe/input.h"
#include "operators/qe/label.h"

#define PW_XML_FILE PW_SCRATCH_DIR "/" PW_PREFIX ".save/data-file-schema.xml"

/* --- how pw.x ends --- */

static const struct code_ending endings[] = {
    /* "     Error in routine readpp (1):\n     file x not found" */
    { "Error in routine ", .ending = ENDING_MISTAKE, .more = 1 },
    { "convergence NOT achieved after", .ending = ENDING_UNCONVERGED,
      .message = "SCF not converged after # steps" },
    { 0 },
};

/* Its last words say nothing: an unconverged run prints them, too. */
const struct code pw_code = {
    .name = "pw.x",
    .first_words = "Program PWSCF",
    .last_words = "JOB DONE.",
    .endings = endings,
};

/* --- the template --- */

static const struct template_key keys[] = {
    { "nat", NULL },
    { "ntyp", NULL },
    { "prefix", NULL },
    { "outdir", NULL },
    { "pseudo_dir", "write pseudo_dir of the stage instead" },
    { "atomic_positions", NULL },
    { "cell_parameters", NULL },
    { "atomic_species", "write pseudopotentials of the stage instead" },
    { 0 },
};

/* --- what is known before anything runs --- */

LABEL_CHECK (qe_label)

static int check_pseudopotentials (const struct known_input *input,
                                   struct error *err)
{
    JSON_FOREACH (input->value, it) {
        const char *symbol = json_iter_key (it);

        if (!(element_mass (symbol) > 0))
            return error_set (err,
                              "pseudopotentials: '%s' is no element; write "
                              "{Si: FILE}",
                              symbol);
    }
    return 0;
}

static void doubt_file (const struct json *file, const char *symbol,
                        const char *pseudo_dir, struct strbuf *says)
{
    char *path = path_join (pseudo_dir, json_as_string (file));

    if (!file)
        strbuf_addf (says,
                     "pseudopotentials: none for '%s', and frames that have it "
                     "fail; add %s: FILE",
                     symbol, symbol);
    else if (!file_exists (path))
        strbuf_addf (says,
                     "pseudopotentials.%s: there is no '%s' on this host; if "
                     "the nodes do not have it either: correct it, or "
                     "pseudo_dir",
                     symbol, path);
    free (path);
}

/* The first of the elements that one is missing of. */
static void doubt_pseudopotentials (const struct known_input *input,
                                    struct strbuf *says)
{
    const struct json *dir = json_get (input->others, "pseudo_dir");

    if (json_kind (dir) != JSON_KIND_STRING)
        return;
    for (const char *const *e = input->elements; e && *e && says->len == 0; e++)
        doubt_file (json_get (input->value, *e), *e, json_as_string (dir),
                    says);
}

/* --- its files --- */

static int write_inputs (const struct label_input *input, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    struct pw_setup setup;
    int rc;

    if (json_want_string (input->inputs, "pseudo_dir", &setup.pseudo_dir, err)
            < 0
        || json_want_object (input->inputs, "pseudopotentials",
                             &setup.pseudopotentials, err)
               < 0)
        return error_prefix (err, "inputs");
    rc = pw_format_input (&setup, input->text, input->len, input->name,
                          input->frame, &text, err);
    if (rc == 0)
        rc = file_write_atomic ("pw.in", text.buf, text.len, err);
    strbuf_release (&text);
    return rc;
}

static int read_labels (const struct frame *sent, struct frame *labels,
                        bool *converged, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc = file_read (PW_XML_FILE, LABEL_FILE_MAX_BYTES, &text, err);

    (void)sent;
    if (rc < 0)
        error_prefix (err, "pw.x left no results (disk_io must be 'low')");
    else
        rc = qe_xml_parse (text.buf, text.len, PW_XML_FILE, labels, converged,
                           err);
    strbuf_release (&text);
    return rc;
}

/* --- the kit --- */

static const struct type file_name = ONE (STRING); /* in pseudo_dir */

static const struct port inputs[] = {
    LABEL_INPUTS ("pw", "[\"pw.x\"]"),
    { "pseudopotentials", MAP_OF (file_name), .check = check_pseudopotentials,
      .doubt = doubt_pseudopotentials },
    { "pseudo_dir", ONE (STRING),
      .default_json = "\"/usr/share/espresso/pseudo\"" },
    { 0 },
};

/* DP-GEN's. */
static const struct other_name other_names[] = {
    { "fp_pp_path", "pseudo_dir: DIRECTORY" },
    { "fp_pp_files", "pseudopotentials: {ELEMENT: FILE}" },
    { "fp_params", "input: FILE, with the namelists" },
    { "user_fp_params", "input: FILE, with the namelists" },
    { NULL, NULL },
};

static const char *const arguments[] = { "-in", "pw.in", NULL };
static const char *const scratch[] = { PW_SCRATCH_DIR, NULL };

const struct label_kit qe_label = {
    .spec = LABEL_OPERATOR ("qe.label", "qe", inputs, other_names),
    .code = &pw_code,
    .program = "pw",
    .arguments = arguments,
    .output = "pw.out",
    .scratch = scratch, /* wave functions, and the results */
    .scan = pw_keys,
    .keys = keys,
    .check_template = pw_check_input,
    .needs_cell = true,
    .write_inputs = write_inputs,
    .read_labels = read_labels,
    /* it converts to bohr, with the constants of its release, and back */
    .same_place_A = 1e-4,
    .for_forces = "set tprnfor = .true.",
    .for_place = "let calculation be 'scf'",
    .for_cell = "remove ibrav, or set it to 0",
};
