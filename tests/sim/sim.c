/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.c - the simulated scheduler behind the adapter contract */
#include "base/base.h"

#include "sim/cluster.h"
#include "sim/sim.h"

/* What a call of a scheduler's command takes. */
static const double call_s = 0.2;

const char *sim_fault_name (enum sim_fault fault)
{
    static const char *const names[] = {
        "submit busy",  "submit refused", "submit cut",  "submit late",
        "submit twice", "find busy",      "find late",   "release busy",
        "release cut",  "cancel busy",    "cancel cut",  "poll busy",
        "status late",  "status unknown", "status lies", "requeue",
        "slow call",
    };

    return names[fault];
}

struct simulation *sim_create (const struct sim_site *site,
                               const struct sim_player *player)
{
    struct simulation *sim = xcalloc (1, sizeof (*sim));

    sim->site = *site;
    sim->player = *player;
    sim->cycle_at_s = INFINITY;
    sim->nodes = xcalloc ((size_t)site->nodes + 1, sizeof (*sim->nodes));
    for (int n = 0; n < site->nodes; n++)
        sim->nodes[n].free_cores = site->cores;
    return sim;
}

void sim_destroy (struct simulation *sim)
{
    if (!sim)
        return;
    for (size_t i = 0; i < sim->n_jobs; i++)
        job_free (sim->jobs[i]);
    for (size_t i = 0; i < sim->n_runs; i++)
        free (sim->runs[i]);
    free (sim->jobs);
    free (sim->runs);
    free (sim->nodes);
    free (sim);
}

void sim_cancel (struct simulation *sim, const char *id, int64_t element)
{
    struct job *job = job_find (sim, id);

    if (job)
        job_cancel (sim, job, element);
}

int64_t sim_count_jobs (const struct simulation *sim)
{
    return (int64_t)sim->n_jobs;
}

void sim_each_job (const struct simulation *sim,
                   void (*each) (const struct sim_job_view *job, void *arg),
                   void *arg)
{
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct job *job = sim->jobs[i];
        struct sim_job_view view = { .id = job->id,
                                     .token = job->order.token,
                                     .submitted_s = job->submitted_s,
                                     .landed = sim->now_s >= job->lands_s,
                                     .released = !job->held,
                                     .living = job->living };

        each (&view, arg);
    }
}

/* --- the calls --- */

/* The simulation a call is about, after the time the call takes; NULL when
 * there is none.
 */
static struct simulation *reach (const struct scheduler *scheduler,
                                 struct error *err)
{
    struct simulation *sim = scheduler->own;
    double s = call_s;

    if (!sim) {
        error_set (err, "the simulated scheduler lives within one program: "
                        "no campaign can name it");
        return NULL;
    }
    if (sim_strikes (sim, SIM_SLOW_CALL))
        s = sim_draw (sim, scheduler->deadline_s);
    if (sim->player.wait && !sim->player.wait (s, sim->player.arg)) {
        error_set (err, "interrupted");
        return NULL;
    }
    return sim;
}

static enum answer no_answer (struct error *err)
{
    error_set (err, "Socket timed out on send/recv operation");
    return ANSWER_TRY_LATER;
}

static enum answer sim_limits (const struct scheduler *scheduler,
                               struct scheduler_limits *limits,
                               struct error *err)
{
    struct simulation *sim = reach (scheduler, err);

    if (!sim)
        return ANSWER_BROKEN;
    *limits = (struct scheduler_limits){ .elements = sim->site.elements,
                                         .submit = sim->site.submit,
                                         .node_cores = sim->site.cores };
    return ANSWER_OK;
}

static enum answer sim_render (const struct scheduler *scheduler,
                               const struct array_job *job,
                               struct strbuf *script, struct error *err)
{
    (void)scheduler;
    (void)err;
    strbuf_add_str (script, "#!/bin/sh\n");
    job_script_body (job, "${FANFOLD_ARRAY_INDEX}", "${FANFOLD_JOB_ID}",
                     script);
    return ANSWER_OK;
}

/* What the site has against the job: OK when it has nothing. */
static enum answer check_limits (struct simulation *sim,
                                 const struct array_job *job, struct error *err)
{
    const struct sim_site *site = &sim->site;

    if (site->elements > 0 && job->elements > site->elements) {
        error_set (err, "Invalid job array specification");
        return ANSWER_REFUSED;
    }
    if (job->cores > site->cores) {
        error_set (err, "Requested node configuration is not available");
        return ANSWER_REFUSED;
    }
    if (site->submit > 0 && sim->living + job->elements > site->submit) {
        error_set (err, "AssocMaxSubmitJobLimit");
        return ANSWER_NOT_NOW;
    }
    return ANSWER_OK;
}

/* A job comes to be.  Who hears its id also finds it from then on; otherwise
 * find() may see it late.
 */
static const struct job *accept_one (struct simulation *sim,
                                     const struct array_job *order,
                                     const char *script_path, double lands_s,
                                     bool heard)
{
    struct job *job = job_add (sim, order, script_path, lands_s);

    if (!heard && sim_strikes (sim, SIM_FIND_LATE))
        job->found_s += /* together with landing no later than lag_s */
            sim_draw (sim, sim->now_s + sim->site.lag_s - lands_s);
    return job;
}

/* Perhaps a second one too, as when a site's wrapper tries again by itself. */
static const struct job *accept_job (struct simulation *sim,
                                     const struct array_job *order,
                                     const char *script_path, double lands_s,
                                     bool heard)
{
    const struct job *job =
        accept_one (sim, order, script_path, lands_s, heard);

    if (sim_strikes (sim, SIM_SUBMIT_TWICE))
        job = accept_one (sim, order, script_path, lands_s, heard);
    return job;
}

static enum answer sim_submit (const struct scheduler *scheduler,
                               const struct array_job *order,
                               const char *script_path, struct strbuf *id,
                               struct error *err)
{
    struct simulation *sim = reach (scheduler, err);
    enum answer answer;
    const struct job *job;

    if (!sim)
        return ANSWER_BROKEN;
    if (sim_strikes (sim, SIM_SUBMIT_BUSY))
        return no_answer (err);
    if (sim_strikes (sim, SIM_SUBMIT_REFUSED)) {
        error_set (err, "Invalid account or account/partition combination");
        return ANSWER_REFUSED;
    }
    if ((answer = check_limits (sim, order, err)) != ANSWER_OK)
        return answer;
    if (sim_strikes (sim, SIM_SUBMIT_LATE)) {
        accept_job (sim, order, script_path,
                    sim->now_s + sim_draw (sim, sim->site.lag_s), false);
        return no_answer (err);
    }
    if (sim_strikes (sim, SIM_SUBMIT_CUT)) {
        accept_job (sim, order, script_path, sim->now_s, false);
        return no_answer (err);
    }
    job = accept_job (sim, order, script_path, sim->now_s, true);
    strbuf_add_str (id, job->id);
    return ANSWER_OK;
}

/* The job of that id and name, or NULL. */
static struct job *find_named (struct simulation *sim,
                               const struct job_key *key)
{
    struct job *job = job_find (sim, key->id);

    return job && strcmp (job->order.token, key->token) == 0 ? job : NULL;
}

static enum answer sim_release (const struct scheduler *scheduler,
                                const struct job_key *key, struct error *err)
{
    struct simulation *sim = reach (scheduler, err);
    struct job *job;

    if (!sim)
        return ANSWER_BROKEN;
    if (sim_strikes (sim, SIM_RELEASE_BUSY))
        return no_answer (err);
    if (!(job = find_named (sim, key))) {
        error_set (err, "Invalid job id specified: %s", key->id);
        return ANSWER_REFUSED;
    }
    job_release (sim, job);
    return sim_strikes (sim, SIM_RELEASE_CUT) ? no_answer (err) : ANSWER_OK;
}

static enum answer sim_find (const struct scheduler *scheduler,
                             const char *token, struct strvec *ids,
                             struct error *err)
{
    struct simulation *sim = reach (scheduler, err);

    if (!sim)
        return ANSWER_BROKEN;
    if (sim_strikes (sim, SIM_FIND_BUSY))
        return no_answer (err);
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct job *job = sim->jobs[i];

        if (strcmp (job->order.token, token) == 0 && job_is_there (sim, job)
            && sim->now_s >= job->found_s)
            strvec_push (ids, job->id);
    }
    return ANSWER_OK;
}

/* A lie about one element, which lasts for a while. */
static void show_false_end (struct simulation *sim, struct element *element)
{
    element->shown =
        (struct element_status){ ELEMENT_ENDED, OUTCOME_NODE_FAILURE };
    element->shown_until_s = sim->now_s + sim_draw (sim, sim->site.lag_s);
}

static void poll_job (struct simulation *sim, struct job_status *status)
{
    struct job *job = find_named (sim, &status->key);
    size_t bytes = (size_t)status->n_elements * sizeof (*status->elements);

    memset (status->elements, 0, bytes);
    if (!job)
        return;
    if (sim_strikes (sim, SIM_STATUS_UNKNOWN))
        job->unknown_until_s = sim->now_s + sim_draw (sim, sim->site.lag_s);
    if (sim->now_s < job->unknown_until_s)
        return;
    for (int64_t e = 0; e < status->n_elements && e < job->order.elements;
         e++) {
        struct element *element = &job->elements[e];

        if (element->now.state == ELEMENT_RUNNING
            && sim_strikes (sim, SIM_STATUS_LIES))
            show_false_end (sim, element);
        status->elements[e] = element_shown (sim, element);
    }
}

static enum answer sim_poll (const struct scheduler *scheduler,
                             struct job_status *jobs, size_t n,
                             struct error *err)
{
    struct simulation *sim = reach (scheduler, err);

    if (!sim)
        return ANSWER_BROKEN;
    if (sim_strikes (sim, SIM_POLL_BUSY))
        return no_answer (err);
    for (size_t i = 0; i < n; i++)
        poll_job (sim, &jobs[i]);
    return ANSWER_OK;
}

static enum answer sim_cancel_job (const struct scheduler *scheduler,
                                   const struct job_key *key, int64_t element,
                                   struct error *err)
{
    struct simulation *sim = reach (scheduler, err);

    if (!sim)
        return ANSWER_BROKEN;
    if (sim_strikes (sim, SIM_CANCEL_BUSY))
        return no_answer (err);
    if (find_named (sim, key))
        sim_cancel (sim, key->id, element);
    return sim_strikes (sim, SIM_CANCEL_CUT) ? no_answer (err) : ANSWER_OK;
}

const struct scheduler_adapter sim_adapter = {
    .name = "sim",
    .can_hold = true,
    .can_wait = true,
    .limits = sim_limits,
    .render = sim_render,
    .submit = sim_submit,
    .release = sim_release,
    .find = sim_find,
    .poll = sim_poll,
    .cancel = sim_cancel_job,
};
