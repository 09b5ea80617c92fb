/* SPDX-License-Identifier: BSD-3-Clause */
/* test_xtb_gradient.c - what xtb leaves, in our units, and how it ends */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "formats/frame.h"
#include "formats/lines.h"
#include "formats/xtb/xtb_gradient.h"
#include "operators/xtb/label.h"

static int parse (const char *text, size_t len, struct frame *frame,
                  struct error *err)
{
    bool converged = false;
    struct lines lines;
    int rc;

    lines_of_text (&lines, text, len, "x", 1);
    rc = xtb_gradient_read (&lines, frame, &converged, err);
    lines_close (&lines);
    assert_true (rc < 0 || converged);
    return rc;
}

static void test_water (void **state)
{
    const double hartree = 27.211386245988, bohr = 0.529177210903;
    struct strbuf text = STRBUF_INIT;
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    fixture_read ("xtb/water.gradient", &text);
    if (parse (text.buf, text.len, &frame, &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_equal (frame.n_atoms, 3);
    assert_string_equal (frame.symbols[0], "O");
    assert_string_equal (frame.symbols[2], "H");
    assert_true (fabs (frame.energy + 5.07023326668 * hartree) < 1e-9);
    assert_true (fabs (frame.positions[4] - 0.763) < 1e-9);
    assert_true (fabs (frame.forces[2] + 1.4190755633898e-2 * hartree / bohr)
                 < 1e-9);
    assert_true (!frame.has_virial && !frame.periodic[0]);
    frame_release (&frame);
    for (size_t len = 0; len < text.len - 1; len++)
        assert_int_equal (parse (text.buf, len, &frame, &err), -1);
    strbuf_release (&text);
}

#define HEAD "$grad\n  cycle = 1    SCF energy =    -1.5   |dE/dxyz| =  0.1\n"

static void test_malformed (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "", "x:0: the file ends before '$end'" },
        { HEAD "$end\n", "x: there are no coordinates of atoms" },
        { HEAD "0 0 0 H\n$end\n", "x: there are no forces" },
        { HEAD "0 0 0 H\n0 0 nan\n$end\n", "x:4: expected three finite" },
        { HEAD "0 0 0 H\n0 0 1\n0 0 0 H\n$end\n",
          "x:5: expected the gradient of an atom" },
        { HEAD HEAD, "x:4: another cycle" },
        { "$grad\n cycle = 1  energy = 1\n", "x:2: expected the energy" },
        { HEAD "cycle = 2 SCF energy = -1\n", "x:3: another cycle: a run" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = { .energy = 42 };
        struct error err = ERROR_INIT;

        assert_int_equal (
            parse (cases[i].text, strlen (cases[i].text), &frame, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        assert_true (frame.energy == 42);
    }
}

/* As xtb 6.5.1 prints them. */
static void test_endings (void **state)
{
    static const char head[] = "     |           x T B           |\n";
    static const struct {
        const char *printed;
        enum ending ending;
        const char *message;
    } cases[] = {
        { "[ERROR] Program stopped due to fatal error\n"
          "-3- Single point calculation terminated\n"
          "-2- xtb_calculator_singlepoint: Electronic structure method "
          "terminated\n"
          "-1- scf: Self consistent charge iterator did not converge\n",
          ENDING_UNCONVERGED, "SCF not converged" },
        { "[ERROR] Program stopped due to fatal error\n"
          "-2- reading geometry input 'a.xyz' failed\n"
          "-1- Error: Cannot map symbol to atomic number\n"
          " --> a.xyz:4:1-2\n",
          ENDING_MISTAKE,
          "-1- Error: Cannot map symbol to atomic number --> a.xyz:4:1-2" },
        { "nothing of note\n", ENDING_UNKNOWN, "" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf printed = STRBUF_INIT, message = STRBUF_INIT;

        strbuf_addf (&printed, "%s%s", head, cases[i].printed);
        assert_int_equal (code_judge (&xtb_code, printed.buf, true, &message),
                          cases[i].ending);
        assert_string_equal (message.buf, cases[i].message);
        strbuf_release (&printed);
        strbuf_release (&message);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_water),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_endings),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
