/* SPDX-License-Identifier: BSD-3-Clause */
/* test_frame_stats.c - statistics and choices against the definitions, slowly
 *
 * The reference below is written from the formulas alone: whole arrays, sorted
 * with qsort, no parts, no samples.  Values are few, so that there are ties.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "selection/sampling/choose.h"
#include "selection/statistics/frame_stats.h"

enum { SYSTEMS = 3, TASKS = 12, STEPS = 40, FRAMES = TASKS * STEPS };

struct sample {
    int64_t task, step;
    size_t system;
    double f, v, e;
    enum frame_class class;
};

static uint64_t random_state = 12345;

static uint64_t random_below (uint64_t n)
{
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return (random_state >> 33) % n;
}

static void make_frames (struct sample *frames)
{
    for (int i = 0; i < FRAMES; i++) {
        frames[i] = (struct sample){ .task = i / STEPS,
                                     .step = 10 * (i % STEPS),
                                     .system = (size_t)(i / STEPS) % SYSTEMS,
                                     .f = (double)random_below (20) / 10,
                                     .v = (double)random_below (20) / 10,
                                     .e = (double)random_below (20) / 10 };
        if (random_below (30) == 0)
            frames[i].f = random_below (2) ? NAN : INFINITY;
        if (random_below (50) == 0)
            frames[i].v = random_below (2) ? NAN : INFINITY;
        if (random_below (60) == 0)
            frames[i].e = -INFINITY;
    }
}

static void read_rules (const char *text, struct rules *rules)
{
    struct strvec systems = STRVEC_INIT;
    struct json *v = json_parse (text, strlen (text), "rules", NULL);
    struct error err = ERROR_INIT;

    strvec_push (&systems, "a");
    strvec_push (&systems, "b");
    strvec_push (&systems, "c");
    assert_non_null (v);
    if (rules_from_json (v, &systems, rules, &err) < 0)
        fail_msg ("%s", err.text);
    json_unref (v);
    strvec_release (&systems);
}

/* --- the definitions --- */

static bool in_group (const struct rules *rules, const struct sample *frame,
                      size_t group)
{
    return !rules->quota_per || frame->system == group;
}

static bool is_no_deviation (double value)
{
    return isnan (value) || value == -INFINITY;
}

static bool is_invalid (const struct rules *rules, const struct sample *frame)
{
    const bool *has = rules->criteria[0].has;

    return (has[DEVIATION_FORCE] && is_no_deviation (frame->f))
           || (has[DEVIATION_VIRIAL] && is_no_deviation (frame->v))
           || (has[DEVIATION_ENERGY] && is_no_deviation (frame->e));
}

static bool is_infinite (const struct rules *rules, const struct sample *frame)
{
    const bool *has = rules->criteria[0].has;

    return (has[DEVIATION_FORCE] && frame->f == INFINITY)
           || (has[DEVIATION_VIRIAL] && frame->v == INFINITY)
           || (has[DEVIATION_ENERGY] && frame->e == INFINITY);
}

/* dpgen/simplify/simplify.py: failed first, then candidates, by force and
 * energy; accurate is what is below both lower levels.
 */
static enum frame_class simplify_class (const struct criteria *criteria,
                                        const struct sample *frame)
{
    const struct levels *f = &criteria->levels[DEVIATION_FORCE];
    const struct levels *e = &criteria->levels[DEVIATION_ENERGY];
    bool by_force = criteria->has[DEVIATION_FORCE];
    bool by_energy = criteria->has[DEVIATION_ENERGY];

    if ((by_force && frame->f >= f->high) || (by_energy && frame->e >= e->high))
        return FRAME_FAILED;
    if ((by_force && frame->f >= f->low && frame->f < f->high)
        || (by_energy && frame->e >= e->low && frame->e < e->high))
        return FRAME_CANDIDATE;
    return FRAME_ACCURATE;
}

/* dpgen2/exploration/report/report_trust_levels_base.py: sets of each quantity,
 * and what becomes of a frame that is in two of them.
 */
static enum frame_class dpgen2_class (const struct criteria *criteria,
                                      const struct sample *frame)
{
    const double values[] = { frame->f, frame->v, frame->e };
    bool any_failed = false, all_accurate = true;

    for (int q = 0; q < 3; q++) {
        if (!criteria->has[q])
            continue;
        any_failed |= values[q] >= criteria->levels[q].high;
        all_accurate &= values[q] < criteria->levels[q].low;
    }
    return any_failed     ? FRAME_FAILED
           : all_accurate ? FRAME_ACCURATE
                          : FRAME_CANDIDATE;
}

static void classify_fixed (const struct rules *rules, struct sample *frame)
{
    const struct criteria *criteria = &rules->criteria[frame->system];
    double f_lo = criteria->levels[DEVIATION_FORCE].low;
    double f_hi = criteria->levels[DEVIATION_FORCE].high;
    double v_lo = criteria->levels[DEVIATION_VIRIAL].low;
    double v_hi = criteria->levels[DEVIATION_VIRIAL].high;
    double e_lo = criteria->levels[DEVIATION_ENERGY].low;
    double e_hi = criteria->levels[DEVIATION_ENERGY].high;
    double f = frame->f, v = frame->v, e = frame->e;

    if (!criteria->has[DEVIATION_FORCE]) {
        f = 0;
        f_lo = f_hi = 1e10;
    }
    if (!criteria->has[DEVIATION_VIRIAL]) { /* DP-GEN's default */
        v = 0;
        v_lo = v_hi = 1e10;
    }
    if (!criteria->has[DEVIATION_ENERGY]) {
        e = 0;
        e_lo = e_hi = 1e10;
    }
    if (is_invalid (rules, frame))
        frame->class = FRAME_INVALID;
    else if (is_infinite (rules, frame))
        frame->class = FRAME_FAILED;
    else if (criteria->semantics == SEMANTICS_DPGEN)
        frame->class = (v_lo <= v && v < v_hi) || (f_lo <= f && f < f_hi)
                               || (e_lo <= e && e < e_hi)
                           ? FRAME_CANDIDATE
                       : v >= v_hi || f >= f_hi || e >= e_hi ? FRAME_FAILED
                                                             : FRAME_ACCURATE;
    else if (criteria->semantics == SEMANTICS_SIMPLIFY
             && !criteria->has[DEVIATION_VIRIAL])
        frame->class = simplify_class (criteria, frame);
    else
        frame->class = dpgen2_class (criteria, frame);
}

static bool sort_by_virial;

static int compare_values (const void *a, const void *b)
{
    const struct sample *x = *(const struct sample *const *)a;
    const struct sample *y = *(const struct sample *const *)b;
    double p = sort_by_virial ? x->v : x->f, q = sort_by_virial ? y->v : y->f;

    if (p != q)
        return p < q ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->step < y->step ? -1 : 1;
}

/* Frames of a group that are not above a high level; the largest of each
 * quantity are candidates.
 */
static void classify_adaptive (const struct rules *rules, struct sample *frames,
                               size_t group)
{
    struct sample *pool[FRAMES];
    size_t n = 0;

    for (int i = 0; i < FRAMES; i++) {
        const struct criteria *criteria = &rules->criteria[frames[i].system];

        if (!in_group (rules, &frames[i], group))
            continue;
        frames[i].class = FRAME_ACCURATE;
        if (is_invalid (rules, &frames[i]))
            frames[i].class = FRAME_INVALID;
        else if (frames[i].f > criteria->levels[DEVIATION_FORCE].high
                 || (criteria->has[DEVIATION_VIRIAL]
                     && frames[i].v > criteria->levels[DEVIATION_VIRIAL].high))
            frames[i].class = FRAME_FAILED;
        else
            pool[n++] = &frames[i];
    }
    for (int q = DEVIATION_FORCE; q <= DEVIATION_VIRIAL; q++) {
        size_t top = (size_t)(rules->top[q].fraction * (double)n);

        if (!rules->criteria[0].has[q])
            continue;
        top = top < rules->top[q].count ? (size_t)rules->top[q].count : top;
        top = top < n ? top : n;
        sort_by_virial = q == DEVIATION_VIRIAL;
        qsort (pool, n, sizeof (*pool), compare_values);
        for (size_t i = n - top; i < n; i++)
            pool[i]->class = FRAME_CANDIDATE;
    }
}

static void classify_all (const struct rules *rules, struct sample *frames)
{
    for (int i = 0; !rules->adaptive && i < FRAMES; i++)
        classify_fixed (rules, &frames[i]);
    for (size_t g = 0; rules->adaptive && g < rules_n_groups (rules); g++)
        classify_adaptive (rules, frames, g);
}

/* --- the statistics --- */

static void add_task (const struct sample *frames, struct frame_stats *stats,
                      struct frame_stats_part *part)
{
    struct deviation_rows rows = { .n = STEPS };

    for (int i = 0; i < STEPS; i++) {
        rows.step[i] = frames[i].step;
        rows.value[DEVIATION_FORCE][i] = frames[i].f;
        rows.value[DEVIATION_VIRIAL][i] = frames[i].v;
        rows.value[DEVIATION_ENERGY][i] = frames[i].e;
    }
    frame_stats_part_reset (stats, part, frames->system);
    frame_stats_add (stats, part, frames->task, 0, &rows, NULL);
    frame_stats_merge (stats, part);
}

/* Tasks in an order that depends on 'turn'. */
static void run_pass (const struct sample *frames, struct frame_stats *stats,
                      enum frame_stats_pass pass, size_t pool_size, int turn)
{
    struct frame_stats_part *part;

    frame_stats_start (stats, pass, pool_size);
    part = frame_stats_part_new (stats);
    for (int task = 0; task < TASKS; task++)
        add_task (frames + (task * 5 + turn) % TASKS * STEPS, stats, part);
    frame_stats_part_free (part);
}

static void run_passes (const struct rules *rules, const struct sample *frames,
                        size_t pool_size, int turn, struct frame_stats *stats)
{
    frame_stats_init (stats, rules);
    if (rules->adaptive) {
        run_pass (frames, stats, PASS_RANGES, 0, turn);
        frame_stats_find_bins (stats);
        run_pass (frames, stats, PASS_LARGEST, 0, turn + 1);
        frame_stats_find_levels (stats);
    }
    run_pass (frames, stats, PASS_CLASSES, pool_size, turn);
}

static const struct sample *find (const struct sample *frames,
                                  const struct sampled *sampled)
{
    return &frames[sampled->task * STEPS + sampled->step / 10];
}

static void expect_classes (const struct sample *frames,
                            const struct frame_stats *stats)
{
    uint64_t counts[SYSTEMS][FRAME_CLASSES] = { { 0 } };
    size_t candidates = 0, sampled = 0;

    for (int i = 0; i < FRAMES; i++) {
        counts[frames[i].system][frames[i].class]++;
        candidates += frames[i].class == FRAME_CANDIDATE;
    }
    for (int i = 0; i < SYSTEMS; i++)
        assert_memory_equal (stats->histograms[i].frames, counts[i],
                             sizeof (counts[i]));
    for (size_t i = 0; i < stats->found.n_samples; i++) {
        for (size_t j = 0; j < stats->found.samples[i].n; j++)
            assert_int_equal (
                find (frames, &stats->found.samples[i].frames[j])->class,
                FRAME_CANDIDATE);
        assert_int_equal (stats->found.population[i],
                          stats->found.samples[i].n);
        sampled += stats->found.samples[i].n;
    }
    assert_int_equal (sampled, candidates);
}

static void test_classes (void **state)
{
    static const struct {
        const char *levels;
        const char *per;
    } cases[] = {
        { "'force': {'low': 0.3, 'high': 1.2}", "iteration" },
        { "'force': {'low': 0.3, 'high': 1.2}, 'virial': {'low': 0.5, 'high': "
          "1}",
          "iteration" },
        { "'force': {'low': [0.1, 0.5, 1], 'high': {'a': 0.5, 'b': 1, 'c': "
          "1.5}},'virial': {'low': 1, 'high': 1}",
          "iteration" },
        { "'force': {'low': 0.3, 'high': 1.2}, 'energy': {'low': 0.5, 'high': "
          "1}",
          "iteration" },
        { "'energy': {'low': 0.5, 'high': 1.5}", "iteration" },
        { "'force': {'low': 0.3, 'high': 0.3}, 'energy': {'low': 0.5, 'high': "
          "1},'virial': {'low': [0, 0.1, 1.8], 'high': 1.9}",
          "iteration" },
        { "'force': {'high': 1.2}, 'adaptive': {'force': {'count': 10}}",
          "iteration" },
        { "'force': {'high': 1.2}, 'adaptive': {'force': {'fraction': 0.13}}",
          "iteration" },
        { "'force': {'high': 1}, 'virial': {'high': 1.5},'adaptive': {'force': "
          "{'count': 7, 'fraction': 0.02},'virial': {'fraction': 0.1}}",
          "system" },
        { "'force': {'high': [1, 0.5, 1.9]}, 'virial': {'high': "
          "1.5},'adaptive': {'virial': {'count': 50}}",
          "iteration" },
        { "'force': {'high': 1}, 'adaptive': {'force': {'count': 100000}}",
          "iteration" },
        { "'force': {'high': 1}, 'adaptive': {'force': {'count': 0}}",
          "iteration" },
    };
    static const char *const semantics[] = { "dpgen", "dpgen2", "simplify" };
    static struct sample frames[FRAMES];

    (void)state;
    for (size_t i = 0; i < 3 * 8 * ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;
        struct rules rules = RULES_INIT;
        struct frame_stats stats;

        strbuf_addf (&text,
                     "{'levels': {%s}, 'pick': {'quota': 5, 'per': '%s'}, "
                     "'semantics': '%s', 'skip': {'steps': 0}}",
                     cases[i / 24].levels, cases[i / 24].per, semantics[i % 3]);
        for (char *quote = text.buf; (quote = strchr (quote, '\'')); quote++)
            *quote = '"';
        read_rules (text.buf, &rules);
        make_frames (frames);
        classify_all (&rules, frames);
        run_passes (&rules, frames, FRAMES, (int)i, &stats);
        expect_classes (frames, &stats);
        frame_stats_release (&stats);
        rules_release (&rules);
        strbuf_release (&text);
    }
}

/* --- more frames than fit 32 bits --- */

/* Eight frames, each of which stands for 2^31: as many ranks would find them.
 */
static void test_adaptive_of_many (void **state)
{
    static const double values[] = { 0.5, 0.25, 1, 2, 0.125, 4, 8, 3 };
    const uint64_t many = UINT64_C (1) << 31;
    struct rules rules = RULES_INIT;
    struct frame_stats_part *part;
    struct frame_stats stats;
    struct deviation_rows rows = { .n = 8 };

    (void)state;
    read_rules ("{\"levels\": {\"force\": {\"high\": 100}, \"adaptive\": "
                "{\"force\": {\"fraction\": 0.5}}}, \"pick\": {\"quota\": 5, "
                "\"per\": \"iteration\"}}",
                &rules);
    frame_stats_init (&stats, &rules);
    frame_stats_start (&stats, PASS_RANGES, 0);
    part = frame_stats_part_new (&stats);
    frame_stats_part_reset (&stats, part, 0);
    for (int i = 0; i < 8; i++) {
        rows.step[i] = ((int64_t)1 << 40) + i;
        rows.value[DEVIATION_FORCE][i] = values[i];
    }
    frame_stats_add (&stats, part, INT64_C (1) << 33, 0, &rows, NULL);
    part->found.eligible[0] *= many;
    for (size_t i = 0; i < RANGE_BINS; i++)
        part->found.ranges[0][DEVIATION_FORCE][i] *= many;
    frame_stats_merge (&stats, part);
    frame_stats_merge (&stats, part);
    frame_stats_find_bins (&stats);
    assert_true (stats.found.eligible[0] == 16 * many);
    assert_true (stats.lower[0][DEVIATION_FORCE].wanted == 8 * many);
    /* the eighth of sixteen is the second 2, all of whose are wanted */
    assert_true (stats.lower[0][DEVIATION_FORCE].in_bin == 2 * many);
    frame_stats_part_free (part);
    frame_stats_release (&stats);
    rules_release (&rules);
}

/* --- atoms in place of frames --- */

/* DP-GEN's cluster mode: each atom by itself, [low, high). */
static void test_atoms (void **state)
{
    static struct sample frames[FRAMES];
    uint64_t counts[SYSTEMS][FRAME_CLASSES] = { { 0 } };
    struct rules rules = RULES_INIT;
    struct frame_stats_part *part;
    struct frame_stats stats;
    size_t sampled = 0;

    (void)state;
    make_frames (frames);
    read_rules ("{\"levels\": {\"force\": {\"low\": 0.3, \"high\": [0.9, 1.2, "
                "1.2]}}, \"pick\": {\"quota\": 5, \"per\": \"iteration\"}, "
                "\"clusters\": {\"cutoff\": 4}}",
                &rules);
    frame_stats_init (&stats, &rules);
    frame_stats_start (&stats, PASS_CLASSES, FRAMES);
    part = frame_stats_part_new (&stats);
    /* a frame's f is that of the first of 1 + step / 10 % 3 atoms, v that of
     * the others
     */
    for (int i = 0; i < FRAMES; i++) {
        double atoms[3] = { frames[i].f, frames[i].v, frames[i].v };
        struct deviation_rows row = { .n = 1,
                                      .step = { frames[i].step },
                                      .atoms = atoms,
                                      .n_atoms = 1 + (size_t)i % 3 };
        const struct levels *levels =
            &rules.criteria[frames[i].system].levels[DEVIATION_FORCE];

        for (size_t j = 0; j < row.n_atoms; j++) {
            enum frame_class class = is_no_deviation (atoms[j]) ? FRAME_INVALID
                                     : atoms[j] < levels->low   ? FRAME_ACCURATE
                                     : atoms[j] < levels->high ? FRAME_CANDIDATE
                                                               : FRAME_FAILED;

            counts[frames[i].system][class]++;
        }
        frame_stats_part_reset (&stats, part, frames[i].system);
        frame_stats_add (&stats, part, frames[i].task, 0, &row, NULL);
        frame_stats_merge (&stats, part);
    }
    for (int i = 0; i < SYSTEMS; i++)
        assert_memory_equal (stats.histograms[i].frames, counts[i],
                             sizeof (counts[i]));
    for (size_t i = 0; i < stats.found.samples[0].n; i++) {
        const struct sampled *one = &stats.found.samples[0].frames[i];
        const struct sample *frame = find (frames, one);

        assert_in_range (one->atom, 1, 1 + (frame - frames) % 3);
        assert_true (one->deviation == (one->atom == 1 ? frame->f : frame->v));
        sampled++;
    }
    assert_int_equal (sampled, counts[0][FRAME_CANDIDATE]
                                   + counts[1][FRAME_CANDIDATE]
                                   + counts[2][FRAME_CANDIDATE]);
    frame_stats_part_free (part);
    frame_stats_release (&stats);
    rules_release (&rules);
}

/* --- choices --- */

struct choice {
    struct sampled *frames;
    size_t n;
};

static void choose (const char *text, const struct sample *frames,
                    bool (*accept) (const struct sampled *frame, void *arg),
                    struct choice *choice)
{
    struct rules rules = RULES_INIT;
    struct frame_stats stats;

    read_rules (text, &rules);
    run_passes (&rules, frames, FRAMES, 3, &stats);
    assert_true (choose_frames (&stats, accept, NULL, false, &choice->frames,
                                &choice->n));
    frame_stats_release (&stats);
    rules_release (&rules);
}

#define LEVELS "\"levels\": {\"force\": [0.3, 1.2]}"

static int compare_deviations (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* The largest: as many of each value as a sort finds. */
static void test_max (void **state)
{
    static struct sample frames[FRAMES];
    double all[FRAMES], picked[25];
    struct choice choice;
    size_t n = 0;

    (void)state;
    make_frames (frames);
    for (int i = 0; i < FRAMES; i++) {
        if (frames[i].f >= 0.3 && frames[i].f < 1.2)
            all[n++] = frames[i].f;
    }
    qsort (all, n, sizeof (*all), compare_deviations);
    choose ("{" LEVELS ", \"pick\": {\"quota\": 25, \"how\": \"max\", \"per\": "
            "\"iteration\"}}",
            frames, NULL, &choice);
    assert_int_equal (choice.n, 25);
    for (size_t i = 0; i < 25; i++)
        picked[i] = choice.frames[i].deviation;
    qsort (picked, 25, sizeof (*picked), compare_deviations);
    assert_memory_equal (picked, all, sizeof (picked));
    free (choice.frames);
}

/* From nine bins, one for each value there is, about as many. */
static void test_stratified (void **state)
{
    static struct sample frames[FRAMES];
    size_t found[20] = { 0 };
    struct choice choice;

    (void)state;
    make_frames (frames);
    choose ("{" LEVELS ", \"pick\": {\"quota\": 29, \"how\": \"stratified\", "
            "\"bins\": 9, \"per\": \"iteration\"}}",
            frames, NULL, &choice);
    assert_int_equal (choice.n, 29);
    for (size_t i = 0; i < choice.n; i++)
        found[(int)(choice.frames[i].deviation * 10 + 0.5)]++;
    for (int i = 3; i < 12; i++)
        assert_in_range (found[i], 3, 4);
    free (choice.frames);
}

/* A value that few frames have is as likely as one that many have. */
static void test_inverse_population (void **state)
{
    static struct sample frames[FRAMES];
    size_t rare = 0;

    (void)state;
    make_frames (frames);
    for (int i = 0; i < FRAMES; i++)
        frames[i].f = i % 40 == 0 ? 0.4 : 1.1;
    for (int seed = 0; seed < 200; seed++) {
        struct strbuf text = STRBUF_INIT;
        struct choice choice;

        strbuf_addf (
            &text,
            "{" LEVELS ", \"pick\": {\"quota\": 1, \"bins\": 9, \"how\": "
            "\"inverse_population\", \"per\": \"iteration\"}, \"seed\": %d}",
            seed);
        choose (text.buf, frames, NULL, &choice);
        assert_int_equal (choice.n, 1);
        rare += choice.frames[0].deviation == 0.4;
        free (choice.frames);
        strbuf_release (&text);
    }
    assert_in_range (rare, 70, 130); /* four standard deviations */
}

static void test_quotas (void **state)
{
    static const struct {
        const char *rules;
        size_t n[SYSTEMS]; /* expected */
    } cases[] = {
        /* 3/8 of system a accurate, half of b, all but one of c */
        { "\"pick\": {\"quota\": 6, \"per\": \"system\"}", { 6, 6, 1 } },
        { "\"pick\": {\"quota\": 6, \"per\": \"system\", \"hard\": 0.5}",
          { 6, 0, 0 } },
        { "\"pick\": {\"quota\": 6, \"per\": \"system\", \"hard\": 0.75, "
          "\"soft\": 0.25}",
          { 4, 3, 0 } },
        { "\"pick\": {\"quota\": 6, \"per\": \"system\", \"minimum\": 2}",
          { 6, 6, 0 } },
        { "\"pick\": {\"quota\": 6, \"per\": \"system\", \"minimum\": 6}",
          { 6, 6, 0 } },
        { "\"pick\": {\"quota\": 0, \"per\": \"iteration\"}", { 0, 0, 0 } },
        /* quotas of 4 and 3 are less than the minimum, pools of 8 and 6 not */
        { "\"pick\": {\"quota\": 6, \"per\": \"system\", \"hard\": 0.75, "
          "\"soft\": 0.25, \"how\": \"diverse\", \"pool\": 2, \"minimum\": 5}",
          { 0, 0, 0 } },
        { "\"pick\": {\"quota\": 6, \"per\": \"system\", \"hard\": 0.75, "
          "\"soft\": 0.25, \"how\": \"diverse\", \"pool\": 2, \"minimum\": 4}",
          { 8, 0, 0 } },
        { "\"pick\": {\"quota\": 6, \"hard\": 0.1, \"per\": \"iteration\"}",
          { 0, 0, 0 } },
    };
    static struct sample frames[FRAMES];
    size_t accurate[SYSTEMS] = { 54, 72, 159 }; /* of 144, 144, 160 */
    size_t seen[SYSTEMS] = { 0 };

    (void)state;
    make_frames (frames);
    for (int i = 0; i < FRAMES; i++) {
        size_t k = seen[frames[i].system]++;

        frames[i].f = k < accurate[frames[i].system] ? 0.1 : 0.5;
        if (frames[i].system < 2 && k >= 144)
            frames[i].f = NAN; /* has no part in the fraction */
    }
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;
        size_t n[SYSTEMS] = { 0 };
        struct choice choice;

        strbuf_addf (&text, "{" LEVELS ", %s}", cases[i].rules);
        choose (text.buf, frames, NULL, &choice);
        for (size_t j = 0; j < choice.n; j++)
            n[find (frames, &choice.frames[j])->system]++;
        assert_memory_equal (n, cases[i].n, sizeof (n));
        free (choice.frames);
        strbuf_release (&text);
    }
}

/* In DP-GEN's ratio, too, an infinite deviation is one at the high level. */
static void test_infinite_in_quota (void **state)
{
    static struct sample frames[FRAMES];
    struct choice choice;

    (void)state;
    for (int i = 0; i < FRAMES; i++) {
        frames[i] = (struct sample){ .task = i / STEPS,
                                     .step = 10 * (i % STEPS),
                                     .system = (size_t)(i / STEPS) % SYSTEMS,
                                     .f = i % 4 < 2 ? 0.1 : 0.5 };
        if (i % 4 == 3)
            frames[i].f = INFINITY;
    }
    choose (
        "{" LEVELS
        ", \"pick\": {\"quota\": 20, \"hard\": 0.6, \"per\": \"iteration\"}}",
        frames, NULL, &choice);
    assert_int_equal (choice.n, 20); /* 1/2 is accurate, and not 2/3 */
    free (choice.frames);
}

static bool takes_even_tasks (const struct sampled *frame, void *arg)
{
    (void)arg;
    return frame->task % 2 == 0;
}

/* Frames that are refused are replaced, and when too few were held one knows.
 */
static void test_refusal (void **state)
{
    static struct sample frames[FRAMES];
    struct rules rules = RULES_INIT;
    struct sampled *chosen;
    struct frame_stats stats;
    struct choice choice;
    size_t n = 0;

    (void)state;
    make_frames (frames);
    choose ("{" LEVELS ", \"pick\": {\"quota\": 20, \"per\": \"iteration\"}}",
            frames, takes_even_tasks, &choice);
    assert_int_equal (choice.n, 20);
    for (size_t i = 0; i < choice.n; i++)
        assert_int_equal (choice.frames[i].task % 2, 0);
    free (choice.frames);
    read_rules ("{" LEVELS
                ", \"pick\": {\"quota\": 20, \"per\": \"iteration\"}}",
                &rules);
    run_passes (&rules, frames, 20, 0, &stats);
    assert_false (
        choose_frames (&stats, takes_even_tasks, NULL, false, &chosen, &n));
    assert_true (
        choose_frames (&stats, takes_even_tasks, NULL, true, &chosen, &n));
    assert_in_range (n, 1, 19);
    free (chosen);
    frame_stats_release (&stats);
    rules_release (&rules);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_classes),
        cmocka_unit_test (test_adaptive_of_many),
        cmocka_unit_test (test_atoms),
        cmocka_unit_test (test_max),
        cmocka_unit_test (test_stratified),
        cmocka_unit_test (test_inverse_population),
        cmocka_unit_test (test_quotas),
        cmocka_unit_test (test_infinite_in_quota),
        cmocka_unit_test (test_refusal),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
