/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_frames.h - the part of a LAMMPS dump that can be computed again */
#ifndef FORMATS_WHOLE_FRAMES_H
#define FORMATS_WHOLE_FRAMES_H

struct whole_frames {
    int64_t seen; /* frames that were written to the end */
    int64_t kept; /* those that are configurations */
};

/* Copy the frames of the dump 'from' (columns x y z) to 'to', byte for byte,
 * without a last one that was cut short and without those that are no
 * configuration of 'n_atoms' atoms: atoms missing, coordinates that are not
 * finite or farther out than LAMMPS can fold back into the box.  'from' that
 * does not exist is an empty trajectory.  When all is kept 'from' is renamed.
 */
int whole_frames_keep (const char *from, const char *to, size_t n_atoms,
                       struct whole_frames *frames, struct error *err);

#endif /* !FORMATS_WHOLE_FRAMES_H */
