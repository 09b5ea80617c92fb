/* SPDX-License-Identifier: BSD-3-Clause */
/* queue_waits.h - how long jobs of a campaign waited until they ran
 *
 * Of each attempt of a stage: from when its first job was released until its
 * first element ran, by the journal.  An element that is lost tells nothing.
 */
#ifndef REPORT_QUEUE_WAITS_H
#define REPORT_QUEUE_WAITS_H

struct engine;
struct json;

/* [{"profile" "submissions": N, "at_most_s": S or null, "needed": N}] of the
 * profiles that stages run with whose jobs wait in a queue: a bound by
 * forecast_wait_bound; null: fewer than 'needed' were seen.  NULL with 'err':
 * the journal cannot be read.  Caller unrefs.
 */
struct json *queue_waits_json (const struct engine *engine, struct error *err);

void queue_waits_text (const struct json *queues, struct strbuf *out);

#endif /* !REPORT_QUEUE_WAITS_H */
