/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_files.c - files of frames that a command is given */
#include "base/base.h"

#include "base/json.h"
#include "commands/frame_files.h"
#include "formats/frame.h"
#include "formats/number.h"

/* What is to be known of some files. */
struct file_note {
    char *text;
    char *first; /* of them */
    size_t n_others;
};

/* --- options --- */

static enum exit_status read_elements (struct frame_files *files,
                                       const char *text)
{
    char symbol[SYMBOL_SIZE];

    if (!text)
        return STATUS_DONE;
    strvec_split (&files->elements, text, ",");
    for (size_t i = 0; i < files->elements.n; i++) {
        const char *name = files->elements.v[i];

        if (symbol_set (symbol, name, strlen (name)) < 0
            || words_index (files->elements.v, i, name) < i)
            return complain (STATUS_USAGE,
                             "--elements %s: '%s'; write each element once, "
                             "as in Si,O",
                             text, name);
    }
    if (files->elements.n == 0)
        return complain (STATUS_USAGE, "--elements: write some, as in Si,O");
    files->options.elements = files->elements.v;
    files->options.n_elements = files->elements.n;
    return STATUS_DONE;
}

/* A number in [text, end), or 'otherwise' where there is nothing. */
static bool read_bound (const char *text, const char *end, uint64_t otherwise,
                        uint64_t *bound)
{
    int64_t n;

    *bound = otherwise;
    if (text == end)
        return true;
    if (integer_read (text, end, &n) != end || n < 0)
        return false;
    *bound = (uint64_t)n;
    return true;
}

/* "A:B", "A:", ":B", or "A" for one frame. */
static enum exit_status read_range (struct frame_files *files, const char *text)
{
    const char *colon = text ? strchr (text, ':') : NULL;
    const char *end = text ? text + strlen (text) : NULL;
    bool good = true;

    files->first = 0;
    files->end = UINT64_MAX;
    if (colon) {
        good = read_bound (text, colon, 0, &files->first)
               && read_bound (colon + 1, end, UINT64_MAX, &files->end);
    } else if (text) {
        good = text < end && read_bound (text, end, 0, &files->first);
        files->end = files->first + 1;
    }
    if (good && files->first < files->end)
        return STATUS_DONE;
    return complain (STATUS_USAGE,
                     "--frames %s: write A:B with A below B, A:, :B or A",
                     text);
}

static enum exit_status read_step (struct frame_files *files, const char *text)
{
    int n = text ? parse_number ("--every", text) : 1;

    files->every = n > 0 ? (uint64_t)n : 1;
    if (n == 0)
        return complain (STATUS_USAGE, "--every 0: write 1 or more");
    return n < 0 ? STATUS_USAGE : STATUS_DONE;
}

static const char *const key_options[EXTXYZ_LABELS] = {
    [EXTXYZ_ENERGY] = "energy-key",
    [EXTXYZ_FORCES] = "force-key",
    [EXTXYZ_VIRIAL] = "virial-key",
    [EXTXYZ_STRESS] = "stress-key",
};

enum exit_status frame_files_init (struct frame_files *files,
                                   const struct invocation *invocation)
{
    enum exit_status status;

    *files = (struct frame_files){ .options = FRAME_OPTIONS_INIT,
                                   .elements = STRVEC_INIT };
    files->options.format = invocation_option (invocation, "from");
    files->options.units = invocation_option (invocation, "units");
    files->options.columns = invocation_option (invocation, "columns");
    for (int i = 0; i < EXTXYZ_LABELS; i++)
        files->options.labels.key[i] =
            invocation_option (invocation, key_options[i]);
    files->options.labels.found = files->found;
    status = read_elements (files, invocation_option (invocation, "elements"));
    if (status == STATUS_DONE)
        status = read_range (files, invocation_option (invocation, "frames"));
    if (status == STATUS_DONE)
        status = read_step (files, invocation_option (invocation, "every"));
    return status;
}

void frame_files_release (struct frame_files *files)
{
    strvec_release (&files->elements);
    for (size_t i = 0; i < files->n_notes; i++) {
        free (files->notes[i].text);
        free (files->notes[i].first);
    }
    free (files->notes);
}

/* --- frames --- */

struct walk {
    struct frame_files *files;
    uint64_t next; /* number of the next frame, of all files together */
    int (*each) (const struct frame *frame, const struct frame_place *place,
                 void *arg, struct error *err);
    void *arg;
};

static bool is_chosen (const struct frame_files *files, uint64_t number)
{
    return number >= files->first
           && (number - files->first) % files->every == 0;
}

static int take_frame (struct walk *walk, const struct frame *frame,
                       const struct frame_place *place, struct error *err)
{
    if (!is_chosen (walk->files, walk->next))
        return 0;
    if (walk->each (frame, place, walk->arg, err) == 0)
        return 0;
    return error_prefix (err, "frame %llu of %s",
                         (unsigned long long)place->number, place->path);
}

static void take_note (struct frame_files *files, const char *path,
                       const char *text)
{
    for (size_t i = 0; i < files->n_notes; i++) {
        if (strcmp (files->notes[i].text, text) == 0) {
            files->notes[i].n_others++;
            return;
        }
    }
    files->notes = grow_array (files->notes, files->n_notes, &files->alloc,
                               sizeof (*files->notes));
    files->notes[files->n_notes++] =
        (struct file_note){ xstrdup (text), xstrdup (path), 0 };
}

static int walk_file (struct walk *walk, const char *path, size_t file,
                      struct error *err)
{
    struct frame_reader *reader =
        frame_reader_open (path, &walk->files->options, err);
    struct frame_place place = { .path = path, .file = file };
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    int rc = reader ? 0 : -1;

    if (reader) {
        place.format = frame_reader_format (reader);
        if (walk->files->options.units
            && strncmp (place.format, "lammps", strlen ("lammps")) != 0)
            rc = error_set (err,
                            "'%s' is no file of LAMMPS (%s), and is in eV and "
                            "angstrom; leave --units out",
                            path, place.format);
    }
    while (rc == 0 && walk->next < walk->files->end) {
        rc = frame_reader_next (reader, &frame, err);
        if (rc != 1)
            break;
        rc = take_frame (walk, &frame, &place, err);
        place.number++;
        walk->next++;
    }
    for (size_t i = 0; reader && i < frame_reader_notes (reader)->n; i++)
        take_note (walk->files, path, frame_reader_notes (reader)->v[i]);
    frame_reader_close (reader);
    return rc;
}

/* A key that no frame has is one that was mistyped; what the file has instead
 * would be lost without a word.
 */
static int check_keys (const struct frame_files *files, struct error *err)
{
    for (int i = 0; i < EXTXYZ_LABELS; i++) {
        const char *key = files->options.labels.key[i];

        if (key && !files->found[i])
            return error_set (err,
                              "no frame has the %s '%s'; correct --%s, or "
                              "leave it out",
                              i == EXTXYZ_FORCES ? "column" : "key", key,
                              key_options[i]);
    }
    return 0;
}

int frame_files_each (struct frame_files *files, char *const *paths, size_t n,
                      int (*each) (const struct frame *frame,
                                   const struct frame_place *place, void *arg,
                                   struct error *err),
                      void *arg, struct error *err)
{
    struct walk walk = { .files = files, .each = each, .arg = arg };

    for (size_t i = 0; i < n && walk.next < files->end; i++) {
        if (walk_file (&walk, paths[i], i, err) < 0)
            return -1;
    }
    return walk.next > 0 ? check_keys (files, err) : 0;
}

/* "a.xyz and 3 more: units are ..." */
static void add_note (const struct file_note *note, struct strbuf *out)
{
    strbuf_add_str (out, note->first);
    if (note->n_others > 0)
        strbuf_addf (out, " and %zu more", note->n_others);
    strbuf_addf (out, ": %s", note->text);
}

struct json *frame_files_notes (const struct frame_files *files)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < files->n_notes; i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        add_note (&files->notes[i], &text);
        json_push (list, json_string (text.buf));
    }
    return list;
}

void frame_files_tell (const struct frame_files *files)
{
    for (size_t i = 0; i < files->n_notes; i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        add_note (&files->notes[i], &text);
        fprintf (stderr, "fanfold: note: %s\n", text.buf);
    }
}
