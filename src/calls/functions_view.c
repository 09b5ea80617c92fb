/* SPDX-License-Identifier: BSD-3-Clause */
/* functions_view.c - functions and their calls, for people and programs */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "calls/call_arguments.h"
#include "calls/call_space.h"
#include "calls/functions_view.h"
#include "campaign/operator_file.h"
#include "campaign/plan.h"
#include "signature/operator.h"
#include "space/layout.h"

/* Of those that need a person. */
enum { TROUBLED_MOST = 5 };

/* --- what can be called --- */

static struct json *type_text (const struct type *type)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v;

    type_describe (type, &text);
    v = json_string (text.buf);
    return v;
}

static const char *source_name (const struct plan *plan, int index)
{
    return (size_t)index < plan->n_stages
               ? plan->stages[index].name
               : plan->functions[(size_t)index - plan->n_stages].name;
}

static struct json *references (const struct plan *plan,
                                const struct binding *binding)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < binding->n_parts; i++)
        json_push (list,
                   json_stringf ("latest.%s.%s",
                                 source_name (plan, binding->parts[i].stage),
                                 binding->parts[i].output));
    if (binding->source == SOURCE_LATEST)
        json_push (list, json_stringf ("latest.%s.%s",
                                       source_name (plan, binding->stage),
                                       binding->output));
    return list;
}

static void add_inputs (const struct plan *plan, const struct stage *stage,
                        struct json *v)
{
    struct json *arguments = json_object (), *latest = json_object ();

    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *binding = &stage->bindings[i];
        const char *name = binding->port->name;
        struct type type = port_bound_type (binding->port, stage->op->fan_out);
        struct json *one;

        if (call_input_is_open (binding)) {
            one = json_object ();
            json_set (one, "type", type_text (&type));
            json_set (one, "needed",
                      json_bool (call_input_is_needed (binding)));
            json_set (arguments, name, one);
        } else if (binding->source != SOURCE_LITERAL) {
            json_set (latest, name, references (plan, binding));
        }
    }
    json_set (v, "arguments", arguments);
    json_set (v, "latest", latest);
}

static struct json *outputs (const struct operator_spec *op)
{
    struct json *v = json_object ();
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    operator_output_names (op, &names);
    for (size_t i = 0; i < names.n; i++) {
        struct type type;

        if ((port_find (op->outputs, names.v[i])
             || port_find (op->collected, names.v[i]))
            && operator_output_type (op, names.v[i], &type))
            json_set (v, names.v[i], type_text (&type));
    }
    return v;
}

struct json *functions_json (const struct plan *plan)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < plan->n_functions; i++) {
        const struct function *function = &plan->functions[i];
        struct json *v = json_object ();

        json_set (v, "name", json_string (function->name));
        json_set (v, "type", json_string (function_type_name (function->type)));
        json_set (v, "operator", json_string (function->stage.op->name));
        json_set (v, "profile", json_string (function->stage.profile->name));
        add_inputs (plan, &function->stage, v);
        json_set (v, "outputs", outputs (function->stage.op));
        json_push (list, v);
    }
    return list;
}

static void latest_text (const struct json *latest, struct strbuf *out)
{
    JSON_FOREACH (latest, it) {
        const struct json *list = json_iter_value (it);

        strbuf_addf (out, "  %s <- ", json_iter_key (it));
        for (size_t i = 0; i < json_count (list); i++)
            strbuf_addf (out, "%s%s", i > 0 ? ", " : "",
                         json_as_string (json_at (list, i)));
        strbuf_add_char (out, '\n');
    }
}

void functions_text (const struct json *view, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (view); i++) {
        const struct json *v = json_at (view, i);

        strbuf_addf (out, "\n%s: function (%s), %s on %s\n  fanfold call %s",
                     json_get_string (v, "name"), json_get_string (v, "type"),
                     json_get_string (v, "operator"),
                     json_get_string (v, "profile"),
                     json_get_string (v, "name"));
        JSON_FOREACH (json_get (v, "arguments"), it) {
            const struct json *one = json_iter_value (it);
            bool needed = json_as_bool (json_get (one, "needed"));

            strbuf_addf (out, " %s%s=%s%s", needed ? "" : "[",
                         json_iter_key (it), json_get_string (one, "type"),
                         needed ? "" : "]");
        }
        strbuf_add_char (out, '\n');
        latest_text (json_get (v, "latest"), out);
        JSON_FOREACH (json_get (v, "outputs"), it) {
            strbuf_addf (out, "  %s: %s\n", json_iter_key (it),
                         json_as_string (json_iter_value (it)));
        }
    }
}

/* --- how its calls stand --- */

static const char *const standings[] = {
    "not_begun", "running", "paused", "done", "failed", "then_failed"
};

static const char *standing_name (const struct call_standing *standing)
{
    static const char *const names[] = { [CAMPAIGN_RUNNING] = "running",
                                         [CAMPAIGN_PAUSED] = "paused",
                                         [CAMPAIGN_DONE] = "done",
                                         [CAMPAIGN_FAILED] = "failed" };

    if (standing->then_failed)
        return "then_failed";
    return standing->has_begun ? names[standing->status] : "not_begun";
}

static void count (struct json *v, const char *name)
{
    json_set (v, name, json_int (json_get_int (v, name) + 1));
}

static void add_troubled (struct json *troubled, const char *function,
                          int number)
{
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;

    layout_call_dir (function, number, &dir);
    if (json_count (troubled) < TROUBLED_MOST)
        json_push (troubled, json_string (dir.buf));
}

/* The latest first: they matter most. */
static struct json *calls_of (const struct plan *plan,
                              const struct function *function,
                              const char *program, struct error *err)
{
    struct json *v = json_object (), *troubled = json_array ();
    struct strvec numbers = STRVEC_INIT;
    int rc = calls_list (plan->dir, function->name, &numbers, err);

    json_set (v, "name", json_string (function->name));
    json_set (v, "type", json_string (function_type_name (function->type)));
    json_set (v, "calls", json_int ((int64_t)numbers.n));
    for (size_t i = 0; i < ARRAY_SIZE (standings); i++)
        json_set (v, standings[i], json_int (0));
    for (size_t i = numbers.n; rc == 0 && i > 0; i--) {
        int number = atoi (numbers.v[i - 1]);
        struct call_standing standing;

        rc = call_look (plan->dir, function->name, number, program, &standing,
                        err);
        if (rc < 0)
            break;
        count (v, standing_name (&standing));
        if (standing.then_failed || standing.status == CAMPAIGN_PAUSED
            || standing.status == CAMPAIGN_FAILED)
            add_troubled (troubled, function->name, number);
    }
    json_set (v, "troubled", troubled);
    strvec_release (&numbers);
    if (rc == 0)
        return v;
    json_unref (v);
    return NULL;
}

struct json *calls_json (const struct plan *plan, const char *program,
                         struct error *err)
{
    struct json *list = json_array (), *v;

    for (size_t i = 0; i < plan->n_functions; i++) {
        if (!(v = calls_of (plan, &plan->functions[i], program, err))) {
            json_unref (list);
            return NULL;
        }
        json_push (list, v);
    }
    return list;
}

static const char *standing_word (const char *name)
{
    static const char *const words[][2] = {
        { "not_begun", "not begun" },
        { "then_failed", "done, but what is run then failed" },
    };

    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (strcmp (words[i][0], name) == 0)
            return words[i][1];
    }
    return name;
}

void calls_text (const struct json *view, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (view); i++) {
        const struct json *v = json_at (view, i);
        const struct json *troubled = json_get (v, "troubled");
        const char *before = ": ";

        strbuf_addf (out, "function %s (%s): ", json_get_string (v, "name"),
                     json_get_string (v, "type"));
        format_count (json_get_int (v, "calls"), "call", out);
        for (size_t s = 0; s < ARRAY_SIZE (standings); s++) {
            if (json_get_int (v, standings[s]) == 0)
                continue;
            strbuf_addf (out, "%s%lld %s", before,
                         (long long)json_get_int (v, standings[s]),
                         standing_word (standings[s]));
            before = ", ";
        }
        strbuf_add_char (out, '\n');
        for (size_t k = 0; k < json_count (troubled); k++)
            strbuf_addf (out, "  `fanfold -C %s status` tells more\n",
                         json_as_string (json_at (troubled, k)));
    }
}
