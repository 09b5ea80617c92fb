/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_manifest.h - stage.json: everything an agent must know of a stage
 *
 * Written once, when a stage is prepared, and never changed; slices.jsonl
 * beside it holds one JSON object a line with the sliced inputs of task 0, 1,
 * 2 ... (absent when the stage has one unsliced task).
 */
#ifndef HANDOVER_STAGE_MANIFEST_H
#define HANDOVER_STAGE_MANIFEST_H

#include "signature/operator.h"
#include "signature/resources.h"
#include "space/layout.h"

struct group_spec;

struct stage_manifest {
    struct arena *arena; /* owns what stage_manifest_from_json made */
    const char *campaign;
    const char
        *operator_name;   /* with its version, for the engine and people; */
    int operator_version; /* not read here.  NULL: not known; 0: none */
    struct stage_place place;
    const char *first_name; /* of the stage, which seeds and identities are by;
                               NULL: that in 'place' */
    int64_t seed;           /* the campaign's; see task_seed */
    unsigned uses;          /* of it, {task} and {iteration}: what its tasks
                               use (task_uses.h) */
    int32_t tasks;
    bool sliced;                /* slices.jsonl is there */
    const struct port *inputs;  /* NULL-terminated by name: all inputs, in the
                                   operator's manifest, then those made by
                                   prepare; types are those the *task* sees
                                   (one slice) */
    const struct port *outputs; /* of one task */
    const char *identity; /* SHA-256 of what all its tasks depend on, and all
                             that a task of an operator without slices does;
                             NULL: not known (act/identity.h) */
    const char *const *files; /* of the operator, for the engine; not read
                                 here.  NULL: none */
    const char *programs;     /* the copy that it runs from (programs.h),
                                 relative to the campaign; NULL: none */
    struct json *values;      /* {NAME: value} of the inputs not sliced; a
                                 reference that release gives back */
    struct json *parts;       /* what the identity was made of (act/identity.h),
                                 for the engine; not read here.  NULL: not known */
    struct json *witness;     /* what was seen then (act/witness.h), for the
                                 engine; not read here.  NULL: not known */
    const char *definition;   /* SHA-256 of all that it was prepared from, for
                                 the engine; not read here */
    const char *const *const *commands;
    bool called; /* it is of a call: a script's $campaign is the caller's */
    const char *script; /* text that 'commands' run (script.h); NULL: none */
    bool worker; /* the one command is that of a worker (worker_message.h) */
    const struct group_spec *group; /* NULL: none.  The last of 'commands'
                                       runs it, in the task's directory */
    const char *const *checkpoint;  /* patterns of files that a later try may
                                       go on from, or NULL */
    bool keeps_logs;                /* what a task printed lies beside `out` */
    const char *const *input_files; /* patterns of files that do, or NULL */
    const char *version_line;       /* of the operator, or NULL */
    const char *const *versions;    /* the same */
    bool keeps_raw;                 /* `raw`, which tasks make, does */
    const int *fatal_exits;         /* 0-terminated, or NULL */
    const char *image; /* that commands run in, seen from the campaign; NULL:
                          none */
    const char *const *container;   /* argv template that runs one in it */
    const char *const *env;         /* "NAME=VALUE" of the operator, or NULL */
    const char *const *launcher;    /* argv template, or NULL */
    const char *const *agents;      /* argv template that starts a program
                                       on each of {nodes} nodes, or NULL */
    const char *const *environment; /* "NAME=VALUE" templates, in which {dir}
                                       is the working directory; or NULL */
    const char *const *not_inherited; /* entries that are left out where the
                                         agent itself has them; or NULL */
};

#define STAGE_MANIFEST_INIT                                                    \
    {                                                                          \
        0                                                                      \
    }

/* Caller unrefs.  Of ports, what an agent needs is written: name, type,
 * optional, holes, copy, path, take.
 */
struct json *stage_manifest_to_json (const struct stage_manifest *manifest);

/* 'manifest' is made anew (release an earlier one first). */
int stage_manifest_from_json (const struct json *v,
                              struct stage_manifest *manifest,
                              struct error *err);
void stage_manifest_release (struct stage_manifest *manifest);

/* The number of the generation that lies at 'place' below 'dir'; 0: none that
 * can be read.
 */
int stage_manifest_generation (const char *dir,
                               const struct stage_place *place);

/* What the stage was called in the beginning.  Lent. */
const char *stage_manifest_first_name (const struct stage_manifest *manifest);

/* The seed of one of its tasks. */
int64_t stage_manifest_seed (const struct stage_manifest *manifest, int task);

/* The seed of a task: 1..900000000 (LAMMPS takes no more) from (campaign seed,
 * the stage's first name, iteration, task), never from the attempt, so a
 * disturbed campaign ends bit-identical.
 */
int64_t task_seed (int64_t campaign_seed, const char *stage, int iteration,
                   int task);

#endif /* !HANDOVER_STAGE_MANIFEST_H */
