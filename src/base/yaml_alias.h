/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_alias.h - anchors, aliases and merge keys, for yaml_tree.c alone
 *
 * An alias becomes a copy of what its anchor stands at, so that whoever reads
 * the tree need not know of them.  All copies of a document together are
 * bounded: ten lines can stand for more nodes than a machine can hold.
 */
#ifndef BASE_YAML_ALIAS_H
#define BASE_YAML_ALIAS_H

struct arena;
struct problems;
struct yaml_node;

struct yaml_anchors {
    struct arena *arena; /* of the tree */
    struct problems *problems;
    struct json *index; /* {NAME: place in 'nodes'} */
    const struct yaml_node **nodes;
    size_t n, alloc;
    size_t copied; /* nodes of copies, so far */
};

void yaml_anchors_release (struct yaml_anchors *anchors);

/* '&name' stands at 'node', of which nothing was read yet.  A name that was
 * given before is recorded.
 */
void yaml_anchors_add (struct yaml_anchors *anchors, const char *name,
                       const struct yaml_node *node);

/* Make 'node', which is new, a copy of what '*name' stands for; 'room' levels
 * may be nested there.  The copy has the mark of the alias, and what is in it
 * those of the text it was read from.  -1 after recording why there is no copy;
 * 'node' is an empty mapping then.
 */
int yaml_alias_expand (struct yaml_anchors *anchors, const char *name, int room,
                       struct yaml_node *node);

/* Plain '<<' ? */
bool yaml_is_merge_key (const struct yaml_node *key);

/* Replace the merge key of a mapping, if any, by the pairs of the mapping or of
 * the list of mappings that is its value, behind the others: keys that are
 * there stay, and of a list the first that has a key gives it.
 */
void yaml_merge (struct yaml_anchors *anchors, struct yaml_node *mapping);

#endif /* !BASE_YAML_ALIAS_H */
