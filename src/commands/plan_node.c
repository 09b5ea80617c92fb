/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_node.c - how tasks are placed on a node */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/units.h"
#include "commands/plan_node.h"
#include "placement/node_shape.h"
#include "placement/place.h"
#include "report/node_view.h"
#include "signature/resources.h"

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
    int share = share_of_part (strtod (text, &end));

    if (read_count (text, 0, &group->gpus) == 0)
        return 0;
    if (end == text || *end != '\0' || share < 1)
        return -1;
    group->gpus = 1;
    group->gpu_share = share;
    return 0;
}

/* What follows 'key' in 'word'; NULL: it begins otherwise. */
static const char *value_of (const char *word, const char *key)
{
    size_t len = strlen (key);

    return strncmp (word, key, len) == 0 ? word + len : NULL;
}

static int read_word (const char *word, struct place_group *group)
{
    const char *value;

    if ((value = value_of (word, "cores=")))
        return read_count (value, 1, &group->cores);
    if ((value = value_of (word, "gpus=")))
        return read_gpus (value, group);
    if ((value = value_of (word, "memory=")))
        return parse_bytes (value, &group->memory_bytes);
    if ((value = value_of (word, "tasks=")))
        return read_count (value, 1, &group->tasks);
    return -1;
}

static enum exit_status read_task (const char *text, struct place_group *group)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    enum exit_status status = STATUS_DONE;

    *group = (struct place_group){ .cores = 1 };
    strvec_split (&words, text, " ,");
    for (size_t i = 0; status == STATUS_DONE && i < words.n; i++) {
        if (read_word (words.v[i], group) < 0)
            status = complain (STATUS_USAGE,
                               "--task: '%s'; write cores=N, gpus=N (or 1/N "
                               "as 0.5), memory=SIZE or tasks=N",
                               words.v[i]);
    }
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

/* "reserved_cores=one_per_l3 smt=false" */
static enum exit_status read_rules (const char *text, struct place_rules *rules)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    enum exit_status status = STATUS_DONE;

    strvec_split (&words, text, " ,");
    for (size_t i = 0; status == STATUS_DONE && i < words.n; i++) {
        char *equals = strchr (words.v[i], '=');
        struct error err = ERROR_INIT;

        if (equals)
            *equals = '\0';
        if (place_rules_set (words.v[i], equals ? equals + 1 : "", rules, &err)
            < 0)
            status = complain (STATUS_USAGE, "--rules: %s", err.text);
    }
    return status;
}

/* --- the command --- */

static int load_node (const char *text, struct node_shape *shape,
                      struct error *err)
{
    return file_exists (text) ? node_shape_from_xml (text, shape, err)
                              : node_shape_from_synthetic (text, shape, err);
}

static void show (const struct invocation *invocation,
                  const struct node_shape *shape,
                  const struct place_group *groups, size_t n,
                  const struct place_rules *rules)
{
    _cleanup_json_ struct json *view = node_view_json (shape, groups, n, rules);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (invocation_option (invocation, "json")) {
        print_json (view);
    } else {
        node_view_text (view, "", &text);
        fputs (text.buf, stdout);
    }
}

enum exit_status plan_node (const struct invocation *invocation)
{
    _cleanup_ (node_shape_release) struct node_shape shape = { 0 };
    _cleanup_free_ struct place_group *groups = NULL;
    struct place_rules rules = { 0 };
    const char *text = invocation_option (invocation, "rules");
    struct error err = ERROR_INIT;
    size_t n;
    enum exit_status status = read_tasks (invocation, &groups, &n);

    if (status == STATUS_DONE && text)
        status = read_rules (text, &rules);
    if (status == STATUS_DONE
        && load_node (invocation_option (invocation, "node"), &shape, &err) < 0)
        status = complain (STATUS_USAGE, "--node: %s", err.text);
    if (status == STATUS_DONE)
        show (invocation, &shape, groups, n, &rules);
    return status;
}
