/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_expression.c - `when:`, `stop:` and `history:` */
#include "base/base.h"

#include <float.h>

#include "fuzz.h"
#include "signature/expression.h"

/* A value of every kind, chosen by the first letter. */
static struct json *look_up (const char *name, void *arg)
{
    struct json *list;

    (void)arg;
    switch (name[0]) {
    case 'a':
        return json_int (JSON_INT_MAX);
    case 'b':
        return json_int (-JSON_INT_MAX);
    case 'c':
        return json_real (DBL_MAX);
    case 'd':
        return json_string ("text");
    case 'e':
        return json_bool (true);
    case 'f':
        list = json_array ();
        json_push (list, json_int (1));
        json_push (list, json_null ());
        json_push (list, json_real (-2.5));
        return list;
    case 'g':
        return json_array ();
    case 'h':
        return json_object ();
    default:
        return NULL;
    }
}

static int take_name (const char *name, void *arg, struct error *err)
{
    (void)arg;
    (void)err;
    must_hold (name && name[0], "a name has letters");
    return 0;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);
    struct error err = ERROR_INIT;
    struct expression *expression = expression_parse (text, &err);
    struct json *v = NULL;

    must_hold (expression || err.text[0], "a tree or a complaint");
    if (expression) {
        must_hold (expression_names (expression, take_name, NULL, NULL) == 0,
                   "names are listed");
        if (expression_eval (expression, look_up, NULL, &v, &err) == 0)
            must_survive_writing (v);
        else
            must_hold (err.text[0], "a value or a complaint");
    }
    json_unref (v);
    expression_destroy (expression);
    free (text);
    return 0;
}
