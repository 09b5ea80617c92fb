/* SPDX-License-Identifier: BSD-3-Clause */
/* task.h - the life of one task in one slot
 *
 * task_begin prepares its directory and starts the first command; task_reaped
 * takes the end of one command and starts the next, or checks what came out and
 * hands it over to be committed.  Both log what happened; the task is over when
 * pid is 0.  A worker that goes on stays with the slot.
 */
#ifndef AGENT_TASK_H
#define AGENT_TASK_H

#include <sys/types.h>

#include "agent/log_limit.h"
#include "agent/task_memory.h"
#include "agent/worker.h"
#include "arrays/outcome.h"
#include "handover/group_file.h"
#include "handover/records.h"
#include "handover/script_run.h"
#include "placement/memory_policy.h"
#include "signature/sizes.h"

struct assignment;
struct claim;
struct commits;
struct device_watch;
struct energy_meter;
struct input_watch;
struct memory_cgroup;
struct mps;
struct rusage;
struct slot;

/* What all tasks of an element share; lent. */
struct element {
    /* Is the agent told to end, now that a task ended badly?  Who ends a job
     * tells all its processes, one after the other.  1, with 'why'.
     */
    int (*listen) (void *agent, bool sigterm, struct error *why,
                   struct error *err);
    void *agent;
    const struct assignment *assignment;
    struct claim *claim;
    struct commits *commits;
    struct input_watch *watch;
    const char *work_dir;  /* work/<element>.<n>, absolute */
    const char *short_dir; /* a link there (short_path.h); NULL: none */
    const char *oom_file;  /* oom_kills_file () */
    const struct memory_cgroup *memory_cgroup;
    struct device_watch *devices;
    struct mps *const *mps; /* NULL-terminated: of devices that are shared */
    struct energy_meter *energy; /* of the node, where a task has it to itself;
                                    else it knows nothing */
};

struct task {
    const struct element *element; /* lent */
    const struct slot *slot;       /* lent */
    int slot_index;
    int log_fd;           /* of the slot; -1: none */
    struct worker worker; /* of the slot, with the memory it is kept to */

    int number;
    size_t index;             /* its position in the bundle */
    const struct json *slice; /* its sliced inputs; lent, may be NULL */
    char *dir;                /* its working directory, absolute */
    char *start_dir; /* where its commands start: the same, but of a worker */
    bool restart;    /* something of an earlier try lies in it */
    char *tag;       /* environment entry of all its processes */
    struct strvec env;
    struct sizes sizes;  /* of the arrays among its inputs */
    struct json *values; /* of the placeholders of argv templates */
    struct script_variables variables; /* of its script, if it has one */
    off_t log_mark; /* where the running command's output starts */
    struct log_limit log_limit;

    char *workspace; /* of a group: private, to be removed; or NULL */
    struct group_end group_end; /* as its runner told; no message: it did not;
                                   of a worker 'run' alone */

    enum outcome told;      /* by its worker, or of it; OUTCOME_NONE: nothing */
    struct error told_why;  /* "says: ...": of the worker */
    struct records records; /* what its worker reported */
    double worker_cpu_s;    /* that the worker had used before */
    double worker_ends_s;   /* when one that is to exit is killed;
                               INFINITY: it did not */

    size_t command; /* index of the running one */
    pid_t pid;      /* it, and its process group; 0: the task is over */
    struct json *commands_run; /* [{argv0, wall_s}] */
    char *version_line; /* in which its code told its version; NULL: none */
    char *cores;        /* CPUs its first command was bound to */
    struct memory_policy memory_had; /* of its first command */
    bool memory_refused;             /* its memory could not be bound */
    double cpu_s;                    /* of commands that have ended */
    double begin_j;                  /* what the node had taken at its start */
    bool start_logged;
    bool inputs_ended;   /* input_watch_end was called */
    bool log_shared;     /* what it left running may have its log open */
    double start_wall_s; /* time of day */
    double start_s;      /* clock_mono_s, as all below */
    double command_start_s;
    double push_at_s;  /* when it is ended, or killed; INFINITY: never */
    double look_at_s;  /* when its log is looked at */
    enum outcome stop; /* why it is being ended; OUTCOME_NONE: it is not */
    struct error stop_why;
    struct task_memory memory;
};

/* Make it a task that is over. */
void task_init (struct task *task, const struct element *element,
                const struct slot *slot, int slot_index);

/* Forget the task, and keep what is the slot's. */
void task_clear (struct task *task);

/* Remove what its slot has. */
void task_release (struct task *task);

/* Start task 'number', at 'index' in the bundle, on its slot; 'others' other
 * processes of the agent are known: commands of tasks that run, and workers
 * (the same below).  -1 only when the agent itself cannot go
 * on.
 */
int task_begin (struct task *task, int number, size_t index, int others,
                struct error *err);

/* Take what its worker wrote, which may end the task; *more: there may be more
 * of it.
 */
int task_hear (struct task *task, int others, bool *more, struct error *err);

/* The worker of its slot was reaped while it had no task. */
void task_worker_died (struct task *task, int others);

/* Its command was reaped with 'status' and 'usage' (as wait4 tells). */
int task_reaped (struct task *task, int status, const struct rusage *usage,
                 int others, struct error *err);

/* Begin to end it: SIGTERM now, SIGKILL after the grace time.  The first
 * reason given stays.
 */
void task_stop (struct task *task, enum outcome outcome, const char *why);

/* When task_push is to be called; INFINITY: it is over. */
double task_due_s (const struct task *task);

/* Do what is due at 'now_s': its walltime is over, or its grace time; its log
 * or its memory is to be looked at.
 */
void task_push (struct task *task, int others, double now_s);

/* Kill it, or the worker of its slot, and forget it, without a word in the log.
 */
void task_abandon (struct task *task, int others);

#endif /* !AGENT_TASK_H */
