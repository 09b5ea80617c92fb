/* SPDX-License-Identifier: BSD-3-Clause */
/* geometry.c - is a structure one that a label can be had for? */
#include "base/base.h"

#include "base/json.h"
#include "formats/element.h"
#include "selection/geometry/geometry.h"
#include "selection/rules/rule_fields.h"

enum {
    BINS_MAX = 64,   /* along one direction */
    REACH_MAX = 100, /* of them to either side */
};

#define LIMIT(name, number)                                                    \
    RULE_FIELD (struct geometry_limits, value[number], name, REAL,             \
                .above = true)

static const struct rule_field fields[] = {
    LIMIT ("closest", LIMIT_CLOSEST),
    LIMIT ("safe_ratio", LIMIT_SAFE_RATIO),
    LIMIT ("vacuum", LIMIT_VACUUM),
    LIMIT ("length_ratio", LIMIT_LENGTH_RATIO),
    LIMIT ("height_ratio", LIMIT_HEIGHT_RATIO),
    LIMIT ("wrap_ratio", LIMIT_WRAP_RATIO),
    LIMIT ("tilt_ratio", LIMIT_TILT_RATIO),
    LIMIT ("side_ratio", LIMIT_SIDE_RATIO),
    LIMIT ("skew_angle", LIMIT_SKEW_ANGLE),
    RULE_FIELDS_END,
};

int geometry_limits_from_json (const struct json *v,
                               struct geometry_limits *limits,
                               struct error *err)
{
    struct geometry_limits read = { .any = false };

    if (rules_read_only (v, fields, &read, err) < 0)
        return -1;
    if (read.value[LIMIT_SKEW_ANGLE] >= 90)
        return error_set (err, "skew_angle: %g; write degrees below 90",
                          read.value[LIMIT_SKEW_ANGLE]);
    for (int i = 0; i < GEOMETRY_LIMITS; i++)
        read.any |= read.value[i] > 0;
    *limits = read;
    return 0;
}

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

bool geometry_invert_cell (const double *cell, double inverse[9],
                           double heights[3])
{
    double volume;

    for (int i = 0; i < 3; i++)
        cross (cell + (i + 1) % 3 * 3, cell + (i + 2) % 3 * 3, inverse + 3 * i);
    volume = dot (cell, inverse);
    if (volume == 0 || !isfinite (volume))
        return false;
    for (int i = 0; i < 9; i++)
        inverse[i] /= volume;
    for (int i = 0; i < 3; i++)
        heights[i] = 1 / sqrt (dot (inverse + 3 * i, inverse + 3 * i));
    return true;
}

void geometry_isolate (struct geometry *geometry, double cell[9])
{
    static const bool isolated[3] = { false, false, false };

    memset (cell, 0, 9 * sizeof (*cell));
    for (size_t k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;

        for (size_t i = 0; i < geometry->n_atoms; i++) {
            low = fmin (low, geometry->positions[3 * i + k]);
            high = fmax (high, geometry->positions[3 * i + k]);
        }
        cell[4 * k] = high - low + 1;
    }
    geometry->cell = cell;
    geometry->periodic = isolated;
}

bool geometry_is_flat (const struct geometry *geometry, double height)
{
    double inverse[9], heights[3];

    if (!geometry_invert_cell (geometry->cell, inverse, heights))
        return false;
    for (int i = 0; i < 3; i++) {
        if (geometry->periodic[i] && heights[i] < height)
            return true;
    }
    return false;
}

/* --- closest atoms --- */

/* Atoms in bins of a grid along the cell's vectors; heads and chains. */
struct grid {
    const struct geometry *geometry;
    int n[3];     /* bins along each vector */
    int reach[3]; /* bins to either side that a distance may span */
    double *wrapped;
    int (*bin)[3]; /* of each atom */
    size_t *head;
    size_t *next;
};

/* What is done with pairs closer than the root of 'squared'. */
struct pair_visitor {
    double squared;
    bool (*each) (size_t a, size_t b, double squared, void *arg);
    void *arg;
};

static const size_t no_atom = SIZE_MAX;

static size_t bin_index (const struct grid *grid, const int bin[3])
{
    return ((size_t)bin[0] * (size_t)grid->n[1] + (size_t)bin[1])
               * (size_t)grid->n[2]
           + (size_t)bin[2];
}

/* The fraction's bin; along a periodic direction the atom is moved into the
 * cell, otherwise atoms outside are in the first or last bin.
 */
static int place (struct grid *grid, size_t atom, int axis, double fraction)
{
    const double *vector = grid->geometry->cell + 3 * axis;
    double shift = floor (fraction), bin;

    if (grid->geometry->periodic[axis]) {
        for (int j = 0; j < 3; j++)
            grid->wrapped[3 * atom + (size_t)j] -= shift * vector[j];
        fraction -= shift;
    }
    bin = floor (fraction * grid->n[axis]);
    if (!(bin > 0))
        return 0;
    return bin < grid->n[axis] ? (int)bin : grid->n[axis] - 1;
}

static void fill_grid (struct grid *grid, const double inverse[9])
{
    size_t n_atoms = grid->geometry->n_atoms;
    size_t n_bins =
        (size_t)grid->n[0] * (size_t)grid->n[1] * (size_t)grid->n[2];

    grid->wrapped = xcalloc (3 * n_atoms, sizeof (*grid->wrapped));
    memcpy (grid->wrapped, grid->geometry->positions,
            3 * n_atoms * sizeof (*grid->wrapped));
    grid->bin = xcalloc (n_atoms, sizeof (*grid->bin));
    grid->head = xcalloc (n_bins, sizeof (*grid->head));
    grid->next = xcalloc (n_atoms, sizeof (*grid->next));
    for (size_t i = 0; i < n_bins; i++)
        grid->head[i] = no_atom;
    for (size_t i = 0; i < n_atoms; i++) {
        const double *position = grid->geometry->positions + 3 * i;
        size_t *head;

        for (int axis = 0; axis < 3; axis++)
            grid->bin[i][axis] =
                place (grid, i, axis, dot (inverse + 3 * axis, position));
        head = &grid->head[bin_index (grid, grid->bin[i])];
        grid->next[i] = *head;
        *head = i;
    }
}

static void grid_release (struct grid *grid)
{
    free (grid->wrapped);
    free (grid->bin);
    free (grid->head);
    free (grid->next);
}

/* Which bin is 'offset' away along an axis, and how many cells away it is.
 * False when there is none: the direction is not periodic.
 */
static bool step_to (const struct grid *grid, int axis, int from, int offset,
                     int *bin, int *cells)
{
    int n = grid->n[axis], to = from + offset;

    *cells = to >= 0 ? to / n : -((n - 1 - to) / n);
    *bin = to - *cells * n;
    return *cells == 0 || grid->geometry->periodic[axis];
}

/* All pairs of an atom with those in the bin at 'offset' of its own. */
static bool visit_bin (const struct grid *grid, size_t atom,
                       const int offset[3], const struct pair_visitor *visitor)
{
    const double *cell = grid->geometry->cell;
    const double *own = grid->wrapped + 3 * atom;
    double shift[3] = { 0, 0, 0 };
    int bin[3], cells[3];

    for (int axis = 0; axis < 3; axis++) {
        if (!step_to (grid, axis, grid->bin[atom][axis], offset[axis],
                      &bin[axis], &cells[axis]))
            return false;
        for (int j = 0; j < 3; j++)
            shift[j] += cells[axis] * cell[3 * axis + j];
    }
    for (size_t i = grid->head[bin_index (grid, bin)]; i != no_atom;
         i = grid->next[i]) {
        const double *other = grid->wrapped + 3 * i;
        double apart[3], squared;

        if (i == atom && cells[0] == 0 && cells[1] == 0 && cells[2] == 0)
            continue;
        for (int j = 0; j < 3; j++)
            apart[j] = other[j] + shift[j] - own[j];
        squared = dot (apart, apart);
        if (squared < visitor->squared
            && visitor->each (atom, i, squared, visitor->arg))
            return true;
    }
    return false;
}

static bool visit_atom (const struct grid *grid, size_t atom,
                        const struct pair_visitor *visitor)
{
    const int *reach = grid->reach;
    int at[3];

    for (at[0] = -reach[0]; at[0] <= reach[0]; at[0]++) {
        for (at[1] = -reach[1]; at[1] <= reach[1]; at[1]++) {
            for (at[2] = -reach[2]; at[2] <= reach[2]; at[2]++) {
                if (visit_bin (grid, atom, at, visitor))
                    return true;
            }
        }
    }
    return false;
}

/* Bins at least 'distance' high, so that neighbours are next door; in a cell
 * lower than that one bin, and as many images as it takes.
 */
static void set_bins (struct grid *grid, const double heights[3],
                      double distance)
{
    for (int axis = 0; axis < 3; axis++) {
        double bins = floor (heights[axis] / distance);

        grid->n[axis] = !(bins > 1)       ? 1
                        : bins > BINS_MAX ? BINS_MAX
                                          : (int)bins;
        grid->reach[axis] = (int)fmin (
            ceil (distance * grid->n[axis] / heights[axis]), REACH_MAX);
    }
}

/* All pairs of the atoms [first, end) with others. */
static int visit_atoms (const struct geometry *geometry, size_t first,
                        size_t end, double distance,
                        const struct pair_visitor *visitor)
{
    struct grid grid = { .geometry = geometry };
    double inverse[9], heights[3];
    bool stopped = false;

    if (!geometry_invert_cell (geometry->cell, inverse, heights))
        return -1;
    set_bins (&grid, heights, distance);
    fill_grid (&grid, inverse);
    for (size_t i = first; !stopped && i < end; i++)
        stopped = visit_atom (&grid, i, visitor);
    grid_release (&grid);
    return stopped;
}

int geometry_each_pair (const struct geometry *geometry, double distance,
                        bool (*each) (size_t a, size_t b, double squared,
                                      void *arg),
                        void *arg)
{
    const struct pair_visitor visitor = { distance * distance, each, arg };

    return visit_atoms (geometry, 0, geometry->n_atoms, distance, &visitor);
}

int geometry_each_neighbour (
    const struct geometry *geometry, size_t atom, double distance,
    bool (*each) (size_t a, size_t b, double squared, void *arg), void *arg)
{
    const struct pair_visitor visitor = { distance * distance, each, arg };

    return visit_atoms (geometry, atom, atom + 1, distance, &visitor);
}

void geometry_nearest_images (const struct geometry *geometry, size_t centre,
                              const size_t *atoms, size_t n, double *out)
{
    const double *origin = geometry->positions + 3 * centre;
    double inverse[9], heights[3], apart[3];

    if (!geometry_invert_cell (geometry->cell, inverse, heights))
        return;
    for (size_t i = 0; i < n; i++) {
        const double *position = geometry->positions + 3 * atoms[i];

        memcpy (out + 3 * i, position, 3 * sizeof (*out));
        for (int j = 0; j < 3; j++)
            apart[j] = position[j] - origin[j];
        for (int axis = 0; axis < 3; axis++) {
            double cells = floor (dot (inverse + 3 * axis, apart) + 0.5);

            for (int j = 0; geometry->periodic[axis] && j < 3; j++)
                out[3 * i + (size_t)j] -= cells * geometry->cell[3 * axis + j];
        }
    }
}

static bool stop_at_once (size_t a, size_t b, double squared, void *arg)
{
    (void)a;
    (void)b;
    (void)squared;
    (void)arg;
    return true;
}

/* In a cell without volume everything is on top of its images. */
bool geometry_has_closer (const struct geometry *geometry, double distance)
{
    return geometry_each_pair (geometry, distance, stop_at_once, NULL) != 0;
}

/* Are a and b closer than the sum of their radii? */
static bool is_unsafe (size_t a, size_t b, double squared, void *arg)
{
    const double *radius = arg;
    double reach = radius[a] + radius[b];

    return radius[a] > 0 && radius[b] > 0 && squared < reach * reach;
}

static bool has_unsafe_pair (const struct geometry *geometry, double ratio)
{
    _cleanup_free_ double *radius =
        xcalloc (geometry->n_atoms, sizeof (*radius));
    double largest = 0;
    bool unsafe = false;

    for (size_t i = 0; geometry->symbols && i < geometry->n_atoms; i++) {
        radius[i] = ratio * safe_radius (geometry->symbols[i]);
        largest = fmax (largest, radius[i]);
    }
    if (largest > 0)
        unsafe =
            geometry_each_pair (geometry, 2 * largest, is_unsafe, radius) != 0;
    return unsafe;
}

/* --- the cell --- */

static double largest (double a, double b, double c)
{
    return fmax (a, fmax (b, c));
}

/* The sides a_x, b_y, c_z of the cell turned so that a lies along x and b in
 * the plane of x and y, and the largest tangent of its angles.
 */
static void turn_cell (const double *cell, double side[3], double *tangent)
{
    const double *a = cell, *b = cell + 3, *c = cell + 6;
    double normal[3], area, b_x, c_x, c_y;

    cross (a, b, normal);
    area = sqrt (dot (normal, normal));
    side[0] = sqrt (dot (a, a));
    side[1] = area / side[0];
    side[2] = fabs (dot (normal, c)) / area;
    b_x = dot (a, b) / side[0];
    c_x = dot (a, c) / side[0];
    c_y = (dot (b, c) - b_x * c_x) / side[1];
    *tangent = largest (fabs (b_x) / side[1], fabs (c_x) / side[2],
                        fabs (c_y) / side[2]);
}

/* Of DPGEN2's limits.  What is not finite is beyond any. */
static double turned_ratio_of (const double *cell, enum geometry_limit limit)
{
    double side[3], tangent, shortest;

    turn_cell (cell, side, &tangent);
    shortest = -largest (-side[0], -side[1], -side[2]);
    if (!(shortest > 0) || !isfinite (tangent))
        return INFINITY;
    if (limit == LIMIT_SIDE_RATIO)
        return largest (side[0], side[1], side[2]) / shortest;
    return atan (tangent) * 180 / M_PI;
}

static double ratio_of (const double *cell, enum geometry_limit limit)
{
    double inverse[9], heights[3], longest, shortest;
    const double *a = cell, *b = cell + 3, *c = cell + 6;

    if (limit == LIMIT_SIDE_RATIO || limit == LIMIT_SKEW_ANGLE)
        return turned_ratio_of (cell, limit);
    if (limit == LIMIT_WRAP_RATIO)
        return largest (fabs (b[0] / a[0]), fabs (c[1] / b[1]),
                        fabs (c[0] / a[0]));
    if (limit == LIMIT_TILT_RATIO)
        return largest (fabs (b[0] / b[1]), fabs (c[1] / c[2]),
                        fabs (c[0] / c[2]));
    longest = sqrt (largest (dot (a, a), dot (b, b), dot (c, c)));
    shortest = sqrt (-largest (-dot (a, a), -dot (b, b), -dot (c, c)));
    if (limit == LIMIT_LENGTH_RATIO)
        return longest / shortest;
    if (!geometry_invert_cell (cell, inverse, heights))
        return INFINITY;
    return longest / -largest (-heights[0], -heights[1], -heights[2]);
}

static bool is_bad_box (const double *cell,
                        const struct geometry_limits *limits)
{
    for (int i = LIMIT_LENGTH_RATIO; i < GEOMETRY_LIMITS; i++) {
        if (limits->value[i] > 0
            && !(ratio_of (cell, (enum geometry_limit)i) <= limits->value[i]))
            return true;
    }
    return false;
}

static double vacuum_of (const struct geometry *geometry)
{
    double vacuum = INFINITY;

    for (size_t j = 0; j < 3; j++) {
        const double *vector = geometry->cell + 3 * j;
        double low = INFINITY, high = -INFINITY;

        for (size_t i = 0; i < geometry->n_atoms; i++) {
            low = fmin (low, geometry->positions[3 * i + j]);
            high = fmax (high, geometry->positions[3 * i + j]);
        }
        vacuum = fmin (vacuum, sqrt (dot (vector, vector)) - (high - low));
    }
    return vacuum;
}

enum geometry_verdict geometry_judge (const struct geometry *geometry,
                                      const struct geometry_limits *limits)
{
    if (is_bad_box (geometry->cell, limits))
        return GEOMETRY_BAD_BOX;
    if (limits->value[LIMIT_VACUUM] > 0
        && vacuum_of (geometry) < limits->value[LIMIT_VACUUM])
        return GEOMETRY_NO_VACUUM;
    if (limits->value[LIMIT_CLOSEST] > 0
        && geometry_has_closer (geometry, limits->value[LIMIT_CLOSEST]))
        return GEOMETRY_TOO_CLOSE;
    if (limits->value[LIMIT_SAFE_RATIO] > 0
        && has_unsafe_pair (geometry, limits->value[LIMIT_SAFE_RATIO]))
        return GEOMETRY_TOO_CLOSE;
    return GEOMETRY_GOOD;
}
