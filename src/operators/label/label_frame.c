/* SPDX-License-Identifier: BSD-3-Clause */
/* label_frame.c - are labels those of what was sent? */
#include "base/base.h"

#include "formats/frame.h"
#include "operators/label/label_kit.h"

/* --- atoms of one element together --- */

int label_by_element (const struct frame *frame, struct frame *sorted,
                      size_t **order, struct error *err)
{
    size_t *o;

    if (frame_resize (sorted, frame->n_atoms, false, err) < 0)
        return -1;
    o = xcalloc (frame->n_atoms, sizeof (*o));
    frame_order_by_element (frame, o);
    memcpy (sorted->cell, frame->cell, sizeof (frame->cell));
    memcpy (sorted->periodic, frame->periodic, sizeof (frame->periodic));
    for (size_t i = 0; i < frame->n_atoms; i++) {
        memcpy (sorted->symbols[i], frame->symbols[o[i]], SYMBOL_SIZE);
        memcpy (sorted->positions + 3 * i, frame->positions + 3 * o[i],
                3 * sizeof (double));
    }
    *order = o;
    return 0;
}

/* --- the same atoms, in the same places --- */

static int compare_symbols (const char *code, const struct frame *sent,
                            const struct frame *labels, struct error *err)
{
    if (labels->n_atoms != sent->n_atoms)
        return error_set (err, "%s computed %zu atoms, and %zu were sent", code,
                          labels->n_atoms, sent->n_atoms);
    for (size_t i = 0; i < sent->n_atoms; i++) {
        if (strcmp (sent->symbols[i], labels->symbols[i]) != 0)
            return error_set (
                err, "atom %zu: %s computed '%s', and '%s' was sent", i + 1,
                code, labels->symbols[i], sent->symbols[i]);
    }
    return 0;
}

static bool is_near (const double *a, const double *b, double tolerance)
{
    for (int i = 0; i < 3; i++) {
        if (!(fabs (a[i] - b[i]) < tolerance))
            return false;
    }
    return true;
}

static int compare_cells (const struct label_kit *kit, const struct frame *sent,
                          const struct frame *labels, struct error *err)
{
    double tolerance =
        kit->same_cell_A > 0 ? kit->same_cell_A : kit->same_place_A;

    for (int i = 0; i < 3; i++) {
        const double *is = labels->cell + 3 * i, *was = sent->cell + 3 * i;

        if (!isinf (tolerance) && !is_near (is, was, tolerance))
            return error_set (err,
                              "%s used another cell: %c is (%.6g, %.6g, %.6g), "
                              "and (%.6g, %.6g, %.6g) was sent%s%s",
                              kit->code->name, "abc"[i], is[0], is[1], is[2],
                              was[0], was[1], was[2],
                              kit -> for_cell ? "; " : "",
                              kit->for_cell ? kit->for_cell : "");
    }
    return 0;
}

/* Fractional coordinates f of d: d = f cell, by Cramer's rule. */
static void to_fractions (const struct frame *frame, const double *d, double *f)
{
    struct frame replaced;
    double volume = frame_volume (frame);

    for (int i = 0; i < 3; i++) {
        memcpy (replaced.cell, frame->cell, sizeof (frame->cell));
        memcpy (replaced.cell + 3 * i, d, 3 * sizeof (double));
        f[i] = frame_volume (&replaced) / volume;
    }
}

/* What is left of the way from 'was' to 'is' without lattice vectors. */
static void remove_lattice (const struct frame *sent, const double *is,
                            const double *was, double *left)
{
    double f[3];

    for (int i = 0; i < 3; i++)
        left[i] = is[i] - was[i];
    if (!(fabs (frame_volume (sent)) > 0))
        return;
    to_fractions (sent, left, f);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; sent->periodic[k] && i < 3; i++)
            left[i] -= round (f[k]) * sent->cell[3 * k + i];
    }
}

static int compare_places (const struct label_kit *kit,
                           const struct frame *sent, const struct frame *labels,
                           struct error *err)
{
    static const double nothing[3] = { 0, 0, 0 };

    for (size_t i = 0; i < sent->n_atoms; i++) {
        const double *is = labels->positions + 3 * i;
        const double *was = sent->positions + 3 * i;
        double left[3];

        remove_lattice (sent, is, was, left);
        if (!is_near (left, nothing, kit->same_place_A))
            return error_set (err,
                              "%s moved atom %zu: it is at (%.6g, %.6g, %.6g), "
                              "and was sent at (%.6g, %.6g, %.6g)%s%s",
                              kit->code->name, i + 1, is[0], is[1], is[2],
                              was[0], was[1], was[2],
                              kit->for_place ? "; " : "",
                              kit->for_place ? kit->for_place : "");
    }
    return 0;
}

static bool are_finite (const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite (v[i]))
            return false;
    }
    return true;
}

static int check_labels (const struct label_kit *kit,
                         const struct frame *labels, struct error *err)
{
    const char *code = kit->code->name;

    if (!labels->has_energy)
        return error_set (err, "%s computed no energy", code);
    if (!labels->forces)
        return error_set (err, "%s computed no forces%s%s", code,
                          kit->for_forces ? "; " : "",
                          kit->for_forces ? kit->for_forces : "");
    if (!isfinite (labels->energy)
        || !are_finite (labels->forces, 3 * labels->n_atoms)
        || (labels->has_virial && !are_finite (labels->virial, 9)))
        return error_set (err, "%s computed a label that is no finite number",
                          code);
    return 0;
}

int label_compare (const struct label_kit *kit, const struct frame *sent,
                   const struct frame *labels, struct error *err)
{
    if (compare_symbols (kit->code->name, sent, labels, err) < 0
        || compare_cells (kit, sent, labels, err) < 0
        || compare_places (kit, sent, labels, err) < 0)
        return -1;
    return check_labels (kit, labels, err);
}

/* --- taking them --- */

void label_take (struct frame *frame, struct frame *labels, const size_t *order)
{
    double *forces = labels->forces;

    labels->forces = NULL;
    free (frame->forces);
    frame->forces = forces;
    if (order) {
        frame->forces = xcalloc (3 * frame->n_atoms, sizeof (double));
        for (size_t i = 0; i < frame->n_atoms; i++)
            memcpy (frame->forces + 3 * order[i], forces + 3 * i,
                    3 * sizeof (double));
        free (forces);
    }
    frame->energy = labels->energy;
    frame->has_energy = true;
    frame->has_virial = labels->has_virial;
    memcpy (frame->virial, labels->virial, sizeof (frame->virial));
}

void label_scale_virial (const struct frame *sent, struct frame *labels)
{
    double ratio = fabs (frame_volume (sent) / frame_volume (labels));

    for (int i = 0; labels->has_virial && i < 9; i++)
        labels->virial[i] *= ratio;
}
