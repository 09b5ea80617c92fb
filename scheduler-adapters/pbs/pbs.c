/* SPDX-License-Identifier: BSD-3-Clause */
/* pbs.c - the adapters of the PBS family: qsub, qstat, qselect, qrls, qdel
 *
 * Each submission is one array job named by its token.
 */
#include "base/base.h"

#include <sys/stat.h>
#include <time.h>

#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"
#include "command_scheduler.h"
#include "pbs/pbs.h"

enum { NODEFILE_MAX_BYTES = 1 << 24 };

/* --- complaints ---
 *
 * Exit statuses are the low bytes of error numbers and clash with those of the
 * commands themselves, so only words count.
 */

static const char see_queue[] = "look at `queue` of the profile";
static const char see_account[] = "look at `account` of the profile";
static const char see_node[] =
    "look at `node`, `gres` and `directives` of the profile";
static const char see_limits[] =
    "look at the task's walltime, and at `node`, `limits: walltime:` and "
    "`queue` of the profile";
static const char see_submit[] =
    "`limits: submit:` of the profile keeps below it";
static const char see_directives[] = "look at `directives` of the profile";

/* The first that is found counts. */
static const struct complaint_text complaints[] = {
    /* The request or its answer was lost: which is not known. */
    { "annot connect to server", COMPLAINT_UNCLEAR, NULL },
    { "Couldn't connect to cluster", COMPLAINT_UNCLEAR, NULL },
    { "End of File", COMPLAINT_UNCLEAR, NULL },
    /* Not now. */
    { "would exceed ", COMPLAINT_FULL, see_submit },
    { "Maximum number of jobs already in", COMPLAINT_FULL, see_submit },
    { "Queue is not enabled", COMPLAINT_FULL, see_queue },
    /* A job that is not there, or no longer. */
    { "Unknown Job Id", COMPLAINT_UNKNOWN_JOB, NULL },
    { "illegally formed job identifier", COMPLAINT_UNKNOWN_JOB, NULL },
    { "Job has finished", COMPLAINT_OVER, NULL },
    { "Request invalid for state of job", COMPLAINT_OVER, NULL },
    { "Request invalid for finished array subjob", COMPLAINT_OVER, NULL },
    /* No. */
    { "Array job exceeds server or queue size limit", COMPLAINT_REFUSED,
      "`limits: elements:` of the profile must not exceed max_array_size" },
    { "Job violates queue and/or server resource limits", COMPLAINT_REFUSED,
      see_limits },
    { "Unknown queue", COMPLAINT_REFUSED, see_queue },
    { "illegal 'destination' value", COMPLAINT_REFUSED, see_queue },
    { "Unauthorized Request", COMPLAINT_REFUSED, see_queue },
    { "Access from host not allowed", COMPLAINT_REFUSED, see_queue },
    { "Bad UID for job execution", COMPLAINT_REFUSED,
      "PBS runs no jobs of this user; root's only if acl_roots names it" },
    { "Bad GID for job execution", COMPLAINT_REFUSED, NULL },
    { "nvalid account", COMPLAINT_REFUSED, see_account },
    { "Unknown resource", COMPLAINT_REFUSED, see_node },
    { "node(s) specification error", COMPLAINT_REFUSED, see_node },
    { "cannot be used with \"select\"", COMPLAINT_REFUSED, see_directives },
    { "Cannot have \"place\" without", COMPLAINT_REFUSED, see_directives },
    { "Illegal attribute or resource value", COMPLAINT_REFUSED,
      see_directives },
    { "cannot send environment with the job", COMPLAINT_REFUSED, NULL },
    { "directive error", COMPLAINT_REFUSED, see_directives },
    { "illegal -J value", COMPLAINT_REFUSED,
      "without `limits: running:` releases before 2020 take it" },
    { "illegal -", COMPLAINT_REFUSED, see_directives },
    { "invalid option", COMPLAINT_REFUSED, see_directives },
    { "usage: q", COMPLAINT_REFUSED, see_directives },
    /* What a site's own checks answer. */
    { "submit filter", COMPLAINT_REFUSED, see_directives },
    { "hook rejected", COMPLAINT_REFUSED, see_directives },
    { NULL, COMPLAINT_UNCLEAR, NULL },
};

/* --- the script ---
 *
 * The script itself opens the element's log: PBS keeps what a job prints to
 * itself until the job ends.  It leaves $HOME, where jobs begin.  Nothing is
 * passed on by -v, which mangles quotes and backslashes.
 */

/* What no profile may state. */
static const char *const reserved[] = {
    "-C",        "-I",      "-J",         "-N",       "-S",          "-V",
    "-e",        "-f",      "-h",         "-j",       "-k",          "-o",
    "-r",        "-t",      "-v",         "-z",       "-W block",    "-W dep",
    "-W umask",  "-W max_", "-W sandbox", "-l nodes", "-l walltime", "-a",
    "-l select", NULL
};

/* What follows from the tasks of a job. */
static const char *const sizes[] = { "-l ncpus", "-l mem",      "-l ngpus",
                                     "-l pmem",  "-l mpiprocs", "-l vmem",
                                     "-l cput",  NULL };

static const char flag_letters[] = "IVXfhz";

/* qsub refuses 0-0; a step over the end makes an array of one.  %0 would never
 * run.
 */
static void add_array (const struct array_job *job, struct strbuf *script)
{
    if (job->elements > 1)
        script_indices (script, "#PBS -J ", job);
    else
        strbuf_add_str (script, "#PBS -J 0-1:2\n");
}

static void add_gpus (const struct array_job *job, const char *name,
                      struct strbuf *script)
{
    if (job->gpus > 0)
        strbuf_addf (script, ":%s=%d", job->gres ? job->gres : name, job->gpus);
}

/* mpiprocs are the slots of mpirun --hostfile $PBS_NODEFILE. */
static void add_select (const struct array_job *job, struct strbuf *script)
{
    strbuf_addf (script, "#PBS -l select=%d:ncpus=%d:mpiprocs=%d",
                 job_nodes (job), job_cores (job), job_processes (job));
    if (job->memory_bytes > 0)
        strbuf_addf (script, ":mem=%" PRId64 "mb", job_memory_mib (job));
    add_gpus (job, "ngpus", script);
    strbuf_add_str (script,
                    job->nodes > 1 ? "\n#PBS -l place=scatter\n" : "\n");
}

/* qsub takes -1024 to 1023. */
static int within_priorities (int priority)
{
    return priority < -1024 ? -1024 : priority > 1023 ? 1023 : priority;
}

/* Time in seconds: PBS knows neither days nor units. */
static void add_others (const struct array_job *job, struct strbuf *script)
{
    script_option (script, "#PBS -q ", job->queue);
    script_option (script, "#PBS -A ", job->account);
    if (job->priority != 0)
        strbuf_addf (script, "#PBS -p %d\n", within_priorities (job->priority));
    if (job->walltime_s > 0)
        strbuf_addf (script, "#PBS -l walltime=%.0f\n", ceil (job->walltime_s));
    strbuf_add_str (script, "#PBS -j oe\n#PBS -o /dev/null\n");
}

static void pbs_head (const struct array_job *job, struct strbuf *script)
{
    script_option (script, "#PBS -N ", job->token);
    add_array (job, script);
    add_select (job, script);
    add_others (job, script);
}

static void torque_head (const struct array_job *job, struct strbuf *script)
{
    script_option (script, "#PBS -N ", job->token);
    script_indices (script, "#PBS -t ", job);
    strbuf_addf (script, "#PBS -l nodes=%d:ppn=%d", job_nodes (job),
                 job_cores (job));
    add_gpus (job, "gpus", script);
    strbuf_add_char (script, '\n');
    if (job->memory_bytes > 0)
        strbuf_addf (script, "#PBS -l mem=%" PRId64 "mb\n",
                     job_memory_mib (job));
    add_others (job, script);
}

/* Where Open MPI to 4, from 5 on, and MPICH look for the hosts; built without
 * PBS's own library they would start all ranks on this one.
 */
static void pbs_environment (const struct array_job *job, struct strbuf *script)
{
    strbuf_add_str (script, "cd /\n");
    if (job->nodes > 1)
        strbuf_add_str (
            script, "export OMPI_MCA_orte_default_hostfile=\"$PBS_NODEFILE\"\n"
                    "export PRTE_MCA_prte_default_hostfile=\"$PBS_NODEFILE\"\n"
                    "export HYDRA_HOST_FILE=\"$PBS_NODEFILE\"\n");
}

/* --- submit, find, cancel --- */

/* In whole seconds from now on, as a time of Greenwich. */
static void add_delay (double delay_s, struct strvec *argv)
{
    time_t then = (time_t)ceil (clock_wall_s () + delay_s);
    char text[32] = "";
    struct tm tm;

    if (gmtime_r (&then, &tm))
        strftime (text, sizeof (text), "-a%Y%m%d%H%M.%S", &tm);
    strvec_push (argv, text);
}

static void torque_submit (const struct array_job *job, const char *script_path,
                           struct strvec *argv)
{
    mode_t mask = umask (077);

    (void)script_path;
    umask (mask);
    strvec_push (argv, "qsub");
    /* Else a job's files would be the user's alone. */
    strvec_pushf (argv, "-Wumask=%03o", (unsigned)mask);
    if (!job->unheld)
        strvec_push (argv, "-h");
    if (job->delay_s > 0)
        add_delay (job->delay_s, argv);
    if (job->after)
        strvec_pushf (argv, "-Wdepend=afterany:%s", job->after);
}

/* -f: without the helper process that qsub leaves behind otherwise; TORQUE
 * means something else by it.
 */
static void pbs_submit (const struct array_job *job, const char *script_path,
                        struct strvec *argv)
{
    torque_submit (job, script_path, argv);
    strvec_push (argv, "-f");
}

/* Only our own: anybody may call a job what he likes. */
static void pbs_find (const char *token, struct strvec *argv)
{
    strvec_push_all (argv, (char *const *)LIST ("qselect", "-u", client_user (),
                                                "-N", token));
}

/* One job to a qdel: with several it crashes when one of them is unknown. */
static void pbs_cancel (const struct job_key *job, int64_t element,
                        struct strvec *argv)
{
    const char *id = job->id;
    const char *index = strchr (id, '[');

    strvec_push (argv, "qdel");
    if (element >= 0 && index)
        strvec_pushf (argv, "%.*s[%" PRId64 "]%s", (int)(index - id), id,
                      element, index + strlen ("[]"));
    else
        strvec_push (argv, id);
}

static void torque_cancel (const struct job_key *job, int64_t element,
                           struct strvec *argv)
{
    strvec_push (argv, "qdel");
    if (element >= 0)
        strvec_pushf (argv, "-t%" PRId64, element);
    strvec_push (argv, job->id);
}

/* --- time left --- */

static int read_time_left (const char *text, size_t len, void *left_s,
                           struct error *err)
{
    struct pbs_records records = pbs_records ("Job Id: ", text, len);
    const char *settings = pbs_next_record (&records, err);
    const char *walltime =
        settings ? reply_value (settings, "Resource_List.walltime") : NULL;
    double began_s = settings ? reply_time (settings, "stime") : 0;
    double s = INFINITY;

    if (records.lines.rc == 0
        && (began_s <= 0 || (walltime && parse_duration (walltime, &s) < 0)))
        records.lines.rc = error_set (
            err, "qstat does not tell when the job started, and its walltime");
    else if (records.lines.rc == 0)
        *(double *)left_s = fmax (0, began_s + s - clock_wall_s ());
    return pbs_records_end (&records);
}

/* --- the dialects --- */

static const char *const programs[] = { "qsub", "qstat",    "qselect", "qrls",
                                        "qdel", "pbsnodes", NULL };
static const char *const prefixes[] = {
    "qsub: ", "qstat: ", "qdel: ", "qrls: ", "qselect: ", "pbsnodes: ", NULL
};

/* Which PBS it is; the rest of PBS's variables are those of a job we run in. */
static const char *const kept[] = { "PBS_CONF_FILE=", "PBS_SERVER=",
                                    "PBS_DEFAULT=", "PBS_EXEC=", NULL };

/* PBS writes down where qsub was called, how, and in what environment, and
 * shows it in one record with the job's state: all of that is plain.
 */
static const char *const picked[] = {
    "HOME=",        "USER=",     "LOGNAME=",         "SHELL=",
    "LANG=",        "PATH=",     "PBS_SERVER=",      "PBS_CONF_FILE=",
    "PBS_DEFAULT=", "PBS_EXEC=", "LD_LIBRARY_PATH=", NULL
};

static const char history_advice[] =
    "ask the administrators for `qmgr -c 'set server job_history_enable = "
    "True'`";

/* The hosts of $PBS_NODEFILE, in which each is a line for every process. */
static void pbs_node_names (struct strvec *names)
{
    const char *path = getenv ("PBS_NODEFILE");
    _cleanup_ (strvec_release) struct strvec hosts = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (path && file_read (path, NODEFILE_MAX_BYTES, &text, NULL) == 0)
        strvec_split (&hosts, text.buf, "\n");
    strvec_sort (&hosts);
    for (size_t i = 0; i < hosts.n; i++) {
        if (i == 0 || strcmp (hosts.v[i], hosts.v[i - 1]) != 0)
            strvec_push (names, hosts.v[i]);
    }
}

static int pbs_job_nodes (void)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int n;

    pbs_node_names (&names);
    n = (int)names.n;
    return n;
}

/* MPI libraries that were built without PBS find the hosts there. */
static void add_host_file (const char *path, struct strvec *env)
{
    strvec_pushf (env, "OMPI_MCA_orte_default_hostfile=%s", path);
    strvec_pushf (env, "PRTE_MCA_prte_default_hostfile=%s", path);
    strvec_pushf (env, "HYDRA_HOST_FILE=%s", path);
}

static void pbs_agents_environment (struct strvec *env)
{
    const char *path = getenv ("PBS_NODEFILE");

    if (path)
        add_host_file (path, env);
}

static int pbs_element_environment (const struct element_nodes *nodes,
                                    struct strvec *env, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc;

    for (size_t i = 0; i < nodes->names->n; i++) {
        for (int k = 0; k < nodes->processes; k++)
            strbuf_addf (&text, "%s\n", nodes->names->v[i]);
    }
    rc = file_write_atomic (nodes->host_file, text.buf, text.len, err);
    strbuf_release (&text);
    strvec_pushf (env, "PBS_NODEFILE=%s", nodes->host_file);
    add_host_file (nodes->host_file, env);
    return rc;
}

/* Times are those of Greenwich, which knows no summer. */
/* clang-format off */
#define BOTH_DIALECTS                                                      \
    .title = "PBS", .server = "server", .ping = "qstat -B",                \
    .prefixes = prefixes, .complaints = complaints,      \
    .asking = { .dropped = LIST ("PBS_", "LC_ALL=", "TZ="), .kept = kept,  \
                .fixed = LIST ("LC_ALL=C", "TZ=UTC0") },                   \
    .submitting = { .picked = picked, .fixed = LIST ("TZ=UTC0") },         \
    .site_variables = LIST ("PBS_SERVER", "PBS_CONF_FILE"),                \
    .queue_key = "queue", .job_variable = "PBS_JOBID", .is_id = pbs_is_id, \
    .program = "qsub", .directive = "#PBS ", .reserved = reserved, .sizes = sizes, .flag_letters = flag_letters,                 \
    .environment = pbs_environment,                                          \
    .on_stdin = true,                                                      \
    .release = LIST ("qrls"), .show = LIST ("qstat", "-f"),               \
    .read_names = pbs_read_names, .find = pbs_find, .poll = pbs_poll,          \
    .version = LIST ("qsub", "--version"), .query_site = pbs_query_site,               \
    .history_advice = history_advice
/* clang-format on */

const struct command_scheduler pbs_commands = {
    BOTH_DIALECTS,
    .own_sign = "pbs_version",
    .foreign_advice = "write `scheduler: torque` in the profile",
    .gpu = "ngpus",
    .index = "${PBS_ARRAY_INDEX}",
    .id = "${PBS_ARRAY_ID}",
    .head = pbs_head,
    .submit = pbs_submit,
    .drops_waiting = true,
    .cancel = pbs_cancel,
    .time_left = LIST ("qstat", "-f"),
    .read_time_left = read_time_left,
    .job_nodes = pbs_job_nodes,
    .node_names = pbs_node_names,
    .agents_environment = pbs_agents_environment,
    .element_environment = pbs_element_environment,
};

/* From its manual, and never tried. */
const struct command_scheduler torque_commands = {
    BOTH_DIALECTS,
    .foreign_sign = "pbs_version",
    .foreign_advice = "write `scheduler: pbs` in the profile",
    .gpu = "gpus",
    .index = "${PBS_ARRAYID}",
    /* A sub-job knows its own id, 12[3].server, but not 12[].server. */
    .id = "${PBS_JOBID%%\\[*}[]${PBS_JOBID#*]}",
    .head = torque_head,
    .submit = torque_submit,
    .cancel = torque_cancel,
};

static const struct scheduler_adapter pbs = {
    COMMAND_CALLS,
    .name = "pbs",
    .programs = programs,
    .commands = &pbs_commands,
    .own_path = true,
    .can_hold = true,
    .can_wait = true,
    .has_priorities = true,
    .time_left = commands_time_left,
};

static const struct scheduler_adapter torque = {
    COMMAND_CALLS,          .name = "torque",
    .programs = programs,   .commands = &torque_commands,
    .own_path = true,       .can_hold = true,
    .has_priorities = true,
};

const struct scheduler_adapter *const pbs_adapters[] = { &pbs, &torque, NULL };
