/* SPDX-License-Identifier: BSD-3-Clause */
/* figure_tsv.c - a figure's numbers for other programs */
#include "base/base.h"

#include "report/page/figure.h"
#include "report/page/figure_tsv.h"

/* What a cell of an awk or gnuplot table cannot hold is a blank. */
static void add_cell (const char *text, struct strbuf *out)
{
    if (!*text)
        strbuf_add_str (out, "nan");
    for (; *text; text++)
        strbuf_add_char (out, (unsigned char)*text < ' ' ? ' ' : *text);
}

void table_tsv (const struct strvec *cells, size_t columns, struct strbuf *out)
{
    strbuf_add_str (out, "# ");
    for (size_t i = 0; i < cells->n; i++) {
        add_cell (cells->v[i], out);
        strbuf_add_char (out, (i + 1) % columns == 0 ? '\n' : '\t');
    }
}

/* In single quotes nothing but these is read by gnuplot. */
static void add_quoted (const char *text, struct strbuf *out)
{
    strbuf_add_char (out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            strbuf_add_char (out, '\'');
        strbuf_add_char (
            out, (unsigned char)*text < ' ' || *text == '`' ? ' ' : *text);
    }
    strbuf_add_char (out, '\'');
}

static void add_setting (const char *what, const char *text, struct strbuf *out)
{
    strbuf_addf (out, "set %s ", what);
    add_quoted (text, out);
    strbuf_add_str (out, " noenhanced\n");
}

static const char *const colours[FIGURE_COLOURS] = {
    "#0072b2", "#e69f00", "#009e73", "#cc79a7",
    "#56b4e9", "#d55e00", "#b8a600", "#777777",
};

/* Of bars column k + 'skip' is series k; gnuplot piles them up. */
static void plot_bars (const struct figure *figure, struct strbuf *out)
{
    size_t skip = figure->rows.n > 0 ? 2 : 3;

    strbuf_add_str (out, "set style data histograms\n"
                         "set style histogram rowstacked\n"
                         "set style fill solid\nset xtics rotate by -45\n"
                         "plot ");
    for (size_t k = 0; k < figure->n_series; k++) {
        strbuf_addf (out, "%s'%s.tsv' using %zu:xtic(1) lc rgb '%s' title ",
                     k > 0 ? ", \\\n     " : "", figure->id, skip + k,
                     colours[figure->series[k].colour]);
        add_quoted (figure->series[k].name, out);
        strbuf_add_str (out, " noenhanced");
    }
}

/* The first column names the series of each row. */
static void plot_points (const struct figure *figure, struct strbuf *out)
{
    strbuf_add_str (out, "plot ");
    for (size_t k = 0; k < figure->n_series; k++) {
        strbuf_addf (out, "%s'%s.tsv' using 2:(strcol(1) eq ",
                     k > 0 ? ", \\\n     " : "", figure->id);
        add_quoted (figure->series[k].name, out);
        strbuf_addf (out, " ? $3 : NaN) with %s lc rgb '%s' title ",
                     figure->kind == FIGURE_POINTS ? "points" : "linespoints",
                     colours[figure->series[k].colour]);
        add_quoted (figure->series[k].name, out);
        strbuf_add_str (out, " noenhanced");
    }
}

/* Rows are numbered from the top by their names' first cells. */
static void plot_cells (const struct figure *figure, struct strbuf *out)
{
    strbuf_add_str (out, "set yrange [:] reverse\nset ytics (");
    for (size_t i = 0; i < figure->rows.n; i++) {
        strbuf_addf (out, "%s", i > 0 ? ", " : "");
        add_quoted (figure->rows.v[i], out);
        strbuf_addf (out, " %zu", i);
    }
    strbuf_add_str (out, ")\nrow(name) = ");
    for (size_t i = 0; i < figure->rows.n; i++) {
        strbuf_add_str (out, "name eq ");
        add_quoted (figure->rows.v[i], out);
        strbuf_addf (out, " ? %zu : ", i);
    }
    strbuf_add_str (out, "NaN\nplot ");
    for (size_t k = 0; k < figure->n_series; k++) {
        strbuf_addf (out, "%s'%s.tsv' using 2:(strcol(4) eq ",
                     k > 0 ? ", \\\n     " : "", figure->id);
        add_quoted (figure->series[k].name, out);
        strbuf_addf (out,
                     " ? row(strcol(1)) : NaN):($3-$2):(0) with vectors nohead "
                     "lw 6 lc rgb '%s' title ",
                     colours[figure->series[k].colour]);
        add_quoted (figure->series[k].name, out);
        strbuf_add_str (out, " noenhanced");
    }
}

void figure_gnuplot (const struct figure *figure, struct strbuf *out)
{
    strbuf_addf (out,
                 "# gnuplot %s.gp writes %s.svg\n"
                 "set terminal svg size 900,560\nset output '%s.svg'\n"
                 "set datafile separator '\\t'\nset datafile missing 'nan'\n"
                 "set key outside below noenhanced\n",
                 figure->id, figure->id, figure->id);
    add_setting ("title", figure->title, out);
    add_setting ("xlabel", figure->x.label, out);
    add_setting ("ylabel", figure->y.label, out);
    if (figure->x.is_log && figure->kind != FIGURE_BARS)
        strbuf_add_str (out, "set logscale x\n");
    if (figure->y.is_log)
        strbuf_add_str (out, "set logscale y\n");
    if (figure->kind == FIGURE_BARS)
        plot_bars (figure, out);
    else if (figure->kind == FIGURE_CELLS)
        plot_cells (figure, out);
    else
        plot_points (figure, out);
    strbuf_add_char (out, '\n');
}
