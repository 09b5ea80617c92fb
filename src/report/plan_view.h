/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_view.h - what a campaign would do, for programs and for people */
#ifndef REPORT_PLAN_VIEW_H
#define REPORT_PLAN_VIEW_H

#include "adapter.h"

struct plan;
struct state;

/* What the scheduler of a profile allows. */
struct plan_site {
    struct scheduler_limits limits;
    char *silent; /* why it did not tell; NULL: it did, or need not be asked */
};

/* {"campaign", "dir", "seed", "iterations", "stop", "stages": [{"name",
 *   "operator", "code", "profile", "scheduler", "after": [STAGE], "inputs":
 *   {NAME: where from}, "arrays": {NAME: type} of the inputs that are,
 * "outputs": {NAME: type}, "when", "success", "needs":
 *   {...}, "learned": {"memory" | "walltime": from how many tasks} of what is
 *   `auto`, "tasks": n or null (known only when it runs), "frames": n (only
 *   where a stage tells how many it makes), "array": {"elements",
 *   "slots", "chunks", "cores", "walltime_s", "node_hours_at_most",
 *   "limits": TEXT (only where it is more than one array may have, or the
 *   scheduler takes at a time)} or null, "site": {"elements", "submit"} (by the
 *   scheduler; 0: any number) or a text (why it does not tell),
 *   "node": node_view_json of one element (only of profiles with a topology),
 *   "warning": TEXT (only where starting elements may take longer than their
 *   work), "script": TEXT or null, "reuse": what plan_add_reuse sets}]}
 * 'state' tells how long tasks took in earlier iterations, 'sites' what the
 * schedulers of the plan's profiles allow, in their order; 'program' is the
 * path of fanfold, as scripts call it.  Caller unrefs.
 */
struct json *plan_json (const struct plan *plan, const struct state *state,
                        const struct plan_site *sites, const char *program);

void plan_text (const struct json *view, struct strbuf *out);

#endif /* !REPORT_PLAN_VIEW_H */
