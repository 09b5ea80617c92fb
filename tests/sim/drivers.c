/* SPDX-License-Identifier: BSD-3-Clause */
/* drivers.c - who drives the campaign
 *
 * The mains are those of src/commands/advance.c, run.c and requests.c without
 * what they print.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "campaign/plan.h"
#include "check.h"
#include "drivers.h"
#include "engine/driver.h"
#include "engine/engine.h"
#include "engine/requests.h"
#include "faults.h"
#include "nodes.h"
#include "scenario.h"
#include "world.h"

/* One command. */
struct command_process {
    struct drivers *drivers;
    void (*main) (struct command_process *command);
    const char *kind; /* of a request */
    struct engine engine;
    int no_stop;
};

static void let_go (struct command_process *command)
{
    if (!command->drivers->world->current->dead) {
        check_fold (command->drivers->check, &command->engine);
        command->drivers->phase = command->engine.state.phase;
    }
    engine_give_lease (&command->engine);
}

static void advance (struct command_process *command)
{
    struct engine *engine = &command->engine;
    struct step step = { 0 };

    if (wake_leave (engine->plan->dir, NULL) < 0)
        return;
    do {
        if (engine_take_lease (engine, NULL) != 0
            || driver_step (engine, &step, NULL) < 0)
            return;
        let_go (command);
    } while (requests_waiting (engine->plan->dir) > 0);
}

static void run (struct command_process *command)
{
    struct engine *engine = &command->engine;

    do {
        if (engine_take_lease (engine, NULL) != 0
            || driver_run (engine, NULL, NULL, NULL) < 0)
            return;
        let_go (command);
    } while (requests_waiting (engine->plan->dir) > 0);
}

static void ask (struct command_process *command)
{
    struct engine *engine = &command->engine;
    struct step step = { 0 };

    if (request_leave (engine->plan->dir, command->kind, NULL, NULL) < 0
        || engine_take_lease (engine, NULL) != 0
        || driver_step (engine, &step, NULL) < 0)
        return;
    let_go (command);
}

static void on_event (const struct json *event, void *arg)
{
    struct command_process *command = arg;

    check_event (command->drivers->check, &command->engine, event);
}

static void command_main (void *arg)
{
    struct command_process *command = arg;
    struct drivers *drivers = command->drivers;
    struct error err = ERROR_INIT;

    if (engine_open (&command->engine, drivers->scenario->plan, "/sim/fanfold",
                     &err)
        < 0) {
        check_open (drivers->check, &err);
        return;
    }
    command->engine.simulation = drivers->world->sim;
    command->engine.on_event = on_event;
    command->engine.on_event_arg = command;
    command->engine.stop = &command->no_stop;
    command->main (command);
    engine_close (&command->engine);
}

static void command_over (struct process *process, void *arg)
{
    struct command_process *command = arg;

    (void)process;
    command->drivers->active--;
    free (command);
}

/* After how many calls something happens to a command: often soon. */
static int64_t draw_moment (struct faults *faults)
{
    return (int64_t)pow (10, 0.5 + 3.5 * faults_draw (faults));
}

static struct process *start (struct drivers *drivers,
                              const char *what,
                              void (*main) (struct command_process *command),
                              const char *kind)
{
    struct world *world = drivers->world;
    struct faults *faults = world->faults;
    struct command_process *command;
    struct process *process;
    int host = (int)faults_pick (faults, LOGINS);

    if (!world->hosts[host].up)
        return NULL;
    command = xcalloc (1, sizeof (*command));
    command->drivers = drivers;
    command->main = main;
    command->kind = kind;
    drivers->active++;
    process =
        world_start (world, what, host, command_main, command_over, command);
    if (faults_strike (faults, FAULT_DRIVER_KILLED))
        process->crash_in = draw_moment (faults);
    if (faults_strike (faults, FAULT_DRIVER_STOPPED)) {
        process->stop_in = draw_moment (faults);
        process->stop_s = 1000 * faults_draw (faults);
    }
    return process;
}

static void cron (void *arg)
{
    struct drivers *drivers = arg;
    struct world *world = drivers->world;

    if (world->closing || drivers->phase == CAMPAIGN_DONE)
        return;
    start (drivers, "advance", advance, NULL);
    world_at (world, world->now_s + drivers->scenario->advance_s, cron, arg);
}

/* Somebody comes by and starts `fanfold run` when none runs. */
static void come_by (void *arg)
{
    struct drivers *drivers = arg;
    struct world *world = drivers->world;

    if (world->closing || drivers->phase == CAMPAIGN_DONE)
        return;
    if (drivers->active == 0)
        start (drivers, "run", run, NULL);
    world_at (world, world->now_s + drivers->scenario->run_s, come_by, arg);
}

void drivers_begin (struct drivers *drivers)
{
    if (drivers->scenario->advance_s > 0)
        world_at (drivers->world, 0, cron, drivers);
    if (drivers->scenario->run_s > 0)
        world_at (drivers->world, 0, come_by, drivers);
}

void drivers_ask (struct drivers *drivers, const char *kind)
{
    start (drivers, kind, ask, kind);
}
