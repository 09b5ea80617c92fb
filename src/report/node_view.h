/* SPDX-License-Identifier: BSD-3-Clause */
/* node_view.h - tasks on a node, as JSON and for people */
#ifndef REPORT_NODE_VIEW_H
#define REPORT_NODE_VIEW_H

struct node_shape;
struct place_group;
struct place_rules;

/* {"node": node_shape_json, "slots": placement_json, "unused": {"cores",
 * "reserved", "gpus", "why": [of each group: TEXT, or null where all are
 * placed]}} of a whole node. Caller unrefs.
 */
struct json *node_view_json (const struct node_shape *shape,
                             const struct place_group *groups, size_t n,
                             const struct place_rules *rules);

/* A node alone, as node_shape_json gives it: NUMA nodes, GPUs and network
 * cards, each with the NUMA nodes beside it.
 */
void node_shape_text (const struct json *node, struct strbuf *out);

/* Each line begins with 'indent'. */
void node_view_text (const struct json *view, const char *indent,
                     struct strbuf *out);

#endif /* !REPORT_NODE_VIEW_H */
