/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c - run a group: programs that run together as one task */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "group/far_nodes.h"
#include "group/group.h"
#include "group/group_signals.h"
#include "group/node.h"
#include "group/order.h"
#include "group/params.h"
#include "group/port.h"
#include "group/watch.h"
#include "handover/group_file.h"
#include "handover/records.h"

/* How long processes on other nodes may take to come, and to go; of the grace
 * time, what is left for that after the exits.
 */
static const double meet_s = 120, part_s = 60, for_goodbyes = 0.95;

struct group {
    struct group_file file;
    struct order order;
    struct node node;
    struct records records;
    struct json *hosts;
    struct group_signals signals;
    int epoll_fd;
    struct meeting_point meeting;
    int port_fd;          /* holds its port */
    struct far_nodes far; /* where it has several nodes */
    struct error far_why;
    pid_t parent;
    int told;       /* the signal that told us to end; 0: none */
    bool abandoned; /* whoever started us is gone: nothing is owed to anybody */
    bool failed;    /* 'end' says how: the first that did */
    struct group_end end;
};

/* --- what the node tells --- */

static void keep_failure (struct group *group, const struct group_end *end)
{
    if (group->failed || group->told)
        return;
    group->failed = true;
    group->end = *end;
    group->end.message = xstrdup (end->message ? end->message : "");
    group->end.lost_node = end->lost_node ? xstrdup (end->lost_node) : NULL;
}

static void on_ended (void *arg, size_t part, const struct group_end *end)
{
    struct group *group = arg;
    bool ok = group_end_ok (end);

    if (!ok)
        keep_failure (group, end);
    order_ended (&group->order, part, ok, end->partly, clock_mono_s ());
}

static void on_reported (void *arg, const char *name, struct json *report)
{
    struct group *group = arg;
    struct error why = ERROR_INIT;

    if (records_add (&group->records, name, report, clock_wall_s (), &why) < 0)
        node_note (&group->node, name, why.text);
}

/* A node is gone: the task is, with it. */
static void on_lost (void *arg, size_t node, const char *name, const char *why)
{
    struct group *group = arg;
    const struct group_end end = { .outcome = OUTCOME_NODE_FAILURE,
                                   .exit_code = -1,
                                   .lost_node = (char *)name,
                                   .message = (char *)why };

    keep_failure (group, &end);
    order_lost (&group->order, node, clock_mono_s ());
}

/* --- signals --- */

static void on_child (void *arg, pid_t pid, int status)
{
    struct group *group = arg;

    if (pid == group->far.pid)
        far_nodes_reaped (&group->far, status);
    else
        node_reaped (&group->node, pid, status);
}

static void on_signal (void *arg, int signal)
{
    struct group *group = arg;

    if (getppid () != group->parent)
        group->abandoned = true;
    if (!group->told)
        group->told = signal;
    order_stop (&group->order, clock_mono_s ());
}

/* --- running --- */

/* A step begins where its part is. */
static void start_part (struct group *group, size_t part)
{
    size_t node = group->order.parts[part].node;

    if (node == 0)
        node_start (&group->node, part, group->order.phase);
    else
        far_nodes_begin (&group->far, node, part, group->order.phase);
}

static void start_what_is_next (struct group *group)
{
    size_t part;

    while (order_take (&group->order, clock_mono_s (), &part))
        start_part (group, part);
}

static void run_parts (struct group *group)
{
    for (;;) {
        int signal;

        start_what_is_next (group);
        if (group->order.phase == PHASE_OVER || group->abandoned)
            return;
        watch_wait (group->epoll_fd, fmin (order_due_s (&group->order),
                                           node_due_s (&group->node)));
        signal = order_push (&group->order, clock_mono_s ());
        if (signal) {
            node_signal (&group->node, signal);
            far_nodes_signal (&group->far, signal);
        }
        node_report (&group->node, clock_mono_s ());
    }
}

/* The processes on the other nodes are there, or fail to come.  -1 with the
 * failure kept, or when told to end.
 */
static int meet_far_nodes (struct group *group)
{
    struct error *why = &group->far_why;
    double end_s = clock_mono_s () + meet_s;

    if (!group->file.group.nodes[1])
        return 0;
    if (far_nodes_start (&group->far, why) < 0)
        group->far.failed = true;
    while (!group->far.failed && !group->told
           && !far_nodes_are_ready (&group->far) && clock_mono_s () < end_s)
        watch_wait (group->epoll_fd, end_s);
    if (far_nodes_are_ready (&group->far) && !group->told)
        return 0;
    if (!group->far.failed)
        error_set (why,
                   "%zu of %zu nodes were not connected after %g s; see what "
                   "`agents:` of the profile starts",
                   group->far.wanted - 1 - group->far.n_ready,
                   group->far.wanted, meet_s);
    keep_failure (group, &(struct group_end){ .machine_error = true,
                                              .exit_code = -1,
                                              .message = why->text });
    return -1;
}

/* They end in good order, if they do so in time. */
static void part_with_far_nodes (struct group *group)
{
    double end_s = clock_mono_s () + part_s;

    if (group->order.stopping)
        end_s = fmin (end_s,
                      group->order.stop_s + for_goodbyes * group->file.grace_s);
    far_nodes_finish (&group->far);
    while (!far_nodes_are_done (&group->far) && clock_mono_s () < end_s)
        watch_wait (group->epoll_fd, end_s);
    for (size_t i = 0; i < json_count (group->far.runs); i++)
        json_push (group->node.runs, json_ref (json_at (group->far.runs, i)));
}

static void join_params (struct group *group)
{
    struct error why = ERROR_INIT;
    struct group_end end = { .exit_code = -1, .message = why.text };

    switch (params_join (&group->file.group, &why)) {
    case PARAMS_OK:
        return;
    case PARAMS_BAD:
        end.outcome = OUTCOME_BAD_OUTPUT;
        break;
    case PARAMS_FAILED:
        end.machine_error = true;
        break;
    }
    keep_failure (group, &end);
}

/* --- its end --- */

static struct json *describe_nodes (const struct group *group)
{
    struct json *nodes = json_array ();

    for (size_t i = 0; group->file.group.nodes[i]; i++) {
        struct json *v = json_object ();

        json_set (v, "name", json_string (group->file.group.nodes[i]));
        json_set (v, "host", json_ref (json_at (group->hosts, i)));
        json_push (nodes, v);
    }
    return nodes;
}

static int write_end (struct group *group, struct error *err)
{
    struct json *run = json_object ();
    _cleanup_json_ struct json *v = NULL;

    json_set (run, "nodes", describe_nodes (group));
    json_set (run, "programs", json_ref (group->node.runs));
    if (group->records.last)
        json_set (run, "report", json_ref (group->records.last));
    group->end.run = run;
    v = group_end_to_json (&group->end);
    return json_write_file (GROUP_END_FILE, v, err);
}

static int exit_status (const struct group *group)
{
    if (group->told)
        return 128 + group->told;
    if (!group->failed)
        return 0;
    if (group->end.signal)
        return 128 + group->end.signal;
    return group->end.exit_code > 0 ? group->end.exit_code : 1;
}

static struct json *this_host (void)
{
    char host[256] = "unknown";
    struct json *hosts = json_array ();

    gethostname (host, sizeof (host) - 1);
    json_push (hosts, json_string (host));
    return hosts;
}

static int run_here (struct group *group, struct error *err)
{
    struct error why = ERROR_INIT;

    group->hosts = meet_far_nodes (group) == 0 && group->far.hosts
                       ? json_ref (group->far.hosts)
                       : this_host ();
    group->node =
        (struct node){ .file = &group->file,
                       .hosts = group->hosts,
                       .meeting = group->far.hosts ? group->far.meeting
                                                   : group->meeting,
                       .epoll_fd = group->epoll_fd,
                       .log_fd = STDOUT_FILENO,
                       .events = { on_ended, on_reported, group },
                       .workspace = WORKSPACE_INIT,
                       .slots = SLOTS_INIT };
    order_init (&group->order, &group->file.group, group->file.grace_s);
    if (!group->failed && !group->told
        && node_init (&group->node, &group->signals.interrupts, &why) < 0)
        keep_failure (group, &(struct group_end){ .machine_error = true,
                                                  .exit_code = -1,
                                                  .message = why.text });
    if (!group->failed && !group->told) {
        run_parts (group);
        part_with_far_nodes (group);
        if (!group->failed && !group->told)
            join_params (group);
    }
    return group->abandoned ? 0 : write_end (group, err);
}

static int read_group_file (struct group_file *file, struct error *err)
{
    _cleanup_json_ struct json *v = json_read_file (GROUP_FILE, err);
    int rc = v ? group_file_from_json (v, file, err) : -1;

    if (v && rc < 0)
        error_prefix (err, GROUP_FILE);
    return rc;
}

int group_run (int *status, struct error *err)
{
    struct group group = { .file = GROUP_FILE_INIT,
                           .records = RECORDS_INIT,
                           .epoll_fd = -1,
                           .port_fd = -1,
                           .meeting.address = "127.0.0.1",
                           .signals = GROUP_SIGNALS_INIT,
                           .parent = getppid (),
                           .end = GROUP_END_INIT };
    char dir[PATH_MAX];
    int rc = read_group_file (&group.file, err);

    if (rc == 0 && !getcwd (dir, sizeof (dir)))
        rc = error_errno (err, "the working directory is gone");
    if (rc == 0 && (group.epoll_fd = watch_open (err)) < 0)
        rc = -1;
    if (rc == 0 && (group.meeting.port = port_take (&group.port_fd, err)) < 0)
        rc = -1;
    if (rc == 0)
        rc = group_signals_take (&group.signals, group.epoll_fd, on_child,
                                 on_signal, &group, err);
    if (rc == 0) {
        group.far =
            (struct far_nodes){ .file = &group.file,
                                .dir = dir,
                                .epoll_fd = group.epoll_fd,
                                .log_fd = STDOUT_FILENO,
                                .meeting = group.meeting,
                                .events = { { on_ended, on_reported, &group },
                                            on_lost },
                                .why = &group.far_why };
        rc = run_here (&group, err);
        *status = exit_status (&group);
        far_nodes_release (&group.far);
        node_release (&group.node);
        order_release (&group.order);
    }
    group_signals_release (&group.signals);
    file_close (group.epoll_fd);
    file_close (group.port_fd);
    records_release (&group.records);
    group_end_release (&group.end);
    json_unref (group.hosts);
    group_file_release (&group.file);
    return rc;
}
