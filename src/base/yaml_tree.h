/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_tree.h - a strict YAML document as a tree of marked nodes
 *
 * libyaml reads it; this file refuses what would surprise a person: duplicate
 * keys and anchors, tags, keys that are not scalars, a second document, text
 * that is not UTF-8, nesting deeper than 64.  Aliases and merge keys are
 * expanded (base/yaml_alias.h): a tree has none, and at most 100,000 nodes
 * that were written by them.  Scalars stay text: typing them is the reader's
 * business (but see yaml_is_null).
 */
#ifndef BASE_YAML_TREE_H
#define BASE_YAML_TREE_H

#include "base/problems.h"

struct arena;
struct yaml_tree;

enum yaml_kind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING };

struct yaml_node {
    enum yaml_kind kind;
    struct mark mark;
    const char *text;         /* scalar: its text, NUL-terminated; else NULL */
    bool quoted;              /* scalar: written with quotes or as a block */
    int indent;               /* scalar, a block of literal lines (|), of which
                                 the first is below the mark: how far they are
                                 indented; else 0 */
    size_t n;                 /* children of a sequence, pairs of a mapping */
    struct yaml_node **items; /* sequence items, or mapping values */
    struct yaml_node **keys;  /* mapping keys (scalars); else NULL */
    const struct yaml_node *up;  /* the container it is in; NULL: the root */
    const struct yaml_node *key; /* of the value of a mapping; else NULL */
    const struct yaml_tree *tree;
    bool made; /* not read from the text, but in place of what stands there */
};

/* Parse 'text'.  'file' is what marks say (copied).  Returns NULL after
 * recording every problem found.
 */
struct yaml_tree *yaml_tree_parse (const char *text, size_t len,
                                   const char *file, struct problems *problems);

/* Read and parse 'path', at most 16 MiB; marks say 'shown_as'. */
struct yaml_tree *yaml_tree_read (const char *path, const char *shown_as,
                                  struct problems *problems);

/* NULL is legal.  All nodes go with it. */
void yaml_tree_destroy (struct yaml_tree *tree);

/* The document's root; NULL for an empty document. */
const struct yaml_node *yaml_tree_root (const struct yaml_tree *tree);

/* What readers of the tree find again from its nodes. */
void yaml_tree_lend (struct yaml_tree *tree, const void *lent);
const void *yaml_lent (const struct yaml_node *node);

/* The value of 'key' in a mapping, or NULL (also when 'node' is no mapping). */
const struct yaml_node *yaml_get (const struct yaml_node *node,
                                  const char *key);

/* The mapping 'own' and behind its pairs those of the mapping 'below' whose
 * keys it lacks.  The pairs are those of the two, which must outlive it.
 */
struct yaml_node *yaml_overlay (struct arena *arena,
                                const struct yaml_node *own,
                                const struct yaml_node *below);

/* Plain null, ~ or nothing at all. */
bool yaml_is_null (const struct yaml_node *node);

/* Typed readers of plain or quoted scalars: 0, or -1 with the output untouched
 * when the text does not fit the type.  Bool is exactly true/false.  Numbers
 * must be plain (a quoted "1" is a string) and finite.
 */
int yaml_to_bool (const struct yaml_node *node, bool *out);
int yaml_to_int (const struct yaml_node *node, int64_t *out);
int yaml_to_double (const struct yaml_node *node, double *out);

/* What messages call a value: its key, and that of its list for an item. */
const char *yaml_name (const struct yaml_node *node);

/* "a mapping", "a list", "text", for messages. */
const char *yaml_kind_name (const struct yaml_node *node);

/* The node as JSON: plain scalars become null, bool, int or real where they
 * read as such, everything else a string.  Caller unrefs.
 */
struct json *yaml_to_json (const struct yaml_node *node);

#endif /* !BASE_YAML_TREE_H */
