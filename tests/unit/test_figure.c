/* SPDX-License-Identifier: BSD-3-Clause */
/* test_figure.c - figures: axes, tables, SVG, .tsv and scripts of gnuplot */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "report/page/figure.h"
#include "report/page/figure_svg.h"
#include "report/page/figure_tsv.h"

static struct figure *line_of (const double *y, size_t n)
{
    struct figure *figure = figure_create (FIGURE_LINES, "some line", "T", "D");

    figure_name_axes (figure, "x", "y");
    figure_add_series (figure, "s", COLOUR_BLUE);
    for (size_t i = 0; i < n; i++)
        figure_add (figure, 0, (double)i, y[i]);
    return figure;
}

static int count_of (const char *text, const char *what)
{
    int n = 0;

    for (; (text = strstr (text, what)); text++)
        n++;
    return n;
}

static void assert_has (const struct strbuf *text, const char *what)
{
    if (!strstr (text->buf, what))
        fail_msg ("'%s' is not in: %s", what, text->buf);
}

/* --- axes --- */

static void test_axes (void **unused)
{
    static const struct {
        double y[3];
        bool is_log;
        double least, most;
    } cases[] = {
        { { 1, 2, 3 }, false, 0, 3 },      /* 0 is not far */
        { { 10, 11, 12 }, false, 10, 12 }, /* it is */
        { { -1, 2, 3 }, false, -1, 3 },    /* below */
        { { 5, 5, 5 }, false, 2.5, 7.5 },  /* an axis has a length */
        { { 0, 0, 0 }, false, 0, 1 },
        { { 1, NAN, 3 }, false, 0, 3 },     /* a gap */
        { { NAN, NAN, NAN }, false, 0, 1 }, /* nothing */
        { { 0, 1, 100 }, true, 1, 100 },    /* no logarithm of 0 */
        { { 4, 4, 4 }, true, 2, 8 },
        { { -1, 0, NAN }, true, 0.1, 1 },
        { { 1, INFINITY, 3 }, false, 0, 3 },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct figure *figure = line_of (cases[i].y, 3);

        figure->y.is_log = cases[i].is_log;
        figure_fit (figure);
        if (figure->y.least != cases[i].least
            || figure->y.most != cases[i].most)
            fail_msg ("case %zu: %g to %g", i, figure->y.least, figure->y.most);
        assert_true (figure->x.least < figure->x.most);
        figure_destroy (figure);
    }
}

static void test_bars_lie_on_each_other (void **unused)
{
    struct figure *figure = figure_by_iteration ("b", "T", "D", "n", 2);

    (void)unused;
    for (size_t k = 0; k < 2; k++) {
        figure_add_series (figure, k ? "b" : "a", COLOUR_GOOD);
        figure_add (figure, k, 0, 3);
        figure_add (figure, k, 1, k ? NAN : 4);
    }
    figure_fit (figure);
    assert_true (figure->y.most > 6 && figure->y.most < 6.5);
    assert_true (figure->x.least == -0.5 && figure->x.most == 1.5);
    figure_destroy (figure);
}

static void test_shared_axes (void **unused)
{
    struct figure *a = line_of ((const double[]){ 1, 9 }, 2);
    struct figure *b = line_of ((const double[]){ -3, 2, 4 }, 3);

    (void)unused;
    figure_fit (a);
    figure_fit (b);
    figure_share_axes (a, b);
    assert_true (a->y.least == -3 && a->y.most == 9 && a->x.most == 2);
    assert_true (b->y.least == -3 && b->y.most == 9);
    figure_destroy (a);
    figure_destroy (b);
}

static void test_ticks (void **unused)
{
    static const struct {
        double least, most;
        int n;
        double first, last;
    } cases[] = {
        { 0, 1, 6, 0, 1 },
        { 0, 3, 4, 0, 3 },
        { 0, 97, 5, 0, 80 },
        { -1, 1, 5, -1, 1 },
        { 1e-9, 5e-9, 5, 1e-9, 5e-9 },
        { 1e6, 1e6 + 1, 6, 1e6, 1e6 + 1 },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        double ticks[8];
        int n = axis_ticks (cases[i].least, cases[i].most, 5, ticks);

        if (n != cases[i].n)
            fail_msg ("case %zu: %d ticks", i, n);
        assert_true (fabs (ticks[0] - cases[i].first)
                     <= 1e-9 * fabs (cases[i].most));
        assert_true (fabs (ticks[n - 1] - cases[i].last)
                     <= 1e-9 * fabs (cases[i].most));
    }
}

/* --- tables --- */

static void table_is (const struct figure *figure, const char *expected)
{
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    size_t columns = figure_table (figure, &cells);

    assert_true (cells.n % columns == 0);
    table_tsv (&cells, columns, &text);
    assert_string_equal (text.buf, expected);
}

static void test_tables (void **unused)
{
    struct figure *line = line_of ((const double[]){ 0.5, NAN }, 2);
    struct figure *bars = figure_by_iteration ("b", "T", "D", "n", 2);
    struct figure *histogram = figure_create (FIGURE_BARS, "h", "T", "D");
    struct figure *cells = figure_create (FIGURE_CELLS, "c", "T", "D");

    (void)unused;
    table_is (line, "# series\tx\ty\ns\t0\t0.5\ns\t1\tnan\n");
    figure_add_series (bars, "a\tb", COLOUR_GOOD);
    figure_add (bars, 0, 0, 7);
    table_is (bars, "# iteration\ta b\n0\t7\n1\tnan\n");
    figure_name_axes (histogram, "d", "n");
    figure_add_series (histogram, "n", COLOUR_GOOD);
    for (int i = 0; i < 3; i++)
        figure_add_edge (histogram, i);
    figure_add (histogram, 0, 0, 5);
    figure_add (histogram, 0, 0, 6);
    table_is (histogram, "# d from\tto\tn\n0\t1\t5\n1\t2\t6\n");
    figure_add_series (cells, "train", COLOUR_GOOD);
    strvec_push (&cells->rows, "n1/0");
    figure_add_cell (cells, &(struct figure_cell){ 0, 1, 2, 0, 0.5 });
    figure_add_event (cells, &(struct figure_event){ 0, 2, 3, true });
    table_is (cells, "# row\tfrom\tto\twhat\tshare or number\n"
                     "n1/0\t1\t2\ttrain\t0.5\nn1/0\t2\t2\tretries\t3\n");
    figure_destroy (line);
    figure_destroy (bars);
    figure_destroy (histogram);
    figure_destroy (cells);
}

/* --- SVG --- */

static void test_svg (void **unused)
{
    struct figure *figure = line_of ((const double[]){ 1, NAN, 2, 3 }, 4);
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;

    (void)unused;
    figure_add_mark (figure, 1, "low <0.2>");
    figure_fit (figure);
    figure_svg (figure, "a-", &out);
    assert_has (&out, "<svg role=\"img\"");
    assert_has (&out, "aria-labelledby=\"a-some-line-t a-some-line-d\"");
    assert_has (&out, "<title id=\"a-some-line-t\">T</title>");
    assert_has (&out, "<desc id=\"a-some-line-d\">D</desc>");
    assert_has (&out, "low &lt;0.2&gt;</text>");
    /* The gap: the line is moved to, drawn to, and begins again. */
    assert_has (
        &out,
        "<path class=\"line c0 d0\" d=\"M58.0 178.0M331.3 100.0L468.0 22.0");
    assert_null (strstr (out.buf, "nan"));
    assert_int_equal (count_of (out.buf, "<svg"), count_of (out.buf, "</svg>"));
    figure_destroy (figure);
}

static void test_svg_of_every_kind (void **unused)
{
    (void)unused;
    for (int kind = FIGURE_LINES; kind <= FIGURE_CELLS; kind++) {
        struct figure *figure =
            figure_create ((enum figure_kind)kind, "k", "T", "D");
        _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;

        assert_true (figure_is_empty (figure));
        figure_add_series (figure, "s", COLOUR_BAD);
        strvec_push (&figure->rows, "a row");
        figure_add_edge (figure, 1);
        figure_add_edge (figure, 10);
        figure_add (figure, 0, 5, 2);
        figure_add_cell (figure, &(struct figure_cell){ 0, 1, 2, 0, 1 });
        figure_fit (figure);
        assert_false (figure_is_empty (figure));
        figure_svg (figure, "", &out);
        assert_has (&out, "c5");
        assert_null (strstr (out.buf, "nan"));
        assert_null (strstr (out.buf, "inf"));
        figure_destroy (figure);
    }
}

/* --- gnuplot --- */

static void test_gnuplot (void **unused)
{
    struct figure *figure = line_of ((const double[]){ 1, 2 }, 2);
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;

    (void)unused;
    figure_name_axes (figure, "it's `id`\nx", "y");
    figure->y.is_log = true;
    figure_gnuplot (figure, &out);
    assert_has (&out, "set output 'some-line.svg'\n");
    assert_has (&out, "set xlabel 'it''s  id  x' noenhanced\n");
    assert_has (&out, "set logscale y\n");
    assert_has (&out, "plot 'some-line.tsv' using 2:(strcol(1) eq 's' ? $3 : "
                      "NaN) with linespoints");
    figure_destroy (figure);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_axes),
        cmocka_unit_test (test_bars_lie_on_each_other),
        cmocka_unit_test (test_shared_axes),
        cmocka_unit_test (test_ticks),
        cmocka_unit_test (test_tables),
        cmocka_unit_test (test_svg),
        cmocka_unit_test (test_svg_of_every_kind),
        cmocka_unit_test (test_gnuplot),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
