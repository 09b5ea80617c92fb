/* SPDX-License-Identifier: BSD-3-Clause */
/* witness.c - what was seen of a stage, besides what its identity says */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "campaign/listed_files.h"
#include "campaign/plan.h"
#include "engine/act/generation.h"
#include "engine/act/identity.h"
#include "engine/act/witness.h"
#include "engine/history/engine.h"
#include "handover/stage_manifest.h"
#include "signature/container.h"
#include "signature/programs.h"
#include "signature/template.h"
#include "space/layout.h"

/* --- before --- */

/* "docker://x@sha256:HEX" says it; what a tag or a directory holds may be
 * another thing tomorrow.
 */
static struct json *image_digest (struct contents *contents, const char *image,
                                  struct error *err)
{
    static const char by_digest[] = "@sha256:";
    const char *at = strstr (image, by_digest);
    struct json *sha256 = NULL;
    struct stat st;
    _cleanup_free_ char *path = NULL;

    if (image_is_remote (image))
        return at ? json_string (at + strlen (by_digest)) : json_null ();
    path = image_path (image, contents->dir);
    if (stat (path, &st) < 0 || !S_ISREG (st.st_mode))
        sha256 = json_null ();
    else
        sha256 = json_ref (contents_of_path (contents, image, err));
    return sha256;
}

static int set_image (struct contents *contents, const char *image,
                      struct json *witness, struct error *err)
{
    struct json *sha256, *v;

    if (!image)
        return 0;
    if (!(sha256 = image_digest (contents, image, err)))
        return error_prefix (err, "image");
    v = json_object ();
    json_set (v, "name", json_string (image));
    json_set (v, "sha256", sha256);
    json_set (witness, "image", v);
    return 0;
}

static void push_env (struct json *list, const char *const *env)
{
    for (; env && *env; env++)
        json_push (list, json_string (*env));
}

struct json *witness_before (struct contents *contents,
                             const struct stage *stage,
                             const struct stage_manifest *manifest,
                             struct error *err)
{
    struct json *v = json_object (), *env = json_array ();
    struct json *files = identity_files (contents, stage->op, manifest, err);

    push_env (env, stage->profile->env);
    push_env (env, manifest->env);
    json_set (v, "setup", argvs_to_json (stage->profile->setup));
    json_set (v, "env", env);
    json_set (v, "files", files ? files : json_null ());
    if (files && set_image (contents, manifest->image, v, err) == 0)
        return v;
    json_unref (v);
    return NULL;
}

/* --- after --- */

static int compare_file (struct engine *engine, struct contents *contents,
                         const char *path, const char *then,
                         struct strbuf *unsteady, struct error *err)
{
    char *full = path_join (engine->dir, path);
    struct error why = ERROR_INIT;
    char now[DIGEST_HEX_SIZE];
    int rc = contents_digest (contents, full, now, &why);

    free (full);
    if (rc < 0 && error_is_machine_error (&why))
        return error_copy (err, &why);
    if (rc == 0 && strcmp (now, then) == 0)
        return 0;
    strbuf_add_str (unsteady, unsteady->len > 0 ? "; " : "");
    if (rc < 0)
        strbuf_addf (unsteady, "'%s' was removed while it ran", path);
    else
        strbuf_addf (unsteady,
                     "'%s' changed while it ran: its sha256 is %s, and was %s",
                     path, now, then);
    return 0;
}

int witness_compare (struct engine *engine, const struct json *manifest,
                     const struct json *before, struct strbuf *unsteady,
                     struct error *err)
{
    struct contents contents;
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    int rc = 0;

    contents_init (&contents, engine->dir, engine->outputs, false,
                   &engine->heartbeat);
    JSON_FOREACH (json_get (before, "files"), it) {
        strbuf_reset (&path);
        programs_run_from (manifest, json_iter_key (it), &path);
        if (rc == 0)
            rc = compare_file (engine, &contents, path.buf,
                               json_as_string (json_iter_value (it)), unsteady,
                               err);
    }
    contents_release (&contents);
    return rc;
}

/* What is there now, and what was. */
static void list_now (const struct engine *engine, const struct json *manifest,
                      struct strvec *now)
{
    const char *copy = json_get_string (manifest, "programs");
    const struct json *items = json_get (manifest, "files");

    if (*copy)
        (void)listed_files (engine->dir, copy, now, NULL);
    /* One that stands for nothing now: what it stood for was removed. */
    for (size_t i = 0; !*copy && i < json_count (items); i++)
        (void)listed_files (engine->dir, json_as_string (json_at (items, i)),
                            now, NULL);
}

static void list_before (const struct json *manifest, struct strvec *before)
{
    const struct json *files =
        json_get (json_get (manifest, "witness"), "files");

    JSON_FOREACH (files, it) {
        _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

        programs_run_from (manifest, json_iter_key (it), &path);
        strvec_push (before, path.buf);
    }
}

void witness_compare_added (const struct engine *engine,
                            const struct json *manifest,
                            struct strbuf *unsteady)
{
    _cleanup_ (strvec_release) struct strvec now = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec before = STRVEC_INIT;

    list_now (engine, manifest, &now);
    list_before (manifest, &before);
    for (size_t i = 0; i < now.n; i++) {
        if (!strvec_contains (&before, now.v[i]))
            strbuf_addf (unsteady, "%s'%s' was added while it ran",
                         unsteady->len > 0 ? "; " : "", now.v[i]);
    }
}

struct json *witness_inputs (const char *dir, const struct json *witness)
{
    _cleanup_free_ char *path = path_join (dir, LAYOUT_ORIGINS);
    _cleanup_json_ struct json *origins = json_read_file (path, NULL);
    struct json *v = json_object (), *files = json_object ();

    JSON_FOREACH (json_get (origins, "files"), it) {
        const struct json *file = json_iter_value (it);

        if (!json_get (file, "from")
            && !json_get (json_get (witness, "files"), json_iter_key (it)))
            json_set (files, json_iter_key (it),
                      json_ref (json_get (file, "sha256")));
    }
    json_set (v, "files", files);
    return v;
}

int witness_write (struct engine *engine, const struct stage_place *place,
                   const struct json *before, const char *outputs,
                   const char *unsteady, const struct json *versions,
                   struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_json_ struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    JSON_FOREACH (before, it)
        json_set (v, json_iter_key (it), json_ref (json_iter_value (it)));
    if (outputs[0])
        json_set (v, "outputs", json_string (outputs));
    if (unsteady[0])
        json_set (v, "unsteady", json_string (unsteady));
    if (json_count (versions) > 0)
        json_set (v, "versions", json_deep_copy (versions));
    json_dump (v, JSON_PRETTY, &text);
    return generation_write (engine, place, LAYOUT_WITNESS, &text, err);
}

/* --- later --- */

struct json *witness_read (const char *dir)
{
    _cleanup_free_ char *path = path_join (dir, LAYOUT_WITNESS);
    struct json *file = json_read_file (path, NULL);

    return file;
}

static bool is_same (const struct json *a, const struct json *b)
{
    return !json_is_null (a) && !json_is_null (b) && json_equal (a, b);
}

/* None, or the same one of which is known what it holds. */
static bool is_same_image (const struct json *a, const struct json *b)
{
    return (!a && !b)
           || (is_same (a, b) && !json_is_null (json_get (a, "sha256")));
}

bool witness_is_equal (const struct json *before, const struct json *theirs)
{
    static const char *const keys[] = { "files", "setup", "env" };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        if (!is_same (json_get (before, keys[i]), json_get (theirs, keys[i])))
            return false;
    }
    return is_same_image (json_get (before, "image"),
                          json_get (theirs, "image"))
           && !json_get (theirs, "unsteady");
}
