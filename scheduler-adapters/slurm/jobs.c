/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.c - how jobs stand, from what squeue and sacct print */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "job_view.h"
#include "reply_text.h"
#include "site.h"
#include "slurm/memory.h"
#include "slurm/slurm.h"

bool slurm_is_id (const char *text)
{
    return reply_take_number (&text) > 0 && *text == '\0';
}

/* --- indices --- */

/* "4", "4-9", "0-10:2" at *p, which moves behind it. */
static int take_span (const char **p,
                      int64_t end,
                      void (*each) (int64_t index, void *arg),
                      void *arg)
{
    int64_t first = reply_take_number (p);
    int64_t last = first;
    int64_t step = 1;

    if (first >= 0 && **p == '-') {
        (*p)++;
        last = reply_take_number (p);
        if (last >= first && **p == ':') {
            (*p)++;
            step = reply_take_number (p);
        }
    }
    if (first < 0 || last < first || step < 1)
        return -1;
    for (int64_t i = first; i <= last && i < end; i += step)
        each (i, arg);
    return 0;
}

int slurm_each_index (const char *text,
                      int64_t end,
                      void (*each) (int64_t index, void *arg),
                      void *arg)
{
    for (;;) {
        if (take_span (&text, end, each, arg) < 0)
            return -1;
        if (*text != ',')
            break;
        text++;
    }
    if (*text == '%') {
        text++;
        if (reply_take_number (&text) < 0)
            return -1;
    }
    return *text == '\0' ? 0 : -1;
}

/* --- rows --- */

struct row {
    char *id;            /* of the array, as sbatch printed it */
    const char *indices; /* "4", "4-9,12"; "": no index is told */
    struct element_status status;
};

struct telling {
    struct job_view_job *job;
    struct element_status status;
};

static void tell_index (int64_t index, void *arg)
{
    const struct telling *telling = arg;

    job_view_tell (telling->job, index, telling->status.state,
                   telling->status.outcome);
}

/* A row without index ("10|CANCELLED") speaks for those without a row. */
static int tell_row (struct job_view_job *job,
                     const struct row *row,
                     struct error *err)
{
    struct telling telling = { job, row->status };

    if (!*row->indices)
        job_view_tell (job, -1, row->status.state, row->status.outcome);
    else if (slurm_each_index (row->indices, job->n_elements, tell_index,
                               &telling)
             < 0)
        return error_set (err, "job %s: cannot read the indices '%.80s'",
                          row->id, row->indices);
    return 0;
}

static struct job_view_job *job_of (struct job_view *view,
                                    const struct row *row)
{
    const char *digits = row->id;

    return job_view_find (view, reply_take_number (&digits));
}

/* --- squeue --- */

static void add_note (struct job_view_job *job,
                      const struct row *row,
                      const char *state,
                      const char *reason)
{
    const char *advice = NULL;

    if (row->status.state == ELEMENT_UNCLEAR)
        job_view_note_unclear (job, row->id, state);
    else if (row->status.state == ELEMENT_QUEUED
             || row->status.state == ELEMENT_HELD)
        advice = slurm_stuck (reason);
    if (advice)
        job_view_note_waits (job, row->id, reason, advice);
}

/* The time is in seconds since 1970, which SLURM_TIME_FORMAT=%s asks for; else
 * it is not known.  "N/A" is how squeue says that there is no index.
 */
static int tell_squeue_line (struct job_view *view,
                             const char *line,
                             struct error *err)
{
    enum { ID, INDICES, STATE, SUBMITTED, REASON, COLUMNS };
    char *parts = xstrdup (line);
    char *column[COLUMNS];
    struct job_view_job *job;
    struct row row;
    int rc = 0;

    if (reply_cut (parts, column, COLUMNS) < 0 || !slurm_is_id (column[ID])
        || !*column[STATE]) {
        rc = reply_bad_line ("squeue", line, err);
        goto done;
    }
    row = (struct row){ column[ID], column[INDICES],
                        slurm_state (column[STATE], column[REASON]) };
    if (strcmp (row.indices, "N/A") == 0)
        row.indices = "";
    job = job_of (view, &row);
    if (job) {
        job->since_s = slurm_is_id (column[SUBMITTED])
                           ? (double)reply_count (column[SUBMITTED])
                           : 0;
        add_note (job, &row, column[STATE], column[REASON]);
        rc = tell_row (job, &row, err);
    }
done:
    free (parts);
    return rc;
}

int slurm_tell_squeue (const char *text,
                       size_t len,
                       void *view,
                       struct error *err)
{
    struct reply_lines lines = reply_lines ("squeue", text, len);
    const char *line;

    while ((line = reply_next_line (&lines, err)))
        lines.rc = tell_squeue_line (view, line, err);
    job_view_settle (view);
    return reply_lines_end (&lines);
}

/* --- sacct --- */

/* "13", "13_4", "13_[2-4,6]": the id, and the indices cut out in place. */
static int read_job_id (char *text, struct row *row)
{
    char *index = strchr (text, '_');
    size_t len;

    row->id = text;
    row->indices = "";
    if (index) {
        *index++ = '\0';
        len = strlen (index);
        if (*index == '[' && index[len - 1] == ']') {
            index[len - 1] = '\0';
            index++;
        }
        if (*index == '\0')
            return -1;
        row->indices = index;
    }
    return slurm_is_id (text) ? 0 : -1;
}

/* sacct runs late: what it shows as queued or running is over when squeue does
 * not know it, but nobody knows how.
 */
static int tell_sacct_line (struct job_view *view,
                            const char *line,
                            struct error *err)
{
    char *parts = xstrdup (line);
    char *column[2];
    struct job_view_job *job;
    struct row row;
    int rc = 0;

    if (reply_cut (parts, column, 2) < 0 || read_job_id (column[0], &row) < 0
        || !*column[1]) {
        rc = reply_bad_line ("sacct", line, err);
        goto done;
    }
    row.status = slurm_state (column[1], NULL);
    job = job_of (view, &row);
    if (job && row.status.state == ELEMENT_ENDED)
        rc = tell_row (job, &row, err);
done:
    free (parts);
    return rc;
}

int slurm_tell_sacct (const char *text,
                      size_t len,
                      void *view,
                      struct error *err)
{
    struct reply_lines lines = reply_lines ("sacct", text, len);
    const char *line;

    while ((line = reply_next_line (&lines, err)))
        lines.rc = tell_sacct_line (view, line, err);
    job_view_settle (view);
    return reply_lines_end (&lines);
}

/* --- what is remembered between two polls --- */

static const char memory_file[] = "slurm-elements.json";

/* {ID: {...}}; NULL: nothing.  Caller unrefs. */
static struct json *read_memories (const struct scheduler *scheduler)
{
    const char *dir = scheduler->cache_dir;
    char *path = path_join (dir ? dir : "", memory_file);
    struct json *file =
        dir && file_exists (path) ? json_read_file (path, NULL) : NULL;
    struct json *memories = NULL;

    if (json_as_int (json_get (file, "format")) == 1)
        memories = json_ref (json_get (file, "jobs"));
    json_unref (file);
    free (path);
    return memories;
}

/* It only makes answers better: failing is no matter. */
static void write_memories (const struct scheduler *scheduler,
                            struct json *memories)
{
    char *path = path_join (scheduler->cache_dir, memory_file);
    struct json *file = json_object ();

    json_set (file, "format", json_int (1));
    json_set (file, "jobs", json_ref (memories));
    if (file_make_dirs (scheduler->cache_dir, NULL) == 0)
        json_write_file (path, file, NULL);
    json_unref (file);
    free (path);
}

static void recall (const struct json *memories,
                    struct job_view *view,
                    double min_job_age_s)
{
    for (size_t i = 0; i < view->n; i++) {
        struct slurm_memory memory = SLURM_MEMORY_INIT;
        char id[24];

        snprintf (id, sizeof (id), "%" PRId64, view->jobs[i].number);
        if (slurm_memory_from_json (json_get (memories, id), &memory))
            slurm_memory_recall (&memory, &view->jobs[i], clock_wall_s (),
                                 min_job_age_s);
        slurm_memory_release (&memory);
    }
}

static void remember (const struct scheduler *scheduler,
                      const struct json *before,
                      const struct job_view *view)
{
    struct json *memories = slurm_memories_keep (before, clock_wall_s ());

    for (size_t i = 0; i < view->n; i++) {
        struct slurm_memory memory = SLURM_MEMORY_INIT;
        char id[24];

        snprintf (id, sizeof (id), "%" PRId64, view->jobs[i].number);
        if (slurm_memory_note (&memory, &view->jobs[i], clock_wall_s ()))
            json_set (memories, id, slurm_memory_to_json (&memory));
        else
            json_delete (memories, id);
        slurm_memory_release (&memory);
    }
    if (!json_equal (memories, before))
        write_memories (scheduler, memories);
    json_unref (memories);
}

/* --- asking --- */

/* "--jobs=12,13" */
static char *list_jobs (const struct job_view *view)
{
    struct strbuf list = STRBUF_INIT;

    strbuf_add_str (&list, "--jobs=");
    for (size_t i = 0; i < view->n; i++) {
        if (view->jobs[i].number >= 0)
            strbuf_addf (&list, "%s,", view->jobs[i].id);
    }
    strbuf_truncate (&list, list.len - 1);
    return strbuf_detach (&list);
}

/* All states and all partitions, one line to an element.  The user's own jobs
 * are a much smaller question than everybody's.  Of one unknown job squeue says
 * so; of several, nothing.
 */
static enum answer ask_squeue (const struct client *client,
                               const char *jobs,
                               struct job_view *view,
                               struct error *err)
{
    char *user = xasprintf ("--user=%ld", (long)getuid ());
    const struct client_command command = {
        .argv =
            LIST ("squeue", "--noheader", "--all", "--local", "--states=all",
                  "--array", user, jobs, "--format=" SLURM_SQUEUE_FORMAT)
    };
    struct process_result result = PROCESS_RESULT_INIT;
    enum trouble trouble;
    enum answer answer = ANSWER_OK;

    if (!client_run (client, &command, &result, &trouble, err)) {
        if (trouble != TROUBLE_UNKNOWN_JOB)
            answer =
                trouble == TROUBLE_BROKEN ? ANSWER_BROKEN : ANSWER_TRY_LATER;
    } else if (slurm_tell_squeue (result.out.buf, result.out.len, view, err)
               < 0) {
        answer = ANSWER_TRY_LATER;
    }
    process_result_release (&result);
    free (user);
    return answer;
}

/* What squeue has no word on.  Accounting that is down has none either: that
 * is no error.  Half of MinJobAge leaves room for a slow squeue and for clocks
 * that differ.
 */
static void ask_further (const struct client *client,
                         const char *jobs,
                         const struct json *memories,
                         struct job_view *view)
{
    struct site_facts facts;

    if (commands_facts (client, &facts, NULL) != ANSWER_OK)
        return;
    job_view_infer (view, clock_wall_s (), facts.shown_s / 2);
    recall (memories, view, facts.shown_s);
    if (facts.accounting && job_view_lacks (view))
        client_ask (client,
                    LIST ("sacct", "--noheader", "--allocations", "--parsable2",
                          jobs, "--format=" SLURM_SACCT_FORMAT),
                    0, slurm_tell_sacct, view, NULL);
}

enum answer slurm_poll (const struct client *client,
                        struct job_view *view,
                        struct error *err)
{
    struct json *memories = read_memories (client->scheduler);
    char *jobs = list_jobs (view);
    enum answer answer = ask_squeue (client, jobs, view, err);

    if (answer == ANSWER_OK && job_view_lacks (view))
        ask_further (client, jobs, memories, view);
    if (answer == ANSWER_OK && client->scheduler->cache_dir)
        remember (client->scheduler, memories, view);
    free (jobs);
    json_unref (memories);
    return answer;
}
