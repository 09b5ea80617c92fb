/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_template.c - arguments with {placeholders} */
#include "base/base.h"

#include "fuzz.h"
#include "signature/template.h"

static const char values_text[] =
    "{\"a\": 1, \"b\": 1.5, \"c\": \"x y\", \"d\": true, \"e\": null,"
    " \"f\": [1, [\"g\", null], []], \"h\": {\"k\": 1}, \"i.j\": \"{a}\","
    " \"l\": [[[[[[[[[[1]]]]]]]]]]}";

static int count_name (const char *name, void *arg, struct error *err)
{
    size_t *n = arg;

    (void)err;
    must_hold (name[0] && !strpbrk (name, "{} "), "a name is a name");
    ++*n;
    return 0;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct json *values =
        json_parse (values_text, strlen (values_text), "values", NULL);
    char *text = xstrndup ((const char *)data, size);
    struct strvec argv = STRVEC_INIT;
    struct error err = ERROR_INIT;
    size_t n_names = 0;
    int scanned = template_scan (text, count_name, &n_names, &err);
    int expanded;

    must_hold (scanned == 0 || err.text[0], "good or a complaint");
    expanded = template_expand (text, values, &argv, &err);
    must_hold (expanded == 0 || (err.text[0] && argv.n == 0),
               "arguments or a complaint");
    must_hold (scanned == 0 || expanded < 0, "both read the same");
    must_hold (expanded < 0 || n_names > 0 || argv.n == 1,
               "plain text is one argument");
    json_unref (values);
    strvec_release (&argv);
    free (text);
    return 0;
}
