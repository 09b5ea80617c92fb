/* SPDX-License-Identifier: BSD-3-Clause */
/* test_driver.c - the ring polymer against what is known exactly, and the
 * reader of data files
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lammps_data.h"
#include "ring_polymer.h"
#include "units.h"

static const double silicon = 28.0855;

/* Anything, but the same each time. */
static double some_number (size_t i)
{
    return sin (12.9898 * (double)(i + 1) * (double)(i + 3));
}

static void make_polymer (struct ring_polymer *polymer, size_t beads, size_t n)
{
    ring_polymer_init (polymer, beads, n, 300, 1);
    for (size_t i = 0; i < n; i++)
        polymer->mass[i] = silicon + (double)i;
    for (size_t i = 0; i < beads * n; i++) {
        polymer->q[i] = some_number (i) / 10;
        polymer->v[i] = some_number (i + 7);
    }
}

static void test_modes (void **state)
{
    static const size_t sizes[] = { 1, 2, 3, 7, 8 };

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t beads = sizes[s];
        struct ring_polymer polymer;

        ring_polymer_init (&polymer, beads, 1, 300, 1);
        for (size_t k = 0; k < beads; k++) {
            for (size_t l = 0; l < beads; l++) {
                double dot = 0;

                for (size_t j = 0; j < beads; j++)
                    dot += polymer.modes[k * beads + j]
                           * polymer.modes[l * beads + j];
                assert_true (fabs (dot - (k == l)) < 1e-12);
            }
        }
        ring_polymer_release (&polymer);
    }
}

/* The free motion keeps its energy, goes back the way it came, and is that of
 * the springs: a short one changes velocities by their forces.
 */
static void test_drift (void **state)
{
    struct ring_polymer polymer, before;
    double energy;

    (void)state;
    make_polymer (&polymer, 6, 3);
    make_polymer (&before, 6, 3);
    energy = ring_polymer_kinetic (&polymer) + ring_polymer_springs (&polymer);
    ring_polymer_drift (&polymer, 0.37);
    assert_true (fabs (polymer.q[1] - before.q[1]) > 1e-3);
    assert_true (fabs (ring_polymer_kinetic (&polymer)
                       + ring_polymer_springs (&polymer) - energy)
                 < 1e-9 * energy);
    ring_polymer_drift (&polymer, -0.37);
    for (size_t i = 0; i < 18; i++)
        assert_true (fabs (polymer.q[i] - before.q[i]) < 1e-9);
    ring_polymer_drift (&polymer, 1e-8);
    for (size_t i = 0; i < 3; i++) {
        double omega = 6 * BOLTZMANN_EV_PER_K * 300 / HBAR_EV_PS;
        double pull = before.q[i + 3] + before.q[i + 15] - 2 * before.q[i];
        double expected = omega * omega * pull;

        assert_true (fabs ((polymer.v[i] - before.v[i]) / 1e-8 - expected)
                     < 1e-2 * fabs (expected));
    }
    ring_polymer_release (&polymer);
    ring_polymer_release (&before);
}

/* Beads in one place move as one classical particle does. */
static void test_one_place (void **state)
{
    struct ring_polymer many, one;

    (void)state;
    ring_polymer_init (&many, 4, 1, 300, 1);
    ring_polymer_init (&one, 1, 1, 300, 1);
    many.mass[0] = one.mass[0] = silicon;
    one.v[0] = 3;
    one.f[0] = 0.5;
    for (size_t j = 0; j < 4; j++) {
        many.v[j] = 3;
        many.f[j] = 0.5;
    }
    ring_polymer_kick (&many, 0.01);
    ring_polymer_kick (&one, 0.01);
    ring_polymer_drift (&many, 0.01);
    ring_polymer_drift (&one, 0.01);
    for (size_t j = 0; j < 4; j++)
        assert_true (fabs (many.q[j] - one.q[0]) < 1e-14);
    assert_true (
        fabs (one.q[0] - 0.01 * (3 + 0.01 * 0.5 / (silicon * EV_PER_MASS_V2)))
        < 1e-14);
    ring_polymer_release (&many);
    ring_polymer_release (&one);
}

/* Harmonic oscillators of hbar w = 3 kT: with P beads the mean kinetic energy
 * is kT/2 sum over modes k of w^2 / (w^2 + w_k^2), nearly twice the classical
 * one.
 */
static void test_harmonic (void **state)
{
    enum { BEADS = 8, N = 400, STEPS = 1500 };
    const double kT = BOLTZMANN_EV_PER_K * 300, omega = 3 * kT / HBAR_EV_PS;
    const double stiffness = silicon * EV_PER_MASS_V2 * omega * omega;
    const double dt_ps = 1e-3;
    struct ring_polymer polymer;
    double exact = 0, mean = 0;

    (void)state;
    ring_polymer_init (&polymer, BEADS, N, 300, 42);
    for (size_t i = 0; i < N; i++)
        polymer.mass[i] = silicon;
    for (size_t k = 0; k < BEADS; k++) {
        double w = polymer.frequencies[k];

        exact += kT / 2 * omega * omega / (omega * omega + w * w);
    }
    for (int step = 0; step < STEPS; step++) {
        ring_polymer_thermostat (&polymer, dt_ps, 0.05);
        ring_polymer_kick (&polymer, dt_ps / 2);
        ring_polymer_drift (&polymer, dt_ps);
        for (size_t i = 0; i < (size_t)BEADS * N; i++)
            polymer.f[i] = -stiffness * polymer.q[i];
        ring_polymer_kick (&polymer, dt_ps / 2);
        if (step >= STEPS / 3)
            mean += ring_polymer_quantum_kinetic (&polymer) / N
                    / (STEPS - STEPS / 3);
    }
    assert_true (exact > 1.5 * kT / 2);
    if (fabs (mean / exact - 1) > 0.02)
        fail_msg ("%g eV, not %g", mean, exact);
    ring_polymer_release (&polymer);
}

static void test_data_file (void **state)
{
    static const char text[] = "a title\n\n2 atoms\n1 atom types\n\n"
                               "-1 3 xlo xhi\n0 5 ylo yhi\n0 6 zlo zhi\n\n"
                               "Masses\n\n1 28.0855\n\nAtoms # atomic\n\n"
                               "2 1 0.5 0 0 1 0 -1\n1 1 1 2 3 0 0 0\n\n"
                               "Velocities\n\n1 0.1 0.2 0.3\n2 0 0 -1e-3\n";
    char path[] = "/tmp/fanfold-test-XXXXXX";
    int fd = mkstemp (path);
    struct atoms atoms;

    (void)state;
    assert_int_equal (write (fd, text, strlen (text)), strlen (text));
    close (fd);
    atoms_read (path, &atoms);
    unlink (path);
    assert_int_equal (atoms.n, 2);
    assert_true (atoms.box_A[0] == 4 && atoms.box_A[2] == 6);
    assert_true (atoms.mass[1] == silicon);
    assert_true (atoms.positions[2] == 3);
    assert_true (atoms.positions[3] == 4.5); /* a box further */
    assert_true (atoms.positions[5] == -6);
    assert_true (atoms.velocities[1] == 0.2);
    assert_true (atoms.velocities[5] == -1e-3);
    atoms_release (&atoms);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_modes),     cmocka_unit_test (test_drift),
        cmocka_unit_test (test_one_place), cmocka_unit_test (test_harmonic),
        cmocka_unit_test (test_data_file),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
