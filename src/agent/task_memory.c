/* SPDX-License-Identifier: BSD-3-Clause */
/* task_memory.c - a task is kept to the memory that it stated */
#include "base/base.h"

#include <sys/resource.h>

#include "agent/assignment.h"
#include "agent/memory_cgroup.h"
#include "agent/orphan_processes.h"
#include "agent/shortage.h"
#include "agent/task.h"
#include "agent/task_memory.h"
#include "agent/task_processes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"

/* Between two looks: so long, but looking takes at most a part of the time. */
static const double look_every_s = 1;
enum { LOOK_PART = 20 };

void task_memory_begin (struct task *task)
{
    const struct element *element = task->element;
    const struct resources share =
        resources_of_node (&element->assignment->job.task);
    struct task_memory *memory = &task->memory;

    *memory = (struct task_memory){
        .limit_bytes = share.memory_bytes,
        .cgroup = memory_cgroup_begin (element->memory_cgroup, task->slot_index,
                                       share.memory_bytes),
        .look_at_s = share.memory_bytes > 0 || share.memory_auto
                         ? clock_mono_s () + look_every_s
                         : INFINITY,
    };
    if (memory->cgroup) {
        memory->cgroup_procs = path_join (memory->cgroup, "cgroup.procs");
        memory->oom_file = path_join (memory->cgroup, "memory.events");
    } else if (element->oom_file) {
        memory->oom_file = xstrdup (element->oom_file);
    }
    memory->oom_kills = oom_kills (memory->oom_file);
}

void task_memory_go_on (struct task *task)
{
    struct task_memory *memory = &task->memory;

    memory->use = (struct memory_use){ .peak_bytes = 0 };
    memory->most_children = 0;
    memory->oom_kills = oom_kills (memory->oom_file);
    if (memory->look_at_s < INFINITY)
        memory->look_at_s = clock_mono_s () + look_every_s;
}

void task_memory_end (struct task *task)
{
    memory_cgroup_end (task->memory.cgroup);
    free (task->memory.cgroup_procs);
    free (task->memory.oom_file);
    task->memory = (struct task_memory){ .look_at_s = INFINITY };
}

void task_memory_note (struct task *task, const struct rusage *usage)
{
    struct memory_use *use = &task->memory.use;
    int64_t bytes = (int64_t)usage->ru_maxrss * 1024;

    if (bytes > use->peak_bytes)
        use->peak_bytes = bytes;
}

int64_t task_memory_peak (const struct task *task)
{
    const struct resources share =
        resources_of_node (&task->element->assignment->job.task);

    return share.ranks > 1 && task->memory.most_children < (size_t)share.ranks
               ? 0
               : task->memory.use.peak_bytes;
}

bool task_memory_is_over (struct task *task, int others, struct error *why)
{
    struct task_memory *memory = &task->memory;
    int64_t limit_bytes = memory->cgroup ? 0 : memory->limit_bytes;
    double start_s = clock_mono_s ();
    struct strvec pids = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    size_t children;
    bool is_over;

    children = task_processes (task->pid, task->tag,
                               orphan_processes_possible (others + 1), &pids);
    memory_use_count (&memory->use, &pids, limit_bytes);
    if (children > memory->most_children)
        memory->most_children = children;
    strvec_release (&pids);
    memory->look_at_s =
        clock_mono_s ()
        + fmax (look_every_s, LOOK_PART * (clock_mono_s () - start_s));
    is_over = limit_bytes > 0 && memory->use.bytes > limit_bytes;
    if (is_over) {
        strbuf_add_str (&text, "it used ");
        format_bytes (memory->use.bytes, &text);
        strbuf_add_str (&text, " of its memory of ");
        format_bytes (limit_bytes, &text);
        error_set (why, "%s", text.buf);
    }
    return is_over;
}

bool task_memory_was_short (const struct task *task)
{
    return oom_kills (task->memory.oom_file) > task->memory.oom_kills;
}

void task_memory_describe (const struct task *task, struct strbuf *message)
{
    if (!task->memory.cgroup || !memory_cgroup_was_full (task->memory.cgroup))
        return;
    strbuf_add_str (message, "; it used up its memory of ");
    format_bytes (task->memory.limit_bytes, message);
}
