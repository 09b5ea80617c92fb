/* SPDX-License-Identifier: BSD-3-Clause */
/* node_report.h - what a probe job finds on its node */
#ifndef DOCTOR_NODE_REPORT_H
#define DOCTOR_NODE_REPORT_H

#include <stdbool.h>

struct error;
struct findings;

/* In the directory of a probe. */
#define NODE_REPORT_FILE "report.json"

/* What is to be judged. */
struct node_facts {
    const char *host;
    bool wants_gpu;      /* the job asked for one */
    const char *gpus;    /* CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES; NULL */
    const char *missing; /* commands of the scheduler that are not on PATH */
};

/* Append what is to be said of it (pure). */
void node_judge (const struct node_facts *facts, struct findings *findings);

/* On the node: look around, also for 'programs' (ends with NULL), and write the
 * findings into 'dir' for whoever waits for them.
 */
int node_report_write (const char *dir,
                       bool wants_gpu,
                       const char *const *programs,
                       struct error *err);

/* Append the findings of the node, and on "node" that it reported 's' seconds
 * after its job was released.  1: there are none yet, -1: they cannot be read.
 */
int node_report_read (const char *dir,
                      double s,
                      struct findings *findings,
                      struct error *err);

#endif /* !DOCTOR_NODE_REPORT_H */
