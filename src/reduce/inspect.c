/* SPDX-License-Identifier: BSD-3-Clause */
/* inspect.c - is what a deviation belongs to a structure worth a label? */
#include "base/base.h"

#include "reduce/inspect.h"
#include "reduce/labelled.h"
#include "reduce/selection_input.h"
#include "reduce/structure.h"
#include "selection/deviations/step_files.h"
#include "selection/sampling/top_k.h"
#include "selection/geometry/fingerprint.h"
#include "selection/geometry/geometry.h"

/* A file that is not there has no frames. */
static int find_steps (const struct selection_input *input, const char *path,
                       const int64_t *steps, size_t n, uint64_t *offsets,
                       struct error *err)
{
    struct error why = ERROR_INIT;

    if (vector_find_steps (path, input->committee.position_columns, steps, n,
                           offsets, &why)
        == 0)
        return 0;
    if (!error_is_absence (&why))
        return error_copy (err, &why);
    for (size_t i = 0; i < n; i++)
        offsets[i] = UINT64_MAX;
    return 0;
}

static void note_place (struct inspected *inspected, uint64_t place)
{
    if (place == SAMPLED_NOWHERE)
        inspected->verdict = VERDICT_NO_FRAME;
    else
        inspected->place = place;
}

/* n frames of one trajectory, which are to be found by their steps. */
static int find_frames (const struct selection_input *input,
                        const struct trajectory *trajectory,
                        const struct sampled *frames, size_t n,
                        struct inspected *inspected, struct error *err)
{
    _cleanup_free_ int64_t *steps = xcalloc (n, sizeof (*steps));
    _cleanup_free_ uint64_t *offsets = xcalloc (n, sizeof (*offsets));
    size_t n_steps = 0, at_once;
    int rc = 0;

    for (size_t i = 0; i < n; i++) { /* atoms of a frame have one step */
        if (n_steps == 0 || frames[i].step != steps[n_steps - 1])
            steps[n_steps++] = frames[i].step;
    }
    at_once = strchr (trajectory->path, '*') ? 1 : n_steps;
    for (size_t i = 0; rc == 0 && i < n_steps; i += at_once) {
        _cleanup_free_ char *path = step_file_path (trajectory->path, steps[i]);

        rc = find_steps (input, path, steps + i, at_once, offsets + i, err);
    }
    for (size_t i = 0, at = 0; rc == 0 && i < n; i++) {
        at += frames[i].step != steps[at];
        note_place (&inspected[i], offsets[at]);
    }
    return rc;
}

size_t inspect_fingerprint_size (const struct selection_input *input)
{
    return selection_input_prints (input) ? fingerprint_size (input->elements.n)
                                          : 0;
}

void inspect_fingerprint (const struct selection_input *input,
                          const struct frame *frame, double *print)
{
    const struct geometry geometry = { frame->n_atoms, frame->positions,
                                       frame->cell, frame->periodic, NULL };
    _cleanup_free_ size_t *element =
        xcalloc (frame->n_atoms, sizeof (*element));

    for (size_t i = 0; i < frame->n_atoms; i++)
        element[i] = words_index (input->elements.v, input->elements.n,
                                  frame->symbols[i]);
    fingerprint (&geometry, element, input->elements.n, print);
}

/* Judge a structure, and take its fingerprint if one is needed. */
static enum verdict judge (const struct selection_input *input,
                           const struct frame *frame, double *print)
{
    static const enum verdict verdicts[] = {
        [GEOMETRY_GOOD] = VERDICT_USABLE,
        [GEOMETRY_BAD_BOX] = VERDICT_BAD_BOX,
        [GEOMETRY_TOO_CLOSE] = VERDICT_TOO_CLOSE,
        [GEOMETRY_NO_VACUUM] = VERDICT_NO_VACUUM,
    };
    const struct geometry geometry = {
        frame->n_atoms,
        frame->positions,
        frame->cell,
        frame->periodic,
        (const char (*)[SYMBOL_SIZE])frame->symbols,
    };

    if (inspect_fingerprint_size (input) > 0)
        inspect_fingerprint (input, frame, print);
    return verdicts[geometry_judge (&geometry, &input->rules.filters)];
}

/* Read the frame where it was found, and judge it.  Frames of one file come in
 * its order.
 */
static int judge_frame (struct structure_reader *reader,
                        const struct trajectory *trajectory,
                        const struct sampled *sampled,
                        struct labelled *labelled, struct inspected *inspected,
                        double *print, struct error *err)
{
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct sampled found = *sampled;
    int rc;

    found.place = inspected->place;
    rc = structure_read (reader, trajectory, &found, &frame, err);
    if (rc == 0)
        inspected->verdict = VERDICT_NO_FRAME;
    else if (rc == 1)
        inspected->verdict = judge (reader->input, &frame, print);
    if (rc == 1 && inspected->verdict == VERDICT_USABLE
        && reader->input->rules.duplicates > 0)
        rc = labelled_add (labelled, &frame, &inspected->verdict, err);
    return rc < 0 ? -1 : 0;
}

/* n frames of one trajectory. */
static int inspect_trajectory (const struct selection_input *input,
                               const struct trajectory *trajectory,
                               const struct sampled *frames, size_t n,
                               struct labelled *labelled,
                               struct inspected *inspected,
                               double *fingerprints, struct error *err)
{
    size_t size = inspect_fingerprint_size (input);
    struct structure_reader reader;
    bool look =
        input->rules.filters.any || size > 0 || input->rules.duplicates > 0;
    int rc = 0;

    if (!trajectory || !trajectory->path)
        return 0;
    structure_reader_init (&reader, input);
    if (frames[0].place == SAMPLED_NOWHERE)
        rc = find_frames (input, trajectory, frames, n, inspected, err);
    for (size_t i = 0; frames[0].place != SAMPLED_NOWHERE && i < n; i++)
        inspected[i].place = frames[i].place;
    for (size_t i = 0; rc == 0 && look && i < n; i++) {
        if (inspected[i].verdict == VERDICT_USABLE)
            rc = judge_frame (&reader, trajectory, &frames[i], labelled,
                              &inspected[i], fingerprints + i * size, err);
    }
    structure_reader_close (&reader);
    return rc;
}

int inspect_frames (const struct selection_input *input,
                    const struct sampled *frames, size_t n, int rank,
                    int n_ranks, struct inspected *inspected,
                    double *fingerprints, size_t *at, struct error *err)
{
    struct labelled labelled;
    size_t end, turn = 0;
    int rc = 0;

    memset (inspected, 0, n * sizeof (*inspected));
    labelled_init (&labelled, input);
    for (size_t i = 0; rc == 0 && i < n; i = end, turn++) {
        const struct trajectory *trajectory =
            input_trajectory (input, frames[i].task);

        end = i + 1;
        while (end < n && frames[end].task == frames[i].task
               && frames[end].part == frames[i].part)
            end++;
        *at = i;
        if (turn % (size_t)n_ranks == (size_t)rank)
            rc = inspect_trajectory (
                input, trajectory, frames + i, end - i, &labelled,
                inspected + i,
                fingerprints + i * inspect_fingerprint_size (input), err);
    }
    if (rc == 0)
        rc = labelled_finish (&labelled, err);
    labelled_release (&labelled);
    return rc;
}
