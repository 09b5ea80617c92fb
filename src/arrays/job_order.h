/* SPDX-License-Identifier: BSD-3-Clause */
/* job_order.h - job.json: what an agent must know of its submission */
#ifndef ARRAYS_JOB_ORDER_H
#define ARRAYS_JOB_ORDER_H

#include <stdint.h>

#include "arrays/array_job.h"
#include "signature/resources.h"

struct error;
struct json;

struct job_order {
    char token[TOKEN_LENGTH + 1];
    int attempt;
    int chunk;
    int64_t elements;
    int slots;                 /* tasks at a time, at most; 0: as many as fit */
    struct resources task;     /* after what retries changed */
    double element_walltime_s; /* 0: unstated */
    double visibility_s;       /* how long to wait for submission.json */
    double grace_s;            /* SIGTERM to SIGKILL */
    int64_t log_bytes;         /* of a task's log, at most; 0: any */
};

struct json *job_order_to_json (const struct job_order *order);
int job_order_from_json (const struct json *v,
                         struct job_order *order,
                         struct error *err);

#endif /* !ARRAYS_JOB_ORDER_H */
