/* SPDX-License-Identifier: BSD-3-Clause */
/* front_step.h - an operator's prepare or collect, run by the driver
 *
 * It works in .fanfold/run/<stage>/<iter>/<step>.<epoch>/ like a task does in
 * its directory: task.json, out/, params.json, a log.
 */
#ifndef ENGINE_FRONT_STEP_H
#define ENGINE_FRONT_STEP_H

struct engine;
struct error;
struct json;
struct stage;
struct strbuf;

/* Append the step's directory (relative) and make it anew, empty. */
int front_step_begin (struct engine *engine,
                      const struct stage *stage,
                      int iteration,
                      const char *step,
                      struct strbuf *dir,
                      struct error *err);

/* Run argv template 'command' there.  'inputs' are the stage's values;
 * 'stacked' (or NULL) goes into task.json.  0; 1 with 'err' when the program
 * could not be started or did not exit 0; -1 when the driver itself failed.
 */
int front_step_run (struct engine *engine,
                    const struct stage *stage,
                    int iteration,
                    const char *const *command,
                    const char *dir,
                    const struct json *inputs,
                    struct json *stacked,
                    struct error *err);

#endif /* !ENGINE_FRONT_STEP_H */
