/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c - what a report says of one campaign */
#include "base/base.h"

#include "report/page/figure.h"
#include "report/page/page.h"

static void section_release (struct section *section)
{
    for (size_t i = 0; i < section->n_figures; i++)
        figure_destroy (section->figures[i]);
    for (size_t i = 0; i < section->n_tables; i++) {
        free (section->tables[i].title);
        strvec_release (&section->tables[i].cells);
    }
    for (size_t i = 0; i < section->n_texts; i++) {
        free (section->texts[i].title);
        free (section->texts[i].text);
    }
    free (section->figures);
    free (section->tables);
    free (section->texts);
    strvec_release (&section->notes);
}

void page_release (struct page *page)
{
    for (size_t i = 0; i < page->n_sections; i++)
        section_release (&page->sections[i]);
    free (page->sections);
    free (page->name);
    free (page->subtitle);
    *page = (struct page)PAGE_INIT;
}

struct section *page_add (struct page *page, const char *id, const char *title)
{
    struct section *section;

    page->sections = grow_array (page->sections, page->n_sections, &page->alloc,
                                 sizeof (*page->sections));
    section = &page->sections[page->n_sections++];
    *section = (struct section){ .id = id, .title = title };
    strvec_init (&section->notes);
    return section;
}

void section_note (struct section *section, const char *fmt, ...)
{
    _cleanup_free_ char *text = NULL;
    va_list ap;

    va_start (ap, fmt);
    text = xvasprintf (fmt, ap);
    va_end (ap);
    strvec_push (&section->notes, text);
}

void section_add_figure (struct section *section, struct figure *figure)
{
    if (figure_is_empty (figure)) {
        figure_destroy (figure);
        return;
    }
    figure_fit (figure);
    section->figures =
        grow_array (section->figures, section->n_figures,
                    &section->figures_alloc, sizeof (struct figure *));
    section->figures[section->n_figures++] = figure;
}

/* Does any row but the heads say something there? */
static bool column_says (const struct strvec *cells, size_t columns, size_t k)
{
    for (size_t i = columns + k; i < cells->n; i += columns) {
        if (cells->v[i][0])
            return true;
    }
    return false;
}

/* Columns without any text are left out.  Returns how many are left. */
static size_t copy_columns (const struct strvec *cells, size_t columns,
                            struct strvec *out)
{
    _cleanup_free_ bool *says = xcalloc (columns + 1, sizeof (*says));
    size_t n = 0;

    for (size_t k = 0; k < columns; k++)
        n += says[k] = column_says (cells, columns, k);
    for (size_t i = 0; i < cells->n; i++) {
        if (says[i % columns])
            strvec_push (out, cells->v[i]);
    }
    return n;
}

void section_add_table (struct section *section, const char *title,
                        size_t columns, const struct strvec *cells)
{
    struct section_table table = { .title = NULL };

    strvec_init (&table.cells);
    table.columns = copy_columns (cells, columns, &table.cells);
    if (table.columns < 2) {
        strvec_release (&table.cells);
        return;
    }
    table.title = xstrdup (title);
    section->tables =
        grow_array (section->tables, section->n_tables, &section->tables_alloc,
                    sizeof (*section->tables));
    section->tables[section->n_tables++] = table;
}

void section_push_number (struct strvec *cells, double v)
{
    if (fabs (v) < 1000)
        strvec_pushf (cells, "%.4g", v);
    else
        strvec_pushf (cells, "%.0f", v);
}

void section_add_text (struct section *section, const char *title,
                       const char *text)
{
    section->texts =
        grow_array (section->texts, section->n_texts, &section->texts_alloc,
                    sizeof (*section->texts));
    section->texts[section->n_texts++] =
        (struct section_text){ xstrdup (title), xstrdup (text) };
}

static struct figure *figure_with_id (const struct page *page, const char *id)
{
    for (size_t i = 0; i < page->n_sections; i++) {
        const struct section *s = &page->sections[i];

        for (size_t k = 0; k < s->n_figures; k++) {
            if (strcmp (s->figures[k]->id, id) == 0)
                return s->figures[k];
        }
    }
    return NULL;
}

void pages_share_axes (struct page *a, struct page *b)
{
    for (size_t i = 0; i < a->n_sections; i++) {
        const struct section *s = &a->sections[i];

        for (size_t k = 0; k < s->n_figures; k++) {
            struct figure *other = figure_with_id (b, s->figures[k]->id);

            if (other && s->figures[k]->kind == other->kind
                && other->rows.n == s->figures[k]->rows.n)
                figure_share_axes (s->figures[k], other);
        }
    }
}
