/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_alias.c - anchors, aliases and merge keys */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/yaml_alias.h"
#include "base/yaml_tree.h"

enum { COPIED_MAX = 100000 }; /* nodes: 10 MB */

void yaml_anchors_release (struct yaml_anchors *anchors)
{
    json_unref (anchors->index);
    free (anchors->nodes);
}

void yaml_anchors_add (struct yaml_anchors *anchors, const char *name,
                       const struct yaml_node *node)
{
    const struct json *place;

    if (!anchors->index)
        anchors->index = json_object ();
    place = json_get (anchors->index, name);
    if (place) {
        problems_add (anchors->problems, node->mark,
                      "the anchor '&%.60s' was given before, in line %d; use "
                      "another name",
                      name, anchors->nodes[json_as_int (place)]->mark.line);
        return;
    }
    anchors->nodes = grow_array (anchors->nodes, anchors->n, &anchors->alloc,
                                 sizeof (*anchors->nodes));
    anchors->nodes[anchors->n] = node;
    json_set (anchors->index, name, json_int ((int64_t)anchors->n++));
}

/* --- copies --- */

/* An alias being expanded. */
struct copying {
    struct yaml_anchors *anchors;
    const struct yaml_node *alias;
    const char *name;
    bool failed;
};

static void refuse (struct copying *c, const char *why)
{
    if (!c->failed)
        problems_add (c->anchors->problems, c->alias->mark,
                      "the alias '*%.60s' %s", c->name, why);
    c->failed = true;
}

static void copy_inside (struct copying *c, const struct yaml_node *from,
                         int room, struct yaml_node *to);

static struct yaml_node *copy_node (struct copying *c,
                                    const struct yaml_node *from, int room,
                                    const struct yaml_node *up)
{
    struct yaml_node *node = arena_alloc (c->anchors->arena, sizeof (*node));

    *node = *from;
    node->up = up;
    copy_inside (c, from, room, node);
    return node;
}

/* Texts are not changed by anybody, so they are shared. */
static void copy_inside (struct copying *c, const struct yaml_node *from,
                         int room, struct yaml_node *to)
{
    struct arena *arena = c->anchors->arena;

    c->anchors->copied++;
    if (c->anchors->copied > COPIED_MAX)
        refuse (c, "makes the document too large; write out less by aliases");
    if (from->kind != YAML_SCALAR && room == 0)
        refuse (c, "nests too deeply; use fewer levels");
    if (from->kind == YAML_SCALAR || c->failed)
        return;
    to->items = arena_array (arena, from->n, sizeof (to));
    if (from->keys)
        to->keys = arena_array (arena, from->n, sizeof (to));
    for (to->n = 0; to->n < from->n && !c->failed; to->n++) {
        size_t i = to->n;

        to->items[i] = copy_node (c, from->items[i], room - 1, to);
        if (from->keys) {
            to->keys[i] = copy_node (c, from->keys[i], room - 1, to);
            to->items[i]->key = to->keys[i];
        }
    }
}

static bool is_inside (const struct yaml_node *node,
                       const struct yaml_node *container)
{
    while (node && node != container)
        node = node->up;
    return node != NULL;
}

int yaml_alias_expand (struct yaml_anchors *anchors, const char *name, int room,
                       struct yaml_node *node)
{
    const struct json *place = json_get (anchors->index, name);
    struct copying c = { .anchors = anchors, .alias = node, .name = name };
    const struct yaml_node *from = NULL;

    if (!place)
        refuse (&c, "has no anchor before it; mark the value that is meant "
                    "with '&' and that name, or put text in quotes");
    else if (is_inside (node, from = anchors->nodes[json_as_int (place)]))
        refuse (&c, "stands inside of what it means; write the value out");
    if (!c.failed) {
        node->kind = from->kind;
        node->text = from->text;
        node->quoted = from->quoted;
        copy_inside (&c, from, room, node);
    }
    if (!c.failed)
        return 0;
    node->kind = YAML_MAPPING;
    node->n = 0;
    return -1;
}

/* --- merge keys --- */

bool yaml_is_merge_key (const struct yaml_node *key)
{
    return key->kind == YAML_SCALAR && !key->quoted
           && strcmp (key->text, "<<") == 0;
}

/* The mapping being filled, and what is in it. */
struct merging {
    struct yaml_node *to;
    struct json *names; /* {KEY: true} */
};

static void take_pair (struct merging *m, struct yaml_node *key,
                       struct yaml_node *item)
{
    if (!key->text || json_get (m->names, key->text))
        return;
    json_set (m->names, key->text, json_bool (true));
    m->to->keys[m->to->n] = key;
    m->to->items[m->to->n] = item;
    m->to->n++;
    key->up = item->up = m->to;
}

static void take_mapping (struct merging *m, const struct yaml_node *from)
{
    for (size_t i = 0; i < from->n; i++)
        take_pair (m, from->keys[i], from->items[i]);
}

/* How many pairs a merge key's value has; -1 when it is of another kind. */
static long count_merged (const struct yaml_node *value)
{
    long n = 0;

    if (value->kind == YAML_MAPPING)
        return (long)value->n;
    for (size_t i = 0; i < value->n; i++) {
        if (value->items[i]->kind != YAML_MAPPING)
            return -1;
        n += (long)value->items[i]->n;
    }
    return value->kind == YAML_SEQUENCE ? n : -1;
}

static void merge_from (struct yaml_anchors *anchors, struct yaml_node *mapping,
                        const struct yaml_node *value)
{
    const struct yaml_node own = *mapping;
    struct merging m = { mapping, json_object () };
    size_t most = own.n + (size_t)count_merged (value);

    mapping->n = 0;
    mapping->keys = arena_array (anchors->arena, most, sizeof (mapping));
    mapping->items = arena_array (anchors->arena, most, sizeof (mapping));
    for (size_t i = 0; i < own.n; i++) {
        if (own.items[i] != value)
            take_pair (&m, own.keys[i], own.items[i]);
    }
    if (value->kind == YAML_MAPPING)
        take_mapping (&m, value);
    for (size_t i = 0; value->kind == YAML_SEQUENCE && i < value->n; i++)
        take_mapping (&m, value->items[i]);
    json_unref (m.names);
}

void yaml_merge (struct yaml_anchors *anchors, struct yaml_node *mapping)
{
    for (size_t i = 0; i < mapping->n; i++) {
        const struct yaml_node *value = mapping->items[i];

        if (!yaml_is_merge_key (mapping->keys[i]))
            continue;
        if (count_merged (value) >= 0)
            merge_from (anchors, mapping, value);
        else
            problems_add (anchors->problems, value->mark,
                          "'<<' takes the keys of a mapping; write <<: *NAME "
                          "or a list of such, where '&NAME' is at a mapping");
        return;
    }
}
