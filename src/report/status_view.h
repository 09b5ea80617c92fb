/* SPDX-License-Identifier: BSD-3-Clause */
/* status_view.h - where a campaign stands, for programs and for people */
#ifndef REPORT_STATUS_VIEW_H
#define REPORT_STATUS_VIEW_H

struct engine;
struct lease_holder;
struct observations;
struct stage_state;
struct state;

enum { STATUS_FAILURES_SHOWN = 3 };

/* "running", "waiting" (no driver runs), "paused", "done" or "failed". */
const char *status_word (const struct state *state, bool driven);

/* {"campaign", "dir", "state", "why", "converged", "ended" ("converged",
 *  "limit", "all": science_view.h; null before), "science" [SENTENCE],
 *  "iteration" (null before the first), "driver": {"host", "pid"} or null,
 *  "chain": null, or [{"job": ID or null, "after": ID or null, "at_s": seconds
 *     since 1970 or null}],
 *  "schedulers": [{"profile", "scheduler", "full", "why", "since_s"}] (that
 *     cannot be used for now: no answer, or no job taken),
 *  "stages": [{"iteration", "name", "operator", "state", "why", "since_s" (of
 *     what the scheduler says, where that is known), "count",
 *     "tasks": {OUTCOME: n, ..., "running": n}, "attempts",
 *     "wall_s" (in which any task ran; null: none did), "used" (usage_view.h),
 *     "failures": [{"task", "outcome"}] (the first few that failed),
 *     "checkpoints": [{"task", "try", "name", "files", "bytes"}] (of tasks that
 *     go on from one), "retired": [SENTENCE on a device]}] (of the current
 *     iteration, in the plan's order),
 *  "changed" (of a campaign that is done: the first stage that would be another
 *     one if it were done again; null: none),
 *  "used" (by the campaign, with what was replaced since),
 *  "history": [{"iteration", "wall_s", "used", NAME: value, ...}]}
 * 'observations' adds what the logs say beyond the journal.  Caller unrefs.
 */
struct json *status_json (const struct engine *engine,
                          const struct observations *observations,
                          const struct lease_holder *holder);

/* Of a campaign that is done: the first stage of its last iteration that
 * campaign.yaml now says something else of, so that a redo would change what
 * there is; lent by the plan.  NULL: none.
 */
const char *status_changed_stage (const struct engine *engine);

/* "chain" of it alone.  Caller unrefs. */
struct json *chain_json (const struct state *state);

/* Does the reason for which a campaign stands still name the command that makes
 * it go on?  NULL: it does not.
 */
bool reason_names_command (const char *why);

/* The same as tables. */
void status_text (const struct json *view, struct strbuf *out);

/* What the task goes on from, in the stage's state, or NULL; and as "try 2
 * (md.restart, 12MiB)".
 */
const struct json *status_checkpoint (const struct stage_state *stage,
                                      int32_t task);
void checkpoint_text (const struct json *checkpoint, struct strbuf *out);

/* "job 18 drives on when job 17 has ended", or what to do when no job will;
 * nothing when the campaign is not chained or does not run.
 */
void chain_text (const struct state *state, struct strbuf *out);

/* What follows when a stage is unsteady, behind what changed. */
#define UNSTEADY_MEANS "; its results count here, and nothing else takes them"

#endif /* !REPORT_STATUS_VIEW_H */
