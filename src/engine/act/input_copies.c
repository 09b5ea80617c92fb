/* SPDX-License-Identifier: BSD-3-Clause */
/* input_copies.c - files that a user bound by path, as they were */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "engine/act/input_copies.h"
#include "engine/history/engine.h"
#include "signature/operator.h"
#include "space/layout.h"
#include "space/lease.h"

/* Is it a file that a user may edit, of at most 'max_bytes'? */
static bool is_copied (const struct engine *engine, const char *path,
                       int64_t max_bytes)
{
    _cleanup_free_ char *full = NULL;
    struct stat st;
    bool small;

    if (layout_stage_dir_length (path) > 0
        || strncmp (path, LAYOUT_HIDDEN_DIR "/", strlen (LAYOUT_HIDDEN_DIR "/"))
               == 0)
        return false;
    full = path_join (engine->dir, path);
    small = stat (full, &st) == 0 && S_ISREG (st.st_mode)
            && st.st_size <= max_bytes;
    return small;
}

/* Is there a copy at 'to'?  Modes stop neither root nor its tasks. */
static bool is_whole (struct contents *contents, const char *to,
                      const char *hex)
{
    char found[DIGEST_HEX_SIZE];

    return file_exists (to) && contents_digest (contents, to, found, NULL) == 0
           && strcmp (found, hex) == 0;
}

/* What 'from' is now, to its place, which is appended to 'relative'. */
static int write_copy (struct engine *engine, const char *from,
                       struct strbuf *relative, char hex[DIGEST_HEX_SIZE],
                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf bytes = STRBUF_INIT;
    _cleanup_free_ char *to = NULL;
    int rc = -1;

    if (file_read (from, INPUT_COPY_MAX_BYTES, &bytes, err) < 0)
        return -1;
    digest_bytes (bytes.buf, bytes.len, hex);
    layout_input_copy (hex, path_base (from), relative);
    to = path_join (engine->dir, relative->buf);
    if (file_make_lasting_parent (to, err) == 0
        && lease_check (engine->lease, err) == 0
        && file_write_sealed (to, bytes.buf, bytes.len, err) == 0)
        rc = 0;
    return rc;
}

/* The same, unless it is there. */
static int copy_once (struct engine *engine, struct contents *contents,
                      const char *from, struct strbuf *relative,
                      char hex[DIGEST_HEX_SIZE], struct error *err)
{
    char *to;
    bool there;

    if (contents_digest (contents, from, hex, err) < 0)
        return -1;
    layout_input_copy (hex, path_base (from), relative);
    to = path_join (engine->dir, relative->buf);
    there = is_whole (contents, to, hex);
    free (to);
    if (there)
        return 0;
    strbuf_reset (relative);
    return write_copy (engine, from, relative, hex, err);
}

static struct json *copy (struct engine *engine, struct contents *contents,
                          const char *path, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    _cleanup_free_ char *from = path_join (engine->dir, path);
    char hex[DIGEST_HEX_SIZE];
    struct json *v = NULL;

    engine_heartbeat (engine);
    if (copy_once (engine, contents, from, &relative, hex, err) == 0) {
        v = json_string (relative.buf);
        json_set (contents->sha256, relative.buf, json_string (hex));
        json_set (contents->copied, relative.buf, json_string (path));
    }
    return v;
}

/* A path, a hole, or a list of these. */
static struct json *copied (struct engine *engine, struct contents *contents,
                            struct json *value, struct error *err)
{
    struct json *list, *one;

    if (json_kind (value) == JSON_KIND_STRING
        && is_copied (engine, json_as_string (value), INPUT_COPY_MAX_BYTES))
        return copy (engine, contents, json_as_string (value), err);
    if (json_kind (value) != JSON_KIND_ARRAY)
        return json_ref (value);
    list = json_array ();
    for (size_t i = 0; i < json_count (value); i++) {
        if (!(one = copied (engine, contents, json_at (value, i), err))) {
            json_unref (list);
            return NULL;
        }
        json_push (list, one);
    }
    return list;
}

struct json *inputs_copied (struct engine *engine, struct contents *contents,
                            const struct port *inputs,
                            const struct json *values, struct error *err)
{
    struct json *all = json_object ();

    for (; inputs && inputs->name; inputs++) {
        struct json *value = json_get (values, inputs->name), *v;

        if (!value)
            continue;
        v = type_is_artifact (&inputs->type)
                ? copied (engine, contents, value, err)
                : json_ref (value);
        if (!v) {
            error_prefix (err, "input '%s'", inputs->name);
            json_unref (all);
            return NULL;
        }
        json_set (all, inputs->name, v);
    }
    return all;
}

static int keep_program (struct engine *engine, struct contents *contents,
                         const char *path, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    struct error why = ERROR_INIT;
    char hex[DIGEST_HEX_SIZE];
    _cleanup_free_ char *from = path_join (engine->dir, path);
    int rc = copy_once (engine, contents, from, &relative, hex, &why);

    if (rc < 0)
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    return rc;
}

int programs_keep (struct engine *engine, struct contents *contents,
                   const struct json *files, struct error *err)
{
    int rc = 0;

    JSON_FOREACH (files, it) {
        const char *path = json_iter_key (it);

        engine_heartbeat (engine);
        if (rc == 0 && is_copied (engine, path, PROGRAM_COPY_MAX_BYTES))
            rc = keep_program (engine, contents, path, err);
    }
    return rc;
}
