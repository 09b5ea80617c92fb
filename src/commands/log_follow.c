/* SPDX-License-Identifier: BSD-3-Clause */
/* log_follow.c - what a task prints, while it does */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/log_follow.h"
#include "commands/task_output.h"
#include "commands/task_record.h"
#include "engine/history/engine.h"
#include "report/task_watch.h"

static const double soonest_s = 0.1;
static const double latest_s = 1;

/* How long the file of a try that failed may be late. */
static const double late_s = 10;

enum { HEAD_MAX = 128 };

struct following {
    struct campaign *campaign;
    const struct stage *stage;
    int iteration;
    int task;
    int try_number;      /* that is followed; 0: none was started */
    int fd;              /* of its slot's file; -1: not opened */
    char head[HEAD_MAX]; /* how that begins, as long as it is of this task */
    uint64_t shown;      /* bytes of the try's output */
    double ended_s; /* mono: when it was first known to be over; 0: it is not */
    bool told;      /* how the try ended */
    bool ok;        /* well, as its log says; no driver need have run since */
};

/* --- while it runs: the file of its slot --- */

static void read_head (int fd, char head[HEAD_MAX])
{
    ssize_t n = pread (fd, head, HEAD_MAX - 1, 0);

    head[n > 0 ? n : 0] = '\0';
    if (!strchr (head, '\n') && n < HEAD_MAX - 1)
        head[0] = '\0'; /* it is being written */
    else
        head[strcspn (head, "\n")] = '\0';
}

/* The slot's file, once what it holds is the task's. */
static void open_slot (struct following *f, const struct task_record *record)
{
    _cleanup_free_ char *path = task_output_slot_path (record);
    _cleanup_free_ char *mine = xasprintf (" " LAYOUT_LOG_TASK " ", f->task);

    f->fd = file_open (path, O_RDONLY | O_NONBLOCK, 0);
    if (f->fd >= 0)
        read_head (f->fd, f->head);
    if (f->fd >= 0 && !strstr (f->head, mine)) {
        close (f->fd);
        f->fd = -1;
    }
}

/* Is what was just read from the file the task's?  Its slot may have another
 * one now, whose first line is another.
 */
static bool is_still_mine (const struct following *f)
{
    char head[HEAD_MAX];

    read_head (f->fd, head);
    return strcmp (head, f->head) == 0;
}

/* The agent leaves the beginning and the end of a log that is too long. */
static void note_cut (struct following *f)
{
    struct stat st;

    if (fstat (f->fd, &st) < 0 || (uint64_t)st.st_size >= f->shown
        || !is_still_mine (f))
        return;
    printf ("\n=== its log was cut here (limits: log)\n");
    f->shown = (uint64_t)st.st_size;
}

static void show_more (struct following *f)
{
    char block[1 << 16];
    ssize_t n;

    note_cut (f);
    while ((n = pread (f->fd, block, sizeof (block), (off_t)f->shown)) > 0
           && is_still_mine (f)) {
        fwrite (block, 1, (size_t)n, stdout);
        f->shown += (uint64_t)n;
    }
}

/* --- when it has ended: where its output is kept --- */

/* The rest.  1: it is not there yet. */
static int show_rest (struct following *f, const struct task_record *record,
                      struct error *err)
{
    struct task_output output;
    int rc = 0;

    task_output_find (record, f->task, &output);
    if (f->fd >= 0 && !record->printed && is_still_mine (f))
        show_more (f); /* which was renamed, or is about to be */
    else if (record->printed || file_exists (output.path))
        rc = task_output_copy (&output, f->shown, stdout, err);
    else
        rc = clock_mono_s () < f->ended_s + late_s;
    free (output.path);
    return rc;
}

static void tell_end (const struct following *f,
                      const struct task_record *record)
{
    const char *outcome = json_get_string (record->end, "outcome");
    const char *message = json_get_string (record->end, "message");

    if (!record->end)
        complain (STATUS_FAILED, "task %d, try %d: was cut short", f->task,
                  f->try_number);
    else
        complain (STATUS_FAILED, "task %d, try %d: %s%s%s", f->task,
                  f->try_number, outcome, *message ? ": " : "", message);
}

static void next_try (struct following *f)
{
    if (f->fd >= 0)
        close (f->fd);
    f->fd = -1;
    f->shown = 0;
    f->ended_s = 0;
    f->told = false;
    f->try_number++;
}

/* Show what is new of the try that is followed, or the rest of it. */
static int look_at_try (struct following *f, const struct task_record *record,
                        struct error *err)
{
    int rc;

    if (!record->ended && record->tries == f->try_number) {
        if (f->fd < 0)
            open_slot (f, record);
        if (f->fd >= 0)
            show_more (f);
        return 0;
    }
    if (f->ended_s == 0)
        f->ended_s = clock_mono_s ();
    if ((rc = show_rest (f, record, err)) != 0)
        return rc < 0 ? -1 : 0;
    fflush (stdout);
    tell_end (f, record);
    f->told = true;
    f->ok = strcmp (json_get_string (record->end, "outcome"),
                    outcome_name (OUTCOME_OK))
            == 0;
    return 0;
}

/* The same, and go on to the next try.  *running: none of those that were
 * started has ended as far as is known.
 */
static int look (struct following *f, bool *running, struct error *err)
{
    struct task_record record = TASK_RECORD_INIT;
    int rc =
        task_record_find (&f->campaign->engine, f->iteration, f->stage->name,
                          f->task, f->try_number, &record, err);

    if (rc == 0 && f->try_number == 0 && record.start) {
        next_try (f);
        f->try_number = record.try_number;
    }
    if (rc == 0 && record.start && !f->told)
        rc = look_at_try (f, &record, err);
    *running = record.start && !f->told;
    if (rc == 0 && f->told && record.tries > f->try_number) {
        next_try (f);
        *running = true;
    }
    task_record_release (&record);
    fflush (stdout);
    return rc;
}

/* --- the end --- */

/* What became of the task, of which nothing more is to come. */
static enum exit_status conclude (const struct following *f,
                                  enum task_prospect prospect)
{
    const struct state *state = &f->campaign->engine.state;
    const char *name = f->stage->name;
    const struct stage_state *stage = state_stage (state, f->iteration, name);

    if (f->ok)
        return STATUS_DONE;
    if (prospect == TASK_IS_HELD_UP)
        return complain (STATUS_FAILED,
                         "task %d of stage '%s' waits: the campaign is %s%s%s",
                         f->task, name, campaign_status_name (state->status),
                         state->why ? ": " : "", state->why ? state->why : "");
    if (!stage || f->task >= stage->n_tasks)
        return complain (
            STATUS_FAILED, "stage '%s' is %s and has no task %d%s%s", name,
            stage_status_name (stage ? stage->status : STAGE_WAITING), f->task,
            stage && stage->why ? ": " : "",
            stage && stage->why ? stage->why : "");
    if (stage->tasks[f->task].outcome == OUTCOME_OK)
        return STATUS_DONE;
    return complain (
        STATUS_FAILED, "task %d of stage '%s' ended %s after %d %s", f->task,
        name, outcome_name ((enum outcome)stage->tasks[f->task].outcome),
        f->try_number, f->try_number == 1 ? "try" : "tries");
}

/* Is the journal ahead of what this host sees of the logs?  Not for ever: of a
 * task that was lost there is no end to be seen.
 */
static bool is_late (struct following *f, bool running)
{
    if (f->ended_s == 0)
        f->ended_s = clock_mono_s ();
    return running && clock_mono_s () < f->ended_s + late_s;
}

/* Once: what is new, and what is to come. */
static int step (struct following *f, enum task_prospect *prospect,
                 struct error *err)
{
    struct engine *engine = &f->campaign->engine;
    bool running;

    /* The journal first: then the logs have what it knows. */
    if (engine_look (engine, err) < 0 || look (f, &running, err) < 0)
        return -1;
    *prospect = task_prospect (
        &engine->state, f->stage,
        state_stage (&engine->state, f->iteration, f->stage->name), f->task,
        running);
    if (f->ok)
        *prospect = TASK_IS_OVER;
    else if (*prospect == TASK_IS_OVER && is_late (f, running))
        *prospect = TASK_GOES_ON;
    return 0;
}

enum exit_status log_follow (struct campaign *campaign,
                             const struct stage *stage, int iteration, int task)
{
    struct following f = { .campaign = campaign,
                           .stage = stage,
                           .iteration = iteration,
                           .task = task,
                           .fd = -1 };
    const volatile int *stop = stopping_flag ();
    enum task_prospect prospect = TASK_GOES_ON;
    struct error err = ERROR_INIT;
    double wait_s = soonest_s;
    uint64_t shown;
    int rc;

    do {
        shown = f.shown;
        rc = step (&f, &prospect, &err);
        if (rc < 0 || prospect != TASK_GOES_ON)
            break;
        wait_s = f.shown != shown ? soonest_s : fmin (wait_s * 1.5, latest_s);
        clock_sleep (wait_s, stop);
    } while (!*stop);
    if (f.fd >= 0)
        close (f.fd);
    if (rc < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    if (prospect == TASK_GOES_ON)
        return complain (STATUS_INTERRUPTED,
                         "no longer looking; the task goes on");
    return conclude (&f, prospect);
}
