/* SPDX-License-Identifier: BSD-3-Clause */
/* test_draw.c - the same frames are drawn however they are dealt out */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "base/hash.h"
#include "selection/draw.h"

enum { TASKS = 20, STEPS = 50, FRAMES = TASKS * STEPS };

static struct drawn frame_number (int i)
{
    return (struct drawn){ .task = i / STEPS,
                           .step = 20 * (i % STEPS),
                           .place = (uint64_t)i,
                           .deviation = 0.001 * i };
}

static void offer_all (struct draw *draw)
{
    for (int i = 0; i < FRAMES; i++)
        draw_offer (draw, frame_number (i));
}

/* Against the definition: a frame is drawn when fewer than 'quota' others have
 * a smaller key.
 */
static bool belongs (const struct draw *draw, int i)
{
    uint64_t keys[FRAMES];
    size_t smaller = 0;

    for (int j = 0; j < FRAMES; j++) {
        struct drawn frame = frame_number (j);
        uint64_t words[2] = { (uint64_t)frame.task, (uint64_t)frame.step };

        keys[j] = hash_words (draw->seed, words, 2);
    }
    for (int j = 0; j < FRAMES; j++)
        smaller += keys[j] < keys[i];
    return smaller < draw->quota;
}

static void test_definition (void **state)
{
    struct draw draw;
    size_t n = 0;

    (void)state;
    draw_init (&draw, 4711, 37);
    offer_all (&draw);
    draw_sort (&draw);
    assert_int_equal (draw.n, 37);
    for (int i = 0; i < FRAMES && n < draw.n; i++) {
        if (!belongs (&draw, i))
            continue;
        assert_int_equal (draw.frames[n].place, i); /* by task, then step */
        assert_true (draw.frames[n].deviation == 0.001 * i);
        n++;
    }
    assert_int_equal (n, 37);
    draw_release (&draw);
    draw_release (&draw);
}

static void expect_same (const struct draw *a, const struct draw *b)
{
    assert_int_equal (a->n, b->n);
    assert_memory_equal (a->frames, b->frames, a->n * sizeof (*a->frames));
}

/* Offered backwards, and in three parts merged in another order. */
static void test_order_and_parts (void **state)
{
    struct draw forwards, backwards, parts[3];

    (void)state;
    draw_init (&forwards, 1, 50);
    draw_init (&backwards, 1, 50);
    offer_all (&forwards);
    for (int i = FRAMES - 1; i >= 0; i--)
        draw_offer (&backwards, frame_number (i));
    for (int part = 0; part < 3; part++) {
        draw_init (&parts[part], 1, 50);
        for (int i = part; i < FRAMES; i += 3)
            draw_offer (&parts[part], frame_number (i));
    }
    draw_merge (&parts[2], parts[0].frames, parts[0].n);
    draw_merge (&parts[2], parts[1].frames, parts[1].n);
    draw_sort (&forwards);
    draw_sort (&backwards);
    draw_sort (&parts[2]);
    expect_same (&forwards, &backwards);
    expect_same (&forwards, &parts[2]);
    draw_release (&forwards);
    draw_release (&backwards);
    for (int part = 0; part < 3; part++)
        draw_release (&parts[part]);
}

static void test_quotas (void **state)
{
    static const struct {
        size_t quota, n;
    } cases[] = { { 0, 0 },
                  { 1, 1 },
                  { FRAMES, FRAMES },
                  { FRAMES + 1, FRAMES },
                  { SIZE_MAX, FRAMES } };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct draw draw;

        draw_init (&draw, 3, cases[i].quota);
        offer_all (&draw);
        draw_sort (&draw);
        assert_int_equal (draw.n, cases[i].n);
        for (size_t j = 1; j < draw.n; j++)
            assert_true (draw.frames[j - 1].place < draw.frames[j].place);
        draw_release (&draw);
    }
}

/* Equal keys: the smaller (task, step) wins, also against the largest kept. */
static void test_ties (void **state)
{
    const struct drawn frames[] = {
        { .key = 5, .task = 2, .step = 0 },
        { .key = 5, .task = 1, .step = 9 },
        { .key = 5, .task = 1, .step = -9 },
        { .key = 5, .task = 0, .step = 100 },
    };
    struct draw draw;

    (void)state;
    draw_init (&draw, 0, 2);
    draw_merge (&draw, frames, ARRAY_SIZE (frames));
    draw_sort (&draw);
    assert_int_equal (draw.n, 2);
    assert_int_equal (draw.frames[0].task, 0);
    assert_int_equal (draw.frames[1].task, 1);
    assert_int_equal (draw.frames[1].step, -9);
    draw_release (&draw);
}

static void test_seeds_differ (void **state)
{
    struct draw a, b;

    (void)state;
    draw_init (&a, 1, 20);
    draw_init (&b, 2, 20);
    offer_all (&a);
    offer_all (&b);
    draw_sort (&a);
    draw_sort (&b);
    assert_memory_not_equal (a.frames, b.frames, 20 * sizeof (*a.frames));
    draw_release (&a);
    draw_release (&b);
}

/* A frame's place among the keys must not depend on the program's version. */
static void test_keys_are_frozen (void **state)
{
    struct draw draw;

    (void)state;
    draw_init (&draw, 4711, 1);
    draw_offer (&draw, (struct drawn){ .task = 3, .step = 40 });
    assert_true (draw.frames[0].key == UINT64_C (0x6d7aad1360f716ae));
    draw_release (&draw);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_definition),
        cmocka_unit_test (test_order_and_parts),
        cmocka_unit_test (test_quotas),
        cmocka_unit_test (test_ties),
        cmocka_unit_test (test_seeds_differ),
        cmocka_unit_test (test_keys_are_frozen),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
