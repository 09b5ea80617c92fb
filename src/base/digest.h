/* SPDX-License-Identifier: BSD-3-Clause */
/* digest.h - SHA-256, written as sha256sum does (64 hex digits) */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

struct digest_cache;
struct heartbeat;

enum { DIGEST_HEX_SIZE = 65 };

/* How far the digest of something that grows has got: 'bytes' of it, a multiple
 * of 64.
 */
struct digest_state {
    uint64_t bytes;
    uint32_t words[8];
};

void digest_begin (struct digest_state *state);

/* The 'len' bytes behind those of 'state' follow: whole blocks of them are
 * taken in, and 'hex' is the digest of all.
 */
void digest_add (struct digest_state *state, const void *bytes, size_t len,
                 char hex[DIGEST_HEX_SIZE]);

/* The words as 64 hex digits, and back: of 'bytes' bytes the whole blocks.  -1:
 * these are no such digits.
 */
void digest_state_format (const struct digest_state *state,
                          char hex[DIGEST_HEX_SIZE]);
int digest_state_parse (const char *hex, uint64_t bytes,
                        struct digest_state *state);

void digest_bytes (const void *bytes, size_t len, char hex[DIGEST_HEX_SIZE]);

/* Of a file: of its bytes.  Of a directory: SHA-256 over the sorted lines
 * "<hex>  <relative path>\n" of its files and "link <target>  <path>\n" of its
 * links, as `sha256sum` would list it.  Directories count through what is in
 * them.  Special files and names with a line break are errors.  Beats while it
 * reads.  'cache' (digest_cache.h), or NULL, has files that need not be read.
 */
int digest_tree (const char *path, char hex[DIGEST_HEX_SIZE],
                 struct digest_cache *cache, const struct heartbeat *heartbeat,
                 struct error *err);

/* The same without a cache, with the lines of a directory appended to 'lines',
 * which is empty.
 */
int digest_tree_lines (const char *path, char hex[DIGEST_HEX_SIZE],
                       struct strvec *lines, const struct heartbeat *heartbeat,
                       struct error *err);

/* The lines that digest_tree makes, for those who know a tree's files
 * otherwise: add that of a file or of a link, and take the digest of all, which
 * sorts them.
 */
void digest_list_file (struct strvec *lines, const char *hex,
                       const char *relative);
void digest_list_link (struct strvec *lines, const char *target,
                       const char *relative);
void digest_lines (struct strvec *lines, char hex[DIGEST_HEX_SIZE]);

/* Is it 64 hex digits, as all of these are? */
bool digest_is_hex (const char *text);

#endif /* !BASE_DIGEST_H */
