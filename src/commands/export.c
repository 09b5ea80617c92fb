/* SPDX-License-Identifier: BSD-3-Clause */
/* export.c - the training data as one set */
#include "base/base.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "formats/dataset_writer.h"
#include "formats/extxyz/extxyz.h"
#include "space/layout.h"

enum { DATASET_MAX_BYTES = 1 << 30 };

/* The form in which frames are taken up. */
static const char dataset_form[] = "extxyz";

struct exporting {
    const struct campaign *campaign;
    const struct dataset_writer *form;
    int first, last; /* iterations */
    bool with_initial;
    struct strvec files; /* of frames, in order */
    size_t n_frames;
};

/* --- what is asked for --- */

static const struct dataset_writer *find_form (const char *name)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const struct dataset_writer *form = dataset_writers;

    while (form->name && strcmp (form->name, name) != 0)
        strvec_push (&names, form++->name);
    if (!form->name)
        complain_unknown ("format", name, &names);
    return form->name ? form : NULL;
}

/* "3" or "2-5"; false after complaining. */
static bool read_range (const char *text, struct exporting *e)
{
    const char *dash = strchr (text, '-');
    char *first =
        dash ? xstrndup (text, (size_t)(dash - text)) : xstrdup (text);

    e->first = parse_number ("--iterations", first);
    e->last = !dash || e->first < 0 ? e->first
                                    : parse_number ("--iterations", dash + 1);
    free (first);
    if (e->last >= 0 && e->first > e->last)
        complain (STATUS_USAGE, "--iterations %s: the first is behind the last",
                  text);
    return e->first >= 0 && e->first <= e->last;
}

static enum exit_status read_options (const struct invocation *invocation,
                                      struct exporting *e)
{
    const char *range = invocation_option (invocation, "iterations");
    const char *form = invocation_option (invocation, "format");

    e->last = (int)e->campaign->engine.state.n_iterations - 1;
    e->with_initial = invocation_option (invocation, "with-initial") != NULL;
    e->form = find_form (form ? form : dataset_writers[0].name);
    if (!e->form || (range && !read_range (range, e)))
        return STATUS_USAGE;
    if (file_exists (invocation->args[0]))
        return complain (STATUS_USAGE,
                         "'%s' is there already; name a new directory",
                         invocation->args[0]);
    return STATUS_DONE;
}

/* --- its frames --- */

/* The journal knows what was published: neither less nor something else is
 * exported.
 */
static int check_dataset (const struct exporting *e, int iteration,
                          const char *relative, struct error *err)
{
    const struct state *state = &e->campaign->engine.state;
    _cleanup_free_ char *path = path_join (e->campaign->plan->dir, relative);
    struct error why = ERROR_INIT;
    char hex[DIGEST_HEX_SIZE] = "";
    const char *known = "";
    int rc = 0;

    if (iteration <= state_iteration (state))
        known = json_get_string (state->iterations[iteration].dataset,
                                 dataset_form);
    if (digest_tree (path, hex, NULL, NULL, &why) < 0
        && !error_is_absence (&why))
        rc = error_copy (err, &why);
    else if (strcmp (hex, known) != 0 && state->n_iterations > 0)
        rc = error_set (
            err,
            "%s: %s; `fanfold verify --all` names all that differs, `fanfold "
            "redo --iteration %d` makes it again",
            relative,
            !*hex    ? "is missing"
            : *known ? "differs from what was published"
                     : "was published by no stage",
            iteration);
    return rc;
}

static int find_files (struct exporting *e, struct error *err)
{
    int rc = 0;
    const struct plan *plan = e->campaign->plan;

    for (size_t i = 0; e->with_initial && plan->initial[i]; i++) {
        _cleanup_free_ char *path = path_join (plan->dir, plan->initial[i]);

        strvec_push (&e->files, path);
    }
    for (int i = e->first; rc == 0 && i <= e->last; i++) {
        _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;
        _cleanup_free_ char *path = NULL;

        layout_dataset_dir (dataset_form, i, &dir);
        rc = check_dataset (e, i, dir.buf, err);
        strbuf_add_str (&dir, "/dataset.extxyz");
        path = path_join (plan->dir, dir.buf);
        if (file_exists (path))
            strvec_push (&e->files, path);
    }
    return rc;
}

static int count_frames (struct exporting *e, const char *path,
                         struct error *err)
{
    _cleanup_ (extxyz_index_release) struct extxyz_index index =
        EXTXYZ_INDEX_INIT;
    int rc = extxyz_index_file (path, &index, err);

    e->n_frames += index.n;
    return rc;
}

static int check_file (struct exporting *e, const char *path, struct error *err)
{
    const struct plan *plan = e->campaign->plan;

    if (e->form->check
        && e->form->check (path, (char *const *)plan->elements,
                           plan->n_elements, NULL, err)
               < 0)
        return -1;
    return count_frames (e, path, err);
}

/* One file of them all. */
static int join_files (struct exporting *e, const char *to, struct error *err)
{
    _cleanup_ (file_writer_release) struct file_writer writer =
        FILE_WRITER_INIT;
    int rc = file_writer_open (&writer, to, err);

    for (size_t i = 0; rc == 0 && i < e->files.n; i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        if (check_file (e, e->files.v[i], err) < 0
            || file_read (e->files.v[i], DATASET_MAX_BYTES, &text, err) < 0)
            rc = -1;
        else
            rc = file_writer_add (&writer, text.buf, text.len, err);
        if (rc == 0 && text.len > 0 && text.buf[text.len - 1] != '\n')
            rc = file_writer_add (&writer, "\n", 1, err);
    }
    if (rc == 0)
        rc = file_writer_commit (&writer, err);
    return rc;
}

static int write_set (struct exporting *e, const char *dir, struct error *err)
{
    const struct plan *plan = e->campaign->plan;
    _cleanup_free_ char *joined = xasprintf ("%s.frames.tmp", dir);
    int rc = file_make_parent (dir, err);

    if (rc == 0)
        rc = join_files (e, joined, err);
    if (rc == 0)
        rc = e->form->write (joined, (char *const *)plan->elements,
                             plan->n_elements, dir, NULL, err);
    file_remove_tree (joined, NULL, NULL);
    return rc;
}

static void print_exported (const struct invocation *invocation,
                            const struct exporting *e)
{
    const char *dir = invocation->args[0];
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_free_ char *text =
        xasprintf ("%s: %zu frames of %zu files, as %s\n", dir, e->n_frames,
                   e->files.n, e->form->name);

    json_set (v, "directory", json_string (dir));
    json_set (v, "format", json_string (e->form->name));
    json_set (v, "frames", json_int ((int64_t)e->n_frames));
    json_set (v, "files", json_strings (&e->files));
    print_reply (invocation, v, text);
}

static enum exit_status export(const struct invocation *invocation,
                               struct campaign *campaign) {
    struct exporting e = { .campaign = campaign, .files = STRVEC_INIT };
    enum exit_status status = read_options (invocation, &e);
    struct error err = ERROR_INIT;

    if (status != STATUS_DONE) return status;
    if (find_files (&e, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else if (e.files.n == 0)
        status = complain (STATUS_FAILED, "there are no labelled data in these "
                                          "iterations");
    else if (write_set (&e, invocation->args[0], &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else print_exported (invocation, &e);
    strvec_release (&e.files);
    return status;
}

static const struct command_option options[] = {
    { "format", "NAME",
      "write this format: deepmd (default), deepmd-mixed, deepmd-raw or "
      "extxyz" },
    { "iterations", "A-B", "take these iterations only (default: all)" },
    { "with-initial", NULL, "put the campaign's initial data in front" },
    JSON_OPTION,
    { 0 },
};

const struct command export_command = {
    .name = "export",
    .arguments = "DIR",
    .summary = "write training data as one set, in a new directory",
    .min_args = 1,
    .max_args = 1,
    .options = options,
    .imports_data = true,
    .run_in = export,
};
