/* SPDX-License-Identifier: BSD-3-Clause */
/* lineage.h - what a result was made from, back to files that no stage made
 *
 * Read from what lies in the campaign's directory now: stage.json, inputs.json,
 * slices.jsonl, result.json.  A task that was reused leads to the one that ran,
 * in its own campaign, while that is there.
 */
#ifndef COMMANDS_LINEAGE_H
#define COMMANDS_LINEAGE_H

#include "arrays/task_range.h"
#include "space/layout.h"

/* Tasks of a stage in an iteration: each of them once. */
struct lineage_stage {
    char *dir; /* the campaign's, absolute */
    char *stage, *code;
    int iteration;
    double prepared_s; /* time of day; 0: not known */
    struct task_range tasks;
    bool collected;         /* all of them, and what collect made */
    bool bound;             /* what its tasks have in common was followed */
    struct task_range left; /* tasks that were not followed yet */
    struct json *manifest;  /* stage.json; NULL: it is not there */
    struct json *bindings;  /* inputs.json; NULL: it is not there */
    struct json *removed;   /* {OUTPUT: removal} (removal.h); NULL: none was */
};

struct lineage {
    const char *dir;              /* the campaign's, absolute; lent */
    struct strvec publishers;     /* stages that make training data */
    struct lineage_stage *stages; /* in the order in which they were met */
    size_t n, alloc;
    struct json *used_s; /* {PATH: when its last user was prepared} */
    struct json *files;  /* {PATH: {["sha256"], ["from"]}}: what no stage made,
                            of another campaign by its absolute path */
};

void lineage_init (struct lineage *lineage, const char *dir);
void lineage_release (struct lineage *lineage);

/* Add what made 'path', relative to the campaign.  -1 with 'err' where it is
 * nothing that a stage made or read.
 */
int lineage_add (struct lineage *lineage, const char *path, struct error *err);

/* ... and what that was made from, to the end. */
int lineage_follow (struct lineage *lineage, struct error *err);

/* Those that were prepared last come first: before what they used. */
void lineage_sort (struct lineage *lineage);

struct stage_place lineage_place (const struct lineage_stage *stage);

/* Of its files; 'name' NULL: their directory.  Caller frees. */
char *lineage_path (const struct lineage_stage *stage, const char *name);

/* One of them, read; NULL: it is not there.  Caller unrefs. */
struct json *lineage_file (const struct lineage_stage *stage, const char *name);

/* [{["campaign"], "stage", "iteration", "tasks"}]: which of them made what the
 * artifacts among 'values' are.  Caller unrefs.
 */
struct json *lineage_makers (const struct lineage *lineage,
                             const struct lineage_stage *stage,
                             const struct json *values);

#endif /* !COMMANDS_LINEAGE_H */
