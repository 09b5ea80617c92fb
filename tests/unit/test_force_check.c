/* SPDX-License-Identifier: BSD-3-Clause */
/* test_force_check.c - forces against energies of frames that follow each
 * other, of atoms that springs hold, some beyond the cell's faces
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/frame.h"
#include "selection/dataset/force_check.h"

enum { ATOMS = 3, FRAMES = 8 };

static const double side = 4, spring = 2; /* A; eV/A^2 */

/* Frame i of a motion; what is written is energy * e + 1, forces * f. */
static void make_frame (int i, double e, double f, struct frame *frame)
{
    assert_int_equal (frame_resize (frame, ATOMS, true, NULL), 0);
    for (size_t k = 0; k < 3; k++) {
        frame->cell[4 * k] = side;
        frame->periodic[k] = true;
    }
    for (size_t a = 0; a < ATOMS; a++) {
        strcpy (frame->symbols[a], "Ar");
        for (size_t k = 0; k < 3; k++) {
            double u = 0.1 + 0.05 * i + 0.01 * (double)(a + k);

            frame->positions[3 * a + k] =
                (double)a + u + (i % 2 == 1 ? side : 0);
            frame->forces[3 * a + k] = -spring * u * f;
            frame->energy += spring * u * u / 2 * e;
        }
    }
    frame->energy += 1;
    frame->has_energy = true;
}

static struct force_finding look (double e, double f, int n, size_t n_pairs)
{
    struct force_check check = FORCE_CHECK_INIT;
    struct force_finding finding;

    for (int i = 0; i < n; i++) {
        struct frame frame = FRAME_INIT;

        make_frame (i, e, f, &frame);
        assert_int_equal (force_check_add (&check, &frame), i > 0);
        frame_release (&frame);
    }
    assert_int_equal (check.n_pairs, n_pairs);
    finding = force_check_judge (&check);
    force_check_release (&check);
    return finding;
}

static void test_right (void **state)
{
    struct force_finding finding = look (1, 1, FRAMES, FRAMES - 1);

    (void)state;
    assert_false (finding.contradicts);
    assert_true (fabs (finding.ratio - 1) < 1e-6);
}

static void test_wrong (void **state)
{
    static const struct {
        double energy, force;
        const char *cause;
    } rows[] = {
        { 1, -1, "energies or forces have the other sign" },
        { -1, 1, "energies or forces have the other sign" },
        { 1, 1 / 51.422, "forces are in hartree/bohr" },
        { 1, 1 / 25.711, "forces are in Ry/bohr" },
        { 1, 0.529177, "forces are per bohr" },
        { 1 / 27.2114, 1, "energies are in hartree" },
        { 23.0605, 1, "energies are in kcal/mol" },
        { 1.0 / ATOMS, 1, "energies are those of an atom" },
        { 0, 1, "all energies are the same" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct force_finding finding =
            look (rows[i].energy, rows[i].force, FRAMES, FRAMES - 1);

        assert_true (finding.contradicts);
        assert_non_null (finding.cause);
        assert_string_equal (finding.cause, rows[i].cause);
    }
}

static void test_few (void **state)
{
    (void)state;
    assert_false (look (1, -1, 5, 4).contradicts);
    assert_true (look (1, -1, 6, 5).contradicts);
}

/* Frames of which nothing can be said. */
static void test_passed_over (void **state)
{
    struct force_check check = FORCE_CHECK_INIT;
    struct frame a = FRAME_INIT, b = FRAME_INIT;

    (void)state;
    make_frame (0, 1, 1, &a);
    make_frame (1, 1, 1, &b);
    assert_false (force_check_add (&check, &a));
    b.positions[0] += 1;
    assert_false (force_check_add (&check, &b));
    b.positions[0] -= 1;
    b.cell[0] += 0.1;
    assert_false (force_check_add (&check, &a));
    assert_false (force_check_add (&check, &b));
    b.cell[0] = a.cell[0];
    strcpy (b.symbols[0], "Ne");
    assert_false (force_check_add (&check, &b));
    strcpy (b.symbols[0], "Ar");
    a.has_energy = false;
    assert_false (force_check_add (&check, &a));
    assert_false (force_check_add (&check, &b));
    a.has_energy = true;
    assert_true (force_check_add (&check, &a));
    a.energy = NAN;
    assert_false (force_check_add (&check, &a));
    assert_false (force_check_judge (&check).contradicts);
    force_check_release (&check);
    frame_release (&a);
    frame_release (&b);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_right),
        cmocka_unit_test (test_wrong),
        cmocka_unit_test (test_few),
        cmocka_unit_test (test_passed_over),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
