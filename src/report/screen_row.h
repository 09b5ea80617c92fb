/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_row.h - a row of a screen that is being put together (pure)
 *
 * What does not fit is cut; text is made harmless (base/harmless.h); a row has
 * no order for a terminal but those that set colours.
 */
#ifndef REPORT_SCREEN_ROW_H
#define REPORT_SCREEN_ROW_H

/* What a screen is like. */
struct screen_look {
    int width, height; /* columns, rows */
    bool colour;
    bool utf8; /* else ASCII */
};

enum ink {
    INK_PLAIN,
    INK_TITLE,
    INK_FAINT,
    INK_OK,
    INK_RUNNING,
    INK_QUEUED,
    INK_FAILED,
};

struct screen_row {
    const struct screen_look *look; /* lent */
    struct strbuf text;
    int used; /* columns */
};

void screen_row_begin (struct screen_row *row, const struct screen_look *look);
void screen_row_release (struct screen_row *row);

/* How many columns a text takes. */
int screen_columns (const char *text);

void screen_row_add (struct screen_row *row, enum ink ink, const char *text);
void screen_row_addf (struct screen_row *row, enum ink ink, const char *fmt,
                      ...) PRINTF_LIKE (3, 4);

/* Blanks up to a column. */
void screen_row_pad (struct screen_row *row, int column);

/* Of a bar; what is left of the whole is blank. */
enum bar_part { BAR_OK, BAR_RUNNING, BAR_QUEUED, BAR_FAILED, BAR_PARTS };

/* The cells of each part of a bar of 'width' cells for 'all': in proportion,
 * those that are not 0 at least one where there are so many cells; all cells
 * where the parts come to all.
 */
void bar_cells (const int64_t n[BAR_PARTS], int64_t all, int width,
                int cells[BAR_PARTS]);

/* "[####>>..x  ]", of 'width' columns with its ends. */
void screen_row_bar (struct screen_row *row, const int64_t n[BAR_PARTS],
                     int64_t all, int width);

/* A character for each of 'n' values from 0 to 1: a block of that height, or a
 * digit, tenths; "-" for what is not a number.
 */
void screen_row_spark (struct screen_row *row, const double *values, int n);

/* Push it, and begin the next one. */
void screen_row_end (struct screen_row *row, struct strvec *lines);

#endif /* !REPORT_SCREEN_ROW_H */
