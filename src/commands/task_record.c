/* SPDX-License-Identifier: BSD-3-Clause */
/* task_record.c - what the agents' logs tell of a task's tries */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/task_record.h"
#include "engine/history/engine.h"
#include "handover/stage_manifest.h"
#include "handover/job_manifest.h"

void task_record_release (struct task_record *record)
{
    free (record->chunk);
    free (record->kept);
    json_unref (record->claim);
    json_unref (record->start);
    json_unref (record->end);
    *record = (struct task_record)TASK_RECORD_INIT;
}

/* --- the log of one claim --- */

struct looking {
    int task;
    struct task_record *record;
};

static void keep (struct json **kept, const struct result_event *event)
{
    json_unref (*kept);
    *kept = json_deep_copy (event->record);
}

static int take_event (const struct result_event *event, void *arg,
                       struct error *err)
{
    struct looking *looking = arg;
    struct task_record *record = looking->record;

    (void)err;
    if (event->kind == RESULT_CLAIM)
        keep (&record->claim, event);
    if (event->task != looking->task)
        return 0;
    if (event->kind == RESULT_START)
        keep (&record->start, event);
    if (event->kind == RESULT_END)
        keep (&record->end, event);
    if (event->kind == RESULT_END || event->kind == RESULT_MACHINE_ERROR)
        record->ended = true;
    if (event->kind == RESULT_END && event->printed) {
        record->printed = true;
        record->at = event->printed_at;
        record->bytes = event->printed_bytes;
    }
    return 0;
}

/* Keep the try that is in the log, if there is one and it is asked for. */
static int find_in_log (const char *chunk, int64_t element, int64_t n, int task,
                        int try_number, struct task_record *record,
                        struct error *err)
{
    _cleanup_ (task_record_release) struct task_record found = TASK_RECORD_INIT;
    struct looking looking = { task, &found };
    _cleanup_free_ char *path =
        xasprintf ("%s/" LAYOUT_RESULTS, chunk, element, n);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    uint64_t accepted;
    int tries = record->tries;
    int rc = file_read (path, 1 << 30, &text, err);

    if (rc == 0)
        rc = result_log_scan (text.buf, text.len, path, take_event, &looking,
                              &accepted, err);
    if (rc == 0 && found.start)
        tries++;
    if (rc == 0 && found.start && (try_number == 0 || try_number == tries)) {
        found.chunk = xstrdup (chunk);
        found.element = element;
        found.n = n;
        found.try_number = tries;
        task_record_release (record);
        *record = found;
        found = (struct task_record)TASK_RECORD_INIT;
    }
    record->tries = tries;
    return rc;
}

/* --- attempts, chunks and claims in order --- */

static int64_t newest_claim (const char *chunk, int64_t element)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int64_t newest = -1;

    file_list_dir (chunk, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        int64_t n;

        if (result_log_element (names.v[i], &n) == element && n > newest)
            newest = n;
    }
    return newest;
}

static int find_in_chunk (const char *dir, int task, int try_number,
                          struct task_record *record, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, LAYOUT_JOB_MANIFEST);
    _cleanup_ (job_manifest_release) struct job_manifest job = { .elements =
                                                                     0 };
    int64_t element = -1, newest;
    _cleanup_json_ struct json *v = NULL;
    int rc = file_look (path, err); /* 0: it is about to be written */

    if (rc > 0)
        rc = (v = json_read_file (path, err)) ? 0 : -1;
    if (v && (rc = job_manifest_from_json (v, &job, err)) < 0)
        error_prefix (err, "%s", path);
    if (v && rc == 0)
        element = packing_element_of (&job.tasks, job.elements, task);
    newest = element < 0 ? -1 : newest_claim (dir, element);
    for (int64_t n = 0; rc == 0 && n <= newest; n++)
        rc = find_in_log (dir, element, n, task, try_number, record, err);
    return rc;
}

/* Append the directories below 'dir' with numbers for names. */
static void list_numbered (const char *dir, struct strvec *paths)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        if (names.v[i][strspn (names.v[i], "0123456789")] == '\0')
            strvec_pushf (paths, "%s/%s", dir, names.v[i]);
    }
}

/* 'task_dir' is relative; NULL: there is none. */
static int find (const char *campaign_dir, int generation, const char *task_dir,
                 int task, int try_number, struct task_record *record,
                 struct error *err)
{
    _cleanup_ (strvec_release) struct strvec attempts = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec chunks = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf run = STRBUF_INIT;
    _cleanup_free_ char *dir = NULL;
    int rc = 0;

    layout_run (generation, &run);
    dir = path_join (campaign_dir, run.buf);
    list_numbered (dir, &attempts);
    for (size_t i = 0; i < attempts.n; i++)
        list_numbered (attempts.v[i], &chunks);
    for (size_t i = 0; rc == 0 && i < chunks.n; i++)
        rc = find_in_chunk (chunks.v[i], task, try_number, record, err);
    free (record->kept);
    record->kept =
        task_dir ? xasprintf ("%s/%s/" LAYOUT_TASK_LOG, campaign_dir, task_dir)
                 : NULL;
    return rc;
}

int task_record_find (const struct engine *engine, int iteration,
                      const char *stage, int task, int try_number,
                      struct task_record *record, struct error *err)
{
    const struct stage_state *state =
        state_stage (&engine->state, iteration, stage);
    _cleanup_free_ char *task_dir =
        state_task_dir (&engine->state, iteration, stage, task);

    return find (engine->dir, state ? state->generation : 0, task_dir, task,
                 try_number, record, err);
}

int task_record_find_at (const char *campaign_dir,
                         const struct stage_place *place, int task,
                         struct task_record *record, struct error *err)
{
    int generation = place->generation > 0
                         ? place->generation
                         : stage_manifest_generation (campaign_dir, place);
    _cleanup_ (strbuf_release) struct strbuf task_dir = STRBUF_INIT;

    layout_task_dir (place, task, &task_dir);
    return find (campaign_dir, generation, task_dir.buf, task, 0, record, err);
}

void task_record_add_failure (const struct engine *engine,
                              const struct stage_state *stage,
                              struct strbuf *text)
{
    _cleanup_ (task_record_release) struct task_record record =
        TASK_RECORD_INIT;
    int32_t task = 0;

    while (task < stage->n_tasks
           && (stage->tasks[task].outcome == OUTCOME_NONE
               || stage->tasks[task].outcome == OUTCOME_OK))
        task++;
    if (task < stage->n_tasks
        && task_record_find (engine, state_iteration (&engine->state),
                             stage->name, task, 0, &record, NULL)
               == 0
        && record.end)
        strbuf_addf (text, ": task %d: %s", (int)task,
                     json_get_string (record.end, "message"));
}
