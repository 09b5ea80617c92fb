/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - the compute nodes: what the scheduler starts there are agents */
#include "base/base.h"

#include <signal.h>

#include "agent/agent.h"
#include "arrays/array_job.h"
#include "drivers.h"
#include "faults.h"
#include "nodes.h"
#include "world.h"

/* One agent, as the job script starts it: the argv of the job, then --element
 * and --job-id.
 */
struct agent_process {
    struct world *world;
    struct sim_run *run;
    struct strvec argv;
    char *id;
    int64_t element;
    struct process *process;
    bool ok;
};

static void agent_main (void *arg)
{
    struct agent_process *agent = arg;
    struct agent_options options = { .campaign_dir = agent->argv.v[2],
                                     .run_dir = agent->argv.v[5],
                                     .element = agent->element,
                                     .job_id = agent->id,
                                     .program = agent->argv.v[0] };
    struct error err = ERROR_INIT;

    agent->ok = agent_run (&options, &err) == 0 && !agent->process->dead;
}

static void agent_over (struct process *process, void *arg)
{
    struct agent_process *agent = arg;

    (void)process;
    sim_ended (agent->world->sim, agent->run, agent->ok);
    strvec_release (&agent->argv);
    free (agent->id);
    free (agent);
}

/* Mishaps that come to an agent after so many calls. */
static void draw_mishaps (struct faults *faults, struct process *process)
{
    if (faults_strike (faults, FAULT_AGENT_KILLED))
        process->crash_in = 1 + faults_pick (faults, 300);
    if (faults_strike (faults, FAULT_AGENT_STOPPED)) {
        process->stop_in = 1 + faults_pick (faults, 300);
        process->stop_s = 600 * faults_draw (faults);
    }
}

struct failed_start {
    struct world *world;
    struct sim_run *run;
};

static void start_failed (void *arg)
{
    struct failed_start *start = arg;

    if (!start->world->closing)
        sim_ended (start->world->sim, start->run, false);
    free (start);
}

static void start (struct sim_run *run, void *arg)
{
    struct world *world = arg;
    int host = LOGINS + run->node;
    struct agent_process *agent;

    if (strcmp (run->job->agent.v[3], "wake") == 0
        && drivers_wake (world->drivers, run, host))
        return;
    if (!world->hosts[host].up) {
        struct failed_start *failed = xcalloc (1, sizeof (*failed));

        *failed = (struct failed_start){ world, run };
        world_at (world, world->now_s, start_failed, failed);
        return;
    }
    agent = xcalloc (1, sizeof (*agent));
    agent->world = world;
    agent->run = run;
    strvec_init (&agent->argv);
    strvec_push_all (&agent->argv, run->job->agent.v);
    agent->id = xstrdup (run->id);
    agent->element = run->element;
    agent->process =
        world_start (world, "agent", host, agent_main, agent_over, agent);
    run->player = agent;
    draw_mishaps (world->faults, agent->process);
}

static void stop (struct sim_run *run, bool kill, void *arg)
{
    struct agent_process *agent = run->player;

    if (!agent)
        return;
    if (strcmp (run->job->agent.v[3], "wake") == 0) {
        drivers_stop (run->player, kill);
        return;
    }
    if (kill)
        world_kill (arg, agent->process);
    else
        world_signal (arg, agent->process, SIGTERM);
}

/* Who is killed while he asks may have been heard. */
static bool wait_for_call (double s, void *arg)
{
    struct world *world = arg;
    struct process *process = world->current;

    if (process->dead)
        return false;
    world_pause (world, s);
    sim_advance (world->sim, world->now_s);
    return !process->dead || faults_draw (world->faults) < 0.5;
}

static bool strikes (enum sim_fault fault, void *arg)
{
    struct world *world = arg;

    return faults_strike (world->faults, (int)fault);
}

static double draw (void *arg)
{
    struct world *world = arg;

    return faults_draw (world->faults);
}

struct sim_player nodes_player (struct world *world)
{
    return (struct sim_player){ .arg = world,
                                .wait = wait_for_call,
                                .start = start,
                                .stop = stop,
                                .strikes = strikes,
                                .draw = draw };
}

/* --- mishaps --- */

static void node_suffers (struct world *world, int node)
{
    struct faults *faults = world->faults;
    double up_s = world->now_s + 60 + 600 * faults_draw (faults);

    if (faults_strike (faults, FAULT_NODE_FAILS)) {
        world_host_fails (world, LOGINS + node, up_s);
        sim_node_fails (world->sim, node, up_s);
    } else if (faults_strike (faults, FAULT_NODE_CUT)) {
        sim_node_fails (world->sim, node, up_s);
    }
}

void nodes_suffer (struct world *world)
{
    struct faults *faults = world->faults;
    uint64_t which = (uint64_t)faults_pick (faults, 1 << 20);
    struct sim_run *run = sim_pick_run (world->sim, which);

    if (!run)
        return;
    if (faults_strike (faults, FAULT_PREEMPTED))
        sim_preempt (world->sim, run);
    else if (faults_strike (faults, FAULT_CANCELLED)) {
        drivers_bereave (world->drivers, run);
        sim_cancel (world->sim, run->id, which % 2 ? run->element : -1);
    } else
        node_suffers (world, run->node);
}
