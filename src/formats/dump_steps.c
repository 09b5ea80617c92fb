/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_steps.c - where the frames of given steps stand in a LAMMPS dump */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/dump_steps.h"
#include "formats/number.h"
#include "formats/packed_file.h"

static const char heading[] = "ITEM: TIMESTEP";

/* The heading and the step in the line after it are no longer. */
enum { HEADING_MAX_BYTES = 64 };

struct search {
    const int64_t *steps;
    size_t n;
    uint64_t *offsets;
};

static int compare_steps (const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* A heading stands at 'at': note the frame when its step is wanted. */
static void note (struct search *search,
                  const char *at,
                  const char *stop,
                  uint64_t offset)
{
    const char *line = memchr (at, '\n', (size_t)(stop - at));
    const int64_t *found;
    int64_t step;

    if (!line || !integer_read (line + 1, stop, &step))
        return;
    found =
        bsearch (&step, search->steps, search->n, sizeof (step), compare_steps);
    if (found)
        search->offsets[found - search->steps] = offset;
}

/* Look at the headings that start in the first 'len' bytes of 'block', which
 * has 'have' bytes and stands at 'offset'.
 */
static void look (struct search *search,
                  const char *block,
                  size_t len,
                  size_t have,
                  uint64_t offset)
{
    const char *at = block, *stop = block + have;

    while (
        (at = memmem (at, (size_t)(stop - at), heading, sizeof (heading) - 1))
        && at < block + len) {
        bool starts_line = at == block ? offset == 0 : at[-1] == '\n';

        if (starts_line)
            note (search, at, stop, offset + (uint64_t)(at - block));
        at += sizeof (heading) - 1;
    }
}

/* A heading may go on in the next block. */
static int search_file (struct search *search,
                        struct packed_file *file,
                        struct error *err)
{
    int rc;

    do {
        size_t have, len;

        rc = packed_more (file, err);
        if (rc < 0)
            return -1;
        have = len = (size_t)(file->stop - file->next);
        if (rc == 1)
            len = have > HEADING_MAX_BYTES ? have - HEADING_MAX_BYTES : 0;
        look (search, file->next, len, have, file->offset);
        packed_take (file, len > 0 ? len - 1 : 0);
    } while (rc == 1);
    return 0;
}

int dump_find_steps (const char *path,
                     const int64_t *steps,
                     size_t n,
                     uint64_t *offsets,
                     struct error *err)
{
    struct search search = { steps, n, offsets };
    struct packed_file file = PACKED_FILE_INIT;
    int rc = packed_open (&file, path, UINT64_MAX, err);

    if (rc < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        offsets[i] = UINT64_MAX;
    rc = search_file (&search, &file, err);
    packed_close (&file);
    return rc;
}
