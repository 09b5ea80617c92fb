/* SPDX-License-Identifier: BSD-3-Clause */
/* fingerprint.c - numbers by which structures can be told apart */
#include "base/base.h"

#include "selection/geometry/fingerprint.h"
#include "selection/geometry/geometry.h"

static const double cutoff = 6;       /* A */
static const double first_shell = 1;  /* A */
static const double shell_width = .5; /* A */
static const double eta = 2;          /* 1/A^2 */

struct sums {
    const size_t *element;
    size_t n_elements;
    double *out;
};

size_t fingerprint_size (size_t n_elements)
{
    return n_elements * (n_elements + 1) / 2 * FINGERPRINT_SHELLS;
}

/* The number of the pair of elements a <= b. */
static size_t pair_number (size_t a, size_t b)
{
    return b * (b + 1) / 2 + a;
}

static bool add_pair (size_t a, size_t b, double squared, void *arg)
{
    struct sums *sums = arg;
    size_t p = sums->element[a], q = sums->element[b];
    double r = sqrt (squared), weight = (cos (M_PI * r / cutoff) + 1) / 2, *out;

    if (p > q || p >= sums->n_elements || q >= sums->n_elements)
        return false; /* it comes the other way round, too */
    out = sums->out + pair_number (p, q) * FINGERPRINT_SHELLS;
    for (int k = 0; k < FINGERPRINT_SHELLS; k++) {
        double off = r - (first_shell + k * shell_width);

        out[k] += weight * exp (-eta * off * off);
    }
    return false;
}

void fingerprint (const struct geometry *geometry, const size_t *element,
                  size_t n_elements, double *out)
{
    struct sums sums = { element, n_elements, out };
    size_t size = fingerprint_size (n_elements);

    for (size_t i = 0; i < size; i++)
        out[i] = 0;
    geometry_each_pair (geometry, cutoff, add_pair, &sums);
    for (size_t i = 0; geometry->n_atoms > 0 && i < size; i++)
        out[i] /= (double)geometry->n_atoms;
}

static double distance (const double *a, const double *b, size_t size)
{
    double squared = 0;

    for (size_t i = 0; i < size; i++)
        squared += (a[i] - b[i]) * (a[i] - b[i]);
    return squared;
}

size_t farthest_points (const double *points, size_t n, size_t size,
                        size_t quota, size_t *chosen)
{
    _cleanup_free_ double *nearest = xcalloc (n, sizeof (*nearest));
    size_t wanted = quota < n ? quota : n, last = 0;

    for (size_t i = 0; i < n; i++)
        nearest[i] = INFINITY;
    for (size_t k = 0; k < wanted; k++) {
        size_t farthest = 0;

        chosen[k] = last;
        for (size_t i = 0; i < n; i++) {
            double d = distance (points + i * size, points + last * size, size);

            nearest[i] = d < nearest[i] ? d : nearest[i];
        }
        nearest[last] = -1; /* not twice */
        for (size_t i = 1; i < n; i++) {
            if (nearest[i] > nearest[farthest])
                farthest = i;
        }
        last = farthest;
    }
    return wanted;
}
