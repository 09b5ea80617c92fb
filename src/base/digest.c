/* SPDX-License-Identifier: BSD-3-Clause */
/* digest.c - SHA-256 of bytes, files and trees */
#include "base/base.h"

#include <fcntl.h>
#include <sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/digest_cache.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/tree_walk.h"

_Static_assert((int)SHA256_DIGEST_STRING_LENGTH == (int)DIGEST_HEX_SIZE,
               "libmd writes 64 hex digits and a terminator");

void digest_bytes (const void *bytes, size_t len, char hex[DIGEST_HEX_SIZE])
{
    SHA256Data (bytes, len, hex);
}

bool digest_is_hex (const char *text)
{
    return strlen (text) == DIGEST_HEX_SIZE - 1
           && strspn (text, "0123456789abcdef") == DIGEST_HEX_SIZE - 1;
}

/* --- of what grows --- */

void digest_begin (struct digest_state *state)
{
    SHA2_CTX ctx;

    SHA256Init (&ctx);
    state->bytes = 0;
    memcpy (state->words, ctx.state.st32, sizeof (state->words));
}

void digest_add (struct digest_state *state, const void *bytes, size_t len,
                 char hex[DIGEST_HEX_SIZE])
{
    size_t whole = len - len % SHA256_BLOCK_LENGTH;
    SHA2_CTX ctx;

    SHA256Init (&ctx);
    memcpy (ctx.state.st32, state->words, sizeof (state->words));
    ctx.bitcount[0] = state->bytes * 8;
    SHA256Update (&ctx, bytes, whole);
    state->bytes += whole;
    memcpy (state->words, ctx.state.st32, sizeof (state->words));
    SHA256Update (&ctx, (const uint8_t *)bytes + whole, len - whole);
    SHA256End (&ctx, hex);
}

void digest_state_format (const struct digest_state *state,
                          char hex[DIGEST_HEX_SIZE])
{
    for (int i = 0; i < 8; i++)
        snprintf (hex + 8 * i, 9, "%08" PRIx32, state->words[i]);
}

int digest_state_parse (const char *hex, uint64_t bytes,
                        struct digest_state *state)
{
    if (!digest_is_hex (hex))
        return -1;
    for (int i = 0; i < 8; i++) {
        char word[9] = "";

        memcpy (word, hex + 8 * i, 8);
        state->words[i] = (uint32_t)strtoul (word, NULL, 16);
    }
    state->bytes = bytes - bytes % SHA256_BLOCK_LENGTH;
    return 0;
}

/* --- of files and trees --- */

/* Of what is open as 'fd'. */
static int digest_open (int fd, const char *path, char hex[DIGEST_HEX_SIZE],
                        const struct heartbeat *heartbeat, struct error *err)
{
    enum { CHUNK_BYTES = 1 << 16 };
    _cleanup_free_ unsigned char *chunk = xmalloc (CHUNK_BYTES);
    ssize_t n;
    SHA2_CTX ctx;

    SHA256Init (&ctx);
    while ((n = TEMP_FAILURE_RETRY (read (fd, chunk, CHUNK_BYTES))) > 0) {
        heartbeat_send (heartbeat);
        SHA256Update (&ctx, chunk, (size_t)n);
    }
    if (n < 0)
        error_errno (err, "cannot read '%s'", path);
    else
        SHA256End (&ctx, hex);
    return n < 0 ? -1 : 0;
}

/* It is opened even if it is known: over NFS that asks the server for its size
 * and times, which are else those of up to a minute ago.
 */
static int digest_file (const char *path, char hex[DIGEST_HEX_SIZE],
                        struct digest_cache *cache,
                        const struct heartbeat *heartbeat, struct error *err)
{
    int fd = file_open_to_read (path, err);
    struct stat before, after;
    bool looked;
    int rc;

    if (fd < 0)
        return -1;
    looked = cache && fstat (fd, &before) == 0;
    if (looked && digest_cache_find (cache, path, &before, hex)) {
        file_close (fd);
        return 0;
    }
    rc = digest_open (fd, path, hex, heartbeat, err);
    if (rc == 0 && looked && fstat (fd, &after) == 0)
        digest_cache_add (cache, path, &before, &after, hex);
    file_close (fd);
    return rc;
}

void digest_list_file (struct strvec *lines, const char *hex,
                       const char *relative)
{
    strvec_pushf (lines, "%s  %s\n", hex, relative);
}

void digest_list_link (struct strvec *lines, const char *target,
                       const char *relative)
{
    strvec_pushf (lines, "link %s  %s\n", target, relative);
}

void digest_lines (struct strvec *lines, char hex[DIGEST_HEX_SIZE])
{
    SHA2_CTX ctx;

    strvec_sort (lines);
    SHA256Init (&ctx);
    for (size_t i = 0; i < lines->n; i++)
        SHA256Update (&ctx, (const uint8_t *)lines->v[i], strlen (lines->v[i]));
    SHA256End (&ctx, hex);
}

struct listing {
    size_t root_len;
    struct strvec lines;
    struct digest_cache *cache;
    const struct heartbeat *heartbeat;
};

static int list_entry (const struct tree_entry *entry, void *arg,
                       struct error *err)
{
    struct listing *listing = arg;
    const char *path = entry->path;
    const char *relative = path + listing->root_len;
    char hex[DIGEST_HEX_SIZE];
    char *target;

    relative += strspn (relative, "/");
    if (strchr (relative, '\n'))
        return error_set (err, "'%s': a line break in a file name; rename it",
                          path);
    switch (entry->kind) {
    case TREE_FILE:
        if (digest_file (path, hex, listing->cache, listing->heartbeat, err)
            < 0)
            return -1;
        digest_list_file (&listing->lines, hex, relative);
        return 0;
    case TREE_LINK:
        if (!(target = file_read_link (path, err)))
            return -1;
        digest_list_link (&listing->lines, target, relative);
        free (target);
        return 0;
    case TREE_SPECIAL:
        return error_set (err, "'%s' is neither file, directory nor link",
                          path);
    default:
        return 0;
    }
}

static int digest_listing (const char *path, char hex[DIGEST_HEX_SIZE],
                           struct listing *listing, struct error *err)
{
    struct stat st;

    if (stat (path, &st) < 0)
        return error_errno (err, "cannot look at '%s'", path);
    if (!S_ISDIR (st.st_mode))
        return digest_file (path, hex, listing->cache, listing->heartbeat, err);
    if (tree_walk (path, true, list_entry, listing, listing->heartbeat, err)
        < 0)
        return -1;
    digest_lines (&listing->lines, hex);
    return 0;
}

int digest_tree (const char *path, char hex[DIGEST_HEX_SIZE],
                 struct digest_cache *cache, const struct heartbeat *heartbeat,
                 struct error *err)
{
    struct listing listing = { strlen (path), STRVEC_INIT, cache, heartbeat };
    int rc = digest_listing (path, hex, &listing, err);

    strvec_release (&listing.lines);
    return rc;
}

int digest_tree_lines (const char *path, char hex[DIGEST_HEX_SIZE],
                       struct strvec *lines, const struct heartbeat *heartbeat,
                       struct error *err)
{
    struct listing listing = { strlen (path), STRVEC_INIT, NULL, heartbeat };
    int rc = digest_listing (path, hex, &listing, err);

    if (rc == 0)
        *lines = listing.lines;
    else
        strvec_release (&listing.lines);
    return rc;
}
