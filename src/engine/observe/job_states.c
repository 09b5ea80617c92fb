/* SPDX-License-Identifier: BSD-3-Clause */
/* job_states.c - how jobs stand, as the schedulers say */
#include "base/base.h"

#include "base/clock.h"
#include "campaign/plan.h"
#include "engine/decide/dependency_jobs.h"
#include "engine/history/engine.h"
#include "engine/observe/job_states.h"
#include "engine/observe/scheduler_access.h"

/* Whom the answer on a job is for: one of the two. */
struct poll_owner {
    struct observed_submission *submission;
    struct observed_dependency_job *dependency_job;
};

/* All released submissions and all dependency jobs of one profile, for one
 * poll. */
struct poll_list {
    struct job_status *jobs;
    struct poll_owner *owners;
    size_t n;
    size_t jobs_alloc, owners_alloc;
};

static void poll_list_add (struct poll_list *list,
                           const struct submission *submission,
                           struct element_status *elements,
                           struct poll_owner owner)
{
    list->jobs = grow_array (list->jobs, list->n, &list->jobs_alloc,
                             sizeof (*list->jobs));
    list->owners = grow_array (list->owners, list->n, &list->owners_alloc,
                               sizeof (*list->owners));
    list->jobs[list->n] =
        (struct job_status){ .key = { submission->id, submission->token },
                             .n_elements = submission->elements,
                             .elements = elements };
    list->owners[list->n++] = owner;
}

static void note_dependency_job (const struct job_status *job,
                                 struct observed_dependency_job *dependency_job)
{
    int64_t ended = 0;

    for (int64_t e = 0; e < job->n_elements; e++) {
        enum element_state state = job->elements[e].state;

        dependency_job->started = dependency_job->started
                                  || state == ELEMENT_RUNNING
                                  || state == ELEMENT_ENDED;
        dependency_job->living =
            dependency_job->living
            || (state != ELEMENT_UNKNOWN && state != ELEMENT_ENDED);
        ended += state == ELEMENT_ENDED;
    }
    dependency_job->ended = ended == job->n_elements;
    dependency_job->polled = true;
}

static void note_answers (const struct poll_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct observed_submission *submission = list->owners[i].submission;

        if (!submission) {
            note_dependency_job (&list->jobs[i],
                                 list->owners[i].dependency_job);
            continue;
        }
        submission->polled = true;
        memcpy (submission->note, list->jobs[i].note, JOB_NOTE_SIZE);
    }
}

static void poll_profile (struct engine *engine, size_t number,
                          struct poll_list *list)
{
    const struct profile *profile = &engine->plan->profiles[number];
    struct profile_poll *poll = &engine->polls[number];
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, profile, &scheduler);
    struct error why = ERROR_INIT;
    enum answer answer;

    free (poll->unanswered);
    poll->unanswered = NULL;
    poll->heard = true;
    poll->began_s = engine_now_s (engine);
    answer = adapter->poll (&scheduler, list->jobs, list->n, &why);
    poll->broken = answer == ANSWER_BROKEN;
    if (answer == ANSWER_OK)
        note_answers (list);
    else
        poll->unanswered = xstrdup (why.text);
    poll->asked_s = clock_mono_s ();
}

/* A driver that looks at logs often asks the scheduler seldom. */
static bool is_poll_due (const struct engine *engine, size_t profile)
{
    double last_s = engine->polls[profile].asked_s;

    return last_s == 0
           || clock_mono_s () - last_s
                  >= engine->plan->profiles[profile].poll_s;
}

static void list_submissions (const struct engine *engine,
                              const struct profile *profile,
                              const struct observations *observations,
                              struct poll_list *list)
{
    const struct plan *plan = engine->plan;
    int iteration = state_iteration (&engine->state);

    for (size_t i = 0; i < observations->n_attempts; i++) {
        struct observed_attempt *seen = &observations->attempts[i];
        int s = plan_stage_find (plan, seen->stage);
        const struct attempt *attempt = stage_open_attempt (
            state_stage (&engine->state, iteration, seen->stage));

        for (size_t j = 0; s >= 0 && j < seen->n_submissions; j++) {
            struct observed_submission *o = &seen->submissions[j];

            if (plan->stages[s].profile == profile
                && attempt->submissions[j].status == SUBMISSION_RELEASED)
                poll_list_add (list, &attempt->submissions[j], o->elements,
                               (struct poll_owner){ .submission = o });
        }
    }
}

static void list_dependency_jobs (const struct engine *engine,
                                  const struct profile *profile,
                                  const struct observations *observations,
                                  struct poll_list *list)
{
    for (size_t i = 0; i < observations->n_dependency_jobs; i++) {
        const struct dependency_job *w = &engine->state.dependency_jobs[i];
        struct observed_dependency_job *o = &observations->dependency_jobs[i];

        if (w->job.status == SUBMISSION_RECORDED
            && dependency_job_profile (engine->plan, w) == profile)
            poll_list_add (list, &w->job, o->elements,
                           (struct poll_owner){ .dependency_job = o });
    }
}

void job_states_poll (struct engine *engine, struct observations *observations)
{
    const struct plan *plan = engine->plan;

    for (size_t p = 0; p < plan->n_profiles; p++) {
        const struct profile *profile = &plan->profiles[p];
        bool due = is_poll_due (engine, p);
        struct poll_list list = { 0 };

        if (!due && !engine->polls[p].unanswered)
            continue;
        list_submissions (engine, profile, observations, &list);
        list_dependency_jobs (engine, profile, observations, &list);
        if (list.n > 0 && due)
            poll_profile (engine, p, &list);
        /* What was not answered stays so until it is asked again. */
        if (list.n > 0 && engine->polls[p].unanswered)
            observations->unreachable = true;
        free (list.jobs);
        free (list.owners);
    }
}
