/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c - run a group: programs that run together as one task */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "group/group.h"
#include "group/node.h"
#include "group/order.h"
#include "group/params.h"
#include "group/records.h"
#include "group/watch.h"
#include "handover/group_file.h"

struct group {
    struct group_file file;
    struct order order;
    struct node node;
    struct records records;
    struct json *hosts;
    sigset_t interrupts; /* blocked, with SIGCHLD */
    struct watch signals;
    int epoll_fd;
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
}

static void on_ended (void *arg, size_t part, const struct group_end *end)
{
    struct group *group = arg;
    bool ok = group_end_ok (end);

    if (!ok)
        keep_failure (group, end);
    order_ended (&group->order, part, ok, clock_mono_s ());
}

static void on_reported (void *arg, const char *name, struct json *report)
{
    struct group *group = arg;
    struct error why = ERROR_INIT;

    if (records_add (&group->records, name, report, clock_wall_s (), &why) < 0)
        node_note (&group->node, name, why.text);
}

/* --- signals --- */

static void on_signal (void *arg)
{
    struct group *group = arg;
    struct signalfd_siginfo info;

    if (read (group->signals.fd, &info, sizeof (info)) != sizeof (info))
        return;
    if (info.ssi_signo == SIGCHLD) {
        node_reap (&group->node);
        return;
    }
    if (getppid () != group->parent)
        group->abandoned = true;
    if (!group->told)
        group->told = (int)info.ssi_signo;
    order_stop (&group->order, clock_mono_s ());
}

static int take_signals (struct group *group, struct error *err)
{
    static const int interrupts[] = { SIGTERM, SIGINT, SIGHUP };
    sigset_t all;

    sigemptyset (&group->interrupts);
    for (size_t i = 0; i < ARRAY_SIZE (interrupts); i++)
        sigaddset (&group->interrupts, interrupts[i]);
    all = group->interrupts;
    sigaddset (&all, SIGCHLD);
    sigprocmask (SIG_BLOCK, &all, NULL);
    group->epoll_fd = watch_open (err);
    if (group->epoll_fd < 0)
        return -1;
    group->signals =
        (struct watch){ signalfd (-1, &all, SFD_CLOEXEC | SFD_NONBLOCK),
                        on_signal, group };
    if (group->signals.fd < 0)
        return error_errno (err, "cannot wait for signals");
    return watch_begin (group->epoll_fd, &group->signals, err);
}

/* --- running --- */

static void start_what_is_next (struct group *group)
{
    size_t part;

    while (order_take (&group->order, clock_mono_s (), &part))
        node_start (&group->node, part, group->order.phase);
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
        if (signal)
            node_signal (&group->node, signal);
        node_report (&group->node, clock_mono_s ());
    }
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
    struct json *v;
    int rc;

    json_set (run, "nodes", describe_nodes (group));
    json_set (run, "programs", json_ref (group->node.runs));
    if (group->records.last)
        json_set (run, "report", json_ref (group->records.last));
    group->end.run = run;
    v = group_end_to_json (&group->end);
    rc = json_write_file (GROUP_END_FILE, v, err);
    json_unref (v);
    return rc;
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

    group->hosts = this_host ();
    group->node = (struct node){ .file = &group->file,
                                 .hosts = group->hosts,
                                 .epoll_fd = group->epoll_fd,
                                 .log_fd = STDOUT_FILENO,
                                 .events = { on_ended, on_reported, group },
                                 .workspace = WORKSPACE_INIT,
                                 .slots = SLOTS_INIT };
    order_init (&group->order, &group->file.group, group->file.grace_s);
    if (node_init (&group->node, &group->interrupts, &why) < 0) {
        keep_failure (group, &(struct group_end){ .machine_error = true,
                                                  .exit_code = -1,
                                                  .message = why.text });
    } else {
        run_parts (group);
        if (!group->failed && !group->told)
            join_params (group);
    }
    return group->abandoned ? 0 : write_end (group, err);
}

static int read_group_file (struct group_file *file, struct error *err)
{
    struct json *v = json_read_file (GROUP_FILE, err);
    int rc = v ? group_file_from_json (v, file, err) : -1;

    if (v && rc < 0)
        error_prefix (err, GROUP_FILE);
    json_unref (v);
    return rc;
}

int group_run (int *status, struct error *err)
{
    struct group group = { .file = GROUP_FILE_INIT,
                           .records = RECORDS_INIT,
                           .epoll_fd = -1,
                           .signals = { .fd = -1 },
                           .parent = getppid (),
                           .end = GROUP_END_INIT };
    int rc = read_group_file (&group.file, err);

    if (rc == 0)
        rc = take_signals (&group, err);
    if (rc == 0) {
        rc = run_here (&group, err);
        *status = exit_status (&group);
        node_release (&group.node);
        order_release (&group.order);
    }
    file_close (group.signals.fd);
    file_close (group.epoll_fd);
    records_release (&group.records);
    group_end_release (&group.end);
    json_unref (group.hosts);
    group_file_release (&group.file);
    return rc;
}
