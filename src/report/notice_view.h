/* SPDX-License-Identifier: BSD-3-Clause */
/* notice_view.h - notices that were not given, and that nothing moves, for
 * people
 */
#ifndef REPORT_NOTICE_VIEW_H
#define REPORT_NOTICE_VIEW_H

struct json;
struct state;

/* {"waiting": N, "failed": {"event" "why" "at_s"} or null}: how many a driver
 * has to give, and the last one if that failed.  Caller unrefs.
 */
struct json *notices_json (const struct state *state);

/* {"since_s" "most_s" "stage" "long"} (decide/notices.h); null: nothing is
 * waited for.  Caller unrefs.
 */
struct json *quiet_json (const struct state *state, double now_s);

/* Append a sentence if the event is that a notice failed. */
void notice_failed_text (const struct json *event, struct strbuf *out);

/* Append lines on what the two tell that a person should know. */
void notices_text (const struct json *notices, struct strbuf *out);
void quiet_text (const struct json *quiet, struct strbuf *out);

#endif /* !REPORT_NOTICE_VIEW_H */
