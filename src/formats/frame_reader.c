/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_reader.c - frames, one after the other, out of any file */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "formats/frame.h"
#include "formats/frame_reader.h"
#include "formats/frame_source.h"
#include "formats/packed/packed_file.h"

enum {
    LOOK_BYTES = 16 * 1024, /* enough to know a format by */
    NOTES_MAX = 30,
};

struct frame_reader {
    const struct frame_source *source;
    const struct frame_options *options; /* lent */
    char *path;
    void *state; /* of a source that has 'next' */
    size_t n_frames;
    struct strvec notes;
};

void frame_note (struct strvec *notes, const char *fmt, ...)
{
    va_list ap;
    _cleanup_free_ char *text = NULL;

    va_start (ap, fmt);
    text = text_made_plain (xvasprintf (fmt, ap));
    va_end (ap);
    if (notes->n < NOTES_MAX && !strvec_contains (notes, text))
        strvec_push (notes, text);
}

/* --- which format it is --- */

void frame_reader_formats (struct strbuf *out)
{
    for (const struct frame_source *s = frame_sources; s->name; s++)
        strbuf_addf (out, "%s%s", s > frame_sources ? ", " : "", s->name);
}

static const struct frame_source *find_by_name (const char *name,
                                                struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf all = STRBUF_INIT;

    for (const struct frame_source *s = frame_sources; s->name; s++) {
        if (strcmp (s->name, name) == 0)
            return s;
    }
    frame_reader_formats (&all);
    error_set (err, "there is no format '%s'; there is %s", name, all.buf);
    return NULL;
}

static const struct frame_source *recognise (const struct frame_look *look,
                                             struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf all = STRBUF_INIT;

    for (const struct frame_source *s = frame_sources; s->name; s++) {
        if (s->is_one (look))
            return s;
    }
    if (!look->is_dir && look->n == 0) {
        error_set (err, "'%s' is empty", look->path);
        return NULL;
    }
    frame_reader_formats (&all);
    error_set (err,
               look->is_dir ? "'%s' is a directory without DeePMD data "
                              "(type.raw); name a file, or say its format "
                              "with --from: %s"
                            : "'%s' shows no format that is known; say it with "
                              "--from: %s",
               look->path, all.buf);
    return NULL;
}

/* The first bytes of a file, unpacked; appended. */
static int look_at_bytes (const char *path, struct strbuf *bytes,
                          struct error *err)
{
    struct packed_file file = PACKED_FILE_INIT;
    int rc = packed_open (&file, path, UINT64_MAX, err);

    if (rc == 0 && packed_is_compressed (&file, err) < 0)
        rc = -1;
    if (rc == 0 && packed_need (&file, LOOK_BYTES, err) < 0)
        rc = -1;
    if (rc == 0) {
        size_t n = (size_t)(file.stop - file.next);

        strbuf_add (bytes, file.next, n < LOOK_BYTES ? n : LOOK_BYTES);
    }
    packed_close (&file);
    return rc;
}

static const struct frame_source *find_source (const char *path,
                                               struct error *err)
{
    const struct frame_source *source = NULL;
    _cleanup_ (strbuf_release) struct strbuf bytes = STRBUF_INIT;
    struct stat st;
    struct frame_look look = { .path = path, .name = path_base (path) };

    if (stat (path, &st) < 0) {
        error_errno (err, "cannot open '%s'", path);
        return NULL;
    }
    look.is_dir = S_ISDIR (st.st_mode);
    if (look.is_dir || look_at_bytes (path, &bytes, err) == 0) {
        look.bytes = bytes.buf;
        look.n = bytes.len;
        source = recognise (&look, err);
    }
    return source;
}

/* --- reading --- */

static int check_elements (const struct frame_reader *reader, struct error *err)
{
    if (!reader->source->has_types || reader->options->n_elements > 0)
        return 0;
    return error_set (err,
                      "%s: %s has types of atoms and no symbols; say what "
                      "types 1, 2 ... are, as in `--elements Si,O`",
                      reader->path, reader->source->what);
}

struct frame_reader *frame_reader_open (const char *path,
                                        const struct frame_options *options,
                                        struct error *err)
{
    const struct frame_source *source;
    struct frame_reader *reader;

    if (file_refuse_pipe (path, err) < 0)
        return NULL;
    source = options->format ? find_by_name (options->format, err)
                             : find_source (path, err);
    if (!source)
        return NULL;
    reader = xcalloc (1, sizeof (*reader));
    reader->source = source;
    reader->options = options;
    reader->path = xstrdup (path);
    strvec_init (&reader->notes);
    if (check_elements (reader, err) == 0
        && (!source->open
            || (reader->state = source->open (path, options, err))))
        return reader;
    frame_reader_close (reader);
    return NULL;
}

void frame_reader_close (struct frame_reader *reader)
{
    if (!reader)
        return;
    if (reader->state)
        reader->source->close (reader->state);
    strvec_release (&reader->notes);
    free (reader->path);
    free (reader);
}

/* The whole file, unpacked; appended. */
static int read_text (const char *path, struct strbuf *text, struct error *err)
{
    struct packed_file file = PACKED_FILE_INIT;
    int rc = packed_open (&file, path, UINT64_MAX, err) < 0 ? -1 : 1;

    while (rc == 1) {
        size_t n = (size_t)(file.stop - file.next);

        if (text->len + n > PACKED_MAX_BYTES) {
            rc = error_set (err, "%s: more than %d MiB in one frame", path,
                            PACKED_MAX_BYTES >> 20);
            break;
        }
        strbuf_add (text, file.next, n);
        packed_take (&file, n);
        rc = packed_more (&file, err);
    }
    packed_close (&file);
    return rc;
}

/* The one frame of the file. */
static int parse_whole (struct frame_reader *reader, struct frame *frame,
                        struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    bool converged = true;
    int rc;

    if (reader->n_frames > 0)
        return 0;
    rc = read_text (reader->path, &text, err);
    if (rc == 0)
        rc = reader->source->parse (text.buf, text.len, reader->path,
                                    reader->options, frame, &converged, err);
    if (rc == 0 && !converged)
        frame_note (&reader->notes,
                    "not converged, so the frame has no labels");
    return rc < 0 ? -1 : 1;
}

int frame_reader_next (struct frame_reader *reader, struct frame *frame,
                       struct error *err)
{
    int rc = reader->source->parse ? parse_whole (reader, frame, err)
                                   : reader->source->next (reader->state, frame,
                                                           &reader->notes, err);

    if (rc < 0)
        return error_prefix (err, "frame %zu", reader->n_frames);
    reader->n_frames += rc == 1;
    return rc;
}

const char *frame_reader_format (const struct frame_reader *reader)
{
    return reader->source->name;
}

const struct strvec *frame_reader_notes (const struct frame_reader *reader)
{
    return &reader->notes;
}
