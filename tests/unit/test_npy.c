/* SPDX-License-Identifier: BSD-3-Clause */
/* test_npy.c - NumPy's headers, good and bad, and arrays written for it */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "temp_dir.h"
#include "formats/npy/npy.h"

/* A file of version 1.0 with this dictionary. */
static void make_file (const char *dictionary, struct strbuf *out)
{
    size_t len = strlen (dictionary);

    strbuf_reset (out);
    strbuf_add (out, "\x93NUMPY\x01\x00", 8);
    strbuf_add_char (out, (char)(len & 0xff));
    strbuf_add_char (out, (char)(len >> 8));
    strbuf_add (out, dictionary, len);
    strbuf_add (out, "\0\0\0", 3); /* some data */
}

static void test_headers (void **state)
{
    static const struct {
        const char *dictionary;
        const char *dtype;
        size_t item_bytes;
        int n_dims;
        uint64_t n_items;
    } cases[] = {
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (20, 9), }  \n",
          "<f8", 8, 2, 180 },
        { "{\"shape\":(3,),\"fortran_order\":True,\"descr\":\"<f4\"}", "<f4", 4,
          1, 3 },
        { "{'descr': '|b1', 'fortran_order': False, 'shape': ()}", "|b1", 1, 0,
          1 },
        { "{ 'descr' : '<i8' , 'fortran_order' : False , 'shape' : ( 0 , 7 ) }",
          "<i8", 8, 2, 0 },
        { "{'descr': '|u1', 'fortran_order': False, "
          "'shape': (1, 2, 1, 2, 1, 2, 1, 2)}",
          "|u1", 1, 8, 16 },
        { "{'descr': '<f2', 'fortran_order': False, 'shape': (3,)}", "<f2", 2,
          1, 3 },
        { "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)}", "<i4", 4,
          1, 3 },
        { "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 2)}", "<i2", 2,
          2, 6 },
        { "{'descr': '|i1', 'fortran_order': False, 'shape': (3,)}", "|i1", 1,
          1, 3 },
    };
    struct strbuf file = STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct npy_header header;
        struct error err = ERROR_INIT;

        make_file (cases[i].dictionary, &file);
        if (npy_parse_header (file.buf, file.len, "a.npy", &header, &err) < 0)
            fail_msg ("%s", err.text);
        assert_string_equal (header.dtype, cases[i].dtype);
        assert_int_equal (header.item_bytes, cases[i].item_bytes);
        assert_int_equal (header.n_dims, cases[i].n_dims);
        assert_int_equal (header.n_items, cases[i].n_items);
        assert_int_equal (header.data_offset,
                          10 + strlen (cases[i].dictionary));
    }
    strbuf_release (&file);
}

static void test_bad_headers (void **state)
{
    static const struct {
        const char *dictionary;
        const char *message;
    } cases[] = {
        { "", "a.npy: expected a header with descr" },
        { "{", "a.npy: expected a header with descr" },
        { "{}", "a.npy: expected a header with descr" },
        { "{'descr': '<f8', 'fortran_order': False}", "a.npy: expected a" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
          "a.npy: expected a header" },
        { "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}",
          "a.npy: expected a header" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
          "a.npy: expected a header" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
          "a.npy: expected a header" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (1,",
          "a.npy: expected a header" },
        { "{'descr': '<f8', 'fortran_order': False, "
          "'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1)}",
          "a.npy: expected a header" },
        { "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, "
          "'shape': (1,)}",
          "a.npy: expected a header" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'x': 1}",
          "a.npy: expected a header" },
        { "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}",
          "a.npy: expected a header" },
        { "{'descr': '<f8", "a.npy: expected a header" },
        { "{'a very long key that is none': 1}", "a.npy: expected a header" },
        { "{'descr': '>f8', 'fortran_order': False, 'shape': (1,)}",
          "a.npy: items of type '>f8' are not read" },
        { "{'descr': '<u2', 'fortran_order': False, 'shape': (1,)}",
          "a.npy: items of type '<u2' are not read" },
        { "{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2)}",
          "a.npy: the array is in Fortran order" },
        { "{'descr': '<f8', 'fortran_order': False, "
          "'shape': (9223372036854775807, 9223372036854775807)}",
          "a.npy: the shape is too large" },
        { "{'descr': '<f8', 'fortran_order': False, "
          "'shape': (4611686018427387904,)}",
          "a.npy: the shape is too large" },
    };
    struct strbuf file = STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct npy_header header = { .n_dims = 42 };
        struct error err = ERROR_INIT;

        make_file (cases[i].dictionary, &file);
        assert_int_equal (
            npy_parse_header (file.buf, file.len, "a.npy", &header, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
        assert_int_equal (header.n_dims, 42);
    }
    strbuf_release (&file);
}

static void test_bad_preambles (void **state)
{
    static const struct {
        const char *bytes;
        const char *message;
    } cases[] = {
        { "\x93NUMPX\x01\x00\x10\x00{'descr", "a: not an npy file" },
        { "\x93NUMPY\x03\x00\x10\x00{'descr",
          "a: npy version 3.0; 1.0 and 2.0" },
        { "\x93NUMPY\xff\x01\x10\x00{'descr", "a: npy version 255.1; " },
        { "\x93NUMPY\x01\x00\x10\x00{'descr", "a: the header is cut short" },
        { "\x93NUMPY\x02\x00\xff\xff\xff\xff{'de",
          "a: a header of 4294967295" },
        { "\x93NUMPY\x02\x00\x10\x00\x00\x00{'de",
          "a: the header is cut short" },
    };
    struct npy_header header;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        assert_int_equal (
            npy_parse_header (cases[i].bytes, 16, "a", &header, &err), -1);
        if (strncmp (err.text, cases[i].message, strlen (cases[i].message))
            != 0)
            fail_msg ("expected '%s', found '%s'", cases[i].message, err.text);
    }
}

static void test_version_2 (void **state)
{
    static const char dictionary[] =
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n";
    struct strbuf file = STRBUF_INIT;
    struct npy_header header;

    (void)state;
    strbuf_add (&file, "\x93NUMPY\x02\x00", 8);
    strbuf_add_char (&file, (char)strlen (dictionary));
    strbuf_add (&file, "\0\0\0", 3);
    strbuf_add_str (&file, dictionary);
    assert_int_equal (npy_parse_header (file.buf, file.len, "a", &header, NULL),
                      0);
    assert_int_equal (header.data_offset, file.len);
    assert_int_equal (header.n_items, 2);
    strbuf_release (&file);
}

/* Written by NumPy; cut anywhere, or continued, the header or the size tells.
 */
static void test_files (void **state)
{
    struct strbuf file = STRBUF_INIT;
    struct npy_header header;
    struct error err = ERROR_INIT;
    struct temp_dir dir;
    char *path = fixture_path ("npy/virial.npy");

    (void)state;
    assert_int_equal (npy_check_file (path, &header, &err), 0);
    assert_int_equal (header.n_dims, 2);
    assert_int_equal (header.shape[0], 20);
    assert_int_equal (header.shape[1], 9);
    assert_int_equal (header.data_offset, 128);
    fixture_read ("npy/virial.npy", &file);
    temp_dir_enter (&dir);
    for (size_t len = 0; len < file.len; len += len < 130 ? 1 : 97) {
        assert_int_equal (file_write_atomic ("cut", file.buf, len, NULL), 0);
        assert_int_equal (npy_check_file ("cut", &header, &err), -1);
    }
    assert_string_equal (err.text,
                         "cut: 1488 bytes, but the header promises 1568");
    strbuf_add_char (&file, '\0');
    assert_int_equal (file_write_atomic ("long", file.buf, file.len, NULL), 0);
    assert_int_equal (npy_check_file ("long", &header, &err), -1);
    assert_string_equal (err.text,
                         "long: 1569 bytes, but the header promises 1568");
    assert_int_equal (npy_check_file ("nowhere", &header, &err), -1);
    assert_string_equal (err.text,
                         "cannot open 'nowhere': No such file or directory");
    assert_int_equal (npy_check_file (".", &header, &err), -1);
    temp_dir_leave (&dir);
    strbuf_release (&file);
    free (path);
}

/* What NumPy wrote is what we write, to the byte. */
static void test_format_as_numpy (void **state)
{
    const uint64_t shape[] = { 20, 9 };
    struct strbuf file = STRBUF_INIT, out = STRBUF_INIT;
    double values[180];

    (void)state;
    fixture_read ("npy/virial.npy", &file);
    memcpy (values, file.buf + 128, sizeof (values));
    npy_format_f64 (values, 2, shape, &out);
    assert_int_equal (out.len, file.len);
    assert_memory_equal (out.buf, file.buf, file.len);
    strbuf_release (&file);
    strbuf_release (&out);
}

static void test_format_shapes (void **state)
{
    const uint64_t shape[8] = { 2, 1, 1, 1, 1, 1, 1, 1 };
    const double values[2] = { 1, 2 };

    (void)state;
    for (int n_dims = 1; n_dims <= 8; n_dims++) {
        struct strbuf out = STRBUF_INIT;
        struct npy_header header;

        npy_format_f64 (values, n_dims, shape, &out);
        assert_int_equal (
            npy_parse_header (out.buf, out.len, "a", &header, NULL), 0);
        assert_int_equal (header.n_dims, n_dims);
        assert_int_equal (header.n_items, 2);
        assert_int_equal (header.data_offset % 64, 0);
        assert_int_equal (out.len, header.data_offset + 16);
        strbuf_release (&out);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_headers),
        cmocka_unit_test (test_bad_headers),
        cmocka_unit_test (test_bad_preambles),
        cmocka_unit_test (test_version_2),
        cmocka_unit_test (test_files),
        cmocka_unit_test (test_format_as_numpy),
        cmocka_unit_test (test_format_shapes),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
