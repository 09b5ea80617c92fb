/* SPDX-License-Identifier: BSD-3-Clause */
/* group_view.c - the programs of a group, as JSON and for people */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "report/group_view.h"
#include "signature/group.h"

static struct json *program_view (const struct group_program *program)
{
    struct json *v = json_object ();

    json_set (v, "name", json_string (program->name));
    json_set (v, "instances", json_int (program->instances));
    json_set (v, "needs", resources_to_json (&program->needs));
    return v;
}

static struct json *node_view (const struct group_spec *group, int node)
{
    const struct resources needs = group_node_needs (group, node);
    struct json *v = json_object ();
    struct json *programs = json_array ();

    for (size_t i = 0; i < group->n_programs; i++) {
        if (strcmp (group->programs[i].node, group->nodes[node]) == 0)
            json_push (programs, program_view (&group->programs[i]));
    }
    json_set (v, "name", json_string (group->nodes[node]));
    json_set (v, "needs", resources_to_json (&needs));
    json_set (v, "programs", programs);
    return v;
}

struct json *group_view_json (const struct group_spec *group)
{
    struct json *v, *nodes;

    if (!group || group_is_command (group))
        return NULL;
    v = json_object ();
    nodes = json_array ();
    for (int i = 0; group->nodes[i]; i++)
        json_push (nodes, node_view (group, i));
    json_set (v, "workspace",
              json_string (group->workspace_global ? "global" : "private"));
    json_set (v, "nodes", nodes);
    return v;
}

/* --- for people --- */

/* "2 cores in 2 ranks, 0.5 GPUs, 1.0 GiB" */
static void needs_text (const struct json *v, struct strbuf *out)
{
    struct resources needs = { 0 };
    double gpus;

    resources_from_json (v, &needs, NULL);
    gpus = needs.gpu_share > 1 ? 1.0 / needs.gpu_share : needs.gpus;
    format_cores (&needs, out);
    if (needs.ranks > 1)
        strbuf_addf (out, " in %d ranks", needs.ranks);
    if (gpus > 0)
        strbuf_addf (out, ", %.3g GPU%s", gpus, gpus == 1 ? "" : "s");
    if (needs.memory_bytes > 0) {
        strbuf_add_str (out, ", ");
        format_bytes (needs.memory_bytes, out);
    }
}

static void node_text (const struct json *node, struct strbuf *out)
{
    const struct json *programs = json_get (node, "programs");
    size_t n = json_count (programs);

    strbuf_addf (out, "%s:", json_get_string (node, "name"));
    for (size_t i = 0; i < n; i++) {
        const struct json *program = json_at (programs, i);
        long long instances = json_get_int (program, "instances");

        strbuf_add_str (out, i > 0 ? ", " : " ");
        if (instances > 1)
            strbuf_addf (out, "%lld x ", instances);
        strbuf_addf (out, "%s (", json_get_string (program, "name"));
        needs_text (json_get (program, "needs"), out);
        strbuf_add_char (out, ')');
    }
    strbuf_add_str (out, n > 0 ? "; in all " : " no program; ");
    needs_text (json_get (node, "needs"), out);
    strbuf_add_char (out, '\n');
}

void group_view_text (const struct json *view, struct strbuf *out)
{
    const struct json *nodes = json_get (view, "nodes");

    for (size_t i = 0; i < json_count (nodes); i++) {
        strbuf_add_str (out, i == 0 ? "  group   " : "          ");
        node_text (json_at (nodes, i), out);
    }
}
