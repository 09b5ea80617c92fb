/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration.c - up to which score are frames accurate, by labels of some */
#include "base/base.h"

#include "base/binomial.h"
#include "base/sort.h"
#include "selection/calibration/calibration.h"

enum { WRONG_MOST = 10000 }; /* among labels that are foretold */

static const double slack = 1e-12;

static bool is_labelled (const struct scored_frame *frame)
{
    return !isnan (frame->error);
}

/* --- frames by score --- */

static int compare_scores (const void *x, const void *y)
{
    const struct scored_frame *a = x, *b = y;

    return (a->score > b->score) - (a->score < b->score);
}

static void sort_by_score (struct scored_frame *frames, size_t n)
{
    if (n > 0)
        qsort (frames, n, sizeof (*frames), compare_scores);
}

/* Of all frames, sorted. */
static void find_points (struct calibration *c,
                         const struct scored_frame *frames)
{
    struct score_point *point = NULL;

    for (uint64_t i = 0; i < c->n_frames; i++) {
        if (!point || frames[i].score > point->score)
            point = &c->points[c->n_points++];
        if (is_labelled (&frames[i]))
            c->labelled[c->n_labelled++] = frames[i];
        *point = (struct score_point){ .score = frames[i].score,
                                       .frames = i + 1,
                                       .labelled = c->n_labelled };
    }
}

void score_range_add (struct score_range *range, uint64_t frames,
                      double largest)
{
    if (frames > 0 && (range->frames == 0 || largest > range->largest))
        range->largest = largest;
    range->frames += frames;
}

/* Of ranges: all labels are known. */
static void take_ranges (struct calibration *c,
                         const struct score_range *ranges, size_t n)
{
    uint64_t labelled = 0;

    for (size_t i = 0; i < n; i++) {
        if (ranges[i].frames == 0)
            continue;
        c->n_frames += ranges[i].frames;
        while (labelled < c->n_labelled
               && c->labelled[labelled].score <= ranges[i].largest)
            labelled++;
        c->points[c->n_points++] =
            (struct score_point){ .score = ranges[i].largest,
                                  .frames = c->n_frames,
                                  .labelled = labelled };
    }
}

/* The first point with 'rank' frames up to it; n_points: there is none. */
static size_t point_of_rank (const struct calibration *c, uint64_t rank)
{
    size_t low = 0, high = c->n_points;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c->points[middle].frames >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The rank of the k-th quantile among n frames, counted from 0. */
static uint64_t quantile_rank (uint64_t n, uint64_t k)
{
    const uint64_t steps = CALIBRATION_QUANTILES - 1;
    uint64_t rank = n / steps * k + (n % steps * k + steps - 1) / steps;

    return rank > 0 ? rank : 1;
}

static void set_target (struct calibration *c, double target)
{
    uint64_t i = 0, wrong = 0;

    c->target = target;
    for (size_t p = 0; p < c->n_points; p++) {
        for (; i < c->points[p].labelled; i++)
            wrong += c->labelled[i].error > target;
        c->points[p].wrong = wrong;
    }
}

static void prepare (struct calibration *c, double target)
{
    for (uint64_t k = 0; k < CALIBRATION_QUANTILES; k++)
        c->quantiles[k] = point_of_rank (c, quantile_rank (c->n_frames, k));
    set_target (c, target);
}

void calibration_init (struct calibration *c,
                       const struct calibration_promise *promise, double target,
                       struct scored_frame *frames, size_t n)
{
    sort_by_score (frames, n);
    *c = (struct calibration){ .promise = *promise, .n_frames = n };
    c->labelled = xreallocarray (NULL, n + 1, sizeof (*c->labelled));
    c->points = xreallocarray (NULL, n + 1, sizeof (*c->points));
    find_points (c, frames);
    prepare (c, target);
}

void calibration_init_ranges (struct calibration *c,
                              const struct calibration_promise *promise,
                              double target, struct scored_frame *labelled,
                              size_t n, const struct score_range *ranges,
                              size_t n_ranges)
{
    *c = (struct calibration){ .promise = *promise, .n_labelled = n };
    c->labelled = xreallocarray (NULL, n + 1, sizeof (*c->labelled));
    c->points = xreallocarray (NULL, n_ranges + 1, sizeof (*c->points));
    sort_by_score (labelled, n);
    memcpy (c->labelled, labelled, n * sizeof (*labelled));
    take_ranges (c, ranges, n_ranges);
    prepare (c, target);
}

void calibration_release (struct calibration *c)
{
    free (c->labelled);
    free (c->points);
    *c = (struct calibration){ 0 };
}

/* --- a promise on average --- */

/* q F(s), and the slack. */
static double allowed_share (const struct calibration *c,
                             const struct score_point *point)
{
    uint64_t unlabelled = c->n_frames - c->n_labelled;
    double fraction = 0;

    if (unlabelled > 0)
        fraction =
            (double)(point->frames - point->labelled) / (double)unlabelled;
    return (1 - c->promise.coverage) * fraction + slack;
}

/* The last point that passes with n labels, of which 'left_out' wrong ones do
 * not count; n_points: there is none.
 */
static size_t last_on_average (const struct calibration *c, uint64_t n,
                               unsigned left_out)
{
    for (size_t p = c->n_points; p > 0; p--) {
        const struct score_point *point = &c->points[p - 1];
        double wrong = (double)point->wrong - left_out;

        if ((1 + wrong) / ((double)n + 1) <= allowed_share (c, point))
            return p - 1;
    }
    return c->n_points;
}

/* The least n with (1 + share n) / (n + 1) <= allowed; 0: there is none. */
static double labels_on_average (double share, double allowed)
{
    double n;

    if (allowed - share <= 2 * slack)
        return 0;
    n = fmax (ceil ((1 - allowed) / (allowed - share)), 1);
    while (n > 1 && (1 + share * (n - 1)) / n <= allowed)
        n--;
    while ((1 + share * n) / (n + 1) > allowed)
        n++;
    return n;
}

static uint64_t needed_on_average (const struct calibration *c)
{
    double least = 0;

    for (size_t p = 0; p < c->n_points; p++) {
        double share = c->n_labelled > 0
                           ? (double)c->points[p].wrong / (double)c->n_labelled
                           : 0;
        double n = labels_on_average (share, allowed_share (c, &c->points[p]));

        if (n > 0 && (least == 0 || n < least))
            least = n;
    }
    return (uint64_t)least;
}

/* --- a promise with a confidence --- */

enum verdict { TOO_FEW, PASSED, REFUSED };

static bool is_unlikely (const struct calibration *c, uint64_t labelled,
                         uint64_t wrong)
{
    return binomial_tail (labelled, 1 - c->promise.coverage, wrong)
           <= 1 - c->promise.confidence + slack;
}

static enum verdict judge (const struct calibration *c, uint64_t labelled,
                           uint64_t wrong)
{
    if (labelled == 0 || !is_unlikely (c, labelled, 0))
        return TOO_FEW;
    return is_unlikely (c, labelled, wrong) ? PASSED : REFUSED;
}

static size_t last_with_confidence (const struct calibration *c)
{
    size_t last = c->n_points;

    for (int k = 0; c->n_points > 0 && k < CALIBRATION_QUANTILES; k++) {
        const struct score_point *point = &c->points[c->quantiles[k]];
        enum verdict verdict = judge (c, point->labelled, point->wrong);

        if (verdict == REFUSED)
            break;
        if (verdict == PASSED)
            last = c->quantiles[k];
    }
    return last;
}

/* The least m > 'above' for which 'wrong' of m are unlikely; above 2^53: none
 * that can be counted.
 */
static uint64_t least_unlikely (const struct calibration *c, uint64_t above,
                                uint64_t wrong)
{
    uint64_t low = above, step = 1;

    while (!is_unlikely (c, low + step, wrong)) {
        low += step;
        step *= 2;
        if (low > UINT64_C (1) << 53)
            return low;
    }
    while (step > 1) {
        step /= 2;
        if (!is_unlikely (c, low + step, wrong))
            low += step;
    }
    return low + 1;
}

/* needs[j]: the least labelled frames below a level for j wrong ones. */
struct foretelling {
    const struct calibration *c;
    uint64_t *needs;
    size_t n_needs;
    uint64_t at_least; /* labels in all */
    uint64_t least;    /* the best up to now; 0: there is none */
};

static uint64_t needs_of (struct foretelling *f, size_t wrong)
{
    for (; f->n_needs <= wrong; f->n_needs++) {
        uint64_t above = f->n_needs > 0 ? f->needs[f->n_needs - 1] : 0;

        f->needs[f->n_needs] = least_unlikely (f->c, above, f->n_needs);
    }
    return f->needs[wrong];
}

/* The least n with floor (n part / all) >= needed. */
static double scaled (uint64_t needed, uint64_t all, uint64_t part)
{
    return ceil ((double)needed * (double)all / (double)part);
}

/* Take in how many labels a quantile needs to pass, where it is the first with
 * enough of them: 'most' or more have the one before be that.
 */
static void foretell (struct foretelling *f, const struct score_point *point,
                      double most)
{
    double all = (double)f->c->n_labelled, wrong = (double)point->wrong;

    if (wrong >= (1 - f->c->promise.coverage) * (double)point->labelled)
        return;
    for (size_t j = 0; j <= WRONG_MOST; j++) {
        double n = scaled (needs_of (f, j), f->c->n_labelled, point->labelled);

        n = fmax (n, (double)f->at_least);
        if (n >= most || (f->least > 0 && n >= (double)f->least))
            return;
        if (n * wrong <= (double)j * all) {
            f->least = (uint64_t)n;
            return;
        }
    }
}

static uint64_t needed_with_confidence (const struct calibration *c)
{
    _cleanup_free_ uint64_t *needs =
        xreallocarray (NULL, WRONG_MOST + 1, sizeof (*needs));
    struct foretelling f = { .c = c, .needs = needs };
    double most = INFINITY;

    if (c->n_labelled == 0)
        return needs_of (&f, 0) <= UINT64_C (1) << 53 ? needs_of (&f, 0) : 0;
    f.at_least = calibration_level (c) ? 1 : c->n_labelled + 1;
    for (int k = 0; k < CALIBRATION_QUANTILES; k++) {
        const struct score_point *point = &c->points[c->quantiles[k]];

        if (point->labelled == 0)
            continue;
        foretell (&f, point, most);
        most = scaled (needs_of (&f, 0), c->n_labelled, point->labelled);
    }
    return f.least <= UINT64_C (1) << 53 ? f.least : 0;
}

/* --- either --- */

const struct score_point *calibration_level (const struct calibration *c)
{
    size_t p = c->promise.confidence > 0
                   ? last_with_confidence (c)
                   : last_on_average (c, c->n_labelled, 0);

    return p < c->n_points ? &c->points[p] : NULL;
}

uint64_t calibration_labels_needed (const struct calibration *c)
{
    return c->promise.confidence > 0 ? needed_with_confidence (c)
                                     : needed_on_average (c);
}

/* 0 and all errors, upwards; of labels that did not fail.  The number of wrong
 * ones changes nowhere else.
 */
static size_t list_targets (const struct calibration *c, double *targets)
{
    size_t n = 0;

    targets[n++] = 0;
    for (uint64_t i = 0; i < c->n_labelled; i++) {
        if (isfinite (c->labelled[i].error))
            targets[n++] = c->labelled[i].error;
    }
    sort_doubles (targets, n);
    return n;
}

/* More are right with a larger target, so a level stays one. */
double calibration_least_target (struct calibration *c)
{
    const double target = c->target;
    _cleanup_free_ double *targets =
        xreallocarray (NULL, c->n_labelled + 1, sizeof (*targets));
    size_t low = 0, high = list_targets (c, targets), n = high;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        set_target (c, targets[middle]);
        if (calibration_level (c))
            high = middle;
        else
            low = middle + 1;
    }
    set_target (c, target);
    return low < n ? targets[low] : NAN;
}

/* --- leaving out one at a time --- */

/* Is a frame of 'point' accurate where 'last' passes?  If only it has that
 * score, no frame is left that the level could be at.
 */
static bool is_up_to (const struct calibration *c, size_t point, size_t last)
{
    const struct score_point *at = &c->points[point];
    uint64_t below = point > 0 ? at[-1].frames : 0;

    return last < c->n_points
           && (point < last || (point == last && at->frames - below > 1));
}

/* The quantiles of one frame less: they are among two sets of points, of which
 * the first counts below the frame that is left out.
 */
struct sequence {
    size_t point[CALIBRATION_QUANTILES];
    unsigned char verdict[CALIBRATION_QUANTILES];
};

static void judge_sequence (const struct calibration *c, uint64_t labelled_less,
                            uint64_t wrong_less, struct sequence *s)
{
    for (uint64_t k = 0; k < CALIBRATION_QUANTILES; k++) {
        uint64_t rank = quantile_rank (c->n_frames - 1, k) + labelled_less;
        size_t p = point_of_rank (c, rank);
        const struct score_point *point = &c->points[p];

        s->point[k] = p;
        s->verdict[k] = REFUSED;
        if (p < c->n_points && point->labelled >= labelled_less
            && point->wrong >= wrong_less)
            s->verdict[k] = (unsigned char)judge (
                c, point->labelled - labelled_less, point->wrong - wrong_less);
    }
}

static bool is_accurate_with_confidence (const struct sequence *below,
                                         const struct sequence *above,
                                         size_t point)
{
    bool accurate = false;

    for (int k = 0; k < CALIBRATION_QUANTILES; k++) {
        bool is_below = below->point[k] < point;
        enum verdict verdict = is_below ? below->verdict[k] : above->verdict[k];

        if (verdict == REFUSED)
            break;
        if (verdict == PASSED)
            accurate = !is_below;
    }
    return accurate;
}

/* Which labelled frames are accurate: of those with a right label, and a wrong
 * one, by the last point that passes, or by two sequences.
 */
struct leaving {
    const struct calibration *c;
    size_t last[2];
    struct sequence below, above[2];
};

/* A wrong one that is left out counts only above itself.  That one less is
 * counted below it, too, does not matter: then it is not accurate either way.
 */
static void leaving_init (struct leaving *leaving, const struct calibration *c)
{
    leaving->c = c;
    if (c->promise.confidence == 0) {
        leaving->last[0] = last_on_average (c, c->n_labelled - 1, 0);
        leaving->last[1] = last_on_average (c, c->n_labelled - 1, 1);
        return;
    }
    judge_sequence (c, 0, 0, &leaving->below);
    judge_sequence (c, 1, 0, &leaving->above[0]);
    judge_sequence (c, 1, 1, &leaving->above[1]);
}

static bool is_accurate (const struct leaving *leaving, size_t point,
                         bool wrong)
{
    if (leaving->c->promise.confidence == 0)
        return is_up_to (leaving->c, point, leaving->last[wrong]);
    return is_accurate_with_confidence (&leaving->below, &leaving->above[wrong],
                                        point);
}

struct left_out calibration_leave_one_out (const struct calibration *c)
{
    struct left_out found = { 0 };
    struct leaving leaving;
    size_t point = 0;

    if (c->n_labelled == 0 || c->n_frames < 2)
        return found;
    leaving_init (&leaving, c);
    for (uint64_t i = 0; i < c->n_labelled; i++) {
        bool wrong = c->labelled[i].error > c->target;

        while (i == c->points[point].labelled)
            point++;
        if (!is_accurate (&leaving, point, wrong))
            continue;
        found.accurate++;
        found.right += !wrong;
        found.failed += isinf (c->labelled[i].error) ? 1 : 0;
    }
    return found;
}
