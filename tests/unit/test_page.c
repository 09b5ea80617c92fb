/* SPDX-License-Identifier: BSD-3-Clause */
/* test_page.c - pages of figures, tables and texts as one HTML file */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "report/page/figure.h"
#include "report/page/html_text.h"
#include "report/page/page.h"
#include "report/page/page_html.h"

static void assert_has (const struct strbuf *text, const char *what)
{
    if (!strstr (text->buf, what))
        fail_msg ("'%s' is not in: %s", what, text->buf);
}

static void test_text (void **unused)
{
    static const struct {
        const char *text, *html;
    } cases[] = {
        { "plain", "plain" },
        { "<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;" },
        { "\xc3\x85 \xe2\x82\xac", "\xc3\x85 \xe2\x82\xac" },
        { "a\x01\x1b[2Jz", "a\xef\xbf\xbd\xef\xbf\xbd[2Jz" },
        { "a\tb\nc", "a\tb\nc" },
        { "\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd" },
        { "", "" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;

        html_add (&out, cases[i].text);
        assert_string_equal (out.buf, cases[i].html);
    }
}

/* Each text that a person can write tries to be a tag. */
static void fill (struct page *page)
{
    static const char evil[] = "</pre></title><script>x\"'";
    struct section *section;
    struct strvec cells = STRVEC_INIT;
    struct figure *figure = figure_create (FIGURE_LINES, evil, evil, evil);

    page->name = xstrdup (evil);
    page->subtitle = xstrdup (evil);
    section = page_add (page, "one", "One");
    section_note (section, "%s", evil);
    section_add_text (section, evil, evil);
    for (int i = 0; i < 6; i++)
        strvec_push (&cells, i == 5 ? "7" : i == 1 || i == 3 ? "" : evil);
    strvec_push (&cells, "");
    strvec_push (&cells, "8");
    section_add_table (section, evil, 2, &cells);
    strvec_release (&cells);
    figure_name_axes (figure, evil, evil);
    figure_add_series (figure, evil, COLOUR_BLUE);
    figure_add_series (figure, evil, COLOUR_GOOD);
    for (int i = 0; i < 300; i++)
        figure_add (figure, 0, i, i);
    figure_add_mark (figure, 1, evil);
    section_add_figure (section, figure);
    section_add_figure (section,
                        figure_create (FIGURE_LINES, "none", "none", ""));
}

static void test_hostile_texts (void **unused)
{
    _cleanup_ (page_release) struct page page = PAGE_INIT;
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    const struct page *pages[] = { &page };

    (void)unused;
    fill (&page);
    page_html (pages, 1, "Made <b>", &out);
    assert_null (strstr (out.buf, "<script"));
    assert_null (strstr (out.buf, "x\"'"));
    assert_has (&out, "Made &lt;b&gt;");
    /* No address but of what is in the file. */
    assert_null (strstr (out.buf, "http://"));
    assert_null (strstr (out.buf, "https://"));
    assert_null (strstr (out.buf, "src="));
    assert_has (&out, "default-src 'none'");
    assert_has (&out, "prefers-color-scheme:dark");
    assert_has (&out, "@media print");
    assert_has (&out, "<html lang=\"en\">");
    assert_has (&out, "The first 200 of 300 rows");
    assert_null (strstr (out.buf, "none-t")); /* an empty figure is left out */
    assert_has (&out, "<td class=\"n\">7</td>");
}

static void test_columns_without_text (void **unused)
{
    _cleanup_ (page_release) struct page page = PAGE_INIT;
    struct section *section = page_add (&page, "s", "S");
    struct strvec cells = STRVEC_INIT;
    static const char *const words[] = { "a", "b", "c", "1", "",
                                         "2", "3", "",  "" };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (words); i++)
        strvec_push (&cells, words[i]);
    section_add_table (section, "T", 3, &cells);
    assert_int_equal (section->tables[0].columns, 2);
    assert_int_equal (section->tables[0].cells.n, 6);
    assert_string_equal (section->tables[0].cells.v[3], "2");
    while (cells.n > 3)
        free (cells.v[--cells.n]);
    section_add_table (section, "only heads", 3, &cells);
    assert_int_equal (section->n_tables, 1);
    strvec_release (&cells);
}

static void test_two_side_by_side (void **unused)
{
    _cleanup_ (page_release) struct page a = PAGE_INIT;
    _cleanup_ (page_release) struct page b = PAGE_INIT;
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    const struct page *pages[] = { &a, &b };

    (void)unused;
    fill (&a);
    fill (&b);
    figure_add (b.sections[0].figures[0], 0, 0, 1000);
    figure_fit (b.sections[0].figures[0]);
    pages_share_axes (&a, &b);
    assert_true (a.sections[0].figures[0]->y.most == 1000);
    page_html (pages, 2, "Made", &out);
    assert_has (&out, "<div class=\"pair\">");
    assert_has (&out, "id=\"a---pre"); /* one id for each element */
    assert_has (&out, "id=\"b---pre");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_text),
        cmocka_unit_test (test_hostile_texts),
        cmocka_unit_test (test_columns_without_text),
        cmocka_unit_test (test_two_side_by_side),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
