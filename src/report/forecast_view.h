/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast_view.h - what the rest of a campaign may take, as JSON and for
 * people
 */
#ifndef REPORT_FORECAST_VIEW_H
#define REPORT_FORECAST_VIEW_H

struct json;
struct plan;
struct plan_site;
struct state;

/* Read "train=2h,label=20m,explore=1h*40" (the time of a task, and how many
 * there are in an iteration) into {NAME: {"task_s" ["tasks"]}}, of stages of
 * the plan, or of those whose steps are.  NULL with 'err'.  Caller unrefs.
 */
struct json *forecast_assume (const struct plan *plan, const char *text,
                              struct error *err);

/* {"plays" "iterations" "time_s" "node_hours" "stages": [{"name" "tasks": [N]
 * "at_a_time" "seen" "assumed_s" "failing" "time_s" "node_hours" "unknown"}]}:
 * iterations are those that have not ended, times and node-hours are [LEAST,
 * MOST], or null where they are not known; 'unknown' says what is missing.
 * 'view' is plan_json's, made with 'sites', 'assume' is that of
 * forecast_assume.  Caller unrefs.
 */
struct json *forecast_json (const struct plan *plan, const struct state *state,
                            const struct plan_site *sites,
                            const struct json *view, const struct json *assume,
                            int plays);

void forecast_text (const struct json *forecast, struct strbuf *out);

#endif /* !REPORT_FORECAST_VIEW_H */
