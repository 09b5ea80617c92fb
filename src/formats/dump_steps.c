/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_steps.c - where the frames of given steps stand in a LAMMPS dump */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/dump_steps.h"
#include "formats/number.h"

static const size_t block_bytes = 256 * 1024;
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

/* Read as much as there is, up to 'len' bytes. */
static ssize_t read_block (int fd, char *block, size_t len, uint64_t offset)
{
    size_t have = 0;
    ssize_t n;

    do {
        n = pread (fd, block + have, len - have, (off_t)(offset + have));
        if (n > 0)
            have += (size_t)n;
    } while ((n > 0 && have < len) || (n < 0 && errno == EINTR));
    return n < 0 ? -1 : (ssize_t)have;
}

/* Blocks overlap by a heading and the byte before it. */
static int search_file (struct search *search,
                        int fd,
                        const char *path,
                        struct error *err)
{
    char *block = xmalloc (block_bytes);
    uint64_t offset = 0;
    ssize_t have;

    for (;;) {
        have = read_block (fd, block, block_bytes, offset);
        if (have < (ssize_t)block_bytes)
            break;
        look (search, block, block_bytes - HEADING_MAX_BYTES, block_bytes,
              offset);
        offset += block_bytes - HEADING_MAX_BYTES - 1;
    }
    if (have < 0)
        error_errno (err, "cannot read '%s'", path);
    else
        look (search, block, (size_t)have, (size_t)have, offset);
    free (block);
    return have < 0 ? -1 : 0;
}

int dump_find_steps (const char *path,
                     const int64_t *steps,
                     size_t n,
                     uint64_t *offsets,
                     struct error *err)
{
    struct search search = { steps, n, offsets };
    int fd = open (path, O_RDONLY | O_CLOEXEC), rc;

    if (fd < 0)
        return error_errno (err, "cannot open '%s'", path);
    for (size_t i = 0; i < n; i++)
        offsets[i] = UINT64_MAX;
    rc = search_file (&search, fd, path, err);
    close (fd);
    return rc;
}
