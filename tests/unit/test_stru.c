/* SPDX-License-Identifier: BSD-3-Clause */
/* test_stru.c - structures of ABACUS */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "formats/abacus/stru.h"
#include "formats/frame.h"

static const double bohr = 0.529177210903;

static void expect_near (double found, double expected, double tolerance)
{
    if (!(fabs (found - expected) <= tolerance))
        fail_msg ("expected %.12g, found %.12g", expected, found);
}

static struct json *json_of (const char *text)
{
    struct json *v = json_parse (text, strlen (text), "x", NULL);

    assert_non_null (v);
    return v;
}

static void make_frame (struct frame *frame)
{
    static const char *const symbols[] = { "Na", "Na", "Cl" };

    assert_int_equal (frame_resize (frame, 3, false, NULL), 0);
    for (size_t i = 0; i < 3; i++) {
        symbol_set (frame->symbols[i], symbols[i], 2);
        frame->cell[4 * i] = 5;
        frame->positions[3 * i] = 0.5 * (double)i;
    }
    frame->cell[6] = 0.25;
}

static void test_format (void **state)
{
    static const char expected[] =
        "ATOMIC_SPECIES\nNa 22.99 Na.upf\nCl 35.45 Cl.upf\n"
        "\nNUMERICAL_ORBITAL\nNa.orb\nCl.orb\n"
        "\nLATTICE_CONSTANT\n1.88972612462577\n"
        "\nLATTICE_VECTORS\n5.0 0.0 0.0\n0.0 5.0 0.0\n0.25 0.0 5.0\n"
        "\nATOMIC_POSITIONS\nCartesian\n"
        "\nNa\n0.5\n2\n0.0 0.0 0.0\n0.5 0.0 0.0\n"
        "\nCl\n0\n1\n1.0 0.0 0.0\n";
    struct json *files = json_of ("{\"Cl\": \"Cl.upf\", \"Na\": \"Na.upf\"}");
    struct json *orbitals =
        json_of ("{\"Cl\": \"Cl.orb\", \"Na\": \"Na.orb\"}");
    struct json *moments = json_of ("{\"Na\": 0.5}");
    struct stru_species species = { files, orbitals, moments };
    struct strbuf out = STRBUF_INIT;
    struct frame frame = FRAME_INIT, again = FRAME_INIT;

    (void)state;
    make_frame (&frame);
    assert_int_equal (stru_format (&frame, &species, &out, NULL), 0);
    assert_string_equal (out.buf, expected);
    assert_int_equal (stru_parse (out.buf, out.len, "x", &again, NULL), 0);
    assert_int_equal (again.n_atoms, 3);
    assert_string_equal (again.symbols[2], "Cl");
    expect_near (again.positions[6], 1, 1e-14);
    expect_near (again.cell[6], 0.25, 1e-14);
    frame_release (&frame);
    frame_release (&again);
    json_unref (files);
    json_unref (orbitals);
    json_unref (moments);
    strbuf_release (&out);
}

static void test_format_refused (void **state)
{
    struct json *some = json_of ("{\"Na\": \"Na.upf\"}");
    struct json *all = json_of ("{\"Na\": \"Na.upf\", \"Cl\": \"Cl.upf\"}");
    struct strbuf out = STRBUF_INIT;
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    make_frame (&frame);
    assert_int_equal (
        stru_format (&frame, &(struct stru_species){ .pseudopotentials = some },
                     &out, &err),
        -1);
    assert_string_equal (err.text, "there is no pseudopotential for 'Cl'; add "
                                   "it to pseudopotentials");
    assert_int_equal (stru_format (&frame,
                                   &(struct stru_species){ all, some, NULL },
                                   &out, &err),
                      -1);
    assert_string_equal (err.text,
                         "there is no orbital for 'Cl'; add it to orbitals");
    symbol_set (frame.symbols[2], "Xx", 2);
    assert_int_equal (
        stru_format (&frame, &(struct stru_species){ .pseudopotentials = all },
                     &out, &err),
        -1);
    assert_string_equal (err.text, "atom 3: 'Xx' is no element");
    assert_int_equal (out.len, 0);
    frame_release (&frame);
    json_unref (some);
    json_unref (all);
    strbuf_release (&out);
}

#define HEAD                                                                   \
    "ATOMIC_SPECIES\nNa 22.99 Na.upf upf201\n\n// a comment\n"                 \
    "LATTICE_CONSTANT\n10.0 # bohr\n\nLATTICE_VECTORS\n1 0 0\n0 2 0\n0 0 4\n"  \
    "\nATOMIC_POSITIONS\n"
#define ATOMS "\nNa1 #label\n0.0 #magnetism\n1 #number of atoms\n"

static void test_places (void **state)
{
    static const struct {
        const char *text;
        double z;
    } cases[] = {
        { HEAD "Direct\n" ATOMS "0 0 0.5 m 0 0 0 mag 1.0\n",
          20 * 0.529177210903 },
        { HEAD "Direct\n# of salt\n" ATOMS "0 0 0.5# the only one\n",
          20 * 0.529177210903 },
        { HEAD "Cartesian\n" ATOMS "0 0 0.5 1 1 1\n", 5 * 0.529177210903 },
        { HEAD "Cartesian_angstrom\n" ATOMS "0 0 0.5\n", 0.5 },
        { HEAD "Cartesian_au # x\n" ATOMS "0 0 0.5\n", 0.5 * 0.529177210903 },
        { HEAD "Cartesian_angstrom\n" ATOMS
               "0 0 0.5\n\nNUMERICAL_ORBITAL\nNa.orb\n",
          0.5 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = FRAME_INIT;
        struct error err = ERROR_INIT;

        if (stru_parse (cases[i].text, strlen (cases[i].text), "x", &frame,
                        &err)
            < 0)
            fail_msg ("%s", err.text);
        assert_string_equal (frame.symbols[0], "Na");
        expect_near (frame.cell[8], 40 * bohr, 1e-12);
        expect_near (frame.positions[2], cases[i].z, 1e-12);
        frame_release (&frame);
    }
}

static void test_malformed (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "", "x: expected LATTICE_CONSTANT, LATTICE_VECTORS and ATOMIC_POS" },
        { HEAD, "x:13: the file ends within ATOMIC_POSITIONS" },
        { HEAD "Direct\n", "x: expected LATTICE_CONSTANT" },
        { HEAD "Fractional\n", "x:14: positions are 'Fractional'; expected" },
        { HEAD "Direct\nNa\n", "x:15: the file ends within ATOMIC_POSITIONS" },
        { HEAD "Direct\n123\n", "x:15: expected the label of a species" },
        { HEAD "Direct\nNa\nx\n", "x:16: expected the magnetization of 'Na'" },
        { HEAD "Direct\nNa\n0\nx\n", "x:17: expected how many atoms 'Na' has" },
        { HEAD "Direct\nNa\n0\n-1\n", "x:17: expected how many atoms 'Na'" },
        { HEAD "Direct\nNa\n0\n2\n0 0 0\n", "x:18: the file ends within ATO" },
        { HEAD "Direct\nNa\n0\n9000000000000000000\n0 0 nan\n",
          "x:18: expected the place of atom 1 of 'Na', three finite numbers" },
        { "LATTICE_CONSTANT\n-1\n",
          "x:2: expected a lattice constant in bohr" },
        { "LATTICE_VECTORS\n1 0\n", "x:2: expected a lattice vector, three" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct frame frame = { .energy = 42 };
        struct error err = ERROR_INIT;

        if (stru_parse (cases[i].text, strlen (cases[i].text), "x", &frame,
                        &err)
            == 0)
            fail_msg ("case %zu: expected '%s'", i, cases[i].message);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        assert_true (frame.energy == 42);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_format),
        cmocka_unit_test (test_format_refused),
        cmocka_unit_test (test_places),
        cmocka_unit_test (test_malformed),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
