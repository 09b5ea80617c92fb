/* SPDX-License-Identifier: BSD-3-Clause */
/* packing.c - tasks -> slots -> elements -> chunks (pure) */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/json.h"
#include "base/json_record.h"
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

/* How often 'need' fits into 'capacity'; 'unlimited' when nothing is needed. */
static int64_t fits (int64_t capacity, int64_t need, int64_t unlimited)
{
    return need > 0 ? capacity / need : unlimited;
}

const char *task_need_key (enum task_need need)
{
    static const char *const keys[] = { "cores", "gpus", "memory", "walltime" };

    return keys[need];
}

int64_t task_memory_most (const struct node_capacity *node)
{
    return tighter_limit (node->memory_bytes, node->strict_task_bytes);
}

bool task_need_fits (enum task_need need, const struct resources *task,
                     const struct node_capacity *node,
                     const struct array_limits *limits, struct error *err)
{
    const struct resources share = resources_of_node (task);
    const char *where = task->nodes > 1 ? " on each of its nodes" : "";
    const char *who = "a node has";
    _cleanup_ (strbuf_release) struct strbuf want = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf have = STRBUF_INIT;
    bool fits = true;

    switch (need) {
    case NEED_CORES:
        fits = node->cores == 0 || share.cores <= node->cores;
        strbuf_addf (&want, "%d cores", share.cores);
        strbuf_addf (&have, "%d", node->cores);
        if (node->reserved_cores > 0)
            strbuf_addf (&have, " besides %d reserved ones",
                         node->reserved_cores);
        break;
    case NEED_GPUS:
        fits = node->cores == 0 || share.gpus <= node->gpus;
        strbuf_addf (&want, "%d GPUs", share.gpus);
        strbuf_addf (&have, "%d", node->gpus);
        break;
    case NEED_MEMORY:
        fits =
            node->memory_bytes == 0 || share.memory_bytes <= node->memory_bytes;
        format_bytes (share.memory_bytes, &want);
        strbuf_add_str (&want, " of memory");
        if (fits && node->strict_task_bytes > 0) {
            fits = share.memory_bytes <= node->strict_task_bytes;
            who = "with memory_binding: strict the NUMA nodes of its cores "
                  "have";
        }
        format_bytes (task_memory_most (node), &have);
        break;
    case NEED_WALLTIME:
    case TASK_NEEDS:
        fits =
            limits->walltime_s <= 0 || task->walltime_s <= limits->walltime_s;
        where = "";
        who = "the limit of the profile (of its partition or queue, where that "
              "is less) is";
        strbuf_add_str (&want, "a walltime of ");
        format_duration (task->walltime_s, &want);
        format_duration (limits->walltime_s, &have);
        break;
    }
    if (!fits)
        error_set (err,
                   "a task needs %s%s and %s %s; lower task.%s or choose "
                   "another profile",
                   want.buf, where, who, have.buf, task_need_key (need));
    return fits;
}

static int tasks_on_gpu (const struct resources *task)
{
    return task->gpu_share > 1 ? task->gpu_share : 1;
}

static int64_t fit_slots (const struct resources *share,
                          const struct node_capacity *node)
{
    int64_t n = fits (node->cores, share->cores, node->cores);

    n = min64 (
        n, fits ((int64_t)node->gpus * tasks_on_gpu (share), share->gpus, n));
    if (node->memory_bytes > 0)
        n = min64 (n, fits (node->memory_bytes, share->memory_bytes, n));
    if (node->strict_tasks > 0)
        n = min64 (n, node->strict_tasks);
    return n;
}

double packing_node_share (const struct resources *task,
                           const struct node_capacity *node)
{
    const struct resources share = resources_of_node (task);
    int64_t slots = task->nodes > 1 ? 1 : fit_slots (&share, node);

    return slots > 0 ? (task->nodes > 1 ? task->nodes : 1) / (double)slots : 0;
}

/* A job whose tasks fill a node asks for all of it, and so does one whose
 * memory could be short where the scheduler gives it cores of one NUMA node.
 * (Of several nodes each gives an equal share for each rank, which has no room
 * for more.)
 */
static int cores_to_ask (const struct packing *plan,
                         const struct resources *share,
                         const struct node_capacity *node)
{
    bool fills = plan->nodes == 1 && plan->slots == fit_slots (share, node);
    bool spread = plan->nodes == 1 && node->least_numa_bytes > 0
                  && plan->slots * share->memory_bytes > node->least_numa_bytes;

    return spread || (fills && node->reserved_cores > 0)
               ? node->cores + node->reserved_cores
               : plan->slots * share->cores;
}

/* How many tasks one slot may run one after the other. */
static int64_t fit_waves (const struct resources *task,
                          const struct array_limits *limits, int64_t unlimited)
{
    int64_t waves = task->nodes > 1 ? 1 : unlimited;
    double n;

    if (task->walltime_s <= 0 || limits->walltime_s <= 0)
        return waves;
    n = floor ((limits->walltime_s - element_slack_s) / task->walltime_s);
    if (n < (double)waves)
        waves = n < 1 ? 1 : (int64_t)n;
    return waves;
}

/* The largest chunk; 0: without limit. */
static int64_t chunk_most (const struct array_limits *limits)
{
    if (limits->submit > 0
        && (limits->elements == 0 || limits->submit < limits->elements))
        return limits->submit;
    return limits->elements;
}

/* A walltime is what a task never takes, with much to spare. */
static const double walltime_part = 0.1;

double expected_task_s (const struct resources *task, double measured_s)
{
    return measured_s > 0 ? measured_s : walltime_part * task->walltime_s;
}

/* How many elements are worth starting where 'spread' of them would run all
 * tasks at the same time.  More than 'limits.running' would only wait in line.
 */
static int64_t worthwhile_elements (int64_t spread, double task_s,
                                    const struct array_limits *limits)
{
    double waves = task_s > 0 ? ELEMENT_AIM_S / task_s
                              : sqrt ((double)spread / ELEMENTS_AT_ONCE);
    int64_t elements = spread;

    if (limits->running > 0)
        return min64 (spread, limits->running);
    if (waves >= (double)spread)
        elements = 1;
    else if (waves >= 1.5)
        elements = ceil_div (spread, llround (waves));
    return elements > ELEMENTS_AT_ONCE ? elements
                                       : min64 (spread, ELEMENTS_AT_ONCE);
}

/* Elements in all, such that none gets more than slots * waves tasks. */
static int64_t count_elements (int64_t spread, int64_t waves, double task_s,
                               const struct array_limits *limits)
{
    int64_t elements = worthwhile_elements (spread, task_s, limits);
    int64_t least = ceil_div (spread, waves);

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

int packing_plan (int64_t tasks, const struct resources *task,
                  double measured_s, const struct node_capacity *node,
                  const struct array_limits *limits, struct packing *packing,
                  struct error *err)
{
    const struct resources share = resources_of_node (task);
    struct packing plan = { .nodes = task->nodes > 1 ? task->nodes : 1 };
    int64_t waves = fit_waves (task, limits, tasks);

    if (node->cores < 1)
        return error_set (err, "a node without cores runs no task; say how "
                               "many it has, or choose another profile");
    for (enum task_need need = NEED_CORES; need < TASK_NEEDS; need++) {
        if (!task_need_fits (need, task, node, limits, err))
            return -1;
    }
    plan.slots =
        plan.nodes > 1 ? 1 : (int)min64 (fit_slots (&share, node), tasks);
    plan.elements = count_elements (ceil_div (tasks, plan.slots), waves,
                                    expected_task_s (task, measured_s), limits);
    plan.per_element = ceil_div (tasks, plan.elements);
    plan.slots = (int)min64 (plan.slots, plan.per_element);
    plan.chunks = chunk_most (limits) > 0
                      ? ceil_div (plan.elements, chunk_most (limits))
                      : 1;
    plan.per_chunk = ceil_div (plan.elements, plan.chunks);
    plan.cores = cores_to_ask (&plan, &share, node);
    plan.gpus =
        (int)ceil_div ((int64_t)plan.slots * share.gpus, tasks_on_gpu (&share));
    plan.memory_bytes = plan.slots * share.memory_bytes;
    plan.walltime_s = element_walltime (task, limits, packing_waves (&plan));
    *packing = plan;
    return 0;
}

int64_t packing_waves (const struct packing *packing)
{
    return ceil_div (packing->per_element, packing->slots);
}

struct throttle packing_throttle (int64_t chunks, int64_t per_chunk,
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

int64_t packing_chunk_elements (const struct packing *packing, int64_t chunk)
{
    return min64 (packing->per_chunk,
                  packing->elements - chunk * packing->per_chunk);
}

/* Of 'n' tasks, how many belong to the elements before 'element'. */
static int64_t tasks_before (int64_t element, int64_t n, int64_t elements)
{
    return element * n / elements;
}

/* Element e has tasks [e n / E, (e + 1) n / E): sizes differ by 1. */
void packing_chunk_tasks (const struct packing *packing,
                          const struct task_range *tasks, int64_t chunk,
                          struct task_range *share)
{
    int64_t n = (int64_t)task_range_count (tasks);
    int64_t first = chunk * packing->per_chunk;
    int64_t end = first + packing_chunk_elements (packing, chunk);
    int64_t from = tasks_before (first, n, packing->elements);
    struct task_cursor at = { 0 };

    task_range_take (tasks, &at, from, NULL);
    task_range_take (tasks, &at,
                     tasks_before (end, n, packing->elements) - from, share);
}

void packing_deal (const struct task_range *tasks, int64_t elements,
                   struct task_range *bundles)
{
    int64_t n = (int64_t)task_range_count (tasks);
    struct task_cursor at = { 0 };

    for (int64_t e = 0; e < elements; e++)
        task_range_take (tasks, &at,
                         tasks_before (e + 1, n, elements)
                             - tasks_before (e, n, elements),
                         &bundles[e]);
}

void packing_bundle (const struct task_range *tasks, int64_t elements,
                     int64_t element, struct task_range *bundle)
{
    int64_t n = (int64_t)task_range_count (tasks);
    int64_t from = tasks_before (element, n, elements);
    struct task_cursor at = { 0 };

    task_range_take (tasks, &at, from, NULL);
    task_range_take (tasks, &at, tasks_before (element + 1, n, elements) - from,
                     bundle);
}

int64_t packing_element_of (const struct task_range *tasks, int64_t elements,
                            int32_t task)
{
    int64_t n = (int64_t)task_range_count (tasks);
    int64_t before = 0;
    int64_t element;
    size_t i;

    if (!task_range_contains (tasks, task))
        return -1;
    for (i = 0; tasks->spans[i].last < task; i++)
        before += tasks->spans[i].last - tasks->spans[i].first + 1;
    before += task - tasks->spans[i].first;
    element = before * elements / n;
    while (tasks_before (element + 1, n, elements) <= before)
        element++;
    return element;
}

/* --- as JSON --- */

#define TASKS_FIELD(member)                                                    \
    JSON_FIELD (struct packing, member, COUNT, .least = 1, .most = TASK_MAX + 1)

static const struct json_field fields[] = {
    JSON_FIELD (struct packing, slots, COUNT, .least = 1),
    TASKS_FIELD (per_element),
    TASKS_FIELD (elements),
    TASKS_FIELD (chunks),
    TASKS_FIELD (per_chunk),
    JSON_FIELD (struct packing, cores, COUNT),
    JSON_FIELD (struct packing, gpus, COUNT),
    JSON_FIELD (struct packing, memory_bytes, COUNT),
    JSON_FIELD (struct packing, walltime_s, REAL),
    JSON_FIELD (struct packing, nodes, COUNT, .least = 1),
    JSON_FIELDS_END,
};

struct json *packing_to_json (const struct packing *packing)
{
    struct json *v = json_object ();

    json_record_write (packing, fields, v);
    return v;
}

int packing_from_json (const struct json *v, struct packing *packing,
                       struct error *err)
{
    struct packing p = { 0 };

    if (json_record_read (v, fields, &p, err) < 0)
        return -1;
    if ((p.chunks - 1) * p.per_chunk >= p.elements
        || p.chunks * p.per_chunk < p.elements)
        return error_set (err,
                          "%" PRId64 " chunks of %" PRId64
                          " do not hold %" PRId64 " elements",
                          p.chunks, p.per_chunk, p.elements);
    *packing = p;
    return 0;
}
