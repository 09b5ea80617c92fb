/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.c - XXH3 for checksums and draws; tokens */
#include "config.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Draws hash three words per frame: a call costs more than the hash. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/alloc.h"
#include "base/compiler.h"
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

/* One character, the first 'n' of the alphabet being equally likely: bytes
 * beyond the last multiple of n are thrown again.
 */
static char random_character (unsigned int n)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    unsigned char byte;

    do {
        if (getrandom (&byte, 1, 0) != 1)
            continue; /* a signal came before the pool was ready */
    } while (byte >= 256 / n * n);
    return alphabet[byte % n];
}

void random_token (char *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = random_character (i == 0 ? 26 : 36);
    out[len] = '\0';
}
