/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_polymer.c - path-integral molecular dynamics of distinguishable atoms */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ring_polymer.h"
#include "units.h"

static const double pi = 3.14159265358979323846;

static double *numbers (size_t n)
{
    double *v = calloc (n, sizeof *v);

    if (!v)
        err (1, "memory");
    return v;
}

/* The modes of a ring: real Fourier components. */
static void set_modes (struct ring_polymer *polymer)
{
    size_t beads = polymer->beads;
    double p = (double)beads;
    double omega = p * BOLTZMANN_EV_PER_K * polymer->temperature_K / HBAR_EV_PS;

    for (size_t k = 0; k < beads; k++) {
        polymer->frequencies[k] = 2 * omega * sin ((double)k * pi / p);
        for (size_t j = 0; j < beads; j++) {
            double angle = 2 * pi * (double)(j * k % beads) / p;
            double value =
                sqrt (2 / p) * (2 * k < beads ? cos (angle) : sin (angle));

            if (k == 0 || 2 * k == beads)
                value = sqrt (1 / p) * (k > 0 && j % 2 ? -1 : 1);
            polymer->modes[k * beads + j] = value;
        }
    }
}

void ring_polymer_init (struct ring_polymer *polymer, size_t beads, size_t n,
                        double temperature_K, uint64_t seed)
{
    *polymer = (struct ring_polymer){
        .beads = beads, .n = n, .temperature_K = temperature_K, .random = seed
    };
    polymer->mass = numbers (n);
    polymer->q = numbers (beads * n);
    polymer->v = numbers (beads * n);
    polymer->f = numbers (beads * n);
    polymer->work = numbers (2 * beads * n);
    polymer->modes = numbers (beads * beads);
    polymer->frequencies = numbers (beads);
    set_modes (polymer);
}

void ring_polymer_release (struct ring_polymer *polymer)
{
    free (polymer->mass);
    free (polymer->q);
    free (polymer->v);
    free (polymer->f);
    free (polymer->work);
    free (polymer->modes);
    free (polymer->frequencies);
}

/* --- motion --- */

void ring_polymer_kick (struct ring_polymer *polymer, double dt_ps)
{
    size_t n = polymer->n;

    for (size_t i = 0; i < polymer->beads * n; i++)
        polymer->v[i] +=
            dt_ps * polymer->f[i] / (polymer->mass[i % n] * EV_PER_MASS_V2);
}

/* to[k] = sum of modes[k][j] from[j], or with the modes transposed: back. */
static void transform (const struct ring_polymer *polymer, const double *from,
                       double *to, int back)
{
    size_t beads = polymer->beads, n = polymer->n;

    memset (to, 0, beads * n * sizeof *to);
    for (size_t k = 0; k < beads; k++) {
        for (size_t j = 0; j < beads; j++) {
            double mode = polymer->modes[back ? j * beads + k : k * beads + j];

            for (size_t i = 0; i < n; i++)
                to[k * n + i] += mode * from[j * n + i];
        }
    }
}

void ring_polymer_drift (struct ring_polymer *polymer, double dt_ps)
{
    size_t n = polymer->n;
    double *q = polymer->work, *v = q + polymer->beads * n;

    transform (polymer, polymer->q, q, 0);
    transform (polymer, polymer->v, v, 0);
    for (size_t k = 0; k < polymer->beads; k++) {
        double w = polymer->frequencies[k];
        double c = cos (w * dt_ps), s = sin (w * dt_ps);

        for (size_t i = k * n; i < (k + 1) * n; i++) {
            double q0 = q[i], v0 = v[i];

            q[i] = k == 0 ? q0 + v0 * dt_ps : q0 * c + v0 / w * s;
            v[i] = k == 0 ? v0 : v0 * c - q0 * w * s;
        }
    }
    transform (polymer, q, polymer->q, 1);
    transform (polymer, v, polymer->v, 1);
}

/* --- the thermostat --- */

/* splitmix64 (S. Vigna), in (0, 1] */
static double uniform (uint64_t *state)
{
    uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)((z >> 11) + 1) * 0x1p-53;
}

/* Box and Muller */
static double gaussian (uint64_t *state)
{
    double r = sqrt (-2 * log (uniform (state)));

    return r * cos (2 * pi * uniform (state));
}

double ring_polymer_thermostat (struct ring_polymer *polymer, double dt_ps,
                                double tau_ps)
{
    size_t n = polymer->n;
    double *v = polymer->work;
    double kT =
        (double)polymer->beads * BOLTZMANN_EV_PER_K * polymer->temperature_K;
    double before = ring_polymer_kinetic (polymer);

    transform (polymer, polymer->v, v, 0);
    for (size_t k = 0; k < polymer->beads; k++) {
        double friction = k == 0 ? 1 / tau_ps : 2 * polymer->frequencies[k];
        double kept = exp (-friction * dt_ps);

        for (size_t i = 0; i < n; i++)
            v[k * n + i] = kept * v[k * n + i]
                           + sqrt ((1 - kept * kept) * kT
                                   / (polymer->mass[i] * EV_PER_MASS_V2))
                                 * gaussian (&polymer->random);
    }
    transform (polymer, v, polymer->v, 1);
    return ring_polymer_kinetic (polymer) - before;
}

/* --- energies --- */

double ring_polymer_kinetic (const struct ring_polymer *polymer)
{
    double sum = 0;

    for (size_t i = 0; i < polymer->beads * polymer->n; i++)
        sum += polymer->mass[i % polymer->n] * polymer->v[i] * polymer->v[i];
    return sum / 2 * EV_PER_MASS_V2;
}

double ring_polymer_springs (const struct ring_polymer *polymer)
{
    size_t beads = polymer->beads, n = polymer->n;
    double omega = (double)beads * BOLTZMANN_EV_PER_K * polymer->temperature_K
                   / HBAR_EV_PS;
    double sum = 0;

    for (size_t j = 0; j < beads; j++) {
        const double *here = polymer->q + j * n;
        const double *next = polymer->q + (j + 1) % beads * n;

        for (size_t i = 0; i < n; i++)
            sum += polymer->mass[i] * (next[i] - here[i]) * (next[i] - here[i]);
    }
    return sum / 2 * omega * omega * EV_PER_MASS_V2;
}

double ring_polymer_quantum_kinetic (const struct ring_polymer *polymer)
{
    size_t beads = polymer->beads, n = polymer->n;
    double virial = 0;

    for (size_t i = 0; i < n; i++) {
        double centroid = 0;

        for (size_t j = 0; j < beads; j++)
            centroid += polymer->q[j * n + i] / (double)beads;
        for (size_t j = 0; j < beads; j++)
            virial -=
                (polymer->q[j * n + i] - centroid) * polymer->f[j * n + i];
    }
    return (double)n / 2 * BOLTZMANN_EV_PER_K * polymer->temperature_K
           + virial / (double)(2 * beads);
}
