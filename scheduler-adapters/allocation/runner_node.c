/* SPDX-License-Identifier: BSD-3-Clause */
/* runner_node.c - the node a runner is on: its name, what it has, how long it
 * lasts
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allocation/allocation.h"
#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "cores.h"
#include "job_around.h"
#include "placement/node_gpus.h"

/* How often to ask how much time is left: it may be changed. */
static const double ask_again_s = 300;

/* --- what it is --- */

static char *name_of (const struct job_around *around)
{
    const char *told = getenv ("FANFOLD_NODE");
    char host[256] = "node";

    if (told && told[0])
        return xstrdup (told);
    if (around->node && around->node[0])
        return xstrdup (around->node);
    gethostname (host, sizeof (host) - 1);
    return xstrdup (host);
}

static int64_t find_memory (void)
{
    long pages = sysconf (_SC_PHYS_PAGES), bytes = sysconf (_SC_PAGE_SIZE);

    return pages > 0 && bytes > 0 ? (int64_t)pages * bytes : 0;
}

/* --- its file --- */

static struct json *describe (const struct runner_node *node)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "node", json_string (node->name));
    json_set (v, "cores", json_int (node->cores));
    json_set (v, "gpus", json_int ((int64_t)node->shape.n_gpus));
    json_set (v, "memory_bytes", json_int (node->memory_bytes));
    json_set (v, "pid", json_int (getpid ()));
    return v;
}

/* Names of files beside it have a dot. */
static char *file_name (const char *node)
{
    char random[TOKEN_LENGTH + 1];
    char *name;

    random_token (random, TOKEN_LENGTH);
    name = xasprintf ("%s-%.6s", node, random);
    for (char *c = name; *c; c++) {
        if (*c == '.' || *c == '/' || *c == ' ')
            *c = '_';
    }
    return name;
}

static int make_file (struct runner_node *node, struct error *err)
{
    struct json *v = describe (node);
    int rc = json_write_file (node->path, v, err);

    json_unref (v);
    if (rc < 0)
        return -1;
    node->fd = file_open (node->path, O_WRONLY, 0);
    node->touched_s = clock_mono_s ();
    return node->fd < 0 ? error_errno (err, "cannot open '%s'", node->path) : 0;
}

/* How long the job lasted when its first runner began, which noted that: one
 * that begins later sees less.
 */
static double find_whole (const char *set_dir, const char *job, double left_s)
{
    _cleanup_free_ char *path = xasprintf (
        "%.*s%s.0/whole", (int)(path_base (set_dir) - set_dir), set_dir, job);
    _cleanup_free_ char *told = xasprintf ("%.0f\n", left_s);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    double whole_s = left_s;

    file_create (path, told, strlen (told), NULL);
    if (file_read (path, 100, &text, NULL) == 0 && text.len > 0)
        whole_s = strtod (text.buf, NULL);
    return whole_s;
}

int runner_node_open (struct runner_node *node, const char *set_dir,
                      struct error *err)
{
    struct job_around around = { .id = "", .node = NULL };
    char *variables = path_join (set_dir, "job");
    char *name;
    int rc = job_around_take_over (variables, err);
    double left_s = 0;

    free (variables);
    if (rc < 0 || set_read_end (set_dir, &left_s, err) < 0)
        return error_prefix (err, "when this job ends is not known");
    job_around_find (&around);
    *node = (struct runner_node){ .name = name_of (&around),
                                  .local_spool = node_spool (),
                                  .fd = -1,
                                  .cores = cores_count (),
                                  .memory_bytes = find_memory (),
                                  .end_s = clock_mono_s () + left_s };
    node_gpus_load (&node->shape, NULL);
    name = file_name (node->name);
    node->id = xasprintf ("%s/%s", path_base (set_dir), name);
    node->path = path_join (set_dir, name);
    free (name);
    node->asked_s = -INFINITY;
    node->whole_s = find_whole (set_dir, around.id, runner_node_left_s (node));
    if (make_file (node, err) == 0)
        return 0;
    runner_node_close (node);
    return -1;
}

void runner_node_close (struct runner_node *node)
{
    file_close (node->fd);
    node_shape_release (&node->shape);
    free (node->local_spool);
    free (node->path);
    free (node->name);
    free (node->id);
}

int runner_node_touch (struct runner_node *node, struct error *err)
{
    double now_s = clock_mono_s ();
    char *dead;
    int rc;

    if (now_s - node->touched_s < RUNNER_TOUCH_S)
        return 0;
    dead = xasprintf ("%s.dead", node->path);
    rc = file_look (dead, err);
    free (dead);
    if (rc == 0 && (rc = file_look (node->path, err)) >= 0)
        rc = rc == 0; /* it is gone with its set */
    if (rc == 0 && futimens (node->fd, NULL) < 0)
        rc = error_errno (err, "cannot touch '%s'", node->path);
    if (rc == 0)
        node->touched_s = now_s;
    return rc;
}

/* --- how long it lasts --- */

/* What it does not tell stands as it was noted when the set was started. */
static void ask_for_time (struct runner_node *node)
{
    struct job_around around;
    enum answer answer;
    double left_s;

    node->asked_s = clock_mono_s ();
    if (!job_around_find (&around))
        return;
    answer = job_around_time_left (&around, &left_s, NULL);
    if (answer == ANSWER_REFUSED)
        node->end_s = -INFINITY;
    else if (answer == ANSWER_OK && left_s < INFINITY)
        node->end_s = clock_mono_s () + left_s;
}

bool runner_has_time (double walltime_s, double left_s, double whole_s)
{
    return left_s > 0 && (walltime_s <= left_s || walltime_s > whole_s);
}

double runner_node_left_s (struct runner_node *node)
{
    if (clock_mono_s () - node->asked_s > ask_again_s)
        ask_for_time (node);
    return node->end_s - clock_mono_s () - RUNNER_MARGIN_S;
}
