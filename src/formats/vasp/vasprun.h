/* SPDX-License-Identifier: BSD-3-Clause */
/* vasprun.h - energies, forces and stresses from VASP's vasprun.xml
 *
 * What OUTCAR says (outcar.h), with eight decimals and all types of ions; there
 * is one <calculation> for each step of the ions.  The energy is e_fr_energy of
 * its <energy>: e_0_energy is wrong there until VASP 6, and what an <scstep>
 * says lacks dispersion corrections.  A calculation with NELM scsteps is
 * unconverged; one without any is a prediction of a force field of VASP.
 *
 * The file is read in blocks: memory is a frame, and never what VASP says of
 * bands and densities of states.
 */
#ifndef FORMATS_VASPRUN_H
#define FORMATS_VASPRUN_H

struct frame;
struct vasprun;

/* Open a file, which may be compressed; NULL with 'err'. */
struct vasprun *vasprun_open (const char *path, struct error *err);

/* Read 'text', which must stay; 'name' is for messages. */
struct vasprun *vasprun_of_text (const char *text, size_t len,
                                 const char *name);

void vasprun_close (struct vasprun *run);

/* Read the next calculation that converged and has energy and forces; it
 * replaces 'frame', which must be initialised.  1, 0 at the end, or when the
 * file ends before </modeling> (then *truncated is set), or -1.
 */
int vasprun_next (struct vasprun *run, struct frame *frame, bool *truncated,
                  struct error *err);

/* Calculations that are no frames so far: unconverged ones, predictions, and
 * those without forces.
 */
struct vasprun_left_out {
    size_t unconverged;
    size_t predicted;
    size_t unlabelled;
};
struct vasprun_left_out vasprun_left_out (const struct vasprun *run);

#endif /* !FORMATS_VASPRUN_H */
