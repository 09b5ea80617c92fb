/* SPDX-License-Identifier: BSD-3-Clause */
/* request_view.h - what a request changes, for people (pure) */
#ifndef REPORT_REQUEST_VIEW_H
#define REPORT_REQUEST_VIEW_H

/* What the event of a `retry`, `redo`, `forget` or `reset` changes, a line for
 * each stage (or only for 'stage', if not NULL), and for what moves:
 *   label: tasks 3,7-8 get new tries
 *   train: prepared again, since its definition or its inputs changed; ...
 *   explore: 12 results move to .fanfold/replaced/000002; ...
 * Nothing for other requests, and for an event written before they said that.
 */
void request_text (const struct json *event, const char *stage,
                   struct strbuf *out);

/* The same for programs: those of "stages" ([NAME], prepared again), "fresh"
 * ([NAME]: of these, all their tasks run again), "tries_anew" ({STAGE: tasks}),
 * "enough" ([STAGE]), "to" (iteration), "forgotten" (STAGE), "results",
 * "iterations" and "frames" (counts) and "keep" (PATH) that the event has.
 * Caller unrefs.
 */
struct json *request_changes (const struct json *event);

#endif /* !REPORT_REQUEST_VIEW_H */
