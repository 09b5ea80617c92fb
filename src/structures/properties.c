/* SPDX-License-Identifier: BSD-3-Clause */
/* properties.c - which cells are computed to know properties of a crystal, and
 * what follows from their energies and stresses
 */
#include "base/base.h"

#include "base/json.h"
#include "structures/defects.h"
#include "structures/deform.h"
#include "structures/elastic.h"
#include "structures/equation_of_state.h"
#include "structures/properties.h"
#include "structures/supercell.h"

/* J/m^2 in an eV/angstrom^2. */
static const double J_m2_per_eV_A2 = 16.02176634;

/* --- what is asked for --- */

/* A number of the map under 'key', or the one that stands for it. */
static int read_number (const struct json *map, const char *key,
                        double otherwise, double low, double high, double *out,
                        struct error *err)
{
    const struct json *v = json_get (map, key);

    *out = json_is_null (v) ? otherwise : json_as_double (v);
    if (*out >= low && *out <= high)
        return 0;
    return error_set (err, "%s: %g; write a number from %g to %g", key, *out,
                      low, high);
}

static int read_curve (const struct json *v, struct property_request *r,
                       struct error *err)
{
    double points;

    if (read_number (v, "points", 7, EQUATION_OF_STATE_POINTS_MIN, 1000,
                     &points, err)
            < 0
        || read_number (v, "range", 0.06, 0.005, 0.5, &r->range, err) < 0)
        return -1;
    r->points = (int64_t)points;
    return 0;
}

static int read_elastic (const struct json *v, struct property_request *r,
                         struct error *err)
{
    return read_number (v, "strain", 0.005, 1e-5, 0.05, &r->strain, err);
}

static int read_vacancy (const struct json *v, struct property_request *r,
                         struct error *err)
{
    double atom;

    if (read_number (v, "atom", 1, 1, STRUCTURE_ATOMS_MAX, &atom, err) < 0)
        return -1;
    r->atom = (int64_t)atom;
    if (construction_read_input ("supercell", v, &r->supercell, err) < 0)
        return -1;
    return r->supercell.repeats
               ? 0
               : error_set (err, "of which supercell? write {supercell: [3, 3, "
                                 "3]}, or {supercell: {atoms: 108}}");
}

static int add_surface (struct json *v, struct property_request *r,
                        struct error *err)
{
    _cleanup_json_ struct json *inputs = json_object ();
    struct construction c = CONSTRUCTION_INIT;
    int rc;

    json_set (inputs, "surface", json_ref (v));
    rc = construction_read_input ("surface", inputs, &c, err);
    for (size_t i = 0; rc == 0 && i < r->n_surfaces; i++) {
        if (memcmp (r->surfaces[i].miller, c.surface.miller,
                    sizeof (c.surface.miller))
            == 0)
            rc = error_set (err, "surface: it is there twice; take one out");
    }
    if (rc == 0) {
        r->surfaces = xreallocarray (r->surfaces, r->n_surfaces + 1,
                                     sizeof (*r->surfaces));
        r->surfaces[r->n_surfaces++] = c.surface;
    }
    construction_release (&c);
    return rc;
}

static int read_surfaces (const struct json *v, struct property_request *r,
                          struct error *err)
{
    for (size_t i = 0; i < json_count (v); i++) {
        if (add_surface (json_at (v, i), r, err) < 0)
            return error_prefix (err, "[%zu]", i);
    }
    return 0;
}

static const struct {
    const char *name;
    int (*read) (const struct json *v, struct property_request *r,
                 struct error *err);
} readers[] = {
    { "curve", read_curve },
    { "elastic", read_elastic },
    { "vacancy", read_vacancy },
    { "surfaces", read_surfaces },
};

int property_request_read_input (const char *name, const struct json *inputs,
                                 struct property_request *r, struct error *err)
{
    const struct json *v = json_get (inputs, name);

    for (size_t i = 0; !json_is_null (v) && i < ARRAY_SIZE (readers); i++) {
        if (strcmp (readers[i].name, name) == 0 && readers[i].read (v, r, err))
            return error_prefix (err, "%s", name);
    }
    return 0;
}

int property_request_read (const struct json *inputs,
                           struct property_request *r, struct error *err)
{
    for (size_t i = 0; i < ARRAY_SIZE (readers); i++) {
        if (property_request_read_input (readers[i].name, inputs, r, err) < 0)
            return -1;
    }
    return 0;
}

void property_request_release (struct property_request *r)
{
    construction_release (&r->supercell);
    free (r->surfaces);
}

/* --- names --- */

static char *surface_name (const struct surface_cut *cut)
{
    return xasprintf ("surface_%" PRId64 "_%" PRId64 "_%" PRId64,
                      cut->miller[0], cut->miller[1], cut->miller[2]);
}

void property_names (const struct property_request *r, struct strvec *names)
{
    static const char *const curve[] = { "e0", "v0", "b0", "b0_slope", NULL };
    static const char *const moduli[] = { "hill_bulk_modulus",
                                          "hill_shear_modulus",
                                          "least_eigenvalue", NULL };

    strvec_push (names, "energy");
    strvec_push (names, "volume");
    if (r->points > 0)
        strvec_push_all (names, (char *const *)curve);
    for (int i = 0; r->strain > 0 && i < 36; i++) {
        if (i / 6 <= i % 6)
            strvec_pushf (names, "c%d%d", i / 6 + 1, i % 6 + 1);
    }
    if (r->strain > 0)
        strvec_push_all (names, (char *const *)moduli);
    if (r->atom > 0)
        strvec_push (names, "vacancy");
    for (size_t i = 0; i < r->n_surfaces; i++) {
        _cleanup_free_ char *name = surface_name (&r->surfaces[i]);

        strvec_push (names, name);
    }
}

const char *property_unit (const char *name)
{
    static const struct {
        const char *name, *unit;
    } units[] = {
        { "energy", "eV/atom" }, { "e0", "eV/atom" }, { "volume", "A^3/atom" },
        { "v0", "A^3/atom" },    { "b0_slope", "1" }, { "vacancy", "eV" },
    };

    for (size_t i = 0; i < ARRAY_SIZE (units); i++) {
        if (strcmp (units[i].name, name) == 0)
            return units[i].unit;
    }
    return strncmp (name, "surface_", strlen ("surface_")) == 0 ? "J/m^2"
                                                                : "GPa";
}

/* --- what is computed --- */

/* A cell more, which is the crystal yet. */
static struct frame *add_cell (struct property_cells *cells,
                               const struct frame *crystal, char *name,
                               struct error *err)
{
    struct property_cell *cell;

    cells->v = xreallocarray (cells->v, cells->n + 1, sizeof (*cells->v));
    cell = &cells->v[cells->n++];
    *cell = (struct property_cell){ name, FRAME_INIT };
    return structure_copy (crystal, 0, &cell->frame, err) < 0 ? NULL
                                                              : &cell->frame;
}

static int add_curve (const struct property_request *r,
                      const struct frame *crystal, struct property_cells *cells,
                      struct error *err)
{
    for (int64_t i = 0; i < r->points; i++) {
        double along = 2 * (double)i / (double)(r->points - 1) - 1;
        double volume = 1 + along * r->range;
        struct frame *frame = add_cell (
            cells, crystal, xasprintf ("curve, volume x %.4f", volume), err);

        if (!frame)
            return -1;
        structure_scale (frame, cbrt (volume));
    }
    return 0;
}

static int add_strained (const struct property_request *r,
                         const struct frame *crystal,
                         struct property_cells *cells, struct error *err)
{
    for (int k = 0; r->strain > 0 && k < ELASTIC_STRAINS; k++) {
        char *name =
            xasprintf ("elastic, strain %d of %d", k + 1, ELASTIC_STRAINS);
        struct frame *frame = add_cell (cells, crystal, name, err);
        double voigt[6];

        if (!frame)
            return -1;
        elastic_strain (k, r->strain, voigt);
        structure_strain (frame, voigt);
    }
    return 0;
}

/* What one atom less costs is defined by the crystal alone where all atoms are
 * of one element.
 */
static int check_element (const struct frame *crystal, int64_t atom,
                          struct error *err)
{
    if (atom > (int64_t)crystal->n_atoms)
        return error_set (err,
                          "atom: there is no atom %" PRId64
                          ", there are %zu; write one of these",
                          atom, crystal->n_atoms);
    for (size_t i = 1; i < crystal->n_atoms; i++) {
        if (strcmp (crystal->symbols[i], crystal->symbols[0]) != 0)
            return error_set (err,
                              "it holds %s and %s, and where an atom of a "
                              "compound goes is not said; ask for vacancies "
                              "of elements",
                              crystal->symbols[0], crystal->symbols[i]);
    }
    return 0;
}

static int make_vacancy (const struct property_request *r, struct frame *frame,
                         struct error *err)
{
    const struct construction *c = &r->supercell;
    size_t atom = (size_t)r->atom - 1;
    int64_t rows[9];

    memcpy (rows, c->rows, sizeof (rows));
    if (check_element (frame, r->atom, err) < 0
        || (c->most_atoms > 0
            && supercell_choose (frame, c->most_atoms, false, rows, err) < 0)
        || supercell_make (frame, rows, frame, err) < 0)
        return -1;
    if (frame->n_atoms < 2)
        return error_set (err, "no atom is left; write a larger supercell");
    vacancy_make (frame, atom);
    return 0;
}

static int add_defects (const struct property_request *r,
                        const struct frame *crystal,
                        struct property_cells *cells, struct error *err)
{
    struct frame *frame = NULL;

    if (r->atom > 0
        && (!(frame = add_cell (cells, crystal, xstrdup ("vacancy"), err))
            || make_vacancy (r, frame, err) < 0))
        return error_prefix (err, "vacancy");
    for (size_t i = 0; i < r->n_surfaces; i++) {
        const struct surface_cut *cut = &r->surfaces[i];
        char *name = surface_name (cut);

        if (!(frame = add_cell (cells, crystal, name, err))
            || surface_make (frame, cut, frame, err) < 0)
            return error_prefix (err, "%s", name);
    }
    return 0;
}

int property_cells_make (const struct property_request *r,
                         const struct frame *crystal,
                         struct property_cells *cells, struct error *err)
{
    if (add_curve (r, crystal, cells, err) < 0
        || add_strained (r, crystal, cells, err) < 0)
        return -1;
    return add_defects (r, crystal, cells, err);
}

void property_cells_release (struct property_cells *cells)
{
    for (size_t i = 0; i < cells->n; i++) {
        free (cells->v[i].name);
        frame_release (&cells->v[i].frame);
    }
    free (cells->v);
    *cells = (struct property_cells){ 0 };
}

/* --- what follows --- */

/* What is known of one crystal, on its way; 'at' is the next cell. */
struct fold {
    const struct property_request *r;
    const struct frame *crystal;
    const struct cell_result *at_rest;
    const struct property_cells *cells;
    const struct cell_result *results;
    size_t at;
    struct json *values;
};

static void set (struct fold *f, const char *name, double value)
{
    json_set (f->values, name,
              isfinite (value) ? json_real (value) : json_null ());
}

static int fold_curve (struct fold *f, struct json *curve, struct error *err)
{
    size_t n = (size_t)f->r->points;
    double per_atom = 1 / (double)f->crystal->n_atoms;
    _cleanup_free_ double *numbers = xcalloc (2 * n, sizeof (*numbers));
    double *volumes = numbers, *energies = numbers + n;
    struct json *lists[2] = { json_array (), json_array () };
    struct equation_of_state fit;

    json_set (curve, "volume", lists[0]);
    json_set (curve, "energy", lists[1]);
    for (size_t i = 0; i < n; i++, f->at++) {
        volumes[i] = fabs (frame_volume (&f->cells->v[f->at].frame)) * per_atom;
        energies[i] = f->results[f->at].energy_eV * per_atom;
        json_push (lists[0], json_real (volumes[i]));
        json_push (lists[1], json_real (energies[i]));
    }
    if (equation_of_state_fit (volumes, energies, n, &fit, err) < 0)
        return error_prefix (err, "curve");
    set (f, "e0", fit.energy_eV);
    set (f, "v0", fit.volume_A3);
    set (f, "b0", fit.bulk_modulus_GPa);
    set (f, "b0_slope", fit.slope);
    return 0;
}

static int fold_elastic (struct fold *f, struct error *err)
{
    double stresses[ELASTIC_STRAINS][6], c[36];
    struct elastic_moduli moduli;

    for (int k = 0; k < ELASTIC_STRAINS; k++, f->at++)
        memcpy (stresses[k], f->results[f->at].stress_GPa,
                sizeof (stresses[k]));
    if (elastic_constants (stresses, f->r->strain, c, err) < 0)
        return error_prefix (err, "elastic");
    for (int i = 0; i < 36; i++) {
        const char name[] = { 'c', (char)('1' + i / 6), (char)('1' + i % 6),
                              '\0' };

        if (i / 6 <= i % 6)
            set (f, name, c[i]);
    }
    moduli = elastic_moduli_of (c);
    set (f, "hill_bulk_modulus", moduli.bulk_GPa);
    set (f, "hill_shear_modulus", moduli.shear_GPa);
    set (f, "least_eigenvalue", moduli.least_GPa);
    return 0;
}

/* What the cell has more than as many atoms of the crystal. */
static double excess (struct fold *f)
{
    size_t n = f->cells->v[f->at].frame.n_atoms;

    return f->results[f->at++].energy_eV
           - f->at_rest->energy_eV * (double)n / (double)f->crystal->n_atoms;
}

/* Of both faces. */
static double area (const struct frame *slab)
{
    const double *a = slab->cell, *b = slab->cell + 3;

    return 2
           * sqrt (pow (a[1] * b[2] - a[2] * b[1], 2)
                   + pow (a[2] * b[0] - a[0] * b[2], 2)
                   + pow (a[0] * b[1] - a[1] * b[0], 2));
}

static void fold_defects (struct fold *f)
{
    if (f->r->atom > 0)
        set (f, "vacancy", excess (f));
    for (size_t i = 0; i < f->r->n_surfaces; i++) {
        _cleanup_free_ char *name = surface_name (&f->r->surfaces[i]);
        double A2 = area (&f->cells->v[f->at].frame);

        set (f, name, excess (f) / A2 * J_m2_per_eV_A2);
    }
}

int property_values (const struct property_request *r,
                     const struct frame *crystal,
                     const struct cell_result *at_rest,
                     const struct property_cells *cells,
                     const struct cell_result *results, struct json *values,
                     struct json *curve, struct error *err)
{
    struct fold f = { r, crystal, at_rest, cells, results, 0, values };
    double n = (double)crystal->n_atoms;

    set (&f, "energy", at_rest->energy_eV / n);
    set (&f, "volume", fabs (frame_volume (crystal)) / n);
    if (r->points > 0 && fold_curve (&f, curve, err) < 0)
        return -1;
    if (r->strain > 0 && fold_elastic (&f, err) < 0)
        return -1;
    fold_defects (&f);
    return 0;
}
