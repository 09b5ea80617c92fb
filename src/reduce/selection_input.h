/* SPDX-License-Identifier: BSD-3-Clause */
/* selection_input.h - what to select from, and how: the task.json of a task of
 * model_devi.select (doc/architecture.md), checked
 *
 *   {"format": 1, "seed": 5, "iteration": 3, "campaign_dir": "/abs",
 *    "inputs": {
 *      ...                         how to select: selection/rules/rules.h
 *      ...                         what is made of forces:
 *                                  selection/deviations/committee_rules.h
 *      "elements": ["Si"],         type t of a dump is elements[t-1]
 *      "duplicates": {.., "labelled": ["a.extxyz"]},   what they would be of
 *      "features": {.., "frames": ["f.npy"],      for each exploring task
 *                   "labelled": ["l.npy"]},
 *      "convergence": {.., "earlier": [{..}]},   "levels" of the selections
 *                                  before, the oldest first (result.h)
 *      "skip": {.., "dump_every": 20},    steps between two frames
 *      "identical_members": "allow",   or "error": of a committee whose members
 *                                  are one model
 *      "health": {"closest": 0.8, "labelled": ["a.extxyz"],   is it looked
 *                   at whether trajectories are sound:
 * selection/health/health.h "conditions": [{"temperature": 300}], "blown_up":
 * [false]}, these for each exploring task "lists": true,              all
 * frames by class are wanted (lists.h) and lists with one element for each task
 * of the exploring stage, all null where that left nothing: "system":
 * ["diamond"],      [A-Za-z0-9][A-Za-z0-9_.-]*: names a file "trajectories":
 * ["t.dump"], id type|element x y z, or what else formats/vector_reader.h
 * reads; a * in the name stands for the step: a file per frame; may be empty
 * when there are deviations "deviations": ["model_devi.out"],    or else
 *      "forces": [["f0.dump", "f1.dump"]],  one per model: id fx fy fz, or
 *                                  what else formats/vector_reader.h reads
 *      "frames_expected": [50]},   after step 0; may be empty
 *    "outputs": {"frames": "out/frames",      without it none are written
 *                "provenance": "out/from",    may be absent
 *                "lists": "out/lists",
 *                "params": "params.json"}}    may be absent: that
 *
 * Relative paths resolve against the working directory.  Of the inputs only
 * "system" and what the rules need must be there; null is as if it were not.
 * Unknown inputs are errors.
 */
#ifndef REDUCE_SELECTION_INPUT_H
#define REDUCE_SELECTION_INPUT_H

#include "selection/deviations/committee_rules.h"
#include "selection/health/health.h"
#include "selection/rules/rules.h"

struct sampled;

struct trajectory {
    int64_t task;
    size_t system;          /* in input->systems */
    const char *path;       /* NULL: frames are only listed */
    const char *deviations; /* NULL: there are forces */
    const char **forces;    /* input->n_models of them, or NULL */
    const char *features;   /* of its frames, or NULL */
    uint64_t expected_frames;
    const struct json *conditions; /* NULL: not known */
    bool blown_up;
};

/* Texts are lent by the JSON. */
struct selection_input {
    struct json *task;
    struct json *inputs; /* of the task, and its seed */
    struct rules rules;
    struct committee_rules committee;
    struct health_rules health;
    int64_t iteration;          /* negative: not known */
    int identical_allowed;      /* members that are one model */
    const struct json *earlier; /* levels, or NULL */
    struct strvec elements;
    struct strvec systems;           /* in the order of their first tasks */
    struct strvec labelled;          /* paths */
    struct strvec health_labelled;   /* paths */
    struct strvec probe;             /* paths, of levels by error, */
    const char *probe_labels;        /* and of labels; NULL: there are none */
    struct strvec labelled_features; /* paths */
    struct trajectory *trajectories; /* in the order of tasks */
    size_t n_trajectories;
    size_t n_models;             /* 0: no trajectory has forces */
    uint64_t missing_tasks;      /* that left nothing */
    const char *frames_dir;      /* NULL: no frames are written */
    const char *lists_dir;       /* NULL: not asked for */
    const char *root;            /* of the paths in lists; NULL: not known */
    const char *provenance_path; /* NULL: not asked for */
    const char *params_path;
};

#define SELECTION_INPUT_INIT                                                   \
    {                                                                          \
        .elements = STRVEC_INIT, .systems = STRVEC_INIT,                       \
        .labelled = STRVEC_INIT, .health_labelled = STRVEC_INIT,               \
        .probe = STRVEC_INIT, .labelled_features = STRVEC_INIT                 \
    }

/* Legal twice. */
void selection_input_release (struct selection_input *input);

/* Read and check a task, which is shared, not changed.  'input' must be
 * initialised; untouched on failure.
 */
int selection_input_read (struct json *task, struct selection_input *input,
                          struct error *err);

/* The same from its text; 'name' is for messages. */
int selection_input_parse (const char *text, size_t len, const char *name,
                           struct selection_input *input, struct error *err);

/* Are fingerprints of the structures needed? */
bool selection_input_prints (const struct selection_input *input);

/* The trajectory of a task; NULL when there is none.  Each section of a file of
 * deviations has that of the file.
 */
const struct trajectory *input_trajectory (const struct selection_input *input,
                                           int64_t task);

#endif /* !REDUCE_SELECTION_INPUT_H */
