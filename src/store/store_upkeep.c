/* SPDX-License-Identifier: BSD-3-Clause */
/* store_upkeep.c - what there is, and what is referred to no more */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "store/store_private.h"
#include "store/store_upkeep.h"

/* Nothing is in the making for so many times what is kept. */
enum { MAKING_TIMES = 24 };

/* --- who refers to what --- */

static void add_reference (struct json *references, const char *document,
                           const char *text)
{
    struct json *by;

    if (!digest_is_hex (text))
        return;
    by = json_get (references, text);
    if (!by)
        json_set (references, text, by = json_array ());
    if (!json_array_has_string (by, document))
        json_push (by, json_string (document));
}

/* Every digest that 'v' has, wherever it stands. */
static void add_references (struct json *references, const char *document,
                            const struct json *v)
{
    if (json_kind (v) == JSON_KIND_STRING)
        add_reference (references, document, json_as_string (v));
    for (size_t i = 0; json_kind (v) == JSON_KIND_ARRAY && i < json_count (v);
         i++)
        add_references (references, document, json_at (v, i));
    JSON_FOREACH (v, it) {
        add_reference (references, document, json_iter_key (it));
        add_references (references, document, json_iter_value (it));
    }
}

static int read_documents (const struct store *store,
                           struct store_survey *survey, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec documents = STRVEC_INIT;
    struct error why = ERROR_INIT;
    int rc = store_documents (store, &documents, err);

    survey->references = json_object ();
    for (size_t i = 0; rc == 0 && i < documents.n; i++) {
        _cleanup_free_ char *path = store_document_path (store, documents.v[i]);
        _cleanup_json_ struct json *v = json_read_file (path, &why);

        if (!v && !error_is_absence (&why)) {
            rc = error_copy (err, &why);
            if (!error_is_machine_error (&why))
                error_prefix (err, "a document of the store is damaged; "
                                   "restore it, or remove it if you know what "
                                   "it was");
        }
        add_references (survey->references, documents.v[i], v);
        survey->documents += v != NULL;
    }
    return rc;
}

/* --- what there is --- */

/* What time it is where the files get theirs; where nothing can be written,
 * here.
 */
static double time_there (const struct store *store)
{
    _cleanup_free_ char *path = store_temporary (store, NULL);
    int fd = path ? file_open (path, O_WRONLY | O_CREAT | O_EXCL, 0666) : -1;
    double now_s = clock_wall_s ();
    struct stat st;

    if (fd >= 0 && fstat (fd, &st) == 0)
        now_s = (double)st.st_mtim.tv_sec;
    file_close (fd);
    if (fd >= 0)
        unlink (path);
    return now_s;
}

/* Is what was put or made last at this time to be kept?  1; 0; -1: it is not
 * there.
 */
static int is_young (const struct store_survey *survey, const char *path,
                     double kept_s)
{
    struct stat st;

    if (lstat (path, &st) < 0)
        return -1;
    return survey->now_s - (double)st.st_mtim.tv_sec < kept_s;
}

/* What went away meanwhile is not there. */
static int add_content (struct store_survey *survey, const char *path,
                        const struct content_name *name, double kept_s,
                        struct error *err)
{
    _cleanup_free_ char *content = content_in (path);
    const struct json *by = json_get (survey->references, name->hex);
    int young = is_young (survey, path, kept_s);
    struct content_shape shape = { .files = 0 };
    struct error why = ERROR_INIT;
    int rc = content_measure (content, &shape, &why);

    if (rc < 0 && !error_is_absence (&why))
        return error_copy (err, &why);
    if (young < 0)
        return 0;
    survey->v =
        grow_array (survey->v, survey->n, &survey->alloc, sizeof (*survey->v));
    survey->v[survey->n] = (struct store_content){
        .path = xstrdup (path),
        .kind = name->kind,
        .files = shape.files,
        .bytes = shape.bytes,
        .own_bytes = shape.own_bytes,
        .by = by,
        .kept = by || young,
    };
    memcpy (survey->v[survey->n++].hex, name->hex, sizeof (name->hex));
    return 0;
}

int store_survey_take (const struct store *store, double kept_s,
                       struct store_survey *survey, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc;

    *survey = (struct store_survey){ .now_s = time_there (store) };
    rc = read_documents (store, survey, err);
    if (rc == 0)
        rc = store_list_folder (store, STORE_CONTENTS, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *path =
            xasprintf ("%s/" STORE_CONTENTS "/%s", store->dir, names.v[i]);
        struct content_name name;

        if (content_parse (names.v[i], &name))
            rc = add_content (survey, path, &name, kept_s, err);
    }
    return rc;
}

void store_survey_release (struct store_survey *survey)
{
    for (size_t i = 0; i < survey->n; i++)
        free (survey->v[i].path);
    free (survey->v);
    json_unref (survey->references);
}

/* --- what is removed --- */

struct removing {
    const struct store *store;
    const struct store_survey *survey;
    double kept_s;
    bool dry_run;
    struct store_gc_counts *counts;
    struct strvec removed; /* what was moved to tmp/ */
};

/* Move it to tmp/.  Who asked for it after it was looked at has it back. */
static int take_away (struct removing *removing,
                      const struct store_content *content, struct error *err)
{
    _cleanup_free_ char *away = NULL;

    if (removing->dry_run)
        return 0;
    if (!(away = store_temporary (removing->store, err)))
        return -1;
    if (rename (content->path, away) < 0)
        return errno == ENOENT
                   ? 1
                   : error_errno (err, "cannot remove '%s'", content->path);
    if (is_young (removing->survey, away, removing->kept_s) > 0)
        return rename (away, content->path) < 0
                   ? error_errno (err, "cannot restore '%s'", content->path)
                   : 1;
    strvec_push (&removing->removed, away);
    return 0;
}

static int take_contents_away (struct removing *removing, struct error *err)
{
    _cleanup_free_ char *dir = path_join (removing->store->dir, STORE_CONTENTS);
    struct store_gc_counts *counts = removing->counts;
    int rc = 0;

    for (size_t i = 0; rc >= 0 && i < removing->survey->n; i++) {
        const struct store_content *content = &removing->survey->v[i];

        if (content->kept || (rc = take_away (removing, content, err)) != 0)
            continue;
        counts->files += content->kind == STORE_FILE;
        counts->trees += content->kind == STORE_TREE;
        counts->bytes += content->own_bytes;
    }
    if (rc >= 0 && removing->removed.n > 0 && file_sync_dir (dir, err) < 0)
        rc = -1;
    return rc < 0 ? -1 : 0;
}

/* All of tmp/ on which no program can be at work any more. */
static int find_left (struct removing *removing, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = store_list_folder (removing->store, STORE_TMP, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *path =
            xasprintf ("%s/" STORE_TMP "/%s", removing->store->dir, names.v[i]);

        if (!strvec_contains (&removing->removed, path)
            && is_young (removing->survey, path,
                         removing->kept_s * MAKING_TIMES)
                   == 0) {
            removing->counts->temporaries++;
            strvec_push (&removing->removed, path);
        }
    }
    return rc;
}

/* Unfinished files beside those that are written whole. */
static int remove_unfinished (const struct removing *removing,
                              struct error *err)
{
    _cleanup_ (strvec_release) struct strvec kinds = STRVEC_INIT;
    int rc = store_list_folder (removing->store, STORE_RECORDS, &kinds, err);

    file_remove_temporaries (removing->store->dir, removing->kept_s);
    for (size_t i = 0; rc == 0 && i < kinds.n; i++) {
        _cleanup_free_ char *dir = xasprintf ("%s/" STORE_RECORDS "/%s",
                                              removing->store->dir, kinds.v[i]);

        file_remove_temporaries (dir, removing->kept_s);
    }
    return rc;
}

static int remove_all (struct removing *removing, struct error *err)
{
    if (take_contents_away (removing, err) < 0 || find_left (removing, err) < 0)
        return -1;
    if (removing->dry_run)
        return 0;
    if (remove_unfinished (removing, err) < 0)
        return -1;
    for (size_t i = 0; i < removing->removed.n; i++) {
        if (file_remove_tree (removing->removed.v[i], NULL, err) < 0)
            return -1;
    }
    return 0;
}

int store_gc (const struct store *store, double kept_s, bool dry_run,
              struct store_gc_counts *counts, struct error *err)
{
    struct store_survey survey;
    struct removing removing = { store,   &survey, kept_s,
                                 dry_run, counts,  STRVEC_INIT };
    int rc = store_survey_take (store, kept_s, &survey, err);

    *counts = (struct store_gc_counts){ 0 };
    if (rc == 0)
        rc = remove_all (&removing, err);
    strvec_release (&removing.removed);
    store_survey_release (&survey);
    return rc;
}
