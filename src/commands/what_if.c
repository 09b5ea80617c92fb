/* SPDX-License-Identifier: BSD-3-Clause */
/* what_if.c - a selection as it would be with other rules */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/yaml_tree.h"
#include "commands/command.h"
#include "commands/what_if.h"
#include "operators/table.h"
#include "signature/operator.h"
#include "signature/value.h"

void what_if_release (struct what_if *what_if)
{
    selection_release (&what_if->selection);
    frame_stats_release (&what_if->stats);
    selection_input_release (&what_if->input);
    json_unref (what_if->left_out);
    *what_if = (struct what_if)WHAT_IF_INIT;
}

/* The JSON of a YAML document (NULL: it was not read); -1 with its problems. */
static int take_yaml (struct yaml_tree *tree, struct problems *problems,
                      struct json **value, struct error *err)
{
    struct strbuf text = STRBUF_INIT;

    problems_format (problems, &text);
    if (tree)
        *value = yaml_to_json (yaml_tree_root (tree));
    else
        error_set (err, "%s", text.buf);
    strbuf_release (&text);
    problems_release (problems);
    yaml_tree_destroy (tree);
    return tree ? 0 : -1;
}

static int read_rules_file (const char *path, struct json *inputs,
                            struct error *err)
{
    struct problems problems = PROBLEMS_INIT;
    struct json *rules = NULL;
    int rc = take_yaml (yaml_tree_read (path, path, &problems), &problems,
                        &rules, err);

    if (rc == 0 && json_kind (rules) != JSON_KIND_OBJECT)
        rc = error_set (err, "%s: expected rules, as {force: {low, high}}",
                        path);
    if (rc == 0) {
        JSON_FOREACH (rules, it)
            json_set (inputs, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    }
    json_unref (rules);
    return rc;
}

/* Set KEY, or a key within it: force.low.  The value is taken over. */
static void set_input (struct json *inputs, const char *key, struct json *value)
{
    const char *dot = strchr (key, '.');
    char *first = dot ? xstrndup (key, (size_t)(dot - key)) : xstrdup (key);

    if (dot) {
        const struct json *old = json_get (inputs, first);
        struct json *inside = json_kind (old) == JSON_KIND_OBJECT
                                  ? json_deep_copy (old)
                                  : json_object ();

        set_input (inside, dot + 1, value);
        value = inside;
    }
    json_set (inputs, first, value);
    free (first);
}

/* What --set KEY=VALUE gives; that of "iterations", or all others. */
static int read_sets (const struct invocation *invocation, bool iterations,
                      struct json *inputs, struct error *err)
{
    const char *set;
    size_t at = 0;

    while ((set = invocation_next (invocation, "set", &at))) {
        const char *sign = strchr (set, '=');
        struct problems problems = PROBLEMS_INIT;
        struct json *value = NULL;
        char *key;

        if (!sign || sign == set)
            return error_set (err, "--set: '%s'; write KEY=VALUE", set);
        if ((strncmp (set, "iterations=", 11) == 0) != iterations)
            continue;
        if (take_yaml (
                yaml_tree_parse (sign + 1, strlen (sign + 1), set, &problems),
                &problems, &value, err)
            < 0)
            return -1;
        key = xstrndup (set, (size_t)(sign - set));
        set_input (inputs, key, value);
        free (key);
    }
    return 0;
}

static int unknown_input (const char *key, struct error *err)
{
    const struct port *port = model_devi_select_operator.inputs;
    struct strvec names = STRVEC_INIT;
    const char *nearest;

    for (; port->name; port++)
        strvec_push (&names, port->name);
    nearest = nearest_word (key, &names);
    error_set (err, "%s has no input '%s'%s%s%s",
               model_devi_select_operator.name, key,
               nearest ? "; did you mean '" : "", nearest ? nearest : "",
               nearest ? "'?" : "");
    strvec_release (&names);
    return -1;
}

/* Names and types; what values may be is checked where they are read. */
static int check_inputs (const struct json *inputs, struct error *err)
{
    JSON_FOREACH (inputs, it) {
        const char *key = json_iter_key (it);
        const struct port *port =
            port_find (model_devi_select_operator.inputs, key);

        if (!port)
            return unknown_input (key, err);
        if (!json_is_null (json_iter_value (it))
            && value_check (&port->type, json_iter_value (it),
                            VALUE_SHAPE | VALUE_ALLOW_HOLES, ".", NULL, err)
                   < 0)
            return error_prefix (err, "%s", key);
    }
    return 0;
}

/* The inputs of the task in its iteration, with what is given on the command
 * line, which wins.
 */
static int change_inputs (const struct invocation *invocation,
                          struct json *task, struct json *left_out,
                          struct error *err)
{
    const char *file = invocation_option (invocation, "rules");
    struct json *before = json_get (task, "inputs"), *inputs;

    if ((file && read_rules_file (file, before, err) < 0)
        || read_sets (invocation, true, before, err) < 0)
        return -1;
    inputs = rules_of_iteration (before, json_get_int (task, "iteration"), err);
    if (!inputs)
        return -1;
    json_set (task, "inputs", inputs);
    if (read_sets (invocation, false, inputs, err) < 0)
        return -1;
    if (json_get (inputs, "seed")) {
        json_set (task, "seed", json_ref (json_get (inputs, "seed")));
        json_delete (inputs, "seed");
    }
    select_source_complete (inputs, left_out);
    return check_inputs (inputs, err);
}

enum exit_status what_if_run (const struct invocation *invocation,
                              struct json *task, struct what_if *what_if)
{
    struct error err = ERROR_INIT;

    what_if->left_out = json_array ();
    json_delete (task, "outputs");
    if (change_inputs (invocation, task, what_if->left_out, &err) < 0
        || selection_input_read (task, &what_if->input, &err) < 0)
        return complain (STATUS_USAGE, "%s", err.text);
    frame_stats_init (&what_if->stats, &what_if->input.rules);
    if (select_frames (&what_if->input, &what_if->stats, &what_if->selection,
                       &err)
        < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    return STATUS_DONE;
}
