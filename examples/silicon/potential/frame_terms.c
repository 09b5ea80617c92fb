/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_terms.c - energy and forces of a whole periodic frame */
#include <stdlib.h>
#include <string.h>

#include "frame_terms.h"
#include "periodic_search.h"
#include "problem.h"

/* One atom's features and their gradients, reused from atom to atom. */
struct atom_terms {
    double *features;
    double *gradients;
    size_t bond_capacity;
};

static int atom_terms_fit (struct atom_terms *atom, size_t bonds, size_t count)
{
    double *gradients;

    if (bonds <= atom->bond_capacity)
        return 0;
    gradients =
        reallocarray (atom->gradients, bonds, 3 * count * sizeof (double));
    if (!gradients)
        return -1;
    atom->gradients = gradients;
    atom->bond_capacity = bonds;
    return 0;
}

/* Spread the atom's fixed gradient: it pulls at the neighbour and, by
 * Newton's third law, at the atom itself.
 */
static void spread_fixed (const struct bond *bond, size_t i, double *forces)
{
    for (size_t axis = 0; axis < 3; axis++) {
        forces[3 * bond->atom + axis] -= bond->gradient[axis];
        forces[3 * i + axis] += bond->gradient[axis];
    }
}

static void spread_rows (const double *gradients, size_t count, size_t i,
                         size_t j, double *rows)
{
    for (size_t axis = 0; axis < 3; axis++) {
        const double *gradient = gradients + axis * count;
        double *mine = rows + (3 * i + axis) * count;
        double *other = rows + (3 * j + axis) * count;

        for (size_t k = 0; k < count; k++) {
            other[k] -= gradient[k];
            mine[k] += gradient[k];
        }
    }
}

static void add_atom (struct frame_terms *terms,
                      const struct descriptor *descriptor, size_t i,
                      struct neighbourhood *around, struct atom_terms *atom)
{
    size_t count = descriptor->feature_count;

    terms->fixed_energy_eV += descriptor_features (
        descriptor, around, atom->features, atom->gradients);
    for (size_t k = 0; k < count; k++)
        terms->energy_row[k] += atom->features[k];
    for (size_t b = 0; b < around->count; b++) {
        const struct bond *bond = &around->bonds[b];

        spread_fixed (bond, i, terms->fixed_forces);
        spread_rows (atom->gradients + 3 * b * count, count, i, bond->atom,
                     terms->force_rows);
    }
}

static int add_atoms (struct frame_terms *terms,
                      const struct descriptor *descriptor,
                      const struct periodic_search *search,
                      struct problem *problem)
{
    size_t count = descriptor->feature_count;
    struct neighbourhood around = NEIGHBOURHOOD_INIT;
    struct atom_terms atom = { calloc (count, sizeof (double)), NULL, 0 };
    int rc = -1;

    for (size_t i = 0; i < search->frame->atom_count; i++) {
        if (periodic_search_run (search, i, &around, problem) < 0)
            goto done;
        if (!atom.features || atom_terms_fit (&atom, around.count, count) < 0) {
            problem_set (problem, "out of memory");
            goto done;
        }
        add_atom (terms, descriptor, i, &around, &atom);
    }
    rc = 0;
done:
    neighbourhood_release (&around);
    free (atom.features);
    free (atom.gradients);
    return rc;
}

int frame_terms_init (struct frame_terms *terms,
                      const struct descriptor *descriptor,
                      const struct frame *frame, struct problem *problem)
{
    size_t count = descriptor->feature_count;
    size_t rows = 3 * frame->atom_count;
    struct periodic_search search;
    struct frame_terms fresh = { 0 };

    if (periodic_search_init (&search, frame, descriptor->settings.cutoff_A,
                              problem)
        < 0)
        return -1;
    fresh.energy_row = calloc (count, sizeof (double));
    fresh.force_rows = calloc (rows, count * sizeof (double));
    fresh.fixed_forces = calloc (rows, sizeof (double));
    if (!fresh.energy_row || !fresh.force_rows || !fresh.fixed_forces) {
        problem_set (problem, "out of memory");
        goto failed;
    }
    if (add_atoms (&fresh, descriptor, &search, problem) < 0)
        goto failed;
    *terms = fresh;
    return 0;
failed:
    frame_terms_release (&fresh);
    return -1;
}

void frame_terms_release (struct frame_terms *terms)
{
    free (terms->energy_row);
    free (terms->force_rows);
    free (terms->fixed_forces);
    *terms = (struct frame_terms){ 0 };
}

int frame_predict (const struct linear_model *model, const struct frame *frame,
                   double *energy_eV, double (*forces)[3],
                   struct problem *problem)
{
    struct neighbourhood around = NEIGHBOURHOOD_INIT;
    struct periodic_search search;
    double energy = 0;
    int rc = -1;

    if (periodic_search_init (&search, frame,
                              model->descriptor.settings.cutoff_A, problem)
        < 0)
        return -1;
    memset (forces, 0, frame->atom_count * sizeof *forces);
    for (size_t i = 0; i < frame->atom_count; i++) {
        if (periodic_search_run (&search, i, &around, problem) < 0)
            goto done;
        energy += descriptor_energy (&model->descriptor, model->coefficients,
                                     &around);
        for (size_t b = 0; b < around.count; b++)
            spread_fixed (&around.bonds[b], i, &forces[0][0]);
    }
    *energy_eV = energy;
    rc = 0;
done:
    neighbourhood_release (&around);
    return rc;
}
