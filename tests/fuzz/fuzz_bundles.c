/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_bundles.c - the tasks of every element */
#include "config.h"

#include <string.h>

#include "arrays/bundles.h"
#include "base/alloc.h"
#include "fuzz.h"

enum { TASKS = 1000, ELEMENTS_MAX = 100000 };

/* Ascending, and the same when written and read. */
static void check_bundle (const struct task_range *bundle)
{
    struct task_range again = TASK_RANGE_INIT;
    struct strbuf text = STRBUF_INIT;
    size_t n = 0;

    for (int32_t t = -1; (t = task_range_next (bundle, t)) >= 0; n++)
        must_hold (t < TASKS && task_range_at (bundle, n) == t
                       && task_range_contains (bundle, t),
                   "a bundle is what it says");
    must_hold (n == task_range_count (bundle), "counted right");
    task_range_format (bundle, &text);
    must_hold (task_range_parse (text.buf, &again, NULL) == 0
                   && task_range_count (&again) == n,
               "what was written can be read");
    task_range_release (&again);
    strbuf_release (&text);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct task_range *bundles = NULL;
    struct task_range range = TASK_RANGE_INIT;
    char *copy = xstrndup (text, size);
    size_t n = size > 0 && text[size - 1] != '\n';

    for (size_t i = 0; i < size; i++)
        n += text[i] == '\n';
    if (n > ELEMENTS_MAX) /* legal, and only takes memory */
        goto done;
    bundles = xcalloc (n + 1, sizeof (*bundles));
    if (bundles_parse (text, size, TASKS, bundles, (int64_t)n, NULL) == 0) {
        for (size_t i = 0; i < n; i++)
            check_bundle (&bundles[i]);
    }
    must_hold (bundles_parse (text, size, TASKS, bundles, (int64_t)n + 1, NULL)
                   < 0,
               "a line is missing");
    if (task_range_parse (copy, &range, NULL) == 0)
        must_hold (task_range_count (&range) <= TASK_MAX + 1, "in range");
    for (size_t i = 0; i < n; i++)
        task_range_release (&bundles[i]);
done:
    task_range_release (&range);
    free (bundles);
    free (copy);
    return 0;
}
