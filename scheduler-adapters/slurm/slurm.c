/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.c - the Slurm adapter: sbatch, squeue, scontrol, scancel
 *
 * Each submission is one array job named by its token.
 */
#include "base/base.h"

#include <unistd.h>

#include "arrays/array_job.h"
#include "command_scheduler.h"
#include "slurm/slurm.h"

/* --- the script ---
 *
 * It opens the element's log itself, with the directory quoted for sh: Slurm
 * expands % in --output, and a job whose output it cannot open fails without a
 * message.
 */

/* What no profile may state. */
static const char *const reserved[] = {
    "--array", "-a",         "--job-name", "-J",     "--hold",
    "-H",      "--wait",     "-W",         "--wrap", "--clusters",
    "-M",      "--parsable", "--chdir",    "-D",     "--output",
    "-o",      "--export",   "--error",    "-e",     "--test-only",
    NULL
};

/* What follows from the tasks of a job; directives come later, and win. */
static const char *const sizes[] = { "--nodes",
                                     "-N",
                                     "--ntasks",
                                     "-n",
                                     "--ntasks-per-node",
                                     "--cpus-per-task",
                                     "-c",
                                     "--mem",
                                     "--mem-per-cpu",
                                     "--mem-per-gpu",
                                     "--gpus",
                                     "-G",
                                     "--gpus-per-node",
                                     "--gpus-per-task",
                                     "--gres",
                                     "--time",
                                     "-t",
                                     NULL };

static const char flag_letters[] = "hHkOQsuvVW";

static const struct risky_directive risky[] = {
    { "--requeue",
      "a job whose node lost only its slurmd runs on while its requeue starts "
      "elsewhere (one of the two does nothing)",
      "remove it from `directives` of the profile; failed elements are tried "
      "again without it" },
    { NULL, NULL, NULL },
};

/* Whole minutes are what Slurm counts in. */
static void add_time (const struct array_job *job, struct strbuf *script)
{
    int64_t minutes = (int64_t)ceil (job->walltime_s / 60);

    if (job->walltime_s > 0)
        strbuf_addf (script, "#SBATCH --time=%" PRId64 "\n",
                     minutes > 0 ? minutes : 1);
}

static void add_resources (const struct array_job *job, struct strbuf *script)
{
    int cores = job_cores (job);
    int tasks = job_processes (job);

    strbuf_addf (script, "#SBATCH --nodes=%d\n#SBATCH --ntasks-per-node=%d\n",
                 job_nodes (job), tasks);
    if (cores > tasks)
        strbuf_addf (script, "#SBATCH --cpus-per-task=%d\n",
                     (cores + tasks - 1) / tasks);
    if (job->memory_bytes > 0)
        strbuf_addf (script, "#SBATCH --mem=%" PRId64 "M\n",
                     job_memory_mib (job));
    if (job->gpus > 0)
        strbuf_addf (script, "#SBATCH --gres=%s:%d\n",
                     job->gres ? job->gres : slurm_commands.gpu, job->gpus);
}

static void slurm_head (const struct array_job *job, struct strbuf *script)
{
    script_option (script, "#SBATCH --job-name=", job->token);
    script_indices (script, "#SBATCH --array=", job);
    script_option (script, "#SBATCH --partition=", job->queue);
    script_option (script, "#SBATCH --account=", job->account);
    script_option (script, "#SBATCH --qos=", job->qos);
    if (job->priority != 0)
        strbuf_addf (script, "#SBATCH --nice=%d\n", -job->priority);
    add_resources (job, script);
    add_time (job, script);
    strbuf_add_str (script, "#SBATCH --no-requeue\n"
                            "#SBATCH --open-mode=append\n");
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

/* Behind the profile's own directives: of two, the last holds for sbatch. */
static void slurm_tail (const struct array_job *job, struct strbuf *script)
{
    add_exclude (job, script);
    if (job->after)
        strbuf_addf (script, "#SBATCH --dependency=afterany:%s\n", job->after);
    if (job->delay_s > 0)
        strbuf_addf (script, "#SBATCH --begin=now+%.0f\n", ceil (job->delay_s));
}

static void slurm_environment (const struct array_job *job,
                               struct strbuf *script)
{
    strbuf_add_str (script, "export FANFOLD_NODE=\"${SLURMD_NODENAME}\"\n"
                            "export FANFOLD_NODE_IN=SLURMD_NODENAME\n");
    if (job->gpus > 0) /* CUDA_VISIBLE_DEVICES may count within a cgroup */
        strbuf_add_str (script,
                        "export FANFOLD_NODE_GPUS=\"${SLURM_JOB_GPUS-}\"\n");
}

/* --- submit, find, cancel --- */

/* The file that the script writes to, or none where Slurm would see a pattern
 * in the directory's name.
 */
static void add_output (const struct array_job *job, struct strvec *argv)
{
    if (strpbrk (job->run_dir, "%\\"))
        strvec_push (argv, "--output=/dev/null");
    else
        strvec_pushf (argv, "--output=%s/element-%%a.log", job->run_dir);
}

/* The working directory must be there on the node: any will do. */
static void slurm_submit (const struct array_job *job, const char *script_path,
                          struct strvec *argv)
{
    strvec_push_all (argv, (char *const *)LIST ("sbatch", "--parsable",
                                                "--export=ALL", "--chdir=/"));
    add_output (job, argv);
    if (!job->unheld)
        strvec_push (argv, "--hold");
    strvec_push (argv, script_path);
}

/* Only our own: anybody may call a job what he likes. */
static void slurm_find (const char *token, struct strvec *argv)
{
    strvec_push_all (argv, (char *const *)LIST ("squeue", "--noheader", "--all",
                                                "--local", "--states=all",
                                                "--format=%F"));
    strvec_pushf (argv, "--user=%ld", (long)getuid ());
    strvec_pushf (argv, "--name=%s", token);
}

/* Of an element that is pending, scancel with a name cancels all that are
 * (22.05 does).
 */
static void slurm_cancel (const struct job_key *job, int64_t element,
                          struct strvec *argv)
{
    strvec_push (argv, "scancel");
    if (element < 0) {
        strvec_pushf (argv, "--name=%s", job->token);
        strvec_push (argv, job->id);
    } else {
        strvec_pushf (argv, "%s_%" PRId64, job->id, element);
    }
}

/* --- the whole --- */

static void slurm_node_names (struct strvec *names)
{
    const char *list = getenv ("SLURM_JOB_NODELIST");

    if (list)
        slurm_expand_nodes (list, names);
}

static int slurm_job_nodes (void)
{
    const char *nodes = getenv ("SLURM_JOB_NUM_NODES");

    return nodes ? atoi (nodes) : 0;
}

/* As a job of its own would have it. */
static int slurm_element_environment (const struct element_nodes *nodes,
                                      struct strvec *env, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf list = STRBUF_INIT;
    int n = (int)nodes->names->n;

    (void)err;
    for (int i = 0; i < n; i++)
        strbuf_addf (&list, "%s%s", i > 0 ? "," : "", nodes->names->v[i]);
    strvec_pushf (env, "SLURM_NODELIST=%s", list.buf);
    strvec_pushf (env, "SLURM_JOB_NODELIST=%s", list.buf);
    strvec_pushf (env, "FANFOLD_ON_NODES=--nodelist=%s", list.buf);
    strvec_pushf (env, "SLURM_NNODES=%d", n);
    strvec_pushf (env, "SLURM_JOB_NUM_NODES=%d", n);
    strvec_pushf (env, "SLURM_NTASKS=%d", n * nodes->processes);
    strvec_pushf (env, "SLURM_NPROCS=%d", n * nodes->processes);
    strvec_pushf (env, "SLURM_TASKS_PER_NODE=%d(x%d)", nodes->processes, n);
    strvec_pushf (env, "SLURM_JOB_CPUS_PER_NODE=%d(x%d)", nodes->cores, n);
    return 0;
}

const struct command_scheduler slurm_commands = {
    .title = "Slurm",
    .server = "controller",
    .ping = "scontrol ping",
    /* What makes output the same everywhere: times as seconds since 1970,
     * index lists never cut off.
     */
    .asking = { .dropped = LIST ("SLURM_", "SLURMD_", "SBATCH_", "SQUEUE_",
                                 "SACCT_", "SACCTMGR_", "SALLOC_", "SCANCEL_",
                                 "SCONTROL_", "SINFO_", "SRUN_", "LC_ALL="),
                .kept = LIST ("SLURM_CONF=", "SLURM_CONF_SERVER="),
                .fixed = LIST ("LC_ALL=C", "SLURM_TIME_FORMAT=%s",
                               "SLURM_BITSTR_LEN=0") },
    /* The library path is for sbatch itself, where Slurm is not installed in
     * the usual place.
     */
    .submitting = { .picked = LIST ("HOME=", "USER=", "LOGNAME=", "SHELL=",
                                    "LANG=", "TZ=", "PATH=", "LD_LIBRARY_PATH=",
                                    "SLURM_CONF=", "SLURM_CONF_SERVER=") },
    .site_variables = LIST ("SLURM_CONF"),
    .complaints = slurm_complaints,
    .prefixes =
        LIST ("sbatch: ", "squeue: ", "scancel: ", "scontrol: ", "sacct: ",
              "sacctmgr: ", "error: ", "fatal: ",
              "Batch job submission failed: ", "slurm_load_jobs error: "),
    .queue_key = "partition",
    .gpu = "gpu",
    .job_variable = "SLURM_JOB_ID",
    .is_id = slurm_is_id,
    .job_nodes = slurm_job_nodes,
    .node_names = slurm_node_names,
    .node_variable = "SLURMD_NODENAME",
    .element_environment = slurm_element_environment,
    .step_variables =
        LIST ("SLURM_STEP", "SLURM_PROCID=", "SLURM_LOCALID=", "SLURM_NODEID=",
              "SLURM_GTIDS=", "SLURM_TASK", "SLURM_NTASKS",
              "SLURM_NPROCS=", "SLURM_DISTRIBUTION=", "SLURM_CPU_BIND",
              "SLURM_MPI_TYPE=", "SLURM_SRUN_",
              "SLURM_LAUNCH_NODE_IPADDR=", "SLURM_PMI"),
    .id_ends = ";", /* and the cluster's name */
    .program = "sbatch",
    .directive = "#SBATCH ",
    .reserved = reserved,
    .sizes = sizes,
    .flag_letters = flag_letters,
    .risky = risky,
    .has_qos = true,
    .index = "${SLURM_ARRAY_TASK_ID}",
    .id = "${SLURM_ARRAY_JOB_ID}",
    .head = slurm_head,
    .tail = slurm_tail,
    .environment = slurm_environment,
    .submit = slurm_submit,
    .try_submit =
        LIST ("sbatch", "--test-only", "--chdir=/", "--output=/dev/null"),
    .release = LIST ("scontrol", "release"),
    .find = slurm_find,
    .show = LIST ("squeue", "--noheader", "--all", "--local", "--states=all",
                  "--format=%j", "--jobs"),
    .read_names = slurm_read_names,
    .cancel = slurm_cancel,
    .cancel_by_name = true,
    .time_left =
        LIST ("squeue", "--noheader", "--local", "--format=%L", "--jobs"),
    .read_time_left = slurm_read_time_left,
    .version = LIST ("sbatch", "--version"),
    .poll = slurm_poll,
    .query_site = slurm_query_site,
};

/* They share the nodes with what runs there, and the end of one, or of its
 * node, is not the end of the others.
 */
static const char *const *slurm_agents (void)
{
    static const char *const argv[] = { "srun",
                                        "--nodes={nodes}",
                                        "--ntasks={nodes}",
                                        "--ntasks-per-node=1",
                                        "{on_nodes}",
                                        "--overlap",
                                        "--cpu-bind=none",
                                        "--kill-on-bad-exit=0",
                                        "--no-kill",
                                        NULL };

    return argv;
}

static const struct scheduler_adapter slurm = {
    COMMAND_CALLS,
    .name = "slurm",
    .whole_cores = "--hint=nomultithread",
    .programs = LIST ("sbatch", "squeue", "scontrol", "scancel", "sinfo"),
    .commands = &slurm_commands,
    .can_hold = true,
    .can_wait = true,
    .has_priorities = true,
    .raised_priority = "Slurm's operators and administrators",
    .agents = slurm_agents,
    .time_left = commands_time_left,
};

const struct scheduler_adapter *const slurm_adapters[] = { &slurm, NULL };
