/* SPDX-License-Identifier: BSD-3-Clause */
/* closeness.c - how close atoms come, by how close they are where there are
 * labels
 */
#include "base/base.h"

#include "selection/dataset/closest_pairs.h"
#include "selection/geometry/geometry.h"
#include "selection/health/closeness.h"

static int compare_numbers (double a, double b)
{
    return (a > b) - (a < b);
}

int close_pair_compare (const struct close_pair *a, const struct close_pair *b)
{
    int rc = compare_numbers (a->ratio, b->ratio);

    if (rc == 0)
        rc = compare_numbers (a->step, b->step);
    if (rc == 0)
        rc = compare_numbers (a->pair, b->pair);
    return rc != 0 ? rc : compare_numbers (a->distance, b->distance);
}

/* --- labelled frames --- */

void closeness_init (struct closeness *closeness, size_t n_elements,
                     double part)
{
    *closeness = (struct closeness){
        .n = n_elements,
        .least = xcalloc (n_elements * n_elements, sizeof (double)),
        .part = part,
    };
    for (size_t i = 0; i < n_elements * n_elements; i++)
        closeness->least[i] = INFINITY;
}

void closeness_release (struct closeness *closeness)
{
    free (closeness->least);
    *closeness = (struct closeness){ 0 };
}

void closeness_take (struct closeness *closeness,
                     const struct closest_pairs *pairs,
                     const struct strvec *elements)
{
    size_t n = closeness->n;

    for (size_t i = 0; i < pairs->n; i++) {
        const struct closest_pair *pair = &pairs->v[i];
        size_t a = words_index (elements->v, n, pair->symbols[0]);
        size_t b = words_index (elements->v, n, pair->symbols[1]);

        if (a >= n || b >= n || pair->distance > CLOSEST_PAIRS_REACH)
            continue;
        closeness->least[a * n + b] = closeness->least[b * n + a] =
            fmin (closeness->least[a * n + b], pair->distance);
    }
}

void closeness_find_reach (struct closeness *closeness)
{
    closeness->reach = 0;
    for (size_t i = 0; i < closeness->n * closeness->n; i++) {
        if (isfinite (closeness->least[i]))
            closeness->reach =
                fmax (closeness->reach, closeness->part * closeness->least[i]);
    }
}

/* --- a frame --- */

struct looking {
    const struct closeness *closeness;
    const size_t *element;
    double step;
    struct close_pair *worst;
};

static bool take_pair (size_t a, size_t b, double squared, void *arg)
{
    const struct looking *looking = arg;
    size_t n = looking->closeness->n;
    size_t x = looking->element[a], y = looking->element[b];
    double distance = sqrt (squared), least;
    struct close_pair found;

    if (x >= n || y >= n)
        return false;
    least = looking->closeness->least[x * n + y];
    if (!isfinite (least) || distance >= looking->closeness->part * least)
        return false;
    found = (struct close_pair){
        .ratio = distance / least,
        .step = looking->step,
        .pair = (double)(x < y ? x * n + y : y * n + x),
        .distance = distance,
    };
    if (close_pair_compare (&found, looking->worst) < 0)
        *looking->worst = found;
    return false;
}

/* A cell without volume is that of atoms without images. */
static bool is_configuration (const struct geometry *geometry)
{
    double inverse[9], heights[3];

    if (!all_finite (geometry->positions, 3 * geometry->n_atoms)
        || !all_finite (geometry->cell, 9))
        return false;
    if (!geometry_invert_cell (geometry->cell, inverse, heights))
        return !geometry->periodic[0] && !geometry->periodic[1]
               && !geometry->periodic[2];
    return !geometry_is_flat (geometry, CLOSEST_PAIRS_HEIGHT);
}

/* How far to look: at least as far as is too close, and no less than gives some
 * BINS_AN_ATOM bins for each atom; else a molecule in a large box has a grid of
 * bins that are all empty.
 */
static double distance_to_look (const struct closeness *closeness,
                                const double heights[3], size_t n_atoms)
{
    enum { BINS_AN_ATOM = 8 };
    double volume = heights[0] * heights[1] * heights[2];
    double enough = cbrt (volume / (BINS_AN_ATOM * (double)n_atoms));

    return isfinite (enough) ? fmax (closeness->reach, enough)
                             : closeness->reach;
}

bool closeness_look (const struct closeness *closeness,
                     const struct geometry *geometry, const size_t *element,
                     int64_t step, struct close_pair *worst)
{
    struct looking looking = { closeness, element, (double)step, worst };
    double cell[9], inverse[9], heights[3];
    struct geometry whole = *geometry;

    if (!is_configuration (geometry))
        return false;
    if (geometry->n_atoms == 0 || closeness->reach == 0)
        return true;
    if (!geometry_invert_cell (geometry->cell, inverse, heights)) {
        geometry_isolate (&whole, cell);
        geometry_invert_cell (cell, inverse, heights);
    }
    geometry_each_pair (&whole,
                        distance_to_look (closeness, heights, whole.n_atoms),
                        take_pair, &looking);
    return true;
}
