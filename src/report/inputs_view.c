/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs_view.c - what the inputs of a stage are bound to */
#include "base/base.h"

#include "base/json.h"
#include "campaign/operator_file.h"
#include "campaign/plan.h"
#include "report/inputs_view.h"
#include "signature/operator.h"

#define ABSENT "absent"

static void binding_text (const struct plan *plan, const struct binding *b,
                          struct strbuf *text)
{
    static const char *const words[] = { [SOURCE_THIS] = "",
                                         [SOURCE_PREVIOUS] = "previous.",
                                         [SOURCE_ALL] = "all.",
                                         [SOURCE_LATEST] = "latest." };

    switch (b->source) {
    case SOURCE_UNBOUND:
        strbuf_add_str (text, b->literal ? "default " : ABSENT);
        if (b->literal)
            json_dump (b->literal, JSON_COMPACT, text);
        break;
    case SOURCE_LITERAL:
        json_dump (b->literal, JSON_COMPACT, text);
        break;
    case SOURCE_ITERATION:
        strbuf_add_str (text, "iteration");
        break;
    case SOURCE_JOINED:
        strbuf_add_str (text, b->fold == FOLD_LEAST ? "the least of "
                              : b->fold == FOLD_ALL ? "all of "
                                                    : "");
        for (size_t i = 0; i < b->n_parts; i++) {
            strbuf_add_str (text, i == 0 ? "[" : ", ");
            binding_text (plan, &b->parts[i], text);
        }
        strbuf_add_char (text, ']');
        break;
    default:
        strbuf_addf (text, "%s%s.%s", words[b->source],
                     plan->stages[b->stage].name, b->output);
    }
}

struct json *inputs_view (const struct plan *plan, const struct stage *stage)
{
    struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < stage->n_bindings; i++) {
        binding_text (plan, &stage->bindings[i], &text);
        json_set (v, stage->bindings[i].port->name, json_string (text.buf));
        strbuf_reset (&text);
    }
    return v;
}

/* Is anything declared of its arrays? */
static bool has_type (const struct port *port)
{
    return port->type.kind == TYPE_NPY
           && (port->type.dtype || port->type.n_dims > 0);
}

struct json *arrays_view (const struct stage *stage)
{
    struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct port *port = stage->bindings[i].port;
        struct type type = port_bound_type (port, stage->op->fan_out);

        if (!has_type (port))
            continue;
        type_describe (&type, &text);
        json_set (v, port->name, json_string (text.buf));
        strbuf_reset (&text);
    }
    return v;
}

static void add_input (const struct json *arrays, const char *name,
                       struct strbuf *text, struct strbuf *out)
{
    enum { VALUE_MAX = 100 };
    const char *type = json_get_string (arrays, name);

    strbuf_shorten (text, VALUE_MAX);
    strbuf_addf (out, "  %-20s %s%s%s\n", name, text->buf, type[0] ? " : " : "",
                 type);
    strbuf_reset (text);
}

void inputs_text (const struct json *view, struct strbuf *out)
{
    const struct json *values = json_get (view, "values");
    const struct json *bindings = json_get (view, "bindings");
    const struct json *arrays = json_get (view, "arrays");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_count (values) > 0 || json_count (bindings) > 0)
        strbuf_add_str (out, values ? "inputs:\n" : "inputs, as bound now:\n");
    JSON_FOREACH (values, it) {
        json_dump (json_iter_value (it), JSON_COMPACT, &text);
        add_input (arrays, json_iter_key (it), &text, out);
    }
    JSON_FOREACH (bindings, it) {
        strbuf_add_str (&text, json_as_string (json_iter_value (it)));
        if (strcmp (text.buf, ABSENT) != 0)
            add_input (arrays, json_iter_key (it), &text, out);
        strbuf_reset (&text);
    }
}
