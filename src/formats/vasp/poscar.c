/* SPDX-License-Identifier: BSD-3-Clause */
/* poscar.c - VASP's structures: POSCAR and CONTCAR */
#include "base/base.h"

#include "formats/frame.h"
#include "formats/lines.h"
#include "formats/vasp/poscar.h"
#include "formats/vasp/potcar.h"

enum { ATOM_MIN_BYTES = 6 /* "0 0 0\n" */ };

/* The kinds of atoms, as they are listed. */
struct kinds {
    char (*symbols)[SYMBOL_SIZE];
    size_t n_symbols;
    size_t symbols_alloc;
    size_t *counts;
    size_t n_counts;
    size_t counts_alloc;
    size_t n_atoms;
};

static void kinds_release (struct kinds *kinds)
{
    free (kinds->symbols);
    free (kinds->counts);
}

static int need_line (struct lines *lines, const char *what, struct error *err)
{
    int rc = lines_next (lines, err);

    if (rc == 0)
        return lines_error (lines, err, "the file ends where %s should be",
                            what);
    return rc < 0 ? -1 : lines_check_end (lines, err);
}

static bool is_comment (const char *word)
{
    return *word == '!' || *word == '#';
}

/* Three numbers, whatever stands behind them, as VASP reads them. */
static int take_vector (struct lines *lines, double *v, struct error *err)
{
    for (int i = 0; i < 3; i++) {
        if (!lines_take_number (lines, &v[i]) || !isfinite (v[i]))
            return lines_error (lines, err, "expected three numbers");
    }
    return 0;
}

/* One scale or three. */
static int read_scale (struct lines *lines, double scale[3], struct error *err)
{
    int n = 0;

    if (need_line (lines, "the scale", err) < 0)
        return -1;
    while (n < 3 && lines_take_number (lines, &scale[n]))
        n++;
    if (n == 0 || n == 2)
        return lines_error (lines, err, "expected one scale or three");
    for (int i = 0; i < n; i++) {
        if (!isfinite (scale[i]) || scale[i] == 0 || (n == 3 && scale[i] < 0))
            return lines_error (
                lines, err,
                n == 3 ? "expected positive scales"
                       : "expected a scale, or a volume with a minus sign");
    }
    if (n == 1)
        scale[1] = scale[2] = scale[0];
    return 0;
}

/* The vectors, scaled; a negative scale becomes the one that gives so large a
 * cell.
 */
static int read_cell (struct lines *lines, struct frame *frame, double scale[3],
                      struct error *err)
{
    double volume;

    for (int i = 0; i < 3; i++) {
        if (need_line (lines, "a vector of the cell", err) < 0
            || take_vector (lines, frame->cell + 3 * i, err) < 0)
            return -1;
    }
    volume = fabs (frame_volume (frame));
    if (!(volume > 0) || !isfinite (volume))
        return lines_error (lines, err, "the cell has no volume");
    if (scale[0] < 0)
        scale[0] = scale[1] = scale[2] = cbrt (-scale[0] / volume);
    for (int i = 0; i < 9; i++)
        frame->cell[i] *= scale[i % 3];
    volume = fabs (frame_volume (frame));
    if (!(volume > 0) || !isfinite (volume))
        return lines_error (lines, err, "the scaled cell has no volume");
    memset (frame->periodic, true, sizeof (frame->periodic));
    return 0;
}

/* Words that begin with elements, up to a comment.  False when one does not. */
static bool take_symbols (struct lines *lines, struct kinds *kinds)
{
    const char *word;
    size_t len;

    kinds->n_symbols = 0;
    while (lines_take_word (lines, &word, &len) && !is_comment (word)) {
        kinds->symbols = grow_array (kinds->symbols, kinds->n_symbols,
                                     &kinds->symbols_alloc, SYMBOL_SIZE);
        if (potcar_element (kinds->symbols[kinds->n_symbols], word, len) < 0)
            return false;
        kinds->n_symbols++;
    }
    return true;
}

static int take_counts (struct lines *lines, struct kinds *kinds,
                        struct error *err)
{
    uint64_t most = lines_bytes_left (lines) / ATOM_MIN_BYTES + 1;

    while (!lines_at_end (lines) && !is_comment (lines->at)) {
        int64_t n;

        if (!lines_take_integer (lines, &n) || n < 0)
            return lines_error (lines, err,
                                "expected how many atoms there are of each "
                                "element");
        if ((uint64_t)n > most - kinds->n_atoms)
            return lines_error (lines, err,
                                "the file is too short for so many atoms");
        kinds->counts = grow_array (kinds->counts, kinds->n_counts,
                                    &kinds->counts_alloc, sizeof (size_t));
        kinds->counts[kinds->n_counts++] = (size_t)n;
        kinds->n_atoms += (size_t)n;
    }
    return 0;
}

/* Elements and numbers of atoms.  'comment' may name the elements (VASP 4). */
static int read_kinds (struct lines *lines, const char *comment,
                       struct kinds *kinds, struct error *err)
{
    struct lines first = LINES_INIT;

    if (need_line (lines, "the line of elements", err) < 0)
        return -1;
    if (!lines_at_end (lines) && !isdigit ((unsigned char)*lines->at)) {
        if (!take_symbols (lines, kinds))
            return lines_error (lines, err,
                                "expected elements or numbers of atoms");
        if (need_line (lines, "the numbers of atoms", err) < 0)
            return -1;
    } else {
        lines_of_text (&first, comment, strlen (comment), "", 1);
        if (lines_next (&first, NULL) != 1 || !take_symbols (&first, kinds))
            kinds->n_symbols = 0;
        lines_close (&first);
    }
    if (take_counts (lines, kinds, err) < 0)
        return -1;
    if (kinds->n_atoms == 0)
        return lines_error (lines, err, "there are no atoms");
    if (kinds->n_symbols == 0)
        return lines_error (lines, err,
                            "no elements are named; put a line with them "
                            "before this one");
    if (kinds->n_symbols != kinds->n_counts)
        return lines_error (lines, err,
                            "%zu elements are named, but %zu numbers of atoms",
                            kinds->n_symbols, kinds->n_counts);
    return 0;
}

/* "Selective dynamics", then what the coordinates are. */
static int read_mode (struct lines *lines, bool *cartesian, struct error *err)
{
    if (need_line (lines, "Direct or Cartesian", err) < 0)
        return -1;
    if (!lines_at_end (lines) && strchr ("sS", *lines->at)
        && need_line (lines, "Direct or Cartesian", err) < 0)
        return -1;
    *cartesian = !lines_at_end (lines) && strchr ("cCkK", *lines->at);
    return 0;
}

static int read_atom (struct lines *lines, const double scale[3],
                      bool cartesian, const double *cell, double *position,
                      struct error *err)
{
    double v[3];

    if (need_line (lines, "the position of an atom", err) < 0
        || take_vector (lines, v, err) < 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        position[i] = cartesian ? v[i] * scale[i]
                                : v[0] * cell[i] + v[1] * cell[3 + i]
                                      + v[2] * cell[6 + i];
        if (!isfinite (position[i]))
            return lines_error (lines, err, "the position is too far away");
    }
    return 0;
}

static int read_atoms (struct lines *lines, const struct kinds *kinds,
                       const double scale[3], struct frame *frame,
                       struct error *err)
{
    size_t atom = 0;
    bool cartesian;

    if (read_mode (lines, &cartesian, err) < 0)
        return -1;
    for (size_t kind = 0; kind < kinds->n_counts; kind++) {
        for (size_t i = 0; i < kinds->counts[kind]; i++, atom++) {
            memcpy (frame->symbols[atom], kinds->symbols[kind], SYMBOL_SIZE);
            if (read_atom (lines, scale, cartesian, frame->cell,
                           frame->positions + 3 * atom, err)
                < 0)
                return -1;
        }
    }
    return 0;
}

int poscar_read (struct lines *lines, struct frame *frame, struct error *err)
{
    struct frame head = FRAME_INIT;
    _cleanup_ (frame_release) struct frame made = FRAME_INIT;
    _cleanup_ (kinds_release) struct kinds kinds = { 0 };
    _cleanup_free_ char *comment = NULL;
    double scale[3];

    if (need_line (lines, "a POSCAR", err) < 0)
        return -1;
    comment = xstrndup (lines->at, (size_t)(lines->end - lines->at));
    if (read_scale (lines, scale, err) < 0
        || read_cell (lines, &head, scale, err) < 0
        || read_kinds (lines, comment, &kinds, err) < 0
        || frame_resize (&made, kinds.n_atoms, false, err) < 0)
        return -1;
    memcpy (made.cell, head.cell, sizeof (made.cell));
    memcpy (made.periodic, head.periodic, sizeof (made.periodic));
    if (read_atoms (lines, &kinds, scale, &made, err) < 0)
        return -1;
    frame_release (frame);
    *frame = made;
    made = (struct frame)FRAME_INIT;
    return 0;
}

int poscar_parse (const char *text, size_t len, const char *name,
                  struct frame *frame, struct error *err)
{
    struct lines lines;
    int rc;

    lines_of_text (&lines, text, len, name, 1);
    rc = poscar_read (&lines, frame, err);
    lines_close (&lines);
    return rc;
}

/* --- writing --- */

/* How many atoms from the i-th listed one on are of its element. */
static size_t count_alike (const struct frame *frame, const size_t *order,
                           size_t i)
{
    size_t n = 1;

    while (i + n < frame->n_atoms
           && strcmp (frame->symbols[order[i]], frame->symbols[order[i + n]])
                  == 0)
        n++;
    return n;
}

int poscar_check (const struct frame *frame, struct error *err)
{
    double volume = frame_volume (frame);

    if (volume == 0)
        return error_set (err, "a POSCAR needs a cell with a volume");
    if (volume < 0)
        return error_set (err, "the vectors of the cell are left-handed, which "
                               "VASP refuses; exchange two of them");
    return 0;
}

void poscar_format (const struct frame *frame, struct strbuf *out)
{
    _cleanup_free_ size_t *order = xcalloc (frame->n_atoms, sizeof (*order));
    _cleanup_ (strbuf_release) struct strbuf symbols = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf counts = STRBUF_INIT;

    frame_order_by_element (frame, order);
    for (size_t i = 0, n; i < frame->n_atoms; i += n) {
        n = count_alike (frame, order, i);
        strbuf_addf (&symbols, " %s", frame->symbols[order[i]]);
        strbuf_addf (&counts, " %zu", n);
    }
    strbuf_addf (out, "%s\n1.0\n", symbols.len > 0 ? symbols.buf + 1 : "");
    for (int i = 0; i < 3; i++)
        frame_add_vector (frame->cell + 3 * i, out);
    strbuf_addf (out, "%s\n%s\nCartesian\n", symbols.buf, counts.buf);
    for (size_t i = 0; i < frame->n_atoms; i++)
        frame_add_vector (frame->positions + 3 * order[i], out);
}
