/* SPDX-License-Identifier: BSD-3-Clause */
/* group.h - programs that run together as one task
 *
 * One run of a group is one task.  Each program belongs to a node of the task,
 * by name, and runs there in one or more instances at once.  The templates
 * know the placeholders of a task's commands (see operator.h), of which those
 * of resources are the instance's, and by where they stand
 *   {workspace}     a directory for all programs of the node
 *   {hosts}         the host names of the nodes, a list in the order of
 *                   'nodes'; {hosts.NAME} is one of them
 *   {address}       of the first node, as the others reach it
 *   {port}          a TCP port of the first node that no other group there has
 *   {instances}     how many instances the program has: in its own templates
 *   {instance}      0, 1, 2 ...: in those of an instance
 */
#ifndef SIGNATURE_GROUP_H
#define SIGNATURE_GROUP_H

#include "signature/resources.h"

struct arena;

enum { GROUP_INSTANCES_MAX = 10000 };

/* What a node is called that has no other name. */
extern const char group_local_node[];

/* Argvs are NULL-terminated lists of NULL-terminated templates; NULL: none. */

/* Run again and again while the programs it stands beside run. */
struct report_step {
    const char *const *command; /* one argv template; NULL: no report */
    double every_s;
};

struct group_program {
    const char *name;                         /* [a-z][a-z0-9_]* */
    const char *node;                         /* one of the group's */
    int instances;                            /* 1 or more, which run at once */
    struct resources needs;                   /* of one instance; no walltime */
    const char *const *const *setup;          /* once, before all instances */
    const char *const *const *exit;           /* once, after them */
    const char *const *const *instance_setup; /* of each instance */
    const char *const *const *instance_exit;
    struct report_step report;          /* of each instance */
    const char *const *const *commands; /* one after the other */
    const char *script;                 /* text that they run, or NULL */
};

struct group_spec {
    bool workspace_global;           /* kept for later runs of the same task */
    const char *const *nodes;        /* names in order of first use, "local"
                                        first where it is one; NULL-terminated,
                                        one or more */
    const char *const *folded;       /* names that nodes had before group_fold,
                                        each followed by that of where its
                                        programs went, for scripts; NULL */
    const char *const *const *setup; /* on each node, before its programs */
    const char *const *const *exit;
    struct report_step report; /* on each node */
    const struct group_program *programs;
    size_t n_programs;              /* may be 0 */
    const struct resources *extras; /* what each node needs besides its
                                       programs; NULL: nothing.  It is in
                                       group_needs and not in JSON */
};

/* Caller unrefs.  What is empty is left out:
 *   {"workspace": "private" | "global", "nodes": ["local"],
 *    "setup": [[..]], "exit": [[..]],
 *    "report": {"command": [..], "every_s": 5},
 *    "programs": [{"name", "node", "instances", "task": {resources},
 *                  "setup", "exit",
 *                  "per_instance": {"setup", "exit", "report"},
 *                  "commands": [[..]]}]}
 * without "task" where it has all that the task has.
 */
struct json *group_to_json (const struct group_spec *group);

/* Everything in *group is made in 'arena'. */
int group_from_json (const struct json *v, struct arena *arena,
                     struct group_spec *group, struct error *err);

/* A command that has a report: one program, which has all that the task has. */
bool group_is_command (const struct group_spec *group);

/* What the programs of node number 'node' need together, all instances at once;
 * and the task: as many nodes as there are names, each as large as the largest,
 * a rank on each.  Instances that share a core share it with others that have
 * the same 1/n, of any program.  Instances that share a GPU take 1/n of one; a
 * group of one node that needs no more than half of a GPU shares it with other
 * tasks.
 */
struct resources group_node_needs (const struct group_spec *group, int node);
struct resources group_needs (const struct group_spec *group);

/* The group whose programs of node number i run on the node called to[i]: those
 * nodes it then has, and {hosts.NAME} in its templates, $hosts_NAME in its
 * scripts, is the host of where NAME went.  It is made in 'arena' and shares
 * with 'group' what is the same.
 */
struct group_spec *group_fold (const struct group_spec *group,
                               const char *const *to, struct arena *arena);

/* The names of the nodes that 'programs' run on, as in struct group_spec;
 * "local" where there is no program.
 */
const char *const *group_nodes (const struct group_program *programs, size_t n,
                                struct arena *arena);

/* The number of the node called 'name', or -1. */
int group_node_find (const struct group_spec *group, const char *name);

#endif /* !SIGNATURE_GROUP_H */
