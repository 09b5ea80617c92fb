/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.h - what an exploring stage runs: systems, each under its conditions
 *
 * The input `runs` is a list of {systems, for_each, replicas, steps,
 * dump_every, input}; what a run does not say itself the stage's inputs of the
 * same names do.  Without `runs` these are the only run.
 */
#ifndef OPERATORS_EXPLORE_RUNS_H
#define OPERATORS_EXPLORE_RUNS_H

#include "signature/type.h"

struct arena;

/* A file to start from, and the system it is of. */
struct explore_structure {
    const char *system;
    const char *path; /* relative to the campaign, or absolute */
};

struct explore_run {
    const char *input; /* the user's lines, a path as above */
    struct explore_structure *structures;
    size_t n_structures;
    const struct json *for_each; /* {NAME: [number, ...]} */
    int64_t combinations;        /* of these */
    int64_t replicas, steps, dump_every;
};

struct explore_runs {
    struct arena *arena; /* of all of it */
    struct json *held;
    struct explore_run *v;
    size_t n;
    int64_t n_tasks;
};

#define EXPLORE_RUNS_INIT                                                      \
    {                                                                          \
        .arena = NULL                                                          \
    }

/* Read them from 'inputs'.  `systems` is a path, a list of paths or {NAME: path
 * or list of paths}; paths may be patterns, which are looked up in 'dir', the
 * campaign's.  A file that has no name given is called by its own, without its
 * ending; one that a pattern found, by the parts of its path that had the
 * pattern.  -1 with 'err' where something is missing or makes no sense, for two
 * files that would have the same name, and for more than a million tasks.
 * 'runs' must be initialised, and released in any case; 'inputs' are of the
 * types of their ports.
 */
int explore_runs_read (const struct json *inputs, const char *dir,
                       struct explore_runs *runs, struct error *err);
void explore_runs_release (struct explore_runs *runs);

/* Combination number 'index' of the run, {NAME: number}: the last variable
 * varies fastest.  Caller unrefs.
 */
struct json *explore_run_combination (const struct explore_run *run,
                                      int64_t index);

/* What a run is made of, and the type of a variable's values in for_each. */
extern const struct type_field explore_run_fields[];
extern const struct type explore_values;

/* For the checks of inputs: is anything missing that the run of a stage without
 * `runs` needs?  How many combinations are there; -1 with 'err', also where a
 * variable has a name that is none (letters, digits, underscores) or is ours
 * (`seed`, `steps`)?
 */
int explore_runs_are_whole (const struct json *inputs, struct error *err);
int64_t explore_count_combinations (const struct json *for_each,
                                    struct error *err);

#endif /* !OPERATORS_EXPLORE_RUNS_H */
