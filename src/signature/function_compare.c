/* SPDX-License-Identifier: BSD-3-Clause */
/* function_compare.c - an operator, and the Python function that it runs */
#include "base/base.h"

#include "base/json.h"
#include "signature/function_compare.h"
#include "signature/operator.h"
#include "signature/operator_uses.h"
#include "signature/programs.h"

/* --- which function --- */

static bool is_runner (const char *module)
{
    return strcmp (module, "fanfold.run") == 0
           || strcmp (module, "fanfold.serve") == 0;
}

/* Of "{campaign}/FILE" the file; NULL: it is not below the campaign. */
static const char *file_of (const char *argument)
{
    static const char *const places[] = { "{campaign}/",
                                          "{" PROGRAMS_PLACEHOLDER "}/" };

    for (size_t i = 0; i < ARRAY_SIZE (places); i++) {
        size_t len = strlen (places[i]);

        if (strncmp (argument, places[i], len) == 0)
            return argument + len;
    }
    return NULL;
}

bool operator_function (const struct operator_spec *op,
                        struct function_place *place)
{
    const char *const *argv = op->commands ? op->commands[0] : NULL;

    for (; argv && argv[0] && argv[1]; argv++) {
        const char *file;

        if (strcmp (argv[0], "-m") != 0 || !is_runner (argv[1]))
            continue;
        file = argv[2] ? file_of (argv[2]) : NULL;
        if (!file || !argv[3])
            return false;
        *place = (struct function_place){ file, argv[3] };
        return true;
    }
    return false;
}

/* --- what a port says, with the keys of campaign.yaml --- */

static struct json *shape_json (const struct type *type)
{
    struct json *shape = json_array ();

    for (int i = 0; i < type->n_dims; i++) {
        if (type->shape[i] >= 0)
            json_push (shape, json_int (type->shape[i]));
        else
            json_push (shape,
                       json_string (type->sizes[i] ? type->sizes[i] : "any"));
    }
    return shape;
}

static struct json *port_json (const struct port *port)
{
    const struct type *type = &port->type;
    const char *def = port->default_json;
    struct json *v = json_object ();

    json_set (v, "type", json_string (type_kind_name (type->kind)));
    if (type->depth > 0)
        json_set (v, "list", json_int (type->depth));
    if (port->optional)
        json_set (v, "optional", json_bool (true));
    if (def)
        json_set (v, "default", json_parse (def, strlen (def), "", NULL));
    if (type->dtype)
        json_set (v, "dtype", json_string (type->dtype));
    if (type->n_dims > 0)
        json_set (v, "shape", shape_json (type));
    return v;
}

/* `list: true` is one deep. */
static struct json *said (const struct json *port, const char *key)
{
    const struct json *v = json_get (port, key);

    if (v && json_kind (v) == JSON_KIND_BOOL)
        return json_as_bool (v)
                   ? strcmp (key, "list") == 0 ? json_int (1) : json_bool (true)
                   : NULL;
    return v ? json_deep_copy (v) : NULL;
}

/* --- differences --- */

/* What is compared. */
struct comparison {
    const struct operator_spec *op;
    const struct json *function;
    struct strvec *differences;
    const char *kind; /* "input" or "output" */
};

static void add_value (const struct json *v, struct strbuf *text)
{
    if (v)
        json_dump (v, JSON_COMPACT, text);
    else
        strbuf_add_str (text, "none");
}

static void tell (const struct comparison *c, const char *name, const char *key,
                  const struct json *ours, const struct json *theirs)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "%s '%s': %s is ", c->kind, name, key);
    add_value (ours, &text);
    strbuf_add_str (&text, " here and ");
    add_value (theirs, &text);
    strbuf_add_str (&text, " in the function; make them equal");
    strvec_push (c->differences, text.buf);
}

/* An operator may say more; a function may do without what is always given. */
static bool is_allowed (const char *key, const struct json *ours,
                        const struct json *port)
{
    const struct json *theirs = json_get (port, key);

    if (strcmp (key, "optional") == 0)
        return !ours || json_get (port, "default");
    return !theirs
           && (strcmp (key, "default") == 0 || strcmp (key, "dtype") == 0
               || strcmp (key, "shape") == 0);
}

static void compare_port (const struct comparison *c, const struct port *port,
                          const struct json *theirs)
{
    static const char *const keys[] = { "type",    "list",  "optional",
                                        "default", "dtype", "shape" };
    struct json *ours = port_json (port);

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        struct json *one = said (ours, keys[i]);
        struct json *other = said (theirs, keys[i]);
        bool equal = one && other ? json_equal (one, other) : one == other;

        if (!equal && !is_allowed (keys[i], one, theirs))
            tell (c, port->name, keys[i], one, other);
        json_unref (one);
        json_unref (other);
    }
    json_unref (ours);
}

static bool is_sliced (const struct comparison *c, const char *name)
{
    return port_find (c->op->slices, name)
           || (c->op->fan_out && words_contain (c->op->fan_out, name));
}

static void compare_slicing (const struct comparison *c, const char *name)
{
    const struct json *fan_out = json_get (c->function, "fan_out");
    bool ours = is_sliced (c, name), theirs = false;

    for (size_t i = 0; i < json_count (fan_out); i++)
        theirs =
            theirs || strcmp (json_as_string (json_at (fan_out, i)), name) == 0;
    if (ours && !theirs)
        strvec_pushf (c->differences,
                      "input '%s' is sliced here (fan_out) and not in the "
                      "function; write Each[...] there",
                      name);
    else if (theirs && !ours)
        strvec_pushf (c->differences,
                      "input '%s' is sliced in the function (Each) and not "
                      "here; write it in fan_out",
                      name);
}

/* Those of 'ports' that the function has, and of which 'required' says that it
 * has to have them.
 */
static void compare_ports (const struct comparison *c, const struct port *ports,
                           bool required)
{
    const struct json *theirs = json_get (
        c->function, strcmp (c->kind, "input") == 0 ? "inputs" : "outputs");

    for (; ports && ports->name; ports++) {
        const struct json *port = json_get (theirs, ports->name);

        if (port)
            compare_port (c, ports, port);
        else if (required)
            strvec_pushf (c->differences,
                          "%s '%s' is declared here, and the function has "
                          "none; remove one or add the other",
                          c->kind, ports->name);
    }
}

static void tell_undeclared (const struct comparison *c, const char *key,
                             const struct port *ports,
                             const struct port *slices)
{
    JSON_FOREACH (json_get (c->function, key), it) {
        const char *name = json_iter_key (it);

        if (!port_find (ports, name) && !port_find (slices, name))
            strvec_pushf (c->differences,
                          "%s '%s' of the function is not declared here; add "
                          "it, or remove it there",
                          c->kind, name);
    }
}

static void compare_reads (const struct comparison *c)
{
    const struct json *reads = json_get (c->function, "reads");

    for (size_t i = 0; i < json_count (reads); i++) {
        const char *name = json_as_string (json_at (reads, i));

        if (!operator_uses (c->op, name))
            strvec_pushf (c->differences,
                          "the function takes '%s', which is not in reads; "
                          "write reads: [%s]",
                          name, name);
    }
}

void function_compare (const struct operator_spec *op,
                       const struct json *function, struct strvec *differences)
{
    struct comparison c = { op, function, differences, "input" };
    /* Inputs may be for prepare or collect alone. */
    bool required = !op->prepare && !op->collect;

    compare_ports (&c, op->inputs, required);
    compare_ports (&c, op->slices, false);
    tell_undeclared (&c, "inputs", op->inputs, op->slices);
    JSON_FOREACH (json_get (function, "inputs"), it) {
        const char *name = json_iter_key (it);

        if (port_find (op->inputs, name) || port_find (op->slices, name))
            compare_slicing (&c, name);
    }
    c.kind = "output";
    compare_ports (&c, op->outputs, true);
    tell_undeclared (&c, "outputs", op->outputs, NULL);
    compare_reads (&c);
}
