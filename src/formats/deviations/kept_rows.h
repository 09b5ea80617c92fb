/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_rows.h - of a model_devi.out the rows that have a frame
 *
 * DeePMD-kit goes on writing rows when all atoms are lost, and LAMMPS may end
 * between a row and its frame: such a row is of no configuration.
 */
#ifndef FORMATS_KEPT_ROWS_H
#define FORMATS_KEPT_ROWS_H

/* Copy the lines of 'from' to 'to': comments, and rows of one of steps[0 .. n -
 * 1], which rise.  A last line without its line break is left out.
 */
int kept_rows_copy (const char *from, const char *to, const int64_t *steps,
                    size_t n, struct error *err);

#endif /* !FORMATS_KEPT_ROWS_H */
