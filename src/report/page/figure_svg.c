/* SPDX-License-Identifier: BSD-3-Clause */
/* figure_svg.c - a figure as an SVG element within HTML */
#include "base/base.h"

#include "report/page/figure.h"
#include "report/page/figure_svg.h"
#include "report/page/html_text.h"

/* In units of the view box, which are pixels where the page has them. */
enum {
    WIDTH = 480,
    WIDTH_WIDE = 960,
    HEIGHT = 300,
    LEFT = 58,
    LEFT_WIDE = 130, /* names of rows are longer than numbers */
    RIGHT = 12,
    TOP = 22,
    BOTTOM = 44,
    ROW = 14,
    TICKS = 5,
    TICKS_MOST = TICKS + 3,
    NAME_MOST = 18, /* letters of a row's name */
    DASHES = 4,
};

struct drawing {
    const struct figure *figure;
    struct strbuf *out;
    double width, height; /* of the whole */
    double left, right;   /* of what is between the axes */
    double top, bottom;
};

/* --- from numbers to places --- */

static double scaled (const struct figure_axis *axis, double v)
{
    if (axis->is_log)
        return (log (v) - log (axis->least))
               / (log (axis->most) - log (axis->least));
    return (v - axis->least) / (axis->most - axis->least);
}

static bool can_be_shown (const struct figure_axis *axis, double v)
{
    return isfinite (v) && (!axis->is_log || v > 0);
}

static double at_x (const struct drawing *d, double x)
{
    return d->left + (d->right - d->left) * scaled (&d->figure->x, x);
}

static double at_y (const struct drawing *d, double y)
{
    return d->bottom - (d->bottom - d->top) * scaled (&d->figure->y, y);
}

/* --- axes --- */

int axis_ticks (double least, double most, int n, double *ticks)
{
    double rough = (most - least) / n;
    double power = pow (10, floor (log10 (rough)));
    double step = power
                  * (rough / power <= 1   ? 1
                     : rough / power <= 2 ? 2
                     : rough / power <= 5 ? 5
                                          : 10);
    int count = 0;

    for (double k = ceil (least / step - 1e-9);
         k * step <= most + step * 1e-9 && count < n + 3; k++)
        ticks[count++] = k * step;
    return count;
}

static int log_ticks (const struct figure_axis *axis, int n, double *ticks)
{
    double first = ceil (log10 (axis->least) - 1e-9);
    double decades = floor (log10 (axis->most) + 1e-9) - first;
    double step = fmax (1, ceil (decades / n));
    int count = 0;

    if (decades < 1) /* no two powers of ten: as it is, though not even */
        return axis_ticks (axis->least, axis->most, n, ticks);
    for (double k = first; k <= first + decades && count < n + 3; k += step)
        ticks[count++] = pow (10, k);
    return count;
}

static int ticks_of (const struct figure_axis *axis, double *ticks)
{
    int n = axis->is_log ? log_ticks (axis, TICKS, ticks)
                         : axis_ticks (axis->least, axis->most, TICKS, ticks);
    int kept = 0;

    for (int i = 0; i < n; i++) {
        if (!axis->is_whole || ticks[i] == floor (ticks[i]))
            ticks[kept++] = ticks[i];
    }
    return kept;
}

static void add_text (const struct drawing *d, const char *attributes, double x,
                      double y, const char *text)
{
    strbuf_addf (d->out, "<text %s x=\"%.1f\" y=\"%.1f\">", attributes, x, y);
    html_add (d->out, text);
    strbuf_add_str (d->out, "</text>");
}

static void add_x_ticks (const struct drawing *d)
{
    double ticks[TICKS_MOST];
    int n = ticks_of (&d->figure->x, ticks);

    for (int i = 0; i < n; i++) {
        char text[32];
        double x = at_x (d, ticks[i]);

        snprintf (text, sizeof (text), "%.6g",
                  fabs (ticks[i]) < 1e-12 ? 0 : ticks[i]);
        strbuf_addf (d->out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x,
                     d->top, d->bottom);
        add_text (d, "text-anchor=\"middle\"", x, d->bottom + 16, text);
    }
}

static void add_y_ticks (const struct drawing *d)
{
    double ticks[TICKS_MOST];
    int n = ticks_of (&d->figure->y, ticks);

    for (int i = 0; i < n; i++) {
        char text[32];
        double y = at_y (d, ticks[i]);

        snprintf (text, sizeof (text), "%.6g",
                  fabs (ticks[i]) < 1e-12 ? 0 : ticks[i]);
        strbuf_addf (d->out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>",
                     d->left, y, d->right);
        add_text (d, "text-anchor=\"end\"", d->left - 5, y + 4, text);
    }
}

static void add_axis_labels (const struct drawing *d)
{
    if (d->figure->x.label[0])
        add_text (d, "text-anchor=\"middle\" class=\"label\"",
                  (d->left + d->right) / 2, d->height - 6, d->figure->x.label);
    if (d->figure->y.label[0])
        add_text (d, "class=\"label\"", 4, 13, d->figure->y.label);
}

/* What bars are of, or rows: so many as there is room for. */
static void add_names_below (const struct drawing *d)
{
    size_t n = d->figure->rows.n;
    size_t every = (n * 56) / (size_t)(d->right - d->left) + 1;

    for (size_t i = 0; i < n; i += every) {
        struct strbuf name = STRBUF_INIT;

        strbuf_add_str (&name, d->figure->rows.v[i]);
        strbuf_shorten (&name, n < 6 ? 14 : 9);
        add_text (d, "text-anchor=\"middle\"",
                  at_x (d, (d->figure->edges[i] + d->figure->edges[i + 1]) / 2),
                  d->bottom + 16, name.buf);
        strbuf_release (&name);
    }
}

static void add_row_names (const struct drawing *d)
{
    for (size_t i = 0; i < d->figure->rows.n; i++) {
        struct strbuf name = STRBUF_INIT;

        strbuf_add_str (&name, d->figure->rows.v[i]);
        strbuf_shorten (&name, NAME_MOST);
        add_text (d, "text-anchor=\"end\"", d->left - 5,
                  d->top + ROW * ((double)i + 0.5) + 4, name.buf);
        strbuf_release (&name);
    }
}

static void add_axes (const struct drawing *d)
{
    if (d->figure->kind == FIGURE_CELLS) {
        add_x_ticks (d);
        add_row_names (d);
    } else {
        if (d->figure->kind == FIGURE_BARS && d->figure->rows.n > 0)
            add_names_below (d);
        else
            add_x_ticks (d);
        add_y_ticks (d);
    }
    add_axis_labels (d);
    strbuf_addf (d->out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>",
                 d->left, d->top, d->bottom, d->right);
}

/* Texts of marks that would lie on each other stand below each other. */
static void add_marks (const struct drawing *d)
{
    for (size_t i = 0; i < d->figure->n_marks; i++) {
        const struct figure_mark *m = &d->figure->marks[i];
        double x =
            can_be_shown (&d->figure->x, m->x) ? at_x (d, m->x) : d->left;
        bool ends = x > (d->left + d->right) / 2;

        strbuf_addf (d->out, "<path class=\"mark\" d=\"M%.1f %.1fV%.1f\"/>", x,
                     d->top, d->bottom);
        add_text (
            d, ends ? "class=\"over\" text-anchor=\"end\"" : "class=\"over\"",
            x + (ends ? -4 : 4), d->top + 11 + 13 * (double)(i % 4), m->text);
    }
}

/* --- what is drawn between the axes --- */

static void draw_line (const struct drawing *d, const struct figure_series *s,
                       size_t number)
{
    bool drawn = false;

    strbuf_addf (d->out, "<path class=\"line c%d d%zu\" d=\"", (int)s->colour,
                 number / FIGURE_COLOURS % DASHES);
    for (size_t i = 0; i < s->n; i++) {
        bool shows = can_be_shown (&d->figure->x, s->x[i])
                     && can_be_shown (&d->figure->y, s->y[i]);

        if (shows)
            strbuf_addf (d->out, "%c%.1f %.1f", drawn ? 'L' : 'M',
                         at_x (d, s->x[i]), at_y (d, s->y[i]));
        drawn = shows;
    }
    strbuf_add_str (d->out, "\"/>");
}

/* A shape for each series in turn: colours are not all that tells them apart.
 */
static void draw_point (const struct drawing *d, size_t number, double x,
                        double y)
{
    static const char *const shapes[] = {
        "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
        "m-3 -3h6v6h-6z",
        "m0 -4l4 7h-8z",
        "m0 -4l4 4l-4 4l-4 -4z",
    };

    strbuf_addf (d->out, "M%.1f %.1f%s", x, y, shapes[number % 4]);
}

static void draw_dots (const struct drawing *d, const struct figure_series *s,
                       size_t number)
{
    strbuf_addf (d->out, "<path class=\"dots c%d\" d=\"", (int)s->colour);
    for (size_t i = 0; i < s->n; i++) {
        if (can_be_shown (&d->figure->x, s->x[i])
            && can_be_shown (&d->figure->y, s->y[i]))
            draw_point (d, number, at_x (d, s->x[i]), at_y (d, s->y[i]));
    }
    strbuf_add_str (d->out, "\"/>");
}

enum { DOTS_MOST = 60 };

static void draw_lines (const struct drawing *d)
{
    for (size_t i = 0; i < d->figure->n_series; i++) {
        const struct figure_series *s = &d->figure->series[i];

        draw_line (d, s, i);
        if (s->n <= DOTS_MOST)
            draw_dots (d, s, i);
    }
}

/* How many of them one point is shows in four steps. */
static void draw_points (const struct drawing *d)
{
    double most = 1;

    for (size_t i = 0; i < d->figure->n_series; i++)
        for (size_t k = 0; k < d->figure->series[i].n; k++)
            most = fmax (most, d->figure->series[i].weight[k]);
    for (size_t i = 0; i < d->figure->n_series; i++) {
        const struct figure_series *s = &d->figure->series[i];

        for (int step = 1; step <= 4; step++) {
            strbuf_addf (d->out, "<path class=\"fill c%d o%d\" d=\"",
                         (int)s->colour, most > 1 ? step : 4);
            for (size_t k = 0; k < s->n; k++) {
                double part = log1p (s->weight[k]) / log1p (most);

                if ((int)ceil (part * 4) == step
                    && can_be_shown (&d->figure->y, s->y[k]))
                    strbuf_addf (d->out, "M%.1f %.1fh4v4h-4z",
                                 at_x (d, s->x[k]) - 2, at_y (d, s->y[k]) - 2);
            }
            strbuf_add_str (d->out, "\"/>");
        }
    }
}

static void draw_bar (const struct drawing *d, size_t bin, double from,
                      double to)
{
    double left = at_x (d, d->figure->edges[bin]);
    double width = at_x (d, d->figure->edges[bin + 1]) - left;
    double gap = width > 6 ? fmin (width / 10, 4) : 0;

    strbuf_addf (d->out, "M%.1f %.1fh%.1fV%.1fh-%.1fz", left + gap,
                 at_y (d, from), width - 2 * gap, at_y (d, to),
                 width - 2 * gap);
}

static void draw_bars (const struct drawing *d)
{
    size_t bins = d->figure->n_edges > 0 ? d->figure->n_edges - 1 : 0;

    for (size_t k = 0; k < d->figure->n_series; k++) {
        const struct figure_series *s = &d->figure->series[k];

        strbuf_addf (d->out, "<path class=\"fill c%d\" d=\"", (int)s->colour);
        for (size_t i = 0; i < bins && i < s->n; i++) {
            double below = 0;

            for (size_t j = 0; j < k; j++)
                below += i < d->figure->series[j].n
                                 && isfinite (d->figure->series[j].y[i])
                             ? d->figure->series[j].y[i]
                             : 0;
            if (isfinite (s->y[i]) && s->y[i] > 0)
                draw_bar (d, i, below, below + s->y[i]);
        }
        strbuf_add_str (d->out, "\"/>");
    }
}

static void draw_cells_of (const struct drawing *d, size_t series, int step)
{
    bool any = false;

    for (size_t i = 0; i < d->figure->n_cells; i++) {
        const struct figure_cell *c = &d->figure->cells[i];
        double from, width;

        if (c->series != series || (int)ceil (c->share * 4) != step)
            continue;
        if (!any)
            strbuf_addf (d->out, "<path class=\"fill c%d o%d\" d=\"",
                         (int)d->figure->series[series].colour, step);
        any = true;
        from = at_x (d, c->from);
        width = fmax (at_x (d, c->to) - from, 0.5);
        strbuf_addf (d->out, "M%.1f %.1fh%.1fv%dh-%.1fz", from,
                     d->top + ROW * (double)c->row + 1, width, ROW - 2, width);
    }
    if (any)
        strbuf_add_str (d->out, "\"/>");
}

static void draw_events (const struct drawing *d, bool retries)
{
    strbuf_addf (d->out, "<path class=\"%s\" d=\"", retries ? "ring" : "cross");
    for (size_t i = 0; i < d->figure->n_events; i++) {
        const struct figure_event *e = &d->figure->events[i];

        if (e->is_retry == retries)
            strbuf_addf (d->out, "M%.1f %.1f%s", at_x (d, e->x),
                         d->top + ROW * ((double)e->row + 0.5),
                         retries ? "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0"
                                 : "m-4 -4l8 8m0 -8l-8 8");
    }
    strbuf_add_str (d->out, "\"/>");
}

static void draw_cells (const struct drawing *d)
{
    for (size_t i = 0; i < d->figure->n_series; i++)
        for (int step = 1; step <= 4; step++)
            draw_cells_of (d, i, step);
    draw_events (d, true);
    draw_events (d, false);
}

static void draw (const struct drawing *d)
{
    if (d->figure->is_diagonal)
        strbuf_addf (d->out,
                     "<path class=\"mark\" d=\"M%.1f %.1fL%.1f %.1f\"/>",
                     d->left, d->bottom, d->right, d->top);
    if (d->figure->kind == FIGURE_LINES)
        draw_lines (d);
    else if (d->figure->kind == FIGURE_POINTS)
        draw_points (d);
    else if (d->figure->kind == FIGURE_BARS)
        draw_bars (d);
    else
        draw_cells (d);
}

void figure_svg (const struct figure *figure, const char *prefix,
                 struct strbuf *out)
{
    struct drawing d = { figure, out, WIDTH, HEIGHT, LEFT, 0, TOP, 0 };

    if (figure->is_wide) {
        d.width = WIDTH_WIDE;
        d.left = figure->kind == FIGURE_CELLS ? LEFT_WIDE : LEFT;
    }
    if (figure->kind == FIGURE_CELLS)
        d.height = TOP + BOTTOM + ROW * (double)figure->rows.n;
    d.right = d.width - RIGHT;
    d.bottom = d.height - BOTTOM;
    strbuf_addf (out,
                 "<svg role=\"img\" viewBox=\"0 0 %.0f %.0f\" "
                 "aria-labelledby=\"%s%s-t %s%s-d\"><title id=\"%s%s-t\">",
                 d.width, d.height, prefix, figure->id, prefix, figure->id,
                 prefix, figure->id);
    html_add (out, figure->title);
    strbuf_addf (out, "</title><desc id=\"%s%s-d\">", prefix, figure->id);
    html_add (out, figure->description);
    strbuf_add_str (out, "</desc>");
    add_axes (&d);
    draw (&d);
    add_marks (&d);
    strbuf_add_str (out, "</svg>\n");
}
