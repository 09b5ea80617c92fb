/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.c - what is wrong with this site, for these profiles? */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter.h"
#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/process.h"
#include "campaign/plan.h"
#include "doctor/doctor.h"
#include "engine/history/engine.h"
#include "engine/observe/scheduler_access.h"
#include "space/layout.h"

/* One call looks at everything: longer than any that a driver makes. */
static const double examine_deadline_s = 120;

/* --- the data space --- */

static bool has_distant (const struct doctor_options *options)
{
    for (size_t i = 0; i < options->n; i++) {
        if (!profile_runs_here (options->profiles[i]))
            return true;
    }
    return false;
}

static void judge_reach (const struct trial *trial,
                         const struct doctor_options *options,
                         struct findings *findings)
{
    if (has_distant (options) && trial->fs.reach == REACH_LOCAL
        && !options->probe)
        findings_add (findings, GRADE_WARNING, "data space",
                      "look whether compute nodes see it: fanfold doctor "
                      "--probe",
                      "it is on a file system of this host (%s)",
                      trial->fs.type);
}

static void examine_space (const char *dir,
                           const struct doctor_options *options,
                           struct findings *findings)
{
    struct error why = ERROR_INIT;
    struct trial trial;

    if (file_make_dirs (dir, &why) < 0 || trial_run (dir, &trial, &why) < 0) {
        findings_add (findings, GRADE_BAD, "data space",
                      "make the campaign's directory writable, or keep it "
                      "elsewhere",
                      "%s", why.text);
        return;
    }
    trial_judge (&trial, "data space", findings);
    judge_reach (&trial, options, findings);
}

/* --- schedulers --- */

/* An element that has a whole node of the profile for as long as it may. */
static struct array_job full_node (const struct engine *engine,
                                   const struct profile *profile)
{
    struct array_job job = { .token = "fanfold00doctor",
                             .elements = 1,
                             .cores = profile->node.cores,
                             .gpus = profile->node.gpus,
                             .memory_bytes = profile->node.memory_bytes,
                             .walltime_s = profile->limits.walltime_s,
                             .directives = STRVEC_INIT,
                             .agent = STRVEC_INIT,
                             .run_dir = engine->plan->dir };

    profile_describe_job (profile, &job);
    strvec_push (&job.agent, engine->program);
    return job;
}

/* All profiles of the scheduler of profile 'first'. */
static enum answer examine_scheduler (struct engine *engine,
                                      const struct doctor_options *options,
                                      const struct profile *first,
                                      struct findings *findings)
{
    struct array_job *jobs = xcalloc (options->n, sizeof (*jobs));
    struct profile_use *uses = xcalloc (options->n, sizeof (*uses));
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, first, &scheduler);
    enum answer answer = ANSWER_OK;
    size_t n = 0;

    for (size_t i = 0; i < options->n; i++) {
        const struct profile *profile = options->profiles[i];

        if (strcmp (profile->scheduler, first->scheduler) != 0)
            continue;
        jobs[n] = full_node (engine, profile);
        uses[n] =
            (struct profile_use){ profile->name, &jobs[n], profile->poll_s,
                                  profile->limits.submit };
        n++;
    }
    scheduler.deadline_s = examine_deadline_s;
    if (adapter->examine)
        answer = adapter->examine (&scheduler, uses, n, findings, NULL);
    for (size_t i = 0; i < n; i++) {
        strvec_release (&jobs[i].directives);
        strvec_release (&jobs[i].agent);
    }
    free (uses);
    free (jobs);
    return answer;
}

static bool is_first_of_scheduler (const struct doctor_options *options,
                                   size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (strcmp (options->profiles[i]->scheduler,
                    options->profiles[at]->scheduler)
            == 0)
            return false;
    }
    return true;
}

static enum doctor_end examine_schedulers (struct engine *engine,
                                           const struct doctor_options *options,
                                           struct findings *findings)
{
    enum doctor_end end = DOCTOR_DONE;

    for (size_t i = 0; i < options->n; i++) {
        if (is_first_of_scheduler (options, i)
            && examine_scheduler (engine, options, options->profiles[i],
                                  findings)
                   == ANSWER_TRY_LATER)
            end = DOCTOR_UNREACHABLE;
    }
    return end;
}

/* --- launchers --- */

/* Tasks of this machine run where we are; elsewhere `setup` may bring it. */
static void examine_launcher (const struct profile *profile,
                              struct findings *findings)
{
    const char *program =
        profile->launcher && profile->launcher[0] ? *profile->launcher : NULL;
    char *path;

    if (!program || !profile_runs_here (profile) || profile->setup)
        return;
    path = process_which (program, NULL);
    findings_about (findings, "profile '%s': ", profile->name);
    if (path)
        findings_add (findings, GRADE_GOOD, "launcher", NULL, "%s", path);
    else
        findings_add (findings, GRADE_WARNING, "launcher",
                      "install MPI, or name another `launcher`; tasks of one "
                      "rank do not need it",
                      "there is no %s on PATH", program);
    free (path);
}

/* --- the whole --- */

/* Only directories that are empty go. */
static void remove_dirs (const char *dir, const struct engine *engine)
{
    char *hidden = path_join (engine->plan->dir, LAYOUT_HIDDEN_DIR);

    file_remove_tree (engine->cache_dir, NULL, NULL);
    rmdir (dir);
    rmdir (hidden);
    free (hidden);
}

static enum doctor_end probe_all (struct engine *engine,
                                  const struct doctor_options *options,
                                  struct findings *findings)
{
    for (size_t i = 0; options->probe && i < options->n; i++) {
        if (probe_run (engine, options->profiles[i], &options->probing,
                       findings)
            < 0)
            return DOCTOR_STOPPED;
    }
    return DOCTOR_DONE;
}

enum doctor_end doctor_run (struct engine *engine,
                            const struct doctor_options *options,
                            struct findings *findings)
{
    char *dir = path_join (engine->plan->dir, LAYOUT_DOCTOR_DIR);
    enum doctor_end end;

    /* What a site told before is not to be told again. */
    free (engine->cache_dir);
    engine->cache_dir = path_join (dir, "site");
    examine_space (dir, options, findings);
    for (size_t i = 0; i < options->n; i++)
        examine_launcher (options->profiles[i], findings);
    end = examine_schedulers (engine, options, findings);
    if (end == DOCTOR_DONE)
        end = probe_all (engine, options, findings);
    remove_dirs (dir, engine);
    free (dir);
    return end;
}
