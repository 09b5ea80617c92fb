/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz.c - extended XYZ, the form in which frames travel between stages */
#include "base/base.h"

#include "formats/element.h"
#include "formats/extxyz/extxyz.h"
#include "formats/extxyz/extxyz_header.h"
#include "formats/frame.h"
#include "formats/lines.h"

/* Go to the first line of a frame and read the number of atoms.  1, 0 when
 * nothing but empty lines follows, or -1.
 */
static int read_count (struct lines *lines, size_t *n_atoms, struct error *err)
{
    int64_t n;
    int rc;

    while ((rc = lines_next (lines, err)) == 1 && lines_at_end (lines))
        ;
    if (rc != 1)
        return rc;
    if (!lines_take_integer (lines, &n) || !lines_at_end (lines) || n < 0)
        return lines_error (lines, err, "expected the number of atoms");
    *n_atoms = (size_t)n;
    return 1;
}

/* Go to a line that must be there, to its end: 1, 0 when the file ends before,
 * or -1.
 */
static int need_line (struct lines *lines, struct error *err)
{
    int rc = lines_next (lines, err);

    if (rc == 0)
        lines_error (lines, err, "the file ends within a frame");
    return rc == 1 && lines_check_end (lines, err) < 0 ? 0 : rc;
}

/* An atom takes at least a character and a separator a column: 1, or 0 when the
 * file ends before so many.
 */
static int check_count (const struct lines *lines, size_t n_atoms,
                        size_t n_columns, struct error *err)
{
    if (n_atoms > 0
        && n_atoms - 1 > lines_bytes_left (lines) / (2 * n_columns)) {
        lines_error (lines, err, "the file ends within a frame of %zu atoms",
                     n_atoms);
        return 0;
    }
    return 1;
}

/* Three words as numbers. */
static bool take_vector (struct lines *lines, double *vector)
{
    return lines_take_number (lines, &vector[0])
           && lines_take_number (lines, &vector[1])
           && lines_take_number (lines, &vector[2]);
}

/* The element whose atomic number is the next word. */
static bool take_atomic_number (struct lines *lines, char symbol[SYMBOL_SIZE])
{
    const char *name;
    int64_t number;

    if (!lines_take_integer (lines, &number)
        || !(name = element_symbol (number)))
        return false;
    return symbol_set (symbol, name, strlen (name)) == 0;
}

static int read_atom (struct lines *lines, const struct extxyz_columns *columns,
                      struct frame *frame, size_t atom, struct error *err)
{
    const char *word, *what;
    size_t len;
    int width;
    bool ok;

    for (int i = 0; i < columns->n; i += width) {
        width = 3;
        if (i == columns->positions) {
            what = "three coordinates";
            ok = take_vector (lines, frame->positions + 3 * atom);
        } else if (i == columns->forces) {
            what = "three components of a force";
            ok = take_vector (lines, frame->forces + 3 * atom);
        } else if (i == columns->numbers) {
            width = 1;
            what = "an atomic number";
            ok = take_atomic_number (lines, frame->symbols[atom]);
        } else {
            what = i == columns->species ? "a species of at most 7 characters"
                                         : "a word";
            width = 1;
            ok = lines_take_word (lines, &word, &len)
                 && (i != columns->species
                     || symbol_set (frame->symbols[atom], word, len) == 0);
        }
        if (!ok)
            return lines_error (lines, err, "expected %s from column %d on",
                                what, i + 1);
    }
    if (!lines_at_end (lines))
        return lines_error (lines, err, "expected %d columns, found more",
                            columns->n);
    return 0;
}

/* What the key=value line says, but for the atoms. */
static void take_head (struct frame *frame, struct frame *head)
{
    memcpy (frame->cell, head->cell, sizeof (head->cell));
    memcpy (frame->periodic, head->periodic, sizeof (head->periodic));
    memcpy (frame->virial, head->virial, sizeof (head->virial));
    frame->energy = head->energy;
    frame->has_energy = head->has_energy;
    frame->has_virial = head->has_virial;
    frame->info = head->info;
    head->info = NULL;
}

static int read_atoms (struct lines *lines,
                       const struct extxyz_columns *columns, size_t n_atoms,
                       struct frame *frame, struct error *err)
{
    int rc = check_count (lines, n_atoms, (size_t)columns->n, err);

    if (rc == 1 && frame_resize (frame, n_atoms, columns->forces >= 0, err) < 0)
        rc = -1;
    for (size_t i = 0; rc == 1 && i < n_atoms; i++) {
        rc = need_line (lines, err);
        if (rc == 1 && read_atom (lines, columns, frame, i, err) < 0)
            rc = -1;
    }
    return rc;
}

/* Everything behind the number of atoms; 'frame' is empty.  1, 0 when the file
 * ends within it ('err' says so), or -1.
 */
static int read_frame (struct lines *lines, size_t n_atoms,
                       const struct extxyz_reading *reading,
                       struct frame *frame, struct error *err)
{
    _cleanup_ (frame_release) struct frame head = FRAME_INIT;
    struct extxyz_columns columns;
    int rc = need_line (lines, err);

    if (rc == 1
        && extxyz_header_parse (lines->at, (size_t)(lines->end - lines->at),
                                reading, &head, &columns, err)
               < 0) {
        lines_prefix (lines, err);
        rc = -1;
    }
    if (rc == 1)
        rc = read_atoms (lines, &columns, n_atoms, frame, err);
    if (rc == 1)
        take_head (frame, &head);
    else
        frame_release (frame);
    return rc;
}

/* The next frame of 'lines', which begins at *start; 'frame' is empty.  1, 0 at
 * the end, or -1, and *cut when that is because the file ends within the frame.
 */
static int next_frame (struct lines *lines,
                       const struct extxyz_reading *reading,
                       struct frame *frame, uint64_t *start, bool *cut,
                       struct error *err)
{
    size_t n_atoms;
    int rc = read_count (lines, &n_atoms, err);

    *start = lines->start;
    *cut = false;
    if (rc == 1) {
        rc = read_frame (lines, n_atoms, reading, frame, err);
        *cut = rc == 0;
    }
    return *cut ? -1 : rc;
}

int extxyz_parse (const char *text, size_t len, const char *name,
                  size_t first_line, struct frame *frame, struct error *err)
{
    struct frame made = FRAME_INIT;
    struct lines lines;
    uint64_t start;
    size_t more;
    bool cut;
    int rc;

    lines_of_text (&lines, text, len, name, first_line);
    rc = next_frame (&lines, NULL, &made, &start, &cut, err);
    if (rc == 0)
        rc = lines_error (&lines, err, "expected a frame, found nothing");
    else if (rc == 1)
        rc = read_count (&lines, &more, err);
    if (rc > 0)
        rc = lines_error (&lines, err, "expected one frame, found more");
    if (rc == 0) {
        frame_release (frame);
        *frame = made;
    } else {
        frame_release (&made);
    }
    lines_close (&lines);
    return rc;
}

int extxyz_next_whole (struct lines *lines,
                       const struct extxyz_reading *reading,
                       struct frame *frame, struct error *err)
{
    struct frame made = FRAME_INIT;
    uint64_t start;
    bool cut;
    int rc = next_frame (lines, reading, &made, &start, &cut, err);

    if (rc == 1) {
        frame_release (frame);
        *frame = made;
    }
    return rc;
}

int extxyz_read_file (const char *path,
                      int (*each) (const struct frame *frame, void *arg,
                                   struct error *err),
                      void *arg, struct error *err)
{
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct lines lines;
    int rc;

    if (lines_open (&lines, path, 0, err) < 0)
        return -1;
    while ((rc = extxyz_next_whole (&lines, NULL, &frame, err)) == 1) {
        rc = each (&frame, arg, err);
        if (rc < 0)
            break;
    }
    lines_close (&lines);
    return rc;
}

int extxyz_next (struct lines *lines, struct frame *frame, uint64_t *offset,
                 bool *truncated, struct error *err)
{
    struct frame made = FRAME_INIT;
    uint64_t start;
    bool cut;
    int rc = next_frame (lines, NULL, &made, &start, &cut, err);

    *truncated |= cut;
    if (rc != 1 || cut)
        return cut ? 0 : rc;
    frame_release (frame);
    *frame = made;
    *offset = start;
    return 1;
}

static void add_vector (const double *v, struct strbuf *out)
{
    for (int i = 0; i < 3; i++) {
        strbuf_add_char (out, ' ');
        strbuf_add_double (out, v[i]);
    }
}

/* key="n numbers" */
static void add_numbers (const char *key, const double *v, int n,
                         struct strbuf *out)
{
    strbuf_addf (out, "%s=", key);
    for (int i = 0; i < n; i++) {
        strbuf_add_char (out, i == 0 ? '"' : ' ');
        strbuf_add_double (out, v[i]);
    }
    strbuf_add_str (out, "\" ");
}

static bool has_cell (const struct frame *frame)
{
    for (int i = 0; i < 9; i++) {
        if (frame->cell[i] != 0)
            return true;
    }
    return false;
}

/* stress = - virial / volume */
static void add_stress (const char *key, const struct frame *frame,
                        struct strbuf *out)
{
    double volume = fabs (frame_volume (frame)), stress[9];

    for (int i = 0; i < 9; i++)
        stress[i] = -frame->virial[i] / volume;
    add_numbers (key, stress, 9, out);
}

static void add_header (const struct frame *frame,
                        const struct extxyz_names *names, struct strbuf *out)
{
    if (has_cell (frame))
        add_numbers ("Lattice", frame->cell, 9, out);
    strbuf_add_str (out, "Properties=species:S:1:pos:R:3");
    if (frame->forces)
        strbuf_addf (out, ":%s:R:3", names->forces);
    strbuf_add_char (out, ' ');
    if (frame->has_energy) {
        strbuf_addf (out, "%s=", names->energy);
        strbuf_add_double (out, frame->energy);
        strbuf_add_char (out, ' ');
    }
    if (frame->has_virial && names->stress)
        add_stress (names->stress, frame, out);
    else if (frame->has_virial)
        add_numbers (names->virial, frame->virial, 9, out);
    strbuf_addf (out, "pbc=\"%c %c %c\"", frame->periodic[0] ? 'T' : 'F',
                 frame->periodic[1] ? 'T' : 'F',
                 frame->periodic[2] ? 'T' : 'F');
    if (frame->info)
        strbuf_addf (out, " %s", frame->info);
    strbuf_add_char (out, '\n');
}

void extxyz_format (const struct frame *frame, struct strbuf *out)
{
    static const struct extxyz_names ours = EXTXYZ_NAMES_OURS;

    extxyz_format_as (frame, &ours, out);
}

void extxyz_format_as (const struct frame *frame,
                       const struct extxyz_names *names, struct strbuf *out)
{
    strbuf_addf (out, "%zu\n", frame->n_atoms);
    add_header (frame, names, out);
    for (size_t i = 0; i < frame->n_atoms; i++) {
        strbuf_add_str (out, frame->symbols[i]);
        add_vector (frame->positions + 3 * i, out);
        if (frame->forces)
            add_vector (frame->forces + 3 * i, out);
        strbuf_add_char (out, '\n');
    }
}

void extxyz_index_release (struct extxyz_index *index)
{
    free (index->offset);
    free (index->line);
    *index = (struct extxyz_index)EXTXYZ_INDEX_INIT;
}

/* Note where frame index->n starts, or where the last one ends. */
static void note_place (struct extxyz_index *index, uint64_t offset,
                        uint64_t line)
{
    size_t alloc = index->alloc;

    index->offset =
        grow_array (index->offset, index->n, &alloc, sizeof (*index->offset));
    index->line = grow_array (index->line, index->n, &index->alloc,
                              sizeof (*index->line));
    index->offset[index->n] = offset;
    index->line[index->n] = line;
}

/* Skip the frame whose number of atoms was read. */
static int skip_frame (struct lines *lines, size_t n_atoms, struct error *err)
{
    if (need_line (lines, err) != 1
        || check_count (lines, n_atoms, 1, err) != 1)
        return -1;
    for (size_t i = 0; i < n_atoms; i++) {
        if (need_line (lines, err) != 1)
            return -1;
    }
    return 0;
}

int extxyz_index_file (const char *path, struct extxyz_index *index,
                       struct error *err)
{
    struct extxyz_index made = EXTXYZ_INDEX_INIT;
    struct lines lines;
    uint64_t end = 0, end_line = 1;
    size_t n_atoms;
    int rc;

    if (lines_open (&lines, path, 0, err) < 0)
        return -1;
    while ((rc = read_count (&lines, &n_atoms, err)) == 1) {
        note_place (&made, lines.start, lines.number);
        if ((rc = skip_frame (&lines, n_atoms, err)) < 0)
            break;
        made.n++;
        end = lines.file.offset;
        end_line = lines.number + 1;
    }
    if (rc == 0) {
        note_place (&made, end, end_line);
        extxyz_index_release (index);
        *index = made;
    } else {
        extxyz_index_release (&made);
    }
    lines_close (&lines);
    return rc;
}
