/* SPDX-License-Identifier: BSD-3-Clause */
/* convert.c - frames of any files in the form that a program reads */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "commands/command.h"
#include "commands/frame_files.h"
#include "formats/frame.h"
#include "formats/frame_sink.h"
#include "formats/frame_writer.h"

struct converting {
    struct frame_files files;
    struct frame_writing writing;
    const struct frame_consumer *consumer; /* NULL: for none */
    bool labelled_only;
    const struct frame_sink *sink; /* NULL: there is none */
    struct frame_writer *writer;
    uint64_t n_frames;
    uint64_t n_unlabelled;   /* left out */
    uint64_t n_labels_lost;  /* frames whose energy has no place */
    uint64_t n_not_periodic; /* frames, for a program that takes them to be */
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
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    bool is = file_list_dir (path, &names, NULL) == 0;

    for (size_t i = 0; is && i < names.n; i++) {
        _cleanup_free_ char *system = path_join (path, names.v[i]);
        _cleanup_free_ char *types = path_join (system, "type.raw");

        is = file_exists (types);
    }
    return is;
}

/* May --force replace what is at 'to' by a file, or by a directory? */
static enum exit_status check_kind (const char *to, const struct stat *st,
                                    const struct frame_sink *sink)
{
    bool is_text = sink && sink->format;

    if (!S_ISDIR (st->st_mode) && !S_ISREG (st->st_mode))
        return complain (STATUS_USAGE,
                         "'%s' is neither a file nor a directory; name another",
                         to);
    if (sink && S_ISDIR (st->st_mode) == is_text)
        return complain (STATUS_USAGE,
                         "'%s' is a %s, and %s is a %s; name another", to,
                         is_text ? "directory" : "file", sink->name,
                         is_text ? "file" : "directory");
    return STATUS_DONE;
}

/* Of what is not there yet. */
static enum exit_status check_parent (const char *to)
{
    size_t len = (size_t)(path_base (to) - to);
    _cleanup_free_ char *dir = xstrndup (to, len > 1 ? len - 1 : len);
    enum exit_status status = STATUS_DONE;

    if (*dir && !file_exists (dir))
        status = complain (STATUS_USAGE,
                           "there is no directory '%s'; make it, or name "
                           "another place",
                           dir);
    return status;
}

static enum exit_status check_place (const char *to, bool force,
                                     const struct frame_sink *sink)
{
    struct stat st;

    if (lstat (to, &st) < 0)
        return errno == ENOENT
                   ? check_parent (to)
                   : complain (STATUS_FAILED, "cannot look at '%s': %s", to,
                               strerror (errno));
    if (!force)
        return complain (STATUS_USAGE,
                         "'%s' is there already; name another, or say --force",
                         to);
    if (check_kind (to, &st, sink) != STATUS_DONE)
        return STATUS_USAGE;
    if (S_ISDIR (st.st_mode) && !is_dir_of_systems (to))
        return complain (STATUS_USAGE,
                         "'%s' is a directory with more than DeePMD systems; "
                         "remove it yourself, or name another",
                         to);
    return STATUS_DONE;
}

/* --to may be a form of what the program reads: deepmd-mixed of deepmd. */
static enum exit_status set_format (struct converting *c, const char *format)
{
    const char *wanted = c->consumer ? c->consumer->format : NULL;
    size_t len = wanted ? strlen (wanted) : 0;

    if (!format)
        return STATUS_DONE;
    if (wanted
        && (strncmp (format, wanted, len) != 0
            || (format[len] != '\0' && format[len] != '-')))
        return complain (STATUS_USAGE,
                         "--to %s: %s reads %s; leave --to or --for away",
                         format, c->consumer->name, wanted);
    c->writing.format = format;
    return STATUS_DONE;
}

/* What an unknown format has is found when it is opened. */
static enum exit_status check_sink (const struct converting *c,
                                    const struct invocation *invocation)
{
    static const char *const of_sets[] = { "float32", "set-size" };

    for (size_t i = 0; i < sizeof (of_sets) / sizeof (*of_sets); i++) {
        if (c->sink && !c->sink->has_sets
            && invocation_option (invocation, of_sets[i]))
            return complain (STATUS_USAGE,
                             "--%s is for deepmd and deepmd-mixed, and %s is "
                             "written",
                             of_sets[i], c->sink->name);
    }
    return STATUS_DONE;
}

static enum exit_status read_options (struct converting *c,
                                      const struct invocation *invocation,
                                      const char *to)
{
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
    if (status == STATUS_DONE)
        status = set_format (c, invocation_option (invocation, "to"));
    c->sink = frame_sink_find (c->writing.format ? c->writing.format
                                                 : frame_format_of_name (to));
    return status == STATUS_DONE ? check_sink (c, invocation) : status;
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
    c->n_labels_lost +=
        c->sink->has_no_labels && (frame->has_energy || frame->has_virial);
    c->n_not_periodic +=
        c->consumer && c->consumer->needs_cell
        && !(frame->periodic[0] && frame->periodic[1] && frame->periodic[2]);
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

static void tell_notes (const struct converting *c)
{
    frame_files_tell (&c->files);
    if (c->n_unlabelled > 0)
        fprintf (stderr,
                 "fanfold: note: %llu frame%s without labels left out\n",
                 (unsigned long long)c->n_unlabelled,
                 c->n_unlabelled == 1 ? "" : "s");
    if (c->n_labels_lost > 0)
        fprintf (stderr,
                 "fanfold: note: %s has no place for energy and virial: those "
                 "of %llu frame%s are left out\n",
                 c->sink->name, (unsigned long long)c->n_labels_lost,
                 c->n_labels_lost == 1 ? "" : "s");
    if (c->n_not_periodic > 0)
        fprintf (stderr,
                 "fanfold: note: %s takes all frames to be periodic in all "
                 "directions; %llu %s not\n",
                 c->consumer->name, (unsigned long long)c->n_not_periodic,
                 c->n_not_periodic == 1 ? "is" : "are");
}

/* The last argument, without slashes at its end; the caller frees it. */
static char *place_of (const struct invocation *invocation)
{
    char *to = xstrdup (invocation->args[invocation->n_args - 1]);

    while (strlen (to) > 1 && to[strlen (to) - 1] == '/')
        to[strlen (to) - 1] = '\0';
    return to;
}

static void print_converted (const struct invocation *invocation,
                             const struct converting *c, const char *to)
{
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_free_ char *text =
        xasprintf ("%s: %" PRIu64 " frame%s\n", to, c->n_frames,
                   c->n_frames == 1 ? "" : "s");

    json_set (v, "path", json_string (to));
    json_set (v, "format", json_string (c->sink->name));
    json_set (v, "frames", json_int ((int64_t)c->n_frames));
    json_set (v, "unlabelled_left_out", json_int ((int64_t)c->n_unlabelled));
    json_set (v, "labels_lost", json_int ((int64_t)c->n_labels_lost));
    json_set (v, "not_periodic", json_int ((int64_t)c->n_not_periodic));
    print_reply (invocation, v, text);
}

static enum exit_status convert (const struct invocation *invocation)
{
    size_t n = (size_t)invocation->n_args - 1;
    _cleanup_free_ char *to = place_of (invocation);
    struct converting c = { 0 };
    struct error err = ERROR_INIT;
    enum exit_status status = read_options (&c, invocation, to);

    if (status == STATUS_DONE)
        status = check_place (
            to, invocation_option (invocation, "force") != NULL, c.sink);
    if (status == STATUS_DONE
        && write_frames (&c, invocation->args, n, to, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    tell_notes (&c);
    if (status == STATUS_DONE)
        print_converted (invocation, &c, to);
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
    JSON_OPTION,
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
