/* SPDX-License-Identifier: BSD-3-Clause */
/* topology_file.h - this node's topology as hwloc's XML
 *
 * What node_shape_from_xml reads.
 */
#ifndef PLACEMENT_TOPOLOGY_FILE_H
#define PLACEMENT_TOPOLOGY_FILE_H

/* Append the XML of the node this process runs on, with its devices; of what a
 * cgroup hides from it there is nothing.  '*cores' and '*of_cores': how many of
 * the node's cores are in it.
 */
int topology_of_this_node (struct strbuf *xml, int *cores, int *of_cores,
                           struct error *err);

/* Append 'xml' without what names one machine: of the notes that hwloc makes of
 * each object only those on models and on how a device is reached stay, so no
 * host name, serial number, UUID or address of a network card (pure).
 */
void topology_without_names (const char *xml, struct strbuf *out);

#endif /* !PLACEMENT_TOPOLOGY_FILE_H */
