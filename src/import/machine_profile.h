/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_profile.h - a profile that is being made of a stage's machine and
 * resources
 */
#ifndef IMPORT_MACHINE_PROFILE_H
#define IMPORT_MACHINE_PROFILE_H

#include "import/batch_flags.h"
#include "import/machine.h"
#include "import/settings.h"

struct profile {
    struct draft *draft;
    const struct machine_source *source;
    struct section machine, resources; /* of the source */
    const char *scheduler;
    struct json *keys, *setup, *env;
    struct batch_flags flags;
};

/* Setup, environment, directives and limits that `resources` say. */
void profile_read_resources (struct profile *p);

/* What a key of `resources` counts, if that makes sense. */
int64_t profile_count (const struct profile *p, const char *names,
                       int64_t otherwise);

/* The key, where it is text and not empty; lent, or NULL. */
const char *profile_text (const struct section *s, const char *names);

/* The key as the report calls it: "train.resources.envs".  Caller frees. */
char *profile_key (const struct profile *p, const char *key);

/* Remark what only a shell would replace in a word of 'key' of the machine
 * file; 'where' is what it became part of.
 */
void profile_remark_word (struct profile *p, const char *word,
                          const char *where, const char *key);

/* Say that only Slurm has such a thing. */
void profile_say_of_slurm (struct profile *p, const char *key);

/* Add {NAME: value} to the environment; 'path' is what the report calls it. */
void profile_add_envs (struct profile *p, const struct json *envs,
                       const char *path);

#endif /* !IMPORT_MACHINE_PROFILE_H */
