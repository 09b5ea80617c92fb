/* SPDX-License-Identifier: BSD-3-Clause */
/* test_digest.c - SHA-256 as sha256sum prints it */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "temp_dir.h"

/* FIPS 180-2, appendix B. */
#define SHA256_OF_ABC                                                          \
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define SHA256_OF_NOTHING                                                      \
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void test_bytes (void **state)
{
    char hex[DIGEST_HEX_SIZE];

    (void)state;
    digest_bytes ("abc", 3, hex);
    assert_string_equal (hex, SHA256_OF_ABC);
    digest_bytes ("", 0, hex);
    assert_string_equal (hex, SHA256_OF_NOTHING);
}

/* However it is cut, the digest is that of the whole. */
static void test_grows (void **state)
{
    unsigned char bytes[300];

    (void)state;
    for (size_t i = 0; i < sizeof (bytes); i++)
        bytes[i] = (unsigned char)(7 * i);
    for (size_t cut = 0; cut <= sizeof (bytes); cut++) {
        struct digest_state grown, read;
        char hex[DIGEST_HEX_SIZE], expected[DIGEST_HEX_SIZE];
        char text[DIGEST_HEX_SIZE];

        digest_begin (&grown);
        digest_add (&grown, bytes, cut, hex);
        digest_bytes (bytes, cut, expected);
        assert_string_equal (hex, expected);
        digest_state_format (&grown, text);
        assert_int_equal (digest_state_parse (text, cut, &read), 0);
        assert_int_equal (read.bytes, cut / 64 * 64);
        digest_add (&read, bytes + read.bytes, sizeof (bytes) - read.bytes,
                    hex);
        digest_bytes (bytes, sizeof (bytes), expected);
        assert_string_equal (hex, expected);
    }
}

static void test_bad_state (void **state)
{
    static const char *const bad[] = { "", "abc", (SHA256_OF_ABC "0"),
                                       ("G" SHA256_OF_ABC) };
    struct digest_state read = { 7, { 0 } };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++)
        assert_int_equal (digest_state_parse (bad[i], 64, &read), -1);
    assert_int_equal (read.bytes, 7);
}

static void test_file (void **state)
{
    char hex[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("a", "abc");
    assert_int_equal (digest_tree ("a", hex, NULL, NULL, &err), 0);
    assert_string_equal (hex, SHA256_OF_ABC);
    temp_dir_leave (&dir);
}

static void test_errors_leave_hex_alone (void **state)
{
    char hex[DIGEST_HEX_SIZE] = "as it was";
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (digest_tree ("none", hex, NULL, NULL, &err), -1);
    assert_non_null (strstr (err.text, "'none'"));
    assert_int_equal (mkdir ("d", 0777), 0);
    assert_int_equal (mkfifo ("d/pipe", 0666), 0);
    assert_int_equal (digest_tree ("d", hex, NULL, NULL, &err), -1);
    assert_non_null (strstr (err.text, "d/pipe"));
    assert_int_equal (unlink ("d/pipe"), 0);
    write_text ("d/a\nb", "");
    assert_int_equal (digest_tree ("d", hex, NULL, NULL, &err), -1);
    assert_string_equal (hex, "as it was");
    temp_dir_leave (&dir);
}

/* The listing is written out here, so that the format is pinned down. */
static void test_tree (void **state)
{
    static const char listing[] = SHA256_OF_ABC "  sub/a\n"  //
        SHA256_OF_NOTHING "  empty\n"
                                                "link ../a  sub/link\n";
    char hex[DIGEST_HEX_SIZE], expected[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (file_make_dirs ("d/sub", &err), 0);
    assert_int_equal (file_make_dirs ("d/nothing-in-it", &err), 0);
    write_text ("d/sub/a", "abc");
    write_text ("d/empty", "");
    assert_int_equal (symlink ("../a", "d/sub/link"), 0);
    digest_bytes (listing, strlen (listing), expected);
    assert_int_equal (digest_tree ("d", hex, NULL, NULL, &err), 0);
    assert_string_equal (hex, expected);
    assert_int_equal (digest_tree ("d/", hex, NULL, NULL, &err), 0);
    assert_string_equal (hex, expected);
    assert_int_equal (symlink ("d", "e"), 0);
    assert_int_equal (digest_tree ("e", hex, NULL, NULL, &err), 0);
    assert_string_equal (hex, expected);
    temp_dir_leave (&dir);
}

static void test_tree_notices_names_and_contents (void **state)
{
    char first[DIGEST_HEX_SIZE], other[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("d/a", "1");
    assert_int_equal (digest_tree ("d", first, NULL, NULL, &err), 0);
    write_text ("d/a", "2");
    assert_int_equal (digest_tree ("d", other, NULL, NULL, &err), 0);
    assert_string_not_equal (first, other);
    write_text ("d/a", "1");
    assert_int_equal (rename ("d/a", "d/b"), 0);
    assert_int_equal (digest_tree ("d", other, NULL, NULL, &err), 0);
    assert_string_not_equal (first, other);
    assert_int_equal (rename ("d/b", "d/a"), 0);
    assert_int_equal (digest_tree ("d", other, NULL, NULL, &err), 0);
    assert_string_equal (first, other);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_bytes),
        cmocka_unit_test (test_grows),
        cmocka_unit_test (test_bad_state),
        cmocka_unit_test (test_file),
        cmocka_unit_test (test_errors_leave_hex_alone),
        cmocka_unit_test (test_tree),
        cmocka_unit_test (test_tree_notices_names_and_contents),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
