/* SPDX-License-Identifier: BSD-3-Clause */
/* test_row_shape.c - rows that are taken for alike are what the C library reads
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/deviations/row_shape.h"

enum { ROWS = 200 };

static uint64_t random_state = 1234567;

static size_t random_below (size_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state % n);
}

/* How a program prints its rows. */
struct form {
    size_t n_columns;
    int step_width;
    int width;
    int value[DEVIATION_QUANTITIES];
    int least[DEVIATION_QUANTITIES];
};

static const struct form forms[] = {
    /* LAMMPS */
    { 7, 12, 19, { 4, 1, -1, -1 }, { 5, 2, -1, -1 } },
    /* dp model-devi */
    { 8, 12, 19, { 4, 1, 7, -1 }, { 5, 2, -1, -1 } },
    /* atomic */
    { 16, 12, 19, { 4, -1, -1, -1 }, { -1, -1, -1, -1 } },
    { 4, 3, 13, { 1, 2, 3, -1 }, { -1, -1, 2, -1 } },
    { 3, 16, 13, { 2, 1, -1, -1 }, { -1, -1, -1, -1 } },
    { 3, 22, 20, { 2, 1, -1, -1 }, { 1, -1, -1, -1 } },
};

/* What is in the rows that a way of reading took. */
struct taken {
    size_t n;
    const char *next;
    int64_t step[ROWS];
    double value[DEVIATION_QUANTITIES][ROWS];
};

static int64_t step_of (const struct form *form, size_t row)
{
    static const int64_t most[] = { 0, 9, 99, 999 };
    int64_t step = (int64_t)random_below (UINT64_C (1) << 39) + (int64_t)row;

    return form->step_width < 4 ? step % most[form->step_width]
                                : step % INT64_C (99999999999);
}

static void add_row (struct strbuf *text, const struct form *form, size_t row)
{
    size_t n = form->n_columns - 1;

    strbuf_addf (text, "%*lld", form->step_width,
                 (long long)step_of (form, row));
    for (size_t i = 0; i < n; i++) {
        double value = (double)(random_below (9000000) + 1000000) * 1e-6;
        size_t power = random_below (64);
        int exponent =
            power < 60 ? (int)(power % 4) - 3 : (int)power * 10 - 615;

        strbuf_addf (text, "%*s%.6fe%c%02d", form->width - 12, "", value,
                     exponent < 0 ? '-' : '+', abs (exponent));
    }
    strbuf_add_str (text, "\n");
}

/* Learn from the first row, and take as many as there are. */
static void take_rows (const struct form *form, const struct strbuf *text,
                       size_t limit, struct taken *taken)
{
    struct row_shape shape = { 0 };
    struct deviation_columns columns = { .step = taken->step };
    const char *start = text->buf;

    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        columns.value[q] = form->value[q] >= 0 ? taken->value[q] : NULL;
    assert_true (row_shape_learn (&shape, start, strcspn (start, "\n"),
                                  form->n_columns, form->value, form->least));
    taken->n = row_shape_rows (&shape, start, start + limit, start + text->len,
                               &columns, ROWS, &taken->next);
    row_shape_release (&shape);
}

/* The columns of the row at 'at', read by the C library. */
static void expect_row (const struct form *form, const char *at,
                        const struct taken *taken, size_t row)
{
    double values[16];
    char *end;

    assert_true (strtoll (at, &end, 10) == taken->step[row]);
    for (size_t column = 1; column < form->n_columns; column++)
        values[column] = strtod (end, &end);
    for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
        if (form->value[q] < 0)
            continue;
        if (form->least[q] >= 0
            && values[form->least[q]] > values[form->value[q]])
            assert_true (isnan (taken->value[q][row]));
        else
            assert_true (taken->value[q][row] == values[form->value[q]]);
    }
}

/* The rows that were taken are what the C library reads there.  Returns how
 * many.
 */
static size_t expect_rows (const struct form *form, const struct strbuf *text,
                           size_t limit)
{
    static struct taken taken;
    const char *at = text->buf;

    take_rows (form, text, limit, &taken);
    for (size_t i = 0; i < taken.n; i++, at = strchr (at, '\n') + 1)
        expect_row (form, at, &taken, i);
    assert_ptr_equal (taken.next, at);
    return taken.n;
}

/* Rows that start before 'limit' and end before 'len'. */
static size_t rows_within (const struct strbuf *text, size_t limit, size_t len)
{
    size_t width = strcspn (text->buf, "\n") + 1;
    size_t started = (limit + width - 1) / width, ended = len / width;

    return started < ended ? started : ended;
}

static void test_forms (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (forms); i++) {
        struct strbuf text = STRBUF_INIT;

        for (size_t row = 0; row < ROWS; row++)
            add_row (&text, &forms[i], row);
        assert_int_equal (expect_rows (&forms[i], &text, text.len), ROWS);
        for (size_t part = 0; part < 40; part++) {
            size_t limit = random_below (text.len) + 1;
            struct strbuf cut = { .buf = text.buf, .len = limit };

            assert_int_equal (expect_rows (&forms[i], &text, limit),
                              rows_within (&text, limit, text.len));
            assert_int_equal (expect_rows (&forms[i], &cut, limit),
                              rows_within (&text, limit, limit));
        }
        strbuf_release (&text);
    }
}

/* One byte is another one, anywhere; some of those rows are good, though. */
static void test_spoilt (void **state)
{
    static const char bytes[] = " 0123456789.e+-\n#,/:Enx\t\r\x80\xff";

    (void)state;
    for (size_t i = 0; i < 40 * ARRAY_SIZE (forms); i++) {
        const struct form *form = &forms[i % ARRAY_SIZE (forms)];
        struct strbuf text = STRBUF_INIT;
        size_t width;

        for (size_t row = 0; row < 20; row++)
            add_row (&text, form, row);
        width = strcspn (text.buf, "\n") + 1;
        for (int k = 0; k < 20; k++) {
            size_t at = width + random_below (text.len - width);
            char before = text.buf[at];

            text.buf[at] = bytes[random_below (sizeof (bytes))];
            assert_true (expect_rows (form, &text, text.len) >= at / width);
            text.buf[at] = before;
        }
        strbuf_release (&text);
    }
}

/* A row of more columns or fewer, or with something behind them, has no shape:
 * those like it are read word by word.
 */
static void test_rows_without_a_shape (void **state)
{
    static const int value[DEVIATION_QUANTITIES] = { 1, -1, -1, -1 };
    static const int least[DEVIATION_QUANTITIES] = { -1, -1, -1, -1 };
    static const struct {
        const char *row;
        bool has_shape;
    } cases[] = {
        { "         100   1.000000e-01   2.000000e-01", true },
        { "         100   1.000000e-01   2.000000e-01 ", false },
        { "         100   1.000000e-01   2.000000e-01   3.000000e-01", false },
        { "         100   1.000000e-01   2.000000e-01 x", false },
        { "         100   1.000000e-01   2.0000000e-01", false },
        { "         100   1.000000e-01                ", false },
        { "         100   1.000000e-01   nan          ", false },
        { "        -100   1.000000e-01   2.000000e-01", false },
        { "         1.0   1.000000e-01   2.000000e-01", false },
        { "1 1.000000e-01", false }, /* too short for what compares */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct row_shape shape = { 0 };

        print_message ("# '%s'\n", cases[i].row);
        assert_true (row_shape_learn (&shape, cases[i].row,
                                      strlen (cases[i].row), 3, value, least)
                     == cases[i].has_shape);
        assert_true ((shape.row_bytes > 0) == cases[i].has_shape);
        row_shape_release (&shape);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_rows_without_a_shape),
        cmocka_unit_test (test_forms),
        cmocka_unit_test (test_spoilt),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
