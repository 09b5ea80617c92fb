/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_element_files.c - a file for each element, in a directory */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "formats/frame.h"
#include "operators/label/element_files.h"
#include "operators/label/label_kit.h"
#include "quoted_json.h"
#include "temp_dir.h"

static const struct {
    const char *files;
    const char *dir; /* NULL: another stage's */
    const char *error;
    const char *warning; /* for elements Si and O */
} cases[] = {
    { "{'Si': 'Si.UPF', 'O': 'O.UPF'}", "'pseudo'", NULL, "" },
    { "{'Si': 'Si.UPF'}", "'pseudo'", NULL,
      "pseudopotentials: none for 'O', and frames that have it fail; add O: "
      "FILE" },
    { "{'Si': 'si.UPF'}", "'pseudo'",
      "pseudopotentials.Si: there is no 'si.UPF' in ./pseudo; did you mean "
      "'Si.UPF'?",
      "pseudopotentials: none for 'O', and frames that have it fail; add O: "
      "FILE" },
    { "{'Si': 'nothing.like.it'}", "'pseudo'",
      "pseudopotentials.Si: there is no 'nothing.like.it' in ./pseudo; name "
      "a file that is there, or another pseudo_dir",
      NULL },
    { "{'O': 'Ni.UPF'}", "'pseudo'",
      "pseudopotentials.O: there is no 'Ni.UPF' in ./pseudo; name a file that "
      "is there, or another pseudo_dir",
      NULL },
    { "{'Sj': 'Si.UPF'}", "'pseudo'",
      "pseudopotentials: 'Sj' is no element; write {Si: FILE}", NULL },
    { "{'Si': 'v2.UPF', 'O': 'v1.UPF'}", "'pseudo'", NULL, "" },
    { "{'O': 'v2.UPF'}", "'pseudo'",
      "pseudopotentials.O: './pseudo/v2.UPF' is of Si; name a file of O",
      NULL },
    { "{'Si': 'v1.UPF'}", "'pseudo'",
      "pseudopotentials.Si: './pseudo/v1.UPF' is of O; name a file of Si",
      NULL },
    { "{'Si': 'c.gth'}", "'pseudo'",
      "pseudopotentials.Si: './pseudo/c.gth' is of C; name a file of Si",
      NULL },
    { "{'Si': 'al.orb'}", "'pseudo'",
      "pseudopotentials.Si: './pseudo/al.orb' is of Al; name a file of Si",
      NULL },
    { "{'Si': 'x', 'O': 'y'}", "'/nowhere'", NULL,
      "pseudopotentials: there is no '/nowhere' on this host; if the nodes do "
      "not have it either: correct pseudo_dir" },
    { "{'Si': 'x', 'O': 'y'}", NULL, NULL, "" },
    { "{}", NULL, NULL,
      "pseudopotentials: none for 'Si', and frames that have it fail; add Si: "
      "FILE" },
};

static void test_before_anything_runs (void **state)
{
    static const char *const elements[] = { "Si", "O", NULL };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (file_make_dirs ("pseudo", NULL), 0);
    write_text ("pseudo/Si.UPF", "");
    write_text ("pseudo/O.UPF", "");
    write_text ("pseudo/v2.UPF",
                "<UPF version=\"2.0.1\">\n  <PP_INFO>\n element=\"C\"\n"
                "  </PP_INFO>\n  <PP_HEADER generated=\"x\"\n"
                "    element=\" SI\"\n pseudo_type=\"NC\"/>\n");
    write_text ("pseudo/v1.UPF",
                "<PP_INFO>\nElement C\n</PP_INFO>\n<PP_HEADER>\n"
                "   0                   Version Number\n"
                "  O                    Element\n   US  Ultrasoft\n"
                "</PP_HEADER>\n<PP_ADDINFO element=\"C\">\n");
    write_text ("pseudo/c.gth", "# of CP2K\n\n#\n\n C GTH-PBE-q4 GTH-PBE\n"
                                " 2 2\n");
    write_text ("pseudo/al.orb", "-----\nElement                     Al\n"
                                 "Energy Cutoff(Ry)           100\n");
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *others = json_object (), *files = json_of (cases[i].files);
        struct strbuf says = STRBUF_INIT;
        struct error err = ERROR_INIT;
        const struct known_input input = { .name = "pseudopotentials",
                                           .value = files,
                                           .others = others,
                                           .elements = elements,
                                           .dir = "./" };

        if (cases[i].dir)
            json_set (others, "pseudo_dir", json_of (cases[i].dir));
        element_files_check (&input, &err);
        assert_string_equal (err.text, cases[i].error ? cases[i].error : "");
        element_files_doubt (&input, &says);
        if (cases[i].warning)
            assert_string_equal (says.len > 0 ? says.buf : "",
                                 cases[i].warning);
        strbuf_release (&says);
        json_unref (others);
        json_unref (files);
    }
    temp_dir_leave (&dir);
}

static void test_inside_a_task (void **state)
{
    static const struct {
        const char *symbol;
        const char *complaint;
    } atoms[] = {
        { "O", "" },
        { "Fe", "atom 2: pseudopotentials has no file for 'Fe'; add Fe: FILE" },
        { "Xx", "atom 2: 'Xx' is no element" },
    };
    struct json *inputs = json_of ("{'pseudopotentials': {'Si': 'a', 'O': 'b', "
                                   "'Xx': 'c'}, 'pseudo_dir': 'p'}");
    const struct step_task task = { .campaign_dir = "/c" };
    struct frame frame = FRAME_INIT;
    const struct label_input input = { .task = &task,
                                       .inputs = inputs,
                                       .frame = &frame };
    char *dir = element_files_dir (&input, "pseudopotentials", NULL);

    (void)state;
    assert_string_equal (dir, "/c/p");
    free (dir);
    assert_null (element_files_dir (&input, "orbitals", NULL));
    assert_int_equal (frame_resize (&frame, 2, false, NULL), 0);
    symbol_set (frame.symbols[0], "Si", 2);
    for (size_t i = 0; i < ARRAY_SIZE (atoms); i++) {
        struct error err = ERROR_INIT;

        symbol_set (frame.symbols[1], atoms[i].symbol,
                    strlen (atoms[i].symbol));
        element_files_cover (&input, "pseudopotentials", &err);
        assert_string_equal (err.text, atoms[i].complaint);
    }
    frame_release (&frame);
    json_unref (inputs);
}

/* A task looks at the file of every element that its frame has, wherever its
 * first atom is.
 */
static void test_of_another_element (void **state)
{
    static const char *const symbols[] = { "Si", "Si", "O", "Si" };
    struct json *inputs = json_of ("{'pseudopotentials': {'Si': 'si.gth', 'O': "
                                   "'si.gth'}, 'pseudo_dir': '.'}");
    struct frame frame = FRAME_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("si.gth", "Si GTH-PBE-q4 GTH-PBE\n");
    assert_int_equal (frame_resize (&frame, 4, false, NULL), 0);
    for (size_t n = 1; n <= ARRAY_SIZE (symbols); n++) {
        const struct step_task task = { .campaign_dir = dir.path };
        const struct label_input input = { .task = &task,
                                           .inputs = inputs,
                                           .frame = &frame };
        struct error err = ERROR_INIT;

        frame.n_atoms = n;
        symbol_set (frame.symbols[n - 1], symbols[n - 1],
                    strlen (symbols[n - 1]));
        element_files_cover (&input, "pseudopotentials", &err);
        if (n < 3)
            assert_string_equal (err.text, "");
        else
            assert_non_null (strstr (err.text, "si.gth' is of Si; name a file "
                                               "of O"));
    }
    frame.n_atoms = 4;
    frame_release (&frame);
    json_unref (inputs);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_before_anything_runs),
        cmocka_unit_test (test_inside_a_task),
        cmocka_unit_test (test_of_another_element),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
