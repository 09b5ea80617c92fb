/* SPDX-License-Identifier: BSD-3-Clause */
/* test_calibration.c - calibrated levels, against their definition and in many
 * draws
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "selection/calibration/calibration.h"

/* --- the definition, word by word --- */

enum { FRAMES_MOST = 60 };

struct world {
    struct calibration_promise promise;
    double target;
    struct scored_frame frames[FRAMES_MOST];
    size_t n;
};

struct counts {
    double labelled, wrong, unlabelled;
};

static struct counts count_up_to (const struct world *w, double s)
{
    struct counts counts = { 0, 0, 0 };

    for (size_t i = 0; i < w->n; i++) {
        if (w->frames[i].score > s)
            continue;
        if (isnan (w->frames[i].error)) {
            counts.unlabelled++;
        } else {
            counts.labelled++;
            counts.wrong += !(w->frames[i].error <= w->target);
        }
    }
    return counts;
}

/* P(X <= k). */
static double tail_of (double n, double p, double k)
{
    double ways = 1, sum = 0;

    for (double i = 0; i <= k; i++) {
        sum += ways * pow (p, i) * pow (1 - p, n - i);
        ways = ways * (n - i) / (i + 1);
    }
    return sum;
}

/* The k-th quantile: the least score with k of 100 frames up to it. */
static double quantile_of (const struct world *w, int k)
{
    double least = INFINITY;

    for (size_t i = 0; i < w->n; i++) {
        double s = w->frames[i].score;
        struct counts below = count_up_to (w, s);

        if (100 * (below.labelled + below.unlabelled) >= k * (double)w->n)
            least = fmin (least, s);
    }
    return least;
}

/* With 'n' labels instead of those that are there; NAN: no level. */
static double level_on_average (const struct world *w, double n)
{
    struct counts all = count_up_to (w, INFINITY);
    double q = 1 - w->promise.coverage, low = NAN;

    for (size_t i = 0; i < w->n; i++) {
        double s = w->frames[i].score;
        struct counts c = count_up_to (w, s);
        double wrong = all.labelled > 0 ? c.wrong / all.labelled * n : 0;

        if (all.unlabelled > 0
            && (1 + wrong) / (n + 1)
                   <= q * c.unlabelled / all.unlabelled + 1e-12
            && !(s <= low))
            low = s;
    }
    return low;
}

static double level_with_confidence (const struct world *w, double n)
{
    struct counts all = count_up_to (w, INFINITY);
    double q = 1 - w->promise.coverage, low = NAN;
    double p = w->promise.confidence;

    for (int k = 0; k <= 100; k++) {
        double s = quantile_of (w, k);
        struct counts c = count_up_to (w, s);
        double m = all.labelled > 0 ? floor (c.labelled * n / all.labelled) : n;
        double wrong = all.labelled > 0 ? ceil (c.wrong * n / all.labelled) : 0;

        if (m < log (1 - p) / log (1 - q) - 1e-9)
            continue;
        if (tail_of (m, q, wrong) > 1 - p + 1e-12)
            break;
        low = s;
    }
    return low;
}

static double level_of (const struct world *w, double n)
{
    return w->promise.confidence > 0 ? level_with_confidence (w, n)
                                     : level_on_average (w, n);
}

enum { LABELS_MOST = 400 };

/* 0: none up to LABELS_MOST. */
static uint64_t labels_of (const struct world *w)
{
    double labelled = count_up_to (w, INFINITY).labelled;
    bool there_is_one = !isnan (level_of (w, labelled));

    for (uint64_t n = there_is_one ? 1 : (uint64_t)labelled + 1;
         n <= LABELS_MOST; n++) {
        if (!isnan (level_of (w, (double)n)))
            return n;
    }
    return 0;
}

static double target_of (const struct world *w)
{
    double labelled = count_up_to (w, INFINITY).labelled, least = NAN;
    struct world other = *w;

    for (size_t i = 0; i <= w->n; i++) {
        other.target = i < w->n ? w->frames[i].error : 0;
        if (isfinite (other.target) && !(other.target >= least)
            && !isnan (level_of (&other, labelled)))
            least = other.target;
    }
    return least;
}

static struct left_out left_out_of (const struct world *w)
{
    struct left_out found = { 0 };

    for (size_t i = 0; i < w->n; i++) {
        const struct scored_frame *frame = &w->frames[i];
        struct world other = *w;

        if (isnan (frame->error))
            continue;
        memmove (&other.frames[i], &other.frames[i + 1],
                 (w->n - i - 1) * sizeof (*frame));
        other.n--;
        if (!(frame->score
              <= level_of (&other, count_up_to (&other, INFINITY).labelled)))
            continue;
        found.accurate++;
        found.right += frame->error <= w->target;
    }
    return found;
}

/* Shares of errors above 'failed' between two scores. */
static double share_between (const struct world *w, double a, double b,
                             double failed)
{
    double n = 0, above = 0;

    for (size_t i = 0; i < w->n; i++) {
        if (w->frames[i].score >= a && w->frames[i].score <= b
            && !isnan (w->frames[i].error)) {
            n++;
            above += w->frames[i].error > failed;
        }
    }
    return above / n;
}

/* The fit at s is the greatest of a <= s of the least of b >= s of the shares
 * between a and b.
 */
static double high_of (const struct world *w, double failed)
{
    double high = NAN;

    for (size_t i = 0; i < w->n; i++) {
        double s = w->frames[i].score, fit = 0;

        for (size_t a = 0; a < w->n && !isnan (w->frames[i].error); a++) {
            double least = 1;

            if (w->frames[a].score > s || isnan (w->frames[a].error))
                continue;
            for (size_t b = 0; b < w->n; b++) {
                if (w->frames[b].score >= s && !isnan (w->frames[b].error))
                    least = fmin (least,
                                  share_between (w, w->frames[a].score,
                                                 w->frames[b].score, failed));
            }
            fit = fmax (fit, least);
        }
        if (fit > 0.5 && !(s >= high))
            high = s;
    }
    return high;
}

/* --- worlds --- */

static uint64_t next_random (uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* In [0, 1). */
static double uniform (uint64_t *state)
{
    return (double)(next_random (state) >> 11) / 9007199254740992.0;
}

static bool same (double a, double b)
{
    return a == b || (isnan (a) && isnan (b));
}

static void expect_of (struct calibration *c, const struct world *w,
                       const char *what, uint64_t number)
{
    double labelled = count_up_to (w, INFINITY).labelled;
    double low = level_of (w, labelled);
    const struct score_point *level = calibration_level (c);
    uint64_t needed, labels = labels_of (w);

    if (!same (level ? level->score : NAN, low))
        fail_msg ("%s %" PRIu64 ": level %g, expected %g", what, number,
                  level ? level->score : NAN, low);
    if (level) {
        struct counts counts = count_up_to (w, low);

        assert_true ((double)level->wrong == counts.wrong);
        assert_true ((double)level->labelled == counts.labelled);
        assert_true ((double)(level->frames - level->labelled)
                     == counts.unlabelled);
    }
    needed = calibration_labels_needed (c);
    if (needed != labels && (labels > 0 || needed <= LABELS_MOST))
        fail_msg ("%s %" PRIu64 ": %" PRIu64 " labels, expected %" PRIu64, what,
                  number, needed, labels);
    if (!same (calibration_least_target (c), target_of (w)))
        fail_msg ("%s %" PRIu64 ": least target %g, expected %g", what, number,
                  calibration_least_target (c), target_of (w));
    if (!same (calibration_high (c, 0.5), high_of (w, 0.5)))
        fail_msg ("%s %" PRIu64 ": high %g, expected %g", what, number,
                  calibration_high (c, 0.5), high_of (w, 0.5));
    assert_true (c->target == w->target);
}

static void expect_left_out (const struct calibration *c, const struct world *w,
                             const char *what, uint64_t number)
{
    struct left_out expected = left_out_of (w);
    struct left_out found = calibration_leave_one_out (c);

    if (found.accurate != expected.accurate || found.right != expected.right)
        fail_msg ("%s %" PRIu64 ": %" PRIu64 " of %" PRIu64
                  " right, expected %" PRIu64 " of %" PRIu64,
                  what, number, found.right, found.accurate, expected.right,
                  expected.accurate);
}

static void expect_definition (const struct world *w, const char *what,
                               uint64_t number)
{
    struct world sorted = *w;
    struct calibration c;

    calibration_init (&c, &w->promise, w->target, sorted.frames, sorted.n);
    expect_of (&c, w, what, number);
    expect_left_out (&c, w, what, number);
    calibration_release (&c);
}

/* --- of ranges --- */

static int compare_doubles (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Where ranges begin: at labels; or end: at quantiles. */
static size_t list_bounds (const struct world *w, double *bounds)
{
    size_t n = 0;

    if (w->promise.confidence > 0) {
        for (int k = 0; k <= 100; k++)
            bounds[n++] = nextafter (quantile_of (w, k), INFINITY);
    } else {
        for (size_t i = 0; i < w->n; i++) {
            if (!isnan (w->frames[i].error))
                bounds[n++] = w->frames[i].score;
        }
    }
    qsort (bounds, n, sizeof (*bounds), compare_doubles);
    return n;
}

static void expect_definition_of_ranges (const struct world *w,
                                         const char *what, uint64_t number)
{
    double bounds[FRAMES_MOST + 101];
    struct score_range ranges[FRAMES_MOST + 102] = { { 0, 0 } };
    struct scored_frame labelled[FRAMES_MOST];
    size_t n_bounds = list_bounds (w, bounds), n_labelled = 0;
    struct calibration c;

    for (size_t i = 0; i < w->n; i++) {
        struct score_range *range = ranges;

        for (size_t j = 0; j < n_bounds; j++)
            range += w->frames[i].score >= bounds[j];
        if (range->frames++ == 0 || w->frames[i].score > range->largest)
            range->largest = w->frames[i].score;
        if (!isnan (w->frames[i].error))
            labelled[n_labelled++] = w->frames[i];
    }
    calibration_init_ranges (&c, &w->promise, w->target, labelled, n_labelled,
                             ranges, n_bounds + 1);
    expect_of (&c, w, what, number);
    if (w->promise.confidence == 0)
        expect_left_out (&c, w, what, number);
    calibration_release (&c);
}

/* Scores and errors with few values, so that many are equal. */
static struct world make_world (uint64_t *random, double confidence)
{
    struct world w = { .n = 1 + next_random (random) % FRAMES_MOST };
    double labelled = uniform (random), noise = uniform (random);
    double values = 2 + (double)(next_random (random) % 40);

    w.promise.coverage = 0.5 + 0.45 * uniform (random);
    w.promise.confidence = confidence;
    w.target = floor (values * uniform (random)) / values;
    for (size_t i = 0; i < w.n; i++) {
        struct scored_frame *frame = &w.frames[i];

        frame->error = floor (values * uniform (random)) / values;
        frame->score = frame->error + noise * (uniform (random) - 0.5);
        frame->score = floor (frame->score * values) - 3;
        if (uniform (random) >= labelled)
            frame->error = NAN;
        else if (uniform (random) < 0.03)
            frame->error = INFINITY;
    }
    return w;
}

static void test_definition (void **state)
{
    uint64_t random = 20260;

    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        const struct world w = make_world (&random, 0);

        expect_definition (&w, "on average", i);
        expect_definition_of_ranges (&w, "on average, by ranges", i);
    }
}

static void test_definition_with_confidence (void **state)
{
    uint64_t random = 777;

    (void)state;
    for (uint64_t i = 0; i < 60; i++) {
        const struct world w =
            make_world (&random, 0.5 + 0.05 * (double)(i % 9));

        expect_definition (&w, "with confidence", i);
        expect_definition_of_ranges (&w, "with confidence, by ranges", i);
    }
}

#define NO_LABEL NAN
#define FAILED INFINITY

/* By hand. */
static const struct {
    const char *what;
    double coverage, confidence;
    struct scored_frame frames[12];
    size_t n;
    double low;
    uint64_t needed;
    double least_target;
} cases[] = {
    { "nothing", 0.5, 0, { { 0, 0 } }, 0, NAN, 0, NAN },
    { "no labels",
      0.9,
      0,
      { { 1, NO_LABEL }, { 2, NO_LABEL } },
      2,
      NAN,
      9,
      NAN },
    { "no labels, with confidence",
      0.9,
      0.95,
      { { 1, NO_LABEL } },
      1,
      NAN,
      29,
      NAN },
    { "all labelled", 0.5, 0, { { 1, 0 }, { 2, 0 } }, 2, NAN, 0, NAN },
    { "one label is enough for a half",
      0.5,
      0,
      { { 1, 0.1 }, { 2, NO_LABEL }, { 3, NO_LABEL } },
      3,
      3,
      1,
      0.1 },
    { "a failed label is wrong",
      0.5,
      0,
      { { 1, FAILED }, { 1, NO_LABEL } },
      2,
      NAN,
      0,
      NAN },
    { "an error as large as the target is right",
      0.5,
      0,
      { { 1, 0.2 }, { 2, NO_LABEL } },
      2,
      2,
      1,
      0.2 },
    { "up to below the wrong one",
      0.6,
      0,
      { { 1, 0 }, { 2, 0 }, { 3, NO_LABEL }, { 4, NO_LABEL }, { 5, 0.3 } },
      5,
      4,
      2,
      0 },
    { "equals are on the same side",
      0.5,
      0,
      { { 1, NO_LABEL }, { 2, NO_LABEL }, { 2, 0.3 } },
      3,
      NAN,
      3,
      0.3 },
    { "a rule that is met exactly",
      0.9,
      0,
      { { 1, 0 },
        { 1, 0 },
        { 1, 0 },
        { 1, 0 },
        { 1, 0 },
        { 1, 0 },
        { 1, 0 },
        { 1, 0 },
        { 1, 0 },
        { 1, NO_LABEL } },
      10,
      1,
      9,
      0 },
};

static void test_cases (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct calibration_promise promise = { cases[i].coverage,
                                                     cases[i].confidence };
        struct scored_frame frames[12];
        const struct score_point *level;
        struct calibration c;

        memcpy (frames, cases[i].frames, sizeof (frames));
        calibration_init (&c, &promise, 0.2, frames, cases[i].n);
        level = calibration_level (&c);
        if (!same (level ? level->score : NAN, cases[i].low)
            || calibration_labels_needed (&c) != cases[i].needed
            || !same (calibration_least_target (&c), cases[i].least_target))
            fail_msg ("%s: level %g, %" PRIu64 " labels, target %g",
                      cases[i].what, level ? level->score : NAN,
                      calibration_labels_needed (&c),
                      calibration_least_target (&c));
        calibration_release (&c);
    }
}

/* --- is the promise kept? --- */

enum { DRAWS = 400, POPULATION = 600 };

struct draw {
    bool has_level;
    double wrong;  /* share among the accurate without a label; 0: none are */
    double of_all; /* among the labelled, too */
};

/* A score that tells little of the error; of frames of one trajectory, which
 * are alike.  The first 'labels' of a random order are labelled.
 */
static struct draw draw_once (uint64_t *random, size_t labels,
                              const struct calibration_promise *promise)
{
    struct scored_frame frames[POPULATION], known[POPULATION];
    struct draw draw = { false, 0, 0 };
    const struct score_point *level;
    double n[2] = { 0, 0 }, wrong[2] = { 0, 0 }, walk = 0;
    struct calibration c;

    for (size_t i = 0; i < POPULATION; i++) {
        size_t j = next_random (random) % (i + 1);

        walk = 0.9 * walk + 0.1 * uniform (random);
        frames[i] = frames[j];
        frames[j].error = walk * uniform (random);
        frames[j].score = frames[j].error * exp (2 * uniform (random));
    }
    memcpy (known, frames, sizeof (known));
    for (size_t i = labels; i < POPULATION; i++)
        known[i].error = NAN;
    calibration_init (&c, promise, 0.2, known, POPULATION);
    level = calibration_level (&c);
    draw.has_level = level != NULL;
    for (size_t i = 0; level && i < POPULATION; i++) {
        if (frames[i].score <= level->score) {
            n[i < labels]++;
            wrong[i < labels] += frames[i].error > 0.2;
        }
    }
    if (n[0] > 0)
        draw.wrong = wrong[0] / n[0];
    if (n[0] + n[1] > 0)
        draw.of_all = (wrong[0] + wrong[1]) / (n[0] + n[1]);
    calibration_release (&c);
    return draw;
}

static void test_promise_on_average (void **state)
{
    static const struct calibration_promise promise = { 0.8, 0 };
    uint64_t random = 4711;

    (void)state;
    for (size_t labels = 10; labels <= 160; labels *= 4) {
        double sum = 0, squares = 0, levels = 0, mean, error;

        for (int i = 0; i < DRAWS; i++) {
            struct draw draw = draw_once (&random, labels, &promise);

            sum += draw.wrong;
            squares += draw.wrong * draw.wrong;
            levels += draw.has_level;
        }
        mean = sum / DRAWS;
        error = sqrt ((squares / DRAWS - mean * mean) / DRAWS);
        if (mean > 0.2 + 3 * error || levels < DRAWS / 4)
            fail_msg ("%zu labels: %g +- %g wrong, %g levels", labels, mean,
                      error, levels);
    }
}

static void test_promise_with_confidence (void **state)
{
    static const struct calibration_promise promise = { 0.8, 0.9 };
    uint64_t random = 1234;

    (void)state;
    for (size_t labels = 40; labels <= 360; labels *= 3) {
        double broken = 0, levels = 0;

        for (int i = 0; i < DRAWS; i++) {
            struct draw draw = draw_once (&random, labels, &promise);

            broken += draw.of_all > 0.2;
            levels += draw.has_level;
        }
        if (broken / DRAWS > 0.1 + 3 * sqrt (0.1 * 0.9 / DRAWS)
            || levels < DRAWS / 4)
            fail_msg ("%zu labels: %g of %g levels broken", labels, broken,
                      levels);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_cases),
        cmocka_unit_test (test_definition),
        cmocka_unit_test (test_definition_with_confidence),
        cmocka_unit_test (test_promise_on_average),
        cmocka_unit_test (test_promise_with_confidence),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
