/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_data.c - LAMMPS data files, atom_style atomic */
#include "base/base.h"

#include "formats/element.h"
#include "formats/frame.h"
#include "formats/lammps/lammps_data.h"
#include "formats/lines.h"
#include "formats/lammps/row_order.h"

struct data_file {
    struct lines lines;
    char *const *elements;
    size_t n_elements;
    struct frame frame; /* atoms in the order of the file */
    double low[3], high[3], tilt[3];
    int64_t n_atoms; /* -1: not said yet */
    bool has_bounds[3];
    bool has_atoms;
    struct numbered_row *rows;
};

static bool is_space (char c)
{
    return c == ' ' || c == '\t';
}

/* Go to the next line that holds more than a comment.  1, 0 at the end. */
static int next_line (struct data_file *file)
{
    struct lines *lines = &file->lines;

    while (lines_next (lines, NULL) == 1) {
        const char *comment =
            memchr (lines->at, '#', (size_t)(lines->end - lines->at));

        if (comment)
            lines->end = comment;
        if (!lines_at_end (lines))
            return 1;
    }
    return 0;
}

/* Sections start with a line that starts with a letter. */
static bool at_section (const struct data_file *file)
{
    return isalpha ((unsigned char)*file->lines.at);
}

/* What is left of the line, in single spaces, is exactly 'words'. */
static bool rest_is (struct lines *lines, const char *words)
{
    const char *word;
    size_t len;

    while (lines_take_word (lines, &word, &len)) {
        if (strlen (words) < len || memcmp (words, word, len) != 0
            || (words[len] != ' ' && words[len] != '\0'))
            return false;
        words += len + (words[len] == ' ');
    }
    return *words == '\0';
}

static bool take_bounds (struct data_file *file, int axis, const char *words)
{
    struct lines *lines = &file->lines;

    if (!lines_take_number (lines, &file->low[axis])
        || !lines_take_number (lines, &file->high[axis])
        || !rest_is (lines, words))
        return false;
    file->has_bounds[axis] = file->high[axis] > file->low[axis];
    return file->has_bounds[axis];
}

static bool take_tilt (struct data_file *file)
{
    struct lines *lines = &file->lines;

    return lines_take_number (lines, &file->tilt[0])
           && lines_take_number (lines, &file->tilt[1])
           && lines_take_number (lines, &file->tilt[2])
           && rest_is (lines, "xy xz yz");
}

static bool take_n_atoms (struct data_file *file)
{
    struct lines *lines = &file->lines;

    return lines_take_integer (lines, &file->n_atoms) && file->n_atoms >= 0
           && rest_is (lines, "atoms");
}

/* Does the line at hand end in 'word'? */
static bool ends_in (const struct lines *lines, const char *word)
{
    const char *end = lines->end;
    size_t len = strlen (word);

    while (end > lines->at && is_space (end[-1]))
        end--;
    if ((size_t)(end - lines->at) <= len)
        return false;
    end -= len;
    return memcmp (end, word, len) == 0 && is_space (end[-1]);
}

/* "64 atoms", "0 10.862 xlo xhi"; counts of types, bonds ... do not matter. */
static int read_header_line (struct data_file *file, struct error *err)
{
    struct lines *lines = &file->lines;
    bool ok = true;

    if (ends_in (lines, "atoms"))
        ok = take_n_atoms (file);
    else if (ends_in (lines, "xhi"))
        ok = take_bounds (file, 0, "xlo xhi");
    else if (ends_in (lines, "yhi"))
        ok = take_bounds (file, 1, "ylo yhi");
    else if (ends_in (lines, "zhi"))
        ok = take_bounds (file, 2, "zlo zhi");
    else if (ends_in (lines, "yz"))
        ok = take_tilt (file);
    if (!ok)
        return lines_error (lines, err,
                            "expected a line like '64 atoms', '0 10.86 xlo "
                            "xhi' (low before high) or '0 0 0 xy xz yz'");
    return 0;
}

/* "id type x y z [ix iy iz]" */
static int read_atom (struct data_file *file, size_t row, struct error *err)
{
    struct lines *lines = &file->lines;
    double *position = file->frame.positions + 3 * row;
    int64_t id, type, image;
    bool ok = lines_take_integer (lines, &id)
              && lines_take_integer (lines, &type)
              && lines_take_number (lines, &position[0])
              && lines_take_number (lines, &position[1])
              && lines_take_number (lines, &position[2]);

    for (int i = 0; ok && i < 3 && (i > 0 || !lines_at_end (lines)); i++)
        ok = lines_take_integer (lines, &image);
    if (!ok || !lines_at_end (lines))
        return lines_error (lines, err,
                            "expected 'id type x y z [ix iy iz]' "
                            "(atom_style atomic)");
    if (type < 1 || (size_t)type > file->n_elements)
        return lines_error (lines, err,
                            "atom type %lld, but there are %zu elements",
                            (long long)type, file->n_elements);
    if (symbol_set (file->frame.symbols[row], file->elements[type - 1],
                    strlen (file->elements[type - 1]))
        < 0)
        return lines_error (lines, err, "'%s' is too long for an element",
                            file->elements[type - 1]);
    for (int i = 0; i < 3; i++)
        position[i] -= file->low[i];
    file->rows[row] = (struct numbered_row){ (double)id, row };
    return 0;
}

static int make_room (struct data_file *file, struct error *err)
{
    struct lines *lines = &file->lines;
    size_t n = (size_t)file->n_atoms;

    for (int i = 0; i < 3; i++) {
        if (!file->has_bounds[i])
            return lines_error (lines, err,
                                "expected '%clo %chi' before the atoms",
                                'x' + i, 'x' + i);
    }
    if (file->n_atoms < 0 || file->has_atoms)
        return lines_error (lines, err,
                            "expected the number of atoms before them, and "
                            "the atoms once");
    if (n > lines_bytes_left (lines) / 9) /* "1 1 0 0 0" */
        return lines_error (lines, err, "the file does not hold %zu atoms", n);
    file->rows = try_calloc (n, sizeof (*file->rows), "atoms", err);
    if (!file->rows || frame_resize (&file->frame, n, false, err) < 0)
        return -1;
    file->has_atoms = true;
    return 0;
}

static int read_atoms (struct data_file *file, struct error *err)
{
    if (make_room (file, err) < 0)
        return -1;
    for (size_t i = 0; i < file->frame.n_atoms; i++) {
        if (next_line (file) == 0)
            return lines_error (&file->lines, err,
                                "the file ends after %zu of %zu atoms", i,
                                file->frame.n_atoms);
        if (lines_check_end (&file->lines, err) < 0
            || read_atom (file, i, err) < 0)
            return -1;
    }
    return 0;
}

static bool is_mass_of (double mass, const char *symbol)
{
    return fabs (mass - element_mass (symbol)) < 0.5;
}

/* "type mass": the mass of another one of the elements shows that their order
 * is not that of the types.  Others, such as heavy hydrogen's, are people's
 * own.
 */
static int read_mass (struct data_file *file, struct error *err)
{
    struct lines *lines = &file->lines;
    char *const *elements = file->elements;
    int64_t type;
    double mass;

    if (!lines_take_integer (lines, &type) || !lines_take_number (lines, &mass)
        || type < 1 || (size_t)type > file->n_elements
        || is_mass_of (mass, elements[type - 1]))
        return 0;
    for (size_t k = 0; k < file->n_elements; k++) {
        if (is_mass_of (mass, elements[k]))
            return lines_error (lines, err,
                                "atom type %lld has the mass of %s, and "
                                "element %lld is %s",
                                (long long)type, elements[k], (long long)type,
                                elements[type - 1]);
    }
    return 0;
}

/* Header lines, then sections, of which the atoms matter, and what their masses
 * tell of the order of types.
 */
static int read_file (struct data_file *file, struct error *err)
{
    bool in_header = true, in_masses = false;

    lines_next (&file->lines, NULL); /* LAMMPS skips the first line, too */
    while (next_line (file) == 1) {
        const char *at = file->lines.at;

        if (at_section (file)) {
            in_header = false;
            in_masses = rest_is (&file->lines, "Masses");
            file->lines.at = at;
            if (rest_is (&file->lines, "Atoms") && read_atoms (file, err) < 0)
                return -1;
        } else if (in_header && read_header_line (file, err) < 0) {
            return -1;
        } else if (in_masses && read_mass (file, err) < 0) {
            return -1;
        }
    }
    if (!file->has_atoms)
        return error_set (err, "%s: no Atoms section", file->lines.file.name);
    return 0;
}

static void set_cell (const struct data_file *file, double cell[9])
{
    for (int i = 0; i < 3; i++)
        cell[4 * i] = file->high[i] - file->low[i];
    cell[3] = file->tilt[0];
    cell[6] = file->tilt[1];
    cell[7] = file->tilt[2];
}

/* The frame with its atoms in the order of their ids. */
static int ordered_frame (struct data_file *file, struct frame *frame,
                          struct error *err)
{
    size_t n = file->frame.n_atoms;
    const struct numbered_row *bad = row_order (file->rows, n);
    struct frame made = FRAME_INIT;

    if (bad)
        return error_set (err, "%s: the atom id %.0f occurs twice",
                          file->lines.file.name, bad->id);
    if (frame_resize (&made, n, false, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        size_t row = file->rows[i].row;

        memcpy (made.symbols[i], file->frame.symbols[row], SYMBOL_SIZE);
        memcpy (made.positions + 3 * i, file->frame.positions + 3 * row,
                3 * sizeof (*made.positions));
    }
    set_cell (file, made.cell);
    memset (made.periodic, true, sizeof (made.periodic));
    frame_release (frame);
    *frame = made;
    return 0;
}

int lammps_data_parse (const char *text, size_t len, const char *name,
                       char *const *elements, size_t n_elements,
                       struct frame *frame, struct error *err)
{
    struct data_file file = { .elements = elements,
                              .n_elements = n_elements,
                              .n_atoms = -1 };
    int rc;

    lines_of_text (&file.lines, text, len, name, 1);
    rc = read_file (&file, err);
    if (rc == 0)
        rc = ordered_frame (&file, frame, err);
    frame_release (&file.frame);
    free (file.rows);
    lines_close (&file.lines);
    return rc;
}

/* --- writing --- */

static void add_numbers (const double *v, int n, struct strbuf *out)
{
    for (int i = 0; i < n; i++) {
        if (i > 0)
            strbuf_add_char (out, ' ');
        strbuf_add_double (out, v[i]);
    }
}

int lammps_cell_check (const double cell[9], struct error *err)
{
    if (cell[1] == 0 && cell[2] == 0 && cell[5] == 0 && cell[0] > 0
        && cell[4] > 0 && cell[8] > 0)
        return 0;
    return error_set (err, "the cell is not lower triangular with a positive "
                           "diagonal, as LAMMPS takes it");
}

static int add_header (const struct frame *frame, size_t n_types,
                       struct strbuf *out, struct error *err)
{
    static const char *const bounds[] = { "xlo xhi", "ylo yhi", "zlo zhi" };
    const double *cell = frame->cell;
    const double tilt[3] = { cell[3], cell[6], cell[7] };

    if (lammps_cell_check (cell, err) < 0)
        return -1;
    strbuf_addf (out, "# atom_style atomic\n\n%zu atoms\n%zu atom types\n\n",
                 frame->n_atoms, n_types);
    for (int i = 0; i < 3; i++) {
        strbuf_add_str (out, "0.0 ");
        strbuf_add_double (out, cell[4 * i]);
        strbuf_addf (out, " %s\n", bounds[i]);
    }
    if (tilt[0] != 0 || tilt[1] != 0 || tilt[2] != 0) {
        add_numbers (tilt, 3, out);
        strbuf_add_str (out, " xy xz yz\n");
    }
    return 0;
}

static int add_masses (char *const *elements, size_t n_elements,
                       struct strbuf *out, struct error *err)
{
    strbuf_add_str (out, "\nMasses\n\n");
    for (size_t i = 0; i < n_elements; i++) {
        double mass = element_mass (elements[i]);

        if (mass == 0)
            return error_set (err, "the mass of '%s' is not known",
                              elements[i]);
        strbuf_addf (out, "%zu ", i + 1);
        strbuf_add_double (out, mass);
        strbuf_addf (out, " # %s\n", elements[i]);
    }
    return 0;
}

static int add_atoms (const struct frame *frame, char *const *elements,
                      size_t n_elements, struct strbuf *out, struct error *err)
{
    strbuf_add_str (out, "\nAtoms # atomic\n\n");
    for (size_t i = 0; i < frame->n_atoms; i++) {
        size_t type = words_index (elements, n_elements, frame->symbols[i]);

        if (type == n_elements)
            return error_set (err, "atom %zu: '%s' is not among the elements",
                              i + 1, frame->symbols[i]);
        strbuf_addf (out, "%zu %zu ", i + 1, type + 1);
        add_numbers (frame->positions + 3 * i, 3, out);
        strbuf_add_char (out, '\n');
    }
    return 0;
}

int lammps_data_format (const struct frame *frame, char *const *elements,
                        size_t n_elements, struct strbuf *out,
                        struct error *err)
{
    size_t len = out->len;

    if (add_header (frame, n_elements, out, err) < 0
        || add_masses (elements, n_elements, out, err) < 0
        || add_atoms (frame, elements, n_elements, out, err) < 0) {
        strbuf_truncate (out, len);
        return -1;
    }
    return 0;
}
