/* SPDX-License-Identifier: BSD-3-Clause */
/* programs_copy.c - the copy that an operator with `programs:` runs from */
#include "base/base.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "campaign/listed_files.h"
#include "campaign/programs_file.h"
#include "engine/act/contents.h"
#include "engine/act/programs_copy.h"
#include "engine/history/engine.h"
#include "handover/stage_manifest.h"
#include "signature/operator.h"
#include "signature/programs.h"
#include "space/layout.h"
#include "space/lease.h"

struct copying {
    struct engine *engine;
    struct contents *contents;
    struct strvec paths;  /* of its files, as seen from the campaign */
    struct strbuf where;  /* relative to the campaign */
    struct json *sha256;  /* {PLACE: SHA256} of these */
    struct json *started; /* {PLACE: true} of those that can be */
};

static void copying_release (struct copying *c)
{
    strvec_release (&c->paths);
    strbuf_release (&c->where);
    json_unref (c->sha256);
    json_unref (c->started);
}

/* --- what it is to hold --- */

static int look_at (struct copying *c, const char *path, struct error *err)
{
    struct json *sha256 = contents_of_path (c->contents, path, err);
    const char *place = programs_place (path);
    _cleanup_free_ char *full = NULL;

    if (!sha256)
        return -1;
    full = path_join (c->engine->dir, path);
    json_set (c->sha256, place, json_ref (sha256));
    if (access (full, X_OK) == 0)
        json_set (c->started, place, json_bool (true));
    return 0;
}

/* One for each content; a program that cannot be started is another one. */
static void name_copy (struct copying *c)
{
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];

    json_set (v, "files", json_ref (c->sha256));
    json_set (v, "started", json_ref (c->started));
    json_dump (v, JSON_COMPACT, &text);
    digest_bytes (text.buf, text.len, hex);
    layout_programs (hex, &c->where);
}

static int describe (struct copying *c, const struct operator_spec *op,
                     struct error *err)
{
    int64_t bytes;

    if (programs_list (c->engine->dir, op->files, &c->paths, &bytes, err) < 0)
        return -1;
    for (size_t i = 0; i < c->paths.n; i++) {
        engine_heartbeat (c->engine);
        if (look_at (c, c->paths.v[i], err) < 0)
            return -1;
    }
    name_copy (c);
    return 0;
}

/* --- one that is there --- */

static int say_damaged (const struct copying *c, const char *what,
                        struct error *err)
{
    return error_set (err,
                      "the copy of the operator's programs is damaged: '%s' "
                      "is not what was copied; when nothing runs from it, "
                      "remove '%s', then run fanfold retry",
                      what, c->where.buf);
}

/* Modes stop neither root nor its tasks. */
static int compare_file (const struct copying *c, const char *path,
                         struct error *err)
{
    const char *place = programs_place (path);
    _cleanup_free_ char *relative = path_join (c->where.buf, place);
    _cleanup_free_ char *full = path_join (c->engine->dir, relative);
    char hex[DIGEST_HEX_SIZE];

    if (!file_exists (full)
        || contents_digest (c->contents, full, hex, NULL) < 0
        || strcmp (hex, json_get_string (c->sha256, place)) != 0)
        return say_damaged (c, relative, err);
    return 0;
}

/* One that nobody put there could be imported in the place of another. */
static int refuse_others (const struct copying *c, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    size_t len = c->where.len + 1;

    if (listed_files (c->engine->dir, c->where.buf, &found, err) < 0)
        return -1;
    for (size_t i = 0; i < found.n; i++) {
        if (!json_get (c->sha256, found.v[i] + len))
            return say_damaged (c, found.v[i], err);
    }
    return 0;
}

static int compare (const struct copying *c, struct error *err)
{
    for (size_t i = 0; i < c->paths.n; i++) {
        engine_heartbeat (c->engine);
        if (compare_file (c, c->paths.v[i], err) < 0)
            return -1;
    }
    return refuse_others (c, err);
}

/* --- one that is made --- */

static int put_file (const struct copying *c, const char *aside,
                     const char *path, struct error *err)
{
    const char *place = programs_place (path);
    _cleanup_free_ char *from = path_join (c->engine->dir, path);
    _cleanup_free_ char *to = path_join (aside, place);
    _cleanup_ (strbuf_release) struct strbuf bytes = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];

    if (file_read (from, (size_t)PROGRAMS_BYTES_MAX, &bytes, err) < 0)
        return -1;
    digest_bytes (bytes.buf, bytes.len, hex);
    if (strcmp (hex, json_get_string (c->sha256, place)) != 0)
        return error_set (err,
                          "'%s' was edited while it was copied; run fanfold "
                          "retry when the editing has ended",
                          path);
    if (file_make_parent (to, err) < 0
        || file_create_sealed (to, bytes.buf, bytes.len, err) < 0)
        return -1;
    return json_get (c->started, place) && chmod (to, 0555) < 0
               ? error_errno (err, "cannot make '%s' executable", to)
               : 0;
}

static int put_all (const struct copying *c, const char *aside,
                    struct error *err)
{
    if (file_remove_tree (aside, &c->engine->heartbeat, err) < 0
        || file_make_lasting_dirs (aside, err) < 0)
        return -1;
    for (size_t i = 0; i < c->paths.n; i++) {
        engine_heartbeat (c->engine);
        if (put_file (c, aside, c->paths.v[i], err) < 0)
            return -1;
    }
    return file_seal_tree (aside, &c->engine->heartbeat, err);
}

/* A driver that was replaced may have made it meanwhile. */
static int let_appear (const struct copying *c, const char *aside,
                       const char *to, struct error *err)
{
    struct error why = ERROR_INIT;

    if (file_make_lasting_parent (to, err) < 0
        || lease_check (c->engine->lease, err) < 0)
        return -1;
    point_reached ("programs.checked");
    if (file_rename (aside, to, &why) == 0)
        return 0;
    return file_exists (to) ? compare (c, err) : error_copy (err, &why);
}

/* Beside the generation that is made, where it goes if this driver is killed.
 */
static int make (const struct copying *c, const char *to, struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    _cleanup_free_ char *aside = NULL;

    layout_making_dir (c->engine->state.generation, &relative);
    strbuf_add_str (&relative, ".programs");
    aside = engine_path (c->engine, &relative);
    return put_all (c, aside, err) < 0 ? -1 : let_appear (c, aside, to, err);
}

/* --- both --- */

/* For who looks behind a result (commands/lineage.h). */
static void note (const struct copying *c)
{
    for (size_t i = 0; i < c->paths.n; i++) {
        const char *path = c->paths.v[i], *place = programs_place (path);
        _cleanup_free_ char *copy = path_join (c->where.buf, place);

        json_set (c->contents->sha256, copy,
                  json_ref (json_get (c->sha256, place)));
        json_set (c->contents->copied, copy, json_string (path));
    }
}

int programs_copy (struct engine *engine, struct contents *contents,
                   const struct operator_spec *op, struct strbuf *where,
                   struct error *err)
{
    _cleanup_ (copying_release) struct copying c = { .engine = engine,
                                                     .contents = contents,
                                                     .paths = STRVEC_INIT,
                                                     .where = STRBUF_INIT,
                                                     .sha256 = json_object (),
                                                     .started =
                                                         json_object () };
    _cleanup_free_ char *to = NULL;
    int rc = describe (&c, op, err);

    if (rc == 0) {
        to = path_join (engine->dir, c.where.buf);
        rc = file_look (to, err);
        rc = rc > 0 ? compare (&c, err) : rc == 0 ? make (&c, to, err) : rc;
    }
    if (rc == 0) {
        note (&c);
        strbuf_add_str (where, c.where.buf);
    }
    return rc;
}

/* --- which files --- */

struct json *programs_in_place (const struct stage_manifest *manifest,
                                const struct json *files)
{
    struct json *v = json_object ();

    JSON_FOREACH (files, it) {
        const char *path = json_iter_key (it);

        if (!manifest->programs || !programs_hold (manifest->files, path))
            json_set (v, path, json_ref (json_iter_value (it)));
    }
    return v;
}
