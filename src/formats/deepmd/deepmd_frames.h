/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_frames.h - frames out of DeePMD-kit's directories
 *
 * A system is a directory with type.raw (deepmd-kit/doc/data/system.md):
 *
 *   npy    set.NNN/{coord,box,energy,force,virial}.npy, set after set
 *   mixed  the same with real_atom_types.npy: the types of each frame's atoms,
 *          of which those of -1 are no atoms
 *   raw    {coord,box,energy,force,virial}.raw: text, a line for each frame
 *
 * What is not there (energies, forces, virials) the frames do not have.
 * Parameters of frames and of atoms are kept in frame->info, as
 * fparam="..." and aparam="...".
 */
#ifndef FORMATS_DEEPMD_FRAMES_H
#define FORMATS_DEEPMD_FRAMES_H

struct frame;

struct deepmd_frames;

/* Open 'dir', which is a system or has some below, to be read in the order of
 * their paths.  Types without names are 'elements', lent.  NULL with 'err'
 * where there is no system.
 */
struct deepmd_frames *deepmd_frames_open (const char *dir,
                                          char *const *elements,
                                          size_t n_elements, struct error *err);
void deepmd_frames_close (struct deepmd_frames *frames); /* NULL is legal */

/* The next frame, which replaces 'frame'.  1, 0 at the end, or -1 when a system
 * has files that do not fit each other.  Arrays that a frame has no place for
 * are named in 'notes', a sentence each; NULL: they are not named.
 */
int deepmd_frames_next (struct deepmd_frames *frames, struct frame *frame,
                        struct strvec *notes, struct error *err);

#endif /* !FORMATS_DEEPMD_FRAMES_H */
