/* SPDX-License-Identifier: BSD-3-Clause */
/* bundles.c - the file "bundles": line e lists the tasks of element e */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/bundles.h"
#include "base/alloc.h"
#include "base/error.h"

static int64_t count_lines (const char *text, size_t len)
{
    int64_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += text[i] == '\n' || i + 1 == len;
    return n;
}

static int parse_line (const char *line,
                       size_t len,
                       int32_t n_tasks,
                       struct task_range *bundle,
                       struct error *err)
{
    char *text = xstrndup (line, len);
    int rc = -1;

    if (strlen (text) < len)
        error_set (err, "a NUL character");
    else
        rc = task_range_parse (text, bundle, err);
    if (rc == 0 && bundle->n_spans > 0
        && bundle->spans[bundle->n_spans - 1].last >= n_tasks)
        rc = error_set (err, "there is no task %d",
                        (int)bundle->spans[bundle->n_spans - 1].last);
    free (text);
    return rc;
}

int bundles_parse (const char *text,
                   size_t len,
                   int32_t n_tasks,
                   struct task_range *bundles,
                   int64_t n,
                   struct error *err)
{
    const char *end = text + len;

    if (count_lines (text, len) != n)
        return error_set (err, "%" PRId64 " bundles for %" PRId64 " elements",
                          count_lines (text, len), n);
    for (int64_t i = 0; i < n; i++) {
        const char *stop = memchr (text, '\n', (size_t)(end - text));

        if (!stop)
            stop = end;
        if (parse_line (text, (size_t)(stop - text), n_tasks, &bundles[i], err)
            < 0)
            return error_prefix (err, "line %" PRId64, i + 1);
        text = stop + 1;
    }
    return 0;
}
