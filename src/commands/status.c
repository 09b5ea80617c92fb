/* SPDX-License-Identifier: BSD-3-Clause */
/* status.c - where the campaign stands */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/task_record.h"
#include "engine/observe/observe.h"
#include "report/status_view.h"
#include "space/layout.h"
#include "space/lease.h"

/* A request that replaced results: one line. */
static int list_replacement (const struct json *event, void *arg,
                             struct error *err)
{
    const struct json *number = json_get (event, "number");
    struct strbuf dir = STRBUF_INIT;
    char when[CLOCK_ISO_SIZE];

    (void)arg;
    (void)err;
    if (!number || strcmp (json_get_string (event, "ev"), "request") != 0)
        return 0;
    clock_iso (json_get_double (event, "now_s"), when);
    layout_replaced_dir ((int)json_as_int (number), &dir);
    printf ("%s  %s  %s %s, back to iteration %lld: %zu directories\n", dir.buf,
            when, json_get_string (event, "kind"),
            json_get (event, "stage") ? json_get_string (event, "stage")
                                      : "(all stages)",
            (long long)json_get_int (event, "to"),
            json_count (json_get (event, "moves")));
    strbuf_release (&dir);
    return 0;
}

static enum exit_status list_replaced (const struct campaign *campaign)
{
    struct journal_position position = { 0 };
    struct error err = ERROR_INIT;

    if (journal_read (campaign->engine.dir, &position, list_replacement, NULL,
                      &err)
        < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    return STATUS_DONE;
}

/* What the agent logged of its end: how, and the last line of its output. */
static void tell_failure (const struct campaign *campaign,
                          const struct stage_place *place, struct json *failure)
{
    struct task_record record = TASK_RECORD_INIT;
    const char *message;

    if (task_record_find (campaign->engine.dir, place,
                          (int)json_get_int (failure, "task"), 0, &record, NULL)
            == 0
        && record.end) {
        message = json_get_string (record.end, "message");
        json_set (failure, "said", json_string (message));
    }
    task_record_release (&record);
}

static void tell_failures (const struct campaign *campaign,
                           const struct json *view)
{
    const struct json *stages = json_get (view, "stages");

    for (size_t i = 0; i < json_count (stages); i++) {
        const struct json *stage = json_at (stages, i);
        const struct json *failures = json_get (stage, "failures");
        const char *name = json_get_string (stage, "name");
        const int iteration = (int)json_get_int (stage, "iteration");
        const struct stage_place place =
            state_place (&campaign->engine.state, iteration, name, "");

        for (size_t f = 0; f < json_count (failures); f++)
            tell_failure (campaign, &place, json_at (failures, f));
    }
}

static enum exit_status status (const struct invocation *invocation,
                                struct campaign *campaign)
{
    struct observations observations = { 0 };
    struct lease_holder holder = { 0 };
    enum exit_status result = STATUS_DONE;
    struct error err = ERROR_INIT;
    struct strbuf text = STRBUF_INIT;
    struct json *view = NULL;

    if (invocation_option (invocation, "replaced"))
        return list_replaced (campaign);
    if (lease_peek (campaign->engine.dir, &holder, &err) < 0
        || observe_logs (&campaign->engine, &observations, &err) < 0)
        result = complain (STATUS_FAILED, "%s", err.text);
    else
        view = status_json (&campaign->engine, &observations, &holder);
    if (view)
        tell_failures (campaign, view);
    if (view && invocation_option (invocation, "json")) {
        print_json (view);
    } else if (view) {
        status_text (view, &text);
        fputs (text.buf, stdout);
    }
    json_unref (view);
    strbuf_release (&text);
    observations_release (&observations);
    return result;
}

static const struct command_option options[] = {
    { "json", NULL,
      "print {\"campaign\", \"state\", \"iteration\", "
      "\"stages\", \"history\", ...}" },
    { "replaced", NULL, "list what was replaced (see redo), and where it is" },
    { 0 },
};

const struct command status_command = {
    .name = "status",
    .summary = "show where the campaign stands, and who drives it",
    .options = options,
    .run_in = status,
};
