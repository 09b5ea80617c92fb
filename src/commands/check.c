/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c - validate both files; list every problem, not the first */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/json_record.h"
#include "base/problems.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/file_trust.h"
#include "commands/python_function.h"
#include "engine/drive/redo_inputs.h"
#include "space/layout.h"

static const struct json_field fields[] = {
    JSON_FIELD (struct problem, file, STRING),
    JSON_FIELD (struct problem, line, COUNT),
    JSON_FIELD (struct problem, column, COUNT),
    JSON_FIELD (struct problem, message, STRING),
    JSON_FIELD (struct problem, remedy, STRING),
    JSON_FIELD (struct problem, warning, BOOL),
    JSON_FIELDS_END,
};

static void print_problems (const struct problems *problems)
{
    _cleanup_json_ struct json *v = json_object ();
    struct json *list = json_array ();

    for (size_t i = 0; i < problems->n; i++) {
        struct json *one = json_object ();

        json_record_write (&problems->v[i], fields, one);
        json_push (list, one);
    }
    json_set (v, "ok", json_bool (problems_errors (problems) == 0));
    json_set (v, "problems", list);
    print_json (v);
}

static void print_size (const struct plan *plan)
{
    int64_t iterations = plan_iterations (plan);

    printf ("%s: ", plan->name);
    if (plan->n_stages > 0)
        printf ("%zu stage%s, at most %" PRId64 " iteration%s%s",
                plan->n_stages, plan->n_stages == 1 ? "" : "s", iterations,
                iterations == 1 ? "" : "s", plan->n_functions > 0 ? ", " : "");
    if (plan->n_functions > 0)
        printf ("%zu function%s", plan->n_functions,
                plan->n_functions == 1 ? "" : "s");
    printf (": no problems");
}

static void print_text (const struct plan *plan,
                        const struct problems *problems)
{
    size_t errors = problems_errors (problems), warned = problems->n_warnings;

    campaign_print_problems (problems);
    if (errors == 0)
        print_size (plan);
    else
        fprintf (stderr, "%zu problem%s", errors, errors == 1 ? "" : "s");
    if (warned > 0)
        fprintf (errors == 0 ? stdout : stderr, ", %zu warning%s", warned,
                 warned == 1 ? "" : "s");
    fputc ('\n', errors == 0 ? stdout : stderr);
}

/* A binding to what `keep:` let go before the file was edited. */
static void note_removed (struct mark mark, const char *text, void *problems)
{
    problems_add (problems, mark, "%s", text);
}

/* What has run: results that the file would leave without a stage (a name that
 * was changed, mostly), and those that it needs.
 */
static void check_history (const struct invocation *invocation,
                           const struct plan *plan, struct problems *problems)
{
    struct edited_files files;
    struct engine engine = { 0 };
    struct error err = ERROR_INIT;

    if (engine_open (&engine, plan->dir, invocation->program, &err) < 0) {
        problems_warn (problems, (struct mark){ LAYOUT_JOURNAL_DIR, 0, 0 },
                       "%s; run `fanfold status`", err.text);
        return;
    }
    edited_files_open (&files, invocation);
    edited_files_orphans (&files, &engine, plan, problems);
    edited_files_close (&files);
    removed_inputs_each (plan, &engine.state, note_removed, problems);
    engine_close (&engine);
}

static void check_functions (const struct invocation *invocation,
                             const struct plan *plan, struct problems *problems)
{
    _cleanup_free_ char *file = path_join (invocation->dir, "campaign.yaml");

    python_functions_check (plan, invocation->program, file, problems);
}

static void warn_of_others (const char *path, const char *how,
                            const char *advice, void *problems)
{
    problems_warn (problems, (struct mark){ path, 0, 0 }, "%s; %s", how,
                   advice);
}

static enum exit_status check (const struct invocation *invocation)
{
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    _cleanup_plan_ struct plan *plan =
        campaign_plan (invocation, false, NULL, NULL, &problems);
    enum exit_status status;

    if (plan) {
        reuse_from_check (&plan->reuse_from, plan->dir, &problems);
        check_functions (invocation, plan, &problems);
        check_history (invocation, plan, &problems);
    }
    file_trust_each (invocation, warn_of_others, &problems);
    status = problems_errors (&problems) == 0 ? STATUS_DONE : STATUS_INVALID;
    if (invocation_option (invocation, "json"))
        print_problems (&problems);
    else
        print_text (plan, &problems);
    return status;
}

static const struct command_option options[] = {
    { "json", NULL,
      "print {\"ok\", \"problems\": [{file, line, column, "
      "message, remedy, warning}]}" },
    { 0 },
};

const struct command check_command = {
    .name = "check",
    .summary = "validate campaign and site, list every problem",
    .options = options,
    .run = check,
};
