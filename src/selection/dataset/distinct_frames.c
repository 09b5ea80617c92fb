/* SPDX-License-Identifier: BSD-3-Clause */
/* distinct_frames.c - a set of frames in which none is there twice */
#include "base/base.h"

#include "selection/dataset/distinct_frames.h"
#include "selection/geometry/duplicate.h"
#include "selection/geometry/geometry.h"

enum { REMAINDERS = 1 << 16 };

/* A quick test, which most frames that are not the same fail: the fractions of
 * the cell's vectors between the first two atoms, less whole ones, and by how
 * much they may differ in frames that are the same.
 */
struct distinct_place {
    uint64_t key;
    double fraction[3];
    double slack;  /* INFINITY: fractions tell nothing */
    size_t before; /* one more than that of this remainder; 0: none is */
};

/* --- comparing --- */

static double least_of (const double heights[3])
{
    return fmin (heights[0], fmin (heights[1], heights[2]));
}

/* Where the cells A and A + E, with rows of E up to sqrt (3) tolerances long,
 * have the second atom at fractions f and f' of it, up to a whole number n and
 * a distance d of one tolerance,
 *
 *   (f' - f - n) A = d - f' E
 *
 * and a row of the inverse of A is as long as one over a height.
 */
static struct distinct_place place_of (const struct frame *frame)
{
    struct distinct_place place = { .key = duplicate_key (frame),
                                    .slack = INFINITY };
    double inverse[9], heights[3], cells = 0;

    if (frame->n_atoms < 2
        || !geometry_invert_cell (frame->cell, inverse, heights))
        return place;
    for (size_t axis = 0; axis < 3; axis++) {
        double f = 0;

        for (size_t j = 0; j < 3; j++)
            f += inverse[3 * axis + j]
                 * (frame->positions[3 + j] - frame->positions[j]);
        cells += fabs (f);
        place.fraction[axis] = f - floor (f);
    }
    place.slack = 1.01 * DISTINCT_FRAMES_TOLERANCE * (1 + sqrt (3) * cells)
                  / least_of (heights);
    return place;
}

static bool may_be_same (const struct distinct_place *a,
                         const struct distinct_place *b)
{
    double slack = fmax (a->slack, b->slack);

    if (a->key != b->key)
        return false;
    for (size_t axis = 0; axis < 3; axis++) {
        double apart = fabs (a->fraction[axis] - b->fraction[axis]);

        if (fmin (apart, 1 - apart) > slack)
            return false;
    }
    return true;
}

static bool same_value (const struct frame *a, const struct frame *b,
                        const char *key)
{
    const char *of_a, *of_b;
    size_t len_a, len_b;
    bool in_a = frame_info_value (a, key, &of_a, &len_a);
    bool in_b = frame_info_value (b, key, &of_b, &len_b);

    if (!in_a || !in_b)
        return in_a == in_b;
    return len_a == len_b && memcmp (of_a, of_b, len_a) == 0;
}

static bool is_same (const struct frame *a, const struct frame *b)
{
    return memcmp (a->periodic, b->periodic, sizeof (a->periodic)) == 0
           && same_value (a, b, "fparam") && same_value (a, b, "aparam")
           && duplicate_same (a, b, DISTINCT_FRAMES_TOLERANCE);
}

/* --- the set --- */

static void keep_value (const struct frame *frame, const char *key,
                        struct strbuf *info)
{
    const char *value;
    size_t len;

    if (frame_info_value (frame, key, &value, &len))
        strbuf_addf (info, "%s%s=\"%.*s\"", info->len > 0 ? " " : "", key,
                     (int)len, value);
}

/* What is_same looks at, and the energy. */
static void strip (struct frame *frame)
{
    struct strbuf info = STRBUF_INIT;

    keep_value (frame, "fparam", &info);
    keep_value (frame, "aparam", &info);
    free (frame->forces);
    free (frame->info);
    frame->forces = NULL;
    frame->info = info.len > 0 ? strbuf_detach (&info) : NULL;
}

const struct distinct_frame *distinct_frames_add (struct distinct_frames *set,
                                                  struct frame *frame,
                                                  struct frame_mark mark)
{
    struct distinct_place place = place_of (frame);
    size_t *newest;

    if (!set->newest)
        set->newest = xcalloc (REMAINDERS, sizeof (*set->newest));
    newest = &set->newest[place.key % REMAINDERS];
    for (size_t i = *newest; i > 0; i = set->places[i - 1].before) {
        if (may_be_same (&set->places[i - 1], &place)
            && is_same (&set->v[i - 1].frame, frame))
            return &set->v[i - 1];
    }
    strip (frame);
    place.before = *newest;
    set->places = grow_array (set->places, set->n, &set->places_alloc,
                              sizeof (*set->places));
    set->v = grow_array (set->v, set->n, &set->alloc, sizeof (*set->v));
    set->places[set->n] = place;
    set->v[set->n++] = (struct distinct_frame){ *frame, mark };
    *newest = set->n;
    *frame = (struct frame)FRAME_INIT;
    return NULL;
}

void distinct_frames_release (struct distinct_frames *set)
{
    for (size_t i = 0; i < set->n; i++)
        frame_release (&set->v[i].frame);
    free (set->v);
    free (set->places);
    free (set->newest);
    *set = (struct distinct_frames)DISTINCT_FRAMES_INIT;
}
