/* SPDX-License-Identifier: BSD-3-Clause */
/* env_file.h - `env:` of a profile or an operator: variables of its jobs or
 * commands
 */
#ifndef CAMPAIGN_ENV_FILE_H
#define CAMPAIGN_ENV_FILE_H

struct arena;
struct profile;
struct yaml_node;

/* Read a mapping NAME: TEXT into the env of the struct profile.  Problems are
 * recorded: names that are none, or that Fanfold sets for each task.
 */
void env_read (const struct yaml_node *node, void *profile);

/* Read `env:` of an operator into a NULL-terminated list "NAME=VALUE": the same
 * names.
 */
void env_read_operator (const struct yaml_node *node, void *member);

/* What the launcher sets and env sets, too, is as env says. */
void env_over_launcher (struct arena *arena, struct profile *profile);

/* The value of a variable in env, or NULL. */
const char *profile_variable (const struct profile *profile, const char *name);

/* Why the variable whose name has 'n' characters is each task's own and what to
 * do, static; NULL: anyone may set it.
 */
const char *env_own_remedy (const char *name, size_t n);

#endif /* !CAMPAIGN_ENV_FILE_H */
