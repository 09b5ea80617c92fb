/* SPDX-License-Identifier: BSD-3-Clause */
/* job_manifest.h - job.json: what an agent must know of its submission */
#ifndef HANDOVER_JOB_MANIFEST_H
#define HANDOVER_JOB_MANIFEST_H

#include "arrays/array_job.h"
#include "arrays/packing.h"
#include "arrays/task_range.h"
#include "placement/node_shape.h"
#include "placement/place_rules.h"
#include "signature/resources.h"

struct job_manifest {
    char token[TOKEN_LENGTH + 1];
    char *stage_dir; /* relative: of the generation that it works for, */
    int generation;  /* and its number */
    int attempt;
    int chunk;
    int64_t elements;
    struct task_range tasks; /* of all elements: packing_bundle deals them */
    int slots;               /* tasks at a time, at most; 0: as many as fit */
    int cores;               /* of an element on a node, as asked for */
    struct place_rules rules;
    struct node_size node;     /* as recorded; 0 cores: it is not */
    struct resources task;     /* after what retries changed */
    double element_walltime_s; /* 0: unstated */
    double visibility_s;       /* how long to wait for submission.json */
    double grace_s;            /* SIGTERM to SIGKILL */
    int64_t log_bytes;         /* of a task's log, at most; 0: any */
    bool mps;             /* tasks that share a GPU do so by an MPS daemon */
    struct json *retired; /* [{host, device}] not to be used; NULL: none */
};

/* Reading gives a manifest that owns its tasks and the list: release it. */
struct json *job_manifest_to_json (const struct job_manifest *manifest);
int job_manifest_from_json (const struct json *v, struct job_manifest *manifest,
                            struct error *err);

void job_manifest_release (struct job_manifest *manifest);

#endif /* !HANDOVER_JOB_MANIFEST_H */
