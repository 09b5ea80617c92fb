/* SPDX-License-Identifier: BSD-3-Clause */
/* task_process.c - the commands of tasks: what agents spawn */
#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>

#include "base/spawn.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "disk.h"
#include "faults.h"
#include "group/order.h"
#include "handover/group_file.h"
#include "scenario.h"
#include "space/layout.h"
#include "task_process.h"
#include "world.h"

enum fate { FATE_OK, FATE_FAILS, FATE_KILLED, FATE_HANGS, FATE_BAD_OUTPUT };

struct task_process {
    struct world *world;
    struct process *agent; /* NULL: it is dead, and so is this */
    pid_t pid;
    char *dir;
    enum fate fate;
    bool otherwise; /* it makes other values */
    bool timer;     /* come_to_end will be called */
    bool over;
    bool stubborn; /* SIGTERM is nothing to it */
    int status;
    struct task_process *next;
};

struct json *task_value (int64_t seed, const struct json *inputs)
{
    struct strbuf text = STRBUF_INIT;
    uint64_t value;
    char *first;

    json_dump (inputs, JSON_SORTED, &text);
    first = scenario_first_names (text.buf); /* in paths */
    value = hash_bytes ((uint64_t)seed, first, strlen (first));
    free (first);
    strbuf_release (&text);
    return json_int ((int64_t)(value >> 12));
}

char *task_frame (const struct json *value)
{
    return xasprintf ("1\nLattice=\"9 0 0 0 9 0 0 0 9\" "
                      "Properties=species:S:1:pos:R:3:forces:R:3 "
                      "energy=%lld\nSi 0 0 0 0 0 0\n",
                      (long long)(json_as_int (value) % 1000000));
}

struct json *task_json_read (const struct disk *disk, const char *dir)
{
    char *path = path_join (dir, "task.json");
    struct strbuf text = STRBUF_INIT;
    struct json *task = NULL;

    if (disk_get (disk, path, &text) == 0)
        task = json_parse (text.buf, text.len, path, NULL);
    strbuf_release (&text);
    free (path);
    return task;
}

/* Written as if by the agent's host, which the page cache is of. */
static void put (const struct task_process *t, const char *name,
                 const char *text)
{
    char *path = path_join (t->dir, name);

    disk_put (t->world->disk, path, text);
    free (path);
}

/* A file of frames, where one is wanted. */
static void write_frames (const struct task_process *t, const char *path,
                          const struct json *value)
{
    char *frame = task_frame (value);

    if (*path)
        put (t, path, frame);
    free (frame);
}

/* params.json and the artifacts that are wanted. */
static void write_outputs (const struct task_process *t)
{
    struct json *task = task_json_read (t->world->disk, t->dir);
    struct json *params = json_object ();
    struct strbuf text = STRBUF_INIT;
    const char *made =
        json_as_string (json_get (json_get (task, "outputs"), "made"));

    if (!task) { /* its directory was moved away under it */
        json_unref (params);
        return;
    }
    json_set (params, "value",
              task_value (json_as_int (json_get (task, "seed")) + t->otherwise,
                          json_get (task, "inputs")));
    json_dump (params, JSON_COMPACT, &text);
    if (t->fate == FATE_BAD_OUTPUT)
        put (t, "params.json", "{");
    else
        put (t, "params.json", text.buf);
    if (*made)
        put (t, made, text.buf);
    write_frames (t, json_get_string (json_get (task, "outputs"), "frames"),
                  json_get (params, "value"));
    strbuf_release (&text);
    json_unref (params);
    json_unref (task);
}

/* --- groups: their runner, without its programs --- */

static bool read_group (const struct task_process *t, struct group_file *file)
{
    char *path = path_join (t->dir, GROUP_FILE);
    struct strbuf text = STRBUF_INIT;
    struct json *v = NULL;
    bool there = disk_get (t->world->disk, path, &text) == 0;

    if (there)
        v = json_parse (text.buf, text.len, path, NULL);
    if (v && group_file_from_json (v, file, NULL) < 0)
        abort ();
    json_unref (v);
    strbuf_release (&text);
    free (path);
    return there;
}

/* Go through the group's order, of which the step number 'fails' fails; its
 * name becomes 'failed'.  What was set up has to have had its exit.
 */
static void play_order (const struct group_spec *group, int fails,
                        struct strbuf *failed)
{
    struct order order;
    size_t part;
    int owed = 0;

    order_init (&order, group, 10);
    while (order_take (&order, 0, &part)) {
        bool fail = fails-- == 0;

        if (fail)
            step_name (group, &order.parts[part], order.phase, failed);
        owed += order.phase < PHASE_RUN && !fail;
        owed -= order.phase > PHASE_LAST_REPORT;
        order_ended (&order, part, !fail, false, 0);
    }
    if (order.phase != PHASE_OVER || owed != 0)
        abort ();
    order_release (&order);
}

/* Where the runner leaves word: it was not killed. */
static void end_group (const struct task_process *t)
{
    struct group_file file = GROUP_FILE_INIT;
    struct group_end end = GROUP_END_INIT;
    struct strbuf failed = STRBUF_INIT, text = STRBUF_INIT;
    struct json *v;

    if (!read_group (t, &file))
        return;
    play_order (&file.group, t->fate == FATE_FAILS ? t->pid % 9 : -1, &failed);
    if (t->fate == FATE_FAILS) {
        /* As if it had been on another node, every other time. */
        end.outcome = t->pid % 2 ? OUTCOME_NODE_FAILURE : OUTCOME_NONE;
        end.exit_code = t->pid % 2 ? -1 : 1;
        end.message = xasprintf ("'%s' did not end well", failed.buf);
    }
    v = group_end_to_json (&end);
    json_dump (v, JSON_COMPACT, &text);
    put (t, GROUP_END_FILE, text.buf);
    json_unref (v);
    group_end_release (&end);
    strbuf_release (&failed);
    strbuf_release (&text);
    group_file_release (&file);
}

/* --- checkpoints --- */

/* Then the checkpoint is handed on, also under an agent that does not know. */
static bool is_closed (const struct task_process *t)
{
    char *attempt = xstrdup (t->dir), *path;
    bool closed;

    for (int i = 0; i < 4; i++) /* <attempt>/<chunk>/work/<element>/<task> */
        *strrchr (attempt, '/') = '\0';
    path = path_join (attempt, LAYOUT_CLOSED);
    closed = disk_is_file (t->world->disk, path);
    free (path);
    free (attempt);
    return closed;
}

/* Of the operator with `checkpoint:` a try goes on from what an earlier one of
 * the same task left, and writes how many tries have gone before it.  It finds
 * nothing where it was not told of anything, and something whole where it was.
 */
static void go_on (const struct task_process *t)
{
    struct json *task = task_json_read (t->world->disk, t->dir);
    bool restart = json_as_bool (json_get (task, "restart"));
    char *path = path_join (t->dir, CHECKPOINT_FILE);
    struct strbuf text = STRBUF_INIT;
    bool there = disk_get (t->world->disk, path, &text) == 0;
    struct json *left =
        there ? json_parse (text.buf, text.len, path, NULL) : json_object ();

    if (json_get (json_get (task, "outputs"), "made")) {
        if ((restart != there && !is_closed (t)) || !left
            || (there
                && json_get_int (left, "task") != json_get_int (task, "task")))
            abort ();
        json_set (left, "task", json_ref (json_get (task, "task")));
        json_set (left, "tries", json_int (json_get_int (left, "tries") + 1));
        strbuf_reset (&text);
        json_dump (left, JSON_COMPACT, &text);
        put (t, CHECKPOINT_FILE, text.buf);
    }
    strbuf_release (&text);
    free (path);
    json_unref (left);
    json_unref (task);
}

static void end_with (struct task_process *t, int status)
{
    t->over = true;
    t->status = status;
    world_signal (t->world, t->agent, SIGCHLD);
}

/* Nobody waits for it any more; its timer may. */
static void let_go (struct task_process *t)
{
    t->agent = NULL;
    if (t->timer)
        return;
    free (t->dir);
    free (t);
}

static void come_to_end (void *arg)
{
    struct task_process *t = arg;

    t->timer = false;
    if (!t->agent)
        let_go (t);
    else if (t->over || t->agent->dead)
        return;
    else if (t->fate == FATE_FAILS) {
        end_group (t);
        end_with (t, W_EXITCODE (1, 0));
    } else if (t->fate == FATE_KILLED) {
        end_with (t, W_EXITCODE (0, SIGKILL));
    } else {
        write_outputs (t);
        end_group (t);
        end_with (t, 0);
    }
}

static enum fate draw_fate (struct faults *faults)
{
    if (faults_strike (faults, FAULT_TASK_FAILS))
        return FATE_FAILS;
    if (faults_strike (faults, FAULT_TASK_KILLED))
        return FATE_KILLED;
    if (faults_strike (faults, FAULT_TASK_HANGS))
        return FATE_HANGS;
    if (faults_strike (faults, FAULT_TASK_BAD_OUTPUT))
        return FATE_BAD_OUTPUT;
    return FATE_OK;
}

/* Mostly short, now and then more than half of its walltime. */
static double duration_s (const struct task_process *t)
{
    struct json *task = task_json_read (t->world->disk, t->dir);
    uint64_t seed = (uint64_t)json_as_int (json_get (task, "seed"));
    double u = (double)(hash_words (1, &seed, 1) >> 11) * 0x1p-53;
    double walltime_s =
        json_as_double (json_get (json_get (task, "resources"), "walltime_s"));

    json_unref (task);
    return walltime_s * (0.01 + 0.6 * pow (u, 4));
}

static bool is_otherwise (char *const *env)
{
    for (; env && *env; env++) {
        if (strcmp (*env, TASK_ENV "=other") == 0)
            return true;
    }
    return false;
}

pid_t task_process_start (struct world *world, const struct spawn *spec)
{
    struct task_process *t = xcalloc (1, sizeof (*t));

    t->world = world;
    t->agent = world->current;
    t->pid = ++world->last_pid;
    t->dir = xstrdup (spec->dir);
    t->otherwise = is_otherwise (spec->env);
    go_on (t);
    t->fate = draw_fate (world->faults);
    t->stubborn = t->fate == FATE_HANGS && t->pid % 2 == 0;
    t->next = t->agent->children;
    t->agent->children = t;
    if (t->fate != FATE_HANGS) {
        t->timer = true;
        world_at (world, world->now_s + duration_s (t), come_to_end, t);
    }
    return t->pid;
}

pid_t task_process_reap (struct process *agent, pid_t pid, int *status)
{
    struct task_process **link = &agent->children;

    if (!*link)
        return -1;
    for (; *link; link = &(*link)->next) {
        struct task_process *t = *link;

        if ((pid > 0 && t->pid != pid) || !t->over)
            continue;
        if (status)
            *status = t->status;
        *link = t->next;
        pid = t->pid;
        let_go (t);
        return pid;
    }
    return 0;
}

void task_process_kill (struct process *agent, pid_t pid, int sig)
{
    for (struct task_process *t = agent->children; t; t = t->next) {
        if (t->pid == pid && !t->over && (sig == SIGKILL || !t->stubborn))
            end_with (t, W_EXITCODE (0, sig));
    }
}

void task_processes_kill (struct process *agent)
{
    for (struct task_process *t = agent->children; t; t = t->next) {
        if (!t->over)
            end_with (t, W_EXITCODE (0, SIGKILL));
    }
}

void task_processes_end (struct process *agent)
{
    while (agent->children) {
        struct task_process *t = agent->children;

        agent->children = t->next;
        let_go (t);
    }
}
