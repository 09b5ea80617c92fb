/* SPDX-License-Identifier: BSD-3-Clause */
/* call_drive.c - bringing a call of a function to its end, and its result */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "calls/call_space.h"
#include "campaign/plan.h"
#include "commands/call_drive.h"
#include "commands/campaign.h"
#include "commands/foreground.h"
#include "commands/result_print.h"
#include "commands/task_record.h"
#include "engine/drive/driver.h"
#include "engine/history/call_result.h"
#include "engine/history/engine.h"
#include "signature/operator.h"
#include "space/layout.h"

static const double soonest_s = 0.05;
static const double latest_s = 2;

/* --- the call's campaign --- */

struct opened {
    struct invocation invocation;
    struct campaign campaign;
    char *dir;
};

/* Not STATUS_DONE: it has complained, and there is nothing to close. */
static enum exit_status open_call (const struct call_place *place,
                                   struct opened *call)
{
    enum exit_status status;

    *call = (struct opened){ .invocation = *place->invocation };
    call->dir =
        call_dir (place->invocation->dir, place->function, place->number);
    call->invocation.dir = call->dir;
    call->invocation.command = &run_command;
    call->invocation.n_options = 0;
    status = campaign_open (&call->invocation, &call->campaign);
    if (status != STATUS_DONE)
        free (call->dir);
    return status;
}

static void close_call (struct opened *call)
{
    campaign_close (&call->campaign);
    free (call->dir);
}

/* --- how it stands --- */

/* Nothing is left that anybody could drive. */
static bool is_over (const struct opened *call)
{
    const struct state *state = &call->campaign.engine.state;
    const struct call *what = call->campaign.plan->call;

    return state->status == CAMPAIGN_FAILED
           || (state->status == CAMPAIGN_DONE
               && (!what || !what->then || state->then.status == THEN_DONE));
}

static enum exit_status tell_failure (const struct call_place *place,
                                      const struct opened *call)
{
    const struct state *state = &call->campaign.engine.state;
    const struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;
    bool paused = state->status == CAMPAIGN_PAUSED;
    const char *stage = place->function;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "call %d of '%s' %s", place->number, place->function,
                 paused ? "is paused" : "failed");
    if (state->why)
        strbuf_addf (&text, ": %s", state->why);
    for (size_t i = 0; it && i < it->n_stages; i++) {
        if (it->stages[i].status != STAGE_FAILED)
            continue;
        stage = it->stages[i].name;
        task_record_add_failure (&call->campaign.engine, &it->stages[i], &text);
    }
    complain (STATUS_FAILED,
              "%s; see `fanfold -C %s log %s --failed`, fix it, then run "
              "`fanfold -C %s %s` and `fanfold result %s --call %d --wait`",
              text.buf, call->dir, stage, call->dir,
              paused ? "resume" : "retry", place->function, place->number);
    return STATUS_FAILED;
}

/* What `then:` came to undoes nothing. */
static void tell_then (const struct call_place *place,
                       const struct opened *call)
{
    const struct then_state *then = &call->campaign.engine.state.then;

    if (then->status == THEN_FAILED)
        complain (STATUS_DONE,
                  "warning: call %d of '%s' is done, but what is to be run "
                  "then failed: %s; fix it, then run `fanfold result %s --call "
                  "%d`, which runs it again",
                  place->number, place->function, then->why, place->function,
                  place->number);
}

static enum exit_status not_yet (const struct call_place *place)
{
    return complain (STATUS_UNREACHABLE,
                     "call %d of '%s' has no result yet; `fanfold result %s "
                     "--call %d --wait` waits for it",
                     place->number, place->function, place->function,
                     place->number);
}

static enum exit_status interrupted (const struct call_place *place)
{
    return complain (STATUS_INTERRUPTED,
                     "interrupted; what was submitted runs on, and `fanfold "
                     "result %s --call %d --wait` goes on from here",
                     place->function, place->number);
}

/* After a driver drove as far as it was to be driven. */
static enum exit_status judge (const struct call_place *place,
                               const struct opened *call)
{
    const struct state *state = &call->campaign.engine.state;

    if (state->status == CAMPAIGN_RUNNING)
        return STATUS_UNREACHABLE;
    if (state->status != CAMPAIGN_DONE)
        return tell_failure (place, call);
    tell_then (place, call);
    return STATUS_DONE;
}

/* --- to drive --- */

/* Another drives: wait a little, and look again. */
static enum exit_status look_again (struct opened *call, double *wait_s,
                                    double end_s)
{
    struct engine *engine = &call->campaign.engine;
    struct error err = ERROR_INIT;

    engine->stop = stopping_flag ();
    clock_sleep (fmin (*wait_s, fmax (end_s - clock_mono_s (), 0)),
                 (const int *)engine->stop);
    *wait_s = fmin (*wait_s * 1.5, latest_s);
    if (engine_look (engine, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    return STATUS_DONE;
}

static enum exit_status drive_to_end (const struct call_place *place,
                                      struct opened *call, double timeout_s)
{
    const double end_s = clock_mono_s () + timeout_s;
    FILE *to = isatty (STDERR_FILENO) ? stderr : NULL;
    double wait_s = soonest_s;
    enum exit_status status = STATUS_BUSY;

    while (status == STATUS_BUSY && !is_over (call)) {
        status = foreground_drive (&call->campaign, to, STDERR_FILENO,
                                   isinf (timeout_s) ? 0 : end_s, true);
        if (status == STATUS_BUSY
            && look_again (call, &wait_s, end_s) != STATUS_DONE)
            return STATUS_FAILED;
        if (*call->campaign.engine.stop)
            return interrupted (place);
        if (status == STATUS_BUSY && clock_mono_s () >= end_s)
            return not_yet (place);
    }
    if (status != STATUS_DONE && !is_over (call))
        return status;
    status = judge (place, call);
    return status == STATUS_UNREACHABLE ? not_yet (place) : status;
}

/* One step, unless another drives. */
static enum exit_status take_step (const struct call_place *place,
                                   struct opened *call)
{
    struct engine *engine = &call->campaign.engine;
    struct step step = { 0 };
    struct error err = ERROR_INIT;
    enum exit_status status;

    engine->stop = stopping_flag ();
    if (is_over (call))
        return judge (place, call);
    status = campaign_drive (&call->campaign, true);
    if (status == STATUS_BUSY)
        return STATUS_UNREACHABLE;
    if (status != STATUS_DONE)
        return status;
    if (driver_step (engine, &step, &err) < 0)
        return campaign_gave_up (&call->campaign, &err);
    engine_give_lease (engine);
    if (step.unreachable)
        campaign_unreachable (&call->campaign, &step);
    return judge (place, call);
}

enum exit_status call_drive (const struct call_place *place, enum call_go go,
                             double timeout_s)
{
    struct opened call;
    enum exit_status status = open_call (place, &call);

    if (status != STATUS_DONE)
        return status;
    status = go == CALL_END ? drive_to_end (place, &call, timeout_s)
                            : take_step (place, &call);
    if (go == CALL_STEP && status == STATUS_UNREACHABLE)
        not_yet (place);
    close_call (&call);
    return status;
}

/* --- the result --- */

enum exit_status call_print_result (const struct call_place *place,
                                    const char *output, bool typed)
{
    struct opened call;
    enum exit_status status = open_call (place, &call);
    const struct operator_spec *op;
    struct json *outputs, *result;
    struct error err = ERROR_INIT;

    if (status != STATUS_DONE)
        return status;
    op = plan_call_operator (call.campaign.plan);
    outputs = call_outputs (
        &call.campaign.engine, place->function,
        plan_family_find (call.campaign.plan, place->function), &err);
    if (!outputs || !op) {
        status =
            complain (STATUS_FAILED, "%s",
                      outputs ? "its campaign.yaml lacks its stage" : err.text);
    } else {
        result = call_result (op, outputs, place->function, place->number);
        status = result_print (op, result, output, typed);
        json_unref (result);
    }
    json_unref (outputs);
    close_call (&call);
    return status;
}
