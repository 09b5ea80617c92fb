/* SPDX-License-Identifier: BSD-3-Clause */
/* convert.c - frames of any files in the form that a program reads */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/strvec.h"
#include "commands/command.h"
#include "commands/frame_files.h"
#include "formats/frame.h"
#include "formats/frame_writer.h"

struct converting {
    struct frame_files files;
    struct frame_writing writing;
    const struct frame_consumer *consumer; /* NULL: for nobody */
    bool labelled_only;
    struct frame_writer *writer;
    uint64_t n_frames;
    uint64_t n_unlabelled; /* left out */
};

/* --- what is asked for --- */

static enum exit_status find_consumer (struct converting *c, const char *name)
{
    struct strvec names = STRVEC_INIT;

    if (!name)
        return STATUS_DONE;
    c->consumer = frame_consumer_find (name);
    for (const struct frame_consumer *one = frame_consumers; one->name; one++)
        strvec_push (&names, one->name);
    if (!c->consumer)
        complain_unknown ("program", name, &names);
    strvec_release (&names);
    if (!c->consumer)
        return STATUS_USAGE;
    c->writing.format = c->consumer->format;
    c->writing.names = c->consumer->names;
    c->writing.for_training = true;
    return STATUS_DONE;
}

/* What --force would remove has to be something that convert makes. */
static bool is_dir_of_systems (const char *path)
{
    struct strvec names = STRVEC_INIT;
    bool is = file_list_dir (path, &names, NULL) == 0;

    for (size_t i = 0; is && i < names.n; i++) {
        char *system = path_join (path, names.v[i]);
        char *types = path_join (system, "type.raw");

        is = file_exists (types);
        free (types);
        free (system);
    }
    strvec_release (&names);
    return is;
}

static enum exit_status check_place (const char *to, bool force)
{
    struct stat st;

    if (stat (to, &st) < 0)
        return STATUS_DONE;
    if (!force)
        return complain (STATUS_USAGE,
                         "'%s' is there already; name another, or say --force",
                         to);
    if (S_ISDIR (st.st_mode) && !is_dir_of_systems (to))
        return complain (STATUS_USAGE,
                         "'%s' is a directory with more than DeePMD systems; "
                         "remove it yourself, or name another",
                         to);
    return STATUS_DONE;
}

static enum exit_status read_options (struct converting *c,
                                      const struct invocation *invocation)
{
    const char *format = invocation_option (invocation, "to");
    const char *size = invocation_option (invocation, "set-size");
    enum exit_status status = frame_files_init (&c->files, invocation);
    int n = 0;

    c->writing = (struct frame_writing)FRAME_WRITING_INIT;
    c->labelled_only = invocation_option (invocation, "labelled") != NULL;
    c->writing.float32 = invocation_option (invocation, "float32") != NULL;
    c->writing.elements = c->files.options.elements;
    c->writing.n_elements = c->files.options.n_elements;
    if (status == STATUS_DONE)
        status = find_consumer (c, invocation_option (invocation, "for"));
    if (status == STATUS_DONE && size
        && (n = parse_number ("--set-size", size)) < 0)
        status = STATUS_USAGE;
    c->writing.set_size = (size_t)n;
    if (format)
        c->writing.format = format;
    return status;
}

/* --- frames --- */

/* What the program needs of a frame, which the format does not. */
static int check_frame (const struct converting *c, const struct frame *frame,
                        struct error *err)
{
    if (!c->consumer)
        return 0;
    if (!frame->has_energy || !frame->forces)
        return error_set (err,
                          "no %s; %s is trained on both (--labelled leaves "
                          "such frames out)",
                          frame->has_energy ? "forces" : "energy",
                          c->consumer->name);
    if (c->consumer->needs_cell && frame_volume (frame) == 0)
        return error_set (err, "no cell, which %s needs", c->consumer->name);
    return 0;
}

static int take_frame (const struct frame *frame,
                       const struct frame_place *place, void *arg,
                       struct error *err)
{
    struct converting *c = arg;

    (void)place;
    if (c->labelled_only && (!frame->has_energy || !frame->forces)) {
        c->n_unlabelled++;
        return 0;
    }
    if (check_frame (c, frame, err) < 0
        || frame_writer_add (c->writer, frame, err) < 0)
        return -1;
    c->n_frames++;
    return 0;
}

static int write_frames (struct converting *c, char *const *from, size_t n,
                         const char *to, struct error *err)
{
    c->writer = frame_writer_open (to, &c->writing, err);
    if (!c->writer
        || frame_files_each (&c->files, from, n, take_frame, c, err) < 0)
        return -1;
    if (c->n_frames == 0)
        return error_set (err, "no frame was chosen, so '%s' is not written",
                          to);
    return frame_writer_commit (c->writer, err);
}

static enum exit_status convert (const struct invocation *invocation)
{
    size_t n = (size_t)invocation->n_args - 1;
    const char *to = invocation->args[n];
    struct converting c = { 0 };
    struct error err = ERROR_INIT;
    enum exit_status status = read_options (&c, invocation);

    if (status == STATUS_DONE)
        status =
            check_place (to, invocation_option (invocation, "force") != NULL);
    if (status == STATUS_DONE
        && write_frames (&c, invocation->args, n, to, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    frame_files_tell (&c.files);
    if (c.n_unlabelled > 0)
        fprintf (stderr, "fanfold: note: %llu frames without labels left out\n",
                 (unsigned long long)c.n_unlabelled);
    if (status == STATUS_DONE)
        printf ("%s: %llu frame%s\n", to, (unsigned long long)c.n_frames,
                c.n_frames == 1 ? "" : "s");
    frame_writer_close (c.writer);
    frame_files_release (&c.files);
    return status;
}

static const struct command_option options[] = {
    { "for", "PROGRAM",
      "write what mace, nep, gap or deepmd is trained on: its format, keys and "
      "signs" },
    { "to", "FORMAT",
      "write this format (default: what the name of OUT says)" },
    FRAME_FILES_SET,
    { "labelled", NULL, "leave out frames without energy or forces" },
    { "float32", NULL, "write DeePMD's arrays with single precision" },
    { "set-size", "N",
      "begin a new set of DeePMD's arrays after N frames (default: one set)" },
    { "force", NULL, "replace OUT, if it is there" },
    { 0 },
};

const struct command convert_command = {
    .name = "convert",
    .arguments = "IN... OUT",
    .summary = "write frames of any files in a form that a program reads",
    .min_args = 2,
    .max_args = 1000000,
    .options = options,
    .run = convert,
};
