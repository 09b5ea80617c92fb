/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_search.c - frames in the middle of a file, found by their steps */
#include "config.h"

#include <errno.h>

#include "base/error.h"
#include "formats/frame_search.h"
#include "formats/packed/packed_file.h"
#include "formats/vector_source.h"

/* Halves of less are not worth a jump. */
enum { HALVED_BYTES = 64 * 1024 };

/* A file and how its frames are found. */
struct search {
    struct packed_file file;
    const struct vector_source *source;
};

static int open_search (struct search *search,
                        const char *path,
                        struct error *err)
{
    search->file = (struct packed_file)PACKED_FILE_INIT;
    search->source = vector_source_of (path, err);
    if (!search->source)
        return -1;
    if (!search->source->find) {
        errno = EINVAL;
        return error_set (err, "%s: its frames have no steps", path);
    }
    return packed_open (&search->file, path, UINT64_MAX, err);
}

static int find (struct search *search,
                 uint64_t from,
                 uint64_t *place,
                 int64_t *step,
                 struct error *err)
{
    return search->source->find (&search->file, from, place, step, err);
}

int frame_search_byte (const char *path,
                       uint64_t from,
                       uint64_t *place,
                       int64_t *step,
                       struct error *err)
{
    struct search search;
    int rc = open_search (&search, path, err);

    if (rc == 0)
        rc = find (&search, from, place, step, err);
    packed_close (&search.file);
    return rc;
}

/* By halves as long as that saves reading: frames that start before the byte
 * returned in *low are earlier ones.
 */
static int halve (struct search *search,
                  int64_t step,
                  uint64_t *low,
                  struct error *err)
{
    uint64_t high = packed_bytes (&search->file), at;
    int64_t found;

    while (*low < high && high - *low > HALVED_BYTES) {
        uint64_t middle = *low + (high - *low) / 2;
        int rc = find (search, middle, &at, &found, err);

        if (rc < 0)
            return -1;
        if (rc == 0 || found >= step)
            high = middle;
        else
            *low = at + 1;
    }
    return 0;
}

int frame_search_step (const char *path,
                       int64_t step,
                       uint64_t *place,
                       struct error *err)
{
    struct search search;
    uint64_t low = 0;
    int64_t found = INT64_MIN;
    int rc = open_search (&search, path, err);

    if (rc == 0)
        rc = halve (&search, step, &low, err);
    while (rc >= 0 && (rc = find (&search, low, place, &found, err)) == 1
           && found < step)
        low = *place + 1;
    packed_close (&search.file);
    return rc;
}
