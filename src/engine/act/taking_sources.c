/* SPDX-License-Identifier: BSD-3-Clause */
/* taking_sources.c - the generations that results may be taken from */
#include "base/base.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/generation.h"
#include "engine/act/other_campaigns.h"
#include "engine/act/stage_description.h"
#include "engine/act/taking.h"
#include "engine/act/witness.h"
#include "engine/history/engine.h"
#include "engine/history/removal.h"
#include "engine/history/version_lines.h"
#include "signature/outputs.h"
#include "space/layout.h"

enum { OUTPUTS_MAX_BYTES = 1 << 30 };

/* --- one of them --- */

static void source_release (struct taking_source *source)
{
    free (source->dir);
    free (source->campaign);
    json_unref (source->witness);
    json_unref (source->manifest);
    json_unref (source->outputs);
    task_range_release (&source->ok);
    identity_index_release (&source->index);
}

void taking_release (struct taking *taking)
{
    for (size_t i = 0; i < taking->n; i++)
        source_release (&taking->sources[i]);
    free (taking->sources);
    task_range_release (&taking->ok);
    origins_release (&taking->origins);
    json_unref (taking->logs);
    *taking = (struct taking){ .whole = -1 };
}

static int look (const char *dir, struct stat *st)
{
    _cleanup_free_ char *file = path_join (dir, LAYOUT_STAGE_MANIFEST);

    return stat (file, st);
}

/* Our own was superseded, and goes nowhere. */
bool taking_source_stays (const struct taking_source *source)
{
    const struct stat *then = &source->seen;
    struct stat now;

    return !source->campaign
           || (look (source->dir, &now) == 0 && now.st_dev == then->st_dev
               && now.st_ino == then->st_ino && now.st_size == then->st_size
               && now.st_mtim.tv_sec == then->st_mtim.tv_sec
               && now.st_mtim.tv_nsec == then->st_mtim.tv_nsec
               && now.st_ctim.tv_sec == then->st_ctim.tv_sec
               && now.st_ctim.tv_nsec == then->st_ctim.tv_nsec);
}

/* What is unsteady is made again, and what may have been made otherwise in
 * another campaign.
 */
static bool is_fit (const struct taking *taking,
                    const struct taking_source *source)
{
    return source->campaign ? witness_is_equal (taking->description->witness,
                                                source->witness)
                            : !json_get (source->witness, "unsteady");
}

struct json *taking_origin (const struct taking_source *source, int32_t task)
{
    struct json *v;

    if (!source->campaign)
        return NULL;
    v = json_object ();
    json_set (v, "campaign", json_string (source->campaign));
    json_set (v, "stage", json_ref (json_get (source->manifest, "stage")));
    json_set (v, "iteration",
              json_ref (json_get (source->manifest, "iteration")));
    json_set (v, "task", json_int (task));
    return v;
}

/* What was edited is no result of a task. */
static bool is_as_written (const struct taking_source *source,
                           const struct strbuf *text)
{
    char hex[DIGEST_HEX_SIZE];

    digest_bytes (text->buf, text->len, hex);
    return !source->sha256 || strcmp (source->sha256, hex) == 0;
}

/* outputs.json.  1, 0: there is none that tells which tasks are ok, -1. */
static int outputs_read (struct taking_source *source, struct error *err)
{
    _cleanup_free_ char *file = path_join (source->dir, LAYOUT_OUTPUTS);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error why = ERROR_INIT;
    int rc = 0;

    if (file_read (file, OUTPUTS_MAX_BYTES, &text, &why) < 0)
        rc = error_is_machine_error (&why) && !error_is_absence (&why)
                 ? error_copy (err, &why)
                 : 0;
    else if (is_as_written (source, &text))
        source->outputs = json_parse (text.buf, text.len, file, NULL);
    if (source->outputs
        && task_range_parse (json_get_string (source->outputs, "ok"),
                             &source->ok, NULL)
               == 0)
        rc = 1;
    return rc;
}

/* Of artifacts there is a record beside each; where it is of another campaign
 * it counts while its task is ok: what came when the stage had ended there is
 * not what the witness was of.
 */
static int read_ok (const struct taking *taking, struct taking_source *source,
                    struct error *err)
{
    int rc = 1;

    if (!taking->artifacts || source->campaign)
        rc = outputs_read (source, err);
    if (taking->artifacts) {
        json_unref (source->outputs); /* may be large */
        source->outputs = NULL;
    }
    return rc;
}

/* Its manifest, and what outputs.json has to tell.  What is damaged or not
 * there is made again, and so is what is unsteady, or of a version that is not
 * asked for.  1, 0: nothing can be taken from it, -1.
 */
static int source_read (const struct taking *taking,
                        struct taking_source *source, struct error *err)
{
    _cleanup_free_ char *file = path_join (source->dir, LAYOUT_STAGE_MANIFEST);
    struct error why = ERROR_INIT;
    int rc = 0;

    if (source->campaign && look (source->dir, &source->seen) < 0)
        return 0;
    source->witness = witness_read (source->dir);
    if (!source->sha256 && json_get (source->witness, "outputs"))
        source->sha256 = json_get_string (source->witness, "outputs");
    if (is_fit (taking, source))
        source->manifest = json_read_file (file, &why);
    if (!source->manifest && error_is_machine_error (&why)
        && !error_is_absence (&why))
        rc = error_copy (err, &why);
    if (source->manifest
        && version_lines_allow (taking->stage->op->versions, source->manifest,
                                source->witness)
        && strcmp (json_get_string (source->manifest, "identity"),
                   taking->description->identity)
               == 0)
        rc = read_ok (taking, source, err);
    return rc;
}

/* Takes over what 'source' has.  One of another campaign that cannot be read is
 * passed over.
 */
static int add_source (struct taking *taking, struct taking_source source,
                       struct error *err)
{
    struct error why = ERROR_INIT;
    int rc = source_read (taking, &source, source.campaign ? NULL : err);

    if (rc > 0
        && identity_index_build (&source.index, source.dir, source.manifest,
                                 &taking->engine->heartbeat, &why)
               < 0) {
        rc = error_is_machine_error (&why) && !error_is_absence (&why)
                 ? error_copy (err, &why)
                 : 0;
    }
    if (rc > 0 && taking_source_stays (&source)) {
        taking->sources =
            grow_array (taking->sources, taking->n, &taking->alloc,
                        sizeof (*taking->sources));
        taking->sources[taking->n++] = source;
        return 0;
    }
    rc = source.campaign ? 0 : rc;
    source_release (&source);
    return rc;
}

/* --- the whole --- */

/* Are the two files the same, or neither there?  1, 0, -1. */
static int same_text (const char *a_dir, const char *b_dir, const char *name,
                      struct error *err)
{
    _cleanup_free_ char *a = path_join (a_dir, name);
    _cleanup_free_ char *b = path_join (b_dir, name);
    int there = file_look (a, err);
    int rc = there < 0 ? -1 : there == file_look (b, NULL);

    if (rc > 0 && there > 0)
        rc = file_compare (a, b, err);
    return rc;
}

/* Has `keep:` removed some of its outputs?  Raw files are none. */
static bool lacks_outputs (const struct taking_source *source)
{
    _cleanup_free_ char *path = path_join (source->dir, LAYOUT_REMOVED);
    bool lacks = file_exists (path);
    _cleanup_json_ struct json *file =
        lacks ? json_read_file (path, NULL) : NULL;

    if (file)
        lacks = false;
    JSON_FOREACH (json_get (file, "outputs"), it)
        lacks = lacks || !removal_is_of_raw (json_iter_value (it));
    return lacks;
}

static int goes_on (const struct taking *taking,
                    const struct taking_source *source, struct error *err)
{
    _cleanup_free_ char *jobs = path_join (source->dir, LAYOUT_JOBS);
    int rc = strcmp (json_get_string (source->manifest, "definition"),
                     taking->description->definition)
                         == 0
                     && !lacks_outputs (source)
                 ? file_look (jobs, err)
                 : 0;

    return rc > 0 ? same_text (taking->making, source->dir, LAYOUT_SLICES, err)
                  : rc;
}

/* Has it something of each of its tasks?  1, 0, -1. */
static int is_complete (const struct taking_source *source, struct error *err)
{
    _cleanup_free_ char *jobs = path_join (source->dir, LAYOUT_JOBS);
    int32_t tasks = (int32_t)json_get_int (source->manifest, "tasks");
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct error why = ERROR_INIT;
    int rc = file_list_dir (jobs, &names, &why);
    int32_t n = 0;

    if (rc < 0)
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    for (size_t i = 0; i < names.n; i++)
        n += !strchr (names.v[i], '.'); /* of what was set aside */
    return rc < 0 ? -1 : n >= tasks;
}

/* The newest that goes on and has all; else, if no other one could have what it
 * lacks, that one: it is moved as it is, and what another has would run again.
 */
static int find_whole (struct taking *taking, bool others, struct error *err)
{
    int rc = 0;

    taking->whole = -1;
    for (size_t i = 0;
         taking->artifacts && taking->whole < 0 && rc >= 0 && i < taking->n;
         i++) {
        rc = goes_on (taking, &taking->sources[i], err);
        if (rc > 0 && (taking->n > 1 || others))
            rc = is_complete (&taking->sources[i], err);
        if (rc > 0)
            taking->whole = (int)i;
    }
    return rc < 0 ? -1 : 0;
}

/* Those of this campaign. */
static int add_superseded (struct taking *taking, struct error *err)
{
    const struct stage_manifest *manifest = &taking->description->manifest;
    const struct json *superseded = taking->engine->state.superseded;
    const char *name = stage_manifest_first_name (manifest);
    size_t i = json_count (superseded);
    int rc = 0;

    while (rc == 0 && i-- > 0) {
        const struct json *one = json_at (superseded, i);
        const struct json *outputs = json_get (one, "outputs");

        if (strcmp (json_get_string (one, "stage"), name) == 0
            && json_get_int (one, "iteration") == manifest->place.iteration)
            rc = add_source (
                taking,
                (struct taking_source){
                    .dir = generation_replaced_dir (
                        taking->engine, (int)json_get_int (one, "generation")),
                    .sha256 = outputs ? json_as_string (outputs) : NULL },
                err);
    }
    return rc;
}

static void add_others (struct taking *taking)
{
    const struct stage_place *place = &taking->description->manifest.place;
    _cleanup_ (
        other_generations_release) struct other_generations found = { 0 };

    other_generations_find (taking->engine, place->code, &found);
    for (size_t i = 0; i < found.n; i++)
        (void)add_source (
            taking,
            (struct taking_source){ .dir = xstrdup (found.v[i].dir),
                                    .campaign = xstrdup (found.v[i].campaign) },
            NULL);
}

int taking_begin (struct taking *taking, struct engine *engine,
                  const struct stage *stage,
                  const struct stage_description *description,
                  const char *making, struct error *err)
{
    bool others;

    *taking = (struct taking){ .engine = engine,
                               .stage = stage,
                               .description = description,
                               .making = making,
                               .artifacts =
                                   outputs_have_artifacts (stage->op->outputs),
                               .whole = -1 };
    others = (engine->plan->reuse_from.n > 0 || engine->state.reuse_from)
             && others_are_wanted (engine, stage,
                                   description->manifest.place.iteration, -1);
    if (add_superseded (taking, err) < 0
        || find_whole (taking, others, err) < 0)
        return -1;
    if (taking->whole < 0 && others)
        add_others (taking);
    return 0;
}
