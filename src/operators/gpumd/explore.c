/* SPDX-License-Identifier: BSD-3-Clause */
/* explore.c - the operator gpumd.explore: molecular dynamics with GPUMD, whose
 * keyword `active` asks a committee of NEP models (doc/gpumd, active)
 */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "formats/extxyz/extxyz.h"
#include "operators/gpumd/gpumd.h"

/* GPUMD reads an int (is_valid_int). */
enum { LARGEST_SEED = 2000000000 };

static const char *const no_arguments[] = { NULL };

/* --- what it is given --- */

static const struct template_key keys[] = {
    { "potential", "write potentials of the stage instead" },
    { "active", "write dump_every and threshold of the stage instead" },
    { "replicate", "repeat the cell in the file of systems instead" },
    { 0 },
};

/* A member is a nep.txt, or a directory that has it. */
static char *nep_file (const char *path, const char *seen_as)
{
    struct stat st;

    return stat (path, &st) == 0 && S_ISDIR (st.st_mode)
               ? path_join (seen_as, "nep.txt")
               : xstrdup (seen_as);
}

static char *link_name (size_t k, const char *path)
{
    (void)path;
    return xasprintf ("nep_%zu", k);
}

static int write_model (const struct frame *start, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct frame bare = *start;

    bare.has_energy = false;
    bare.has_virial = false;
    bare.forces = NULL;
    bare.info = NULL;
    extxyz_format (&bare, &text);
    return file_write_atomic ("model.xyz", text.buf, text.len, err);
}

static struct json *variables_of (const struct exploration *e)
{
    struct json *all = json_object ();

    json_set (all, "seed", json_int (1 + e->task.seed % LARGEST_SEED));
    json_set (all, "steps", json_int (e->steps));
    JSON_FOREACH (e->variables, it)
        json_set (all, json_iter_key (it), json_ref (json_iter_value (it)));
    return all;
}

static int format_run (const struct exploration *e, const char *lines,
                       size_t len, struct strbuf *text, struct error *err)
{
    struct json *threshold = json_get (e->task.inputs, "threshold");
    _cleanup_json_ struct json *variables = NULL;
    int rc;

    for (size_t k = 0; k < e->links.n; k++) {
        _cleanup_free_ char *path =
            nep_file (e->potentials.v[k], e->links.v[k]);

        strbuf_addf (text, "potential %s\n", path);
    }
    strbuf_addf (text, "active %lld 0 0 0 %.17g\n", (long long)e->dump_every,
                 json_as_double (threshold));
    variables = variables_of (e);
    rc = gpumd_fill_lines (lines, len, "input", variables, text, err);
    strbuf_add_char (text, '\n');
    return rc;
}

static int write_inputs (const struct exploration *e, const char *lines,
                         size_t len, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (e->links.n < 2)
        return error_set (err, "potentials: a committee has two members or "
                               "more, and there is one");
    if (write_model (&e->start, err) < 0
        || format_run (e, lines, len, &text, err) < 0)
        return -1;
    return file_write_atomic ("run.in", text.buf, text.len, err);
}

/* --- what it leaves --- */

static int keep_frames (struct exploration *e, struct error *err)
{
    struct gpumd_active active;
    const char *deviations;

    if (!file_exists ("active.out"))
        return error_set (err, "GPUMD wrote no active.out");
    if (step_task_output (&e->task, "deviations", &deviations, err) < 0
        || gpumd_take_active (e->dump_every, e->start.n_atoms, deviations,
                              e->trajectory, &active, err)
               < 0)
        return -1;
    e->frames = (struct explore_frames){ .seen = active.rows,
                                         .kept = active.frames,
                                         .bad = active.bad };
    return 0;
}

const struct explore_kit gpumd_explore_kit = {
    .op = &gpumd_explore_operator,
    .prepare = "prepare",
    .run = "run",
    .code = &gpumd_code,
    .program = "gpumd",
    .scan = template_first_words,
    .keys = keys,
    .check_template = gpumd_check_template,
    .doubt_template = gpumd_doubt_template,
    .link_name = link_name,
    .write_inputs = write_inputs,
    .arguments = no_arguments,
    .md_name = "run.in",
    .log = "gpumd.log",
    .without_start = true,
    .keep_frames = keep_frames,
};

/* --- the operator --- */

static int check_threshold (const struct known_input *input, struct error *err)
{
    double threshold = json_as_double (input->value);

    if (threshold >= 0)
        return 0;
    return error_set (err,
                      "threshold: %g is below 0; write 0 to keep every "
                      "frame",
                      threshold);
}

static int check_potentials (const struct known_input *input, struct error *err)
{
    int rc = 0;

    for (size_t k = 0; rc == 0 && k < json_count (input->value); k++) {
        const char *path = json_as_string (json_at (input->value, k));
        _cleanup_free_ char *file = nep_file (path, path);

        if (!file_exists (file))
            rc = error_set (err,
                            "potentials: there is no '%s'; name a "
                            "nep.txt, or a directory that has it",
                            file);
    }
    return rc;
}

EXPLORE_CHECKS (gpumd_explore_kit)

static const struct port inputs[] = {
    EXPLORE_INPUTS,
    { "potentials", LIST_OF (PATH), .from = "train.potential",
      .committee = true, .check = check_potentials },
    { "elements", ONE (LIST), .from = "elements" },
    { "threshold", ONE (FLOAT), .default_json = "0", .check = check_threshold },
    { "gpumd", ONE (LIST), .default_json = "[\"gpumd\"]", .program = true,
      .check = step_check_program },
    { 0 },
};

static const struct other_name other_names[] = {
    EXPLORE_OTHER_NAMES,
    { NULL, NULL },
};

static const struct port outputs[] = {
    { "trajectory", .type = ONE (FILE), .path = "trajectory.extxyz" },
    { "deviations", .type = ONE (FILE), .path = "model_devi.out" },
    EXPLORE_PARAMETERS,
    { 0 },
};

static const char *const input_files[] = { "run.in", "model.xyz", NULL };

const struct operator_spec gpumd_explore_operator = {
    EXPLORE_OPERATOR ("gpumd.explore", "gpumd", inputs, other_names, outputs,
                      "prepare", "run", input_files),
};
