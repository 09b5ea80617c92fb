/* SPDX-License-Identifier: BSD-3-Clause */
/* task_processes.c - the processes of a task */
#include "base/base.h"

#include <signal.h>
#include <unistd.h>

#include "agent/mps.h"
#include "agent/orphan_processes.h"
#include "agent/task.h"
#include "agent/task_processes.h"
#include "agent/worker_task.h"
#include "base/file.h"
#include "base/process.h"
#include "placement/slots.h"

static const size_t children_bytes_max = 1 << 24;

/* Append the children of one thread. */
static int thread_children (const char *thread_dir, struct strvec *pids)
{
    _cleanup_free_ char *path = path_join (thread_dir, "children");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = file_read (path, children_bytes_max, &text, NULL);

    if (rc == 0)
        strvec_split (pids, text.buf, " ");
    return rc;
}

int own_children (struct strvec *pids)
{
    return thread_children ("/proc/thread-self", pids);
}

static void add_children (const char *pid, struct strvec *pids)
{
    _cleanup_free_ char *dir = xasprintf ("/proc/%s/task", pid);
    _cleanup_ (strvec_release) struct strvec threads = STRVEC_INIT;

    file_list_dir (dir, &threads, NULL);
    for (size_t i = 0; i < threads.n; i++) {
        _cleanup_free_ char *thread = path_join (dir, threads.v[i]);

        (void)thread_children (thread, pids);
    }
}

static void add_orphans (pid_t leader, const char *tag, struct strvec *pids)
{
    _cleanup_ (strvec_release) struct strvec children = STRVEC_INIT;

    own_children (&children);
    for (size_t i = 0; i < children.n; i++) {
        pid_t pid = (pid_t)atoi (children.v[i]);

        if (pid != leader
            && (getpgid (pid) == leader || process_is_tagged (pid, tag)))
            strvec_push (pids, children.v[i]);
    }
}

size_t task_processes (pid_t leader, const char *tag, bool orphans,
                       struct strvec *pids)
{
    size_t first = pids->n;
    size_t most = 0;

    strvec_pushf (pids, "%d", (int)leader);
    if (orphans)
        add_orphans (leader, tag, pids);
    for (size_t i = first; i < pids->n; i++) {
        size_t before = pids->n;

        add_children (pids->v[i], pids);
        if (pids->n - before > most)
            most = pids->n - before;
    }
    return most;
}

void task_leave_mps (const struct task *task, pid_t leader, const char *tag)
{
    struct mps *const *mps = task->element->mps;
    _cleanup_ (strvec_release) struct strvec pids = STRVEC_INIT;

    while (mps && *mps && strcmp ((*mps)->device, task->slot->gpus) != 0)
        mps++;
    if (!mps || !*mps)
        return;
    task_processes (leader, tag, true, &pids);
    mps_terminate (*mps, &pids);
}

void task_kill (const struct task *task)
{
    task_leave_mps (task, task->pid, task->tag);
    kill (-task->pid, SIGKILL);
}

void task_kill_orphan_processes (struct task *task, int others)
{
    if (task->worker.pid > 0)
        return; /* they are the worker's, which goes on */
    if (is_worker_task (task) ? !worker_task_may_leave (task, others)
                              : !orphan_processes_possible (others))
        return;
    task->log_shared = true;
    task_leave_mps (task, task->pid, task->tag);
    orphan_processes_kill (task->tag);
    if (others == 0 && orphan_processes_possible (0))
        orphan_processes_kill_orphans ();
}
