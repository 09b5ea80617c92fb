/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - compile and show what would run; submit nothing */
#include "base/base.h"

#include "base/json.h"
#include "calls/functions_view.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/named_stages.h"
#include "commands/plan_forecast.h"
#include "commands/plan_node.h"
#include "engine/drive/redo_inputs.h"
#include "engine/drive/replacement.h"
#include "engine/observe/scheduler_access.h"
#include "report/plan_view.h"
#include "report/redo_view.h"
#include "report/reuse_view.h"

/* Of a stage with steps: the scripts of all, one after the other. */
static enum exit_status print_script (const struct invocation *invocation,
                                      const struct plan *plan,
                                      const struct json *view, const char *text)
{
    const struct json *stages = json_get (view, "stages");
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    enum exit_status status =
        named_stages_find (invocation, plan, text, NULL, &named);
    _cleanup_ (strbuf_release) struct strbuf script = STRBUF_INIT;
    _cleanup_json_ struct json *v = json_object ();

    for (size_t i = 0; status == STATUS_DONE && i < json_count (stages); i++) {
        const struct json *s = json_at (stages, i);
        const char *name = json_get_string (s, "name");

        if (named.family ? stage_is_of (name, named.name)
                         : strcmp (name, named.name) == 0)
            strbuf_add_str (&script, json_get_string (s, "script"));
    }
    print_unwrapped ();
    json_set (v, "script", json_string (script.buf));
    if (status == STATUS_DONE)
        print_reply (invocation, v, script.buf);
    return status;
}

/* What the schedulers of all profiles that stages run with allow.  What runs
 * here has no limits but the profile's.
 */
static struct plan_site *ask_sites (struct campaign *campaign)
{
    const struct plan *plan = campaign->plan;
    struct plan_site *sites = xcalloc (plan->n_profiles + 1, sizeof (*sites));
    _cleanup_free_ bool *asked =
        xcalloc (plan->n_profiles + 1, sizeof (*asked));

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct profile *profile = plan->stages[i].profile;
        size_t p = (size_t)(profile - plan->profiles);
        struct error err = ERROR_INIT;
        struct scheduler scheduler;
        const struct scheduler_adapter *adapter =
            engine_scheduler (&campaign->engine, profile, &scheduler);

        if (asked[p] || !adapter->commands)
            continue;
        asked[p] = true;
        if (campaign->engine.state.n == 0)
            scheduler.cache_dir = NULL; /* nothing is made for a plan */
        if (adapter->limits (&scheduler, &sites[p].limits, &err) != ANSWER_OK)
            sites[p].silent = xstrdup (err.text);
    }
    return sites;
}

/* Once for each scheduler that does not tell. */
static void print_silent (const struct campaign *campaign,
                          const struct plan_site *sites)
{
    for (size_t p = 0; p < campaign->plan->n_profiles; p++) {
        const struct profile *profile = &campaign->plan->profiles[p];

        if (sites[p].silent)
            printf ("the scheduler of profile '%s' (%s) does not tell its "
                    "limits, arrays are made by the profile's alone: %s\n",
                    profile->name, profile->scheduler, sites[p].silent);
    }
}

static void free_sites (const struct campaign *campaign,
                        struct plan_site *sites)
{
    for (size_t p = 0; p < campaign->plan->n_profiles; p++)
        free (sites[p].silent);
    free (sites);
}

/* What cannot run, since `keep:` let its input go before the file was edited.
 */
static void print_removed (struct mark mark, const char *text, void *unused)
{
    (void)mark;
    (void)unused;
    puts (text);
}

static enum exit_status show (const struct invocation *invocation,
                              struct campaign *campaign)
{
    struct plan_site *sites = ask_sites (campaign);
    struct json *view = plan_json (campaign->plan, &campaign->engine.state,
                                   sites, invocation->program);
    struct strbuf text = STRBUF_INIT;
    const char *script = invocation_option (invocation, "script");
    const bool simulate = invocation_option (invocation, "simulate") != NULL;
    enum exit_status status = STATUS_DONE;

    json_set (view, "functions",
              functions_json (engine_newest_plan (&campaign->engine)));
    if (!script && !simulate)
        plan_add_reuse (&campaign->engine, view);
    if (simulate) {
        status = plan_forecast (invocation, campaign, sites, view);
    } else if (script) {
        status = print_script (invocation, campaign->plan, view, script);
    } else if (invocation_option (invocation, "json")) {
        print_json (view);
    } else {
        plan_text (view, &text);
        functions_text (json_get (view, "functions"), &text);
        fputs (text.buf, stdout);
        print_silent (campaign, sites);
        removed_inputs_each (campaign->plan, &campaign->engine.state,
                             print_removed, NULL);
    }
    strbuf_release (&text);
    json_unref (view);
    free_sites (campaign, sites);
    return status;
}

/* What `fanfold redo` would do; "" is all of an iteration. */
static enum exit_status show_redo (const struct invocation *invocation,
                                   struct campaign *campaign, const char *stage)
{
    _cleanup_json_ struct json *replacement = json_object ();
    _cleanup_json_ struct json *view = NULL;
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;
    int iteration;

    if (stage[0])
        status =
            named_stages_find (invocation, campaign->plan, stage, NULL, &named);
    if (status == STATUS_DONE)
        status = stage[0]
                     ? named_iteration (campaign, &named, &iteration)
                     : campaign_iteration (campaign, invocation, &iteration);
    if (status == STATUS_DONE
        && replacement_of_redo (&campaign->engine, stage[0] ? named.name : NULL,
                                iteration, replacement, &err)
               < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    if (status == STATUS_DONE)
        view = redo_json (&campaign->engine.state, replacement);
    if (view && invocation_option (invocation, "json")) {
        print_json (view);
    } else if (view) {
        redo_text (view, &text);
        fputs (text.buf, stdout);
    }
    return status;
}

static enum exit_status plan (const struct invocation *invocation)
{
    const char *redo = invocation_option (invocation, "redo");
    struct campaign campaign;
    enum exit_status status;

    if (invocation_option (invocation, "node"))
        return plan_node (invocation);
    if (!invocation_option (invocation, "simulate")
        && (invocation_option (invocation, "seeds")
            || invocation_option (invocation, "assume")))
        return complain (STATUS_USAGE,
                         "--seeds and --assume go with --simulate");
    if (invocation_option (invocation, "simulate")
        && (redo || invocation_option (invocation, "script")))
        return complain (STATUS_USAGE,
                         "--simulate goes with --json, --seeds and --assume");
    status = campaign_open (invocation, &campaign);
    if (status == STATUS_DONE)
        status = redo ? show_redo (invocation, &campaign, redo)
                      : show (invocation, &campaign);
    campaign_close (&campaign);
    return status;
}

static const struct command_option options[] = {
    { "json", NULL, "print everything as JSON" },
    { "script", "STAGE", "print only the job script of this stage" },
    { "redo", "STAGE",
      "tell what `fanfold redo STAGE` would do again ('': all of it)" },
    { "iteration", "N",
      "with --redo: go back to this one (default: the current one)" },
    { "simulate", NULL,
      "tell what time and node-hours the rest of the campaign may take" },
    { "seeds", "N", "with --simulate: play it so often (default: 200)" },
    { "assume", "TIMES",
      "with --simulate: tasks take so long, such as train=2h,label=20m*40" },
    { "node", "FILE",
      "place tasks on this node (a file of `lstopo FILE.xml`)" },
    { "task", "NEEDS",
      "with --node: place these, such as 'cores=4 gpus=1 tasks=2'" },
    { "rules", "RULES",
      "with --node: go by these, such as 'bind=spread smt=false'" },
    { 0 },
};

const struct command plan_command = {
    .name = "plan",
    .summary = "show graph, arrays, packing and scripts; submit nothing",
    .pages = true,
    .options = options,
    .needs_valid_files = true,
    .needs_all_results = true,
    .run = plan,
};
