/* SPDX-License-Identifier: BSD-3-Clause */
/* test_dump_rows.c - rows of dumps: all ways of reading them, word by word */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/lammps/dump_rows.h"
#include "formats/number.h"

enum { ROWS = 500, MARGIN = 64 };

static const char before[] = "ITEM: ATOMS a b c d e f";

/* Numbers, and others in rows of words[i], at random. */
static const char *const numbers[] = {
    "0",
    "-0",
    "7",
    "-12",
    "0.5",
    "-0.25",
    ".5",
    "-.125",
    "3.",
    "1.83861",
    "-1.83861",
    "0.0123456",
    "1e-05",
    "-2.5e+10",
    "123456789012345",
    "12345678.1234567",
    "1234567890123456",
    "9999999999999999",
    "99999999999999999999",
    "0.1234567890123456",
    "-123456.12345678",
    "0.000000000000001",
    "00000000000000.1",
    "+1.5",
    "1234567890123456.",
};

static const char *const others[] = {
    "-",     ".",
    "-.",    "--1",
    "1-",    "1.2.3",
    "0x1p3", "1,5",
    "1:5",   "1/5",
    "",      "1.5\t2",
    "1.5\r", "\x01",
    "1\xff", "\xb1.5",
    "1e",    "e5",
    "- 1.5", "1.5 ",
    "1.5\n", ".........",
    "1..5",  "x",
    "1.5x",  "12345678901234567x",
    "-.-",   "5 .",
};

static uint64_t random_state = 88172645463325252;

static size_t random_below (size_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state % n);
}

/* Where the results of a way of reading go: three columns and their rows. */
struct results {
    double id[ROWS];
    double vector[ROWS][3];
};

static size_t read_rows (const struct strbuf *text, size_t n_columns,
                         const size_t column[4], bool plain, size_t n,
                         struct results *results, const char **next)
{
    struct dump_rows rows = { .n_columns = n_columns, .n_wanted = 4 };
    const char *begin = text->buf;

    memset (results, 0, sizeof (*results));
    for (size_t i = 0; i < 4; i++) {
        rows.column[i] = column[i];
        rows.out[i] = i == 0 ? results->id : &results->vector[0][i - 1];
        rows.stride[i] = i == 0 ? 1 : 3;
    }
    rows.plain = plain;
    return dump_rows_read (&rows, 0, n, begin, begin + strlen (before) + 1,
                           begin + text->len, next);
}

/* The number that a word of a row is; false when it is none. */
static bool word_value (const char *row, size_t column, double *value)
{
    const char *end;

    for (; column > 0; column--)
        row += strcspn (row, " ") + 1;
    end = row + strcspn (row, " \n");
    return number_read (row, end, value) == end;
}

/* What all ways read are the numbers of the words. */
static void expect_rows (const struct strbuf *text, size_t n_columns,
                         const size_t column[4], size_t n, size_t n_good)
{
    static struct results made;
    const char *next, *row;
    double value = 0;

    for (int plain = 0; plain < 2; plain++) {
        row = text->buf + strlen (before) + 1;
        assert_int_equal (
            read_rows (text, n_columns, column, plain, n, &made, &next),
            n_good);
        for (size_t i = 0; i < n_good; i++, row = strchr (row, '\n') + 1) {
            for (size_t k = 0; k < 4; k++) {
                double *got = k == 0 ? &made.id[i] : &made.vector[i][k - 1];

                assert_true (word_value (row, column[k], &value));
                if (memcmp (got, &value, sizeof (value)) != 0)
                    fail_msg ("row %zu, column %zu: %.17g, not %.17g (%.60s)",
                              i, column[k], *got, value, row);
            }
        }
        assert_ptr_equal (next, row);
    }
}

/* One row, of numbers but for the word 'other' (if any) in column 'at'. */
static void add_row (struct strbuf *text, size_t n_columns, const char *end,
                     const char *other, size_t at)
{
    for (size_t i = 0; i < n_columns; i++)
        strbuf_addf (text, "%s%s", i > 0 ? " " : "",
                     other && i == at
                         ? other
                         : numbers[random_below (ARRAY_SIZE (numbers))]);
    strbuf_add_str (text, end);
}

static void add_margin (struct strbuf *text)
{
    for (int i = 0; i < MARGIN; i++)
        strbuf_add_str (text, i % 8 ? "x" : "\n");
}

static void test_numbers (void **state)
{
    static const struct {
        size_t n_columns;
        size_t column[4];
        const char *end;
    } cases[] = {
        { 5, { 0, 2, 3, 4 }, "\n" },
        { 5, { 0, 2, 3, 4 }, " \n" }, /* LAMMPS of old */
        { 4, { 0, 1, 2, 3 }, "\n" },
        { 40, { 3, 17, 38, 39 }, " \n" },
        { 6, { 1, 1, 1, 5 }, "\n" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;

        strbuf_addf (&text, "%s\n", before);
        for (size_t row = 0; row < ROWS; row++)
            add_row (&text, cases[i].n_columns, cases[i].end, NULL, 0);
        add_margin (&text);
        expect_rows (&text, cases[i].n_columns, cases[i].column, ROWS, ROWS);
        strbuf_release (&text);
    }
}

/* A row that holds something else is left to the caller, with all after it;
 * but not when nobody wants to know that word.
 */
static void test_others (void **state)
{
    const size_t column[4] = { 0, 1, 2, 4 };

    (void)state;
    for (size_t i = 0; i < 5 * ARRAY_SIZE (others); i++) {
        struct strbuf text = STRBUF_INIT;
        const char *other = others[i / 5], *end = i % 2 ? " \n" : "\n";
        size_t good = random_below (20), at = i % 5;
        bool one_word =
            strcspn (other, " \t\r\n\x01\xff\xb1") == strlen (other) && *other;
        struct results made;
        const char *next;

        strbuf_addf (&text, "%s\n", before);
        for (size_t row = 0; row < 30; row++)
            add_row (&text, 5, end, row == good ? other : NULL, at);
        add_margin (&text);
        if (at == 3 && one_word)
            expect_rows (&text, 5, column, 30, 30);
        else /* a kind of separator that is not known spoils its neighbours */
            for (int plain = 0; plain < 2; plain++) {
                size_t n =
                    read_rows (&text, 5, column, plain, 30, &made, &next);

                if (n > good + (at == 4))
                    fail_msg ("'%s' in column %zu: %zu rows, not %zu", other,
                              at, n, good);
            }
        if (at != 3 && one_word)
            expect_rows (&text, 5, column, 30, good);
        strbuf_release (&text);
    }
}

/* Rows of too many and too few columns, and rows too close to either end. */
static void test_shapes (void **state)
{
    const size_t column[4] = { 0, 1, 2, 4 };
    struct strbuf text = STRBUF_INIT;
    struct results made;
    const char *next;

    (void)state;
    for (size_t columns = 1; columns < 12; columns++) {
        strbuf_reset (&text);
        strbuf_addf (&text, "%s\n", before);
        add_row (&text, 5, "\n", NULL, 0);
        add_row (&text, columns, "\n", NULL, 0);
        add_row (&text, 5, "\n", NULL, 0);
        add_margin (&text);
        expect_rows (&text, 5, column, 3, columns == 5 ? 3 : 1);
    }
    strbuf_reset (&text);
    strbuf_addf (&text, "%s\n", before);
    for (int row = 0; row < 30; row++)
        add_row (&text, 5, "\n", NULL, 0);
    for (int plain = 0; plain < 2; plain++)
        for (size_t cut = 0; cut < text.len; cut++) {
            struct strbuf part = { .buf = text.buf, .len = text.len - cut };
            size_t n =
                part.len <= strlen (before)
                    ? 0
                    : read_rows (&part, 5, column, plain, 30, &made, &next);

            assert_true (n <= 30);
            if (n > 0)
                assert_true (next <= part.buf + part.len && next[-1] == '\n');
        }
    strbuf_release (&text);
}

/* A number that is read in lanes: up to 15 digits and a point among them. */
static void add_plain_number (struct strbuf *text)
{
    size_t n = 1 + random_below (15);
    size_t point = random_below (2 * n); /* often there is none */

    if (random_below (3) == 0)
        strbuf_add_str (text, "-");
    for (size_t i = 0; i < n; i++)
        strbuf_addf (text, "%c",
                     i == point && i + 1 < n ? '.'
                                             : (int)('0' + random_below (10)));
}

/* Rows of nothing else; 'other' of 1000 words are. */
static void add_plain_rows (struct strbuf *text, size_t n_columns, size_t n,
                            size_t other)
{
    for (size_t i = 0; i < n * n_columns; i++) {
        if (random_below (1000) < other)
            strbuf_add_str (text, numbers[random_below (ARRAY_SIZE (numbers))]);
        else
            add_plain_number (text);
        strbuf_add_str (text, i % n_columns + 1 < n_columns ? " " : "\n");
    }
}

static void test_plain_numbers (void **state)
{
    static const size_t column[][4] = {
        { 0, 2, 3, 4 }, { 0, 1, 2, 3 },  { 0, 4, 5, 6 },
        { 0, 1, 5, 8 }, { 3, 6, 7, 15 }, { 2, 7, 16, 17 },
    };

    (void)state;
    for (size_t i = 0; i < 60; i++) {
        const size_t *at = column[i % ARRAY_SIZE (column)];
        size_t n = i < 30 ? 1 + i % 7 : ROWS - i % 2;
        struct strbuf text = STRBUF_INIT;

        strbuf_addf (&text, "%s\n", before);
        add_plain_rows (&text, at[3] + 1 + i % 2, n, i % 3 == 2 ? 20 : 0);
        add_margin (&text);
        expect_rows (&text, at[3] + 1 + i % 2, at, n, n);
        strbuf_release (&text);
    }
}

/* Where columns 0 to 3 go: -1 is the ids, others a component. */
struct order {
    size_t n;
    int to[4];
};

/* Every column of the rows is read to where it belongs. */
static void expect_order (const struct order *order, bool plain,
                          const struct strbuf *text)
{
    static struct results made;
    struct dump_rows rows = { .n_columns = 4,
                              .n_wanted = order->n,
                              .plain = plain };
    const char *row = text->buf + strlen (before) + 1, *next;
    double value = 0;

    memset (&made, 0, sizeof (made));
    for (size_t k = 0; k < order->n; k++) {
        bool is_id = order->to[k] < 0;

        rows.column[k] = k;
        rows.out[k] = is_id ? made.id : &made.vector[0][order->to[k]];
        rows.stride[k] = is_id ? 1 : 3;
    }
    assert_int_equal (dump_rows_read (&rows, 0, ROWS, text->buf, row,
                                      text->buf + text->len, &next),
                      ROWS);
    for (size_t i = 0; i < ROWS; i++, row = strchr (row, '\n') + 1) {
        for (size_t k = 0; k < order->n; k++) {
            assert_true (word_value (row, k, &value));
            assert_memory_equal (rows.out[k] + i * rows.stride[k], &value,
                                 sizeof (value));
        }
    }
    assert_ptr_equal (next, row);
}

/* Columns may stand in any order, and there may be no ids. */
static void test_manifests (void **state)
{
    static const struct order orders[] = {
        { 4, { 0, 1, 2, -1 } }, { 4, { 2, -1, 0, 1 } }, { 4, { 1, 0, -1, 2 } },
        { 3, { 0, 1, 2 } },     { 3, { 2, 1, 0 } },     { 3, { 1, 2, 0 } },
    };
    struct strbuf text = STRBUF_INIT;

    (void)state;
    strbuf_addf (&text, "%s\n", before);
    add_plain_rows (&text, 4, ROWS, 5);
    add_margin (&text);
    for (size_t i = 0; i < ARRAY_SIZE (orders); i++) {
        for (int plain = 0; plain < 2; plain++)
            expect_order (&orders[i], plain, &text);
    }
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_numbers),
        cmocka_unit_test (test_plain_numbers),
        cmocka_unit_test (test_manifests),
        cmocka_unit_test (test_others),
        cmocka_unit_test (test_shapes),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
