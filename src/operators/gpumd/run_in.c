/* SPDX-License-Identifier: BSD-3-Clause */
/* run_in.c - the user's lines of run.in: GPUMD knows no variables, so Fanfold
 * puts the numbers in
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "operators/gpumd/gpumd.h"

static int unknown_variable (const char *at, size_t len, size_t line,
                             const char *name, const struct json *variables,
                             struct error *err)
{
    struct strbuf names = STRBUF_INIT;

    JSON_FOREACH (variables, it)
        strbuf_addf (&names, "%s${%s}", names.len > 0 ? ", " : "",
                     json_iter_key (it));
    error_set (err,
               "%s:%zu: there is no variable '${%.*s}'; there is %s, and what "
               "for_each has",
               name, line, (int)len, at, names.buf);
    strbuf_release (&names);
    return -1;
}

int gpumd_fill_lines (const char *lines, size_t len, const char *name,
                      const struct json *variables, struct strbuf *out,
                      struct error *err)
{
    const char *at = lines, *stop = lines + len;
    size_t line = 1;

    while (at < stop) {
        const char *end = NULL;

        if (stop - at > 2 && at[0] == '$' && at[1] == '{')
            end = memchr (at, '}', (size_t)(stop - at));
        if (!end) {
            line += *at == '\n';
            strbuf_add_char (out, *at++);
            continue;
        }
        char *key = strndup (at + 2, (size_t)(end - at - 2));
        const struct json *value = json_get (variables, key);

        free (key);
        if (!value)
            return unknown_variable (at + 2, (size_t)(end - at - 2), line, name,
                                     variables, err);
        json_dump (value, JSON_COMPACT, out);
        at = end + 1;
    }
    return 0;
}

static int count_runs (const char *key, size_t line, void *arg,
                       struct error *err)
{
    int *runs = arg;

    (void)line;
    (void)err;
    *runs += strcmp (key, "run") == 0;
    return 0;
}

int gpumd_check_template (const char *text, size_t len, const char *name,
                          const struct json *for_each, struct error *err)
{
    struct json *variables = json_object ();
    struct strbuf filled = STRBUF_INIT;
    int runs = 0, rc;

    json_set (variables, "seed", json_int (1));
    json_set (variables, "steps", json_int (1));
    JSON_FOREACH (for_each, it)
        json_set (variables, json_iter_key (it), json_int (1));
    rc = gpumd_fill_lines (text, len, name, variables, &filled, err);
    template_first_words (text, len, count_runs, &runs, NULL);
    if (rc == 0 && runs != 1)
        rc = error_set (err,
                        "%s: there are %d runs, and `active` is of one; write "
                        "`run ${steps}` once",
                        name, runs);
    if (rc == 0)
        rc = explore_check_used (text, name, for_each, err);
    strbuf_release (&filled);
    json_unref (variables);
    return rc;
}
