/* SPDX-License-Identifier: BSD-3-Clause */
/* what_if.c - a selection as it would be with other rules */
#include "base/base.h"

#include "base/json.h"
#include "base/problems.h"
#include "base/yaml_tree.h"
#include "commands/command.h"
#include "commands/what_if.h"
#include "operators/table.h"
#include "selection/rules/rules_levels.h"
#include "signature/operator.h"
#include "signature/section.h"
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
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    problems_format (problems, &text);
    if (tree)
        *value = yaml_to_json (yaml_tree_root (tree));
    else
        error_set (err, "%s", text.buf);
    problems_release (problems);
    yaml_tree_destroy (tree);
    return tree ? 0 : -1;
}

/* Set an input, or those of a section that are given; null takes it away. */
static void set_input (struct json *inputs, const char *key, struct json *value)
{
    const struct port *ports = model_devi_select_operator.inputs;
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

    if (json_kind (value) != JSON_KIND_OBJECT || !section_exists (ports, key))
        json_set_path (inputs, key, json_ref (value));
    else
        JSON_FOREACH (value, it) {
            strbuf_reset (&name);
            strbuf_addf (&name, "%s.%s", key, json_iter_key (it));
            json_set_path (inputs, name.buf, json_ref (json_iter_value (it)));
        }
}

/* Of levels that stand as [low, high] one is set: the other one stays. */
static int open_pair (struct json *inputs, const char *key, struct error *err)
{
    const char *dot = strrchr (key, '.');
    struct json *levels;
    _cleanup_free_ char *both = NULL;
    int rc = 0;

    if (!dot || (strcmp (dot, ".low") != 0 && strcmp (dot, ".high") != 0))
        return 0;
    both = xstrndup (key, (size_t)(dot - key));
    if (json_kind (json_get_path (inputs, both)) == JSON_KIND_ARRAY) {
        levels = rules_levels_of_pair (json_get_path (inputs, both), err);
        if (levels)
            json_set_path (inputs, both, levels);
        else
            rc = error_prefix (err, "%s", both);
    }
    return rc;
}

static int read_rules_file (const char *path, struct json *inputs,
                            struct error *err)
{
    struct problems problems = PROBLEMS_INIT;
    _cleanup_json_ struct json *rules = NULL;
    int rc = take_yaml (yaml_tree_read (path, path, &problems), &problems,
                        &rules, err);

    if (rc == 0 && json_kind (rules) != JSON_KIND_OBJECT)
        rc = error_set (err, "%s: expected rules, as {levels: {force: [A, B]}}",
                        path);
    if (rc == 0) {
        JSON_FOREACH (rules, it)
            set_input (inputs, json_iter_key (it), json_iter_value (it));
    }
    return rc;
}

/* What --set KEY=VALUE gives; KEY may be one within another, pick.quota. */
static int read_sets (const struct invocation *invocation, struct json *inputs,
                      struct error *err)
{
    const char *set;
    size_t at = 0;

    while ((set = invocation_next (invocation, "set", &at))) {
        const char *sign = strchr (set, '=');
        struct problems problems = PROBLEMS_INIT;
        struct json *value = NULL;
        char *key;
        int rc;

        if (!sign || sign == set)
            return error_set (err, "--set: '%s'; write KEY=VALUE", set);
        if (take_yaml (
                yaml_tree_parse (sign + 1, strlen (sign + 1), set, &problems),
                &problems, &value, err)
            < 0)
            return -1;
        key = xstrndup (set, (size_t)(sign - set));
        if ((rc = open_pair (inputs, key, err)) == 0)
            set_input (inputs, key, value);
        json_unref (value);
        free (key);
        if (rc < 0)
            return -1;
    }
    return 0;
}

/* An input that is none, 'in' a section or NULL. */
static int unknown_input (const char *in, const char *key, struct error *err)
{
    const struct operator_spec *op = &model_devi_select_operator;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf remedy = STRBUF_INIT;
    const char *near;

    section_keys (op->inputs, in, &names);
    near = nearest_word (key, &names);
    if (!in)
        input_remedy (op, key, &remedy);
    else if (near)
        strbuf_addf (&remedy, "did you mean '%s'?", near);
    error_set (err, "%s%s%s has no input '%s'%s%s", in ? in : "",
               in ? " of " : "", op->name, key, remedy.len > 0 ? "; " : "",
               remedy.buf);
    return -1;
}

/* Names and types; what values may be is checked where they are read. */
static int check_input (const char *section, const char *key,
                        const struct json *value, struct error *err)
{
    const struct port *ports = model_devi_select_operator.inputs;
    const struct port *port =
        section ? section_input (ports, section, key) : port_find (ports, key);

    if (!port)
        return unknown_input (section, key, err);
    if (!json_is_null (value)
        && value_check (&port->type, value, VALUE_SHAPE | VALUE_ALLOW_HOLES,
                        ".", NULL, err)
               < 0)
        return error_prefix (err, "%s", port->name);
    return 0;
}

static int check_section (const char *section, const struct json *inputs,
                          struct error *err)
{
    if (!json_is_null (inputs) && json_kind (inputs) != JSON_KIND_OBJECT)
        return error_set (err, "%s: expected {KEY: VALUE}, got %s", section,
                          json_kind_name (inputs));
    JSON_FOREACH (inputs, it) {
        if (check_input (section, json_iter_key (it), json_iter_value (it), err)
            < 0)
            return -1;
    }
    return 0;
}

static int check_inputs (const struct json *inputs, struct error *err)
{
    JSON_FOREACH (inputs, it) {
        const char *key = json_iter_key (it);
        const struct json *value = json_iter_value (it);

        if ((section_exists (model_devi_select_operator.inputs, key)
                 ? check_section (key, value, err)
                 : check_input (NULL, key, value, err))
            < 0)
            return -1;
    }
    return 0;
}

/* The inputs of the task with what is given on the command line, which wins. */
static int change_inputs (const struct invocation *invocation,
                          struct json *task, struct json *left_out,
                          struct error *err)
{
    const char *file = invocation_option (invocation, "rules");
    struct json *inputs = json_get (task, "inputs");

    if ((file && read_rules_file (file, inputs, err) < 0)
        || read_sets (invocation, inputs, err) < 0)
        return -1;
    if (json_get (inputs, "seed")) {
        json_set (task, "seed", json_ref (json_get (inputs, "seed")));
        json_delete (inputs, "seed");
    }
    if (check_inputs (inputs, err) < 0)
        return -1;
    select_source_complete (inputs, left_out);
    return 0;
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
