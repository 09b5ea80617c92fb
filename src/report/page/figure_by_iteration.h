/* SPDX-License-Identifier: BSD-3-Clause */
/* figure_by_iteration.h - bars, one for each iteration (pure) */
#ifndef REPORT_PAGE_FIGURE_BY_ITERATION_H
#define REPORT_PAGE_FIGURE_BY_ITERATION_H

struct figure;

/* An empty figure with a bin for each iteration, of which y is named. */
struct figure *figure_by_iteration (const char *id, const char *title,
                                    const char *description, const char *y,
                                    int n_iterations);

/* Bars with these names: bins from -0.5 on. */
void figure_name_bin (struct figure *figure, const char *name);

#endif /* !REPORT_PAGE_FIGURE_BY_ITERATION_H */
