/* SPDX-License-Identifier: BSD-3-Clause */
/* test_qe_xml.c - what pw.x says in XML, in our units and with our signs */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "formats/frame.h"
#include "formats/qe/qe_xml.h"

static void expect_near (double found, double expected, double tolerance)
{
    if (!(fabs (found - expected) <= tolerance))
        fail_msg ("expected %.12g, found %.12g", expected, found);
}

/* Against what pw.x printed on its standard output for the same run. */
static void test_silicon (void **state)
{
    const double ry = 13.605693122994, bohr = 0.529177210903;
    const double kbar = 1 / 1602.176634; /* in eV/A^3 */
    struct strbuf text = STRBUF_INIT;
    struct frame frame = FRAME_INIT;
    bool converged = false;

    (void)state;
    fixture_read ("qe/si8.xml", &text);
    assert_int_equal (
        qe_xml_parse (text.buf, text.len, "x", &frame, &converged, NULL), 0);
    assert_true (converged && frame.has_energy && frame.has_virial);
    assert_int_equal (frame.n_atoms, 8);
    assert_string_equal (frame.symbols[7], "Si");
    expect_near (frame.energy, -62.46658364 * ry, 1e-6);
    expect_near (frame.cell[0], 5.431, 1e-8);
    assert_true (frame.cell[1] == 0 && frame.periodic[2]);
    expect_near (frame.positions[0], 0.05431, 1e-9);
    expect_near (frame.positions[8], 0.52 * 5.431, 1e-9);
    expect_near (frame.forces[0], -0.00930557 * ry / bohr, 1e-6);
    expect_near (frame.forces[21], -0.00703205 * ry / bohr, 1e-6);
    /* P = 34.24 kbar: compressed, so the virial is positive */
    expect_near ((frame.virial[0] + frame.virial[4] + frame.virial[8]) / 3,
                 34.24 * kbar * frame_volume (&frame), 1e-3);
    expect_near (frame.virial[1], 15.57 * kbar * frame_volume (&frame), 1e-3);
    frame_release (&frame);
    strbuf_release (&text);
}

static void test_unconverged (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct frame frame = FRAME_INIT;
    bool converged = true;

    (void)state;
    fixture_read ("qe/unconverged.xml", &text);
    assert_int_equal (
        qe_xml_parse (text.buf, text.len, "x", &frame, &converged, NULL), 0);
    assert_false (converged || frame.has_energy || frame.has_virial);
    assert_int_equal (frame.n_atoms, 8);
    assert_null (frame.forces);
    frame_release (&frame);
    strbuf_release (&text);
}

#define SCF(word)                                                              \
    "<convergence_info><scf_conv><convergence_achieved>" word                  \
    "</convergence_achieved></scf_conv></convergence_info>"
#define ATOM(attribute, numbers) "<atom " attribute ">" numbers "</atom>"
#define STRUCTURE(atoms)                                                       \
    "<atomic_structure><atomic_positions>" atoms "</atomic_positions><cell>"   \
    "<a1>1 0 0</a1><a2>0 2 0</a2><a3>0 0 4</a3></cell></atomic_structure>"
#define ENERGY "<total_energy><etot>-1</etot></total_energy>"
#define FORCES "<forces>1 2 3</forces>"
#define OUTPUT(inside)                                                         \
    "<qes:espresso><output>" inside "</output></qes:espresso>"
#define H_ATOM ATOM ("name='H'", "1 2 3")
#define GOOD SCF ("true") STRUCTURE (H_ATOM) ENERGY FORCES

static int parse (const char *text, struct frame *frame, struct error *err)
{
    bool converged;

    return qe_xml_parse (text, strlen (text), "x", frame, &converged, err);
}

/* Only <output> counts, wherever else the same tags are. */
static void test_only_output_counts (void **state)
{
    static const char text[] =
        "<?xml version='1.0'?>\n<q:e xmlns:q='u'><input>" STRUCTURE (ATOM (
            "name='O'", "9 9 9")) "</input><step>" ENERGY FORCES
                                  "</step><output><!-- x -->" GOOD
                                  "<stress>1 0 0 0 1 0 0 0 "
                                  "1\n</stress><else><forces>7</forces></else>"
                                  "</output></q:e>";
    const double hartree = 27.211386245988, bohr = 0.529177210903;
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    if (parse (text, &frame, &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_equal (frame.n_atoms, 1);
    assert_true (frame.energy == -hartree);
    assert_true (frame.positions[1] == 2 * bohr);
    expect_near (frame.forces[2], 3 * hartree / bohr, 1e-12);
    expect_near (frame.virial[8], 8 * hartree, 1e-12);
    frame_release (&frame);
}

/* The volume has no sign, whichever way the vectors of the cell turn. */
static void test_sheared_cells (void **state)
{
    static const char *const cells[] = {
        "<a1>2 0 0</a1><a2>1 3 0</a2><a3>0 -1 4</a3>",
        "<a1>1 3 0</a1><a2>2 0 0</a2><a3>0 -1 4</a3>", /* left-handed */
    };
    static const double stress[] = { 1, 2, 3, 2, 5, 6, 3, 6, -9 };
    const double hartree = 27.211386245988, bohr = 0.529177210903;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cells); i++) {
        struct strbuf text = STRBUF_INIT;
        struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;

        strbuf_addf (
            &text,
            OUTPUT (SCF ("true") "<atomic_structure><atomic_positions>" H_ATOM
                                 "</atomic_positions><cell>%s</cell>"
                                 "</atomic_structure>" ENERGY FORCES
                                 "<stress>1 2 3 2 5 6 3 6 -9</stress>"),
            cells[i]);
        if (parse (text.buf, &frame, &err) < 0)
            fail_msg ("%s", err.text);
        expect_near (frame.cell[7], -bohr, 1e-12);
        expect_near (frame.positions[2], 3 * bohr, 1e-12);
        for (int k = 0; k < 9; k++)
            expect_near (frame.virial[k], stress[k] * 24 * hartree, 1e-9);
        frame_release (&frame);
        strbuf_release (&text);
    }
}

static void test_no_stress (void **state)
{
    struct frame frame = FRAME_INIT;

    (void)state;
    assert_int_equal (parse (OUTPUT (GOOD), &frame, NULL), 0);
    assert_true (frame.has_energy && !frame.has_virial);
    frame_release (&frame);
}

static void test_malformed (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "", "x: the document has no end; let pw.x finish" },
        { "hello", "x: the document has no end" },
        { "<a></b>", "x:1: mismatched tag" },
        { "<a>\n</a>",
          "x: there are no coordinates of atoms, or not of all; let pw.x f" },
        { OUTPUT (SCF ("true") ENERGY FORCES), "x: there are no coordinates" },
        { OUTPUT (STRUCTURE (H_ATOM) ENERGY FORCES),
          "x: it does not say whether SCF converged" },
        { OUTPUT (SCF ("perhaps")),
          "x:1: convergence_achieved: expected true or false" },
        { OUTPUT (SCF ("true") STRUCTURE (H_ATOM) ENERGY),
          "x: there are no forces, or not on all atoms; set tprnfor" },
        { OUTPUT (SCF ("true") STRUCTURE (H_ATOM) FORCES),
          "x: there is no energy" },
        { OUTPUT (SCF ("true") STRUCTURE (H_ATOM) ENERGY ENERGY FORCES),
          "x: there is no energy, or not one alone" },
        { OUTPUT (GOOD "<stress>1 2 3</stress>"),
          "x: expected 9 numbers of the stress" },
        { OUTPUT (SCF ("true") STRUCTURE (ATOM ("name='H'", "1 2"))),
          "x:1: expected three finite numbers" },
        { OUTPUT (SCF ("true") STRUCTURE (ATOM ("name='H'", "1 2 x"))),
          "x:1: expected three finite numbers" },
        { OUTPUT (SCF ("true") STRUCTURE (ATOM ("name='H'", "1 2 NaN"))),
          "x:1: expected three finite numbers" },
        { OUTPUT (SCF ("true") STRUCTURE (ATOM ("n='H'", "1 2 3"))),
          "x:1: expected an atom with a name of at most 7 characters" },
        { OUTPUT (SCF ("true") STRUCTURE (ATOM ("name='12345678'", "1 2 3"))),
          "x:1: expected an atom with a name of at most 7 characters" },
        { "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
          "x:1: a document type is not expected here" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = { .energy = 42 };
        struct error err = ERROR_INIT;

        assert_int_equal (parse (cases[i].text, &frame, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        assert_true (frame.energy == 42);
    }
}

static void test_deep_nesting (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    for (int i = 0; i < 10000; i++)
        strbuf_add_str (&text, "<a>");
    assert_int_equal (parse (text.buf, &frame, &err), -1);
    assert_string_equal (err.text, "x:1: elements are nested too deeply");
    strbuf_release (&text);
}

static void test_cut_anywhere (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct frame frame = FRAME_INIT;
    bool converged;

    (void)state;
    fixture_read ("qe/si8.xml", &text);
    for (size_t len = 0; len < text.len - 1; len += 61)
        assert_int_equal (
            qe_xml_parse (text.buf, len, "x", &frame, &converged, NULL), -1);
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_silicon),
        cmocka_unit_test (test_unconverged),
        cmocka_unit_test (test_only_output_counts),
        cmocka_unit_test (test_sheared_cells),
        cmocka_unit_test (test_no_stress),
        cmocka_unit_test (test_malformed),
        cmocka_unit_test (test_deep_nesting),
        cmocka_unit_test (test_cut_anywhere),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
