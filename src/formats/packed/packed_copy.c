/* SPDX-License-Identifier: BSD-3-Clause */
/* packed_copy.c - a compressed copy of a file */
#include "base/base.h"

#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "formats/packed/packed_copy.h"

enum {
    BLOCK_BYTES = 128 * 1024,
    GZIP_WINDOW_BITS = 15 + 16, /* gzip's header, not zlib's (zlib.h) */
    MEMORY_LEVEL = 8,           /* zlib's default */
};

/* Bytes of the file, and what becomes of them. */
struct blocks {
    Bytef in[BLOCK_BYTES], out[BLOCK_BYTES];
};

static ssize_t read_block (int fd, void *at, struct error *err)
{
    ssize_t n;

    do
        n = read (fd, at, BLOCK_BYTES);
    while (n < 0 && errno == EINTR);
    return n < 0 ? error_errno (err, "cannot read") : n;
}

/* Add what becomes of the input that is there. */
static int pack (z_stream *stream, struct blocks *blocks, int flush,
                 struct file_writer *writer, struct error *err)
{
    do {
        stream->next_out = blocks->out;
        stream->avail_out = BLOCK_BYTES;
        deflate (stream, flush); /* can fail only by misuse */
        if (file_writer_add (writer, blocks->out,
                             BLOCK_BYTES - stream->avail_out, err)
            < 0)
            return -1;
    } while (stream->avail_out == 0);
    return 0;
}

static int pack_all (int fd, z_stream *stream, struct file_writer *writer,
                     struct error *err)
{
    _cleanup_free_ struct blocks *blocks = xmalloc (sizeof (*blocks));
    ssize_t n;
    int rc = 0;

    do {
        n = read_block (fd, blocks->in, err);
        if (n < 0) {
            rc = -1;
            break;
        }
        stream->next_in = blocks->in;
        stream->avail_in = (uInt)n;
        rc = pack (stream, blocks, n > 0 ? Z_NO_FLUSH : Z_FINISH, writer, err);
    } while (rc == 0 && n > 0);
    return rc;
}

int packed_copy (const char *from, const char *to, struct error *err)
{
    struct file_writer writer = FILE_WRITER_INIT;
    z_stream stream = { 0 };
    int fd = file_open_to_read (from, err), rc;

    if (fd < 0)
        return -1;
    if (deflateInit2 (&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                      GZIP_WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY)
        != Z_OK)
        alloc_failed (sizeof (stream));
    rc = file_writer_open (&writer, to, err);
    if (rc == 0)
        rc = pack_all (fd, &stream, &writer, err);
    if (rc == 0)
        rc = file_writer_commit (&writer, err);
    if (rc < 0)
        error_prefix (err, "cannot copy '%s' to '%s'", from, to);
    file_writer_release (&writer);
    deflateEnd (&stream);
    file_close (fd);
    return rc;
}
