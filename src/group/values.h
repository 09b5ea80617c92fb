/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - what placeholders stand for in a part of a group (pure) */
#ifndef GROUP_VALUES_H
#define GROUP_VALUES_H

#include "signature/resources.h"

struct group_file;
struct group_spec;
struct meeting_point;
struct part;

/* Where the templates of a part write parameters, seen from the task's
 * directory: a file of its own.
 */
void part_params_file (const struct group_spec *group, const struct part *part,
                       struct strbuf *out);

/* What a part has: its program's needs, or all that the task has on a node. */
struct resources part_needs (const struct group_file *file,
                             const struct part *part);

/* {PLACEHOLDER: value} of a part; 'hosts' are in the order of the nodes.  The
 * caller unrefs.  NULL with 'err': the launcher or the container cannot be
 * expanded.
 */
struct json *part_values (const struct group_file *file,
                          const struct part *part, const char *workspace,
                          const struct json *hosts,
                          const struct meeting_point *meeting,
                          struct error *err);

#endif /* !GROUP_VALUES_H */
