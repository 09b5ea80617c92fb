/* SPDX-License-Identifier: BSD-3-Clause */
/* node_shape.h - the cores, memory and devices of a node
 *
 * Cores are in hwloc's logical order, so that neighbours are near each other.
 * Numbers that say "OS" are those of the kernel, as sched_getaffinity(2) and
 * /sys/devices/system/node count.
 *
 * A device is a GPU or, where the driver shows several below one PCI address
 * (MI300A in CPX mode, the tiles of Intel's Max series), one of its partitions.
 * A PCI function is a GPU when its class is 0302, 0380 or 1200, or 0300 (VGA)
 * and of a vendor of GPUs (10de, 1002, 8086), or when hwloc has a GPU below it;
 * nodes are recorded with and without those.  Devices are in the order of their
 * PCI addresses, which is the order of CUDA_DEVICE_ORDER=PCI_BUS_ID.
 */
#ifndef PLACEMENT_NODE_SHAPE_H
#define PLACEMENT_NODE_SHAPE_H

struct hwloc_bitmap_s;
struct hwloc_topology;

struct node_core {
    struct hwloc_bitmap_s *threads; /* its hardware threads, OS numbers */
    int package;
    int l3;   /* cores with the same number share a level 3 cache; -1: none */
    int numa; /* the index of its NUMA node, whose memory is the nearest */
};

struct node_numa {
    int os;               /* its OS number */
    int64_t memory_bytes; /* 0: not known */
    int cores;            /* 0: memory alone (HBM, of a GPU); makes no slots */
};

struct node_gpu {
    char *address; /* "0000:c1:00.0", "0001:02:00.0/3"; "" from numbers */
    char *vendor;  /* "10de", as PCI numbers them; "" when not known */
    char *model;   /* "" when not known */
    char *uuid;    /* "GPU-...", as NVIDIA's programs name it; "" not known */
    struct hwloc_bitmap_s *near; /* the hardware threads beside it */
};

struct node_nic {
    char *name;    /* of the interface, "hsi0" */
    char *address; /* PCI */
    struct hwloc_bitmap_s *near;
};

struct node_shape {
    struct node_core *cores;
    size_t n_cores;
    struct node_numa *numas;
    size_t n_numas;
    struct node_gpu *gpus;
    size_t n_gpus;
    struct node_nic *nics;
    size_t n_nics;
    double *links;        /* n_gpus x n_gpus: more is better; NULL: not known */
    int64_t memory_bytes; /* of all NUMA nodes with cores; 0: not known */
    bool here;            /* it is the node that this process runs on */
};

void node_shape_release (struct node_shape *shape);

/* Read a shape from a file of hwloc's XML ("lstopo node.xml"), from hwloc's
 * synthetic text ("package:2 core:4 pu:2"), or from the node this process runs
 * on (where HWLOC_XMLFILE or HWLOC_SYNTHETIC are set, hwloc takes those, and
 * 'here' is false).  Looking for devices may start their drivers, which takes
 * seconds: without 'devices' there are none.
 */
int node_shape_from_xml (const char *path, struct node_shape *shape,
                         struct error *err);
int node_shape_from_synthetic (const char *text, struct node_shape *shape,
                               struct error *err);
int node_shape_of_this_node (bool devices, struct node_shape *shape,
                             struct error *err);

/* As node_shape_of_this_node, with what a cgroup keeps from this process. */
int node_shape_of_whole_node (bool devices, struct node_shape *shape,
                              struct error *err);

/* One NUMA node of 'cores' (>= 1) cores of one thread each, beside 'gpus' GPUs
 * without address; 'memory_bytes' 0: not known.
 */
void node_shape_from_numbers (int cores, int gpus, int64_t memory_bytes,
                              struct node_shape *shape);

/* The same from a topology that is loaded; 'shape' keeps nothing of it. */
int node_shape_from_topology (struct hwloc_topology *topology,
                              struct node_shape *shape, struct error *err);

/* How much there is of a node, as what was recorded of it and what it is are
 * compared.
 */
struct node_size {
    int cores; /* 0: nothing was recorded */
    int numas; /* with cores */
    int gpus;  /* -1: not looked for */
};

struct node_size node_size_of (const struct node_shape *shape);

/* Append what differs, "cores: 32 in place of 64, GPUs: ..."; nothing where
 * they are alike (pure).
 */
void node_size_differences (const struct node_size *recorded,
                            const struct node_size *here, struct strbuf *out);

/* Append OS numbers as the kernel writes them, "0-3,8"; nothing for none. */
void cpus_format (const struct hwloc_bitmap_s *cpus, struct strbuf *out);
struct json *cpus_json (const struct hwloc_bitmap_s *cpus);

/* For people and programs; the caller unrefs. */
struct json *node_shape_json (const struct node_shape *shape);

#endif /* !PLACEMENT_NODE_SHAPE_H */
