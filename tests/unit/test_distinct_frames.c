/* SPDX-License-Identifier: BSD-3-Clause */
/* test_distinct_frames.c - sets of frames in which none is there twice */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/dataset/distinct_frames.h"
#include "selection/geometry/duplicate.h"

static uint64_t random_state = 11;

static double uniform (double low, double high)
{
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* Of n atoms of silicon in a tilted cell, anywhere. */
static void make_frame (struct frame *frame, size_t n)
{
    static const double cell[9] = { 6, 0, 0, 2, 7, 0, -1, 3, 8 };

    *frame = (struct frame)FRAME_INIT;
    assert_int_equal (frame_resize (frame, n, true, NULL), 0);
    memcpy (frame->cell, cell, sizeof (cell));
    for (size_t axis = 0; axis < 3; axis++)
        frame->periodic[axis] = true;
    for (size_t i = 0; i < n; i++)
        symbol_set (frame->symbols[i], "Si", 2);
    for (size_t i = 0; i < 3 * n; i++)
        frame->positions[i] = uniform (-15, 15);
}

static struct frame copy_of (const struct frame *frame)
{
    struct frame copy;

    make_frame (&copy, frame->n_atoms);
    memcpy (copy.symbols, frame->symbols,
            frame->n_atoms * sizeof (*copy.symbols));
    memcpy (copy.positions, frame->positions,
            3 * frame->n_atoms * sizeof (*copy.positions));
    memcpy (copy.cell, frame->cell, sizeof (copy.cell));
    copy.info = frame->info ? xstrdup (frame->info) : NULL;
    return copy;
}

/* --- what makes a frame another one --- */

static void same_shifted (struct frame *f)
{
    for (size_t i = 0; i < 3 * f->n_atoms; i++)
        f->positions[i] += 1.5;
}

static void same_other_image (struct frame *f)
{
    for (size_t j = 0; j < 3; j++)
        f->positions[3 + j] += 2 * f->cell[3 + j] - f->cell[6 + j];
}

static void same_nearly (struct frame *f)
{
    f->positions[4] += 0.9e-3;
    f->cell[0] += 0.9e-3;
}

static void same_other_word (struct frame *f)
{
    f->info = xstrdup ("step=4 fparam=\"0.5\"");
}

static void other_position (struct frame *f)
{
    f->positions[3 * f->n_atoms - 1] += 1.1e-3;
}

static void other_second_atom (struct frame *f)
{
    f->positions[3] -= 1.1e-3;
}

static void other_cell (struct frame *f)
{
    f->cell[8] += 1.1e-3;
}

static void other_element (struct frame *f)
{
    symbol_set (f->symbols[f->n_atoms - 1], "Ge", 2);
}

static void other_periods (struct frame *f)
{
    f->periodic[2] = false;
}

static void other_parameter (struct frame *f)
{
    f->info = xstrdup ("step=4 fparam=\"0.6\"");
}

static void other_missing_parameter (struct frame *f)
{
    f->info = xstrdup ("step=4");
}

static void other_atom_parameter (struct frame *f)
{
    f->info = xstrdup ("fparam=0.5 aparam=\"1 2\"");
}

static void other_not_finite (struct frame *f)
{
    f->positions[5] = NAN;
}

static const struct {
    const char *what;
    void (*change) (struct frame *f);
    bool is_same;
} changes[] = {
    { "the same shifted", same_shifted, true },
    { "an atom in another image", same_other_image, true },
    { "nearly the same", same_nearly, true },
    { "another key that labels do not depend on", same_other_word, true },
    { "a position", other_position, false },
    { "the position of the second atom", other_second_atom, false },
    { "the cell", other_cell, false },
    { "an element", other_element, false },
    { "the directions along which it repeats", other_periods, false },
    { "fparam", other_parameter, false },
    { "no fparam", other_missing_parameter, false },
    { "aparam", other_atom_parameter, false },
    { "a number that is none", other_not_finite, false },
};

static void test_changes (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (changes); i++) {
        struct distinct_frames set = DISTINCT_FRAMES_INIT;
        const struct distinct_frame *found;
        struct frame a, b;

        make_frame (&a, 9);
        a.info = xstrdup ("fparam=0.5 step=3");
        a.energy = -7;
        b = copy_of (&a);
        if (changes[i].change != same_shifted
            && changes[i].change != same_other_image
            && changes[i].change != same_nearly) {
            free (b.info);
            b.info = NULL;
        }
        changes[i].change (&b);
        if (!b.info)
            b.info = xstrdup ("fparam=0.5");
        assert_null (
            distinct_frames_add (&set, &a, (struct frame_mark){ 2, 5 }));
        assert_int_equal (a.n_atoms, 0);
        assert_null (a.positions);
        found = distinct_frames_add (&set, &b, (struct frame_mark){ 3, 6 });
        if ((found != NULL) != changes[i].is_same)
            fail_msg ("%s: %s", changes[i].what, found ? "found" : "not found");
        if (found) {
            assert_int_equal (found->mark.file, 2);
            assert_int_equal (found->mark.number, 5);
            assert_true (found->frame.energy == -7);
            assert_int_equal (b.n_atoms, 9);
        }
        assert_int_equal (set.n, changes[i].is_same ? 1 : 2);
        frame_release (&b);
        distinct_frames_release (&set);
        distinct_frames_release (&set);
    }
}

/* --- as duplicate_same has it, whatever the cell --- */

enum { FRAMES = 300 };

static void move_little (struct frame *f)
{
    double largest = uniform (0, 1) < 0.7 ? 0.9e-3 : 1.1e-3;

    for (size_t i = 0; i < 3 * f->n_atoms; i++)
        f->positions[i] += uniform (-0.4e-3, 0.4e-3);
    for (size_t i = 0; i < f->n_atoms; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            double cells = floor (uniform (-3, 4));

            for (size_t j = 0; f->periodic[axis] && j < 3; j++)
                f->positions[3 * i + j] += cells * f->cell[3 * axis + j];
        }
    }
    for (size_t i = 0; i < 9; i++)
        f->cell[i] += uniform (-largest, largest);
}

/* A slab, a molecule without a cell, one atom, or a crystal. */
static void make_other (struct frame *f, int round)
{
    make_frame (f, round % 4 == 2 ? 1 : 3);
    f->periodic[2] = round % 4 != 0;
    if (round % 4 == 1) {
        memset (f->cell, 0, sizeof (f->cell));
        memset (f->periodic, 0, sizeof (f->periodic));
    }
}

static bool any_is_same (const struct frame *kept, size_t n,
                         const struct frame *frame)
{
    for (size_t i = 0; i < n; i++) {
        if (memcmp (kept[i].periodic, frame->periodic, sizeof (frame->periodic))
                == 0
            && duplicate_same (&kept[i], frame, DISTINCT_FRAMES_TOLERANCE))
            return true;
    }
    return false;
}

/* No pair is told apart before duplicate_same could say that it is the same. */
static void test_as_all_pairs (void **state)
{
    struct distinct_frames set = DISTINCT_FRAMES_INIT;
    struct frame kept[FRAMES];
    size_t n = 0, n_same = 0;

    (void)state;
    for (int round = 0; round < FRAMES; round++) {
        struct frame frame;
        bool expected;

        if (round % 3 == 0 || n == 0) {
            make_other (&frame, round);
        } else {
            size_t of = (size_t)uniform (0, (double)n);

            frame = copy_of (&kept[of]);
            memcpy (frame.periodic, kept[of].periodic, sizeof (frame.periodic));
            move_little (&frame);
        }
        expected = any_is_same (kept, n, &frame);
        n_same += expected;
        if (!expected) {
            kept[n] = copy_of (&frame);
            memcpy (kept[n].periodic, frame.periodic, sizeof (frame.periodic));
            n++;
        }
        assert_int_equal (
            distinct_frames_add (&set, &frame, (struct frame_mark){ 0, 0 })
                != NULL,
            expected);
        frame_release (&frame);
    }
    assert_int_equal (set.n, n);
    print_message ("# %zu are the same\n", n_same);
    assert_in_range (n_same, FRAMES / 5, 4 * FRAMES / 5); /* both were tried */
    for (size_t i = 0; i < n; i++)
        frame_release (&kept[i]);
    distinct_frames_release (&set);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_changes),
        cmocka_unit_test (test_as_all_pairs),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
