/* SPDX-License-Identifier: BSD-3-Clause */
/* path_change.c - who submits now has another PATH, and jobs see it */
#include "base/base.h"

#include "base/json.h"
#include "report/path_change.h"

enum { SHOWN = 3 };

/* Append the entries of 'of' that 'in' lacks, the first few of them. */
static void add_missing (const struct strvec *of, const struct strvec *in,
                         const char *before, struct strbuf *out)
{
    size_t n = 0;

    for (size_t i = 0; i < of->n; i++) {
        if (strvec_contains (in, of->v[i]))
            continue;
        if (n < SHOWN)
            strbuf_addf (out, "%s%s", n == 0 ? before : ", ", of->v[i]);
        n++;
    }
    if (n > SHOWN)
        strbuf_addf (out, " and %zu more", n - SHOWN);
}

bool path_change_text (const struct json *event, struct strbuf *out)
{
    _cleanup_ (strvec_release) struct strvec is = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec was = STRVEC_INIT;
    size_t begins;

    if (!json_get (event, "path_before"))
        return false;
    strvec_split (&is, json_get_string (event, "path"), ":");
    strvec_split (&was, json_get_string (event, "path_before"), ":");
    strbuf_addf (out,
                 "jobs of stage '%s' see another PATH than those submitted "
                 "before",
                 json_get_string (event, "stage"));
    begins = out->len;
    add_missing (&was, &is, ", without ", out);
    add_missing (&is, &was, ", with ", out);
    if (out->len == begins)
        strbuf_add_str (out, ", its directories in another order");
    strbuf_add_str (out, ", since another environment submits; `env: {PATH: "
                         "...}` of the profile gives all jobs the same");
    return true;
}
