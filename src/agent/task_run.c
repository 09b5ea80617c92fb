/* SPDX-License-Identifier: BSD-3-Clause */
/* task_run.c - what a task had and used, as it is recorded */
#include "base/base.h"

#include <sys/resource.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/energy.h"
#include "agent/group_task.h"
#include "agent/task.h"
#include "agent/task_outcome.h"
#include "agent/task_run.h"
#include "agent/version_line.h"
#include "base/clock.h"
#include "base/json.h"
#include "placement/slots.h"
#include "signature/script.h"

void task_run_note_binding (struct task *task)
{
    struct strbuf cores = STRBUF_INIT;

    if (task->cores)
        return;
    if (cpu_list_of_process (task->pid, &cores) < 0)
        strbuf_add_str (&cores, task->slot->cpus); /* it was too quick */
    task->cores = strbuf_detach (&cores);
    task->memory_had = memory_policy_of_process (task->pid);
}

static double seconds (const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

void task_run_note_command (struct task *task, const struct rusage *usage)
{
    const char *program = script_command_name (task_argv (task)[0]);
    struct json *v = json_object ();

    task_memory_note (task, usage);
    task->cpu_s += seconds (&usage->ru_utime) + seconds (&usage->ru_stime);
    json_set (v, "argv0", json_string (program));
    json_set (v, "wall_s", json_real (clock_mono_s () - task->command_start_s));
    json_push (task->commands_run, v);
}

void task_run_note_version (struct task *task)
{
    const struct stage_manifest *stage = &task->element->assignment->stage;
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;

    if (task->version_line || !stage->version_line || task->log_fd < 0)
        return;
    if (version_line_read (task->log_fd, stage->version_line,
                           stage->group != NULL, &line))
        task->version_line = strbuf_detach (&line);
}

/* What its memory was to be, which no kernel need have agreed to. */
static struct memory_policy memory_wanted (const struct slot *slot)
{
    struct memory_policy wanted = { .mode = slot->strict_memory
                                                ? MEMORY_STRICT
                                                : MEMORY_PREFERRED };

    if (*slot->memory == '\0')
        wanted.mode = MEMORY_ANY;
    snprintf (wanted.nodes, sizeof (wanted.nodes), "%s", slot->memory);
    return wanted;
}

/* Of a program that had ended before it was looked at: what the kernel
 * accepted, which it kept.
 */
static struct memory_policy memory_accepted (const struct task *task)
{
    return task->slot->memory_nodes && !task->memory_refused
               ? memory_wanted (task->slot)
               : (struct memory_policy){ .mode = MEMORY_ANY };
}

struct task_start task_run_start (const struct task *task)
{
    const struct slot *slot = task->slot;
    const char *had = task->cores ? task->cores : slot->cpus;
    struct task_start start = {
        .slot = task->slot_index,
        .cores = had,
        .cores_wanted =
            *slot->cpus && strcmp (slot->cpus, had) != 0 ? slot->cpus : NULL,
        .memory = task->memory_had.mode == MEMORY_UNKNOWN
                      ? memory_accepted (task)
                      : task->memory_had,
        .gpus = slot->gpus,
    };
    struct memory_policy wanted = memory_wanted (slot);

    if (wanted.mode != MEMORY_ANY
        && (wanted.mode != start.memory.mode
            || strcmp (wanted.nodes, start.memory.nodes) != 0))
        start.memory_wanted = wanted;
    return start;
}

int task_run_log_start (struct task *task, struct error *err)
{
    const struct task_start start = task_run_start (task);

    if (task->start_logged)
        return 0;
    task->start_logged = true;
    return claim_log_start (task->element->claim, task->number, &start, err);
}

void task_run_measure (const struct task *task, struct task_end *end)
{
    end->wall_s = clock_mono_s () - task->start_s;
    end->ended_s = task->start_wall_s + end->wall_s;
    end->cpu_s = task->cpu_s;
    end->peak_bytes = task_memory_peak (task);
    end->energy_j = energy_meter_look (task->element->energy) - task->begin_j;
}

struct json *task_run_describe (const struct task *task)
{
    const struct task_start start = task_run_start (task);
    struct json *run = json_object ();
    struct task_end end = { .outcome = OUTCOME_OK };
    char host[256] = "unknown";

    task_run_measure (task, &end);
    gethostname (host, sizeof (host) - 1);
    json_set (run, "host", json_string (host));
    json_set (run, "started_s", json_real (task->start_wall_s));
    json_set (run, "wall_s", json_real (end.wall_s));
    if (end.peak_bytes > 0)
        json_set (run, "peak_bytes", json_int (end.peak_bytes));
    json_set (run, "cpu_s", json_real (end.cpu_s));
    if (task->element->energy->n > 0)
        json_set (run, "energy_j", json_real (end.energy_j));
    task_start_describe (&start, run);
    if (task->version_line)
        json_set (run, "version_line", json_string (task->version_line));
    if (task->restart)
        json_set (run, "restart", json_bool (true));
    json_set (run, "commands", json_ref (task->commands_run));
    group_task_describe (task, run);
    if (task->log_limit.left_out_bytes > 0)
        json_set (run, "log_left_out_bytes",
                  json_int (task->log_limit.left_out_bytes));
    return run;
}
