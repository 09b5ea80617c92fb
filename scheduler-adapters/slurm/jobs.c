/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.c - how jobs stand, from what squeue and sacct print */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "job_view.h"
#include "reply_text.h"
#include "site_description.h"
#include "slurm/slurm.h"

bool slurm_is_id (const char *text)
{
    return reply_take_number (&text) > 0 && *text == '\0';
}

/* --- indices --- */

/* "4", "4-9", "0-10:2" at *p, which moves behind it. */
static int take_span (const char **p, int64_t end,
                      void (*each) (int64_t index, void *arg), void *arg)
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

int slurm_each_index (const char *text, int64_t end,
                      void (*each) (int64_t index, void *arg), void *arg)
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
    const char *name;    /* of the job */
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

/* A row without index ("10|CANCELLED") tells of those without a row. */
static int tell_row (struct job_view_job *job, const struct row *row,
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

    return job_view_find (view, reply_take_number (&digits), row->name);
}

/* --- squeue --- */

static void add_note (struct job_view_job *job, const struct row *row,
                      const char *state, const char *reason)
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

/* What 'tell' says of a line. */
enum { LINE_TOLD = 0, LINE_UNREADABLE = 1, LINE_OF_A_STRANGER = 2 };

/* Call 'tell' for every line, with a copy of it to cut in pieces.  Lines that
 * follow a stranger's may belong to a name or a reason of his.
 */
static int tell_lines (const char *program, const char *text, size_t len,
                       int (*tell) (struct job_view *view, char *parts,
                                    struct error *err),
                       struct job_view *view, struct error *err)
{
    struct reply_lines lines = reply_lines (program, text, len);
    bool of_a_stranger = false;
    const char *line;

    while ((line = reply_next_line (&lines, err))) {
        _cleanup_free_ char *parts = xstrdup (line);
        int told = tell (view, parts, err);

        if (told == LINE_UNREADABLE && !of_a_stranger)
            lines.rc = reply_bad_line (program, line, err);
        else if (told != LINE_UNREADABLE)
            of_a_stranger = told == LINE_OF_A_STRANGER;
        if (told < 0)
            lines.rc = -1;
    }
    job_view_settle (view);
    return reply_lines_end (&lines);
}

/* The time is in seconds since 1970, which SLURM_TIME_FORMAT=%s asks for; else
 * it is not known.  "N/A" is how squeue says that there is no index.  A reason
 * or another job's name may have a | in it, our names have none.
 */
static int tell_squeue_line (struct job_view *view, char *parts,
                             struct error *err)
{
    enum { ID, INDICES, STATE, SUBMITTED, REASON, COLUMNS };
    char *column[COLUMNS];
    struct job_view_job *job;
    struct row row;
    char *bar = NULL;

    if (reply_cut (parts, column, COLUMNS) == 0)
        bar = strrchr (column[REASON], '|');
    if (!bar || !slurm_is_id (column[ID]) || !*column[STATE])
        return LINE_UNREADABLE;
    *bar = '\0';
    row = (struct row){ column[ID], column[INDICES], bar + 1,
                        slurm_state (column[STATE], column[REASON]) };
    if (strcmp (row.indices, "N/A") == 0)
        row.indices = "";
    if (!(job = job_of (view, &row)))
        return LINE_OF_A_STRANGER;
    job->since_s = slurm_is_id (column[SUBMITTED])
                       ? (double)reply_count (column[SUBMITTED])
                       : 0;
    add_note (job, &row, column[STATE], column[REASON]);
    return tell_row (job, &row, err);
}

int slurm_tell_squeue (const char *text, size_t len, void *view,
                       struct error *err)
{
    return tell_lines ("squeue", text, len, tell_squeue_line, view, err);
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
 * not have it, but how is not known.
 */
static int tell_sacct_line (struct job_view *view, char *parts,
                            struct error *err)
{
    char *column[3];
    struct job_view_job *job;
    struct row row;

    if (reply_cut (parts, column, 3) < 0 || read_job_id (column[0], &row) < 0
        || !*column[1])
        return LINE_UNREADABLE;
    row.name = column[2];
    row.status = slurm_state (column[1], NULL);
    job = job_of (view, &row);
    if (!job)
        return LINE_OF_A_STRANGER;
    return row.status.state == ELEMENT_ENDED ? tell_row (job, &row, err)
                                             : LINE_TOLD;
}

int slurm_tell_sacct (const char *text, size_t len, void *view,
                      struct error *err)
{
    return tell_lines ("sacct", text, len, tell_sacct_line, view, err);
}

int slurm_read_names (const char *text, size_t len, void *names,
                      struct error *err)
{
    struct reply_lines lines = reply_lines ("squeue", text, len);
    const char *line;

    while ((line = reply_next_line (&lines, err)))
        strvec_push (names, line);
    return reply_lines_end (&lines);
}

/* Half of MinJobAge leaves time for a slow squeue and for clocks that differ.
 */
void slurm_infer (struct job_view *view, const struct json *memories,
                  double now_s, double min_job_age_s)
{
    job_view_infer (view, now_s, min_job_age_s / 2);
    slurm_memory_recall (memories, view, now_s, min_job_age_s);
}

/* --- asking --- */

/* "--jobs=12,13" */
static char *list_jobs (const struct job_view *view)
{
    struct strbuf list = STRBUF_INIT;

    strbuf_add_str (&list, "--jobs=");
    for (size_t i = 0; i < view->n; i++) {
        if (view->jobs[i].number >= 0)
            strbuf_addf (&list, "%s,", view->jobs[i].key.id);
    }
    strbuf_truncate (&list, list.len - 1);
    return strbuf_detach (&list);
}

/* All states and all partitions, one line to an element.  The user's own jobs
 * are a much smaller question than everybody's.  Of one unknown job squeue says
 * so; of several, nothing.
 */
static enum answer ask_squeue (struct client *client, const char *jobs,
                               struct job_view *view, struct error *err)
{
    _cleanup_free_ char *user = xasprintf ("--user=%ld", (long)getuid ());
    enum answer answer = client_ask (
        client,
        LIST ("squeue", "--noheader", "--all", "--local", "--states=all",
              "--array", user, jobs, "--format=" SLURM_SQUEUE_FORMAT),
        1u << COMPLAINT_UNKNOWN_JOB, slurm_tell_squeue, view, err);

    return answer;
}

/* What squeue does not show.  Accounting that is down does not either: that is
 * no error.
 */
static void ask_further (struct client *client, const char *jobs,
                         const struct json *memories, struct job_view *view)
{
    struct site_facts facts;

    if (commands_facts (client, &facts, NULL) != ANSWER_OK)
        return;
    slurm_infer (view, memories, clock_wall_s (), facts.shown_s);
    if (facts.accounting && job_view_lacks (view))
        client_ask (client,
                    LIST ("sacct", "--noheader", "--allocations", "--parsable2",
                          jobs, "--format=" SLURM_SACCT_FORMAT),
                    0, slurm_tell_sacct, view, NULL);
}

enum answer slurm_poll (struct client *client, struct job_view *view,
                        struct error *err)
{
    const char *dir = client->scheduler->cache_dir;
    _cleanup_json_ struct json *memories = slurm_memory_read (dir);
    _cleanup_free_ char *jobs = list_jobs (view);
    enum answer answer = ask_squeue (client, jobs, view, err);
    struct json *after;

    if (answer == ANSWER_OK && job_view_lacks (view))
        ask_further (client, jobs, memories, view);
    if (answer == ANSWER_OK && dir) {
        after = slurm_memory_after (memories, view, clock_wall_s ());
        if (!json_equal (after, memories))
            slurm_memory_write (dir, after);
        json_unref (after);
    }
    return answer;
}
