/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_cell.c - turn a frame into the orientation LAMMPS wants */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "formats/frame.h"
#include "formats/lammps/lammps_data.h"

static double dot (const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross (const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void scale (double *v, double factor)
{
    for (int i = 0; i < 3; i++)
        v[i] *= factor;
}

static bool is_lammps_cell (const double *cell)
{
    return cell[1] == 0 && cell[2] == 0 && cell[5] == 0 && cell[0] > 0
           && cell[4] > 0 && cell[8] > 0;
}

/* The rows of 'axes' are the new x (along a), y (in the plane of a and b) and
 * z, as unit vectors.
 */
static void find_axes (const double *cell, double axes[9])
{
    memcpy (axes, cell, 3 * sizeof (*axes));
    scale (axes, 1 / sqrt (dot (axes, axes)));
    cross (axes, cell + 3, axes + 6);
    scale (axes + 6, 1 / sqrt (dot (axes + 6, axes + 6)));
    cross (axes + 6, axes, axes + 3);
}

/* The components of n vectors along the axes. */
static void turn (const double axes[9], double *vectors, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *v = vectors + 3 * i;
        double x = dot (axes, v), y = dot (axes + 3, v), z = dot (axes + 6, v);

        v[0] = x;
        v[1] = y;
        v[2] = z;
    }
}

static void transpose (double m[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            double above = m[3 * j + i];

            m[3 * j + i] = m[3 * i + j];
            m[3 * i + j] = above;
        }
    }
}

/* A tensor's rows turn like vectors, and then so do its columns. */
static void turn_tensor (const double axes[9], double m[9])
{
    turn (axes, m, 3);
    transpose (m);
    turn (axes, m, 3);
    transpose (m);
}

/* Take as many whole 'along' off 'v' as leave its component 'axis' at most
 * half of along's: another vector of the same lattice.
 */
static void reduce (double *v, const double *along, int axis)
{
    double n = nearbyint (v[axis] / along[axis]);

    for (int i = 0; n != 0 && i < 3; i++)
        v[i] -= n * along[i];
}

static void reduce_tilt (double *cell)
{
    double *a = cell, *b = cell + 3, *c = cell + 6;

    reduce (b, a, 0);
    reduce (c, b, 1);
    reduce (c, a, 0);
}

static int turn_frame (struct frame *frame, struct error *err)
{
    double volume = frame_volume (frame), axes[9];

    if (!(volume > 0) || !isfinite (volume))
        return error_set (err,
                          "the cell's volume is %g A^3; LAMMPS needs a "
                          "right-handed cell: exchange two of its vectors",
                          volume);
    find_axes (frame->cell, axes);
    turn (axes, frame->cell, 3);
    frame->cell[1] = frame->cell[2] = frame->cell[5] = 0;
    turn (axes, frame->positions, frame->n_atoms);
    if (frame->forces)
        turn (axes, frame->forces, frame->n_atoms);
    if (frame->has_virial)
        turn_tensor (axes, frame->virial);
    return 0;
}

int frame_to_lammps (struct frame *frame, struct error *err)
{
    if (!is_lammps_cell (frame->cell) && turn_frame (frame, err) < 0)
        return -1;
    reduce_tilt (frame->cell);
    return 0;
}
