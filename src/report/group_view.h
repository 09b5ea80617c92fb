/* SPDX-License-Identifier: BSD-3-Clause */
/* group_view.h - the programs of a group, as JSON and for people */
#ifndef REPORT_GROUP_VIEW_H
#define REPORT_GROUP_VIEW_H

struct group_spec;

/* {"workspace": "private", "nodes": [{"name", "needs": of all its programs
 * together, "programs": [{"name", "instances", "needs": of an instance}]}]};
 * NULL for a command that has a report, and for NULL.  Caller unrefs.
 */
struct json *group_view_json (const struct group_spec *group);

/* A line for each node, the first of which begins with "group":
 *   group   local: driver (1 core), 4 x force (2 cores); in all 9 cores
 *           far: monitor (1 core); in all 1 core
 */
void group_view_text (const struct json *view, struct strbuf *out);

#endif /* !REPORT_GROUP_VIEW_H */
