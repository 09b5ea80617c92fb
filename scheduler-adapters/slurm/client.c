/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c - run Slurm's commands */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "slurm/client.h"

/* Lines of 10^6 elements fit. */
enum { CAPTURE_BYTES = 1 << 28 };

/* How long a command that is told to end may take; part of the deadline. */
static const double grace_s = 1;

/* --- environment --- */

/* What makes output the same everywhere: times as seconds since 1970, index
 * lists never cut off.
 */
static const char *const fixed[] = { "LC_ALL=C", "SLURM_TIME_FORMAT=%s",
                                     "SLURM_BITSTR_LEN=0" };

static bool begins_with (const char *entry, const char *const *prefixes)
{
    for (; *prefixes; prefixes++) {
        if (strncmp (entry, *prefixes, strlen (*prefixes)) == 0)
            return true;
    }
    return false;
}

void slurm_command_env (char *const *from, struct strvec *env)
{
    static const char *const dropped[] = {
        "SLURM_",    "SLURMD_", "SBATCH_",  "SQUEUE_",   "SACCT_",
        "SACCTMGR_", "SALLOC_", "SCANCEL_", "SCONTROL_", "SINFO_",
        "SRUN_",     "LC_ALL=", NULL
    };
    static const char *const kept[] = { "SLURM_CONF=", "SLURM_CONF_SERVER=",
                                        NULL };

    for (; *from; from++) {
        if (!begins_with (*from, dropped) || begins_with (*from, kept))
            strvec_push (env, *from);
    }
    for (size_t i = 0; i < ARRAY_SIZE (fixed); i++)
        strvec_push (env, fixed[i]);
}

void slurm_job_env (char *const *from, struct strvec *env)
{
    static const char *const handed_on[] = {
        "HOME=", "USER=", "LOGNAME=", "SHELL=", "LANG=", "TZ=", "PATH=",
        /* For sbatch itself, where Slurm is not installed in the usual place.
         */
        "LD_LIBRARY_PATH=", "SLURM_CONF=", "SLURM_CONF_SERVER=", NULL
    };

    for (; *from; from++) {
        if (begins_with (*from, handed_on))
            strvec_push (env, *from);
    }
}

/* --- running --- */

struct slurm_client slurm_client (const struct scheduler *scheduler)
{
    double deadline_s = scheduler->deadline_s > 0 ? scheduler->deadline_s : 20;

    return (struct slurm_client){ scheduler, clock_mono_s () + deadline_s };
}

/* What a command that failed said, or else how it ended. */
static void describe (const char *program,
                      const struct process_result *result,
                      const char *advice,
                      struct error *err)
{
    struct strbuf how = STRBUF_INIT;
    char words[600];

    process_describe (result, &how);
    slurm_trouble_words (result->err.buf, words, sizeof (words));
    if (words[0] && !result->timed_out)
        error_set (err, "%s: %s", program, words);
    else if (words[0])
        error_set (err, "%s %s: %s", program, how.buf, words);
    else
        error_set (err, "%s %s", program, how.buf);
    if (err && advice) {
        size_t used = strlen (err->text);

        snprintf (err->text + used, sizeof (err->text) - used, " (%s)", advice);
    }
    strbuf_release (&how);
}

static bool run (const struct slurm_client *client,
                 const char *const *argv,
                 char *const *env,
                 struct process_result *result,
                 enum slurm_trouble *trouble,
                 struct error *err)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    const char *advice = NULL;

    spec.argv = argv;
    spec.env = env;
    spec.capture_bytes = CAPTURE_BYTES;
    spec.grace_s = grace_s;
    spec.deadline_s = fmax (client->end_s - clock_mono_s () - grace_s, 0.5);
    spec.beat = client->scheduler->beat;
    spec.beat_arg = client->scheduler->beat_arg;
    *trouble = TROUBLE_BROKEN;
    if (process_run (&spec, result, err) < 0) {
        error_prefix (err, "Slurm cannot be reached from here");
        return false;
    }
    if (process_succeeded (result))
        return true;
    *trouble = slurm_trouble (result->err.buf, &advice);
    if (result->timed_out && *trouble == TROUBLE_REFUSED)
        *trouble = TROUBLE_UNCLEAR;
    describe (argv[0], result, advice, err);
    return false;
}

static bool run_in (void (*make_env) (char *const *from, struct strvec *env),
                    const struct slurm_client *client,
                    const char *const *argv,
                    struct process_result *result,
                    enum slurm_trouble *trouble,
                    struct error *err)
{
    struct strvec env = STRVEC_INIT;
    bool ok;

    make_env (environ, &env);
    ok = run (client, argv, env.v, result, trouble, err);
    strvec_release (&env);
    return ok;
}

bool slurm_run (const struct slurm_client *client,
                const char *const *argv,
                struct process_result *result,
                enum slurm_trouble *trouble,
                struct error *err)
{
    return run_in (slurm_command_env, client, argv, result, trouble, err);
}

bool slurm_run_sbatch (const struct slurm_client *client,
                       const char *const *argv,
                       struct process_result *result,
                       enum slurm_trouble *trouble,
                       struct error *err)
{
    return run_in (slurm_job_env, client, argv, result, trouble, err);
}

enum answer slurm_answer (enum slurm_trouble trouble)
{
    switch (trouble) {
    case TROUBLE_REFUSED:
    case TROUBLE_UNKNOWN_JOB:
        return ANSWER_REFUSED;
    case TROUBLE_BROKEN:
        return ANSWER_BROKEN;
    case TROUBLE_OVER:
    case TROUBLE_FULL:
    case TROUBLE_UNCLEAR:
        break;
    }
    return ANSWER_TRY_LATER;
}
