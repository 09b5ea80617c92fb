/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_reader.c - positions or forces, frame after frame, out of any file */
#include "base/base.h"

#include "formats/lammps/lammps_binary.h"
#include "formats/packed/packed_file.h"
#include "formats/vector_reader.h"
#include "formats/vector_source.h"

/* Enough to know a format by, and for the head of a frame. */
enum { LOOK_BYTES = 4096, HEAD_BYTES = 1 << 16 };

/* An extended XYZ file starts with the number of atoms. */
static bool starts_with_number (const char *bytes, size_t n)
{
    size_t i = 0;

    while (i < n && memchr (" \t\r\n", bytes[i], 4))
        i++;
    return i < n && bytes[i] >= '0' && bytes[i] <= '9';
}

static const struct vector_source *recognise (const char *bytes, size_t n)
{
    static const char npy[] = "\x93NUMPY";

    if (n >= sizeof (npy) - 1 && memcmp (bytes, npy, sizeof (npy) - 1) == 0)
        return &vector_npy;
    if (binary_dump_is_one (bytes, n))
        return &vector_binary_dump;
    if (starts_with_number (bytes, n))
        return &vector_extxyz;
    return &vector_text_dump;
}

const struct vector_source *vector_source_of (const char *path,
                                              struct error *err)
{
    struct packed_file file = PACKED_FILE_INIT;
    const struct vector_source *source = NULL;

    if (packed_open (&file, path, UINT64_MAX, err) < 0)
        return NULL;
    if (packed_is_compressed (&file, err) >= 0
        && packed_need (&file, LOOK_BYTES, err) >= 0)
        source = recognise (file.next, (size_t)(file.stop - file.next));
    packed_close (&file);
    return source;
}

struct vector_reader *vector_reader_open (const char *path,
                                          const struct vector_options *options,
                                          struct error *err)
{
    const struct vector_source *source = vector_source_of (path, err);
    struct vector_reader *reader =
        source ? source->open (path, options, err) : NULL;

    if (!reader)
        return NULL;
    reader->source = source;
    reader->options = options;
    return reader;
}

void vector_reader_close (struct vector_reader *reader)
{
    if (reader)
        reader->source->close (reader);
}

int vector_reader_next (struct vector_reader *reader,
                        struct vector_frame *frame, struct error *err)
{
    return reader->source->next (reader, frame, err);
}

bool vector_reader_truncated (const struct vector_reader *reader)
{
    return reader->truncated;
}

int vector_reader_go_to (struct vector_reader *reader, uint64_t place,
                         struct error *err)
{
    return reader->source->go_to (reader, place, err);
}

/* --- frames by their steps --- */

struct wanted {
    const int64_t *steps;
    size_t n;
    uint64_t *places;
};

static int compare_steps (const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void note_place (const struct wanted *wanted, int64_t step,
                        uint64_t place)
{
    const int64_t *found =
        bsearch (&step, wanted->steps, wanted->n, sizeof (step), compare_steps);

    if (found)
        wanted->places[found - wanted->steps] = place;
}

/* Of text dumps headings are enough. */
static int find_by_heading (const char *path, const struct wanted *wanted,
                            struct error *err)
{
    struct packed_file file = PACKED_FILE_INIT;
    int rc = packed_open (&file, path, UINT64_MAX, err);
    uint64_t place, from = 0;
    int64_t step;

    while (rc >= 0
           && (rc = vector_text_dump.find (&file, from, &place, &step, err))
                  == 1) {
        note_place (wanted, step, place);
        from = place + 1;
    }
    packed_close (&file);
    return rc;
}

static int find_by_reading (const char *path, const char *columns,
                            const struct wanted *wanted, struct error *err)
{
    const struct vector_options options = { .kind = VECTOR_POSITIONS,
                                            .columns = columns };
    struct vector_reader *reader = vector_reader_open (path, &options, err);
    struct vector_frame frame;
    int rc;

    if (!reader)
        return -1;
    while ((rc = vector_reader_next (reader, &frame, err)) == 1)
        note_place (wanted, frame.step, frame.place);
    vector_reader_close (reader);
    return rc;
}

int vector_find_steps (const char *path, const char *columns,
                       const int64_t *steps, size_t n, uint64_t *places,
                       struct error *err)
{
    const struct vector_source *source = vector_source_of (path, err);
    const struct wanted wanted = { steps, n, places };

    if (!source)
        return -1;
    for (size_t i = 0; i < n; i++)
        places[i] = UINT64_MAX;
    return source == &vector_text_dump
               ? find_by_heading (path, &wanted, err)
               : find_by_reading (path, columns, &wanted, err);
}

/* --- frames in the middle of a file --- */

enum vector_division vector_division (const char *path)
{
    const struct vector_source *source = vector_source_of (path, NULL);
    struct packed_file file = PACKED_FILE_INIT;
    enum vector_division division = VECTOR_WHOLE;
    uint64_t place;
    int64_t step;

    if (source && packed_open (&file, path, HEAD_BYTES, NULL) == 0
        && packed_is_compressed (&file, NULL) == 0) {
        if (source == &vector_npy)
            division = VECTOR_BY_NUMBER;
        else if (source->find (&file, 0, &place, &step, NULL) == 1)
            division = VECTOR_BY_STEP;
    }
    packed_close (&file);
    return division;
}

/* Halves of less are not worth a jump. */
enum { HALVED_BYTES = 64 * 1024 };

/* A file and how its frames are found. */
struct search {
    struct packed_file file;
    const struct vector_source *source;
};

static int open_search (struct search *search, const char *path,
                        struct error *err)
{
    search->file = (struct packed_file)PACKED_FILE_INIT;
    search->source = vector_source_of (path, err);
    if (!search->source)
        return -1;
    if (!search->source->find)
        return error_set (err, "%s: its frames have no steps", path);
    return packed_open (&search->file, path, UINT64_MAX, err);
}

int vector_find_from (const char *path, uint64_t from, uint64_t *place,
                      int64_t *step, struct error *err)
{
    struct search search;
    int rc = open_search (&search, path, err);

    if (rc == 0)
        rc = search.source->find (&search.file, from, place, step, err);
    packed_close (&search.file);
    return rc;
}

/* By halves as long as that saves reading: frames that start before the byte
 * returned in *low are earlier ones.
 */
static int halve (struct search *search, int64_t step, uint64_t *low,
                  struct error *err)
{
    uint64_t high = packed_bytes (&search->file), at;
    int64_t found;

    while (*low < high && high - *low > HALVED_BYTES) {
        uint64_t middle = *low + (high - *low) / 2;
        int rc = search->source->find (&search->file, middle, &at, &found, err);

        if (rc < 0)
            return -1;
        if (rc == 0 || found >= step)
            high = middle;
        else
            *low = at + 1;
    }
    return 0;
}

int vector_find_rising (const char *path, int64_t step, uint64_t *place,
                        struct error *err)
{
    struct search search;
    uint64_t low = 0;
    int64_t found = INT64_MIN;
    int rc = open_search (&search, path, err);

    if (rc == 0)
        rc = halve (&search, step, &low, err);
    while (rc >= 0
           && (rc = search.source->find (&search.file, low, place, &found, err))
                  == 1
           && found < step)
        low = *place + 1;
    packed_close (&search.file);
    return rc;
}
