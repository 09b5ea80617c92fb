/* SPDX-License-Identifier: BSD-3-Clause */
/* select_source.h - what `fanfold select` selects from: files of deviations
 * below paths, or what a stage of a campaign selected from
 */
#ifndef COMMANDS_SELECT_SOURCE_H
#define COMMANDS_SELECT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strvec.h"
#include "commands/command.h"

struct json;

struct select_source {
    struct strvec files; /* of task 0, 1 ..; empty text: it left none.  Files of
                            deviations, or trajectories when 'by_forces' */
    bool by_forces;
    struct strvec systems; /* in the order of their first files */
    size_t *system;        /* of each file */
    struct json *inputs;   /* of the stage; NULL: there is no stage */
    int64_t iteration;     /* of the stage, or what --iteration says, or 0 */
    int64_t seed;          /* of the stage, or 0 */
};

#define SELECT_SOURCE_INIT                                                     \
    {                                                                          \
        .files = STRVEC_INIT, .systems = STRVEC_INIT                           \
    }

/* Legal twice. */
void select_source_release (struct select_source *source);

/* Find what is named.  'source' must be initialised; not STATUS_DONE: it has
 * complained, and 'source' is to be released.
 */
enum exit_status select_source_find (const struct invocation *invocation,
                                     struct select_source *source);

/* The committee's files of forces for a trajectory; texts are lent.  Caller
 * frees the list.
 */
const char **select_source_forces (const struct json *inputs,
                                   size_t task,
                                   size_t *n);

/* The trajectory of a file: the stage's, or what DP-GEN keeps beside the file,
 * all.lammpstrj or the files traj / *.lammpstrj (then with a '*' for the step),
 * whether that is there or not.  Caller frees.
 */
char *select_source_trajectory (const struct select_source *source,
                                size_t file);

/* Is there any?  A stage has them. */
bool select_source_has_trajectories (const struct select_source *source);

#endif /* !COMMANDS_SELECT_SOURCE_H */
