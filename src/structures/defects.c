/* SPDX-License-Identifier: BSD-3-Clause */
/* defects.c - atoms taken out, exchanged and put in, at random */
#include "base/base.h"

#include "selection/geometry/geometry.h"
#include "structures/deform.h"
#include "structures/defects.h"
#include "base/random_stream.h"

/* --- vacancies --- */

/* Those that are marked. */
static void take_out (struct frame *frame, const bool *out)
{
    size_t n = 0;

    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (out[i])
            continue;
        memmove (frame->symbols[n], frame->symbols[i], SYMBOL_SIZE);
        memmove (frame->positions + 3 * n, frame->positions + 3 * i,
                 3 * sizeof (*frame->positions));
        n++;
    }
    frame->n_atoms = n;
}

int vacancies_make (struct frame *frame, int64_t wanted,
                    struct random_stream *random, struct error *err)
{
    size_t n = frame->n_atoms, k = (size_t)wanted;
    _cleanup_free_ size_t *atoms = xcalloc (n, sizeof (*atoms));
    _cleanup_free_ bool *out = xcalloc (n, sizeof (*out));

    if (k >= n)
        return error_set (err,
                          "vacancies: there are %zu atoms, and %zu are to be "
                          "taken out; write fewer, or a larger supercell",
                          n, k);
    for (size_t i = 0; i < n; i++)
        atoms[i] = i;
    random_choose (random, atoms, n, k);
    for (size_t i = 0; i < k; i++)
        out[atoms[i]] = true;
    take_out (frame, out);
    return 0;
}

void vacancy_make (struct frame *frame, size_t atom)
{
    _cleanup_free_ bool *out = xcalloc (frame->n_atoms, sizeof (*out));

    out[atom] = true;
    take_out (frame, out);
}

/* --- exchanges --- */

/* The atoms of an element for which there is room; how many. */
static size_t atoms_of_element (const struct frame *frame, const char *symbol,
                                size_t *atoms)
{
    size_t n = 0;

    for (size_t i = 0; i < frame->n_atoms; i++) {
        if (strcmp (frame->symbols[i], symbol) == 0)
            atoms[n++] = i;
    }
    return n;
}

/* How many of n atoms; -1 with 'err'. */
static int64_t whole_number (const struct exchange *e, size_t n,
                             struct error *err)
{
    double exact = e->share * (double)n, whole = round (exact);

    if (n == 0)
        error_set (err, "substitute: there is no %s; name an element that is",
                   e->of);
    else if (!(fabs (exact - whole) <= EXCHANGE_TOLERANCE) || whole < 1)
        error_set (err,
                   "substitute: %g of %zu atoms of %s is %.4g, no whole "
                   "number of them; write %.5g (%.0f of %s), or another "
                   "supercell",
                   e->share, n, e->of, exact, fmax (whole, 1) / (double)n,
                   fmax (whole, 1), e->by);
    else
        return (int64_t)whole;
    return -1;
}

/* 'from' atoms of the element are exchanged already. */
static int exchange_some (struct frame *frame, const struct exchange *e,
                          const size_t *atoms, size_t n, size_t *from,
                          struct error *err)
{
    int64_t k = whole_number (e, n, err);

    if (k < 0)
        return -1;
    if (*from + (size_t)k > n)
        return error_set (err,
                          "substitute: the shares of %s are more than all of "
                          "it; write less",
                          e->of);
    for (int64_t i = 0; i < k; i++)
        memcpy (frame->symbols[atoms[(*from)++]], e->by, SYMBOL_SIZE);
    return 0;
}

int exchanges_make (struct frame *frame, const struct exchange *list, size_t n,
                    struct random_stream *random, struct error *err)
{
    _cleanup_free_ size_t *atoms = xcalloc (frame->n_atoms, sizeof (*atoms));
    struct frame before = FRAME_INIT;
    size_t n_atoms = 0, from = 0;
    int rc = structure_copy (frame, 0, &before, err);

    for (size_t i = 0; rc == 0 && i < n; i++) {
        if (i == 0 || strcmp (list[i].of, list[i - 1].of) != 0) {
            n_atoms = atoms_of_element (&before, list[i].of, atoms);
            random_choose (random, atoms, n_atoms, n_atoms);
            from = 0;
        }
        rc = exchange_some (frame, &list[i], atoms, n_atoms, &from, err);
    }
    frame_release (&before);
    return rc;
}

/* --- interstitials --- */

static bool take_nearest (size_t a, size_t b, double squared, void *arg)
{
    double *nearest = arg;

    (void)a;
    (void)b;
    *nearest = fmin (*nearest, squared);
    return false;
}

/* How far the last atom is from the nearest other one, up to 6 A. */
static double room_of_last (const struct frame *frame)
{
    const double reach = 6;
    const struct geometry geometry = { .n_atoms = frame->n_atoms,
                                       .positions = frame->positions,
                                       .cell = frame->cell,
                                       .periodic = frame->periodic };
    double nearest = reach * reach;

    geometry_each_neighbour (&geometry, frame->n_atoms - 1, reach, take_nearest,
                             &nearest);
    return nearest;
}

static void put_in (struct frame *frame, const char *symbol,
                    struct random_stream *random)
{
    double *at = frame->positions + 3 * frame->n_atoms;
    double best[3] = { 0, 0, 0 }, most = -1;

    memcpy (frame->symbols[frame->n_atoms++], symbol, SYMBOL_SIZE);
    for (int place = 0; place < INTERSTITIAL_PLACES; place++) {
        double fractions[3], room;

        for (int k = 0; k < 3; k++)
            fractions[k] = random_uniform (random);
        row_times (fractions, frame->cell, at);
        room = room_of_last (frame);
        if (room > most) {
            most = room;
            memcpy (best, at, sizeof (best));
        }
    }
    memcpy (at, best, sizeof (best));
}

int interstitials_make (struct frame *frame, const struct atoms_of *wanted,
                        struct random_stream *random, struct error *err)
{
    if (frame_volume (frame) == 0)
        return error_set (err, "interstitials: it has no cell to put atoms "
                               "into; write one with a volume");
    for (int64_t i = 0; i < wanted->n; i++)
        put_in (frame, wanted->symbol, random);
    return 0;
}
