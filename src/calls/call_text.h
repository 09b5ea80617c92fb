/* SPDX-License-Identifier: BSD-3-Clause */
/* call_text.h - the campaign.yaml of a call */
#ifndef CALLS_CALL_TEXT_H
#define CALLS_CALL_TEXT_H

struct function;
struct plan;

/* Append what the call 'number' says of itself: a campaign of one iteration
 * with one stage.  'values' are its inputs by name, as their types have them,
 * with paths relative to the campaign of 'plan' or absolute; 'origins' is what
 * latest_values found.
 */
void call_text (const struct plan *plan, const struct function *function,
                int number, const struct json *values,
                const struct json *origins, struct strbuf *out);

#endif /* !CALLS_CALL_TEXT_H */
