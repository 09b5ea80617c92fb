/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_node.c - how tasks are placed on a node */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "commands/plan_node.h"
#include "placement/node_shape.h"
#include "placement/place.h"

/* --- "cores=4 gpus=0.5 memory=8GiB tasks=3" --- */

static int read_count (const char *text, int least, int *out)
{
    char *end;
    long n = strtol (text, &end, 10);

    if (end == text || *end != '\0' || n < least || n > 999999)
        return -1;
    *out = (int)n;
    return 0;
}

/* A whole number, or 1/n of a device as a decimal. */
static int read_gpus (const char *text, struct place_group *group)
{
    char *end;
    double share = strtod (text, &end);
    double n = share > 0 ? round (1 / share) : 0;

    if (read_count (text, 0, &group->gpus) == 0)
        return 0;
    if (end == text || *end != '\0' || n < 2 || n > GPU_SHARE_MAX
        || fabs (share * n - 1) > 0.02)
        return -1;
    group->gpus = 1;
    group->gpu_share = (int)n;
    return 0;
}

static int read_word (const char *word, struct place_group *group)
{
    const char *value = strchr (word, '=');
    size_t len = value ? (size_t)(value - word) : 0;

    if (!value)
        return -1;
    value++;
    if (len == 5 && strncmp (word, "cores", len) == 0)
        return read_count (value, 1, &group->cores);
    if (len == 4 && strncmp (word, "gpus", len) == 0)
        return read_gpus (value, group);
    if (len == 6 && strncmp (word, "memory", len) == 0)
        return parse_bytes (value, &group->memory_bytes);
    if (len == 5 && strncmp (word, "tasks", len) == 0)
        return read_count (value, 1, &group->tasks);
    return -1;
}

static enum exit_status read_task (const char *text, struct place_group *group)
{
    struct strvec words = STRVEC_INIT;
    enum exit_status status = STATUS_DONE;

    *group = (struct place_group){ .cores = 1, .gpu_share = 1 };
    strvec_split (&words, text, " ,");
    for (size_t i = 0; status == STATUS_DONE && i < words.n; i++) {
        if (read_word (words.v[i], group) < 0)
            status = complain (STATUS_USAGE,
                               "--task: '%s'; write cores=N, gpus=N (or 1/N "
                               "as 0.5), memory=SIZE or tasks=N",
                               words.v[i]);
    }
    strvec_release (&words);
    return status;
}

/* Without --task: as many of one core as there are. */
static enum exit_status read_tasks (const struct invocation *invocation,
                                    struct place_group **groups, size_t *n)
{
    enum exit_status status = STATUS_DONE;
    const char *text;
    size_t at = 0, alloc = 0;

    *n = 0;
    *groups = NULL;
    while (status == STATUS_DONE
           && (text = invocation_next (invocation, "task", &at))) {
        *groups = grow_array (*groups, *n, &alloc, sizeof (**groups));
        status = read_task (text, &(*groups)[(*n)++]);
    }
    if (*n == 0) {
        *groups = grow_array (*groups, *n, &alloc, sizeof (**groups));
        status = read_task ("", &(*groups)[(*n)++]);
    }
    return status;
}

/* --- what comes out --- */

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

static struct json *view (const struct node_shape *shape,
                          const struct placement *placement, size_t n_groups)
{
    struct json *v = json_object ();
    struct json *unused = json_object ();

    json_set (unused, "cores", cpus_json (placement->idle));
    json_set (unused, "gpus",
              gpus_json (shape, placement->idle_gpus, placement->n_idle_gpus));
    json_set (unused, "why", whys_json (placement, n_groups));
    json_set (v, "node", node_shape_json (shape));
    json_set (v, "slots", placement_json (shape, placement));
    json_set (v, "unused", unused);
    return v;
}

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

static void print_slots (const struct json *slots)
{
    struct strbuf numa = STRBUF_INIT, gpus = STRBUF_INIT;

    printf ("slot  %-24s %-8s GPUs\n", "cores", "NUMA");
    for (size_t i = 0; i < json_count (slots); i++) {
        const struct json *slot = json_at (slots, i);

        list_text (json_get (slot, "numa"), ",", &numa);
        list_text (json_get (slot, "gpus"), " ", &gpus);
        printf ("%-5zu %-24s %-8s %s%s\n", i, json_get_string (slot, "cores"),
                numa.buf, gpus.len > 0 ? gpus.buf : "-",
                json_get (slot, "crosses") ? " (crosses NUMA nodes)" : "");
    }
    strbuf_release (&numa);
    strbuf_release (&gpus);
}

static void print_view (const struct json *v)
{
    const struct json *node = json_get (v, "node");
    const struct json *unused = json_get (v, "unused");
    const struct json *whys = json_get (unused, "why");
    struct strbuf text = STRBUF_INIT;

    printf ("%d cores in %zu NUMA nodes, ", (int)json_get_int (node, "cores"),
            json_count (json_get (node, "numa")));
    if (json_get_int (node, "memory_bytes") > 0) {
        format_bytes (json_get_int (node, "memory_bytes"), &text);
        printf ("%s, ", text.buf);
    }
    printf ("%zu GPUs\n\n", json_count (json_get (node, "gpus")));
    print_slots (json_get (v, "slots"));
    list_text (json_get (unused, "gpus"), " ", &text);
    printf ("\nunused: cores %s; GPUs %s\n",
            *json_get_string (unused, "cores")
                ? json_get_string (unused, "cores")
                : "none",
            *text.buf ? text.buf : "none");
    for (size_t g = 0; g < json_count (whys); g++) {
        if (!json_is_null (json_at (whys, g)))
            printf ("no more of task %zu: %s\n", g,
                    json_as_string (json_at (whys, g)));
    }
    strbuf_release (&text);
}

/* --- the command --- */

static int load_node (const char *text, struct node_shape *shape,
                      struct error *err)
{
    return access (text, F_OK) == 0
               ? node_shape_from_xml (text, shape, err)
               : node_shape_from_synthetic (text, shape, err);
}

static void show (const struct invocation *invocation,
                  const struct node_shape *shape,
                  const struct place_group *groups, size_t n)
{
    struct granted granted = { NULL, NULL, shape->n_gpus };
    int *gpus = xcalloc (shape->n_gpus + 1, sizeof (*gpus));
    const struct place_rules rules = { 0 };
    struct placement placement;
    struct json *v;

    for (size_t i = 0; i < shape->n_gpus; i++)
        gpus[i] = (int)i;
    granted.gpus = gpus;
    place (shape, &granted, groups, n, &rules, &placement);
    v = view (shape, &placement, n);
    if (invocation_option (invocation, "json"))
        print_json (v);
    else
        print_view (v);
    json_unref (v);
    placement_release (&placement);
    free (gpus);
}

enum exit_status plan_node (const struct invocation *invocation)
{
    struct node_shape shape = { 0 };
    struct place_group *groups;
    struct error err = ERROR_INIT;
    size_t n;
    enum exit_status status = read_tasks (invocation, &groups, &n);

    if (status == STATUS_DONE
        && load_node (invocation_option (invocation, "node"), &shape, &err) < 0)
        status = complain (STATUS_USAGE, "--node: %s", err.text);
    if (status == STATUS_DONE)
        show (invocation, &shape, groups, n);
    node_shape_release (&shape);
    free (groups);
    return status;
}
