/* SPDX-License-Identifier: BSD-3-Clause */
/* label.c - the operator qe.label: its signature, and the step `collect` */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "formats/element.h"
#include "operators/table.h"
#include "operators/qe/input.h"
#include "operators/step_task.h"
#include "signature/operator.h"

enum { FRAME_MAX_BYTES = 1 << 30 };

/* --- rules --- */

static int check_input (const struct known_input *input, struct error *err)
{
    const char *path = json_as_string (input->value);
    struct strbuf lines = STRBUF_INIT;
    int rc = file_read (path, PW_TEMPLATE_MAX_BYTES, &lines, err);

    if (rc == 0)
        rc = pw_check_input (lines.buf, lines.len, path, err);
    strbuf_release (&lines);
    return rc < 0 ? error_prefix (err, "input") : 0;
}

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

/* --- the operator --- */

static const struct type file_name = ONE (STRING); /* in pseudo_dir */

static const struct port inputs[] = {
    { "frames", ONE (FRAMES), .from = "previous.select.frames" },
    { "input", ONE (FILE), .check = check_input },
    { "pseudopotentials", MAP_OF (file_name), .check = check_pseudopotentials,
      .doubt = doubt_pseudopotentials },
    { "pseudo_dir", ONE (STRING),
      .default_json = "\"/usr/share/espresso/pseudo\"" },
    { "pw", ONE (LIST), .default_json = "[\"pw.x\"]", .program = true,
      .check = step_check_program },
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

static const struct port outputs[] = {
    { "frame", .type = ONE (FRAMES) },
    { 0 },
};

static const struct port collected[] = {
    { "dataset", .type = ONE (FRAMES), .publish = true },
    { "labelled", .type = ONE (INT) },
    { "failed", .type = ONE (INT) },
    { 0 },
};

static const char *const fan_out[] = { "frames", NULL };
static const char *const run[] = { "{fanfold}", "operator", "qe.label", "run",
                                   NULL };
static const char *const *const commands[] = { run, NULL };
static const char *const collect[] = { "{fanfold}", "operator", "qe.label",
                                       "collect", NULL };
static const int fatal_exits[] = { STEP_FATAL, 0 };

const struct operator_spec qe_label_operator = {
    .name = "qe.label",
    .code = "qe",
    .version = 1,
    .inputs = inputs,
    .other_names = other_names,
    .outputs = outputs,
    .collected = collected,
    .fan_out = fan_out,
    .commands = commands,
    .collect = collect,
    .fatal_exits = fatal_exits,
};

/* --- the step `collect` --- */

static int append_file (int fd, const char *from, const char *to,
                        struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc = file_read (from, FRAME_MAX_BYTES, &text, err);

    if (rc == 0 && file_write_all (fd, text.buf, text.len, err) < 0)
        rc = error_prefix (err, "%s", to);
    strbuf_release (&text);
    return rc;
}

/* Tasks that have no frame are left out; *labelled is raised for each other. */
static int write_dataset (const struct json *frames, const char *path,
                          int64_t *labelled, struct error *err)
{
    int fd = file_open (path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int rc = 0;

    if (fd < 0)
        return error_errno (err, "cannot write '%s'", path);
    for (size_t i = 0; rc == 0 && i < json_count (frames); i++) {
        const struct json *frame = json_at (frames, i);

        if (json_is_null (frame))
            continue;
        rc = append_file (fd, json_as_string (frame), path, err);
        ++*labelled;
    }
    close (fd);
    return rc;
}

static int collect_frames (const struct step_task *task, struct error *err)
{
    struct json *frames, *params;
    const char *path;
    int64_t labelled = 0;

    if (json_want_array (task->stacked, "frame", &frames, err) < 0)
        return error_prefix (err, "stacked");
    if (step_task_output (task, "dataset", &path, err) < 0
        || write_dataset (frames, path, &labelled, err) < 0)
        return -1;
    params = json_object ();
    json_set (params, "labelled", json_int (labelled));
    json_set (params, "failed",
              json_int ((int64_t)json_count (frames) - labelled));
    return step_write ("params.json", params, err);
}

enum step_status qe_label_collect (struct error *err)
{
    struct step_task task = STEP_TASK_INIT;
    int rc = step_task_read ("task.json", &task, err);

    if (rc == 0)
        rc = collect_frames (&task, err);
    step_task_release (&task);
    return rc == 0 ? STEP_OK : STEP_FAILED;
}
