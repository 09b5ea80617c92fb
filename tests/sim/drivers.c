/* SPDX-License-Identifier: BSD-3-Clause */
/* drivers.c - who drives the campaign
 *
 * The mains are those of src/commands/advance.c, run.c, submit.c, wake.c and
 * requests.c without what they print.
 */
#include "base/base.h"

#include "arrays/array_job.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "check.h"
#include "drivers.h"
#include "engine/drive/driver.h"
#include "engine/history/engine.h"
#include "engine/history/orphans.h"
#include "engine/drive/requests.h"
#include "engine/drive/dependency_driver.h"
#include "engine/drive/chain.h"
#include "faults.h"
#include "nodes.h"
#include "scenario.h"
#include "world.h"

/* One command. */
struct command_process {
    struct drivers *drivers;
    void (*main) (struct command_process *command);
    const char *kind; /* of a request */
    int version;      /* of the file, that it has seen */
    struct engine engine;
    int stop;
    struct process *process;
    bool well; /* it did all it was to do */
    /* A dependency job: */
    struct sim_run *run;
    struct driving_job job;
    char *token, *stage, *id;
};

/* A driver that was replaced ends late with a state that is old. */
static void note_phase (struct drivers *drivers, const struct state *state)
{
    if (state->n < drivers->status_n)
        return;
    drivers->is_over = state->status == CAMPAIGN_DONE;
    drivers->status =
        drivers->is_over
                && (drivers->to_redo
                    || !definition_is_taken (drivers->scenario->plan, state))
            ? CAMPAIGN_RUNNING
            : state->status;
    drivers->status_n = state->n;
}

static void let_go (struct command_process *command)
{
    if (!command->drivers->world->current->dead) {
        check_fold (command->drivers->check, &command->engine);
        note_phase (command->drivers, &command->engine.state);
    }
    engine_give_lease (&command->engine);
}

/* Take the lease and do one step; false when it is not to go on. */
static bool take_step (struct command_process *command, struct step *step)
{
    struct engine *engine = &command->engine;
    struct error err = ERROR_INIT;
    int rc = engine_take_lease (engine, &err);

    if (rc == 0)
        rc = driver_step (engine, step, &err);
    if (rc < 0 && command->drivers->calm)
        check_fail (command->drivers->check, "a driver gave up: %s", err.text);
    if (rc < 0 && command->drivers->check->traced && !command->process->dead)
        printf ("# %.3f %s %d gave up: %s\n", command->drivers->world->now_s,
                command->process->what, command->process->pid, err.text);
    return rc == 0;
}

static void advance (struct command_process *command)
{
    struct engine *engine = &command->engine;
    struct step step = { 0 };

    if (wake_message_leave (engine->plan->dir, NULL) < 0)
        return;
    do {
        if (!take_step (command, &step))
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

/* A redo is of some stage, or of all, of some iteration. */
static int leave_request (const struct engine *engine, const char *kind)
{
    const struct plan *plan = engine->plan;
    const struct state *state = &engine->state;
    size_t n = (size_t)state->n;
    const char *stage = NULL;
    char id[TOKEN_LENGTH + 1];
    int iteration = -1;

    if (strcmp (kind, "forget") == 0) {
        stage = "extra";
    } else if (strcmp (kind, "again") == 0) {
        kind = "redo";
        iteration = 0;
    } else if (strcmp (kind, "redo") == 0 && state->n_iterations > 0) {
        iteration = (int)(n / 7 % state->n_iterations);
        if (n % (plan->n_stages + 1) < plan->n_stages)
            stage = plan->stages[n % (plan->n_stages + 1)].name;
    }
    return request_leave (plan->dir,
                          &(struct request){ .kind = kind,
                                             .stage = stage,
                                             .iteration = iteration },
                          id, NULL);
}

static void ask (struct command_process *command)
{
    struct engine *engine = &command->engine;
    struct step step = { 0 };
    int rc;

    if (leave_request (engine, command->kind) < 0
        || (rc = engine_take_lease (engine, NULL)) < 0
        || (rc == 0 && driver_step (engine, &step, NULL) < 0))
        return;
    command->well = !step.unreachable;
    if (rc == 0)
        let_go (command);
}

static void submit_chain (struct command_process *command)
{
    struct engine *engine = &command->engine;
    struct step step = { 0 };

    if (wake_message_leave (engine->plan->dir, NULL) < 0)
        return;
    do {
        if (engine_take_lease (engine, NULL) != 0
            || chain_turn (engine, true, NULL) < 0
            || driver_step (engine, &step, NULL) < 0)
            return;
        let_go (command);
    } while (requests_waiting (engine->plan->dir) > 0);
    command->well = !step.unreachable;
}

static void wake (struct command_process *command)
{
    command->well = drive_as_job (&command->engine, &command->job, NULL) == 0;
    if (!command->process->dead)
        note_phase (command->drivers, &command->engine.state);
}

/* From the beginning, and by the last definition? */
static void note_redone (struct drivers *drivers, const struct engine *engine,
                         const struct json *event)
{
    const char *kind = json_get_string (event, "kind");
    const struct plan *last = drivers->scenario->plan;

    if (strcmp (json_get_string (event, "ev"), "request") == 0
        && (strcmp (kind, "reset") == 0
            || (strcmp (kind, "redo") == 0 && json_get_int (event, "to") == 0
                && !json_get (event, "stage")))
        && json_equal (engine->plan->config, last->config))
        drivers->to_redo = false;
}

/* As commands/edited_files.c has it. */
static struct plan *reread (const struct heartbeat *heartbeat, void *arg)
{
    struct command_process *command = arg;
    const struct scenario *scenario = command->drivers->scenario;

    (void)heartbeat;
    if (command->version == scenario->version)
        return NULL;
    command->version = scenario->version;
    return scenario_compile (scenario, NULL);
}

static struct plan *recompile (struct json *config, void *arg)
{
    struct command_process *command = arg;

    return scenario_compile (command->drivers->scenario, config);
}

static void on_event (const struct json *event, void *arg)
{
    struct command_process *command = arg;

    check_event (command->drivers->check, &command->engine, event);
    note_redone (command->drivers, &command->engine, event);
}

static void command_main (void *arg)
{
    struct command_process *command = arg;
    struct drivers *drivers = command->drivers;
    struct error err = ERROR_INIT;

    if (engine_open (&command->engine, drivers->scenario->plan->dir,
                     "/sim/fanfold", &err)
        < 0) {
        check_open (drivers->check, &err);
        return;
    }
    command->version = drivers->scenario->version;
    command->engine.source = (struct plan_source){ .reread = reread,
                                                   .recompile = recompile,
                                                   .arg = command };
    engine_take_plan (&command->engine,
                      drivers->scenario->versions[command->version]);
    engine_keep_prepared (&command->engine);
    command->engine.adapter = &sim_adapter;
    command->engine.adapter_own = drivers->world->sim;
    command->engine.on_event = on_event;
    command->engine.on_event_arg = command;
    command->engine.stop = &command->stop;
    command->main (command);
    engine_close (&command->engine);
}

/* The element of a dependency job after which none comes to take over. */
static bool is_last (const struct sim_run *run)
{
    return run->element == run->job->elements - 1;
}

static void command_over (struct process *process, void *arg)
{
    struct command_process *command = arg;
    struct drivers *drivers = command->drivers;

    drivers->active--;
    if (!command->run && (process->dead || !command->well))
        drivers->excuses++;
    if (command->run && !command->well)
        drivers->excuses += is_last (command->run);
    if (command->run)
        sim_ended (drivers->world->sim, command->run, command->well);
    free (command->token);
    free (command->stage);
    free (command->id);
    free (command);
}

/* After how many calls something happens to a command: often soon. */
static int64_t draw_moment (struct faults *faults)
{
    return (int64_t)pow (10, 0.5 + 3.5 * faults_draw (faults));
}

static struct command_process *start_on (
    struct drivers *drivers, int host, const char *what,
    void (*main) (struct command_process *command))
{
    struct world *world = drivers->world;
    struct faults *faults = world->faults;
    struct command_process *command;
    struct process *process;

    if (!world->hosts[host].up)
        return NULL;
    command = xcalloc (1, sizeof (*command));
    command->drivers = drivers;
    command->main = main;
    drivers->active++;
    process =
        world_start (world, what, host, command_main, command_over, command);
    command->process = process;
    if (faults_strike (faults, FAULT_DRIVER_KILLED))
        process->crash_in = draw_moment (faults);
    if (faults_strike (faults, FAULT_DRIVER_STOPPED)) {
        process->stop_in = draw_moment (faults);
        process->stop_s = 1000 * faults_draw (faults);
    }
    return command;
}

static void start (struct drivers *drivers, const char *what,
                   void (*main) (struct command_process *command),
                   const char *kind)
{
    int host = (int)faults_pick (drivers->world->faults, LOGINS);
    struct command_process *command = start_on (drivers, host, what, main);

    if (command)
        command->kind = kind;
    else
        drivers->excuses++;
}

bool drivers_wake (struct drivers *drivers, struct sim_run *run, int host)
{
    struct command_process *command = start_on (drivers, host, "wake", wake);

    if (!command) {
        drivers->excuses += is_last (run);
        return false;
    }
    command->run = run;
    command->token = xstrdup (run->job->agent.v[4]);
    command->stage = xstrdup (run->job->agent.v[5]);
    command->id = xstrdup (run->id);
    command->job = (struct driving_job){ .token = command->token,
                                         .stage = command->stage,
                                         .id = command->id,
                                         .element = run->element };
    run->player = command;
    return true;
}

void drivers_stop (struct command_process *command, bool kill)
{
    struct world *world = command->drivers->world;

    command->stop = 1;
    if (kill)
        world_kill (world, command->process);
    else
        world_wake (world, command->process);
}

void drivers_bereave (struct drivers *drivers, const struct sim_run *run)
{
    if (strcmp (run->job->agent.v[3], "wake") == 0)
        drivers->excuses++;
}

/* Done, and no suspended command is left that could reopen it: a redo, say. */
static bool is_finished (const struct drivers *drivers)
{
    return drivers->world->closing
           || (drivers->status == CAMPAIGN_DONE && drivers->active == 0);
}

static void cron (void *arg)
{
    struct drivers *drivers = arg;
    struct world *world = drivers->world;

    if (is_finished (drivers))
        return;
    start (drivers, "advance", advance, NULL);
    world_at (world, world->now_s + drivers->scenario->advance_s, cron, arg);
}

/* Somebody comes by and starts `fanfold run` when none runs. */
static void come_by (void *arg)
{
    struct drivers *drivers = arg;
    struct world *world = drivers->world;

    if (is_finished (drivers))
        return;
    if (drivers->active == 0)
        start (drivers, "run", run, NULL);
    world_at (world, world->now_s + drivers->scenario->run_s, come_by, arg);
}

struct chain_search {
    const struct json *dependency_jobs;
    bool found;
};

static void find_dependency_job (const struct sim_job_view *job, void *arg)
{
    struct chain_search *search = arg;

    if (job->living > 0 && json_get (search->dependency_jobs, job->token))
        search->found = true;
}

/* Somebody sees now and then whether the chain was lost, and starts it again.
 */
static void look_after (void *arg)
{
    struct drivers *drivers = arg;
    struct world *world = drivers->world;
    struct chain_search search = { drivers->check->dependency_jobs, false };

    if (is_finished (drivers))
        return;
    sim_each_job (world->sim, find_dependency_job, &search);
    if ((!search.found || drivers->excuses > 0) && drivers->active == 0
        && drivers->status == CAMPAIGN_RUNNING) {
        if (drivers->excuses == 0 && !drivers->is_over)
            check_fail (drivers->check, "the chain is lost");
        drivers->excuses = 0;
        start (drivers, "submit", submit_chain, NULL);
    }
    world_at (world, world->now_s + 900, look_after, arg);
}

void drivers_begin (struct drivers *drivers)
{
    drivers->world->drivers = drivers;
    drivers->excuses = 1;
    if (drivers->scenario->chained)
        world_at (drivers->world, 0, look_after, drivers);
    if (drivers->scenario->advance_s > 0)
        world_at (drivers->world, 0, cron, drivers);
    if (drivers->scenario->run_s > 0)
        world_at (drivers->world, 0, come_by, drivers);
}

void drivers_ask (struct drivers *drivers, const char *kind)
{
    start (drivers, kind, ask, kind);
}
