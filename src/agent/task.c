/* SPDX-License-Identifier: BSD-3-Clause */
/* task.c - the life of one task in one slot */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/commit.h"
#include "agent/device_watch.h"
#include "agent/energy.h"
#include "agent/group_task.h"
#include "agent/mps.h"
#include "agent/orphan_processes.h"
#include "agent/input_watch.h"
#include "agent/shortage.h"
#include "agent/task.h"
#include "agent/task_env.h"
#include "agent/task_files.h"
#include "agent/task_log.h"
#include "agent/task_processes.h"
#include "agent/task_run.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "placement/slots.h"
#include "signature/outputs.h"
#include "signature/template.h"

void task_init (struct task *task, const struct element *element,
                const struct slot *slot, int slot_index)
{
    *task = (struct task){ .element = element,
                           .slot = slot,
                           .slot_index = slot_index,
                           .log_fd = -1,
                           .env = STRVEC_INIT,
                           .push_at_s = INFINITY,
                           .look_at_s = INFINITY,
                           .memory = { .look_at_s = INFINITY } };
}

/* Keep what is the slot's. */
static void task_clear (struct task *task)
{
    int log_fd = task->log_fd;

    group_task_clear (task);
    free (task->dir);
    free (task->tag);
    free (task->cores);
    strvec_release (&task->env);
    json_unref (task->values);
    json_unref (task->commands_run);
    task_memory_end (task);
    task_init (task, task->element, task->slot, task->slot_index);
    task->log_fd = log_fd;
}

void task_release (struct task *task)
{
    task_log_remove (task);
    task_clear (task);
}

static const char *const *command_argv (const struct task *task)
{
    return task->element->assignment->stage.commands[task->command];
}

static size_t count_commands (const struct task *task)
{
    size_t n = 0;

    while (task->element->assignment->stage.commands[n])
        n++;
    return n;
}

/* Log the start, once: it charges a try. */
static int log_start (struct task *task, struct error *err)
{
    const struct task_start start = task_run_start (task);

    if (task->start_logged)
        return 0;
    task->start_logged = true;
    return claim_log_start (task->element->claim, task->number, &start, err);
}

/* --- the end --- */

/* Look at the inputs for the last time, once: before the task takes effect. */
static enum input_change end_inputs (struct task *task, struct error *why)
{
    if (task->inputs_ended)
        return INPUT_SAME;
    task->inputs_ended = true;
    return input_watch_end (task->element->watch, task->index, task->number,
                            why);
}

/* What its end is to tell of the task. */
static void note_end (struct task *task, struct task_end *end)
{
    task_run_measure (task, end);
    device_watch_note (task->element->devices, task->slot->gpus, task->number,
                       end->outcome, end->wall_s);
}

/* Log the end and forget the task. */
static int log_end (struct task *task, struct task_end *end, struct error *err)
{
    int rc;

    note_end (task, end);
    end->report = json_get (task->group_end.run, "report");
    if (end->outcome == OUTCOME_OK)
        claim_keep_printed (task->element->claim, task->log_fd, end);
    rc = log_start (task, err);
    if (rc == 0)
        rc = claim_log_end (task->element->claim, task->number, end, err);
    if (end->outcome == OUTCOME_OK)
        task_log_clear (task, task->log_shared);
    else
        task_log_keep (task);
    task_clear (task);
    return rc;
}

/* Inputs changed.  Who did it is known where no other task is there; else the
 * task is handed back, and a person has to look.
 */
static int finish_changed (struct task *task, enum input_change change,
                           struct error *why, struct error *err)
{
    struct task_end end = { .outcome = OUTCOME_FATAL, .exit_code = -1 };
    struct strbuf message = STRBUF_INIT;
    int rc;

    if (change == INPUT_CHANGED) {
        rc = claim_log_pause (task->element->claim, task->number, why, err);
        task_log_keep (task);
        task_clear (task);
        return rc;
    }
    strbuf_addf (&message,
                 "%s; restore the file, let the task write elsewhere, then run "
                 "`fanfold retry`",
                 why->text);
    end.message = message.buf;
    rc = log_end (task, &end, err);
    strbuf_release (&message);
    return rc;
}

/* The task ended by itself, or was ended. */
static int finish (struct task *task, struct task_end *end, struct error *err)
{
    struct error why = ERROR_INIT;
    enum input_change change = end_inputs (task, &why);

    return change == INPUT_SAME ? log_end (task, end, err)
                                : finish_changed (task, change, &why, err);
}

/* The machine failed it: hand it back. */
static int give_back (struct task *task, const struct error *why,
                      struct error *err)
{
    struct error changed = ERROR_INIT;
    int rc = end_inputs (task, &changed) == INPUT_SAME
                 ? claim_log_machine_error (task->element->claim, task->number,
                                            why, err)
                 : claim_log_pause (task->element->claim, task->number,
                                    &changed, err);

    task_log_keep (task);
    task_clear (task);
    return rc;
}

/* As finish, for a task that did something wrong, unless it had no room to do
 * it right.
 */
static int finish_failure (struct task *task, struct task_end *end,
                           struct error *err)
{
    struct error why = ERROR_INIT;

    struct strbuf message = STRBUF_INIT;
    uint64_t bytes = 0;
    int rc;

    if (room_is_left (task->element->assignment->run_dir, &why))
        return finish (task, end, err);
    strbuf_addf (&message, "%s; its directory holds ", end->message);
    file_tree_bytes (task->dir, &bytes, NULL);
    format_bytes ((int64_t)bytes, &message);
    error_prefix (&why, "%s", message.buf);
    rc = give_back (task, &why, err);
    strbuf_release (&message);
    return rc;
}

/* The end without a command's status. */
static int finish_with (struct task *task, enum outcome outcome,
                        const char *message, struct error *err)
{
    struct task_end end = { .outcome = outcome,
                            .exit_code = -1,
                            .message = message };

    return finish (task, &end, err);
}

/* What of the task shares a device by MPS is about to be killed. */
static void leave_mps (const struct task *task)
{
    struct mps *const *mps = task->element->mps;
    struct strvec pids = STRVEC_INIT;

    while (mps && *mps && strcmp ((*mps)->device, task->slot->gpus) != 0)
        mps++;
    if (!mps || !*mps)
        return;
    task_processes (task->pid, task->tag, true, &pids);
    mps_terminate (*mps, &pids);
    strvec_release (&pids);
}

static void kill_all (const struct task *task)
{
    leave_mps (task);
    kill (-task->pid, SIGKILL);
}

static void kill_orphan_processes (struct task *task, int others)
{
    if (!orphan_processes_possible (others))
        return;
    task->log_shared = true;
    leave_mps (task);
    orphan_processes_kill (task->tag);
    if (others == 0 && orphan_processes_possible (0))
        orphan_processes_kill_orphans ();
}

/* Cut the log for the last time and say so, after a semicolon if anything was
 * said before.
 */
static void finish_log (struct task *task, struct strbuf *message)
{
    log_limit_finish (&task->log_limit, task->log_fd,
                      task->element->assignment->job.log_bytes);
    if (task->log_limit.left_out_bytes == 0)
        return;
    strbuf_addf (message, "%s", message->len > 0 ? "; " : "");
    format_bytes (task->log_limit.left_out_bytes, message);
    strbuf_add_str (message, " of its log were left out (limits: log)");
}

/* It ended ok, with 'result'; forget it. */
static int hand_over (struct task *task, struct json *result,
                      struct task_end *end, struct error *err)
{
    int rc = log_start (task, err);

    note_end (task, end);
    claim_keep_printed (task->element->claim, task->log_fd, end);
    if (rc == 0) {
        commits_add (task->element->commits, task->number, task->dir,
                     json_ref (result), end);
        task->dir = NULL;
    }
    task_log_clear (task, task->log_shared);
    task_clear (task);
    return rc;
}

/* All commands exited with 0. */
static int finish_commands (struct task *task, struct error *err)
{
    bool artifacts =
        outputs_have_artifacts (task->element->assignment->stage.outputs);
    struct task_end end = { .outcome = OUTCOME_OK };
    struct json *result = NULL;
    struct error why = ERROR_INIT;
    struct strbuf message = STRBUF_INIT;
    enum input_change change = end_inputs (task, &why);
    int rc = -1;

    if (change != INPUT_SAME)
        return finish_changed (task, change, &why, err);
    finish_log (task, &message);
    end.message = message.buf;

    switch (task_files_check (task, artifacts ? task_run_describe (task) : NULL,
                              &result, &why)) {
    case CHECK_OK:
        if (artifacts) {
            rc = hand_over (task, result, &end, err);
        } else {
            end.params = result;
            rc = log_end (task, &end, err);
        }
        break;
    case CHECK_BAD_OUTPUT:
        end.outcome = OUTCOME_BAD_OUTPUT;
        end.message = why.text;
        rc = finish_failure (task, &end, err);
        break;
    case CHECK_FAILED:
        rc = give_back (task, &why, err);
        break;
    }
    strbuf_release (&message);
    json_unref (result);
    return rc;
}

/* --- one command --- */

/* The program of the command, which a launcher may start; caller frees.  Where
 * its template cannot be expanded it is as it was written.
 */
static char *program_of (const struct task *task)
{
    const char *const *word = command_argv (task);
    struct strvec words = STRVEC_INIT;
    char *name;

    while (word[1] && strcmp (*word, "{launcher}") == 0)
        word++;
    (void)template_expand (*word, task->values, &words, NULL);
    name = xstrdup (path_base (words.n > 0 ? words.v[0] : *word));
    strvec_release (&words);
    return name;
}

/* "command 2 of 3, 'fit'"; "the group" */
static void name_command (const struct task *task, struct strbuf *out)
{
    size_t n = count_commands (task);
    char *program;

    if (is_group_task (task)) {
        strbuf_add_str (out, "the group");
        return;
    }
    strbuf_add_str (out, "command ");
    if (n > 1)
        strbuf_addf (out, "%zu of %zu, ", task->command + 1, n);
    program = program_of (task);
    strbuf_addf (out, "'%s'", program);
    free (program);
}

static int start_failed (struct task *task, enum outcome outcome,
                         struct error *why, int others, struct error *err)
{
    struct strbuf message = STRBUF_INIT;
    int rc;

    name_command (task, &message);
    strbuf_add_str (&message, " cannot be started");
    error_prefix (why, "%s", message.buf);
    kill_orphan_processes (task, others);
    rc = error_is_machine_error (why) && why->number != EACCES
             ? give_back (task, why, err)
             : finish_with (task, outcome, why->text, err);
    strbuf_release (&message);
    return rc;
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
    struct strvec argv = STRVEC_INIT;
    struct error why = ERROR_INIT;
    struct spawn spec = { .env = task->env.v,
                          .dir = task->dir,
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
    int rc = -1;

    if (!command_argv (task)) {
        kill_orphan_processes (task, others);
        return finish_commands (task, err);
    }
    if (template_expand_argv (command_argv (task), task->values, &argv, &why)
        < 0) {
        rc = start_failed (task, OUTCOME_BAD_INPUT, &why, others, err);
        goto done;
    }
    if (task_log_header (task, &argv, &why) < 0) {
        kill_orphan_processes (task, others);
        rc = give_back (task, &why, err);
        goto done;
    }
    spec.argv = (const char *const *)argv.v;
    task->command_start_s = clock_mono_s ();
    look_at_log (task);
    if ((pid = spawn (&spec, &why)) < 0) {
        bool too_long = why.number == E2BIG;

        if (too_long)
            template_explain_too_long (command_argv (task), task->values, &why);
        rc = start_failed (task, too_long ? OUTCOME_BAD_INPUT : OUTCOME_FAILED,
                           &why, others, err);
        goto done;
    }
    task->pid = pid;
    task_run_note_binding (task);
    rc = log_start (task, err);
done:
    strvec_release (&argv);
    return rc;
}

enum outcome task_end_outcome (int exit_code, int signal, bool oom_kill,
                               const int *fatal_exits)
{
    /* A launcher reports its rank's SIGKILL as exit status 128 + 9. */
    bool killed = signal == SIGKILL || exit_code == 128 + SIGKILL;

    for (; signal == 0 && fatal_exits && *fatal_exits; fatal_exits++) {
        if (*fatal_exits == exit_code)
            return OUTCOME_FATAL;
    }
    return killed && oom_kill ? OUTCOME_OUT_OF_MEMORY : OUTCOME_FAILED;
}

/* Why the command did not end well. */
static void say_why (const struct task *task, const struct task_end *end,
                     struct strbuf *message)
{
    name_command (task, message);
    if (task->stop != OUTCOME_NONE) {
        strbuf_addf (message, " was ended: %s", task->stop_why.text);
    } else if (end->signal) {
        strbuf_addf (message, " was killed by signal %d (%s)", end->signal,
                     strsignal (end->signal));
    } else {
        strbuf_addf (message, " exited with status %d", end->exit_code);
    }
    task_log_last_line (task, message);
}

static enum outcome outcome_of (const struct task *task,
                                const struct task_end *end)
{
    if (task->stop != OUTCOME_NONE)
        return task->stop;
    if (task->group_end.outcome != OUTCOME_NONE)
        return task->group_end.outcome;
    return task_end_outcome (end->exit_code, end->signal,
                             task_memory_was_short (task),
                             task->element->assignment->stage.fatal_exits);
}

/* What the runner of a group tells of the program that failed, and not of
 * itself.
 */
static void take_group_end (const struct task *task, struct task_end *end,
                            struct strbuf *message)
{
    strbuf_add_str (message, task->group_end.message);
    end->exit_code = task->group_end.exit_code;
    end->signal = task->group_end.signal;
    end->lost_node = task->group_end.lost_node;
}

/* A runner of a group that was not killed and left no word could not do its
 * work.
 */
static bool machine_failed_group (const struct task *task,
                                  const struct task_end *end)
{
    if (!is_group_task (task) || task->stop != OUTCOME_NONE)
        return false;
    return task->group_end.message ? task->group_end.machine_error
                                   : end->signal == 0;
}

/* A command did not exit with 0, or was ended by us. */
static int finish_failed (struct task *task, struct task_end *end,
                          struct error *err)
{
    struct strbuf message = STRBUF_INIT;
    struct error why = ERROR_INIT;
    int rc;

    if (task->stop == OUTCOME_NONE && task->group_end.message)
        take_group_end (task, end, &message);
    else
        say_why (task, end, &message);
    if (machine_failed_group (task, end)) {
        error_set (&why, "%s, in '%s'", message.buf, task->dir);
        strbuf_release (&message);
        return give_back (task, &why, err);
    }
    end->outcome = outcome_of (task, end);
    if (end->outcome == OUTCOME_OUT_OF_MEMORY)
        task_memory_describe (task, &message);
    finish_log (task, &message);
    end->message = message.buf;
    rc = task->stop == OUTCOME_NONE ? finish_failure (task, end, err)
                                    : finish (task, end, err);
    strbuf_release (&message);
    return rc;
}

int task_reaped (struct task *task, int status, const struct rusage *usage,
                 int others, struct error *err)
{
    struct task_end end = {
        .exit_code = WIFEXITED (status) ? WEXITSTATUS (status) : -1,
        .signal = WIFSIGNALED (status) ? WTERMSIG (status) : 0,
    };

    task->pid = 0;
    task_run_note_command (task, command_argv (task)[0], usage);
    if (is_group_task (task))
        group_task_reaped (task);
    if (task->stop == OUTCOME_NONE && end.exit_code == 0) {
        task->command++;
        return next_command (task, others, err);
    }
    kill_orphan_processes (task, others);
    return finish_failed (task, &end, err);
}

/* --- the beginning --- */

static void name_processes (struct task *task)
{
    const struct assignment *a = task->element->assignment;

    task->tag = xasprintf ("FANFOLD_TASK=%s.%" PRId64 ".%s.%d", a->job.token,
                           a->element, task->element->claim->tag, task->number);
    task->dir = xasprintf ("%s/%06d", task->element->work_dir, task->number);
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
    task_memory_begin (task);
    name_processes (task);
    input_watch_begin (task->element->watch, index, number);
    switch (task_files_prepare (task, &why)) {
    case PREPARE_OK:
        break;
    case PREPARE_BAD_INPUT:
        return finish_with (task, OUTCOME_BAD_INPUT, why.text, err);
    case PREPARE_FAILED:
        return give_back (task, &why, err);
    }
    if (task_log_open (task, &why) < 0)
        return give_back (task, &why, err);
    task_env (task, &task->env);
    return next_command (task, others, err);
}

/* --- ending it --- */

void task_stop (struct task *task, enum outcome outcome, const char *why)
{
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
               : fmin (task->push_at_s,
                       fmin (task->look_at_s, task->memory.look_at_s));
}

/* What takes the memory of others is not asked to end. */
static void look_at_memory (struct task *task, int others)
{
    struct error why = ERROR_INIT;

    if (!task_memory_is_over (task, others, &why))
        return;
    kill_all (task);
    task->push_at_s = INFINITY;
    task->memory.look_at_s = INFINITY;
    if (task->stop != OUTCOME_NONE)
        return;
    task->stop = OUTCOME_OUT_OF_MEMORY;
    error_copy (&task->stop_why, &why);
}

void task_push (struct task *task, int others, double now_s)
{
    struct strbuf why = STRBUF_INIT;

    if (task->pid > 0 && now_s >= task->look_at_s)
        look_at_log (task);
    if (task->pid > 0 && now_s >= task->memory.look_at_s)
        look_at_memory (task, others);
    if (task->pid == 0 || now_s < task->push_at_s)
        return;
    if (task->stop != OUTCOME_NONE) {
        kill_all (task);
        task->push_at_s = INFINITY;
        return;
    }
    strbuf_add_str (&why, "it took longer than its walltime of ");
    format_duration (task->element->assignment->job.task.walltime_s, &why);
    task_stop (task, OUTCOME_TIMEOUT, why.buf);
    strbuf_release (&why);
}

void task_abandon (struct task *task)
{
    if (task->pid > 0) {
        kill_all (task);
        while (waitpid (task->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        if (is_group_task (task))
            orphan_processes_kill (task->tag);
        task_log_keep (task);
    }
    task_clear (task);
}
