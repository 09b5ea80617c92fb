/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.c - tell why a stage or a task has the state it has
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/explain_events.h"
#include "commands/explain_file.h"
#include "commands/explain_try.h"
#include "commands/named_stages.h"
#include "commands/taken_log.h"
#include "commands/task_output.h"
#include "commands/task_record.h"
#include "commands/what_if.h"
#include "engine/history/removal.h"
#include "engine/observe/observe.h"
#include "report/group_view.h"
#include "report/inputs_view.h"
#include "report/reuse_view.h"
#include "report/status_view.h"
#include "report/task_watch.h"
#include "signature/outputs.h"
#include "space/layout.h"

/* Where the newest try worked, while that is there: it is kept when the try
 * did not end well.  Else NULL, or caller frees.
 */
static char *kept_work_dir (const struct campaign *campaign,
                            const struct task_record *record, int task)
{
    size_t prefix = strlen (campaign->plan->dir) + 1;
    _cleanup_free_ char *path = task_output_work_dir (record, task);
    char *kept = file_exists (path) ? xstrdup (path + prefix) : NULL;

    return kept;
}

/* How the newest try went; the caller frees what is returned, as of
 * kept_work_dir.
 */
static char *tell_try (const struct campaign *campaign, const char *stage,
                       int iteration, int task)
{
    char *work_dir = NULL;
    _cleanup_ (task_record_release) struct task_record record =
        TASK_RECORD_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    if (task_record_find (&campaign->engine, iteration, stage, task, 0, &record,
                          &err)
        < 0)
        printf ("newest try: not known, %s\n", err.text);
    explain_try (&record, &text);
    fputs (text.buf, stdout);
    if (record.start)
        work_dir = kept_work_dir (campaign, &record, task);
    return work_dir;
}

static bool is_prepared (const struct stage_state *state)
{
    return state && state->status != STAGE_WAITING
           && state->status != STAGE_SKIPPED;
}

static void tell_operator (const struct json *manifest)
{
    if (json_get (manifest, "operator"))
        printf ("operator: %s", json_get_string (manifest, "operator"));
    if (json_get (manifest, "version"))
        printf (", version %" PRId64,
                json_as_int (json_get (manifest, "version")));
    if (json_get (manifest, "operator"))
        putchar ('\n');
}

/* What it was prepared with: the file may have been edited since. */
static void tell_definition (const struct stage_state *state,
                             const struct json *manifest, int iteration)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

    if (!is_prepared (state))
        return;
    tell_operator (manifest);
    layout_config_file (iteration, state->config, &path);
    printf ("definition: %s\n", path.buf);
}

/* Where a person should look next.  'work_dir': where the task's newest try
 * works or failed; NULL: it is not kept.
 */
static void tell_places (const struct campaign *campaign,
                         const struct stage *stage,
                         const struct stage_state *state, int iteration,
                         int task, const char *work_dir)
{
    _cleanup_ (strbuf_release) struct strbuf run = STRBUF_INIT;
    char *dir;

    if (work_dir)
        printf ("task directory: %s\n", work_dir);
    else if (task >= 0 && outputs_have_artifacts (stage->op->outputs)) {
        dir = state_task_dir (&campaign->engine.state, iteration, stage->name,
                              task);
        printf ("task directory: %s\n", dir);
        free (dir);
    }
    if (task >= 0)
        printf ("output: fanfold log %s %d --iteration %d\n", stage->name, task,
                iteration);
    layout_run (state ? state->generation : 0, &run);
    printf ("run files%s: %s\n",
            state && state->by_outcome[OUTCOME_OK] < state->n_tasks
                ? " (failed tasks' working directories)"
                : "",
            run.buf);
}

static void tell_task (const struct stage_state *state,
                       const struct attempt_logs *logs, int32_t task)
{
    const struct json *checkpoint = status_checkpoint (state, task);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int tries;
    const char *word = task_standing (state, logs, task, &tries);

    printf ("task %d: %s, %d %s\n", task, word, tries,
            tries == 1 ? "try" : "tries");
    if (checkpoint) {
        checkpoint_text (checkpoint, &text);
        printf ("continues from a checkpoint of %s\n", text.buf);
    }
}

/* What it made and is there no more. */
static void tell_removed (const struct stage_state *state, int iteration)
{
    JSON_FOREACH (state ? state->removed : NULL, it) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        removal_text (json_iter_value (it), &text);
        if (removal_is_of_raw (json_iter_value (it)))
            printf ("raw files: %s\n", text.buf);
        else
            printf (
                "output '%s': %s; `fanfold redo %s --iteration %d` makes it "
                "again\n",
                json_iter_key (it), text.buf, state->name, iteration);
    }
}

/* Of a task that did not run here; its number there where its files tell. */
static void tell_origin (const struct campaign *campaign,
                         const struct stage_state *state, int iteration,
                         int task)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    taken_origin_text (&campaign->engine, state, iteration, task, &text);
    printf ("reused: %s\n", text.buf);
}

static void tell_group (const struct stage *stage)
{
    _cleanup_json_ struct json *view = group_view_json (stage->group);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    group_view_text (view, &text);
    fputs (text.buf, stdout);
}

static void tell_inputs (const struct campaign *campaign,
                         const struct stage *stage, const struct json *manifest)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    inputs_text (campaign->plan, stage, json_get (manifest, "values"), &text);
    fputs (text.buf, stdout);
}

/* 'logs': of the open attempt; NULL: there is none. */
static enum exit_status tell_known (struct campaign *campaign,
                                    const struct stage *stage, int iteration,
                                    const struct attempt_logs *logs, int task)
{
    struct error err = ERROR_INIT;
    const struct stage_state *state =
        state_stage (&campaign->engine.state, iteration, stage->name);
    const struct json *origin = NULL;
    struct json *manifest;
    _cleanup_free_ char *work_dir = NULL;

    if (task >= 0 && (!state || task >= state->n_tasks))
        return complain (STATUS_FAILED,
                         "stage '%s' has %d tasks in iteration %d", stage->name,
                         state ? state->n_tasks : 0, iteration);
    printf ("%s, iteration %d: %s\n", stage->name, iteration,
            stage_status_name (state ? state->status : STAGE_WAITING));
    if (task >= 0)
        tell_task (state, logs, task);
    tell_removed (state, iteration);
    if (state && state->unsteady)
        printf ("unsteady: %s%s\n", state->unsteady,
                state->status == STAGE_DONE ? UNSTEADY_MEANS : "");
    if (task >= 0 && (origin = reused_origin_of (state, task)))
        tell_origin (campaign, state, iteration, task);
    manifest = is_prepared (state)
                   ? engine_stage_file (&campaign->engine, iteration,
                                        stage->name, LAYOUT_STAGE_MANIFEST)
                   : NULL;
    tell_definition (state, manifest, iteration);
    tell_group (stage);
    if (task < 0)
        tell_inputs (campaign, stage, manifest);
    json_unref (manifest);
    if (explain_events (&campaign->engine, stage, iteration, task, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    if (task >= 0 && !origin)
        work_dir = tell_try (campaign, stage->name, iteration, task);
    tell_places (campaign, stage, state, iteration, task, work_dir);
    return STATUS_DONE;
}

static enum exit_status tell_all (struct campaign *campaign,
                                  const struct stage *stage, int iteration,
                                  int task)
{
    _cleanup_ (observations_release) struct observations observations = { 0 };
    const struct attempt_logs *logs;
    enum exit_status status = campaign_stage_logs (
        campaign, stage->name, iteration, &observations, &logs);

    if (status == STATUS_DONE)
        status = tell_known (campaign, stage, iteration, logs, task);
    return status;
}

/* Of a stage with steps: what these are, and then each of them. */
static enum exit_status tell_steps (struct campaign *campaign,
                                    const struct named_stages *named,
                                    int iteration)
{
    enum exit_status status = STATUS_DONE;
    struct strbuf text = STRBUF_INIT;

    named_stages_text (named, &text);
    printf ("%s (%s) has the steps %s\n", named->name, named->family->op->name,
            text.buf);
    strbuf_release (&text);
    for (size_t i = 0; status == STATUS_DONE && i < named->n; i++) {
        putchar ('\n');
        status = tell_all (campaign, named->v[i], iteration, -1);
    }
    return status;
}

static enum exit_status tell (const struct invocation *invocation,
                              struct campaign *campaign,
                              const struct named_stages *named, int iteration)
{
    const char *frame = invocation_option (invocation, "frame");
    const struct stage *stage;

    if (named->family && !frame)
        return tell_steps (campaign, named, iteration);
    if (!(stage = named_stage (named)))
        return STATUS_USAGE;
    return frame ? explain_frame (invocation, campaign, stage, iteration, frame)
                 : tell_all (campaign, stage, iteration, named->task);
}

static enum exit_status explain (const struct invocation *invocation,
                                 struct campaign *campaign)
{
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    bool json = invocation_option (invocation, "json") != NULL;
    char *path = explain_file_path (campaign, invocation->args[0]);
    int iteration;
    enum exit_status status;

    if (path) {
        status = explain_file (campaign, path, json);
        free (path);
        return status;
    }
    if (json)
        return complain (STATUS_USAGE,
                         "--json is for a file of the campaign, and '%s' is "
                         "none; write it with a slash, such as ./NAME",
                         invocation->args[0]);
    status = named_stages_find (
        invocation, campaign->plan, invocation->args[0],
        invocation->n_args > 1 ? invocation->args[1] : NULL, &named);
    if (status == STATUS_DONE)
        status = named_iteration (campaign, &named, &iteration);
    if (status == STATUS_DONE)
        status = tell (invocation, campaign, &named, iteration);
    return status;
}

static const struct command_option options[] = {
    { "iteration", "N", "look at this iteration (default: the current one)" },
    { "frame", "TASK:STEP",
      "tell why a stage that selects took this frame, or did not" },
    { "json", NULL, "print the chain behind FILE as JSON" },
    WHAT_IF_SET,
    { 0 },
};

const struct command explain_command = {
    .name = "explain",
    .arguments = "STAGE [TASK] | FILE",
    .summary =
        "tell why a stage or a task has the state it has, or what a file "
        "was made from",
    .min_args = 1,
    .max_args = 2,
    .pages = true,
    .options = options,
    .run_in = explain,
};
