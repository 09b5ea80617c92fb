/* SPDX-License-Identifier: BSD-3-Clause */
/* command_scheduler.h - a scheduler that is reached by its commands
 *
 * What is particular to one is described here: its words, the commands to run
 * and how to read what they print.  The calls of adapter.h are made of that
 * once for all of them.
 */
#ifndef SCHEDULER_COMMAND_SCHEDULER_H
#define SCHEDULER_COMMAND_SCHEDULER_H

#include "adapter.h"
#include "command_client.h"

struct job_view;
struct site_description;

/* The entries of our environment that commands are run with: all but those that
 * begin with one of 'dropped' and none of 'kept', or, where 'picked' is not
 * NULL, only those that begin with one of it; and 'fixed' besides.  Lists end
 * with NULL, and NULL is an empty one.
 */
struct command_env {
    const char *const *dropped;
    const char *const *kept;
    const char *const *picked;
    const char *const *fixed;
};

/* A list of words that ends with NULL. */
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A directive that a profile may pass on, and had better not. */
struct risky_directive {
    const char *directive; /* NULL ends a list */
    const char *text;
    const char *advice;
};

/* The nodes of an element, within a job. */
struct element_nodes {
    const struct strvec *names; /* as the scheduler calls them */
    int processes;              /* that are meant to run on each */
    int cores;                  /* on each */
    const char *host_file;      /* path for each name in as many lines as
                                   processes, where that is read */
};

struct command_scheduler {
    const char *title;  /* as people call it; for messages */
    const char *server; /* what answers its commands: "controller" */
    const char *ping;   /* how a person finds out whether it does */

    /* --- how its commands are run --- */
    struct command_env asking;
    struct command_env submitting;     /* which the job begins with */
    const char *const *site_variables; /* the first that is set tells one site
                                          from another; ends with NULL */
    const struct complaint_text *complaints;
    const char *const *prefixes; /* dropped from messages; ends with NULL */

    /* --- words --- */
    const char *queue_key; /* what site.yaml calls a queue here */
    const char *gpu;       /* what a GPU is called where `gres` is not told */
    const char *job_variable; /* in a job's environment, with the job's id */
    bool (*is_id) (const char *text);
    int (*job_nodes) (void); /* how many that job has, by its environment; 0:
                                not told; NULL: it cannot be */
    void (*node_names) (struct strvec *names); /* append what they are called,
                                                  by its environment; or NULL */
    const char *node_variable; /* in a job's environment, what the scheduler
                                  calls the node; NULL: there is none */
    void (*agents_environment) (struct strvec *env); /* append what `agents` of
                                  a profile need to find the nodes; or NULL */
    int (*element_environment) (const struct element_nodes *nodes,
                                struct strvec *env,
                                struct error *err); /* append what keeps MPI
                                  libraries to them, and FANFOLD_ON_NODES, the
                                  {on_nodes} of a profile, and write the host
                                  file if they read it; NULL: nothing does */
    const char *const *step_variables; /* prefixes of what a process that
                                          'agents' started has and its own
                                          programs must not; NULL: none */
    const char *id_ends;               /* see reply_last_id */

    /* --- the job script (command_script.c) --- */
    const char *program;         /* reads it */
    const char *directive;       /* begins a line of it: "#... " */
    const char *const *reserved; /* directives no profile may state: "--array",
                                    "-a", or a setting of one, "-l walltime" */
    const char *const *sizes;    /* those that say how large a job is, as the
                                    tasks in it do; NULL: none is known */
    const char *flag_letters;    /* of options without a value */
    const struct risky_directive *risky;
    bool has_qos;
    const char *index; /* shell expressions: the array index, and */
    const char *id;    /* the job's id as submit() returns it */
    void (*head) (const struct array_job *job, struct strbuf *script);
    void (*tail) (const struct array_job *job, struct strbuf *script);
    void (*environment) (const struct array_job *job, struct strbuf *script);

    /* --- argvs: where a list is told, the id or the path is put behind it ---
     */
    void (*submit) (const struct array_job *job, const char *script_path,
                    struct strvec *argv);
    bool on_stdin;                 /* that reads the script from stdin */
    const char *const *try_submit; /* would it be taken? NULL: no asking */
    bool drops_waiting;            /* see commands_submit */
    const char *const *show; /* tells of a job that is queued or running, and
                                fails for one that is not known */
    const char *const *release;
    void (*find) (const char *token, struct strvec *argv);
    void (*cancel) (const struct job_key *job, int64_t element,
                    struct strvec *argv);
    bool cancel_by_name; /* that cancels a whole job only if it has our name */
    const char *const *time_left;
    const char *const *version; /* without an id */
    const char *own_sign;       /* what that prints has it, and has not */
    const char *foreign_sign;   /* ... this, or the commands are of another */
    const char *foreign_advice; /* scheduler; NULL: any is ours */
    const char *history_advice; /* where ended jobs are not shown */

    /* --- answers --- */
    /* The names of the jobs that 'show' tells of, at a struct strvec. */
    client_read read_names;
    /* The time left, in seconds or INFINITY, at a double; -1 with 'err'. */
    client_read read_time_left;
    /* Ask how the jobs of the view stand, and tell it. */
    enum answer (*poll) (struct client *client, struct job_view *view,
                         struct error *err);
    /* Ask what the site is like, for queue, account and QOS of the client's
     * scheduler; 'detailed': also what only a person wants to know.
     */
    enum answer (*query_site) (struct client *client, bool detailed,
                               struct site_description *site,
                               struct error *err);
};

/* --- the calls of adapter.h, for adapters with 'commands' --- */

#define COMMAND_CALLS                                                          \
    .limits = commands_limits, .render = commands_render,                      \
    .submit = commands_submit, .release = commands_release,                    \
    .find = commands_find, .poll = commands_poll, .cancel = commands_cancel,   \
    .examine = commands_examine, .check_directive = commands_check_directive,  \
    .sizes_job = commands_sizes_job

enum answer commands_render (const struct scheduler *scheduler,
                             const struct array_job *job, struct strbuf *script,
                             struct error *err);
int commands_check_directive (const struct scheduler_adapter *adapter,
                              const char *directive, struct error *err);
bool commands_sizes_job (const struct scheduler_adapter *adapter,
                         const char *directive);
enum answer commands_limits (const struct scheduler *scheduler,
                             struct scheduler_limits *limits,
                             struct error *err);

/* Where a job that excludes nodes can be tried before, it is: some schedulers
 * take one that excludes every node which could run it, and let it wait for
 * ever.
 *
 * Some schedulers drop a job without a message that is to wait for one which
 * they do not know any more (drops_waiting): 'show' is asked for job->after
 * before, and for the job itself afterwards.
 */
enum answer commands_submit (const struct scheduler *scheduler,
                             const struct array_job *job,
                             const char *script_path, struct strbuf *id,
                             struct error *err);
enum answer commands_release (const struct scheduler *scheduler,
                              const struct job_key *job, struct error *err);
enum answer commands_find (const struct scheduler *scheduler, const char *token,
                           struct strvec *ids, struct error *err);
enum answer commands_poll (const struct scheduler *scheduler,
                           struct job_status *jobs, size_t n,
                           struct error *err);
enum answer commands_cancel (const struct scheduler *scheduler,
                             const struct job_key *job, int64_t element,
                             struct error *err);
enum answer commands_time_left (const struct scheduler *scheduler,
                                double *left_s, struct error *err);
enum answer commands_examine (const struct scheduler *scheduler,
                              const struct profile_use *uses, size_t n,
                              struct findings *findings, struct error *err);

/* Would the scheduler take the script?  OK where it would, or where there is no
 * asking.
 */
enum answer commands_try (struct client *client, const char *script_path,
                          struct error *err);

/* What the site told some minutes ago (site_description.h); or, where it has
 * not, tells now.
 */
struct site_facts;
enum answer commands_facts (struct client *client, struct site_facts *facts,
                            struct error *err);

/* --- command_script.c: an array job as a script of directives (pure) ---
 *
 * commands_render writes it, for a login shell, so that `module` is there
 * whoever submits: what the scheduler's 'head' writes, the directives of the
 * profile, what 'tail' writes, and a body that opens the element's log itself.
 * It refuses words of a profile that cannot stand in a directive, and
 * directives that would take away what we depend on.
 */

/* Append BEFORE VALUE "\n", or nothing (NULL). */
void script_option (struct strbuf *script, const char *before,
                    const char *value);

/* Append BEFORE "0-9%4\n": all indices, and how many of them at a time. */
void script_indices (struct strbuf *script, const char *before,
                     const struct array_job *job);

/* At least 1. */
int job_cores (const struct array_job *job);
int job_nodes (const struct array_job *job);

/* Processes on a node: one to a core, which mpirun takes for the number of its
 * slots; on several nodes it would fill the first one, so there one to a rank.
 */
int job_processes (const struct array_job *job);

/* MiB, rounded up; 0: unstated. */
int64_t job_memory_mib (const struct array_job *job);

#endif /* !SCHEDULER_COMMAND_SCHEDULER_H */
