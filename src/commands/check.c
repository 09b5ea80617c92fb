/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c - validate both files; list every problem, not the first */
#include "config.h"

#include <stdio.h>

#include "base/json.h"
#include "base/json_record.h"
#include "base/problems.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"

static const struct json_field fields[] = {
    JSON_FIELD (struct problem, file, STRING),
    JSON_FIELD (struct problem, line, COUNT),
    JSON_FIELD (struct problem, column, COUNT),
    JSON_FIELD (struct problem, message, STRING),
    JSON_FIELD (struct problem, remedy, STRING),
    JSON_FIELDS_END,
};

static void print_problems (const struct problems *problems)
{
    struct json *v = json_object ();
    struct json *list = json_array ();

    for (size_t i = 0; i < problems->n; i++) {
        struct json *one = json_object ();

        json_record_write (&problems->v[i], fields, one);
        json_push (list, one);
    }
    json_set (v, "ok", json_bool (problems->n == 0));
    json_set (v, "problems", list);
    print_json (v);
    json_unref (v);
}

static void print_text (const struct plan *plan,
                        const struct problems *problems)
{
    struct strbuf text = STRBUF_INIT;

    problems_format (problems, &text);
    fputs (text.buf, stderr);
    if (plan)
        printf ("%s: %zu stages, at most %d iterations: no problems\n",
                plan->name, plan->n_stages, plan->max_iterations);
    else
        fprintf (stderr, "%zu problem%s\n", problems->n,
                 problems->n == 1 ? "" : "s");
    strbuf_release (&text);
}

static enum exit_status check (const struct invocation *invocation)
{
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan = campaign_plan (invocation, false, NULL, &problems);
    enum exit_status status = plan ? STATUS_DONE : STATUS_INVALID;

    if (invocation_option (invocation, "json"))
        print_problems (&problems);
    else
        print_text (plan, &problems);
    plan_destroy (plan);
    problems_release (&problems);
    return status;
}

static const struct command_option options[] = {
    { "json", NULL,
      "print {\"ok\", \"problems\": [{file, line, column, "
      "message, remedy}]}" },
    { 0 },
};

const struct command check_command = {
    .name = "check",
    .summary = "validate campaign and site, list every problem",
    .options = options,
    .run = check,
};
