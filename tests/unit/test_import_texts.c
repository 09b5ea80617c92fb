/* SPDX-License-Identifier: BSD-3-Clause */
/* test_import_texts.c - what an importer writes: YAML with notes, templates of
 * codes, lines of an MD
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "base/problems.h"
#include "base/yaml_tree.h"
#include "import/key_report.h"
#include "import/label_texts.h"
#include "import/lammps_lines.h"
#include "import/md_template.h"
#include "import/outline.h"
#include "import/training_input.h"

static struct json *parse (const char *text)
{
    struct error err = ERROR_INIT;
    struct json *v = json_parse (text, strlen (text), "t", &err);

    if (!v)
        fail_msg ("%s: %s", text, err.text);
    return v;
}

/* --- YAML with notes --- */

static const struct {
    const char *json, *path, *note; /* one note */
    const char *text;
} outlines[] = {
    { "{\"a\": 1, \"b\": [1, 2]}", "a", "first", "a: 1  # first\nb: [1, 2]\n" },
    { "{\"a\": {\"b\": {\"c\": \"x y\"}}}", "a.b", "why",
      "a:\n  b: {c: \"x y\"}  # why\n" },
    { "{\"a\": {\"b\": {\"c\": true}}}", "", "", "a: {b: {c: true}}\n" },
    { "{\"v\": \"true\", \"n\": \"12\", \"p\": \"/a/b\", \"q\": \"a: b\"}", "",
      "", "v: \"true\"\nn: \"12\"\np: /a/b\nq: \"a: b\"\n" },
    { "{\"000\": 1, \"-x\": 2}", "", "", "000: 1\n\"-x\": 2\n" },
    { "{\"e\": [], \"f\": {}}", "", "", "e: []\nf: {}\n" },
    { "{\"l\": [{\"a\": 1}, 2]}", "l.0", "", "l: [{a: 1}, 2]\n" },
    { "{\"l\": [{\"a\": {\"b\": 1}}, 2]}", "l.0.a", "deep",
      "l:\n  - a: {b: 1}  # deep\n  - 2\n" },
    { "{\"s\": \"a long value that is followed by a note\"}", "s",
      "which has no room behind it and stands above in lines of its own",
      "# which has no room behind it and stands above in lines of its own\n"
      "s: \"a long value that is followed by a note\"\n" },
};

static void test_outline (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (outlines); i++) {
        struct outline outline;
        struct strbuf out = STRBUF_INIT;

        outline_init (&outline);
        json_unref (outline.root);
        outline.root = parse (outlines[i].json);
        if (*outlines[i].note)
            outline_note (&outline, outlines[i].path, "%s", outlines[i].note);
        outline_write (&outline, &out);
        assert_string_equal (out.buf, outlines[i].text);
        strbuf_release (&out);
        outline_release (&outline);
    }
}

/* What is written reads as what was meant, whatever is in it. */
static void test_outline_reads_back (void **state)
{
    static const char text[] =
        "{\"a\": {\"long\": [\"one\", \"two: 3\", \"# four\", \"\", \"~\", "
        "\"null\", \"1e5\", \"{x}\", \"- y\", \"it's\", \"say \\\"so\\\"\"], "
        "\"m\": {\"k k\": [[1, 2.5], {\"x\": null}], \"b\": false}}, "
        "\"phases\": "
        "[{\"name\": \"a\", \"stages\": {\"s\": {\"when\": false}}}, "
        "{\"name\": \"b\"}]}";
    struct problems problems = PROBLEMS_INIT;
    struct outline outline;
    struct strbuf out = STRBUF_INIT;
    struct yaml_tree *tree;
    struct json *again;

    (void)state;
    outline_init (&outline);
    json_unref (outline.root);
    outline.root = parse (text);
    outline_note (&outline, "phases.0.stages.s.when", "noted");
    outline_note (&outline, "a.m", "a map");
    outline_write (&outline, &out);
    tree = yaml_tree_parse (out.buf, out.len, "t", &problems);
    assert_non_null (tree);
    again = yaml_to_json (yaml_tree_root (tree));
    assert_true (json_equal (again, outline.root));
    json_unref (again);
    yaml_tree_destroy (tree);
    problems_release (&problems);
    strbuf_release (&out);
    outline_release (&outline);
}

/* --- templates of codes --- */

static void incar (const struct json *v, struct strbuf *out)
{
    incar_text (v, out);
}

static void incar_settings (const struct json *v, struct strbuf *out)
{
    incar_text_of_settings (v, out, NULL);
}

static void cp2k (const struct json *v, struct strbuf *out)
{
    cp2k_text (v, out, NULL);
}

static void cp2k_template (const struct json *v, struct strbuf *out)
{
    cp2k_text_of_template (json_get_string (v, "text"), out);
}

static void abacus_template (const struct json *v, struct strbuf *out)
{
    abacus_text_of_template (json_get_string (v, "text"), out);
}

static void pw (const struct json *v, struct strbuf *out)
{
    struct key_report report;

    key_report_init (&report);
    pw_text (v, "u.", &report, out, NULL);
    key_report_text (&report, out);
    key_report_release (&report);
}

static void abacus (const struct json *v, struct strbuf *out)
{
    struct key_report report;

    key_report_init (&report);
    abacus_text (v, "u.", &report, out, NULL);
    key_report_text (&report, out);
    key_report_release (&report);
}

static const struct {
    void (*write) (const struct json *v, struct strbuf *out);
    const char *json;
    const char *words[8]; /* in this order; one with '!' is not there */
} templates[] = {
    { incar,
      "{\"encut\": 600, \"LWAVE\": false, \"EDIFF\": 1e-05, \"_c\": 1, "
      "\"MAGMOM\": [1, 2]}",
      { "ENCUT = 600\n", "LWAVE = .FALSE.\n", "EDIFF = 1e-05\n",
        "MAGMOM = 1 2\n", "!_C" } },
    { incar_settings,
      "{\"ecut\": 500, \"ediff\": 1e-6, \"smearing\": \"MP:2\", \"sigma\": 0.2,"
      " \"kspacing\": 0.2, \"metagga\": \"SCAN\", "
      "\"user_vasp_params\": {\"isym\": 2}}",
      { "ISYM = 2\n", "ENCUT = 500\n", "KSPACING = 0.2\n", "ISMEAR = 2\n",
        "LASPH = T\n", "METAGGA = SCAN\n", "!ISYM = 0" } },
    { cp2k,
      "{\"FORCE_EVAL\": {\"DFT\": {\"MGRID\": {\"CUTOFF\": 600}}, \"SUBSYS\": "
      "{\"CELL\": {\"A\": \"1 0 0\"}, \"KIND\": {\"_\": [\"H\", \"O\"], "
      "\"POTENTIAL\": [\"p\", \"q\"]}}, \"PRINT\": {\"FORCES\": {\"_\": "
      "\"ON\"}}}, \"GLOBAL\": {\"PROJECT\": \"X\"}}",
      { "CUTOFF 600\n", "REL_CUTOFF 50\n", "&KIND H\n", "POTENTIAL p\n",
        "&KIND O\n", "!&CELL", "!FORCES", "!PROJECT" } },
    { cp2k_template,
      "{\"text\": \"&FORCE_EVAL\\n &Subsys\\n  &CELL\\n   ABC 1 2 3\\n"
      "   &CELL_REF\\n   &END\\n  &END CELL\\n  &COORD\\n @include c.xyz\\n"
      "  &END\\n  &KIND H\\n  &END KIND\\n &END SUBSYS\\n&END\\n&CELL\\n\"}",
      { "&FORCE_EVAL\n &Subsys\n  &KIND H\n  &END KIND\n &END SUBSYS\n&END\n"
        "&CELL\n" } },
    { abacus_template,
      "{\"text\": \"ntype 1\\n ecutwfc 50 # Ry\\n"
      "deepks_scf 1\\ncal_stress 1\\n\"}",
      { "INPUT_PARAMETERS\n ecutwfc 50 # Ry\ncal_stress 1\n" } },
    { abacus_template,
      "{\"text\": \"INPUT_PARAMETERS\\nntype 1\\n ecutwfc 50 # Ry\\n\"}",
      { "INPUT_PARAMETERS\n ecutwfc 50 # Ry\n", "!INPUT_PARAMETERS\nINPUT" } },
    { pw,
      "{\"control\": {\"outdir\": \"./\", \"calculation\": \"scf\", "
      "\"tprnfor\": true}, \"system\": {\"ecutwfc\": 30, \"nat\": 2}}",
      { "&control\n  calculation = 'scf'\n  tprnfor = .true.\n/\n",
        "&system\n  ecutwfc = 30\n/\n&electrons\n/\n", "u.control.outdir",
        "u.system.nat", "!outdir =" } },
    { abacus,
      "{\"ntype\": 1, \"ecutwfc\": 50, \"deepks_model\": \"m\", "
      "\"_kspacing\": 0.1}",
      { "INPUT_PARAMETERS\necutwfc 50\n", "u.deepks_model", "u.ntype",
        "!\nntype", "!kspacing" } },
};

static void test_templates (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (templates); i++) {
        struct json *v = parse (templates[i].json);
        struct strbuf out = STRBUF_INIT;
        const char *at;

        templates[i].write (v, &out);
        at = out.buf;
        for (size_t k = 0; k < 8 && templates[i].words[k]; k++) {
            const char *word = templates[i].words[k];

            if (*word == '!') {
                if (strstr (out.buf, word + 1))
                    fail_msg ("%zu: there is '%s' in\n%s", i, word + 1,
                              out.buf);
            } else if (!(at = strstr (at, word))) {
                fail_msg ("%zu: no '%s' in\n%s", i, word, out.buf);
            }
        }
        strbuf_release (&out);
        json_unref (v);
    }
}

static const struct {
    const char *json, *complaint;
    int which; /* 0: INCAR, 1: pw.x, 2: its settings, 3: ABACUS, 4: KPT */
} refusals[] = {
    { "{\"smearing\": \"what\"}", "fp_params.smearing: 'what'", 0 },
    { "{\"metagga\": 3}", "fp_params.metagga: expected text", 0 },
    { "{\"control\": {}}", "u.system: it is missing", 1 },
    { "{\"control\": 3}", "u.control: expected a mapping", 1 },
    { "{\"ecut\": 30}", "ecut and ediff are needed", 2 },
    { "{\"ecut\": 30, \"ediff\": 1, \"smearing\": \"x\"}", "'x' is not known",
      2 },
    { "{\"deepks_scf\": 1}", "u.deepks_scf: labels by DeePKS", 3 },
    { "[1, 2]", "k_points: expected six numbers, found 2", 4 },
};

static void test_refusals (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (refusals); i++) {
        struct json *v = parse (refusals[i].json);
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;
        struct key_report report;
        int rc = 0;

        key_report_init (&report);
        switch (refusals[i].which) {
        case 0:
            rc = incar_text_of_settings (v, &out, &err);
            break;
        case 1:
            rc = pw_text (v, "u.", &report, &out, &err);
            break;
        case 2:
            rc = pw_text_of_settings (v, &out, &err);
            break;
        case 3:
            rc = abacus_text (v, "u.", &report, &out, &err);
            break;
        default:
            rc = kpt_text (v, &out, &err);
        }
        assert_int_equal (rc, -1);
        if (!strstr (err.text, refusals[i].complaint))
            fail_msg ("%zu: %s", i, err.text);
        key_report_release (&report);
        strbuf_release (&out);
        json_unref (v);
    }
}

/* --- an MD --- */

static void test_md_lines (void **state)
{
    static const struct {
        const char *ensemble, *fix;
    } rows[] = {
        { "nve", "fix             1 all nve\n" },
        { "nvt", "1 all nvt temp ${temperature} ${temperature} 0.1\n" },
        { "npt-i", " 0.1 iso ${pressure} ${pressure} 0.5\n" },
        { "npt-aniso", " 0.1 aniso ${pressure} ${pressure} 0.5\n" },
        { "npt-t", "change_box      all triclinic\n" },
        { "nph", NULL },
    };
    struct json *masses = parse ("[1, 15.999]"), *symbols = parse ("[\"H\"]");

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct md_settings md = { rows[i].ensemble, 0.002,   0.1, 0.5,
                                  masses,           symbols, 5,   -1 };
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;
        int rc = lammps_lines_write (&md, "T", &out, &err);

        assert_int_equal (rc, rows[i].fix ? 0 : -1);
        if (rows[i].fix) {
            assert_non_null (strstr (out.buf, rows[i].fix));
            assert_non_null (strstr (out.buf, "mass            1 1  # H\n"));
            assert_non_null (strstr (out.buf, "mass            2 15.999\n"));
            assert_non_null (strstr (out.buf, "neigh_modify    delay 5\n"));
            assert_non_null (strstr (out.buf,
                                     "timestep        0.002\nrun             "
                                     "${steps}\n"));
        } else {
            assert_non_null (strstr (err.text, "'nph' is not known"));
        }
        strbuf_release (&out);
    }
    json_unref (masses);
    json_unref (symbols);
}

/* --- a template of an MD --- */

static const char md_lines[] =
    "units metal\n"
    "variable NSTEPS equal V_NSTEPS\n"
    "variable T equal V_TEMP\n"
    "variable steps equal v_NSTEPS*2\n"
    "variable x equal v_steps+${steps}+v_msteps+v_steps2\n"
    "atom_style atomic\n"
    "box tilt large\n"
    "if \"${restart} > 0\" then \"read_restart r.*\" else \"read_data c\"\n"
    "pair_style deepmd\n"
    "pair_coeff * *\n"
    "# dump other\n"
    "dump dpgen_dump\n"
    "dump mine all custom 10 V_NAME id\n"
    "fix dpgen_plm\n"
    "fix 1 all nvt temp V_TEMP $T 0.1 # V_TEMP\n"
    "run ${NSTEPS} upto\n";

static void test_md_template (void **state)
{
    struct json *variables =
        parse ("{\"V_NSTEPS\": 2000, \"V_TEMP\": 300, \"V_NAME\": \"a.dump\"}");
    struct json *for_each = parse ("{\"V_TEMP\": [300, 600]}");
    struct md_template t = { .name = "in.lmp",
                             .lammps = md_lines,
                             .plumed = "METAD TEMP=V_TEMP PACE=5\n",
                             .variables = variables,
                             .for_each = for_each };
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;
    int64_t steps = 0;

    (void)state;
    assert_int_equal (md_template_steps (&t, &steps, &err), 0);
    assert_int_equal (steps, 2000);
    assert_string_equal (md_template_steps_word (&t, variables), "V_NSTEPS");
    if (md_template_write (&t, &out, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (
        out.buf,
        "# From in.lmp, with the words that change from task to task as "
        "variables.\n"
        "variable        restart equal 0\n"
        "# (Fanfold writes this) units metal\n"
        "variable NSTEPS equal 2000\n"
        "variable T equal ${V_TEMP}\n"
        "variable my_steps equal v_NSTEPS*2\n"
        "variable x equal v_my_steps+${my_steps}+v_msteps+v_steps2\n"
        "# (Fanfold writes this) atom_style atomic\n"
        "# (Fanfold writes this) box tilt large\n"
        "# (Fanfold writes this) if \"${restart} > 0\" then \"read_restart "
        "r.*\" else \"read_data c\"\n"
        "# (Fanfold writes this) pair_style deepmd\n"
        "# (Fanfold writes this) pair_coeff * *\n"
        "# dump other\n"
        "# (Fanfold writes this) dump dpgen_dump\n"
        "dump mine all custom 10 a.dump id\n"
        "print           \"\"\"METAD TEMP=${V_TEMP} PACE=5\"\"\" file "
        "input.plumed screen no\n"
        "fix             dpgen_plm all plumed plumedfile input.plumed outfile "
        "output.plumed\n"
        "fix 1 all nvt temp ${V_TEMP} $T 0.1 # ${V_TEMP}\n"
        "run             ${steps}\n");
    strbuf_release (&out);
    json_unref (variables);
    json_unref (for_each);
}

static void test_md_template_refusals (void **state)
{
    static const struct {
        const char *lammps, *plumed, *complaint;
    } rows[] = {
        { "run 10\nrun 20\n", NULL, "must have one `run`" },
        { "run ${N}\n", NULL, "must have one `run`" },
        { "variable N equal ${N}\nrun ${N}\n", NULL, "must have one `run`" },
        { "", NULL, "must have one `run`" },
        { "boundary f f f\nrun 10\n", NULL, "periodic boundaries" },
        { "units real\nrun 10\n", NULL, "has units metal" },
        { "atom_style full\nrun 10\n", NULL, "has atom_style atomic" },
        { "plugin load x.so\nrun 10\n", NULL, "LAMMPS_PLUGIN_PATH" },
        { "package omp 2\nrun 10\n", NULL, "as -pk" },
        { "fix dpgen_plm\nrun 10\n", "LABEL='x'", "quotes or '$'" },
        { "run 10\n", "PRINT", "one line 'fix dpgen_plm', found 0" },
        { "fix dpgen_plm\nfix dpgen_plm\nrun 10\n", "PRINT",
          "one line 'fix dpgen_plm', found 2" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct md_template t = { .name = "in.lmp",
                                 .lammps = rows[i].lammps,
                                 .plumed = rows[i].plumed };
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;
        int64_t steps;

        assert_true (md_template_steps (&t, &steps, &err) < 0
                     || md_template_write (&t, &out, &err) < 0);
        if (!strstr (err.text, rows[i].complaint))
            fail_msg ("%zu: %s", i, err.text);
        assert_int_equal (out.len, 0);
        strbuf_release (&out);
    }
}

/* --- an input.json as the template of trainings --- */

static const struct {
    const char *given, *template, *held_out;
} trainings[] = {
    /* what the operator says itself goes, wherever it stands */
    { "{\"model\": {\"type_map\": [\"H\"], \"descriptor\": {\"sel\": [9]}}, "
      "\"training\": {\"seed\": 1, \"disp_file\": \"l\", \"numb_steps\": 7, "
      "\"training_data\": {\"systems\": [\"a\"], \"set_prefix\": \"set\", "
      "\"batch_size\": 3}}}",
      "{\"model\":{\"descriptor\":{\"sel\":[9]}},\"training\":{\"numb_steps\":"
      "7,"
      "\"training_data\":{\"batch_size\":3}}}",
      "[]" },
    /* seeds of the model, not those of others; comments; what is refused */
    { "{\"model\": {\"seed\": 1, \"fitting_net\": {\"seed\": 2, \"n\": [{"
      "\"seed\": 3}]}}, \"other\": {\"seed\": 4}, \"_c\": 0, \"coord_norm\": "
      "1}",
      "{\"model\":{\"fitting_net\":{\"n\":[{}]}},\"other\":{\"seed\":4}}",
      "[]" },
    /* data of the validation are held out; the rest of it stays */
    { "{\"training\": {\"validation_data\": {\"systems\": [\"a\", \"b\"], "
      "\"numb_btch\": 2}}}",
      "{\"training\":{\"validation_data\":{\"numb_btch\":2}}}",
      "[\"a\",\"b\"]" },
    { "{\"training\": {\"validation_data\": {\"systems\": \"a\"}}}",
      "{\"training\":{}}", "[\"a\"]" },
    { "{\"training\": {\"validation_data\": {\"numb_btch\": 2}}}",
      "{\"training\":{}}", "[]" },
};

static void test_trainings (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (trainings); i++) {
        struct json *given = parse (trainings[i].given);
        struct json *held_out = json_array ();
        struct json *made = training_input_template (given, held_out);
        struct strbuf text = STRBUF_INIT;

        json_dump (made, JSON_COMPACT, &text);
        assert_string_equal (text.buf, trainings[i].template);
        strbuf_reset (&text);
        json_dump (held_out, JSON_COMPACT, &text);
        assert_string_equal (text.buf, trainings[i].held_out);
        strbuf_release (&text);
        json_unref (made);
        json_unref (held_out);
        json_unref (given);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_outline),
        cmocka_unit_test (test_outline_reads_back),
        cmocka_unit_test (test_templates),
        cmocka_unit_test (test_refusals),
        cmocka_unit_test (test_md_lines),
        cmocka_unit_test (test_md_template),
        cmocka_unit_test (test_md_template_refusals),
        cmocka_unit_test (test_trainings),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
