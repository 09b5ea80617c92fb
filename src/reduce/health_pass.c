/* SPDX-License-Identifier: BSD-3-Clause */
/* health_pass.c - all ranks' look at the atoms of all trajectories */
#include "base/base.h"

#include <sys/stat.h>

#include "formats/extxyz/extxyz.h"
#include "formats/vector_reader.h"
#include "reduce/exchange.h"
#include "reduce/health_pass.h"
#include "reduce/selection_input.h"
#include "reduce/share.h"
#include "selection/dataset/closest_pairs.h"
#include "selection/deviations/step_files.h"
#include "selection/geometry/geometry.h"
#include "selection/health/health.h"

/* --- labelled frames --- */

static int add_labelled (const struct frame *frame, void *arg,
                         struct error *err)
{
    (void)err;
    closest_pairs_add (arg, frame, (struct frame_mark){ 0 });
    return 0;
}

/* The least of all ranks. */
static void exchange_least (double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = -values[i];
    exchange_max (values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = -values[i];
}

int health_read_labelled (const struct selection_input *input,
                          struct closeness *closeness, struct error *err)
{
    const struct strvec *paths = &input->health_labelled;
    size_t ranks = (size_t)exchange_ranks (), rank = (size_t)exchange_rank ();
    _cleanup_ (closest_pairs_release) struct closest_pairs pairs =
        CLOSEST_PAIRS_INIT;
    int64_t failure = INT64_MAX; /* none */

    for (size_t i = rank; failure == INT64_MAX && i < paths->n; i += ranks) {
        if (extxyz_read_file (paths->v[i], add_labelled, &pairs, err) < 0)
            failure = (int64_t)i;
    }
    if (exchange_failure (failure, err) < 0)
        return error_prefix (err, "health: labelled");
    closeness_take (closeness, &pairs, &input->elements);
    exchange_least (closeness->least, closeness->n * closeness->n);
    closeness_find_reach (closeness);
    return 0;
}

/* --- frames --- */

struct watch {
    const struct selection_input *input;
    const struct closeness *closeness;
    struct vector_options options;
    struct health_case *seen; /* of the trajectory at hand */
    size_t *element;          /* of each atom of a frame */
    size_t alloc;
    uint64_t n_frames; /* of the trajectory */
    bool numbered;     /* its steps are the numbers of its frames */
    int64_t step;      /* the last one that was told */
};

/* Which of the input's elements each atom is; their number for others. */
static int number_elements (struct watch *watch,
                            const struct vector_frame *frame, struct error *err)
{
    const struct strvec *elements = &watch->input->elements;

    if (frame->n_atoms > watch->alloc) {
        watch->alloc = frame->n_atoms;
        watch->element = xreallocarray (watch->element, watch->alloc,
                                        sizeof (*watch->element));
    }
    for (size_t i = 0; i < frame->n_atoms; i++) {
        double type = frame->symbols ? 0 : frame->types[i];

        if (frame->symbols)
            watch->element[i] =
                words_index (elements->v, elements->n, frame->symbols[i]);
        else if (type >= 1 && type <= (double)elements->n
                 && type == floor (type))
            watch->element[i] = (size_t)type - 1;
        else
            return error_set (err,
                              "atom %zu of step %lld: type %g, but there are "
                              "%zu elements",
                              i + 1, (long long)watch->step, type, elements->n);
    }
    return 0;
}

/* A frame that counts. */
static int see_frame (struct watch *watch, const struct vector_frame *frame,
                      struct error *err)
{
    const struct geometry geometry = { .n_atoms = frame->n_atoms,
                                       .positions = frame->vectors,
                                       .cell = frame->cell,
                                       .periodic = frame->periodic };

    if (!frame->symbols && !frame->types)
        return error_set (err, "no column 'type' or 'element'");
    if (number_elements (watch, frame, err) < 0)
        return -1;
    if (!closeness_look (watch->closeness, &geometry, watch->element,
                         watch->step, &watch->seen->closest))
        watch->seen->broken_step =
            fmin (watch->seen->broken_step, (double)watch->step);
    return 0;
}

/* The frames of [begin, end) of a file, by their places. */
static int see_frames (struct watch *watch, struct vector_reader *reader,
                       uint64_t end, struct error *err)
{
    const struct rules *rules = &watch->input->rules;
    struct vector_frame frame;
    int rc;

    while ((rc = vector_reader_next (reader, &frame, err)) == 1) {
        if (frame.place >= end)
            return 0;
        if (frame.has_step || watch->numbered)
            watch->step = frame.step;
        if (watch->step < rules->skip_steps
            || watch->n_frames++ < rules->skip_frames)
            continue;
        if (see_frame (watch, &frame, err) < 0)
            return -1;
    }
    return rc;
}

/* --- files --- */

/* Where a piece that begins or ends at a byte does: at a frame; UINT64_MAX:
 * behind all.
 */
static int find_place (const char *path, uint64_t byte, uint64_t *place,
                       struct error *err)
{
    int64_t step;
    int rc = vector_find_from (path, byte, place, &step, err);

    if (rc == 0)
        *place = UINT64_MAX;
    return rc < 0 ? -1 : 0;
}

static int see_piece (struct watch *watch, const char *path, uint64_t begin,
                      uint64_t end, uint64_t bytes, struct error *err)
{
    struct error why = ERROR_INIT;
    struct vector_reader *reader =
        vector_reader_open (path, &watch->options, &why);
    uint64_t from = 0, to = UINT64_MAX;
    int rc = 0;

    if (!reader && error_is_absence (&why)) {
        watch->seen->blown_up = true;
        return 0;
    }
    if (!reader)
        return error_copy (err, &why);
    if (begin > 0)
        rc = find_place (path, begin, &from, err);
    if (rc == 0 && end < bytes)
        rc = find_place (path, end, &to, err);
    if (rc == 0 && from > 0 && from < UINT64_MAX)
        rc = vector_reader_go_to (reader, from, err);
    if (rc == 0 && from < UINT64_MAX)
        rc = see_frames (watch, reader, to, err);
    vector_reader_close (reader);
    return rc < 0 ? error_prefix (err, "%s", path) : 0;
}

/* A file for each frame, in the order of steps. */
static int see_files (struct watch *watch, const char *path, struct error *err)
{
    _cleanup_free_ int64_t *steps = NULL;
    size_t n = 0;
    int rc = step_files_list (path, &steps, &n, err);

    watch->seen->blown_up |= n == 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        _cleanup_free_ char *file = step_file_path (path, steps[i]);

        watch->step = steps[i];
        rc = see_piece (watch, file, 0, 0, 0, err);
    }
    return rc;
}

/* --- who reads what --- */

static bool can_split (size_t file, void *arg)
{
    const struct selection_input *input = arg;

    return input->rules.skip_frames == 0
           && vector_division (input->trajectories[file].path)
                  == VECTOR_BY_STEP;
}

/* Rank 0 looks, so that all agree; of each file its bytes. */
static void find_cuts (const struct selection_input *input, uint64_t *bytes,
                       struct share_cut *cuts)
{
    size_t n = input->n_trajectories, n_cuts = (size_t)exchange_ranks () + 1;

    if (exchange_rank () == 0) {
        for (size_t i = 0; i < n; i++) {
            struct stat st;

            if (stat (input->trajectories[i].path, &st) == 0)
                bytes[i] = (uint64_t)st.st_size;
        }
        share_bytes (bytes, n, exchange_ranks (), can_split, (void *)input,
                     cuts);
    }
    exchange_share (bytes, n);
    exchange_share (&cuts->file, n_cuts * sizeof (*cuts) / sizeof (uint64_t));
}

/* What lies between two cuts; *file is the one that is malformed. */
static int see_share (struct watch *watch, const uint64_t *bytes,
                      const struct share_cut cuts[2], struct health_case *cases,
                      int64_t *file, struct error *err)
{
    size_t n = watch->input->n_trajectories;
    int rc = 0;

    for (size_t i = cuts[0].file; rc == 0 && i < n && i <= cuts[1].file; i++) {
        uint64_t begin = i == cuts[0].file ? cuts[0].byte : 0;
        uint64_t end = i == cuts[1].file ? cuts[1].byte : bytes[i];
        const char *path = watch->input->trajectories[i].path;

        if (i == cuts[1].file && end == 0)
            break;
        watch->seen = &cases[i];
        watch->n_frames = 0;
        watch->step = 0;
        watch->numbered =
            !strchr (path, '*') && vector_division (path) != VECTOR_BY_STEP;
        rc = strchr (path, '*')
                 ? see_files (watch, path, err)
                 : see_piece (watch, path, begin, end, bytes[i], err);
        if (rc < 0)
            *file = (int64_t)i;
    }
    return rc;
}

/* --- together --- */

/* The worst pair of all ranks, number after number: who has not the worst of
 * one has no say in the next.
 */
static void exchange_closest (struct health_case *cases, size_t n)
{
    enum { NUMBERS = sizeof (struct close_pair) / sizeof (double) };
    _cleanup_free_ double *values = xcalloc (n, sizeof (*values));
    _cleanup_free_ bool *out = xcalloc (n, sizeof (*out));

    for (size_t k = 0; k < NUMBERS; k++) {
        for (size_t i = 0; i < n; i++)
            values[i] = out[i] ? INFINITY : ((double *)&cases[i].closest)[k];
        exchange_least (values, n);
        for (size_t i = 0; i < n; i++) {
            double *own = (double *)&cases[i].closest + k;

            out[i] |= *own != values[i];
            *own = values[i];
        }
    }
}

static void exchange_cases (struct health_case *cases, size_t n)
{
    _cleanup_free_ double *broken = xcalloc (n, sizeof (*broken));
    _cleanup_free_ uint64_t *blown_up = xcalloc (n, sizeof (*blown_up));

    for (size_t i = 0; i < n; i++) {
        broken[i] = cases[i].broken_step;
        blown_up[i] = cases[i].blown_up;
    }
    exchange_least (broken, n);
    exchange_sum (blown_up, n);
    for (size_t i = 0; i < n; i++) {
        cases[i].broken_step = broken[i];
        cases[i].blown_up = blown_up[i] > 0;
    }
    exchange_closest (cases, n);
}

int health_read_trajectories (const struct selection_input *input,
                              const struct closeness *closeness,
                              struct health_case *cases, struct error *err)
{
    struct watch watch = {
        .input = input,
        .closeness = closeness,
        .options = { .kind = VECTOR_POSITIONS,
                     .structure = true,
                     .columns = input->committee.position_columns },
    };
    _cleanup_free_ uint64_t *bytes =
        xcalloc (input->n_trajectories, sizeof (*bytes));
    _cleanup_free_ struct share_cut *cuts =
        xcalloc ((size_t)exchange_ranks () + 1, sizeof (*cuts));
    int64_t failure = INT64_MAX; /* none */

    find_cuts (input, bytes, cuts);
    see_share (&watch, bytes, cuts + exchange_rank (), cases, &failure, err);
    free (watch.element);
    if (exchange_failure (failure, err) < 0)
        return -1;
    exchange_cases (cases, input->n_trajectories);
    return 0;
}
