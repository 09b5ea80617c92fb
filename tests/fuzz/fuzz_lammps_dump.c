/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_lammps_dump.c - trajectories as LAMMPS leaves them */
#include "config.h"

#include "formats/lammps/lammps_dump.h"
#include "fuzz.h"

/* A frame can be read alone from where it starts. */
static void read_alone (const char *text,
                        size_t len,
                        const struct dump_frame *frame)
{
    struct dump_frame alone = DUMP_FRAME_INIT;
    struct dump_reader *reader;

    must_hold (frame->offset < len, "a frame is in the file");
    reader = dump_reader_of_text (text + frame->offset, len - frame->offset,
                                  "alone");
    must_hold (dump_reader_next (reader, &alone, NULL) == 1
                   && alone.step == frame->step
                   && alone.n_atoms == frame->n_atoms
                   && alone.columns.n == frame->columns.n,
               "a frame is the same when read alone");
    dump_reader_close (reader);
    dump_frame_release (&alone);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct dump_reader *reader = dump_reader_of_text (text, size, "f.dump");
    struct dump_frame frame = DUMP_FRAME_INIT;
    struct error err = ERROR_INIT;
    int rc;

    while ((rc = dump_reader_next (reader, &frame, &err)) == 1) {
        must_hold (frame.columns.n > 0, "a frame has columns");
        must_hold ((frame.elements != NULL)
                       == (dump_frame_column (&frame, "element") >= 0),
                   "elements are read where they are");
        read_alone (text, size, &frame);
    }
    must_hold (rc == 0 || err.text[0], "an end or a complaint");
    dump_reader_close (reader);
    dump_frame_release (&frame);
    return 0;
}
