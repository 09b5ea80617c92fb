/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - what would be selected: other levels, other rules, on data that is
 * there; does what fanfold-reduce does, on one rank, and writes nothing
 */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/select_plan.h"
#include "commands/select_rules.h"
#include "commands/select_source.h"
#include "commands/select_view.h"
#include "reduce/inspect.h"
#include "reduce/passes.h"
#include "reduce/plan_file.h"
#include "selection/survey.h"

struct what_if {
    struct select_source source;
    struct json *left_out;
    struct plan plan;
    struct survey survey;
    struct selection selection;
};

/* How many of each system would be selected.  Caller frees. */
static uint64_t *count_selected (const struct what_if *what_if)
{
    const struct plan *plan = &what_if->plan;
    uint64_t *selected = xcalloc (plan->systems.n, sizeof (*selected));

    for (size_t i = 0; i < what_if->selection.n; i++)
        selected[plan_trajectory (plan, &what_if->selection.frames[i])
                     ->system]++;
    return selected;
}

static void show (struct what_if *what_if, bool as_json)
{
    struct select_view view = {
        .survey = &what_if->survey,
        .selection = &what_if->selection,
        .systems = &what_if->plan.systems,
        .earlier = json_get (what_if->source.inputs, "earlier"),
        .left_out = what_if->left_out,
        .selected = count_selected (what_if),
        .n_files = what_if->source.files.n,
    };

    if (as_json)
        select_view_json (&view);
    else
        select_view_print (&view);
    free (view.selected);
}

static enum exit_status run_what_if (const struct invocation *invocation,
                                     struct what_if *what_if)
{
    struct error err = ERROR_INIT;
    enum exit_status status = select_source_find (invocation, &what_if->source);
    struct json *asked;
    int rc = -1;

    if (status != STATUS_DONE)
        return status;
    asked =
        select_rules (invocation, &what_if->source, what_if->left_out, &err);
    if (asked)
        rc = select_plan (&what_if->source, asked, &what_if->plan, &err);
    json_unref (asked);
    if (rc < 0)
        return complain (STATUS_USAGE, "%s", err.text);
    survey_init (&what_if->survey, &what_if->plan.rules);
    if (select_frames (&what_if->plan, &what_if->survey, &what_if->selection,
                       &err)
        < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    show (what_if, invocation_option (invocation, "json") != NULL);
    return STATUS_DONE;
}

static enum exit_status run_select (const struct invocation *invocation)
{
    struct what_if what_if = { .source = SELECT_SOURCE_INIT,
                               .left_out = json_array (),
                               .plan = PLAN_INIT };
    enum exit_status status = run_what_if (invocation, &what_if);

    selection_release (&what_if.selection);
    survey_release (&what_if.survey);
    plan_release (&what_if.plan);
    json_unref (what_if.left_out);
    select_source_release (&what_if.source);
    return status;
}

const struct command select_command = {
    .name = "select",
    .arguments = "[PATH...]",
    .summary = "what other levels would select; writes nothing",
    .min_args = 0,
    .max_args = 1000000,
    .options = select_options,
    .run = run_select,
};
