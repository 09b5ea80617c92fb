/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h - what is wrong with this site, for these profiles? */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "base/file_system.h"

struct doctor_options;
struct engine;
struct findings;
struct plan;
struct profile;

/* --- probe.c: a small job that tells what its node sees --- */

/* Submit a job of 'profile' through its adapter, wait for its report, append
 * what is to be said, and remove all that was made, whatever happens.  With
 * 'topology' (else NULL) the job is given a whole node, and its topology is
 * appended there.  -1 when it was stopped.
 */
int probe_run (struct engine *engine, const struct profile *profile,
               const struct doctor_options *options, struct strbuf *topology,
               struct findings *findings);

/* --- trial.c: does a directory do what the data space depends on? --- */

enum ability {
    ABILITY_EXCLUSIVE, /* O_EXCL refuses a name that is there */
    ABILITY_LINK,      /* link() refuses a name that is there, and makes one */
    ABILITY_RENAME,    /* rename() puts a file in the place of another */
    ABILITY_SYNC,      /* files and directories can be fsynced */
    ABILITY_APPEND,    /* what is appended can be read back */
    ABILITY_LOCK,      /* fcntl() locks can be had */
    ABILITY_COUNT,
};

struct trial {
    struct file_system fs;
    struct error failure[ABILITY_COUNT]; /* what went wrong, or nothing */
};

/* Try all in 'dir', which exists.  -1 when nothing can be made there at all. */
int trial_run (const char *dir, struct trial *trial, struct error *err);

/* Append what is to be said of it (pure); 'where' begins each subject: "data
 * space", "profile 'cpu': data space".
 */
void trial_judge (const struct trial *trial, const char *where,
                  struct findings *findings);

/* --- node_report.c: what a probe job finds on its node --- */

/* In the directory of a probe. */
#define NODE_REPORT_FILE "report.json"
#define NODE_TOPOLOGY_FILE "topology.xml"

/* What a probe job asked for. */
struct node_wish {
    int cores;
    bool gpu;
    bool mps;                    /* tasks are to share GPUs by MPS */
    const char *whole_cores;     /* the adapter's directive; NULL: none */
    const char *const *programs; /* the scheduler's; ends with NULL */
};

/* What it has. */
struct node_sight {
    int cores, threads;  /* hardware threads; 0: not known */
    const char *gpus;    /* CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES; NULL */
    const char *missing; /* of the programs: those not on PATH, "a, b" */
    bool mps_control;    /* NVIDIA's control program of MPS is on PATH */
};

/* Append what is to be said of it (pure). */
void node_judge (const char *host, const struct node_wish *wish,
                 const struct node_sight *sight, struct findings *findings);

/* On the node: look around, and write the findings into 'dir' for whoever waits
 * for them; with 'topology' that of the node, too.
 */
int node_report_write (const char *dir, const struct node_wish *wish,
                       bool topology, struct error *err);

/* Append the findings of the node, and on "node" that it reported 's' seconds
 * after its job was released.  1: there are none yet, -1: they cannot be read.
 */
int node_report_read (const char *dir, double s, struct findings *findings,
                      struct error *err);

/* --- stage_programs.c: what stages run --- */

/* The programs that stages of 'campaign' run by 'profile', each once for what
 * is asked of it: [{"name", "stages": [..], "argv": [..], and for those that
 * can be tried "operator", "input", "question" (operators/code_trial.h) and the
 * "environment" of tasks of one rank}].  Caller unrefs.
 */
struct json *stage_programs (const struct plan *campaign,
                             const struct profile *profile);

/* --- node_programs.c: they are tried on a node --- */

/* In the directory of a probe: the programs to try, if there are any. */
#define NODE_PROGRAMS_FILE "programs.json"

/* How long one may take: dp reads all of PyTorch, maybe over a network. */
#define PROGRAM_TRIAL_S 120

/* Run those of NODE_PROGRAMS_FILE in 'dir', below it, and append what is to be
 * said of each; 'host' is this node.  -1: the file cannot be read.
 */
int node_programs_try (const char *dir, const char *host,
                       struct findings *findings, struct error *err);

/* Append what is to be said of a program that printed this to its "question"
 * (pure).
 */
void program_judge (const struct json *program, const char *printed,
                    struct findings *findings);

/* --- doctor.c: the whole --- */

struct doctor_options {
    const struct profile *const *profiles; /* to look at */
    size_t n;
    const struct plan *campaign; /* whose programs are tried; NULL: none */
    bool probe;                  /* submit a job for each, too */
    double timeout_s;            /* how long to wait for that job to start */
    const volatile int *stop;    /* become non-zero: clean up and return */
};

enum doctor_end {
    DOCTOR_DONE,
    DOCTOR_UNREACHABLE, /* a scheduler did not answer: there is more to find */
    DOCTOR_STOPPED,
};

/* Have a probe job of 'profile' tell the topology of a whole node.  What is
 * made on the way is removed again.
 */
enum doctor_end doctor_topology (struct engine *engine,
                                 const struct profile *profile,
                                 const struct doctor_options *options,
                                 struct strbuf *topology,
                                 struct findings *findings);

/* Look at the data space, at each profile's scheduler, and with 'probe' at a
 * node of each.  What is made on the way is removed again.
 */
enum doctor_end doctor_run (struct engine *engine,
                            const struct doctor_options *options,
                            struct findings *findings);

#endif /* !DOCTOR_DOCTOR_H */
