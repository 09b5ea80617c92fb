/* SPDX-License-Identifier: BSD-3-Clause */
/* artifact_record.c - what is recorded of an artifact, and whether it still is
 * so */
#include "base/base.h"

#include "base/digest.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/tree_look.h"
#include "signature/artifact_record.h"

enum { FILES_MAX = 1000 };

/* [line without its end] */
static struct json *files_json (const struct strvec *lines)
{
    struct json *v = json_array ();

    for (size_t i = 0; i < lines->n; i++)
        json_push (v, json_stringf ("%.*s", (int)strcspn (lines->v[i], "\n"),
                                    lines->v[i]));
    return v;
}

struct json *artifact_record (const char *path,
                              const struct heartbeat *heartbeat,
                              struct error *err)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    char hex[DIGEST_HEX_SIZE];
    struct tree_look look;
    struct json *v = NULL;

    if (tree_look (path, &look, heartbeat, err) < 0
        || digest_tree_lines (path, hex, &lines, heartbeat, err) < 0)
        return NULL;
    v = json_object ();
    json_set (v, "bytes", json_int ((int64_t)look.bytes));
    json_set (v, "sha256", json_string (hex));
    json_set (v, "seen", json_string (look.hex));
    if (lines.n > 0 && lines.n <= FILES_MAX)
        json_set (v, "files", files_json (&lines));
    return v;
}

int artifact_is_same (const char *path, const struct json *record,
                      const char *seen, bool contents,
                      const struct heartbeat *heartbeat, struct error *err)
{
    char hex[DIGEST_HEX_SIZE];
    struct tree_look look;

    if (tree_look (path, &look, heartbeat, err) < 0)
        return -1;
    if (!contents && seen && strcmp (look.hex, seen) == 0)
        return 1;
    if (digest_tree (path, hex, NULL, heartbeat, err) < 0)
        return -1;
    return strcmp (hex, json_get_string (record, "sha256")) == 0;
}

/* --- what differs --- */

/* The name in a line, behind the digest. */
static const char *name_in (const char *line)
{
    const char *name = strstr (line, "  ");

    return name ? name + 2 : line;
}

/* {NAME: what is before it} */
static struct json *by_name (const struct json *files)
{
    struct json *v = json_object ();

    for (size_t i = 0; i < json_count (files); i++) {
        const char *line = json_as_string (json_at (files, i));
        size_t len = (size_t)(name_in (line) - line);

        json_set (v, name_in (line),
                  json_stringf ("%.*s", len > 2 ? (int)len - 2 : 0, line));
    }
    return v;
}

static int say_changed (const char *path, const char *name, const char *now,
                        const char *then, struct error *err)
{
    const char *slash = name[0] ? "/" : "";

    if (!then)
        return error_set (err, "'%s%s%s' was added: its sha256 is %s", path,
                          slash, name, now);
    if (!now)
        return error_set (err, "'%s%s%s' was taken away: its sha256 was %s",
                          path, slash, name, then);
    return error_set (err, "'%s%s%s' differs: its sha256 is %s, and was %s",
                      path, slash, name, now, then);
}

/* The first name that is in one only, or is another file. */
static bool find_changed (const char *path, const struct json *now,
                          const struct json *then, struct error *err)
{
    JSON_FOREACH (now, it) {
        const char *name = json_iter_key (it);
        const char *is = json_as_string (json_iter_value (it));
        const struct json *was = json_get (then, name);

        if (was && strcmp (json_as_string (was), is) == 0)
            continue;
        say_changed (path, name, is, was ? json_as_string (was) : NULL, err);
        return true;
    }
    JSON_FOREACH (then, it) {
        if (json_get (now, json_iter_key (it)))
            continue;
        say_changed (path, json_iter_key (it), NULL,
                     json_as_string (json_iter_value (it)), err);
        return true;
    }
    return false;
}

int artifact_say_difference (const char *path, const struct json *record,
                             const struct heartbeat *heartbeat,
                             struct error *err)
{
    _cleanup_json_ struct json *is = artifact_record (path, heartbeat, err);
    _cleanup_json_ struct json *now = by_name (json_get (is, "files"));
    _cleanup_json_ struct json *then = by_name (json_get (record, "files"));

    if (is
        && (!json_get (record, "files")
            || !find_changed (path, now, then, err)))
        say_changed (path, "", json_get_string (is, "sha256"),
                     json_get_string (record, "sha256"), err);
    return -1;
}
