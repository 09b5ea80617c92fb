/* SPDX-License-Identifier: BSD-3-Clause */
/* test_descriptor.c - the potential: its mathematics */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "random_frames.h"

/* Every corner of what the settings may be. */
static const struct descriptor_settings corners[] = {
    { .cutoff_A = 4.8, .core_A = 1.9, .radial2 = 8, .radial3 = 4, .rank = 4 },
    { .cutoff_A = 3.0, .core_A = 3.0, .radial2 = 1, .radial3 = 8, .rank = 1 },
    { .cutoff_A = 5.5, .core_A = 0.0, .radial2 = 16, .radial3 = 1, .rank = 3 },
    { .cutoff_A = 4.0, .core_A = 2.5, .radial2 = 3, .radial3 = 0, .rank = 0 },
    { .cutoff_A = 4.0, .core_A = 1.0, .radial2 = 2, .radial3 = 5, .rank = 0 },
};

/* The central difference of the energy by one coordinate, negated. */
static double force_by_difference (const struct linear_model *model,
                                   struct frame *frame, size_t i, size_t axis)
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
static size_t neighbours_by_brute_force (const struct frame *frame, size_t i,
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
                                        double cutoff_A, int n, int m, int rank)
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
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
