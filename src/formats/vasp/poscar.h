/* SPDX-License-Identifier: BSD-3-Clause */
/* poscar.h - VASP's structures: POSCAR and CONTCAR (VASP wiki, POSCAR)
 *
 *   a comment                    VASP 4: the elements stand here
 *   1.0                          scale; negative: the volume in A^3; or three
 *   5.43 0 0                     the three vectors of the cell
 *   0 5.43 0
 *   0 0 5.43
 *   Si O                         VASP 5; potentials' names are understood
 *   8 4                          how many atoms of each
 *   Selective dynamics           may stand here; its flags are dropped
 *   Direct                       or Cartesian
 *   0 0 0 T T F
 *
 * Velocities and whatever else follows the positions are not looked at.
 */
#ifndef FORMATS_POSCAR_H
#define FORMATS_POSCAR_H

struct frame;
struct lines;

/* Read the structure that begins with the next line; 'frame', which must be
 * initialised, is replaced.
 */
int poscar_read (struct lines *lines, struct frame *frame, struct error *err);

/* The same from a text; 'name' is for messages. */
int poscar_parse (const char *text, size_t len, const char *name,
                  struct frame *frame, struct error *err);

/* Does VASP take the cell?  It has a volume, and its vectors are right-handed.
 */
int poscar_check (const struct frame *frame, struct error *err);

/* Append the frame as VASP 5 reads it, Cartesian, atoms of one element together
 * (frame_order_by_element).  Numbers read back exactly.
 */
void poscar_format (const struct frame *frame, struct strbuf *out);

#endif /* !FORMATS_POSCAR_H */
