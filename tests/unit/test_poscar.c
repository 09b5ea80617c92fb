/* SPDX-License-Identifier: BSD-3-Clause */
/* test_poscar.c - VASP's structures in and out */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/frame.h"
#include "formats/vasp/poscar.h"
#include "formats/vasp/potcar.h"

#define CELL "2 0 0\n0 4 0\n0 0 8\n"
#define HEAD "a comment\n1.0\n" CELL
#define TWO "0 0 0\n.5 .25 .125\n"

static int parse (const char *text, struct frame *frame, struct error *err)
{
    return poscar_parse (text, strlen (text), "p", frame, err);
}

static void expect_near (double found, double expected)
{
    if (!(fabs (found - expected) <= 1e-12))
        fail_msg ("expected %.17g, found %.17g", expected, found);
}

/* All of these are the same two atoms, H at 0 and O at (1, 1, 1). */
static void test_ways_to_write_it (void **state)
{
    static const char *const texts[] = {
        HEAD "H O\n1 1\nDirect\n" TWO,
        HEAD "  H   O\n  1   1\ndirect\n" TWO,
        HEAD "H O\r\n1 1\r\nDirect\r\n0 0 0\r\n.5 .25 .125\r\n",
        HEAD "H_h O_s_GW\n1 1 ! counts\nDirect\n" TWO,
        HEAD "H/730573f9 O/0f72\n1 1\nDirect\n" TWO,
        HEAD "H O # elements\n1 1\nfractional\n" TWO,
        HEAD "H O\n1 1\nCartesian\n0 0 0\n1 1 1\n",
        HEAD "H O\n1 1\nKartesisch\n0 0 0 H1\n1 1 1 O1\n",
        HEAD
        "H O\n1 1\nSelective dynamics\nD\n0 0 0 T T F\n.5 .25 .125 F F F\n",
        HEAD "H O\n1 1\nselective\ncart\n0 0 0 T T F\n1 1 1 F F F\n",
        "H O\n1.0\n" CELL "1 1\nDirect\n" TWO, /* VASP 4 */
        "x\n2.0\n1 0 0\n0 2 0\n0 0 4\nH O\n1 1\nDirect\n" TWO,
        "x\n2.0\n1 0 0\n0 2 0\n0 0 4\nH O\n1 1\nC\n0 0 0\n.5 .5 .5\n",
        "x\n-64\n1 0 0\n0 2 0\n0 0 4\nH O\n1 1\nDirect\n" TWO,
        "x\n-64\n1 0 0\n0 2 0\n0 0 4\nH O\n1 1\nC\n0 0 0\n.5 .5 .5\n",
        "x\n2 4 8\n1 0 0\n0 1 0\n0 0 1\nH O\n1 1\nDirect\n" TWO,
        "x\n2 4 8\n1 0 0\n0 1 0\n0 0 1\nH O\n1 1\nC\n0 0 0\n.5 .25 .125\n",
        HEAD "H O\n1 1\nDirect\n" TWO "\n 0.1 0.2 0.3\n 0 0 0\n\nwhatever\n",
        HEAD "H N O\n1 0 1\nDirect\n" TWO,
    };
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        if (parse (texts[i], &frame, &err) < 0)
            fail_msg ("%zu: %s", i, err.text);
        assert_int_equal (frame.n_atoms, 2);
        assert_string_equal (frame.symbols[0], "H");
        assert_string_equal (frame.symbols[1], "O");
        for (int k = 0; k < 3; k++) {
            expect_near (frame.positions[k], 0);
            expect_near (frame.positions[3 + k], 1);
            expect_near (frame.cell[4 * k], 2 << k);
        }
        assert_true (frame.periodic[0] && frame.periodic[1]
                     && frame.periodic[2]);
        assert_null (frame.forces);
    }
    frame_release (&frame);
}

#define HALVES "D\n.5 .5 .5"
#define THERE "C\n.75 .625 .5"
#define ROWS "1 0 0\n.5 1 0\n0 .25 1"
#define LEFT_HANDED ".5 1 0\n1 0 0\n0 .25 1"

static const struct {
    const char *cell;
    const char *places[2]; /* of the same atom */
    double expected[9], position[3];
} sheared[] = {
    { "2\n" ROWS,
      { HALVES, THERE },
      { 2, 0, 0, 1, 2, 0, 0, .5, 2 },
      { 1.5, 1.25, 1 } },
    { "-8\n" ROWS,
      { HALVES, THERE },
      { 2, 0, 0, 1, 2, 0, 0, .5, 2 },
      { 1.5, 1.25, 1 } },
    { "-8\n" LEFT_HANDED,
      { HALVES, THERE },
      { 1, 2, 0, 2, 0, 0, 0, .5, 2 },
      { 1.5, 1.25, 1 } },
    /* three scales are those of x, y and z, not of the vectors */
    { "2 4 8\n" ROWS,
      { HALVES, THERE },
      { 2, 0, 0, 1, 4, 0, 0, 1, 8 },
      { 1.5, 2.5, 4 } },
    { "2 4 8\n" LEFT_HANDED,
      { HALVES, THERE },
      { 1, 4, 0, 2, 0, 0, 0, 1, 8 },
      { 1.5, 2.5, 4 } },
};

/* Cell vectors are rows. */
static void test_triclinic (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (sheared); i++) {
        for (size_t p = 0; p < ARRAY_SIZE (sheared[i].places); p++) {
            struct strbuf text = STRBUF_INIT;
            struct frame frame = FRAME_INIT;
            struct error err = ERROR_INIT;

            strbuf_addf (&text, "x\n%s\nSi\n1\n%s\n", sheared[i].cell,
                         sheared[i].places[p]);
            if (parse (text.buf, &frame, &err) < 0)
                fail_msg ("%s: %s", text.buf, err.text);
            for (int k = 0; k < 9; k++)
                expect_near (frame.cell[k], sheared[i].expected[k]);
            for (int k = 0; k < 3; k++)
                expect_near (frame.positions[k], sheared[i].position[k]);
            frame_release (&frame);
            strbuf_release (&text);
        }
    }
}

static void test_refused (void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        { "", "p:0: the file ends where a POSCAR should be" },
        { "x\n", "p:1: the file ends where the scale should be" },
        { "x\none\n", "p:2: expected one scale or three" },
        { "x\n1 2\n", "p:2: expected one scale or three" },
        { "x\n0\n", "p:2: expected a scale" },
        { "x\nnan\n", "p:2: expected a scale" },
        { "x\n1 -1 1\n", "p:2: expected positive scales" },
        { "x\n1\n1 0 0\n0 1\n", "p:4: expected three numbers" },
        { "x\n1\n1 0 0\n0 1 0\n1 1 0\n", "p:5: the cell has no volume" },
        { "x\n1e200\n" CELL, "p:5: the scaled cell has no volume" },
        { HEAD "1 1\nDirect\n" TWO, "p:6: no elements are named" },
        { HEAD "-1 1\n", "p:6: expected elements" },
        { HEAD "Qq O\n1 1\n", "p:6: expected elements" },
        { HEAD "H\n1 1\nDirect\n" TWO,
          "p:7: 1 elements are named, but 2 numbers" },
        { HEAD "H O\nx\n", "p:7: expected how many" },
        { HEAD "H O\n0 0\n", "p:7: there are no atoms" },
        { HEAD "H\n1000000000000\n", "p:7: the file is too short" },
        { HEAD "H O\n9223372036854775807 9223372036854775807\n",
          "p:7: the file is too short" },
        { HEAD "H O\n1 1\nDirect\n0 0 0\n", "p:9: the file ends" },
        { HEAD "H O\n1 1\nDirect\n0 0 0\n \n   \n", "p:10: expected three" },
        { HEAD "H O\n1 1\nDirect\n0 0 inf\n" TWO, "p:9: expected three" },
        { "x\n1e100\n" CELL "H\n1\nC\n1e300 0 0\n", "p:9: the position is" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (parse (cases[i].text, &frame, &err), -1);
        if (strncmp (err.text, cases[i].says, strlen (cases[i].says)) != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].says, err.text);
        assert_int_equal (frame.n_atoms, 0);
    }
}

/* VASP wants the atoms of an element together. */
static void test_written (void **state)
{
    static const char *const symbols[] = { "O", "H", "O", "H", "Si" };
    static const size_t order[] = { 0, 2, 1, 3, 4 };
    struct frame frame = FRAME_INIT, again = FRAME_INIT;
    struct strbuf text = STRBUF_INIT;
    size_t found[5];

    (void)state;
    assert_int_equal (frame_resize (&frame, 5, false, NULL), 0);
    for (size_t i = 0; i < 5; i++) {
        symbol_set (frame.symbols[i], symbols[i], strlen (symbols[i]));
        frame.positions[3 * i] = 0.1 * (double)i + 1e-17;
        frame.positions[3 * i + 2] = 1.0 / 3 * (double)i;
    }
    for (int i = 0; i < 9; i++)
        frame.cell[i] = i % 4 == 0 ? 10.0 / 3 : -0.1 * i;
    frame_order_by_element (&frame, found);
    assert_memory_equal (found, order, sizeof (order));
    poscar_format (&frame, &text);
    assert_non_null (strstr (text.buf, "\n O H Si\n 2 2 1\nCartesian\n"));
    assert_int_equal (parse (text.buf, &again, NULL), 0);
    assert_memory_equal (again.cell, frame.cell, sizeof (frame.cell));
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal (again.symbols[i], symbols[order[i]]);
        assert_memory_equal (again.positions + 3 * i,
                             frame.positions + 3 * order[i],
                             3 * sizeof (double));
    }
    strbuf_release (&text);
    frame_release (&frame);
    frame_release (&again);
}

static void test_names_of_potentials (void **state)
{
    static const struct {
        const char *title;
        const char *element; /* NULL: none */
    } cases[] = {
        { "PAW_PBE Sn_d 06Sep2000", "Sn" },
        { "  PAW_PBE  C  ", "C" },
        { "PAW_PBE H1.25 07Sep2000", "H" },
        { "PAW_GGA H.5 x", "H" },
        { "US Al", "Al" },
        { "PAW Si_sv_GW 1", "Si" },
        { "PAW_PBE Xx 1", NULL },
        { "PAW_PBE", NULL },
        { "", NULL },
        { "PAW_PBE silicon 1", NULL },
        { "PAW_PBE Silicon 1", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char symbol[SYMBOL_SIZE] = "none";
        const char *title = cases[i].title;
        int rc = potcar_title_element (symbol, title, strlen (title));

        assert_int_equal (rc, cases[i].element ? 0 : -1);
        assert_string_equal (symbol,
                             cases[i].element ? cases[i].element : "none");
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_ways_to_write_it),
        cmocka_unit_test (test_triclinic),
        cmocka_unit_test (test_refused),
        cmocka_unit_test (test_written),
        cmocka_unit_test (test_names_of_potentials),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
