/* SPDX-License-Identifier: BSD-3-Clause */
/* array_job.h - one submission, in terms that no scheduler owns */
#ifndef ARRAYS_ARRAY_JOB_H
#define ARRAYS_ARRAY_JOB_H

enum { TOKEN_LENGTH = 15 };

struct array_job {
    char token[TOKEN_LENGTH + 1]; /* unique; the job's name */
    int64_t elements;             /* indices 0 .. elements-1 */
    int64_t running;              /* at a time; 0: no throttle */
    int nodes;                    /* of an element; at most 1: a share of one */
    int ranks; /* on each of several nodes; else of no matter */
    int cores; /* of an element, on each of its nodes; 0: hardly any: where the
                  adapter itself hands out cores it keeps none for it */
    int gpus;
    int64_t memory_bytes; /* 0: unstated */
    double walltime_s;    /* 0: unstated */
    const char *after;    /* id of the job that must have ended, however it
                             did, before any element starts; NULL: none */
    double delay_s;       /* none starts sooner after submission; 0: any time */
    bool unheld;          /* submit() lets it run: there is no release() */
    int priority;         /* higher is sooner; 0: what the user's jobs have */
    const char *queue;    /* partition or queue; NULL: the site's default */
    const char *account;  /* NULL: the site's default */
    const char *qos;      /* NULL: the user's default */
    const char *gres;     /* what a GPU is called; NULL: "gpu" */
    struct strvec exclude;    /* nodes it is not to run on, where the scheduler
                                 can be told so; none of them has a comma */
    struct strvec directives; /* passed through as they are */
    struct strvec agent;      /* argv of the agent up to its --element */
    const char *const *env;   /* "NAME=value" for all of the script;
                                 NULL: none */
    const char *const *const *setup; /* argvs run first; NULL: none */
    bool login_shell;    /* run them in one, where jobs have none anyway */
    const char *run_dir; /* absolute: script, bundles, logs are there */
};

/* Append the first line, which names bash: `source` and `module` are bash's. */
void job_script_shell (const struct array_job *job, struct strbuf *script);

/* Append a line after which all that the script prints goes to the end of the
 * element's log in the run directory; 'index' is a shell expression.
 */
void job_script_log (const struct array_job *job, const char *index,
                     struct strbuf *script);

/* Append the script's body: a line for each variable of env and for each argv
 * of setup, which ends the job when it fails, then `exec AGENT... --element
 * "INDEX" --job-id "ID"`, with every argument quoted for sh; 'index' and
 * 'job_id' are shell expressions such as "${INDEX}".  Setup runs in the
 * script's own shell, so that what it exports reaches the tasks.  This is the
 * only place that quotes for a shell.
 */
void job_script_body (const struct array_job *job, const char *index,
                      const char *job_id, struct strbuf *script);

/* Append 's' quoted for sh. */
void shell_quote (const char *s, struct strbuf *out);

#endif /* !ARRAYS_ARRAY_JOB_H */
