/* SPDX-License-Identifier: BSD-3-Clause */
/* test_linear.c - the potential: its fit and its file */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "random_frames.h"
#include "ridge_fit.h"
#include "training.h"

/* Frames labelled by a known model. */
static struct frames labelled_frames (const struct linear_model *model,
                                      size_t count, uint64_t seed)
{
    struct frames frames = { calloc (count, sizeof (struct frame)), count,
                             count };

    for (size_t f = 0; f < count; f++) {
        struct frame *frame = &frames.items[f];

        *frame = random_frame (cells[f % COUNT (cells)].cell, seed + f);
        frame->energy_eV = energy_of (model, frame, frame->forces);
    }
    return frames;
}

static void test_fit_recovers_a_known_model (void **state)
{
    static const struct training_settings settings = { 1e-13, 1 };
    struct linear_model truth = random_model (&silicon, 101), model;
    struct frames seen = labelled_frames (&truth, 20, 200);
    struct frames unseen = labelled_frames (&truth, 6, 300);
    unsigned draws[20];
    struct problem problem;
    struct score score;

    (void)state;
    bootstrap_draw (20, 1, 0, draws);
    assert_int_equal (linear_model_init (&model, "Si", &silicon, &problem), 0);
    assert_int_equal (train_linear (&model, &seen, draws, &settings, &problem),
                      0);
    assert_int_equal (score_model (&model, &unseen, &score, &problem), 0);
    assert_true (score.force_rms > 0.1);
    assert_true (score.force_rmse < 1e-5 * score.force_rms);
    assert_true (score.energy_rmse < 1e-5);
    linear_model_release (&model);
    linear_model_release (&truth);
    frames_release (&seen);
    frames_release (&unseen);
}

/* A frame drawn twice counts like two frames; one not drawn, not at all. */
static void test_draws_are_weights (void **state)
{
    static const struct training_settings settings = { 1e-6, 2 };
    static const unsigned once[] = { 1, 1, 1, 1 }, draws[] = { 0, 2, 1 };
    struct linear_model truth = random_model (&silicon, 102), a, b;
    struct frames three = labelled_frames (&truth, 3, 400);
    struct frame same[] = { three.items[1], three.items[2], three.items[1] };
    struct frames spelled_out = { same, 3, 3 };
    struct problem problem;

    (void)state;
    three.items[0].energy_eV = 1e6; /* would be noticed */
    assert_int_equal (linear_model_init (&a, "Si", &silicon, &problem), 0);
    assert_int_equal (linear_model_init (&b, "Si", &silicon, &problem), 0);
    assert_int_equal (train_linear (&a, &three, draws, &settings, &problem), 0);
    assert_int_equal (
        train_linear (&b, &spelled_out, once, &settings, &problem), 0);
    for (size_t k = 0; k < 59; k++)
        assert_close (a.coefficients[k], b.coefficients[k], 1e-6);
    linear_model_release (&a);
    linear_model_release (&b);
    linear_model_release (&truth);
    frames_release (&three);
}

static void test_score_counts_what_is_off (void **state)
{
    struct linear_model truth = random_model (&silicon, 103);
    struct frames frames = labelled_frames (&truth, 2, 500);
    struct problem problem;
    struct score score;

    (void)state;
    frames.items[0].energy_eV += 6 * 0.3; /* 0.3 eV an atom in one of two */
    frames.items[1].forces[2][1] += 1.2;  /* one of 36 components */
    assert_int_equal (score_model (&truth, &frames, &score, &problem), 0);
    assert_close (score.energy_rmse, 0.3 / sqrt (2), 1e-9);
    assert_close (score.force_rmse, 0.2, 1e-9);
    linear_model_release (&truth);
    frames_release (&frames);
}

static void test_bootstrap_draws (void **state)
{
    enum { FRAMES = 50 };
    unsigned draws[FRAMES], other[FRAMES], sum = 0, unseen = 0;

    (void)state;
    bootstrap_draw (FRAMES, 7, 2, draws);
    bootstrap_draw (FRAMES, 7, 2, other);
    assert_memory_equal (draws, other, sizeof draws);
    for (size_t f = 0; f < FRAMES; f++) {
        sum += draws[f];
        unseen += draws[f] == 0;
    }
    assert_int_equal (sum, FRAMES);
    assert_in_range (unseen, 10, 27); /* 1/e of them, give or take */
    bootstrap_draw (FRAMES, 7, 3, other);
    assert_memory_not_equal (draws, other, sizeof draws);
    bootstrap_draw (FRAMES, 8, 2, other);
    assert_memory_not_equal (draws, other, sizeof draws);
}

static void test_ridge_shrinks_by_its_definition (void **state)
{
    static const double rows[][2] = { { 1, 0 }, { 0, 2 }, { 1, 0 } };
    struct problem problem;
    struct ridge_fit fit;
    double c[2];

    (void)state;
    assert_int_equal (ridge_fit_init (&fit, 2, &problem), 0);
    for (size_t r = 0; r < COUNT (rows); r++)
        ridge_fit_add (&fit, rows[r], 3, 0.5);
    assert_int_equal (ridge_fit_solve (&fit, 0.25, c, &problem), 0);
    assert_close (c[0], 3 / 1.25, 1e-14);
    assert_close (c[1], 1.5 / 1.25, 1e-14);
    ridge_fit_release (&fit);
}

static void test_ridge_refuses_what_is_undetermined (void **state)
{
    static const double row[] = { 1, 1 };
    struct problem problem;
    struct ridge_fit fit;
    double c[2];

    (void)state;
    assert_int_equal (ridge_fit_init (&fit, 2, &problem), 0);
    ridge_fit_add (&fit, row, 1, 1);
    assert_int_equal (ridge_fit_solve (&fit, 0, c, &problem), -1);
    assert_non_null (strstr (problem.text, "--ridge"));
    ridge_fit_release (&fit);
}

/* A file of its own in $TMPDIR. */
static void temporary_file (char path[256], const char *text)
{
    const char *parent = getenv ("TMPDIR");
    FILE *stream;
    int fd;

    snprintf (path, 256, "%s/test-linear-XXXXXX", parent ? parent : "/tmp");
    fd = mkstemp (path);
    assert_true (fd >= 0);
    stream = fdopen (fd, "w");
    assert_non_null (stream);
    fputs (text, stream);
    fclose (stream);
}

static void test_model_file_round_trip (void **state)
{
    struct linear_model model = random_model (&silicon, 7), back;
    const struct descriptor_settings *found;
    struct problem problem;
    char path[256];

    (void)state;
    temporary_file (path, "");
    model.coefficients[3] = -0x1.fffffffffffffp-1000;
    assert_int_equal (linear_model_write (&model, path, &problem), 0);
    assert_int_equal (linear_model_read (&back, path, &problem), 0);
    assert_string_equal (back.species, "Si");
    found = &back.descriptor.settings;
    assert_true (found->cutoff_A == 4.8 && found->core_A == 1.9);
    assert_int_equal (found->radial2, 8);
    assert_int_equal (found->radial3, 4);
    assert_int_equal (found->rank, 4);
    assert_memory_equal (back.coefficients, model.coefficients,
                         59 * sizeof (double));
    linear_model_release (&model);
    linear_model_release (&back);
    unlink (path);
}

#define MODEL_HEAD                                                             \
    "linear-model 1\nspecies Si\ncutoff 4\ncore 1\nradial2 1\nradial3 0\n"     \
    "rank 0\n"

static void test_bad_model_files_are_refused (void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        { "", ":1: the file ends" },
        { "alm 1\n", ":1: expected 'linear-model'" },
        { "linear-model 2\n", "version 2" },
        { "linear-model 1\nspecies S i\ncutoff 4\ncore 1\nradial2 1\n"
          "radial3 0\nrank 0\ncoefficients 2\n1\n2\n",
          "element" },
        { "linear-model 1\nspecies Si\ncutoff x\n", ":3: 'x'" },
        { "linear-model 1\nspecies Si\ncutoff inf\n", ":3: 'inf'" },
        { "linear-model 1\nspecies Si\ncutoff 4\ncore 1\nradial2 1.5\n",
          ":5: radial2" },
        { "linear-model 1\nspecies Si\ncutoff 4\ncore 1\nradial2 99\n"
          "radial3 0\nrank 0\ncoefficients 2\n1\n2\n",
          "radial2 must" },
        { MODEL_HEAD "coefficients 3\n1\n2\n3\n", ":8: " },
        { MODEL_HEAD "coefficients 2\n1\n", ":10: the file ends" },
        { MODEL_HEAD "coefficients 2\n1\nnan\n", ":10: 'nan'" },
        { MODEL_HEAD "coefficients 2\n1\n2\n3\n", ":11: text after" },
    };
    struct linear_model model;
    struct problem problem;
    char path[256];

    (void)state;
    for (size_t i = 0; i < COUNT (cases); i++) {
        temporary_file (path, cases[i].text);
        assert_int_equal (linear_model_read (&model, path, &problem), -1);
        if (!strstr (problem.text, cases[i].says))
            fail_msg ("case %zu says '%s'", i, problem.text);
        unlink (path);
    }
    assert_int_equal (linear_model_read (&model, "/nowhere/x", &problem), -1);
    assert_non_null (strstr (problem.text, "/nowhere/x: "));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_fit_recovers_a_known_model),
        cmocka_unit_test (test_draws_are_weights),
        cmocka_unit_test (test_score_counts_what_is_off),
        cmocka_unit_test (test_bootstrap_draws),
        cmocka_unit_test (test_ridge_shrinks_by_its_definition),
        cmocka_unit_test (test_ridge_refuses_what_is_undetermined),
        cmocka_unit_test (test_model_file_round_trip),
        cmocka_unit_test (test_bad_model_files_are_refused),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
