/* SPDX-License-Identifier: BSD-3-Clause */
/* mps.c - a private MPS daemon for a device that tasks share */
#include "base/base.h"

#include <unistd.h>

#include "agent/mps.h"
#include "agent/mps_supervisor.h"
#include "base/file.h"
#include "base/process.h"

/* Sockets lie below it, whose paths may be 108 bytes long. */
#define DIR_TEMPLATE "/tmp/fanfold-mps-XXXXXX"

static const double smi_deadline_s = 20;

/* The value of a setting in 'environment'; NULL: there is none. */
static const char *value_of (char *const *environment, const char *name)
{
    size_t len = strlen (name);

    for (; *environment; environment++) {
        if (strncmp (*environment, name, len) == 0
            && (*environment)[len] == '=')
            return *environment + len + 1;
    }
    return NULL;
}

/* The control program's, which has the device alone. */
static void set_env (struct mps *mps, char *const *environment)
{
    strvec_init (&mps->env);
    strvec_pushf (&mps->env, "CUDA_MPS_PIPE_DIRECTORY=%s/pipe", mps->dir);
    strvec_pushf (&mps->env, "CUDA_MPS_LOG_DIRECTORY=%s/log", mps->dir);
    strvec_push_all (&mps->env, environment);
    for (char **entry = environ; *entry; entry++) {
        if (strncmp (*entry, "CUDA_", 5) != 0)
            strvec_push (&mps->env, *entry);
    }
}

static int make_dirs (struct mps *mps, struct error *err)
{
    char template[] = DIR_TEMPLATE;
    _cleanup_free_ char *pipe_dir = NULL;
    _cleanup_free_ char *log_dir = NULL;

    if (!mkdtemp (template))
        return error_errno (err, "cannot make '%s'", template);
    mps->dir = xstrdup (template);
    pipe_dir = path_join (mps->dir, "pipe");
    log_dir = path_join (mps->dir, "log");
    return file_make_dirs (pipe_dir, err) < 0
                   || file_make_dirs (log_dir, err) < 0
               ? -1
               : 0;
}

static void release (struct mps *mps)
{
    strvec_release (&mps->env);
    free (mps->device);
    free (mps->dir);
    free (mps);
}

struct mps *mps_start (const char *device, char *const *environment,
                       struct error *err)
{
    struct mps *mps = xcalloc (1, sizeof (*mps));
    char *program = process_which (MPS_CONTROL, NULL);

    *mps = (struct mps){
        .device = xstrdup (device), .pipe = -1, .done = -1, .env = STRVEC_INIT
    };
    if (!program)
        error_set (err, "there is no '" MPS_CONTROL "' on PATH; see that "
                        "nodes have it, or remove gpu_sharing from the "
                        "profile");
    else if (make_dirs (mps, err) == 0) {
        set_env (mps, environment);
        if (mps_supervise (mps->dir, &mps->env, &mps->pipe, &mps->done, err)
            == 0) {
            free (program);
            return mps;
        }
    }
    free (program);
    error_prefix (err, "no MPS daemon for GPU %s", device);
    mps_stop (mps);
    return NULL;
}

void mps_stop (struct mps *mps)
{
    char byte;

    if (!mps)
        return;
    file_close (mps->pipe);
    while (mps->done >= 0 && (read (mps->done, &byte, 1) > 0 || errno == EINTR))
        errno = 0;
    file_close (mps->done);
    release (mps);
}

/* --- tasks --- */

/* Of the device, as NVIDIA's own program tells; 0: it does not. */
static int64_t device_mib (const struct mps *mps)
{
    const char *id = value_of (mps->env.v, "CUDA_VISIBLE_DEVICES");
    const char *argv[] = { "nvidia-smi",
                           "--query-gpu=memory.total",
                           "--format=csv,noheader,nounits",
                           "-i",
                           id ? id : "0",
                           NULL };
    const struct process_spec spec = { .argv = argv,
                                       .output_fd = -1,
                                       .capture_bytes = 4096,
                                       .deadline_s = smi_deadline_s };
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    int64_t mib = 0;

    if (process_run (&spec, &result, NULL) == 0 && process_succeeded (&result))
        mib = strtoll (result.out.buf, NULL, 10);
    return mib > 0 ? mib : 0;
}

/* The daemon shows its clients the one device that it has: where it was named
 * by a number, that is 0 for them.
 */
static void add_visible (const struct mps *mps, struct strvec *env)
{
    const char *id = value_of (mps->env.v, "CUDA_VISIBLE_DEVICES");

    if (id && *id && id[strspn (id, "0123456789")] == '\0')
        strvec_push (env, "CUDA_VISIBLE_DEVICES=0");
}

void mps_task_env (const struct mps *mps, int tasks, struct strvec *env)
{
    int64_t mib = device_mib (mps);

    add_visible (mps, env);
    strvec_push (env, mps->env.v[0]);
    strvec_push (env, mps->env.v[1]);
    strvec_pushf (env, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=%d", 100 / tasks);
    if (mib > 0)
        strvec_pushf (env, "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=%" PRId64 "M",
                      mib / tasks);
}

/* "terminate_client SERVER CLIENT" for each of 'pids' that the server has. */
static void add_clients (const struct mps *mps, const char *server,
                         const struct strvec *pids, struct strbuf *commands)
{
    _cleanup_ (strvec_release) struct strvec clients = STRVEC_INIT;
    _cleanup_free_ char *question = xasprintf ("get_client_list %s\n", server);

    (void)mps_control (mps->dir, &mps->env, question, &clients, NULL);
    for (size_t i = 0; i < clients.n; i++) {
        if (strvec_contains (pids, clients.v[i]))
            strbuf_addf (commands, "terminate_client %s %s\n", server,
                         clients.v[i]);
    }
}

void mps_terminate (const struct mps *mps, const struct strvec *pids)
{
    _cleanup_ (strvec_release) struct strvec servers = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf commands = STRBUF_INIT;

    (void)mps_control (mps->dir, &mps->env, "get_server_list\n", &servers,
                       NULL);
    for (size_t i = 0; i < servers.n; i++)
        add_clients (mps, servers.v[i], pids, &commands);
    if (commands.len > 0)
        (void)mps_control (mps->dir, &mps->env, commands.buf, NULL, NULL);
}
