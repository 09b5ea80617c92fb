/* SPDX-License-Identifier: BSD-3-Clause */
/* visible_devices.c - the devices that this process was given (pure) */
#include "base/base.h"

#include <hwloc.h>

#include "placement/node_shape.h"
#include "placement/visible_devices.h"

/* The first that is set says which devices there are. */
enum { CUDA, ROCR, HIP, LEVEL_ZERO, OPENCL, VARIABLES };

static const struct {
    const char *name;
    const char *vendor; /* whose devices are numbered by it where none is set */
} variables[] = {
    [CUDA] = { "CUDA_VISIBLE_DEVICES", "10de" },
    [ROCR] = { "ROCR_VISIBLE_DEVICES", "1002" },
    [HIP] = { "HIP_VISIBLE_DEVICES", NULL },
    [LEVEL_ZERO] = { "ZE_AFFINITY_MASK", "8086" },
    [OPENCL] = { "GPU_DEVICE_ORDINAL", NULL },
};

/* The value, or NULL. */
static const char *variable (char *const *environment, const char *name)
{
    size_t len = strlen (name);

    for (; *environment; environment++) {
        if (strncmp (*environment, name, len) == 0
            && (*environment)[len] == '=')
            return *environment + len + 1;
    }
    return NULL;
}

/* What a list names, each once; the runtimes read none behind one that is no
 * device.
 */
static void read_entries (const char *list, struct strvec *entries)
{
    _cleanup_ (strvec_release) struct strvec all = STRVEC_INIT;

    strvec_split (&all, list, ", ");
    for (size_t i = 0; i < all.n; i++) {
        if (all.v[i][0] == '-' || strcmp (all.v[i], "NoDevFiles") == 0)
            break;
        if (!strvec_contains (entries, all.v[i]))
            strvec_push (entries, all.v[i]);
    }
}

/* The variable that says which devices there are; VARIABLES: none is set. */
static int first_set (char *const *environment)
{
    for (int i = 0; i < VARIABLES; i++) {
        if (variable (environment, variables[i].name))
            return i;
    }
    return VARIABLES;
}

bool visible_devices_are_named (char *const *environment)
{
    return first_set (environment) < VARIABLES;
}

/* --- what an entry is --- */

/* The n-th device of the vendor (NULL: any), or -1. */
static int nth_of (const struct node_shape *shape, const char *vendor, long n)
{
    for (size_t i = 0; i < shape->n_gpus; i++) {
        if ((!vendor || strcmp (shape->gpus[i].vendor, vendor) == 0)
            && n-- == 0)
            return (int)i;
    }
    return -1;
}

static int device_named (const struct node_shape *shape, const char *vendor,
                         const char *entry)
{
    char *end;
    long n = strtol (entry, &end, 10);

    if (end != entry && *end == '\0')
        return nth_of (shape, vendor, n);
    for (size_t i = 0; i < shape->n_gpus; i++) {
        size_t len = strlen (entry);

        /* a UUID may be cut short as long as it is one device's */
        if (len > 4 && strncmp (shape->gpus[i].uuid, entry, len) == 0)
            return (int)i;
    }
    return -1;
}

/* Where a cgroup shows only the devices of a job they are numbered anew; the
 * job's script tells which they are of the node's.
 */
static void node_numbers (char *const *environment, size_t n,
                          struct strvec *numbers)
{
    const char *list = variable (environment, "FANFOLD_NODE_GPUS");

    if (list)
        read_entries (list, numbers);
    if (numbers->n != n) {
        strvec_release (numbers);
        strvec_init (numbers);
    }
}

static struct node_gpu unknown_device (const struct node_shape *shape,
                                       const char *entry)
{
    struct node_gpu gpu = { xstrdup (entry), xstrdup (""), xstrdup (""),
                            xstrdup (""), hwloc_bitmap_alloc () };

    for (size_t i = 0; i < shape->n_cores; i++)
        hwloc_bitmap_or (gpu.near, gpu.near, shape->cores[i].threads);
    return gpu;
}

static struct node_gpu copy_device (const struct node_gpu *gpu)
{
    return (struct node_gpu){ xstrdup (gpu->address), xstrdup (gpu->vendor),
                              xstrdup (gpu->model), xstrdup (gpu->uuid),
                              hwloc_bitmap_dup (gpu->near) };
}

/* Links between the devices in their new order; NULL where one is unknown. */
static double *reorder_links (const struct node_shape *shape,
                              const int *devices, size_t n)
{
    double *links;

    for (size_t i = 0; i < n; i++) {
        if (devices[i] < 0)
            return NULL;
    }
    if (!shape->links)
        return NULL;
    links = xcalloc (n * n, sizeof (*links));
    for (size_t i = 0; i < n * n; i++)
        links[i] = shape->links[(size_t)devices[i / n] * shape->n_gpus
                                + (size_t)devices[i % n]];
    return links;
}

void visible_devices_apply (char *const *environment, struct node_shape *shape)
{
    int which = first_set (environment);
    _cleanup_ (strvec_release) struct strvec entries = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec numbers = STRVEC_INIT;
    struct node_shape before = { .gpus = shape->gpus,
                                 .n_gpus = shape->n_gpus,
                                 .links = shape->links };
    _cleanup_free_ int *devices = NULL;

    if (which == VARIABLES)
        return;
    read_entries (variable (environment, variables[which].name), &entries);
    node_numbers (environment, entries.n, &numbers);
    devices = xcalloc (entries.n + 1, sizeof (*devices));
    shape->gpus = xcalloc (entries.n + 1, sizeof (*shape->gpus));
    shape->n_gpus = 0;
    for (size_t i = 0; i < entries.n; i++) {
        devices[i] = device_named (&before, variables[which].vendor,
                                   numbers.n > 0 ? numbers.v[i] : entries.v[i]);
        shape->gpus[shape->n_gpus++] =
            devices[i] >= 0 ? copy_device (&before.gpus[devices[i]])
                            : unknown_device (shape, entries.v[i]);
    }
    shape->links = reorder_links (&before, devices, entries.n);
    node_shape_release (&before);
}

/* --- what a program is told --- */

/* Entry 'i' of each of the lists, as they are; HIP counts what ROCR shows. */
static void add_given (char *const *environment, int which, const int *gpus,
                       size_t n, struct strvec *env)
{
    _cleanup_ (strvec_release) struct strvec entries = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    bool counts_visible =
        which == HIP && variable (environment, variables[ROCR].name);

    read_entries (variable (environment, variables[which].name), &entries);
    strbuf_addf (&text, "%s=", variables[which].name);
    for (size_t i = 0, k = 0; i < n; i++) {
        if ((size_t)gpus[i] >= entries.n)
            continue;
        strbuf_add_str (&text, k > 0 ? "," : "");
        if (counts_visible)
            strbuf_addf (&text, "%zu", k);
        else
            strbuf_add_str (&text, entries.v[gpus[i]]);
        k++;
    }
    strvec_push (env, text.buf);
}

/* For whoever divides them further: a group has parts. */
static void add_node_numbers (char *const *environment, const int *gpus,
                              size_t n, struct strvec *env)
{
    _cleanup_ (strvec_release) struct strvec entries = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec numbers = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    read_entries (
        variable (environment, variables[first_set (environment)].name),
        &entries);
    node_numbers (environment, entries.n, &numbers);
    strbuf_add_str (&text, "FANFOLD_NODE_GPUS=");
    for (size_t i = 0; i < n; i++) {
        if ((size_t)gpus[i] < numbers.n)
            strbuf_addf (&text, "%s%s", i > 0 ? "," : "", numbers.v[gpus[i]]);
    }
    if (numbers.n > 0)
        strvec_push (env, text.buf);
}

bool visible_devices_have_names (const struct node_shape *shape)
{
    for (int i = 0; i < VARIABLES; i++) {
        if (variables[i].vendor && nth_of (shape, variables[i].vendor, 0) >= 0)
            return true;
    }
    return false;
}

/* The number of a device among those of its vendor. */
static int number_of (const struct node_shape *shape, int gpu)
{
    int n = 0;

    for (int i = 0; i < gpu; i++)
        n += strcmp (shape->gpus[i].vendor, shape->gpus[gpu].vendor) == 0;
    return n;
}

static void add_numbered (const struct node_shape *shape, int which,
                          const int *gpus, size_t n, struct strvec *env)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    bool any = false;

    if (!variables[which].vendor
        || nth_of (shape, variables[which].vendor, 0) < 0)
        return;
    strbuf_addf (&text, "%s=", variables[which].name);
    for (size_t i = 0; i < n; i++) {
        if (strcmp (shape->gpus[gpus[i]].vendor, variables[which].vendor) != 0)
            continue;
        strbuf_addf (&text, "%s%d", any ? "," : "", number_of (shape, gpus[i]));
        any = true;
    }
    strvec_push (env, text.buf);
}

void visible_devices_env (char *const *environment,
                          const struct node_shape *shape, const int *gpus,
                          size_t n, struct strvec *env)
{
    bool given = first_set (environment) < VARIABLES;
    size_t before = env->n;

    for (int i = 0; i < VARIABLES; i++) {
        if (!given)
            add_numbered (shape, i, gpus, n, env);
        else if (variable (environment, variables[i].name))
            add_given (environment, i, gpus, n, env);
    }
    if (given)
        add_node_numbers (environment, gpus, n, env);
    /* Numbers are those of PCI addresses, not of speed. */
    for (size_t i = before; i < env->n; i++) {
        if (strncmp (env->v[i], "CUDA_VISIBLE_DEVICES=", 21) == 0) {
            strvec_push (env, "CUDA_DEVICE_ORDER=PCI_BUS_ID");
            break;
        }
    }
}
