/* SPDX-License-Identifier: BSD-3-Clause */
/* prepare.c - the step `prepare` of an exploring operator: what its tasks are
 */
#include "base/base.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "formats/extxyz/extxyz.h"
#include "operators/explore/explore.h"
#include "signature/operator.h"

/* The lists to slice over, and the files that are copied for the tasks: an edit
 * harms nothing that runs.
 */
struct making {
    const char *dir; /* the campaign's */
    struct strvec elements;
    struct json *lists; /* {NAME: [value of each task]} */
    struct json *files; /* {path: its copy below out/} */
};

/* Write the copy of 'path', seen from out/; lent, NULL with 'err'. */
static const char *write_copy (struct making *m, const char *path,
                               const char *ending, const struct strbuf *text,
                               struct error *err)
{
    struct json *kept =
        json_stringf ("files/%06zu%s", json_count (m->files), ending);
    char *to = path_join ("out", json_as_string (kept));
    int rc = file_make_parent (to, err);

    if (rc == 0)
        rc = file_write_atomic (to, text->buf, text->len, err);
    free (to);
    if (rc < 0) {
        json_unref (kept);
        return NULL;
    }
    json_set (m->files, path, kept);
    return json_as_string (kept);
}

/* The copy of a file as it is. */
static const char *keep_file (struct making *m, const char *path,
                              const char *ending, struct error *err)
{
    const struct json *kept = json_get (m->files, path);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *copy = NULL;
    _cleanup_free_ char *from = NULL;

    if (kept)
        return json_as_string (kept);
    from = path_join (m->dir, path);
    if (file_read (from, EXPLORE_STRUCTURE_MAX_BYTES, &text, err) == 0)
        copy = write_copy (m, path, ending, &text, err);
    return copy;
}

/* A LAMMPS data file stays one; of any other the first frame is kept. */
static const char *keep_structure (struct making *m, const char *path,
                                   struct error *err)
{
    const struct json *kept = json_get (m->files, path);
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *copy = NULL;
    bool is_data;
    _cleanup_free_ char *from = NULL;

    if (kept)
        return json_as_string (kept);
    from = path_join (m->dir, path);
    if (explore_read_structure (from, &m->elements, &frame, &is_data, err)
        == 0) {
        if (!is_data)
            extxyz_format (&frame, &text);
        copy = is_data ? keep_file (m, path, ".data", err)
                       : write_copy (m, path, ".extxyz", &text, err);
    }
    return copy;
}

static void push (struct making *m, const char *name, struct json *value)
{
    struct json *list = json_get (m->lists, name);

    if (!list) {
        list = json_array ();
        json_set (m->lists, name, list);
    }
    json_push (list, value);
}

/* Replicas vary fastest, then the last variable; structures slowest. */
static int add_tasks (struct making *m, const struct explore_run *run,
                      const struct explore_structure *structure,
                      struct error *err)
{
    const char *input = keep_file (m, run->input, ".in", err);
    const char *file = input ? keep_structure (m, structure->path, err) : NULL;

    if (!file)
        return -1;
    for (int64_t i = 0; i < run->combinations; i++) {
        _cleanup_json_ struct json *chosen = explore_run_combination (run, i);

        for (int64_t k = 0; k < run->replicas; k++) {
            push (m, "system", json_string (structure->system));
            push (m, "structure", json_string (file));
            push (m, "variables", json_ref (chosen));
            push (m, "conditions", json_ref (chosen));
            push (m, "run_input", json_string (input));
            push (m, "run_steps", json_int (run->steps));
            push (m, "run_dump_every", json_int (run->dump_every));
        }
    }
    return 0;
}

static int add_runs (struct making *m, const struct json *inputs,
                     struct error *err)
{
    _cleanup_ (explore_runs_release) struct explore_runs runs =
        EXPLORE_RUNS_INIT;
    int rc = explore_runs_read (inputs, m->dir, &runs, err);

    for (size_t i = 0; rc == 0 && i < runs.n; i++) {
        const struct explore_run *run = &runs.v[i];

        for (size_t k = 0; rc == 0 && k < run->n_structures; k++)
            rc = add_tasks (m, run, &run->structures[k], err);
    }
    return rc;
}

/* Every input is known by now: what is not there is null. */
static struct json *known_inputs (const struct operator_spec *op,
                                  const struct step_task *task)
{
    struct json *known = json_object ();

    for (const struct port *port = op->inputs; port->name; port++) {
        struct json *value = json_get (task->inputs, port->name);

        json_set (known, port->name, value ? json_ref (value) : json_null ());
    }
    return known;
}

/* Two members that are one model have no deviation. */
static int check_different (const struct json *potentials, struct error *err)
{
    size_t n = json_count (potentials);
    char (*digests)[DIGEST_HEX_SIZE] = xcalloc (n, sizeof (*digests));
    int rc = 0;

    for (size_t k = 0; rc == 0 && k < n; k++) {
        const char *path = json_as_string (json_at (potentials, k));

        if (digest_tree (path, digests[k], NULL, NULL, NULL) < 0)
            continue; /* whoever reads it says what is wrong */
        for (size_t j = 0; rc == 0 && j < k; j++) {
            if (strcmp (digests[j], digests[k]) == 0)
                rc = error_set (
                    err,
                    "potentials[%zu] and [%zu] are the same, byte for byte "
                    "('%s'): a trainer without {seed}, or one file twice?  "
                    "Fix that, then run `fanfold redo STAGE` for where it "
                    "is; or write identical_members: allow",
                    j, k, path);
        }
    }
    free (digests);
    return rc;
}

int explore_check_members (const struct json *inputs, struct error *err)
{
    struct json *potentials;

    if (json_want_array (inputs, "potentials", &potentials, err) < 0)
        return error_prefix (err, "inputs");
    if (json_count (potentials) == 0)
        return error_set (err, "potentials: the committee has no member");
    return step_allows_identical (inputs) ? 0
                                          : check_different (potentials, err);
}

static int check_inputs (const struct operator_spec *op,
                         const struct step_task *task,
                         const struct json *inputs, struct error *err)
{
    const struct known_input known = { .others = inputs,
                                       .dir = task->campaign_dir };

    for (const struct port *port = op->inputs; port->name; port++) {
        if (port_check (port, &known, err) < 0)
            return -1;
    }
    return explore_check_members (inputs, err);
}

static int make_slices (const struct operator_spec *op,
                        const struct step_task *task, struct error *err)
{
    struct making m = { task->campaign_dir, STRVEC_INIT, json_object (),
                        json_object () };
    struct json *inputs = known_inputs (op, task);
    int rc = -1;

    if (check_inputs (op, task, inputs, err) == 0
        && step_strings (inputs, "elements", &m.elements, err) == 0
        && add_runs (&m, inputs, err) == 0)
        rc = step_write ("slices.json", json_ref (m.lists), err);
    json_unref (inputs);
    json_unref (m.lists);
    json_unref (m.files);
    strvec_release (&m.elements);
    return rc;
}

enum step_status explore_prepare_step (const struct explore_kit *kit,
                                       struct error *err)
{
    _cleanup_ (step_task_release) struct step_task task = STEP_TASK_INIT;
    enum step_status status = STEP_FATAL;

    if (step_task_read (kit->op, &task, err) == 0
        && make_slices (kit->op, &task, err) == 0)
        status = STEP_OK;
    return status;
}
