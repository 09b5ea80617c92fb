/* SPDX-License-Identifier: BSD-3-Clause */
/* joined_set.c - the labelled data of several campaigns as one set */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "campaign/reuse_from.h"
#include "commands/campaign.h"
#include "commands/joined_set.h"
#include "commands/published_parts.h"
#include "formats/dataset_reader.h"
#include "formats/dataset_writer.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame_origin.h"

enum { FILE_MAX_BYTES = 1 << 30 };

/* eV an atom: more than moving each of them by the tolerance changes. */
static const double same_energy = 1e-3;

/* A file of frames that is being taken. */
struct joined_file {
    struct joined_campaign *campaign;
    const char *path;   /* that is read */
    const char *origin; /* that its frames are from, where parts do not tell */
    bool keep_origins;  /* of frames that have one */
    struct strbuf text; /* all of it */
    struct extxyz_index index;
    struct published_parts parts;
};

static void joined_file_release (struct joined_file *file)
{
    strbuf_release (&file->text);
    extxyz_index_release (&file->index);
    published_parts_release (&file->parts);
}

static int joined_file_read (struct joined_file *file, struct error *err)
{
    joined_file_release (file);
    if (file_read (file->path, FILE_MAX_BYTES, &file->text, err) < 0
        || extxyz_index_file (file->path, &file->index, err) < 0)
        return -1;
    if (file->index.offset[file->index.n] > file->text.len)
        return error_set (err, "%s: changed while it was being read",
                          file->path);
    return 0;
}

/* --- which campaigns --- */

static enum exit_status find_one (struct joined_set *set, const char *path)
{
    _cleanup_free_ char *real = realpath (path, NULL);
    const char *advice;
    const char *wrong = reuse_from_what_is_wrong (real, &advice);

    if (wrong)
        return complain (STATUS_USAGE, "--campaigns: '%s' %s; %s", path, wrong,
                         advice);
    for (size_t i = 0; i < set->n; i++) {
        if (strcmp (set->v[i].dir, real) == 0)
            return complain (STATUS_USAGE,
                             "--campaigns: '%s' is named twice; remove one",
                             path);
    }
    set->v[set->n++] =
        (struct joined_campaign){ steal (&real), STRVEC_INIT, STRVEC_INIT, 0, 0,
                                  false };
    return STATUS_DONE;
}

enum exit_status joined_set_find (struct joined_set *set, size_t n)
{
    enum exit_status status = STATUS_DONE;

    set->v = xcalloc (n, sizeof (*set->v));
    for (size_t i = 0; status == STATUS_DONE && i < n; i++)
        status = find_one (set, set->invocation->args[i]);
    return status;
}

/* --- frames --- */

static int check_frame (const struct joined_campaign *campaign,
                        const struct frame *frame, struct error *err)
{
    if (!frame->has_energy || !frame->forces)
        return error_set (err, "no %s",
                          frame->has_energy ? "forces" : "energy");
    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (!strvec_contains (&campaign->elements, frame->symbols[i]))
            return error_set (err,
                              "'%s' is not among the elements of the campaign",
                              frame->symbols[i]);
    }
    return 0;
}

/* The same structure: has it the same label? */
static void compare_labels (struct joined_set *set, const struct frame *frame,
                            const struct distinct_frame *first, size_t number)
{
    double apart = fabs (frame->energy - first->frame.energy);

    if (apart <= same_energy * (double)frame->n_atoms)
        return;
    if (set->n_other_labels++ == 0)
        set->other_labels =
            xasprintf ("frame %" PRIu64 " of %s has %.10g eV, and frame %zu of "
                       "%s has %.10g eV",
                       first->mark.number, set->files.v[first->mark.file],
                       first->frame.energy, number,
                       set->files.v[set->files.n - 1], frame->energy);
}

static int write_frame (struct joined_set *set, const struct joined_file *file,
                        const char *text, size_t len, struct error *err)
{
    const char *part =
        published_parts_at (&file->parts, (uint64_t)(text - file->text.buf));
    _cleanup_free_ char *path =
        part ? path_join (file->campaign->dir, part) : NULL;
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;

    frame_origin_set (text, len, path ? path : file->origin, file->keep_origins,
                      &out);
    return file_writer_add (&set->writer, out.buf, out.len, err);
}

static int take_frame (struct joined_set *set, const struct joined_file *file,
                       size_t i, struct error *err)
{
    const uint64_t *offset = file->index.offset;
    const char *text = file->text.buf + offset[i];
    size_t len = (size_t)(offset[i + 1] - offset[i]);
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    const struct distinct_frame *first;

    if (extxyz_parse (text, len, file->path, (size_t)file->index.line[i],
                      &frame, err)
        < 0)
        return -1;
    if (check_frame (file->campaign, &frame, err) < 0)
        return error_prefix (err, "%s: frame %zu", file->path, i);
    first = distinct_frames_add (
        &set->distinct, &frame,
        (struct frame_mark){ set->files.n - 1, (uint64_t)i });
    if (first) {
        compare_labels (set, &frame, first, i);
        set->n_duplicates++;
        file->campaign->n_duplicates++;
        return 0;
    }
    set->n_frames++;
    file->campaign->n_frames++;
    return write_frame (set, file, text, len, err);
}

static int take_frames (struct joined_set *set, const struct joined_file *file,
                        struct error *err)
{
    strvec_push (&set->files, file->origin);
    strvec_push (&file->campaign->files, file->origin);
    for (size_t i = 0; i < file->index.n; i++) {
        if (take_frame (set, file, i, err) < 0)
            return -1;
    }
    return 0;
}

/* Is what was read fit for the form? */
static int check_form (const struct joined_set *set, const char *path,
                       const struct plan *plan, struct error *err)
{
    return set->form->check ? set->form->check (
               path, (char *const *)plan->elements, plan->n_elements, NULL, err)
                            : 0;
}

/* --- initial data --- */

static const struct data_import *find_import (const struct plan *plan,
                                              const char *path)
{
    for (size_t i = 0; i < plan->n_imports; i++) {
        if (strcmp (plan->imports[i].to, path) == 0)
            return &plan->imports[i];
    }
    return NULL;
}

/* Data of another form are made into frames at 'made', not in the campaign,
 * unless they are gone and only what was made of them is there.
 */
static int read_initial (const struct plan *plan, const char *path,
                         const char *made, struct joined_file *file,
                         char **origin, struct error *err)
{
    const struct data_import *import = find_import (plan, path);
    char *from = path_join (plan->dir, import ? import->from : path);

    *origin = from;
    if (import && file_look (from, NULL) == 0) {
        free (from);
        *origin = path_join (plan->dir, path);
        import = NULL;
    }
    file->origin = *origin;
    file->path = import ? made : *origin;
    if (import
        && dataset_convert (from, (char *const *)plan->elements,
                            plan->n_elements, made, NULL, err)
               < 0)
        return -1;
    return joined_file_read (file, err);
}

static int take_initial (struct joined_set *set, struct joined_campaign *c,
                         const struct plan *plan, struct error *err)
{
    _cleanup_free_ char *made = xasprintf ("%s.initial", set->writer.path);
    int rc = 0;

    for (size_t i = 0; rc == 0 && plan->initial[i]; i++) {
        _cleanup_ (joined_file_release) struct joined_file file = {
            .campaign = c, .keep_origins = true, .text = STRBUF_INIT
        };
        _cleanup_free_ char *origin = NULL;

        rc = read_initial (plan, plan->initial[i], made, &file, &origin, err);
        if (rc == 0)
            rc = check_form (set, file.path, plan, err);
        if (rc == 0)
            rc = take_frames (set, &file, err);
    }
    file_remove_tree (made, NULL, NULL);
    return rc;
}

/* --- what was published --- */

/* The journal is asked when all was read: then that is what it knows. */
static int read_published (const struct campaign *campaign, int iteration,
                           struct joined_file *file, char **path,
                           struct error *err)
{
    free (*path);
    *path = dataset_file (campaign, iteration);
    file->path = file->origin = *path;
    if (*path && joined_file_read (file, err) < 0)
        return -1;
    return dataset_check (campaign, iteration, err);
}

static int take_iteration (struct joined_set *set, struct joined_campaign *c,
                           struct campaign *campaign, int iteration,
                           struct error *err)
{
    _cleanup_ (joined_file_release) struct joined_file file = {
        .campaign = c, .text = STRBUF_INIT
    };
    _cleanup_free_ char *path = NULL;
    int rc, n = 0;

    do
        rc = read_published (campaign, iteration, &file, &path, err);
    while (rc < 0 && dataset_look_again (campaign, n++));
    if (rc == 0 && !path)
        c->warned = c->warned || dataset_warn_unpublished (campaign, iteration);
    if (rc < 0 || !path)
        return rc;
    published_parts_find (&campaign->engine, iteration, &file.text,
                          &file.parts);
    return check_form (set, path, campaign->plan, err) < 0
                   || take_frames (set, &file, err) < 0
               ? -1
               : 0;
}

static int take_published (struct joined_set *set, struct joined_campaign *c,
                           struct campaign *campaign, struct error *err)
{
    int last = state_iteration (&campaign->engine.state);
    int first = set->range ? set->range->first : 0;

    if (set->range && set->range->last < last)
        last = set->range->last;
    for (int i = first; i <= last; i++) {
        if (take_iteration (set, c, campaign, i, err) < 0)
            return -1;
    }
    return 0;
}

/* --- one campaign --- */

/* Elements have names: whatever its numbers, a type is the one of that name. */
static void take_elements (struct joined_set *set, struct joined_campaign *c,
                           const struct plan *plan)
{
    for (size_t i = 0; i < plan->n_elements; i++) {
        strvec_push (&c->elements, plan->elements[i]);
        if (!strvec_contains (&set->elements, plan->elements[i]))
            strvec_push (&set->elements, plan->elements[i]);
    }
}

static int take_data (struct joined_set *set, struct joined_campaign *c,
                      struct campaign *campaign, struct error *err)
{
    take_elements (set, c, campaign->plan);
    if ((set->with_initial && take_initial (set, c, campaign->plan, err) < 0)
        || take_published (set, c, campaign, err) < 0)
        return -1;
    if (c->files.n == 0)
        return error_set (err, "there are no labelled data%s; leave it out",
                          set->range ? " in these iterations" : "");
    return 0;
}

static enum exit_status take_campaign (struct joined_set *set,
                                       struct joined_campaign *c)
{
    struct invocation there = *set->invocation;
    struct campaign campaign;
    struct error err = ERROR_INIT;
    enum exit_status status;

    there.dir = c->dir;
    status = campaign_open (&there, &campaign);
    if (status != STATUS_DONE)
        return complain (status, "--campaigns: '%s' cannot be read", c->dir);
    if (take_data (set, c, &campaign, &err) < 0)
        status = complain (STATUS_FAILED, "%s: %s", c->dir, err.text);
    campaign_close (&campaign);
    return status;
}

/* --- all of them --- */

static void warn_of_labels (const struct joined_set *set)
{
    if (set->n_other_labels > 0)
        complain (STATUS_DONE,
                  "warning: %zu of the duplicates have other energies than the "
                  "frames that stay: %s; do not train on both unless they were "
                  "computed with the same settings",
                  set->n_other_labels, set->other_labels);
}

enum exit_status joined_set_write (struct joined_set *set, const char *to)
{
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;

    if (file_writer_open (&set->writer, to, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    for (size_t i = 0; status == STATUS_DONE && i < set->n; i++)
        status = take_campaign (set, &set->v[i]);
    if (status == STATUS_DONE && file_writer_commit (&set->writer, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    if (status == STATUS_DONE)
        warn_of_labels (set);
    return status;
}

void joined_set_release (struct joined_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        free (set->v[i].dir);
        strvec_release (&set->v[i].elements);
        strvec_release (&set->v[i].files);
    }
    free (set->v);
    free (set->other_labels);
    strvec_release (&set->elements);
    strvec_release (&set->files);
    distinct_frames_release (&set->distinct);
    file_writer_release (&set->writer);
}

/* --- the reply --- */

/* Are its types numbered as those of the set? */
static bool has_types (const struct joined_campaign *c,
                       const struct strvec *elements)
{
    for (size_t i = 0; i < c->elements.n; i++) {
        if (strcmp (c->elements.v[i], elements->v[i]) != 0)
            return false;
    }
    return true;
}

static struct json *campaign_json (const struct joined_campaign *c)
{
    struct json *v = json_object ();

    json_set (v, "directory", json_string (c->dir));
    json_set (v, "elements", json_strings (&c->elements));
    json_set (v, "frames", json_int ((int64_t)c->n_frames));
    json_set (v, "duplicates", json_int ((int64_t)c->n_duplicates));
    json_set (v, "files", json_strings (&c->files));
    return v;
}

static void add_campaign (const struct joined_set *set,
                          const struct joined_campaign *c, struct strbuf *text)
{
    strbuf_addf (text, "  %s: %zu frames, %zu duplicates left out", c->dir,
                 c->n_frames, c->n_duplicates);
    if (!has_types (c, &set->elements)) {
        strbuf_add_str (text, "; its elements ");
        strvec_list (&c->elements, text);
        strbuf_add_str (text, " were mapped by name");
    }
    strbuf_add_char (text, '\n');
}

void joined_set_tell (const struct joined_set *set, struct json *v,
                      struct strbuf *text)
{
    struct json *campaigns = json_array ();

    strbuf_add_str (text, "elements: ");
    strvec_list (&set->elements, text);
    strbuf_add_char (text, '\n');
    for (size_t i = 0; i < set->n; i++) {
        json_push (campaigns, campaign_json (&set->v[i]));
        add_campaign (set, &set->v[i], text);
    }
    json_set (v, "elements", json_strings (&set->elements));
    json_set (v, "duplicates", json_int ((int64_t)set->n_duplicates));
    json_set (v, "other_energies", json_int ((int64_t)set->n_other_labels));
    json_set (v, "campaigns", campaigns);
}
