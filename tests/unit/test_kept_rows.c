/* SPDX-License-Identifier: BSD-3-Clause */
/* test_kept_rows.c - the rows of a model_devi.out that have a frame */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "formats/deviations/kept_rows.h"
#include "in_temp_dir.h"

#define HEADER "#       step         max_devi_v\n"

static const struct {
    const char *text;
    const char *kept;
    int64_t steps[4];
    size_t n;
} cases[] = {
    { HEADER " 0 1e-1\n 10 2e-1\n 20 3e-1\n",
      HEADER " 0 1e-1\n 10 2e-1\n 20 3e-1\n",
      { 0, 10, 20 },
      3 },
    /* the first, one in the middle, the last, and none */
    { HEADER " 0 1\n 10 2\n 20 3\n", HEADER " 10 2\n 20 3\n", { 10, 20 }, 2 },
    { HEADER " 0 1\n 10 2\n 20 3\n", HEADER " 0 1\n 20 3\n", { 0, 20 }, 2 },
    { HEADER " 0 1\n 10 2\n 20 3\n", HEADER " 0 1\n 10 2\n", { 0, 10 }, 2 },
    { HEADER " 0 1\n", HEADER, { 0 }, 0 },
    /* a step that begins like another */
    { " 1 1\n 10 2\n 100 3\n", " 10 2\n", { 10 }, 1 },
    /* LAMMPS began again: so do steps */
    { " 0 1\n 10 2\n 0 3\n", " 0 1\n 0 3\n", { 0 }, 1 },
    /* names of systems stay, and what is no row goes */
    { "# data.0\n 0 1\nWARNING\n\n# data.1\n 10 2\n",
      "# data.0\n 0 1\n# data.1\n 10 2\n",
      { 0, 10 },
      2 },
    /* a line without its end may be cut, be it a row or a comment */
    { " 0 1\n 10 1.234", " 0 1\n", { 0, 10 }, 2 },
    { " 0 1\n# data", " 0 1\n", { 0 }, 1 },
    { "", "", { 0 }, 1 },
};

static void test_kept (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        print_message ("# case %zu\n", i);
        write_text ("all", cases[i].text);
        if (kept_rows_copy ("all", "kept", cases[i].steps, cases[i].n, &err)
            < 0)
            fail_msg ("%s", err.text);
        assert_file_text ("kept", cases[i].kept);
    }
}

static void test_no_file (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (kept_rows_copy ("none", "to", NULL, 0, &err), -1);
    assert_non_null (strstr (err.text, "none"));
    assert_false (file_exists ("to"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_kept),
        cmocka_unit_test (test_no_file),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, enter, leave);
}
