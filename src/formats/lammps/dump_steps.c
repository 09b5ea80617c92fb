/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_steps.c - where frames stand in a LAMMPS text dump */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/lammps/dump_steps.h"
#include "formats/number.h"
#include "formats/packed/packed_file.h"

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

/* The first heading in [at, stop), which is part of a block that starts at
 * 'block' and byte 'offset' of the file; NULL: there is none.
 */
static const char *find_heading (const char *block,
                                 uint64_t offset,
                                 const char *at,
                                 const char *stop)
{
    size_t len = sizeof (heading) - 1;

    for (; (at = memmem (at, (size_t)(stop - at), heading, len)); at += len) {
        if (at == block ? offset == 0 : at[-1] == '\n')
            return at;
    }
    return NULL;
}

/* The step of the heading at 'at'; false when it ends behind 'stop'. */
static bool read_step (const char *at, const char *stop, int64_t *step)
{
    const char *line = memchr (at, '\n', (size_t)(stop - at));

    return line && memchr (line + 1, '\n', (size_t)(stop - line - 1))
           && integer_read (line + 1, stop, step);
}

/* Note the frames whose headings start in the first 'len' bytes of 'block',
 * which has 'have' bytes and stands at 'offset', when their steps are wanted.
 */
static void look (struct search *search,
                  const char *block,
                  size_t len,
                  size_t have,
                  uint64_t offset)
{
    const char *at = block, *stop = block + have;
    const int64_t *found;
    int64_t step;

    while ((at = find_heading (block, offset, at, stop)) && at < block + len) {
        if (read_step (at, stop, &step)) {
            found = bsearch (&step, search->steps, search->n, sizeof (step),
                             compare_steps);
            if (found)
                search->offsets[found - search->steps] =
                    offset + (uint64_t)(at - block);
        }
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

int dump_find_frame (struct packed_file *file,
                     uint64_t from,
                     uint64_t *place,
                     int64_t *step,
                     struct error *err)
{
    if (packed_go_to (file, from > 0 ? from - 1 : 0, err) < 0)
        return -1;
    for (;;) {
        size_t have = (size_t)(file->stop - file->next);
        size_t before = file->offset < from ? from - file->offset : 0;
        const char *at = NULL;
        int rc;

        if (have > before)
            at = find_heading (file->next, file->offset, file->next + before,
                               file->stop);
        if (at && read_step (at, file->stop, step)) {
            *place = file->offset + (uint64_t)(at - file->next);
            return 1;
        }
        if (at)
            have = (size_t)(at - file->next);
        else
            have = have > HEADING_MAX_BYTES ? have - HEADING_MAX_BYTES : 0;
        packed_take (file, have > 0 ? have - 1 : 0);
        rc = packed_more (file, err);
        if (rc != 1)
            return rc;
    }
}
