/* SPDX-License-Identifier: BSD-3-Clause */
/* figure_svg.h - a figure as an SVG element within HTML (pure) */
#ifndef REPORT_PAGE_FIGURE_SVG_H
#define REPORT_PAGE_FIGURE_SVG_H

struct figure;

/* Append <svg role="img"> with title and description; 'prefix' makes ids of
 * this page's figure its own.  Colours are classes c0, c1 ... of the page.  The
 * figure's axes were fitted.
 */
void figure_svg (const struct figure *figure, const char *prefix,
                 struct strbuf *out);

/* Ticks of an axis from 'least' to 'most', about 'n' of them, at round numbers:
 * fills 'ticks' (of n + 3), returns how many.
 */
int axis_ticks (double least, double most, int n, double *ticks);

#endif /* !REPORT_PAGE_FIGURE_SVG_H */
