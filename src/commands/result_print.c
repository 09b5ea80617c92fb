/* SPDX-License-Identifier: BSD-3-Clause */
/* result_print.c - what a stage or a call made, as programs and people read it
 */
#include "base/base.h"

#include "base/json.h"
#include "commands/result_print.h"
#include "signature/operator.h"
#include "signature/type.h"

static enum exit_status no_output (const struct json *result, const char *name)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    JSON_FOREACH (result, it)
        strvec_push (&names, json_iter_key (it));
    complain_unknown ("output", name, &names);
    return STATUS_USAGE;
}

static void print_typed (const struct operator_spec *op,
                         const struct json *result, const char *output)
{
    struct json *v = json_object ();
    struct json *outputs = json_object (), *types = json_object ();
    struct type type;

    JSON_FOREACH (result, it) {
        const char *name = json_iter_key (it);

        if (output && strcmp (name, output) != 0)
            continue;
        json_set (outputs, name, json_ref (json_iter_value (it)));
        if (operator_output_type (op, name, &type))
            json_set (types, name, json_string (type_kind_name (type.kind)));
    }
    json_set (v, "outputs", outputs);
    json_set (v, "types", types);
    print_json (v);
    json_unref (v);
}

enum exit_status result_print (const struct operator_spec *op,
                               const struct json *result, const char *output,
                               bool typed)
{
    const struct json *value = output ? json_get (result, output) : result;

    if (!value)
        return no_output (result, output);
    if (typed)
        print_typed (op, result, output);
    else if (json_kind (value) == JSON_KIND_STRING)
        puts (json_as_string (value));
    else
        print_json (value);
    return STATUS_DONE;
}
