/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - the runners of all sets: which live */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allocation/allocation.h"
#include "base/file.h"
#include "base/json.h"
#include "job_around.h"
#include "spool.h"

enum { BEGUN_MAX_BYTES = 1 << 20 };

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
    _cleanup_fd_ int fd = file_open (path, O_RDONLY, 0);
    struct stat st;

    *at_s = 0;
    if (fd < 0)
        return errno == ENOENT ? 1
                               : error_errno (err, "cannot open '%s'", path);
    if (fstat (fd, &st) < 0)
        return error_errno (err, "cannot see '%s'", path);
    *at_s = change_s (&st);
    return 0;
}

/* What time it is where the files are. */
static int look_at_clock (const char *spool, double *now_s, struct error *err)
{
    _cleanup_free_ char *path = xasprintf ("%s/nodes/clock", spool);
    _cleanup_fd_ int fd = file_open (path, O_WRONLY | O_CREAT, 0600);
    struct stat st;

    if (fd < 0 || futimens (fd, NULL) < 0 || fstat (fd, &st) < 0)
        return error_errno (err, "cannot touch '%s'", path);
    *now_s = change_s (&st);
    return 0;
}

/* --- when the job around us ends --- */

int set_write_end (const char *set_dir, double left_s, struct error *err)
{
    _cleanup_free_ char *path = path_join (set_dir, "end");
    _cleanup_free_ char *text = xasprintf ("%.0f\n", left_s);

    return file_write_atomic (path, text, strlen (text), err);
}

char *set_spool (const char *set_dir)
{
    _cleanup_free_ char *up = xasprintf ("%s/../..", set_dir);
    char *spool = path_absolute (up);

    return spool;
}

int set_read_end (const char *set_dir, double *left_s, struct error *err)
{
    _cleanup_free_ char *path = path_join (set_dir, "end");
    _cleanup_free_ char *spool = set_spool (set_dir);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    double now_s, noted_s;
    int rc = look_at_clock (spool, &now_s, err);

    if (rc == 0 && (rc = changed_at (path, &noted_s, err)) > 0)
        rc = error_set (err, "'%s' is not there", path);
    if (rc < 0 || file_read (path, 100, &text, err) < 0)
        return -1;
    *left_s = strtod (text.buf, NULL) - fmax (0, now_s - noted_s);
    return 0;
}

/* --- one runner --- */

/* "4711.0" of the job 4711? */
bool runners_is_set_of (const char *set, const char *job)
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
    bool ours = job_around_find (&around) && runners_is_set_of (set, around.id);
    const char *cause =
        outcome_name (ours ? OUTCOME_NODE_FAILURE : OUTCOME_PREEMPTED);
    _cleanup_free_ char *dead = xasprintf ("%s.dead", path);
    int rc = file_create (dead, cause, strlen (cause), err);

    return rc < 0 ? -1 : 0;
}

/* It was not touched for long: does that stay so? */
static int look_again (const char *path, const char *set, double now_s,
                       bool *dead, struct error *err)
{
    _cleanup_free_ char *late = xasprintf ("%s.late", path);
    double since_s;
    int rc = changed_at (late, &since_s, err);

    *dead = rc == 0 && now_s - since_s >= RUNNER_LATER_S;
    if (rc > 0)
        rc = file_create (late, "", 0, err) < 0 ? -1 : 0;
    else if (rc == 0 && *dead)
        rc = declare_dead (path, set, err);
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
        _cleanup_free_ char *late = xasprintf ("%s.late", path);

        unlink (late);
    }
    runner->touched_s = touched_s;
    runner->alive = rc == 0 && !dead;
    return rc < 0 ? -1 : 0;
}

/* Said when it was taken for dead, or had ended. */
static enum outcome cause_of (const char *path)
{
    _cleanup_free_ char *dead = xasprintf ("%s.dead", path);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    enum outcome cause = OUTCOME_PREEMPTED;

    if (file_read (dead, 100, &text, NULL) == 0
        && strcmp (text.buf, outcome_name (OUTCOME_NODE_FAILURE)) == 0)
        cause = OUTCOME_NODE_FAILURE;
    return cause;
}

static void describe (const char *path, struct runner *runner)
{
    _cleanup_json_ struct json *v = json_read_file (path, NULL);

    runner->node = xstrdup (json_get_string (v, "node"));
    runner->cores = (int)json_get_int (v, "cores");
    runner->gpus = (int)json_get_int (v, "gpus");
    runner->memory_bytes = json_get_int (v, "memory_bytes");
}

static int look_at_runner (const char *set_dir, const char *name,
                           const struct strvec *names, double now_s,
                           struct runners *runners, struct error *err)
{
    const char *set = path_base (set_dir);
    _cleanup_free_ char *path = path_join (set_dir, name);
    _cleanup_free_ char *dead = xasprintf ("%s.dead", name);
    _cleanup_free_ char *ended = xasprintf ("%s.ended", name);
    struct runner runner = { .id = xasprintf ("%s/%s", set, name) };
    int rc = 0;

    if (!strvec_contains (names, dead) && !strvec_contains (names, ended))
        rc = judge (path, set, now_s, &runner, err);
    describe (path, &runner);
    runner.cause = runner.alive ? OUTCOME_NONE : cause_of (path);
    runners->v = grow_array (runners->v, runners->n, &runners->alloc,
                             sizeof (*runners->v));
    runners->v[runners->n++] = runner;
    return rc;
}

/* --- all of them --- */

bool is_same_node (const char *a, const char *b)
{
    size_t n = strcspn (a, "."), m = strcspn (b, ".");

    return n == 0 || m == 0 || (n == m && strncmp (a, b, n) == 0);
}

/* Has a runner of the set come up on that node? */
static bool has_come (const struct runners *runners, size_t first,
                      const char *node)
{
    for (size_t i = first; i < runners->n; i++) {
        if (is_same_node (runners->v[i].node, node))
            return true;
    }
    return false;
}

static void note_try (struct runners *runners, size_t first, const char *node,
                      int set, double age_s)
{
    struct node_try t = { .node = xstrdup (node),
                          .set = set,
                          .age_s = age_s,
                          .came = has_come (runners, first, node) };

    runners->tries =
        grow_array (runners->tries, runners->n_tries, &runners->tries_alloc,
                    sizeof (*runners->tries));
    runners->tries[runners->n_tries++] = t;
    runners->starting = runners->starting || (!t.came && age_s < START_S);
}

/* On which nodes the runners of a set of our job were started, and when; its
 * own are those from the 'first' on.
 */
static int read_tries (const char *set_dir, size_t first, double now_s,
                       struct runners *runners, struct error *err)
{
    const char *dot = strrchr (set_dir, '.');
    _cleanup_free_ char *path = path_join (set_dir, "begun");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    double begun_s;
    int rc = changed_at (path, &begun_s, err);

    if (rc == 0 && (rc = file_read (path, BEGUN_MAX_BYTES, &text, err)) == 0) {
        strvec_split (&names, text.buf, "\n");
        if (names.n == 0)
            strvec_push (&names, "");
    }
    for (size_t i = 0; i < names.n; i++)
        note_try (runners, first, names.v[i], atoi (dot + 1), now_s - begun_s);
    return rc < 0 ? -1 : 0;
}

static int look_at_set (const char *set_dir, double now_s,
                        struct runners *runners, struct error *err)
{
    static const char *const not_runners[] = { "begun", "output", "whole",
                                               "hosts", "end",    "job",
                                               NULL };
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    size_t first = runners->n;
    struct job_around around;
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
        && runners_is_set_of (path_base (set_dir), around.id))
        rc = read_tries (set_dir, first, now_s, runners, err);
    return rc;
}

int runners_look (const char *spool, struct runners *runners, struct error *err)
{
    _cleanup_free_ char *nodes = path_join (spool, "nodes");
    _cleanup_ (strvec_release) struct strvec sets = STRVEC_INIT;
    double now_s = 0;
    int rc = file_look (nodes, err);

    memset (runners, 0, sizeof (*runners));
    if (rc > 0 && (rc = look_at_clock (spool, &now_s, err)) == 0)
        rc = file_list_dir (nodes, &sets, err);
    runners->now_s = now_s;
    for (size_t i = 0; rc == 0 && i < sets.n; i++) {
        _cleanup_free_ char *set_dir = path_join (nodes, sets.v[i]);

        if (strchr (sets.v[i], '.'))
            rc = look_at_set (set_dir, now_s, runners, err);
    }
    if (rc < 0)
        runners_release (runners);
    return rc;
}

void runners_release (struct runners *runners)
{
    for (size_t i = 0; i < runners->n; i++) {
        free (runners->v[i].id);
        free (runners->v[i].node);
    }
    for (size_t i = 0; i < runners->n_tries; i++)
        free (runners->tries[i].node);
    free (runners->tries);
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
