/* SPDX-License-Identifier: BSD-3-Clause */
/* test_feature_file.c - features of frames and of atoms, and what is none */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "in_temp_dir.h"
#include "base/file.h"
#include "formats/npy/npy.h"
#include "selection/features/feature_file.h"

/* 0, 1, 2 .. in an array of this shape; 'bad' of them is not finite. */
static void put (int n_dims, const uint64_t *shape, size_t bad)
{
    double values[64];
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (values); i++)
        values[i] = i == bad ? NAN : (double)i;
    npy_format_f64 (values, n_dims, shape, &text);
    assert_int_equal (file_write_atomic ("f.npy", text.buf, text.len, NULL), 0);
    strbuf_release (&text);
}

static void test_rows (void **state)
{
    static const struct {
        enum feature_pool pool;
        int n_dims;
        uint64_t shape[3];
        struct feature_place place;
        size_t width;
        double row[2];
    } cases[] = {
        { POOL_NONE, 2, { 5, 2 }, { 3, 0, 0 }, 2, { 6, 7 } },
        { POOL_MEAN, 3, { 2, 3, 2 }, { 1, 0, 0 }, 2, { 8, 9 } },
        { POOL_MAX, 3, { 2, 3, 2 }, { 1, 0, 0 }, 2, { 10, 11 } },
        { POOL_SUM, 3, { 2, 3, 2 }, { 0, 0, 0 }, 2, { 6, 9 } },
        { POOL_MEAN, 2, { 7, 2 }, { 1, 2, 3 }, 2, { 6, 7 } },
        { POOL_SUM, 2, { 7, 2 }, { 1, 2, 3 }, 2, { 18, 21 } },
        { POOL_MAX, 2, { 7, 1 }, { 2, 5, 2 }, 1, { 6, 0 } },
    };
    const double *row;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        struct feature_file *file;

        put (cases[i].n_dims, cases[i].shape, SIZE_MAX);
        file = feature_file_open ("f.npy", cases[i].pool, &err);
        assert_non_null (file);
        assert_int_equal (feature_file_width (file), cases[i].width);
        for (int again = 0; again < 2; again++) {
            assert_int_equal (
                feature_file_read (file, &cases[i].place, &row, &err), 0);
            assert_memory_equal (row, cases[i].row,
                                 cases[i].width * sizeof (*row));
        }
        feature_file_close (file);
    }
}

static void test_what_is_none (void **state)
{
    static const struct {
        enum feature_pool pool;
        int n_dims;
        uint64_t shape[3];
        const char *message;
    } cases[] = {
        { POOL_NONE, 3, { 2, 3, 2 }, "write pool: mean, max or sum" },
        { POOL_MEAN, 1, { 5 }, "an array of 1 extents" },
        { POOL_NONE, 2, { 0, 5000 }, "rows of 5000 features" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        put (cases[i].n_dims, cases[i].shape, SIZE_MAX);
        assert_null (feature_file_open ("f.npy", cases[i].pool, &err));
        assert_non_null (strstr (err.text, cases[i].message));
        assert_non_null (strstr (err.text, "f.npy"));
    }
}

static void test_not_finite (void **state)
{
    static const struct {
        enum feature_pool pool;
        const char *message;
    } cases[] = { { POOL_NONE, "f.npy: row 2 (from 0): feature 1 is not" },
                  { POOL_MAX, "f.npy: row 2 (from 0): feature 1 is not" } };
    static const uint64_t shape[2] = { 4, 2 };
    const double *row;

    (void)state;
    put (2, shape, 5);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct feature_place good = { 1, 0, 2 }, bad = { 2, 1, 2 };
        struct error err = ERROR_INIT;
        struct feature_file *file =
            feature_file_open ("f.npy", cases[i].pool, &err);

        assert_int_equal (feature_file_read (file, &good, &row, &err), 0);
        assert_int_equal (feature_file_read (file, &bad, &row, &err), -1);
        assert_non_null (strstr (err.text, cases[i].message));
        feature_file_close (file);
    }
}

static void test_fits (void **state)
{
    static const uint64_t shape[2] = { 6, 2 };
    struct error err = ERROR_INIT;
    struct feature_file *file;

    (void)state;
    put (2, shape, SIZE_MAX);
    file = feature_file_open ("f.npy", POOL_NONE, &err);
    assert_int_equal (feature_file_check (file, 6, 18, &err), 0);
    assert_int_equal (feature_file_frames (file, &err), 6);
    assert_int_equal (feature_file_check (file, 5, 6, &err), -1);
    assert_non_null (strstr (err.text, "6 rows, but the trajectory has 5 fra"));
    feature_file_close (file);
    file = feature_file_open ("f.npy", POOL_SUM, &err);
    assert_int_equal (feature_file_check (file, 2, 6, &err), 0);
    assert_int_equal (feature_file_check (file, 6, 18, &err), -1);
    assert_non_null (strstr (err.text, "has 18 atoms"));
    assert_int_equal (feature_file_frames (file, &err), -1);
    assert_non_null (strstr (err.text, "[frames, atoms, d]"));
    feature_file_close (file);
    assert_null (feature_file_open ("absent.npy", POOL_NONE, &err));
    assert_true (error_is_absence (&err));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_rows),
        cmocka_unit_test (test_what_is_none),
        cmocka_unit_test (test_not_finite),
        cmocka_unit_test (test_fits),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, enter, leave);
}
