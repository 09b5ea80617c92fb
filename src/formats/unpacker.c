/* SPDX-License-Identifier: BSD-3-Clause */
/* unpacker.c - gzip and zstd, piece by piece */
#include "config.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"
#include "formats/unpacker.h"

struct unpacker {
    ZSTD_DCtx *zstd; /* NULL: it is gzip */
    z_stream gzip;
    bool complete; /* the stream at hand has ended */
};

/* gzip's header, not zlib's, with the largest window (zlib.h). */
enum { GZIP_WINDOW_BITS = 15 + 16 };

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

struct unpacker *unpacker_for (const char *bytes, size_t n)
{
    struct unpacker *unpacker;
    bool ok;

    if (!is_gzip (bytes, n) && !is_zstd (bytes, n))
        return NULL;
    unpacker = xcalloc (1, sizeof (*unpacker));
    if (is_gzip (bytes, n))
        ok = inflateInit2 (&unpacker->gzip, GZIP_WINDOW_BITS) == Z_OK;
    else
        ok = (unpacker->zstd = ZSTD_createDCtx ());
    if (!ok)
        alloc_failed (sizeof (*unpacker));
    return unpacker;
}

void unpacker_free (struct unpacker *unpacker)
{
    if (!unpacker)
        return;
    if (unpacker->zstd)
        ZSTD_freeDCtx (unpacker->zstd);
    else
        inflateEnd (&unpacker->gzip);
    free (unpacker);
}

/* So much was taken, and made of it. */
static void go_on (struct unpacking *unpacking, size_t taken, size_t made)
{
    unpacking->in += taken;
    unpacking->n_in -= taken;
    unpacking->out += made;
    unpacking->n_out -= made;
}

static const char *run_gzip (struct unpacker *unpacker,
                             struct unpacking *unpacking)
{
    z_stream *gzip = &unpacker->gzip;
    int rc;

    if (unpacker->complete && inflateReset (gzip) != Z_OK)
        return "out of order";
    unpacker->complete = false;
    gzip->next_in = (z_const Bytef *)unpacking->in;
    gzip->avail_in =
        unpacking->n_in < UINT_MAX ? (uInt)unpacking->n_in : UINT_MAX;
    gzip->next_out = (Bytef *)unpacking->out;
    gzip->avail_out =
        unpacking->n_out < UINT_MAX ? (uInt)unpacking->n_out : UINT_MAX;
    rc = inflate (gzip, Z_NO_FLUSH);
    go_on (unpacking, (size_t)((const char *)gzip->next_in - unpacking->in),
           (size_t)((char *)gzip->next_out - unpacking->out));
    unpacker->complete = rc == Z_STREAM_END;
    if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR)
        return NULL;
    return gzip->msg ? gzip->msg : "no gzip data";
}

static const char *run_zstd (struct unpacker *unpacker,
                             struct unpacking *unpacking)
{
    ZSTD_inBuffer from = { unpacking->in, unpacking->n_in, 0 };
    ZSTD_outBuffer to = { unpacking->out, unpacking->n_out, 0 };
    size_t rc = ZSTD_decompressStream (unpacker->zstd, &to, &from);

    go_on (unpacking, from.pos, to.pos);
    unpacker->complete = rc == 0;
    return ZSTD_isError (rc) ? ZSTD_getErrorName (rc) : NULL;
}

const char *unpacker_run (struct unpacker *unpacker,
                          struct unpacking *unpacking)
{
    const char *wrong = NULL;

    if (unpacking->n_in == 0 && unpacker->complete)
        return NULL;
    do
        wrong = (unpacker->zstd ? run_zstd : run_gzip) (unpacker, unpacking);
    while (!wrong && unpacking->n_in > 0 && unpacking->n_out > 0);
    return wrong;
}

bool unpacker_is_complete (const struct unpacker *unpacker)
{
    return unpacker->complete;
}

const char *unpacker_name (const struct unpacker *unpacker)
{
    return unpacker->zstd ? "zstd" : "gzip";
}
