/* SPDX-License-Identifier: BSD-3-Clause */
/* digest_cache.c - digests of files that were read before */
#include "base/base.h"

#include <sys/stat.h>

#include "base/digest_cache.h"
#include "base/file.h"
#include "base/json.h"

enum { STAMP_SIZE = 160, FORMAT = 1 };

/* What tells that a file did not change. */
static void format_stamp (const struct stat *st, char stamp[STAMP_SIZE])
{
    snprintf (stamp, STAMP_SIZE,
              "%" PRIuMAX " %" PRIuMAX " %" PRIdMAX " %" PRIdMAX
              ".%09ld %" PRIdMAX ".%09ld",
              (uintmax_t)st->st_dev, (uintmax_t)st->st_ino,
              (intmax_t)st->st_size, (intmax_t)st->st_mtim.tv_sec,
              st->st_mtim.tv_nsec, (intmax_t)st->st_ctim.tv_sec,
              st->st_ctim.tv_nsec);
}

/* A ctime of 0 is that of a file system that has none. */
static bool is_old (const struct digest_cache *cache, const struct stat *st)
{
    double latest_s = cache->now_s - DIGEST_CACHE_AGE_S;

    return st->st_ctim.tv_sec > 0 && (double)st->st_ctim.tv_sec < latest_s
           && (double)st->st_mtim.tv_sec < latest_s;
}

void digest_cache_init (struct digest_cache *cache, const char *file,
                        double now_s)
{
    _cleanup_json_ struct json *v = json_read_file (file, NULL);
    struct json *known = json_get (v, "files");
    bool ours = json_as_int (json_get (v, "format")) == FORMAT
                && json_kind (known) == JSON_KIND_OBJECT;

    *cache = (struct digest_cache){ .now_s = now_s,
                                    .known = ours ? json_ref (known)
                                                  : json_object (),
                                    .used = json_object () };
}

void digest_cache_release (struct digest_cache *cache)
{
    json_unref (cache->known);
    json_unref (cache->used);
    *cache = (struct digest_cache){ 0 };
}

/* The digest in 'entry', if that is of a file with this stamp. */
static const char *digest_in (const struct json *entry, const char *stamp)
{
    const char *text = json_as_string (entry);
    size_t len = strlen (stamp);

    return strncmp (text, stamp, len) == 0 && text[len] == ' '
                   && strlen (text + len + 1) == DIGEST_HEX_SIZE - 1
               ? text + len + 1
               : NULL;
}

bool digest_cache_find (struct digest_cache *cache, const char *path,
                        const struct stat *st, char hex[DIGEST_HEX_SIZE])
{
    struct json *entry = json_get (cache->used, path);
    const char *digest;
    char stamp[STAMP_SIZE];

    if (!entry)
        entry = json_get (cache->known, path);
    if (!entry)
        return false;
    format_stamp (st, stamp);
    if (!(digest = digest_in (entry, stamp)))
        return false;
    memcpy (hex, digest, DIGEST_HEX_SIZE);
    json_set (cache->used, path, json_ref (entry));
    return true;
}

void digest_cache_add (struct digest_cache *cache, const char *path,
                       const struct stat *before, const struct stat *after,
                       const char *hex)
{
    char stamp[STAMP_SIZE], then[STAMP_SIZE];

    format_stamp (before, then);
    format_stamp (after, stamp);
    if (strcmp (then, stamp) != 0 || !is_old (cache, before))
        return;
    json_set (cache->used, path, json_stringf ("%s %s", stamp, hex));
    cache->changed = true;
}

/* {PATH: ...}: those of 'used', then those of 'known' for which there is room.
 */
static struct json *kept (const struct digest_cache *cache)
{
    const struct json *from[] = { cache->used, cache->known };
    struct json *files = json_object ();

    for (size_t i = 0; i < 2; i++) {
        JSON_FOREACH (from[i], it) {
            if (json_count (files) < DIGEST_CACHE_FILES_MAX
                && !json_get (files, json_iter_key (it)))
                json_set (files, json_iter_key (it),
                          json_ref (json_iter_value (it)));
        }
    }
    return files;
}

int digest_cache_write (struct digest_cache *cache, const char *file,
                        struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    struct json *v;
    int rc;

    if (!cache->changed)
        return 0;
    v = json_object ();
    json_set (v, "format", json_int (FORMAT));
    json_set (v, "files", kept (cache));
    json_dump (v, JSON_COMPACT, &text);
    rc = file_write_atomic (file, text.buf, text.len, err);
    strbuf_release (&text);
    json_unref (v);
    cache->changed = rc < 0;
    return rc;
}
