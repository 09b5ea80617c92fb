/* SPDX-License-Identifier: BSD-3-Clause */
/* k_points.h - the card K_POINTS of pw.x, for the cell of each frame */
#ifndef OPERATORS_QE_K_POINTS_H
#define OPERATORS_QE_K_POINTS_H

struct frame;
struct known_input;

/* Append the least mesh whose points are no farther apart than 'kspacing', in
 * 1/angstrom; null: nothing, the template has the card.
 */
int pw_add_k_points (const struct json *kspacing, const struct frame *frame,
                     struct strbuf *out, struct error *err);

/* For the check of the input kspacing. */
int pw_check_kspacing (const struct known_input *input, struct error *err);

/* k-points of a template come from exactly one of its card and kspacing. */
int pw_check_k_points (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct error *err);

#endif /* !OPERATORS_QE_K_POINTS_H */
