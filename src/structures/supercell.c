/* SPDX-License-Identifier: BSD-3-Clause */
/* supercell.c - a structure repeated */
#include "base/base.h"

#include "selection/geometry/geometry.h"
#include "structures/deform.h"
#include "structures/supercell.h"

/* ASE's: an atom so near below a face, in fractions, is not moved across. */
static const double face = 1e-5;

/* --- which cells of the old lattice are in the new cell --- */

struct lattice_points {
    int64_t normals[9]; /* row k times a point is its fraction of vector k, */
    int64_t volume;     /* times this */
    int64_t low[3], high[3];
};

static void cross (const int64_t *a, const int64_t *b, int64_t *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static int64_t dot (const int64_t *a, const int64_t *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

int64_t supercell_determinant (const int64_t rows[9])
{
    int64_t normal[3];

    cross (rows, rows + 3, normal);
    return dot (normal, rows + 6);
}

/* The box around the corners of the new cell. */
static struct lattice_points points_of (const int64_t rows[9])
{
    struct lattice_points p = { .volume = supercell_determinant (rows) };

    for (int k = 0; k < 3; k++)
        cross (rows + (k + 1) % 3 * 3, rows + (k + 2) % 3 * 3,
               p.normals + 3 * k);
    for (int i = 0; i < 9; i++) {
        if (rows[i] < 0)
            p.low[i % 3] += rows[i];
        else
            p.high[i % 3] += rows[i];
    }
    return p;
}

static bool is_inside (const struct lattice_points *p, const int64_t point[3])
{
    for (int k = 0; k < 3; k++) {
        int64_t part = dot (p->normals + 3 * k, point);

        if (part < 0 || part >= p->volume)
            return false;
    }
    return true;
}

/* --- what cannot be repeated --- */

static int check_repeats (const struct frame *frame, const int64_t rows[9],
                          struct error *err)
{
    if (!(fabs (frame_volume (frame)) > 0))
        return error_set (err, "it has no cell that could be repeated; write "
                               "one with a volume");
    for (int i = 0; i < 9; i++) {
        int vector = i / 3, other = i % 3;
        int64_t unit = vector == other;

        if (rows[i] != unit
            && !(frame->periodic[vector] && frame->periodic[other]))
            return error_set (err,
                              "it does not repeat along %c; write 1 there, or "
                              "pbc=\"T T T\" in its file",
                              "abc"[frame->periodic[vector] ? other : vector]);
    }
    return 0;
}

static int check_size (const struct frame *frame,
                       const struct lattice_points *p, struct error *err)
{
    double box = 1, most = STRUCTURE_ATOMS_MAX;

    for (int k = 0; k < 3; k++)
        box *= (double)(p->high[k] - p->low[k] + 1);
    if ((double)p->volume * (double)frame->n_atoms > most)
        return error_set (err,
                          "the supercell has more than %d atoms; write smaller "
                          "numbers",
                          STRUCTURE_ATOMS_MAX);
    if (box > 100 * most)
        return error_set (err, "the supercell is too slanted; write rows that "
                               "are shorter");
    return 0;
}

/* --- atoms --- */

/* Into the cell, along periodic vectors. */
static void wrap (struct frame *frame)
{
    double inverse[9], heights[3];

    if (!geometry_invert_cell (frame->cell, inverse, heights))
        return;
    for (size_t i = 0; i < frame->n_atoms; i++) {
        double *at = frame->positions + 3 * i;

        for (int k = 0; k < 3; k++) {
            const double *normal = inverse + 3 * k;
            double cells = floor (normal[0] * at[0] + normal[1] * at[1]
                                  + normal[2] * at[2] + face);

            for (int j = 0; frame->periodic[k] && j < 3; j++)
                at[j] -= cells * frame->cell[3 * k + j];
        }
    }
}

static void add_cell (const struct frame *frame, const int64_t point[3],
                      struct frame *made)
{
    const double cells[3] = { (double)point[0], (double)point[1],
                              (double)point[2] };
    double *at = made->positions + 3 * made->n_atoms;
    double shift[3];

    row_times (cells, frame->cell, shift);
    memcpy (made->symbols + made->n_atoms, frame->symbols,
            frame->n_atoms * SYMBOL_SIZE);
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        at[i] = frame->positions[i] + shift[i % 3];
    made->n_atoms += frame->n_atoms;
}

static void add_cells (const struct frame *frame,
                       const struct lattice_points *p, struct frame *made)
{
    int64_t at[3];

    for (at[0] = p->low[0]; at[0] <= p->high[0]; at[0]++) {
        for (at[1] = p->low[1]; at[1] <= p->high[1]; at[1]++) {
            for (at[2] = p->low[2]; at[2] <= p->high[2]; at[2]++) {
                if (is_inside (p, at))
                    add_cell (frame, at, made);
            }
        }
    }
}

int supercell_make (const struct frame *frame, const int64_t rows[9],
                    struct frame *made, struct error *err)
{
    const struct lattice_points p = points_of (rows);
    struct frame repeated = FRAME_INIT;

    if (check_repeats (frame, rows, err) < 0 || check_size (frame, &p, err) < 0
        || frame_resize (&repeated, frame->n_atoms * (size_t)p.volume, false,
                         err)
               < 0)
        return -1;
    repeated.n_atoms = 0;
    memcpy (repeated.periodic, frame->periodic, sizeof (frame->periodic));
    for (int k = 0; k < 3; k++) {
        const double row[3] = { (double)rows[3 * k], (double)rows[3 * k + 1],
                                (double)rows[3 * k + 2] };

        row_times (row, frame->cell, repeated.cell + 3 * k);
    }
    add_cells (frame, &p, &repeated);
    wrap (&repeated);
    frame_release (made);
    *made = repeated;
    return 0;
}

/* --- one of about so many atoms --- */

struct choice {
    double heights[3];
    bool repeats[3];
    int64_t n[3];
    double room; /* between the nearest faces */
};

static void look (struct choice *best, const int64_t n[3])
{
    double room = INFINITY;
    int64_t cells = n[0] * n[1] * n[2];
    int64_t fewest = best->n[0] * best->n[1] * best->n[2];

    for (int k = 0; k < 3; k++) {
        if (best->repeats[k])
            room = fmin (room, best->heights[k] * (double)n[k]);
    }
    if (room > best->room * (1 + 1e-6)
        || (room > best->room * (1 - 1e-6) && cells < fewest)) {
        best->room = room;
        memcpy (best->n, n, sizeof (best->n));
    }
}

static void look_at_all (struct choice *best, int64_t most)
{
    int64_t n[3];

    for (n[0] = 1; n[0] <= (best->repeats[0] ? most : 1); n[0]++) {
        for (n[1] = 1; n[1] <= (best->repeats[1] ? most / n[0] : 1); n[1]++) {
            int64_t rest = best->repeats[2] ? most / n[0] / n[1] : 1;

            for (n[2] = 1; n[2] <= rest; n[2]++)
                look (best, n);
        }
    }
}

int supercell_choose (const struct frame *frame, int64_t most_atoms, bool slab,
                      int64_t rows[9], struct error *err)
{
    struct choice best = { .n = { 1, 1, 1 } };
    double inverse[9];

    if (!geometry_invert_cell (frame->cell, inverse, best.heights))
        return error_set (err, "it has no cell that could be repeated; write "
                               "one with a volume");
    if ((int64_t)frame->n_atoms > most_atoms)
        return error_set (err,
                          "it has %zu atoms, more than the %" PRId64
                          " of supercell; write {atoms: %zu} or more",
                          frame->n_atoms, most_atoms, frame->n_atoms);
    for (int k = 0; k < 3; k++)
        best.repeats[k] = frame->periodic[k] && !(slab && k == 2);
    look_at_all (&best, most_atoms / (int64_t)frame->n_atoms);
    memset (rows, 0, 9 * sizeof (*rows));
    for (int k = 0; k < 3; k++)
        rows[4 * k] = best.n[k];
    return 0;
}
