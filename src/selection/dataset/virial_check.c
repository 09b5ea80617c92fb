/* SPDX-License-Identifier: BSD-3-Clause */
/* virial_check.c - do virials say how energies change when frames are strained?
 */
#include "base/base.h"

#include "formats/atomic_units.h"
#include "formats/frame.h"
#include "selection/dataset/like_frames.h"
#include "selection/dataset/virial_check.h"
#include "selection/geometry/geometry.h"

static const double strain_max = 0.05;
static const double turn_max = 1e-3; /* radian */
static const double change_min_ev = 1e-5;
static const double agreement = 0.2;    /* of the ratio from 1 */
static const double relation_min = 0.9; /* of the correlation */

const char *virial_meaning_text (enum virial_meaning meaning)
{
    static const char *const texts[VIRIAL_MEANINGS] = {
        [VIRIAL_TOTAL] = "a virial in eV",
        [VIRIAL_PER_ATOM] = "a virial of each atom, in eV",
        [STRESS_EV] = "a pressure tensor in eV/A^3",
        [STRESS_GPA] = "a pressure tensor in GPa",
        [STRESS_KBAR] = "a pressure tensor in kbar",
        [VIRIAL_HARTREE] = "a virial in hartree",
    };

    return texts[meaning];
}

/* What numbers of this meaning are multiplied with to be a virial in eV. */
static double factor_of (enum virial_meaning meaning, double n_atoms,
                         double volume)
{
    switch (meaning) {
    case VIRIAL_PER_ATOM:
        return n_atoms;
    case STRESS_EV:
        return volume;
    case STRESS_GPA:
        return volume * GPA_EV_A3;
    case STRESS_KBAR:
        return volume * KBAR_EV_A3;
    case VIRIAL_HARTREE:
        return HARTREE_EV;
    default:
        return 1;
    }
}

/* e = h^-1 h' - 1; false when it is no small strain. */
static bool strain_between (const double *from, const double *to,
                            double strain[9])
{
    double inverse[9], heights[3];

    if (!geometry_invert_cell (from, inverse, heights))
        return false;
    for (size_t k = 0; k < 3; k++) {
        for (size_t l = 0; l < 3; l++) {
            double sum = k == l ? -1 : 0;

            for (size_t i = 0; i < 3; i++) /* rows of 'inverse' are normals */
                sum += inverse[3 * i + k] * to[3 * i + l];
            strain[3 * k + l] = sum;
        }
    }
    for (size_t k = 0; k < 3; k++) {
        for (size_t l = 0; l < 3; l++) {
            if (!(fabs (strain[3 * k + l]) <= strain_max)
                || !(fabs (strain[3 * k + l] - strain[3 * l + k])
                     <= 2 * turn_max))
                return false;
        }
    }
    return true;
}

/* The change of the energy that the numbers mean. */
static double change_of (enum virial_meaning meaning,
                         const struct like_frame *a, const struct like_frame *b,
                         const double strain[9])
{
    double n_atoms = (double)a->n_atoms, change = 0;
    double factor_a =
        factor_of (meaning, n_atoms, fabs (cell_volume (a->cell)));
    double factor_b =
        factor_of (meaning, n_atoms, fabs (cell_volume (b->cell)));

    for (int i = 0; i < 9; i++)
        change -=
            (a->virial[i] * factor_a + b->virial[i] * factor_b) / 2 * strain[i];
    return change;
}

bool virial_check_add (struct virial_check *check, const struct like_frame *a,
                       const struct like_frame *b)
{
    double strain[9], change = b->energy - a->energy;
    double expected[VIRIAL_MEANINGS], most = fabs (change);

    if (!a->has_labels || !b->has_labels
        || !strain_between (a->cell, b->cell, strain))
        return false;
    for (int i = 0; i < VIRIAL_MEANINGS; i++)
        expected[i] = change_of (i, a, b, strain);
    most = fmax (most, fabs (expected[VIRIAL_TOTAL]));
    if (!(most > change_min_ev))
        return false;
    check->n_pairs++;
    check->energies += change * change;
    for (int i = 0; i < VIRIAL_MEANINGS; i++) {
        check->products[i] += change * expected[i];
        check->squares[i] += expected[i] * expected[i];
    }
    return true;
}

/* How much of the energies' changes each expected eV is. */
static double ratio_of (const struct virial_check *check,
                        enum virial_meaning meaning)
{
    return check->squares[meaning] > 0
               ? check->products[meaning] / check->squares[meaning]
               : 0;
}

static bool is_related (const struct virial_check *check,
                        enum virial_meaning meaning)
{
    double most = sqrt (check->squares[meaning] * check->energies);

    return most > 0 && fabs (check->products[meaning]) > relation_min * most;
}

struct virial_finding virial_check_judge (const struct virial_check *check)
{
    struct virial_finding finding = { .verdict = VIRIAL_UNKNOWN };
    double nearest = agreement;

    if (check->n_pairs == 0)
        return finding;
    finding.ratio = ratio_of (check, VIRIAL_TOTAL);
    finding.verdict = VIRIAL_UNRELATED;
    if (is_related (check, VIRIAL_TOTAL)
        && fabs (finding.ratio - 1) <= agreement) {
        finding.verdict = VIRIAL_AGREES;
        return finding;
    }
    for (int i = 0; i < VIRIAL_MEANINGS; i++) {
        double ratio = ratio_of (check, i);

        if (!is_related (check, i) || fabs (fabs (ratio) - 1) > nearest)
            continue;
        nearest = fabs (fabs (ratio) - 1);
        finding.verdict = VIRIAL_CONTRADICTS;
        finding.meaning = i;
        finding.negative = ratio < 0;
    }
    return finding;
}
