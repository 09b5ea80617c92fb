/* SPDX-License-Identifier: BSD-3-Clause */
/* share.c - which rank reads which bytes */
#include "base/base.h"

#include "reduce/share.h"

/* To open a file takes about as long as to read so much. */
static const uint64_t opening_bytes = 16 * 1024;

static uint64_t cost_of (uint64_t bytes)
{
    return bytes + opening_bytes;
}

/* floor (total * part / parts), whose product may not fit 64 bits. */
static uint64_t fraction_of (uint64_t total, uint64_t part, uint64_t parts)
{
    return total / parts * part + total % parts * part / parts;
}

/* The cut that is 'into' the cost of a file. */
static struct share_cut cut_file (size_t file, uint64_t into, uint64_t bytes,
                                  bool (*can_split) (size_t file, void *arg),
                                  void *arg)
{
    uint64_t byte = into > opening_bytes ? into - opening_bytes : 0;

    if (byte > 0 && bytes >= SHARE_LEAST_BYTES && can_split
        && can_split (file, arg))
        return (struct share_cut){ file, byte };
    return (struct share_cut){ file + (into > cost_of (bytes) / 2), 0 };
}

void share_bytes (const uint64_t *bytes, size_t n, int n_ranks,
                  bool (*can_split) (size_t file, void *arg), void *arg,
                  struct share_cut *cuts)
{
    uint64_t total = 0, before = 0;
    size_t file = 0;

    for (size_t i = 0; i < n; i++)
        total += cost_of (bytes[i]);
    cuts[0] = (struct share_cut){ 0, 0 };
    for (int rank = 1; rank < n_ranks; rank++) {
        uint64_t at = fraction_of (total, (uint64_t)rank, (uint64_t)n_ranks);

        while (file < n && before + cost_of (bytes[file]) <= at)
            before += cost_of (bytes[file++]);
        cuts[rank] = (struct share_cut){ n, 0 };
        if (file < n)
            cuts[rank] =
                cut_file (file, at - before, bytes[file], can_split, arg);
    }
    cuts[n_ranks] = (struct share_cut){ n, 0 };
}
