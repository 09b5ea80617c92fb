/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_dump.h - LAMMPS text dumps (vector_text_dump), frame by frame
 *
 * Streams: memory is one frame.  Rows may be in any order (sorted by id when
 * an id column is there).  A last frame that was cut short (a run that died)
 * ends the reading without error and sets 'truncated'.  Orthogonal and
 * triclinic boxes (bounding-box form, LAMMPS manual, "dump").
 */
#ifndef FORMATS_LAMMPS_DUMP_H
#define FORMATS_LAMMPS_DUMP_H

#include <stdint.h>

#include "formats/lammps/dump_frame.h"
#include "formats/lines.h"
#include "formats/vector_source.h"

struct dump_reader {
    struct vector_reader reader;
    struct lines lines;
    struct dump_frame frame;
};

/* Go to a line that must be there: 1, or 0 when the file was cut before its
 * end, or -1.  A line without its end was cut too: "9.75" may have been
 * "9.758".
 */
int dump_need_line (struct dump_reader *dump, struct error *err);

/* After the head of a frame, read its rows: 1, 0 when the file was cut, or -1
 * when it is malformed; 'err' says file and line.
 */
int dump_read_rows (struct dump_reader *dump, struct error *err);

/* The first frame that starts at byte 'from' or later: 1, 0 when there is none,
 * or -1.  Frames whose step was cut do not count.
 */
int dump_find_frame (struct packed_file *file,
                     uint64_t from,
                     uint64_t *place,
                     int64_t *step,
                     struct error *err);

#endif /* !FORMATS_LAMMPS_DUMP_H */
