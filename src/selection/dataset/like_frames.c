/* SPDX-License-Identifier: BSD-3-Clause */
/* like_frames.c - frames that are the same, or the same but for a strain */
#include "base/base.h"

#include "base/hash.h"
#include "formats/frame.h"
#include "selection/dataset/like_frames.h"
#include "selection/geometry/duplicate.h"
#include "selection/geometry/geometry.h"

enum { STRAINED_EACH = 4 }; /* pairs that one frame begins */

/* In [-1, 1], always the same. */
static double weight (size_t atom, size_t number)
{
    const uint64_t words[2] = { atom, number };

    return (double)(hash_words (0, words, 2) >> 11) * 0x1p-52 - 1;
}

/* --- numbers of a frame --- */

/* Positions as fractions, of what stands for the cell where there is none. */
static bool fractions_of (const struct frame *frame, double inverse[9])
{
    static const double ten[9] = { 10, 0, 0, 0, 10, 0, 0, 0, 10 };
    double heights[3];

    return geometry_invert_cell (frame_volume (frame) != 0 ? frame->cell : ten,
                                 inverse, heights);
}

static void set_numbers (const struct frame *frame, const double inverse[9],
                         double numbers[LIKE_FRAMES_NUMBERS])
{
    const double *first = frame->positions;

    memset (numbers, 0, LIKE_FRAMES_NUMBERS * sizeof (*numbers));
    for (size_t i = 1; i < frame->n_atoms; i++) {
        const double *at = frame->positions + 3 * i;
        const double apart[3] = { at[0] - first[0], at[1] - first[1],
                                  at[2] - first[2] };

        for (size_t j = 0; j < LIKE_FRAMES_NUMBERS; j++) {
            const double *normal = inverse + 3 * (j % 3);
            double s = normal[0] * apart[0] + normal[1] * apart[1]
                       + normal[2] * apart[2];

            numbers[j] +=
                weight (i, j) * cos (2 * M_PI * s + (j < 3 ? 0.5 : 2.0));
        }
    }
}

void like_frames_add (struct like_frames *frames, const struct frame *frame,
                      struct frame_mark mark)
{
    struct like_frame *made;
    double inverse[9];

    if (frame->n_atoms == 0 || !all_finite (frame->cell, 9)
        || !all_finite (frame->positions, 3 * frame->n_atoms)
        || !fractions_of (frame, inverse))
        return;
    frames->v =
        grow_array (frames->v, frames->n, &frames->alloc, sizeof (*frames->v));
    made = &frames->v[frames->n];
    *made = (struct like_frame){ .key = duplicate_key (frame),
                                 .energy = frame->energy,
                                 .n_atoms = frame->n_atoms,
                                 .mark = mark,
                                 .order = frames->n++ };
    made->has_labels = frame->has_energy && frame->has_virial
                       && isfinite (frame->energy)
                       && all_finite (frame->virial, 9);
    set_numbers (frame, inverse, made->numbers);
    memcpy (made->cell, frame->cell, sizeof (made->cell));
    memcpy (made->virial, frame->virial, sizeof (made->virial));
}

void like_frames_release (struct like_frames *frames)
{
    free (frames->v);
    *frames = (struct like_frames)LIKE_FRAMES_INIT;
}

/* --- groups of like frames --- */

static int compare (double a, double b)
{
    return (a > b) - (a < b);
}

static int by_key (const void *x, const void *y)
{
    const struct like_frame *a = x, *b = y;
    int order = (a->key > b->key) - (a->key < b->key);

    if (order == 0)
        order = compare (a->numbers[0], b->numbers[0]);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static int by_volume (const void *x, const void *y)
{
    const struct like_frame *a = x, *b = y;
    int order =
        compare (fabs (cell_volume (a->cell)), fabs (cell_volume (b->cell)));

    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static bool are_close (const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs (a[i] - b[i]) <= LIKE_FRAMES_TOLERANCE))
            return false;
    }
    return true;
}

/* Bring those of [begin, end) that are like the first to the front; how many
 * there are.  All have its key, and their first numbers rise.
 */
static size_t gather (struct like_frame *begin, struct like_frame *end)
{
    size_t n = 1;

    for (struct like_frame *at = begin + 1;
         at < end && at->key == begin->key
         && at->numbers[0] - begin->numbers[0] <= LIKE_FRAMES_TOLERANCE;
         at++) {
        struct like_frame found = *at;

        if (!are_close (found.numbers, begin->numbers, LIKE_FRAMES_NUMBERS))
            continue;
        memmove (begin + n + 1, begin + n,
                 (size_t)(at - (begin + n)) * sizeof (*at));
        begin[n++] = found;
    }
    return n;
}

typedef void visit (const struct like_frame *a, const struct like_frame *b,
                    void *arg);

/* Frames of the same cell are next to each other by volume, or nearly so. */
static void visit_group (struct like_frame *v, size_t n, visit *same,
                         visit *strained, void *arg)
{
    _cleanup_free_ bool *again = xcalloc (n, sizeof (*again));

    qsort (v, n, sizeof (*v), by_volume);
    for (size_t i = 0; i < n; i++) {
        size_t others = 0;

        for (size_t j = i + 1; !again[i] && j < n && others < STRAINED_EACH;
             j++) {
            if (again[j])
                continue;
            if (are_close (v[i].cell, v[j].cell, 9)) {
                bool earlier = v[i].order < v[j].order;

                same (&v[earlier ? i : j], &v[earlier ? j : i], arg);
                again[j] = true;
            } else if (fabs (cell_volume (v[i].cell)) > 0) {
                strained (&v[i], &v[j], arg);
                others++;
            }
        }
    }
}

void like_frames_each (struct like_frames *frames, visit *same, visit *strained,
                       void *arg)
{
    struct like_frame *end = frames->v + frames->n;

    if (frames->n > 1)
        qsort (frames->v, frames->n, sizeof (*frames->v), by_key);
    for (struct like_frame *at = frames->v; at < end;) {
        size_t n = gather (at, end);

        if (n > 1)
            visit_group (at, n, same, strained, arg);
        at += n;
    }
}
