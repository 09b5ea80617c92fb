/* SPDX-License-Identifier: BSD-3-Clause */
/* figure_by_iteration.c - bars, one for each iteration */
#include "base/base.h"

#include "report/page/figure.h"
#include "report/page/figure_by_iteration.h"

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
