/* SPDX-License-Identifier: BSD-3-Clause */
/* figure.h - what a chart shows, before it is drawn (pure)
 *
 * One figure is drawn as SVG (figure_svg.h), told as a table (figure_table) and
 * written as .tsv with a script for gnuplot (figure_tsv.h): all of the same
 * numbers.
 */
#ifndef REPORT_PAGE_FIGURE_H
#define REPORT_PAGE_FIGURE_H

enum figure_kind {
    FIGURE_LINES,  /* series of points, joined */
    FIGURE_POINTS, /* the same, not joined; 'weight' says how many each is */
    FIGURE_BARS,   /* bins between 'edges', in which series lie on each other */
    FIGURE_CELLS,  /* rows of spans, each of the colour of a series */
};

/* Of the palette, which is told apart without colours seen, too: what is good,
 * what is between, and what is bad have the same one in all figures.
 */
enum figure_colour {
    COLOUR_BLUE,
    COLOUR_CANDIDATE,
    COLOUR_GOOD,
    COLOUR_PINK,
    COLOUR_SKY,
    COLOUR_BAD,
    COLOUR_YELLOW,
    COLOUR_GREY,
    FIGURE_COLOURS
};

struct figure_axis {
    char *label;
    bool is_log;        /* what is not above 0 is left out */
    bool is_whole;      /* numbers are whole: no ticks between them */
    double least, most; /* what is shown; figure_fit fills in */
};

struct figure_series {
    char *name;
    enum figure_colour colour;
    double *x;      /* of bars: not used */
    double *y;      /* of bars: one for each bin; NAN: there is none */
    double *weight; /* of points; else NULL */
    size_t n, alloc;
};

/* A line across the figure at x, and what it is. */
struct figure_mark {
    double x;
    char *text;
};

/* Of FIGURE_CELLS. */
struct figure_cell {
    size_t row;
    double from, to;
    size_t series;
    double share; /* how much of it is filled, 0 to 1 */
};

/* Something that happened in a row: a failure is a cross, a retry a ring. */
struct figure_event {
    size_t row;
    double x;
    double n;
    bool is_retry;
};

struct figure {
    enum figure_kind kind;
    char *id; /* [A-Za-z0-9._-]: of the element, and the name of its files */
    char *title;
    char *description;
    struct figure_axis x, y;
    struct figure_series *series;
    size_t n_series, series_alloc;
    double *edges; /* of bars: n_edges - 1 bins */
    size_t n_edges, edges_alloc;
    struct figure_mark *marks;
    size_t n_marks, marks_alloc;
    struct strvec rows; /* of cells: their names */
    struct figure_cell *cells;
    size_t n_cells, cells_alloc;
    struct figure_event *events;
    size_t n_events, events_alloc;
    bool is_wide;     /* takes the width of the page */
    bool is_diagonal; /* the line y = x is drawn */
};

/* Texts are copied; 'id' gets hyphens for what it must not hold. */
struct figure *figure_create (enum figure_kind kind, const char *id,
                              const char *title, const char *description);
void figure_destroy (struct figure *figure); /* NULL is legal */
void figure_name_axes (struct figure *figure, const char *x, const char *y);

/* Its number. */
size_t figure_add_series (struct figure *figure, const char *name,
                          enum figure_colour colour);

/* A colour for each number, none of them twice in a row. */
enum figure_colour figure_colour_of (size_t number);

void figure_add (struct figure *figure, size_t series, double x, double y);
void figure_add_weighted (struct figure *figure, size_t series, double x,
                          double y, double weight);
void figure_add_edge (struct figure *figure, double x);
void figure_add_mark (struct figure *figure, double x, const char *text);
void figure_add_cell (struct figure *figure, const struct figure_cell *cell);
void figure_add_event (struct figure *figure, const struct figure_event *event);

/* An empty figure of bars, one for each iteration; 'y' names the axis. */
struct figure *figure_by_iteration (const char *id, const char *title,
                                    const char *description, const char *y,
                                    int n_iterations);

/* One more bin of bars, with a name: from -0.5 on, each 1 wide. */
void figure_name_bin (struct figure *figure, const char *name);

/* Is there any number to draw? */
bool figure_is_empty (const struct figure *figure);

/* Fill in what axes show: all numbers, bars and lines from 0 on where that is
 * not far.
 */
void figure_fit (struct figure *figure);

/* Give both the axes that show all of both. */
void figure_share_axes (struct figure *a, struct figure *b);

/* The numbers as a table: the first 'columns' of 'cells' are heads.  Returns
 * the columns.
 */
size_t figure_table (const struct figure *figure, struct strvec *cells);

#endif /* !REPORT_PAGE_FIGURE_H */
