/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.c - jobs, elements and nodes of the simulated scheduler */
#include "base/base.h"

#include "sim/cluster.h"

/* Between SIGTERM and SIGKILL, as KillWait of slurm.conf(5). */
static const double kill_wait_s = 30;

bool sim_strikes (struct simulation *sim, enum sim_fault fault)
{
    return sim->player.strikes && sim->player.strikes (fault, sim->player.arg);
}

double sim_draw (struct simulation *sim, double most)
{
    double u = sim->player.draw ? sim->player.draw (sim->player.arg) : 0.5;

    return u * most;
}

/* --- jobs --- */

/* Later than now, or one moment would last for ever. */
static void look_soon (struct simulation *sim)
{
    double at_s = sim->now_s + fmax (sim->site.cycle_s, 1e-3);

    sim->cycle_at_s = fmin (sim->cycle_at_s, at_s);
}

static void copy_order (const struct array_job *from, struct array_job *to)
{
    *to = *from;
    to->cores = from->cores > 0 ? from->cores : 1;
    to->queue = NULL;
    to->account = NULL;
    strvec_init (&to->directives);
    strvec_init (&to->agent);
    strvec_push_all (&to->agent, from->agent.v);
    to->run_dir = from->run_dir ? xstrdup (from->run_dir) : NULL;
    to->after = from->after ? xstrdup (from->after) : NULL;
}

struct job *job_add (struct simulation *sim, const struct array_job *order,
                     const char *script_path, double lands_s)
{
    struct job *job = xcalloc (1, sizeof (*job));

    sim->jobs =
        grow_array (sim->jobs, sim->n_jobs, &sim->jobs_alloc, sizeof (job));
    snprintf (job->id, sizeof (job->id), "%zu", 1000 + sim->n_jobs);
    sim->jobs[sim->n_jobs++] = job;
    copy_order (order, &job->order);
    job->script_path = xstrdup (script_path);
    job->held = !order->unheld;
    job->submitted_s = sim->now_s;
    job->lands_s = lands_s;
    job->found_s = lands_s;
    job->elements =
        xcalloc ((size_t)order->elements + 1, sizeof (*job->elements));
    for (int64_t e = 0; e < order->elements; e++)
        job->elements[e].now.state = job->held ? ELEMENT_HELD : ELEMENT_QUEUED;
    job->living = order->elements;
    sim->living += order->elements;
    if (!job->held)
        look_soon (sim);
    return job;
}

void job_free (struct job *job)
{
    strvec_release (&job->order.agent);
    free ((char *)job->order.run_dir);
    free ((char *)job->order.after);
    free (job->script_path);
    free (job->elements);
    free (job);
}

bool job_is_there (const struct simulation *sim, const struct job *job)
{
    if (sim->now_s < job->lands_s)
        return false;
    return job->living > 0 || sim->now_s <= job->ended_s + sim->site.keep_s;
}

struct job *job_find (const struct simulation *sim, const char *id)
{
    for (size_t i = 0; i < sim->n_jobs; i++) {
        if (strcmp (sim->jobs[i]->id, id) == 0)
            return job_is_there (sim, sim->jobs[i]) ? sim->jobs[i] : NULL;
    }
    return NULL;
}

/* --- elements --- */

struct element_status element_shown (const struct simulation *sim,
                                     const struct element *element)
{
    return sim->now_s < element->shown_until_s ? element->shown : element->now;
}

static void change_state (struct simulation *sim, struct job *job,
                          struct element *element, enum element_state state,
                          enum outcome outcome)
{
    struct element_status before = element_shown (sim, element);

    if (sim_strikes (sim, SIM_STATUS_LATE)) {
        element->shown = before;
        element->shown_until_s = sim->now_s + sim_draw (sim, sim->site.lag_s);
    }
    job->running -= element->now.state == ELEMENT_RUNNING;
    job->running += state == ELEMENT_RUNNING;
    element->now.state = state;
    element->now.outcome = outcome;
    if (state == ELEMENT_ENDED) {
        sim->living--;
        if (--job->living == 0)
            job->ended_s = sim->now_s;
    }
    look_soon (sim);
}

/* The element's run came to its end, or the scheduler thinks so. */
static void leave_node (struct simulation *sim, struct run *run,
                        enum outcome outcome, bool again)
{
    struct job *job = run->job;
    struct element *element = &job->elements[run->public.element];

    sim->nodes[run->public.node].free_cores += job->order.cores;
    element->run = NULL;
    run->job = NULL;
    if (again)
        change_state (sim, job, element, ELEMENT_QUEUED, OUTCOME_NONE);
    else
        change_state (sim, job, element, ELEMENT_ENDED, outcome);
}

static void tell (struct simulation *sim, struct run *run, enum outcome why)
{
    if (run->why != OUTCOME_CANCELLED)
        run->why = why;
    if (run->told)
        return;
    run->told = true;
    run->kill_at_s = sim->now_s + kill_wait_s;
    if (sim->player.stop)
        sim->player.stop (&run->public, false, sim->player.arg);
}

static void cancel_element (struct simulation *sim, struct job *job,
                            struct element *element)
{
    if (element->now.state == ELEMENT_ENDED)
        return;
    if (element->run) {
        element->run->requeue = false;
        tell (sim, element->run, OUTCOME_CANCELLED);
    } else {
        change_state (sim, job, element, ELEMENT_ENDED, OUTCOME_CANCELLED);
    }
}

void job_release (struct simulation *sim, struct job *job)
{
    if (!job->held)
        return;
    job->held = false;
    for (int64_t e = 0; e < job->order.elements; e++) {
        if (job->elements[e].now.state == ELEMENT_HELD)
            job->elements[e].now.state = ELEMENT_QUEUED;
    }
    look_soon (sim);
}

void job_cancel (struct simulation *sim, struct job *job, int64_t element)
{
    for (int64_t e = 0; e < job->order.elements; e++) {
        if (element < 0 || e == element)
            cancel_element (sim, job, &job->elements[e]);
    }
}

/* --- runs --- */

static void start_run (struct simulation *sim, struct job *job, int64_t e,
                       int node)
{
    struct run *run = xcalloc (1, sizeof (*run));
    struct element *element = &job->elements[e];

    run->public = (struct sim_run){ .job = &job->order,
                                    .id = job->id,
                                    .script_path = job->script_path,
                                    .element = e,
                                    .node = node,
                                    .number = element->runs++ };
    run->job = job;
    run->told_at_s = job->order.walltime_s > 0
                         ? sim->now_s + job->order.walltime_s
                         : INFINITY;
    run->kill_at_s = INFINITY;
    sim->runs =
        grow_array (sim->runs, sim->n_runs, &sim->runs_alloc, sizeof (run));
    sim->runs[sim->n_runs++] = run;
    element->run = run;
    sim->nodes[node].free_cores -= job->order.cores;
    change_state (sim, job, element, ELEMENT_RUNNING, OUTCOME_NONE);
    if (sim->player.start)
        sim->player.start (&run->public, sim->player.arg);
}

static int free_node (const struct simulation *sim, int cores)
{
    for (int n = 0; n < sim->site.nodes; n++) {
        if (sim->now_s >= sim->nodes[n].up_s
            && sim->nodes[n].free_cores >= cores)
            return n;
    }
    return -1;
}

/* Start what can start of a job, in order. */
static void start_job (struct simulation *sim, struct job *job)
{
    int64_t most = job->order.running > 0 ? job->order.running : INT64_MAX;

    for (int64_t e = 0; e < job->order.elements && job->running < most; e++) {
        int node;

        if (job->elements[e].now.state != ELEMENT_QUEUED)
            continue;
        if ((node = free_node (sim, job->order.cores)) < 0)
            return;
        start_run (sim, job, e, node);
    }
}

/* Is the job that it was to wait for over, or gone? */
static bool is_after (const struct simulation *sim, const struct job *job)
{
    const struct job *before =
        job->order.after ? job_find (sim, job->order.after) : NULL;

    return !before || before->living == 0;
}

/* From when on a job that is not held may start: later when it waits for its
 * time; INFINITY: the end of another job will tell.
 */
static double turn_s (const struct simulation *sim, const struct job *job)
{
    double begin_s = fmax (job->lands_s, job->submitted_s + job->order.delay_s);

    return is_after (sim, job) ? begin_s : INFINITY;
}

/* Start what may start now; the others are looked at when their time comes. */
static void consider (struct simulation *sim, struct job *job)
{
    double at_s = turn_s (sim, job);

    if (at_s <= sim->now_s)
        start_job (sim, job);
    else
        sim->cycle_at_s = fmin (sim->cycle_at_s, at_s);
}

static void cycle (struct simulation *sim)
{
    sim->cycle_at_s = INFINITY;
    for (int n = 0; n < sim->site.nodes; n++) {
        if (sim->nodes[n].up_s > sim->now_s)
            sim->cycle_at_s = fmin (sim->cycle_at_s, sim->nodes[n].up_s);
    }
    for (size_t i = 0; i < sim->n_jobs; i++) {
        struct job *job = sim->jobs[i];

        if (job->living > job->running && !job->held)
            consider (sim, job);
    }
}

void sim_ended (struct simulation *sim, struct sim_run *public, bool ok)
{
    struct run *run = (struct run *)public;
    size_t i = 0;

    if (run->job)
        leave_node (sim, run,
                    run->why != OUTCOME_NONE ? run->why
                    : ok                     ? OUTCOME_OK
                                             : OUTCOME_FAILED,
                    run->requeue);
    while (sim->runs[i] != run)
        i++;
    memmove (&sim->runs[i], &sim->runs[i + 1],
             (--sim->n_runs - i) * sizeof (run));
    free (run);
}

void sim_preempt (struct simulation *sim, struct sim_run *public)
{
    struct run *run = (struct run *)public;

    run->requeue = sim_strikes (sim, SIM_REQUEUE);
    tell (sim, run, OUTCOME_PREEMPTED);
}

void sim_node_fails (struct simulation *sim, int node, double up_s)
{
    sim->nodes[node].up_s = up_s;
    for (size_t i = 0; i < sim->n_runs; i++) {
        struct run *run = sim->runs[i];

        if (run->job && run->public.node == node)
            leave_node (sim, run,
                        run->why == OUTCOME_CANCELLED ? OUTCOME_CANCELLED
                                                      : OUTCOME_NODE_FAILURE,
                        run->why != OUTCOME_CANCELLED
                            && sim_strikes (sim, SIM_REQUEUE));
    }
}

struct sim_run *sim_pick_run (const struct simulation *sim, uint64_t i)
{
    size_t known = 0;

    for (size_t r = 0; r < sim->n_runs; r++)
        known += sim->runs[r]->job != NULL;
    if (known == 0)
        return NULL;
    i %= known;
    for (size_t r = 0;; r++) {
        if (sim->runs[r]->job && i-- == 0)
            return &sim->runs[r]->public;
    }
}

/* --- time --- */

static double run_next_s (const struct run *run)
{
    if (!run->job)
        return INFINITY;
    return run->told ? run->kill_at_s : run->told_at_s;
}

double sim_next_s (const struct simulation *sim)
{
    double next_s = sim->cycle_at_s;

    for (size_t i = 0; i < sim->n_runs; i++)
        next_s = fmin (next_s, run_next_s (sim->runs[i]));
    return next_s;
}

static void push_run (struct simulation *sim, struct run *run)
{
    if (!run->told) {
        tell (sim, run, OUTCOME_TIMEOUT);
    } else {
        run->kill_at_s = INFINITY;
        if (sim->player.stop)
            sim->player.stop (&run->public, true, sim->player.arg);
    }
}

/* Something that is due at now_s; false when nothing is. */
static bool happen (struct simulation *sim)
{
    if (sim->cycle_at_s <= sim->now_s) {
        cycle (sim);
        return true;
    }
    for (size_t i = 0; i < sim->n_runs; i++) {
        if (run_next_s (sim->runs[i]) <= sim->now_s) {
            push_run (sim, sim->runs[i]);
            return true;
        }
    }
    return false;
}

void sim_advance (struct simulation *sim, double now_s)
{
    double next_s;

    while ((next_s = sim_next_s (sim)) <= now_s) {
        sim->now_s = fmax (sim->now_s, next_s);
        if (!happen (sim))
            break;
    }
    sim->now_s = fmax (sim->now_s, now_s);
}
