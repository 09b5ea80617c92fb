/* SPDX-License-Identifier: BSD-3-Clause */
/* test_structures_cells.c - structures repeated, cut and strained.  Numbers
 * were had from ASE 3.22 where a test does not say another source; random cells
 * are compared with it in tests/cli/0612-structures-make.t.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "structures/deform.h"
#include "structures/supercell.h"
#include "structures/surface.h"
#include "structures_scene.h"

static void assert_vector (const double *v, double x, double y, double z)
{
    assert_true (fabs (v[0] - x) < 1e-8);
    assert_true (fabs (v[1] - y) < 1e-8);
    assert_true (fabs (v[2] - z) < 1e-8);
}

static void test_supercells (void **state)
{
    static const struct {
        int64_t rows[9];
        size_t n_atoms;
        double last[3]; /* the place of the last atom */
    } cases[] = {
        { { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 4, { 2.025, 2.025, 0 } },
        { { 2, 0, 0, 0, 2, 0, 0, 0, 2 }, 32, { 6.075, 6.075, 4.05 } },
        { { 1, 0, 0, 0, 3, 0, 0, 0, 1 }, 12, { 2.025, 10.125, 0 } },
        { { 1, 1, 0, -1, 1, 0, 0, 0, 1 }, 8, { -2.025, 2.025, 0 } },
        { { 0, 1, 1, 1, 0, 1, 1, 1, 0 }, 8, { 2.025, 2.025, 4.05 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
        double volume;

        scene_aluminium (&frame);
        volume = frame_volume (&frame);
        assert_int_equal (supercell_make (&frame, cases[i].rows, &frame, NULL),
                          0);
        assert_int_equal (frame.n_atoms, cases[i].n_atoms);
        assert_true (
            fabs (frame_volume (&frame) / volume - (double)cases[i].n_atoms / 4)
            < 1e-9);
        assert_vector (frame.positions + 3 * (frame.n_atoms - 1),
                       cases[i].last[0], cases[i].last[1], cases[i].last[2]);
        assert_string_equal (frame.symbols[frame.n_atoms - 1], "Al");
    }
}

static void test_supercells_refused (void **state)
{
    static const struct {
        bool molecule, slab;
        int64_t rows[9];
        const char *why;
    } cases[] = {
        { true, false, { 2, 0, 0, 0, 1, 0, 0, 0, 1 }, "it has no cell" },
        { false, true, { 1, 0, 0, 0, 1, 0, 0, 0, 2 }, "not repeat along c" },
        { false, true, { 1, 0, 0, 0, 1, 1, 0, 0, 1 }, "not repeat along c" },
        { false, false, { 30, 0, 0, 0, 30, 0, 0, 0, 30 }, "more than 100000" },
        { false, false, { 1, 999, 0, 999, 998002, 0, 0, 0, 1 }, "too slanted" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;

        if (cases[i].molecule)
            scene_hydrogen (&frame);
        else
            scene_aluminium (&frame);
        frame.periodic[2] = !cases[i].slab;
        assert_int_equal (supercell_make (&frame, cases[i].rows, &frame, &err),
                          -1);
        assert_non_null (strstr (err.text, cases[i].why));
    }
}

/* Of at most so many atoms the roomiest. */
static void test_choice (void **state)
{
    static const struct {
        double stretch; /* of c */
        int64_t most;
        bool slab;
        int64_t n[3]; /* 0: refused */
    } cases[] = {
        { 1, 64, false, { 2, 2, 2 } },  { 1, 107, false, { 2, 2, 2 } },
        { 1, 108, false, { 3, 3, 3 } }, { 1, 4, false, { 1, 1, 1 } },
        { 1, 3, false, { 0 } },         { 4, 64, false, { 4, 4, 1 } },
        { 1, 40, true, { 3, 3, 1 } },   { 0.5, 64, false, { 2, 2, 4 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
        int64_t rows[9] = { 0 };
        int rc;

        scene_aluminium (&frame);
        frame.cell[8] *= cases[i].stretch;
        rc =
            supercell_choose (&frame, cases[i].most, cases[i].slab, rows, NULL);
        assert_int_equal (rc, cases[i].n[0] > 0 ? 0 : -1);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal (rows[4 * k], cases[i].n[k]);
    }
}

/* Distances of planes are a / sqrt (h h + k k + l l) of the lattice. */
static void test_surfaces (void **state)
{
    static const int64_t millers[][3] = {
        { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 1, 1, 0 },  { 1, 1, 1 },
        { 2, 1, 0 }, { 0, 1, 3 },  { 3, 2, 1 }, { -1, 2, 2 }, { 1, -1, 4 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (millers); i++) {
        const int64_t *m = millers[i];
        const struct surface_cut cut = { { m[0], m[1], m[2] }, 3, 15 };
        _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
        double plane, lowest = INFINITY, highest = -INFINITY;

        scene_aluminium (&frame);
        plane = 4.05 / sqrt ((double)(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]));
        assert_int_equal (surface_make (&frame, &cut, &frame, NULL), 0);
        assert_int_equal (frame.n_atoms, 12);
        assert_vector (frame.cell + 6, 0, 0, 3 * plane + 15);
        assert_true (frame.cell[1] == 0 && frame.cell[2] == 0);
        assert_true (frame.cell[5] == 0);
        assert_true (fabs (frame_volume (&frame)
                           - 3 * 66.430125 * (3 * plane + 15) / (3 * plane))
                     < 1e-6);
        for (size_t k = 0; k < 12; k++) {
            lowest = fmin (lowest, frame.positions[3 * k + 2]);
            highest = fmax (highest, frame.positions[3 * k + 2]);
        }
        assert_true (lowest > -1e-6 && highest < 3 * plane);
    }
}

/* A plane of atoms that digits of a file put a little below a face. */
static void test_surface_plane_stays (void **state)
{
    static const struct surface_cut cut = { { 0, 0, 1 }, 1, 10 };
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;

    (void)state;
    scene_aluminium (&frame);
    frame.positions[2] = -1e-7;
    assert_int_equal (surface_make (&frame, &cut, &frame, NULL), 0);
    assert_true (fabs (frame.positions[2]) < 1e-6);
}

/* Of magnesium, 1 1 0, rounding puts one atom of the lowest plane below it; by
 * ASE it is on top of the slab.
 */
static void test_surface_planes_are_whole (void **state)
{
    static const struct surface_cut cut = { { 1, 1, 0 }, 2, 10 };
    static const double cell[9] = { 3.21, 0, 0, -1.605, 2.77994155,
                                    0,    0, 0, 5.21304 };
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;

    (void)state;
    scene_aluminium (&frame);
    frame.n_atoms = 2;
    memcpy (frame.cell, cell, sizeof (cell));
    assert_vector (frame.positions, 0, 0, 0);
    frame.positions[3] = 0;
    frame.positions[4] = 1.85329437;
    frame.positions[5] = 2.60652;
    assert_int_equal (surface_make (&frame, &cut, &frame, NULL), 0);
    for (size_t i = 0; i < 4; i++)
        assert_true (fabs (frame.positions[3 * i + 2] - (i < 2 ? 0 : 1.605))
                     < 1e-6);
}

static void test_surfaces_refused (void **state)
{
    static const struct surface_cut cut = { { 1, 1, 1 }, 3, 15 };
    static const struct surface_cut thick = { { 1, 1, 1 }, 26000, 15 };
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    scene_hydrogen (&frame);
    assert_int_equal (surface_make (&frame, &cut, &frame, &err), -1);
    assert_non_null (strstr (err.text, "not periodic in all directions"));
    scene_aluminium (&frame);
    frame.cell[0] = -frame.cell[0];
    assert_int_equal (surface_make (&frame, &cut, &frame, &err), -1);
    assert_non_null (strstr (err.text, "left-handed"));
    scene_aluminium (&frame);
    assert_int_equal (surface_make (&frame, &thick, &frame, &err), -1);
    assert_non_null (strstr (err.text, "more than 100000 atoms"));
}

/* The last three are twice the tensor's: a pure shear keeps its angle. */
static void test_strain (void **state)
{
    static const double voigt[6] = { 0.01, -0.02, 0.03, 0.04, 0.06, 0.08 };
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;

    (void)state;
    scene_aluminium (&frame);
    structure_strain (&frame, voigt);
    assert_vector (frame.cell, 4.05 * 1.01, 4.05 * 0.04, 4.05 * 0.03);
    assert_vector (frame.cell + 3, 4.05 * 0.04, 4.05 * 0.98, 4.05 * 0.02);
    assert_vector (frame.cell + 6, 4.05 * 0.03, 4.05 * 0.02, 4.05 * 1.03);
    assert_vector (frame.positions + 3, 2.025 * 0.07, 2.025 * 1, 2.025 * 1.05);
}

static void test_scale (void **state)
{
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;

    (void)state;
    scene_aluminium (&frame);
    structure_scale (&frame, 0.5);
    assert_vector (frame.cell + 3, 0, 2.025, 0);
    assert_vector (frame.positions + 3, 0, 1.0125, 1.0125);
}

/* However the last digits round, no atom is near a face. */
static void test_off_faces (void **state)
{
    static const double noise[3] = { -1e-16, 1e-16, 0 };
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    double by[3];

    (void)state;
    scene_aluminium (&frame);
    frame.cell[3] = 1.3; /* skewed; fractions are others then */
    for (size_t i = 0; i < 12; i++)
        frame.positions[i] += noise[i % 3];
    structure_off_faces (&frame, by);
    structure_shift (&frame, by);
    for (size_t i = 0; i < 4; i++) {
        double z = frame.positions[3 * i + 2] / 4.05, y, x;

        y = frame.positions[3 * i + 1] / 4.05;
        x = (frame.positions[3 * i] - 1.3 * y) / 4.05;
        assert_true (fabs (x - round (x)) > 0.12);
        assert_true (fabs (y - round (y)) > 0.24);
        assert_true (fabs (z - round (z)) > 0.24);
    }
    scene_hydrogen (&frame);
    structure_off_faces (&frame, by);
    assert_vector (by, 0, 0, 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_off_faces),
        cmocka_unit_test (test_supercells),
        cmocka_unit_test (test_supercells_refused),
        cmocka_unit_test (test_choice),
        cmocka_unit_test (test_surfaces),
        cmocka_unit_test (test_surface_plane_stays),
        cmocka_unit_test (test_surface_planes_are_whole),
        cmocka_unit_test (test_surfaces_refused),
        cmocka_unit_test (test_strain),
        cmocka_unit_test (test_scale),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
