/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.c - the surroundings of one atom, cut out of a structure */
#include "base/base.h"

#include "base/json.h"
#include "formats/element.h"
#include "selection/geometry/cluster.h"
#include "selection/geometry/geometry.h"
#include "selection/rules/rule_fields.h"

static const double bond_slack = 0.45; /* A */

static const struct rule_field fields[] = {
    RULE_FIELD (struct cluster_limits, cutoff, "cutoff", REAL, .above = true,
                .needed = true),
    RULE_FIELD (struct cluster_limits, hard, "hard", REAL, .above = true),
    RULE_FIELDS_END,
};

int cluster_limits_from_json (const struct json *v,
                              struct cluster_limits *limits, struct error *err)
{
    struct cluster_limits read = { .any = true, .hard = INFINITY };

    if (json_get (v, "minify"))
        return error_set (err, "minify is not offered: which of the bonds it "
                               "would cut are single cannot be told from "
                               "positions; write hard, or nothing, and "
                               "molecules are whole up to there");
    if (rules_read_only (v, fields, &read, err) < 0)
        return -1;
    if (read.hard < read.cutoff)
        return error_set (err, "hard: %g is below cutoff, which is %g",
                          read.hard, read.cutoff);
    *limits = read;
    return 0;
}

/* --- molecules --- */

/* Atoms that are bonded point, over others, to the same one. */
struct molecules {
    const double *radius;
    size_t *parent;
};

static size_t molecule_of (const struct molecules *molecules, size_t atom)
{
    while (molecules->parent[atom] != atom) {
        size_t *parent = &molecules->parent[atom];

        *parent = molecules->parent[*parent];
        atom = *parent;
    }
    return atom;
}

static bool bond (size_t a, size_t b, double squared, void *arg)
{
    struct molecules *molecules = arg;
    double reach = molecules->radius[a] + molecules->radius[b] + bond_slack;

    if (molecules->radius[a] > 0 && molecules->radius[b] > 0
        && squared < reach * reach)
        molecules->parent[molecule_of (molecules, a)] =
            molecule_of (molecules, b);
    return false;
}

static int find_molecules (const struct geometry *geometry,
                           const char (*symbols)[SYMBOL_SIZE],
                           struct molecules *molecules)
{
    double *radius = xcalloc (geometry->n_atoms, sizeof (*radius));
    double largest = 0;
    int rc;

    molecules->parent =
        xcalloc (geometry->n_atoms, sizeof (*molecules->parent));
    for (size_t i = 0; i < geometry->n_atoms; i++) {
        molecules->parent[i] = i;
        radius[i] = covalent_radius (symbols[i]);
        largest = fmax (largest, radius[i]);
    }
    molecules->radius = radius;
    rc = geometry_each_pair (geometry, 2 * largest + bond_slack, bond,
                             molecules);
    free (radius);
    molecules->radius = NULL;
    return rc < 0 ? -1 : 0;
}

/* --- what is near --- */

static bool note_distance (size_t a, size_t b, double squared, void *arg)
{
    double *nearest = arg;

    (void)a;
    nearest[b] = fmin (nearest[b], squared);
    return false;
}

/* The square of each atom's distance from the centre; INFINITY: beyond
 * 'reach'.  Caller frees.
 */
static double *distances (const struct geometry *geometry, size_t centre,
                          double reach)
{
    double *nearest = xcalloc (geometry->n_atoms, sizeof (*nearest));

    for (size_t i = 0; i < geometry->n_atoms; i++)
        nearest[i] = INFINITY;
    geometry_each_neighbour (geometry, centre, reach, note_distance, nearest);
    nearest[centre] = 0;
    return nearest;
}

size_t cluster_cut (const struct geometry *geometry,
                    const char (*symbols)[SYMBOL_SIZE], size_t centre,
                    const struct cluster_limits *limits, size_t *atoms,
                    double *positions)
{
    bool truncates = isfinite (limits->hard);
    double reach = truncates ? limits->hard : limits->cutoff, *nearest;
    struct molecules molecules = { NULL, NULL };
    bool *taken = xcalloc (geometry->n_atoms, sizeof (*taken));
    size_t n = 0;

    if (find_molecules (geometry, symbols, &molecules) == 0) {
        nearest = distances (geometry, centre, reach);
        for (size_t i = 0; i < geometry->n_atoms; i++) {
            if (nearest[i] < limits->cutoff * limits->cutoff)
                taken[molecule_of (&molecules, i)] = true;
        }
        for (size_t i = 0; i < geometry->n_atoms; i++) {
            if (taken[molecule_of (&molecules, i)]
                && (!truncates || nearest[i] < reach * reach))
                atoms[n++] = i;
        }
        geometry_nearest_images (geometry, centre, atoms, n, positions);
        free (nearest);
    }
    free (taken);
    free (molecules.parent);
    return n;
}
