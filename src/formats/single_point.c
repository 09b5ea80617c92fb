/* SPDX-License-Identifier: BSD-3-Clause */
/* single_point.c - what a reader found of one calculation of energy and forces
 */
#include "base/base.h"

#include "formats/lines.h"
#include "formats/single_point.h"

void single_point_release (struct single_point *point)
{
    free (point->symbols);
    free (point->positions.v);
    free (point->forces.v);
    free (point->cell.v);
    free (point->stress.v);
    free (point->energy.v);
    *point = (struct single_point)SINGLE_POINT_INIT;
}

void single_point_begin (struct single_point *point)
{
    point->positions.n = point->forces.n = point->cell.n = 0;
    point->stress.n = point->energy.n = 0;
}

void numbers_add (struct numbers *numbers, const double *v, size_t n)
{
    if (numbers->alloc - numbers->n < n) {
        numbers->alloc = 2 * (numbers->n + n);
        numbers->v =
            xreallocarray (numbers->v, numbers->alloc, sizeof (*numbers->v));
    }
    memcpy (numbers->v + numbers->n, v, n * sizeof (*v));
    numbers->n += n;
}

void numbers_scale (struct numbers *numbers, double unit)
{
    for (size_t i = 0; i < numbers->n; i++)
        numbers->v[i] *= unit;
}

int single_point_add_atom (struct single_point *point, const char *symbol,
                           size_t len)
{
    point->symbols = grow_array (point->symbols, point->n_atoms,
                                 &point->symbols_alloc, SYMBOL_SIZE);
    if (symbol_set (point->symbols[point->n_atoms], symbol, len) < 0)
        return -1;
    point->n_atoms++;
    return 0;
}

int single_point_begin_forces (struct single_point *point,
                               const struct lines *lines, struct error *err)
{
    if (point->forces_line > 0)
        return lines_error (lines, err,
                            "forces again, after those of line %zu: a run of "
                            "several steps; only a single point is read",
                            point->forces_line);
    point->forces_line = lines->number;
    return 0;
}

void single_point_note (struct single_point *point,
                        const struct single_point_note *notes,
                        const struct lines *lines)
{
    for (; notes->words; notes++) {
        if (lines_contain (lines, notes->words))
            *(bool *)((char *)point + notes->flag) = true;
    }
}

void single_point_place (struct single_point *point)
{
    const double *cell = point->cell.v;

    for (size_t i = 0; i + 3 <= point->positions.n; i += 3) {
        double *at = point->positions.v + i;
        const double f[3] = { at[0], at[1], at[2] };

        for (int k = 0; k < 3; k++)
            at[k] = f[0] * cell[k] + f[1] * cell[3 + k] + f[2] * cell[6 + k];
    }
}

bool single_point_is_labelled (const struct single_point *point)
{
    size_t n = 3 * point->n_atoms;

    return n > 0 && point->cell.n == 9 && point->positions.n == n
           && point->forces.n == n && point->energy.n == 1;
}

static void set_labels (const struct single_point *point, struct frame *frame)
{
    double volume = fabs (frame_volume (frame));

    frame->has_energy = true;
    frame->energy = point->energy.v[0];
    memcpy (frame->forces, point->forces.v, point->forces.n * sizeof (double));
    frame->has_virial = point->stress.n == 9;
    for (int i = 0; frame->has_virial && i < 9; i++)
        frame->virial[i] = point->stress.v[i] * volume;
}

int single_point_frame (const struct single_point *point, struct frame *frame,
                        struct error *err)
{
    struct frame made = FRAME_INIT;
    size_t n = point->n_atoms;

    if (frame_resize (&made, n, !point->not_converged, err) < 0)
        return -1;
    memcpy (made.symbols, point->symbols, n * SYMBOL_SIZE);
    memcpy (made.positions, point->positions.v, 3 * n * sizeof (double));
    memcpy (made.cell, point->cell.v, sizeof (made.cell));
    memcpy (made.periodic, point->periodic, sizeof (made.periodic));
    if (!point->not_converged)
        set_labels (point, &made);
    frame_release (frame);
    *frame = made;
    return 0;
}

/* --- is everything there? --- */

static int complain (const struct lines *lines, const char *what,
                     const char *advice, struct error *err)
{
    return error_set (err, "%s: %s%s%s", lines->file.name, what,
                      advice ? "; " : "", advice ? advice : "");
}

static int check (const struct single_point *point,
                  const struct single_point_advice *advice,
                  const struct lines *lines, struct error *err)
{
    const size_t n = 3 * point->n_atoms, stress = point->stress.n;
    const bool needs_labels = !point->not_converged;
    const struct {
        bool is_missing;
        const char *what;
        const char *advice;
    } checks[] = {
        { n == 0 || point->positions.n != n,
          "there are no coordinates of atoms, or not of all",
          advice->structure },
        { point->cell.n != 9, "there is no cell", advice->structure },
        { needs_labels && !point->converged,
          "it does not say whether SCF converged", NULL },
        { needs_labels && point->energy.n != 1,
          "there is no energy, or not one alone", advice->labels },
        { needs_labels && point->forces.n != n,
          "there are no forces, or not on all atoms", advice->labels },
        { needs_labels && stress != 0 && stress != 9,
          "expected 9 numbers of the stress", NULL },
    };

    for (size_t i = 0; i < ARRAY_SIZE (checks); i++) {
        if (checks[i].is_missing)
            return complain (lines, checks[i].what, checks[i].advice, err);
    }
    return 0;
}

int single_point_finish (const struct single_point *point,
                         const struct single_point_advice *advice,
                         const struct lines *lines, struct frame *frame,
                         bool *converged, struct error *err)
{
    if (advice->last_words && !point->ended)
        return error_set (err,
                          "%s:%zu: the file ends before '%s'; the run was cut "
                          "short, or ended in an error",
                          lines->file.name, lines->number, advice->last_words);
    if (check (point, advice, lines, err) < 0
        || single_point_frame (point, frame, err) < 0)
        return -1;
    *converged = !point->not_converged;
    return 0;
}
