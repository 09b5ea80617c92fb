/* SPDX-License-Identifier: BSD-3-Clause */
/* likeness.c - are members of a committee one model by different names? */
#include "base/base.h"

#include "selection/deviations/likeness.h"

void likeness_init (struct likeness *likeness, size_t n_models)
{
    size_t n_pairs = n_models * (n_models - (n_models > 0)) / 2;

    likeness->n_models = n_models;
    likeness->n_words = n_pairs + 1;
    likeness->words = xcalloc (likeness->n_words, sizeof (uint64_t));
}

void likeness_release (struct likeness *likeness)
{
    free (likeness->words);
    *likeness = (struct likeness){ 0 };
}

void likeness_reset (struct likeness *likeness)
{
    memset (likeness->words, 0, likeness->n_words * sizeof (uint64_t));
}

static bool any_force (const double *forces, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (fabs (forces[i]) > LIKENESS_AT_REST)
            return true;
    }
    return false;
}

/* Pairs in the order of (0, 1), (0, 2), (1, 2), (0, 3), ...: once two differ
 * they are not compared again.
 */
void likeness_add (struct likeness *likeness, const double *const *forces,
                   size_t n)
{
    uint64_t *differ = likeness->words;
    uint64_t *saw_forces = &likeness->words[likeness->n_words - 1];

    for (size_t b = 1; b < likeness->n_models; b++) {
        for (size_t a = 0; a < b; a++, differ++) {
            if (!*differ)
                *differ =
                    memcmp (forces[a], forces[b], n * sizeof (double)) != 0;
        }
    }
    if (!*saw_forces && likeness->n_models > 0)
        *saw_forces = any_force (forces[0], n);
}

bool likeness_saw_forces (const struct likeness *likeness)
{
    return likeness->words[likeness->n_words - 1] > 0;
}

bool likeness_find (const struct likeness *likeness, size_t *a, size_t *b)
{
    const uint64_t *differ = likeness->words;

    if (!likeness_saw_forces (likeness))
        return false;
    for (*b = 1; *b < likeness->n_models; ++*b) {
        for (*a = 0; *a < *b; ++*a, differ++) {
            if (!*differ)
                return true;
        }
    }
    return false;
}
