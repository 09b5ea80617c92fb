/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_vasp_label.c - the kit of vasp.label: what is said of an INCAR
 * and of potentials, what VASP is given, and how it ends
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "fixture.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "operators/vasp/vasp.h"
#include "quoted_json.h"
#include "signature/operator.h"
#include "stdout_to.h"
#include "temp_dir.h"

/* --- how it ends --- */

#define BANNER                                                                 \
    " running on    4 total cores\n"                                           \
    " vasp.6.3.0 20Jan22 (build Apr 09 2022 18:33:31) complex\n"               \
    " POSCAR found :  1 types and       8 ions\n"
#define BOX "|                                                             |\n"

static const struct {
    const char *printed;
    enum ending ending;
    const char *message;
} endings[] = {
    { BANNER BOX "|     The electronic self-consistency was not achieved in "
                 "the given  |\n",
      ENDING_UNCONVERGED, "SCF not converged in NELM steps" },
    { BANNER " Error EDDDAV: Call to ZHEGV failed. Returncode =  23 2 32\n",
      ENDING_UNCONVERGED,
      "the Davidson iteration failed (EDDDAV); try another ALGO in a "
      "fallback" },
    { BANNER " BRMIX: very serious problems\n  the old and the new charge\n",
      ENDING_UNCONVERGED,
      "the charge density could not be mixed (BRMIX); try another mixing or "
      "ALGO in a fallback" },
    { BANNER "  VERY BAD NEWS! internal error in subroutine SGRCON:\n"
             " Found some non-integer element in rotation matrix           2\n",
      ENDING_MISTAKE,
      "VASP could not determine the symmetry; set ISYM = 0 in INCAR "
      "(SGRCON)" },
    { BANNER "|     VERY BAD NEWS! internal error in subroutine XYZ:     |\n"
             "|     no such case                                          |\n",
      ENDING_MISTAKE,
      "VERY BAD NEWS! internal error in subroutine XYZ: no such case" },
    { BANNER " POSMAP internal error: symmetry equivalent atom not found,\n",
      ENDING_MISTAKE,
      "VASP could not determine the symmetry; set ISYM = 0 in INCAR "
      "(POSMAP)" },
    { BANNER " Tetrahedron method fails (number of k-points < 4)\n",
      ENDING_MISTAKE,
      "the tetrahedron method needs more k-points; set ISMEAR = 0 in INCAR" },
    { BANNER " TOO FEW BANDS!! \n", ENDING_MISTAKE,
      "there are too few bands; set a larger NBANDS in INCAR" },
    { BANNER " Error reading item 'ENCUT' from file INCAR.\n"
             " Error code was IERR= 5 ... .\n",
      ENDING_MISTAKE,
      "Error reading item 'ENCUT' from file INCAR. Error code was IERR= 5 ... "
      "." },
    { BANNER " ERROR: the type information on POSCAR and POTCAR are "
             "incompatible\n",
      ENDING_MISTAKE,
      "ERROR: the type information on POSCAR and POTCAR are incompatible" },
    { BANNER " BRMIX: very serious problems\n  the old and the new charge\n"
             "RMM:  13    -0.43E+02   -0.2E-03   -0.5E-06   24   0.1E-02\n",
      ENDING_UNKNOWN, "" },
    { BANNER " BRMIX: very serious problems\n  the old and the new charge\n"
             "DAV:   2     0.19E+03    0.19E+03   -0.70E+03    24   0.1E+03\n"
             "forrtl: severe (174): SIGSEGV, segmentation fault occurred\n",
      ENDING_PASSING,
      "segmentation fault; VASP needs `ulimit -s unlimited`, and enough "
      "memory" },
    { BANNER "mlx5: incompatible firmware, some features are off\n",
      ENDING_UNKNOWN, "" },
    { BANNER " ERROR FEXCF: supplied exchange-correlation table\n",
      ENDING_DIVERGED,
      "the density is larger than the functional is tabulated for (FEXCF); "
      "atoms are too close" },
    { BANNER "M_divide: can not subdivide            4 nodes by            3\n",
      ENDING_MISTAKE,
      "NCORE, NPAR or KPAR of INCAR does not divide the ranks" },
    { BANNER "forrtl: severe (174): SIGSEGV, segmentation fault occurred\n",
      ENDING_PASSING,
      "segmentation fault; VASP needs `ulimit -s unlimited`, and enough "
      "memory" },
    { BANNER " DAV:   1     0.19E+03    0.19E+03   -0.70E+03    24   0.1E+03\n",
      ENDING_UNKNOWN, "" },
    { "/opt/vasp.6.3/bin/vasp_std: error while loading shared libraries\n",
      ENDING_SILENT, "" },
};

static void test_endings (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (endings); i++) {
        struct strbuf message = STRBUF_INIT;
        enum ending ending =
            code_judge (&vasp_code, endings[i].printed, true, &message);

        if (ending != endings[i].ending)
            fail_msg ("'%s' is %d", endings[i].printed, (int)ending);
        assert_string_equal (message.buf, endings[i].message);
        strbuf_release (&message);
    }
}

/* --- INCAR --- */

static int check_incar (const char *text, struct error *err)
{
    if (template_check_keys (vasp_label.scan, vasp_label.keys, text,
                             strlen (text), "INCAR", err)
        < 0)
        return -1;
    return vasp_label.check_template (text, strlen (text), "INCAR", err);
}

static void test_incar (void **state)
{
    static const struct {
        const char *text;
        const char *says; /* NULL: nothing is wrong */
    } cases[] = {
        { "", NULL },
        { "SYSTEM = x\nENCUT = 400\nNSW = 0\nIBRION = -1\nISIF = 2\n", NULL },
        { "nsw=0 ; ibrion=-1 # NSW = 5\n! IBRION = 2\n", NULL },
        { "NSW = 0 number of steps\n", NULL },
        { "SYSTEM = NSW 5\n", NULL },
        { "# NSW = 5 \\\n NSW = 0\n", NULL },
        { "WANNIER90_WIN = \"\nNSW = 5\nMAGMOM = 1\n\"\nISIF = 2", NULL },
        { "ML_LMLFF = .FALSE.", NULL },
        { "ALGO = Fast\nNSW = 5\n", "INCAR:2: NSW = 5: write 0, or remove it" },
        { "ALGO = Fast ; nsw = 5", "INCAR:1: NSW = 5: " },
        { "XYZ_2 = 1 \\\n 2 \\\n 3\nNSW\t=\t5", "INCAR:4: NSW = 5: " },
        { "IBRION = 2", "INCAR:1: IBRION = 2: write -1" },
        { "ISIF = 0", "INCAR:1: ISIF = 0: write 2" },
        { "ICHARG = 11", "INCAR:1: ICHARG = 11: write 2" },
        { "NSW = none", "INCAR:1: NSW: expected a whole number" },
        { "NSW =", "INCAR:1: NSW: expected a whole number" },
        { "ML_LMLFF = T", "INCAR:1: ML_LMLFF: remove it" },
        { "\n\nMagMom = 4*1", "INCAR:3: 'MAGMOM' is filled in by Fanfold for "
                              "every frame; write by_element" },
        { "LDAU = T; LDAUU = 4 0", "INCAR:1: 'LDAUU' is filled in" },
        { "METAGGA = MBJ\ncmbj = 1.1 1.2", "INCAR:2: 'CMBJ' is filled in" },
        { "QUAD_EFG = 1 2", "INCAR:1: 'QUAD_EFG' is filled in" },
        { "ALGO = Fast\nenctu = 400",
          "INCAR:2: ENCTU: VASP has no such tag, and "
          "would pass over it; did you mean 'ENCUT'?" },
        { "EDIF = 1e-6", "INCAR:1: EDIF: VASP has no such tag, and would pass "
                         "over it; did you mean 'EDIFF'?" },
        { "ISMAER = 0", "INCAR:1: ISMAER: VASP has no such tag" },
        { "LREALL = A", "INCAR:1: LREALL: VASP has no such tag" },
        { "KSPACING = 1\nNSQ = 1\nLNEWTAG = T\nENCUTGW = 9", NULL },
        { "M_CONSTR = 0 0 1", "INCAR:1: 'M_CONSTR' is filled in by Fanfold for "
                              "every frame; remove it" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        int rc = check_incar (cases[i].text, &err);

        if (rc != (cases[i].says ? -1 : 0))
            fail_msg ("%s: %s", cases[i].text, err.text);
        if (cases[i].says
            && strncmp (err.text, cases[i].says, strlen (cases[i].says)) != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].says, err.text);
    }
}

/* --- what is known before anything runs --- */

#define TITLE "  PAW_PBE X\n   VRHFIN =X: y\n   TITEL  = PAW_PBE "

static void put_potentials (void)
{
    temp_dir_put ("pp", "Si/POTCAR", TITLE "Si 05Jan2001\n  End of Dataset\n");
    temp_dir_put ("pp", "O_s/POTCAR", TITLE "O_s 07Sep2000\n End of Dataset");
    temp_dir_put ("pp", "POTCAR_Ge", TITLE "Ge_d 03Jul2007\n");
    temp_dir_put ("pp", "Two/POTCAR", TITLE "Si x\n" TITLE "Si x\n");
    temp_dir_put ("pp", "None/POTCAR", "nothing\n");
    temp_dir_put (".", "INCAR", "ENCUT = 400\n");
    temp_dir_put (".", "INCAR.k", "ENCUT = 400\nkspacing = 0.3\n");
    temp_dir_put (".", "mesh", "mesh\n0\nGamma\n1 1 1\n");
}

static const struct {
    const char *inputs;
    const char *says; /* NULL: nothing is wrong */
} check_cases[] = {
    { "{'potcar_dir': 'pp', 'potcars': {'Si': 'Si', 'O': 'O_s'}}", NULL },
    { "{'potcar_dir': 'pp', 'potcars': {'Ge': 'POTCAR_Ge'}}", NULL },
    { "{'potcar_dir': '/no/such', 'potcars': {'Si': 'Si'}}", NULL },
    { "{'potcars': {'Si': 'Si'}}", NULL }, /* known later */
    { "{'potcar_dir': 'pp', 'potcars': {'Si': 'Si_GW'}}",
      "potcars: cannot open 'pp/Si_GW'" },
    { "{'potcar_dir': 'pp', 'potcars': {'Si': 'O_s'}}",
      "potcars: pp/O_s/POTCAR: the potential is one of O, not of Si" },
    { "{'potcar_dir': 'pp', 'potcars': {'Si': 'Two'}}",
      "potcars: pp/Two/POTCAR: expected one potential (TITEL), found 2" },
    { "{'potcar_dir': 'pp', 'potcars': {'Si': 'None'}}",
      "potcars: pp/None/POTCAR: expected one potential (TITEL), found "
      "0" },
    { "{'potcar_dir': 'pp', 'potcars': {'Silicon': 'Si'}}",
      "potcars: 'Silicon' is no element" },
    { "{'by_element': {'MAGMOM': {'Fe': 5, 'O': 0.6}}}", NULL },
    { "{'by_element': {'QUAD_EFG': {'Fe': 5}, 'cmbj': {'O': 1}}}", NULL },
    { "{'by_element': {'M_CONSTR': {'Fe': 5}}}",
      "by_element: 'M_CONSTR' has no value for each element" },
    { "{'by_element': {'ENCUT': {'Fe': 5}}}",
      "by_element: 'ENCUT' has no value for each element" },
    { "{'by_element': {'MAGMOM': {'iron': 5}}}",
      "by_element: MAGMOM: 'iron' is no element" },
    { "{'kgamma': true, 'input': './INCAR', 'kpoints': './mesh'}", NULL },
    { "{'kgamma': true, 'input': './INCAR', 'kspacing': 0.3}", NULL },
    { "{'kgamma': true, 'input': './INCAR.k'}", NULL },
    { "{'kgamma': true, 'input': './INCAR', 'kpoints': null, 'kspacing': "
      "null}",
      "input: there are no k-points; write kpoints: FILE or kspacing: "
      "NUMBER, or KSPACING in ./INCAR" },
    { "{'kgamma': true, 'input': './INCAR.k', 'kspacing': 0.3}",
      "input: ./INCAR.k sets KSPACING; remove that, or kspacing of the "
      "stage" },
    { "{'kgamma': true, 'input': './INCAR', 'kpoints': './mesh', "
      "'fallback': ['./INCAR.k']}",
      "fallback: ./INCAR.k sets KSPACING; remove that, or kpoints of the "
      "stage" },
    { "{'input': './INCAR', 'kpoints': './mesh', 'kspacing': 0.3}",
      "input: kpoints and kspacing are both there" },
    { "{'kgamma': true, 'kspacing': 0}", "kspacing: 0; write a positive" },
    { "{'input': './INCAR.k', 'vasp': []}", "vasp: there is no program" },
};

static void test_checks (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put_potentials ();
    for (size_t i = 0; i < ARRAY_SIZE (check_cases); i++) {
        struct json *inputs = json_of (check_cases[i].inputs);
        struct error err = ERROR_INIT;
        int rc = 0;

        for (const struct port *port = vasp_label.spec.inputs;
             rc == 0 && port->name; port++)
            rc = port_check (
                port, &(struct known_input){ .others = inputs, .dir = "." },
                &err);
        if (rc != (check_cases[i].says ? -1 : 0))
            fail_msg ("%s: %s", check_cases[i].inputs, err.text);
        if (check_cases[i].says
            && strncmp (err.text, check_cases[i].says,
                        strlen (check_cases[i].says))
                   != 0)
            fail_msg ("expected '%s', found '%s'", check_cases[i].says,
                      err.text);
        json_unref (inputs);
    }
    temp_dir_leave (&dir);
}

static void test_doubts (void **state)
{
    static const char *const elements[] = { "Si", "O", NULL };
    static const struct {
        const char *inputs;
        const char *says;
    } cases[] = {
        { "{'potcar_dir': '/', 'potcars': {'Si': 'Si', 'O': 'O'}}", "" },
        { "{'potcar_dir': '/', 'potcars': {'Si': 'Si'}}",
          "potcars: none for 'O', and frames that have it fail; add O: NAME" },
        { "{'potcar_dir': 'no', 'potcars': {'Si': 'Si', 'O': 'O'}}",
          "potcars: there is no '/c/no' on this host; if the nodes do not have "
          "it either: correct potcar_dir" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *inputs = json_of (cases[i].inputs);
        struct strbuf says = STRBUF_INIT;

        port_doubt (port_find (vasp_label.spec.inputs, "potcars"),
                    &(struct known_input){
                        .others = inputs, .elements = elements, .dir = "/c" },
                    &says);
        assert_string_equal (says.buf, cases[i].says);
        strbuf_release (&says);
        json_unref (inputs);
    }
}

/* --- a frame --- */

static const char frame_text[] =
    "4\nLattice=\"4 0 0 0.5 5 0 0 0 6\" Properties=species:S:1:pos:R:3 "
    "task=3\nO 0.5 1 2\nSi 1 1.5 0\nO 3 2 1\nSi 2 4 4.5\n";

static void write_task (const char *more)
{
    struct strbuf text = STRBUF_INIT;
    struct json *task;

    strbuf_addf (&text,
                 "{'format': 1, 'campaign_dir': '.', 'inputs': {'frames': "
                 "'in.extxyz', 'input': 'INCAR', 'potcar_dir': 'pp', %s"
                 "'kgamma': true, 'files': [], %s}, "
                 "'outputs': {'frame': 'out/frame.extxyz'}}",
                 strstr (more, "'potcars'")
                     ? ""
                     : "'potcars': {'Si': 'Si', 'O': 'O_s', 'Ge': 'no'}, ",
                 more);
    task = json_of (text.buf);
    assert_int_equal (json_write_file ("task.json", task, NULL), 0);
    json_unref (task);
    strbuf_release (&text);
}

/* The stand-in, as the program of the inputs. */
static void add_stand_in (struct strbuf *more)
{
    const char *top = getenv ("abs_top_srcdir");

    strbuf_addf (more, "'vasp': ['python3', '%s/tests/fakes/vasp']",
                 top ? top : ".");
}

static enum step_status run_label (const char *more, struct error *err)
{
    struct strbuf inputs = STRBUF_INIT;
    enum step_status status;
    int ours;

    strbuf_add_str (&inputs, more);
    add_stand_in (&inputs);
    write_task (inputs.buf);
    strbuf_release (&inputs);
    ours = stdout_to ("log");
    status = label_run (&vasp_label, err);
    stdout_back (ours);
    return status;
}

static void expect_file (const char *path, const char *text)
{
    struct strbuf found = STRBUF_INIT;

    assert_int_equal (file_read (path, 1 << 20, &found, NULL), 0);
    assert_string_equal (found.buf, text);
    strbuf_release (&found);
}

static void test_what_vasp_is_given (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put_potentials ();
    write_text ("in.extxyz", frame_text);
    if (run_label ("'kspacing': 0.25, 'by_element': {'MAGMOM': {'Si': 0.5, "
                   "'O': -2}, 'LDAUL': {'O': -1, 'Si': 2}}, ",
                   &err)
        != STEP_OK)
        fail_msg ("%s", err.text);
    expect_file ("INCAR", "NSW = 0\nIBRION = -1\nISIF = 2\nLWAVE = .FALSE.\n"
                          "LCHARG = .FALSE.\nKSPACING = 0.25\n"
                          "KGAMMA = .TRUE.\nMAGMOM = 2*-2 2*0.5\n"
                          "LDAUL = -1 2\nENCUT = 400\n");
    expect_file ("POSCAR", "O Si\n1.0\n 4.0 0.0 0.0\n 0.5 5.0 0.0\n 0.0 0.0 "
                           "6.0\n O Si\n 2 2\nCartesian\n 0.5 1.0 2.0\n 3.0 "
                           "2.0 1.0\n 1.0 1.5 0.0\n 2.0 4.0 4.5\n");
    expect_file ("POTCAR", TITLE "O_s 07Sep2000\n End of Dataset\n" TITLE
                                 "Si 05Jan2001\n  End of Dataset\n");
    assert_false (file_exists ("KPOINTS"));
    temp_dir_leave (&dir);
}

/* Labels come back to the atoms they are of, which are O, Si, O, Si here and
 * were O, O, Si, Si for VASP.
 */
static void test_labels (void **state)
{
    struct frame frame = FRAME_INIT, turned = FRAME_INIT;
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put_potentials ();
    write_text ("in.extxyz", frame_text);
    if (run_label ("'kpoints': 'mesh', ", &err) != STEP_OK)
        fail_msg ("%s", err.text);
    assert_int_equal (file_read ("out/frame.extxyz", 1 << 20, &text, NULL), 0);
    assert_int_equal (extxyz_parse (text.buf, text.len, "out", 1, &frame, NULL),
                      0);
    assert_string_equal (frame.symbols[1], "Si");
    assert_true (frame.positions[3] == 1 && frame.positions[11] == 4.5);
    assert_true (frame.has_energy && frame.has_virial && frame.forces);
    assert_string_equal (frame.info, "task=3");
    /* the stand-in knows no elements: the same atoms in another order */
    write_text ("in.extxyz",
                "4\nLattice=\"4 0 0 0.5 5 0 0 0 6\" Properties=species:S:1:pos:"
                "R:3\nO 0.5 1 2\nO 1 1.5 0\nO 3 2 1\nO 2 4 4.5\n");
    if (run_label ("'kspacing': 1, ", &err) != STEP_OK)
        fail_msg ("%s", err.text);
    strbuf_reset (&text);
    assert_int_equal (file_read ("out/frame.extxyz", 1 << 20, &text, NULL), 0);
    assert_int_equal (
        extxyz_parse (text.buf, text.len, "out", 1, &turned, NULL), 0);
    assert_memory_equal (frame.forces, turned.forces, 12 * sizeof (double));
    assert_true (frame.energy == turned.energy);
    frame_release (&frame);
    frame_release (&turned);
    strbuf_release (&text);
    temp_dir_leave (&dir);
}

static const struct {
    const char *incar;
    const char *more;
    enum step_status status;
    const char *says;
} failures[] = {
    { "SYSTEM = scf:20\nNELM = 9\nKSPACING = 1\n", "", STEP_FATAL,
      "VASP: SCF not converged" },
    { "SYSTEM = scf:20\nNELM = 9\nKSPACING = 1\n",
      "'fallback': ['INCAR.slow'], ", STEP_OK, "" },
    { "SYSTEM = scf:20\nNELM = 9\nKSPACING = 1\n", "'fallback': ['INCAR'], ",
      STEP_FATAL, "VASP: SCF not converged, with input and 1 fallback" },
    { "SYSTEM = silent:POSMAP_internal_error:\n", "", STEP_FATAL,
      "VASP: VASP could not determine the symmetry; set ISYM = 0" },
    { "SYSTEM = fail:Error_EDDDAV:_Call_to_ZHEGV_failed.\n",
      "'fallback': ['INCAR.slow'], ", STEP_OK, "" },
    { "SYSTEM = fail:TOO_FEW_BANDS!!\n", "'fallback': ['INCAR.slow'], ",
      STEP_FATAL, "VASP exited with status 1: there are too few bands" },
    { "SYSTEM = fail:something_new\n", "", STEP_FAILED,
      "VASP exited with status 1: no line that it printed is an error" },
    { "SYSTEM = cut\n", "", STEP_FATAL,
      "vasprun.xml: there is no calculation with energy and forces; the "
      "file is cut" },
    { "NSW = 3\n", "", STEP_FATAL, "INCAR:1: NSW = 3" },
    { "", "'by_element': {'MAGMOM': {'Si': 1}}, ", STEP_FATAL,
      "by_element: MAGMOM has no value for O" },
    { "", "'potcars': {'Si': 'Si'}, ", STEP_FATAL, "potcars: none for 'O'" },
    { "", "'potcars': {'Si': 'O_s', 'O': 'Si'}, ", STEP_FATAL,
      "pp/Si/POTCAR: the potential is one of Si, not of O" },
};

static void test_failures (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put_potentials ();
    write_text ("in.extxyz", frame_text);
    write_text ("INCAR.slow", "NELM = 30\nKSPACING = 1\n");
    for (size_t i = 0; i < ARRAY_SIZE (failures); i++) {
        struct error err = ERROR_INIT;
        enum step_status status;

        write_text ("INCAR", failures[i].incar);
        status = run_label (failures[i].more, &err);
        if (status != failures[i].status
            || strncmp (err.text, failures[i].says, strlen (failures[i].says))
                   != 0)
            fail_msg ("%zu: %d: '%s'", i, (int)status, err.text);
    }
    write_text ("INCAR", "");
    write_text ("in.extxyz",
                "1\nLattice=\"0 4 0 4 0 0 0 0 4\" Properties=species:S:1:pos:R:"
                "3\nSi 0 0 0\n");
    {
        struct error err = ERROR_INIT;

        assert_int_equal (run_label ("", &err), STEP_FATAL);
        assert_non_null (strstr (err.text, "left-handed"));
    }
    write_text ("in.extxyz", "1\nLattice=\"4 0 0 0 4 0 0 0 4\" pbc=\"F F F\" "
                             "Properties=species:S:1:pos:R:3\nSi 0 0 0\n");
    {
        struct error err = ERROR_INIT;

        assert_int_equal (run_label ("", &err), STEP_FATAL);
        assert_non_null (strstr (err.text, "does not repeat along a, and VASP "
                                           "computes periodic ones"));
    }
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_endings),
        cmocka_unit_test (test_incar),
        cmocka_unit_test (test_checks),
        cmocka_unit_test (test_doubts),
        cmocka_unit_test (test_what_vasp_is_given),
        cmocka_unit_test (test_labels),
        cmocka_unit_test (test_failures),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
