/* SPDX-License-Identifier: BSD-3-Clause */
/* call_text.c - the campaign.yaml of a call */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/yaml_write.h"
#include "calls/call_text.h"
#include "campaign/function_text.h"
#include "campaign/plan.h"
#include "signature/operator.h"
#include "signature/section.h"
#include "signature/value.h"
#include "space/layout.h"

/* Of a campaign's name, so that there is room for that of the call. */
enum { NAME_MAX_LENGTH = 64, NUMBER_LENGTH = 8 };

/* The seeds of a campaign go on from its own. */
enum { SEED_MOST = 1 << 30 };

/* --- values as a person writes them --- */

/* Text that might be a reference, a mapping that might be the long form of a
 * binding.
 */
static bool may_mislead (const struct json *v)
{
    bool misleads = json_get (v, "from") || json_get (v, "literal");

    if (json_kind (v) == JSON_KIND_STRING)
        return strchr (json_as_string (v), '.')
               && !strchr (json_as_string (v), '/');
    for (size_t i = 0;
         !misleads && json_kind (v) == JSON_KIND_ARRAY && i < json_count (v);
         i++)
        misleads = may_mislead (json_at (v, i));
    return misleads;
}

static struct json *with_unit (const struct json *v)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *made;

    if (json_kind (v) == JSON_KIND_ARRAY) {
        made = json_array ();
        for (size_t i = 0; i < json_count (v); i++)
            json_push (made, with_unit (json_at (v, i)));
        return made;
    }
    strbuf_add_double (&text, json_as_double (v));
    strbuf_add_char (&text, 's');
    made = json_string (text.buf);
    return made;
}

/* Paths without "./" where they begin. */
static struct json *without_dot (const struct json *v)
{
    const char *text = json_as_string (v);
    struct json *list;

    if (json_kind (v) == JSON_KIND_STRING)
        return json_string (strncmp (text, "./", 2) == 0 && text[2] ? text + 2
                                                                    : text);
    if (json_kind (v) != JSON_KIND_ARRAY)
        return json_deep_copy (v);
    list = json_array ();
    for (size_t i = 0; i < json_count (v); i++)
        json_push (list, without_dot (json_at (v, i)));
    return list;
}

/* The value of an input as `with:` of the call has it. */
static struct json *written (const struct port *port, const struct json *value)
{
    struct json *v, *literal;

    if (port->type.kind == TYPE_DURATION)
        return with_unit (value);
    if (type_is_artifact (&port->type)) {
        struct json *paths = without_dot (value);

        v = value_absolute (&port->type, paths, LAYOUT_CALL_UP);
        json_unref (paths);
        return v;
    }
    v = json_deep_copy (value);
    if (!may_mislead (v))
        return v;
    literal = json_object ();
    json_set (literal, "literal", v);
    return literal;
}

static struct json *write_values (const struct function *function,
                                  const struct json *values)
{
    const struct port *port = function->stage.op->inputs;
    _cleanup_json_ struct json *flat = json_object ();
    struct json *sections;

    for (; port && port->name; port++) {
        const struct json *value = json_get (values, port->name);

        if (value)
            json_set (flat, port->name, written (port, value));
    }
    sections = inputs_in_sections (flat);
    return sections;
}

/* --- the parts of the file --- */

static void add_pair (struct arena *arena, const char *key,
                      const struct json *v, int indent, struct strbuf *out)
{
    yaml_write_pair (key, yaml_from_json (arena, v), indent, out);
}

static void add_head (struct arena *arena, const struct plan *plan,
                      const struct function *function, int number,
                      struct strbuf *out)
{
    int room = NAME_MAX_LENGTH - NUMBER_LENGTH - (int)strlen (function->name);
    _cleanup_json_ struct json *elements = json_array ();

    strbuf_addf (out,
                 "# Call %d of function '%s': written by `fanfold call`, see "
                 "fanfold-campaign(5).\n"
                 "format: 1\ncampaign: %.*s-%s-%06d\n",
                 number, function->name, room, plan->name, function->name,
                 number);
    for (size_t i = 0; i < plan->n_elements; i++)
        json_push (elements, json_string (plan->elements[i]));
    if (plan->n_elements > 0)
        add_pair (arena, "elements", elements, 0, out);
    strbuf_addf (out, "models: %d\nseed: %lld\nstop: {iterations: 1}\n",
                 plan->models, (long long)((plan->seed + number) % SEED_MOST));
}

static void add_call (struct arena *arena, const struct function *function,
                      int number, const struct json *origins,
                      struct strbuf *out)
{
    _cleanup_json_ struct json *call = json_object ();
    _cleanup_json_ struct json *then = json_array ();

    json_set (call, "function", json_string (function->name));
    json_set (call, "number", json_int (number));
    json_set (call, "type", json_string (function_type_name (function->type)));
    if (json_count (origins) > 0)
        json_set (call, "latest", json_deep_copy (origins));
    for (size_t i = 0; function->then && function->then[i]; i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        function_text_from_call (function->then[i], &text);
        json_push (then, json_string (text.buf));
    }
    if (json_count (then) > 0)
        json_set (call, "then", json_ref (then));
    add_pair (arena, "call", call, 0, out);
}

void call_text (const struct plan *plan, const struct function *function,
                int number, const struct json *values,
                const struct json *origins, struct strbuf *out)
{
    struct arena *arena = arena_create ();
    _cleanup_json_ struct json *with = write_values (function, values);

    add_head (arena, plan, function, number, out);
    add_call (arena, function, number, origins, out);
    strbuf_addf (out, "stages:\n  %s:\n%s", function->name,
                 function->stage_text);
    if (json_count (with) > 0)
        add_pair (arena, "with", with, 4, out);
    if (function->operators_text[0])
        strbuf_addf (out, "operators:\n%s", function->operators_text);
    arena_destroy (arena);
}
