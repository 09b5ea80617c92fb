/* SPDX-License-Identifier: BSD-3-Clause */
/* scheduler_view.h - schedulers that cannot be used for now, for people */
#ifndef REPORT_SCHEDULER_VIEW_H
#define REPORT_SCHEDULER_VIEW_H

struct state;

/* "2026-11-22 14:03:10", this host's time. */
void time_text (double wall_s, struct strbuf *out);

/* "the scheduler of profile 'cpu' (local) has taken no jobs since ...: WORDS",
 * of an entry of state.outages.
 */
void scheduler_outage_text (const char *profile, const struct json *outage,
                            struct strbuf *out);

/* "the scheduler of profile 'cpu' (local) takes jobs again, after 3h12m", of
 * the event `answers`.
 */
void scheduler_answers_text (const struct json *event, struct strbuf *out);

/* All outages of a state, "; " between them; nothing when there is none. */
void scheduler_outages_text (const struct state *state, struct strbuf *out);

/* [{"profile", "scheduler", "full", "why", "since_s"}].  Caller unrefs. */
struct json *scheduler_outages_json (const struct state *state);

#endif /* !REPORT_SCHEDULER_VIEW_H */
