/* SPDX-License-Identifier: BSD-3-Clause */
/* test_vasp_results.c - what VASP says in OUTCAR and in vasprun.xml */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "formats/frame.h"
#include "formats/lines.h"
#include "formats/vasp/outcar.h"
#include "formats/vasp/vasprun.h"

enum { MAX_FRAMES = 8 };

/* What a text was read as. */
struct reading {
    struct frame frames[MAX_FRAMES];
    size_t n;
    size_t unconverged, unlabelled, predicted;
    bool truncated;
    int rc;
    struct error err;
};

static void reading_release (struct reading *reading)
{
    for (size_t i = 0; i < MAX_FRAMES; i++)
        frame_release (&reading->frames[i]);
}

static void read_outcar (const char *text, size_t len, struct reading *reading)
{
    struct outcar outcar = OUTCAR_INIT;
    struct lines lines;

    *reading = (struct reading){ .err = ERROR_INIT };
    lines_of_text (&lines, text, len, "O", 1);
    while ((reading->rc =
                outcar_next (&outcar, &lines, &reading->frames[reading->n],
                             &reading->truncated, &reading->err))
           == 1)
        reading->n++;
    reading->unconverged = outcar.n_unconverged;
    reading->unlabelled = outcar.n_unlabelled;
    outcar_release (&outcar);
    lines_close (&lines);
}

static void read_xml (const char *text, size_t len, struct reading *reading)
{
    struct vasprun *run = vasprun_of_text (text, len, "X");
    struct vasprun_left_out left_out;

    *reading = (struct reading){ .err = ERROR_INIT };
    while ((reading->rc = vasprun_next (run, &reading->frames[reading->n],
                                        &reading->truncated, &reading->err))
           == 1)
        reading->n++;
    left_out = vasprun_left_out (run);
    reading->unconverged = left_out.unconverged;
    reading->unlabelled = left_out.unlabelled;
    reading->predicted = left_out.predicted;
    vasprun_close (run);
}

/* Put 'to' in the place of every 'from' of the text; there must be one. */
static void edit (struct strbuf *text, const char *from, const char *to)
{
    struct strbuf edited = STRBUF_INIT;
    const char *at = text->buf, *found;

    assert_non_null (strstr (at, from));
    for (; (found = strstr (at, from)); at = found + strlen (from)) {
        strbuf_add (&edited, at, (size_t)(found - at));
        strbuf_add_str (&edited, to);
    }
    strbuf_add_str (&edited, at);
    strbuf_release (text);
    *text = edited;
}

struct edit {
    const char *from;
    const char *to;
};

static void read_edited (const char *fixture, const struct edit *edits,
                         struct reading *reading)
{
    struct strbuf text = STRBUF_INIT;

    fixture_read (fixture, &text);
    for (; edits && edits->from; edits++)
        edit (&text, edits->from, edits->to);
    if (strstr (fixture, "xml"))
        read_xml (text.buf, text.len, reading);
    else
        read_outcar (text.buf, text.len, reading);
    strbuf_release (&text);
}

#define EDITS(...) ((const struct edit[]){ __VA_ARGS__, { NULL, NULL } })

static const char *const fixtures[] = { "vasp/md.OUTCAR", "vasp/md.xml" };

static void expect_near (double found, double expected, double tolerance)
{
    if (!(fabs (found - expected) <= tolerance))
        fail_msg ("expected %.12g, found %.12g", expected, found);
}

static void expect_frames (const struct reading *reading, size_t n)
{
    if (reading->rc < 0)
        fail_msg ("%s", reading->err.text);
    assert_int_equal (reading->n, n);
}

/* Numbers that stand in md.OUTCAR. */
static void test_what_it_says (void **state)
{
    static const char *const symbols[] = { "Si", "Si", "Si", "O", "O" };

    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE (fixtures); k++) {
        struct reading reading;
        const struct frame *frame = &reading.frames[0];
        double volume, unit;

        read_edited (fixtures[k], NULL, &reading);
        expect_frames (&reading, 3);
        assert_false (reading.truncated);
        assert_int_equal (frame->n_atoms, 5);
        for (size_t i = 0; i < 5; i++)
            assert_string_equal (frame->symbols[i], symbols[i]);
        assert_true (frame->has_energy && frame->periodic[1]);
        expect_near (frame->energy, 0.78321275, 0);
        expect_near (reading.frames[2].energy, -0.05561863, 1e-8);
        expect_near (frame->cell[3], 0.2, 1e-9);
        expect_near (frame->cell[8], 5.3, 1e-9);
        expect_near (frame->positions[3], 2.515, 1e-5);
        expect_near (frame->positions[14], 1.378, 1e-5);
        expect_near (frame->forces[0], -0.658940, 5.1e-7);
        /* the row "Total" is the virial in eV: XX YY ZZ XY YZ ZX */
        assert_true (frame->has_virial);
        expect_near (frame->virial[0], 6.81381, 6e-6);
        expect_near (frame->virial[4], 4.35172, 6e-6);
        expect_near (frame->virial[1], -3.15724, 6e-6);
        expect_near (frame->virial[5], -1.80475, 6e-6);
        expect_near (frame->virial[6], 3.69688, 6e-6);
        expect_near (frame->virial[2], frame->virial[6], 1e-9);
        /* and "in kB" its pressure, positive under compression */
        volume = frame_volume (frame);
        unit = volume / 1602.1766208;
        expect_near (frame->virial[0] / unit, 82.42488, 1e-3);
        reading_release (&reading);
    }
}

/* The virial has the sign of the stress, whichever way the cell turns. */
static void test_left_handed (void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE (fixtures); k++) {
        struct reading right, left;

        read_edited (fixtures[k], NULL, &right);
        read_edited (fixtures[k], EDITS ({ "  5.30000000", " -5.30000000" }),
                     &left);
        expect_frames (&right, 3);
        expect_frames (&left, 3);
        assert_true (left.frames[0].cell[8] < 0);
        for (int i = 0; i < 9; i++)
            expect_near (left.frames[2].virial[i], right.frames[2].virial[i],
                         1e-9);
        reading_release (&right);
        reading_release (&left);
    }
}

/* Both files hold the same, as far as OUTCAR has digits. */
static void test_both_agree (void **state)
{
    struct reading text, xml;

    (void)state;
    read_edited (fixtures[0], NULL, &text);
    read_edited (fixtures[1], NULL, &xml);
    expect_frames (&text, 3);
    expect_frames (&xml, 3);
    for (size_t k = 0; k < 3; k++) {
        const struct frame *a = &text.frames[k], *b = &xml.frames[k];

        expect_near (a->energy, b->energy, 0);
        for (int i = 0; i < 9; i++) {
            expect_near (a->cell[i], b->cell[i], 1e-8);
            expect_near (a->virial[i], b->virial[i], 1e-6);
        }
        for (size_t i = 0; i < 15; i++) {
            expect_near (a->positions[i], b->positions[i], 6e-6);
            expect_near (a->forces[i], b->forces[i], 6e-7);
        }
    }
    reading_release (&text);
    reading_release (&xml);
}

/* As many steps as NELM are too many, whatever VASP 5 says of EDIFF. */
static void test_unconverged (void **state)
{
    const struct {
        const char *fixture;
        const struct edit *edits;
        size_t n_frames;
    } cases[] = {
        { "vasp/md.OUTCAR", EDITS ({ "NELM   =     12;", "NELM   =      6;" }),
          0 },
        { "vasp/md.OUTCAR", EDITS ({ "NELM   =     12;", "NELM   =      7;" }),
          3 },
        { "vasp/md.OUTCAR",
          EDITS ({ "Iteration      2(   6)", "Iteration      2(  12)" }), 2 },
        { "vasp/md.OUTCAR",
          EDITS ({ "aborting loop because EDIFF is reached",
                   "aborting loop EDIFF was not reached (unconverged)" }),
          0 },
        { "vasp/md.OUTCAR",
          EDITS ({ "aborting loop because EDIFF is reached",
                   "aborting loop because hard stop was set" }),
          0 },
        { "vasp/md.xml",
          EDITS ({ "name=\"NELM\">    12<", "name=\"NELM\">     6<" }), 0 },
        { "vasp/md.xml",
          EDITS ({ "name=\"NELM\">    12<", "name=\"NELM\">     7<" }), 3 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct reading reading;

        read_edited (cases[i].fixture, cases[i].edits, &reading);
        expect_frames (&reading, cases[i].n_frames);
        assert_int_equal (reading.unconverged, 3 - cases[i].n_frames);
        reading_release (&reading);
    }
}

/* What versions and settings print differently. */
static void test_ways_to_print_it (void **state)
{
    const struct {
        const char *fixture;
        const struct edit *edits;
    } cases[] = {
        /* NWRITE < 2: no TITEL */
        { "vasp/md.OUTCAR", EDITS ({ "TITEL", "-----" }) },
        /* once in the list, and not as they are read */
        { "vasp/md.OUTCAR",
          EDITS ({ "TITEL", "-----" },
                 { " INCAR:\n POTCAR:    PAW_PBE Si_made 01Jan2024           \n"
                   " POTCAR:    PAW_PBE O 01Jan2024                 \n",
                   " INCAR:\n" }) },
        /* INCAR as VASP 6 repeats it */
        { "vasp/md.OUTCAR", EDITS ({ " INCAR:\n", " INCAR:\n  NELM = 6\n" }) },
        { "vasp/md.OUTCAR", EDITS ({ "\n", "\r\n" }) },
        { "vasp/md.OUTCAR",
          EDITS ({ "0.78321275 eV\n", "0.78321275 eV  w/o vdW =  0.2 eV\n" }) },
        { "vasp/md.xml",
          EDITS ({ "</calculation>", "<dos><i name='e_fr_energy'>*</i></dos>"
                                     "</calculation>" }) },
        { "vasp/md.xml", EDITS ({ "<c>Si</c>", "<c>Si_pv</c>" }) },
        { "vasp/md.xml", EDITS ({ "</modeling>\n", "</modeling>" }) },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct reading reading;

        read_edited (cases[i].fixture, cases[i].edits, &reading);
        expect_frames (&reading, 3);
        assert_false (reading.truncated);
        assert_string_equal (reading.frames[2].symbols[2], "Si");
        assert_string_equal (reading.frames[2].symbols[3], "O");
        expect_near (reading.frames[0].energy, 0.78321275, 0);
        reading_release (&reading);
    }
}

/* Columns of fixed width need no space between them. */
static void test_columns_that_touch (void **state)
{
    struct reading reading;

    (void)state;
    read_edited ("vasp/md.OUTCAR",
                 EDITS ({ "5.100000000  0.000000000  0.000000000",
                          "5.100000000-10.000000000100.000000000" },
                        { "      0.44100", "-123456.44100" }),
                 &reading);
    expect_frames (&reading, 3);
    expect_near (reading.frames[0].cell[0], 5.1, 0);
    expect_near (reading.frames[0].cell[1], -10, 0);
    expect_near (reading.frames[0].cell[2], 100, 0);
    expect_near (reading.frames[0].positions[4], -123456.441, 0);
    reading_release (&reading);
}

/* The parser would keep all of it. */
static void test_endless_comment (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct reading reading;

    (void)state;
    strbuf_add_str (&text, "<modeling><!--");
    for (int i = 0; i < 9 * 1024; i++)
        strbuf_addf (&text, "%1023d\n", i);
    read_xml (text.buf, text.len, &reading);
    assert_int_equal (reading.rc, -1);
    assert_non_null (strstr (reading.err.text,
                             "a comment or tag of more than 8 MiB; no "
                             "code writes one"));
    reading_release (&reading);
    strbuf_release (&text);
}

/* Of steps without forces, stress or cell. */
static void test_parts_that_miss (void **state)
{
    const struct {
        const char *fixture;
        const struct edit *edits;
        size_t n_frames, n_unlabelled;
    } cases[] = {
        { "vasp/md.OUTCAR", EDITS ({ "TOTAL-FORCE", "nothing" }), 0, 3 },
        { "vasp/md.OUTCAR", EDITS ({ "VOLUME and BASIS", "volume" }), 0, 3 },
        { "vasp/md.OUTCAR", EDITS ({ "in kB", "in eV" }), 3, 0 },
        { "vasp/md.xml", EDITS ({ "\"forces\"", "\"x\"" }), 0, 3 },
        { "vasp/md.xml", EDITS ({ "\"basis\"", "\"x\"" }), 0, 3 },
        { "vasp/md.xml", EDITS ({ "\"stress\"", "\"x\"" }), 3, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct reading reading;

        read_edited (cases[i].fixture, cases[i].edits, &reading);
        expect_frames (&reading, cases[i].n_frames);
        assert_int_equal (reading.unlabelled, cases[i].n_unlabelled);
        assert_false (reading.frames[0].has_virial);
        reading_release (&reading);
    }
}

/* VASP 6 prints what its own force field says in the same words. */
#define PREDICTED                                                              \
    "  ML FORCE on cell =-STRESS in cart. coord. units (eV/cell)\n"            \
    "  in kB       9.00000 9.0 9.0 9.0 9.0 9.0\n"                              \
    "      direct lattice vectors                 reciprocal lattice "         \
    "vectors\n"                                                                \
    "    10.000000000  0.000000000  0.000000000\n"                             \
    "  POSITION                          TOTAL-FORCE (eV/Angst) (ML)\n"        \
    " -----\n      5.38154      4.06861      3.60573         9.0 9.0 9.0\n"    \
    "  free  energy ML TOTEN  =         9.00000000 eV\n"

static void test_predictions_are_no_labels (void **state)
{
    struct reading plain, reading;

    (void)state;
    read_edited (fixtures[0], NULL, &plain);
    read_edited (fixtures[0],
                 EDITS ({ "  FREE ENERGIE OF", PREDICTED "  FREE ENERGIE OF" }),
                 &reading);
    expect_frames (&reading, 3);
    for (size_t i = 0; i < 3; i++) {
        expect_near (reading.frames[i].energy, plain.frames[i].energy, 0);
        expect_near (reading.frames[i].forces[0], plain.frames[i].forces[0], 0);
        expect_near (reading.frames[i].virial[0], plain.frames[i].virial[0], 0);
        expect_near (reading.frames[i].cell[0], 5.1, 0);
    }
    reading_release (&reading);
    reading_release (&plain);
    read_edited (fixtures[1],
                 EDITS ({ "<scstep>", "<x>" }, { "</scstep>", "</x>" }),
                 &reading);
    expect_frames (&reading, 0);
    assert_int_equal (reading.predicted, 3);
    reading_release (&reading);
}

/* OUTCARs that were put one behind the other. */
static void test_another_head (void **state)
{
    struct strbuf text = STRBUF_INIT, second = STRBUF_INIT;
    struct reading reading;

    (void)state;
    fixture_read (fixtures[0], &text);
    fixture_read (fixtures[0], &second);
    edit (&second, "Si_made", "Ge_d");
    strbuf_add (&text, second.buf, second.len);
    read_outcar (text.buf, text.len, &reading);
    expect_frames (&reading, 6);
    assert_string_equal (reading.frames[2].symbols[0], "Si");
    assert_string_equal (reading.frames[3].symbols[0], "Ge");
    reading_release (&reading);
    strbuf_release (&text);
    strbuf_release (&second);
}

/* A head in the middle of a step, and numbers of ions that contradict: what was
 * read of the step is of no use.
 */
static void test_a_head_within_a_step (void **state)
{
    static const char *const heads[] = {
        " POTCAR:    PAW_PBE Ge 1\n",
        "   ions per type =               9\n",
        "   number of dos      NEDOS =    301   number of ions     NIONS = 9\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (heads); i++) {
        struct strbuf text = STRBUF_INIT, step = STRBUF_INIT;
        struct reading reading;

        fixture_read (fixtures[0], &text);
        strbuf_addf (&step, "%s%s", heads[i], "  FREE ENERGIE OF");
        edit (&text, "  FREE ENERGIE OF", step.buf);
        strbuf_release (&step);
        strbuf_addf (&step, "%s%s", heads[i], " VOLUME and BASIS");
        edit (&text, " VOLUME and BASIS", step.buf);
        read_outcar (text.buf, text.len, &reading);
        assert_true (reading.rc < 0 || i == 2);
        assert_int_equal (reading.n, i == 2 ? 3 : 0);
        reading_release (&reading);
        strbuf_release (&text);
        strbuf_release (&step);
    }
}

static void test_symbols_that_are_cut (void **state)
{
    struct reading reading;

    (void)state;
    read_edited (
        fixtures[1],
        EDITS ({ "<c>Si</c>", "<c>r </c>" }, { "<c>O </c>", "<c>X </c>" }),
        &reading);
    expect_frames (&reading, 3);
    assert_string_equal (reading.frames[0].symbols[0], "Zr");
    assert_string_equal (reading.frames[0].symbols[4], "Xe");
    reading_release (&reading);
}

static void test_refused (void **state)
{
    const struct {
        const char *fixture;
        const struct edit *edits;
        const char *says;
    } cases[] = {
        { "vasp/md.OUTCAR", EDITS ({ "ions per type =", "ions" }),
          "O:161: 'ions per type' should stand before this" },
        { "vasp/md.OUTCAR",
          EDITS ({ "TITEL", "-----" }, { "POTCAR:", "------" }),
          "O:161: before this, TITEL or POTCAR should name" },
        { "vasp/md.OUTCAR", EDITS ({ "NIONS =      5", "NIONS =      6" }),
          "O:23: not all ions are counted here" },
        { "vasp/md.OUTCAR", EDITS ({ "   3   2\n", "   3   *\n" }),
          "O:23: expected how many ions" },
        { "vasp/md.OUTCAR", EDITS ({ "   3   2\n", "   0   0\n" }),
          "O:23: no ions" },
        { "vasp/md.OUTCAR",
          EDITS ({ "PBE Si_made", "PBE Xy" }, { "in kB", "x" }),
          "O:5: expected the title of a potential" },
        { "vasp/md.OUTCAR", EDITS ({ "-0.658940", "*********" }),
          "O:168: expected a position and a force" },
        { "vasp/md.OUTCAR", EDITS ({ "-0.658940", "      nan" }),
          "O:168: expected a position and a force" },
        { "vasp/md.OUTCAR", EDITS ({ "5.100000000", "***********" }),
          "O:162: expected a vector of the cell" },
        { "vasp/md.OUTCAR", EDITS ({ "5.100000000", "5.10000000017" }), NULL },
        { "vasp/md.OUTCAR", EDITS ({ "   0.78321275 eV\n", "  **** eV\n" }),
          "O:181: expected the energy" },
        { "vasp/md.xml", EDITS ({ "-0.65893998", "***********" }),
          "X:143: expected three finite numbers" },
        { "vasp/md.xml", EDITS ({ "-0.65893998", "        inf" }),
          "X:143: expected three finite numbers" },
        { "vasp/md.xml", EDITS ({ "<c>Si</c>", "<c>Xy</c>" }),
          "X:40: expected an element" },
        { "vasp/md.xml", EDITS ({ "</eigenvalues>", "</bands>" }),
          "X:176: mismatched tag" },
        { "vasp/md.xml",
          EDITS ({ "<modeling>", "<!DOCTYPE modeling><modeling>" }),
          "X:2: a document type is not expected here" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const char *says = cases[i].says;
        struct reading reading;

        read_edited (cases[i].fixture, cases[i].edits, &reading);
        if (!says) {
            expect_frames (&reading, 3);
        } else {
            assert_int_equal (reading.rc, -1);
            if (strncmp (reading.err.text, says, strlen (says)) != 0)
                fail_msg ("expected '%s', found '%s'", says, reading.err.text);
            assert_int_equal (reading.n, 0);
        }
        reading_release (&reading);
    }
}

/* A file that grows, or whose writer died, has the steps that are whole. */
static void test_cut_anywhere (void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE (fixtures); k++) {
        struct strbuf text = STRBUF_INIT;
        size_t most = 0;

        fixture_read (fixtures[k], &text);
        for (size_t len = 0; len < text.len; len += 37) {
            char *cut = xcalloc (1, len + 1); /* for readers of freed bytes */
            struct reading reading;

            memcpy (cut, text.buf, len);
            if (k == 0)
                read_outcar (cut, len, &reading);
            else
                read_xml (cut, len, &reading);
            if (reading.rc < 0)
                fail_msg ("%zu: %s", len, reading.err.text);
            assert_true (reading.n >= most && reading.n <= 3);
            assert_true (reading.truncated || k == 0);
            most = reading.n;
            reading_release (&reading);
            free (cut);
        }
        assert_true (most >= 2);
        strbuf_release (&text);
    }
}

static void test_nested_deeply (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct reading reading;

    (void)state;
    for (int i = 0; i < 10000; i++)
        strbuf_add_str (&text, "<a>");
    read_xml (text.buf, text.len, &reading);
    assert_int_equal (reading.rc, -1);
    assert_string_equal (reading.err.text,
                         "X:1: elements are nested too deeply");
    strbuf_release (&text);
}

static void test_files (void **state)
{
    char *path = fixture_path (fixtures[1]);
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;
    bool truncated = false;
    struct vasprun *run = vasprun_open (path, &err);

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal (vasprun_next (run, &frame, &truncated, &err), 1);
    assert_int_equal (vasprun_next (run, &frame, &truncated, &err), 0);
    assert_int_equal (vasprun_next (run, &frame, &truncated, &err), 0);
    assert_false (truncated);
    frame_release (&frame);
    vasprun_close (run);
    free (path);
    assert_null (vasprun_open ("/no/such/file", &err));
    assert_non_null (strstr (err.text, "/no/such/file"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_what_it_says),
        cmocka_unit_test (test_left_handed),
        cmocka_unit_test (test_both_agree),
        cmocka_unit_test (test_unconverged),
        cmocka_unit_test (test_ways_to_print_it),
        cmocka_unit_test (test_columns_that_touch),
        cmocka_unit_test (test_endless_comment),
        cmocka_unit_test (test_parts_that_miss),
        cmocka_unit_test (test_predictions_are_no_labels),
        cmocka_unit_test (test_another_head),
        cmocka_unit_test (test_a_head_within_a_step),
        cmocka_unit_test (test_symbols_that_are_cut),
        cmocka_unit_test (test_refused),
        cmocka_unit_test (test_cut_anywhere),
        cmocka_unit_test (test_nested_deeply),
        cmocka_unit_test (test_files),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
