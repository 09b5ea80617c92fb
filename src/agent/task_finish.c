/* SPDX-License-Identifier: BSD-3-Clause */
/* task_finish.c - a task is over: its end is judged, logged, and handed over */
#include "base/base.h"

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/commit.h"
#include "agent/device_watch.h"
#include "agent/input_watch.h"
#include "agent/shortage.h"
#include "agent/task.h"
#include "agent/task_beside.h"
#include "agent/task_files.h"
#include "agent/task_finish.h"
#include "agent/task_log.h"
#include "agent/task_run.h"
#include "base/file.h"
#include "base/json.h"
#include "base/units.h"
#include "placement/slots.h"
#include "signature/operator.h"
#include "signature/outputs.h"

/* Look at the inputs for the last time, once: before the task takes effect. */
static enum input_change end_inputs (struct task *task, struct error *why)
{
    if (task->inputs_ended)
        return INPUT_SAME;
    task->inputs_ended = true;
    return input_watch_end (task->element->watch, task->index, task->number,
                            why);
}

/* What its end is to tell of the task. */
static void note_end (struct task *task, struct task_end *end)
{
    task_run_note_version (task);
    end->version_line = task->version_line;
    task_run_measure (task, end);
    device_watch_note (task->element->devices, task->slot->gpus, task->number,
                       end->outcome, end->wall_s);
}

/* Log the end and forget the task. */
static int log_end (struct task *task, struct task_end *end, struct error *err)
{
    int rc;

    note_end (task, end);
    end->report = json_get (task->group_end.run, "report");
    if (end->outcome == OUTCOME_OK)
        claim_keep_printed (task->element->claim, task->log_fd, end);
    rc = task_run_log_start (task, err);
    if (rc == 0)
        rc = claim_log_end (task->element->claim, task->number, end, err);
    if (end->outcome == OUTCOME_OK)
        task_log_clear (task, task->log_shared);
    else
        task_log_keep (task);
    task_clear (task);
    return rc;
}

/* Inputs changed.  Who did it is known where no other task is there; else the
 * task is handed back, and a person has to look.
 */
static int finish_changed (struct task *task, enum input_change change,
                           struct error *why, struct error *err)
{
    struct task_end end = { .outcome = OUTCOME_FATAL, .exit_code = -1 };
    _cleanup_ (strbuf_release) struct strbuf message = STRBUF_INIT;
    int rc;

    if (change == INPUT_CHANGED) {
        rc = claim_log_pause (task->element->claim, task->number, why, err);
        task_log_keep (task);
        task_clear (task);
        return rc;
    }
    strbuf_addf (&message,
                 "%s; restore the file, let the task write elsewhere, then run "
                 "`fanfold retry`",
                 why->text);
    end.message = message.buf;
    return log_end (task, &end, err);
}

/* The task ended by itself, or was ended. */
int task_finish (struct task *task, struct task_end *end, struct error *err)
{
    struct error why = ERROR_INIT;
    enum input_change change = end_inputs (task, &why);

    return change == INPUT_SAME ? log_end (task, end, err)
                                : finish_changed (task, change, &why, err);
}

/* The machine failed it: hand it back. */
int task_give_back (struct task *task, const struct error *why,
                    struct error *err)
{
    struct error changed = ERROR_INIT;
    int rc = end_inputs (task, &changed) == INPUT_SAME
                 ? claim_log_machine_error (task->element->claim, task->number,
                                            why, err)
                 : claim_log_pause (task->element->claim, task->number,
                                    &changed, err);

    task_log_keep (task);
    task_clear (task);
    return rc;
}

int task_hears_end (struct task *task, const struct task_end *end,
                    struct error *err)
{
    bool sigterm = end->signal == SIGTERM || end->exit_code == 128 + SIGTERM;
    /* A scheduler ends the job whose node it lost: that is the cause. */
    bool lost_node = task->group_end.outcome == OUTCOME_NODE_FAILURE;
    struct error why = ERROR_INIT;
    int rc = 0;

    if (task->stop == OUTCOME_NONE && task->told == OUTCOME_NONE && !lost_node)
        rc = task->element->listen (task->element->agent, sigterm, &why, err);
    if (rc > 0) {
        task->stop = OUTCOME_PREEMPTED;
        error_copy (&task->stop_why, &why);
    }
    return rc < 0 ? -1 : 0;
}

/* As finish, for a task that did something wrong, unless it had no room to do
 * it right.
 */
int task_finish_failure (struct task *task, struct task_end *end,
                         struct error *err)
{
    struct error why = ERROR_INIT;

    _cleanup_ (strbuf_release) struct strbuf message = STRBUF_INIT;
    uint64_t bytes = 0;

    if (room_is_left (task->element->assignment->run_dir, &why))
        return task_finish (task, end, err);
    strbuf_addf (&message, "%s; its directory holds ", end->message);
    file_tree_bytes (task->dir, &bytes, NULL);
    format_bytes ((int64_t)bytes, &message);
    error_prefix (&why, "%s", message.buf);
    return task_give_back (task, &why, err);
}

/* The end without a command's status. */
int task_finish_with (struct task *task, enum outcome outcome,
                      const char *message, struct error *err)
{
    struct task_end end = { .outcome = outcome,
                            .exit_code = -1,
                            .message = message };

    return task_finish (task, &end, err);
}

/* Cut the log for the last time and say so, after a semicolon if anything was
 * said before.
 */
void task_finish_log (struct task *task, struct strbuf *message)
{
    log_limit_finish (&task->log_limit, task->log_fd,
                      task->element->assignment->job.log_bytes);
    if (task->log_limit.left_out_bytes == 0)
        return;
    strbuf_addf (message, "%s", message->len > 0 ? "; " : "");
    format_bytes (task->log_limit.left_out_bytes, message);
    strbuf_add_str (message, " of its log were left out (limits: log)");
}

/* It ended ok, with 'result'; forget it. */
static int hand_over (struct task *task, struct json *result,
                      struct task_end *end, struct error *err)
{
    int rc = task_run_log_start (task, err);

    note_end (task, end);
    if (!task->element->assignment->stage.keeps_logs)
        claim_keep_printed (task->element->claim, task->log_fd, end);
    if (rc == 0) {
        commits_add (task->element->commits, task->number, task->dir,
                     json_ref (result), end);
        task->dir = NULL;
    }
    task_log_clear (task, task->log_shared);
    task_clear (task);
    return rc;
}

/* One that was told to end may have left its outputs out. */
static int finish_bad_output (struct task *task, struct task_end *end,
                              struct error *why, struct error *err)
{
    end->outcome = OUTCOME_BAD_OUTPUT;
    end->message = why->text;
    if (task_hears_end (task, end, err) < 0)
        return -1;
    if (task->stop == OUTCOME_NONE)
        return task_finish_failure (task, end, err);
    end->outcome = task->stop;
    error_prefix (why, "%s", task->stop_why.text);
    return task_finish (task, end, err);
}

/* Is its code one of those that the operator asks for?  Else append why not. */
static bool is_version_asked_for (const struct task *task,
                                  struct strbuf *message)
{
    const struct stage_manifest *stage = &task->element->assignment->stage;
    const char *line = task->version_line;

    if (operator_takes_version (stage->versions, line))
        return true;
    if (message->len > 0)
        strbuf_add_str (message, "; ");
    if (line)
        strbuf_addf (message, "it ran '%s', and versions: asks for", line);
    else
        strbuf_addf (message,
                     "it printed no line that begins with '%s', and versions: "
                     "asks for one with",
                     stage->version_line);
    for (const char *const *v = stage->versions; *v; v++)
        strbuf_addf (message, "%s '%s'", v > stage->versions ? " or" : "", *v);
    strbuf_addf (message,
                 "; let it run such a version, then run `fanfold retry %s`; or "
                 "change versions: of the operator, then run `fanfold redo %s`",
                 stage->place.stage, stage->place.stage);
    return false;
}

/* All commands exited with 0. */
int task_finish_commands (struct task *task, struct error *err)
{
    bool artifacts =
        outputs_have_artifacts (task->element->assignment->stage.outputs);
    struct task_end end = { .outcome = OUTCOME_OK };
    _cleanup_json_ struct json *result = NULL;
    struct error why = ERROR_INIT;
    _cleanup_ (strbuf_release) struct strbuf message = STRBUF_INIT;
    enum input_change change = end_inputs (task, &why);
    int rc = -1;

    if (change != INPUT_SAME)
        return finish_changed (task, change, &why, err);
    task_finish_log (task, &message);
    end.message = message.buf;
    task_run_note_version (task);
    if (!is_version_asked_for (task, &message))
        return task_finish_with (task, OUTCOME_FATAL, message.buf, err);

    switch (task_files_check (task, artifacts ? task_run_describe (task) : NULL,
                              &result, &why)) {
    case CHECK_OK:
        if (artifacts && task_beside_copy (task, &message, &why) < 0) {
            rc = task_give_back (task, &why, err);
        } else if (artifacts) {
            end.message = message.buf;
            rc = hand_over (task, result, &end, err);
        } else {
            end.params = result;
            rc = log_end (task, &end, err);
        }
        break;
    case CHECK_BAD_OUTPUT:
        rc = finish_bad_output (task, &end, &why, err);
        break;
    case CHECK_FAILED:
        rc = task_give_back (task, &why, err);
        break;
    }
    return rc;
}
