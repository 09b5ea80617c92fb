/* SPDX-License-Identifier: BSD-3-Clause */
/* task_outcome.c - what the end of a command says of its task */
#include "base/base.h"

#include <signal.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/group_task.h"
#include "agent/task.h"
#include "agent/task_log.h"
#include "agent/task_outcome.h"
#include "agent/worker_task.h"
#include "base/file.h"
#include "signature/script.h"
#include "signature/template.h"

const char *const *task_argv (const struct task *task)
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

/* The program of the command, which a launcher may start; caller frees.  Where
 * its template cannot be expanded it is as it was written.
 */
static char *program_of (const struct task *task)
{
    const char *const *word = task_argv (task);
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    char *name;

    while (word[1] && strcmp (*word, "{launcher}") == 0)
        word++;
    (void)template_expand (script_command_name (*word), task->values, &words,
                           NULL);
    name = xstrdup (path_base (words.n > 0 ? words.v[0] : *word));
    return name;
}

/* "command 2 of 3, 'fit'"; "the worker 'fit'"; "the group" */
void task_name_command (const struct task *task, struct strbuf *out)
{
    size_t n = count_commands (task);
    _cleanup_free_ char *program = NULL;

    if (is_group_task (task)) {
        strbuf_add_str (out, "the group");
        return;
    }
    strbuf_add_str (out, is_worker_task (task) ? "the worker " : "command ");
    if (n > 1)
        strbuf_addf (out, "%zu of %zu, ", task->command + 1, n);
    program = program_of (task);
    strbuf_addf (out, "'%s'", program);
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
    task_name_command (task, message);
    if (task->stop != OUTCOME_NONE) {
        strbuf_addf (message, " was ended: %s", task->stop_why.text);
    } else if (task->told != OUTCOME_NONE) {
        strbuf_addf (message, " %s", task->told_why.text);
    } else if (end->signal) {
        strbuf_addf (message, " was killed by signal %d (%s)", end->signal,
                     strsignal (end->signal));
    } else {
        strbuf_addf (message, " exited with status %d%s", end->exit_code,
                     is_worker_task (task) ? " before it ended its task" : "");
    }
    task_log_last_line (task, message);
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

void task_outcome_describe (const struct task *task, struct task_end *end,
                            struct strbuf *message)
{
    if (task->stop == OUTCOME_NONE && task->group_end.message)
        take_group_end (task, end, message);
    else
        say_why (task, end, message);
}

/* A runner of a group that was not killed and left no word could not do its
 * work.
 */
bool is_machine_error_of_group (const struct task *task,
                                const struct task_end *end)
{
    if (!is_group_task (task) || task->stop != OUTCOME_NONE)
        return false;
    return task->group_end.message ? task->group_end.machine_error
                                   : end->signal == 0;
}

enum outcome task_outcome_of (const struct task *task,
                              const struct task_end *end)
{
    if (task->stop != OUTCOME_NONE)
        return task->stop;
    if (task->told != OUTCOME_NONE)
        return task->told;
    if (task->group_end.outcome != OUTCOME_NONE)
        return task->group_end.outcome;
    return task_end_outcome (end->exit_code, end->signal,
                             task_memory_was_short (task),
                             task->element->assignment->stage.fatal_exits);
}
