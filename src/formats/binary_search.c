/* SPDX-License-Identifier: BSD-3-Clause */
/* binary_search.c - frames in the middle of a LAMMPS binary dump */
#include "config.h"

#include <byteswap.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "formats/binary_search.h"
#include "formats/packed_file.h"

/* Length, magic, byte order, revision, step. */
enum { START_MAX_BYTES = 8 + 10 + 4 + 4 + 8 };

static const char *const magics[] = { "DUMPATOM", "DUMPCUSTOM" };

/* What stands behind a magic: the byte order, the revision and the step. */
static bool read_step (const char *at, bool swapped, int64_t *step)
{
    uint32_t order;
    uint64_t value;

    memcpy (&order, at, sizeof (order));
    memcpy (&value, at + 2 * sizeof (order), sizeof (value));
    *step = (int64_t)(swapped ? bswap_64 (value) : value);
    return (swapped ? bswap_32 (order) : order) == 1;
}

/* Does a frame start at 'at', with all of START_MAX_BYTES behind? */
static bool is_start (const char *at, int64_t *step)
{
    for (size_t i = 0; i < ARRAY_SIZE (magics); i++) {
        size_t len = strlen (magics[i]);
        uint64_t number;

        memcpy (&number, at, sizeof (number));
        if (memcmp (at + sizeof (number), magics[i], len) == 0
            && (-number == len || -bswap_64 (number) == len))
            return read_step (at + sizeof (number) + len, -number != len, step);
    }
    return false;
}

/* The first start of a frame in [at, stop), or NULL. */
static const char *find_start (const char *at, const char *stop, int64_t *step)
{
    static const char letters[] = "DUMP";

    while (stop - at >= START_MAX_BYTES) {
        const char *word = memmem (at + sizeof (uint64_t),
                                   (size_t)(stop - at) - sizeof (uint64_t),
                                   letters, sizeof (letters) - 1);

        at = word ? word - sizeof (uint64_t) : stop;
        if (stop - at >= START_MAX_BYTES && is_start (at, step))
            return at;
        at += word != NULL;
    }
    return NULL;
}

int binary_dump_find_frame (struct packed_file *file,
                            uint64_t from,
                            uint64_t *place,
                            int64_t *step,
                            struct error *err)
{
    int rc = packed_go_to (file, from, err);

    while (rc >= 0) {
        size_t have = (size_t)(file->stop - file->next);
        const char *at = find_start (file->next, file->stop, step);

        if (at) {
            *place = file->offset + (uint64_t)(at - file->next);
            return 1;
        }
        if (have >= START_MAX_BYTES)
            packed_take (file, have - (START_MAX_BYTES - 1));
        rc = packed_more (file, err);
        if (rc != 1)
            return rc;
    }
    return -1;
}
