/* SPDX-License-Identifier: BSD-3-Clause */
/* packed_file.c - the bytes of a file, unpacked when it is compressed */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "formats/packed_file.h"
#include "formats/unpacker.h"

enum {
    /* Large enough that system calls do not count, small enough for the cache
     * of one core when several files are read side by side.
     */
    BLOCK_BYTES = 128 * 1024,
    PACKED_BYTES = 64 * 1024,
};

/* What a compressed file needs besides. */
struct packing {
    struct unpacker *unpacker;
    size_t at; /* bytes [at, n) are to be unpacked */
    size_t n;
    char bytes[PACKED_BYTES];
};

static void drop_packing (struct packed_file *file)
{
    if (file->packing)
        unpacker_free (file->packing->unpacker);
    free (file->packing);
    file->packing = NULL;
}

static void empty_block (struct packed_file *file, uint64_t offset)
{
    file->next = file->stop = file->block;
    file->offset = offset;
}

int packed_open (struct packed_file *file,
                 const char *path,
                 uint64_t limit,
                 struct error *err)
{
    int fd = file_open (path, O_RDONLY, 0);

    if (fd < 0)
        return error_errno (err, "cannot open '%s'", path);
    if (file->fd >= 0)
        close (file->fd);
    file->fd = fd;
    drop_packing (file);
    if (!file->block) {
        file->block_bytes = BLOCK_BYTES;
        file->block = xmalloc (file->block_bytes);
    }
    if (!file->name || strcmp (file->name, path) != 0) {
        free (file->name);
        file->name = xstrdup (path);
    }
    file->limit = limit;
    file->raw = 0;
    file->started = file->ended = false;
    empty_block (file, 0);
    return 0;
}

void packed_close (struct packed_file *file)
{
    if (file->fd >= 0)
        close (file->fd);
    drop_packing (file);
    free (file->block);
    free (file->name);
    *file = (struct packed_file)PACKED_FILE_INIT;
}

/* read() at most 'max' bytes: their number, 0 at the end or the limit, or -1.
 */
static ssize_t read_raw (struct packed_file *file,
                         char *at,
                         size_t max,
                         struct error *err)
{
    ssize_t n;

    if (max > file->limit - file->raw)
        max = (size_t)(file->limit - file->raw);
    if (max == 0 || file->ended)
        return 0;
    do
        n = read (file->fd, at, max);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_errno (err, "cannot read '%s'", file->name);
    file->raw += (uint64_t)n;
    file->ended = n == 0;
    return n;
}

/* The first bytes are there: are they of a compressed file? */
static void look_at_magic (struct packed_file *file)
{
    size_t n = (size_t)(file->stop - file->next);
    struct unpacker *unpacker = unpacker_for (file->next, n);

    file->started = true;
    if (!unpacker)
        return;
    file->packing = xmalloc (sizeof (*file->packing));
    file->packing->unpacker = unpacker;
    file->packing->at = 0;
    file->packing->n = n;
    memcpy (file->packing->bytes, file->next, n);
    empty_block (file, file->offset);
}

/* Read the first bytes, and up to 'max' (no more than can be unpacked later).
 */
static int start (struct packed_file *file, size_t max, struct error *err)
{
    char *end = file->block;
    ssize_t n;

    do {
        size_t have = (size_t)(end - file->block);

        n = read_raw (file, end, max - have, err);
        end += n > 0 ? n : 0;
    } while (n > 0 && end - file->block < UNPACKER_MAGIC_BYTES);
    if (n < 0)
        return -1;
    file->next = file->block;
    file->stop = end;
    look_at_magic (file);
    return 0;
}

static int damaged (const struct packed_file *file,
                    const char *what,
                    struct error *err)
{
    return error_set (err,
                      "%s: at byte %llu of the file: the %s data is damaged: "
                      "%s",
                      file->name, (unsigned long long)file->raw,
                      unpacker_name (file->packing->unpacker), what);
}

/* Unpack to [at, at + max): the number of bytes, 0 at the end, or -1. */
static ssize_t unpack (struct packed_file *file,
                       char *at,
                       size_t max,
                       struct error *err)
{
    struct packing *packing = file->packing;
    const char *wrong;
    ssize_t n;

    for (;;) {
        struct unpacking unpacking = { packing->bytes + packing->at,
                                       packing->n - packing->at, at, max };

        wrong = unpacker_run (packing->unpacker, &unpacking);
        packing->at = packing->n - unpacking.n_in;
        if (wrong)
            return damaged (file, wrong, err);
        if (unpacking.n_out < max)
            return (ssize_t)(max - unpacking.n_out);
        n = read_raw (file, packing->bytes, sizeof (packing->bytes), err);
        if (n < 0)
            return -1;
        if (n == 0 && !unpacker_is_complete (packing->unpacker))
            return damaged (file,
                            "it ends too early; the file was cut short or is "
                            "still being written",
                            err);
        if (n == 0)
            return 0;
        packing->at = 0;
        packing->n = (size_t)n;
    }
}

/* Bring what is not taken to the front, and have room behind it. */
static int make_room (struct packed_file *file, struct error *err)
{
    size_t kept = (size_t)(file->stop - file->next);

    if (kept >= PACKED_MAX_BYTES)
        return error_set (err,
                          "%s: at byte %llu: a line or frame of more than %d "
                          "bytes",
                          file->name, (unsigned long long)file->offset,
                          PACKED_MAX_BYTES);
    memmove (file->block, file->next, kept);
    if (kept == file->block_bytes) {
        file->block_bytes *= 2;
        file->block = xrealloc (file->block, file->block_bytes);
    }
    file->next = file->block;
    file->stop = file->block + kept;
    return 0;
}

int packed_more (struct packed_file *file, struct error *err)
{
    size_t kept;
    ssize_t n;

    if (file->fd < 0)
        return 0;
    if (!file->started) {
        if (start (file, PACKED_BYTES, err) < 0)
            return -1;
        if (file->stop > file->next)
            return 1;
    }
    if (make_room (file, err) < 0)
        return -1;
    kept = (size_t)(file->stop - file->next);
    n = (file->packing ? unpack : read_raw) (file, file->block + kept,
                                             file->block_bytes - kept, err);
    if (n < 0)
        return -1;
    file->stop += n;
    return n > 0;
}

int packed_need (struct packed_file *file, size_t n, struct error *err)
{
    int rc = 1;

    while (rc == 1 && (size_t)(file->stop - file->next) < n)
        rc = packed_more (file, err);
    return rc;
}

/* Read the file from its start once more, as if it were just opened. */
static int rewind_file (struct packed_file *file, struct error *err)
{
    if (lseek (file->fd, 0, SEEK_SET) < 0)
        return error_errno (err, "cannot read '%s'", file->name);
    drop_packing (file);
    file->raw = 0;
    file->started = file->ended = false;
    empty_block (file, 0);
    return 0;
}

/* Unpack, and forget, what stands before 'offset'. */
static int skip_to (struct packed_file *file,
                    uint64_t offset,
                    struct error *err)
{
    if (offset < file->offset && rewind_file (file, err) < 0)
        return -1;
    for (;;) {
        size_t have = (size_t)(file->stop - file->next);
        int rc;

        if (offset - file->offset <= have) {
            packed_take (file, (size_t)(offset - file->offset));
            return 0;
        }
        packed_take (file, have);
        rc = packed_more (file, err);
        if (rc != 1)
            return rc;
    }
}

int packed_go_to (struct packed_file *file, uint64_t offset, struct error *err)
{
    if (offset == file->offset)
        return 0;
    if (!file->started && start (file, UNPACKER_MAGIC_BYTES, err) < 0)
        return -1;
    if (file->packing)
        return skip_to (file, offset, err);
    if (offset > file->offset
        && offset - file->offset <= (uint64_t)(file->stop - file->next)) {
        packed_take (file, (size_t)(offset - file->offset));
        return 0;
    }
    if (offset > INT64_MAX || lseek (file->fd, (off_t)offset, SEEK_SET) < 0)
        return error_errno (err, "cannot read '%s' at byte %llu", file->name,
                            (unsigned long long)offset);
    file->raw = offset < file->limit ? offset : file->limit;
    file->ended = false;
    empty_block (file, offset);
    return 0;
}

int packed_is_compressed (struct packed_file *file, struct error *err)
{
    if (file->fd >= 0 && !file->started
        && start (file, UNPACKER_MAGIC_BYTES, err) < 0)
        return -1;
    return file->packing != NULL;
}

uint64_t packed_bytes (struct packed_file *file)
{
    struct stat st;

    if (file->packing || fstat (file->fd, &st) < 0 || !S_ISREG (st.st_mode))
        return UINT64_MAX;
    return (uint64_t)st.st_size;
}
