/* SPDX-License-Identifier: BSD-3-Clause */
/* test_dataset_writer.c - every form of training data, from the same frames */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/dataset_writer.h"
#include "temp_dir.h"

static char *const elements[] = { "O" };

static const char good[] =
    "1\nenergy=-1 Lattice='9 0 0 0 9 0 0 0 9' "
    "Properties=species:S:1:pos:R:3:forces:R:3\nO 0 0 0 0 0 0\n";

static void test_every_form (void **state)
{
    struct temp_dir dir;
    struct error err = ERROR_INIT;
    size_t n = 0;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", good);
    for (; dataset_writers[n].name; n++) {
        const char *name = dataset_writers[n].name;

        for (size_t i = 0; i < n; i++)
            assert_string_not_equal (name, dataset_writers[i].name);
        if (dataset_writers[n].write ("f", elements, 1, name, NULL, &err) < 0)
            fail_msg ("%s: %s", name, err.text);
        assert_true (file_exists (name));
    }
    assert_int_equal (n, 4);
    assert_file_text ("extxyz/dataset.extxyz", good);
    assert_file_text ("deepmd/O1/type_map.raw", "O\n");
    assert_true (file_exists ("deepmd/O1/set.000/force.npy"));
    assert_true (file_exists ("deepmd-mixed/1/set.000/real_atom_types.npy"));
    assert_true (file_exists ("deepmd-raw/O1/force.raw"));
    temp_dir_leave (&dir);
}

/* What fails leaves no directory. */
static void test_nothing_is_left (void **state)
{
    struct temp_dir dir;
    struct error err = ERROR_INIT;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", "1\n\nO 0 0 0\n");
    for (size_t i = 0; dataset_writers[i].name; i++) {
        const char *name = dataset_writers[i].name;

        assert_int_equal (
            dataset_writers[i].write ("nowhere", elements, 1, name, NULL, &err),
            -1);
        assert_non_null (strstr (err.text, "No such file"));
        assert_false (file_exists (name));
    }
    assert_int_equal (
        dataset_writers[0].write ("f", elements, 1, "deepmd", NULL, &err), -1);
    assert_false (file_exists ("deepmd"));
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_every_form),
        cmocka_unit_test (test_nothing_is_left),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
