/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_steps.c - where frames stand in a LAMMPS text dump */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "formats/lammps/lammps_dump.h"
#include "formats/number.h"

static const char heading[] = "ITEM: TIMESTEP";

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

/* Two lines are there from 'at' on: the heading and its step. */
static bool is_whole (const char *at, const char *stop, const char **second)
{
    const char *end = memchr (at, '\n', (size_t)(stop - at));

    *second = end ? end + 1 : stop;
    return end && memchr (*second, '\n', (size_t)(stop - *second));
}

int dump_find_frame (struct packed_file *file,
                     uint64_t from,
                     uint64_t *place,
                     int64_t *step,
                     struct error *err)
{
    const size_t len = sizeof (heading) - 1;
    int rc = packed_go_to (file, from > 0 ? from - 1 : 0, err);

    while (rc >= 0) {
        size_t before = file->offset < from ? from - file->offset : 0;
        size_t have = (size_t)(file->stop - file->next), done;
        const char *at = NULL, *second;

        if (have > before)
            at = find_heading (file->next, file->offset, file->next + before,
                               file->stop);
        if (at && is_whole (at, file->stop, &second)) {
            *place = file->offset + (uint64_t)(at - file->next);
            if (integer_read (second, file->stop, step))
                return 1;
            from = *place + len;
            continue;
        }
        done = at ? (size_t)(at - file->next) : have > len ? have - len : 0;
        packed_take (file, done > 0 ? done - 1 : 0);
        rc = packed_more (file, err);
        if (rc == 0)
            return 0;
    }
    return -1;
}
