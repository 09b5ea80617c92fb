/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_file.h - what fanfold-reduce is asked to do: plan.json
 *
 *   {"format": 1,
 *    ...                            how to select: selection/rules.h
 *    "labelled": ["a.extxyz"],      what duplicates would be of; may be absent
 *    "iteration": 3,                said of each frame; may be absent
 *    "earlier": [{..}],             "levels" of the selections before, the
 *                                   oldest first (result.h); may be absent
 *    "elements": ["Si"],            type t of a dump is elements[t-1]
 *    "systems": ["diamond"],        the order of systems in lists of levels;
 *                                   absent: that of their first tasks
 *    "trajectories": [
 *      {"task": 3,                  orders the result
 *       "part": 0,                  (task, part) is unique; may be absent
 *       "system": "diamond",        [A-Za-z0-9][A-Za-z0-9_.-]*: names a file
 *       "trajectory": "traj.dump",  id type|element x y z, or what else
 *                                   formats/trajectory_file.h reads; a * in
 *                                   the name stands for the step: a file per
 *                                   frame; may be absent when there are
 *                                   deviations
 *       "deviations": "model_devi.out",    or else
 *       "forces": ["f0.dump", "f1.dump"],  one per model: id fx fy fz, or what
 *                                   else formats/vector_reader.h reads
 *       "expected_frames": 50}],    of those that count
 *    ...                            what is made of forces:
 *                                   selection/committee_rules.h
 *    "missing": {"tasks": 2, "frames": 100},  that never came; may be absent
 *    "frames_dir": "out/frames",    absent or empty; not needed when no
 *                                   trajectory is given
 *    "lists": "out/lists",          all frames by class, in DP-GEN's files
 *                                   (lists.h); may be absent
 *    "root": "/home/me/campaign",   paths below are listed from there on; may
 *                                   be absent
 *    "provenance": "from.json",     where each selected frame comes from; may
 *                                   be absent
 *    "params": "params.json"}
 *
 * Relative paths resolve against the working directory.  Trajectories
 * with forces have the same number of force files, at least two.  Unknown keys
 * are errors.
 */
#ifndef REDUCE_PLAN_FILE_H
#define REDUCE_PLAN_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/strvec.h"
#include "selection/committee_rules.h"
#include "selection/rules.h"

struct arena;
struct error;
struct json;

struct trajectory {
    int64_t task;
    int64_t part;
    size_t system;          /* in plan->systems */
    const char *name;       /* of the system; texts are lent by the plan */
    const char *path;       /* NULL: frames are only listed */
    const char *deviations; /* NULL: there are forces */
    const char **forces;    /* plan->n_models of them, or NULL */
    uint64_t expected_frames;
};

struct plan {
    struct json *json;    /* without the trajectories, perhaps */
    struct json *entries; /* theirs, in the order of the text: null when read */
    struct arena *texts;  /* of those, as they stand there */
    struct rules rules;
    int64_t iteration;          /* negative: not known */
    const struct json *earlier; /* levels, or NULL; lent by the JSON */
    struct strvec elements;
    struct strvec systems;
    struct strvec labelled;          /* paths */
    struct trajectory *trajectories; /* in the order of (task, part) */
    size_t n_trajectories;
    size_t n_models; /* 0: no trajectory has forces */
    struct committee_rules committee;
    uint64_t missing_tasks;
    uint64_t missing_frames;
    const char *frames_dir;      /* NULL: no frames are written */
    const char *lists_dir;       /* NULL: not asked for */
    const char *root;            /* NULL: not known */
    const char *provenance_path; /* NULL: not asked for */
    const char *params_path;
};

#define PLAN_INIT                                                              \
    {                                                                          \
        .elements = STRVEC_INIT, .systems = STRVEC_INIT,                       \
        .labelled = STRVEC_INIT                                                \
    }

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

/* For whoever makes a plan out of something else: read the keys "elements" and
 * "labelled" of 'v', if they are there; and check whether the rules can be
 * followed with the trajectories that there are.
 */
int plan_read_lists (const struct json *v,
                     struct plan *plan,
                     struct error *err);
int plan_check (const struct plan *plan, struct error *err);

#endif /* !REDUCE_PLAN_FILE_H */
