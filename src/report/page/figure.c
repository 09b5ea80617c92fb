/* SPDX-License-Identifier: BSD-3-Clause */
/* figure.c - what a chart shows, before it is drawn */
#include "base/base.h"

#include "report/page/figure.h"

/* --- making --- */

struct figure *figure_create (enum figure_kind kind, const char *id,
                              const char *title, const char *description)
{
    struct figure *figure = xcalloc (1, sizeof (*figure));

    figure->kind = kind;
    figure->id = xstrdup (id);
    for (char *c = figure->id; *c; c++)
        *c =
            isascii (*c) && (isalnum (*c) || *c == '.' || *c == '_') ? *c : '-';
    figure->title = xstrdup (title);
    figure->description = xstrdup (description);
    strvec_init (&figure->rows);
    figure_name_axes (figure, "", "");
    return figure;
}

void figure_destroy (struct figure *figure)
{
    if (!figure)
        return;
    for (size_t i = 0; i < figure->n_series; i++) {
        free (figure->series[i].name);
        free (figure->series[i].x);
        free (figure->series[i].y);
        free (figure->series[i].weight);
    }
    for (size_t i = 0; i < figure->n_marks; i++)
        free (figure->marks[i].text);
    strvec_release (&figure->rows);
    free (figure->series);
    free (figure->edges);
    free (figure->marks);
    free (figure->cells);
    free (figure->events);
    free (figure->x.label);
    free (figure->y.label);
    free (figure->id);
    free (figure->title);
    free (figure->description);
    free (figure);
}

void figure_name_axes (struct figure *figure, const char *x, const char *y)
{
    free (figure->x.label);
    free (figure->y.label);
    figure->x.label = xstrdup (x);
    figure->y.label = xstrdup (y);
}

enum figure_colour figure_colour_of (size_t number)
{
    return (enum figure_colour) (number % FIGURE_COLOURS);
}

size_t figure_add_series (struct figure *figure, const char *name,
                          enum figure_colour colour)
{
    figure->series =
        grow_array (figure->series, figure->n_series, &figure->series_alloc,
                    sizeof (*figure->series));
    figure->series[figure->n_series] =
        (struct figure_series){ .name = xstrdup (name), .colour = colour };
    return figure->n_series++;
}

void figure_add_weighted (struct figure *figure, size_t series, double x,
                          double y, double weight)
{
    struct figure_series *s = &figure->series[series];
    size_t alloc = s->alloc;

    s->x = grow_array (s->x, s->n, &alloc, sizeof (*s->x));
    alloc = s->alloc;
    s->weight = grow_array (s->weight, s->n, &alloc, sizeof (*s->weight));
    s->y = grow_array (s->y, s->n, &s->alloc, sizeof (*s->y));
    s->x[s->n] = x;
    s->weight[s->n] = weight;
    s->y[s->n++] = y;
}

void figure_add (struct figure *figure, size_t series, double x, double y)
{
    figure_add_weighted (figure, series, x, y, 1);
}

void figure_add_edge (struct figure *figure, double x)
{
    figure->edges = grow_array (figure->edges, figure->n_edges,
                                &figure->edges_alloc, sizeof (*figure->edges));
    figure->edges[figure->n_edges++] = x;
}

void figure_add_mark (struct figure *figure, double x, const char *text)
{
    figure->marks = grow_array (figure->marks, figure->n_marks,
                                &figure->marks_alloc, sizeof (*figure->marks));
    figure->marks[figure->n_marks++] =
        (struct figure_mark){ x, xstrdup (text) };
}

void figure_add_cell (struct figure *figure, const struct figure_cell *cell)
{
    figure->cells = grow_array (figure->cells, figure->n_cells,
                                &figure->cells_alloc, sizeof (*figure->cells));
    figure->cells[figure->n_cells++] = *cell;
}

void figure_add_event (struct figure *figure, const struct figure_event *event)
{
    figure->events =
        grow_array (figure->events, figure->n_events, &figure->events_alloc,
                    sizeof (*figure->events));
    figure->events[figure->n_events++] = *event;
}

void figure_name_bin (struct figure *figure, const char *name)
{
    if (figure->n_edges == 0)
        figure_add_edge (figure, -0.5);
    strvec_push (&figure->rows, name);
    figure_add_edge (figure, (double)figure->rows.n - 0.5);
}

struct figure *figure_by_iteration (const char *id, const char *title,
                                    const char *description, const char *y,
                                    int n_iterations)
{
    struct figure *figure = figure_create (FIGURE_BARS, id, title, description);

    figure_name_axes (figure, "iteration", y);
    for (int i = 0; i < n_iterations; i++) {
        char name[16];

        snprintf (name, sizeof (name), "%d", i);
        figure_name_bin (figure, name);
    }
    return figure;
}

bool figure_is_empty (const struct figure *figure)
{
    size_t n = figure->n_cells;

    for (size_t i = 0; i < figure->n_series; i++)
        for (size_t k = 0; k < figure->series[i].n; k++)
            n += isfinite (figure->series[i].y[k]);
    return n == 0;
}

/* --- what axes show --- */

struct extent {
    double least, most;
};

static void extent_add (struct extent *extent, const struct figure_axis *axis,
                        double v)
{
    if (!isfinite (v) || (axis->is_log && v <= 0))
        return;
    extent->least = fmin (extent->least, v);
    extent->most = fmax (extent->most, v);
}

static void add_bars (const struct figure *figure, struct extent *x,
                      struct extent *y)
{
    for (size_t i = 0; i < figure->n_edges; i++)
        extent_add (x, &figure->x, figure->edges[i]);
    extent_add (y, &figure->y, 0);
    for (size_t i = 0; i + 1 < figure->n_edges; i++) {
        double height = 0;

        for (size_t k = 0; k < figure->n_series; k++)
            height +=
                i < figure->series[k].n && isfinite (figure->series[k].y[i])
                    ? figure->series[k].y[i]
                    : 0;
        extent_add (y, &figure->y, height);
    }
}

static void add_points (const struct figure *figure, struct extent *x,
                        struct extent *y)
{
    for (size_t i = 0; i < figure->n_series; i++) {
        for (size_t k = 0; k < figure->series[i].n; k++) {
            extent_add (x, &figure->x, figure->series[i].x[k]);
            extent_add (y, &figure->y, figure->series[i].y[k]);
        }
    }
    for (size_t i = 0; i < figure->n_cells; i++) {
        extent_add (x, &figure->x, figure->cells[i].from);
        extent_add (x, &figure->x, figure->cells[i].to);
    }
}

/* No axis is without length; a linear one that begins near 0 begins there. */
static void set_axis (struct figure_axis *axis, struct extent extent)
{
    if (!(extent.least <= extent.most))
        extent = (struct extent){ axis->is_log ? 0.1 : 0, 1 };
    if (!axis->is_log && extent.least > 0 && extent.least < extent.most / 2)
        extent.least = 0;
    if (!(extent.least < extent.most)) {
        extent.most += axis->is_log ? extent.most : fabs (extent.most) / 2;
        extent.least -=
            axis->is_log ? extent.least / 2 : fabs (extent.least) / 2;
    }
    if (!(extent.least < extent.most))
        extent = (struct extent){ 0, 1 };
    axis->least = extent.least;
    axis->most = extent.most;
}

void figure_fit (struct figure *figure)
{
    struct extent x = { INFINITY, -INFINITY }, y = { INFINITY, -INFINITY };

    if (figure->kind == FIGURE_BARS)
        add_bars (figure, &x, &y);
    else
        add_points (figure, &x, &y);
    for (size_t i = 0; i < figure->n_marks; i++)
        extent_add (&x, &figure->x, figure->marks[i].x);
    if (figure->is_diagonal) {
        x.least = y.least = fmin (x.least, y.least);
        x.most = y.most = fmax (x.most, y.most);
    }
    set_axis (&figure->x, x);
    set_axis (&figure->y, y);
    if (figure->kind == FIGURE_BARS) /* what is above is seen to be nothing */
        figure->y.most *= 1.04;
}

static void share_axis (struct figure_axis *a, struct figure_axis *b)
{
    a->least = b->least = fmin (a->least, b->least);
    a->most = b->most = fmax (a->most, b->most);
}

void figure_share_axes (struct figure *a, struct figure *b)
{
    share_axis (&a->x, &b->x);
    share_axis (&a->y, &b->y);
}

/* --- the numbers as a table --- */

static void push_number (struct strvec *cells, double v)
{
    if (isfinite (v) && v == floor (v) && fabs (v) < 1e15)
        strvec_pushf (cells, "%.0f", v);
    else if (isfinite (v))
        strvec_pushf (cells, "%.6g", v);
    else
        strvec_push (cells, "");
}

static size_t bars_table (const struct figure *figure, struct strvec *cells)
{
    bool named = figure->rows.n > 0;

    strvec_pushf (cells, "%s%s", figure->x.label, named ? "" : " from");
    if (!named)
        strvec_push (cells, "to");
    for (size_t k = 0; k < figure->n_series; k++)
        strvec_push (cells, figure->series[k].name);
    for (size_t i = 0; i + 1 < figure->n_edges; i++) {
        if (named) {
            strvec_push (cells, figure->rows.v[i]);
        } else {
            push_number (cells, figure->edges[i]);
            push_number (cells, figure->edges[i + 1]);
        }
        for (size_t k = 0; k < figure->n_series; k++)
            push_number (cells, i < figure->series[k].n ? figure->series[k].y[i]
                                                        : NAN);
    }
    return figure->n_series + (named ? 1 : 2);
}

static size_t points_table (const struct figure *figure, struct strvec *cells)
{
    bool weighted = figure->kind == FIGURE_POINTS;

    strvec_push (cells, "series");
    strvec_push (cells, figure->x.label);
    strvec_push (cells, figure->y.label);
    if (weighted)
        strvec_push (cells, "number");
    for (size_t i = 0; i < figure->n_series; i++) {
        const struct figure_series *s = &figure->series[i];

        for (size_t k = 0; k < s->n; k++) {
            strvec_push (cells, s->name);
            push_number (cells, s->x[k]);
            push_number (cells, s->y[k]);
            if (weighted)
                push_number (cells, s->weight[k]);
        }
    }
    return weighted ? 4 : 3;
}

static size_t cells_table (const struct figure *figure, struct strvec *cells)
{
    static const char *const heads[] = { "row", "from", "to", "what",
                                         "share or number" };

    for (size_t i = 0; i < ARRAY_SIZE (heads); i++)
        strvec_push (cells, heads[i]);
    for (size_t i = 0; i < figure->n_cells; i++) {
        const struct figure_cell *c = &figure->cells[i];

        strvec_push (cells, figure->rows.v[c->row]);
        push_number (cells, c->from);
        push_number (cells, c->to);
        strvec_push (cells, figure->series[c->series].name);
        push_number (cells, c->share);
    }
    for (size_t i = 0; i < figure->n_events; i++) {
        const struct figure_event *e = &figure->events[i];

        strvec_push (cells, figure->rows.v[e->row]);
        push_number (cells, e->x);
        push_number (cells, e->x);
        strvec_push (cells, e->is_retry ? "retries" : "failures");
        push_number (cells, e->n);
    }
    return ARRAY_SIZE (heads);
}

size_t figure_table (const struct figure *figure, struct strvec *cells)
{
    if (figure->kind == FIGURE_BARS)
        return bars_table (figure, cells);
    if (figure->kind == FIGURE_CELLS)
        return cells_table (figure, cells);
    return points_table (figure, cells);
}
