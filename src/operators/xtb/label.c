/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the kit of xtb.label: single points of molecules with xtb
 *
 * The template is an input of xtb (xcontrol(7)); the method is GFN2-xTB.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/frame.h"
#include "formats/xtb/xtb_gradient.h"
#include "operators/xtb/label.h"

#define INPUT_FILE "xtb.inp"
#define FRAME_FILE "frame.xyz"
#define GRADIENT_FILE "gradient"

/* --- how xtb ends --- */

/* The cause stands last of "-3- ...", "-2- ...", "-1- ...". */
static const struct code_ending endings[] = {
    { "iterator did not converge", .ending = ENDING_UNCONVERGED,
      .message = "SCF not converged" },
    { "-1- ", .ending = ENDING_MISTAKE, .more = 1 },
    { 0 },
};

const struct code xtb_code = {
    .name = "xtb",
    .first_words = "x T B",
    .begins = "-1-",
    .endings = endings,
};

/* --- the template --- */

static const struct template_key keys[] = {
    { "$gfn", "remove it: labels are of GFN2-xTB" },
    { "$coord", NULL },
    { "$fix", "remove it: nothing moves" },
    { "$constrain", "remove it: nothing moves" },
    { "$opt", "remove it: nothing moves" },
    { "$md", "remove it: nothing moves" },
    { "$cma", "remove it: nothing moves" },
    { "$grad", NULL },
    { 0 },
};

/* What of the program's own arguments makes it other than a single point. */
static int check_program (const char *text, size_t len, const char *name,
                          const struct known_input *input, struct error *err)
{
    static const char *const others[] = { "--opt",  "-o",      "--ohess",
                                          "--hess", "--md",    "--omd",
                                          "--gfn",  "--gfnff", "--metadyn",
                                          "--gfn0", "--gfn1",  NULL };

    (void)text;
    (void)len;
    (void)name;
    for (size_t i = 0; others[i]; i++) {
        if (json_array_has_string (json_get (input->others, "xtb"), others[i]))
            return error_set (err,
                              "xtb: '%s': labels are of GFN2-xTB, of the atoms "
                              "where they are; remove it",
                              others[i]);
    }
    return 0;
}

LABEL_CHECK (xtb_label)

/* --- its files --- */

static int write_frame (const struct frame *frame, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "%zu\n\n", frame->n_atoms);
    for (size_t i = 0; i < frame->n_atoms; i++) {
        strbuf_add_str (&text, frame->symbols[i]);
        frame_add_vector (frame->positions + 3 * i, &text);
    }
    return file_write_atomic (FRAME_FILE, text.buf, text.len, err);
}

static int write_inputs (const struct label_input *input, struct error *err)
{
    if (write_frame (input->frame, err) < 0)
        return -1;
    return file_write_atomic (INPUT_FILE, input->text, input->len, err);
}

/* --- the kit --- */

static const struct port inputs[] = {
    LABEL_INPUTS ("xtb", "[\"xtb\"]"),
    { 0 },
};

static const char *const arguments[] = { FRAME_FILE,    "--gfn",   "2",
                                         "--grad",      "--input", INPUT_FILE,
                                         "--norestart", NULL };
static const char *const results[] = { GRADIENT_FILE, "energy", NULL };
static const char *const scratch[] = { "xtbrestart",  "wbo",          "charges",
                                       "xtbtopo.mol", "frame.engrad", NULL };

static const char *const raw[] = { "xtb.out", GRADIENT_FILE, NULL };

static const char *const input_files[] = { INPUT_FILE, FRAME_FILE, NULL };

const struct label_kit xtb_label = {
    .spec =
        LABEL_OPERATOR ("xtb.label", "xtb", inputs, NULL, input_files, NULL),
    .code = &xtb_code,
    .program = "xtb",
    .arguments = arguments,
    .output = "xtb.out",
    .raw = raw,
    .results = results,
    .scratch = scratch,
    .scan = template_first_words,
    .keys = keys,
    .no_periods = true,
    .no_mpi = true,
    .check_with = check_program,
    .write_inputs = write_inputs,
    .results_file = GRADIENT_FILE,
    .parse = xtb_gradient_read,
    .same_place_A = 1e-4, /* xtb converts to bohr and back */
    .same_cell_A = INFINITY,
};
