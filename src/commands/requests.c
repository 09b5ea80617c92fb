/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - pause, resume, cancel, retry, skip, redo, forget, reset
 *
 * The request is left where the driver finds it; when no driver runs, this
 * command does, for one step.
 */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/named_stages.h"
#include "commands/training_frames.h"
#include "engine/drive/driver.h"
#include "engine/drive/replacement.h"
#include "engine/drive/requests.h"
#include "engine/history/events.h"
#include "engine/history/journal.h"
#include "report/redo_view.h"
#include "report/request_view.h"
#include "report/status_view.h"

/* How the campaign stands when this command ends, and no driver runs. */
static struct json *standing (const struct campaign *campaign)
{
    struct json *v = campaign_standing (campaign);

    json_set (v, "state",
              json_string (status_word (&campaign->engine.state, false)));
    return v;
}

/* What became of our request: the event that carried it out or refused it. */
struct answer_to_us {
    const struct invocation *invocation;
    char id[TOKEN_LENGTH + 1];
    bool given, refused;
    struct strbuf text;   /* the reason, or what it changes */
    struct json *changes; /* what it changes; NULL: not known yet */
};

/* Tell what became of a request of this kind, or what it would do: for people
 * 'text'.  'v' gets the rest of the object that is told; its reference is taken
 * over, as that of 'changes'.
 */
static void tell (const struct invocation *invocation, bool done,
                  struct json *changes, struct json *v, const char *text)
{
    json_set (v, "request", json_string (invocation->command->name));
    json_set (v, "done", json_bool (done));
    json_set (v, "changes", changes ? changes : json_object ());
    print_reply (invocation, v, text);
    json_unref (v);
}

static void on_event (const struct json *event, void *arg)
{
    struct answer_to_us *answer = arg;

    campaign_warn_of_event (event, NULL);
    if (strcmp (json_get_string (event, "ev"), "request") != 0
        || strcmp (json_get_string (event, "id"), answer->id) != 0)
        return;
    answer->given = true;
    answer->refused = strcmp (json_get_string (event, "kind"), "refused") == 0;
    if (answer->refused)
        strbuf_add_str (&answer->text, json_get_string (event, "why"));
    else
        request_text (event, NULL, &answer->text);
    if (!answer->changes)
        answer->changes = request_changes (event);
}

static int on_journaled (const struct json *event, void *arg, struct error *err)
{
    (void)err;
    on_event (event, arg);
    return 0;
}

/* Another process drives; it looks for requests twice a second while it waits,
 * and later where it is busy.
 */
static enum exit_status await (struct campaign *campaign,
                               struct answer_to_us *answer)
{
    struct journal_position position = campaign->engine.position;
    double end_s = clock_mono_s () + 1;
    struct error err = ERROR_INIT;

    do {
        clock_sleep (0.05, stopping_flag ());
        if (journal_read (campaign->engine.dir, &position, on_journaled, answer,
                          &err)
            < 0)
            return complain (STATUS_FAILED, "%s", err.text);
    } while (!answer->given && clock_mono_s () < end_s && !*stopping_flag ());
    if (answer->refused)
        return complain (STATUS_FAILED, "%s", answer->text.buf);
    strbuf_addf (&answer->text, "%s\n",
                 answer->given ? "the driver does it now"
                               : "requested; the driver does it in its next "
                                 "step");
    tell (answer->invocation, answer->given, steal (&answer->changes),
          json_object (), answer->text.buf);
    return STATUS_DONE;
}

/* Carry it out now, if no driver does. */
static enum exit_status carry_out (struct campaign *campaign,
                                   struct answer_to_us *answer)
{
    const struct state *state = &campaign->engine.state;
    struct error err = ERROR_INIT;
    struct step step = { 0 };
    int rc = engine_take_lease (&campaign->engine, &err);

    if (rc > 0)
        return await (campaign, answer);
    if (rc < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    campaign->engine.on_event = on_event;
    campaign->engine.on_event_arg = answer;
    rc = driver_step (&campaign->engine, &step, &err);
    engine_give_lease (&campaign->engine);
    if (rc < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    if (answer->refused)
        return complain (STATUS_FAILED, "%s", answer->text.buf);
    if (step.broken && state->auto_paused)
        return complain (STATUS_FAILED, "%s: paused: %s", campaign->plan->name,
                         state->why);
    strbuf_addf (&answer->text, "%s: %s%s\n", campaign->plan->name,
                 status_word (state, false),
                 state->status == CAMPAIGN_RUNNING && !state->chained
                     ? "; `fanfold run`, or `fanfold advance` from cron, goes "
                       "on"
                     : "");
    tell (answer->invocation, true, steal (&answer->changes),
          standing (campaign), answer->text.buf);
    return step.unreachable ? campaign_unreachable (campaign, &step)
                            : STATUS_DONE;
}

/* All of a stage, and where not 'redo' asks for it of the current iteration. */
static enum exit_status check_named (const struct invocation *invocation,
                                     const struct campaign *campaign,
                                     const struct named_stages *named)
{
    int current = state_iteration (&campaign->engine.state);
    struct strbuf key = STRBUF_INIT;

    if (named->task >= 0) {
        task_key_text (named->name, named->iteration, -1, &key);
        complain (STATUS_USAGE, "%s is for a stage, not for a task; write %s",
                  invocation->command->name, key.buf);
        strbuf_release (&key);
        return STATUS_USAGE;
    }
    if (named->iteration < 0 || named->iteration == current
        || invocation->command == &redo_command)
        return STATUS_DONE;
    return complain (STATUS_USAGE,
                     "%s is for the current iteration, which is %d; to do "
                     "something of another again run `fanfold redo`",
                     invocation->command->name, current);
}

/* What args[0] names, if anything; of `forget` the plan does not have it. */
static enum exit_status read_named (const struct invocation *invocation,
                                    const struct campaign *campaign,
                                    struct named_stages *named)
{
    enum exit_status status;

    if (invocation->n_args == 0) {
        const char *text = invocation_option (invocation, "iteration");

        named->iteration = text ? parse_number ("--iteration", text) : -1;
        return text && named->iteration < 0 ? STATUS_USAGE : STATUS_DONE;
    }
    if (invocation->command == &forget_command)
        return named_stages_read (invocation, invocation->args[0], NULL, named);
    status = named_stages_find (invocation, campaign->plan, invocation->args[0],
                                NULL, named);
    return status == STATUS_DONE ? check_named (invocation, campaign, named)
                                 : status;
}

static enum exit_status request (const struct invocation *invocation,
                                 struct campaign *campaign)
{
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    enum exit_status status = read_named (invocation, campaign, &named);
    const struct request asked = {
        .kind = invocation->command->name,
        .stage = invocation->n_args > 0 ? named.name : NULL,
        .iteration = named.iteration,
        .keep_data = invocation_option (invocation, "keep-data") != NULL,
    };
    struct answer_to_us answer = { .invocation = invocation,
                                   .text = STRBUF_INIT };
    struct error err = ERROR_INIT;

    campaign->engine.stop = stopping_flag ();
    if (status == STATUS_DONE
        && request_leave (campaign->engine.dir, &asked, answer.id, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    if (status == STATUS_DONE)
        status = carry_out (campaign, &answer);
    json_unref (answer.changes);
    strbuf_release (&answer.text);
    return status;
}

static const struct command_option json_option[] = { JSON_OPTION, { 0 } };

const struct command pause_command = {
    .name = "pause",
    .options = json_option,
    .summary = "submit nothing more; what runs is followed to its end",
    .drives = true,
    .run_in = request,
};

const struct command resume_command = {
    .name = "resume",
    .options = json_option,
    .needs_valid_files = true,
    .needs_all_results = true,
    .imports_data = true,
    .summary = "go on after pause or cancel",
    .drives = true,
    .run_in = request,
};

const struct command cancel_command = {
    .name = "cancel",
    .options = json_option,
    .summary = "cancel what is queued or running, and pause",
    .drives = true,
    .run_in = request,
};

const struct command retry_command = {
    .name = "retry",
    .options = json_option,
    .needs_valid_files = true,
    .needs_all_results = true,
    .imports_data = true,
    .arguments = "[STAGE]",
    .summary = "give failed tasks their tries anew and go on",
    .max_args = 1,
    .drives = true,
    .run_in = request,
};

const struct command skip_command = {
    .name = "skip",
    .options = json_option,
    .needs_valid_files = true,
    .needs_all_results = true,
    .imports_data = true,
    .arguments = "STAGE",
    .summary = "skip a stage of this iteration and go on",
    .min_args = 1,
    .max_args = 1,
    .drives = true,
    .run_in = request,
};

/* What going back to an earlier iteration would drop. */
static enum exit_status show_redo (struct campaign *campaign,
                                   const struct named_stages *named)
{
    _cleanup_json_ struct json *event = json_object ();
    struct json *view, *v;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    const char *stage = named->name[0] ? named->name : NULL;
    int rc = replacement_of_redo (&campaign->engine, stage, named->iteration,
                                  event, &err);

    if (rc == 0) {
        view = redo_json (&campaign->engine.state, event);
        redo_text (view, &text);
        strbuf_addf (&text, "to do it: fanfold redo %s%s--iteration %d --yes\n",
                     stage ? stage : "", stage ? " " : "", named->iteration);
        v = standing (campaign);
        json_set (v, "drops", view);
        tell (campaign->files.invocation, false, request_changes (event), v,
              text.buf);
    }
    return rc < 0 ? complain (STATUS_FAILED, "%s", err.text) : STATUS_DONE;
}

static enum exit_status redo (const struct invocation *invocation,
                              struct campaign *campaign)
{
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    enum exit_status status;

    if (invocation->n_args == 0 && !invocation_option (invocation, "iteration"))
        return complain (STATUS_USAGE,
                         "redo what? name a stage, or with --iteration where "
                         "to go back to");
    status = read_named (invocation, campaign, &named);
    if (status == STATUS_DONE)
        status = named.iteration >= 0
                         && named.iteration
                                < state_iteration (&campaign->engine.state)
                         && !invocation_option (invocation, "yes")
                     ? show_redo (campaign, &named)
                     : request (invocation, campaign);
    return status;
}

static const struct command_option redo_options[] = {
    { "iteration", "N",
      "go back to this iteration (default: the current one)" },
    JSON_OPTION,
    { "yes", NULL,
      "go back to an earlier one (otherwise only tell what that would drop)" },
    { 0 },
};

const struct command redo_command = {
    .name = "redo",
    .arguments = "[STAGE]",
    .summary = "do a stage, or an iteration, again, and what depends on it",
    .needs_valid_files = true,
    .needs_all_results = true,
    .imports_data = true,
    .max_args = 1,
    .options = redo_options,
    .drives = true,
    .run_in = redo,
};

/* How many labelled frames are trained on no more without the stage (NULL:
 * without all).
 */
static int64_t frames_leaving (const struct campaign *campaign,
                               const char *stage)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int64_t frames = 0;

    if (!stage)
        return training_frames_of_campaign (&campaign->engine);
    state_meant (&campaign->engine.state, stage, &names);
    for (size_t i = 0; i < names.n; i++)
        frames += edited_files_frames (&campaign->files, &campaign->engine,
                                       names.v[i]);
    return frames;
}

/* What `forget` or `reset` would do; without --yes nothing more happens. */
static enum exit_status show (const struct invocation *invocation,
                              struct campaign *campaign)
{
    const char *stage = invocation->n_args > 0 ? invocation->args[0] : NULL;
    bool keep = invocation_option (invocation, "keep-data") != NULL;
    _cleanup_json_ struct json *event = event_new ("request", 0);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    int rc = stage
                 ? replacement_of_forget (&campaign->engine, stage, event, &err)
                 : replacement_of_reset (&campaign->engine, keep, event, &err);

    json_set (event, "kind", json_string (invocation->command->name));
    if (rc == 0) {
        json_set (event, "frames", json_int (frames_leaving (campaign, stage)));
        request_text (event, NULL, &text);
        strbuf_addf (&text, "to do it: fanfold %s%s%s%s --yes\n",
                     invocation->command->name, stage ? " " : "",
                     stage ? stage : "", keep ? " --keep-data" : "");
        tell (invocation, false, request_changes (event), standing (campaign),
              text.buf);
    }
    return rc < 0 ? complain (STATUS_FAILED, "%s", err.text) : STATUS_DONE;
}

/* What is not done by the first word. */
static enum exit_status show_or_request (const struct invocation *invocation,
                                         struct campaign *campaign)
{
    return invocation_option (invocation, "yes")
               ? request (invocation, campaign)
               : show (invocation, campaign);
}

static const struct command_option forget_options[] = {
    JSON_OPTION,
    { "yes", NULL, "do it (otherwise only tell what would be dropped)" },
    { 0 },
};

const struct command forget_command = {
    .name = "forget",
    .arguments = "STAGE",
    .summary = "drop a stage that campaign.yaml does not have any more",
    .needs_valid_files = true,
    .imports_data = true,
    .min_args = 1,
    .max_args = 1,
    .options = forget_options,
    .drives = true,
    .run_in = show_or_request,
};

static const struct command_option reset_options[] = {
    JSON_OPTION,
    { "keep-data", NULL, "keep the labelled data, as initial data" },
    { "yes", NULL, "do it (otherwise only tell what would be moved)" },
    { 0 },
};

const struct command reset_command = {
    .name = "reset",
    .summary = "begin the campaign again, from nothing",
    .needs_valid_files = true,
    .imports_data = true,
    .options = reset_options,
    .drives = true,
    .run_in = show_or_request,
};
