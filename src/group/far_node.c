/* SPDX-License-Identifier: BSD-3-Clause */
/* far_node.c - a group's process on a node that is not its first */
#include "base/base.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "group/far_node.h"
#include "group/far_nodes.h"
#include "group/node.h"
#include "group/group_signals.h"
#include "group/watch.h"
#include "group/wire.h"
#include "handover/group_file.h"
#include "handover/node_name.h"

/* A file that another node has just written may be seen late. */
static const double visible_s = 60, look_every_s = 0.2;

struct far {
    struct group_file file;
    struct node node;
    bool begun; /* 'node' is in use */
    size_t index;
    struct wire wire;
    struct group_signals signals;
    const char *secret; /* the half that is to be heard; lent by: */
    struct json *where; /* NODES_FILE */
    struct json *hosts;
    int epoll_fd;
    bool over;
};

/* --- what this node tells --- */

static void on_ended (void *arg, size_t part, const struct group_end *end)
{
    struct far *far = arg;
    struct json *message = json_object ();

    json_set (message, "ended", json_int ((int64_t)part));
    json_set (message, "end", group_end_to_json (end));
    wire_send (&far->wire, message);
}

static void on_reported (void *arg, const char *name, struct json *report)
{
    struct far *far = arg;
    struct json *message = json_object ();

    json_set (message, "name", json_string (name));
    json_set (message, "report", json_ref (report));
    wire_send (&far->wire, message);
}

/* --- what it is told --- */

static void begin (struct far *far, const struct json *told)
{
    struct json *message = json_object ();
    struct error why = ERROR_INIT;

    far->hosts = json_deep_copy (json_get (told, "hosts"));
    far->node = (struct node){ .file = &far->file,
                               .index = far->index,
                               .hosts = far->hosts,
                               .meeting.port = (int)json_get_int (told, "port"),
                               .epoll_fd = far->epoll_fd,
                               .log_fd = STDOUT_FILENO,
                               .events = { on_ended, on_reported, far },
                               .workspace = WORKSPACE_INIT,
                               .slots = SLOTS_INIT };
    snprintf (far->node.meeting.address, sizeof (far->node.meeting.address),
              "%s", json_get_string (told, "address"));
    far->begun = true;
    if (node_init (&far->node, &far->signals.interrupts, &why) == 0)
        json_set (message, "ready", json_bool (true));
    else
        json_set (message, "failed", json_string (why.text));
    wire_send (&far->wire, message);
}

/* Is the peer the runner, and which node is this? */
static void be_assigned (struct far *far, const struct json *message)
{
    const struct json *node = json_get (message, "node");
    size_t n = 0;

    while (far->file.group.nodes[n])
        n++;
    far->index = (size_t)json_as_int (node);
    if (strcmp (json_get_string (message, "secret"), far->secret) != 0
        || json_is_null (node) || far->index >= n)
        far->over = true;
}

static void finish (struct far *far)
{
    struct json *message = json_object ();
    struct json *runs = json_ref (far->node.runs);

    node_release (&far->node); /* nothing is left here when that is told */
    far->begun = false;
    json_set (message, "done", runs);
    wire_send (&far->wire, message);
    far->over = true;
}

static void start_part (struct far *far, const struct json *message)
{
    int64_t part = json_get_int (message, "part");
    int64_t phase = json_get_int (message, "phase");

    if (part >= 0 && (size_t)part < far->node.n_parts && phase >= 0
        && phase < PHASE_OVER)
        node_start (&far->node, (size_t)part, (enum group_phase)phase);
}

static void on_told (void *arg, const struct json *message)
{
    struct far *far = arg;

    if (far->over) /* what came with a wrong secret is not heard */
        return;
    if (!message)
        far->over = true;
    else if (far->index == 0)
        be_assigned (far, message);
    else if (!far->begun && json_get (message, "hosts"))
        begin (far, message);
    else if (far->begun && json_get (message, "part"))
        start_part (far, message);
    else if (far->begun && json_get (message, "signal"))
        node_signal (&far->node, (int)json_get_int (message, "signal"));
    else if (far->begun && json_get (message, "finish"))
        finish (far);
}

/* --- its life --- */

static void on_child (void *arg, pid_t pid, int status)
{
    struct far *far = arg;

    if (far->begun)
        node_reaped (&far->node, pid, status);
}

/* The scheduler may tell all processes of the job to end: the runner is told,
 * too, and says what is to be done here.
 */
static void on_signal (void *arg, int signal)
{
    (void)arg;
    (void)signal;
}

static int read_files (struct far *far, struct error *err)
{
    double end_s = clock_mono_s () + visible_s;
    struct json *v;
    int rc;

    while (!(far->where = json_read_file (NODES_FILE, err))
           && clock_mono_s () < end_s)
        clock_sleep (look_every_s, NULL);
    if (!far->where)
        return -1;
    far->secret = json_get_string (far->where, "secret");
    if (strlen (far->secret) != 2 * NODES_SECRET_HALF)
        return error_set (err, NODES_FILE ": there is no secret in it");
    if (!(v = json_read_file (GROUP_FILE, err)))
        return -1;
    rc = group_file_from_json (v, &far->file, err);
    json_unref (v);
    return rc;
}

static int say_hello (struct far *far, struct error *err)
{
    struct json *message = json_object ();
    char host[256] = "unknown";
    char *half = xstrndup (far->secret, NODES_SECRET_HALF);
    int fd = wire_connect (json_get (far->where, "addresses"),
                           (int)json_get_int (far->where, "port"), err);

    gethostname (host, sizeof (host) - 1);
    json_set (message, "hello", json_string (half));
    json_set (message, "host", json_string (host));
    if (node_name_of_step ())
        json_set (message, "node", json_string (node_name_of_step ()));
    far->secret += NODES_SECRET_HALF;
    free (half);
    if (fd < 0
        || wire_init (&far->wire, far->epoll_fd, fd, on_told, far, err) < 0) {
        json_unref (message);
        return -1;
    }
    wire_send (&far->wire, message);
    return 0;
}

static void carry_out (struct far *far)
{
    while (!far->over) {
        watch_wait (far->epoll_fd,
                    far->begun ? node_due_s (&far->node) : INFINITY);
        if (far->begun)
            node_report (&far->node, clock_mono_s ());
    }
}

int far_node_run (const char *dir, struct error *err)
{
    struct far far = { .file = GROUP_FILE_INIT,
                       .wire = { .watch = { .fd = -1 } },
                       .signals = GROUP_SIGNALS_INIT,
                       .epoll_fd = watch_open (err) };
    int rc = far.epoll_fd < 0 ? -1 : 0;

    if (rc == 0 && chdir (dir) < 0)
        rc = error_errno (err, "cannot enter '%s'", dir);
    if (rc == 0)
        rc = group_signals_take (&far.signals, far.epoll_fd, on_child,
                                 on_signal, &far, err);
    if (rc == 0)
        rc = read_files (&far, err);
    if (rc == 0)
        rc = say_hello (&far, err);
    if (rc == 0)
        carry_out (&far);
    if (far.begun)
        node_release (&far.node);
    wire_release (&far.wire);
    group_signals_release (&far.signals);
    file_close (far.epoll_fd);
    json_unref (far.where);
    json_unref (far.hosts);
    group_file_release (&far.file);
    return rc;
}
