/* SPDX-License-Identifier: BSD-3-Clause */
/* construction.c - what is made of each structure */
#include "base/base.h"

#include "base/json.h"
#include "structures/construction.h"
#include "structures/deform.h"
#include "structures/supercell.h"

/* --- numbers --- */

/* A list of so many whole numbers from -most to most. */
static int read_integers (const struct json *v, size_t n, int64_t most,
                          int64_t *out)
{
    if (json_kind (v) != JSON_KIND_ARRAY || json_count (v) != n)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct json *item = json_at (v, i);

        out[i] = json_as_int (item);
        if (json_kind (item) != JSON_KIND_INT || out[i] < -most
            || out[i] > most)
            return -1;
    }
    return 0;
}

static int check_range (const char *name, double value, double low, double high,
                        struct error *err)
{
    return value >= low && value <= high
               ? 0
               : error_set (err, "%s: %g; write a number from %g to %g", name,
                            value, low, high);
}

/* --- surface --- */

static int check_miller (const int64_t m[3], struct error *err)
{
    int64_t divisor = greatest_divisor (greatest_divisor (m[0], m[1]), m[2]);

    if (divisor == 0)
        return error_set (err, "surface: miller: [0, 0, 0] is no plane; write "
                               "its indices, [1, 1, 1]");
    if (divisor > 1)
        return error_set (
            err,
            "surface: miller: all indices are multiples of "
            "%" PRId64 "; write [%" PRId64 ", %" PRId64 ", %" PRId64 "]",
            divisor, m[0] / divisor, m[1] / divisor, m[2] / divisor);
    return 0;
}

static int read_surface (const struct json *v, struct construction *c,
                         struct error *err)
{
    struct surface_cut *cut = &c->surface;

    if (read_integers (json_get (v, "miller"), 3, MILLER_MAX, cut->miller) < 0)
        return error_set (err,
                          "surface: miller: expected three whole numbers up "
                          "to %d; write [1, 1, 1]",
                          MILLER_MAX);
    cut->layers = json_get_int (v, "layers");
    cut->vacuum_A = json_get_double (v, "vacuum");
    if (check_range ("surface: layers", (double)cut->layers, 1, LAYERS_MAX, err)
            < 0
        || check_range ("surface: vacuum", cut->vacuum_A, 1, 1000, err) < 0)
        return -1;
    return check_miller (cut->miller, err);
}

/* --- supercell --- */

static int read_rows (const struct json *v, int64_t rows[9])
{
    int64_t n[3];

    if (read_integers (v, 3, SUPERCELL_ROW_MAX, n) == 0) {
        for (int k = 0; k < 3; k++)
            rows[4 * k] = n[k];
        return n[0] > 0 && n[1] > 0 && n[2] > 0 ? 0 : -1;
    }
    for (size_t k = 0; k < 3; k++) {
        if (read_integers (json_at (v, k), 3, SUPERCELL_ROW_MAX, rows + 3 * k)
            < 0)
            return -1;
    }
    return json_count (v) == 3 ? 0 : -1;
}

static int read_supercell (const struct json *v, struct construction *c,
                           struct error *err)
{
    int64_t determinant;

    c->repeats = true;
    if (json_count (v) == 1 && json_get (v, "atoms")) {
        c->most_atoms = json_get_int (v, "atoms");
        return check_range ("supercell: atoms", (double)c->most_atoms, 1,
                            STRUCTURE_ATOMS_MAX, err);
    }
    if (read_rows (v, c->rows) < 0)
        return error_set (
            err,
            "supercell: expected [2, 2, 2], three rows of three whole numbers "
            "up to %d, or {atoms: N} of at most N atoms; write one of these",
            SUPERCELL_ROW_MAX);
    determinant = supercell_determinant (c->rows);
    if (determinant > 0)
        return 0;
    return determinant == 0
               ? error_set (err, "supercell: its rows span no volume; write "
                                 "three that are independent")
               : error_set (err, "supercell: its rows make a left-handed "
                                 "cell; swap two of them");
}

/* --- defects, but for those of construction_elements.c --- */

static int read_vacancies (const struct json *v, struct construction *c,
                           struct error *err)
{
    c->vacancies = json_as_int (v);
    return check_range ("vacancies", (double)c->vacancies, 1,
                        STRUCTURE_ATOMS_MAX, err);
}

static int read_draws (const struct json *v, struct construction *c,
                       struct error *err)
{
    c->draws = json_as_int (v);
    return check_range ("draws", (double)c->draws, 1, CONSTRUCTION_FRAMES_MAX,
                        err);
}

/* --- scale, strain, displace --- */

static int read_scale (const struct json *v, struct construction *c,
                       struct error *err)
{
    c->n_scales = json_count (v);
    c->scales = xcalloc (c->n_scales, sizeof (*c->scales));
    for (size_t i = 0; i < c->n_scales; i++) {
        c->scales[i] = json_as_double (json_at (v, i));
        if (check_range ("scale", c->scales[i], 0.1, 10, err) < 0)
            return -1;
    }
    return c->n_scales > 0 ? 0
                           : error_set (err, "scale: there is none; write "
                                             "[0.96, 1, 1.04]");
}

/* All principal minors are positive: nothing is turned inside out. */
static bool is_small (const double voigt[6])
{
    double matrix[9];

    strain_matrix (voigt, matrix);
    return matrix[0] > 0 && matrix[0] * matrix[4] > matrix[1] * matrix[1]
           && cell_volume (matrix) > 0;
}

static int add_strain (struct construction *c, const double voigt[6],
                       struct error *err)
{
    if (!is_small (voigt))
        return error_set (err,
                          "strain[%zu]: it would turn the cell inside out; "
                          "write strains of a few hundredths",
                          c->n_strains);
    c->strains =
        xreallocarray (c->strains, c->n_strains + 1, sizeof (*c->strains));
    memcpy (c->strains[c->n_strains++], voigt, sizeof (*c->strains));
    return 0;
}

/* The six that elastic constants are had from, of one size. */
static int add_elastic (struct construction *c, const struct json *size,
                        struct error *err)
{
    int rc = 0;

    if (json_as_double (size) == 0)
        return error_set (err, "strain: elastic: expected the size of the six "
                               "strains; write 0.01, or [-0.01, 0.01]");
    for (int i = 0; rc == 0 && i < 6; i++) {
        double voigt[6] = { 0 };

        voigt[i] = json_as_double (size);
        rc = add_strain (c, voigt, err);
    }
    return rc;
}

static int add_voigt (struct construction *c, const struct json *v,
                      struct error *err)
{
    double voigt[6];
    bool good = json_kind (v) == JSON_KIND_ARRAY && json_count (v) == 6;

    for (size_t i = 0; good && i < 6; i++) {
        good = json_is_number (json_at (v, i));
        voigt[i] = json_as_double (json_at (v, i));
    }
    return good ? add_strain (c, voigt, err)
                : error_set (err,
                             "strain[%zu]: expected six numbers, xx yy zz yz "
                             "xz xy; write [[0.01, 0, 0, 0, 0, 0]], or "
                             "{elastic: 0.01}",
                             c->n_strains);
}

/* One strain, a list of them, or {elastic: of one size, or of several}. */
static int read_strain (const struct json *v, struct construction *c,
                        struct error *err)
{
    const struct json *elastic =
        json_count (v) == 1 ? json_get (v, "elastic") : NULL;
    const struct json *list = elastic ? elastic : v;
    int rc = 0;

    if (json_kind (list) != JSON_KIND_ARRAY || json_count (list) == 0
        || (!elastic && json_is_number (json_at (list, 0))))
        return elastic ? add_elastic (c, elastic, err) : add_voigt (c, v, err);
    for (size_t i = 0; rc == 0 && i < json_count (list); i++)
        rc = elastic ? add_elastic (c, json_at (list, i), err)
                     : add_voigt (c, json_at (list, i), err);
    return rc;
}

static int read_displace (const struct json *v, struct construction *c,
                          struct error *err)
{
    c->sigma_A = json_get_double (v, "sigma");
    c->displacements = json_get_int (v, "count");
    if (check_range ("displace: sigma", c->sigma_A, 1e-4, 2, err) < 0)
        return -1;
    return check_range ("displace: count", (double)c->displacements, 1,
                        CONSTRUCTION_FRAMES_MAX, err);
}

static int read_least_distance (const struct json *v, struct construction *c,
                                struct error *err)
{
    c->least_distance_A = json_as_double (v);
    return check_range ("least_distance", c->least_distance_A, 0.01, 10, err);
}

static int read_seed (const struct json *v, struct construction *c,
                      struct error *err)
{
    (void)err;
    c->seed = json_as_int (v);
    return 0;
}

/* --- all of it --- */

static const struct {
    const char *name;
    int (*read) (const struct json *v, struct construction *c,
                 struct error *err);
} readers[] = {
    { "surface", read_surface },
    { "supercell", read_supercell },
    { "vacancies", read_vacancies },
    { "substitute", construction_read_exchanges },
    { "interstitials", construction_read_interstitials },
    { "draws", read_draws },
    { "scale", read_scale },
    { "strain", read_strain },
    { "displace", read_displace },
    { "least_distance", read_least_distance },
    { "seed", read_seed },
};

int construction_read_input (const char *name, const struct json *inputs,
                             struct construction *c, struct error *err)
{
    const struct json *v = json_get (inputs, name);

    c->elements = json_get (inputs, "elements");
    for (size_t i = 0; !json_is_null (v) && i < ARRAY_SIZE (readers); i++) {
        if (strcmp (readers[i].name, name) == 0)
            return readers[i].read (v, c, err);
    }
    return 0;
}

/* A surface is repeated along itself only; draws are of something. */
static int check_together (const struct construction *c, struct error *err)
{
    const int64_t *rows = c->rows;

    if (c->surface.layers > 0 && c->repeats && c->most_atoms == 0
        && (rows[2] || rows[5] || rows[6] || rows[7] || rows[8] != 1))
        return error_set (err, "supercell: it would repeat the vacuum above "
                               "the surface; write [3, 3, 1], and more layers");
    if (c->draws > 1 && c->vacancies == 0 && c->n_exchanges == 0
        && c->n_interstitials == 0)
        return error_set (err, "draws: nothing is drawn; write vacancies, "
                               "substitute or interstitials, or take it out");
    if (construction_variants (c) > CONSTRUCTION_FRAMES_MAX)
        return error_set (err,
                          "%.0f frames would be made of each structure, and "
                          "%d are the most in all; write fewer values",
                          construction_variants (c), CONSTRUCTION_FRAMES_MAX);
    return 0;
}

int construction_read (const struct json *inputs, struct construction *c,
                       struct error *err)
{
    for (size_t i = 0; i < ARRAY_SIZE (readers); i++) {
        if (construction_read_input (readers[i].name, inputs, c, err) < 0)
            return -1;
    }
    if (!c->scales) {
        c->scales = xcalloc (1, sizeof (*c->scales));
        c->scales[c->n_scales++] = 1;
    }
    return check_together (c, err);
}

void construction_release (struct construction *c)
{
    free (c->exchanges);
    free (c->interstitials);
    free (c->scales);
    free (c->strains);
}

double construction_variants (const struct construction *c)
{
    return (double)c->draws * (double)c->n_scales
           * fmax ((double)c->n_strains, 1)
           * fmax ((double)c->displacements, 1);
}
