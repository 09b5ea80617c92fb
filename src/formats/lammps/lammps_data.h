/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_data.h - LAMMPS data files, atom_style atomic
 *
 * Read what `write_data` and people write (orthogonal or triclinic, optional
 * Velocities ignored, Masses only compared, type labels in "# Si" comments
 * ignored); write the least that read_data needs.
 */
#ifndef FORMATS_LAMMPS_DATA_H
#define FORMATS_LAMMPS_DATA_H

struct frame;

/* Parse 'text'; type t becomes symbols elements[t-1] (n_elements of them; a
 * larger type is an error, and so is one with the mass of another of the
 * elements).  Atoms are ordered by id.  The cell is the
 * restricted triangular one; the origin is subtracted; image flags are not
 * applied.  'frame' must be initialised; it is replaced.
 */
int lammps_data_parse (const char *text, size_t len, const char *name,
                       char *const *elements, size_t n_elements,
                       struct frame *frame, struct error *err);

/* -1 when the cell is not lower-triangular with a positive diagonal, as LAMMPS
 * wants it.
 */
int lammps_cell_check (const double cell[9], struct error *err);

/* Append a data file for 'frame'.  The cell is as lammps_cell_check wants
 * it.  Masses are those of the elements
 * (standard atomic weights).
 */
int lammps_data_format (const struct frame *frame, char *const *elements,
                        size_t n_elements, struct strbuf *out,
                        struct error *err);

#endif /* !FORMATS_LAMMPS_DATA_H */
