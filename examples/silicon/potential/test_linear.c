/* SPDX-License-Identifier: BSD-3-Clause */
/* test_linear.c - the potential: its mathematics, its fit and its file */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame_terms.h"
#include "periodic_search.h"
#include "problem.h"
#include "ridge_fit.h"
#include "training.h"

#define COUNT(a) (sizeof (a) / sizeof ((a)[0]))

static const struct descriptor_settings silicon = { .cutoff_A = 4.8,
                                                    .core_A = 1.9,
                                                    .radial2 = 8,
                                                    .radial3 = 4,
                                                    .rank = 4 };

/* Every corner of what the settings may be. */
static const struct descriptor_settings corners[] = {
    { .cutoff_A = 4.8, .core_A = 1.9, .radial2 = 8, .radial3 = 4, .rank = 4 },
    { .cutoff_A = 3.0, .core_A = 3.0, .radial2 = 1, .radial3 = 8, .rank = 1 },
    { .cutoff_A = 5.5, .core_A = 0.0, .radial2 = 16, .radial3 = 1, .rank = 3 },
    { .cutoff_A = 4.0, .core_A = 2.5, .radial2 = 3, .radial3 = 0, .rank = 0 },
    { .cutoff_A = 4.0, .core_A = 1.0, .radial2 = 2, .radial3 = 5, .rank = 0 },
};

/* The minimal standard generator: the same numbers everywhere. */
static double uniform (uint64_t *state)
{
    *state = 16807 * *state % 2147483647;
    return (double)*state / 2147483647;
}

static struct linear_model random_model (
    const struct descriptor_settings *settings,
    uint64_t seed)
{
    struct linear_model model;
    struct problem problem;

    assert_int_equal (linear_model_init (&model, "Si", settings, &problem), 0);
    for (size_t k = 0; k < model.descriptor.feature_count; k++)
        model.coefficients[k] = (2 * uniform (&seed) - 1) / (double)(1 + k);
    return model;
}

/* Six atoms thrown into a cell of these vectors, none within 1.3 A. */
static struct frame random_frame (const double cell[3][3], uint64_t seed)
{
    struct frame frame = { .path = "random", .line = 1, .atom_count = 6 };
    struct neighbourhood around = NEIGHBOURHOOD_INIT;
    struct periodic_search search;
    struct problem problem;

    memcpy (frame.cell, cell, sizeof frame.cell);
    frame.positions = calloc (6, sizeof *frame.positions);
    frame.forces = calloc (6, sizeof *frame.forces);
    assert_int_equal (periodic_search_init (&search, &frame, 1.3, &problem), 0);
    for (size_t i = 0; i < 6; i++) {
        frame.atom_count = i + 1;
        do {
            double f[3];

            for (int k = 0; k < 3; k++)
                f[k] = 3 * uniform (&seed) - 1;
            for (int axis = 0; axis < 3; axis++)
                frame.positions[i][axis] = f[0] * cell[0][axis]
                                           + f[1] * cell[1][axis]
                                           + f[2] * cell[2][axis];
            assert_int_equal (
                periodic_search_run (&search, i, &around, &problem), 0);
        } while (around.count > 0);
    }
    neighbourhood_release (&around);
    return frame;
}

static void frame_free (struct frame *frame)
{
    free (frame->positions);
    free (frame->forces);
}

/* A cell smaller than the cutoff and askew, and its mirror image: the search
 * must find several images of one neighbour, and handedness must not matter.
 */
static const double askew[3][3] = {
    { 4.1, 0.0, 0.3 },
    { -1.7, 4.4, 0.0 },
    { 0.9, 1.8, 5.2 },
};
static const double left_handed[3][3] = {
    { -1.7, 4.4, 0.0 },
    { 4.1, 0.0, 0.3 },
    { 0.9, 1.8, 5.2 },
};
static const double cubic[3][3] = {
    { 5.431, 0.0, 0.0 },
    { 0.0, 5.431, 0.0 },
    { 0.0, 0.0, 5.431 },
};

static const struct {
    const char *name;
    const double (*cell)[3];
} cells[] = {
    { "cubic", cubic },
    { "askew", askew },
    { "left-handed", left_handed },
};

static double energy_of (const struct linear_model *model,
                         const struct frame *frame,
                         double (*forces)[3])
{
    struct problem problem;
    double energy;

    if (frame_predict (model, frame, &energy, forces, &problem) < 0)
        fail_msg ("%s", problem.text);
    return energy;
}

/* The central difference of the energy by one coordinate, negated. */
static double force_by_difference (const struct linear_model *model,
                                   struct frame *frame,
                                   size_t i,
                                   size_t axis)
{
    const double step_A = 1e-4;
    double *x = &frame->positions[i][axis], before = *x;
    double forces[6][3], high, low;

    *x = before + step_A;
    high = energy_of (model, frame, forces);
    *x = before - step_A;
    low = energy_of (model, frame, forces);
    *x = before;
    return -(high - low) / (2 * step_A);
}

static void assert_close (double found, double wanted, double tolerance)
{
    if (!(fabs (found - wanted) <= tolerance * (1 + fabs (wanted))))
        fail_msg ("%.17g is not %.17g", found, wanted);
}

static void test_forces_are_derivatives (void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT (cells); c++) {
        for (size_t s = 0; s < COUNT (corners); s++) {
            struct linear_model model = random_model (&corners[s], 11 + s);
            struct frame frame = random_frame (cells[c].cell, 71 + s);
            double forces[6][3];

            energy_of (&model, &frame, forces);
            for (size_t i = 0; i < 6; i++) {
                for (size_t axis = 0; axis < 3; axis++)
                    assert_close (forces[i][axis],
                                  force_by_difference (&model, &frame, i, axis),
                                  2e-6);
            }
            frame_free (&frame);
            linear_model_release (&model);
        }
    }
}

static void test_forces_add_up_to_zero (void **state)
{
    struct linear_model model = random_model (&silicon, 5);
    struct frame frame = random_frame (askew, 6);
    double forces[6][3], sum[3] = { 0 };

    (void)state;
    energy_of (&model, &frame, forces);
    for (size_t i = 0; i < 6; i++) {
        for (size_t axis = 0; axis < 3; axis++)
            sum[axis] += forces[i][axis];
    }
    for (size_t axis = 0; axis < 3; axis++)
        assert_close (sum[axis], 0, 1e-9);
    frame_free (&frame);
    linear_model_release (&model);
}

/* Two cells side by side are the same crystal. */
static void test_supercell_has_twice_the_energy (void **state)
{
    struct linear_model model = random_model (&silicon, 5);
    struct frame one = random_frame (askew, 8), two = one;
    double forces_of_one[6][3], forces_of_two[12][3], energy;

    (void)state;
    two.atom_count = 12;
    two.positions = calloc (12, sizeof *two.positions);
    for (size_t axis = 0; axis < 3; axis++) {
        two.cell[1][axis] *= 2;
        for (size_t i = 0; i < 6; i++) {
            two.positions[i][axis] = one.positions[i][axis];
            two.positions[6 + i][axis] =
                one.positions[i][axis] + one.cell[1][axis];
        }
    }
    energy = energy_of (&model, &one, forces_of_one);
    assert_close (energy_of (&model, &two, forces_of_two), 2 * energy, 1e-11);
    for (size_t axis = 0; axis < 3; axis++)
        assert_close (forces_of_two[7][axis], forces_of_one[1][axis], 1e-9);
    free (two.positions);
    frame_free (&one);
    linear_model_release (&model);
}

/* Every image within reach of a box far larger than the cutoff needs. */
static size_t neighbours_by_brute_force (const struct frame *frame,
                                         size_t i,
                                         double cutoff_A,
                                         double *sum_of_lengths)
{
    size_t count = 0;

    *sum_of_lengths = 0;
    for (size_t j = 0; j < frame->atom_count; j++) {
        for (int n = 0; n < 21 * 21 * 21; n++) {
            int turns[3] = { n % 21 - 10, n / 21 % 21 - 10, n / 441 - 10 };
            double squared = 0;

            for (int axis = 0; axis < 3; axis++) {
                double x =
                    frame->positions[j][axis] - frame->positions[i][axis];

                for (int k = 0; k < 3; k++)
                    x += turns[k] * frame->cell[k][axis];
                squared += x * x;
            }
            if (squared > 1e-12 && squared < cutoff_A * cutoff_A) {
                count++;
                *sum_of_lengths += sqrt (squared);
            }
        }
    }
    return count;
}

static void test_search_finds_every_image (void **state)
{
    struct neighbourhood around = NEIGHBOURHOOD_INIT;
    struct periodic_search search;
    struct problem problem;

    (void)state;
    for (size_t c = 0; c < COUNT (cells); c++) {
        struct frame frame = random_frame (cells[c].cell, 17);

        assert_int_equal (periodic_search_init (&search, &frame, 6.5, &problem),
                          0);
        for (size_t i = 0; i < 6; i++) {
            double wanted, found = 0;
            size_t count = neighbours_by_brute_force (&frame, i, 6.5, &wanted);

            assert_int_equal (
                periodic_search_run (&search, i, &around, &problem), 0);
            assert_int_equal (around.count, count);
            for (size_t b = 0; b < around.count; b++) {
                const double *v = around.bonds[b].vector;

                found += sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            }
            assert_close (found, wanted, 1e-11);
        }
        frame_free (&frame);
    }
    neighbourhood_release (&around);
}

static void test_search_refuses_collisions_and_slivers (void **state)
{
    struct neighbourhood around = NEIGHBOURHOOD_INIT;
    struct frame frame = random_frame (cubic, 3);
    struct periodic_search search;
    struct problem problem;

    (void)state;
    memcpy (frame.positions[4], frame.positions[1], sizeof frame.positions[0]);
    frame.positions[4][2] += frame.cell[2][2]; /* its image is the same place */
    assert_int_equal (periodic_search_init (&search, &frame, 4.8, &problem), 0);
    assert_int_equal (periodic_search_run (&search, 1, &around, &problem), -1);
    assert_string_equal (problem.text,
                         "random:1: atoms 2 and 5 are at the same place; "
                         "leave the frame out");
    frame.cell[1][1] = 0.01;
    assert_int_equal (periodic_search_init (&search, &frame, 4.8, &problem),
                      -1);
    assert_non_null (strstr (problem.text, "too thin"));
    frame_free (&frame);
    neighbourhood_release (&around);
}

/* g_n(r) as descriptor.h has it, with T_n(cos t) = cos (n t). */
static double radial_by_definition (double cutoff_A, int n, double r)
{
    return cos (n * acos (2 * r / cutoff_A - 1)) * 0.5
           * (1 + cos (M_PI * r / cutoff_A));
}

/* The three-body sum as descriptor.h has it, without any tensor. */
static double three_body_by_definition (const struct neighbourhood *around,
                                        double cutoff_A,
                                        int n,
                                        int m,
                                        int rank)
{
    double sum = 0;

    for (size_t j = 0; j < around->count; j++) {
        for (size_t k = 0; k < around->count; k++) {
            const double *a = around->bonds[j].vector;
            const double *b = around->bonds[k].vector;
            double ra = sqrt (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
            double rb = sqrt (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
            double cosine =
                (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (ra * rb);

            sum += radial_by_definition (cutoff_A, n, ra)
                   * radial_by_definition (cutoff_A, m, rb)
                   * pow (cosine, rank);
        }
    }
    return sum;
}

static struct neighbourhood random_neighbourhood (size_t count, uint64_t seed)
{
    struct neighbourhood around = NEIGHBOURHOOD_INIT;

    while (around.count < count) {
        double v[3], squared = 0;

        for (int axis = 0; axis < 3; axis++) {
            v[axis] = 5 * (2 * uniform (&seed) - 1);
            squared += v[axis] * v[axis];
        }
        if (squared > 1.5 * 1.5 && squared < 2.9 * 2.9)
            assert_int_equal (neighbourhood_add (&around, around.count, v), 0);
    }
    return around;
}

static void test_features_are_what_the_header_says (void **state)
{
    struct neighbourhood around = random_neighbourhood (7, 23);
    struct descriptor descriptor;
    struct problem problem;
    double *features, *gradients, sum;
    size_t k = 1;

    (void)state;
    assert_int_equal (descriptor_init (&descriptor, &silicon, &problem), 0);
    assert_int_equal (descriptor.feature_count, 59);
    features = calloc (59, sizeof *features);
    gradients = calloc (3 * 7 * 59, sizeof *gradients);
    descriptor_features (&descriptor, &around, features, gradients);
    assert_close (features[0], 1, 0);
    for (int n = 0; n < silicon.radial2; n++) {
        sum = 0;
        for (size_t j = 0; j < around.count; j++)
            sum += radial_by_definition (silicon.cutoff_A, n,
                                         around.bonds[j].terms.length);
        assert_close (features[k++], sum, 1e-11);
    }
    for (int n = 0; n < silicon.radial3; n++) {
        for (int m = n; m < silicon.radial3; m++) {
            for (int p = 0; p <= silicon.rank; p++)
                assert_close (features[k++],
                              three_body_by_definition (
                                  &around, silicon.cutoff_A, n, m, p),
                              1e-11);
        }
    }
    assert_int_equal (k, descriptor.feature_count);
    neighbourhood_release (&around);
    free (features);
    free (gradients);
}

/* The fit and the dynamics use two routes to one number. */
static void test_features_and_energy_agree (void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT (corners); s++) {
        struct linear_model model = random_model (&corners[s], 31 + s);
        struct neighbourhood around = random_neighbourhood (9, 41 + s);
        size_t count = model.descriptor.feature_count;
        double *features = calloc (count, sizeof *features);
        double *gradients = calloc (27 * count, sizeof *gradients);
        double energy = descriptor_features (&model.descriptor, &around,
                                             features, gradients);
        double slope[9][3];

        for (size_t k = 0; k < count; k++)
            energy += features[k] * model.coefficients[k];
        for (size_t r = 0; r < 27; r++) {
            slope[r / 3][r % 3] = around.bonds[r / 3].gradient[r % 3];
            for (size_t k = 0; k < count; k++)
                slope[r / 3][r % 3] +=
                    gradients[r * count + k] * model.coefficients[k];
        }
        assert_close (
            descriptor_energy (&model.descriptor, model.coefficients, &around),
            energy, 1e-11);
        for (size_t r = 0; r < 27; r++)
            assert_close (around.bonds[r / 3].gradient[r % 3],
                          slope[r / 3][r % 3], 1e-10);
        free (features);
        free (gradients);
        neighbourhood_release (&around);
        linear_model_release (&model);
    }
}

static void test_settings_out_of_range_are_refused (void **state)
{
    static const struct {
        struct descriptor_settings settings;
        const char *says;
    } cases[] = {
        { { 0, 0, 8, 4, 4 }, "cutoff" },   { { NAN, 0, 8, 4, 4 }, "cutoff" },
        { { 21, 0, 8, 4, 4 }, "cutoff" },  { { 4, 5, 8, 4, 4 }, "core" },
        { { 4, -1, 8, 4, 4 }, "core" },    { { 4, 1, 0, 4, 4 }, "radial2" },
        { { 4, 1, 17, 4, 4 }, "radial2" }, { { 4, 1, 8, 9, 4 }, "radial3" },
        { { 4, 1, 8, -1, 4 }, "radial3" }, { { 4, 1, 8, 4, 5 }, "rank" },
        { { 4, 1, 8, 4, -1 }, "rank" },
    };
    struct descriptor descriptor;
    struct problem problem;

    (void)state;
    for (size_t i = 0; i < COUNT (cases); i++) {
        assert_int_equal (
            descriptor_init (&descriptor, &cases[i].settings, &problem), -1);
        assert_non_null (strstr (problem.text, cases[i].says));
    }
}

/* Frames labelled by a known model. */
static struct frames labelled_frames (const struct linear_model *model,
                                      size_t count,
                                      uint64_t seed)
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
        cmocka_unit_test (test_forces_are_derivatives),
        cmocka_unit_test (test_forces_add_up_to_zero),
        cmocka_unit_test (test_supercell_has_twice_the_energy),
        cmocka_unit_test (test_search_finds_every_image),
        cmocka_unit_test (test_search_refuses_collisions_and_slivers),
        cmocka_unit_test (test_features_are_what_the_header_says),
        cmocka_unit_test (test_features_and_energy_agree),
        cmocka_unit_test (test_settings_out_of_range_are_refused),
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
