/* SPDX-License-Identifier: BSD-3-Clause */
/* usage_view.h - node-hours, core-hours and GPU-hours */
#ifndef REPORT_USAGE_VIEW_H
#define REPORT_USAGE_VIEW_H

struct iteration_state;
struct state;
struct usage;

/* {"node_hours", "core_hours", "gpu_hours" (of all tries),
 *  "lost": {the same, of tries that did not end ok}}.  Caller unrefs.
 */
struct json *usage_json (const struct usage *usage);

/* What stages of an iteration used, all together; of all iterations, and of
 * what was replaced.
 */
void usage_of_iteration (const struct iteration_state *iteration,
                         struct usage *usage);
void usage_of_campaign (const struct state *state, struct usage *usage);

/* Of an object that usage_json made: its node-hours as "12.3"; nothing where
 * none were used.
 */
void node_hours_text (const struct json *used, struct strbuf *out);

/* "used: 512 node-hours (31.0 lost to tries that failed), 16400 core-hours,
 * 2048 GPU-hours" and a newline; nothing where nothing was used.
 */
void usage_text (const struct json *used, struct strbuf *out);

#endif /* !REPORT_USAGE_VIEW_H */
