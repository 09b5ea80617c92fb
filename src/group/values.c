/* SPDX-License-Identifier: BSD-3-Clause */
/* values.c - what placeholders stand for in a part of a group (pure) */
#include "base/base.h"

#include "base/json.h"
#include "group/order.h"
#include "group/port.h"
#include "group/values.h"
#include "handover/group_file.h"
#include "handover/script_run.h"
#include "handover/task_file.h"
#include "signature/container.h"

void part_params_file (const struct group_spec *group, const struct part *part,
                       struct strbuf *out)
{
    if (part->level == LEVEL_NODE) {
        strbuf_addf (out, "params.node.%s.json", group->nodes[part->node]);
        return;
    }
    strbuf_addf (out, "params.%s", group->programs[part->program].name);
    if (part->level == LEVEL_INSTANCE
        && group->programs[part->program].instances > 1)
        strbuf_addf (out, ".%d", part->instance);
    strbuf_add_str (out, ".json");
}

static void set_hosts (struct json *values, const struct group_spec *group,
                       const struct json *hosts)
{
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

    json_set (values, "hosts", json_deep_copy (hosts));
    for (size_t i = 0; group->nodes[i]; i++) {
        strbuf_reset (&name);
        strbuf_addf (&name, "hosts.%s", group->nodes[i]);
        json_set (values, name.buf, json_ref (json_at (hosts, i)));
    }
    for (const char *const *was = group->folded; was && *was; was += 2) {
        int node = group_node_find (group, was[1]);

        strbuf_reset (&name);
        strbuf_addf (&name, "hosts.%s", was[0]);
        json_set (values, name.buf, json_ref (json_at (hosts, (size_t)node)));
    }
}

struct resources part_needs (const struct group_file *file,
                             const struct part *part)
{
    if (group_is_command (&file->group))
        return file->needs;
    return part->level == LEVEL_NODE
               ? resources_of_node (&file->needs)
               : file->group.programs[part->program].needs;
}

static void set_script (struct json *values,
                        const struct group_program *program)
{
    if (program->script)
        script_set_words (program->script, program->name, values);
}

static int set_container (struct json *values, const struct group_file *file,
                          const char *workspace, struct error *err)
{
    const struct container container = { .argv = file->container,
                                         .image = file->image,
                                         .env = file->env,
                                         .dir = file->dir,
                                         .workspace = workspace };

    return container_set (&container, values, err);
}

struct json *part_values (const struct group_file *file,
                          const struct part *part, const char *workspace,
                          const struct json *hosts,
                          const struct meeting_point *meeting,
                          struct error *err)
{
    struct json *values = json_object ();
    struct resources needs = part_needs (file, part);
    struct strbuf params = STRBUF_INIT;

    JSON_FOREACH (file->values, it)
        json_set (values, json_iter_key (it), json_ref (json_iter_value (it)));
    part_params_file (&file->group, part, &params);
    json_set (values, "outputs.params", json_string (params.buf));
    json_set (values, "workspace", json_string (workspace));
    set_hosts (values, &file->group, hosts);
    json_set (values, "address", json_string (meeting->address));
    json_set (values, "port", json_int (meeting->port));
    if (json_count (hosts) > 1 || !json_get (values, "on_nodes"))
        json_set (values, "on_nodes", json_array ());
    if (part->level != LEVEL_NODE)
        json_set (values, "instances",
                  json_int (file->group.programs[part->program].instances));
    if (part->level == LEVEL_INSTANCE)
        json_set (values, "instance", json_int (part->instance));
    strbuf_release (&params);
    if (part->level != LEVEL_NODE)
        set_script (values, &file->group.programs[part->program]);
    if (task_values_of_share (values, &needs, file->launcher, err) == 0
        && set_container (values, file, workspace, err) == 0)
        return values;
    json_unref (values);
    return NULL;
}
