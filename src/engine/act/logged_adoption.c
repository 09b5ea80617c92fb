/* SPDX-License-Identifier: BSD-3-Clause */
/* logged_adoption.c - adoption of tasks that are in logs alone */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "engine/act/adoption.h"
#include "engine/act/logged_adoption.h"
#include "engine/act/reuse.h"
#include "engine/history/engine.h"
#include "handover/element_logs.h"
#include "handover/slice_file.h"
#include "handover/stage_manifest.h"
#include "space/layout.h"
#include "space/lease.h"
#include "space/record_log.h"

enum { BATCH = 1024, LOG_MAX_BYTES = 1 << 30 };

struct search {
    struct adoption *adoption;
    const char *run_dir;
    const char *identity;
    int32_t tasks;
    struct task_range same; /* as they were in the replaced directory at hand,
                               and not adopted yet */
    struct file_writer log;
    struct strbuf line;
    int64_t bytes;
};

/* --- tasks that are as they were --- */

static int compare (struct search *search, const char *old_dir,
                    const struct task_range *batch, struct error *err)
{
    struct json *now[BATCH] = { 0 }, *then[BATCH] = { 0 };
    size_t n = task_range_count (batch);
    int32_t task = -1;
    int rc = slice_file_read (search->run_dir, batch, now, err);

    if (rc == 0)
        rc = slice_file_read (old_dir, batch, then, err);
    for (size_t i = 0; i < n; i++) {
        const char *a = slice_identity (now[i], NULL);
        const char *b = slice_identity (then[i], NULL);

        task = task_range_next (batch, task);
        if (rc == 0 && a && b && strcmp (a, b) == 0)
            task_range_add (&search->same, task);
        json_unref (now[i]);
        json_unref (then[i]);
    }
    return rc;
}

static int compare_slices (struct search *search, const char *old_dir,
                           int32_t tasks, struct error *err)
{
    int rc = 0;

    for (int32_t first = 0; rc == 0 && first < tasks; first += BATCH) {
        struct task_range batch = TASK_RANGE_INIT;

        engine_heartbeat (search->adoption->engine);
        for (int32_t t = first; t < tasks && t < first + BATCH; t++) {
            if (!task_range_contains (&search->adoption->ok, t))
                task_range_add (&batch, t);
        }
        rc = compare (search, old_dir, &batch, err);
        task_range_release (&batch);
    }
    return rc;
}

/* Into search->same, by what stage.json and slices.jsonl in 'old_dir' say. */
static int find_same (struct search *search, const char *old_dir,
                      struct error *err)
{
    char *path = path_join (old_dir, LAYOUT_STAGE_MANIFEST);
    struct json *manifest = json_read_file (path, err);
    const char *identity = json_get_string (manifest, "identity");
    bool sliced = json_as_bool (json_get (manifest, "sliced"));
    int64_t tasks = json_as_int (json_get (manifest, "tasks"));
    int rc = manifest ? 0 : -1;

    free (path);
    if (rc == 0 && search->identity) {
        if (!sliced && strcmp (identity, search->identity) == 0
            && !task_range_contains (&search->adoption->ok, 0))
            task_range_add (&search->same, 0);
    } else if (rc == 0 && sliced && tasks > 0) {
        rc = compare_slices (
            search, old_dir,
            tasks < search->tasks ? (int32_t)tasks : search->tasks, err);
    }
    json_unref (manifest);
    return rc;
}

/* --- their ends --- */

static int put_record (const struct json *record, void *arg, struct error *err)
{
    struct search *search = arg;

    strbuf_reset (&search->line);
    record_format (record, &search->line);
    search->bytes += (int64_t)search->line.len;
    return file_writer_add (&search->log, search->line.buf, search->line.len,
                            err);
}

/* The first one of a task counts; what it printed is not here. */
static int take_end (const struct result_event *event, void *arg,
                     struct error *err)
{
    struct search *search = arg;
    struct json *record;
    int rc;

    if (event->kind != RESULT_END || event->outcome != OUTCOME_OK
        || !task_range_contains (&search->same, event->task))
        return 0;
    record = json_deep_copy (event->record);
    json_delete (record, "x");
    json_delete (record, "printed");
    rc = put_record (record, search, err);
    task_range_remove (&search->same, event->task);
    task_range_add (&search->adoption->ok, event->task);
    origins_add (&search->adoption->origins, json_get (record, "reused"),
                 event->task);
    json_unref (record);
    return rc;
}

/* All logs of the element that names[*at] is one of, in their order. */
static int take_element (struct search *search, const char *dir,
                         const struct strvec *names, size_t *at,
                         struct error *err)
{
    struct element_logs logs = ELEMENT_LOGS_INIT;
    int64_t element = result_log_element (names->v[*at], NULL), n;
    size_t end = *at;
    int rc = 0;

    while (end < names->n && result_log_element (names->v[end], &n) == element)
        end++;
    for (n = 0; rc == 0 && n < (int64_t)(end - *at); n++)
        rc = element_logs_add (&logs, dir, element, n, 0, err);
    if (rc == 0)
        rc = element_logs_limit (&logs, err);
    for (size_t i = 0; rc == 0 && i < logs.n; i++)
        rc = element_log_scan (&logs.v[i], take_end, search, err);
    element_logs_release (&logs);
    *at = end;
    return rc;
}

static int take_chunk (struct search *search, const char *dir,
                       struct error *err)
{
    struct strvec all = STRVEC_INIT, logs = STRVEC_INIT;
    int rc = file_list_dir (dir, &all, err);

    for (size_t i = 0; rc == 0 && i < all.n; i++) {
        if (result_log_element (all.v[i], NULL) >= 0)
            strvec_push (&logs, all.v[i]);
    }
    strvec_sort (&logs); /* those of an element are together */
    for (size_t i = 0; rc == 0 && i < logs.n;) {
        engine_heartbeat (search->adoption->engine);
        rc = take_element (search, dir, &logs, &i, err);
    }
    strvec_release (&all);
    strvec_release (&logs);
    return rc;
}

/* Directories with numbers, 'depth' levels down: attempts, chunks. */
static int take_numbered (struct search *search, const char *dir, int depth,
                          struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = 0;

    if (depth == 0)
        return take_chunk (search, dir, err);
    rc = file_list_dir (dir, &names, err);
    strvec_sort (&names);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *below = path_join (dir, names.v[i]);

        if (strspn (names.v[i], "0123456789") == strlen (names.v[i]))
            rc = take_numbered (search, below, depth - 1, err);
        free (below);
    }
    strvec_release (&names);
    return rc;
}

/* What was adopted there. */
static int take_adopted (struct search *search, const char *dir,
                         struct error *err)
{
    char *path = path_join (dir, LAYOUT_ADOPTED);
    struct strbuf text = STRBUF_INIT;
    uint64_t accepted;
    int rc = file_look (path, err);

    if (rc > 0)
        rc = file_read (path, LOG_MAX_BYTES, &text, err);
    if (rc == 0 && text.len > 0)
        rc = result_log_scan (text.buf, text.len, path, take_end, search,
                              &accepted, err);
    strbuf_release (&text);
    free (path);
    return rc;
}

/* --- the replaced directories --- */

static int take_all (struct search *search, const char *dir, struct error *err)
{
    if (find_same (search, dir, err) < 0)
        return -1;
    if (search->same.n_spans == 0)
        return 0;
    return take_adopted (search, dir, err) < 0
                   || take_numbered (search, dir, 2, err) < 0
               ? -1
               : 0;
}

/* Of those replaced as number 'n' under that name.  What is damaged or not
 * there is run again.
 */
static int look_below (struct search *search, int n, const char *name,
                       struct error *err)
{
    const int iteration = search->adoption->place.iteration;
    struct strbuf path = STRBUF_INIT;
    struct error why = ERROR_INIT;
    bool is_unsteady;
    char *dir;
    int rc;

    layout_replaced_dir (n, &path);
    dir = engine_path (search->adoption->engine, &path);
    is_unsteady = adoption_is_unsteady (search->adoption, dir, name);
    free (dir);
    if (is_unsteady)
        return 0;
    layout_replaced_dir (n, &path);
    strbuf_add_char (&path, '/');
    layout_run_stage (name, iteration, &path);
    dir = engine_path (search->adoption->engine, &path);
    rc = file_look (dir, err);
    if (rc > 0 && take_all (search, dir, &why) < 0)
        rc = error_is_machine_error (&why) && !error_is_absence (&why)
                 ? error_copy (err, &why)
                 : 0;
    task_range_release (&search->same);
    free (dir);
    return rc < 0 ? -1 : 0;
}

static int look_at (struct search *search, int n, struct error *err)
{
    const struct strvec *names = &search->adoption->names;
    int rc = look_below (search, n, search->adoption->place.stage, err);

    for (size_t i = 0; rc == 0 && i < names->n; i++)
        rc = look_below (search, n, names->v[i], err);
    return rc;
}

static int commit (struct search *search, struct json **logs, struct error *err)
{
    struct engine *engine = search->adoption->engine;
    char *path = path_join (search->run_dir, LAYOUT_ADOPTED);
    char hex[DIGEST_HEX_SIZE];
    struct json *log;
    int rc = -1;

    if (lease_check (engine->lease, err) < 0)
        goto done;
    if (search->bytes == 0) { /* one of an earlier preparation */
        rc = file_remove_tree (path, &engine->heartbeat, err);
        goto done;
    }
    if (file_writer_commit (&search->log, err) < 0
        || digest_tree (path, hex, NULL, &engine->heartbeat, err) < 0)
        goto done;
    log = json_object ();
    json_set (log, "bytes", json_int (search->bytes));
    json_set (log, "sha256", json_string (hex));
    *logs = json_object ();
    json_set (*logs, LAYOUT_ADOPTED, log);
    rc = 0;
done:
    free (path);
    return rc;
}

int logged_adoption (struct adoption *adoption, const char *run_dir,
                     const char *identity, int32_t tasks, struct reuse *reuse,
                     struct json **logs, struct error *err)
{
    struct search search = { .adoption = adoption,
                             .run_dir = run_dir,
                             .identity = identity,
                             .tasks = tasks,
                             .same = TASK_RANGE_INIT,
                             .log = FILE_WRITER_INIT,
                             .line = STRBUF_INIT };
    char *path;
    int rc;

    *logs = NULL;
    if (adoption->newest <= adoption->after && !reuse)
        return 0;
    path = path_join (run_dir, LAYOUT_ADOPTED);
    rc = file_writer_open (&search.log, path, err);
    for (int n = adoption->newest; rc == 0 && n > adoption->after; n--)
        rc = look_at (&search, n, err);
    if (rc == 0 && reuse)
        rc = reuse_take_params (reuse, &adoption->ok, &adoption->origins,
                                put_record, &search, err);
    if (rc == 0)
        rc = commit (&search, logs, err);
    file_writer_release (&search.log);
    strbuf_release (&search.line);
    free (path);
    return rc;
}
