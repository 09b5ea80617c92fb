/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.c - find what is wrong with this site */
#include "base/base.h"

#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/file_trust.h"
#include "commands/probe.h"
#include "doctor/doctor.h"
#include "engine/history/engine.h"

static void print (const struct invocation *invocation,
                   const struct findings *findings)
{
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_set (v, "grade", json_string (grade_name (findings_worst (findings))));
    json_set (v, "findings", findings_to_json (findings));
    findings_text (findings, &text);
    if (invocation_option (invocation, "json"))
        print_json (v);
    else
        fputs (text.buf, stdout);
}

static enum exit_status end_status (enum doctor_end end,
                                    const struct findings *findings)
{
    if (end == DOCTOR_STOPPED)
        return complain (STATUS_INTERRUPTED,
                         "interrupted; the probe job is cancelled");
    if (end == DOCTOR_UNREACHABLE)
        return STATUS_UNREACHABLE;
    return findings_worst (findings) == GRADE_BAD ? STATUS_FAILED : STATUS_DONE;
}

/* --- what to look at --- */

/* Those that are named, or all. */
static enum exit_status choose_profiles (const struct invocation *invocation,
                                         const struct plan *plan,
                                         const struct profile **profiles,
                                         size_t *n)
{
    for (int i = 0; i < invocation->n_args; i++) {
        if (!(profiles[*n] = probe_profile (plan, invocation->args[i])))
            return STATUS_USAGE;
        ++*n;
    }
    for (size_t i = 0; invocation->n_args == 0 && i < plan->n_profiles; i++)
        profiles[(*n)++] = &plan->profiles[i];
    return STATUS_DONE;
}

/* --- the command --- */

static void find_others (const char *path, const char *how, const char *advice,
                         void *findings)
{
    findings_add (findings, GRADE_WARNING, path, advice, "%s", how);
}

/* The campaign of the directory, where there is one that has no problems. */
static struct plan *open_campaign (const struct invocation *invocation,
                                   struct findings *findings)
{
    _cleanup_free_ char *path = path_join (invocation->dir, "campaign.yaml");
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    struct plan *plan = NULL;

    if (file_exists (path)) {
        plan = campaign_plan (invocation, false, NULL, NULL, &problems);
        if (!plan)
            findings_add (findings, GRADE_WARNING, path,
                          "see fanfold check, then run this again",
                          "it has problems, so the programs of its stages are "
                          "not looked at");
    }
    return plan;
}

static enum exit_status examine (const struct invocation *invocation,
                                 const struct plan *plan,
                                 struct doctor_options *options)
{
    struct engine engine = { .dir = xstrdup (plan->dir),
                             .plan = plan,
                             .program = invocation->program };
    _cleanup_ (findings_release) struct findings findings = FINDINGS_INIT;
    _cleanup_plan_ struct plan *campaign =
        open_campaign (invocation, &findings);
    enum doctor_end end;
    enum exit_status status;

    options->campaign = campaign;
    file_trust_each (invocation, find_others, &findings);
    end = doctor_run (&engine, options, &findings);
    print (invocation, &findings);
    status = end_status (end, &findings);
    engine_close (&engine);
    return status;
}

static enum exit_status doctor (const struct invocation *invocation)
{
    struct plan *plan = campaign_plan_or_complain (invocation, true);
    struct doctor_options options = {
        .probe = invocation_option (invocation, "probe") != NULL,
    };
    const struct profile **profiles;
    enum exit_status status;

    if (!plan)
        return STATUS_INVALID;
    profiles = xcalloc (plan->n_profiles + (size_t)invocation->n_args,
                        sizeof (const struct profile *));
    options.profiles = profiles;
    status = choose_profiles (invocation, plan, profiles, &options.n);
    if (status == STATUS_DONE)
        status = probe_timeout (invocation, &options.timeout_s);
    if (status == STATUS_DONE) {
        options.stop = stopping_flag ();
        status = examine (invocation, plan, &options);
    }
    free (profiles);
    plan_destroy (plan);
    return status;
}

static const struct command_option options[] = {
    { "json", NULL,
      "print {\"grade\", \"findings\": [{subject, grade, text, advice}]}" },
    { "probe", NULL, "submit a small job for each profile, too" },
    { "timeout", "DURATION", "give its start so much time (default: 10m)" },
    { 0 },
};

const struct command doctor_command = {
    .name = "doctor",
    .arguments = "[PROFILE ...]",
    .summary = "find what is wrong with this site, and say what to do",
    .max_args = 64,
    .options = options,
    .run = doctor,
};
