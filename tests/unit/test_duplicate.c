/* SPDX-License-Identifier: BSD-3-Clause */
/* test_duplicate.c - which structures are the same */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/frame.h"
#include "selection/geometry/duplicate.h"

enum { ATOMS = 8 };

static uint64_t random_state = 3;

static double uniform (double low, double high)
{
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* A tilted cell; atoms anywhere. */
static void make_frame (struct frame *frame)
{
    static const double cell[9] = { 6, 0, 0, 2, 7, 0, -1, 3, 8 };

    *frame = (struct frame)FRAME_INIT;
    assert_int_equal (frame_resize (frame, ATOMS, false, NULL), 0);
    memcpy (frame->cell, cell, sizeof (cell));
    for (size_t i = 0; i < ATOMS; i++) {
        frame->periodic[i % 3] = true;
        symbol_set (frame->symbols[i], i < 3 ? "Si" : "O", i < 3 ? 2 : 1);
        for (size_t j = 0; j < 3; j++)
            frame->positions[3 * i + j] = uniform (-9, 9);
    }
}

static void copy_frame (const struct frame *from, struct frame *to)
{
    make_frame (to);
    memcpy (to->cell, from->cell, sizeof (to->cell));
    memcpy (to->positions, from->positions,
            3 * ATOMS * sizeof (*to->positions));
    memcpy (to->symbols, from->symbols, ATOMS * sizeof (*to->symbols));
}

static void shift (struct frame *frame, double by)
{
    for (size_t i = 0; i < 3 * ATOMS; i++)
        frame->positions[i] += by;
}

/* Every atom to another image. */
static void change_images (struct frame *frame)
{
    for (size_t i = 0; i < ATOMS; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            double cells = floor (uniform (-3, 4));

            for (size_t j = 0; j < 3; j++)
                frame->positions[3 * i + j] +=
                    cells * frame->cell[3 * axis + j];
        }
    }
}

static void test_same (void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct frame a, b;

        make_frame (&a);
        copy_frame (&a, &b);
        assert_true (duplicate_same (&a, &b, 1e-9));
        shift (&b, uniform (-20, 20));
        change_images (&b);
        assert_true (duplicate_key (&a) == duplicate_key (&b));
        assert_true (duplicate_same (&a, &b, 1e-6));
        assert_true (duplicate_same (&b, &a, 1e-6));
        /* one atom moves by 0.02 */
        b.positions[3 * (1 + (size_t)uniform (0, ATOMS - 1)) + 1] += 0.02;
        assert_false (duplicate_same (&a, &b, 0.0199));
        assert_true (duplicate_same (&a, &b, 0.0201));
        frame_release (&a);
        frame_release (&b);
    }
}

static void test_different (void **state)
{
    struct frame a, b;

    (void)state;
    make_frame (&a);
    make_frame (&b);
    assert_false (duplicate_same (&a, &b, 0.1));
    frame_release (&b);

    copy_frame (&a, &b); /* the cell */
    b.cell[4] += 0.02;
    assert_false (duplicate_same (&a, &b, 0.0199));
    assert_true (duplicate_same (&a, &b, 0.0201));
    b.cell[4] = NAN;
    assert_false (duplicate_same (&a, &b, 1));
    frame_release (&b);

    copy_frame (&a, &b); /* an element */
    memcpy (b.symbols[2], "O", 2);
    assert_false (duplicate_same (&a, &b, 0.1));
    assert_true (duplicate_key (&a) != duplicate_key (&b));
    frame_release (&b);

    copy_frame (&a, &b); /* the number of atoms */
    b.n_atoms--;
    assert_false (duplicate_same (&a, &b, 0.1));
    assert_true (duplicate_key (&a) != duplicate_key (&b));
    frame_release (&b);

    copy_frame (&a, &b); /* the order of two atoms of an element */
    for (int j = 0; j < 3; j++) {
        b.positions[12 + j] = a.positions[15 + j];
        b.positions[15 + j] = a.positions[12 + j];
    }
    assert_false (duplicate_same (&a, &b, 0.1));
    frame_release (&b);

    copy_frame (&a, &b);
    b.positions[20] = NAN;
    assert_false (duplicate_same (&a, &b, 1));
    frame_release (&b);
    frame_release (&a);
}

/* Across a direction that is not periodic there are no images. */
static void test_open_directions (void **state)
{
    struct frame a, b;

    (void)state;
    make_frame (&a);
    copy_frame (&a, &b);
    for (size_t j = 0; j < 3; j++)
        b.positions[6 + j] += b.cell[3 + j];
    assert_true (duplicate_same (&a, &b, 1e-6));
    a.periodic[1] = false;
    assert_false (duplicate_same (&a, &b, 0.1));
    frame_release (&b);

    copy_frame (&a, &b); /* no cell at all */
    memset (a.cell, 0, sizeof (a.cell));
    memset (b.cell, 0, sizeof (b.cell));
    shift (&b, 5);
    assert_true (duplicate_same (&a, &b, 1e-6));
    b.positions[9] += 1;
    assert_false (duplicate_same (&a, &b, 0.5));
    frame_release (&a);
    frame_release (&b);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_same),
        cmocka_unit_test (test_different),
        cmocka_unit_test (test_open_directions),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
