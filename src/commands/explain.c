/* SPDX-License-Identifier: BSD-3-Clause */
/* explain.c - tell why a stage or a task has the state it has
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/explain_file.h"
#include "commands/explain_record.h"
#include "commands/named_stages.h"
#include "commands/what_if.h"
#include "engine/observe/observe.h"

/* '*record': of one stage, or of a task; untouched but for STATUS_DONE. */
static enum exit_status find_record (struct campaign *campaign,
                                     const struct stage *stage, int iteration,
                                     int task, struct json **record)
{
    _cleanup_ (observations_release) struct observations observations = { 0 };
    const struct attempt_logs *logs;
    struct error err = ERROR_INIT;
    struct json *found;
    enum exit_status status = campaign_stage_logs (
        campaign, stage->name, iteration, &observations, &logs);

    if (status != STATUS_DONE)
        return status;
    found = explain_record (campaign, stage, iteration, logs, task, &err);
    if (!found)
        return complain (STATUS_FAILED, "%s", err.text);
    *record = found;
    return STATUS_DONE;
}

/* Of a stage with steps: what these are, and then each of them. */
static void steps_text (const struct json *view, struct strbuf *out)
{
    const struct json *steps = json_get (view, "steps");

    strbuf_addf (out, "%s (%s) has the steps", json_get_string (view, "stage"),
                 json_get_string (view, "operator"));
    for (size_t i = 0; i < json_count (steps); i++)
        strbuf_addf (out, "%s %s", i > 0 ? "," : "",
                     json_get_string (json_at (steps, i), "stage"));
    strbuf_add_char (out, '\n');
    for (size_t i = 0; i < json_count (steps); i++) {
        strbuf_add_char (out, '\n');
        explain_text (json_at (steps, i), out);
    }
}

static enum exit_status find_steps (struct campaign *campaign,
                                    const struct named_stages *named,
                                    int iteration, struct json *view)
{
    enum exit_status status = STATUS_DONE;
    struct json *steps = json_array (), *step = NULL;

    json_set (view, "stage", json_string (named->name));
    json_set (view, "iteration", json_int (iteration));
    json_set (view, "operator", json_string (named->family->op->name));
    json_set (view, "steps", steps);
    for (size_t i = 0; status == STATUS_DONE && i < named->n; i++) {
        status = find_record (campaign, named->v[i], iteration, -1, &step);
        if (status == STATUS_DONE)
            json_push (steps, step);
    }
    return status;
}

static enum exit_status tell (const struct invocation *invocation,
                              struct campaign *campaign,
                              const struct named_stages *named, int iteration)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_json_ struct json *view = NULL;
    enum exit_status status;

    if (named->family) {
        view = json_object ();
        status = find_steps (campaign, named, iteration, view);
    } else
        status =
            find_record (campaign, named->v[0], iteration, named->task, &view);
    if (status != STATUS_DONE)
        return status;
    (named->family ? steps_text : explain_text) (view, &text);
    json_set (view, "format", json_int (1));
    print_reply (invocation, view, text.buf);
    return STATUS_DONE;
}

static enum exit_status explain (const struct invocation *invocation,
                                 struct campaign *campaign)
{
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    const char *frame = invocation_option (invocation, "frame");
    _cleanup_free_ char *path =
        explain_file_path (campaign, invocation->args[0]);
    int iteration;
    enum exit_status status;

    if (path)
        return explain_file (campaign, path,
                             invocation_option (invocation, "json") != NULL);
    status = named_stages_find (
        invocation, campaign->plan, invocation->args[0],
        invocation->n_args > 1 ? invocation->args[1] : NULL, &named);
    if (status == STATUS_DONE)
        status = named_iteration (campaign, &named, &iteration);
    if (status == STATUS_DONE && frame && !named_stage (&named))
        status = STATUS_USAGE;
    if (status != STATUS_DONE)
        return status;
    return frame ? explain_frame (invocation, campaign, named.v[0], iteration,
                                  frame)
                 : tell (invocation, campaign, &named, iteration);
}

static const struct command_option options[] = {
    { "iteration", "N", "look at this iteration (default: the current one)" },
    { "frame", "TASK:STEP",
      "tell why a stage that selects took this frame, or did not" },
    { "json", NULL, "print it as JSON" },
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
