/* SPDX-License-Identifier: BSD-3-Clause */
/* test_virial_check.c - virials against energies of strained frames, of a
 * potential whose virial is known: pairs of v = 4 (r^-12 - r^-6) eV in a cell
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/frame.h"
#include "selection/dataset/like_frames.h"
#include "selection/dataset/virial_check.h"

enum { ATOMS = 4, IMAGES = 2 };

/* W = - dE/d strain = - sum over pairs of v'(r) r_k r_l / r */
static void add_pair (const double apart[3], double half, struct frame *frame)
{
    double r2 = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
    double r6 = 1 / (r2 * r2 * r2), slope;

    if (r2 == 0)
        return;
    frame->energy += half * 4 * (r6 * r6 - r6);
    slope = 4 * (-12 * r6 * r6 + 6 * r6) / r2; /* v' / r */
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++)
            frame->virial[3 * k + l] -= half * slope * apart[k] * apart[l];
    }
}

static void add_images (size_t a, size_t b, struct frame *frame)
{
    const double *from = frame->positions + 3 * a,
                 *to = frame->positions + 3 * b;
    const double *cell = frame->cell;

    for (int i = -IMAGES; i <= IMAGES; i++) {
        for (int j = -IMAGES; j <= IMAGES; j++) {
            for (int m = -IMAGES; m <= IMAGES; m++) {
                double apart[3];

                for (int k = 0; k < 3; k++)
                    apart[k] = to[k] - from[k] + i * cell[k] + j * cell[3 + k]
                               + m * cell[6 + k];
                add_pair (apart, 0.5, frame);
            }
        }
    }
}

/* Some atoms in the cell (1 + strain) h, with their labels. */
static void make_frame (const double strain[9], struct frame *frame)
{
    static const double h[9] = { 2.4, 0, 0, 0.2, 2.5, 0, 0.1, 0.3, 2.6 };
    static const double s[ATOMS][3] = { { 0.02, 0, 0.01 },
                                        { 0.5, 0.52, 0.03 },
                                        { 0.48, 0.01, 0.5 },
                                        { 0, 0.5, 0.53 } };

    assert_int_equal (frame_resize (frame, ATOMS, false, NULL), 0);
    for (int i = 0; i < 3; i++) {
        frame->periodic[i] = true;
        for (int l = 0; l < 3; l++) {
            frame->cell[3 * i + l] = h[3 * i + l];
            for (int k = 0; k < 3; k++)
                frame->cell[3 * i + l] += h[3 * i + k] * strain[3 * k + l];
        }
    }
    for (size_t a = 0; a < ATOMS; a++) {
        strcpy (frame->symbols[a], "Ar");
        for (int l = 0; l < 3; l++)
            frame->positions[3 * a + l] = s[a][0] * frame->cell[l]
                                          + s[a][1] * frame->cell[3 + l]
                                          + s[a][2] * frame->cell[6 + l];
    }
    for (size_t a = 0; a < ATOMS; a++) {
        for (size_t b = 0; b < ATOMS; b++)
            add_images (a, b, frame);
    }
    frame->has_energy = frame->has_virial = true;
}

static const double strains[][9] = {
    { 0 },
    { 0.01, 0, 0, 0, 0, 0, 0, 0, 0 },
    { 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 },
    { 0, 0.008, 0, 0.008, 0, 0, 0, 0, 0 },
    { -0.01, 0, 0.004, 0, 0.006, 0, 0.004, 0, 0 },
};

struct visits {
    struct virial_check check;
    size_t n_same;
    size_t n_strained;
};

static void note_same (const struct like_frame *first,
                       const struct like_frame *again, void *arg)
{
    assert_true (first->mark.number < again->mark.number);
    ((struct visits *)arg)->n_same++;
}

static void note_strained (const struct like_frame *a,
                           const struct like_frame *b, void *arg)
{
    struct visits *visits = arg;

    visits->n_strained++;
    virial_check_add (&visits->check, a, b);
}

/* Numbers that are written where the virial should be. */
static void spoil (struct frame *frame, enum virial_meaning meaning,
                   double sign)
{
    const double factor[VIRIAL_MEANINGS] = {
        [VIRIAL_TOTAL] = 1,
        [VIRIAL_PER_ATOM] = 1.0 / ATOMS,
        [STRESS_EV] = 1 / frame_volume (frame),
        [STRESS_GPA] = 160.2176634 / frame_volume (frame),
        [STRESS_KBAR] = 1602.176634 / frame_volume (frame),
        [VIRIAL_HARTREE] = 1 / 27.211386245988,
    };

    for (int i = 0; i < 9; i++)
        frame->virial[i] *= sign * factor[meaning];
}

static struct visits look (enum virial_meaning meaning, double sign)
{
    struct like_frames frames = LIKE_FRAMES_INIT;
    struct visits visits = { .check = VIRIAL_CHECK_INIT };

    for (size_t i = 0; i < ARRAY_SIZE (strains); i++) {
        struct frame frame = FRAME_INIT;

        make_frame (strains[i], &frame);
        spoil (&frame, meaning, sign);
        like_frames_add (&frames, &frame, (struct frame_mark){ 0, i });
        frame_release (&frame);
    }
    like_frames_each (&frames, note_same, note_strained, &visits);
    like_frames_release (&frames);
    return visits;
}

static void test_right (void **state)
{
    struct visits visits = look (VIRIAL_TOTAL, 1);
    struct virial_finding finding = virial_check_judge (&visits.check);

    (void)state;
    assert_int_equal (visits.n_same, 0);
    assert_int_equal (visits.n_strained, 10); /* of five, each two */
    assert_int_equal (visits.check.n_pairs, 10);
    assert_int_equal (finding.verdict, VIRIAL_AGREES);
    assert_true (fabs (finding.ratio - 1) < 1e-2);
}

static void test_wrong (void **state)
{
    (void)state;
    for (int meaning = 0; meaning < VIRIAL_MEANINGS; meaning++) {
        for (double sign = 1; sign >= -1; sign -= 2) {
            struct visits visits = look (meaning, sign);
            struct virial_finding finding = virial_check_judge (&visits.check);

            if (meaning == VIRIAL_TOTAL && sign > 0)
                continue;
            assert_int_equal (finding.verdict, VIRIAL_CONTRADICTS);
            assert_int_equal (finding.meaning, meaning);
            assert_int_equal (finding.negative, sign < 0);
        }
    }
}

/* Numbers that are no virials, and no numbers at all. */
static void test_unrelated (void **state)
{
    struct virial_check check = VIRIAL_CHECK_INIT;
    struct like_frame a = { .n_atoms = 1, .has_labels = true }, b;

    (void)state;
    assert_int_equal (virial_check_judge (&check).verdict, VIRIAL_UNKNOWN);
    for (int i = 0; i < 3; i++)
        a.cell[4 * i] = 3;
    b = a;
    b.cell[0] = 3.03;
    b.energy = 0.5; /* without any virial */
    assert_true (virial_check_add (&check, &a, &b));
    assert_int_equal (virial_check_judge (&check).verdict, VIRIAL_UNRELATED);
    b.cell[0] = 4; /* too much */
    assert_false (virial_check_add (&check, &a, &b));
    b.cell[0] = 3;
    b.cell[1] = 0.03; /* half of it turns the cell */
    assert_false (virial_check_add (&check, &a, &b));
    b.cell[1] = 0;
    b.has_labels = false;
    assert_false (virial_check_add (&check, &a, &b));
    assert_int_equal (check.n_pairs, 1);
}

/* The same frame shifted, put back into its cell, and another order of atoms.
 */
static void test_same (void **state)
{
    struct like_frames frames = LIKE_FRAMES_INIT;
    struct visits visits = { .check = VIRIAL_CHECK_INIT };
    struct frame frame = FRAME_INIT;

    (void)state;
    make_frame (strains[0], &frame);
    like_frames_add (&frames, &frame, (struct frame_mark){ 0, 0 });
    for (size_t i = 0; i < 3 * ATOMS; i++)
        frame.positions[i] += 0.75;
    like_frames_add (&frames, &frame, (struct frame_mark){ 0, 1 });
    for (size_t i = 0; i < 3; i++)
        frame.positions[3 + i] -= frame.cell[3 + i];
    like_frames_add (&frames, &frame, (struct frame_mark){ 0, 2 });
    frame.positions[4] += 0.01;
    like_frames_add (&frames, &frame, (struct frame_mark){ 0, 3 });
    for (size_t i = 0; i < 3; i++) {
        double swapped = frame.positions[3 + i];

        frame.positions[3 + i] = frame.positions[6 + i];
        frame.positions[6 + i] = swapped;
    }
    like_frames_add (&frames, &frame, (struct frame_mark){ 0, 4 });
    frame.positions[0] = NAN;
    like_frames_add (&frames, &frame, (struct frame_mark){ 0, 5 });
    assert_int_equal (frames.n, 5);
    like_frames_each (&frames, note_same, note_strained, &visits);
    assert_int_equal (visits.n_same, 2);
    assert_int_equal (visits.n_strained, 0);
    like_frames_release (&frames);
    frame_release (&frame);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_right),
        cmocka_unit_test (test_wrong),
        cmocka_unit_test (test_unrelated),
        cmocka_unit_test (test_same),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
