/* SPDX-License-Identifier: BSD-3-Clause */
/* outcar.c - energies, forces and stresses from VASP's OUTCAR
 *
 * Most of an OUTCAR are eigenvalues, timings and eigenvalue-like rows: a line
 * is told by the first byte that is no space, and only few are looked at
 * further.
 */
#include "base/base.h"

#include "formats/lines.h"
#include "formats/number.h"
#include "formats/vasp/outcar.h"
#include "formats/vasp/potcar.h"

/* What became of a line. */
enum found {
    FOUND_NOTHING,
    FOUND_ENERGY, /* the step ends here */
    FOUND_END,    /* the file ends within what the line begins */
    FOUND_ERROR,
};

enum {
    ROW_MIN_BYTES = 12, /* six numbers */
    MAX_IONS = 10000000,
};

/* Decimals that VASP prints. */
enum {
    CELL_DECIMALS = 9,
    STRESS_DECIMALS = 5,
    POSITION_DECIMALS = 5,
    FORCE_DECIMALS = 6,
};

void outcar_release (struct outcar *outcar)
{
    free (outcar->titles.v);
    free (outcar->potcars.v);
    free (outcar->counts);
    single_point_release (&outcar->point);
    *outcar = (struct outcar)OUTCAR_INIT;
}

/* --- words of a line --- */

static void skip_spaces (struct lines *lines)
{
    while (lines->at < lines->end && *lines->at == ' ')
        lines->at++;
}

/* Go behind 'words' wherever in the line they stand. */
static bool go_behind (struct lines *lines, const char *words)
{
    size_t len = strlen (words);
    const char *at =
        memmem (lines->at, (size_t)(lines->end - lines->at), words, len);

    if (at)
        lines->at = at + len;
    return at != NULL;
}

/* The end of a number of so many decimals at the line's front, where the next
 * may follow at once, since VASP prints columns of fixed width; NULL: it is
 * none.
 */
static const char *end_of_column (const struct lines *lines, size_t decimals)
{
    size_t len = (size_t)(lines->end - lines->at);
    const char *point = memchr (lines->at, '.', len), *end, *next;

    if (!point || (size_t)(lines->end - point) <= decimals)
        return NULL;
    end = next = point + 1 + decimals;
    while (next < lines->end && isdigit ((unsigned char)*next))
        next++;
    if (next > end && (next == lines->end || *next != '.'))
        return NULL; /* these are more decimals */
    return end;
}

static bool take_number (struct lines *lines, size_t decimals, double *value)
{
    const char *after;

    skip_spaces (lines);
    after = number_read (lines->at, lines->end, value);
    if (after && after < lines->end && *after != ' ') {
        const char *end = end_of_column (lines, decimals);

        after = end ? number_read (lines->at, end, value) : NULL;
        if (after != end)
            after = NULL;
    }
    if (!after || !isfinite (*value))
        return false;
    lines->at = after;
    return true;
}

static bool take_numbers (struct lines *lines, size_t decimals, double *v,
                          size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!take_number (lines, decimals, &v[i]))
            return false;
    }
    return true;
}

/* What is wrong with the line at hand; where the file ends in it, nothing is
 * known of it.
 */
static enum found refuse (const struct lines *lines, const char *what,
                          struct error *err)
{
    if (!lines->complete)
        return FOUND_END;
    lines_error (lines, err, "%s", what);
    return FOUND_ERROR;
}

static enum found found_next (int rc)
{
    return rc < 0 ? FOUND_ERROR : FOUND_END;
}

/* --- the head --- */

static void begin_step (struct outcar *outcar)
{
    outcar->scf_step = 0;
    outcar->scf_ended = outcar->predicted = outcar->cell_follows = false;
    single_point_begin (&outcar->point);
}

/* Other atoms follow; what was read of a step was of these. */
static void forget_atoms (struct outcar *outcar)
{
    begin_step (outcar);
    outcar->n_counts = outcar->point.n_atoms = 0;
}

/* A title after the atoms are known begins the head of another run. */
static void begin_head (struct outcar *outcar)
{
    if (outcar->n_counts == 0)
        return;
    forget_atoms (outcar);
    outcar->titles.n = outcar->potcars.n = 0;
    outcar->n_ions = 0;
    outcar->scf_limit = 0;
}

/* "TITEL  = PAW_PBE Sn_d 06Sep2000" and "POTCAR:    PAW_PBE Sn_d 06Sep2000" */
static enum found read_title (struct outcar *outcar,
                              struct outcar_symbols *symbols,
                              struct lines *lines, struct error *err)
{
    begin_head (outcar);
    symbols->v =
        grow_array (symbols->v, symbols->n, &symbols->alloc, SYMBOL_SIZE);
    if (potcar_title_element (symbols->v[symbols->n], lines->at,
                              (size_t)(lines->end - lines->at))
        < 0)
        return refuse (lines, "expected the title of a potential of an element",
                       err);
    symbols->n++;
    return FOUND_NOTHING;
}

static enum found read_counts (struct outcar *outcar, struct lines *lines,
                               struct error *err)
{
    size_t n_atoms = 0;

    forget_atoms (outcar);
    while (!lines_at_end (lines)) {
        int64_t n;

        if (!lines_take_integer (lines, &n) || n < 0 || n > MAX_IONS)
            return refuse (lines, "expected how many ions there are of a type",
                           err);
        outcar->counts = grow_array (outcar->counts, outcar->n_counts,
                                     &outcar->counts_alloc, sizeof (size_t));
        outcar->counts[outcar->n_counts++] = (size_t)n;
        n_atoms += (size_t)n;
    }
    if (n_atoms == 0 || n_atoms > MAX_IONS)
        return refuse (lines, "no ions, or more than VASP can treat", err);
    if (outcar->n_ions != 0 && n_atoms != outcar->n_ions)
        return refuse (lines,
                       "not all ions are counted here: VASP prints ten types "
                       "at most; read vasprun.xml instead",
                       err);
    if (n_atoms > lines_bytes_left (lines) / ROW_MIN_BYTES)
        return FOUND_END;
    return FOUND_NOTHING;
}

/* The symbols of the types.  POTCAR lines are a list, and then each again as it
 * is read.
 */
static const struct outcar_symbols *symbols_of (const struct outcar *outcar)
{
    const struct outcar_symbols *list = &outcar->potcars;
    size_t n = outcar->n_counts;

    if (outcar->titles.n == n)
        return &outcar->titles;
    if (list->n == n
        || (list->n == 2 * n
            && memcmp (list->v, list->v + n, n * SYMBOL_SIZE) == 0))
        return list;
    return NULL;
}

/* Called with the first row that needs the atoms. */
static enum found know_atoms (struct outcar *outcar, const struct lines *lines,
                              struct error *err)
{
    const struct outcar_symbols *symbols;
    struct single_point *point = &outcar->point;

    if (point->n_atoms > 0)
        return FOUND_NOTHING;
    if (outcar->n_counts == 0)
        return refuse (lines, "'ions per type' should stand before this", err);
    symbols = symbols_of (outcar);
    if (!symbols)
        return refuse (lines,
                       "before this, TITEL or POTCAR should name a potential "
                       "for each of the 'ions per type'; read vasprun.xml "
                       "instead",
                       err);
    for (size_t type = 0; type < outcar->n_counts; type++) {
        const char *symbol = symbols->v[type];

        for (size_t i = 0; i < outcar->counts[type]; i++)
            single_point_add_atom (point, symbol, strlen (symbol));
    }
    return FOUND_NOTHING;
}

/* "number of dos      NEDOS =    301   number of ions     NIONS =      8" */
static void read_ion_count (struct outcar *outcar, struct lines *lines)
{
    int64_t n;

    if (go_behind (lines, "NIONS =") && lines_take_integer (lines, &n) && n > 0)
        outcar->n_ions = (size_t)n;
}

/* "NELM   =    100;   NELMIN=  6; NELMDL= -5", also as INCAR has it. */
static void read_scf_limit (struct outcar *outcar, struct lines *lines)
{
    int64_t n;

    skip_spaces (lines);
    if (outcar->scf_step > 0 || !lines_take_prefix (lines, "="))
        return;
    skip_spaces (lines);
    if (integer_read (lines->at, lines->end, &n))
        outcar->scf_limit = n;
}

/* --- a step --- */

/* "------ Iteration      1(  18)  ------" */
static void read_loop (struct outcar *outcar, struct lines *lines)
{
    int64_t n;

    if (lines_contain (lines, "aborting loop because EDIFF is reached"))
        outcar->scf_ended = true;
    else if (go_behind (lines, "Iteration") && go_behind (lines, "(")) {
        skip_spaces (lines);
        if (integer_read (lines->at, lines->end, &n))
            outcar->scf_step = n;
    }
}

static enum found read_stress (struct outcar *outcar, struct lines *lines,
                               struct error *err)
{
    static const int places[9] = { 0, 3, 5, 3, 1, 4, 5, 4, 2 };
    struct numbers *stress = &outcar->point.stress;
    double kB[6]; /* XX YY ZZ XY YZ ZX */

    if (outcar->predicted)
        return FOUND_NOTHING;
    if (!take_numbers (lines, STRESS_DECIMALS, kB, 6))
        return refuse (lines, "expected six components of the stress", err);
    stress->n = 0;
    for (int i = 0; i < 9; i++)
        numbers_add (stress, &kB[places[i]], 1);
    numbers_scale (stress, 1 / VASP_KILOBAR_PER_EV_A3);
    return FOUND_NOTHING;
}

static enum found read_cell (struct outcar *outcar, struct lines *lines,
                             struct error *err)
{
    enum found found = know_atoms (outcar, lines, err);
    double v[3];

    outcar->point.cell.n = 0;
    for (int i = 0; found == FOUND_NOTHING && i < 3; i++) {
        int rc = lines_next (lines, err);

        if (rc != 1)
            found = found_next (rc);
        else if (!take_numbers (lines, CELL_DECIMALS, v, 3))
            found = refuse (lines, "expected a vector of the cell", err);
        else
            numbers_add (&outcar->point.cell, v, 3);
    }
    outcar->cell_follows = false;
    return found;
}

static enum found read_rows (struct outcar *outcar, struct lines *lines,
                             struct error *err)
{
    enum found found = know_atoms (outcar, lines, err);
    struct single_point *point = &outcar->point;
    int rc = 1;

    if (found == FOUND_NOTHING)
        rc = lines_next (lines, err); /* dashes */
    point->positions.n = point->forces.n = 0;
    for (size_t i = 0; found == FOUND_NOTHING && i < point->n_atoms; i++) {
        double v[6];

        if (rc == 1)
            rc = lines_next (lines, err);
        if (rc != 1) {
            found = found_next (rc);
        } else if (!take_numbers (lines, POSITION_DECIMALS, v, 3)
                   || !take_numbers (lines, FORCE_DECIMALS, v + 3, 3)) {
            found = refuse (lines, "expected a position and a force", err);
        } else {
            numbers_add (&point->positions, v, 3);
            numbers_add (&point->forces, v + 3, 3);
        }
    }
    return found;
}

/* "free  energy   TOTEN  =       -57.48343729 eV"; of each SCF step, "free
 * energy    TOTEN".
 */
static enum found read_energy (struct outcar *outcar, struct lines *lines,
                               struct error *err)
{
    double energy;

    if (!lines->complete || !go_behind (lines, "=")
        || !lines_take_finite (lines, &energy, 1))
        return refuse (lines, "expected the energy", err);
    outcar->point.energy.n = 0;
    numbers_add (&outcar->point.energy, &energy, 1);
    return FOUND_ENERGY;
}

static enum found read_line (struct outcar *outcar, struct lines *lines,
                             struct error *err)
{
    skip_spaces (lines);
    switch (lines->at < lines->end ? *lines->at : '\0') {
    case 'T':
        if (lines_take_prefix (lines, "TITEL  ="))
            return read_title (outcar, &outcar->titles, lines, err);
        break;
    case 'P':
        if (lines_take_prefix (lines, "POTCAR:"))
            return read_title (outcar, &outcar->potcars, lines, err);
        if (lines_take_prefix (lines, "POSITION ")
            && lines_contain (lines, "TOTAL-FORCE")
            && !lines_contain (lines, "(ML)"))
            return read_rows (outcar, lines, err);
        break;
    case 'n':
        if (lines_take_prefix (lines, "number of dos "))
            read_ion_count (outcar, lines);
        break;
    case 'N':
        if (lines_take_prefix (lines, "NELM"))
            read_scf_limit (outcar, lines);
        break;
    case 'i':
        if (lines_take_prefix (lines, "ions per type ="))
            return read_counts (outcar, lines, err);
        if (lines_take_prefix (lines, "in kB"))
            return read_stress (outcar, lines, err);
        break;
    case '-':
        read_loop (outcar, lines);
        break;
    case 'F':
        if (lines_take_prefix (lines, "FORCE on cell"))
            outcar->predicted = false;
        break;
    case 'M':
        if (lines_take_prefix (lines, "ML FORCE"))
            outcar->predicted = true;
        break;
    case 'V':
        if (lines_take_prefix (lines, "VOLUME and BASIS"))
            outcar->cell_follows = true;
        break;
    case 'd':
        if (outcar->cell_follows
            && lines_take_prefix (lines, "direct lattice vectors"))
            return read_cell (outcar, lines, err);
        break;
    case 'f':
        if (lines_take_prefix (lines, "free  energy   TOTEN"))
            return read_energy (outcar, lines, err);
        break;
    }
    return FOUND_NOTHING;
}

/* The step has come to its end: is it a frame? */
static bool step_is_frame (struct outcar *outcar)
{
    bool converged =
        outcar->scf_ended
        && (outcar->scf_limit == 0 || outcar->scf_step < outcar->scf_limit);
    bool labelled = single_point_is_labelled (&outcar->point);

    outcar->n_unconverged += !converged;
    outcar->n_unlabelled += converged && !labelled;
    return converged && labelled;
}

int outcar_next (struct outcar *outcar, struct lines *lines,
                 struct frame *frame, bool *truncated, struct error *err)
{
    int rc;

    while ((rc = lines_next (lines, err)) == 1) {
        enum found found = read_line (outcar, lines, err);

        if (found == FOUND_ERROR)
            return -1;
        if (found == FOUND_END) {
            *truncated = true;
            return 0;
        }
        if (found == FOUND_ENERGY) {
            bool is_frame = step_is_frame (outcar);

            if (is_frame && single_point_frame (&outcar->point, frame, err) < 0)
                return -1;
            begin_step (outcar);
            if (is_frame)
                return 1;
        }
    }
    *truncated |= rc == 0 && outcar->scf_step > 0;
    return rc;
}
