/* SPDX-License-Identifier: BSD-3-Clause */
/* quick_drive.c - tasks of `fanfold quick` as the campaigns they are */
#include "base/base.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/campaign.h"
#include "commands/quick.h"
#include "commands/task_output.h"
#include "commands/task_record.h"
#include "engine/drive/driver.h"
#include "engine/drive/job_time.h"
#include "quick/quick_task.h"
#include "quick/training.h"
#include "space/layout.h"

/* Of what a training printed that failed. */
enum { LAST_LINES = 20 };

/* Between two looks at all tasks. */
static const double least_wait_s = 0.05, most_wait_s = 5;

const char *quick_state_word (enum campaign_status status)
{
    return campaign_status_name (status);
}

enum exit_status quick_complain (const struct error *err)
{
    return complain (error_is_machine_error (err) ? STATUS_FAILED
                                                  : STATUS_INVALID,
                     "%s", err->text);
}

static bool is_over (enum campaign_status status)
{
    return status == CAMPAIGN_DONE || status == CAMPAIGN_FAILED;
}

static void take_state (const struct engine *engine,
                        enum campaign_status *status, struct strbuf *why)
{
    const struct state *state = &engine->state;
    const struct stage_state *stage = state_stage (state, 0, TRAINING_STAGE);

    *status = state->status;
    if (!why)
        return;
    strbuf_reset (why);
    if (state->why)
        strbuf_add_str (why, state->why);
    if (stage && stage->status == STAGE_FAILED)
        task_record_add_failure (engine, stage, why);
}

int quick_state (const struct quick *quick, const char *task,
                 enum campaign_status *status, struct strbuf *why)
{
    _cleanup_free_ char *dir = quick_task_dir (quick->store, task);
    struct engine engine = { .dir = NULL };
    struct error err = ERROR_INIT;
    int rc = engine_open (&engine, dir, quick->invocation->program, &err);

    if (rc == 0)
        take_state (&engine, status, why);
    else
        complain (STATUS_FAILED, "%s: %s", task, err.text);
    engine_close (&engine);
    return rc;
}

/* --- driving --- */

/* The campaign of a task, as `submit` would open it. */
struct opened {
    char *dir;
    struct invocation invocation;
    struct campaign campaign;
};

static enum exit_status open_task (const struct quick *quick, const char *task,
                                   struct opened *opened)
{
    enum exit_status status;

    opened->dir = quick_task_dir (quick->store, task);
    opened->invocation = (struct invocation){
        .command = &submit_command,
        .program = quick->invocation->program,
        .dir = opened->dir,
    };
    status = campaign_open (&opened->invocation, &opened->campaign);
    if (status == STATUS_DONE)
        opened->campaign.engine.stop = stopping_flag ();
    return status;
}

static void close_task (struct opened *opened)
{
    campaign_close (&opened->campaign);
    free (opened->dir);
}

/* One step as the driver.  '*next_s': when to look again. */
static enum exit_status step_as_driver (struct campaign *campaign, bool quiet,
                                        double *next_s)
{
    struct step step = { 0 };
    struct error err = ERROR_INIT;
    enum exit_status status = campaign_drive (campaign, quiet);

    if (status != STATUS_DONE)
        return status;
    campaign->engine.stop_at_s = job_time_end_s (&campaign->engine);
    if (driver_step (&campaign->engine, &step, &err) < 0)
        return campaign_gave_up (campaign, &err);
    engine_give_lease (&campaign->engine);
    *next_s = step.next_s;
    return step.unreachable ? campaign_unreachable (campaign, &step)
                            : STATUS_DONE;
}

/* Open, step, close. */
static enum exit_status step_task (const struct quick *quick, const char *task,
                                   bool quiet, double *next_s,
                                   enum campaign_status *state,
                                   struct strbuf *why)
{
    struct opened opened = { .dir = NULL };
    enum exit_status status = open_task (quick, task, &opened);

    if (status == STATUS_DONE) {
        status = step_as_driver (&opened.campaign, quiet, next_s);
        take_state (&opened.campaign.engine, state, why);
    }
    close_task (&opened);
    return status;
}

int quick_settle (const struct quick *quick, const char *task,
                  enum campaign_status *status, struct strbuf *why)
{
    double next_s;

    if (quick_state (quick, task, status, why) < 0)
        return -1;
    if (!is_over (*status))
        step_task (quick, task, true, &next_s, status, why);
    return 0;
}

enum exit_status quick_submit (const struct quick *quick, const char *task)
{
    enum campaign_status state;
    double next_s;

    return step_task (quick, task, true, &next_s, &state, NULL);
}

/* --- several --- */

/* A task that is driven. */
struct driven {
    const char *task;
    double due_s; /* mono */
    bool over;
};

/* The end of what it printed. */
static void print_last_lines (const char *dir)
{
    const struct stage_place place = { TRAINING_STAGE, TRAINING_CODE, 0, 0 };
    struct task_record record = TASK_RECORD_INIT;
    struct task_output output = { NULL, 0, 0 };

    if (task_record_find_at (dir, &place, 0, &record, NULL) == 0)
        task_output_find (&record, 0, &output);
    if (output.path)
        task_output_copy_end (&output, LAST_LINES, stderr, NULL);
    task_record_release (&record);
    free (output.path);
}

/* How a task ended, for a person. */
static enum exit_status tell_end (const struct quick *quick, const char *task,
                                  enum campaign_status state, const char *why)
{
    _cleanup_free_ char *dir = quick_task_dir (quick->store, task);
    enum exit_status status = STATUS_DONE;

    if (state == CAMPAIGN_FAILED) {
        print_last_lines (dir);
        status = complain (STATUS_FAILED,
                           "%s: failed: %s; see `fanfold -C %s log %s`", task,
                           why, dir, TRAINING_STAGE);
    } else if (state == CAMPAIGN_PAUSED)
        status = complain (STATUS_FAILED,
                           "%s: paused: %s; see `fanfold -C %s status`", task,
                           why, dir);
    return status;
}

/* A step of one that is due.  What another process drives is left to it. */
static enum exit_status drive_one (const struct quick *quick,
                                   struct driven *one)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;
    enum campaign_status state = CAMPAIGN_RUNNING;
    double next_s = most_wait_s;
    enum exit_status status =
        step_task (quick, one->task, false, &next_s, &state, &why);

    one->over = status == STATUS_BUSY || status == STATUS_FAILED
                || status == STATUS_INVALID || state != CAMPAIGN_RUNNING;
    one->due_s = clock_mono_s ()
                 + fmax (next_s > 0 ? next_s : most_wait_s, least_wait_s);
    if (status == STATUS_UNREACHABLE)
        status = STATUS_DONE; /* was said; it is tried again */
    if (status == STATUS_DONE && one->over)
        status = tell_end (quick, one->task, state, why.buf);
    return status;
}

/* When the next one is due; 0: all are over. */
static double next_due_s (const struct driven *all, size_t n)
{
    double due_s = INFINITY;

    for (size_t i = 0; i < n; i++) {
        if (!all[i].over)
            due_s = fmin (due_s, all[i].due_s);
    }
    return isinf (due_s) ? 0 : due_s;
}

enum exit_status quick_drive (const struct quick *quick,
                              const struct strvec *tasks)
{
    const volatile int *stop = stopping_flag ();
    struct driven *all = xcalloc (tasks->n + 1, sizeof (*all));
    enum exit_status worst = STATUS_DONE;
    double due_s;

    for (size_t i = 0; i < tasks->n; i++)
        all[i] = (struct driven){ .task = tasks->v[i], .due_s = -1 };
    while (!*stop && (due_s = next_due_s (all, tasks->n)) != 0) {
        clock_sleep (fmin (fmax (due_s - clock_mono_s (), 0), most_wait_s),
                     stop);
        for (size_t i = 0; i < tasks->n && !*stop; i++) {
            enum exit_status status = STATUS_DONE;

            if (!all[i].over && all[i].due_s <= clock_mono_s ())
                status = drive_one (quick, &all[i]);
            worst = status > worst ? status : worst;
        }
    }
    free (all);
    if (*stop)
        return complain (STATUS_INTERRUPTED,
                         "interrupted; what was submitted runs on, and "
                         "`fanfold quick resume` goes on from here");
    return worst;
}

char *quick_output_dir (const struct quick *quick, const char *task,
                        const struct json *record)
{
    const struct stage_place place = { TRAINING_STAGE, TRAINING_CODE, 0, 0 };
    struct strbuf path = STRBUF_INIT;

    if (!json_get (record, "output"))
        return NULL;
    strbuf_addf (&path, "%s/quick/%s/", store_path (quick->store), task);
    layout_task_out (&place, 0, &path);
    strbuf_add_str (&path, "/" TRAINING_OUTPUT);
    return strbuf_detach (&path);
}
