/* SPDX-License-Identifier: BSD-3-Clause */
/* slots.c - what this process was given of a machine, cut into slots */
#include "config.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "placement/slots.h"

/* The cores we were given, in hwloc's logical order. */
struct given {
    hwloc_topology_t topology;
    hwloc_bitmap_t allowed;
    hwloc_obj_type_t core; /* PU where the system tells no cores */
    int cores;
    bool here; /* the topology is that of this system */
};

/* Only what orders cores: loading the rest takes a login node's patience. */
static int load_topology (hwloc_topology_t topology)
{
    static const hwloc_obj_type_t kept[] = { HWLOC_OBJ_PACKAGE, HWLOC_OBJ_DIE,
                                             HWLOC_OBJ_L3CACHE,
                                             HWLOC_OBJ_CORE };

    hwloc_topology_set_all_types_filter (topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter (topology, HWLOC_OBJ_GROUP,
                                    HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
    for (size_t i = 0; i < ARRAY_SIZE (kept); i++)
        hwloc_topology_set_type_filter (topology, kept[i],
                                        HWLOC_TYPE_FILTER_KEEP_ALL);
    return hwloc_topology_load (topology);
}

/* The hardware threads of the i-th core of the machine that are ours. */
static void core_cpus (const struct given *given, int i, hwloc_bitmap_t cpus)
{
    hwloc_obj_t core =
        hwloc_get_obj_by_type (given->topology, given->core, (unsigned)i);

    hwloc_bitmap_and (cpus, core->cpuset, given->allowed);
}

static int machine_cores (const struct given *given)
{
    return hwloc_get_nbobjs_by_type (given->topology, given->core);
}

static void count_cores (struct given *given)
{
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc ();

    for (int i = 0; i < machine_cores (given); i++) {
        core_cpus (given, i, cpus);
        given->cores += !hwloc_bitmap_iszero (cpus);
    }
    hwloc_bitmap_free (cpus);
}

static void given_release (struct given *given)
{
    hwloc_bitmap_free (given->allowed);
    hwloc_topology_destroy (given->topology);
}

static int given_load (struct given *given, struct error *err)
{
    hwloc_bitmap_t bound;

    *given = (struct given){ .core = HWLOC_OBJ_CORE };
    if (hwloc_topology_init (&given->topology) < 0)
        return error_errno (err, "cannot read this machine's topology");
    if (load_topology (given->topology) < 0) {
        error_errno (err, "cannot read this machine's topology");
        hwloc_topology_destroy (given->topology);
        return -1;
    }
    given->here = hwloc_topology_is_thissystem (given->topology) != 0;
    given->allowed =
        hwloc_bitmap_dup (hwloc_topology_get_allowed_cpuset (given->topology));
    bound = hwloc_bitmap_alloc ();
    if (given->here
        && hwloc_get_cpubind (given->topology, bound, HWLOC_CPUBIND_THREAD)
               == 0)
        hwloc_bitmap_and (given->allowed, given->allowed, bound);
    hwloc_bitmap_free (bound);
    if (machine_cores (given) <= 0)
        given->core = HWLOC_OBJ_PU;
    count_cores (given);
    if (given->cores > 0)
        return 0;
    given_release (given);
    return error_set (err, "this machine's topology shows no CPU for us");
}

int granted_cores (int *cores, struct error *err)
{
    struct given given;

    if (given_load (&given, err) < 0)
        return -1;
    *cores = given.cores;
    given_release (&given);
    return 0;
}

/* --- slots --- */

static void slot_set (struct slot *slot, const struct given *given,
                      hwloc_const_bitmap_t cpus)
{
    size_t n = (size_t)hwloc_bitmap_last (cpus) + 1;
    size_t bytes = CPU_ALLOC_SIZE (n);
    cpu_set_t *set = xcalloc (1, bytes);
    struct strbuf text = STRBUF_INIT;

    hwloc_cpuset_to_glibc_sched_affinity (given->topology, cpus, set, bytes);
    cpu_list_format (set, bytes, &text);
    slot->cpus = strbuf_detach (&text);
    if (!given->here) {
        free (set);
        return;
    }
    slot->set = set;
    slot->set_bytes = bytes;
}

/* Deal our cores out to the slots, in order. */
static void deal_cores (const struct given *given, struct slots *slots)
{
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc ();
    hwloc_bitmap_t core = hwloc_bitmap_alloc ();
    size_t slot = 0;
    int cores = 0; /* of the current slot */

    for (int i = 0; slot < slots->n; i++) {
        core_cpus (given, i, core);
        if (hwloc_bitmap_iszero (core))
            continue;
        hwloc_bitmap_or (cpus, cpus, core);
        if (++cores < slots->cores)
            continue;
        slot_set (&slots->v[slot++], given, cpus);
        hwloc_bitmap_zero (cpus);
        cores = 0;
    }
    hwloc_bitmap_free (core);
    hwloc_bitmap_free (cpus);
}

int slots_cut (int cores, int at_most, struct slots *slots, struct error *err)
{
    struct given given;
    int n;

    if (given_load (&given, err) < 0)
        return -1;
    if (cores > given.cores)
        cores = given.cores;
    n = given.cores / cores;
    if (at_most > 0 && n > at_most)
        n = at_most;
    *slots = (struct slots){ xcalloc ((size_t)n, sizeof (*slots->v)), (size_t)n,
                             cores };
    if (at_most > 0 && n == at_most && given.cores > n * cores) {
        for (size_t i = 0; i < slots->n; i++)
            slots->v[i].cpus = xstrdup ("");
    } else {
        deal_cores (&given, slots);
    }
    given_release (&given);
    return 0;
}

void slots_release (struct slots *slots)
{
    for (size_t i = 0; i < slots->n; i++) {
        free (slots->v[i].cpus);
        free (slots->v[i].set);
    }
    free (slots->v);
    *slots = (struct slots)SLOTS_INIT;
}

/* --- sets of CPUs --- */

/* No kernel knows more; sched_getaffinity wants room for all it has. */
enum { CPUS_MAX = 1 << 16 };

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
    for (size_t cpus = 1024; cpus <= CPUS_MAX; cpus *= 2) {
        size_t bytes = CPU_ALLOC_SIZE (cpus);
        cpu_set_t *set = xcalloc (1, bytes);
        int rc = sched_getaffinity (pid, bytes, set);

        if (rc == 0)
            cpu_list_format (set, bytes, out);
        free (set);
        if (rc == 0)
            return 0;
        if (errno != EINVAL)
            return -1;
    }
    return -1;
}
