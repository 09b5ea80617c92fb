/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd.c - lammps.explore with a committee of DeePMD models: one pair_style
 * has them all, moves the atoms by the first, and writes model_devi.out
 * (DeePMD-kit, pair_deepmd.cpp)
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/deviations/deviation_file.h"
#include "formats/deviations/kept_rows.h"
#include "formats/vector_reader.h"
#include "operators/deepmd/model.h"
#include "operators/lammps/lammps.h"

#define DEVIATION_FILE "model_devi.out"

static const char *const arguments[] = LAMMPS_ARGUMENTS ("md.in");

static char *link_name (size_t k, const char *path)
{
    return lammps_potential_link (k, deepmd_is_model (path) ? path : "");
}

/* --- what LAMMPS is given --- */

static void add_level (const struct json *relative, const char *key,
                       const char *word, struct strbuf *text)
{
    const struct json *level = json_get (relative, key);

    if (json_is_null (level))
        return;
    strbuf_addf (text, " %s ", word);
    json_dump (level, JSON_COMPACT, text);
}

/* "deepmd potential_0.pb ... out_freq 20 out_file model_devi.out" */
static int add_committee (const struct exploration *e, struct strbuf *text,
                          struct error *err)
{
    const struct json *inputs = e->task.inputs;
    const struct json *relative = json_get (inputs, "relative");

    strbuf_add_str (text, "deepmd");
    for (size_t k = 0; k < e->links.n; k++) {
        char *model =
            deepmd_find_model (e->potentials.v[k], e->links.v[k], err);

        if (!model)
            return error_prefix (err, "potentials[%zu]", k);
        strbuf_addf (text, " %s", model);
        free (model);
    }
    strbuf_addf (text, " out_freq %lld out_file " DEVIATION_FILE,
                 (long long)e->dump_every);
    add_level (relative, "force", "relative", text);
    add_level (relative, "virial", "relative_v", text);
    if (json_as_bool (json_get (inputs, "atomic")))
        strbuf_add_str (text, " atomic");
    return 0;
}

static int write_inputs (const struct exploration *e, const char *lines,
                         size_t len, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf committee = STRBUF_INIT;
    struct lammps_setup setup;
    int rc = -1;

    if (e->links.n < 2)
        error_set (err, "potentials: a committee has two members or more, and "
                        "there is one");
    else if (lammps_read_setup (e, &setup, err) == 0)
        rc = add_committee (e, &committee, err);
    if (rc == 0) {
        setup.deepmd = committee.buf;
        rc = lammps_write_md (&setup, &e->start, lines, len, err);
    }
    return rc;
}

/* --- what it leaves --- */

/* A frame without a deviation could be neither accurate nor a candidate. */
static enum step_status check_rows (const struct exploration *e,
                                    struct error *err)
{
    bool atomic = json_as_bool (json_get (e->task.inputs, "atomic"));
    int64_t n = 0;

    if (deviation_count_rows (DEVIATION_FILE, atomic, &n, err) < 0)
        return STEP_FATAL;
    if (n >= e->frames.seen || e->blown_up)
        return STEP_OK;
    error_set (err,
               DEVIATION_FILE " has %lld rows, and the MD wrote %lld frames; "
                              "let pair_style have {deepmd}",
               (long long)n, (long long)e->frames.seen);
    return STEP_FATAL;
}

/* Steps of all frames of the trajectory, as bytes of 'steps'. */
static int read_steps (const char *trajectory, struct strbuf *steps,
                       struct error *err)
{
    static const struct vector_options positions = { .kind = VECTOR_POSITIONS };
    struct vector_reader *reader =
        vector_reader_open (trajectory, &positions, err);
    struct vector_frame frame;
    int rc = reader ? 0 : -1;

    while (rc == 0 && (rc = vector_reader_next (reader, &frame, err)) == 1) {
        strbuf_add (steps, &frame.step, sizeof (frame.step));
        rc = 0;
    }
    vector_reader_close (reader);
    return rc;
}

/* DeePMD-kit writes rows when all atoms are lost, too. */
static int take_whole_rows (const struct exploration *e, const char *to,
                            struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf steps = STRBUF_INIT;
    int rc = 0;

    if (e->frames.kept > 0)
        rc = read_steps (e->trajectory, &steps, err);
    if (rc == 0)
        rc = kept_rows_copy (DEVIATION_FILE, to, (const int64_t *)steps.buf,
                             steps.len / sizeof (int64_t), err);
    return rc;
}

static enum step_status take_deviations (const struct exploration *e,
                                         struct error *err)
{
    enum step_status status = STEP_OK;
    const char *to;
    int rc;

    if (step_task_output (&e->task, "deviations", &to, err) < 0)
        return STEP_FATAL;
    if (file_exists (DEVIATION_FILE)) {
        status = check_rows (e, err);
        if (status != STEP_OK)
            return status;
        rc = e->blown_up ? take_whole_rows (e, to, err)
                         : file_rename (DEVIATION_FILE, to, err);
        return rc < 0 ? STEP_FAILED : STEP_OK;
    }
    if (e->blown_up) /* before anything could be written */
        return file_write_atomic (to, "", 0, err) < 0 ? STEP_FAILED : STEP_OK;
    error_set (err, "LAMMPS wrote no " DEVIATION_FILE
                    "; let pair_style have {deepmd}, and potentials two "
                    "models or more");
    return STEP_FATAL;
}

const struct explore_kit lammps_deepmd_kit = {
    .op = &lammps_explore_deepmd_operator,
    .prepare = "prepare_deepmd",
    .run = "run_deepmd",
    LAMMPS_EXPLORE,
    .link_name = link_name,
    .write_inputs = write_inputs,
    .arguments = arguments,
    .judge = take_deviations,
};

/* --- the operator --- */

static int check_potentials (const struct known_input *input, struct error *err)
{
    for (size_t k = 0; k < json_count (input->value); k++) {
        char *model = deepmd_find_model (
            json_as_string (json_at (input->value, k)), "", err);

        if (!model)
            return error_prefix (err, "potentials");
        free (model);
    }
    return 0;
}

static int check_pair_style (const struct known_input *input, struct error *err)
{
    const char *line = json_as_string (input->value);

    if (lammps_check_line (line, "deepmd", err) < 0)
        return error_prefix (err, "pair_style");
    if (!strstr (line, "{deepmd}"))
        return error_set (err, "pair_style: the committee's models are not in "
                               "it; write {deepmd} where `deepmd MODEL ...` "
                               "is to stand");
    if (strncmp (line + strspn (line, " \t"), "{deepmd}", 8) != 0)
        return error_set (err, "pair_style: {deepmd} must stand first; hybrid "
                               "styles need a pair_coeff for each, and the "
                               "stage has one");
    return 0;
}

static int check_pair_coeff (const struct known_input *input, struct error *err)
{
    const char *line = json_as_string (input->value);
    int rc = lammps_check_line (line, NULL, err);

    if (rc == 0)
        rc = lammps_check_types (line, json_get (input->others, "elements"),
                                 "{elements}", err);
    return rc < 0 ? error_prefix (err, "pair_coeff") : 0;
}

static int check_relative (const struct known_input *input, struct error *err)
{
    JSON_FOREACH (input->value, it) {
        double level = json_as_double (json_iter_value (it));

        if (!json_is_null (json_iter_value (it)) && !(level > 0))
            return error_set (err, "relative: %s: %g; write a number above 0",
                              json_iter_key (it), level);
    }
    return 0;
}

EXPLORE_CHECKS (lammps_deepmd_kit)

static const struct type_field relative_fields[] = {
    { "force", ONE (FLOAT), true },
    { "virial", ONE (FLOAT), true },
    { 0 },
};

static const struct port inputs[] = {
    EXPLORE_INPUTS,
    { "potentials", LIST_OF (PATH), .from = "train.potential",
      .committee = true, .check = check_potentials },
    { "elements", ONE (LIST), .from = "elements" },
    { "pair_style", ONE (STRING), .default_json = "\"{deepmd}\"",
      .check = check_pair_style },
    { "pair_coeff", ONE (STRING), .default_json = "\"* * {elements}\"",
      .check = check_pair_coeff },
    { "committee", ONE (STRING), .default_json = "\"deepmd\"" },
    { "relative", MAP_WITH (relative_fields), .optional = true,
      .check = check_relative },
    { "atomic", ONE (BOOL), .default_json = "false" },
    { "lammps", ONE (LIST), .default_json = "[\"lmp\"]", .program = true,
      .check = step_check_program },
    { 0 },
};

static const struct other_name other_names[] = {
    { "use_relative", "relative: {force: LEVEL}" },
    { "epsilon", "relative: {force: LEVEL}" },
    { "use_relative_v", "relative: {virial: LEVEL}" },
    { "epsilon_v", "relative: {virial: LEVEL}" },
    EXPLORE_OTHER_NAMES,
    { NULL, NULL },
};

static const struct port outputs[] = {
    { "trajectory", .type = ONE (FILE), .path = "trajectory.dump" },
    { "deviations", .type = ONE (FILE), .path = DEVIATION_FILE },
    EXPLORE_PARAMETERS,
    { 0 },
};

const struct operator_spec lammps_explore_deepmd_operator = {
    EXPLORE_OPERATOR ("lammps.explore", "lammps", inputs, other_names, outputs,
                      "prepare_deepmd", "run_deepmd", lammps_input_files),
    .version_line = "LAMMPS (",
};
