/* SPDX-License-Identifier: BSD-3-Clause */
/* test_deepmd_frames.c - DeePMD's npy, mixed and raw forms, frame by frame */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/file.h"
#include "formats/dataset_reader.h"
#include "formats/dataset_writer.h"
#include "formats/deepmd/deepmd_systems.h"
#include "formats/frame.h"
#include "formats/npy/npy.h"
#include "temp_dir.h"

static char *const elements[] = { "O", "H" };

static void put (const char *path, const char *text)
{
    assert_int_equal (file_make_parent (path, NULL), 0);
    write_text (path, text);
}

/* An array of 'rows' rows, with items of "<f8" or "<i8". */
static void put_npy (const char *path, const char *dtype, size_t rows,
                     const double *values, size_t n)
{
    const uint64_t shape[] = { rows, n / rows };
    struct strbuf bytes = STRBUF_INIT;
    char *at;

    npy_format_f64 (values, 2, shape, &bytes);
    at = memmem (bytes.buf, bytes.len, "<f8", 3);
    memcpy (at, dtype, 3);
    for (size_t i = 0; i < n && strcmp (dtype, "<i8") == 0; i++) {
        int64_t whole = (int64_t)values[i];

        memcpy (bytes.buf + bytes.len - 8 * (n - i), &whole, 8);
    }
    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, bytes.buf, bytes.len, NULL), 0);
    strbuf_release (&bytes);
}

/* "O0H1.5 e-2 f3 v7 box9 | ": symbols with x, then what there is. */
static int describe (const struct frame *frame, void *arg, struct error *err)
{
    struct strbuf *text = arg;

    (void)err;
    for (size_t i = 0; i < frame->n_atoms; i++)
        strbuf_addf (text, "%s%g", frame->symbols[i], frame->positions[3 * i]);
    if (frame->has_energy)
        strbuf_addf (text, " e%g", frame->energy);
    if (frame->forces)
        strbuf_addf (text, " f%g", frame->forces[3 * frame->n_atoms - 1]);
    if (frame->has_virial)
        strbuf_addf (text, " v%g", frame->virial[8]);
    if (frame->periodic[0])
        strbuf_addf (text, " box%g", frame->cell[0]);
    if (frame->info)
        strbuf_addf (text, " %s", frame->info);
    strbuf_add_str (text, " | ");
    return 0;
}

static void expect (const char *path, const char *expected)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    if (dataset_read (path, elements, 2, describe, &text, NULL, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (text.buf, expected);
    strbuf_release (&text);
}

static void expect_error (const char *path, const char *expected)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    assert_int_equal (
        dataset_read (path, elements, 2, describe, &text, NULL, &err), -1);
    if (!strstr (err.text, expected))
        fail_msg ("'%s' lacks '%s'", err.text, expected);
    strbuf_release (&text);
}

#define HEAD                                                                   \
    " Lattice='9 0 0 0 9 0 0 0 9' Properties=species:S:1:pos:R:3:forces:R:3"

/* What publishing writes is read back, whatever the order of the atoms. */
static void test_npy (void **state)
{
    struct temp_dir dir;
    struct error err = ERROR_INIT;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f.extxyz",
                "2\nenergy=-2 virial='1 2 3 4 5 6 7 8 9'" HEAD
                "\nO 0 0 0 1 2 3\nH 1.5 1 1 4 5 6\n"
                "2\nenergy=-3" HEAD "\nO 2 0 0 1 2 3\nH 3 1 1 4 5 7\n"
                "1\nenergy=-4" HEAD "\nH 4 0 0 1 2 8\n");
    if (dataset_writers[0].write ("f.extxyz", elements, 2, "out", NULL, &err)
        < 0)
        fail_msg ("%s", err.text);
    expect ("out/O1H1", "O0H1.5 e-2 f6 v9 box9 | ");
    expect ("out", "H4 e-4 f8 box9 | O0H1.5 e-2 f6 v9 box9 | O2H3 e-3 f7 box9 "
                   "| ");
    expect ("f.extxyz", "O0H1.5 e-2 f6 v9 box9 | O2H3 e-3 f7 box9 | H4 e-4 f8 "
                        "box9 | ");
    temp_dir_leave (&dir);
}

/* Sets after sets; types without names are the campaign's elements. */
static void test_sets (void **state)
{
    const double box[] = { 5, 0, 0, 0, 5, 0, 0, 0, 5 };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put ("a/type.raw", "1 0\n");
    put_npy ("a/set.001/coord.npy", "<f8", 1, (double[]){ 7, 0, 0, 8, 0, 0 },
             6);
    put_npy ("a/set.001/box.npy", "<f8", 1, box, 9);
    put_npy ("a/set.000/coord.npy", "<f8", 1, (double[]){ 3, 0, 0, 4, 0, 0 },
             6);
    put_npy ("a/set.000/box.npy", "<f8", 1, box, 9);
    put_npy ("a/set.000/energy.npy", "<f8", 1, (double[]){ -1 }, 1);
    put ("a/coord.raw", "not looked at\n");
    expect ("a", "H3O4 e-1 box5 | H7O8 box5 | ");
    put ("a/nopbc", "");
    put ("a/type_map.raw", "Si C\n");
    assert_int_equal (file_remove_tree ("a/set.000/box.npy", NULL, NULL), 0);
    assert_int_equal (file_remove_tree ("a/set.001", NULL, NULL), 0);
    expect ("a", "C3Si4 e-1 | ");
    temp_dir_leave (&dir);
}

/* -1 is no atom; types are whole numbers or not. */
static void test_mixed (void **state)
{
    static const char *const dtypes[] = { "<i8", "<f8" };
    const double coord[] = { 1, 0, 0, 2, 0, 0, 3, 0, 0,
                             4, 0, 0, 5, 0, 0, 6, 0, 0 };
    const double force[] = { 0, 0, 1, 0, 0, 2, 0, 0, 3,
                             0, 0, 4, 0, 0, 5, 0, 0, 6 };
    const double box[] = {
        5, 0, 0, 0, 5, 0, 0, 0, 5, 6, 0, 0, 0, 6, 0, 0, 0, 6
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put ("m/type.raw", "0\n0\n0\n");
    put ("m/type_map.raw", "H\nC\nO\n");
    put_npy ("m/set.000/coord.npy", "<f8", 2, coord, 18);
    put_npy ("m/set.000/force.npy", "<f8", 2, force, 18);
    put_npy ("m/set.000/box.npy", "<f8", 2, box, 18);
    for (size_t i = 0; i < ARRAY_SIZE (dtypes); i++) {
        put_npy ("m/set.000/real_atom_types.npy", dtypes[i], 2,
                 (double[]){ 2, -1, 0, 1, 1, -1 }, 6);
        expect ("m", "O1H3 f3 box5 | C4C5 f5 box6 | ");
    }
    put_npy ("m/set.000/real_atom_types.npy", "<i8", 2,
             (double[]){ 2, -1, 0, 1, 3, -1 }, 6);
    expect_error ("m", "m/set.000/coord.npy: frame 1: no element is of type 3");
    put_npy ("m/set.000/real_atom_types.npy", "<f8", 2,
             (double[]){ 2, -1, 0, 1, 0.5, -1 }, 6);
    expect_error ("m", "frame 1: atom 2 has type 0.5; types are whole numbers");
    put_npy ("m/set.000/real_atom_types.npy", "<f8", 2,
             (double[]){ 2, -1, (double)NAN, 1, 1, -1 }, 6);
    expect_error ("m", "frame 0: atom 3 has type nan; types are whole numbers");
    put_npy ("m/set.000/real_atom_types.npy", "<i8", 2,
             (double[]){ -1, -1, -1, 1, 1, -1 }, 6);
    expect_error ("m", "frame 0: it has no atoms");
    temp_dir_leave (&dir);
}

/* Parameters of atoms, some for each: those of no atom go with it. */
static void test_parameters_of_mixed (void **state)
{
    static const double values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    static const double box[] = { 5, 0, 0, 0, 6, 0, 0, 0, 7,
                                  5, 0, 0, 0, 6, 0, 0, 0, 7 };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put ("m/type.raw", "0\n0\n0\n");
    put ("m/type_map.raw", "H\nC\nO\n");
    put_npy ("m/set.000/coord.npy", "<f8", 2, (double[18]){ 0 }, 18);
    put_npy ("m/set.000/box.npy", "<f8", 2, box, 18);
    put_npy ("m/set.000/real_atom_types.npy", "<i8", 2,
             (double[]){ 2, -1, 0, 1, 1, -1 }, 6);
    put_npy ("m/set.000/aparam.npy", "<f8", 2, values, 6);
    expect ("m", "O0H0 box5 aparam=\"1.0 3.0\" | "
                 "C0C0 box5 aparam=\"4.0 5.0\" | ");
    put_npy ("m/set.000/aparam.npy", "<f8", 2, values, 12);
    expect ("m", "O0H0 box5 aparam=\"1.0 2.0 5.0 6.0\" | "
                 "C0C0 box5 aparam=\"7.0 8.0 9.0 10.0\" | ");
    /* of the whole frame, as many as there are atoms */
    put_npy ("m/set.000/fparam.npy", "<f8", 2, values, 6);
    put_npy ("m/set.000/aparam.npy", "<f8", 2, values, 6);
    expect ("m", "O0H0 box5 fparam=\"1.0 2.0 3.0\" aparam=\"1.0 3.0\" | "
                 "C0C0 box5 fparam=\"4.0 5.0 6.0\" aparam=\"4.0 5.0\" | ");
    temp_dir_leave (&dir);
}

static void test_raw (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put ("d/r/type.raw", "0 1\n");
    put ("d/r/coord.raw", "1 0 0 2 0 0\n\n3 0 0 4 0 0\n");
    put ("d/r/box.raw", "5 0 0 0 5 0 0 0 5\n6 0 0 0 6 0 0 0 6\n");
    put ("d/r/energy.raw", "-1\n-2\n");
    put ("d/r/force.raw", "0 0 0 0 0 7\n0 0 0 0 0 8\n");
    put ("d/r/virial.raw", "1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 10\n");
    expect ("d", "O1H2 e-1 f7 v9 box5 | O3H4 e-2 f8 v10 box6 | ");
    put ("d/r/energy.raw", "-1\n");
    expect_error ("d", "d/r/energy.raw has fewer frames than d/r/coord.raw");
    put ("d/r/energy.raw", "-1 3\n");
    expect_error ("d", "d/r/energy.raw:1: expected 1 numbers");
    temp_dir_leave (&dir);
}

/* A header of 2^60 rows without numbers. */
static void put_hollow_npy (const char *path)
{
    static const uint64_t shape[] = { UINT64_C (1) << 60, 0 };
    struct strbuf bytes = STRBUF_INIT;

    npy_format_header ("<f8", 2, shape, &bytes);
    assert_int_equal (file_write_atomic (path, bytes.buf, bytes.len, NULL), 0);
    strbuf_release (&bytes);
}

/* Links that lead back up are not followed: 4 of them make 4^16 ways. */
static void test_links (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put ("d/z/type.raw", "0\n");
    put ("d/z/type_map.raw", "H\n");
    put ("d/z/nopbc", "");
    put ("d/z/coord.raw", "1 2 3\n");
    for (int i = 0; i < 4; i++) {
        char name[] = "d/a0";

        name[3] += (char)i;
        assert_int_equal (symlink (".", name), 0);
    }
    assert_int_equal (symlink ("../d/z", "d/y"), 0);
    expect ("d", "H1 | H1 | ");
    temp_dir_leave (&dir);
}

static void test_refusals (void **state)
{
    struct error err = ERROR_INIT;
    const double six[] = { 1, 2, 3, 4, 5, 6 };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put ("empty/deep/x", "");
    expect_error ("empty", "'empty' has no type.raw, nor has a directory in");
    expect_error ("none", "none");
    put ("s/type.raw", "0\n0\n");
    expect_error ("s", "there is no 's/coord.raw'");
    put ("s/set.000/x", "");
    expect_error ("s", "there is no 's/set.000/coord.npy'");
    put_npy ("s/set.000/coord.npy", "<f8", 1, six, 6);
    expect_error ("s", "there is no 's/set.000/box.npy'; put it there, or an "
                       "empty file 'nopbc'");
    put_npy ("s/set.000/box.npy", "<f8", 1, six, 6);
    expect_error ("s", "s/set.000/box.npy: rows of 6 numbers; expected 9");
    put ("s/type.raw", "0 0 5\n");
    put ("s/nopbc", "");
    expect_error ("s", "coord.npy: rows of 6 numbers; expected 9");
    put ("s/type.raw", "5 5\n");
    assert_int_equal (file_remove_tree ("s/set.000/box.npy", NULL, NULL), 0);
    expect_error ("s",
                  "frame 0: no element is of type 5; add it to type_map.raw");
    put ("s/type.raw", "O H\n");
    expect_error ("s", "s/type.raw:1: expected types of atoms, from 0 on");
    put ("s/type.raw", "4294967296\n");
    assert_int_equal (deepmd_system_check_types ("s", elements, 2, &err), -1);
    assert_string_equal (err.text,
                         "s: atom 1 has type 4.29497e+09, and there are 2 "
                         "elements; name the types in type_map.raw");
    put ("s/type.raw", "\n");
    expect_error ("s", "s/type.raw: there are no types of atoms in it");
    put ("s/type.raw", "0\n");
    put_npy ("s/set.000/coord.npy", "<f8", 1, six, 3);
    put_hollow_npy ("s/set.000/fparam.npy");
    expect_error ("s", "s/set.000/fparam.npy: its rows have no numbers");
    temp_dir_leave (&dir);
}

/* One file of it all. */
static void test_convert (void **state)
{
    struct temp_dir dir;
    struct error err = ERROR_INIT;

    (void)state;
    temp_dir_enter (&dir);
    put ("d/a/type.raw", "0\n");
    put ("d/a/coord.raw", "1 0 0\n");
    put ("d/a/box.raw", "5 0 0 0 5 0 0 0 5\n");
    put ("d/a/energy.raw", "-1\n");
    put ("d/b/type.raw", "1\n");
    put ("d/b/coord.raw", "2 0 0\n");
    put ("d/b/nopbc", "");
    if (dataset_convert ("d", elements, 2, "all.extxyz", NULL, &err) < 0)
        fail_msg ("%s", err.text);
    expect ("all.extxyz", "O1 e-1 box5 | H2 | ");
    assert_int_equal (
        dataset_convert ("none", elements, 2, "none.extxyz", NULL, &err), -1);
    assert_false (file_exists ("none.extxyz"));
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_npy),
        cmocka_unit_test (test_sets),
        cmocka_unit_test (test_mixed),
        cmocka_unit_test (test_parameters_of_mixed),
        cmocka_unit_test (test_raw),
        cmocka_unit_test (test_links),
        cmocka_unit_test (test_refusals),
        cmocka_unit_test (test_convert),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
