/* SPDX-License-Identifier: BSD-3-Clause */
/* test_top_k.c - the same frames are drawn however they are dealt out */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/hash.h"
#include "selection/sampling/top_k.h"

enum { TASKS = 20, STEPS = 50, FRAMES = TASKS * STEPS };

static struct sampled frame_number (uint64_t seed, int i)
{
    struct sampled frame = { .task = i / STEPS,
                             .step = 20 * (i % STEPS),
                             .place = (uint64_t)i,
                             .deviation = 0.001 * i };

    frame.key = sampled_random_key (seed, &frame);
    return frame;
}

static void offer (struct top_k *sample, uint64_t seed, int i)
{
    struct sampled frame = frame_number (seed, i);

    if (frame.key <= top_k_limit (sample))
        top_k_offer (sample, &frame, 1);
}

static void offer_all (struct top_k *sample, uint64_t seed)
{
    for (int i = 0; i < FRAMES; i++)
        offer (sample, seed, i);
}

static void sort (struct top_k *sample)
{
    sampled_sort (sample->frames, sample->n);
}

/* Against the definition: a frame is drawn when fewer than 'quota' others have
 * a smaller key.
 */
static bool belongs (uint64_t seed, size_t quota, int i)
{
    uint64_t keys[FRAMES];
    size_t smaller = 0;

    for (int j = 0; j < FRAMES; j++) {
        struct sampled frame = frame_number (seed, j);
        uint64_t words[2] = { (uint64_t)frame.task, (uint64_t)frame.step };

        keys[j] = hash_words (seed, words, 2);
    }
    for (int j = 0; j < FRAMES; j++)
        smaller += keys[j] < keys[i];
    return smaller < quota;
}

static void test_definition (void **state)
{
    struct top_k sample;
    size_t n = 0;

    (void)state;
    sample = (struct top_k){ .quota = 37 };
    offer_all (&sample, 4711);
    sort (&sample);
    assert_int_equal (sample.n, 37);
    for (int i = 0; i < FRAMES && n < sample.n; i++) {
        if (!belongs (4711, 37, i))
            continue;
        assert_int_equal (sample.frames[n].place, i); /* by task, then step */
        assert_true (sample.frames[n].deviation == 0.001 * i);
        n++;
    }
    assert_int_equal (n, 37);
    top_k_release (&sample);
    top_k_release (&sample);
}

static void expect_same (const struct top_k *a, const struct top_k *b)
{
    assert_int_equal (a->n, b->n);
    assert_memory_equal (a->frames, b->frames, a->n * sizeof (*a->frames));
}

/* Offered backwards, and in three parts merged in another order. */
static void test_order_and_parts (void **state)
{
    struct top_k forwards, backwards, parts[3];

    (void)state;
    forwards = (struct top_k){ .quota = 50 };
    backwards = (struct top_k){ .quota = 50 };
    offer_all (&forwards, 1);
    for (int i = FRAMES - 1; i >= 0; i--)
        offer (&backwards, 1, i);
    for (int part = 0; part < 3; part++) {
        parts[part] = (struct top_k){ .quota = 50 };
        for (int i = part; i < FRAMES; i += 3)
            offer (&parts[part], 1, i);
    }
    top_k_offer (&parts[2], parts[0].frames, parts[0].n);
    top_k_offer (&parts[2], parts[1].frames, parts[1].n);
    sort (&forwards);
    sort (&backwards);
    sort (&parts[2]);
    expect_same (&forwards, &backwards);
    expect_same (&forwards, &parts[2]);
    top_k_release (&forwards);
    top_k_release (&backwards);
    for (int part = 0; part < 3; part++)
        top_k_release (&parts[part]);
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
        struct top_k sample;

        sample = (struct top_k){ .quota = cases[i].quota };
        offer_all (&sample, 3);
        sort (&sample);
        assert_int_equal (sample.n, cases[i].n);
        for (size_t j = 1; j < sample.n; j++)
            assert_true (sample.frames[j - 1].place < sample.frames[j].place);
        top_k_release (&sample);
    }
}

/* Equal keys: the smaller (task, step) wins, also against the largest kept. */
static void test_ties (void **state)
{
    const struct sampled frames[] = {
        { .key = 5, .task = 2, .step = 0 },
        { .key = 5, .task = 1, .step = 9 },
        { .key = 5, .task = 1, .step = -9 },
        { .key = 5, .task = 0, .step = 100 },
    };
    struct top_k sample;

    (void)state;
    sample = (struct top_k){ .quota = 2 };
    top_k_offer (&sample, frames, ARRAY_SIZE (frames));
    sort (&sample);
    assert_int_equal (sample.n, 2);
    assert_int_equal (sample.frames[0].task, 0);
    assert_int_equal (sample.frames[1].task, 1);
    assert_int_equal (sample.frames[1].step, -9);
    top_k_release (&sample);
}

static void test_seeds_differ (void **state)
{
    struct top_k a, b;

    (void)state;
    a = (struct top_k){ .quota = 20 };
    b = (struct top_k){ .quota = 20 };
    offer_all (&a, 1);
    offer_all (&b, 2);
    sort (&a);
    sort (&b);
    assert_memory_not_equal (a.frames, b.frames, 20 * sizeof (*a.frames));
    top_k_release (&a);
    top_k_release (&b);
}

/* Equal keys and tasks: the part, then the step. */
static void test_parts (void **state)
{
    const struct sampled frames[] = {
        { .key = 5, .task = 1, .part = 1, .step = 0 },
        { .key = 5, .task = 1, .part = 0, .step = 7 },
        { .key = 4, .task = 9, .part = 3, .step = 7 },
    };
    struct top_k sample;

    (void)state;
    sample = (struct top_k){ .quota = 3 };
    top_k_offer (&sample, frames, ARRAY_SIZE (frames));
    top_k_rank (&sample);
    assert_int_equal (sample.frames[0].task, 9);
    assert_int_equal (sample.frames[1].part, 0);
    assert_int_equal (sample.frames[2].part, 1);
    top_k_release (&sample);
}

/* The largest deviation has the smallest key. */
static void test_largest_first (void **state)
{
    static const double falling[] = { 1e300, 2, 1, 0x1p-1022, 5e-324, 0 };

    (void)state;
    for (size_t i = 1; i < ARRAY_SIZE (falling); i++) {
        struct sampled larger = { .deviation = falling[i - 1] };
        struct sampled smaller = { .deviation = falling[i] };

        assert_true (sampled_largest_key (&larger)
                     < sampled_largest_key (&smaller));
    }
    assert_true (
        sampled_largest_key (&(struct sampled){ .deviation = -0.0 })
        == sampled_largest_key (&(struct sampled){ .deviation = 0.0 }));
}

/* A frame's place among the keys must not depend on the program's version. */
static void test_keys_are_frozen (void **state)
{
    struct sampled frame = { .task = 3, .step = 40 };

    (void)state;
    assert_true (sampled_random_key (4711, &frame)
                 == UINT64_C (0x6d7aad1360f716ae));
    frame.part = 1;
    assert_true (sampled_random_key (4711, &frame)
                 != UINT64_C (0x6d7aad1360f716ae));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_definition),
        cmocka_unit_test (test_order_and_parts),
        cmocka_unit_test (test_quotas),
        cmocka_unit_test (test_ties),
        cmocka_unit_test (test_seeds_differ),
        cmocka_unit_test (test_parts),
        cmocka_unit_test (test_largest_first),
        cmocka_unit_test (test_keys_are_frozen),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
