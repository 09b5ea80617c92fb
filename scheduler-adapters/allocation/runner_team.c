/* SPDX-License-Identifier: BSD-3-Clause */
/* runner_team.c - what a runner does for elements of several nodes
 *
 * They go first: while one can be run by runners that live, a team is formed
 * for it, and those that are chosen take nothing else.  The others go on.
 */
#include "base/base.h"

#include "allocation/runner.h"
#include "allocation/team.h"
#include "base/clock.h"
#include "base/file.h"
#include "spool.h"

/* What a node counts that is better left alone: more than any has cores. */
enum { LOAD_EXCLUDED = 1 << 20 };

/* How often to look at the members of an element that has ended. */
#define SETTLE_LOOK_S 0.5

/* --- the node is kept --- */

void runner_leave_team (struct runner_process *r)
{
    struct membership *m = &r->member;

    cores_give (&m->cores);
    gpus_give (&m->gpus);
    free (m->token);
    free (m->lead);
    *m = (struct membership){ .team = 0 };
}

/* What the team's processes left here; the others' end with the lead's. */
static void end_member (struct runner_process *r)
{
    struct spool_job job = { .token = r->member.token };

    kill_orphan_processes (&job, r->member.element);
    runner_leave_team (r);
    r->took = true; /* there is room: look soon */
}

/* 1: it is still kept. */
static int keep_member (struct runner_process *r, struct error *err)
{
    const struct runner *lead;
    enum team_stage stage;

    if (team_stage (r->spool, r->member.team, &stage, err) < 0)
        return -1;
    lead = runners_find (&r->runners, r->member.lead);
    if (stage == TEAM_OVER || (stage == TEAM_BEGUN && !(lead && lead->alive))) {
        end_member (r);
        return 0;
    }
    return stage == TEAM_BEGUN;
}

/* All of the node, if nothing else uses it.  1: not now. */
static int reserve_node (struct runner_process *r, struct cores *cores,
                         struct gpus *gpus, struct error *err)
{
    int rc = cores_take (r->node.local_spool, r->node.cores, cores, err);

    if (rc == 0 && r->node.shape.n_gpus > 0
        && (rc = gpus_take (r->node.local_spool, &r->node.shape,
                            (int)r->node.shape.n_gpus, gpus, err))
               != 0)
        cores_give (cores);
    return rc;
}

static int become_ready (struct runner_process *r, const struct team *team,
                         struct error *err)
{
    struct membership *m = &r->member;
    int rc = r->n_runs > 0 ? 1 : reserve_node (r, &m->cores, &m->gpus, err);

    if (rc != 0)
        return rc < 0 ? -1 : 0;
    m->team = team->number;
    m->token = xstrdup (team->token);
    m->element = team->element;
    m->lead = xstrdup (team->v[0].id);
    rc = team_ready (r->spool, team->number, r->node.id, err);
    r->took = true;
    if (rc < 0)
        runner_leave_team (r);
    return rc < 0 ? -1 : 0;
}

/* --- leading --- */

static struct run *make_run (struct runner_process *r, const struct team *team)
{
    struct run *run = xcalloc (1, sizeof (*run));

    run->team = team->number;
    run->members = (struct strvec)STRVEC_INIT;
    for (size_t i = 0; i < team->n_chosen; i++)
        strvec_push (&run->members, team->v[i].id);
    run->process.cores = r->member.cores;
    run->process.gpus = r->member.gpus;
    r->member.cores = (struct cores){ .n = 0 };
    r->member.gpus = (struct gpus)GPUS_INIT;
    runner_leave_team (r);
    return run;
}

static int take_element (struct runner_process *r, const struct team *team,
                         struct run *run, struct error *err)
{
    _cleanup_free_ char *dir = spool_job_dir (r->spool, team->token, err);
    _cleanup_ (elements_release) struct elements elements = { 0 };
    int rc = dir ? spool_read_job (dir, &run->job, err) : -1;

    if (rc != 0)
        return rc;
    return elements_read (&run->job, &elements, err) < 0
               ? -1
               : element_take (&run->job, &elements, &r->runners, team->element,
                               r->node.id, err);
}

/* Whoever thought that we are dead has closed it before. */
static int begin (struct runner_process *r, const struct team *team,
                  struct error *err)
{
    int rc = team_close (r->spool, team->number, true, err);
    struct run *run;

    if (rc != 0)
        return rc < 0 ? -1 : 0;
    run = make_run (r, team);
    rc = take_element (r, team, run, err);
    if (rc == 0)
        rc = run_start (r, run, team->element, err);
    else
        run_release (run);
    if (rc != 1)
        team_free (r->spool, team->number, NULL);
    r->took = true;
    return rc < 0 ? -1 : 0;
}

int runner_team_watch (struct runner_process *r, struct error *err)
{
    for (size_t i = 0; i < r->n_runs; i++) {
        struct run *run = r->runs[i];

        if (run->team > 0 && runner_see_others (r, err) < 0)
            return -1;
        for (size_t k = 1; run->team > 0 && k < run->members.n; k++) {
            const struct runner *member =
                runners_find (&r->runners, run->members.v[k]);

            if (!(member && member->alive))
                element_run_end (&run->process,
                                 member ? member->cause : OUTCOME_PREEMPTED);
        }
    }
    return 0;
}

int runner_team_is_settled (struct runner_process *r, struct run *run,
                            struct error *err)
{
    if (run->team == 0 || run->process.cause != OUTCOME_NONE)
        return 1;
    r->busy_s = clock_mono_s ();
    r->took = true;
    if (r->busy_s - r->seen_s > SETTLE_LOOK_S)
        r->seen_s = -INFINITY;
    if (runner_team_watch (r, err) < 0)
        return -1;
    if (run->over_s == 0)
        run->over_s = r->runners.now_s;
    for (size_t k = 1; k < run->members.n; k++) {
        const struct runner *member =
            runners_find (&r->runners, run->members.v[k]);

        if (member && member->alive && member->touched_s <= run->over_s)
            return 0;
    }
    return 1; /* they were there, or watching has found a cause */
}

void runner_team_ended (const struct runner_process *r, const struct run *run)
{
    if (run->team > 0)
        team_free (r->spool, run->team, NULL);
}

/* --- which element --- */

static const struct spool_job *find_job (const struct spool_job *jobs, size_t n,
                                         const char *token)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp (jobs[i].token, token) == 0)
            return &jobs[i];
    }
    return NULL;
}

/* Is the team's element still to be run, and are we to be there? */
static int is_wanted (struct runner_process *r, const struct team *team,
                      const struct spool_job *job, bool *wanted,
                      struct error *err)
{
    _cleanup_ (elements_release) struct elements elements = { 0 };

    *wanted = false;
    if (!job || !runner_could_run (r, job))
        return 0;
    if (elements_read (job, &elements, err) < 0)
        return -1;
    *wanted = team->element < job->elements
              && element_is_waiting (job, &elements, team->element);
    return 0;
}

/* Begin to form a team for the first element that waits for one. */
static int organize (struct runner_process *r, const struct spool_job *jobs,
                     size_t n, int64_t last, struct error *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct spool_job *job = &jobs[i];
        int64_t element;
        int rc;

        if (job->nodes < 2 || !job->released)
            continue;
        if ((rc = element_find_waiting (job, &r->runners, &element, err)) < 0)
            return -1;
        if (rc == 0)
            r->busy_s = clock_mono_s ();
        if (rc != 0 || !runner_could_run (r, job)
            || runners_count_nodes (&r->runners, job) < job->nodes)
            continue;
        rc = team_create (r->spool, last, job->token, element, job->nodes,
                          r->node.id, err);
        if (rc == 0) {
            r->organizes = last + 1;
            r->organizing_s = clock_mono_s ();
        }
        r->took = true;
        return rc < 0 ? -1 : 0;
    }
    return 0;
}

/* --- a step --- */

static int load_of (const struct runner_process *r, const struct spool_job *job)
{
    int load = is_excluded (job, r->node.name) ? LOAD_EXCLUDED : 0;

    for (size_t i = 0; i < r->n_runs; i++)
        load += 1 + r->runs[i]->job.cores;
    return load;
}

static int choose (const struct runner_process *r, struct team *team,
                   struct error *err)
{
    return team_choose (team) ? team_write_chosen (r->spool, team, err) : 0;
}

static int perform (struct runner_process *r, enum team_step step,
                    struct team *team, const struct spool_job *job,
                    struct error *err)
{
    int rc = 0;

    switch (step) {
    case TEAM_NOTHING:
    case TEAM_WAIT:
        break;
    case TEAM_OFFER:
        rc = team_offer (r->spool, team->number, r->node.id, load_of (r, job),
                         err);
        break;
    case TEAM_CHOOSE:
        rc = choose (r, team, err);
        break;
    case TEAM_RESERVE:
        if (r->member.team != team->number)
            rc = become_ready (r, team, err);
        break;
    case TEAM_BEGIN:
        rc = begin (r, team, err);
        break;
    case TEAM_CLOSE:
        rc = team_close (r->spool, team->number, false, err);
        break;
    }
    if (step != TEAM_NOTHING && step != TEAM_WAIT && step != TEAM_RESERVE)
        r->took = true; /* others answer soon */
    return rc < 0 ? -1 : 0;
}

static int go_on (struct runner_process *r, struct team *team,
                  const struct spool_job *jobs, size_t n, struct error *err)
{
    const struct spool_job *job = find_job (jobs, n, team->token);
    struct team_self self = { .id = r->node.id };
    enum team_step step;

    if (is_wanted (r, team, job, &self.wanted, err) < 0)
        return -1;
    self.can_join = self.wanted;
    self.others = job ? runners_count_nodes (&r->runners, job) : 0;
    self.waited_s =
        team->number == r->organizes ? clock_mono_s () - r->organizing_s : 0;
    step = team_decide (team, &self);
    if (step != TEAM_NOTHING)
        r->busy_s = clock_mono_s ();
    if (perform (r, step, team, job, err) < 0)
        return -1;
    return step != TEAM_NOTHING && step != TEAM_CLOSE;
}

static bool has_large (const struct spool_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (jobs[i].nodes > 1)
            return true;
    }
    return false;
}

static bool leads_one (const struct runner_process *r)
{
    for (size_t i = 0; i < r->n_runs; i++) {
        if (r->runs[i]->team > 0)
            return true;
    }
    return false;
}

/* Of runners that began since we looked, too. */
static int read_team (struct runner_process *r, struct team *team,
                      struct error *err)
{
    int rc = team_read (r->spool, &r->runners, team, err);

    if (rc <= 0)
        return rc;
    r->seen_s = -INFINITY;
    if (runner_see_others (r, err) < 0)
        return -1;
    return team_read (r->spool, &r->runners, team, err) < 0 ? -1 : 0;
}

int runner_team_step (struct runner_process *r, const struct spool_job *jobs,
                      size_t n, struct error *err)
{
    struct team team;
    int rc = 0;

    if (leads_one (r))
        return 1;
    if (r->member.team == 0 && !has_large (jobs, n))
        return 0;
    if (runner_see_others (r, err) < 0)
        return -1;
    if (r->member.team > 0 && (rc = keep_member (r, err)) != 0) {
        r->busy_s = clock_mono_s ();
        return rc;
    }
    if (read_team (r, &team, err) < 0)
        return -1;
    if (team.number == 0 || team.closed)
        rc = organize (r, jobs, n, team.number, err);
    else
        rc = go_on (r, &team, jobs, n, err);
    team_release (&team);
    return rc;
}
