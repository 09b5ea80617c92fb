/* SPDX-License-Identifier: BSD-3-Clause */
/* structure.h - the structure that a drawn frame, or atom of one, stands for */
#ifndef REDUCE_STRUCTURE_H
#define REDUCE_STRUCTURE_H

#include "formats/vector_reader.h"

struct frame;
struct sampled;
struct selection_input;
struct trajectory;
struct vector_reader;

/* The file that was read from last, which the next frame may be in too. */
struct structure_reader {
    const struct selection_input *input;
    struct vector_options options;
    char *path;
    struct vector_reader *file;
};

void structure_reader_init (struct structure_reader *reader,
                            const struct selection_input *input);
void structure_reader_close (struct structure_reader *reader);

/* Fill 'frame', which must be initialised, with the atoms at sampled->place of
 * the trajectory; or, when sampled->atom is not 0, with the cluster around that
 * one, by the rules' clusters, in the cell of the whole.  1, 0 when no whole
 * frame of sampled->step is there, or -1: a file cannot be read, does not tell
 * elements, or has no such atom.  reader->path is then the name of the file.
 */
int structure_read (struct structure_reader *reader,
                    const struct trajectory *trajectory,
                    const struct sampled *sampled, struct frame *frame,
                    struct error *err);

#endif /* !REDUCE_STRUCTURE_H */
