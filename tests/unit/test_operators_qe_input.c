/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_qe_input.c - what pw.x gets to read */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "formats/frame.h"
#include "operators/qe/k_points.h"
#include "operators/qe/qe.h"

struct setting {
    struct frame frame;
    struct json *inputs;
};

static void setting_init (struct setting *s)
{
    static const char map[] =
        "{\"pseudopotentials\": {\"O\": \"O.UPF\", \"Ge\": \"Ge.UPF\", "
        "\"Si\": \"Si.UPF\", \"Xx\": \"Xx.UPF\"}}";

    s->frame = (struct frame)FRAME_INIT;
    assert_int_equal (frame_resize (&s->frame, 3, false, NULL), 0);
    for (int i = 0; i < 3; i++) {
        symbol_set (s->frame.symbols[i], i == 1 ? "O" : "Si", i == 1 ? 1 : 2);
        s->frame.cell[4 * i] = 5.43;
        s->frame.positions[3 * i] = 0.1 * i;
    }
    s->frame.cell[3] = -0.125;
    s->inputs = json_parse (map, strlen (map), "map", NULL);
}

static void setting_release (struct setting *s)
{
    frame_release (&s->frame);
    json_unref (s->inputs);
}

static int format (const struct setting *s, const char *lines,
                   struct strbuf *out, struct error *err)
{
    const struct label_input input = { .inputs = s->inputs,
                                       .name = "pw.in",
                                       .text = lines,
                                       .len = strlen (lines),
                                       .frame = &s->frame };

    return pw_format_input (&input, "/it's/here", out, err);
}

#define OURS                                                                   \
    "\n  prefix = 'frame'\n  outdir = './scratch'\n"                           \
    "  pseudo_dir = '/it''s/here'\n"
#define CARDS                                                                  \
    "ATOMIC_SPECIES\n O 15.999 O.UPF\n Si 28.085 Si.UPF\n"                     \
    "CELL_PARAMETERS angstrom\n 5.43 0.0 0.0\n -0.125 5.43 0.0\n"              \
    " 0.0 0.0 5.43\n"                                                          \
    "ATOMIC_POSITIONS angstrom\n Si 0.0 0.0 0.0\n O 0.1 0.0 0.0\n"             \
    " Si 0.2 0.0 0.0\n"

static const struct {
    const char *lines;
    const char *input;
} inputs[] = {
    { "&CONTROL\n/\n&SYSTEM\n  ecutwfc = 12\n/\nK_POINTS gamma\n",
      "&CONTROL" OURS "  tprnfor = .true.\n  tstress = .true.\n"
      "  disk_io = 'low'\n\n/\n&SYSTEM\n  ibrav = 0\n  nat = 3\n  ntyp = 2\n"
      "\n  ecutwfc = 12\n/\nK_POINTS gamma\n" CARDS },
    /* what is set stays; headings with keys behind them; no last newline */
    { "&control tprnfor=.true., disk_io='medium' tstress=.false. /\n"
      "&system ibrav=0 ecutwfc=12 /\nK_POINTS gamma",
      "&control" OURS " tprnfor=.true., disk_io='medium' tstress=.false. /\n"
      "&system\n  nat = 3\n  ntyp = 2\n ibrav=0 ecutwfc=12 /\n"
      "K_POINTS gamma\n" CARDS },
};

static void test_input (void **state)
{
    struct setting s;

    (void)state;
    setting_init (&s);
    for (size_t i = 0; i < ARRAY_SIZE (inputs); i++) {
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;

        if (format (&s, inputs[i].lines, &out, &err) < 0)
            fail_msg ("%s", err.text);
        assert_string_equal (out.buf, inputs[i].input);
        strbuf_release (&out);
    }
    setting_release (&s);
}

/* Numbers are those of the species that the frame has: O, Si. */
static void test_by_element (void **state)
{
    static const char values[] =
        "{\"starting_magnetization\": {\"Si\": 0.5, \"Ge\": 1, \"O\": -1}, "
        "\"Hubbard_U\": {\"Si\": 4, \"Ge\": 3}}";
    struct strbuf out = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct setting s;

    (void)state;
    setting_init (&s);
    json_set (s.inputs, "by_element",
              json_parse (values, strlen (values), "values", NULL));
    assert_int_equal (format (&s, inputs[0].lines, &out, &err), 0);
    assert_non_null (strstr (out.buf, "  ntyp = 2\n"
                                      "  starting_magnetization(1) = -1.0\n"
                                      "  starting_magnetization(2) = 0.5\n"
                                      "  Hubbard_U(2) = 4.0\n\n"));
    strbuf_release (&out);
    setting_release (&s);
}

/* Of a cube of 5.43 A, |b| is 1.157 / A. */
static const struct {
    double kspacing;
    const char *card; /* NULL: refused */
} meshes[] = {
    { 999, "K_POINTS gamma\n" },
    { 1.2, "K_POINTS gamma\n" },
    { 0.6, "K_POINTS automatic\n 2 2 2 1 1 1\n" },
    { 0.5, "K_POINTS automatic\n 3 3 3 0 0 0\n" },
    { 0.001, NULL },
};

static void test_kspacing (void **state)
{
    struct setting s;

    (void)state;
    setting_init (&s);
    s.frame.cell[3] = 0;
    for (size_t i = 0; i < ARRAY_SIZE (meshes); i++) {
        struct json *kspacing = json_real (meshes[i].kspacing);
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (pw_add_k_points (kspacing, &s.frame, &out, &err),
                          meshes[i].card ? 0 : -1);
        assert_string_equal (out.buf, meshes[i].card ? meshes[i].card : "");
        if (!meshes[i].card)
            assert_non_null (strstr (err.text, "kspacing: 0.001 asks for"));
        strbuf_release (&out);
        json_unref (kspacing);
    }
    setting_release (&s);
}

#define GOOD "&CONTROL\n/\n&SYSTEM\n/\n"

static const struct {
    const char *lines;
    const char *complaint;
} refusals[] = {
    { "&CONTROL\n/\n", "pw.in: there is no namelist &SYSTEM" },
    { "", "pw.in: there is no namelist &CONTROL" },
    { "&SYSTEM\n/\n&CONTROL\n/\n", "&CONTROL must come before" },
};

static void test_refusals (void **state)
{
    struct setting s;

    (void)state;
    setting_init (&s);
    for (size_t i = 0; i < ARRAY_SIZE (refusals); i++) {
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (format (&s, refusals[i].lines, &out, &err), -1);
        if (!strstr (err.text, refusals[i].complaint))
            fail_msg ("'%s' lacks '%s'", err.text, refusals[i].complaint);
        assert_int_equal (out.len, 0);
        strbuf_release (&out);
    }
    setting_release (&s);
}

static const struct {
    const char *lines;
    const char *complaint; /* NULL: none */
} ours[] = {
    { "&CONTROL\n/\n&SYSTEM\n ecutwfc=12,\n NAT = 8\n/\n",
      "pw.in:5: 'nat' is filled in by Fanfold for every frame; remove it" },
    { "&CONTROL\n/\n&SYSTEM ntyp=1 /\n", "pw.in:3: 'ntyp'" },
    { "&CONTROL\n outdir='x'/\n&SYSTEM/\n", "pw.in:2: 'outdir'" },
    { "&CONTROL prefix='x'/\n&SYSTEM/\n", "pw.in:1: 'prefix'" },
    { "&CONTROL\npseudo_dir='x'/\n&SYSTEM/\n",
      "pw.in:2: 'pseudo_dir' is filled in by Fanfold for every frame; write "
      "pseudo_dir of the stage" },
    { GOOD "ATOMIC_POSITIONS angstrom\n", "pw.in:5: 'atomic_positions'" },
    { GOOD "  cell_parameters\n", "pw.in:5: 'cell_parameters'" },
    { GOOD "\nATOMIC_SPECIES\n", "pw.in:6: 'atomic_species'" },
    { GOOD "K_POINTS gamma\n", NULL },
    { "&CONTROL\n/\n&SYSTEM nspin=2,\n Starting_Magnetization( 1 ) = 0.5\n/\n",
      "pw.in:4: 'starting_magnetization' is filled in by Fanfold for every "
      "frame; write by_element of the stage instead" },
    { "&CONTROL\n/\n&SYSTEM\n Hubbard_U(2)=4\n/\n", "pw.in:4: 'hubbard_u'" },
    { "&CONTROL\n/\n&SYSTEM\n Hubbard_J(1,2)=4\n/\n",
      "use a card HUBBARD, which names elements" },
    { GOOD "HUBBARD (atomic)\nU Fe-3d 4\n", NULL },
    { "&CONTROL title='nat=3 /'\n/\n&SYSTEM ! ntyp\n/\n", NULL },
};

/* What Fanfold completes is refused, with the place. */
static void test_our_keys (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (ours); i++) {
        struct error err = ERROR_INIT;
        int rc =
            template_check_keys (qe_label.scan, qe_label.keys, ours[i].lines,
                                 strlen (ours[i].lines), "pw.in", &err);

        assert_int_equal (rc, ours[i].complaint ? -1 : 0);
        if (ours[i].complaint && !strstr (err.text, ours[i].complaint))
            fail_msg ("'%s' lacks '%s'", err.text, ours[i].complaint);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_input),    cmocka_unit_test (test_by_element),
        cmocka_unit_test (test_kspacing), cmocka_unit_test (test_refusals),
        cmocka_unit_test (test_our_keys),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
