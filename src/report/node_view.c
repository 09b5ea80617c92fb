/* SPDX-License-Identifier: BSD-3-Clause */
/* node_view.c - tasks on a node, as JSON and for people */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "placement/node_shape.h"
#include "placement/place.h"
#include "report/node_view.h"

static struct json *gpus_json (const struct node_shape *shape, const int *gpus,
                               size_t n)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < n; i++)
        json_push (list, json_string (shape->gpus[gpus[i]].address));
    return list;
}

static struct json *whys_json (const struct placement *placement, size_t n)
{
    static const char *const whys[] = { NULL, "no cores are left",
                                        "no GPUs are left",
                                        "no memory is left" };
    struct json *list = json_array ();

    for (size_t g = 0; g < n; g++)
        json_push (list, json_string (whys[placement->lacks[g]]));
    return list;
}

struct json *node_view_json (const struct node_shape *shape,
                             const struct place_group *groups, size_t n,
                             const struct place_rules *rules)
{
    _cleanup_free_ int *gpus = xcalloc (shape->n_gpus + 1, sizeof (*gpus));
    const struct granted granted = { NULL, gpus, shape->n_gpus };
    struct placement placement;
    struct json *v = json_object ();
    struct json *unused = json_object ();

    for (size_t i = 0; i < shape->n_gpus; i++)
        gpus[i] = (int)i;
    place (shape, &granted, groups, n, rules, &placement);
    json_set (unused, "cores", cpus_json (placement.idle));
    json_set (unused, "reserved", cpus_json (placement.reserved));
    json_set (unused, "gpus",
              gpus_json (shape, placement.idle_gpus, placement.n_idle_gpus));
    json_set (unused, "why", whys_json (&placement, n));
    json_set (v, "node", node_shape_json (shape));
    json_set (v, "slots", placement_json (shape, &placement));
    json_set (v, "unused", unused);
    placement_release (&placement);
    return v;
}

/* --- for people --- */

/* "0,3" or "0000:c1:00.0 0000:c6:00.0" */
static void list_text (const struct json *list, const char *between,
                       struct strbuf *out)
{
    strbuf_reset (out);
    for (size_t i = 0; i < json_count (list); i++) {
        const struct json *v = json_at (list, i);

        strbuf_add_str (out, i > 0 ? between : "");
        if (json_kind (v) == JSON_KIND_INT)
            strbuf_addf (out, "%d", (int)json_as_int (v));
        else
            strbuf_add_str (out, json_as_string (v));
    }
}

static void bytes_text (const struct json *v, struct strbuf *out)
{
    if (json_get_int (v, "memory_bytes") > 0) {
        strbuf_add_str (out, ", ");
        format_bytes (json_get_int (v, "memory_bytes"), out);
    }
}

/* What lies beside NUMA nodes: GPUs, network cards. */
static void devices_text (const struct json *devices, const char *what,
                          const char *key, struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf numa = STRBUF_INIT;

    for (size_t i = 0; i < json_count (devices); i++) {
        const struct json *v = json_at (devices, i);

        list_text (json_get (v, "numa"), ",", &numa);
        strbuf_addf (out, "  %s %s, NUMA %s", what,
                     json_get_string (v, "address"), numa.buf);
        if (*json_get_string (v, key))
            strbuf_addf (out, ", %s", json_get_string (v, key));
        strbuf_add_char (out, '\n');
    }
}

void node_shape_text (const struct json *node, struct strbuf *out)
{
    const struct json *numas = json_get (node, "numa");

    strbuf_addf (out, "%d cores, %d level 3 caches",
                 (int)json_get_int (node, "cores"),
                 (int)json_get_int (node, "l3_caches"));
    bytes_text (node, out);
    strbuf_add_char (out, '\n');
    for (size_t i = 0; i < json_count (numas); i++) {
        const struct json *v = json_at (numas, i);

        strbuf_addf (out, "  NUMA %d: %d cores", (int)json_get_int (v, "numa"),
                     (int)json_get_int (v, "cores"));
        if (*json_get_string (v, "cpus"))
            strbuf_addf (out, ", CPUs %s", json_get_string (v, "cpus"));
        bytes_text (v, out);
        strbuf_add_char (out, '\n');
    }
    devices_text (json_get (node, "gpus"), "GPU", "model", out);
    devices_text (json_get (node, "nics"), "network card", "name", out);
}

static void slots_text (const struct json *slots, const char *indent,
                        struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf numa = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf gpus = STRBUF_INIT;

    strbuf_addf (out, "%sslot  %-24s %-8s GPUs\n", indent, "cores", "NUMA");
    for (size_t i = 0; i < json_count (slots); i++) {
        const struct json *slot = json_at (slots, i);

        list_text (json_get (slot, "numa"), ",", &numa);
        list_text (json_get (slot, "gpus"), " ", &gpus);
        strbuf_addf (out, "%s%-5zu %-24s %-8s %s%s\n", indent, i,
                     json_get_string (slot, "cores"), numa.buf,
                     gpus.len > 0 ? gpus.buf : "-",
                     json_get (slot, "crosses") ? " (crosses NUMA nodes)" : "");
    }
}

static void unused_text (const struct json *unused, const char *indent,
                         struct strbuf *out)
{
    const char *cores = json_get_string (unused, "cores");
    const char *reserved = json_get_string (unused, "reserved");
    const struct json *whys = json_get (unused, "why");
    _cleanup_ (strbuf_release) struct strbuf gpus = STRBUF_INIT;

    list_text (json_get (unused, "gpus"), " ", &gpus);
    strbuf_addf (out, "%sunused: cores %s; GPUs %s\n", indent,
                 *cores ? cores : "none", gpus.len > 0 ? gpus.buf : "none");
    if (*reserved)
        strbuf_addf (out, "%sreserved: cores %s\n", indent, reserved);
    for (size_t g = 0; g < json_count (whys); g++) {
        if (!json_is_null (json_at (whys, g)))
            strbuf_addf (out, "%sno more of task %zu: %s\n", indent, g,
                         json_as_string (json_at (whys, g)));
    }
}

void node_view_text (const struct json *view, const char *indent,
                     struct strbuf *out)
{
    const struct json *node = json_get (view, "node");

    strbuf_addf (out, "%s%d cores in %zu NUMA nodes, ", indent,
                 (int)json_get_int (node, "cores"),
                 json_count (json_get (node, "numa")));
    if (json_get_int (node, "memory_bytes") > 0) {
        format_bytes (json_get_int (node, "memory_bytes"), out);
        strbuf_add_str (out, ", ");
    }
    strbuf_addf (out, "%zu GPUs\n", json_count (json_get (node, "gpus")));
    slots_text (json_get (view, "slots"), indent, out);
    unused_text (json_get (view, "unused"), indent, out);
}
