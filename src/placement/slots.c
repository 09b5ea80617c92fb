/* SPDX-License-Identifier: BSD-3-Clause */
/* slots.c - what this process was given of a node, cut into slots */
#include "base/base.h"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "placement/place.h"
#include "placement/slots.h"
#include "placement/visible_devices.h"

/* No kernel has more; sched_getaffinity needs room for all it has. */
enum { CPUS_MAX = 1 << 16 };

/* What of the node is ours. */
struct given {
    struct node_shape shape; /* with the devices that were given */
    hwloc_bitmap_t cpus;
    int cores;
    struct gpus gpus; /* locked ones, if it is not said which are ours */
    bool locked;
};

static void given_release (struct given *given)
{
    gpus_give (&given->gpus);
    node_shape_release (&given->shape);
    hwloc_bitmap_free (given->cpus);
}

/* The CPUs that process 'pid' may run on; freed by the caller.  NULL with
 * errno.
 */
static cpu_set_t *affinity_of (pid_t pid, size_t *bytes)
{
    for (size_t cpus = 1024; cpus <= CPUS_MAX; cpus *= 2) {
        size_t size = CPU_ALLOC_SIZE (cpus);
        cpu_set_t *set = xcalloc (1, size);

        if (sched_getaffinity (pid, size, set) == 0) {
            *bytes = size;
            return set;
        }
        free (set);
        if (errno != EINVAL)
            return NULL;
    }
    return NULL;
}

/* hwloc knows of the cgroup, not of what taskset or a scheduler set. */
static void and_affinity (hwloc_bitmap_t cpus)
{
    size_t bytes = 0;
    cpu_set_t *set = affinity_of (0, &bytes);

    for (size_t cpu = 0; set && cpu < CPUS_MAX; cpu++) {
        if (cpu >= 8 * bytes || !CPU_ISSET_S (cpu, bytes, set))
            hwloc_bitmap_clr (cpus, (unsigned)cpu);
    }
    free (set);
}

static int given_load (bool devices, struct given *given, struct error *err)
{
    *given = (struct given){ .gpus = GPUS_INIT };
    if (node_shape_of_this_node (devices, &given->shape, err) < 0)
        return -1;
    visible_devices_apply (environ, &given->shape);
    given->cpus = hwloc_bitmap_alloc ();
    for (size_t i = 0; i < given->shape.n_cores; i++)
        hwloc_bitmap_or (given->cpus, given->cpus,
                         given->shape.cores[i].threads);
    if (given->shape.here)
        and_affinity (given->cpus);
    for (size_t i = 0; i < given->shape.n_cores; i++)
        given->cores += hwloc_bitmap_intersects (given->shape.cores[i].threads,
                                                 given->cpus);
    if (given->cores > 0)
        return 0;
    given_release (given);
    return error_set (err, "this node's topology shows no CPU for us");
}

/* --- devices that others may have --- */

/* How often to look whether some were given back. */
static const double look_s = 0.1;

static int say_gpus_are_taken (const struct given *given, const char *spool,
                               size_t wanted, struct error *err)
{
    return error_set (err,
                      "%zu GPUs are needed and other jobs of yours on this "
                      "node have too many of its %zu (locked in %s/gpus); see "
                      "that the scheduler counts as many as there are",
                      wanted, given->shape.n_gpus, spool);
}

/* Where no variable names our devices all are seen: take those that are free,
 * 'least' of them or more, within that time.
 */
static int lock_gpus (struct given *given, size_t least, double wait_s,
                      struct error *err)
{
    double end_s = clock_mono_s () + wait_s;
    _cleanup_free_ char *spool = NULL;
    int rc;

    if (visible_devices_are_named (environ)
        || !visible_devices_have_names (&given->shape))
        return 0;
    if (least > given->shape.n_gpus)
        least = given->shape.n_gpus;
    spool = node_spool ();
    while (
        (rc = gpus_take_free (spool, &given->shape, least, &given->gpus, err))
            > 0
        && clock_mono_s () < end_s)
        clock_sleep (look_s, NULL);
    given->locked = rc == 0;
    if (rc > 0)
        rc = say_gpus_are_taken (given, spool, least, err);
    return rc;
}

/* Those that a slot has go with the slots, the others are given back. */
static void keep_gpus (struct given *given, const struct placement *placement,
                       struct slots *slots)
{
    _cleanup_free_ bool *needed =
        xcalloc (given->shape.n_gpus + 1, sizeof (*needed));

    for (size_t i = 0; i < placement->n; i++) {
        for (size_t k = 0; k < placement->v[i].n_gpus; k++)
            needed[placement->v[i].gpus[k]] = true;
    }
    gpus_keep (&given->gpus, needed);
    slots->gpus = given->gpus;
    given->gpus = (struct gpus)GPUS_INIT;
}

/* Of this node no less than the kernel has: its NUMA nodes need not tell all.
 */
static int64_t node_memory_bytes (const struct node_shape *shape)
{
    int64_t pages = shape->here ? sysconf (_SC_PHYS_PAGES) : 0;
    int64_t bytes = pages > 0 ? pages * sysconf (_SC_PAGESIZE) : 0;

    return bytes > shape->memory_bytes ? bytes : shape->memory_bytes;
}

int granted_cores (const struct place_rules *rules, int *cores, int *reserved,
                   int64_t *memory_bytes, struct error *err)
{
    struct given given;

    if (given_load (false, &given, err) < 0)
        return -1;
    if (memory_bytes)
        *memory_bytes = node_memory_bytes (&given.shape);
    *cores = given.cores;
    *reserved = place_reserved (&given.shape,
                                &(struct granted){ .cpus = given.cpus }, rules);
    given_release (&given);
    return 0;
}

/* --- slots --- */

static void slot_bind (struct slot *slot, const struct given *given,
                       const struct hwloc_bitmap_s *cpus)
{
    size_t bytes = CPU_ALLOC_SIZE ((size_t)hwloc_bitmap_last (cpus) + 1);
    struct strbuf text = STRBUF_INIT;
    int cpu = -1;

    cpus_format (cpus, &text);
    slot->cpus = strbuf_detach (&text);
    if (!given->shape.here)
        return;
    slot->set = xcalloc (1, bytes);
    slot->set_bytes = bytes;
    while ((cpu = hwloc_bitmap_next (cpus, cpu)) >= 0)
        CPU_SET_S ((size_t)cpu, bytes, slot->set);
}

static void slot_give_gpus (struct slot *slot, const struct given *given,
                            const struct placed_slot *placed, bool tell)
{
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < placed->n_gpus; i++)
        strbuf_addf (&text, "%s%s", i > 0 ? " " : "",
                     given->shape.gpus[placed->gpus[i]].address);
    slot->gpus = strbuf_detach (&text);
    strvec_init (&slot->env);
    if (tell)
        visible_devices_env (environ, &given->shape, placed->gpus,
                             placed->n_gpus, &slot->env);
}

/* Bind its memory to the NUMA nodes of its cores, and to those that it needs
 * more of; where there is one NUMA node only on demand.
 */
static void slot_bind_memory (struct slot *slot, const struct given *given,
                              const struct placed_slot *placed, bool strict)
{
    const struct node_shape *shape = &given->shape;
    const size_t word = 8 * sizeof (unsigned long);
    hwloc_bitmap_t nodes = hwloc_bitmap_alloc ();
    struct strbuf text = STRBUF_INIT;
    int node = -1;

    for (size_t j = 0; j < shape->n_numas; j++) {
        bool ours = slot_has_core_of (shape, placed, j);

        for (size_t k = 0; k < placed->n_memory; k++)
            ours = ours || (size_t)placed->memory[k].numa == j;
        if (ours)
            hwloc_bitmap_set (nodes, (unsigned)shape->numas[j].os);
    }
    if (shape->n_numas > 1 || strict) {
        cpus_format (nodes, &text);
        slot->memory = strbuf_detach (&text);
        slot->strict_memory = strict;
    }
    if (slot->memory && shape->here) {
        slot->memory_bits =
            ((size_t)hwloc_bitmap_last (nodes) / word + 1) * word;
        slot->memory_nodes =
            xcalloc (slot->memory_bits / word, sizeof (unsigned long));
        while ((node = hwloc_bitmap_next (nodes, node)) >= 0)
            slot->memory_nodes[(size_t)node / word] |= 1UL
                                                       << (size_t)node % word;
    }
    hwloc_bitmap_free (nodes);
}

/* The indexes of all devices that were given. */
static int *all_gpus (const struct given *given, size_t *n)
{
    int *gpus = xcalloc (given->shape.n_gpus + 1, sizeof (*gpus));

    *n = given->locked ? given->gpus.n : given->shape.n_gpus;
    for (size_t i = 0; i < *n; i++)
        gpus[i] = given->locked ? given->gpus.devices[i] : (int)i;
    return gpus;
}

static void place_slots (const struct given *given,
                         const struct place_group *groups, size_t n,
                         const struct place_rules *rules,
                         struct placement *placement)
{
    struct granted granted = { .cpus = given->cpus };
    _cleanup_free_ int *gpus = all_gpus (given, &granted.n_gpus);

    granted.gpus = gpus;
    place (&given->shape, &granted, groups, n, rules, placement);
}

struct strict_room granted_strict_room (const struct place_group *group,
                                        const struct place_rules *rules)
{
    struct strict_room room = { 0 };
    struct given given;
    struct granted granted = { 0 };
    _cleanup_free_ int *gpus = NULL;

    if (given_load (group->gpus > 0, &given, NULL) < 0)
        return room;
    gpus = all_gpus (&given, &granted.n_gpus);
    granted.cpus = given.cpus;
    granted.gpus = gpus;
    room = place_strict_room (&given.shape, &granted, group, rules);
    given_release (&given);
    return room;
}

/* What the tasks of the wish get of what was given: '*rules' and '*group'. */
static void fit_wish (const struct element_wish *wish,
                      const struct given *given, struct place_rules *rules,
                      struct place_group *group)
{
    const struct granted granted = { .cpus = given->cpus };
    int left;

    *group = wish->tasks;
    *rules = place_rules_of_element (&wish->rules, group, wish->cores);
    left = given->cores - place_reserved (&given->shape, &granted, rules);
    if (left < group->cores) {
        rules->reserve_one_per_l3 = false;
        rules->reserved_cores = 0;
        left = given->cores;
    }
    if (group->cores > left)
        group->cores = left;
    if (given->shape.n_gpus == 0 || group->gpus < 0)
        group->gpus = 0;
}

/* Devices of so many tasks, of one where that is open. */
static size_t gpus_of_group (const struct place_group *group)
{
    int tasks = group->tasks > 0 ? group->tasks : 1;
    int share = group->gpu_share > 1 ? group->gpu_share : 1;

    return (size_t)((tasks * group->gpus + share - 1) / share);
}

/* As 'place_slots', in spite of too little memory where that may be. */
static void place_wish (const struct given *given, struct place_group *group,
                        const struct place_rules *rules,
                        struct placement *placement)
{
    struct placement without_memory;

    place_slots (given, group, 1, rules, placement);
    if (group->memory_bytes == 0
        || (group->tasks > 0 && placement->n == (size_t)group->tasks)
        || rules->strict_memory)
        return;
    group->memory_bytes = 0;
    place_slots (given, group, 1, rules, &without_memory);
    if (without_memory.n > placement->n) {
        placement_release (placement);
        *placement = without_memory;
    } else {
        placement_release (&without_memory);
    }
}

static void slot_make (struct slot *slot, const struct given *given,
                       const struct placed_slot *placed,
                       const struct element_wish *wish, bool bound)
{
    *slot = (struct slot){ .memory = NULL };
    if (bound)
        slot_bind (slot, given, placed->cpus);
    else
        slot->cpus = xstrdup ("");
    if (bound && wish->rules.bind != BIND_NONE)
        slot_bind_memory (slot, given, placed, wish->rules.strict_memory);
    if (!slot->memory)
        slot->memory = xstrdup ("");
    slot_give_gpus (slot, given, placed, wish->tasks.gpus != GPUS_LEFT_ALONE);
}

/* Was all of this node given? */
static bool is_whole (const struct given *given)
{
    return given->shape.here
           && hwloc_bitmap_weight (given->cpus)
                  == sysconf (_SC_NPROCESSORS_ONLN);
}

static void say_no_room (const struct element_wish *wish,
                         const struct given *given, enum place_lack lack,
                         struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf bytes = STRBUF_INIT;

    format_bytes (wish->tasks.memory_bytes, &bytes);
    if (lack == LACK_MEMORY)
        error_set (err,
                   "a task needs %s of memory and the NUMA nodes of its cores "
                   "have less here (memory_binding: strict); lower task.memory "
                   "or choose another profile",
                   bytes.buf);
    else
        error_set (err,
                   "a task needs %d GPUs and this job was given %zu of this "
                   "node; see that the scheduler grants what `gpus:` asks for",
                   wish->tasks.gpus, given->shape.n_gpus);
}

int slots_cut (const struct element_wish *wish, struct slots *slots,
               struct error *err)
{
    struct place_group group;
    struct place_rules rules;
    struct placement placement;
    struct given given;
    int asked, rc = -1;
    bool ours; /* all that was given */

    if (given_load (wish->tasks.gpus > 0, &given, err) < 0)
        return -1;
    fit_wish (wish, &given, &rules, &group);
    if (group.gpus > 0
        && lock_gpus (&given, gpus_of_group (&group), wish->gpus_wait_s, err)
               < 0) {
        given_release (&given);
        return -1;
    }
    asked = wish->tasks.tasks * group.cores;
    if (wish->cores > asked)
        asked = wish->cores;
    place_wish (&given, &group, &rules, &placement);
    if (placement.n == 0) {
        say_no_room (wish, &given, placement.lacks[0], err);
        goto done;
    }
    ours = wish->tasks.tasks == 0 || given.cores <= asked;
    *slots = (struct slots){ xcalloc (placement.n, sizeof (*slots->v)),
                             placement.n, group.cores, GPUS_INIT,
                             ours && placement.n == 1 && is_whole (&given) };
    for (size_t i = 0; i < slots->n; i++)
        slot_make (&slots->v[i], &given, &placement.v[i], wish, ours);
    keep_gpus (&given, &placement, slots);
    rc = 0;
done:
    placement_release (&placement);
    given_release (&given);
    return rc;
}

/* Cores for everybody, where nothing is bound to them: as many as are wanted,
 * beside the devices that are there.
 */
static void invent_cores (struct given *given, int cores)
{
    struct node_shape invented;

    node_shape_from_numbers (cores, 0, 0, &invented);
    free (invented.gpus);
    invented.gpus = given->shape.gpus;
    invented.n_gpus = given->shape.n_gpus;
    invented.links = given->shape.links;
    given->shape.gpus = NULL;
    given->shape.n_gpus = 0;
    given->shape.links = NULL;
    hwloc_bitmap_free (given->cpus);
    node_shape_release (&given->shape);
    given->shape = invented;
    given->cpus = hwloc_bitmap_alloc ();
    given->cores = cores;
    for (size_t i = 0; i < invented.n_cores; i++)
        hwloc_bitmap_or (given->cpus, given->cpus, invented.cores[i].threads);
}

/* What is placed for groups that run together: a core that tasks share is one
 * task there.
 */
struct together {
    struct place_group *groups; /* with what is not counted left out */
    int *shares;                /* of each: how many tasks have one place */
    size_t n;
    struct seat {
        size_t group; /* that is placed */
        int first;    /* the number of the first task in that */
    } * seats;        /* of each group that is wanted */
    int places, tasks, cores;
};

/* Those of one share are one group: its index, or 'n' when it is the first. */
static size_t find_share (const struct together *t, int share)
{
    size_t i = 0;

    while (i < t->n && (share == 1 || t->shares[i] != share))
        i++;
    return i;
}

static void together_init (struct together *t, const struct cut_group *wanted,
                           size_t n, bool gpus)
{
    *t = (struct together){
        .groups = xcalloc (n + 1, sizeof (*t->groups)),
        .shares = xcalloc (n + 1, sizeof (*t->shares)),
        .seats = xcalloc (n + 1, sizeof (*t->seats)),
    };
    for (size_t i = 0; i < n; i++) {
        int share = wanted[i].core_share > 1 ? wanted[i].core_share : 1;
        size_t g = find_share (t, share);
        int before = t->groups[g].tasks; /* 0 of a new one */

        t->seats[i] = (struct seat){ g, before };
        t->shares[g] = share;
        t->groups[g] = wanted[i].tasks;
        t->groups[g].tasks += before;
        t->groups[g].memory_bytes = 0;
        t->groups[g].gpus = gpus ? wanted[i].tasks.gpus : 0;
        t->n += g == t->n;
        t->tasks += wanted[i].tasks.tasks;
    }
    for (size_t g = 0; g < t->n; g++) {
        struct place_group *group = &t->groups[g];

        group->tasks = (group->tasks + t->shares[g] - 1) / t->shares[g];
        t->places += group->tasks;
        t->cores += group->tasks * group->cores;
    }
}

static void together_release (struct together *t)
{
    free (t->groups);
    free (t->shares);
    free (t->seats);
}

/* The place of the group's task number 'task', when all were placed. */
static size_t place_of (const struct together *t, const struct seat *seat,
                        int task)
{
    size_t place = (size_t)((seat->first + task) / t->shares[seat->group]);

    for (size_t g = 0; g < seat->group; g++)
        place += (size_t)t->groups[g].tasks;
    return place;
}

static size_t gpus_of_groups (const struct cut_group *wanted, size_t n)
{
    size_t gpus = 0;

    for (size_t i = 0; i < n; i++)
        gpus += wanted[i].tasks.gpus > 0 ? gpus_of_group (&wanted[i].tasks) : 0;
    return gpus;
}

int slots_cut_together (const struct cut_group *wanted, size_t n, int asked,
                        bool bind, struct slots *slots, struct error *err)
{
    const struct element_wish wish = { .rules = { .bind = BIND_NONE } };
    const struct place_rules rules = { .bind = BIND_CLOSE };
    struct placement placement;
    struct together together;
    struct given given;
    const size_t gpus = gpus_of_groups (wanted, n);
    int rc = -1;

    if (given_load (gpus > 0, &given, err) < 0)
        return -1;
    if (gpus > 0 && lock_gpus (&given, gpus, GPUS_WAIT_S, err) < 0) {
        given_release (&given);
        return -1;
    }
    together_init (&together, wanted, n, given.shape.n_gpus > 0);
    bind = bind && given.cores <= asked && together.cores <= given.cores;
    if (!bind)
        invent_cores (&given, together.cores + 1);
    place_slots (&given, together.groups, together.n, &rules, &placement);
    if (placement.n == (size_t)together.places) {
        *slots = (struct slots){ xcalloc ((size_t)together.tasks + 1,
                                          sizeof (*slots->v)),
                                 0, 0, GPUS_INIT, false };
        for (size_t i = 0; i < n; i++) {
            for (int k = 0; k < wanted[i].tasks.tasks; k++)
                slot_make (
                    &slots->v[slots->n++], &given,
                    &placement.v[place_of (&together, &together.seats[i], k)],
                    &wish, bind);
        }
        keep_gpus (&given, &placement, slots);
        rc = 0;
    } else {
        error_set (err,
                   "the programs of this node need more than the %zu GPUs that "
                   "were given; see that the scheduler grants what `gpus:` "
                   "asks for",
                   given.shape.n_gpus);
    }
    together_release (&together);
    placement_release (&placement);
    given_release (&given);
    return rc;
}

void slots_release (struct slots *slots)
{
    for (size_t i = 0; i < slots->n; i++) {
        free (slots->v[i].cpus);
        free (slots->v[i].set);
        free (slots->v[i].gpus);
        free (slots->v[i].memory);
        free (slots->v[i].memory_nodes);
        strvec_release (&slots->v[i].env);
    }
    gpus_give (&slots->gpus);
    free (slots->v);
    *slots = (struct slots)SLOTS_INIT;
}

/* --- sets of CPUs --- */

void cpu_list_format (const cpu_set_t *set, size_t bytes, struct strbuf *out)
{
    bool any = false;

    for (size_t cpu = 0; cpu < 8 * bytes; cpu++) {
        size_t last = cpu;

        if (!CPU_ISSET_S (cpu, bytes, set))
            continue;
        while (last + 1 < 8 * bytes && CPU_ISSET_S (last + 1, bytes, set))
            last++;
        strbuf_addf (out, "%s%zu", any ? "," : "", cpu);
        if (last > cpu)
            strbuf_addf (out, "-%zu", last);
        any = true;
        cpu = last;
    }
}

int cpu_list_of_process (pid_t pid, struct strbuf *out)
{
    size_t bytes;
    cpu_set_t *set = affinity_of (pid, &bytes);

    if (!set)
        return -1;
    cpu_list_format (set, bytes, out);
    free (set);
    return 0;
}
