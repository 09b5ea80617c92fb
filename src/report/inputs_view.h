/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs_view.h - what the inputs of a stage are bound to, for programs and for
 * people
 */
#ifndef REPORT_INPUTS_VIEW_H
#define REPORT_INPUTS_VIEW_H

struct plan;
struct stage;

/* {NAME: where from}, "make.x" or a value; the caller unrefs. */
struct json *inputs_view (const struct plan *plan, const struct stage *stage);

/* {NAME: type} of those that are arrays of which something is declared, "list
 * of npy(f8,[batch,3])"; the caller unrefs.
 */
struct json *arrays_view (const struct stage *stage);

/* Append a line for each input of a stage: what it has by "values" ({NAME:
 * value}) of 'view', or what it is bound to by "bindings" (inputs_view); of
 * "arrays" (arrays_view) also the type.  Long values are cut, and what is
 * absent is left out.
 */
void inputs_text (const struct json *view, struct strbuf *out);

#endif /* !REPORT_INPUTS_VIEW_H */
