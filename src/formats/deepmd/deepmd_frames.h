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
 */
#ifndef FORMATS_DEEPMD_FRAMES_H
#define FORMATS_DEEPMD_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct frame;
struct heartbeat;

/* Is 'dir' a system, or has it any below? */
bool deepmd_has_system (const char *dir);

/* Call 'each' (its -1 stops, and is returned, with 'err' as it left it) for the
 * frames of all systems in 'dir', which is one or has some below, in the order
 * of their paths.  Types without names are 'elements'.  -1 with 'err' where
 * there is no system, or one has files that do not fit each other.  Beats at
 * every frame.
 */
int deepmd_frames_read (
    const char *dir, char *const *elements, size_t n_elements,
    int (*each) (const struct frame *frame, void *arg, struct error *err),
    void *arg, const struct heartbeat *heartbeat, struct error *err);

#endif /* !FORMATS_DEEPMD_FRAMES_H */
