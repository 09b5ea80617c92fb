/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.c - XXH3 for checksums and draws; tokens */
#include "base/base.h"

#include <endian.h>
#include <sys/random.h>

/* Draws hash three words per frame: a call costs more than the hash. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/hash.h"

uint64_t hash_bytes (uint64_t seed, const void *bytes, size_t len)
{
    return XXH3_64bits_withSeed (bytes, len, seed);
}

uint64_t hash_string (uint64_t seed, const char *s)
{
    return hash_bytes (seed, s, strlen (s));
}

uint64_t hash_words (uint64_t seed, const uint64_t *words, size_t n)
{
    uint64_t few[16]; /* draws hash a handful: no allocation */
    uint64_t *little = few;
    uint64_t value;

    if (n > ARRAY_SIZE (few))
        little = xreallocarray (NULL, n, sizeof (*little));
    for (size_t i = 0; i < n; i++)
        little[i] = htole64 (words[i]);
    value = hash_bytes (seed, little, n * sizeof (*little));
    if (little != few)
        free (little);
    return value;
}

void random_token (char *out, size_t len)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";

    for (size_t i = 0; i < len;) {
        unsigned int n = i == 0 ? 26 : 36;
        unsigned char byte;

        /* Any of the n is as likely: bytes beyond the last multiple of n are
         * thrown again.
         */
        if (getrandom (&byte, 1, 0) == 1 && byte < 256 / n * n)
            out[i++] = alphabet[byte % n];
    }
    out[len] = '\0';
}
