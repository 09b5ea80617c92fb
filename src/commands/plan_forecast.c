/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_forecast.c - `plan --simulate`: what the rest of a campaign may take */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/plan_forecast.h"
#include "report/forecast_view.h"
#include "report/queue_waits.h"

enum { PLAYS_DEFAULT = 200, PLAYS_MOST = 100000 };

static enum exit_status read_plays (const struct invocation *invocation,
                                    int *plays)
{
    const char *text = invocation_option (invocation, "seeds");

    *plays = text ? parse_number ("--seeds", text) : PLAYS_DEFAULT;
    if (*plays < 0)
        return STATUS_USAGE;
    if (*plays == 0 || *plays > PLAYS_MOST)
        return complain (STATUS_USAGE, "--seeds: write a number from 1 to %d",
                         PLAYS_MOST);
    return STATUS_DONE;
}

enum exit_status plan_forecast (const struct invocation *invocation,
                                const struct campaign *campaign,
                                const struct plan_site *sites,
                                const struct json *view)
{
    const struct engine *engine = &campaign->engine;
    const char *assumed = invocation_option (invocation, "assume");
    _cleanup_json_ struct json *assume = NULL;
    _cleanup_json_ struct json *forecast = NULL;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *queues;
    struct error err = ERROR_INIT;
    int plays;
    enum exit_status status = read_plays (invocation, &plays);

    if (status != STATUS_DONE)
        return status;
    assume = forecast_assume (engine->plan, assumed ? assumed : "", &err);
    if (!assume)
        return complain (STATUS_USAGE, "--assume: %s", err.text);
    queues = queue_waits_json (engine, &err);
    if (!queues)
        return complain (STATUS_FAILED, "%s", err.text);
    forecast = forecast_json (engine->plan, &engine->state, sites, view, assume,
                              plays);
    json_set (forecast, "campaign", json_string (engine->plan->name));
    json_set (forecast, "queues", queues);
    forecast_text (forecast, &text);
    queue_waits_text (queues, &text);
    print_reply (invocation, forecast, text.buf);
    return STATUS_DONE;
}
