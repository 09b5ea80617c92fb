/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.c - the life of an element: claim it, run its tasks, hand back the rest
 *
 * One thread and one place to wait: the signals of interest are blocked and
 * taken with sigtimedwait, whose timeout is the next deadline.
 */
#include "base/base.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/agent_signals.h"
#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/commit.h"
#include "agent/device_watch.h"
#include "agent/earlier_result.h"
#include "agent/energy.h"
#include "agent/input_watch.h"
#include "agent/memory_cgroup.h"
#include "agent/mps_slots.h"
#include "agent/short_path.h"
#include "agent/orphan_processes.h"
#include "agent/shortage.h"
#include "agent/task.h"
#include "agent/worker_task.h"
#include "base/clock.h"
#include "placement/slots.h"
#include "signature/outputs.h"

/* What it takes to log the end of tasks that were ended. */
static const double shutdown_margin_s = 1;

struct agent {
    struct assignment assignment;
    struct claim claim;
    struct commits commits;
    struct energy_meter energy;
    struct input_watch *watch;
    struct slots slots;
    char *work_dir;  /* work/<element>.<n> */
    char *short_dir; /* a link there, or NULL */
    char *oom_file;
    struct memory_cgroup memory_cgroup;
    struct device_watch devices;
    struct mps **mps;       /* NULL-terminated; NULL: none */
    struct element element; /* of these, for the tasks */
    struct task *tasks;     /* one per slot */
    bool *slot_used;        /* has it run a task? */
    int running;
    bool listened;     /* in this round of reaping, for who ends the job */
    int32_t next;      /* the next task to look at; -1: none is left */
    size_t next_index; /* its position in the bundle */
    double stop_s;     /* when tasks are ended because the element's walltime
                          will be over; INFINITY: it is unstated */
    struct agent_signals signals;
};

/* --- handing tasks back --- */

/* Move on to the task after agent->next. */
static void take_next (struct agent *agent)
{
    agent->next = task_range_next (&agent->assignment.tasks, agent->next);
    agent->next_index++;
}

/* A task is not run here: its `out` was found, or it is handed back.  It may
 * have been the last to use inputs that changed.
 */
static int pass_over (struct agent *agent, int task, size_t index, bool found,
                      struct error *err)
{
    struct error why = ERROR_INIT;

    if (input_watch_end (agent->watch, index, task, &why) != INPUT_SAME)
        return claim_log_pause (&agent->claim, task, &why, err);
    return found ? claim_log_found (&agent->claim, task, err)
                 : claim_log_returned (&agent->claim, task, err);
}

/* Start nothing more: log every task not begun as returned. */
static int drain (struct agent *agent, struct error *err)
{
    for (; agent->next >= 0; take_next (agent)) {
        if (pass_over (agent, agent->next, agent->next_index, false, err) < 0)
            return -1;
    }
    return 0;
}

static void stop_all (struct agent *agent, enum outcome outcome,
                      const char *why)
{
    for (size_t i = 0; i < agent->slots.n; i++)
        task_stop (&agent->tasks[i], outcome, why);
}

/* --- starting tasks --- */

/* How many processes are known besides those of a slot: commands of tasks that
 * run, and workers.
 */
static int others_than (const struct agent *agent, size_t slot)
{
    int n = 0;

    for (size_t i = 0; i < agent->slots.n; i++)
        n += i != slot
             && (agent->tasks[i].pid > 0 || agent->tasks[i].worker.pid > 0);
    return n;
}

/* Did an older agent end it well?  1, 0, or -1.  A stage without output
 * artifacts has its results in the logs, where they stay.
 */
static int was_done (struct agent *agent, int task, size_t index,
                     struct error *err)
{
    struct error why = ERROR_INIT;

    if (outputs_have_artifacts (agent->assignment.stage.outputs)) {
        int there = earlier_result (&agent->assignment, &agent->claim, task,
                                    index, &agent->commits.place_synced, err);

        return there > 0 && pass_over (agent, task, index, true, err) < 0
                   ? -1
                   : there;
    }
    if (!task_range_contains (&agent->claim.ended_ok, task))
        return 0;
    if (input_watch_end (agent->watch, index, task, &why) != INPUT_SAME)
        return claim_log_pause (&agent->claim, task, &why, err) < 0 ? -1 : 1;
    return 1;
}

/* Can a task that starts now end in time?  The first one of a slot may try:
 * no other element would give it more.
 */
static bool has_time (const struct agent *agent, size_t slot)
{
    double walltime_s = agent->assignment.job.task.walltime_s;

    return !agent->slot_used[slot]
           || clock_mono_s () + walltime_s <= agent->stop_s;
}

/* Is the next task to be started, or what is left to be handed back?  When that
 * cannot be known it is handed back.
 */
static bool may_start (struct agent *agent, size_t slot)
{
    return !agent->claim.machine_failed && has_time (agent, slot)
           && assignment_closed (&agent->assignment, NULL) == 0;
}

/* Look at the next task and start it on a free slot if that is to be. */
static int try_next (struct agent *agent, size_t slot, struct error *err)
{
    struct task *task = &agent->tasks[slot];
    struct error why = ERROR_INIT;
    int number = agent->next;
    size_t index = agent->next_index;
    int rc;

    if (!may_start (agent, slot))
        return drain (agent, err);
    take_next (agent);
    rc = was_done (agent, number, index, &why);
    if (rc < 0)
        return claim_log_machine_error (&agent->claim, number, &why, err);
    if (rc > 0)
        return 0;
    agent->slot_used[slot] = true;
    if (task_begin (task, number, index, others_than (agent, slot), err) < 0)
        return -1;
    agent->running += task->pid > 0;
    return 0;
}

/* Is there a task to try, and is the disk keeping up? */
static bool may_begin_one (const struct agent *agent)
{
    return agent->next >= 0 && !commits_full (&agent->commits);
}

static bool is_free (const struct agent *agent, size_t slot)
{
    return agent->tasks[slot].pid == 0
           && !device_watch_rests (&agent->devices, agent->slots.v[slot].gpus);
}

static bool has_free_slot (const struct agent *agent)
{
    for (size_t i = 0; i < agent->slots.n; i++) {
        if (is_free (agent, i))
            return true;
    }
    return false;
}

/* Try one task on every free slot, so that signals are looked at in between.
 * Where all devices are retired, what is left is handed back.
 */
static int start_tasks (struct agent *agent, struct error *err)
{
    if (agent->running == 0 && !has_free_slot (agent)) {
        device_watch_wake (&agent->devices);
        if (!has_free_slot (agent))
            return drain (agent, err);
    }
    for (size_t i = 0; i < agent->slots.n && may_begin_one (agent); i++) {
        if (is_free (agent, i) && try_next (agent, i, err) < 0)
            return -1;
    }
    return 0;
}

/* --- the event loop --- */

static void say_told (int sig, struct error *why)
{
    error_set (why, "the agent was told to end (signal %d)", sig);
}

static int act_on_signal (struct agent *agent, int sig, struct error *err)
{
    struct error why;

    if (sigismember (&agent->signals.interrupts, sig) != 1)
        return 0;
    if (sig != SIGUSR1) {
        say_told (sig, &why);
        stop_all (agent, OUTCOME_PREEMPTED, why.text);
    }
    return drain (agent, err);
}

/* How long who ends a job may take from one process to the next, where nothing
 * else tells that it does, and where a task died of the signal.
 */
static const double listen_s = 0.5, listen_sigterm_s = 1;

/* Who ends a job tells all its processes, one after the other: a task may have
 * died of that, in whatever way it likes, before it is our turn; that is not
 * the task's failure.  However many tasks ended so, one wait is enough.
 */
static int listen_for_more (void *arg, bool sigterm, struct error *why,
                            struct error *err)
{
    struct agent *agent = arg;
    int sig;

    if (agent->listened)
        return 0;
    agent->listened = true;
    sig = agent_signals_listen (&agent->signals,
                                sigterm ? listen_sigterm_s : listen_s);
    if (act_on_signal (agent, sig, err) < 0)
        return -1;
    say_told (sig, why);
    return sig != 0 && sig != SIGUSR1;
}

static int reap_one (struct agent *agent, pid_t pid, int status,
                     const struct rusage *usage, struct error *err)
{
    for (size_t i = 0; i < agent->slots.n; i++) {
        struct task *task = &agent->tasks[i];
        int others = others_than (agent, i);

        if (task->pid == 0 && task->worker.pid == pid) {
            task_worker_died (task, others);
            return 0;
        }
        if (task->pid != pid)
            continue;
        agent->running--;
        if (task_reaped (task, status, usage, others, err) < 0)
            return -1;
        agent->running += task->pid > 0;
        return 0;
    }
    return 0; /* an orphan that came to us */
}

static int reap_all (struct agent *agent, struct error *err)
{
    struct rusage usage;
    int status;
    pid_t pid;

    agent->listened = false;
    while ((pid = wait4 (-1, &status, WNOHANG, &usage)) > 0) {
        if (reap_one (agent, pid, status, &usage, err) < 0)
            return -1;
    }
    return 0;
}

/* Take what workers wrote; *more: there may be more of it. */
static int hear_workers (struct agent *agent, bool *more, struct error *err)
{
    for (size_t i = 0; i < agent->slots.n; i++) {
        struct task *task = &agent->tasks[i];
        bool ran = task->pid > 0;

        if (task->worker.pid > 0
            && task_hear (task, others_than (agent, i), more, err) < 0)
            return -1;
        agent->running -= ran && task->pid == 0;
    }
    return 0;
}

/* When anything is due next. */
static double next_due_s (const struct agent *agent)
{
    double due_s = clock_mono_s () < agent->stop_s ? agent->stop_s : INFINITY;

    for (size_t i = 0; i < agent->slots.n; i++)
        due_s = fmin (due_s, task_due_s (&agent->tasks[i]));
    return agent->energy.n > 0 ? fmin (due_s, agent->energy.look_at_s) : due_s;
}

/* Do what the time asks for. */
static void push_tasks (struct agent *agent)
{
    double now_s = clock_mono_s ();

    if (now_s >= agent->stop_s)
        stop_all (agent, OUTCOME_TIMEOUT, "the element's walltime is over");
    for (size_t i = 0; i < agent->slots.n; i++)
        task_push (&agent->tasks[i], others_than (agent, i), now_s);
    if (agent->energy.n > 0 && now_s >= agent->energy.look_at_s)
        energy_meter_look (&agent->energy);
}

/* Every slot has a task, or gets none: work for the disk, if it is time for
 * that.  *due_s: when to look again; 0: at once, for more of it.
 */
static int commit (struct agent *agent, double *due_s, struct error *err)
{
    double commit_s = commits_due_s (&agent->commits);

    *due_s = fmin (next_due_s (agent), commit_s);
    if (commit_s == INFINITY
        || (agent->running > 0 && clock_mono_s () < commit_s))
        return 0;
    *due_s = 0;
    return commits_step (&agent->commits, err);
}

static int run_tasks (struct agent *agent, struct error *err)
{
    bool more = false;

    for (;;) {
        double due_s = 0;
        int sig;

        if (device_watch_judge (&agent->devices, &agent->claim, err) < 0
            || start_tasks (agent, err) < 0)
            return -1;
        if (agent->running == 0 && agent->next < 0 && agent->commits.n == 0)
            return 0;
        if ((!may_begin_one (agent) || !has_free_slot (agent))
            && commit (agent, &due_s, err) < 0)
            return -1;
        if (more)
            due_s = 0;
        do {
            sig = agent_signals_wait (&agent->signals, due_s);
            if (act_on_signal (agent, sig, err) < 0)
                return -1;
            due_s = 0;
        } while (sig != 0);
        more = false;
        if (hear_workers (agent, &more, err) < 0 || reap_all (agent, err) < 0)
            return -1;
        push_tasks (agent);
    }
}

/* --- beginning and end --- */

/* A task that is over for each slot, and its devices to be watched. */
static void fill_slots (struct agent *agent)
{
    char host[256] = "";

    for (size_t i = 0; i < agent->slots.n; i++) {
        task_init (&agent->tasks[i], &agent->element, &agent->slots.v[i],
                   (int)i);
        device_watch_add (&agent->devices, agent->slots.v[i].gpus);
    }
    gethostname (host, sizeof (host) - 1);
    device_watch_remember (&agent->devices, host,
                           agent->assignment.job.retired);
}

static int prepare (struct agent *agent, struct error *err)
{
    const struct job_manifest *job = &agent->assignment.job;
    int closed = assignment_closed (&agent->assignment, err);

    if (closed < 0)
        return -1;
    if (closed)
        return error_set (err, "this attempt is closed (%s); nothing was done",
                          agent->assignment.closed_path);
    if (in_job_check (&agent->assignment, &agent->signals.interrupts, err) < 0
        || assignment_slots (&agent->assignment, &agent->slots, err) < 0
        || (job->mps && job->task.gpu_share > 1
            && mps_slots_start (&agent->slots, job->task.gpu_share, &agent->mps,
                                err)
                   < 0))
        return -1;
    agent->claim.node_differs = assignment_node_differs (&agent->assignment);
    if (claim_take (&agent->assignment, &agent->claim, err) < 0)
        return -1;
    commits_init (&agent->commits, &agent->assignment, &agent->claim);
    agent->watch = input_watch_create (&agent->assignment);
    agent->work_dir = xasprintf ("%s/" LAYOUT_WORK, agent->assignment.run_dir,
                                 agent->assignment.element, agent->claim.n);
    if (job->task.nodes <= 1 && !agent->assignment.stage.image)
        agent->short_dir = short_path_make (agent->work_dir);
    agent->tasks = xcalloc (agent->slots.n, sizeof (*agent->tasks));
    agent->slot_used = xcalloc (agent->slots.n, sizeof (*agent->slot_used));
    agent->oom_file = oom_kills_file (OOM_SELF_CGROUP, OOM_CGROUP_MOUNT);
    if (job->task.memory_bytes > 0)
        memory_cgroup_enter (&agent->memory_cgroup, OOM_SELF_CGROUP,
                             OOM_CGROUP_MOUNT);
    agent->element = (struct element){ .listen = listen_for_more,
                                       .agent = agent,
                                       .assignment = &agent->assignment,
                                       .claim = &agent->claim,
                                       .commits = &agent->commits,
                                       .watch = agent->watch,
                                       .work_dir = agent->work_dir,
                                       .short_dir = agent->short_dir,
                                       .oom_file = agent->oom_file,
                                       .memory_cgroup = &agent->memory_cgroup,
                                       .devices = &agent->devices,
                                       .mps = agent->mps,
                                       .energy = &agent->energy };
    if (agent->slots.whole_node)
        energy_meter_open (&agent->energy, ENERGY_DIR);
    fill_slots (agent);
    agent->next = task_range_next (&agent->assignment.tasks, -1);
    return 0;
}

static bool any_worker (const struct agent *agent)
{
    for (size_t i = 0; i < agent->slots.n; i++) {
        if (agent->tasks[i].worker.pid > 0)
            return true;
    }
    return false;
}

/* Wait until all workers have ended, which have no tasks (what they print is
 * lost), until 'until_s', or when an end is asked for.
 */
static int wait_for_workers (struct agent *agent, double until_s,
                             struct error *err)
{
    bool more = true;
    int sig = 0;

    while (any_worker (agent) && clock_mono_s () < until_s
           && sigismember (&agent->signals.interrupts, sig) != 1) {
        sig = agent_signals_wait (&agent->signals, more ? 0 : until_s);
        more = false;
        for (size_t i = 0; i < agent->slots.n; i++)
            more = worker_task_drain (&agent->tasks[i]) || more;
        if (reap_all (agent, err) < 0)
            return -1;
    }
    return 0;
}

/* No more tasks come: let workers end by themselves, for the grace time and
 * while there is time, and no more is asked for; then tell their launchers to
 * end them.
 */
static int dismiss_workers (struct agent *agent, struct error *err)
{
    double until_s =
        fmin (clock_mono_s () + agent->assignment.job.grace_s, agent->stop_s);

    for (size_t i = 0; i < agent->slots.n; i++)
        worker_task_dismiss (&agent->tasks[i]);
    if (wait_for_workers (agent, until_s, err) < 0)
        return -1;
    for (size_t i = 0; i < agent->slots.n; i++)
        worker_task_terminate (&agent->tasks[i]);
    until_s = clock_mono_s () + worker_task_wait_s (&agent->tasks[0]);
    return wait_for_workers (agent, until_s, err);
}

/* End everything that was started here and has not ended. */
static void end_orphan_processes (struct agent *agent)
{
    const struct assignment *a = &agent->assignment;
    _cleanup_free_ char *tag =
        xasprintf ("FANFOLD_TAG=%s.%" PRId64 ".%s", a->job.token, a->element,
                   agent->claim.tag);

    for (size_t i = 0; agent->tasks && i < agent->slots.n; i++)
        task_abandon (&agent->tasks[i], others_than (agent, i));
    orphan_processes_kill (tag);
    orphan_processes_kill_orphans ();
}

/* Remove the element's working directory if no failed task needs it. */
static void remove_work_dir (struct agent *agent)
{
    for (size_t i = 0; agent->tasks && i < agent->slots.n; i++)
        task_release (&agent->tasks[i]);
    short_path_remove (agent->short_dir);
    if (agent->work_dir)
        rmdir (agent->work_dir);
}

static int run_element (struct agent *agent, struct error *err)
{
    int rc = prepare (agent, err);

    if (rc < 0)
        return -1;
    rc = run_tasks (agent, err);
    if (rc == 0)
        rc = dismiss_workers (agent, err);
    end_orphan_processes (agent);
    if (rc < 0)
        return -1;
    if (claim_log_done (&agent->claim, err) < 0)
        return -1;
    return claim_sync (&agent->claim, err);
}

/* When to end tasks of an element that started at 'start_s': in time to end
 * them gracefully and to say so, but not before nine tenths of its walltime.
 */
static double stop_time (const struct job_manifest *job, double start_s)
{
    double walltime_s = job->element_walltime_s;

    if (walltime_s <= 0)
        return INFINITY;
    return start_s + walltime_s
           - fmin (job->grace_s + shutdown_margin_s, walltime_s / 10);
}

int agent_run (const struct agent_options *options, struct error *err)
{
    struct agent agent = { .assignment = ASSIGNMENT_INIT,
                           .claim = CLAIM_INIT,
                           .slots = SLOTS_INIT,
                           .memory_cgroup = MEMORY_CGROUP_INIT,
                           .devices = DEVICE_WATCH_INIT };
    double start_s = clock_mono_s ();
    int rc;

    agent_signals_block (&agent.signals);
    prctl (PR_SET_CHILD_SUBREAPER, 1);
    rc = assignment_read (&agent.assignment, options, &agent.signals.interrupts,
                          err);
    agent.stop_s = stop_time (&agent.assignment.job, start_s);
    if (rc == 0)
        rc = run_element (&agent, err);
    remove_work_dir (&agent);
    free (agent.work_dir);
    free (agent.oom_file);
    free (agent.tasks);
    memory_cgroup_leave (&agent.memory_cgroup);
    device_watch_release (&agent.devices);
    mps_slots_stop (agent.mps);
    free (agent.slot_used);
    input_watch_destroy (agent.watch);
    commits_release (&agent.commits);
    energy_meter_release (&agent.energy);
    claim_release (&agent.claim);
    slots_release (&agent.slots);
    assignment_release (&agent.assignment);
    agent_signals_unblock (&agent.signals);
    return rc;
}
