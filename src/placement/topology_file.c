/* SPDX-License-Identifier: BSD-3-Clause */
/* topology_file.c - this node's topology as hwloc's XML */
#include "base/base.h"

#include <hwloc.h>

#include "placement/node_shape.h"
#include "placement/topology_file.h"

static int export_xml (hwloc_topology_t topology, struct strbuf *xml,
                       struct error *err)
{
    char *text = NULL;
    int len = 0;

    if (hwloc_topology_export_xmlbuffer (topology, &text, &len, 0) < 0)
        return error_errno (err, "hwloc cannot write this node's topology");
    strbuf_add (xml, text, (size_t)len - 1); /* its NUL is counted */
    hwloc_free_xmlbuffer (topology, text);
    return 0;
}

/* Cores that have a thread in 'cpus'; hardware threads where it tells of no
 * cores.
 */
static int count_cores (hwloc_topology_t topology)
{
    int n = hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_CORE);

    return n > 0 ? n : hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_PU);
}

/* The node with what is not for us, where the system tells of that. */
static int count_all_cores (void)
{
    struct node_shape shape;
    int n;

    if (node_shape_of_whole_node (false, &shape, NULL) < 0)
        return 0;
    n = (int)shape.n_cores;
    node_shape_release (&shape);
    return n;
}

int topology_of_this_node (struct strbuf *xml, int *cores, int *of_cores,
                           struct error *err)
{
    hwloc_topology_t topology;
    int rc = -1;

    if (hwloc_topology_init (&topology) < 0)
        return error_errno (err, "cannot start hwloc");
    hwloc_topology_set_io_types_filter (topology,
                                        HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load (topology) < 0)
        error_errno (err, "hwloc cannot read this node's topology");
    else
        rc = export_xml (topology, xml, err);
    *cores = rc == 0 ? count_cores (topology) : 0;
    *of_cores = count_all_cores ();
    hwloc_topology_destroy (topology);
    return rc;
}

/* --- to be shared --- */

/* Is the line a note of a kind that may stay? */
static bool may_stay (const char *line)
{
    static const char *const kinds[] = {
        "Architecture",     "Backend",
        "CPUFamilyNumber",  "CPUModel",
        "CPUModelNumber",   "CPUStepping",
        "CPUType",          "CPUVendor",
        "CoreType",         "DAXDevice",
        "GPUModel",         "GPUVendor",
        "Inclusive",        "LevelZeroSubdeviceID",
        "MemoryTier",       "OSName",
        "OpenCLDeviceType", "PCIDevice",
        "PCISlot",          "PCIVendor",
        "SectorSize",       "Type",
        "Vendor",           "hwlocVersion",
    };
    static const char note[] = "<info name=\"";
    const char *name = strstr (line, note);

    if (!name)
        return true;
    name += sizeof (note) - 1;
    for (size_t i = 0; i < ARRAY_SIZE (kinds); i++) {
        size_t len = strlen (kinds[i]);

        if (strncmp (name, kinds[i], len) == 0 && name[len] == '"')
            return true;
    }
    return false;
}

void topology_without_names (const char *xml, struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;

    while (*xml) {
        size_t len = strcspn (xml, "\n");

        strbuf_reset (&line);
        strbuf_add (&line, xml, len);
        if (may_stay (line.buf))
            strbuf_addf (out, "%s\n", line.buf);
        xml += len + (xml[len] == '\n');
    }
}
