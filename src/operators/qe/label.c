/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the kit of qe.label: pw.x of Quantum ESPRESSO */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/qe/qe_xml.h"
#include "operators/label/by_element.h"
#include "operators/label/element_files.h"
#include "operators/qe/k_points.h"
#include "operators/qe/qe.h"

#define PW_XML_FILE PW_SCRATCH_DIR "/" PW_PREFIX ".save/data-file-schema.xml"

/* --- how pw.x ends --- */

static const struct code_ending endings[] = {
    /* eigenvalues that another diagonalization or mixing may find; names may
     * have blanks around them */
    { "c_bands (", .ending = ENDING_UNCONVERGED, .more = 1 },
    { "cdiaghg (", .ending = ENDING_UNCONVERGED, .more = 1 },
    { "rdiaghg (", .ending = ENDING_UNCONVERGED, .more = 1 },
    /* files of wave functions */
    { "davcio (", .ending = ENDING_PASSING, .more = 1 },
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

#define CARD_HUBBARD "use a card HUBBARD, which names elements"

static const struct template_key keys[] = {
    { "nat", NULL },
    { "ntyp", NULL },
    { "prefix", NULL },
    { "outdir", NULL },
    { "pseudo_dir", "write pseudo_dir of the stage instead" },
    { "atomic_positions", NULL },
    { "cell_parameters", NULL },
    { "atomic_species", "write pseudopotentials of the stage instead" },
    /* counted by species, which are those of a frame */
    { "starting_magnetization", BY_ELEMENT },
    { "starting_charge", BY_ELEMENT },
    { "angle1", BY_ELEMENT },
    { "angle2", BY_ELEMENT },
    { "hubbard_u", BY_ELEMENT },
    { "hubbard_u2", BY_ELEMENT },
    { "hubbard_u_back", BY_ELEMENT },
    { "hubbard_j0", BY_ELEMENT },
    { "hubbard_alpha", BY_ELEMENT },
    { "hubbard_alpha_back", BY_ELEMENT },
    { "hubbard_beta", BY_ELEMENT },
    { "london_c6", BY_ELEMENT },
    { "london_rvdw", BY_ELEMENT },
    /* ... with other indices besides, or by atoms */
    { "hubbard_j", CARD_HUBBARD },
    { "hubbard_v", CARD_HUBBARD },
    { "hubbard_occ", CARD_HUBBARD },
    { "backall", CARD_HUBBARD },
    { "lback", CARD_HUBBARD },
    { "l1back", CARD_HUBBARD },
    { "starting_ns_eigenvalue", NULL },
    { "solute_lj", NULL },
    { "solute_epsilon", NULL },
    { "solute_sigma", NULL },
    { 0 },
};

LABEL_CHECK (qe_label)

static int check_by_element (const struct known_input *input, struct error *err)
{
    return by_element_check (keys, input, err);
}

/* --- its files --- */

static int write_inputs (const struct label_input *input, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_free_ char *pseudo_dir =
        element_files_dir (input, "pseudopotentials", err);
    int rc =
        pseudo_dir ? element_files_cover (input, "pseudopotentials", err) : -1;

    if (rc == 0)
        rc = pw_format_input (input, pseudo_dir, &text, err);
    if (rc == 0)
        rc = file_write_atomic ("pw.in", text.buf, text.len, err);
    return rc;
}

/* --- the kit --- */

static const struct port inputs[] = {
    LABEL_INPUTS ("pw", "[\"pw.x\"]"),
    ELEMENT_FILES ("pseudopotentials"),
    { "pseudo_dir", ONE (STRING),
      .default_json = "\"/usr/share/espresso/pseudo\"" },
    { "kspacing", ONE (FLOAT), .optional = true, .check = pw_check_kspacing,
      .doubt = label_doubt_kspacing },
    BY_ELEMENT_PORT (check_by_element),
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

static const char *const raw[] = { "pw.out", NULL };

static const char *const input_files[] = { "pw.in", NULL };

const struct label_kit qe_label = {
    .spec = LABEL_OPERATOR ("qe.label", "qe", inputs, other_names, input_files,
                            "Program PWSCF v."),
    .code = &pw_code,
    .program = "pw",
    .arguments = arguments,
    .output = "pw.out",
    .raw = raw,
    .scratch = scratch, /* wave functions, and the results */
    .scan = pw_keys,
    .keys = keys,
    .check_template = pw_check_input,
    .check_with = pw_check_k_points,
    .doubt_template = pw_doubt_input,
    .same = pw_same,
    .setting = pw_setting,
    .needs_cell = true,
    .needs_periods = true,
    .write_inputs = write_inputs,
    .results_file = PW_XML_FILE,
    .parse = qe_xml_read,
    .for_results = "let disk_io be 'low'",
    /* it converts to bohr, with the constants of its release, and back */
    .same_place_A = 1e-4,
    .for_forces = "set tprnfor = .true.",
    .for_place = "let calculation be 'scf'",
    .for_cell = "remove ibrav, or set it to 0",
};
