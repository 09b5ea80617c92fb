/* SPDX-License-Identifier: BSD-3-Clause */
/* status.c - where the campaign stands */
#include "config.h"

#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "engine/observe/observe.h"
#include "report/status_view.h"
#include "space/lease.h"

static enum exit_status status (const struct invocation *invocation,
                                struct campaign *campaign)
{
    struct observations observations = { 0 };
    struct lease_holder holder = { 0 };
    enum exit_status result = STATUS_DONE;
    struct error err = ERROR_INIT;
    struct strbuf text = STRBUF_INIT;
    struct json *view = NULL;

    if (lease_peek (campaign->engine.dir, &holder, &err) < 0
        || observe_logs (&campaign->engine, &observations, &err) < 0)
        result = complain (STATUS_FAILED, "%s", err.text);
    else
        view = status_json (&campaign->engine, &observations, &holder);
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
    { 0 },
};

const struct command status_command = {
    .name = "status",
    .summary = "where the campaign stands, and who drives it",
    .options = options,
    .run_in = status,
};
