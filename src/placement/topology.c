/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.c - a node's shape from hwloc */
#include "base/base.h"

#include <hwloc.h>

#include "base/file.h"
#include "placement/node_shape.h"

/* --- cores and memory --- */

/* The NUMA node whose memory is the nearest to 'cpus': of those that have all
 * of them the smallest, and of equal ones (HBM beside DDR) the one the kernel
 * numbers first.
 */
static int numa_of (hwloc_topology_t topology, hwloc_const_cpuset_t cpus)
{
    int n = hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_NUMANODE);
    int best = -1, best_weight = 0;
    unsigned best_os = 0;

    for (int i = 0; i < n; i++) {
        hwloc_obj_t numa =
            hwloc_get_obj_by_type (topology, HWLOC_OBJ_NUMANODE, (unsigned)i);
        int weight = hwloc_bitmap_weight (numa->cpuset);

        if (!hwloc_bitmap_isincluded (cpus, numa->cpuset))
            continue;
        if (best < 0 || weight < best_weight
            || (weight == best_weight && numa->os_index < best_os)) {
            best = i;
            best_weight = weight;
            best_os = numa->os_index;
        }
    }
    return best;
}

static int ancestor_index (hwloc_topology_t topology, hwloc_obj_t obj,
                           hwloc_obj_type_t type)
{
    hwloc_obj_t above = hwloc_get_ancestor_obj_by_type (topology, type, obj);

    return above ? (int)above->logical_index : -1;
}

static void add_numas (hwloc_topology_t topology, struct node_shape *shape)
{
    int n = hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_NUMANODE);

    shape->numas = xcalloc (n > 0 ? (size_t)n : 1, sizeof (*shape->numas));
    shape->n_numas = n > 0 ? (size_t)n : 1;
    for (int i = 0; i < n; i++) {
        hwloc_obj_t numa =
            hwloc_get_obj_by_type (topology, HWLOC_OBJ_NUMANODE, (unsigned)i);

        shape->numas[i] =
            (struct node_numa){ (int)numa->os_index,
                                (int64_t)numa->attr->numanode.local_memory, 0 };
    }
}

static void add_cores (hwloc_topology_t topology, struct node_shape *shape)
{
    hwloc_obj_type_t type = HWLOC_OBJ_CORE;
    int n = hwloc_get_nbobjs_by_type (topology, type);

    if (n <= 0) { /* the system tells of no cores */
        type = HWLOC_OBJ_PU;
        n = hwloc_get_nbobjs_by_type (topology, type);
    }
    shape->cores = xcalloc ((size_t)n, sizeof (*shape->cores));
    for (int i = 0; i < n; i++) {
        hwloc_obj_t obj = hwloc_get_obj_by_type (topology, type, (unsigned)i);
        int numa = numa_of (topology, obj->cpuset);

        if (numa < 0)
            numa = 0;
        shape->cores[shape->n_cores++] = (struct node_core){
            hwloc_bitmap_dup (obj->cpuset),
            ancestor_index (topology, obj, HWLOC_OBJ_PACKAGE),
            ancestor_index (topology, obj, HWLOC_OBJ_L3CACHE), numa
        };
        shape->numas[numa].cores++;
    }
    for (size_t i = 0; i < shape->n_numas; i++) {
        if (shape->numas[i].cores > 0)
            shape->memory_bytes += shape->numas[i].memory_bytes;
    }
}

/* --- devices --- */

/* What hwloc's components say of one GPU; each shows a device in its way. */
enum backend { CUDA, NVML, RSMI, LEVEL_ZERO, OPENCL, BACKENDS };

static enum backend backend_of (hwloc_obj_t os)
{
    static const char *const names[] = { "CUDA", "NVML", "RSMI", "LevelZero",
                                         "OpenCL" };
    const char *name = hwloc_obj_get_info_by_name (os, "Backend");

    if (!name)
        name = os->subtype;
    for (int i = 0; name && i < BACKENDS; i++) {
        if (strcmp (name, names[i]) == 0)
            return (enum backend)i;
    }
    return BACKENDS;
}

static bool is_gpu_class (const struct hwloc_pcidev_attr_s *pci)
{
    switch (pci->class_id) {
    case 0x0302:
    case 0x0380:
    case 0x1200:
        return true;
    case 0x0300:
        return pci->vendor_id == 0x10de || pci->vendor_id == 0x1002
               || pci->vendor_id == 0x8086;
    default:
        return false;
    }
}

/* The OS devices of a PCI function, and the tiles below those. */
struct parts {
    hwloc_obj_t *v[BACKENDS];
    size_t n[BACKENDS];
    size_t alloc[BACKENDS];
};

static void parts_collect (hwloc_obj_t above, struct parts *parts)
{
    for (hwloc_obj_t os = above->io_first_child; os; os = os->next_sibling) {
        enum backend backend = backend_of (os);

        if (os->type != HWLOC_OBJ_OS_DEVICE)
            continue;
        if (os->io_first_child) { /* its tiles stand for it */
            parts_collect (os, parts);
        } else if (backend < BACKENDS) {
            parts->v[backend] =
                grow_array (parts->v[backend], parts->n[backend],
                            &parts->alloc[backend], sizeof (hwloc_obj_t));
            parts->v[backend][parts->n[backend]++] = os;
        }
    }
}

static void parts_release (struct parts *parts)
{
    for (int i = 0; i < BACKENDS; i++)
        free (parts->v[i]);
}

/* How many devices the function is: the most that any component shows. */
static size_t parts_count (const struct parts *parts)
{
    size_t n = 0;

    for (int i = 0; i < BACKENDS; i++)
        n = parts->n[i] > n ? parts->n[i] : n;
    return n;
}

static const char *parts_model (const struct parts *parts, hwloc_obj_t pci)
{
    const char *model = NULL;

    for (int i = 0; i < BACKENDS; i++) {
        if (!model && parts->n[i] > 0)
            model = hwloc_obj_get_info_by_name (parts->v[i][0], "GPUModel");
    }
    if (!model)
        model = hwloc_obj_get_info_by_name (pci, "PCIDevice");
    return model ? model : "";
}

/* NVIDIA's driver tells without its libraries; "" where it is not there. */
static char *driver_uuid (const char *address)
{
    _cleanup_free_ char *path =
        xasprintf ("/proc/driver/nvidia/gpus/%s/information", address);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *uuid = NULL;
    char *found;

    if (file_read (path, 1 << 16, &text, NULL) == 0)
        uuid = strstr (text.buf, "GPU-");
    found = xstrndup (uuid ? uuid : "", uuid ? strcspn (uuid, " \t\n") : 0);
    return found;
}

static char *gpu_uuid (hwloc_topology_t topology, const struct parts *parts,
                       const char *address)
{
    const char *uuid =
        parts->n[NVML] > 0
            ? hwloc_obj_get_info_by_name (parts->v[NVML][0], "NVIDIAUUID")
            : NULL;

    if (uuid)
        return xstrdup (uuid);
    return hwloc_topology_is_thissystem (topology) ? driver_uuid (address)
                                                   : xstrdup ("");
}

static char *pci_address (hwloc_obj_t obj)
{
    const struct hwloc_pcidev_attr_s *pci = &obj->attr->pcidev;

    return xasprintf ("%04x:%02x:%02x.%x", (unsigned)pci->domain, pci->bus,
                      pci->dev, pci->func);
}

static struct hwloc_bitmap_s *near_cpus (hwloc_topology_t topology,
                                         hwloc_obj_t io)
{
    hwloc_obj_t obj = hwloc_get_non_io_ancestor_obj (topology, io);

    return obj && obj->cpuset ? hwloc_bitmap_dup (obj->cpuset)
                              : hwloc_bitmap_alloc ();
}

/* A GPU while devices are looked for: where it came from serves to sort. */
struct found_gpu {
    struct node_gpu gpu;
    uint64_t order;              /* PCI address, then partition */
    hwloc_obj_t shown[BACKENDS]; /* by each component, or NULL */
};

struct found_gpus {
    struct found_gpu *v;
    size_t n, alloc;
};

static void add_function (hwloc_topology_t topology, hwloc_obj_t obj,
                          struct found_gpus *found)
{
    const struct hwloc_pcidev_attr_s *pci = &obj->attr->pcidev;
    _cleanup_ (parts_release) struct parts parts = { 0 };
    _cleanup_free_ char *address = pci_address (obj);
    size_t n;

    parts_collect (obj, &parts);
    n = parts_count (&parts);
    if (n == 0 && is_gpu_class (pci))
        n = 1;
    for (size_t i = 0; i < n; i++) {
        struct found_gpu gpu = {
            { n > 1 ? xasprintf ("%s/%zu", address, i) : xstrdup (address),
              xasprintf ("%04x", pci->vendor_id),
              xstrdup (parts_model (&parts, obj)),
              gpu_uuid (topology, &parts, address), near_cpus (topology, obj) },
            (uint64_t)pci->domain << 40 | (uint64_t)pci->bus << 32
                | (uint64_t)pci->dev << 24 | (uint64_t)pci->func << 16 | i,
            { NULL }
        };

        for (int b = 0; b < BACKENDS; b++)
            gpu.shown[b] = i < parts.n[b] ? parts.v[b][i] : NULL;
        found->v =
            grow_array (found->v, found->n, &found->alloc, sizeof (*found->v));
        found->v[found->n++] = gpu;
    }
}

static int by_order (const void *a, const void *b)
{
    const struct found_gpu *x = a, *y = b;

    return (x->order > y->order) - (x->order < y->order);
}

/* The GPU that a component shows as 'os'; found->n: none. */
static size_t shown_as (const struct found_gpus *found, hwloc_obj_t os)
{
    for (size_t i = 0; os && i < found->n; i++) {
        for (int b = 0; b < BACKENDS; b++) {
            if (found->v[i].shown[b] == os)
                return i;
        }
    }
    return found->n;
}

/* The bandwidths in 'd' between our GPUs; NULL where it has none. */
static double *links_in (const struct hwloc_distances_s *d,
                         const struct found_gpus *found)
{
    double *links = xcalloc (found->n * found->n, sizeof (*links));
    bool any = false;

    for (size_t i = 0; i < d->nbobjs; i++) {
        size_t from = shown_as (found, d->objs[i]);

        for (size_t j = 0; from < found->n && j < d->nbobjs; j++) {
            size_t to = shown_as (found, d->objs[j]);

            if (to == found->n || to == from)
                continue;
            links[from * found->n + to] = (double)d->values[i * d->nbobjs + j];
            any = true;
        }
    }
    if (any)
        return links;
    free (links);
    return NULL;
}

/* hwloc's "NVLinkBandwidth" or "XGMIBandwidth", whichever is there. */
static double *read_links (hwloc_topology_t topology,
                           const struct found_gpus *found)
{
    enum { MATRICES = 8 };
    struct hwloc_distances_s *matrices[MATRICES];
    unsigned n = MATRICES;
    double *links = NULL;

    if (hwloc_distances_get (topology, &n, matrices,
                             HWLOC_DISTANCES_KIND_MEANS_BANDWIDTH, 0)
        < 0)
        return NULL;
    for (unsigned i = 0; i < n && i < MATRICES; i++) {
        if (!links)
            links = links_in (matrices[i], found);
        hwloc_distances_release (topology, matrices[i]);
    }
    return links;
}

static void add_gpus (hwloc_topology_t topology, struct node_shape *shape)
{
    struct found_gpus found = { 0 };
    hwloc_obj_t obj = NULL;

    while ((obj = hwloc_get_next_pcidev (topology, obj)))
        add_function (topology, obj, &found);
    if (found.n > 0)
        qsort (found.v, found.n, sizeof (*found.v), by_order);
    shape->links = found.n > 1 ? read_links (topology, &found) : NULL;
    shape->gpus = xcalloc (found.n, sizeof (*shape->gpus));
    for (size_t i = 0; i < found.n; i++)
        shape->gpus[shape->n_gpus++] = found.v[i].gpu;
    free (found.v);
}

static void add_nics (hwloc_topology_t topology, struct node_shape *shape)
{
    hwloc_obj_t os = NULL;
    size_t alloc = 0;

    while ((os = hwloc_get_next_osdev (topology, os))) {
        hwloc_obj_t pci = os->parent;

        if (os->attr->osdev.type != HWLOC_OBJ_OSDEV_NETWORK || !pci
            || pci->type != HWLOC_OBJ_PCI_DEVICE)
            continue;
        shape->nics = grow_array (shape->nics, shape->n_nics, &alloc,
                                  sizeof (*shape->nics));
        shape->nics[shape->n_nics++] =
            (struct node_nic){ xstrdup (os->name ? os->name : ""),
                               pci_address (pci), near_cpus (topology, os) };
    }
}

/* --- a topology --- */

/* Only what placing needs: reading all else of a node takes long. */
static void filter (hwloc_topology_t topology, bool devices)
{
    static const hwloc_obj_type_t kept[] = { HWLOC_OBJ_PACKAGE, HWLOC_OBJ_DIE,
                                             HWLOC_OBJ_L3CACHE,
                                             HWLOC_OBJ_CORE };

    hwloc_topology_set_all_types_filter (topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter (topology, HWLOC_OBJ_GROUP,
                                    HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
    if (devices)
        hwloc_topology_set_io_types_filter (topology,
                                            HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    for (size_t i = 0; i < ARRAY_SIZE (kept); i++)
        hwloc_topology_set_type_filter (topology, kept[i],
                                        HWLOC_TYPE_FILTER_KEEP_ALL);
}

int node_shape_from_topology (struct hwloc_topology *topology,
                              struct node_shape *shape, struct error *err)
{
    struct node_shape s = { .here =
                                hwloc_topology_is_thissystem (topology) != 0 };

    if (hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_PU) <= 0)
        return error_set (err, "the topology has no CPU");
    add_numas (topology, &s);
    add_cores (topology, &s);
    add_gpus (topology, &s);
    add_nics (topology, &s);
    *shape = s;
    return 0;
}

enum source { THIS_NODE, WHOLE_NODE, XML_FILE, SYNTHETIC };

static int shape_load (enum source source, const char *from, bool devices,
                       struct node_shape *shape, struct error *err)
{
    hwloc_topology_t topology;
    int rc = -1;

    if (source == XML_FILE && file_refuse_pipe (from, err) < 0)
        return -1;
    if (hwloc_topology_init (&topology) < 0)
        return error_errno (err, "cannot start hwloc");
    if (source == XML_FILE && hwloc_topology_set_xml (topology, from) < 0)
        error_set (err,
                   "%s: not a topology hwloc can read (%s); write it with "
                   "'lstopo FILE.xml' of hwloc 2",
                   from, strerror (errno));
    else if (source == SYNTHETIC
             && hwloc_topology_set_synthetic (topology, from) < 0)
        error_set (err,
                   "'%s' is not a topology hwloc can read; write it as "
                   "'package:2 core:4 pu:2'",
                   from);
    else {
        filter (topology, devices);
        if (source == WHOLE_NODE)
            hwloc_topology_set_flags (topology,
                                      HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
        if (hwloc_topology_load (topology) < 0)
            error_set (err, "%s: hwloc cannot read it (%s)",
                       from ? from : "this node's topology", strerror (errno));
        else
            rc = node_shape_from_topology (topology, shape, err);
    }
    hwloc_topology_destroy (topology);
    return rc;
}

int node_shape_from_xml (const char *path, struct node_shape *shape,
                         struct error *err)
{
    return shape_load (XML_FILE, path, true, shape, err);
}

int node_shape_from_synthetic (const char *text, struct node_shape *shape,
                               struct error *err)
{
    return shape_load (SYNTHETIC, text, true, shape, err);
}

int node_shape_of_this_node (bool devices, struct node_shape *shape,
                             struct error *err)
{
    return shape_load (THIS_NODE, NULL, devices, shape, err);
}

int node_shape_of_whole_node (bool devices, struct node_shape *shape,
                              struct error *err)
{
    return shape_load (WHOLE_NODE, NULL, devices, shape, err);
}
