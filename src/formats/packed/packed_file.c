/* SPDX-License-Identifier: BSD-3-Clause */
/* packed_file.c - the bytes of a file, unpacked when it is compressed */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/file.h"
#include "formats/packed/packed_file.h"

enum {
    /* Large enough that system calls do not count, small enough for the cache
     * of one core when several files are read side by side.
     */
    BLOCK_BYTES = 128 * 1024,
    PACKED_BYTES = 64 * 1024,
    MAGIC_BYTES = 4, /* tell whether and how a file is compressed */

    /* gzip's header, not zlib's, with the largest window (zlib.h) */
    GZIP_WINDOW_BITS = 15 + 16,
};

/* What a compressed file needs besides.  Several streams in a row, as appending
 * to a compressed file leaves them, are one.
 */
struct packing {
    ZSTD_DCtx *zstd; /* NULL: it is gzip */
    z_stream gzip;
    bool complete;    /* the stream at hand has ended */
    ZSTD_inBuffer in; /* of 'bytes', to be unpacked */
    char bytes[PACKED_BYTES];
};

static bool is_gzip (const char *bytes, size_t n)
{
    return n >= 2 && memcmp (bytes, "\x1f\x8b", 2) == 0;
}

/* A frame, or one to be skipped, which parallel compressors begin with (RFC
 * 8878, 3.1).
 */
static bool is_zstd (const char *bytes, size_t n)
{
    return n >= 4
           && (memcmp (bytes, "\x28\xb5\x2f\xfd", 4) == 0
               || ((bytes[0] & 0xf0) == 0x50
                   && memcmp (bytes + 1, "\x2a\x4d\x18", 3) == 0));
}

/* For a file that begins with these bytes; NULL when it is not compressed. */
static struct packing *new_packing (const char *bytes, size_t n)
{
    struct packing *packing;
    bool ok;

    if (!is_gzip (bytes, n) && !is_zstd (bytes, n))
        return NULL;
    packing = xcalloc (1, sizeof (*packing));
    if (is_gzip (bytes, n))
        ok = inflateInit2 (&packing->gzip, GZIP_WINDOW_BITS) == Z_OK;
    else
        ok = (packing->zstd = ZSTD_createDCtx ());
    if (!ok)
        alloc_failed (sizeof (*packing));
    memcpy (packing->bytes, bytes, n);
    packing->in = (ZSTD_inBuffer){ packing->bytes, n, 0 };
    return packing;
}

static void free_packing (struct packing *packing)
{
    if (packing && packing->zstd)
        ZSTD_freeDCtx (packing->zstd);
    else if (packing)
        inflateEnd (&packing->gzip);
    free (packing);
}

static void drop_packing (struct packed_file *file)
{
    free_packing (file->packing);
    file->packing = NULL;
}

static void empty_block (struct packed_file *file, uint64_t offset)
{
    file->next = file->stop = file->block;
    file->offset = offset;
}

int packed_open (struct packed_file *file, const char *path, uint64_t limit,
                 struct error *err)
{
    int fd = file_open_to_read (path, err);

    if (fd < 0)
        return -1;
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
static ssize_t read_raw (struct packed_file *file, char *at, size_t max,
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
    file->started = true;
    file->packing = new_packing (file->next, (size_t)(file->stop - file->next));
    if (file->packing)
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
    } while (n > 0 && end - file->block < MAGIC_BYTES);
    if (n < 0)
        return -1;
    file->next = file->block;
    file->stop = end;
    look_at_magic (file);
    return 0;
}

static int damaged (const struct packed_file *file, const char *what,
                    struct error *err)
{
    return error_set (err,
                      "%s: at byte %llu of the file: the %s data is damaged: "
                      "%s",
                      file->name, (unsigned long long)file->raw,
                      file->packing->zstd ? "zstd" : "gzip", what);
}

/* Unpack some of what is there: NULL, or what is wrong with it (static text).
 */
static const char *unpack_gzip (struct packing *packing, ZSTD_outBuffer *out)
{
    z_stream *gzip = &packing->gzip;
    ZSTD_inBuffer *in = &packing->in;
    int rc;

    if (packing->complete && inflateReset (gzip) != Z_OK)
        return "out of order";
    gzip->next_in = (z_const Bytef *)in->src + in->pos;
    gzip->avail_in = (uInt)(in->size - in->pos);
    gzip->next_out = (Bytef *)out->dst + out->pos;
    gzip->avail_out = (uInt)(out->size - out->pos);
    rc = inflate (gzip, Z_NO_FLUSH);
    in->pos = in->size - gzip->avail_in;
    out->pos = out->size - gzip->avail_out;
    packing->complete = rc == Z_STREAM_END;
    if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR)
        return NULL;
    return gzip->msg ? gzip->msg : "no gzip data";
}

static const char *unpack_zstd (struct packing *packing, ZSTD_outBuffer *out)
{
    size_t rc = ZSTD_decompressStream (packing->zstd, out, &packing->in);

    packing->complete = rc == 0;
    return ZSTD_isError (rc) ? ZSTD_getErrorName (rc) : NULL;
}

/* Unpack to [at, at + max): the number of bytes, 0 at the end, or -1. */
static ssize_t unpack (struct packed_file *file, char *at, size_t max,
                       struct error *err)
{
    struct packing *packing = file->packing;
    ZSTD_outBuffer out = { at, max, 0 };

    for (;;) {
        const char *wrong = NULL;
        bool more = packing->in.pos < packing->in.size || !packing->complete;
        ssize_t n;

        for (; !wrong && more && out.pos < max;
             more = packing->in.pos < packing->in.size)
            wrong = (packing->zstd ? unpack_zstd : unpack_gzip) (packing, &out);
        if (wrong)
            return damaged (file, wrong, err);
        if (out.pos > 0)
            return (ssize_t)out.pos;
        n = read_raw (file, packing->bytes, sizeof (packing->bytes), err);
        if (n < 0)
            return -1;
        if (n == 0 && !packing->complete)
            return damaged (file,
                            "it ends too early; the file was cut short or is "
                            "still being written",
                            err);
        if (n == 0)
            return 0;
        packing->in = (ZSTD_inBuffer){ packing->bytes, (size_t)n, 0 };
    }
}

/* Bring what is not taken to the front, and have memory behind it. */
static int grow_block (struct packed_file *file, struct error *err)
{
    size_t left = (size_t)(file->stop - file->next);

    if (left >= PACKED_MAX_BYTES)
        return error_set (err,
                          "%s: at byte %llu: a line or frame of more than %d "
                          "bytes",
                          file->name, (unsigned long long)file->offset,
                          PACKED_MAX_BYTES);
    memmove (file->block, file->next, left);
    if (left == file->block_bytes) {
        file->block_bytes *= 2;
        file->block = xrealloc (file->block, file->block_bytes);
    }
    file->next = file->block;
    file->stop = file->block + left;
    return 0;
}

int packed_more (struct packed_file *file, struct error *err)
{
    size_t left;
    ssize_t n;

    if (file->fd < 0)
        return 0;
    if (!file->started) {
        if (start (file, PACKED_BYTES, err) < 0)
            return -1;
        if (file->stop > file->next)
            return 1;
    }
    if (grow_block (file, err) < 0)
        return -1;
    left = (size_t)(file->stop - file->next);
    n = (file->packing ? unpack : read_raw) (file, file->block + left,
                                             file->block_bytes - left, err);
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
static int skip_to (struct packed_file *file, uint64_t offset,
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
    if (!file->started && start (file, MAGIC_BYTES, err) < 0)
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
    if (file->fd >= 0 && !file->started && start (file, MAGIC_BYTES, err) < 0)
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
