/* SPDX-License-Identifier: BSD-3-Clause */
/* node_report.h - what a probe job finds on its node */
#ifndef DOCTOR_NODE_REPORT_H
#define DOCTOR_NODE_REPORT_H

#include <stdbool.h>

#include "doctor/trial.h"

struct error;
struct json;

/* In the directory of a probe. */
#define NODE_REPORT_FILE "report.json"
#define NODE_REPORT_LOCK "lock" /* locked by whoever waits for the report */

struct node_report {
    char host[128];
    char version[64];  /* of fanfold there */
    double wall_s;     /* its clock, when it looked */
    int cores;         /* that the job was given */
    char gpus[128];    /* CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES; "" */
    bool lock_is_seen; /* the lock that another host holds is held here */
    struct trial trial;
};

/* Look around, and write the report into 'dir' for whoever waits for it. */
int node_report_make (const char *dir, struct error *err);

/* Read it.  1: it is not there yet, -1: it cannot be read. */
int node_report_read (const char *dir,
                      struct node_report *report,
                      struct error *err);

struct json *node_report_to_json (const struct node_report *report);
int node_report_from_json (const struct json *v,
                           struct node_report *report,
                           struct error *err);

#endif /* !DOCTOR_NODE_REPORT_H */
