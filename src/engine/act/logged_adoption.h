/* SPDX-License-Identifier: BSD-3-Clause */
/* logged_adoption.h - adoption of tasks that are in logs alone
 *
 * Of a stage without output artifacts the results are the ends in the logs of
 * its agents, which moved to .fanfold/replaced with its run files.  Those of
 * tasks with the same identity are written down once more, in a log beside
 * stage.json that the event `prepared` names (LAYOUT_ADOPTED), and so are those
 * that the store has.
 */
#ifndef ENGINE_LOGGED_ADOPTION_H
#define ENGINE_LOGGED_ADOPTION_H

#include <stdint.h>

struct adoption;
struct error;
struct json;
struct reuse;

/* Adopt what can be of 'tasks' tasks, whose slices lie in 'run_dir' (absolute);
 * 'identity' is the stage's, NULL where it has slices; 'reuse' may be NULL.
 * *logs: what the event is to tell, {LOG: {bytes, sha256}}; NULL: nothing was
 * adopted.  -1 when that cannot be known or written now.
 */
int logged_adoption (struct adoption *adoption, const char *run_dir,
                     const char *identity, int32_t tasks, struct reuse *reuse,
                     struct json **logs, struct error *err);

#endif /* !ENGINE_LOGGED_ADOPTION_H */
