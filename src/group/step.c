/* SPDX-License-Identifier: BSD-3-Clause */
/* step.c - one part of a group at work: its commands, one after the other */
#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "group/node.h"
#include "group/step.h"
#include "group/stream.h"
#include "group/values.h"
#include "placement/slots.h"
#include "handover/script_run.h"
#include "signature/container.h"
#include "signature/script.h"
#include "signature/template.h"

enum { HEADER_MAX = 2000 }; /* bytes of an argv shown */

static const char *const *const *commands_of (const struct group_spec *group,
                                              const struct part *part,
                                              enum group_phase phase)
{
    const struct group_program *program = &group->programs[part->program];

    switch (phase) {
    case PHASE_NODE_SETUP:
        return group->setup;
    case PHASE_NODE_EXIT:
        return group->exit;
    case PHASE_PROGRAM_SETUP:
        return program->setup;
    case PHASE_PROGRAM_EXIT:
        return program->exit;
    case PHASE_INSTANCE_SETUP:
        return program->instance_setup;
    case PHASE_INSTANCE_EXIT:
        return program->instance_exit;
    case PHASE_RUN:
        return program->commands;
    case PHASE_LAST_REPORT:
    case PHASE_OVER:
        break;
    }
    return NULL;
}

static const struct part *part_of (const struct step *step)
{
    return &step->node->parts[step->part];
}

static int threads_of (const struct step *step)
{
    struct resources needs = part_needs (step->node->file, part_of (step));

    return needs.cores / needs.ranks;
}

/* A command that has a report is logged and told of as one that has none. */
static bool is_plain (const struct step *step)
{
    return step->phase == PHASE_RUN
           && group_is_command (&step->node->file->group);
}

/* "command 2 of 3, 'fit'" */
static void name_command (const struct step *step, struct strbuf *out)
{
    const char *word = script_command_name (step->commands[step->command][0]);
    size_t n = 0;

    while (step->commands[n])
        n++;
    strbuf_add_str (out, "command ");
    if (n > 1)
        strbuf_addf (out, "%zu of %zu, ", step->command + 1, n);
    if (strcmp (word, "{fanfold}") == 0)
        word = "fanfold";
    strbuf_addf (out, "'%s'", path_base (word));
}

static void note_command (const struct step *step, const struct strvec *argv)
{
    _cleanup_free_ char *name =
        is_plain (step) ? xasprintf ("command %zu", step->command + 1)
                        : xstrdup (step->name);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < argv->n && text.len <= HEADER_MAX; i++) {
        strbuf_add_str (&text, i > 0 ? " " : "");
        shell_quote (argv->v[i], &text);
    }
    if (text.len > HEADER_MAX) {
        strbuf_truncate (&text, HEADER_MAX);
        strbuf_add_str (&text, " ...");
    }
    node_note (step->node, name, text.buf);
}

/* --- its end --- */

static void end_step (struct step *step)
{
    step->over = true;
    step->pid = 0;
    step->end.partly = step->command > 0;
}

/* "program 'local/force:2' ..." */
static void set_message (struct step *step, const char *what)
{
    struct strbuf text = STRBUF_INIT;

    if (is_plain (step))
        name_command (step, &text);
    else
        strbuf_addf (&text, "%s '%s'",
                     step->phase == PHASE_RUN ? "program" : "step", step->name);
    strbuf_addf (&text, " %s", what);
    step->end.message = strbuf_detach (&text);
}

static void cannot_start (struct step *step, enum outcome outcome,
                          const struct error *why)
{
    char *what = xasprintf ("cannot be started: %s", why->text);

    step->end.outcome = outcome;
    step->end.exit_code = -1;
    step->end.machine_error =
        error_is_machine_error (why) && why->number != EACCES;
    set_message (step, what);
    free (what);
    end_step (step);
}

/* It did not exit with 0. */
static void fail (struct step *step, int status, const struct lines *printed)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct group_end *end = &step->end;

    end->exit_code = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
    end->signal = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
    if (end->signal)
        strbuf_addf (&text, "was killed by signal %d (%s)", end->signal,
                     strsignal (end->signal));
    else
        strbuf_addf (&text, "exited with status %d", end->exit_code);
    if (*printed->failed_at)
        strbuf_addf (&text, " at %s", printed->failed_at);
    if (*printed->last)
        strbuf_addf (&text, "; its last line: '%s'", printed->last);
    else
        strbuf_add_str (&text, " and printed nothing");
    set_message (step, text.buf);
    end_step (step);
}

/* --- its commands --- */

/* The text that its commands run, or NULL. */
static const char *script_of (const struct step *step)
{
    const struct group_spec *group = &step->node->file->group;

    return step->phase == PHASE_RUN
               ? group->programs[part_of (step)->program].script
               : NULL;
}

static pid_t start_program (struct step *step, const struct strvec *argv,
                            const struct script_variables *variables,
                            struct error *err)
{
    struct node *node = step->node;
    pid_t pid;
    int writer;

    step->stream =
        stream_open (node->epoll_fd, is_plain (step) ? "" : step->name,
                     node->log_fd, 0, &writer, err);
    if (!step->stream)
        return -1;
    pid = node_spawn (node, step->slot, threads_of (step), variables, argv,
                      writer, writer, err);
    close (writer);
    if (pid > 0)
        return pid;
    stream_destroy (step->stream);
    step->stream = NULL;
    return -1;
}

static void note_cores (struct step *step)
{
    struct strbuf cores = STRBUF_INIT;

    if (step->cores)
        return;
    if (cpu_list_of_process (step->pid, &cores) < 0 && step->slot)
        strbuf_add_str (&cores, step->slot->cpus); /* it was too quick */
    step->cores = strbuf_detach (&cores);
}

static int make_variables (const struct step *step,
                           struct script_variables *variables,
                           struct error *err)
{
    const char *text = script_of (step);

    return text ? script_variables_make (text, step->values,
                                         step->node->file->dir, variables, err)
                : 0;
}

static void next_command (struct step *step)
{
    const char *const *command =
        step->commands ? step->commands[step->command] : NULL;
    _cleanup_ (script_variables_release) struct script_variables variables =
        SCRIPT_VARIABLES_INIT;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    struct error why = ERROR_INIT;
    bool too_long;

    if (!command) {
        end_step (step);
    } else if (container_expand (command, step->values, &argv, &why) < 0
               || make_variables (step, &variables, &why) < 0) {
        cannot_start (step, OUTCOME_BAD_INPUT, &why);
    } else {
        note_command (step, &argv);
        step->pid = start_program (step, &argv, &variables, &why);
        too_long = step->pid <= 0 && why.number == E2BIG;
        if (too_long)
            template_explain_too_long (command, step->values, &why);
        if (step->pid > 0)
            note_cores (step);
        else
            cannot_start (step, too_long ? OUTCOME_BAD_INPUT : OUTCOME_FAILED,
                          &why);
    }
}

struct step *step_start (struct node *node, size_t part, enum group_phase phase,
                         struct json *values, const struct error *why)
{
    const struct part *p = &node->parts[part];
    struct step *step = xcalloc (1, sizeof (*step));
    struct strbuf name = STRBUF_INIT;

    step_name (&node->file->group, p, phase, &name);
    *step =
        (struct step){ .node = node,
                       .part = part,
                       .phase = phase,
                       .name = strbuf_detach (&name),
                       .commands = commands_of (&node->file->group, p, phase),
                       .values = values,
                       .start_s = clock_mono_s (),
                       .end = GROUP_END_INIT };
    if (p->level == LEVEL_INSTANCE)
        step->slot = node_slot (node, part);
    if (values)
        next_command (step);
    else
        cannot_start (step, OUTCOME_BAD_INPUT, why);
    return step;
}

void step_reaped (struct step *step, int status)
{
    struct stream *stream = step->stream;
    struct lines printed;

    stream_drain (stream);
    printed = stream->lines; /* its last lines; the stream may go */
    step->stream = NULL;
    node_keep_stream (step->node, stream);
    step->pid = 0;
    if (!WIFEXITED (status) || WEXITSTATUS (status) != 0) {
        fail (step, status, &printed);
        return;
    }
    step->command++;
    if (step->told && step->commands[step->command]) {
        step->end.exit_code = -1;
        set_message (step, "was ended");
        end_step (step);
        return;
    }
    next_command (step);
}

void step_signal (struct step *step, int signal)
{
    step->told = true;
    if (step->pid > 0)
        kill (-step->pid, signal);
}

void step_destroy (struct step *step)
{
    if (!step)
        return;
    if (step->pid > 0) {
        kill (-step->pid, SIGKILL);
        TEMP_FAILURE_RETRY (waitpid (step->pid, NULL, 0));
    }
    stream_destroy (step->stream);
    json_unref (step->values);
    group_end_release (&step->end);
    free (step->cores);
    free (step->name);
    free (step);
}
