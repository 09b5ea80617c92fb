/* SPDX-License-Identifier: BSD-3-Clause */
/* page_html.c - pages as one HTML file that needs nothing else */
#include "base/base.h"

#include "report/page/figure.h"
#include "report/page/figure_svg.h"
#include "report/page/html_text.h"
#include "report/page/page.h"
#include "report/page/page_html.h"

/* Rows of the table beside a figure; --data has all.  A table with more than
 * ROWS_OPEN is closed at first.
 */
enum { ROWS_SHOWN = 200, ROWS_OPEN = 24 };

/* Colours: Okabe and Ito (2008), "Color Universal Design"; for a dark ground
 * those that are dark are lighter.
 */
static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1b1b;--soft:#5a5a5a;"
    "--rule:#d9d9d9;--box:#f6f6f4;--link:#0b5394;"
    "--c0:#0072b2;--c1:#e69f00;--c2:#009e73;--c3:#cc79a7;--c4:#56b4e9;"
    "--c5:#d55e00;--c6:#b8a600;--c7:#777}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#16181b;--fg:#e8e8e6;"
    "--soft:#a9adb2;--rule:#3a3e44;--box:#1f2226;--link:#8ec7ff;"
    "--c0:#4aa8e0;--c1:#f0b429;--c2:#2fc79b;--c3:#df9cc2;--c4:#8fd0f7;"
    "--c5:#ff8a3c;--c6:#e8dc4a;--c7:#a0a0a0}}\n"
    "*{box-sizing:border-box}"
    "body{margin:0 auto;padding:1rem;max-width:1500px;background:var(--bg);"
    "color:var(--fg);font:16px/1.5 system-ui,sans-serif}"
    "h1{font-size:1.6rem;margin:.2em 0}h2{font-size:1.25rem;margin:2em 0 .4em;"
    "border-bottom:1px solid var(--rule);padding-bottom:.2em}"
    "h3{font-size:1rem;margin:1.2em 0 .3em}p{margin:.4em 0;max-width:75ch}"
    "a{color:var(--link)}a:focus-visible,summary:focus-visible,"
    ".scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}"
    "nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.2em 1em;padding:0}"
    ".skip{position:absolute;left:-999em}.skip:focus{position:static}"
    ".soft,footer{color:var(--soft)}"
    ".figures{display:grid;gap:1rem;grid-template-columns:"
    "repeat(auto-fill,minmax(min(100%,26rem),1fr))}"
    ".pair{display:grid;gap:1.5rem;grid-template-columns:1fr 1fr}"
    ".pair>*{min-width:0}"
    "figure{margin:0;min-width:0}.wide{grid-column:1/-1}"
    "figcaption{font-weight:600;margin-bottom:.2em}"
    "figcaption span{display:block;font-weight:400;font-size:.9rem;"
    "color:var(--soft)}"
    "svg{display:block;width:100%;height:auto;max-width:600px;overflow:visible}"
    ".wide svg{max-width:none}"
    ".scroll{overflow-x:auto}.wide .scroll svg{min-width:720px}"
    "svg text{font-size:12px;fill:var(--fg)}svg .label{fill:var(--soft)}"
    ".grid{stroke:var(--rule);fill:none}.axis{stroke:var(--soft);fill:none}"
    ".mark{stroke:var(--fg);stroke-dasharray:5 3;fill:none}"
    ".line{fill:none;stroke-width:2}"
    ".d1{stroke-dasharray:7 3}.d2{stroke-dasharray:2 3}"
    ".d3{stroke-dasharray:8 3 2 3}"
    ".line.c0{stroke:var(--c0)}.line.c1{stroke:var(--c1)}"
    ".line.c2{stroke:var(--c2)}.line.c3{stroke:var(--c3)}"
    ".line.c4{stroke:var(--c4)}.line.c5{stroke:var(--c5)}"
    ".line.c6{stroke:var(--c6)}.line.c7{stroke:var(--c7)}"
    ".c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}"
    ".c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}"
    ".c6{fill:var(--c6)}.c7{fill:var(--c7)}.line.line{fill:none}"
    ".o1{opacity:.3}.o2{opacity:.5}.o3{opacity:.75}"
    ".cross{stroke:var(--c5);stroke-width:2;fill:none}"
    ".ring{stroke:var(--fg);stroke-width:1.5;fill:none}"
    ".key{display:flex;flex-wrap:wrap;gap:.1em 1em;list-style:none;padding:0;"
    "margin:.3em 0;font-size:.9rem}.key svg{display:inline-block;width:26px;"
    "height:14px;vertical-align:-2px;margin-right:.3em}"
    "table{border-collapse:collapse;width:max-content;font-size:.9rem;"
    "font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;padding:.15em .7em .15em 0;vertical-align:top;"
    "border-bottom:1px solid var(--rule);overflow-wrap:break-word;"
    "min-width:3.2em;max-width:34rem}"
    "th{font-weight:600;overflow-wrap:normal}td.n,th.n{text-align:right}"
    "td.n{white-space:nowrap}"
    ".over{paint-order:stroke;stroke:var(--bg);stroke-width:3px}"
    "caption{text-align:left;font-weight:600}"
    "details{margin:.3em 0}summary{cursor:pointer;color:var(--link)}"
    "pre{background:var(--box);padding:.7em;overflow:auto;max-height:32rem;"
    "font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}"
    "@media(max-width:700px){.pair{grid-template-columns:1fr}"
    "svg text{font-size:14px}}"
    "@media print{:root{--bg:#fff;--fg:#000;--soft:#444;--rule:#ccc;"
    "--box:#fff;--c0:#0072b2;--c1:#e69f00;--c2:#009e73;--c3:#cc79a7;"
    "--c4:#56b4e9;--c5:#d55e00;--c6:#b8a600;--c7:#777}"
    "body{max-width:none;padding:0;font-size:10pt;"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "nav,.skip{display:none}figure,tr{break-inside:avoid}"
    "h2,h3{break-after:avoid}pre{max-height:none}.scroll{overflow:visible}"
    ".wide .scroll svg{min-width:0}table{width:auto}"
    "details:not([open]){display:none}}\n";

/* --- tables --- */

static bool is_number (const char *text)
{
    char *end;

    strtod (text, &end);
    return end != text && *end == '\0';
}

/* Of columns in which every cell is a number, or there is none. */
static bool *numeric_columns (const struct strvec *cells, size_t columns)
{
    bool *numeric = xcalloc (columns + 1, sizeof (*numeric));

    for (size_t k = 0; k < columns; k++) {
        numeric[k] = true;
        for (size_t i = columns + k; i < cells->n; i += columns)
            numeric[k] =
                numeric[k] && (!cells->v[i][0] || is_number (cells->v[i]));
    }
    return numeric;
}

static void add_cell (const char *text, bool head, bool number,
                      struct strbuf *out)
{
    strbuf_addf (out, "<t%c%s%s>", head ? 'h' : 'd',
                 head ? " scope=\"col\"" : "", number ? " class=\"n\"" : "");
    html_add (out, text);
    strbuf_addf (out, "</t%c>", head ? 'h' : 'd');
}

static void add_table (const char *title, size_t columns,
                       const struct strvec *cells, struct strbuf *out)
{
    _cleanup_free_ bool *numeric = numeric_columns (cells, columns);

    strbuf_add_str (out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                         "aria-label=\"");
    html_add (out, title);
    strbuf_add_str (out, "\"><table><caption>");
    html_add (out, title);
    strbuf_add_str (out, "</caption>\n");
    for (size_t i = 0; i + columns <= cells->n; i += columns) {
        strbuf_add_str (out, i == 0 ? "<thead><tr>" : "<tr>");
        for (size_t k = 0; k < columns; k++)
            add_cell (cells->v[i + k], i == 0, numeric[k], out);
        strbuf_add_str (out, i == 0 ? "</tr></thead><tbody>\n" : "</tr>\n");
    }
    strbuf_add_str (out, "</tbody></table></div>\n");
}

/* --- figures --- */

static void add_swatch (const struct figure *figure, size_t number,
                        struct strbuf *out)
{
    const struct figure_series *s = &figure->series[number];

    strbuf_add_str (out,
                    "<li><svg aria-hidden=\"true\" viewBox=\"0 0 26 14\">");
    if (figure->kind == FIGURE_LINES)
        strbuf_addf (out, "<path class=\"line c%d d%zu\" d=\"M0 7h26\"/>",
                     (int)s->colour, number / FIGURE_COLOURS % 4);
    else
        strbuf_addf (out, "<path class=\"fill c%d\" d=\"M3 1h20v12h-20z\"/>",
                     (int)s->colour);
    strbuf_add_str (out, "</svg>");
    html_add (out, s->name);
    strbuf_add_str (out, "</li>");
}

static void add_event_keys (struct strbuf *out)
{
    strbuf_add_str (
        out,
        "<li><svg aria-hidden=\"true\" viewBox=\"0 0 26 14\"><path "
        "class=\"cross\" d=\"M9 3l8 8m0 -8l-8 8\"/></svg>a try failed</li>"
        "<li><svg aria-hidden=\"true\" viewBox=\"0 0 26 14\"><path "
        "class=\"ring\" d=\"M9 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0\"/></svg>a task "
        "is tried again</li>");
}

static void add_key (const struct figure *figure, struct strbuf *out)
{
    bool said = figure->n_series == 1
                && strcmp (figure->series[0].name, figure->y.label) == 0;

    if ((said || figure->n_series == 0) && figure->n_events == 0)
        return;
    strbuf_add_str (out, "<ul class=\"key\">");
    for (size_t i = 0; i < figure->n_series; i++)
        add_swatch (figure, i, out);
    if (figure->n_events > 0)
        add_event_keys (out);
    strbuf_add_str (out, "</ul>\n");
}

static void add_numbers (const struct figure *figure, struct strbuf *out)
{
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    size_t columns = figure_table (figure, &cells);
    size_t rows = cells.n / columns - 1;

    strbuf_add_str (out, "<details><summary>Numbers</summary>\n");
    while (cells.n > (ROWS_SHOWN + 1) * columns)
        free (steal (&cells.v[--cells.n]));
    add_table (figure->title, columns, &cells, out);
    if (rows > ROWS_SHOWN)
        strbuf_addf (
            out,
            "<p class=\"soft\">The first %d of %zu rows; <code>fanfold "
            "report --data DIR</code> writes all.</p>",
            (int)ROWS_SHOWN, rows);
    strbuf_add_str (out, "</details>\n");
}

static void add_figure (const struct figure *figure, const char *prefix,
                        struct strbuf *out)
{
    strbuf_addf (out, "<figure%s><figcaption>",
                 figure->is_wide ? " class=\"wide\"" : "");
    html_add (out, figure->title);
    if (figure->description[0]) {
        strbuf_add_str (out, "<span>");
        html_add (out, figure->description);
        strbuf_add_str (out, "</span>");
    }
    strbuf_add_str (out, "</figcaption>\n");
    add_key (figure, out);
    if (figure->is_wide) {
        strbuf_add_str (out, "<div class=\"scroll\" tabindex=\"0\" "
                             "role=\"region\" aria-label=\"");
        html_add (out, figure->title);
        strbuf_add_str (out, "\">");
    }
    figure_svg (figure, prefix, out);
    strbuf_add_str (out, figure->is_wide ? "</div>\n" : "");
    add_numbers (figure, out);
    strbuf_add_str (out, "</figure>\n");
}

/* --- sections --- */

static void add_long_table (const struct section_table *table,
                            struct strbuf *out)
{
    size_t rows = table->cells.n / table->columns - 1;

    if (rows > ROWS_OPEN) {
        strbuf_add_str (out, "<details><summary>");
        html_addf (out, "%s (%zu rows)", table->title, rows);
        strbuf_add_str (out, "</summary>\n");
    }
    add_table (table->title, table->columns, &table->cells, out);
    if (rows > ROWS_OPEN)
        strbuf_add_str (out, "</details>\n");
}

static void add_notes (const struct section *section, struct strbuf *out)
{
    for (size_t i = 0; i < section->notes.n; i++) {
        strbuf_add_str (out, "<p>");
        html_add (out, section->notes.v[i]);
        strbuf_add_str (out, "</p>\n");
    }
}

static void add_texts (const struct section *section, struct strbuf *out)
{
    for (size_t i = 0; i < section->n_texts; i++) {
        strbuf_add_str (out, "<details><summary>");
        html_add (out, section->texts[i].title);
        strbuf_add_str (out, "</summary><pre tabindex=\"0\">");
        html_add (out, section->texts[i].text);
        strbuf_add_str (out, "</pre></details>\n");
    }
}

static void add_section_body (const struct section *section, struct strbuf *out)
{
    add_notes (section, out);
    if (section->n_figures > 0)
        strbuf_add_str (out, "<div class=\"figures\">\n");
    for (size_t i = 0; i < section->n_figures; i++)
        add_figure (section->figures[i], "", out);
    if (section->n_figures > 0)
        strbuf_add_str (out, "</div>\n");
    for (size_t i = 0; i < section->n_tables; i++)
        add_long_table (&section->tables[i], out);
    add_texts (section, out);
}

/* --- two campaigns --- */

static const struct section *section_of (const struct page *page,
                                         const char *id)
{
    for (size_t i = 0; i < page->n_sections; i++) {
        if (strcmp (page->sections[i].id, id) == 0)
            return &page->sections[i];
    }
    return NULL;
}

static const struct figure *figure_of (const struct section *section,
                                       const char *id)
{
    for (size_t i = 0; section && i < section->n_figures; i++) {
        if (strcmp (section->figures[i]->id, id) == 0)
            return section->figures[i];
    }
    return NULL;
}

static const struct section_table *table_of (const struct section *section,
                                             const char *title)
{
    for (size_t i = 0; section && i < section->n_tables; i++) {
        if (strcmp (section->tables[i].title, title) == 0)
            return &section->tables[i];
    }
    return NULL;
}

/* One of the two beside each other, with the campaign's name. */
static void begin_cell (const struct page *page, struct strbuf *out)
{
    strbuf_add_str (out, "<div><p class=\"soft\">");
    html_add (out, page->name);
    strbuf_add_str (out, "</p>\n");
}

static void add_absence (const struct figure *other, struct strbuf *out)
{
    strbuf_add_str (out, "<p>");
    html_addf (out, "%s: not in this campaign.", other->title);
    strbuf_add_str (out, "</p>\n");
}

static void add_figure_pair (const struct page *const *pages,
                             const struct section *const *sections,
                             const char *id, struct strbuf *out)
{
    strbuf_add_str (out, "<div class=\"pair\">\n");
    for (int i = 0; i < 2; i++) {
        const struct figure *figure = figure_of (sections[i], id);

        begin_cell (pages[i], out);
        if (figure)
            add_figure (figure, i == 0 ? "a-" : "b-", out);
        else
            add_absence (figure_of (sections[1 - i], id), out);
        strbuf_add_str (out, "</div>\n");
    }
    strbuf_add_str (out, "</div>\n");
}

static void add_table_pair (const struct page *const *pages,
                            const struct section *const *sections,
                            const char *title, struct strbuf *out)
{
    strbuf_add_str (out, "<div class=\"pair\">\n");
    for (int i = 0; i < 2; i++) {
        const struct section_table *table = table_of (sections[i], title);

        begin_cell (pages[i], out);
        if (table)
            add_long_table (table, out);
        strbuf_add_str (out, "</div>\n");
    }
    strbuf_add_str (out, "</div>\n");
}

/* What both have stands in one row; then what only the second has. */
static void add_pairs (const struct page *const *pages,
                       const struct section *const *sections,
                       struct strbuf *out)
{
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < sections[i]->n_figures; k++) {
            const char *id = sections[i]->figures[k]->id;

            if (i == 0 || !figure_of (sections[0], id))
                add_figure_pair (pages, sections, id, out);
        }
    }
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < sections[i]->n_tables; k++) {
            const char *title = sections[i]->tables[k].title;

            if (i == 0 || !table_of (sections[0], title))
                add_table_pair (pages, sections, title, out);
        }
    }
}

static void add_cells (const struct page *const *pages,
                       const struct section *const *sections,
                       void (*add) (const struct section *section,
                                    struct strbuf *out),
                       struct strbuf *out)
{
    strbuf_add_str (out, "<div class=\"pair\">\n");
    for (int i = 0; i < 2; i++) {
        begin_cell (pages[i], out);
        add (sections[i], out);
        strbuf_add_str (out, "</div>\n");
    }
    strbuf_add_str (out, "</div>\n");
}

static void add_both (const struct page *const *pages,
                      const struct section *first, struct strbuf *out)
{
    const struct section *sections[] = { first,
                                         section_of (pages[1], first->id) };

    if (!sections[1])
        return;
    if (sections[0]->notes.n + sections[1]->notes.n > 0)
        add_cells (pages, sections, add_notes, out);
    add_pairs (pages, sections, out);
    if (sections[0]->n_texts + sections[1]->n_texts > 0)
        add_cells (pages, sections, add_texts, out);
}

/* --- the page --- */

static void add_section (const struct page *const *pages, size_t n,
                         const struct section *section, struct strbuf *out)
{
    strbuf_addf (out, "<section aria-labelledby=\"%s\"><h2 id=\"%s\">",
                 section->id, section->id);
    html_add (out, section->title);
    strbuf_add_str (out, "</h2>\n");
    if (n > 1)
        add_both (pages, section, out);
    else
        add_section_body (section, out);
    strbuf_add_str (out, "</section>\n");
}

static void add_heading (const struct page *const *pages, size_t n,
                         struct strbuf *out)
{
    strbuf_add_str (out, "<a class=\"skip\" href=\"#main\">Skip to the "
                         "figures</a>\n<header><h1>");
    for (size_t i = 0; i < n; i++)
        html_addf (out, "%s%s", i > 0 ? " and " : "", pages[i]->name);
    strbuf_add_str (out, "</h1>\n");
    for (size_t i = 0; i < n; i++) {
        strbuf_add_str (out, "<p>");
        if (n > 1)
            html_addf (out, "%s: ", pages[i]->name);
        html_add (out, pages[i]->subtitle);
        strbuf_add_str (out, "</p>\n");
    }
    strbuf_add_str (out, "</header>\n<nav aria-label=\"Sections\"><ul>");
    for (size_t i = 0; i < pages[0]->n_sections; i++) {
        strbuf_addf (out, "<li><a href=\"#%s\">", pages[0]->sections[i].id);
        html_add (out, pages[0]->sections[i].title);
        strbuf_add_str (out, "</a></li>");
    }
    strbuf_add_str (out, "</ul></nav>\n");
}

void page_html (const struct page *const *pages, size_t n, const char *made,
                struct strbuf *out)
{
    strbuf_add_str (
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width,"
        "initial-scale=1\">"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src 'unsafe-inline'\"><title>");
    for (size_t i = 0; i < n; i++)
        html_addf (out, "%s%s", i > 0 ? " and " : "", pages[i]->name);
    strbuf_addf (out, " - Fanfold</title><style>%s</style></head><body>\n",
                 style);
    add_heading (pages, n, out);
    strbuf_add_str (out, "<main id=\"main\">\n");
    for (size_t i = 0; i < pages[0]->n_sections; i++)
        add_section (pages, n, &pages[0]->sections[i], out);
    strbuf_add_str (out, "</main>\n<footer><p>");
    html_add (out, made);
    strbuf_add_str (out, "</p></footer></body></html>\n");
}
