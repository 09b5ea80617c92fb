/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_label_frame.c - labels are those of what was sent, or none */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/frame.h"
#include "operators/label/label_kit.h"

static const struct code code = { .name = "prog" };

static const struct label_kit kit = { .code = &code,
                                      .same_place_A = 1e-4,
                                      .for_forces = "set forces",
                                      .for_place = "let them be",
                                      .for_cell = "leave the box" };

/* Si O Si C O in a skewed cell, labelled. */
static void make_frame (struct frame *frame)
{
    static const char *const symbols[] = { "Si", "O", "Si", "C", "O" };
    static const double cell[9] = { 5, 0, 0, 1, 6, 0, -2, 0.5, 7 };

    *frame = (struct frame)FRAME_INIT;
    assert_int_equal (frame_resize (frame, 5, true, NULL), 0);
    memcpy (frame->cell, cell, sizeof (cell));
    for (size_t i = 0; i < 5; i++) {
        symbol_set (frame->symbols[i], symbols[i], strlen (symbols[i]));
        for (size_t k = 0; k < 3; k++) {
            frame->positions[3 * i + k] = (double)i + 0.1 * (double)k;
            frame->forces[3 * i + k] = 10 * (double)i + (double)k;
        }
    }
    for (int k = 0; k < 3; k++)
        frame->periodic[k] = true;
    frame->has_energy = true;
}

/* What is done to the labels of a frame that came back. */
static const struct {
    const char *what;
    size_t at;
    double by;
    const char *complaint; /* NULL: they are taken */
} cases[] = {
    { "nothing", 0, 0, NULL },
    { "position", 4, 9e-5, NULL },
    { "position", 4, 2e-4,
      "prog moved atom 2: it is at (1, 1.1002, 1.2), and was sent at (1, 1.1, "
      "1.2); let them be" },
    { "position", 0, NAN, "prog moved atom 1: it is at (nan, 0.1, 0.2)" },
    { "lattice", 2, 1, NULL },
    { "lattice", 1, -3, NULL },
    { "lattice", 1, 0.5, "prog moved atom 1" },
    { "cell", 3, 5e-5, NULL },
    { "cell", 3, 2e-3,
      "prog used another cell: b is (1.002, 6, 0), and (1, 6, 0) was sent; "
      "leave the box" },
    { "cell", 8, NAN, "prog used another cell: c is" },
    { "atoms", 4, 0, "prog computed 4 atoms, and 5 were sent" },
    { "order", 2, 0, "atom 3: prog computed 'C', and 'Si' was sent" },
    { "energy", 0, 0, "prog computed no energy" },
    { "no forces", 0, 0, "prog computed no forces; set forces" },
    { "force", 7, INFINITY, "prog computed a label that is no finite number" },
    { "virial", 3, NAN, "prog computed a label that is no finite number" },
};

static void change (struct frame *labels, const char *what, size_t at,
                    double by)
{
    if (strcmp (what, "position") == 0)
        labels->positions[at] += by;
    for (size_t k = 0; strcmp (what, "lattice") == 0 && k < 3; k++)
        labels->positions[k] += by * labels->cell[3 * at + k];
    if (strcmp (what, "cell") == 0)
        labels->cell[at] += by;
    if (strcmp (what, "atoms") == 0)
        labels->n_atoms = at;
    if (strcmp (what, "order") == 0)
        memcpy (labels->symbols[at], labels->symbols[at + 1], SYMBOL_SIZE);
    if (strcmp (what, "energy") == 0)
        labels->has_energy = false;
    if (strcmp (what, "force") == 0)
        labels->forces[at] = by;
    if (strcmp (what, "virial") == 0) {
        labels->has_virial = true;
        labels->virial[at] = by;
    }
    if (strcmp (what, "no forces") == 0) {
        free (labels->forces);
        labels->forces = NULL;
    }
}

static void test_compare (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame sent, labels;
        struct error err = ERROR_INIT;
        int rc;

        make_frame (&sent);
        make_frame (&labels);
        change (&labels, cases[i].what, cases[i].at, cases[i].by);
        rc = label_compare (&kit, &sent, &labels, &err);
        if (rc != (cases[i].complaint ? -1 : 0)
            || !strstr (err.text, cases[i].complaint ? cases[i].complaint : ""))
            fail_msg ("%s %zu: '%s'", cases[i].what, cases[i].at, err.text);
        frame_release (&sent);
        frame_release (&labels);
    }
}

/* A lattice vector counts where the frame does not repeat; a cell of few
 * decimals has its own tolerance, one that is not told none.
 */
static void test_what_kits_and_frames_say (void **state)
{
    struct label_kit other = kit;
    struct frame sent, labels;

    (void)state;
    make_frame (&sent);
    make_frame (&labels);
    sent.periodic[2] = false;
    change (&labels, "lattice", 2, 1);
    assert_int_equal (label_compare (&kit, &sent, &labels, NULL), -1);
    change (&labels, "lattice", 2, -1);
    change (&labels, "lattice", 1, 1);
    assert_int_equal (label_compare (&kit, &sent, &labels, NULL), 0);
    change (&labels, "cell", 0, 1e-3);
    assert_int_equal (label_compare (&kit, &sent, &labels, NULL), -1);
    other.same_cell_A = 2e-3;
    assert_int_equal (label_compare (&other, &sent, &labels, NULL), 0);
    memset (labels.cell, 0, sizeof (labels.cell));
    assert_int_equal (label_compare (&other, &sent, &labels, NULL), -1);
    other.same_cell_A = INFINITY;
    assert_int_equal (label_compare (&other, &sent, &labels, NULL), 0);
    frame_release (&sent);
    frame_release (&labels);
}

/* Sorted for the code, and put back. */
static void test_by_element (void **state)
{
    static const char *const together[] = { "Si", "Si", "O", "O", "C" };
    static const size_t places[] = { 0, 2, 1, 4, 3 };
    struct frame frame, sorted = FRAME_INIT, labels;
    size_t *order = NULL;

    (void)state;
    make_frame (&frame);
    make_frame (&labels);
    assert_int_equal (label_by_element (&frame, &sorted, &order, NULL), 0);
    assert_memory_equal (order, places, sizeof (places));
    assert_memory_equal (sorted.cell, frame.cell, sizeof (frame.cell));
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal (sorted.symbols[i], together[i]);
        assert_memory_equal (sorted.positions + 3 * i,
                             frame.positions + 3 * places[i],
                             3 * sizeof (double));
        labels.forces[3 * i] = 100 + (double)places[i];
    }
    labels.energy = -7;
    labels.has_virial = true;
    labels.virial[5] = 3;
    label_take (&frame, &labels, order);
    assert_null (labels.forces);
    for (size_t i = 0; i < 5; i++)
        assert_true (frame.forces[3 * i] == 100 + (double)i);
    assert_true (frame.energy == -7 && frame.has_virial
                 && frame.virial[5] == 3);
    free (order);
    frame_release (&frame);
    frame_release (&sorted);
    frame_release (&labels);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_compare),
        cmocka_unit_test (test_what_kits_and_frames_say),
        cmocka_unit_test (test_by_element),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
