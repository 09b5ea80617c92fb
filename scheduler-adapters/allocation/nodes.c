/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - the runners of all sets: which live, and starting some */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allocation/allocation.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "command_scheduler.h"
#include "detached.h"
#include "element_run.h"
#include "job_around.h"
#include "spool.h"

/* How long runners may take to be there. */
static const double start_s = 60;

enum { WORDS_MAX_BYTES = 4096 };

/* --- times of the file system --- */

static double change_s (const struct stat *st)
{
    return (double)st->st_mtim.tv_sec + (double)st->st_mtim.tv_nsec / 1e9;
}

/* When a file was changed: opening it makes NFS ask the server.  0, 1: it is
 * not there, -1.
 */
static int changed_at (const char *path, double *at_s, struct error *err)
{
    int fd = file_open (path, O_RDONLY, 0);
    struct stat st;
    int rc = -1;

    if (fd < 0)
        return errno == ENOENT ? 1
                               : error_errno (err, "cannot open '%s'", path);
    if (fstat (fd, &st) < 0)
        error_errno (err, "cannot see '%s'", path);
    else
        rc = 0;
    *at_s = rc == 0 ? change_s (&st) : 0;
    file_close (fd);
    return rc;
}

/* What time it is where the files are. */
static int look_at_clock (const char *spool, double *now_s, struct error *err)
{
    char *path = xasprintf ("%s/nodes/clock", spool);
    int fd = file_open (path, O_WRONLY | O_CREAT, 0600);
    struct stat st;
    int rc = -1;

    if (fd < 0 || futimens (fd, NULL) < 0 || fstat (fd, &st) < 0)
        error_errno (err, "cannot touch '%s'", path);
    else
        rc = 0;
    if (rc == 0)
        *now_s = change_s (&st);
    file_close (fd);
    free (path);
    return rc;
}

/* --- one runner --- */

/* "4711.0" of the job 4711? */
static bool is_set_of (const char *set, const char *job)
{
    size_t n = strlen (job);

    return strncmp (set, job, n) == 0 && set[n] == '.';
}

/* It is taken for dead, by whoever says so first: with its node, or with the
 * job around it.
 */
static int declare_dead (const char *path, const char *set, struct error *err)
{
    struct job_around around;
    bool ours = job_around_find (&around) && is_set_of (set, around.id);
    const char *cause =
        outcome_name (ours ? OUTCOME_NODE_FAILURE : OUTCOME_PREEMPTED);
    char *dead = xasprintf ("%s.dead", path);
    int rc = file_create (dead, cause, strlen (cause), err);

    free (dead);
    return rc < 0 ? -1 : 0;
}

/* It was not touched for long: does that stay so? */
static int look_again (const char *path, const char *set, double now_s,
                       bool *dead, struct error *err)
{
    char *late = xasprintf ("%s.late", path);
    double since_s;
    int rc = changed_at (late, &since_s, err);

    *dead = rc == 0 && now_s - since_s >= RUNNER_LATER_S;
    if (rc > 0)
        rc = file_create (late, "", 0, err) < 0 ? -1 : 0;
    else if (rc == 0 && *dead)
        rc = declare_dead (path, set, err);
    free (late);
    return rc;
}

/* Does it live? */
static int judge (const char *path, const char *set, double now_s,
                  struct runner *runner, struct error *err)
{
    double touched_s = 0;
    bool dead = false;
    int rc = changed_at (path, &touched_s, err);

    if (rc == 0 && now_s - touched_s >= RUNNER_LATE_S) {
        rc = look_again (path, set, now_s, &dead, err);
    } else if (rc == 0) {
        char *late = xasprintf ("%s.late", path);

        unlink (late);
        free (late);
    }
    runner->alive = rc == 0 && !dead;
    return rc < 0 ? -1 : 0;
}

/* Said when it was taken for dead, or had ended. */
static enum outcome cause_of (const char *path)
{
    char *dead = xasprintf ("%s.dead", path);
    struct strbuf text = STRBUF_INIT;
    enum outcome cause = OUTCOME_PREEMPTED;

    if (file_read (dead, 100, &text, NULL) == 0
        && strcmp (text.buf, outcome_name (OUTCOME_NODE_FAILURE)) == 0)
        cause = OUTCOME_NODE_FAILURE;
    strbuf_release (&text);
    free (dead);
    return cause;
}

static void describe (const char *path, struct runner *runner)
{
    struct json *v = json_read_file (path, NULL);

    runner->node = xstrdup (json_get_string (v, "node"));
    runner->cores = (int)json_get_int (v, "cores");
    runner->gpus = (int)json_get_int (v, "gpus");
    runner->memory_bytes = json_get_int (v, "memory_bytes");
    json_unref (v);
}

static int look_at_runner (const char *set_dir, const char *name,
                           const struct strvec *names, double now_s,
                           struct runners *runners, struct error *err)
{
    const char *set = path_base (set_dir);
    char *path = path_join (set_dir, name);
    char *dead = xasprintf ("%s.dead", name);
    char *ended = xasprintf ("%s.ended", name);
    struct runner runner = { .id = xasprintf ("%s/%s", set, name) };
    int rc = 0;

    if (!strvec_contains (names, dead) && !strvec_contains (names, ended))
        rc = judge (path, set, now_s, &runner, err);
    describe (path, &runner);
    runner.cause = runner.alive ? OUTCOME_NONE : cause_of (path);
    runners->v = grow_array (runners->v, runners->n, &runners->alloc,
                             sizeof (*runners->v));
    runners->v[runners->n++] = runner;
    free (ended);
    free (dead);
    free (path);
    return rc;
}

/* --- all of them --- */

static int look_at_set (const char *set_dir, double now_s,
                        struct runners *runners, struct error *err)
{
    static const char *const not_runners[] = { "begun", "output", "whole",
                                               NULL };
    struct strvec names = STRVEC_INIT;
    size_t before = runners->n;
    struct job_around around;
    double begun_s = 0;
    char *begun = path_join (set_dir, "begun");
    int rc = file_list_dir (set_dir, &names, err);

    if (rc < 0 && error_is_absence (err)) /* removed meanwhile */
        rc = 0;
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        if (!words_contain (not_runners, names.v[i])
            && !strchr (names.v[i], '.'))
            rc = look_at_runner (set_dir, names.v[i], &names, now_s, runners,
                                 err);
    }
    if (rc == 0 && job_around_find (&around)
        && is_set_of (path_base (set_dir), around.id)
        && runners->n - before < (size_t)around.nodes
        && changed_at (begun, &begun_s, NULL) == 0 && now_s - begun_s < start_s)
        runners->starting = true;
    free (begun);
    strvec_release (&names);
    return rc;
}

int runners_look (const char *spool, struct runners *runners, struct error *err)
{
    char *nodes = path_join (spool, "nodes");
    struct strvec sets = STRVEC_INIT;
    double now_s = 0;
    int rc = file_look (nodes, err);

    memset (runners, 0, sizeof (*runners));
    if (rc > 0 && (rc = look_at_clock (spool, &now_s, err)) == 0)
        rc = file_list_dir (nodes, &sets, err);
    for (size_t i = 0; rc == 0 && i < sets.n; i++) {
        char *set_dir = path_join (nodes, sets.v[i]);

        if (strchr (sets.v[i], '.'))
            rc = look_at_set (set_dir, now_s, runners, err);
        free (set_dir);
    }
    if (rc < 0)
        runners_release (runners);
    strvec_release (&sets);
    free (nodes);
    return rc;
}

void runners_release (struct runners *runners)
{
    for (size_t i = 0; i < runners->n; i++) {
        free (runners->v[i].id);
        free (runners->v[i].node);
    }
    free (runners->v);
    memset (runners, 0, sizeof (*runners));
}

const struct runner *runners_find (const struct runners *runners,
                                   const char *id)
{
    for (size_t i = 0; i < runners->n; i++) {
        if (strcmp (runners->v[i].id, id) == 0)
            return &runners->v[i];
    }
    return NULL;
}

static bool could_run (const struct runner *r, const struct spool_job *job)
{
    return r->alive && job->cores <= r->cores && job->gpus <= r->gpus
           && (r->memory_bytes == 0 || job->memory_bytes <= r->memory_bytes);
}

int runners_count_nodes (const struct runners *runners,
                         const struct spool_job *job)
{
    int n = 0;

    for (size_t i = 0; i < runners->n; i++) {
        bool counts = could_run (&runners->v[i], job);

        for (size_t j = 0; counts && j < i; j++)
            counts = !(could_run (&runners->v[j], job)
                       && strcmp (runners->v[i].node, runners->v[j].node) == 0);
        n += counts;
    }
    return n;
}

bool runners_alive (const struct runners *runners)
{
    for (size_t i = 0; i < runners->n; i++) {
        if (runners->v[i].alive)
            return true;
    }
    return false;
}

/* --- starting some --- */

/* The argv that starts 'program' on all nodes: {nodes} is a number there. */
static void start_argv (const struct scheduler *scheduler, int nodes,
                        const char *program, const char *set_dir,
                        struct strvec *argv)
{
    for (const char *const *word = scheduler->agents; *word; word++) {
        const char *brace = strstr (*word, "{nodes}");

        if (strcmp (*word, "{on_nodes}") == 0)
            continue;
        if (brace)
            strvec_pushf (argv, "%.*s%d%s", (int)(brace - *word), *word, nodes,
                          brace + strlen ("{nodes}"));
        else
            strvec_push (argv, *word);
    }
    strvec_push (argv, program);
    strvec_push (argv, allocation_adapter.starts);
    strvec_push (argv, set_dir);
}

/* Make the directory of the next set of the job; somebody else may have done
 * so. The caller frees it; NULL with 'err'.
 */
static char *make_set (const char *spool, const char *job, struct error *err)
{
    char *dir = xasprintf ("%s/nodes", spool);
    int rc = file_make_dirs (dir, err);

    if (rc < 0) {
        free (dir);
        return NULL;
    }
    rc = -1;
    for (int n = 0; rc < 0; n++) {
        free (dir);
        dir = xasprintf ("%s/nodes/%s.%d", spool, job, n);
        rc = mkdir (dir, 0700);
        if (rc < 0 && errno != EEXIST) {
            error_errno (err, "cannot make '%s'", dir);
            free (dir);
            return NULL;
        }
    }
    return dir;
}

/* Those that nobody is in any more; what they had counts as gone with them. */
static void remove_old_sets (const char *spool, const char *job,
                             const struct runners *runners)
{
    char *nodes = path_join (spool, "nodes");
    struct strvec sets = STRVEC_INIT;

    file_list_dir (nodes, &sets, NULL);
    for (size_t i = 0; i < sets.n; i++) {
        char *dir = path_join (nodes, sets.v[i]);
        bool lives = !strchr (sets.v[i], '.') || is_set_of (sets.v[i], job);

        for (size_t r = 0; r < runners->n; r++)
            lives = lives
                    || (runners->v[r].alive
                        && path_is_at_or_below (runners->v[r].id, sets.v[i]));
        if (!lives)
            file_remove_tree (dir, NULL, NULL);
        free (dir);
    }
    strvec_release (&sets);
    free (nodes);
}

static void start_environment (const struct job_around *around,
                               struct strvec *env)
{
    const struct command_scheduler *commands = around->adapter->commands;

    unmarked_environment (env);
    if (commands->agents_environment)
        commands->agents_environment (env);
}

static int start_set (const struct scheduler *scheduler,
                      const struct job_around *around, const char *set_dir,
                      struct error *err)
{
    char *begun = path_join (set_dir, "begun");
    char *output = path_join (set_dir, "output");
    char *program = process_self ();
    struct strvec argv = STRVEC_INIT, env = STRVEC_INIT;
    int out = -1, rc = -1;

    start_argv (scheduler, around->nodes, program, set_dir, &argv);
    start_environment (around, &env);
    if (file_create (begun, "", 0, err) < 0)
        goto done;
    if ((out = file_open (output, O_WRONLY | O_CREAT | O_APPEND, 0600)) < 0)
        error_errno (err, "cannot create '%s'", output);
    else if (detached_start ((const char *const *)argv.v, env.v, out, -1, err)
             < 0)
        error_prefix (err, "`agents` of the profile");
    else
        rc = 0;
done:
    file_close (out);
    strvec_release (&env);
    strvec_release (&argv);
    free (program);
    free (output);
    free (begun);
    return rc;
}

enum answer runners_start (const struct scheduler *scheduler,
                           const struct runners *runners, struct error *err)
{
    struct job_around around;
    char *dir;
    int rc;

    if (!job_around_find (&around)) {
        error_set (err, "this is no job; run it inside sbatch or qsub");
        return ANSWER_BROKEN;
    }
    if (runners->starting || runners_alive (runners))
        return ANSWER_OK;
    remove_old_sets (scheduler->spool, around.id, runners);
    if (!(dir = make_set (scheduler->spool, around.id, err)))
        return ANSWER_TRY_LATER;
    rc = start_set (scheduler, &around, dir, err);
    if (rc < 0)
        file_remove_tree (dir, NULL, NULL);
    free (dir);
    return rc < 0 ? ANSWER_BROKEN : ANSWER_OK;
}

/* The last line of the file; "" without one. */
static void last_line (const char *path, struct strbuf *out)
{
    struct strbuf text = STRBUF_INIT;
    struct strvec lines = STRVEC_INIT;
    uint64_t bytes = 0;

    if (file_tree_bytes (path, &bytes, NULL) == 0
        && file_read_from (
               path, bytes > WORDS_MAX_BYTES ? bytes - WORDS_MAX_BYTES : 0,
               2 * WORDS_MAX_BYTES, &text, NULL)
               == 0)
        strvec_split (&lines, text.buf, "\r\n");
    if (lines.n > 0)
        strbuf_addf (out, "%.160s", lines.v[lines.n - 1]);
    strvec_release (&lines);
    strbuf_release (&text);
}

void runners_last_words (const char *spool, struct strbuf *out)
{
    struct job_around around;
    bool is_in = job_around_find (&around);

    for (int n = 0; is_in; n++) {
        char *path = xasprintf ("%s/nodes/%s.%d/output", spool, around.id, n);

        is_in = file_exists (path);
        if (is_in) {
            strbuf_reset (out);
            last_line (path, out);
        }
        free (path);
    }
}
