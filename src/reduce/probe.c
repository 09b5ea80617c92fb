/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - frames that were drawn to find levels, and their labels */
#include "base/base.h"

#include "formats/extxyz/extxyz.h"
#include "formats/lines.h"
#include "formats/number.h"
#include "reduce/exchange.h"
#include "reduce/probe.h"
#include "reduce/selection_input.h"
#include "selection/calibration/force_error.h"
#include "selection/deviations/committee.h"
#include "selection/geometry/duplicate.h"
#include "selection/sampling/top_k.h"
#include "selection/statistics/frame_stats.h"

void probe_release (struct probe *probe)
{
    for (size_t i = 0; i < probe->n; i++)
        frame_release (&probe->frames[i].frame);
    free (probe->frames);
    *probe = (struct probe)PROBE_INIT;
}

/* --- frames --- */

static bool read_key (const struct frame *frame, const char *key,
                      int64_t *number, double *real)
{
    const char *value, *end;
    size_t len;

    if (!frame_info_value (frame, key, &value, &len))
        return false;
    end = number ? integer_read (value, value + len, number)
                 : number_read (value, value + len, real);
    return end == value + len;
}

/* Take the frame over. */
static int add_frame (struct probe *probe, struct frame *frame,
                      struct error *err)
{
    struct probed one = { .error = INFINITY };
    int64_t drawn_from = 0;

    if (!read_key (frame, "task", &one.task, NULL)
        || !read_key (frame, "step", &one.step, NULL)
        || !read_key (frame, "deviation", NULL, &one.score)
        || !read_key (frame, "drawn_from", &drawn_from, NULL))
        return error_set (err, "it does not tell task, step, deviation and "
                               "drawn_from; bind probe: to the frames of a "
                               "stage that uses model_devi.probe");
    if (probe->n > 0 && probe->drawn_from != (uint64_t)drawn_from)
        return error_set (err, "it is of another probe than the frames before");
    free (frame->forces);
    frame->forces = NULL;
    one.frame = *frame;
    *frame = (struct frame)FRAME_INIT;
    probe->frames = grow_array (probe->frames, probe->n, &probe->alloc,
                                sizeof (*probe->frames));
    probe->frames[probe->n++] = one;
    probe->drawn_from = (uint64_t)drawn_from;
    return 0;
}

/* The label is of all frames that are the same. */
static int add_label (struct probe *probe, struct frame *label,
                      struct error *err)
{
    bool found = false;

    if (!label->forces)
        return error_set (err, "it has no forces");
    for (size_t i = 0; i < probe->n; i++) {
        struct probed *one = &probe->frames[i];
        size_t n = 3 * label->n_atoms;

        if (!duplicate_same (&one->frame, label, PROBE_TOLERANCE_A))
            continue;
        found = true;
        one->frame.forces =
            xreallocarray (one->frame.forces, n + 1, sizeof (double));
        memcpy (one->frame.forces, label->forces, n * sizeof (double));
    }
    return found ? 0
                 : error_set (err, "no frame of the probe has these atoms, in "
                                   "this order and these places; bind labels: "
                                   "to the dataset of the stage that labels "
                                   "the probe");
}

static int read_file (const char *path,
                      int (*add) (struct probe *probe, struct frame *frame,
                                  struct error *err),
                      struct probe *probe, struct error *err)
{
    _cleanup_ (lines_close) struct lines lines = LINES_INIT;
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    size_t n = 0;
    int rc = lines_open (&lines, path, 0, err);

    while (rc == 0) {
        rc = extxyz_next_whole (&lines, NULL, &frame, err);
        if (rc != 1)
            return rc;
        n++;
        rc = add (probe, &frame, err);
        if (rc < 0)
            error_prefix (err, "%s: frame %zu", path, n);
    }
    return rc;
}

static int compare_places (const void *a, const void *b)
{
    const struct probed *x = a, *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

int probe_read (const struct selection_input *input, struct probe *probe,
                struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < input->probe.n; i++)
        rc = read_file (input->probe.v[i], add_frame, probe, err);
    if (rc == 0 && probe->n > 0)
        qsort (probe->frames, probe->n, sizeof (*probe->frames),
               compare_places);
    if (rc == 0 && input->probe_labels)
        rc = read_file (input->probe_labels, add_label, probe, err);
    return rc;
}

/* Of a frame at a place; NULL: it was not drawn. */
static struct probed *find (const struct probe *probe, int64_t task,
                            int64_t step)
{
    const struct probed place = { .task = task, .step = step };

    if (probe->n == 0)
        return NULL;
    return bsearch (&place, probe->frames, probe->n, sizeof (*probe->frames),
                    compare_places);
}

bool probe_has (const struct probe *probe, const struct sampled *frame)
{
    return find (probe, frame->task, frame->step) != NULL;
}

/* --- errors --- */

struct judging {
    const struct selection_input *input;
    struct probe *probe;
    int64_t task;
};

/* A step that comes again counts the last time. */
static void judge_frame (int64_t step, const double *const *forces,
                         size_t n_models, size_t n_atoms, void *arg)
{
    const struct judging *judging = arg;
    struct probed *one = find (judging->probe, judging->task, step);

    if (one && one->frame.forces && one->frame.n_atoms == n_atoms)
        one->error =
            force_error (forces, n_models, one->frame.forces, n_atoms,
                         (enum error_of)judging->input->rules.error.of);
}

static void note_scores (const struct judging *judging,
                         const struct deviation_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct probed *one =
            find (judging->probe, judging->task, rows->step[i]);

        if (!one)
            continue;
        one->found = 1;
        one->found_score = rows->value[DEVIATION_FORCE][i];
    }
}

/* All frames of one trajectory. */
static int judge_task (struct judging *judging, struct error *err)
{
    const struct selection_input *input = judging->input;
    const struct trajectory *t = input_trajectory (input, judging->task);
    const struct committee_listener listener = { judge_frame, judging };
    const struct committee_files files = {
        .rules = &input->rules,
        .making = &input->committee,
        .trajectory = t ? t->path : NULL,
        .forces = t ? t->forces : NULL,
        .n_models = input->n_models,
        .listener = &listener,
    };
    uint64_t counts[SCAN_COUNTS] = { 0 }, places[DEVIATION_ROWS_MAX];
    struct deviation_rows rows;
    struct committee *committee;
    int rc;

    if (!t)
        return 0;
    committee = committee_open (&files, counts, err);
    if (!committee)
        return -1;
    while ((rc = committee_next (committee, &rows, places, err)) == 1)
        note_scores (judging, &rows);
    committee_close (committee, counts);
    return rc;
}

/* Of those that this rank did not read nothing is known here: all zeros. */
static void exchange_probed (struct probe *probe, const bool *read)
{
    enum { WORDS = 3 };
    _cleanup_free_ uint64_t *words =
        xcalloc (WORDS * probe->n, sizeof (*words));

    for (size_t i = 0; i < probe->n; i++) {
        const struct probed *one = &probe->frames[i];

        if (!read[i])
            continue;
        memcpy (words + WORDS * i, &one->error, sizeof (one->error));
        memcpy (words + WORDS * i + 1, &one->found_score,
                sizeof (one->found_score));
        words[WORDS * i + 2] = one->found;
    }
    exchange_sum (words, WORDS * probe->n);
    for (size_t i = 0; i < probe->n; i++) {
        struct probed *one = &probe->frames[i];

        memcpy (&one->error, words + WORDS * i, sizeof (one->error));
        memcpy (&one->found_score, words + WORDS * i + 1,
                sizeof (one->found_score));
        one->found = words[WORDS * i + 2];
    }
}

static int check_scores (const struct probe *probe, struct error *err)
{
    for (size_t i = 0; i < probe->n; i++) {
        const struct probed *one = &probe->frames[i];

        if (!one->found)
            return error_set (err,
                              "probe: step %lld of task %lld is not among the "
                              "frames that are selected from; give both stages "
                              "the same trajectories and skip",
                              (long long)one->step, (long long)one->task);
        if (one->found_score != one->score)
            return error_set (err,
                              "probe: step %lld of task %lld has the deviation "
                              "%.9g, and had %.9g when it was drawn; it was "
                              "drawn by another committee: run `fanfold redo` "
                              "for the stage that draws",
                              (long long)one->step, (long long)one->task,
                              one->found_score, one->score);
    }
    return 0;
}

int probe_judge (const struct selection_input *input, struct probe *probe,
                 struct error *err)
{
    struct judging judging = { input, probe, 0 };
    _cleanup_free_ bool *read = xcalloc (probe->n, sizeof (*read));
    int64_t failure = INT64_MAX; /* none */
    size_t turn = 0, end;

    for (size_t i = 0; failure == INT64_MAX && i < probe->n; i = end, turn++) {
        judging.task = probe->frames[i].task;
        for (end = i; end < probe->n && probe->frames[end].task == judging.task;
             end++)
            read[end] =
                turn % (size_t)exchange_ranks () == (size_t)exchange_rank ();
        if (read[i] && judge_task (&judging, err) < 0)
            failure = judging.task;
    }
    if (exchange_failure (failure, err) < 0)
        return -1;
    exchange_probed (probe, read);
    return check_scores (probe, err);
}
