/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - a small job that tells what its node sees
 *
 * It goes the way of every submission (held, found again when the reply was
 * lost, released, polled), but belongs to no campaign: nothing of it is
 * journaled, so all of it is ended and removed before we return.
 */
#include "base/base.h"

#include <unistd.h>

#include "adapter.h"
#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/hash.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "doctor/doctor.h"
#include "engine/history/engine.h"
#include "engine/observe/scheduler_access.h"
#include "space/layout.h"

/* It looks around for a moment; sites count in minutes. */
static const double walltime_s = 300;

/* How long a job that was cancelled may take to end. */
static const double end_patience_s = 10;

enum { LAST_WORDS_BYTES = 1 << 16, TOPOLOGY_MAX_BYTES = 1 << 26 };

static const char subject[] = "probe job"; /* of findings */

struct probe {
    const struct profile *profile;
    struct scheduler scheduler;
    const struct doctor_options *options;
    struct findings *findings;
    struct strbuf *topology; /* of a whole node, to be filled; NULL: none */
    char *dir;               /* absolute, of this probe */
    struct array_job job;
    struct json *programs; /* to try there; NULL: none */
    struct strbuf id;
    struct element_status element; /* as it was last polled */
    char note[JOB_NOTE_SIZE];
    double polled_s; /* mono; 0: not yet */
    double released_s;
};

/* --- making it --- */

/* Without a word of how large a node is, the job gets what one core brings. */
static void ask_for_node (struct probe *probe)
{
    struct scheduler_limits site = { 0 };
    struct node_capacity node;
    const struct scheduler_adapter *adapter = probe->scheduler.adapter;
    const struct resources probe_needs = { .ranks = 1, .cores = 1 };

    if (adapter->limits (&probe->scheduler, &site, NULL) != ANSWER_OK
        || node_capacity_of (probe->profile, &probe_needs, &site, &node, NULL)
               < 0)
        return;
    probe->job.cores = node.cores + node.reserved_cores;
    probe->job.gpus = node.gpus;
}

/* With two it is seen whether a scheduler counts hardware threads. */
static int cores_to_probe (const struct profile *profile)
{
    return profile_runs_here (profile)
                   || profile->node.cores + profile->node.reserved_cores == 1
               ? 1
               : 2;
}

static void describe_job (struct probe *probe, const char *program)
{
    const struct profile *profile = probe->profile;
    struct array_job *job = &probe->job;
    const char *const *programs = probe->scheduler.adapter->programs;
    const bool gpu = profile->node.gpus > 0;
    const char *const agent[] = {
        program, "-C", probe->dir, "examine-node", gpu ? "gpu" : "no-gpu", NULL
    };

    job->elements = 1;
    job->cores = cores_to_probe (profile);
    job->gpus = gpu;
    if (probe->topology)
        ask_for_node (probe);
    job->walltime_s =
        walltime_s + PROGRAM_TRIAL_S * (double)json_count (probe->programs);
    if (profile->limits.walltime_s > 0)
        job->walltime_s = fmin (job->walltime_s, profile->limits.walltime_s);
    profile_describe_job (profile, job);
    strvec_push_all (&job->agent, (char *const *)agent);
    strvec_pushf (&job->agent, "--cores=%d", job->cores);
    if (probe->topology)
        strvec_push (&job->agent, "--topology");
    if (profile->mps)
        strvec_push (&job->agent, "--mps");
    if (probe->scheduler.adapter->whole_cores)
        strvec_pushf (&job->agent, "--whole-cores=%s",
                      probe->scheduler.adapter->whole_cores);
    if (programs)
        strvec_push_all (&job->agent, (char *const *)programs);
    job->run_dir = probe->dir;
}

/* Whatever a lost reply left; without an answer there may be more. */
static enum answer take_found (struct probe *probe, struct error *err)
{
    const struct scheduler_adapter *adapter = probe->scheduler.adapter;
    _cleanup_ (strvec_release) struct strvec ids = STRVEC_INIT;
    enum answer answer =
        adapter->find (&probe->scheduler, probe->job.token, &ids, err);

    for (size_t i = 1; answer == ANSWER_OK && i < ids.n; i++) {
        const struct job_key other = { ids.v[i], probe->job.token };

        adapter->cancel (&probe->scheduler, &other, -1, NULL);
    }
    if (answer == ANSWER_OK && ids.n > 0)
        strbuf_add_str (&probe->id, ids.v[0]);
    return answer;
}

static struct job_key probe_key (const struct probe *probe)
{
    return (struct job_key){ probe->id.buf, probe->job.token };
}

static int submit_probe (struct probe *probe, struct error *err)
{
    const struct scheduler_adapter *adapter = probe->scheduler.adapter;
    char *script = path_join (probe->dir, LAYOUT_SCRIPT);
    struct job_key key;
    enum answer answer = ANSWER_REFUSED;

    if (scheduler_write_script (&probe->scheduler, &probe->job, script, err)
        == 0)
        answer = adapter->submit (&probe->scheduler, &probe->job, script,
                                  &probe->id, err);
    free (script);
    if (answer != ANSWER_OK && answer != ANSWER_REFUSED)
        take_found (probe, NULL);
    if (probe->id.len == 0)
        return -1;
    key = probe_key (probe);
    answer = adapter->release (&probe->scheduler, &key, err);
    probe->released_s = clock_wall_s ();
    return answer == ANSWER_OK ? 0 : -1;
}

/* --- waiting --- */

static bool has_ended (const struct probe *probe)
{
    return probe->element.state == ELEMENT_ENDED
           || (probe->element.state == ELEMENT_UNKNOWN && probe->polled_s > 0);
}

static void poll_probe (struct probe *probe)
{
    struct element_status element = probe->element;
    struct job_status status = { .key = probe_key (probe),
                                 .n_elements = 1,
                                 .elements = &element };

    if (probe->scheduler.adapter->poll (&probe->scheduler, &status, 1, NULL)
        != ANSWER_OK)
        return;
    probe->element = element;
    memcpy (probe->note, status.note, sizeof (probe->note));
    probe->polled_s = clock_mono_s ();
}

enum waited { WAIT_REPORT, WAIT_SILENT, WAIT_LONG, WAIT_STOPPED };

/* For the report; or until the job has ended and a file would long be seen.
 * Polls as often as the profile allows.
 */
static enum waited wait_for_report (struct probe *probe, struct error *err)
{
    const volatile int *stop = probe->options->stop;
    double begin_s = clock_mono_s ();
    double ended_s = 0;

    for (;;) {
        double now_s = clock_mono_s ();
        bool started;

        if (node_report_read (probe->dir, clock_wall_s () - probe->released_s,
                              probe->findings, err)
            == 0)
            return WAIT_REPORT;
        if (stop && *stop)
            return WAIT_STOPPED;
        if (probe->polled_s <= 0
            || now_s >= probe->polled_s + probe->profile->poll_s)
            poll_probe (probe);
        started = has_ended (probe) || probe->element.state == ELEMENT_RUNNING;
        if (has_ended (probe) && ended_s <= 0)
            ended_s = now_s;
        if (ended_s > 0 && now_s >= ended_s + probe->profile->visibility_s)
            return WAIT_SILENT;
        if (ended_s <= 0
            && now_s >= begin_s + probe->options->timeout_s
                            + (started ? probe->job.walltime_s : 0))
            return started ? WAIT_SILENT : WAIT_LONG;
        clock_sleep (0.2, stop);
    }
}

/* --- what to say --- */

/* The last line that the job printed, if anything; caller frees. */
static char *last_line (const struct probe *probe)
{
    static const char *const names[] = { "element-0.log", LAYOUT_JOB_OUTPUT };
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    const char *last;
    char *words = NULL;

    for (size_t i = 0; !words && i < ARRAY_SIZE (names); i++) {
        _cleanup_free_ char *path = path_join (probe->dir, names[i]);
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        if (file_read (path, LAST_WORDS_BYTES, &text, NULL) == 0)
            strvec_split (&lines, text.buf, "\r\n");
        last = strvec_last_words (&lines, lines.n);
        if (last)
            words = xasprintf ("; the job said: %.300s", last);
    }
    return words ? words : xstrdup ("");
}

static void say_silent (struct probe *probe)
{
    _cleanup_free_ char *words = last_line (probe);

    findings_add (probe->findings, GRADE_BAD, subject,
                  "keep the campaign, and fanfold itself, where compute nodes "
                  "see them under the same path; or change `setup`",
                  "the job ran and wrote nothing into '%s' (%s)%s", probe->dir,
                  probe->element.state == ELEMENT_ENDED
                      ? outcome_name (probe->element.outcome)
                      : "how it ended is not known",
                  words);
}

/* --- the end --- */

static void take_topology (struct probe *probe)
{
    _cleanup_free_ char *path = path_join (probe->dir, NODE_TOPOLOGY_FILE);
    struct error err = ERROR_INIT;

    if (file_read (path, TOPOLOGY_MAX_BYTES, probe->topology, &err) < 0)
        findings_add (probe->findings, GRADE_BAD, subject, "try again", "%s",
                      err.text);
}

/* Nothing of it is to stay, and its directory not to go from under it. */
static void end_job (struct probe *probe)
{
    double end_s = clock_mono_s () + end_patience_s;
    struct job_key key;

    if (probe->id.len == 0 && take_found (probe, NULL) != ANSWER_OK)
        findings_add (probe->findings, GRADE_WARNING, subject,
                      "when the scheduler answers again, look for a job of "
                      "that name and cancel it",
                      "whether job '%s' was taken is not known",
                      probe->job.token);
    if (probe->id.len == 0)
        return;
    poll_probe (probe);
    key = probe_key (probe);
    if (!has_ended (probe))
        probe->scheduler.adapter->cancel (&probe->scheduler, &key, -1, NULL);
    while (!has_ended (probe) && clock_mono_s () < end_s) {
        clock_sleep (fmin (probe->profile->poll_s, 1), NULL);
        poll_probe (probe);
    }
    if (probe->scheduler.adapter->forget)
        probe->scheduler.adapter->forget (&probe->scheduler, probe->id.buf,
                                          NULL);
}

/* The directory of the probe, with what the node is to try. */
static int make_dir (const struct probe *probe, struct error *err)
{
    _cleanup_free_ char *path = path_join (probe->dir, NODE_PROGRAMS_FILE);
    int rc = file_make_dirs (probe->dir, err);

    if (rc == 0 && json_count (probe->programs) > 0)
        rc = json_write_file (path, probe->programs, err);
    return rc;
}

static int run_probe (struct probe *probe)
{
    struct error err = ERROR_INIT;
    enum waited waited;

    if (make_dir (probe, &err) < 0) {
        findings_add (probe->findings, GRADE_BAD, subject,
                      "make the campaign's directory writable", "%s", err.text);
        return 0;
    }
    if (submit_probe (probe, &err) < 0) {
        findings_add (probe->findings, GRADE_BAD, subject,
                      "change what is named there in the profile, or try "
                      "again",
                      "%s", err.text);
        end_job (probe);
        return 0;
    }
    waited = wait_for_report (probe, &err);
    if (waited == WAIT_REPORT && probe->topology)
        take_topology (probe);
    if (waited == WAIT_LONG)
        findings_add (probe->findings, GRADE_WARNING, subject,
                      "give it longer with --timeout, or see why it waits with "
                      "the scheduler's own commands",
                      "no job started within %.0f s%s%s",
                      probe->options->timeout_s, probe->note[0] ? ": " : "",
                      probe->note);
    end_job (probe);
    if (waited == WAIT_SILENT)
        say_silent (probe);
    return waited == WAIT_STOPPED ? -1 : 0;
}

int probe_run (struct engine *engine, const struct profile *profile,
               const struct doctor_options *options, struct strbuf *topology,
               struct findings *findings)
{
    struct probe probe = { .profile = profile,
                           .options = options,
                           .findings = findings,
                           .topology = topology,
                           .job = { .directives = STRVEC_INIT,
                                    .agent = STRVEC_INIT },
                           .id = STRBUF_INIT };
    int rc;

    engine_scheduler (engine, profile, &probe.scheduler);
    random_token (probe.job.token, TOKEN_LENGTH);
    probe.dir =
        xasprintf ("%s/" LAYOUT_DOCTOR_DIR "/%s", engine->dir, probe.job.token);
    findings_about (findings, "profile '%s': ", profile->name);
    if (options->campaign)
        probe.programs = stage_programs (options->campaign, profile);
    describe_job (&probe, engine->program);
    rc = run_probe (&probe);
    file_remove_tree (probe.dir, NULL, NULL);
    strvec_release (&probe.job.directives);
    strvec_release (&probe.job.agent);
    strbuf_release (&probe.id);
    json_unref (probe.programs);
    free (probe.dir);
    return rc;
}
