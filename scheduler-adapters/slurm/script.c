/* SPDX-License-Identifier: BSD-3-Clause */
/* script.c - an array job as an sbatch script
 *
 * A login shell runs it, so that `module` is there whoever submitted.  The
 * script itself opens the element's log, with the directory quoted for sh:
 * Slurm expands % in --output, and a job whose output it cannot open fails
 * without a word.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "arrays/array_job.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "script_words.h"
#include "slurm/rows.h"
#include "slurm/script.h"

static const char index_expression[] = "${SLURM_ARRAY_TASK_ID}";
static const char id_expression[] = "${SLURM_ARRAY_JOB_ID}";

/* --- what may stand on a #SBATCH line --- */

static enum answer check (const struct array_job *job, struct error *err)
{
    static const char *const ours[] = {
        "--array", "-a",         "--job-name", "-J",     "--hold",
        "-H",      "--wait",     "-W",         "--wrap", "--clusters",
        "-M",      "--parsable", "--chdir",    "-D",     "--output",
        "-o",      "--export",   "--error",    "-e",     "--test-only",
        NULL
    };
    const struct {
        const char *key;
        const char *value;
    } words[] = { { "partition", job->queue },
                  { "account", job->account },
                  { "qos", job->qos },
                  { "gres", job->gres } };

    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (script_check_name ("Slurm", words[i].key, words[i].value, err)
            != ANSWER_OK)
            return ANSWER_REFUSED;
    }
    if (job->after && slurm_id_number (job->after) < 0) {
        error_set (err, "there is no Slurm job '%s' to wait for", job->after);
        return ANSWER_REFUSED;
    }
    return script_check_directives (job, "sbatch", ours, err);
}

/* --- directives --- */

static void add_option (struct strbuf *script,
                        const char *name,
                        const char *value)
{
    if (value)
        strbuf_addf (script, "#SBATCH --%s=%s\n", name, value);
}

static void add_array (const struct array_job *job, struct strbuf *script)
{
    strbuf_addf (script, "#SBATCH --array=0-%" PRId64, job->elements - 1);
    if (job->running > 0)
        strbuf_addf (script, "%%%" PRId64, job->running);
    strbuf_add_char (script, '\n');
}

/* Whole minutes are what Slurm counts in. */
static void add_time (const struct array_job *job, struct strbuf *script)
{
    int64_t minutes = (int64_t)ceil (job->walltime_s / 60);

    if (job->walltime_s > 0)
        strbuf_addf (script, "#SBATCH --time=%" PRId64 "\n",
                     minutes > 0 ? minutes : 1);
}

/* One Slurm task to a core: mpirun takes that for the number of its slots.  On
 * several nodes it would fill the first one, so there it is one to a rank.
 */
static void add_shape (const struct array_job *job, struct strbuf *script)
{
    int cores = job->cores > 0 ? job->cores : 1;
    int tasks = job->nodes > 1 && job->ranks > 0 ? job->ranks : cores;

    strbuf_addf (script, "#SBATCH --nodes=%d\n#SBATCH --ntasks-per-node=%d\n",
                 job->nodes > 1 ? job->nodes : 1, tasks);
    if (cores > tasks)
        strbuf_addf (script, "#SBATCH --cpus-per-task=%d\n",
                     (cores + tasks - 1) / tasks);
}

static void add_resources (const struct array_job *job, struct strbuf *script)
{
    add_shape (job, script);
    if (job->memory_bytes > 0)
        strbuf_addf (script, "#SBATCH --mem=%" PRId64 "M\n",
                     (job->memory_bytes + (1 << 20) - 1) >> 20);
    if (job->gpus > 0)
        strbuf_addf (script, "#SBATCH --gres=%s:%d\n",
                     job->gres ? job->gres : "gpu", job->gpus);
}

/* The nodes that a profile's own directive excludes, or NULL. */
static const char *excluded_by (const char *directive)
{
    static const char *const names[] = { "--exclude", "-x" };

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        size_t n = strlen (names[i]);

        if (strncmp (directive, names[i], n) == 0
            && (i == 1 || strchr ("= ", directive[n])))
            return directive + n + strspn (directive + n, "= ");
    }
    return NULL;
}

/* Behind the profile's own directives: of two, sbatch obeys the last. */
static void add_exclude (const struct array_job *job, struct strbuf *script)
{
    if (job->exclude.n == 0)
        return;
    strbuf_addf (script, "#SBATCH --exclude=%s", job->exclude.v[0]);
    for (size_t i = 1; i < job->exclude.n; i++)
        strbuf_addf (script, ",%s", job->exclude.v[i]);
    for (size_t i = 0; i < job->directives.n; i++) {
        const char *nodes = excluded_by (job->directives.v[i]);

        if (nodes)
            strbuf_addf (script, ",%s", nodes);
    }
    strbuf_add_char (script, '\n');
}

static void add_turn (const struct array_job *job, struct strbuf *script)
{
    if (job->after)
        strbuf_addf (script, "#SBATCH --dependency=afterany:%s\n", job->after);
    if (job->delay_s > 0)
        strbuf_addf (script, "#SBATCH --begin=now+%.0f\n", ceil (job->delay_s));
}

void slurm_output (const struct array_job *job, struct strbuf *output)
{
    if (strpbrk (job->run_dir, "%\\"))
        strbuf_add_str (output, "/dev/null");
    else
        strbuf_addf (output, "%s/element-%%a.log", job->run_dir);
}

enum answer slurm_render (const struct array_job *job,
                          struct strbuf *script,
                          struct error *err)
{
    if (check (job, err) != ANSWER_OK)
        return ANSWER_REFUSED;
    strbuf_add_str (script, "#!/bin/bash -l\n");
    add_option (script, "job-name", job->token);
    add_array (job, script);
    add_option (script, "partition", job->queue);
    add_option (script, "account", job->account);
    add_option (script, "qos", job->qos);
    add_resources (job, script);
    add_time (job, script);
    strbuf_add_str (script, "#SBATCH --no-requeue\n"
                            "#SBATCH --open-mode=append\n");
    for (size_t i = 0; i < job->directives.n; i++)
        strbuf_addf (script, "#SBATCH %s\n", job->directives.v[i]);
    add_exclude (job, script);
    add_turn (job, script);
    job_script_log (job, index_expression, script);
    strbuf_add_str (script, "export FANFOLD_NODE=\"${SLURMD_NODENAME}\"\n");
    job_script_body (job, index_expression, id_expression, script);
    return ANSWER_OK;
}
