/* SPDX-License-Identifier: BSD-3-Clause */
/* running_reports.h - what the tasks of a stage report while they run */
#ifndef ENGINE_RUNNING_REPORTS_H
#define ENGINE_RUNNING_REPORTS_H

struct engine;
struct observed_attempt;
struct stage;
struct stage_state;

/* The newest report of each task that runs: [{"task", "now_s", "name": "local",
 * "report": {..}}], by task; an empty list where a stage reports nothing. Looks
 * into the working directories of tasks that run or have failed, and no others.
 * What cannot be read is left out.  Caller unrefs.
 */
struct json *running_reports (const struct engine *engine,
                              const struct stage *stage,
                              const struct stage_state *state,
                              const struct observed_attempt *seen);

#endif /* !ENGINE_RUNNING_REPORTS_H */
