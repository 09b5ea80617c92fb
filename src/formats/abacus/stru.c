/* SPDX-License-Identifier: BSD-3-Clause */
/* stru.c - structures of ABACUS: the file STRU */
#include "base/base.h"

#include "base/json.h"
#include "formats/abacus/stru.h"
#include "formats/atomic_units.h"
#include "formats/element.h"
#include "formats/frame.h"
#include "formats/lines.h"

/* --- writing --- */

static bool is_first_of_its_element (const struct frame *frame, size_t i)
{
    return i == 0 || strcmp (frame->symbols[i], frame->symbols[i - 1]) != 0;
}

static int add_species (const struct frame *frame,
                        const struct stru_species *species, struct strbuf *out,
                        struct error *err)
{
    strbuf_add_str (out, "ATOMIC_SPECIES\n");
    for (size_t i = 0; i < frame->n_atoms; i++) {
        const char *symbol = frame->symbols[i];
        const struct json *file = json_get (species->pseudopotentials, symbol);

        if (!is_first_of_its_element (frame, i))
            continue;
        if (!(element_mass (symbol) > 0))
            return error_set (err, "atom %zu: '%s' is no element", i + 1,
                              symbol);
        if (json_kind (file) != JSON_KIND_STRING)
            return error_set (err,
                              "there is no pseudopotential for '%s'; add it to "
                              "pseudopotentials",
                              symbol);
        strbuf_addf (out, "%s %g %s\n", symbol, element_mass (symbol),
                     json_as_string (file));
    }
    return 0;
}

static int add_orbitals (const struct frame *frame,
                         const struct stru_species *species, struct strbuf *out,
                         struct error *err)
{
    if (json_count (species->orbitals) == 0)
        return 0;
    strbuf_add_str (out, "\nNUMERICAL_ORBITAL\n");
    for (size_t i = 0; i < frame->n_atoms; i++) {
        const struct json *file =
            json_get (species->orbitals, frame->symbols[i]);

        if (!is_first_of_its_element (frame, i))
            continue;
        if (json_kind (file) != JSON_KIND_STRING)
            return error_set (err,
                              "there is no orbital for '%s'; add it to "
                              "orbitals",
                              frame->symbols[i]);
        strbuf_addf (out, "%s\n", json_as_string (file));
    }
    return 0;
}

static size_t count_species (const struct frame *frame, size_t first)
{
    size_t n = 1;

    while (first + n < frame->n_atoms
           && !is_first_of_its_element (frame, first + n))
        n++;
    return n;
}

static void add_vector (const double *v, struct strbuf *out)
{
    for (int i = 0; i < 3; i++) {
        strbuf_add_double (out, v[i]);
        strbuf_add_char (out, i < 2 ? ' ' : '\n');
    }
}

static void add_positions (const struct frame *frame,
                           const struct stru_species *species,
                           struct strbuf *out)
{
    strbuf_add_str (out, "\nATOMIC_POSITIONS\nCartesian\n");
    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (is_first_of_its_element (frame, i)) {
            const struct json *moment =
                json_get (species->magnetization, frame->symbols[i]);

            strbuf_addf (out, "\n%s\n%g\n%zu\n", frame->symbols[i],
                         json_is_null (moment) ? 0 : json_as_double (moment),
                         count_species (frame, i));
        }
        add_vector (frame->positions + 3 * i, out);
    }
}

int stru_format (const struct frame *frame, const struct stru_species *species,
                 struct strbuf *out, struct error *err)
{
    size_t before = out->len;

    if (add_species (frame, species, out, err) < 0
        || add_orbitals (frame, species, out, err) < 0) {
        strbuf_truncate (out, before);
        return -1;
    }
    strbuf_addf (out, "\nLATTICE_CONSTANT\n%.16g\n\nLATTICE_VECTORS\n",
                 1 / BOHR_A);
    for (int i = 0; i < 3; i++)
        add_vector (frame->cell + 3 * i, out);
    add_positions (frame, species, out);
    return 0;
}

/* --- reading --- */

enum place { PLACE_NONE, DIRECT, CARTESIAN, CARTESIAN_ANGSTROM, CARTESIAN_AU };

struct reading {
    struct lines lines;
    double lattice_constant;
    double cell[9]; /* in angstrom, once all is read */
    bool has_vectors;
    enum place place;
    bool in_positions; /* species may follow */
    char (*symbols)[SYMBOL_SIZE];
    double (*positions)[3];
    size_t n;
    size_t symbols_alloc;
    size_t positions_alloc;
};

/* The next line that says something, without its comment: 1, 0 or -1. */
static int next_line (struct reading *r, struct error *err)
{
    struct lines *lines = &r->lines;
    int rc;

    while ((rc = lines_next (lines, err)) > 0) {
        for (const char *c = lines->at; c < lines->end; c++) {
            if (*c == '#' || (c[0] == '/' && c + 1 < lines->end && c[1] == '/'))
                lines->end = c;
        }
        if (!lines_at_end (lines))
            return lines_check_end (lines, err) < 0 ? -1 : 1;
    }
    return rc;
}

static int next_of (struct reading *r, const char *block, struct error *err)
{
    int rc = next_line (r, err);

    if (rc == 0)
        lines_error (&r->lines, err, "the file ends within %s", block);
    return rc > 0 ? 0 : -1;
}

static int read_vectors (struct reading *r, struct error *err)
{
    for (int i = 0; i < 3; i++) {
        if (next_of (r, "LATTICE_VECTORS", err) < 0)
            return -1;
        if (!lines_take_finite (&r->lines, r->cell + 3 * i, 3))
            return lines_error (&r->lines, err,
                                "expected a lattice vector, three finite "
                                "numbers");
    }
    r->has_vectors = true;
    return 0;
}

static int read_place (struct reading *r, struct error *err)
{
    static const char *const names[] = {
        [DIRECT] = "Direct",
        [CARTESIAN] = "Cartesian",
        [CARTESIAN_ANGSTROM] = "Cartesian_angstrom",
        [CARTESIAN_AU] = "Cartesian_au",
    };
    const char *word;
    size_t len;

    if (next_of (r, "ATOMIC_POSITIONS", err) < 0)
        return -1;
    lines_take_word (&r->lines, &word, &len);
    for (int i = DIRECT; i <= CARTESIAN_AU; i++) {
        if (strlen (names[i]) == len && memcmp (names[i], word, len) == 0)
            r->place = (enum place)i;
    }
    r->in_positions = r->place != PLACE_NONE;
    if (!r->in_positions)
        return lines_error (&r->lines, err,
                            "positions are '%.*s'; expected Direct, Cartesian, "
                            "Cartesian_angstrom or Cartesian_au",
                            (int)len, word);
    return 0;
}

static int read_atoms (struct reading *r, const char symbol[SYMBOL_SIZE],
                       int64_t n, struct error *err)
{
    for (int64_t i = 0; i < n; i++) {
        double x[3];

        if (next_of (r, "ATOMIC_POSITIONS", err) < 0)
            return -1;
        if (!lines_take_finite (&r->lines, x, 3))
            return lines_error (&r->lines, err,
                                "expected the place of atom %lld of '%s', "
                                "three finite numbers",
                                (long long)i + 1, symbol);
        r->symbols =
            grow_array (r->symbols, r->n, &r->symbols_alloc, SYMBOL_SIZE);
        r->positions =
            grow_array (r->positions, r->n, &r->positions_alloc, sizeof (x));
        memcpy (r->symbols[r->n], symbol, SYMBOL_SIZE);
        memcpy (r->positions[r->n++], x, sizeof (x));
    }
    return 0;
}

/* A species: its label, magnetization and number of atoms, on a line each; the
 * label is what the line at hand has.
 */
static int read_species (struct reading *r, struct error *err)
{
    struct lines *lines = &r->lines;
    char symbol[SYMBOL_SIZE];
    double moment;
    const char *word;
    size_t len;
    int64_t n;

    lines_take_word (lines, &word, &len);
    while (len > 0 && isdigit ((unsigned char)word[len - 1]))
        len--;
    if (symbol_set (symbol, word, len) < 0)
        return lines_error (lines, err,
                            "expected the label of a species, at most 7 "
                            "characters");
    if (next_of (r, "ATOMIC_POSITIONS", err) < 0)
        return -1;
    if (!lines_take_finite (lines, &moment, 1))
        return lines_error (lines, err, "expected the magnetization of '%s'",
                            symbol);
    if (next_of (r, "ATOMIC_POSITIONS", err) < 0)
        return -1;
    if (!lines_take_integer (lines, &n) || n < 0)
        return lines_error (lines, err, "expected how many atoms '%s' has",
                            symbol);
    return read_atoms (r, symbol, n, err);
}

/* Blocks that say nothing of atoms; their lines are passed over. */
static bool is_other_block (struct lines *lines)
{
    static const char *const names[] = {
        "ATOMIC_SPECIES", "NUMERICAL_ORBITAL",  "NUMERICAL_DESCRIPTOR",
        "ABFS_ORBITAL",   "LATTICE_PARAMETERS", "PAW_FILES",
    };

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (lines_take_prefix (lines, names[i]))
            return true;
    }
    return false;
}

static int read_block (struct reading *r, struct error *err)
{
    struct lines *lines = &r->lines;

    if (lines_take_prefix (lines, "LATTICE_CONSTANT")) {
        if (next_of (r, "LATTICE_CONSTANT", err) < 0)
            return -1;
        if (!lines_take_finite (lines, &r->lattice_constant, 1)
            || !(r->lattice_constant > 0))
            return lines_error (lines, err,
                                "expected a lattice constant in "
                                "bohr");
        return 0;
    }
    if (lines_take_prefix (lines, "LATTICE_VECTORS"))
        return read_vectors (r, err);
    if (lines_take_prefix (lines, "ATOMIC_POSITIONS"))
        return read_place (r, err);
    if (is_other_block (lines))
        r->in_positions = false;
    return r->in_positions ? read_species (r, err) : 0;
}

/* To angstrom. */
static void set_place (const struct reading *r, const double *from, double *to)
{
    const double *c = r->cell;
    double unit = r->place == CARTESIAN      ? r->lattice_constant * BOHR_A
                  : r->place == CARTESIAN_AU ? BOHR_A
                                             : 1;

    for (int k = 0; k < 3; k++)
        to[k] = r->place == DIRECT
                    ? from[0] * c[k] + from[1] * c[3 + k] + from[2] * c[6 + k]
                    : from[k] * unit;
}

static int make_frame (struct reading *r, struct frame *frame,
                       struct error *err)
{
    struct frame made = FRAME_INIT;

    if (!(r->lattice_constant > 0) || !r->has_vectors || r->n == 0)
        return error_set (err,
                          "%s: expected LATTICE_CONSTANT, LATTICE_VECTORS and "
                          "ATOMIC_POSITIONS with atoms",
                          r->lines.file.name);
    if (frame_resize (&made, r->n, false, err) < 0)
        return -1;
    for (int i = 0; i < 9; i++)
        r->cell[i] *= r->lattice_constant * BOHR_A;
    memcpy (made.cell, r->cell, sizeof (made.cell));
    memset (made.periodic, true, sizeof (made.periodic));
    for (size_t i = 0; i < r->n; i++) {
        memcpy (made.symbols[i], r->symbols[i], SYMBOL_SIZE);
        set_place (r, r->positions[i], made.positions + 3 * i);
    }
    frame_release (frame);
    *frame = made;
    return 0;
}

int stru_parse (const char *text, size_t len, const char *name,
                struct frame *frame, struct error *err)
{
    struct reading r = { .place = PLACE_NONE };
    int rc;

    lines_of_text (&r.lines, text, len, name, 1);
    while ((rc = next_line (&r, err)) > 0 && (rc = read_block (&r, err)) == 0)
        ;
    if (rc == 0)
        rc = make_frame (&r, frame, err);
    lines_close (&r.lines);
    free (r.symbols);
    free (r.positions);
    return rc;
}
