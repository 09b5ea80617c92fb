/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c - call a function of the campaign with arguments */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "calls/call_arguments.h"
#include "calls/call_space.h"
#include "calls/call_text.h"
#include "calls/latest.h"
#include "campaign/plan.h"
#include "commands/call_drive.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "engine/history/engine.h"
#include "space/layout.h"

/* A call that is being made. */
struct making {
    const struct invocation *invocation;
    struct campaign *campaign;
    const struct plan *plan;
    const struct function *function;
    bool async, json;
    struct json *arguments;
    struct call_place place; /* with its number, once it is made */
};

/* What is wrong with what was asked for has no place in a file. */
static enum exit_status complain_of_problems (const struct problems *problems)
{
    for (size_t i = 0; i < problems->n; i++) {
        const struct problem *p = &problems->v[i];

        complain (STATUS_INVALID, "%s%s%s%s", p->warning ? "warning: " : "",
                  p->message, p->remedy[0] ? "; " : "", p->remedy);
    }
    return problems_errors (problems) > 0 ? STATUS_INVALID : STATUS_DONE;
}

/* --- one after another --- */

static enum exit_status behind_another (const struct making *m, int number,
                                        const char *how)
{
    return complain (STATUS_BUSY,
                     "call %d of '%s' is %s, and calls of a function of type "
                     "train come one after another; bring it to its end with "
                     "`fanfold result %s --call %d --wait`",
                     number, m->function->name, how, m->function->name, number);
}

/* Of a function of type train the newest call has to be over; who waits for his
 * own call's result drives that one first.  '*number' is the one that comes
 * next.
 */
static enum exit_status await_turn (const struct making *m, int *number)
{
    const char *dir = m->plan->dir, *name = m->function->name;
    struct call_place newest = { m->invocation, name, -1 };
    struct call_standing standing;
    struct error err = ERROR_INIT;

    while (calls_newest (dir, name, &newest.number, &err) == 0) {
        enum exit_status status;

        *number = newest.number + 1;
        if (newest.number < 0 || m->function->type != FUNCTION_TRAIN)
            return STATUS_DONE;
        if (call_look (dir, name, newest.number, m->invocation->program,
                       &standing, &err)
            < 0)
            break;
        if (standing.status == CAMPAIGN_DONE
            || standing.status == CAMPAIGN_FAILED)
            return STATUS_DONE;
        if (standing.status == CAMPAIGN_PAUSED || m->async)
            return behind_another (
                m, newest.number,
                standing.status == CAMPAIGN_PAUSED ? "paused" : "not over");
        status = call_drive (&newest, CALL_END, INFINITY);
        if (status != STATUS_DONE && status != STATUS_FAILED)
            return status;
        if (call_look (dir, name, newest.number, m->invocation->program,
                       &standing, &err)
                == 0
            && standing.status == CAMPAIGN_PAUSED)
            return behind_another (m, newest.number, "paused");
    }
    return complain (STATUS_FAILED, "%s", err.text);
}

/* --- the directory of the call --- */

/* Make the same site.yaml hold there; a link goes on to hold when the campaign
 * is moved, and when the file is edited.
 */
static int link_site (const struct making *m, const char *made,
                      struct error *err)
{
    _cleanup_free_ char *own = path_join (m->plan->dir, "site.yaml");
    _cleanup_free_ char *to = path_join (made, "site.yaml");
    _cleanup_free_ char *named =
        m->invocation->site ? path_absolute (m->invocation->site) : NULL;
    const char *target = named               ? named
                         : file_exists (own) ? LAYOUT_CALL_UP "/site.yaml"
                                             : NULL;

    return target && symlink (target, to) < 0
               ? error_errno (err, "cannot make the link '%s'", to)
               : 0;
}

static int write_campaign (const struct making *m, const char *made, int number,
                           const struct json *values,
                           const struct json *origins, struct error *err)
{
    _cleanup_free_ char *path = path_join (made, "campaign.yaml");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    call_text (m->plan, m->function, number, values, origins, &text);
    return file_write_atomic (path, text.buf, text.len, err);
}

/* Is it a campaign that can run? */
static enum exit_status check_made (const struct making *m, const char *made)
{
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    struct invocation invocation = *m->invocation;
    _cleanup_plan_ struct plan *plan = NULL;

    invocation.dir = made;
    plan = campaign_plan (&invocation, false, NULL, NULL, &problems);
    return complain_of_problems (&problems);
}

/* With the first number that is free, from '*number' on; calls that come one
 * after another have one only: 1 when another was faster.
 */
static int claim (const struct making *m, const char *made, int *number,
                  const struct json *values, const struct json *origins,
                  struct error *err)
{
    int rc = 1;

    for (; rc > 0 && *number <= CALL_NUMBER_MAX; *number += rc > 0) {
        if (write_campaign (m, made, *number, values, origins, err) < 0)
            return -1;
        rc = call_claim (made, m->plan->dir, m->function->name, *number, err);
        if (rc > 0 && m->function->type == FUNCTION_TRAIN)
            return 1;
    }
    return rc > 0 ? error_set (err, "there are %d calls; no number is left",
                               CALL_NUMBER_MAX + 1)
                  : rc;
}

/* STATUS_BUSY, without a complaint: another call was made first. */
static enum exit_status make (struct making *m, int number,
                              const struct json *values,
                              const struct json *origins)
{
    const char *dir = m->plan->dir, *name = m->function->name;
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_FAILED;
    char *made = call_begin (dir, name, &err);
    int rc = made ? 0 : -1;

    if (rc == 0)
        rc = link_site (m, made, &err);
    if (rc == 0)
        rc = write_campaign (m, made, number, values, origins, &err);
    if (rc == 0 && (status = check_made (m, made)) != STATUS_DONE)
        goto done;
    if (rc == 0)
        rc = claim (m, made, &number, values, origins, &err);
    m->place.number = number;
    if (rc < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else if (rc > 0)
        status = STATUS_BUSY;
done:
    if (made && status != STATUS_DONE)
        call_drop (made, dir, name);
    free (made);
    return status;
}

/* --- the call --- */

static enum exit_status find_values (const struct making *m,
                                     struct json *values, struct json *origins)
{
    const struct latest latest = { m->plan, &m->campaign->engine };
    struct error err = ERROR_INIT;

    if (latest_values (&latest, m->function, values, origins, &err) != 0)
        return complain (STATUS_FAILED, "%s", err.text);
    JSON_FOREACH (m->arguments, it)
        json_set (values, json_iter_key (it), json_ref (json_iter_value (it)));
    return STATUS_DONE;
}

static enum exit_status make_in_turn (struct making *m)
{
    enum exit_status status = STATUS_BUSY;

    while (status == STATUS_BUSY) {
        struct json *values = json_object (), *origins = json_object ();
        int number = 0;

        status = await_turn (m, &number);
        if (status == STATUS_BUSY) { /* and has told why */
            json_unref (values);
            json_unref (origins);
            return status;
        }
        if (status == STATUS_DONE)
            status = find_values (m, values, origins);
        if (status == STATUS_DONE)
            status = make (m, number, values, origins);
        json_unref (origins);
        json_unref (values);
    }
    return status;
}

static void print_number (const struct making *m)
{
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_free_ char *text = xasprintf ("%d\n", m->place.number);

    json_set (v, "function", json_string (m->function->name));
    json_set (v, "call", json_int (m->place.number));
    print_reply (m->invocation, v, text);
}

static enum exit_status run_it (const struct making *m)
{
    enum exit_status status;

    if (m->async) {
        status = call_drive (&m->place, CALL_SUBMIT, 0);
        print_number (m);
        return status == STATUS_UNREACHABLE ? STATUS_DONE : status;
    }
    status = call_drive (&m->place, CALL_END, INFINITY);
    return status == STATUS_DONE ? call_print_result (&m->place, NULL, m->json)
                                 : status;
}

static enum exit_status unknown_function (const struct plan *plan,
                                          const char *name)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    if (plan->n_functions == 0)
        return complain (STATUS_USAGE,
                         "the campaign has no functions; add functions: "
                         "{NAME: {type: predict, uses: OPERATOR}}");
    for (size_t i = 0; i < plan->n_functions; i++)
        strvec_push (&names, plan->functions[i].name);
    complain_unknown ("function", name, &names);
    return STATUS_USAGE;
}

static enum exit_status call (const struct invocation *invocation,
                              struct campaign *campaign)
{
    const struct plan *plan = engine_newest_plan (&campaign->engine);
    int index = plan_function_find (plan, invocation->args[0]);
    struct problems problems = PROBLEMS_INIT;
    struct making m = { .invocation = invocation,
                        .campaign = campaign,
                        .plan = plan,
                        .async = invocation_option (invocation, "async"),
                        .json = invocation_option (invocation, "json"),
                        .arguments = json_object () };
    enum exit_status status = STATUS_DONE;

    if (index < 0)
        status = unknown_function (plan, invocation->args[0]);
    if (index >= 0) {
        m.function = &plan->functions[index];
        m.place = (struct call_place){ invocation, m.function->name, -1 };
        call_arguments_read (
            plan, m.function, (const char *const *)invocation->args + 1,
            (size_t)invocation->n_args - 1, m.arguments, &problems);
        status = complain_of_problems (&problems);
    }
    if (status == STATUS_DONE)
        status = make_in_turn (&m);
    if (status == STATUS_DONE)
        status = run_it (&m);
    problems_release (&problems);
    json_unref (m.arguments);
    return status;
}

static const struct command_option options[] = {
    { "async", NULL,
      "submit what can be submitted, print the call's number and return; "
      "`fanfold result FUNCTION --call N --wait` goes on" },
    { "json", NULL,
      "print {\"outputs\": {NAME: value}, \"types\": {NAME: type}}; with "
      "--async {\"function\", \"call\"}" },
    { 0 },
};

const struct command call_command = {
    .name = "call",
    .arguments = "FUNCTION [NAME=VALUE ...]",
    .summary = "run a function of the campaign once, print what it made as "
               "JSON",
    .min_args = 1,
    .max_args = 1000,
    .options = options,
    .prints_bytes = true,
    .needs_valid_files = true,
    .run_in = call,
};
