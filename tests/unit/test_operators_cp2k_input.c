/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_cp2k_input.c - CP2K inputs from a template and a frame */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "formats/frame.h"
#include "operators/cp2k/data_files.h"
#include "operators/cp2k/input.h"
#include "operators/cp2k/label.h"

/* --- the scanner --- */

static int add_line (const struct cp2k_line *line, void *arg, struct error *err)
{
    static const char marks[] = { [CP2K_SECTION] = '&',
                                  [CP2K_END] = '-',
                                  [CP2K_KEY] = '=',
                                  [CP2K_COMMAND] = '@' };

    (void)err;
    strbuf_addf (arg, "%zu%c%s:%s=%s\n", line->number, marks[line->item],
                 line->path, line->word, line->value);
    return 0;
}

static void test_scan (void **state)
{
    static const char text[] = "@set CUT 400 ! Ry\n"
                               "&Force_Eval # all\r\n"
                               "  &dft\n"
                               "\n"
                               "    Charge   1\n"
                               "    basis_set_file_name \"a ! b\" ! c\n"
                               "    &MGRID\n"
                               "      CUTOFF ${cut}\n"
                               "      REL_CUTOFF \\ ! goes on\n"
                               "        ${REL-40} $CUT $none ${x\n"
                               "    &end\n"
                               "  &END DFT\n"
                               "&END FORCE_EVAL";
    static const char expected[] =
        "1@:@SET=CUT 400\n"
        "2&:FORCE_EVAL=\n"
        "3&FORCE_EVAL:DFT=\n"
        "5=FORCE_EVAL/DFT:CHARGE=1\n"
        "6=FORCE_EVAL/DFT:BASIS_SET_FILE_NAME=\"a ! b\"\n"
        "7&FORCE_EVAL/DFT:MGRID=\n"
        "8=FORCE_EVAL/DFT/MGRID:CUTOFF=400\n"
        "9=FORCE_EVAL/DFT/MGRID:REL_CUTOFF=40 400 $none ${x\n"
        "11-FORCE_EVAL/DFT:MGRID=\n"
        "12-FORCE_EVAL:DFT=DFT\n"
        "13-:FORCE_EVAL=FORCE_EVAL\n";
    struct strbuf found = STRBUF_INIT;

    (void)state;
    assert_int_equal (
        cp2k_scan (text, strlen (text), "x", add_line, &found, NULL), 0);
    assert_string_equal (found.buf, expected);
    strbuf_release (&found);
}

/* --- what a template may not be --- */

#define GOOD_FORCE_EVAL "&FORCE_EVAL\n&END\n"

static void test_refused (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "", "x: there is no section &FORCE_EVAL" },
        { "&END\n", "x:1: &END without a section" },
        { "&FORCE_EVAL\n&DFT\n&END DFT\n", "x:1: &FORCE_EVAL has no &END" },
        { "&FORCE_EVAL\n&DFT\n&END SUBSYS\n",
          "x:3: '&END SUBSYS' where &DFT of line 2 ends" },
        { GOOD_FORCE_EVAL GOOD_FORCE_EVAL,
          "x:3: there is another &FORCE_EVAL already" },
        { "@include 'a.inc'\n" GOOD_FORCE_EVAL, "x:1: @INCLUDE: the file" },
        { "&GLOBAL\nPRINT_LEVEL silent\n&END\n" GOOD_FORCE_EVAL,
          "x:2: PRINT_LEVEL silent: no energy is printed then; write" },
        { "&FORCE_EVAL\nSTRESS_TENSOR DIAGONAL_ANALYTICAL\n&END\n",
          "x:2: STRESS_TENSOR DIAGONAL_ANALYTICAL: that is no whole tensor; "
          "write STRESS_TENSOR ANALYTICAL" },
        { "&FORCE_EVAL\n&DFT\n&END\nstress_tensor diagonal_Numerical\n&END\n",
          "x:4: STRESS_TENSOR diagonal_Numerical: that is no whole tensor; "
          "write STRESS_TENSOR NUMERICAL" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        assert_int_equal (
            cp2k_check_input (cases[i].text, strlen (cases[i].text), "x", &err),
            -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
    }
}

static void test_too_deep (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    for (int i = 0; i < 1000; i++)
        strbuf_add_str (&text, "&A\n");
    assert_int_equal (cp2k_check_input (text.buf, text.len, "x", &err), -1);
    assert_string_equal (err.text, "x:31: sections are nested too deeply");
    strbuf_release (&text);
}

static void test_keys_that_are_ours (void **state)
{
    static const char elsewhere[] = "&MOTION\n&CELL\n&END\nPROJECT a\n&END\n";
    static const struct {
        const char *text;
        const char *key;
    } cases[] = {
        { "&global\n Project water\n&END\n", "x:2: 'GLOBAL/PROJECT' is" },
        { "&GLOBAL\nRUN_TYPE MD\n&END\n", "x:2: 'GLOBAL/RUN_TYPE' is" },
        { "&EXT_RESTART\n&END\n", "x:1: '&EXT_RESTART' is filled in" },
        { "&FORCE_EVAL\n&SUBSYS\n&cell\n&END\n&END\n&END\n",
          "x:3: 'FORCE_EVAL/SUBSYS/&CELL' is filled in by Fanfold for" },
        { "&FORCE_EVAL\n&SUBSYS\n&COORD\n&END\n&END\n&END\n",
          "x:3: 'FORCE_EVAL/SUBSYS/&COORD' is" },
        { "&FORCE_EVAL\n&PRINT\n&FORCES ON\n&END\n&END\n&END\n",
          "x:3: 'FORCE_EVAL/PRINT/&FORCES' is" },
        { "&FORCE_EVAL\n&SUBSYS\n&TOPOLOGY\nCOORD_FILE_NAME a\n&END\n&END\n"
          "&END\n",
          "x:4: 'FORCE_EVAL/SUBSYS/TOPOLOGY/COORD_FILE_NAME' is" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        assert_int_equal (template_check_keys (
                              cp2k_label.scan, cp2k_label.keys, cases[i].text,
                              strlen (cases[i].text), "x", &err),
                          -1);
        if (strncmp (err.text, cases[i].key, strlen (cases[i].key)) != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].key, err.text);
    }
    assert_int_equal (template_check_keys (cp2k_label.scan, cp2k_label.keys,
                                           elsewhere, strlen (elsewhere), "x",
                                           NULL),
                      0);
}

/* --- the input of a frame --- */

static void set_atom (struct frame *frame, size_t i, const char *symbol,
                      double x)
{
    symbol_set (frame->symbols[i], symbol, strlen (symbol));
    frame->positions[3 * i] = x;
}

static void make_frame (struct frame *frame)
{
    assert_int_equal (frame_resize (frame, 2, false, NULL), 0);
    set_atom (frame, 0, "O", 0.5);
    set_atom (frame, 1, "H", -1);
    for (int i = 0; i < 3; i++) {
        frame->cell[4 * i] = 8;
        frame->periodic[i] = true;
    }
}

#define STRUCTURE                                                              \
    "&CELL\nA 8.0 0.0 0.0\nB 0.0 8.0 0.0\nC 0.0 0.0 8.0\n"                     \
    "PERIODIC XYZ\n&END CELL\n"                                                \
    "&COORD\nO 0.5 0.0 0.0\nH -1.0 0.0 0.0\n&END COORD\n"
#define PRINT                                                                  \
    "&FORCES ON\nNDIGITS 14\n&END FORCES\n"                                    \
    "&STRESS_TENSOR ON\n&END STRESS_TENSOR\n"
#define SUBSYS_PRINT                                                           \
    "&ATOMIC_COORDINATES ON\n&END ATOMIC_COORDINATES\n&CELL ON\n&END CELL\n"
#define OUR_GLOBAL "PROJECT frame\nRUN_TYPE ENERGY_FORCE\n"

static void test_format (void **state)
{
    static const struct {
        const char *text;
        const char *expected;
    } cases[] = {
        /* all that a template may lack */
        { "&FORCE_EVAL\n&END", "&GLOBAL\n" OUR_GLOBAL "&END GLOBAL\n"
                               "&FORCE_EVAL\nSTRESS_TENSOR ANALYTICAL\n"
                               "&PRINT\n" PRINT "&END PRINT\n"
                               "&SUBSYS\n" STRUCTURE "&PRINT\n" SUBSYS_PRINT
                               "&END PRINT\n&END SUBSYS\n&END\n" },
        /* and all that it may have, in another order */
        { "! water\n&FORCE_EVAL\n&subsys\n&Print\n&END\n&END\n&PRINT\n"
          "&HIRSHFELD\n&END\n&END\nStress_Tensor none\n&END\n"
          "&GLOBAL\nPRINT_LEVEL LOW\n&END\n",
          "! water\n&FORCE_EVAL\n&subsys\n" STRUCTURE "&Print\n" SUBSYS_PRINT
          "&END\n&END\n&PRINT\n" PRINT "&HIRSHFELD\n&END\n&END\n"
          "Stress_Tensor none\n&END\n&GLOBAL\n" OUR_GLOBAL
          "PRINT_LEVEL LOW\n&END\n" },
    };
    struct frame frame = FRAME_INIT;

    (void)state;
    make_frame (&frame);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf out = STRBUF_INIT;

        assert_int_equal (cp2k_format_input (cases[i].text,
                                             strlen (cases[i].text), "x",
                                             &frame, &out, NULL),
                          0);
        assert_string_equal (out.buf, cases[i].expected);
        strbuf_release (&out);
    }
    frame_release (&frame);
}

static void test_frames (void **state)
{
    static const char text[] = "&FORCE_EVAL\n&END\n";
    struct strbuf out = STRBUF_INIT;
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    make_frame (&frame);
    frame.periodic[1] = false;
    assert_int_equal (
        cp2k_format_input (text, strlen (text), "x", &frame, &out, NULL), 0);
    assert_non_null (strstr (out.buf, "PERIODIC XZ\n"));
    assert_null (strstr (out.buf, "STRESS_TENSOR ANALYTICAL"));
    frame.periodic[0] = frame.periodic[2] = false;
    assert_int_equal (
        cp2k_format_input (text, strlen (text), "x", &frame, &out, NULL), 0);
    assert_non_null (strstr (out.buf, "PERIODIC NONE\n"));
    set_atom (&frame, 1, "&END", 0);
    assert_int_equal (
        cp2k_format_input (text, strlen (text), "x", &frame, &out, &err), -1);
    assert_string_equal (err.text, "atom 2: '&END' is no element");
    frame_release (&frame);
    strbuf_release (&out);
}

/* --- basis sets and potentials --- */

#define KIND(name, inside) "&KIND " name "\n" inside "&END\n"
#define SUBSYS(kinds) "&SUBSYS\n" kinds "&END\n"
#define DFT "&DFT\nBASIS_SET_FILE_NAME BASIS\nPOTENTIAL_FILE_NAME POTS\n&END\n"
#define FORCE_EVAL(inside) "&FORCE_EVAL\n" inside "&END\n"
#define SI KIND ("Si", "BASIS_SET dzvp-gth\nPOTENTIAL GTH-PBE-q4\n")

static char *make_data_dir (void)
{
    static const char basis[] = "# sets\nSi DZVP-GTH DZVP-GTH-q4\n 1\n  3 0 1\n"
                                "O DZVP-GTH\n";
    static const char potentials[] = "Si GTH-PBE-q4 GTH-PBE\n    2    2\n";
    char template[] = "/tmp/cp2k-data.XXXXXX";
    char *dir = xstrdup (mkdtemp (template));
    char *path = path_join (dir, "BASIS");

    assert_int_equal (file_write_atomic (path, basis, strlen (basis), NULL), 0);
    free (path);
    path = path_join (dir, "POTS");
    assert_int_equal (
        file_write_atomic (path, potentials, strlen (potentials), NULL), 0);
    free (path);
    return dir;
}

static const struct {
    const char *text;
    const char *message; /* DIR stands for the directory; NULL: good */
} data_cases[] = {
    { FORCE_EVAL (DFT SUBSYS (SI)), NULL },
    { FORCE_EVAL (DFT SUBSYS (KIND ("Si2", "BASIS_SET ORB DZVP-GTH\n"))),
      NULL },
    { FORCE_EVAL (
          DFT SUBSYS (KIND ("bulk", "BASIS_SET DZVP-GTH\nELEMENT Si\n"))),
      NULL },
    { FORCE_EVAL ("&DFT\nBASIS_SET_FILE_NAME NONE\n&END\n"),
      "x:3: there is no 'NONE' in DIR; name the file in files" },
    { FORCE_EVAL ("&DFT\nBASIS_SET_FILE_NAME /none/BASIS\n&END\n"),
      "x:3: there is no '/none/BASIS' in DIR" },
    { FORCE_EVAL (DFT SUBSYS (KIND ("Si", "BASIS_SET NOSUCH\n"))),
      "x:8: DIR/BASIS has no basis set 'NOSUCH' for Si" },
    { FORCE_EVAL (DFT SUBSYS (KIND ("O", "POT GTH-PBE-q6\n"))),
      "x:8: DIR/POTS has no potential 'GTH-PBE-q6' for O" },
    { "@SET B NOSUCH\n" FORCE_EVAL (DFT SUBSYS (KIND ("Si", "BASIS_SET $B\n"))),
      "x:9: DIR/BASIS has no basis set 'NOSUCH' for Si" },
    { FORCE_EVAL (DFT SUBSYS (KIND ("Si", "BASIS_SET $C\n"))), NULL },
    { FORCE_EVAL (DFT SUBSYS (KIND ("Si", "&BASIS\n1\n&END\n"))), NULL },
    { FORCE_EVAL ("&DFT\n&QS\nMETHOD xTB\n&END\n&END\n" SUBSYS (
          KIND ("Si", "BASIS_SET NOSUCH\n"))),
      NULL },
    { FORCE_EVAL ("&DFT\nBASIS_SET_FILE_NAME mine\n&END\n" SUBSYS (
          KIND ("O", "BASIS_SET DZVP-GTH\n"))),
      NULL }, /* in files */
};

static void test_data (void **state)
{
    char *dir = make_data_dir (), *mine = path_join (dir, "mine");
    char *basis = path_join (dir, "BASIS");
    struct json *files = json_array ();

    (void)state;
    assert_int_equal (rename (basis, mine), 0);
    assert_int_equal (link (mine, basis), 0);
    json_push (files, json_string (mine));
    for (size_t i = 0; i < ARRAY_SIZE (data_cases); i++) {
        struct cp2k_data data = { dir, files };
        struct error err = ERROR_INIT;
        int rc = cp2k_check_data (&data, data_cases[i].text,
                                  strlen (data_cases[i].text), "x", &err);
        const char *at = data_cases[i].message, *found = err.text;

        if (!at && rc < 0)
            fail_msg ("case %zu: %s", i, err.text);
        assert_int_equal (rc, at ? -1 : 0);
        if (at && strstr (at, "DIR")) { /* what is before it and behind */
            size_t before = (size_t)(strstr (at, "DIR") - at);

            assert_memory_equal (found, at, before);
            assert_memory_equal (found + before, dir, strlen (dir));
            found += before + strlen (dir);
            at += before + 3;
            assert_memory_equal (found, at, strlen (at));
        }
        /* without a data directory nothing is known */
        data.dir = NULL;
        if (at && !strstr (data_cases[i].text, "/none"))
            assert_int_equal (cp2k_check_data (&data, data_cases[i].text,
                                               strlen (data_cases[i].text), "x",
                                               NULL),
                              0);
    }
    json_unref (files);
    assert_int_equal (file_remove_tree (dir, NULL, NULL), 0);
    free (dir);
    free (mine);
    free (basis);
}

static void test_kinds (void **state)
{
    static const char *const elements[] = { "Si", "O", NULL };
    static const struct {
        const char *text;
        bool missing;
    } cases[] = {
        { FORCE_EVAL (SUBSYS (SI KIND ("o", ""))), false },
        { FORCE_EVAL (SUBSYS (SI KIND ("DEFAULT", ""))), false },
        { FORCE_EVAL (SUBSYS (SI)), true },
        { FORCE_EVAL ("METHOD QS\n&DFT\n&QS\nMETHOD GAPW\n&END\n&END\n"),
          true },
        { FORCE_EVAL ("&DFT\n&QS\nMETHOD xtb\n&END\n&END\n"), false },
        { FORCE_EVAL ("METHOD FIST\n"), false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        int rc = cp2k_check_kinds (cases[i].text, strlen (cases[i].text), "x",
                                   elements, &err);

        assert_int_equal (rc, cases[i].missing ? -1 : 0);
        if (cases[i].missing)
            assert_non_null (strstr (err.text, "x: there is no &KIND "));
        assert_int_equal (cp2k_check_kinds (cases[i].text,
                                            strlen (cases[i].text), "x", NULL,
                                            NULL),
                          0);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_scan),
        cmocka_unit_test (test_refused),
        cmocka_unit_test (test_too_deep),
        cmocka_unit_test (test_keys_that_are_ours),
        cmocka_unit_test (test_format),
        cmocka_unit_test (test_frames),
        cmocka_unit_test (test_data),
        cmocka_unit_test (test_kinds),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
