/* SPDX-License-Identifier: BSD-3-Clause */
/* test_deepmd_dataset.c - frames sorted into systems of npy files */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "temp_dir.h"
#include "formats/deepmd/deepmd_dataset.h"
#include "formats/npy/npy.h"

static char *const elements[] = { "O", "H" };

#define HEAD                                                                   \
    " Lattice='9 0 0 0 9 0 0 0 9' Properties=species:S:1:pos:R:3:forces:R:3"
#define VIRIAL " virial='1 2 3 4 5 6 7 8 9'"
#define OH(energy, more)                                                       \
    "2\nenergy=" energy HEAD more "\nO 0 0 0 1 2 3\nH 1 1 1 4 5 6\n"
#define HO(energy, more)                                                       \
    "2\nenergy=" energy HEAD more "\nH 1 1 1 4 5 6\nO 0 0 0 1 2 3\n"
#define O(energy, more) "1\nenergy=" energy HEAD more "\nO 0 0 0 0 0 0\n"

static int write_frames (const char *text, struct error *err)
{
    write_text ("f.extxyz", text);
    return deepmd_dataset_write ("f.extxyz", elements, 2, "out", NULL, err);
}

/* The array is 'n' such numbers with this first extent. */
static void expect_array (const char *path, int n_dims, uint64_t n_frames,
                          const double *values, size_t n)
{
    struct strbuf file = STRBUF_INIT;
    struct npy_header header;
    struct error err = ERROR_INIT;

    if (npy_check_file (path, &header, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (header.dtype, "<f8");
    assert_int_equal (header.n_dims, n_dims);
    assert_int_equal (header.shape[0], n_frames);
    assert_int_equal (header.n_items, n);
    assert_int_equal (file_read (path, 1 << 20, &file, NULL), 0);
    assert_memory_equal (file.buf + header.data_offset, values,
                         n * sizeof (*values));
    strbuf_release (&file);
}

static void test_one_system (void **state)
{
    const double energy[] = { -1, -2.5 };
    const double coord[] = { 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1 };
    const double force[] = { 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6 };
    const double box[] = {
        9, 0, 0, 0, 9, 0, 0, 0, 9, 9, 0, 0, 0, 9, 0, 0, 0, 9
    };
    const double virial[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9,
                              1, 2, 3, 4, 5, 6, 7, 8, 9 };
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    if (write_frames (OH ("-1", VIRIAL) OH ("-2.5", VIRIAL), &err) < 0)
        fail_msg ("%s", err.text);
    assert_file_text ("out/O1H1/type.raw", "0\n1\n");
    assert_file_text ("out/O1H1/type_map.raw", "O\nH\n");
    expect_array ("out/O1H1/set.000/energy.npy", 1, 2, energy, 2);
    expect_array ("out/O1H1/set.000/coord.npy", 2, 2, coord, 12);
    expect_array ("out/O1H1/set.000/force.npy", 2, 2, force, 12);
    expect_array ("out/O1H1/set.000/box.npy", 2, 2, box, 18);
    expect_array ("out/O1H1/set.000/virial.npy", 2, 2, virial, 18);
    temp_dir_leave (&dir);
}

/* Another order of the same atoms is another system, and so are frames without
 * virial: those with one keep it.
 */
static void test_several_systems (void **state)
{
    struct strvec names = STRVEC_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (write_frames (HO ("1", VIRIAL) OH ("2", "")
                                        O ("3", VIRIAL) OH ("4", VIRIAL)
                                            HO ("5", VIRIAL),
                                    NULL),
                      0);
    assert_int_equal (file_list_dir ("out", &names, NULL), 0);
    assert_int_equal (names.n, 4);
    assert_string_equal (names.v[0], "O1");
    assert_string_equal (names.v[1], "O1H1");
    assert_string_equal (names.v[2], "O1H1-1");
    assert_string_equal (names.v[3], "O1H1-2");
    assert_file_text ("out/O1H1/type.raw", "1\n0\n");
    assert_file_text ("out/O1H1-1/type.raw", "0\n1\n");
    expect_array ("out/O1H1/set.000/energy.npy", 1, 2, (double[]){ 1, 5 }, 2);
    expect_array ("out/O1H1-1/set.000/energy.npy", 1, 1, (double[]){ 2 }, 1);
    expect_array ("out/O1H1-2/set.000/energy.npy", 1, 1, (double[]){ 4 }, 1);
    assert_true (file_exists ("out/O1H1/set.000/virial.npy"));
    assert_false (file_exists ("out/O1H1-1/set.000/virial.npy"));
    assert_true (file_exists ("out/O1H1-2/set.000/virial.npy"));
    strvec_release (&names);
    temp_dir_leave (&dir);
}

static void test_no_frames (void **state)
{
    struct strvec names = STRVEC_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (write_frames ("", NULL), 0);
    assert_int_equal (file_list_dir ("out", &names, NULL), 0);
    assert_int_equal (names.n, 0);
    strvec_release (&names);
    temp_dir_leave (&dir);
}

static void test_refused (void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { OH ("1", "") "1\nenergy=1\nO 0 0 0\n",
          "f.extxyz: frame 1: no forces" },
        { "1\nLattice='9 0 0 0 9 0 0 0 9'\nO 0 0 0\n",
          "f.extxyz: frame 0: no energy" },
        { O ("nan", ""), "f.extxyz: frame 0: energy: a number is not finite" },
        { O ("1", " virial='1 2 3 4 inf 6 7 8 9'"),
          "f.extxyz: frame 0: virial: a number is not finite" },
        { O ("1", " fparam='300 hot'"),
          "f.extxyz: frame 0: fparam: expected numbers" },
        { O ("1", " fparam=nan"),
          "f.extxyz: frame 0: fparam: a number is not finite" },
        { OH ("1", " aparam='1 2 3'"),
          "f.extxyz: frame 0: aparam: 3 numbers for 2 atoms; write as many for "
          "each atom" },
        { O ("1", " pbc='T T F'"), "f.extxyz: frame 0: periodic in some "
                                   "directions only; DeePMD data are in all of "
                                   "them or in none" },
        { "1\nenergy=1" HEAD "\nSi 0 0 0 0 0 0\n",
          "f.extxyz: frame 0: 'Si' is not among the elements" },
        { "0\nenergy=1" HEAD "\n", "f.extxyz: frame 0: no atoms" },
        { OH ("1", "") "2\n", "f.extxyz:5: the file ends within a frame" },
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        assert_int_equal (write_frames (cases[i].text, &err), -1);
        assert_string_equal (err.text, cases[i].message);
        assert_false (file_exists ("out"));
    }
    temp_dir_leave (&dir);
}

static void test_existing_directory_is_kept (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (file_make_dirs ("out/mine", NULL), 0);
    assert_int_equal (write_frames (O ("1", ""), &err), -1);
    assert_string_equal (err.text, "cannot create 'out': File exists");
    assert_true (file_exists ("out/mine/."));
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_one_system),
        cmocka_unit_test (test_several_systems),
        cmocka_unit_test (test_no_frames),
        cmocka_unit_test (test_refused),
        cmocka_unit_test (test_existing_directory_is_kept),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
