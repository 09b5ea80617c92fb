/* SPDX-License-Identifier: BSD-3-Clause */
/* config_changes.c - what differs between two configurations */
#include "base/base.h"

#include "base/json.h"
#include "campaign/config_changes.h"

enum { CHANGES_MAX = 64, TEXT_MAX = 200 };

struct changes {
    struct json *list;
    int more; /* beyond CHANGES_MAX */
};

static void set_text (struct json *change, const char *key,
                      const struct json *v)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (!v)
        return;
    json_dump (v, JSON_COMPACT, &text);
    strbuf_shorten (&text, TEXT_MAX);
    json_set (change, key, json_string (text.buf));
}

static void add (struct changes *changes, const char *key,
                 const struct json *before, const struct json *after)
{
    struct json *change;

    if (json_count (changes->list) == CHANGES_MAX) {
        changes->more++;
        return;
    }
    change = json_object ();
    json_set (change, "key", json_string (key));
    set_text (change, "old", before);
    set_text (change, "new", after);
    json_push (changes->list, change);
}

/* Only mappings are looked into: what an item of a list was cannot be said. */
static void compare (struct changes *changes, struct strbuf *key,
                     const struct json *before, const struct json *after)
{
    const size_t len = key->len;

    if (before && after && json_equal (before, after))
        return;
    if (json_kind (before) != JSON_KIND_OBJECT
        || json_kind (after) != JSON_KIND_OBJECT) {
        add (changes, key->buf, before, after);
        return;
    }
    JSON_FOREACH (before, it) {
        const char *name = json_iter_key (it);

        strbuf_addf (key, "%s%s", len > 0 ? "." : "", name);
        compare (changes, key, json_iter_value (it), json_get (after, name));
        strbuf_truncate (key, len);
    }
    JSON_FOREACH (after, it) {
        const char *name = json_iter_key (it);

        if (json_get (before, name))
            continue;
        strbuf_addf (key, "%s%s", len > 0 ? "." : "", name);
        add (changes, key->buf, NULL, json_iter_value (it));
        strbuf_truncate (key, len);
    }
}

static void compare_part (struct changes *changes, const char *prefix,
                          const struct json *before, const struct json *after)
{
    _cleanup_json_ struct json *none = json_object ();
    _cleanup_ (strbuf_release) struct strbuf key = STRBUF_INIT;

    strbuf_add_str (&key, prefix);
    compare (changes, &key, before ? before : none, after ? after : none);
}

/* A key of site.yaml itself. */
static void compare_key (struct changes *changes, const char *name,
                         const struct json *before, const struct json *after)
{
    _cleanup_ (strbuf_release) struct strbuf key = STRBUF_INIT;

    before = json_get (before, name);
    after = json_get (after, name);
    strbuf_add_str (&key, name);
    if (before || after)
        compare (changes, &key, before, after);
}

struct json *config_changes (const struct json *before,
                             const struct json *after)
{
    struct changes changes = { json_array (), 0 };

    compare_part (&changes, "", json_get (before, "campaign"),
                  json_get (after, "campaign"));
    compare_part (&changes, "profiles", json_get (before, "site"),
                  json_get (after, "site"));
    compare_key (&changes, "store", before, after);
    compare_key (&changes, "reuse_from", before, after);
    if (changes.more > 0) {
        struct json *more = json_object ();

        json_set (more, "more", json_int (changes.more));
        json_push (changes.list, more);
    }
    return changes.list;
}

static bool is_longer (const struct json *text, size_t most)
{
    return text && strlen (json_as_string (text)) > most;
}

void config_change_text (const struct json *change, size_t most,
                         struct strbuf *out)
{
    const struct json *before = json_get (change, "old");
    const struct json *after = json_get (change, "new");

    strbuf_add_str (out, json_get_string (change, "key"));
    if (is_longer (before, most) || is_longer (after, most))
        strbuf_add_str (out, !before  ? " (new)"
                             : !after ? " (gone)"
                                      : " (changed)");
    else
        strbuf_addf (out, " %s -> %s",
                     before ? json_as_string (before) : "(not set)",
                     after ? json_as_string (after) : "(not set)");
}
