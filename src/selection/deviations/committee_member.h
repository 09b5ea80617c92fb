/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_member.h - one of the files of a committee, frame after frame */
#ifndef SELECTION_COMMITTEE_MEMBER_H
#define SELECTION_COMMITTEE_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/vector_reader.h"

struct committee_files;
struct error;

/* A file and the frame it stands at. */
struct member {
    struct vector_reader *reader; /* NULL: there is no such file */
    struct vector_frame frame;
    int64_t number;   /* of the frame in the file, from 0; -1: none was read */
    bool at_frame;    /* 'frame' was read and not matched yet */
    bool ended;       /* the file, or the piece */
    uint64_t end;     /* frames from this place on are another piece's */
    bool any;         /* a frame was read, */
    int64_t last;     /* of this step */
    bool needs_steps; /* its piece was found by them */
    bool went_back;   /* a step was not larger than the one before, or one that
                         was needed is not there */
};

/* Open 'path'; 'options' is lent.  A file that is not there is counted in
 * *absent, and has no frames.
 */
int member_open (struct member *member,
                 const char *path,
                 const struct vector_options *options,
                 uint64_t *absent,
                 struct error *err);

/* Close; a file that ends within a frame is counted, by whose piece comes to
 * its end.
 */
void member_close (struct member *member, uint64_t *counts);

/* Read the next frame of the file or the piece, which must be there: 1, 0 at
 * the end, or -1.
 */
int member_next (struct member *member, struct error *err);

/* Go on to the frame of the trajectory: 1, 0 when it is not there, or -1.
 * Steps may start again (a restarted run); the file then has to do the same.
 */
int member_seek (struct member *member,
                 const struct member *trajectory,
                 struct error *err);

/* As many atoms, and of the same ids as far as both files hold ids? */
bool member_has_atoms_of (const struct member *model,
                          const struct member *trajectory);

/* Go to where the member's piece begins; UINT64_MAX: behind the last frame. */
int member_begin_at (struct member *member, uint64_t place, struct error *err);

/* Restrict the files, which are open, to files->piece. */
int committee_take_piece (const struct committee_files *files,
                          struct member *trajectory,
                          struct member *models,
                          struct error *err);

#endif /* !SELECTION_COMMITTEE_MEMBER_H */
