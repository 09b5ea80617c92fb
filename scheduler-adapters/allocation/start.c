/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - starting runners on the nodes of the job around us
 *
 * All nodes at once, the first time; one on which none came up is tried again
 * alone: a node that cannot be reached may take those down that were started
 * with it.
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "allocation/allocation.h"
#include "base/file.h"
#include "base/process.h"
#include "command_scheduler.h"
#include "detached.h"
#include "element_run.h"
#include "job_around.h"

enum { WORDS_MAX_BYTES = 4096 };

/* How long to wait before a node is tried again, at most. */
static const double again_most_s = 600;

/* --- which nodes --- */

/* Of the runners that were started for it; *n_failed: how often in a row none
 * came.
 */
static const struct node_try *last_try (const struct runners *runners,
                                        const char *node, int *n_failed)
{
    const struct node_try *last = NULL;
    int came = -1;

    *n_failed = 0;
    for (size_t i = 0; i < runners->n_tries; i++) {
        const struct node_try *t = &runners->tries[i];

        if (!is_same_node (t->node, node))
            continue;
        if (!last || t->set > last->set)
            last = t;
        if (t->came && t->set > came)
            came = t->set;
    }
    for (size_t i = 0; i < runners->n_tries; i++)
        *n_failed += is_same_node (runners->tries[i].node, node)
                     && runners->tries[i].set > came;
    return last;
}

static const struct runner *last_runner (const struct runners *runners,
                                         const char *node)
{
    const struct runner *last = NULL;

    for (size_t i = 0; i < runners->n; i++) {
        if (is_same_node (runners->v[i].node, node) && (!last || !last->alive))
            last = &runners->v[i];
    }
    return last;
}

enum node_start runner_start_on (const struct runners *runners,
                                 const char *node)
{
    const struct runner *runner = last_runner (runners, node);
    int n_failed;
    const struct node_try *last = last_try (runners, node, &n_failed);
    double wait_s = START_S;

    if (runner && runner->alive)
        return START_NOT;
    if (!last)
        return START_WITH_OTHERS;
    if (last->came && runner && runner->cause == OUTCOME_NODE_FAILURE)
        return START_ALONE;
    if (last->came)
        return last->age_s < START_S ? START_NOT : START_WITH_OTHERS;
    for (int i = 1; i < n_failed && wait_s < again_most_s; i++)
        wait_s *= 2;
    if (wait_s > again_most_s)
        wait_s = again_most_s;
    return last->age_s < wait_s ? START_NOT : START_ALONE;
}

bool node_is_lost (const struct runners *runners, const char *node)
{
    const struct runner *runner = last_runner (runners, node);
    int n_failed;
    const struct node_try *last = last_try (runners, node, &n_failed);

    return !(runner && runner->alive)
           && (n_failed > 1 || (n_failed == 1 && last->age_s >= START_S));
}

/* "": one stands for all, since their names, or how to start one of them, are
 * not known.
 */
static void name_nodes (const struct scheduler *scheduler,
                        const struct job_around *around, struct strvec *names)
{
    const struct command_scheduler *commands = around->adapter->commands;

    if (words_contain (scheduler->agents, "{on_nodes}") && commands->node_names)
        commands->node_names (names);
    if (names->n == 0)
        strvec_push (names, "");
}

/* Only the scheduler's own program is known to leave the others alone when a
 * node is lost; mpirun ends with it, and all that it started.
 */
static bool are_started_alone (const struct scheduler *scheduler,
                               const struct job_around *around,
                               const struct strvec *names)
{
    const struct scheduler_adapter *adapter = around->adapter;

    return *names->v[0]
           && !(adapter->agents && scheduler->agents == adapter->agents ());
}

/* --- starting some --- */

/* What {on_nodes} is in that environment; NULL: nothing. */
static const char *on_nodes (const struct strvec *env)
{
    static const char key[] = "FANFOLD_ON_NODES=";
    const char *words = NULL;

    for (size_t i = 0; i < env->n; i++) {
        if (strncmp (env->v[i], key, strlen (key)) == 0)
            words = env->v[i] + strlen (key);
    }
    return words;
}

/* The argv that starts 'program' on so many nodes. */
static void start_argv (const struct scheduler *scheduler, int nodes,
                        const char *words, const char *program,
                        const char *set_dir, struct strvec *argv)
{
    for (const char *const *word = scheduler->agents; *word; word++) {
        const char *brace = strstr (*word, "{nodes}");

        if (strcmp (*word, "{on_nodes}") == 0)
            strvec_split (argv, words ? words : "", " ");
        else if (brace)
            strvec_pushf (argv, "%.*s%d%s", (int)(brace - *word), *word, nodes,
                          brace + strlen ("{nodes}"));
        else
            strvec_push (argv, *word);
    }
    strvec_push (argv, program);
    strvec_push (argv, allocation_adapter.starts);
    strvec_push (argv, set_dir);
}

/* Make the directory of the next set of the job; another driver may have done
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

/* Those in which no runner is any more; what they had counts as gone with them.
 */
static void remove_old_sets (const char *spool, const char *job,
                             const struct runners *runners)
{
    _cleanup_free_ char *nodes = path_join (spool, "nodes");
    _cleanup_ (strvec_release) struct strvec sets = STRVEC_INIT;

    file_list_dir (nodes, &sets, NULL);
    for (size_t i = 0; i < sets.n; i++) {
        _cleanup_free_ char *dir = path_join (nodes, sets.v[i]);
        bool lives =
            !strchr (sets.v[i], '.') || runners_is_set_of (sets.v[i], job);

        for (size_t r = 0; r < runners->n; r++)
            lives = lives
                    || (runners->v[r].alive
                        && path_is_at_or_below (runners->v[r].id, sets.v[i]));
        if (!lives)
            file_remove_tree (dir, NULL, NULL);
    }
}

/* 'names' are all nodes, or a few of them. */
static int start_environment (const struct job_around *around,
                              const struct strvec *names, const char *host_file,
                              struct strvec *env, struct error *err)
{
    const struct command_scheduler *commands = around->adapter->commands;
    struct element_nodes nodes = {
        .names = names, .processes = 1, .cores = 1, .host_file = host_file
    };

    unmarked_environment (env);
    if (*names->v[0] && commands->element_environment)
        return commands->element_environment (&nodes, env, err);
    if (commands->agents_environment)
        commands->agents_environment (env);
    return 0;
}

/* Which nodes it is for, a line each. */
static int write_begun (const char *set_dir, const struct strvec *names,
                        struct error *err)
{
    _cleanup_free_ char *path = path_join (set_dir, "begun");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc;

    for (size_t i = 0; i < names->n; i++)
        strbuf_addf (&text, "%s\n", names->v[i]);
    rc = file_create (path, text.buf, text.len, err);
    return rc < 0 ? -1 : 0;
}

/* In our session: who ends the job around us knows nothing else of it. */
static int start_in (const struct scheduler *scheduler,
                     const struct job_around *around, double left_s,
                     const struct strvec *names, const char *set_dir,
                     struct error *err)
{
    _cleanup_free_ char *output = path_join (set_dir, "output");
    _cleanup_free_ char *hosts = path_join (set_dir, "hosts");
    _cleanup_free_ char *variables = path_join (set_dir, "job");
    _cleanup_free_ char *program = process_self ();
    int nodes = *names->v[0] ? (int)names->n : around->nodes;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    _cleanup_fd_ int out = -1;
    int rc = -1;

    if (start_environment (around, names, hosts, &env, err) < 0
        || set_write_end (set_dir, left_s, err) < 0
        || job_around_write (around, variables, err) < 0
        || write_begun (set_dir, names, err) < 0)
        return -1;
    start_argv (scheduler, nodes, on_nodes (&env), program, set_dir, &argv);
    if ((out = file_open (output, O_WRONLY | O_CREAT | O_APPEND, 0600)) < 0)
        error_errno (err, "cannot create '%s'", output);
    else if (detached_start ((const char *const *)argv.v, env.v, false, out, -1,
                             err)
             < 0)
        error_prefix (err, "`agents` of the profile");
    else
        rc = 0;
    return rc;
}

static enum answer start_set (const struct scheduler *scheduler,
                              const struct job_around *around, double left_s,
                              const struct strvec *names, struct error *err)
{
    _cleanup_free_ char *dir = make_set (scheduler->spool, around->id, err);
    struct error why = ERROR_INIT;
    enum answer answer = ANSWER_TRY_LATER;

    if (dir && start_in (scheduler, around, left_s, names, dir, &why) == 0) {
        answer = ANSWER_OK;
    } else if (dir) {
        file_remove_tree (dir, NULL, NULL);
        error_copy (err, &why);
        answer = error_may_pass (&why) ? ANSWER_TRY_LATER : ANSWER_BROKEN;
    }
    return answer;
}

static enum answer start_alone (const struct scheduler *scheduler,
                                const struct job_around *around, double left_s,
                                const char *name, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec alone = STRVEC_INIT;

    strvec_push (&alone, name);
    return start_set (scheduler, around, left_s, &alone, err);
}

/* Those that 'names' have to be started on: 'alone', each by itself, or in one
 * 'batch'.
 */
static void choose_nodes (const struct runners *runners,
                          const struct strvec *names, bool each_alone,
                          struct strvec *alone, struct strvec *batch)
{
    for (size_t i = 0; i < names->n; i++) {
        enum node_start how = runner_start_on (runners, names->v[i]);

        if (how != START_NOT)
            strvec_push (how == START_ALONE || each_alone ? alone : batch,
                         names->v[i]);
    }
}

static enum answer start_on (const struct scheduler *scheduler,
                             const struct job_around *around,
                             const struct runners *runners,
                             const struct strvec *alone,
                             const struct strvec *batch, struct error *err)
{
    double left_s = 0;
    enum answer answer = job_around_time_left (around, &left_s, err);

    if (answer == ANSWER_REFUSED
        || (answer == ANSWER_OK && left_s <= RUNNER_MARGIN_S))
        return ANSWER_OK;
    if (answer == ANSWER_OK)
        remove_old_sets (scheduler->spool, around->id, runners);
    for (size_t i = 0; answer == ANSWER_OK && i < alone->n; i++)
        answer = start_alone (scheduler, around, left_s, alone->v[i], err);
    if (answer == ANSWER_OK && batch->n > 0)
        answer = start_set (scheduler, around, left_s, batch, err);
    return answer;
}

enum answer runners_start (const struct scheduler *scheduler,
                           const struct runners *runners, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec alone = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec batch = STRVEC_INIT;
    enum answer answer = ANSWER_OK;
    struct job_around around;

    if (!job_around_find (&around)) {
        error_set (err, "this is no job; run it inside sbatch or qsub");
        return ANSWER_TRY_LATER;
    }
    name_nodes (scheduler, &around, &names);
    choose_nodes (runners, &names,
                  are_started_alone (scheduler, &around, &names), &alone,
                  &batch);
    if (alone.n + batch.n > 0)
        answer = start_on (scheduler, &around, runners, &alone, &batch, err);
    return answer;
}

/* --- what came of it --- */

/* The last line of the file that has words, which those above and below an MPI
 * program's banner have not; "" without one.
 */
static void last_line (const char *path, struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    const char *words;
    uint64_t bytes = 0;

    if (file_tree_bytes (path, &bytes, NULL) == 0
        && file_read_from (
               path, bytes > WORDS_MAX_BYTES ? bytes - WORDS_MAX_BYTES : 0,
               2 * WORDS_MAX_BYTES, &text, NULL)
               == 0)
        strvec_split (&lines, text.buf, "\r\n");
    words = strvec_last_words (&lines, lines.n);
    if (words)
        strbuf_addf (out, "%.120s", words);
}

void runners_last_words (const char *spool, struct strbuf *out)
{
    struct job_around around;
    bool is_in = job_around_find (&around);

    for (int n = 0; is_in; n++) {
        _cleanup_free_ char *path =
            xasprintf ("%s/nodes/%s.%d/output", spool, around.id, n);

        is_in = file_exists (path);
        if (is_in) {
            strbuf_reset (out);
            last_line (path, out);
        }
    }
}

bool runners_lost_node (const struct scheduler *scheduler,
                        const struct runners *runners, struct strbuf *out)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct job_around around;
    size_t i = 0;
    int n_failed;

    if (!job_around_find (&around))
        return false;
    name_nodes (scheduler, &around, &names);
    while (i < names.n && !(*names.v[i] && node_is_lost (runners, names.v[i])))
        i++;
    if (i < names.n) {
        const struct node_try *last = last_try (runners, names.v[i], &n_failed);
        _cleanup_free_ char *path = xasprintf (
            "%s/nodes/%s.%d/output", scheduler->spool, around.id, last->set);

        strbuf_addf (out,
                     "node %s of this job could not be reached: ", names.v[i]);
        last_line (path, out);
    }
    return out->len > 0;
}
