/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_write.h - a tree of YAML as text that a person can read
 *
 * What is read back (yaml_tree_parse) is the same tree, but for its marks and
 * quotes that mean nothing.
 */
#ifndef BASE_YAML_WRITE_H
#define BASE_YAML_WRITE_H

#include "base/yaml_tree.h"

struct arena;

/* 'v' as nodes of 'arena': text that would read as something else is quoted. */
struct yaml_node *yaml_from_json (struct arena *arena, const struct json *v);

/* Append the pairs of a mapping, each on lines of its own that begin with
 * 'indent' blanks; nothing for one without any.
 */
void yaml_write_pairs (const struct yaml_node *mapping, int indent,
                       struct strbuf *out);

/* Append "KEY: value" on lines that begin with 'indent' blanks. */
void yaml_write_pair (const char *key, const struct yaml_node *value,
                      int indent, struct strbuf *out);

#endif /* !BASE_YAML_WRITE_H */
