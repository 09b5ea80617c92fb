/* SPDX-License-Identifier: BSD-3-Clause */
/* redo_view.h - what a redo would do again and drop (pure) */
#ifndef REPORT_REDO_VIEW_H
#define REPORT_REDO_VIEW_H

struct state;

/* {"iteration", "number", "stages": [{"iteration", "stage", "tasks", "ok",
 *   "node_hours", "again": all its tasks run again, not only those whose inputs
 *   come out otherwise}], "tasks", "node_hours": what all of them took}
 * 'replacement' is what replacement_of_redo filled in (drive/replacement.h).
 * Caller unrefs.
 */
struct json *redo_json (const struct state *state,
                        const struct json *replacement);

void redo_text (const struct json *view, struct strbuf *out);

#endif /* !REPORT_REDO_VIEW_H */
