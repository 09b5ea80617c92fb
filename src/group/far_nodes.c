/* SPDX-License-Identifier: BSD-3-Clause */
/* far_nodes.c - the other nodes of a group, as seen from the first one */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/spawn.h"
#include "group/far_nodes.h"
#include "group/stream.h"
#include "group/wire.h"
#include "handover/group_file.h"
#include "handover/node_name.h"
#include "signature/template.h"

struct far_node {
    struct far_nodes *all;
    struct wire wire;
    char *host;   /* NULL: it has not said who it is */
    char *name;   /* the scheduler's for it; NULL: not told */
    size_t index; /* among the group's nodes; 0: none (yet) */
    bool ready, done;
};

static void give_up (struct far_nodes *nodes, const char *why)
{
    if (nodes->failed)
        return;
    nodes->failed = true;
    error_set (nodes->why, "%s", why);
}

static const char *name_of (const struct far_node *node)
{
    return node->all->file->group.nodes[node->index];
}

/* --- who they are --- */

static bool knows_the_secret (const struct far_nodes *nodes,
                              const struct json *message)
{
    const char *said = json_get_string (message, "hello");

    return strlen (said) == NODES_SECRET_HALF
           && memcmp (said, nodes->secret, NODES_SECRET_HALF) == 0;
}

static void assign (struct far_node *node, size_t index)
{
    struct json *message = json_object ();

    node->index = index;
    json_push (node->all->hosts, json_string (node->host));
    json_set (message, "secret",
              json_string (node->all->secret + NODES_SECRET_HALF));
    json_set (message, "node", json_int ((int64_t)index));
    wire_send (&node->wire, message);
}

static void let_go (struct far_node *node)
{
    struct json *message = json_object ();

    node->done = true;
    json_set (message, "secret",
              json_string (node->all->secret + NODES_SECRET_HALF));
    json_set (message, "node", json_null ());
    wire_send (&node->wire, message);
}

static size_t count_known (const struct far_nodes *nodes)
{
    size_t n = 0;

    for (size_t i = 0; i < nodes->n; i++)
        n += nodes->v[i]->host != NULL;
    return n;
}

/* The one on this host; where hosts have no names of their own the first. */
static size_t find_here (const struct far_nodes *nodes, const char *host)
{
    size_t first = nodes->n;

    for (size_t i = nodes->n; i-- > 0;) {
        if (!nodes->v[i]->host)
            continue;
        first = i;
        if (strcmp (nodes->v[i]->host, host) == 0)
            return i;
    }
    return first;
}

static int compare_hosts (const void *a, const void *b)
{
    const struct far_node *left = *(struct far_node *const *)a;
    const struct far_node *right = *(struct far_node *const *)b;

    if (!left->host || !right->host)
        return (left->host == NULL) - (right->host == NULL);
    return strcmp (left->host, right->host);
}

/* All have said who they are: by their hosts' names, so that the same hosts are
 * the same nodes each time.
 */
static void assign_all (struct far_nodes *nodes)
{
    char host[256] = "unknown";
    size_t here, index = 1;
    struct json *hosts = json_array ();

    gethostname (host, sizeof (host) - 1);
    qsort (nodes->v, nodes->n, sizeof (struct far_node *), compare_hosts);
    here = find_here (nodes, host);
    json_push (hosts, json_string (host));
    nodes->hosts = hosts;
    for (size_t i = 0; i < nodes->n; i++) {
        if (!nodes->v[i]->host)
            continue;
        if (i == here) {
            let_go (nodes->v[i]);
            continue;
        }
        wire_own_address (&nodes->v[i]->wire, nodes->meeting.address);
        assign (nodes->v[i], index++);
    }
    for (size_t i = 0; i < nodes->n; i++) {
        struct json *message = json_object ();

        json_set (message, "hosts", json_deep_copy (hosts));
        json_set (message, "address", json_string (nodes->meeting.address));
        json_set (message, "port", json_int (nodes->meeting.port));
        if (nodes->v[i]->index > 0)
            wire_send (&nodes->v[i]->wire, message);
        else
            json_unref (message);
    }
}

static void meet (struct far_node *node, const struct json *message)
{
    struct far_nodes *nodes = node->all;

    if (!knows_the_secret (nodes, message) || nodes->hosts) {
        wire_release (&node->wire); /* a stranger, or one too many */
        return;
    }
    node->host = xstrdup (json_get_string (message, "host"));
    if (is_node_name (json_get_string (message, "node")))
        node->name = xstrdup (json_get_string (message, "node"));
    if (count_known (nodes) == nodes->wanted)
        assign_all (nodes);
}

/* --- what they tell --- */

/* Its name.  A launcher that hands this node's on tells of no other. */
static const char *node_name_elsewhere (const struct far_node *node)
{
    const char *here = node_name_of_script ();

    return node->name && here && strcmp (node->name, here) == 0 ? NULL
                                                                : node->name;
}

static void is_lost (struct far_node *node)
{
    struct far_nodes *nodes = node->all;
    _cleanup_free_ char *why = NULL;

    if (!node->host || node->done)
        return;
    node->done = true;
    nodes->n_done += node->index > 0;
    why =
        node->index > 0
            ? xasprintf ("node '%s' (%s) was lost", name_of (node), node->host)
            : xasprintf ("the process on %s was lost", node->host);
    if (far_nodes_are_ready (nodes))
        nodes->events.lost (nodes->events.node.arg, node->index,
                            node_name_elsewhere (node), why);
    else
        give_up (nodes, why);
}

static void take_end (struct far_node *node, const struct json *message)
{
    const struct node_events *events = &node->all->events.node;
    _cleanup_ (group_end_release) struct group_end end = GROUP_END_INIT;
    int64_t part = json_get_int (message, "ended");

    if (group_end_from_json (json_get (message, "end"), &end, NULL) < 0)
        end.exit_code = -1;
    events->ended (events->arg, (size_t)part, &end);
}

static void take_done (struct far_node *node, const struct json *message)
{
    struct far_nodes *nodes = node->all;
    const struct json *runs = json_get (message, "done");

    node->done = true;
    nodes->n_done++;
    for (size_t i = 0; i < json_count (runs); i++)
        json_push (nodes->runs, json_ref (json_at (runs, i)));
}

static void on_told (void *arg, const struct json *message)
{
    struct far_node *node = arg;
    const struct node_events *events = &node->all->events.node;

    if (!message) {
        is_lost (node);
    } else if (!node->host) {
        meet (node, message);
    } else if (json_get (message, "ready")) {
        node->all->n_ready += !node->ready;
        node->ready = true;
    } else if (json_get (message, "failed")) {
        give_up (node->all, json_get_string (message, "failed"));
    } else if (json_get (message, "ended")) {
        take_end (node, message);
    } else if (json_get (message, "report")) {
        events->reported (events->arg, json_get_string (message, "name"),
                          json_get (message, "report"));
    } else if (json_get (message, "done")) {
        take_done (node, message);
    }
}

static void on_connection (void *arg)
{
    struct far_nodes *nodes = arg;
    struct far_node *node;
    int fd = accept4 (nodes->listener.fd, NULL, NULL, SOCK_CLOEXEC);

    if (fd < 0)
        return;
    node = xcalloc (1, sizeof (*node));
    node->all = nodes;
    if (wire_init (&node->wire, nodes->epoll_fd, fd, on_told, node, NULL) < 0) {
        free (node);
        return;
    }
    nodes->v = xrealloc (nodes->v, (nodes->n + 1) * sizeof (struct far_node *));
    nodes->v[nodes->n++] = node;
}

/* --- starting them --- */

/* Only this user may read it, and it is there as a whole. */
static int write_nodes_file (const struct far_nodes *nodes, int port,
                             struct error *err)
{
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int fd, rc = -1;

    json_set (v, "addresses", wire_addresses ());
    json_set (v, "port", json_int (port));
    json_set (v, "secret", json_string (nodes->secret));
    json_dump (v, JSON_PRETTY, &text);
    fd = file_open (NODES_FILE ".new", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd >= 0)
        rc = file_write_all (fd, text.buf, text.len, NULL);
    if (rc == 0)
        rc = file_sync (fd, NODES_FILE, err);
    if (rc == 0)
        rc = rename (NODES_FILE ".new", NODES_FILE);
    if (rc < 0)
        error_errno (err, "cannot write '" NODES_FILE "'");
    file_close (fd);
    return rc;
}

static int make_argv (const struct far_nodes *nodes, struct strvec *argv,
                      struct error *err)
{
    struct json *on_nodes = json_get (nodes->file->values, "on_nodes");
    _cleanup_json_ struct json *values = json_object ();
    int rc = -1;

    json_set (values, "nodes", json_int ((int64_t)nodes->wanted));
    json_set (values, "on_nodes",
              on_nodes ? json_ref (on_nodes) : json_array ());
    if (!nodes->file->agents)
        error_set (err, "nothing is known that starts a process on each node; "
                        "write `agents:` into the profile");
    else
        rc = template_expand_argv (nodes->file->agents, values, argv, err);
    strvec_push (argv, json_get_string (nodes->file->values, "fanfold"));
    strvec_push (argv, "group");
    strvec_push (argv, "--node");
    strvec_push (argv, nodes->dir);
    return rc;
}

static int spawn_agents (struct far_nodes *nodes, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    struct spawn spec = { .death_signal = SIGKILL };
    int writer, rc = -1;

    if (make_argv (nodes, &argv, err) < 0)
        return -1;
    nodes->stream =
        stream_open (nodes->epoll_fd, "", nodes->log_fd, 0, &writer, err);
    if (!nodes->stream)
        return -1;
    spec.argv = (const char *const *)argv.v;
    spec.out_fd = spec.err_fd = writer;
    nodes->pid = spawn (&spec, err);
    close (writer);
    rc = nodes->pid > 0 ? 0 : error_prefix (err, "agents: '%s'", argv.v[0]);
    if (rc < 0)
        nodes->pid = 0;
    return rc;
}

int far_nodes_start (struct far_nodes *nodes, struct error *err)
{
    int port = 0;

    while (nodes->file->group.nodes[nodes->wanted])
        nodes->wanted++;
    nodes->runs = json_array ();
    random_token (nodes->secret, sizeof (nodes->secret) - 1);
    nodes->listener = (struct watch){ -1, on_connection, nodes };
    nodes->listener.fd = wire_listen (&port, err);
    if (nodes->listener.fd < 0
        || watch_begin (nodes->epoll_fd, &nodes->listener, err) < 0
        || write_nodes_file (nodes, port, err) < 0)
        return -1;
    return spawn_agents (nodes, err);
}

void far_nodes_reaped (struct far_nodes *nodes, int status)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

    nodes->pid = 0;
    stream_drain (nodes->stream);
    strbuf_add_str (&why, "what starts a process on each node (agents:) ");
    if (WIFSIGNALED (status))
        strbuf_addf (&why, "was killed by signal %d", WTERMSIG (status));
    else
        strbuf_addf (&why, "exited with status %d", WEXITSTATUS (status));
    strbuf_addf (&why, " before they were connected; its last line: '%s'",
                 nodes->stream->lines.last);
    if (!far_nodes_are_ready (nodes))
        give_up (nodes, why.buf);
}

bool far_nodes_are_ready (const struct far_nodes *nodes)
{
    return nodes->wanted > 0 && nodes->n_ready + 1 == nodes->wanted;
}

/* --- what they are told --- */

void far_nodes_begin (struct far_nodes *nodes, size_t node, size_t part,
                      enum group_phase phase)
{
    _cleanup_json_ struct json *message = json_object ();

    json_set (message, "part", json_int ((int64_t)part));
    json_set (message, "phase", json_int (phase));
    for (size_t i = 0; i < nodes->n; i++) {
        if (nodes->v[i]->index == node)
            wire_send (&nodes->v[i]->wire, json_ref (message));
    }
}

static void tell_all (struct far_nodes *nodes, const char *key, int value)
{
    for (size_t i = 0; i < nodes->n; i++) {
        struct json *message = json_object ();

        json_set (message, key, json_int (value));
        if (nodes->v[i]->index > 0)
            wire_send (&nodes->v[i]->wire, message);
        else
            json_unref (message);
    }
}

void far_nodes_signal (struct far_nodes *nodes, int signal)
{
    tell_all (nodes, "signal", signal);
}

void far_nodes_finish (struct far_nodes *nodes)
{
    tell_all (nodes, "finish", 1);
}

bool far_nodes_are_done (const struct far_nodes *nodes)
{
    return nodes->wanted == 0 || nodes->n_done + 1 >= nodes->wanted;
}

void far_nodes_release (struct far_nodes *nodes)
{
    if (nodes->pid > 0) {
        kill (-nodes->pid, SIGKILL);
        TEMP_FAILURE_RETRY (waitpid (nodes->pid, NULL, 0));
    }
    for (size_t i = 0; i < nodes->n; i++) {
        wire_release (&nodes->v[i]->wire);
        free (nodes->v[i]->host);
        free (nodes->v[i]->name);
        free (nodes->v[i]);
    }
    if (nodes->wanted > 0)
        file_close (nodes->listener.fd);
    stream_destroy (nodes->stream);
    free (nodes->v);
    json_unref (nodes->hosts);
    json_unref (nodes->runs);
}
