/* SPDX-License-Identifier: BSD-3-Clause */
/* descriptor.c - an atom's surroundings as numbers an energy is linear in */
#include <math.h>
#include <string.h>

#include "descriptor.h"
#include "problem.h"

/* Half of what a pair feels: each of its two atoms carries one. */
static const double core_strength_eV = 75.0;

/* The moments A_n^(p), or anything else that has as many numbers. */
struct moments {
    double of[DESCRIPTOR_MAX_RADIAL3][DESCRIPTOR_PADDED_COMPONENTS];
};

/* Components are ordered by rank, then by falling powers of x and of y. */
static int component_index (int a, int b, int c)
{
    int p = a + b + c;

    return p * (p + 1) * (p + 2) / 6 + (b + c) * (b + c + 1) / 2 + c;
}

static void component_init (struct component *component, int a, int b, int c)
{
    static const double factorial[] = { 1, 1, 2, 6, 24 };

    component->power[0] = a;
    component->power[1] = b;
    component->power[2] = c;
    component->lower[0] = a > 0 ? component_index (a - 1, b, c) : 0;
    component->lower[1] = b > 0 ? component_index (a, b - 1, c) : 0;
    component->lower[2] = c > 0 ? component_index (a, b, c - 1) : 0;
    component->axis = a > 0 ? 0 : b > 0 ? 1 : 2;
    component->rank = a + b + c;
    component->multiplicity =
        factorial[a + b + c] / (factorial[a] * factorial[b] * factorial[c]);
}

static int settings_check (const struct descriptor_settings *settings,
                           struct problem *problem)
{
    if (!(settings->cutoff_A > 0 && settings->cutoff_A <= 20))
        return problem_set (problem, "the cutoff must lie in (0, 20] A");
    if (!(settings->core_A >= 0 && settings->core_A <= settings->cutoff_A))
        return problem_set (problem, "the core must lie in [0, cutoff]");
    if (settings->radial2 < 1 || settings->radial2 > DESCRIPTOR_MAX_RADIAL2)
        return problem_set (problem, "radial2 must lie in 1 ... %d",
                            DESCRIPTOR_MAX_RADIAL2);
    if (settings->radial3 < 0 || settings->radial3 > DESCRIPTOR_MAX_RADIAL3)
        return problem_set (problem, "radial3 must lie in 0 ... %d",
                            DESCRIPTOR_MAX_RADIAL3);
    if (settings->rank < 0 || settings->rank > DESCRIPTOR_MAX_RANK)
        return problem_set (problem, "rank must lie in 0 ... %d",
                            DESCRIPTOR_MAX_RANK);
    return 0;
}

int descriptor_init (struct descriptor *descriptor,
                     const struct descriptor_settings *settings,
                     struct problem *problem)
{
    int pairs = settings->radial3 * (settings->radial3 + 1) / 2;

    if (settings_check (settings, problem) < 0)
        return -1;
    memset (descriptor, 0, sizeof *descriptor);
    descriptor->settings = *settings;
    for (int p = 0; p <= settings->rank; p++) {
        for (int a = p; a >= 0; a--) {
            for (int b = p - a; b >= 0; b--) {
                int k = descriptor->component_count++;

                component_init (&descriptor->components[k], a, b, p - a - b);
            }
        }
    }
    descriptor->feature_count =
        (size_t)(1 + settings->radial2 + pairs * (settings->rank + 1));
    return 0;
}

static void radial_terms (const struct descriptor_settings *settings,
                          struct bond_terms *terms)
{
    double rc = settings->cutoff_A;
    double angle = M_PI * terms->length / rc;
    double cut = 0.5 * (1 + cos (angle));
    double cut_slope = -0.5 * M_PI / rc * sin (angle);
    double x = 2 * terms->length / rc - 1, x_slope = 2 / rc;
    double now = 1, next = x, now_slope = 0, next_slope = 1;
    int count = settings->radial2 > settings->radial3 ? settings->radial2
                                                      : settings->radial3;

    for (int n = 0; n < count; n++) {
        double after = 2 * x * next - now;
        double after_slope = 2 * next + 2 * x * next_slope - now_slope;

        terms->radial[n] = now * cut;
        terms->radial_slope[n] = now_slope * x_slope * cut + now * cut_slope;
        now = next;
        next = after;
        now_slope = next_slope;
        next_slope = after_slope;
    }
}

static void bond_terms_set (const struct descriptor *descriptor,
                            struct bond *bond)
{
    struct bond_terms *terms = &bond->terms;
    const double *v = bond->vector;

    terms->length = sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3; axis++)
        terms->direction[axis] = v[axis] / terms->length;
    radial_terms (&descriptor->settings, terms);
    memset (terms->monomial, 0, sizeof terms->monomial);
    terms->monomial[0] = 1;
    for (int k = 1; k < descriptor->component_count; k++) {
        const struct component *c = &descriptor->components[k];

        terms->monomial[k] =
            terms->monomial[c->lower[c->axis]] * terms->direction[c->axis];
    }
}

/* Energy of the core and its derivative along the bond. */
static double core_energy (const struct descriptor_settings *settings,
                           double length, double *slope)
{
    double depth;

    *slope = 0;
    if (!(length < settings->core_A))
        return 0;
    depth = 1 - length / settings->core_A;
    *slope = -3 * core_strength_eV * depth * depth / settings->core_A;
    return core_strength_eV * depth * depth * depth;
}

/* sum += factor * row */
static void add_scaled (double *restrict sum, double factor,
                        const double *restrict row)
{
    for (int k = 0; k < DESCRIPTOR_PADDED_COMPONENTS; k++)
        sum[k] += factor * row[k];
}

/* Set the terms of every bond and sum them up. */
static void moments_sum (const struct descriptor *descriptor,
                         struct neighbourhood *around, struct moments *moments)
{
    memset (moments, 0, sizeof *moments);
    for (size_t j = 0; j < around->count; j++) {
        struct bond_terms *terms = &around->bonds[j].terms;

        bond_terms_set (descriptor, &around->bonds[j]);
        for (int n = 0; n < descriptor->settings.radial3; n++)
            add_scaled (moments->of[n], terms->radial[n], terms->monomial);
    }
}

/* The three-body energy, and its derivatives by every moment. */
static double three_body_energy (const struct descriptor *descriptor,
                                 const double *coefficients,
                                 const struct moments *moments,
                                 struct moments *slopes)
{
    int radial3 = descriptor->settings.radial3;
    const double *c = coefficients + 1 + descriptor->settings.radial2;
    double energy = 0;

    memset (slopes, 0, sizeof *slopes);
    for (int n = 0; n < radial3; n++) {
        for (int m = n; m < radial3; m++) {
            for (int k = 0; k < descriptor->component_count; k++) {
                const struct component *of = &descriptor->components[k];
                double weight = c[of->rank] * of->multiplicity;

                energy += weight * moments->of[n][k] * moments->of[m][k];
                slopes->of[n][k] += weight * moments->of[m][k];
                slopes->of[m][k] += weight * moments->of[n][k];
            }
            c += descriptor->settings.rank + 1;
        }
    }
    return energy;
}

/* The two-body energy of a bond and its derivative along the bond. */
static double two_body_energy (const struct descriptor *descriptor,
                               const double *coefficients,
                               const struct bond_terms *terms, double *slope)
{
    double energy = core_energy (&descriptor->settings, terms->length, slope);

    for (int n = 0; n < descriptor->settings.radial2; n++) {
        energy += coefficients[1 + n] * terms->radial[n];
        *slope += coefficients[1 + n] * terms->radial_slope[n];
    }
    return energy;
}

/* Add the derivative of the three-body energy by the bond's vector.  'along'
 * is what the two-body part already has in the direction u of the bond.  With
 * t = dE/du, a function f(r, u) has the gradient f_r u + (t - u (u.t)) / r.
 */
static void bond_gradient (const struct descriptor *descriptor,
                           const struct moments *slopes, double along,
                           struct bond *bond)
{
    const struct bond_terms *terms = &bond->terms;
    const double *u = terms->direction, *q = terms->monomial;
    double by_monomial[DESCRIPTOR_PADDED_COMPONENTS] = { 0 };
    double by_length[DESCRIPTOR_PADDED_COMPONENTS] = { 0 };
    double tx = 0, ty = 0, tz = 0; /* no array: it would live in memory */

    for (int n = 0; n < descriptor->settings.radial3; n++) {
        add_scaled (by_monomial, terms->radial[n], slopes->of[n]);
        add_scaled (by_length, terms->radial_slope[n], slopes->of[n]);
    }
    for (int k = 0; k < descriptor->component_count; k++) {
        const struct component *c = &descriptor->components[k];

        along += by_length[k] * q[k];
        tx += by_monomial[k] * c->power[0] * q[c->lower[0]];
        ty += by_monomial[k] * c->power[1] * q[c->lower[1]];
        tz += by_monomial[k] * c->power[2] * q[c->lower[2]];
    }
    along -= (tx * u[0] + ty * u[1] + tz * u[2]) / terms->length;
    bond->gradient[0] = along * u[0] + tx / terms->length;
    bond->gradient[1] = along * u[1] + ty / terms->length;
    bond->gradient[2] = along * u[2] + tz / terms->length;
}

double descriptor_energy (const struct descriptor *descriptor,
                          const double *coefficients,
                          struct neighbourhood *around)
{
    struct moments moments, slopes;
    double energy = coefficients[0];

    moments_sum (descriptor, around, &moments);
    energy += three_body_energy (descriptor, coefficients, &moments, &slopes);
    for (size_t j = 0; j < around->count; j++) {
        struct bond *bond = &around->bonds[j];
        double along;

        energy +=
            two_body_energy (descriptor, coefficients, &bond->terms, &along);
        bond_gradient (descriptor, &slopes, along, bond);
    }
    return energy;
}

/* d(moments)/d(vector's component 'axis') for one bond. */
static void moments_derivative (const struct descriptor *descriptor,
                                const struct bond_terms *terms, int axis,
                                struct moments *derivative)
{
    double u = terms->direction[axis];

    for (int k = 0; k < descriptor->component_count; k++) {
        const struct component *c = &descriptor->components[k];
        double q = terms->monomial[k];
        double q_slope =
            (c->power[axis] * terms->monomial[c->lower[axis]] - c->rank * q * u)
            / terms->length;

        for (int n = 0; n < descriptor->settings.radial3; n++)
            derivative->of[n][k] =
                terms->radial_slope[n] * q * u + terms->radial[n] * q_slope;
    }
}

/* scale * (L_n : R_m + R_n : L_m) of every pair n <= m and rank: with L = R
 * and one half the features, with L = dR and one their derivatives.
 */
static void pairs_contract (const struct descriptor *descriptor,
                            const struct moments *left,
                            const struct moments *right, double scale,
                            double *contracted)
{
    int radial3 = descriptor->settings.radial3;

    for (int n = 0; n < radial3; n++) {
        for (int m = n; m < radial3; m++) {
            for (int k = 0; k < descriptor->component_count; k++) {
                const struct component *c = &descriptor->components[k];

                contracted[c->rank] += scale * c->multiplicity
                                       * (left->of[n][k] * right->of[m][k]
                                          + right->of[n][k] * left->of[m][k]);
            }
            contracted += descriptor->settings.rank + 1;
        }
    }
}

/* Derivatives of all features by one component of one bond's vector. */
static void features_derivative (const struct descriptor *descriptor,
                                 const struct moments *moments,
                                 const struct bond_terms *terms, int axis,
                                 double *row)
{
    int radial2 = descriptor->settings.radial2;
    struct moments derivative;

    for (int n = 0; n < radial2; n++)
        row[1 + n] = terms->radial_slope[n] * terms->direction[axis];
    moments_derivative (descriptor, terms, axis, &derivative);
    pairs_contract (descriptor, &derivative, moments, 1, row + 1 + radial2);
}

double descriptor_features (const struct descriptor *descriptor,
                            struct neighbourhood *around, double *features,
                            double *gradients)
{
    size_t count = descriptor->feature_count;
    int radial2 = descriptor->settings.radial2;
    struct moments moments;
    double energy = 0;

    memset (features, 0, count * sizeof *features);
    memset (gradients, 0, 3 * around->count * count * sizeof *gradients);
    features[0] = 1;
    moments_sum (descriptor, around, &moments);
    pairs_contract (descriptor, &moments, &moments, 0.5,
                    features + 1 + radial2);
    for (size_t j = 0; j < around->count; j++) {
        struct bond *bond = &around->bonds[j];
        const struct bond_terms *terms = &bond->terms;
        double slope;

        energy += core_energy (&descriptor->settings, terms->length, &slope);
        for (int n = 0; n < radial2; n++)
            features[1 + n] += terms->radial[n];
        for (int axis = 0; axis < 3; axis++) {
            bond->gradient[axis] = slope * terms->direction[axis];
            features_derivative (descriptor, &moments, terms, axis,
                                 gradients + (3 * j + (size_t)axis) * count);
        }
    }
    return energy;
}
