/* SPDX-License-Identifier: BSD-3-Clause */
/* worker_task.c - a task whose body is a worker */
#include "base/base.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/orphan_processes.h"
#include "agent/task.h"
#include "agent/task_processes.h"
#include "agent/worker_task.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/spawn.h"
#include "handover/group_file.h"
#include "handover/worker_message.h"

/* One that closed its input or output may be about to exit. */
static const double exit_s = 1;

static const double wait_s_max = 2;

/* What one worker writes is not to keep the agent from the others. */
enum { MESSAGES_AT_ONCE = 64, STAT_BYTES = 4096 };

bool is_worker_task (const struct task *task)
{
    return task->element->assignment->stage.worker;
}

char *worker_task_dir (const struct task *task)
{
    return xasprintf ("%s/" LAYOUT_WORKER, task->element->work_dir,
                      task->slot_index);
}

char *worker_task_tag (const struct task *task)
{
    const struct assignment *a = task->element->assignment;

    return xasprintf ("FANFOLD_TASK=%s.%" PRId64 ".%s." LAYOUT_WORKER,
                      a->job.token, a->element, task->element->claim->tag,
                      task->slot_index);
}

/* --- what it used --- */

/* The CPU time of the worker and of what it waited for: utime, stime, cutime
 * and cstime of proc_pid_stat(5); 0: not known.
 */
static double cpu_s_of (pid_t pid)
{
    char path[64];
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    unsigned long long ticks[4] = { 0 };
    const char *end;

    snprintf (path, sizeof (path), "/proc/%d/stat", (int)pid);
    if (file_read (path, STAT_BYTES, &text, NULL) == 0
        && (end = strrchr (text.buf, ')')))
        (void)sscanf (end + 1,
                      " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
                      "%llu %llu %llu %llu",
                      &ticks[0], &ticks[1], &ticks[2], &ticks[3]);
    return (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3])
           / (double)sysconf (_SC_CLK_TCK);
}

/* The most memory that it had resident, by this task or an earlier one. */
static long peak_kib_of (pid_t pid)
{
    char path[64];
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *line;
    long kib = 0;

    snprintf (path, sizeof (path), "/proc/%d/status", (int)pid);
    if (file_read (path, STAT_BYTES, &text, NULL) == 0
        && (line = strstr (text.buf, "VmHWM:")))
        kib = atol (line + 6);
    return kib;
}

static double seconds (const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

void worker_task_usage (const struct task *task, const struct rusage *usage,
                        struct rusage *own)
{
    double cpu_s = usage
                       ? seconds (&usage->ru_utime) + seconds (&usage->ru_stime)
                       : cpu_s_of (task->worker.pid);

    cpu_s = fmax (cpu_s - task->worker_cpu_s, 0);
    *own = (struct rusage){
        .ru_maxrss = usage ? usage->ru_maxrss : peak_kib_of (task->worker.pid),
        .ru_utime = { .tv_sec = (time_t)cpu_s,
                      .tv_usec = (suseconds_t)(fmod (cpu_s, 1) * 1e6) },
    };
}

/* --- starting and ending it --- */

/* -1: it does not take it. */
static int give (struct task *task, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;

    worker_task_line (task->number, task->dir, &line);
    return worker_tell (&task->worker, &line, err);
}

void worker_task_remove_dir (const struct task *task)
{
    _cleanup_free_ char *dir = worker_task_dir (task);

    file_remove_tree (dir, NULL, NULL);
}

static void leave_mps (const struct task *task)
{
    _cleanup_free_ char *tag = worker_task_tag (task);

    task_leave_mps (task, task->worker.pid, tag);
}

double worker_task_wait_s (const struct task *task)
{
    return fmin (task->element->assignment->job.grace_s, wait_s_max);
}

/* Ranks that a launcher started are children of a scheduler's daemon. */
bool worker_task_may_leave (const struct task *task, int others)
{
    const char *first = task->element->assignment->stage.commands[0][0];

    return strcmp (first, "{launcher}") == 0
           || orphan_processes_possible (others);
}

void worker_task_end (struct task *task, int others, double wait_s)
{
    _cleanup_free_ char *tag = NULL;

    if (task->worker.pid == 0)
        return;
    tag = worker_task_tag (task);
    leave_mps (task);
    worker_end (&task->worker, wait_s);
    if (worker_task_may_leave (task, others))
        orphan_processes_kill (tag);
    worker_task_remove_dir (task);
}

/* Is the line that gives the task one that can be written at once? */
static int check_line (const struct task *task, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    size_t len;

    worker_task_line (task->number, task->dir, &line);
    len = line.len;
    return len <= PIPE_BUF
               ? 0
               : error_set (err, "the name of its directory is too long");
}

pid_t worker_task_start (struct task *task, const struct spawn *spec,
                         int others, struct error *err)
{
    struct worker *worker = &task->worker;

    if (check_line (task, err) < 0)
        return -1;
    if (worker->pid > 0 && worker->from_fd >= 0 && give (task, NULL) == 0) {
        task->worker_cpu_s = cpu_s_of (worker->pid);
        return worker->pid;
    }
    worker_task_end (task, others, worker_task_wait_s (task));
    task->worker_cpu_s = 0;
    if (file_make_dirs (spec->dir, err) < 0)
        return -1;
    return worker_start (worker, spec, err);
}

void worker_task_dismiss (struct task *task)
{
    struct strbuf line = STRBUF_INIT;

    if (task->worker.pid == 0)
        return;
    worker_bye_line (&line);
    (void)worker_tell (&task->worker, &line, NULL);
    strbuf_release (&line);
    file_close (task->worker.to_fd);
    task->worker.to_fd = -1;
}

void worker_task_terminate (const struct task *task)
{
    if (task->worker.pid > 0)
        kill (-task->worker.pid, SIGTERM);
}

bool worker_task_drain (struct task *task)
{
    return task->worker.pid > 0 && worker_drain (&task->worker);
}

/* --- what it says --- */

/* SIGTERM, which a launcher passes on to its ranks; what is there after the
 * grace time is killed, when a task's worker_ends_s is over or the slot is
 * needed.
 */
static void ask_to_end (struct task *task)
{
    leave_mps (task);
    file_close (task->worker.to_fd);
    task->worker.to_fd = -1;
    kill (-task->worker.pid, SIGTERM);
    task->worker_ends_s =
        clock_mono_s () + task->element->assignment->job.grace_s;
}

/* It is of no more use: the rest of what it wrote is not heard.  Reaped it is
 * like any worker that died.
 */
static void break_off (struct task *task, enum outcome outcome,
                       const struct error *why)
{
    file_close (task->worker.from_fd);
    task->worker.from_fd = -1;
    if (task->told == OUTCOME_NONE) {
        task->told = outcome;
        error_set (&task->told_why,
                   "broke the protocol of fanfold-worker(7): %s", why->text);
    }
    if (task->worker.pid > 0)
        ask_to_end (task);
}

/* Where this fails a person sees less. */
static void take_report (struct task *task, struct json *report)
{
    if (!task->records.path)
        task->records.path = path_join (task->dir, GROUP_REPORTS_FILE);
    (void)records_add (&task->records, "worker", report, clock_wall_s (), NULL);
}

/* What result.json is to tell of the run. */
static void note_run (struct task *task)
{
    struct json *run = json_object (), *v = json_object ();

    if (task->worker.program)
        json_set (v, "program", json_string (task->worker.program));
    json_set (v, "tasks_before", json_int (task->worker.n_ended));
    json_set (run, "worker", v);
    if (task->records.last)
        json_set (run, "report", json_ref (task->records.last));
    json_unref (task->group_end.run);
    task->group_end.run = run;
}

/* It exits, or is made to soon. */
static void note_end (struct task *task)
{
    file_close (task->worker.from_fd);
    task->worker.from_fd = -1;
    task->worker_ends_s = clock_mono_s () + exit_s;
}

/* The same, of one that will never read what it was told. */
static void note_input_end (struct task *task)
{
    file_close (task->worker.to_fd);
    task->worker.to_fd = -1;
    note_end (task);
}

static void take_hello (struct task *task, struct worker_message *message)
{
    struct error why = ERROR_INIT;

    task->worker.greeted = true;
    task->worker.program = message->text;
    message->text = NULL;
    if (give (task, &why) == 0)
        return;
    if (why.number == EPIPE)
        note_input_end (task); /* how it ended is told when it is reaped */
    else
        break_off (task, OUTCOME_FAILED, &why);
}

static enum worker_word take (struct task *task, struct worker_message *message)
{
    int number = task->pid > 0 ? task->number : -1;
    struct error why = ERROR_INIT;
    enum outcome outcome;

    if (worker_message_expect (message, task->worker.greeted, number, &outcome,
                               &why)
        < 0) {
        break_off (task, outcome, &why);
        return WORKER_GOES_ON;
    }
    if (task->stop != OUTCOME_NONE) /* what it says now comes too late */
        return WORKER_GOES_ON;
    switch (message->kind) {
    case WORKER_HELLO:
        take_hello (task, message);
        return WORKER_GOES_ON;
    case WORKER_REPORT:
        take_report (task, message->report);
        return WORKER_GOES_ON;
    case WORKER_RESULT:
        break;
    case WORKER_ERROR:
        task->told = message->outcome;
        error_set (&task->told_why, "says: %s", message->text);
        break;
    }
    note_run (task);
    task->worker.n_ended++;
    task->worker.leaves = message->bye;
    return message->kind == WORKER_RESULT ? WORKER_SAID_RESULT
                                          : WORKER_SAID_ERROR;
}

void worker_task_kill_silent (struct task *task)
{
    struct error why = ERROR_INIT;

    if (task->told != OUTCOME_NONE) { /* it was asked to end */
        task->worker_ends_s = INFINITY;
        task_kill (task);
        return;
    }
    error_set (&why, "it closed its standard %s and did not exit",
               task->worker.to_fd < 0 ? "input" : "output");
    break_off (task, OUTCOME_FAILED, &why);
}

enum worker_word worker_task_hear (struct task *task, bool *more)
{
    for (int i = 0; i < MESSAGES_AT_ONCE && task->worker.from_fd >= 0; i++) {
        struct worker_message message;
        struct error why = ERROR_INIT;
        enum worker_word word;

        switch (worker_hear (&task->worker, &message, &why)) {
        case HEARD_NOTHING:
            if (task->pid > 0 && task->worker.greeted
                && worker_left_line (&task->worker))
                note_input_end (task);
            return WORKER_GOES_ON;
        case HEARD_NOISE:
            break_off (task, OUTCOME_FAILED, &why);
            return WORKER_GOES_ON;
        case HEARD_END:
            note_end (task);
            return WORKER_GOES_ON;
        case HEARD_MESSAGE:
            word = take (task, &message);
            worker_message_release (&message);
            if (word != WORKER_GOES_ON) {
                *more = true; /* its signal is taken */
                return word;
            }
        }
    }
    *more = *more || task->worker.from_fd >= 0;
    return WORKER_GOES_ON;
}

enum worker_word worker_task_reaped (struct task *task)
{
    enum worker_word word;
    bool more;

    task->worker.pid = 0; /* nothing is killed any more */
    do {
        more = false;
        word = worker_task_hear (task, &more);
    } while (word == WORKER_GOES_ON && more);
    if (word == WORKER_GOES_ON)
        note_run (task);
    worker_forget (&task->worker);
    return word;
}
