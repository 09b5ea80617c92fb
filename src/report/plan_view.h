/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_view.h - what a campaign would do, for programs and for people */
#ifndef REPORT_PLAN_VIEW_H
#define REPORT_PLAN_VIEW_H

struct json;
struct plan;
struct stage;
struct state;
struct strbuf;

/* {"campaign", "dir", "seed", "iterations", "stop", "stages": [{"name",
 *   "operator", "code", "profile", "scheduler", "after": [STAGE], "inputs":
 *   {NAME: where from}, "outputs": {NAME: type}, "when", "success", "needs":
 *   {...}, "learned": {"memory" | "walltime": from how many tasks} of what is
 *   `auto`, "tasks": n or null (known only when it runs), "array": {"elements",
 *   "slots", "chunks", "cores", "walltime_s", "node_hours_at_most"} or null,
 *   "node": node_view_json of one element (only of profiles with a topology),
 *   "warning": TEXT (only where starting elements may take longer than their
 *   work), "script": TEXT or null}]}
 * 'state' tells how long tasks took in earlier iterations; 'program' is the
 * path of fanfold, as scripts call it.  Caller unrefs.
 */
struct json *plan_json (const struct plan *plan, const struct state *state,
                        const char *program);

void plan_text (const struct json *view, struct strbuf *out);

/* Append a line for each input of a stage: what it has by 'values' ({NAME:
 * value}), or, where that is NULL, what it is bound to.  Long values are cut,
 * and what is absent is left out.
 */
void inputs_text (const struct plan *plan, const struct stage *stage,
                  const struct json *values, struct strbuf *out);

#endif /* !REPORT_PLAN_VIEW_H */
