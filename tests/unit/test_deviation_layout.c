/* SPDX-License-Identifier: BSD-3-Clause */
/* test_deviation_layout.c - rows alike: four at once are what one by one are */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/strbuf.h"
#include "formats/deviation_layout.h"

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
    size_t n_named;
    int step_width;
    int width;
    int value[DEVIATION_QUANTITIES];
    size_t atoms; /* one more or less in some rows, if any */
};

static const struct form forms[] = {
    { 7, 12, 19, { 4, 1, -1, -1 }, 0 },  /* LAMMPS */
    { 8, 12, 19, { 4, 1, 7, -1 }, 0 },   /* dp model-devi */
    { 7, 12, 19, { 4, -1, -1, -1 }, 9 }, /* atomic */
    { 4, 3, 13, { 1, 2, 3, -1 }, 0 },    /* the first lane is cut off */
    { 3, 16, 13, { 2, 1, -1, -1 }, 0 },
    { 3, 22, 20, { 2, 1, -1, -1 }, 0 }, /* a step has no lane */
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
    size_t n = form->n_named - 1;

    if (form->atoms > 0)
        n += form->atoms + (row % 16 == 7) - (row % 16 == 9);
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
static void take_rows (const struct form *form,
                       const struct strbuf *text,
                       size_t limit,
                       enum deviation_means means,
                       struct taken *taken)
{
    struct deviation_layout layout = DEVIATION_LAYOUT_INIT;
    struct deviation_columns columns = { .step = taken->step };
    const char *start = text->buf;

    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        columns.value[q] = form->value[q] >= 0 ? taken->value[q] : NULL;
    assert_true (deviation_layout_learn (&layout, start, strcspn (start, "\n"),
                                         form->n_named, form->atoms > 0,
                                         form->value));
    layout.means = means;
    taken->n =
        deviation_layout_rows (&layout, start, start + limit, start + text->len,
                               &columns, ROWS, &taken->next);
    deviation_layout_release (&layout);
}

/* The columns of the row at 'at', read by the C library. */
static void expect_row (const struct form *form,
                        const char *at,
                        const struct taken *taken,
                        size_t row)
{
    char *end;

    assert_true (strtoll (at, &end, 10) == taken->step[row]);
    for (int column = 1; column < (int)form->n_named; column++) {
        double value = strtod (end, &end);

        for (int q = 0; q < DEVIATION_QUANTITIES; q++)
            assert_true (form->value[q] != column
                         || taken->value[q][row] == value);
    }
}

static void expect_same (const struct form *form,
                         const struct strbuf *text,
                         size_t limit)
{
    static struct taken fast, slow;
    const char *at;

    take_rows (form, text, limit, DEVIATION_MEANS_PLAIN, &slow);
    for (int means = 0; means < DEVIATION_MEANS_PLAIN; means++) {
        take_rows (form, text, limit, (enum deviation_means)means, &fast);
        assert_int_equal (fast.n, slow.n);
        assert_ptr_equal (fast.next, slow.next);
        at = text->buf;
        for (size_t i = 0; i < fast.n; i++, at = strchr (at, '\n') + 1)
            expect_row (form, at, &fast, i);
    }
    at = text->buf;
    for (size_t i = 0; i < slow.n; i++, at = strchr (at, '\n') + 1)
        expect_row (form, at, &slow, i);
}

static void test_forms (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (forms); i++) {
        struct strbuf text = STRBUF_INIT;

        for (size_t row = 0; row < ROWS; row++)
            add_row (&text, &forms[i], row);
        expect_same (&forms[i], &text, text.len);
        for (size_t part = 0; part < 40; part++) {
            size_t limit = random_below (text.len) + 1;
            struct strbuf cut = { .buf = text.buf, .len = text.len - limit };

            expect_same (&forms[i], &text, limit);
            if (cut.len > text.len / 2)
                expect_same (&forms[i], &cut, cut.len);
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
        size_t first;

        for (size_t row = 0; row < 20; row++)
            add_row (&text, form, row);
        first = strcspn (text.buf, "\n") + 1;
        for (int k = 0; k < 20; k++) {
            size_t at = first + random_below (text.len - first);
            char kept = text.buf[at];

            text.buf[at] = bytes[random_below (sizeof (bytes))];
            expect_same (form, &text, text.len);
            text.buf[at] = kept;
        }
        strbuf_release (&text);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_forms),
        cmocka_unit_test (test_spoilt),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
