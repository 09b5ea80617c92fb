/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lines.c - lines of texts and files, and their words */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "temp_dir.h"
#include "formats/lines.h"

static void expect_line (struct lines *lines, const char *text, size_t number,
                         uint64_t start, bool complete)
{
    assert_int_equal (lines_next (lines, NULL), 1);
    assert_int_equal (lines->end - lines->at, strlen (text));
    assert_memory_equal (lines->at, text, strlen (text));
    assert_int_equal (lines->number, number);
    assert_int_equal (lines->start, start);
    assert_int_equal (lines->complete, complete);
}

static void test_line_ends (void **state)
{
    static const char text[] = "one\r\n\ntwo\rx\nlast";
    struct lines lines;

    (void)state;
    lines_of_text (&lines, text, strlen (text), "t", 5);
    expect_line (&lines, "one", 5, 0, true);
    expect_line (&lines, "", 6, 5, true);
    expect_line (&lines, "two\rx", 7, 6, true);
    assert_int_equal (lines_bytes_left (&lines), 4);
    expect_line (&lines, "last", 8, 12, false);
    assert_int_equal (lines_next (&lines, NULL), 0);
    assert_int_equal (lines_next (&lines, NULL), 0);
    assert_true (lines_at_end (&lines));
    assert_int_equal (lines_bytes_left (&lines), 0);
    lines_close (&lines);
    lines_close (&lines);
}

static void test_empty (void **state)
{
    struct lines lines;

    (void)state;
    lines_of_text (&lines, "", 0, "t", 1);
    assert_int_equal (lines_next (&lines, NULL), 0);
    lines_close (&lines);
}

/* Longer than a block: the block grows, later lines are still right. */
static void test_file_with_long_lines (void **state)
{
    const size_t long_bytes = 700 * 1000;
    char *text = xmalloc (long_bytes + 1);
    struct temp_dir dir;
    struct lines lines;
    struct error err;
    FILE *f;

    (void)state;
    memset (text, 'x', long_bytes);
    text[long_bytes] = '\0';
    temp_dir_enter (&dir);
    f = fopen ("f", "w");
    fprintf (f, "short\n%s\nafter\n", text);
    fclose (f);
    assert_int_equal (lines_open (&lines, "f", 0, &err), 0);
    expect_line (&lines, "short", 1, 0, true);
    expect_line (&lines, text, 2, 6, true);
    expect_line (&lines, "after", 3, 6 + long_bytes + 1, true);
    assert_int_equal (lines_next (&lines, &err), 0);
    lines_close (&lines);
    temp_dir_leave (&dir);
    free (text);
}

/* Lines that straddle the ends of blocks. */
static void test_file_of_many_lines (void **state)
{
    struct temp_dir dir;
    struct lines lines;
    int64_t value;
    FILE *f;

    (void)state;
    temp_dir_enter (&dir);
    f = fopen ("f", "w");
    for (int i = 0; i < 200000; i++)
        fprintf (f, "%d\n", i);
    fclose (f);
    assert_int_equal (lines_open (&lines, "f", 0, NULL), 0);
    for (int i = 0; i < 200000; i++) {
        assert_int_equal (lines_next (&lines, NULL), 1);
        assert_true (lines_take_integer (&lines, &value));
        assert_int_equal (value, i);
    }
    assert_int_equal (lines_next (&lines, NULL), 0);
    lines_close (&lines);
    temp_dir_leave (&dir);
}

static void test_file_from_an_offset (void **state)
{
    struct temp_dir dir;
    struct lines lines;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", "one\ntwo\n");
    assert_int_equal (lines_open (&lines, "f", 4, NULL), 0);
    expect_line (&lines, "two", 1, 4, true);
    lines_close (&lines);
    temp_dir_leave (&dir);
}

static void test_files_that_cannot_be_read (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir dir;
    struct lines lines;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (lines_open (&lines, "nowhere", 0, &err), -1);
    assert_int_equal (errno, ENOENT);
    assert_string_equal (err.text,
                         "cannot open 'nowhere': No such file or directory");
    assert_int_equal (lines_open (&lines, ".", 0, &err), 0);
    assert_int_equal (lines_next (&lines, &err), -1);
    assert_string_equal (err.text, "cannot read '.': Is a directory");
    lines_close (&lines);
    temp_dir_leave (&dir);
}

static void test_words (void **state)
{
    static const char text[] = " \tSi  -1.5 12 2.5x nan ";
    struct lines lines;
    const char *word;
    double number;
    int64_t integer;
    size_t len;

    (void)state;
    lines_of_text (&lines, text, strlen (text), "t", 1);
    assert_int_equal (lines_next (&lines, NULL), 1);
    assert_true (lines_take_word (&lines, &word, &len));
    assert_int_equal (len, 2);
    assert_memory_equal (word, "Si", 2);
    assert_true (lines_take_number (&lines, &number));
    assert_true (number == -1.5);
    assert_true (lines_take_integer (&lines, &integer));
    assert_int_equal (integer, 12);
    assert_false (lines_take_number (&lines, &number));
    assert_true (lines_take_word (&lines, &word, &len));
    assert_memory_equal (word, "2.5x", 4);
    assert_false (lines_at_end (&lines));
    assert_true (lines_take_number (&lines, &number));
    assert_true (isnan (number));
    assert_true (lines_at_end (&lines));
    assert_false (lines_take_word (&lines, &word, &len));
    assert_false (lines_take_number (&lines, &number));
    lines_close (&lines);
}

static void test_lists_of_numbers (void **state)
{
    static const struct {
        const char *text;
        bool three;
    } cases[] = {
        { "1 2 3", true },    { " 1\t2 3 ", true }, { "1 2", false },
        { "1 2 3 4", false }, { "1 2 x", false },   { "1,2,3", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct lines lines;
        double v[3];

        lines_of_text (&lines, cases[i].text, strlen (cases[i].text), "t", 1);
        assert_int_equal (lines_next (&lines, NULL), 1);
        assert_int_equal (lines_take_numbers (&lines, v, 3), cases[i].three);
        lines_close (&lines);
    }
}

static void test_prefix_and_error (void **state)
{
    struct error err = ERROR_INIT;
    struct lines lines;

    (void)state;
    lines_of_text (&lines, "ITEM: ATOMS", 11, "a.dump", 7);
    assert_int_equal (lines_next (&lines, NULL), 1);
    assert_false (lines_take_prefix (&lines, "ITEM: ATOMS id"));
    assert_false (lines_take_prefix (&lines, "item"));
    assert_true (lines_take_prefix (&lines, "ITEM: "));
    assert_true (lines_take_prefix (&lines, "ATOMS"));
    assert_true (lines_at_end (&lines));
    assert_int_equal (lines_error (&lines, &err, "no %s", "id"), -1);
    assert_string_equal (err.text, "a.dump:7: no id");
    lines_close (&lines);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_line_ends),
        cmocka_unit_test (test_empty),
        cmocka_unit_test (test_file_with_long_lines),
        cmocka_unit_test (test_file_of_many_lines),
        cmocka_unit_test (test_file_from_an_offset),
        cmocka_unit_test (test_files_that_cannot_be_read),
        cmocka_unit_test (test_words),
        cmocka_unit_test (test_lists_of_numbers),
        cmocka_unit_test (test_prefix_and_error),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
