/* SPDX-License-Identifier: BSD-3-Clause */
/* running_reports.c - what the tasks of a stage report while they run */
#include "base/base.h"

#include <sys/stat.h>

#include "arrays/outcome.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/observations.h"
#include "engine/history/attempt_logs.h"
#include "engine/history/engine.h"
#include "engine/history/state.h"
#include "engine/observe/running_reports.h"
#include "handover/group_file.h"
#include "space/layout.h"

/* A record is a report and a few words: one is whole in so many bytes. */
enum { TAIL_BYTES = 4 * GROUP_REPORT_MAX };

static bool has_reports (const struct stage *stage)
{
    const struct group_spec *group = stage->group;
    bool any =
        (stage->op && stage->op->worker) || (group && group->report.command);

    for (size_t i = 0; group && i < group->n_programs; i++)
        any = any || group->programs[i].report.command;
    return any;
}

/* The last whole line of a file of records; NULL: there is none. */
static struct json *newest_record (const char *path)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *record = NULL;
    struct stat st;
    char *end, *line;

    if (stat (path, &st) < 0
        || file_read_from (path,
                           st.st_size > TAIL_BYTES
                               ? (uint64_t)(st.st_size - TAIL_BYTES)
                               : 0,
                           2 * TAIL_BYTES, &text, NULL)
               < 0)
        return NULL;
    if ((end = strrchr (text.buf, '\n'))) {
        *end = '\0';
        line = strrchr (text.buf, '\n');
        line = line ? line + 1 : text.buf;
        record = json_parse (line, strlen (line), path, NULL);
    }
    return record;
}

/* The task that works in directory 'name', if it runs; else -1. */
static int32_t running_task (const char *name, const struct attempt_logs *logs)
{
    char *end;
    long task = strtol (name, &end, 10);

    if (end == name || *end != '\0' || task < 0 || task >= logs->n_tasks)
        return -1;
    return logs->tasks[task].started
                   && logs->tasks[task].outcome == OUTCOME_NONE
               ? (int32_t)task
               : -1;
}

/* Where two claims have it, the newer record counts. */
static void keep_newest (struct json **by_task, int32_t task,
                         struct json *record)
{
    double now_s = json_get_double (record, "now_s");

    if (by_task[task] && json_get_double (by_task[task], "now_s") >= now_s) {
        json_unref (record);
        return;
    }
    json_unref (by_task[task]);
    json_set (record, "task", json_int (task));
    by_task[task] = record;
}

/* The tasks of one claim: work/<element>.<n>. */
static void look_into_claim (const char *dir, const struct attempt_logs *logs,
                             struct json **by_task)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        int32_t task = running_task (names.v[i], logs);
        struct json *record;
        char *path;

        if (task < 0)
            continue;
        path = xasprintf ("%s/%s/" GROUP_REPORTS_FILE, dir, names.v[i]);
        if ((record = newest_record (path)))
            keep_newest (by_task, task, record);
        free (path);
    }
}

static void look_into_chunk (const struct engine *engine,
                             const struct stage_state *state, int chunk,
                             const struct attempt_logs *logs,
                             struct json **by_task)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec claims = STRVEC_INIT;

    strbuf_addf (&path, "%s/", engine->plan->dir);
    layout_run_chunk (state->generation, (int)state->n_attempts - 1, chunk,
                      &path);
    strbuf_add_str (&path, "/work");
    file_list_dir (path.buf, &claims, NULL);
    for (size_t i = 0; i < claims.n; i++) {
        _cleanup_free_ char *dir = path_join (path.buf, claims.v[i]);

        look_into_claim (dir, logs, by_task);
    }
}

struct json *running_reports (const struct engine *engine,
                              const struct stage *stage,
                              const struct stage_state *state,
                              const struct observed_attempt *seen)
{
    const struct attempt *attempt = stage_open_attempt (state);
    struct json *list = json_array ();
    _cleanup_free_ struct json **by_task = NULL;

    if (!attempt || !seen || !has_reports (stage))
        return list;
    by_task = xcalloc ((size_t)state->n_tasks + 1, sizeof (struct json *));
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        if (attempt->submissions[i].status == SUBMISSION_RELEASED)
            look_into_chunk (engine, state, attempt->submissions[i].chunk,
                             seen->logs, by_task);
    }
    for (int32_t task = 0; task < state->n_tasks; task++) {
        if (by_task[task])
            json_push (list, by_task[task]);
    }
    return list;
}
