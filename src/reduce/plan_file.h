/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_file.h - what fanfold-reduce is asked to do: plan.json
 *
 *   {"format": 1,
 *    "seed": 4711,                  which candidates are drawn
 *    "semantics": "dpgen",          or dpgen2, simplify: selection/classes.h
 *    "force": {"low": 0.2, "high": 0.8},            eV/A
 *    "quota": 16,                   at most so many frames are selected
 *    "skip_steps": 1,               frames of earlier steps do not count
 *    "elements": ["Si"],            type t of a dump is elements[t-1]
 *    "trajectories": [
 *      {"task": 3,                  unique; orders the result
 *       "system": "diamond",        [A-Za-z0-9][A-Za-z0-9_.-]*: names a file
 *       "trajectory": "traj.dump",  id type|element x y z
 *       "forces": ["f0.dump", "f1.dump"],  one per model: id fx fy fz
 *       "expected_frames": 50}],    of those that count
 *    "missing": {"tasks": 2, "frames": 100},  that never came; may be absent
 *    "frames_dir": "out/frames",    absent or empty
 *    "params": "params.json"}
 *
 * Relative paths resolve against the working directory.  Every trajectory has
 * the same number of force files, at least two.  There are no levels for
 * virials: a dump holds none.  Unknown keys are errors.
 */
#ifndef REDUCE_PLAN_FILE_H
#define REDUCE_PLAN_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/strvec.h"
#include "selection/classes.h"

struct error;
struct json;

struct trajectory {
    int64_t task;
    const char *system; /* texts are lent by the plan's JSON */
    const char *path;
    const char **forces; /* plan->n_models of them */
    uint64_t expected_frames;
};

struct plan {
    struct json *json;
    uint64_t seed;
    struct criteria criteria;
    size_t quota;
    int64_t skip_steps;
    struct strvec elements;
    struct trajectory *trajectories; /* in the order of their tasks */
    size_t n_trajectories;
    size_t n_models;
    uint64_t missing_tasks;
    uint64_t missing_frames;
    const char *frames_dir;
    const char *params_path;
};

#define PLAN_INIT { .elements = STRVEC_INIT }

/* Legal twice. */
void plan_release (struct plan *plan);

/* Read and check the text of a plan; 'name' is for messages.  'plan' must be
 * initialised; untouched on failure.
 */
int plan_parse (const char *text,
                size_t len,
                const char *name,
                struct plan *plan,
                struct error *err);

#endif /* !REDUCE_PLAN_FILE_H */
