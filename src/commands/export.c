/* SPDX-License-Identifier: BSD-3-Clause */
/* export.c - the training data of a campaign, or of several, as one set */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/data_import.h"
#include "commands/dataset_files.h"
#include "commands/joined_set.h"
#include "formats/dataset_writer.h"
#include "formats/extxyz/extxyz.h"

enum { DATASET_MAX_BYTES = 1 << 30 };

/* What is asked for. */
struct asked {
    char *to;     /* a new directory */
    char *making; /* beside it, removed at the end, with: */
    char *frames; /* one file of all frames, */
    char *set;    /* and what becomes the new directory when it is whole */
    const struct dataset_writer *form;
    struct dataset_range range;
    bool has_range;
    bool with_initial;
};

/* Of one campaign. */
struct exporting {
    const struct asked *asked;
    struct campaign *campaign;
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

/* The last argument, without slashes at its end. */
static char *place_of (const struct invocation *invocation)
{
    char *to = xstrdup (invocation->args[invocation->n_args - 1]);

    while (strlen (to) > 1 && to[strlen (to) - 1] == '/')
        to[strlen (to) - 1] = '\0';
    return to;
}

static enum exit_status read_options (const struct invocation *invocation,
                                      struct asked *asked)
{
    const char *range = invocation_option (invocation, "iterations");
    const char *form = invocation_option (invocation, "format");

    asked->to = place_of (invocation);
    asked->has_range = range != NULL;
    asked->with_initial =
        invocation_option (invocation, "with-initial") != NULL;
    asked->form = find_form (form ? form : dataset_writers[0].name);
    if (!asked->form || (range && !dataset_range_read (range, &asked->range)))
        return STATUS_USAGE;
    if (file_exists (asked->to))
        return complain (STATUS_USAGE,
                         "'%s' is there already; name a new directory",
                         asked->to);
    return STATUS_DONE;
}

static void find_places (struct asked *asked)
{
    asked->making =
        xasprintf ("%.*s" FILE_TEMPORARY "%s.%ld",
                   (int)(path_base (asked->to) - asked->to), asked->to,
                   path_base (asked->to), (long)getpid ());
    asked->frames = path_join (asked->making, "frames");
    asked->set = path_join (asked->making, "set");
}

static void asked_release (struct asked *asked)
{
    free (asked->to);
    free (asked->making);
    free (asked->frames);
    free (asked->set);
}

/* The new directory, of the file of all frames. */
static int write_set (const struct asked *asked, char *const *elements,
                      size_t n_elements, struct error *err)
{
    return asked->form->write (asked->frames, elements, n_elements, asked->set,
                               NULL, err)
                   < 0
               ? -1
               : file_rename (asked->set, asked->to, err);
}

/* --- of one campaign --- */

static int check_iteration (struct exporting *e, int iteration,
                            struct error *err)
{
    int rc, n = 0;

    do
        rc = dataset_check (e->campaign, iteration, err);
    while (rc < 0 && dataset_look_again (e->campaign, n++));
    return rc;
}

static int find_initial (struct exporting *e, struct error *err)
{
    const struct plan *plan = e->campaign->plan;

    if (data_import (plan, NULL, err) < 0)
        return -1;
    for (size_t i = 0; plan->initial[i]; i++) {
        _cleanup_free_ char *path = path_join (plan->dir, plan->initial[i]);

        strvec_push (&e->files, path);
    }
    return 0;
}

static int find_files (struct exporting *e, struct error *err)
{
    const struct asked *asked = e->asked;
    int first = asked->has_range ? asked->range.first : 0;
    int last = asked->has_range ? asked->range.last
                                : state_iteration (&e->campaign->engine.state);
    int rc = asked->with_initial ? find_initial (e, err) : 0;
    bool warned = false;

    for (int i = first; rc == 0 && i <= last; i++) {
        _cleanup_free_ char *path = NULL;

        rc = check_iteration (e, i, err);
        if ((path = dataset_file (e->campaign, i)))
            strvec_push (&e->files, path);
        else
            warned = warned || dataset_warn_unpublished (e->campaign, i);
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
    const struct dataset_writer *form = e->asked->form;

    if (form->check
        && form->check (path, (char *const *)plan->elements, plan->n_elements,
                        NULL, err)
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

static int no_files (const struct plan *plan, struct error *err)
{
    bool published = false;

    for (size_t i = 0; i < plan->n_stages; i++)
        published = published || stage_publishes (&plan->stages[i]);
    return error_set (err, "there are no labelled data in these iterations%s",
                      published ? ""
                                : ": no stage publishes what it makes; write "
                                  "publish: true at the output of the operator "
                                  "that labels, then run `fanfold redo STAGE "
                                  "--iteration 0`");
}

static int write_one (struct exporting *e, struct error *err)
{
    const struct plan *plan = e->campaign->plan;
    int rc = find_files (e, err);

    if (rc == 0 && e->files.n == 0)
        rc = no_files (plan, err);
    if (rc == 0)
        rc = file_make_parent (e->asked->frames, err);
    if (rc == 0)
        rc = join_files (e, e->asked->frames, err);
    if (rc == 0)
        rc = write_set (e->asked, (char *const *)plan->elements,
                        plan->n_elements, err);
    return rc;
}

static void print_exported (const struct invocation *invocation,
                            const struct asked *asked, size_t n_frames,
                            const struct strvec *files, struct json *more,
                            const char *lines)
{
    _cleanup_free_ char *text =
        xasprintf ("%s: %zu frames of %zu files, as %s\n%s", asked->to,
                   n_frames, files->n, asked->form->name, lines);

    json_set (more, "directory", json_string (asked->to));
    json_set (more, "format", json_string (asked->form->name));
    json_set (more, "frames", json_int ((int64_t)n_frames));
    json_set (more, "files", json_strings (files));
    print_reply (invocation, more, text);
}

static enum exit_status export_one (const struct invocation *invocation,
                                    const struct asked *asked)
{
    struct campaign campaign;
    _cleanup_json_ struct json *v = json_object ();
    struct exporting e = { asked, &campaign, STRVEC_INIT, 0 };
    struct error err = ERROR_INIT;
    enum exit_status status = campaign_open (invocation, &campaign);

    if (status != STATUS_DONE)
        return status;
    if (write_one (&e, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else
        print_exported (invocation, asked, e.n_frames, &e.files, v, "");
    strvec_release (&e.files);
    campaign_close (&campaign);
    return status;
}

/* --- of several --- */

static enum exit_status write_joined (struct joined_set *set,
                                      const struct asked *asked)
{
    struct error err = ERROR_INIT;
    enum exit_status status;

    if (file_make_parent (asked->frames, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    status = joined_set_write (set, asked->frames);
    if (status == STATUS_DONE
        && write_set (asked, set->elements.v, set->elements.n, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    return status;
}

static enum exit_status export_campaigns (const struct invocation *invocation,
                                          const struct asked *asked)
{
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf lines = STRBUF_INIT;
    _cleanup_ (joined_set_release) struct joined_set set = {
        .invocation = invocation,
        .form = asked->form,
        .range = asked->has_range ? &asked->range : NULL,
        .with_initial = asked->with_initial,
        .writer = FILE_WRITER_INIT
    };
    enum exit_status status =
        joined_set_find (&set, (size_t)invocation->n_args - 1);

    if (status == STATUS_DONE)
        status = write_joined (&set, asked);
    if (status == STATUS_DONE) {
        joined_set_tell (&set, v, &lines);
        print_exported (invocation, asked, set.n_frames, &set.files, v,
                        lines.buf);
    }
    return status;
}

static enum exit_status check_arguments (const struct invocation *invocation,
                                         bool several)
{
    if (several && invocation->n_args < 2)
        return complain (STATUS_USAGE,
                         "export --campaigns takes the directories of "
                         "campaigns, and a new one");
    if (!several && invocation->n_args > 1)
        return complain (STATUS_USAGE,
                         "export takes a new directory alone; --campaigns "
                         "takes campaigns before it");
    return STATUS_DONE;
}

static enum exit_status export_data (const struct invocation *invocation)
{
    bool several = invocation_option (invocation, "campaigns") != NULL;
    _cleanup_ (asked_release) struct asked asked = { 0 };
    enum exit_status status = check_arguments (invocation, several);

    if (status == STATUS_DONE)
        status = read_options (invocation, &asked);
    if (status == STATUS_DONE) {
        find_places (&asked);
        file_remove_tree (asked.making, NULL, NULL); /* a killed one's */
        status = several ? export_campaigns (invocation, &asked)
                         : export_one (invocation, &asked);
        file_remove_tree (asked.making, NULL, NULL);
    }
    return status;
}

static const struct command_option options[] = {
    { "campaigns", NULL,
      "put the data of these campaigns together, each structure once" },
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
    .arguments = "DIR | --campaigns CAMPAIGN... DIR",
    .summary = "write training data as one set, in a new directory",
    .min_args = 1,
    .max_args = 1000000,
    .options = options,
    .run = export_data,
};
