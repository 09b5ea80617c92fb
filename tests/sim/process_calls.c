/* SPDX-License-Identifier: BSD-3-Clause */
/* process_calls.c - calls about processes, signals and the machine
 *
 * See calls.c.  Where a function of the program itself is led here, what it
 * does (start a program, read the machine's topology) is beyond this world.
 */
#include "base/base.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/process.h"
#include "calls.h"
#include "disk.h"
#include "faults.h"
#include "placement/slots.h"
#include "task_process.h"
#include "world.h"

/* However short a wait: time goes on. */
static const double call_s = 1e-5;

static struct process *me (void)
{
    return world_of_calls ()->current;
}

pid_t __wrap_getpid (void)
{
    return me () ? me ()->pid : 1;
}

/* Only of processes on the same host; a tick is a hundredth of a second. */
unsigned long long __wrap_process_start_ticks (pid_t pid)
{
    const struct process *p = world_of_calls ()->processes;

    for (; p; p = p->next) {
        if (p->pid == pid && !p->dead && me () && p->host == me ()->host)
            return 1 + (unsigned long long)(p->started_s * 100);
    }
    return 0;
}

/* --- signals --- */

int __wrap_sigprocmask (int how, const sigset_t *set, sigset_t *before)
{
    (void)how;
    (void)set;
    if (before)
        sigemptyset (before);
    return 0;
}

int __wrap_sigaction (int sig, const struct sigaction *action,
                      struct sigaction *before)
{
    (void)sig;
    (void)action;
    (void)before;
    return 0;
}

static int take_signal (struct process *p, const sigset_t *set)
{
    for (int sig = 1; sig < 64; sig++) {
        if ((p->signals >> sig & 1) && sigismember (set, sig) == 1) {
            p->signals &= ~((uint64_t)1 << sig);
            return sig;
        }
    }
    return 0;
}

int __wrap_sigtimedwait (const sigset_t *set, siginfo_t *info,
                         const struct timespec *timeout)
{
    struct process *p = me ();
    int sig = take_signal (p, set);

    (void)info;
    if (sig == 0 && !p->dead) {
        double s = (double)timeout->tv_sec + 1e-9 * (double)timeout->tv_nsec;

        p->waits_for_signal = true;
        world_pause (world_of_calls (), s + call_s);
        p->waits_for_signal = false;
        sig = take_signal (p, set);
    }
    if (sig > 0)
        return sig;
    errno = EAGAIN;
    return -1;
}

int __wrap_prctl (int option, ...)
{
    (void)option;
    return 0;
}

int __wrap_kill (pid_t pid, int sig)
{
    if (!me ()->dead)
        task_process_kill (me (), pid < 0 ? -pid : pid, sig);
    return 0;
}

/* --- programs --- */

pid_t __wrap_waitpid (pid_t pid, int *status, int options)
{
    pid_t reaped;

    (void)options;                      /* who is waited for has been killed */
    if (me ()->dead && me ()->children) /* and so have a dead one's */
        task_processes_kill (me ());
    reaped = task_process_reap (me (), pid, status);
    if (reaped < 0)
        errno = ECHILD;
    return reaped;
}

pid_t __wrap_wait4 (pid_t pid, int *status, int options, struct rusage *usage)
{
    memset (usage, 0, sizeof (*usage));
    return __wrap_waitpid (pid, status, options);
}

pid_t __wrap_spawn (const struct spawn *spec, struct error *err)
{
    if (me ()->dead)
        return error_set (err, "no process can be had");
    return task_process_start (world_of_calls (), spec);
}

static void write_json (const char *dir, const char *name, struct json *v)
{
    char *path = path_join (dir, name);
    struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_COMPACT, &text);
    disk_put (world_of_calls ()->disk, path, text.buf);
    strbuf_release (&text);
    json_unref (v);
    free (path);
}

/* The artifact `data` of collect. */
static void write_data (const char *dir, const struct json *task,
                        const struct json *value)
{
    char *path =
        path_join (dir, json_get_string (json_get (task, "outputs"), "data"));
    char *frame = task_frame (value);

    disk_put (world_of_calls ()->disk, path, frame);
    free (frame);
    free (path);
}

/* `prepare` makes {"scale": [...]}, `collect` {"total": ...} and frames: what
 * follows from their task.json.
 */
static void play_step (const char *step, const char *dir)
{
    struct json *task = task_json_read (world_of_calls ()->disk, dir);
    struct json *made = json_object ();

    if (strcmp (step, "prepare") == 0) {
        struct json *value = task_value (1, json_get (task, "inputs"));
        struct json *list = json_array ();
        int64_t n = 1 + json_as_int (value) % 5;

        for (int64_t i = 0; i < n; i++)
            json_push (list, json_int (i));
        json_set (made, "scale", list);
        json_unref (value);
        write_json (dir, "slices.json", made);
    } else {
        json_set (made, "total", task_value (1, json_get (task, "stacked")));
        write_data (dir, task, json_get (made, "total"));
        write_json (dir, "params.json", made);
    }
    json_unref (task);
}

/* A program that tells an event has begun, which its file is named by. */
static void note_told (struct world *world, const struct process_spec *spec)
{
    const char *id = path_base (spec->stdin_path);

    if (!world->told)
        world->told = json_object ();
    json_set (world->told, id, json_int (json_get_int (world->told, id) + 1));
}

int __wrap_process_run (const struct process_spec *spec,
                        struct process_result *result, struct error *err)
{
    struct world *world = world_of_calls ();
    int seconds = (int)faults_pick (world->faults, 20);

    bool tells = strcmp (spec->argv[0], "tell") == 0;

    (void)err;
    if (tells)
        note_told (world, spec);
    for (int s = 0; s < seconds && !me ()->dead; s++) {
        world_pause (world, 1);
        heartbeat_send (&spec->heartbeat);
    }
    result->started = true;
    result->exit_code = faults_strike (world->faults, FAULT_STEP_FAILS);
    if (me ()->dead)
        result->exit_code = 1;
    else if (result->exit_code == 0 && !tells)
        play_step (spec->argv[0], spec->cwd);
    return 0;
}

bool __wrap_orphan_processes_possible (int n_known)
{
    (void)n_known;
    return false;
}

void __wrap_orphan_processes_kill (const char *tag)
{
    (void)tag;
}

/* Nothing is left by tasks here; what was ended is reaped. */
void __wrap_orphan_processes_kill_orphans (void)
{
    while (__wrap_waitpid (-1, NULL, WNOHANG) > 0)
        continue;
}

/* --- the machine --- */

int __wrap_slots_cut (const struct element_wish *wish, struct slots *slots,
                      struct error *err)
{
    size_t n = wish->tasks.tasks > 0 ? (size_t)wish->tasks.tasks : 1;

    (void)err;
    *slots = (struct slots){ xcalloc (n, sizeof (*slots->v)), n,
                             wish->tasks.cores, GPUS_INIT, false };
    for (size_t i = 0; i < n; i++)
        slots->v[i] = (struct slot){ .cpus = xstrdup (""),
                                     .gpus = xstrdup (""),
                                     .memory = xstrdup (""),
                                     .env = STRVEC_INIT };
    return 0;
}

int __wrap_cpu_list_of_process (pid_t pid, struct strbuf *out)
{
    (void)pid;
    strbuf_add_str (out, "0");
    return 0;
}

/* Always as many: nothing is killed for want of memory. */
char *__wrap_oom_kills_file (const char *self_cgroup, const char *cgroup_mount)
{
    (void)self_cgroup;
    (void)cgroup_mount;
    return NULL;
}

/* No program asks for TMPDIR. */
char *__wrap_short_path_make (const char *dir)
{
    (void)dir;
    return NULL;
}

int64_t __wrap_oom_kills (const char *file)
{
    (void)file;
    return 0;
}
