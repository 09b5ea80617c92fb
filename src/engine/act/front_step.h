/* SPDX-License-Identifier: BSD-3-Clause */
/* front_step.h - an operator's prepare or collect, run by the driver
 *
 * It works in .fanfold/run/<generation>/<step>.<epoch>/ like a task does in its
 * directory: task.json, out/, params.json, a log.
 */
#ifndef ENGINE_FRONT_STEP_H
#define ENGINE_FRONT_STEP_H

struct engine;
struct port;
struct stage;

struct front_step {
    const struct stage *stage;
    int iteration;
    const char *name;           /* prepare or collect */
    const char *const *command; /* argv template */
    const char *script;         /* text that it runs, or NULL */
    const char *programs;       /* the copy that it runs from, or NULL */
    const struct json *inputs;  /* the stage's values */
    const struct port *outputs; /* which it makes, or NULL */
    struct json *stacked;       /* for task.json, or NULL */
};

/* Run it in its directory, made anew: *dir, which the caller frees whatever is
 * returned.  A program that was killed is run once more.  0; 1 with 'err'
 * when it could not be started or did not exit 0; -1 when the driver itself
 * failed, or (number EINTR) was told to end, which ends the program.
 */
int front_step_run (struct engine *engine, const struct front_step *step,
                    char **dir, struct error *err);

/* Put what the step left below out/ in its place 'to' (relative to the
 * campaign), on the disk, if this driver still holds the lease; it may do so
 * again after a crash.  'point' is reached right before (base/point.h).
 */
int front_step_keep (const struct engine *engine, const char *dir,
                     const char *to, const char *point, struct error *err);

/* Does this driver still hold the lease?  If not: -1, and its directory of a
 * step, which no successor may come upon any more, is removed.
 */
int front_step_stop (const struct engine *engine, const char *dir,
                     struct error *err);

#endif /* !ENGINE_FRONT_STEP_H */
