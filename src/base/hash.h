/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.h - XXH3 64-bit for checksums of lines and for counter-based draws */
#ifndef BASE_HASH_H
#define BASE_HASH_H

uint64_t hash_bytes (uint64_t seed, const void *bytes, size_t len);
uint64_t hash_string (uint64_t seed, const char *s);

/* Hash of a sequence of 64-bit words (little-endian bytes, so the value is
 * the same on every machine).
 */
uint64_t hash_words (uint64_t seed, const uint64_t *words, size_t n);

/* A unique token: a lower-case letter and 'len' - 1 of [a-z0-9], from
 * getrandom(); 'out' has len + 1 bytes.
 */
void random_token (char *out, size_t len);

#endif /* !BASE_HASH_H */
