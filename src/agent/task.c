/* SPDX-License-Identifier: BSD-3-Clause */
/* task.c - the life of one task in one slot */
#include "base/base.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/energy.h"
#include "agent/group_task.h"
#include "agent/orphan_processes.h"
#include "agent/input_watch.h"
#include "agent/task.h"
#include "agent/task_env.h"
#include "agent/task_files.h"
#include "agent/task_finish.h"
#include "agent/task_log.h"
#include "agent/task_outcome.h"
#include "agent/task_processes.h"
#include "agent/task_run.h"
#include "agent/worker_task.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/units.h"
#include "placement/slots.h"
#include "signature/container.h"
#include "signature/template.h"

void task_init (struct task *task, const struct element *element,
                const struct slot *slot, int slot_index)
{
    *task = (struct task){ .element = element,
                           .slot = slot,
                           .slot_index = slot_index,
                           .log_fd = -1,
                           .worker = WORKER_INIT,
                           .env = STRVEC_INIT,
                           .variables = SCRIPT_VARIABLES_INIT,
                           .records = RECORDS_INIT,
                           .worker_ends_s = INFINITY,
                           .push_at_s = INFINITY,
                           .look_at_s = INFINITY,
                           .memory = { .look_at_s = INFINITY } };
}

void task_clear (struct task *task)
{
    int log_fd = task->log_fd;
    struct worker worker = task->worker;
    struct task_memory memory;

    if (worker.pid == 0)
        task_memory_end (task);
    memory = task->memory;
    group_task_clear (task);
    records_release (&task->records);
    free (task->dir);
    free (task->start_dir);
    free (task->tag);
    free (task->cores);
    free (task->version_line);
    strvec_release (&task->env);
    sizes_release (&task->sizes);
    script_variables_release (&task->variables);
    json_unref (task->values);
    json_unref (task->commands_run);
    task_init (task, task->element, task->slot, task->slot_index);
    task->log_fd = log_fd;
    task->worker = worker;
    task->memory = memory;
}

void task_release (struct task *task)
{
    task_log_remove (task);
    task_clear (task);
    worker_forget (&task->worker);
}

/* --- one command --- */

static int start_failed (struct task *task, enum outcome outcome,
                         struct error *why, int others, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf message = STRBUF_INIT;

    task_name_command (task, &message);
    strbuf_add_str (&message, " cannot be started");
    error_prefix (why, "%s", message.buf);
    task_kill_orphan_processes (task, others);
    return error_is_machine_error (why) && why->number != EACCES
               ? task_give_back (task, why, err)
               : task_finish_with (task, outcome, why->text, err);
}

/* Its log must not fill the disk. */
static void look_at_log (struct task *task)
{
    task->look_at_s = log_limit_look (&task->log_limit, task->log_fd,
                                      task->element->assignment->job.log_bytes);
}

/* Start the next command, or finish after the last. */
static int next_command (struct task *task, int others, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    struct error why = ERROR_INIT;
    struct spawn spec = { .env = task->env.v,
                          .dir = task->start_dir,
                          .out_fd = task->log_fd,
                          .err_fd = task->log_fd,
                          /* A runner ends its programs itself. */
                          .death_signal =
                              is_group_task (task) ? SIGTERM : SIGKILL,
                          .cgroup_procs = task->memory.cgroup_procs,
                          .cpus = task->slot->set,
                          .cpus_bytes = task->slot->set_bytes,
                          .memory_nodes = task->slot->memory_nodes,
                          .memory_bits = task->slot->memory_bits,
                          .strict_memory = task->slot->strict_memory,
                          .refused = &task->memory_refused };
    pid_t pid;

    if (!task_argv (task)) {
        task_kill_orphan_processes (task, others);
        return task_finish_commands (task, err);
    }
    if (container_expand (task_argv (task), task->values, &argv, &why) < 0)
        return start_failed (task, OUTCOME_BAD_INPUT, &why, others, err);
    if (task_log_header (task, &argv, &why) < 0) {
        task_kill_orphan_processes (task, others);
        return task_give_back (task, &why, err);
    }
    spec.argv = (const char *const *)argv.v;
    task->command_start_s = clock_mono_s ();
    look_at_log (task);
    pid = is_worker_task (task) ? worker_task_start (task, &spec, others, &why)
                                : spawn (&spec, &why);
    if (pid < 0) {
        bool too_long = why.number == E2BIG;

        if (too_long)
            template_explain_too_long (task_argv (task), task->values, &why);
        return start_failed (task,
                             too_long ? OUTCOME_BAD_INPUT : OUTCOME_FAILED,
                             &why, others, err);
    }
    task->pid = pid;
    task_run_note_binding (task);
    return task_run_log_start (task, err);
}

/* A command did not exit with 0, or was ended by us. */
static int finish_failed (struct task *task, struct task_end *end,
                          struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf message = STRBUF_INIT;
    struct error why = ERROR_INIT;

    task_outcome_describe (task, end, &message);
    if (is_machine_error_of_group (task, end)) {
        error_set (&why, "%s, in '%s'", message.buf, task->dir);
        return task_give_back (task, &why, err);
    }
    end->outcome = task_outcome_of (task, end);
    if (end->outcome == OUTCOME_OUT_OF_MEMORY)
        task_memory_describe (task, &message);
    task_finish_log (task, &message);
    end->message = message.buf;
    return task->stop == OUTCOME_NONE ? task_finish_failure (task, end, err)
                                      : task_finish (task, end, err);
}

/* What its worker said is its end; whether the worker goes on is another
 * matter.
 */
static int finish_said (struct task *task, enum worker_word word, int others,
                        struct error *err)
{
    struct task_end end = { .exit_code = -1 };

    if (task->worker.leaves)
        worker_task_end (task, others, worker_task_wait_s (task));
    task->pid = 0;
    if (word == WORKER_SAID_ERROR)
        return finish_failed (task, &end, err);
    task->command++;
    return next_command (task, others, err);
}

int task_hear (struct task *task, int others, bool *more, struct error *err)
{
    enum worker_word word = worker_task_hear (task, more);
    struct rusage usage;

    if (word == WORKER_GOES_ON)
        return 0;
    worker_task_usage (task, NULL, &usage);
    task_run_note_command (task, &usage);
    return finish_said (task, word, others, err);
}

void task_worker_died (struct task *task, int others)
{
    _cleanup_free_ char *tag = worker_task_tag (task);

    (void)worker_task_reaped (task);
    if (worker_task_may_leave (task, others))
        orphan_processes_kill (tag);
    worker_task_remove_dir (task);
    task_clear (task);
}

/* Its last words may be that the task is ok. */
static int worker_reaped (struct task *task, struct task_end *end,
                          const struct rusage *usage, int others,
                          struct error *err)
{
    enum worker_word word = worker_task_reaped (task);
    struct rusage own;

    worker_task_usage (task, usage, &own);
    task_run_note_command (task, &own);
    task->pid = 0;
    if (word == WORKER_GOES_ON && task_hears_end (task, end, err) < 0)
        return -1;
    task_kill_orphan_processes (task, others);
    worker_task_remove_dir (task);
    if (task->stop == OUTCOME_NONE && word != WORKER_GOES_ON)
        return finish_said (task, word, others, err);
    return finish_failed (task, end, err);
}

int task_reaped (struct task *task, int status, const struct rusage *usage,
                 int others, struct error *err)
{
    struct task_end end = {
        .exit_code = WIFEXITED (status) ? WEXITSTATUS (status) : -1,
        .signal = WIFSIGNALED (status) ? WTERMSIG (status) : 0,
    };

    if (is_worker_task (task))
        return worker_reaped (task, &end, usage, others, err);
    task->pid = 0;
    task_run_note_command (task, usage);
    if (is_group_task (task))
        group_task_reaped (task);
    if (task->stop == OUTCOME_NONE && end.exit_code == 0) {
        task->command++;
        return next_command (task, others, err);
    }
    if (task_hears_end (task, &end, err) < 0)
        return -1;
    task_kill_orphan_processes (task, others);
    return finish_failed (task, &end, err);
}

/* --- the beginning --- */

static void name_processes (struct task *task)
{
    const struct assignment *a = task->element->assignment;

    task->dir = xasprintf ("%s" LAYOUT_WORK_TASK, task->element->work_dir,
                           task->number);
    if (is_worker_task (task)) {
        task->tag = worker_task_tag (task);
        task->start_dir = worker_task_dir (task);
        return;
    }
    task->tag = xasprintf ("FANFOLD_TASK=%s.%" PRId64 ".%s.%d", a->job.token,
                           a->element, task->element->claim->tag, task->number);
    task->start_dir = xstrdup (task->dir);
}

int task_begin (struct task *task, int number, size_t index, int others,
                struct error *err)
{
    double walltime_s = task->element->assignment->job.task.walltime_s;
    struct error why = ERROR_INIT;

    task_clear (task);
    task->number = number;
    task->index = index;
    task->slice = task->element->assignment->slices[index];
    task->commands_run = json_array ();
    task->start_wall_s = clock_wall_s ();
    task->start_s = clock_mono_s ();
    task->begin_j = energy_meter_look (task->element->energy);
    task->push_at_s = walltime_s > 0 ? task->start_s + walltime_s : INFINITY;
    if (task->worker.pid > 0)
        task_memory_go_on (task);
    else
        task_memory_begin (task);
    name_processes (task);
    input_watch_begin (task->element->watch, index, number);
    switch (task_files_prepare (task, &why)) {
    case PREPARE_OK:
        break;
    case PREPARE_BAD_INPUT:
        return task_finish_with (task, OUTCOME_BAD_INPUT, why.text, err);
    case PREPARE_FAILED:
        return task_give_back (task, &why, err);
    }
    if (task_log_open (task, &why) < 0)
        return task_give_back (task, &why, err);
    task_env (task, &task->env);
    return next_command (task, others, err);
}

/* --- ending it --- */

void task_stop (struct task *task, enum outcome outcome, const char *why)
{
    if (task->pid == 0 && task->worker.pid > 0)
        kill (-task->worker.pid, SIGTERM);
    if (task->pid == 0 || task->stop != OUTCOME_NONE)
        return;
    task->stop = outcome;
    error_set (&task->stop_why, "%s", why);
    task->push_at_s = clock_mono_s () + task->element->assignment->job.grace_s;
    kill (-task->pid, SIGTERM);
}

double task_due_s (const struct task *task)
{
    return task->pid == 0
               ? INFINITY
               : fmin (fmin (task->push_at_s, task->worker_ends_s),
                       fmin (task->look_at_s, task->memory.look_at_s));
}

/* What takes the memory of others is not asked to end. */
static void look_at_memory (struct task *task, int others)
{
    struct error why = ERROR_INIT;

    if (!task_memory_is_over (task, others, &why))
        return;
    task_kill (task);
    task->push_at_s = INFINITY;
    task->memory.look_at_s = INFINITY;
    if (task->stop != OUTCOME_NONE)
        return;
    task->stop = OUTCOME_OUT_OF_MEMORY;
    error_copy (&task->stop_why, &why);
}

void task_push (struct task *task, int others, double now_s)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

    if (task->pid > 0 && now_s >= task->look_at_s)
        look_at_log (task);
    if (task->pid > 0 && now_s >= task->memory.look_at_s)
        look_at_memory (task, others);
    if (task->pid > 0 && now_s >= task->worker_ends_s)
        worker_task_kill_silent (task);
    if (task->pid == 0 || now_s < task->push_at_s)
        return;
    if (task->stop != OUTCOME_NONE) {
        task_kill (task);
        task->push_at_s = INFINITY;
        return;
    }
    strbuf_add_str (&why, "it took longer than its walltime of ");
    format_duration (task->element->assignment->job.task.walltime_s, &why);
    task_stop (task, OUTCOME_TIMEOUT, why.buf);
}

void task_abandon (struct task *task, int others)
{
    if (task->worker.pid > 0) {
        worker_task_end (task, others, 0);
        if (task->pid > 0)
            task_log_keep (task);
    } else if (task->pid > 0) {
        task_kill (task);
        while (waitpid (task->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        if (is_group_task (task))
            orphan_processes_kill (task->tag);
        task_log_keep (task);
    }
    task_clear (task);
}
