/* SPDX-License-Identifier: BSD-3-Clause */
/* latest.h - what `latest.` in a function stands for when it is called */
#ifndef CALLS_LATEST_H
#define CALLS_LATEST_H

struct engine;
struct function;
struct plan;

/* The campaign whose functions are called: its plan, and 'engine' with its
 * state folded.
 */
struct latest {
    const struct plan *plan;
    struct engine *engine;
};

/* Set in 'values' what the function's bindings come to, those to stages and to
 * done calls, and everything else that `with:` binds; paths are relative to the
 * campaign.  In 'origins' {NAME: {function, call} or {stage, iteration}, or
 * "default"} of what was looked up.  1 with 'err' where nothing is done yet
 * that an input needs; -1 when something could not be read.
 */
int latest_values (const struct latest *latest, const struct function *function,
                   struct json *values, struct json *origins,
                   struct error *err);

#endif /* !CALLS_LATEST_H */
