/* SPDX-License-Identifier: BSD-3-Clause */
/* world.h - virtual time, and the processes that live in it
 *
 * A process is a coroutine: the program's own code (a driver, an agent) on a
 * stack of its own, which runs until it waits.  What it asks of the system is
 * answered by calls.c.  A process that was killed is not torn from its stack:
 * all its calls fail from then on and change nothing, until it has returned.
 */
#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include <ucontext.h>

struct disk;
struct drivers;
struct faults;
struct simulation;
struct task_process;
struct world;

enum { HOSTS_MAX = 16, NOBODY = -1 };

struct host {
    bool up;
    double booted_s;
    double skew_s; /* what its clock of day is ahead */
    int boots;
};

struct process {
    int pid;
    const char *what;
    int host;
    void (*main) (void *arg);
    void (*over) (struct process *process, void *arg); /* it has returned */
    void *arg;
    double started_s;
    bool dead;        /* killed: calls fail */
    bool is_over;     /* returned */
    int64_t crash_in; /* calls from now; 0: not */
    int64_t stop_in;
    double stop_s;
    double stopped_s; /* when it was suspended; 0: never */
    double resumed_s;
    int64_t refused; /* calls that failed because it is dead */
    int64_t errors;  /* calls that were made to fail */
    uint64_t signals;
    bool waits_for_signal;
    struct task_process *children;
    uint64_t turn; /* the event that wakes it */
    ucontext_t context;
    char *stack;
    struct process *next;
};

struct event;

struct world {
    double now_s;
    double call_s; /* what a driver's system call takes at least */
    struct host hosts[HOSTS_MAX];
    int n_hosts;
    struct disk *disk;
    struct faults *faults;
    struct drivers *drivers; /* who drives from within a job */
    struct json *told; /* {ID: how often the program ran that tells it}; NULL:
                          nothing is told */
    struct simulation *sim;
    struct process *processes;
    struct process *current; /* NULL: nobody's, the onlooker's */
    struct event *events;    /* a heap */
    size_t n_events, events_alloc;
    uint64_t turns;
    int last_pid;
    bool closing;  /* what happens now happens only to free what it has */
    int64_t calls; /* system calls answered */
    int64_t steps; /* events happened */
    char **stacks; /* for use again */
    size_t n_stacks, stacks_alloc;
    ucontext_t outside;
    void *outside_stack; /* for the address sanitizer */
    size_t outside_stack_bytes;
};

void world_init (struct world *world);
void world_release (struct world *world);

/* The one that calls.c answers from. */
void world_enter (struct world *world);
struct world *world_of_calls (void);

/* 'fn' happens at 'at_s', or when the world is closing. */
void world_at (struct world *world, double at_s, void (*fn) (void *arg),
               void *arg);

/* A process begins now.  'over' is called once it has returned, killed or
 * not; then it is freed.
 */
struct process *world_start (struct world *world, const char *what, int host,
                             void (*main) (void *arg),
                             void (*over) (struct process *process, void *arg),
                             void *arg);

/* The current process waits; others go on.  Early when it is woken. */
void world_pause (struct world *world, double s);

/* Make a waiting process go on now. */
void world_wake (struct world *world, struct process *process);

void world_kill (struct world *world, struct process *process);
void world_signal (struct world *world, struct process *process, int sig);

/* The processes of a host are killed, what they did not sync is lost. */
void world_host_fails (struct world *world, int host, double up_s);

/* Let the next thing happen; false when nothing will. */
bool world_step (struct world *world);

#endif /* !TESTS_SIM_WORLD_H */
