/* SPDX-License-Identifier: BSD-3-Clause */
/* packing.c - tasks -> slots -> elements -> chunks (pure) */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "arrays/packing.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"

/* Added to the walltime of an element that runs wave after wave, for what the
 * agent does around the tasks.
 */
static const double element_slack_s = 60;

static int64_t min64 (int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t tighter_limit (int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

static int64_t ceil_div (int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* How often 'need' fits; 'room' itself when nothing is needed. */
static int64_t fits (int64_t room, int64_t need, int64_t unlimited)
{
    return need > 0 ? room / need : unlimited;
}

static int fit_slots (const struct resources *task,
                      const struct node_room *node,
                      int *slots,
                      struct error *err)
{
    int64_t n = fits (node->cores, task->cores, node->cores);
    struct strbuf want = STRBUF_INIT;
    struct strbuf have = STRBUF_INIT;

    if (n < 1)
        return error_set (err,
                          "a task wants %d cores and a node has %d; "
                          "lower task.cores or choose another profile",
                          task->cores, node->cores);
    n = min64 (n, fits (node->gpus, task->gpus, n));
    if (n < 1)
        return error_set (err,
                          "a task wants %d GPUs and a node has %d; "
                          "lower task.gpus or choose another profile",
                          task->gpus, node->gpus);
    if (node->memory_bytes > 0)
        n = min64 (n, fits (node->memory_bytes, task->memory_bytes, n));
    if (n < 1) {
        format_bytes (task->memory_bytes, &want);
        format_bytes (node->memory_bytes, &have);
        error_set (err,
                   "a task wants %s of memory and a node has %s; "
                   "lower task.memory or choose another profile",
                   want.buf, have.buf);
        strbuf_release (&want);
        strbuf_release (&have);
        return -1;
    }
    *slots = (int)n;
    return 0;
}

/* How many tasks one slot may run one after the other. */
static int fit_waves (const struct resources *task,
                      const struct array_limits *limits,
                      int64_t unlimited,
                      int64_t *waves,
                      struct error *err)
{
    struct strbuf want = STRBUF_INIT;
    struct strbuf have = STRBUF_INIT;
    double n;

    *waves = task->nodes > 1 ? 1 : unlimited;
    if (task->walltime_s <= 0 || limits->walltime_s <= 0)
        return 0;
    if (task->walltime_s > limits->walltime_s) {
        format_duration (task->walltime_s, &want);
        format_duration (limits->walltime_s, &have);
        error_set (err,
                   "a task wants a walltime of %s and the limit of the profile "
                   "(of its partition or queue, where that is less) is %s; "
                   "lower task.walltime or choose another profile",
                   want.buf, have.buf);
        strbuf_release (&want);
        strbuf_release (&have);
        return -1;
    }
    n = floor ((limits->walltime_s - element_slack_s) / task->walltime_s);
    if (n < (double)*waves)
        *waves = n < 1 ? 1 : (int64_t)n;
    return 0;
}

/* The largest chunk; 0: without limit. */
static int64_t chunk_most (const struct array_limits *limits)
{
    if (limits->submit > 0
        && (limits->elements == 0 || limits->submit < limits->elements))
        return limits->submit;
    return limits->elements;
}

/* Elements in all, such that none gets more than slots * waves tasks. */
static int64_t count_elements (int64_t tasks,
                               int slots,
                               int64_t waves,
                               const struct array_limits *limits)
{
    int64_t elements = ceil_div (tasks, slots);
    int64_t least = ceil_div (elements, waves);

    if (limits->running > 0)
        elements = min64 (elements, limits->running);
    if (chunk_most (limits) > 0)
        elements = min64 (elements, chunk_most (limits));
    return elements > least ? elements : least;
}

static double element_walltime (const struct resources *task,
                                const struct array_limits *limits,
                                int64_t waves)
{
    double s = (double)waves * task->walltime_s + element_slack_s;

    if (task->walltime_s <= 0)
        return limits->walltime_s;
    return limits->walltime_s > 0 && s > limits->walltime_s ? limits->walltime_s
                                                            : s;
}

int packing_plan (int64_t tasks,
                  const struct resources *task,
                  const struct node_room *node,
                  const struct array_limits *limits,
                  struct packing *packing,
                  struct error *err)
{
    const struct resources share = resources_of_node (task);
    struct packing plan = { .nodes = task->nodes > 1 ? task->nodes : 1 };
    int64_t waves;

    if (fit_slots (&share, node, &plan.slots, err) < 0
        || fit_waves (task, limits, tasks, &waves, err) < 0)
        return -1;
    plan.slots = plan.nodes > 1 ? 1 : (int)min64 (plan.slots, tasks);
    plan.elements = count_elements (tasks, plan.slots, waves, limits);
    plan.per_element = ceil_div (tasks, plan.elements);
    plan.slots = (int)min64 (plan.slots, plan.per_element);
    plan.chunks = chunk_most (limits) > 0
                    ? ceil_div (plan.elements, chunk_most (limits))
                    : 1;
    plan.per_chunk = ceil_div (plan.elements, plan.chunks);
    plan.cores = plan.slots * share.cores;
    plan.gpus = plan.slots * share.gpus;
    plan.memory_bytes = plan.slots * share.memory_bytes;
    plan.walltime_s = element_walltime (
        task, limits, ceil_div (plan.per_element, plan.slots));
    *packing = plan;
    return 0;
}

struct throttle packing_throttle (int64_t chunks,
                                  int64_t per_chunk,
                                  const struct array_limits *limits)
{
    int64_t running = limits->running;
    int64_t arrays = min64 (chunks, running);

    if (running <= 0)
        return (struct throttle){ 0, 0 };
    if (limits->submit > 0 && per_chunk > 0)
        arrays = min64 (arrays, limits->submit / per_chunk);
    while (arrays > 1 && running % arrays != 0)
        arrays--;
    if (arrays < 1)
        arrays = 1;
    return (struct throttle){ arrays, running / arrays };
}

void packing_bundles (const struct packing *packing,
                      const struct task_range *tasks,
                      int64_t chunk,
                      struct strvec *bundles)
{
    int64_t n = (int64_t)task_range_count (tasks);
    int64_t first = chunk * packing->per_chunk;
    int64_t end = min64 (first + packing->per_chunk, packing->elements);
    int64_t from = first * n / packing->elements;
    int32_t task = from > 0 ? task_range_at (tasks, (size_t)from - 1) : -1;
    struct strbuf line = STRBUF_INIT;

    /* Element e has tasks [e n / E, (e + 1) n / E): sizes differ by 1. */
    for (int64_t e = first; e < end; e++) {
        struct task_range bundle = TASK_RANGE_INIT;
        int64_t to = (e + 1) * n / packing->elements;

        for (; from < to; from++) {
            task = task_range_next (tasks, task);
            task_range_add (&bundle, task);
        }
        strbuf_reset (&line);
        task_range_format (&bundle, &line);
        strvec_push (bundles, line.buf);
        task_range_release (&bundle);
    }
    strbuf_release (&line);
}
