/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_dump_reader.h - what those who read LAMMPS text dumps have in common
 */
#ifndef FORMATS_LAMMPS_DUMP_READER_H
#define FORMATS_LAMMPS_DUMP_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/lammps/dump_frame.h"
#include "formats/lines.h"

struct error;

struct dump_reader {
    struct lines lines;
    bool truncated;
};

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
