/* SPDX-License-Identifier: BSD-3-Clause */
/* world.c - virtual time, and the processes that live in it */
#include "base/base.h"

#include <sys/mman.h>

#include "base/json.h"
#include "disk.h"
#include "sim/sim.h"
#include "task_process.h"
#include "world.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define FIBERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define FIBERS 1
#endif
#endif

enum { STACK_BYTES = 1 << 18, GUARD_BYTES = 1 << 16 };

struct event {
    double at_s;
    uint64_t order;          /* of events at the same time */
    struct process *process; /* NULL: 'fn' */
    void (*fn) (void *arg);
    void *arg;
};

/* Whom events are for that outlive their process. */
static struct process nobody;

/* calls.c has no other way to know where it is. */
static struct world *the_world;

void world_enter (struct world *world)
{
    the_world = world;
}

struct world *world_of_calls (void)
{
    return the_world;
}

void world_init (struct world *world)
{
    memset (world, 0, sizeof (*world));
    world->last_pid = 1000;
}

/* --- events: a binary heap by time --- */

static bool before (const struct event *a, const struct event *b)
{
    return a->at_s < b->at_s || (a->at_s == b->at_s && a->order < b->order);
}

static void push_event (struct world *world, struct event event)
{
    size_t i = world->n_events;

    world->events = grow_array (world->events, world->n_events,
                                &world->events_alloc, sizeof (event));
    world->n_events++;
    while (i > 0 && before (&event, &world->events[(i - 1) / 2])) {
        world->events[i] = world->events[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    world->events[i] = event;
}

static struct event pop_event (struct world *world)
{
    struct event first = world->events[0];
    struct event last = world->events[--world->n_events];
    size_t n = world->n_events;
    size_t i = 0;
    size_t child;

    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n
            && before (&world->events[child + 1], &world->events[child]))
            child++;
        if (!before (&world->events[child], &last))
            break;
        world->events[i] = world->events[child];
        i = child;
    }
    if (n > 0)
        world->events[i] = last;
    return first;
}

void world_at (struct world *world, double at_s, void (*fn) (void *arg),
               void *arg)
{
    push_event (world, (struct event){ .at_s = fmax (at_s, world->now_s),
                                       .order = ++world->turns,
                                       .fn = fn,
                                       .arg = arg });
}

static void wake_at (struct world *world, struct process *process, double at_s)
{
    process->turn = ++world->turns;
    push_event (world, (struct event){ .at_s = at_s,
                                       .order = process->turn,
                                       .process = process });
}

/* What was to happen still is told that it is too late: it frees what it has.
 */
void world_release (struct world *world)
{
    world->closing = true;
    while (world->n_events > 0) {
        struct event event = pop_event (world);

        if (!event.process)
            event.fn (event.arg);
    }
    while (world->n_stacks > 0)
        munmap (world->stacks[--world->n_stacks] - GUARD_BYTES,
                GUARD_BYTES + STACK_BYTES);
    free (world->stacks);
    free (world->events);
    json_unref (world->told);
}

/* --- changing stacks --- */

static void enter_stack (void **mine, const void *stack, size_t bytes)
{
#ifdef FIBERS
    __sanitizer_start_switch_fiber (mine, stack, bytes);
#else
    (void)mine;
    (void)stack;
    (void)bytes;
#endif
}

static void entered_stack (void *mine, const void **from, size_t *bytes)
{
#ifdef FIBERS
    __sanitizer_finish_switch_fiber (mine, from, bytes);
#else
    (void)mine;
    (void)from;
    (void)bytes;
#endif
}

/* The first function of every process. */
static void life (void)
{
    struct world *world = the_world;
    struct process *process = world->current;

    entered_stack (NULL, (const void **)&world->outside_stack,
                   &world->outside_stack_bytes);
    process->main (process->arg);
    process->is_over = true;
    enter_stack (NULL, world->outside_stack, world->outside_stack_bytes);
    swapcontext (&process->context, &world->outside);
}

/* Go out of the current process, until somebody comes back to it. */
static void leave_process (struct world *world)
{
    struct process *process = world->current;
    void *mine = NULL;

    enter_stack (&mine, world->outside_stack, world->outside_stack_bytes);
    swapcontext (&process->context, &world->outside);
    entered_stack (mine, (const void **)&world->outside_stack,
                   &world->outside_stack_bytes);
}

/* What is below it cannot be written: a stack that is too small is noticed. */
static char *take_stack (struct world *world)
{
    char *stack;

    if (world->n_stacks > 0)
        return world->stacks[--world->n_stacks];
    stack = mmap (NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED || mprotect (stack, GUARD_BYTES, PROT_NONE) < 0)
        alloc_failed (STACK_BYTES);
    return stack + GUARD_BYTES;
}

static void bury (struct world *world, struct process *process)
{
    struct process **link = &world->processes;

    for (size_t i = 0; i < world->n_events; i++) {
        if (world->events[i].process == process)
            world->events[i].process = &nobody;
    }
    while (*link != process)
        link = &(*link)->next;
    *link = process->next;
    world->stacks = grow_array (world->stacks, world->n_stacks,
                                &world->stacks_alloc, sizeof (char *));
    world->stacks[world->n_stacks++] = process->stack;
    task_processes_end (process);
    if (process->over)
        process->over (process, process->arg);
    disk_close_all (world->disk, process);
    free (process);
}

static void go_on (struct world *world, struct process *process)
{
    void *mine = NULL;

    world->current = process;
    enter_stack (&mine, process->stack, STACK_BYTES);
    swapcontext (&world->outside, &process->context);
    entered_stack (mine, NULL, NULL);
    world->current = NULL;
    if (process->is_over)
        bury (world, process);
}

/* --- processes --- */

struct process *world_start (struct world *world, const char *what, int host,
                             void (*main) (void *arg),
                             void (*over) (struct process *process, void *arg),
                             void *arg)
{
    struct process *process = xcalloc (1, sizeof (*process));

    process->pid = ++world->last_pid;
    process->what = what;
    process->host = host;
    process->main = main;
    process->over = over;
    process->arg = arg;
    process->started_s = world->now_s;
    process->stack = take_stack (world);
    getcontext (&process->context);
    process->context.uc_stack.ss_sp = process->stack;
    process->context.uc_stack.ss_size = STACK_BYTES;
    makecontext (&process->context, life, 0);
    process->next = world->processes;
    world->processes = process;
    wake_at (world, process, world->now_s);
    return process;
}

static double next_s (const struct world *world)
{
    double at_s = world->n_events > 0 ? world->events[0].at_s : INFINITY;

    return world->sim ? fmin (at_s, sim_next_s (world->sim)) : at_s;
}

void world_pause (struct world *world, double s)
{
    struct process *process = world->current;
    double at_s = world->now_s + s;

    if (!process || process->dead)
        return;
    if (at_s < next_s (world)) {
        world->now_s = at_s; /* nobody else has anything to do till then */
        return;
    }
    wake_at (world, process, at_s);
    leave_process (world);
}

void world_wake (struct world *world, struct process *process)
{
    if (process != world->current && !process->is_over)
        wake_at (world, process, world->now_s);
}

void world_kill (struct world *world, struct process *process)
{
    if (process->dead)
        return;
    process->dead = true;
    world_wake (world, process);
}

void world_signal (struct world *world, struct process *process, int sig)
{
    process->signals |= (uint64_t)1 << sig;
    if (process->waits_for_signal)
        world_wake (world, process);
}

static void rise (void *arg)
{
    struct host *host = arg;

    host->up = true;
}

void world_host_fails (struct world *world, int host, double up_s)
{
    struct host *h = &world->hosts[host];

    for (struct process *p = world->processes; p; p = p->next) {
        if (p->host == host)
            world_kill (world, p);
    }
    disk_lose_unsynced (world->disk, host);
    h->up = false;
    h->boots++;
    h->booted_s = up_s;
    world_at (world, up_s, rise, h);
}

bool world_step (struct world *world)
{
    double at_s = next_s (world);
    struct event event;

    if (at_s == INFINITY)
        return false;
    world->steps++;
    world->now_s = fmax (world->now_s, at_s);
    if (world->sim && sim_next_s (world->sim) <= at_s) {
        sim_advance (world->sim, world->now_s);
        return true;
    }
    event = pop_event (world);
    if (!event.process)
        event.fn (event.arg);
    else if (event.order == event.process->turn)
        go_on (world, event.process);
    return true;
}
