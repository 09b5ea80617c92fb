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

static enum exit_status status (const struct invocation *invocation)
{
    struct campaign campaign;
    struct observations observations = { 0 };
    struct lease_holder holder = { 0 };
    struct error err = ERROR_INIT;
    struct strbuf text = STRBUF_INIT;
    struct json *view = NULL;
    enum exit_status result = campaign_open (invocation, &campaign);

    if (result != STATUS_DONE)
        return result;
    if (lease_peek (campaign.plan->dir, &holder, &err) < 0
        || observe_logs (&campaign.engine, &observations, &err) < 0) {
        result = complain (STATUS_FAILED, "%s", err.text);
        goto done;
    }
    view = status_json (&campaign.engine, &observations, &holder);
    if (invocation_option (invocation, "json")) {
        print_json (view);
    } else {
        status_text (view, &text);
        fputs (text.buf, stdout);
    }
done:
    json_unref (view);
    strbuf_release (&text);
    observations_release (&observations);
    campaign_close (&campaign);
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
    .arguments = "",
    .summary = "where the campaign stands, and who drives it",
    .options = options,
    .run = status,
};
