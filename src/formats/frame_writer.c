/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_writer.c - frames, one after the other, into a file or directory */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "formats/frame.h"
#include "formats/frame_sink.h"
#include "formats/frame_writer.h"

struct frame_writer {
    const struct frame_sink *sink;
    const struct frame_writing *writing; /* lent */
    char *path;
    size_t n_frames;

    struct file_writer file; /* of a text */
    struct strbuf text;

    char *temporary; /* of a directory, until it is committed */
    void *state;
};

const struct frame_consumer frame_consumers[] = {
    /* mace/tools/default_keys.py */
    { "mace",
      "extxyz",
      { .energy = "REF_energy",
        .forces = "REF_forces",
        .stress = "REF_stress" },
      false },
    /* GPUMD, src/main_nep/structure.cu */
    { "nep",
      "extxyz",
      { .energy = "energy", .forces = "force", .virial = "virial" },
      true },
    /* gap_fit takes any names; these are those of its examples:
     * energy_parameter_name=dft_energy ...
     */
    { "gap",
      "extxyz",
      { .energy = "dft_energy", .forces = "dft_force", .virial = "dft_virial" },
      false },
    { "deepmd", "deepmd", EXTXYZ_NAMES_OURS, false },
    { 0 },
};

const struct frame_consumer *frame_consumer_find (const char *name)
{
    for (const struct frame_consumer *c = frame_consumers; c->name; c++) {
        if (strcmp (c->name, name) == 0)
            return c;
    }
    return NULL;
}

/* --- which format --- */

void frame_writer_formats (struct strbuf *out)
{
    for (const struct frame_sink *s = frame_sinks; s->name; s++)
        strbuf_addf (out, "%s%s", s > frame_sinks ? ", " : "", s->name);
}

/* Does the name end in one of the words? */
static bool ends_in (const char *name, const char *endings)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    bool does = false;

    if (endings)
        strvec_split (&words, endings, " ");
    for (size_t i = 0; !does && i < words.n; i++) {
        size_t len = strlen (words.v[i]);

        does = strlen (name) >= len
               && strcmp (name + strlen (name) - len, words.v[i]) == 0;
    }
    return does;
}

const char *frame_format_of_name (const char *path)
{
    for (const struct frame_sink *s = frame_sinks; s->name; s++) {
        if (ends_in (path_base (path), s->endings))
            return s->name;
    }
    return NULL;
}

const struct frame_sink *frame_sink_find (const char *name)
{
    for (const struct frame_sink *s = frame_sinks; name && s->name; s++) {
        if (strcmp (s->name, name) == 0)
            return s;
    }
    return NULL;
}

static const struct frame_sink *find_sink (const char *path, const char *name,
                                           struct error *err)
{
    const struct frame_sink *sink = frame_sink_find (name);
    _cleanup_ (strbuf_release) struct strbuf all = STRBUF_INIT;

    if (sink)
        return sink;
    frame_writer_formats (&all);
    if (name)
        error_set (err, "there is no format '%s' to write; there is %s", name,
                   all.buf);
    else
        error_set (err,
                   "the name '%s' says no format; say it with --to (%s) or "
                   "--for",
                   path, all.buf);
    return NULL;
}

/* --- writing --- */

static int open_sink (struct frame_writer *writer, struct error *err)
{
    if (writer->sink->format)
        return file_writer_open (&writer->file, writer->path, err);
    writer->temporary =
        xasprintf ("%.*s" FILE_TEMPORARY "%s.%ld",
                   (int)(path_base (writer->path) - writer->path), writer->path,
                   path_base (writer->path), (long)getpid ());
    if (file_remove_tree (writer->temporary, NULL, err) < 0)
        return -1;
    writer->state =
        writer->sink->open (writer->temporary, writer->writing, err);
    return writer->state ? 0 : -1;
}

struct frame_writer *frame_writer_open (const char *path,
                                        const struct frame_writing *writing,
                                        struct error *err)
{
    const char *format =
        writing->format ? writing->format : frame_format_of_name (path);
    const struct frame_sink *sink = find_sink (path, format, err);
    struct frame_writer *writer;

    if (!sink)
        return NULL;
    if (sink->needs_elements && writing->n_elements == 0) {
        error_set (err,
                   "%s numbers the elements; say in which order, as in "
                   "`--elements Si,O`",
                   sink->name);
        return NULL;
    }
    writer = xcalloc (1, sizeof (*writer));
    writer->sink = sink;
    writer->writing = writing;
    writer->path = xstrdup (path);
    writer->file = (struct file_writer)FILE_WRITER_INIT;
    strbuf_init (&writer->text);
    if (open_sink (writer, err) == 0)
        return writer;
    frame_writer_close (writer);
    return NULL;
}

static int add_text (struct frame_writer *writer, const struct frame *frame,
                     struct error *err)
{
    if (writer->sink->holds_one && writer->n_frames > 0)
        return error_set (err,
                          "%s holds one frame, and there are more; choose one "
                          "with --frames, or another format",
                          writer->sink->name);
    strbuf_reset (&writer->text);
    if (writer->sink->format (frame, writer->writing, &writer->text, err) < 0)
        return -1;
    return file_writer_add (&writer->file, writer->text.buf, writer->text.len,
                            err);
}

int frame_writer_add (struct frame_writer *writer, const struct frame *frame,
                      struct error *err)
{
    int rc = frame_check_finite (frame, err);

    if (rc == 0)
        rc = writer->sink->format
                 ? add_text (writer, frame, err)
                 : writer->sink->add (writer->state, frame, err);
    writer->n_frames += rc == 0;
    return rc;
}

int frame_writer_commit (struct frame_writer *writer, struct error *err)
{
    if (writer->sink->format)
        return file_writer_commit (&writer->file, err);
    if (writer->sink->finish (writer->state, err) < 0
        || file_swap_tree (writer->temporary, writer->path, NULL, err) < 0)
        return -1;
    free (writer->temporary);
    writer->temporary = NULL;
    return 0;
}

void frame_writer_close (struct frame_writer *writer)
{
    if (!writer)
        return;
    if (writer->state)
        writer->sink->close (writer->state);
    if (writer->temporary)
        file_remove_tree (writer->temporary, NULL, NULL);
    file_writer_release (&writer->file);
    strbuf_release (&writer->text);
    free (writer->temporary);
    free (writer->path);
    free (writer);
}
