/* SPDX-License-Identifier: BSD-3-Clause */
/* functions_view.h - functions and their calls, for people and programs */
#ifndef CALLS_FUNCTIONS_VIEW_H
#define CALLS_FUNCTIONS_VIEW_H

struct plan;

/* [{"name", "type", "operator", "profile", "arguments": {NAME: {"type",
 * "needed"}}, "latest": {NAME: [REFERENCE]}, "outputs": {NAME: type}}]: what
 * can be called.  Caller unrefs.
 */
struct json *functions_json (const struct plan *plan);
void functions_text (const struct json *view, struct strbuf *out);

/* [{"name", "type", "calls": N, "not_begun", "running", "paused", "done",
 * "failed", "then_failed": M, "troubled": [DIR]}]: how many calls of each there
 * are and how they stand; DIR of those that failed, are paused or whose `then:`
 * failed, the latest at most.  NULL with 'err' when one cannot be read.
 */
struct json *calls_json (const struct plan *plan, const char *program,
                         struct error *err);
void calls_text (const struct json *view, struct strbuf *out);

#endif /* !CALLS_FUNCTIONS_VIEW_H */
