/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_format.h - frames as LAMMPS dumps them */
#ifndef FORMATS_DUMP_FORMAT_H
#define FORMATS_DUMP_FORMAT_H

struct frame;

/* Append the frame as `dump custom` of units metal writes it: id type element x
 * y z, and fx fy fz where it has forces; the step is that of the frame's info,
 * or 0.  Atoms are of type t when they are elements[t-1].  -1 when an atom is
 * none of them, or the cell is not lower triangular with a positive diagonal
 * (no other fits, and a frame without a cell has none).
 */
int dump_format (const struct frame *frame, char *const *elements,
                 size_t n_elements, struct strbuf *out, struct error *err);

#endif /* !FORMATS_DUMP_FORMAT_H */
