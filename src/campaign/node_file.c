/* SPDX-License-Identifier: BSD-3-Clause */
/* node_file.c - what site.yaml says of a profile's nodes and of placing there
 */
#include "base/base.h"

#include "base/arena.h"
#include "base/units.h"
#include "campaign/field_reader.h"
#include "campaign/node_file.h"
#include "campaign/plan.h"
#include "placement/node_shape.h"
#include "placement/place.h"

/* The path in a file of the site, relative to the directory of that. */
static const char *site_path (const struct yaml_node *node, const char *path)
{
    const char *file = node->mark.file ? node->mark.file : "";
    const char *slash = strrchr (file, '/');

    return path[0] == '/' || !slash
               ? path
               : arena_printf (field_arena (node), "%.*s%s",
                               (int)(slash - file) + 1, file, path);
}

/* What is said and what the topology has, where they differ. */
static void check_said (const struct yaml_node *node, const char *key,
                        int64_t said, int64_t has)
{
    const struct yaml_node *field = field_find (node, key);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (strcmp (key, "memory") == 0)
        format_bytes (has, &text);
    else
        strbuf_addf (&text, "%" PRId64, has);
    if (field && said != has)
        field_problem (field,
                       "%s: %s are said, the topology has %s; leave %s out, or "
                       "name the topology of such a node",
                       key, field->text, text.buf, key);
}

static void read_topology (const struct yaml_node *node, const char *path,
                           struct profile *profile)
{
    const struct node_capacity said = profile->node;
    struct node_shape shape;
    struct error err = ERROR_INIT;

    profile->topology = site_path (node, path);
    if (node_shape_from_xml (profile->topology, &shape, &err) < 0) {
        profile->topology = NULL;
        if (field_reader_of (node)->recorded)
            return;
        field_problem (field_find (node, "topology"), "topology: %s", err.text);
        return;
    }
    profile->node = (struct node_capacity){
        .cores = (int)shape.n_cores,
        .gpus = (int)shape.n_gpus,
        .memory_bytes = shape.memory_bytes,
        .reserved_cores = place_reserved (&shape, NULL, &profile->rules)
    };
    profile->recorded = node_size_of (&shape);
    node_shape_release (&shape);
    check_said (node, "cores", said.cores, profile->node.cores);
    check_said (node, "gpus", said.gpus, profile->node.gpus);
    check_said (node, "memory", said.memory_bytes, profile->node.memory_bytes);
}

/* From here on cores are those that tasks may have. */
static void set_apart_reserved (const struct yaml_node *node,
                                struct node_capacity *capacity)
{
    if (capacity->cores == 0)
        return; /* there was a complaint */
    if (capacity->reserved_cores >= capacity->cores)
        field_problem (
            node,
            "%d of the %d cores of a node are reserved, which leaves "
            "none for tasks; lower reserved_cores",
            capacity->reserved_cores, capacity->cores);
    else
        capacity->cores -= capacity->reserved_cores;
}

void node_file_read (const struct yaml_node *node, void *record)
{
    static const struct field fields[] = {
        FIELD_AS (struct profile, node.cores, "cores", COUNT, .least = 1,
                  .most = INT_MAX),
        FIELD_AS (struct profile, node.gpus, "gpus", COUNT, .most = INT_MAX),
        FIELD_AS (struct profile, node.memory_bytes, "memory", BYTES),
        FIELD (struct profile, topology, TEXT),
        FIELDS_END,
    };
    struct profile *profile = record;

    if (field_record (node, yaml_name (node), fields, profile) < 0)
        return;
    profile->node.reserved_cores = profile->rules.reserved_cores;
    if (profile->topology)
        read_topology (node, profile->topology, profile);
    else if (!field_find (node, "cores"))
        field_problem (node, "node: no cores; say how many a node has");
    set_apart_reserved (node, &profile->node);
}

void node_file_rule (const struct yaml_node *node, void *record)
{
    struct profile *profile = record;
    struct error err = ERROR_INIT;
    const char *text;

    if (field_text (node, &text) == 0
        && place_rules_set (yaml_name (node), text, &profile->rules, &err) < 0)
        field_problem (node, "%s", err.text);
}

void node_file_check_rules (const struct yaml_node *node,
                            const struct profile *profile)
{
    bool measured = profile_runs_here (profile) && profile->node.cores == 0;

    const struct yaml_node *has = field_find (node, "node");

    if (profile->rules.reserve_one_per_l3 && !measured
        && !(has && field_find (has, "topology")))
        field_problem (field_find (node, "reserved_cores"),
                       "reserved_cores: one_per_l3 counts the caches of a "
                       "node, which are not known; give node: {topology: FILE} "
                       "(without this "
                       "key `fanfold probe` records one), or a number");
    if (profile->rules.strict_memory && !measured && !profile->topology)
        field_warning (field_find (node, "memory_binding"),
                       "memory_binding: how much memory each NUMA node has is "
                       "not known, and an element may run fewer tasks at a "
                       "time than planned; give node: {topology: FILE} "
                       "(`fanfold probe` records one)");
}
