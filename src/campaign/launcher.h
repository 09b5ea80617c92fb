/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h - what starts tasks of several ranks and agents of several nodes,
 * and what MPI is to be told
 *
 * Every name of an MPI library and of its variables stands in one table.
 */
#ifndef CAMPAIGN_LAUNCHER_H
#define CAMPAIGN_LAUNCHER_H

struct profile;
struct yaml_node;

/* The environment of tasks: "NAME=VALUE" templates, NULL-terminated, in which
 * {dir} is the task's working directory.
 */
struct launcher_environment {
    const char *const
        *alone; /* of a task of one rank, which no launcher starts:
                   an MPI program is then a world of one */
    const char *const *ranks; /* of a task of several: they inherit the task's
                                 cores and do not choose their own */
    const char *const *not_ranks; /* what these must not inherit, should their
                                     agent itself run in a task that is alone */
};

/* What a local profile has that names none: Open MPI's, whose environment other
 * libraries ignore.  Agents are started by what the profile's scheduler names,
 * or by Open MPI.
 */
void launcher_default (struct profile *profile);

/* Read an argv template that knows the placeholders 'names' (NULL-terminated)
 * and nothing else.  Problems are recorded.
 */
void argv_template_read (const struct yaml_node *node, const char *const *names,
                         const char *const **argv);

/* Read `agents:`, an argv, into the struct profile.  Problems are recorded. */
void agents_read (const struct yaml_node *node, void *profile);

/* Read `launcher:`, the name of a preset (openmpi, mpich, intelmpi, srun) or an
 * argv, into the launcher and environment of the struct profile, and what a
 * preset starts agents by, where the scheduler names nothing.  Problems are
 * recorded.
 */
void launcher_read (const struct yaml_node *node, void *profile);

#endif /* !CAMPAIGN_LAUNCHER_H */
