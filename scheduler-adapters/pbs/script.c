/* SPDX-License-Identifier: BSD-3-Clause */
/* script.c - an array job as a script for qsub
 *
 * The script itself opens the element's log: PBS keeps what a job prints to
 * itself until the job ends.  It leaves $HOME, where jobs begin.  Nothing is
 * passed on by -v, which mangles quotes and backslashes.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "arrays/array_job.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "pbs/records.h"
#include "pbs/script.h"
#include "script_words.h"

static enum answer check (const struct array_job *job, struct error *err)
{
    static const char *const ours[] = {
        "-C",         "-I",          "-J",      "-N",        "-S",
        "-V",         "-e",          "-f",      "-h",        "-j",
        "-k",         "-o",          "-r",      "-t",        "-v",
        "-z",         "-W block",    "-Wblock", "-W dep",    "-Wdep",
        "-W umask",   "-Wumask",     "-W max_", "-Wmax_",    "-W sandbox",
        "-l nodes",   "-l walltime", "-a",      "-l select", "-lnodes",
        "-lwalltime", "-lselect",    NULL
    };
    const struct {
        const char *key;
        const char *value;
    } words[] = { { "queue", job->queue },
                  { "account", job->account },
                  { "gres", job->gres } };
    struct pbs_id id;

    if (job->qos) {
        error_set (err, "qos: PBS has none; remove it, or name a queue");
        return ANSWER_REFUSED;
    }
    if (job->after && !pbs_read_id (job->after, &id)) {
        error_set (err, "there is no PBS job '%s' to wait for", job->after);
        return ANSWER_REFUSED;
    }
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (script_check_name ("PBS", words[i].key, words[i].value, err)
            != ANSWER_OK)
            return ANSWER_REFUSED;
    }
    return script_check_directives (job, "qsub", ours, err);
}

static void add_option (struct strbuf *script,
                        const char *name,
                        const char *value)
{
    if (value)
        strbuf_addf (script, "#PBS %s %s\n", name, value);
}

static int cores (const struct array_job *job)
{
    return job->cores > 0 ? job->cores : 1;
}

/* qsub refuses 0-0; a step over the end makes an array of one.  %0 would never
 * run.
 */
static void add_array (const struct array_job *job, struct strbuf *script)
{
    if (job->elements > 1)
        strbuf_addf (script, "#PBS -J 0-%" PRId64, job->elements - 1);
    else
        strbuf_add_str (script, "#PBS -J 0-1:2");
    if (job->running > 0)
        strbuf_addf (script, "%%%" PRId64, job->running);
    strbuf_add_char (script, '\n');
}

static int64_t memory_mb (const struct array_job *job)
{
    return (job->memory_bytes + (1 << 20) - 1) >> 20;
}

/* One process to a core, on several nodes one to a rank: mpirun --hostfile
 * $PBS_NODEFILE takes that for the number of its slots.
 */
static void add_select (const struct array_job *job, struct strbuf *script)
{
    bool several = job->nodes > 1;

    strbuf_addf (script, "#PBS -l select=%d:ncpus=%d:mpiprocs=%d",
                 several ? job->nodes : 1, cores (job),
                 several && job->ranks > 0 ? job->ranks : cores (job));
    if (job->memory_bytes > 0)
        strbuf_addf (script, ":mem=%" PRId64 "mb", memory_mb (job));
    if (job->gpus > 0)
        strbuf_addf (script, ":%s=%d", job->gres ? job->gres : "ngpus",
                     job->gpus);
    strbuf_add_str (script, several ? "\n#PBS -l place=scatter\n" : "\n");
}

/* In seconds: PBS knows neither days nor units. */
static void add_time (const struct array_job *job, struct strbuf *script)
{
    if (job->walltime_s > 0)
        strbuf_addf (script, "#PBS -l walltime=%.0f\n", ceil (job->walltime_s));
}

static void add_directives (const struct array_job *job, struct strbuf *script)
{
    add_option (script, "-q", job->queue);
    add_option (script, "-A", job->account);
    add_time (job, script);
    strbuf_add_str (script, "#PBS -j oe\n"
                            "#PBS -o /dev/null\n");
    for (size_t i = 0; i < job->directives.n; i++)
        strbuf_addf (script, "#PBS %s\n", job->directives.v[i]);
}

/* Where Open MPI to 4, from 5 on, and MPICH look for the hosts; built without
 * PBS's own library they would start all ranks on this one.
 */
static void add_hosts (struct strbuf *script)
{
    strbuf_add_str (script,
                    "export OMPI_MCA_orte_default_hostfile=\"$PBS_NODEFILE\"\n"
                    "export PRTE_MCA_prte_default_hostfile=\"$PBS_NODEFILE\"\n"
                    "export HYDRA_HOST_FILE=\"$PBS_NODEFILE\"\n");
}

static void add_body (const struct array_job *job,
                      const char *index,
                      const char *id,
                      struct strbuf *script)
{
    job_script_log (job, index, script);
    strbuf_add_str (script, "cd /\n");
    if (job->nodes > 1)
        add_hosts (script);
    job_script_body (job, index, id, script);
}

enum answer pbs_render (const struct array_job *job,
                        struct strbuf *script,
                        struct error *err)
{
    if (check (job, err) != ANSWER_OK)
        return ANSWER_REFUSED;
    strbuf_add_str (script, "#!/bin/bash -l\n");
    add_option (script, "-N", job->token);
    add_array (job, script);
    add_select (job, script);
    add_directives (job, script);
    add_body (job, "${PBS_ARRAY_INDEX}", "${PBS_ARRAY_ID}", script);
    return ANSWER_OK;
}

/* --- TORQUE: from its manual, never tried --- */

enum answer torque_render (const struct array_job *job,
                           struct strbuf *script,
                           struct error *err)
{
    if (check (job, err) != ANSWER_OK)
        return ANSWER_REFUSED;
    strbuf_add_str (script, "#!/bin/bash -l\n");
    add_option (script, "-N", job->token);
    strbuf_addf (script, "#PBS -t 0-%" PRId64, job->elements - 1);
    if (job->running > 0)
        strbuf_addf (script, "%%%" PRId64, job->running);
    strbuf_addf (script, "\n#PBS -l nodes=%d:ppn=%d",
                 job->nodes > 1 ? job->nodes : 1, cores (job));
    if (job->gpus > 0)
        strbuf_addf (script, ":%s=%d", job->gres ? job->gres : "gpus",
                     job->gpus);
    strbuf_add_char (script, '\n');
    if (job->memory_bytes > 0)
        strbuf_addf (script, "#PBS -l mem=%" PRId64 "mb\n", memory_mb (job));
    add_directives (job, script);
    /* A sub-job knows its own id, 12[3].server, but not 12[].server. */
    add_body (job, "${PBS_ARRAYID}", "${PBS_JOBID%%\\[*}[]${PBS_JOBID#*]}",
              script);
    return ANSWER_OK;
}
