/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.c - what is wrong with this site, for these profiles? */
#include "base/base.h"

#include <unistd.h>

#include "adapter.h"
#include "arrays/array_job.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/process.h"
#include "campaign/env_file.h"
#include "campaign/plan.h"
#include "doctor/doctor.h"
#include "engine/history/engine.h"
#include "engine/observe/scheduler_access.h"
#include "space/layout.h"

/* One call looks at everything: longer than any that a driver makes. */
static const double examine_deadline_s = 120;

/* --- the data space --- */

static void examine_space (const char *dir,
                           const struct doctor_options *options,
                           struct findings *findings)
{
    struct error why = ERROR_INIT;
    struct trial trial;
    bool distant = false;

    if (file_make_dirs (dir, &why) < 0 || trial_run (dir, &trial, &why) < 0) {
        findings_add (findings, GRADE_BAD, "data space",
                      "make the campaign's directory writable, or keep it "
                      "elsewhere",
                      "%s", why.text);
        return;
    }
    trial_judge (&trial, "data space", findings);
    for (size_t i = 0; i < options->n; i++)
        distant = distant || !profile_runs_here (options->profiles[i]);
    if (distant && trial.fs.reach == REACH_LOCAL && !options->probe)
        findings_add (findings, GRADE_WARNING, "data space",
                      "look whether compute nodes see it: fanfold doctor "
                      "--probe",
                      "it is on a file system of this host (%s)",
                      trial.fs.type);
}

/* --- schedulers --- */

/* An element that has a whole node of the profile for as long as it may. */
static struct array_job full_node (const struct engine *engine,
                                   const struct profile *profile)
{
    struct array_job job = { .token = "fanfold00doctor",
                             .elements = 1,
                             .cores = profile->node.cores
                                      + profile->node.reserved_cores,
                             .gpus = profile->node.gpus,
                             .memory_bytes = profile->node.memory_bytes,
                             .walltime_s = profile->limits.walltime_s,
                             .directives = STRVEC_INIT,
                             .agent = STRVEC_INIT,
                             .run_dir = engine->dir };

    profile_describe_job (profile, &job);
    strvec_push (&job.agent, engine->program);
    return job;
}

/* All profiles of one adapter. */
static enum answer examine_adapter (struct engine *engine,
                                    const struct scheduler_adapter *adapter,
                                    const struct doctor_options *options,
                                    struct findings *findings)
{
    _cleanup_free_ struct array_job *jobs =
        xcalloc (options->n, sizeof (*jobs));
    _cleanup_free_ struct profile_use *uses =
        xcalloc (options->n, sizeof (*uses));
    struct scheduler scheduler;
    enum answer answer = ANSWER_OK;
    size_t n = 0;

    for (size_t i = 0; i < options->n; i++) {
        const struct profile *profile = options->profiles[i];

        if (strcmp (profile->scheduler, adapter->name) != 0)
            continue;
        if (n == 0)
            engine_scheduler (engine, profile, &scheduler);
        jobs[n] = full_node (engine, profile);
        uses[n] =
            (struct profile_use){ profile->name, &jobs[n], profile->poll_s,
                                  profile->limits.submit };
        n++;
    }
    if (n > 0 && adapter->examine) {
        scheduler.deadline_s = examine_deadline_s;
        answer = adapter->examine (&scheduler, uses, n, findings, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        strvec_release (&jobs[i].directives);
        strvec_release (&jobs[i].agent);
    }
    return answer;
}

static enum doctor_end examine_schedulers (struct engine *engine,
                                           const struct doctor_options *options,
                                           struct findings *findings)
{
    const struct scheduler_adapter *adapter;
    enum doctor_end end = DOCTOR_DONE;

    for (size_t i = 0; (adapter = scheduler_adapter_at (i)); i++) {
        if (examine_adapter (engine, adapter, options, findings)
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
    _cleanup_free_ char *path = NULL;

    if (!program || !profile_runs_here (profile) || profile->setup)
        return;
    path = process_which (program, profile_variable (profile, "PATH"));
    findings_about (findings, "profile '%s': ", profile->name);
    if (path)
        findings_add (findings, GRADE_GOOD, "launcher", NULL, "%s", path);
    else
        findings_add (findings, GRADE_WARNING, "launcher",
                      "install MPI, or name another `launcher`; tasks of one "
                      "rank do not need it",
                      "there is no %s on PATH", program);
}

/* --- programs of stages --- */

/* What only a node can tell is not passed over in silence. */
static void name_programs (const struct doctor_options *options,
                           const struct profile *profile,
                           struct findings *findings)
{
    _cleanup_json_ struct json *programs =
        stage_programs (options->campaign, profile);
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < json_count (programs); i++) {
        const struct json *argv = json_get (json_at (programs, i), "argv");
        const char *word = json_as_string (json_at (argv, 0));

        if (strvec_contains (&words, word))
            continue;
        strbuf_addf (&text, "%s%s", words.n == 0 ? "" : ", ", word);
        strvec_push (&words, word);
    }
    findings_about (findings, "profile '%s': ", profile->name);
    if (words.n > 0)
        findings_add (findings, GRADE_GOOD, "programs of stages", NULL,
                      "%s: not tried; fanfold doctor --probe tries them on a "
                      "node",
                      text.buf);
}

/* --- the whole --- */

/* What a site told before is not to be told again. */
static void forget_site (struct engine *engine)
{
    free (engine->cache_dir);
    engine->cache_dir = path_join (engine->dir, LAYOUT_DOCTOR_DIR "/site");
}

/* Only directories that are empty go. */
static void clean_up (const struct engine *engine)
{
    _cleanup_free_ char *hidden = path_join (engine->dir, LAYOUT_HIDDEN_DIR);
    _cleanup_free_ char *dir = path_join (engine->dir, LAYOUT_DOCTOR_DIR);

    file_remove_tree (engine->cache_dir, NULL, NULL);
    rmdir (dir);
    rmdir (hidden);
}

enum doctor_end doctor_topology (struct engine *engine,
                                 const struct profile *profile,
                                 const struct doctor_options *options,
                                 struct strbuf *topology,
                                 struct findings *findings)
{
    int rc;

    forget_site (engine);
    rc = probe_run (engine, profile, options, topology, findings);
    clean_up (engine);
    return rc < 0 ? DOCTOR_STOPPED : DOCTOR_DONE;
}

enum doctor_end doctor_run (struct engine *engine,
                            const struct doctor_options *options,
                            struct findings *findings)
{
    _cleanup_free_ char *dir = path_join (engine->dir, LAYOUT_DOCTOR_DIR);
    enum doctor_end end;

    forget_site (engine);
    examine_space (dir, options, findings);
    for (size_t i = 0; i < options->n; i++)
        examine_launcher (options->profiles[i], findings);
    for (size_t i = 0; options->campaign && !options->probe && i < options->n;
         i++)
        name_programs (options, options->profiles[i], findings);
    end = examine_schedulers (engine, options, findings);
    for (size_t i = 0; end == DOCTOR_DONE && options->probe && i < options->n;
         i++) {
        if (probe_run (engine, options->profiles[i], options, NULL, findings)
            < 0)
            end = DOCTOR_STOPPED;
    }
    clean_up (engine);
    return end;
}
