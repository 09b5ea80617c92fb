/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lammps_axes.c - the axes in which LAMMPS sees a cell */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/lammps/lammps_axes.h"

/* A cell that is as LAMMPS wants it stays so to the last bit. */
static void test_as_it_is (void **state)
{
    static const double one[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    const double cell[9] = { 5.431, 0, 0, -2.7, 0.1, 0, 1.3, 7.7, 1e3 / 3 };
    double axes[9], turned[9];

    (void)state;
    assert_int_equal (lammps_axes_of (cell, axes, NULL), 0);
    assert_memory_equal (axes, one, sizeof (one));
    memcpy (turned, cell, sizeof (cell));
    lammps_axes_turn_cell (axes, turned);
    assert_memory_equal (turned, cell, sizeof (cell));
}

static double length (const double *v)
{
    return sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static const double cells[][9] = {
    { 0, 3, 0, 0, 0, 4, 5, 0, 0 },
    { 0, 3, 0, 0, 0, 4, -5, 0, 0 }, /* left-handed */
    { 1, 2, 3, -4, 1, 0.5, 0.1, 0.2, 9 },
    { -1, 0, 0, 0, -1, 0, 0, 0, -1 },
};

/* Lengths and what vectors are to each other stay, and there is a way back. */
static void test_any_cell (void **state)
{
    const double vector[3] = { 0.3, -1.7, 2.2 };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cells); i++) {
        double axes[9], cell[9], v[3];

        assert_int_equal (lammps_axes_of (cells[i], axes, NULL), 0);
        memcpy (cell, cells[i], sizeof (cell));
        lammps_axes_turn_cell (axes, cell);
        for (int k = 0; k < 3; k++) {
            assert_true (cell[4 * k] > 0);
            assert_true (
                fabs (length (cell + 3 * k) - length (cells[i] + 3 * k))
                < 1e-12);
        }
        assert_true (cell[1] == 0 && cell[2] == 0 && cell[5] == 0);
        memcpy (v, vector, sizeof (v));
        lammps_axes_turn (axes, v, 1);
        assert_true (fabs (length (v) - length (vector)) < 1e-12);
        lammps_axes_turn_back (axes, v, 1);
        for (int k = 0; k < 3; k++)
            assert_true (fabs (v[k] - vector[k]) < 1e-12);
    }
}

/* The tensor v w^T of turned vectors becomes that of the vectors. */
static void test_tensor (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cells); i++) {
        const double v[3] = { 0.3, -1.7, 2.2 }, w[3] = { 5, 0.1, -1 };
        double tv[3], tw[3], tensor[9], axes[9];

        assert_int_equal (lammps_axes_of (cells[i], axes, NULL), 0);
        memcpy (tv, v, sizeof (v));
        memcpy (tw, w, sizeof (w));
        lammps_axes_turn (axes, tv, 1);
        lammps_axes_turn (axes, tw, 1);
        for (int k = 0; k < 9; k++)
            tensor[k] = tv[k / 3] * tw[k % 3];
        lammps_axes_turn_tensor_back (axes, tensor);
        for (int k = 0; k < 9; k++)
            assert_true (fabs (tensor[k] - v[k / 3] * w[k % 3]) < 1e-12);
    }
}

static void test_no_volume (void **state)
{
    static const double none[][9] = {
        { 0 },
        { 1, 0, 0, 2, 0, 0, 0, 0, 1 },
        { 1, 0, 0, 0, 1, 0, 1, 1, 0 },
        { NAN, 0, 0, 0, 1, 0, 0, 0, 1 },
        { INFINITY, 0, 0, 0, 1, 0, 0, 0, 1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (none); i++) {
        struct error err = ERROR_INIT;
        double axes[9] = { 7 };

        assert_int_equal (lammps_axes_of (none[i], axes, &err), -1);
        assert_string_equal (err.text, "the cell has no volume");
        assert_true (axes[0] == 7);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_as_it_is),
        cmocka_unit_test (test_any_cell),
        cmocka_unit_test (test_tensor),
        cmocka_unit_test (test_no_volume),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
