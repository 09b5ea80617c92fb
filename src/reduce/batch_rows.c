/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_rows.c - the features of the candidates of one group, scaled */
#include "base/base.h"

#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "reduce/batch_rows.h"
#include "reduce/candidate_pool.h"
#include "reduce/exchange.h"
#include "reduce/feature_places.h"
#include "reduce/selection_input.h"
#include "selection/geometry/geometry.h"

/* One row as it was read; 'i' is a candidate of ours. */
typedef void row_fn (struct batch_rows *batch, const double *row, size_t i,
                     void *arg);

/* Every row is handed on, as long as they have 'width' numbers. */
struct row_walk {
    struct batch_rows *batch;
    size_t width;      /* 0: not known yet */
    const char *first; /* the file that it is known from */
    row_fn *each;
    void *arg;
    uint64_t n;
};

void batch_rows_release (struct batch_rows *batch)
{
    free (batch->places);
    free (batch->forces);
    free (batch->rows);
    scaling_release (&batch->scaling);
    *batch = (struct batch_rows)BATCH_ROWS_INIT;
}

static size_t first_of (const struct batch_rows *batch, int rank)
{
    return (size_t)((uint64_t)batch->n * (uint64_t)rank
                    / (uint64_t)exchange_ranks ());
}

int batch_rows_owner (const struct batch_rows *batch, size_t i)
{
    return (int)((((uint64_t)i + 1) * (uint64_t)exchange_ranks () - 1)
                 / (uint64_t)batch->n);
}

static const struct sampled *candidate (const struct batch_rows *batch,
                                        size_t i)
{
    return &batch->pool->frames[batch->members[batch->begin + i]];
}

static const struct trajectory *trajectory_of (const struct batch_rows *batch,
                                               size_t i)
{
    return input_trajectory (batch->input, candidate (batch, i)->task);
}

/* --- where they are --- */

/* Of our candidates [i, end), which are of one task. */
static int find_places (struct batch_rows *batch, size_t i, size_t end,
                        struct error *err)
{
    const struct trajectory *trajectory = trajectory_of (batch, i);
    _cleanup_free_ uint64_t *starts = xcalloc (end - i, sizeof (*starts));
    struct feature_file *file;
    struct feature_place all;
    int rc;

    for (size_t k = i; k < end; k++)
        starts[k - i] =
            batch->pool->inspected[batch->members[batch->begin + k]].place;
    rc = feature_places_find (
        batch->input, trajectory, starts, end - i, batch->places + i,
        batch->forces ? batch->forces + i : NULL, &all, err);
    if (rc < 0 || !trajectory->features)
        return rc;
    file = feature_file_open (trajectory->features,
                              (enum feature_pool)batch->input->rules.batch.pool,
                              err);
    rc = file ? feature_file_check (file, all.frame, all.atom, err) : -1;
    feature_file_close (file);
    return rc;
}

static int find_all_places (struct batch_rows *batch, struct error *err)
{
    const struct batch_rules *rules = &batch->input->rules.batch;
    size_t n = batch->end - batch->begin, end;
    int rc = 0;

    if (!rules->features && rules->weight != WEIGHT_FORCE)
        return 0;
    batch->places = xcalloc (n, sizeof (*batch->places));
    if (rules->weight == WEIGHT_FORCE)
        batch->forces = xcalloc (n, sizeof (*batch->forces));
    for (size_t i = 0; rc == 0 && i < n; i = end) {
        for (end = i + 1;
             end < n
             && candidate (batch, end)->task == candidate (batch, i)->task;)
            end++;
        rc = find_places (batch, i, end, err);
    }
    return rc;
}

/* --- rows, as they were read --- */

static int open_features (struct row_walk *walk, const char *path,
                          struct feature_file **file, struct error *err)
{
    size_t width;

    feature_file_close (*file);
    *file = feature_file_open (
        path, (enum feature_pool)walk->batch->input->rules.batch.pool, err);
    if (!*file)
        return -1;
    width = feature_file_width (*file);
    if (walk->width == 0) {
        walk->width = width;
        walk->first = path;
    }
    if (width != walk->width)
        return error_set (err,
                          "%s: rows of %zu features, but %s has %zu; make "
                          "both by one model",
                          path, width, walk->first, walk->width);
    return 0;
}

static int walk_own_files (struct row_walk *walk, struct error *err)
{
    struct batch_rows *batch = walk->batch;
    _cleanup_ (feature_file_release) struct feature_file *file = NULL;
    const char *path = NULL;
    const double *row;

    for (size_t i = 0; i < batch->end - batch->begin; i++) {
        const char *next = trajectory_of (batch, i)->features;

        if (next != path && open_features (walk, path = next, &file, err) < 0)
            return -1;
        if (feature_file_read (file, &batch->places[i], &row, err) < 0)
            return -1;
        walk->each (batch, row, i, walk->arg);
    }
    return 0;
}

static int walk_labelled_files (struct row_walk *walk, struct error *err)
{
    const struct strvec *paths = &walk->batch->input->labelled_features;
    _cleanup_ (feature_file_release) struct feature_file *file = NULL;
    const double *row;

    for (size_t k = 0; k < paths->n; k++) {
        struct feature_place place = { 0 };
        int64_t n;

        if (open_features (walk, paths->v[k], &file, err) < 0
            || (n = feature_file_frames (file, err)) < 0)
            return -1;
        for (; place.frame < (uint64_t)n; place.frame++, walk->n++) {
            if (feature_file_read (file, &place, &row, err) < 0)
                return -1;
            walk->each (walk->batch, row, 0, walk->arg);
        }
    }
    return 0;
}

/* All ranks know how wide rows are by the same file. */
static int find_width (struct row_walk *walk, struct error *err)
{
    const struct batch_rows *batch = walk->batch;
    const struct sampled *first = &batch->pool->frames[batch->members[0]];
    _cleanup_ (feature_file_release) struct feature_file *file = NULL;

    if (batch->input->rules.batch.features)
        return open_features (
            walk, input_trajectory (batch->input, first->task)->features, &file,
            err);
    walk->width = batch->pool->size;
    return 0;
}

static int walk_own (struct row_walk *walk, struct error *err)
{
    struct batch_rows *batch = walk->batch;
    const struct candidate_pool *pool = batch->pool;

    if (batch->input->rules.batch.features)
        return walk_own_files (walk, err);
    for (size_t i = 0; i < batch->end - batch->begin; i++)
        walk->each (batch,
                    pool->fingerprints
                        + batch->members[batch->begin + i] * pool->size,
                    i, walk->arg);
    return 0;
}

static int add_labelled_structure (const struct frame *frame, void *arg,
                                   struct error *err)
{
    struct row_walk *walk = arg;
    _cleanup_free_ double *print = xcalloc (walk->width, sizeof (*print));
    double inverse[9], heights[3];

    if (!geometry_invert_cell (frame->cell, inverse, heights))
        return error_set (err, "a frame without a cell has no fingerprint; "
                               "write features beside pick: how");
    inspect_fingerprint (walk->batch->input, frame, print);
    walk->each (walk->batch, print, 0, walk->arg);
    walk->n++;
    return 0;
}

static int walk_labelled (struct row_walk *walk, struct error *err)
{
    const struct selection_input *input = walk->batch->input;
    int rc = 0;

    if (input->rules.batch.features)
        return walk_labelled_files (walk, err);
    for (size_t i = 0; rc == 0 && i < input->labelled.n; i++) {
        rc = extxyz_read_file (input->labelled.v[i], add_labelled_structure,
                               walk, err);
    }
    return rc;
}

/* --- scaled --- */

static void see (struct batch_rows *batch, const double *row, size_t i,
                 void *moments)
{
    (void)batch;
    (void)i;
    feature_moments_see (moments, row);
}

static void add (struct batch_rows *batch, const double *row, size_t i,
                 void *moments)
{
    (void)batch;
    (void)i;
    feature_moments_add (moments, row);
}

/* Ranges and moments of the candidates and of what is labelled. */
static int find_scaling (struct batch_rows *batch, struct row_walk *walk,
                         struct feature_moments *moments, struct error *err)
{
    int rc;

    walk->each = see;
    walk->arg = moments;
    rc = walk_own (walk, err);
    if (rc == 0)
        rc = walk_labelled (walk, err);
    if (exchange_rc (rc, err) < 0)
        return -1;
    exchange_max (moments->ranges, 2 * moments->width);
    batch->n_labelled = walk->n;
    feature_moments_begin (moments, batch->n + batch->n_labelled);
    walk->each = add;
    if (moments->scale != SCALE_NONE) {
        rc = walk_own (walk, err);
        if (rc == 0 && exchange_rank () == 0)
            rc = walk_labelled (walk, err);
        if (exchange_rc (rc, err) < 0)
            return -1;
        exchange_sum (moments->sums, moments->n_sums);
    }
    scaling_make (moments, &batch->scaling);
    batch->width = batch->scaling.width;
    return 0;
}

static void scale (const struct batch_rows *batch, const double *row,
                   double *scaled, float *out)
{
    scaling_apply (&batch->scaling, row, scaled);
    for (size_t k = 0; k < batch->width; k++)
        out[k] = (float)scaled[k];
}

static void keep_row (struct batch_rows *batch, const double *row, size_t i,
                      void *scaled)
{
    scale (batch, row, scaled, batch->rows + i * batch->width);
}

static int keep_rows (struct batch_rows *batch, struct row_walk *walk,
                      struct error *err)
{
    _cleanup_free_ double *scaled = xcalloc (batch->width, sizeof (*scaled));

    batch->rows = xcalloc ((batch->end - batch->begin) * batch->width,
                           sizeof (*batch->rows));
    walk->each = keep_row;
    walk->arg = scaled;
    return exchange_rc (walk_own (walk, err), err);
}

int batch_rows_load (struct batch_rows *batch, struct error *err)
{
    struct row_walk walk = { .batch = batch };
    struct feature_moments moments;
    int rc;

    batch->begin = first_of (batch, exchange_rank ());
    batch->end = first_of (batch, exchange_rank () + 1);
    rc = find_all_places (batch, err);
    if (rc == 0)
        rc = find_width (&walk, err);
    if (exchange_rc (rc, err) < 0)
        return -1;
    feature_moments_init (&moments, walk.width,
                          (enum feature_scale)batch->input->rules.batch.scale);
    rc = find_scaling (batch, &walk, &moments, err);
    feature_moments_release (&moments);
    return rc < 0 ? -1 : keep_rows (batch, &walk, err);
}

/* --- what is labelled --- */

struct labelled_walk {
    double *scaled;
    float *row;
    void (*each) (const float *row, void *arg);
    void *arg;
};

static void hand_on (struct batch_rows *batch, const double *row, size_t i,
                     void *arg)
{
    struct labelled_walk *labelled = arg;

    (void)i;
    scale (batch, row, labelled->scaled, labelled->row);
    labelled->each (labelled->row, labelled->arg);
}

int batch_rows_each_labelled (struct batch_rows *batch,
                              void (*each) (const float *row, void *arg),
                              void *arg, struct error *err)
{
    _cleanup_free_ double *scaled = xcalloc (batch->width, sizeof (*scaled));
    _cleanup_free_ float *row = xcalloc (batch->width, sizeof (*row));
    struct labelled_walk labelled = { scaled, row, each, arg };
    struct row_walk walk = { .batch = batch,
                             .width = batch->scaling.n_features,
                             .each = hand_on,
                             .arg = &labelled };

    return walk_labelled (&walk, err);
}
