/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - what a report says of one campaign: sections of figures, tables and
 * sentences (pure)
 */
#ifndef REPORT_PAGE_PAGE_H
#define REPORT_PAGE_PAGE_H

struct figure;

struct section_table {
    char *title;
    size_t columns;
    struct strvec cells; /* row by row, the first are heads */
};

/* A file as it is. */
struct section_text {
    char *title;
    char *text;
};

struct section {
    const char *id, *title; /* lent for as long as the page is there */
    struct strvec notes;    /* sentences */
    struct figure **figures;
    size_t n_figures, figures_alloc;
    struct section_table *tables;
    size_t n_tables, tables_alloc;
    struct section_text *texts;
    size_t n_texts, texts_alloc;
};

struct page {
    char *name;     /* of the campaign; NULL: none yet */
    char *subtitle; /* how it stands */
    struct section *sections;
    size_t n_sections, alloc;
};

#define PAGE_INIT                                                              \
    {                                                                          \
        .name = NULL                                                           \
    }

void page_release (struct page *page);

/* A new section, lent until the next one is made. */
struct section *page_add (struct page *page, const char *id, const char *title);

void section_note (struct section *section, const char *fmt, ...)
    PRINTF_LIKE (2, 3);

/* The figure belongs to the section; an empty one is destroyed.  Its axes are
 * fitted.
 */
void section_add_figure (struct section *section, struct figure *figure);

/* Columns without any text are left out, and a table that has one column then,
 * or none.
 */
void section_add_table (struct section *section, const char *title,
                        size_t columns, const struct strvec *cells);
/* A cell: four digits, or all before the point. */
void section_push_number (struct strvec *cells, double v);

void section_add_text (struct section *section, const char *title,
                       const char *text);

/* Give figures of one id the same axes in both. */
void pages_share_axes (struct page *a, struct page *b);

#endif /* !REPORT_PAGE_PAGE_H */
