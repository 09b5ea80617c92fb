/* SPDX-License-Identifier: BSD-3-Clause */
/* group_file.h - group.json and group-end.json: the agent and the runner of a
 * group
 *
 * The agent writes group.json beside task.json and starts `fanfold group`
 * there.  The runner leaves group-end.json; where there is none it was killed.
 */
#ifndef HANDOVER_GROUP_FILE_H
#define HANDOVER_GROUP_FILE_H

#include "arrays/outcome.h"
#include "signature/group.h"
#include "signature/resources.h"

struct arena;

#define GROUP_FILE "group.json"
#define GROUP_END_FILE "group-end.json"

/* {"now_s", "name": "local/force:2", "report": {..}} a line: what reports
 * printed, in the order of time.
 */
#define GROUP_REPORTS_FILE "reports.jsonl"
enum { GROUP_REPORT_MAX = 4096, GROUP_REPORTS_MAX = 1 << 20 };

struct group_file {
    struct arena *arena; /* owns what group_file_from_json made */
    struct group_spec group;
    struct json *values; /* {PLACEHOLDER: value} of the task; owned */
    struct resources needs;
    const char *const *launcher; /* argv template, or NULL */
    const char *dir;             /* the task's, absolute; "." where it is run */
    const char *image;           /* with its full path; NULL: none */
    const char *const *container; /* argv template that runs a command in it */
    const char *const *env;       /* "NAME=VALUE" of the operator, or NULL */
    const char *const *agents;    /* the same, which starts a program on each of
                                     {nodes} nodes */
    double grace_s;
    bool bind;                 /* instances to cores of their own */
    const char *id;            /* of this run, hexadecimal: no other has it */
    const char *workspace_dir; /* global: the workspace itself; private: where
                                  on each node it is made, or elsewhere if that
                                  is no directory there; absolute */
};

#define GROUP_FILE_INIT                                                        \
    {                                                                          \
        .arena = NULL                                                          \
    }

/* Caller unrefs. */
struct json *group_file_to_json (const struct group_file *file);
int group_file_from_json (const struct json *v, struct group_file *file,
                          struct error *err);
void group_file_release (struct group_file *file);

/* How private workspaces of this node are called: those of all runs begin so.
 */
void group_workspace_prefix (struct strbuf *out);

/* The directory of the private workspace of run 'id' on this node: below 'dir',
 * or /tmp where nothing can be made there.
 */
char *group_workspace_path (const char *dir, const char *id);

/* What became of a step, or of the whole group. */
struct group_end {
    enum outcome outcome; /* OUTCOME_NONE: exit_code and signal decide, or it
                             ended well */
    bool machine_error;   /* it is not the task's fault */
    int exit_code;        /* of the program that failed; -1: none */
    int signal;
    bool partly;      /* of a step: a command of it ended well */
    char *lost_node;  /* node_failure: which, as the scheduler calls it; owned;
                         NULL: none, or not told */
    char *message;    /* which program failed and how, or ""; owned */
    struct json *run; /* what result.json is to tell besides: nodes, programs,
                         report; owned, or NULL */
};

#define GROUP_END_INIT                                                         \
    {                                                                          \
        .outcome = OUTCOME_NONE                                                \
    }

/* Did it end well? */
bool group_end_ok (const struct group_end *end);

struct json *group_end_to_json (const struct group_end *end);
int group_end_from_json (const struct json *v, struct group_end *end,
                         struct error *err);
void group_end_release (struct group_end *end);

#endif /* !HANDOVER_GROUP_FILE_H */
