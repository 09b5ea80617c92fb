/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_lammps_input.c - what LAMMPS gets to read */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "operators/lammps/lammps.h"

struct setting {
    struct strvec elements;
    struct strvec links;
    struct json *variables;
    struct lammps_setup setup;
};

static void setting_init (struct setting *s, const char *variables)
{
    struct error err = ERROR_INIT;

    strvec_init (&s->elements);
    strvec_push (&s->elements, "Si");
    strvec_push (&s->elements, "Ge");
    strvec_init (&s->links);
    strvec_push (&s->links, "potential_0");
    strvec_push (&s->links, "potential_1");
    s->variables = json_parse (variables, strlen (variables), "t", &err);
    assert_non_null (s->variables);
    s->setup = (struct lammps_setup){
        .pair_style = "kim {potential}",
        .pair_coeff = "* * {elements}",
        .elements = &s->elements,
        .links = &s->links,
        .variables = s->variables,
        .seed = 41,
        .steps = 1000,
        .dump_every = 20,
    };
}

static void setting_release (struct setting *s)
{
    strvec_release (&s->elements);
    strvec_release (&s->links);
    json_unref (s->variables);
}

static const char golden_md[] =
    "# Written by Fanfold, down to the dump; the rest is the user's input.\n"
    "units           metal\n"
    "atom_style      atomic\n"
    "atom_modify     map array sort 0 0.0\n"
    "boundary        p p p\n"
    "read_data       conf.data\n"
    "pair_style      kim potential_0\n"
    "pair_coeff      * * Si Ge\n"
    "variable        seed equal 42\n"
    "variable        steps equal 1000\n"
    "variable        temperature equal 300\n"
    "variable        scale equal 0.985\n"
    "dump            fanfold all custom 20 md.dump id type x y z\n"
    "dump_modify     fanfold sort id format float %.17g\n"
    "fix 1 all nve\n"
    "run ${steps}\n";

static void test_md (void **state)
{
    static const char *const lines[] = { "fix 1 all nve\nrun ${steps}\n",
                                         "fix 1 all nve\nrun ${steps}" };
    struct setting s;

    (void)state;
    setting_init (&s, "{\"temperature\": 300, \"scale\": 0.985}");
    for (size_t i = 0; i < ARRAY_SIZE (lines); i++) {
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (lammps_format_md (&s.setup, lines[i],
                                            strlen (lines[i]), &out, &err),
                          0);
        assert_string_equal (out.buf, golden_md);
        strbuf_release (&out);
    }
    setting_release (&s);
}

static const char golden_rerun[] =
    "# Written by Fanfold: the forces of every member.\n"
    "units           metal\n"
    "atom_style      atomic\n"
    "atom_modify     map array sort 0 0.0\n"
    "boundary        p p p\n"
    "read_data       conf.data\n"
    "pair_style      none\n"
    "pair_style      sw\n"
    "pair_coeff      * * potential_0/Si.sw Si Ge\n"
    "dump            fanfold all custom 1 out/f/000.dump id type fx fy fz\n"
    "dump_modify     fanfold sort id format float %.17g\n"
    "rerun           out/t.dump dump x y z box yes\n"
    "undump          fanfold\n"
    "pair_style      none\n"
    "pair_style      sw\n"
    "pair_coeff      * * potential_1/Si.sw Si Ge\n"
    "dump            fanfold all custom 1 out/f/001.dump id type fx fy fz\n"
    "dump_modify     fanfold sort id format float %.17g\n"
    "rerun           out/t.dump dump x y z box yes\n"
    "undump          fanfold\n";

static void test_rerun (void **state)
{
    struct setting s;
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    setting_init (&s, "{}");
    s.setup.pair_style = "sw";
    s.setup.pair_coeff = "* * {potential}/Si.sw {elements}";
    assert_int_equal (
        lammps_format_rerun (&s.setup, "out/t.dump", "out/f", &out, &err), 0);
    assert_string_equal (out.buf, golden_rerun);
    strbuf_release (&out);
    setting_release (&s);
}

/* No LAMMPS command takes a seed beyond 900,000,000; 0 is none either. */
static void test_seeds (void **state)
{
    static const struct {
        int64_t seed;
        const char *line;
    } seeds[] = {
        { 0, "variable        seed equal 1\n" },
        { 1, "variable        seed equal 2\n" },
        { 899999999, "variable        seed equal 900000000\n" },
        { 900000000, "variable        seed equal 1\n" },
        { 2147483647, "variable        seed equal 347483648\n" },
    };
    struct setting s;

    (void)state;
    setting_init (&s, "{}");
    for (size_t i = 0; i < ARRAY_SIZE (seeds); i++) {
        struct strbuf out = STRBUF_INIT;

        s.setup.seed = seeds[i].seed;
        assert_int_equal (lammps_format_md (&s.setup, "", 0, &out, NULL), 0);
        assert_non_null (strstr (out.buf, seeds[i].line));
        strbuf_release (&out);
    }
    setting_release (&s);
}

static void test_bad_templates (void **state)
{
    static const char *const bad[] = { "kim {member}", "kim {potential",
                                       "kim ${temperature}" };
    struct setting s;

    (void)state;
    setting_init (&s, "{}");
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;

        s.setup.pair_style = bad[i];
        assert_int_equal (lammps_format_md (&s.setup, "", 0, &out, &err), -1);
        assert_non_null (strstr (err.text, "pair_style: "));
        assert_int_equal (lammps_format_rerun (&s.setup, "t", "f", &out, NULL),
                          -1);
        strbuf_release (&out);
    }
    setting_release (&s);
}

/* A list of files is in the order of their names. */
static void test_names_sort_like_numbers (void **state)
{
    char *second = lammps_forces_path ("out/forces", 2);
    char *eleventh = lammps_forces_path ("out/forces", 11);
    char *link = lammps_potential_link (11, "");
    char *file = lammps_potential_link (2, "/p.1/frozen.model.pth");

    (void)state;
    assert_string_equal (second, "out/forces/002.dump");
    assert_true (strcmp (second, eleventh) < 0);
    assert_string_equal (link, "potential_11");
    assert_string_equal (file, "potential_2.pth");
    free (file);
    free (link);
    free (eleventh);
    free (second);
}

/* --- the variables of the user's lines --- */

static const struct {
    const char *text, *says; /* NULL: nothing is wrong */
} lines[] = {
    { "fix 1 all nvt temp ${T} ${T} 1\nrun ${steps}", NULL },
    { "velocity all create $T ${seed}", NULL },
    { "fix 1 all nvt temp v_T v_T 1", NULL },
    { "variable b equal 2*v_T\ntimestep ${b}", NULL },
    { "timestep $(v_T/1000)", NULL },
    { "if \"${T} > 1\" then \"variable b equal 2\" else \"variable b equal "
      "3\"\n"
      "timestep ${b}",
      NULL },
    { "print \"at ${T} # K\"", NULL },
    { "compute v all vacf\nfix a all ave/time 1 1 1 c_v[1] v_T", NULL },
    { "include other.in\ntimestep ${dt}", NULL },
    { "shell \"echo ${HOME}\"\ntimestep ${T}", NULL },
    { "variable i loop 3\nlabel l\nprint \"$i ${T}\"\nnext i\njump SELF l",
      NULL },
    { "jump other.in", NULL },
    { "variable b${T} equal 1\ntimestep ${b300}", NULL },
    { "dump d all custom 1 v_dump.txt x\ntimestep ${T}", NULL },
    { "print 'it\'s ${T}'\nprint \"\"\"a # b\nc\"\"\" &\n  file f # "
      "${d}\ntimestep $T",
      NULL },
    { "fix 1 all nve &\n  # ${dt}\ntimestep ${T}", NULL },
    { "timestep 1", "x.in does not use the variable 'T' of for_each, so its" },
    { "timestep 1 # ${T}", "x.in does not use the variable 'T' of for_each" },
    { "\n\nfix 1 all npt temp ${T} ${Tstop} 1",
      "x.in:3: nothing sets the variable 'Tstop'; write for_each: {Tstop: "
      "[...]} in the stage, or `variable Tstop equal ...` above" },
    { "variable stepp equal 1\ntimestep ${T}\nrun ${stepss}",
      "x.in:3: nothing sets the variable 'stepss'; did you mean 'steps'? "
      "Else" },
    { "timestep v_dt*${T}", "x.in:1: nothing sets the variable 'dt'" },
    { "timestep $t", "x.in:1: nothing sets the variable 't'" },
    { "print \"${dt} ${T}\"", "x.in:1: nothing sets the variable 'dt'" },
    { "# variable dt equal 1\ntimestep ${dt}",
      "x.in:2: nothing sets the variable 'dt'" },
};

static void test_variables (void **state)
{
    struct json *for_each =
        json_parse ("{\"T\": [1], \"scale\": [1]}", 24, "t", NULL);

    (void)state;
    assert_non_null (for_each);
    for (size_t i = 0; i < ARRAY_SIZE (lines); i++) {
        struct error err = ERROR_INIT;
        int rc = lammps_check_variables (lines[i].text, strlen (lines[i].text),
                                         "x.in", for_each, &err);

        if (rc != (lines[i].says ? -1 : 0)
            || !strstr (err.text, lines[i].says ? lines[i].says : ""))
            fail_msg ("%s: %d '%s'", lines[i].text, rc, err.text);
    }
    json_unref (for_each);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_md),
        cmocka_unit_test (test_rerun),
        cmocka_unit_test (test_seeds),
        cmocka_unit_test (test_bad_templates),
        cmocka_unit_test (test_names_sort_like_numbers),
        cmocka_unit_test (test_variables),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
