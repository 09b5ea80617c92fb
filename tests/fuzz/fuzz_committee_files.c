/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_committee_files.c - trajectories and forces in whatever format, packed
 * or not
 *
 * Every input is a file that the first bytes tell the format of.
 */
#include "base/base.h"

#include "formats/vector_reader.h"
#include "fuzz.h"
#include "fuzz_dir.h"

enum { FRAMES_MAX = 64 };

/* What a frame promises. */
static void look_at (const struct vector_frame *frame)
{
    double sum = 0;

    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        sum += frame->vectors[i];
    for (size_t i = 1; frame->ids && i < frame->n_atoms; i++)
        must_hold (frame->ids[i - 1] < frame->ids[i], "ids rise");
    must_hold (sum == sum || isnan (sum), "every vector can be read");
}

/* All frames of a kind; the places of the first. */
static size_t read_vectors (const char *path,
                            const struct vector_options *options,
                            struct vector_frame *frames)
{
    struct error err = ERROR_INIT;
    struct vector_reader *reader = vector_reader_open (path, options, &err);
    struct vector_frame frame;
    size_t n = 0;
    int rc = 0;

    if (!reader) {
        must_hold (err.text[0], "a complaint");
        return 0;
    }
    while (n < FRAMES_MAX
           && (rc = vector_reader_next (reader, &frame, &err)) == 1) {
        look_at (&frame);
        frames[n++] = frame;
    }
    must_hold (rc >= 0 || err.text[0], "an end or a complaint");
    vector_reader_close (reader);
    return n;
}

/* Frames are found at their places, backwards too, and with their structures.
 */
static void read_places (const char *path, const struct vector_frame *frames,
                         size_t n)
{
    static const struct vector_options structures = {
        .kind = VECTOR_POSITIONS, .structure = true, .columns = "id type x y z"
    };
    struct vector_reader *reader = vector_reader_open (path, &structures, NULL);
    struct vector_frame frame;

    for (size_t i = n; reader && i > 0; i--) {
        if (vector_reader_go_to (reader, frames[i - 1].place, NULL) < 0
            || vector_reader_next (reader, &frame, NULL) != 1)
            continue;
        must_hold (frame.n_atoms == frames[i - 1].n_atoms
                       && (!frame.has_step || frame.step == frames[i - 1].step),
                   "a frame is the same when read again");
        look_at (&frame);
    }
    vector_reader_close (reader);
}

/* A search goes on, and what it finds by step is not before that. */
static void search (const char *path)
{
    uint64_t from = 0, place, other;
    int64_t step, found;

    if (vector_division (path) != VECTOR_BY_STEP)
        return;
    for (int i = 0; i < FRAMES_MAX; i++, from = place + 1) {
        if (vector_find_from (path, from, &place, &step, NULL) != 1)
            return;
        must_hold (place >= from, "a frame at the byte or behind");
        if (i == 0 && vector_find_rising (path, step, &other, NULL) == 1)
            must_hold (vector_find_from (path, other, &other, &found, NULL) == 1
                           && found >= step,
                       "a frame of this step or a later one");
    }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    static const struct vector_options kinds[] = {
        { .kind = VECTOR_POSITIONS, .columns = "id type x y z" },
        { .kind = VECTOR_FORCES },
        { .kind = VECTOR_FORCES, .energy = true, .virial = true },
    };
    struct vector_frame frames[FRAMES_MAX];
    char *path;

    fuzz_file ("f", data, size);
    path = path_join (fuzz_dir (), "f");
    for (size_t i = 0; i < sizeof (kinds) / sizeof (kinds[0]); i++) {
        size_t n = read_vectors (path, &kinds[i], frames);

        if (i == 0)
            read_places (path, frames, n);
    }
    search (path);
    free (path);
    return 0;
}
