/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_dump_reader.h - what those who read LAMMPS text dumps have in common
 */
#ifndef FORMATS_LAMMPS_DUMP_READER_H
#define FORMATS_LAMMPS_DUMP_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/dump_head.h"
#include "formats/lines.h"

struct error;

struct dump_reader {
    struct lines lines;
    struct dump_head head; /* of a frame that was read, */
    size_t head_lines;     /* and how many lines it has */
    bool truncated;
};

/* Set the cell from the rows xlo xhi xy, ylo yhi xz, zlo zhi yz, the bounds
 * being those of the bounding box.
 */
void dump_frame_set_box (struct dump_frame *frame, const double rows[3][3]);

/* Set the names of the columns from a heading like "id type x y z". */
void dump_frame_set_columns (struct dump_frame *frame,
                             const char *heading,
                             size_t len);

/* Make room for the values (and elements) of frame->n_atoms, which came from
 * input: may fail.
 */
int dump_frame_resize (struct dump_frame *frame,
                       bool with_elements,
                       struct error *err);

/* Put the rows into the order of their ids, if they have any.  -1 when an id
 * is no number or occurs twice.
 */
int dump_frame_sort (struct dump_frame *frame, struct error *err);

/* Go to a line that must be there: 1, or 0 when the file was cut before its
 * end, or -1.  A line without its end was cut too: "9.75" may have been
 * "9.758".
 */
int dump_need_line (struct dump_reader *reader, struct error *err);

/* Read up to the first row of the next frame: 1, 0 at the end of the file, or
 * -1.
 */
int dump_read_head (struct dump_reader *reader,
                    struct dump_frame *frame,
                    struct error *err);

#endif /* !FORMATS_LAMMPS_DUMP_READER_H */
