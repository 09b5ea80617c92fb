/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_lammps_dump.c - trajectories as LAMMPS leaves them */
#include "base/base.h"

#include "formats/vector_source.h"
#include "fuzz.h"
#include "fuzz_dir.h"

static const struct vector_options structures = { .kind = VECTOR_POSITIONS,
                                                  .structure = true };

static struct vector_reader *open_dump (const char *path)
{
    struct vector_reader *reader =
        vector_text_dump.open (path, &structures, NULL);

    must_hold (reader != NULL, "a file that is there can be opened");
    reader->source = &vector_text_dump;
    reader->options = &structures;
    return reader;
}

/* A frame can be read alone from where it starts. */
static void read_alone (const char *path, size_t len,
                        const struct vector_frame *frame)
{
    struct vector_reader *reader = open_dump (path);
    struct vector_frame alone;

    must_hold (frame->place < len, "a frame is in the file");
    must_hold (vector_reader_go_to (reader, frame->place, NULL) == 0
                   && vector_reader_next (reader, &alone, NULL) == 1
                   && alone.step == frame->step
                   && alone.n_atoms == frame->n_atoms
                   && (alone.symbols != NULL) == (frame->symbols != NULL),
               "a frame is the same when read alone");
    vector_reader_close (reader);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct vector_reader *reader;
    struct vector_frame frame;
    struct error err = ERROR_INIT;
    char *path;
    int rc;

    fuzz_file ("f.dump", data, size);
    path = path_join (fuzz_dir (), "f.dump");
    reader = open_dump (path);
    while ((rc = vector_reader_next (reader, &frame, &err)) == 1)
        read_alone (path, size, &frame);
    must_hold (rc == 0 || err.text[0], "an end or a complaint");
    vector_reader_close (reader);
    free (path);
    return 0;
}
