/* SPDX-License-Identifier: BSD-3-Clause */
/* node.c - the part of a group that runs on one node: its steps and reports */
#include "base/base.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/spawn.h"
#include "group/node.h"
#include "group/report.h"
#include "group/step.h"
#include "handover/python_path.h"
#include "handover/script_run.h"
#include "group/stream.h"
#include "group/values.h"

/* --- what the node gives to whom --- */

static bool is_here (const struct node *node, const struct group_program *p)
{
    const char *name = node->file->group.nodes[node->index];

    return strcmp (p->node, name) == 0;
}

/* Instances are the last parts, in the order in which slots were cut. */
const struct slot *node_slot (const struct node *node, size_t part)
{
    const struct part *p = &node->parts[part];
    const struct group_spec *group = &node->file->group;
    size_t slot = (size_t)p->instance;

    if (p->level != LEVEL_INSTANCE || node->slots.n == 0)
        return NULL;
    for (size_t i = 0; i < p->program; i++)
        slot += is_here (node, &group->programs[i])
                    ? (size_t)group->programs[i].instances
                    : 0;
    return &node->slots.v[slot];
}

static int cut_slots (struct node *node, struct error *err)
{
    const struct group_spec *group = &node->file->group;
    _cleanup_free_ struct cut_group *wanted =
        xcalloc (group->n_programs + 1, sizeof (*wanted));
    struct resources share = resources_of_node (&node->file->needs);
    size_t n = 0;

    for (size_t i = 0; i < group->n_programs; i++) {
        const struct group_program *program = &group->programs[i];

        if (is_here (node, program) && !group_is_command (group))
            wanted[n++] = (struct cut_group){
                .tasks = { .tasks = program->instances,
                           .cores = program->needs.cores,
                           .gpus = program->needs.gpus,
                           .gpu_share = program->needs.gpu_share },
                .core_share = program->needs.core_share,
            };
    }
    return n > 0 ? slots_cut_together (wanted, n, share.cores, node->file->bind,
                                       &node->slots, err)
                 : 0;
}

struct json *node_values (const struct node *node, size_t part,
                          struct error *err)
{
    return part_values (node->file, &node->parts[part], node->workspace.path,
                        node->hosts, &node->meeting, err);
}

/* --- beginning and end --- */

static void add_report (struct node *node, const struct report_step *step,
                        size_t part)
{
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

    if (!step->command)
        return;
    part_name (&node->file->group, &node->parts[part], &name);
    report_init (&node->reports[node->n_reports++], step, part, name.buf);
}

static void find_reports (struct node *node)
{
    const struct group_spec *group = &node->file->group;

    node->reports = xcalloc (node->n_parts, sizeof (*node->reports));
    for (size_t i = 0; i < node->n_parts; i++) {
        const struct part *part = &node->parts[i];

        if (part->node != node->index)
            continue;
        if (part->level == LEVEL_NODE)
            add_report (node, &group->report, i);
        else if (part->level == LEVEL_INSTANCE)
            add_report (node, &group->programs[part->program].report, i);
    }
}

/* Each part has a pipe, each report two. */
static void allow_descriptors (const struct node *node)
{
    rlim_t wanted = 64 + node->n_parts + 2 * (rlim_t)node->n_reports;
    struct rlimit limit;

    if (getrlimit (RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    (void)setrlimit (RLIMIT_NOFILE, &limit);
}

int node_init (struct node *node, const sigset_t *interrupts, struct error *err)
{
    node->parts = group_parts (&node->file->group, &node->n_parts);
    node->runs = json_array ();
    find_reports (node);
    allow_descriptors (node);
    if (cut_slots (node, err) < 0)
        return -1;
    return workspace_take (node->file, node->index == 0, interrupts,
                           node->log_fd, &node->workspace, err);
}

void node_release (struct node *node)
{
    for (size_t i = 0; i < node->n_steps; i++)
        step_destroy (node->steps[i]);
    for (size_t i = 0; i < node->n_reports; i++)
        report_release (&node->reports[i]);
    for (struct stream *next; node->old_streams; node->old_streams = next) {
        next = node->old_streams->next;
        stream_drain (node->old_streams);
        stream_destroy (node->old_streams);
    }
    workspace_release (&node->workspace);
    slots_release (&node->slots);
    free (node->steps);
    free (node->reports);
    free (node->parts);
    json_unref (node->runs);
}

/* --- programs --- */

static void make_env (const struct node *node, const struct slot *slot,
                      int threads, const struct script_variables *variables,
                      struct strvec *env)
{
    const char *const *of_operator = node->file->env;
    _cleanup_free_ char *self = process_self ();
    _cleanup_free_ char *package = python_path (self);
    size_t n_own;

    strvec_pushf (env, "OMP_NUM_THREADS=%d", threads);
    strvec_pushf (env, "OPENBLAS_NUM_THREADS=%d", threads);
    if (slot)
        strvec_push_all (env, slot->env.v);
    n_own = env->n;
    for (char **entry = environ; *entry; entry++) {
        if (!environment_has (env, n_own, *entry))
            strvec_push (env, *entry);
    }
    for (; of_operator && *of_operator; of_operator++)
        environment_set (env, *of_operator);
    if (variables)
        script_variables_join (variables, env);
    python_path_append (package, env);
}

pid_t node_spawn (struct node *node, const struct slot *slot, int threads,
                  const struct script_variables *variables,
                  const struct strvec *argv, int out_fd, int err_fd,
                  struct error *err)
{
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    struct spawn spec = { .argv = (const char *const *)argv->v,
                          .out_fd = out_fd,
                          .err_fd = err_fd,
                          .death_signal = SIGKILL,
                          .cpus = slot ? slot->set : NULL,
                          .cpus_bytes = slot ? slot->set_bytes : 0,
                          .keep_fd = node->workspace.lock };
    pid_t pid;

    make_env (node, slot, threads, variables, &env);
    spec.env = env.v;
    pid = spawn (&spec, err);
    return pid;
}

void node_keep_stream (struct node *node, struct stream *stream)
{
    if (stream->watch.fd < 0) {
        stream_destroy (stream);
        return;
    }
    stream->next = node->old_streams;
    node->old_streams = stream;
}

void node_note (struct node *node, const char *name, const char *text)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    char now[CLOCK_ISO_SIZE];

    clock_iso (clock_wall_s (), now);
    strbuf_addf (&line, "=== %s %s: %s\n", now, name, text);
    (void)file_write_all (node->log_fd, line.buf, line.len, NULL);
}

/* --- reports --- */

static bool is_report_of (const struct node *node, const struct report *report,
                          size_t part)
{
    return report->part == part
           || node->parts[report->part].level == LEVEL_NODE;
}

/* A program began: its reports begin with it. */
static void begin_reports (struct node *node, size_t part)
{
    double now_s = clock_mono_s ();

    for (size_t i = 0; i < node->n_reports; i++) {
        struct report *report = &node->reports[i];

        if (is_report_of (node, report, part) && report->due_s == INFINITY)
            report->due_s = now_s + report->step->every_s;
    }
}

/* A program ended. */
static void end_reports (struct node *node, size_t part)
{
    for (size_t i = 0; i < node->n_reports; i++) {
        struct report *report = &node->reports[i];

        if (report->part == part || node->n_running == 0)
            report->due_s = INFINITY;
    }
}

void node_report (struct node *node, double now_s)
{
    for (size_t i = 0; i < node->n_reports; i++) {
        struct report *report = &node->reports[i];

        if (now_s < report->due_s)
            continue;
        (void)report_run (report, node, false);
        report->due_s = now_s + report->step->every_s;
    }
}

double node_due_s (const struct node *node)
{
    double due_s = INFINITY;

    for (size_t i = 0; i < node->n_reports; i++)
        due_s = fmin (due_s, node->reports[i].due_s);
    return due_s;
}

static void tell_ended (struct node *node, size_t part,
                        const struct group_end *end)
{
    node->events.ended (node->events.arg, part, end);
}

static void report_for_the_last_time (struct node *node, size_t part)
{
    const struct group_end fine = GROUP_END_INIT;

    for (size_t i = 0; i < node->n_reports; i++) {
        struct report *report = &node->reports[i];

        if (report->part == part && report_run (report, node, true))
            return;
    }
    tell_ended (node, part, &fine);
}

static void reap_report (struct node *node, struct report *report, int status)
{
    const struct group_end fine = GROUP_END_INIT;
    bool last = report->last;
    struct json *v = report_reaped (report, node, status);

    if (v)
        node->events.reported (node->events.arg, report->name, v);
    json_unref (v);
    if (last)
        tell_ended (node, report->part, &fine);
}

/* --- steps --- */

static void note_run (struct node *node, const struct step *step)
{
    struct json *v = json_object ();

    json_set (v, "name", json_string (step->name));
    json_set (v, "cores", json_string (step->cores ? step->cores : ""));
    if (step->slot && *step->slot->gpus)
        json_set (v, "gpus", json_string (step->slot->gpus));
    json_set (v, "wall_s", json_real (clock_mono_s () - step->start_s));
    json_push (node->runs, v);
}

static void finish_step (struct node *node, size_t i)
{
    struct step *step = node->steps[i];

    node->steps[i] = node->steps[--node->n_steps];
    if (step->phase == PHASE_RUN) {
        node->n_running--;
        end_reports (node, step->part);
        note_run (node, step);
    }
    tell_ended (node, step->part, &step->end);
    step_destroy (step);
}

void node_start (struct node *node, size_t part, enum group_phase phase)
{
    struct error why = ERROR_INIT;

    if (phase == PHASE_LAST_REPORT) {
        report_for_the_last_time (node, part);
        return;
    }
    if (phase == PHASE_RUN) {
        node->n_running++;
        begin_reports (node, part);
    }
    node->steps = grow_array (node->steps, node->n_steps, &node->alloc_steps,
                              sizeof (struct step *));
    node->steps[node->n_steps++] =
        step_start (node, part, phase, node_values (node, part, &why), &why);
    if (node->steps[node->n_steps - 1]->over)
        finish_step (node, node->n_steps - 1);
}

void node_signal (struct node *node, int signal)
{
    for (size_t i = 0; i < node->n_steps; i++)
        step_signal (node->steps[i], signal);
    for (size_t i = 0; i < node->n_reports; i++) {
        if (node->reports[i].last)
            kill (-node->reports[i].pid, signal);
    }
}

void node_reaped (struct node *node, pid_t pid, int status)
{
    for (size_t i = 0; i < node->n_steps; i++) {
        if (node->steps[i]->pid != pid)
            continue;
        step_reaped (node->steps[i], status);
        if (node->steps[i]->over)
            finish_step (node, i);
        return;
    }
    for (size_t i = 0; i < node->n_reports; i++) {
        if (node->reports[i].pid == pid) {
            reap_report (node, &node->reports[i], status);
            return;
        }
    }
}
