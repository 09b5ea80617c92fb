/* SPDX-License-Identifier: BSD-3-Clause */
/* periodic_search.c - neighbours of an atom in a periodic cell of any shape */
#include <math.h>
#include <string.h>

#include "periodic_search.h"
#include "problem.h"

/* Atoms closer than this have collided or were written twice. */
static const double coincidence_A = 1e-3;

/* More copies of the cell than anything but a mistake needs. */
#define MAX_REACH 16

static double dot (const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross (const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Row k of the inverse is the reciprocal vector of lattice vector k; one over
 * its length is the distance between the cell's two faces it crosses.
 */
static void reciprocal (const double cell[3][3], int k, double out[3])
{
    double volume;

    cross (cell[(k + 1) % 3], cell[(k + 2) % 3], out);
    volume = dot (cell[k], out);
    for (int axis = 0; axis < 3; axis++)
        out[axis] /= volume;
}

int periodic_search_init (struct periodic_search *search,
                          const struct frame *frame, double cutoff_A,
                          struct problem *problem)
{
    struct periodic_search fresh = { .frame = frame, .cutoff_A = cutoff_A };

    for (int k = 0; k < 3; k++) {
        double *row = fresh.inverse[k], span;

        reciprocal (frame->cell, k, row);
        /* Fractions are folded into [-1/2, 1/2] first: hence the half. */
        span = cutoff_A * sqrt (dot (row, row)) + 0.5;
        if (!(span < MAX_REACH + 1))
            return problem_set (problem,
                                "%s:%zu: the cell is too thin for a cutoff "
                                "of %g A; use a larger cell",
                                frame->path, frame->line, cutoff_A);
        fresh.reach[k] = (int)span;
    }
    *search = fresh;
    return 0;
}

/* The vector from atom i to the image of atom j nearest in fractions. */
static void fold (const struct periodic_search *search, size_t i, size_t j,
                  double vector[3])
{
    const struct frame *frame = search->frame;
    double turns[3];

    for (int axis = 0; axis < 3; axis++)
        vector[axis] = frame->positions[j][axis] - frame->positions[i][axis];
    for (int k = 0; k < 3; k++)
        turns[k] = rint (dot (search->inverse[k], vector));
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++)
            vector[axis] -= turns[k] * frame->cell[k][axis];
    }
}

static int add_image (const struct periodic_search *search, size_t i, size_t j,
                      const double vector[3], struct neighbourhood *around,
                      struct problem *problem)
{
    double squared = dot (vector, vector);

    if (!(squared < search->cutoff_A * search->cutoff_A))
        return 0;
    if (squared < coincidence_A * coincidence_A)
        return problem_set (problem,
                            "%s:%zu: atoms %zu and %zu are at the same "
                            "place; leave the frame out",
                            search->frame->path, search->frame->line, i + 1,
                            j + 1);
    if (neighbourhood_add (around, j, vector) < 0)
        return problem_set (problem, "out of memory");
    return 0;
}

static int add_images (const struct periodic_search *search, size_t i, size_t j,
                       struct neighbourhood *around, struct problem *problem)
{
    const double (*cell)[3] = search->frame->cell;
    const int *reach = search->reach;
    double base[3], vector[3];

    fold (search, i, j, base);
    for (int a = -reach[0]; a <= reach[0]; a++) {
        for (int b = -reach[1]; b <= reach[1]; b++) {
            for (int c = -reach[2]; c <= reach[2]; c++) {
                if (i == j && a == 0 && b == 0 && c == 0)
                    continue;
                for (int axis = 0; axis < 3; axis++)
                    vector[axis] = base[axis] + a * cell[0][axis]
                                   + b * cell[1][axis] + c * cell[2][axis];
                if (add_image (search, i, j, vector, around, problem) < 0)
                    return -1;
            }
        }
    }
    return 0;
}

int periodic_search_run (const struct periodic_search *search, size_t i,
                         struct neighbourhood *around, struct problem *problem)
{
    around->count = 0;
    for (size_t j = 0; j < search->frame->atom_count; j++) {
        if (add_images (search, i, j, around, problem) < 0)
            return -1;
    }
    return 0;
}
