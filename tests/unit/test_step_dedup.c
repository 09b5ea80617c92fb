/* SPDX-License-Identifier: BSD-3-Clause */
/* test_step_dedup.c - of every step the last row counts, whatever came before
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/statistics/step_dedup.h"
#include "selection/statistics/frame_stats.h"

static struct criteria criteria = {
    .has = { [DEVIATION_FORCE] = true },
    .levels = { [DEVIATION_FORCE] = { 0, 1e6 } }, /* candidates all */
};

/* Row i of a file has the deviation i, so that one can tell which row it was.
 */
static void add_file (struct step_dedup *dedup, const int64_t *steps, size_t n,
                      size_t batch)
{
    for (size_t at = 0; at < n; at += batch) {
        struct deviation_rows rows = { .n = n - at < batch ? n - at : batch };
        uint64_t places[DEVIATION_ROWS_MAX];

        for (size_t i = 0; i < rows.n; i++) {
            rows.step[i] = steps[at + i];
            rows.value[DEVIATION_FORCE][i] = (double)(at + i);
            places[i] = at + i;
        }
        step_dedup_add (dedup, &rows, places);
    }
}

struct scene {
    struct rules rules;
    struct frame_stats stats;
    struct frame_stats_part *part;
    struct step_dedup dedup;
};

static void scene_init (struct scene *scene, int64_t skip, uint64_t skip_frames)
{
    *scene = (struct scene){ .rules = { .criteria = &criteria,
                                        .n_systems = 1,
                                        .n_bins = 1,
                                        .quota = 100000,
                                        .skip_steps = skip,
                                        .skip_frames = skip_frames } };
    frame_stats_init (&scene->stats, &scene->rules);
    frame_stats_start (&scene->stats, PASS_CLASSES, scene->rules.quota);
    scene->part = frame_stats_part_new (&scene->stats);
}

static void scene_release (struct scene *scene)
{
    step_dedup_release (&scene->dedup);
    frame_stats_part_free (scene->part);
    frame_stats_release (&scene->stats);
}

static bool pass (struct scene *scene, const int64_t *steps, size_t n,
                  size_t batch, int64_t keep_from)
{
    frame_stats_part_reset (&scene->stats, scene->part, 0);
    step_dedup_start (&scene->dedup, &scene->stats, scene->part, 0, 0,
                      keep_from);
    add_file (&scene->dedup, steps, n, batch);
    return step_dedup_end (&scene->dedup);
}

/* The file as a caller reads it: again when steps went back. */
static void read_file (struct scene *scene, const int64_t *steps, size_t n,
                       size_t batch)
{
    if (!pass (scene, steps, n, batch, INT64_MAX))
        assert_true (pass (scene, steps, n, batch, scene->dedup.lowest));
}

/* From the definition: rows whose step is not below 'skip' and does not come
 * again, in the order of their steps, without the first 'skip_frames'.
 */
static size_t expect (const int64_t *steps, size_t n, int64_t skip,
                      uint64_t skip_frames, size_t *rows)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++) {
        bool counts = steps[i] >= skip;
        uint64_t before = 0;

        for (size_t j = i + 1; j < n; j++)
            counts = counts && steps[j] != steps[i];
        for (size_t j = 0; counts && j < n; j++) {
            bool last = steps[j] >= skip && steps[j] < steps[i];

            for (size_t k = j + 1; k < n; k++)
                last = last && steps[k] != steps[j];
            before += last;
        }
        if (counts && before >= skip_frames)
            rows[found++] = i;
    }
    return found;
}

static int compare_places (const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;

    return (x->place > y->place) - (x->place < y->place);
}

static void check (const int64_t *steps, size_t n, size_t batch, int64_t skip,
                   uint64_t skip_frames)
{
    size_t *rows = calloc (n + 1, sizeof (*rows)), expected;
    struct top_k *sample;
    struct scene scene;

    expected = expect (steps, n, skip, skip_frames, rows);
    scene_init (&scene, skip, skip_frames);
    read_file (&scene, steps, n, batch);
    sample = &scene.part->found.samples[0];
    assert_int_equal (sample->n, expected);
    assert_int_equal (scene.dedup.n_frames, expected);
    if (sample->n > 1)
        qsort (sample->frames, sample->n, sizeof (*sample->frames),
               compare_places);
    for (size_t i = 0; i < expected; i++) {
        assert_int_equal (sample->frames[i].place, rows[i]);
        assert_int_equal (sample->frames[i].step, steps[rows[i]]);
        assert_true (sample->frames[i].deviation == (double)rows[i]);
    }
    scene_release (&scene);
    free (rows);
}

static void test_shapes (void **state)
{
    static const struct {
        size_t n;
        int64_t steps[12];
    } cases[] = {
        { 0, { 0 } },
        { 1, { 0 } },
        { 1, { 50 } },
        { 5, { 0, 10, 20, 30, 40 } },
        { 7, { 0, 10, 20, 30, 20, 30, 40 } },              /* restarted */
        { 6, { 0, 10, 20, 0, 10, 20 } },                   /* from the start */
        { 8, { 0, 0, 0, 10, 10, 20, 20, 20 } },            /* Monte Carlo */
        { 9, { 0, 0, 10, 10, 20, 10, 10, 20, 20 } },       /* and restarted */
        { 10, { 0, 10, 20, 30, 20, 30, 40, 10, 20, 30 } }, /* twice */
        { 6, { 50, 40, 30, 20, 10, 0 } },
        { 6, { 0, 10, 20, 30, 15, 25 } }, /* between the steps */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        for (size_t batch = 1; batch <= 12; batch++) {
            check (cases[i].steps, cases[i].n, batch, 0, 0);
            check (cases[i].steps, cases[i].n, batch, 15, 0);
            check (cases[i].steps, cases[i].n, batch, 0, 2);
            check (cases[i].steps, cases[i].n, batch, 10, 1);
        }
    }
}

static void test_random_files (void **state)
{
    uint64_t random = 7;
    int64_t steps[300];

    (void)state;
    for (int round = 0; round < 200; round++) {
        int64_t step = 0;

        for (size_t i = 0; i < ARRAY_SIZE (steps); i++) {
            random = random * 6364136223846793005 + 1442695040888963407;
            steps[i] = step;
            step += (random >> 33) % 8 == 0 ? 0 : 10;
            if ((random >> 40) % (round % 90 + 3) == 0)
                step -= (int64_t)((random >> 45) % 12) * 10;
            step = step < 0 ? 0 : step;
        }
        check (steps, ARRAY_SIZE (steps), (size_t)(round % 70 + 1),
               round % 3 * 40, (uint64_t)(round % 5));
    }
}

/* Rows that rise are passed on without waiting for the end. */
static void test_rising_rows_are_not_kept (void **state)
{
    enum { N = 3 * DEVIATION_ROWS_MAX };
    static int64_t steps[N];
    struct scene scene;

    (void)state;
    for (int i = 0; i < N; i++)
        steps[i] = i;
    scene_init (&scene, 0, 0);
    assert_true (pass (&scene, steps, N, DEVIATION_ROWS_MAX, INT64_MAX));
    assert_int_equal (scene.dedup.kept_alloc, 0);
    assert_int_equal (scene.dedup.first, 0);
    assert_int_equal (scene.dedup.last, N - 1);
    steps[N - 1] = N - 10; /* only what came again is kept */
    assert_false (pass (&scene, steps, N, DEVIATION_ROWS_MAX, INT64_MAX));
    assert_int_equal (scene.dedup.lowest, N - 10);
    assert_true (
        pass (&scene, steps, N, DEVIATION_ROWS_MAX, scene.dedup.lowest));
    assert_true (scene.dedup.kept_alloc < 20);
    assert_int_equal (scene.dedup.repeated, 1);
    scene_release (&scene);
}

/* Sections start over: the same steps are other frames. */
static void test_sections (void **state)
{
    struct deviation_rows rows = { .n = 3, .step = { 0, 1, 2 } };
    struct scene scene;

    (void)state;
    scene_init (&scene, 1, 0);
    frame_stats_part_reset (&scene.stats, scene.part, 0);
    step_dedup_start (&scene.dedup, &scene.stats, scene.part, 4, 10, INT64_MAX);
    step_dedup_add (&scene.dedup, &rows, NULL);
    rows.n = 3;
    rows.section = 1;
    step_dedup_add (&scene.dedup, &rows, NULL);
    assert_true (step_dedup_end (&scene.dedup));
    assert_int_equal (scene.dedup.n_frames, 4);
    assert_int_equal (scene.dedup.repeated, 0);
    sampled_sort (scene.part->found.samples[0].frames, 4);
    assert_int_equal (scene.part->found.samples[0].frames[0].part, 10);
    assert_int_equal (scene.part->found.samples[0].frames[3].part, 11);
    assert_true (scene.part->found.samples[0].frames[3].place
                 == SAMPLED_NOWHERE);
    scene_release (&scene);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_shapes),
        cmocka_unit_test (test_random_files),
        cmocka_unit_test (test_rising_rows_are_not_kept),
        cmocka_unit_test (test_sections),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
