/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_rows.c - of a model_devi.out the rows that have a frame */
#include "base/base.h"

#include "base/file.h"
#include "formats/deviations/kept_rows.h"
#include "formats/lines.h"

static int compare_steps (const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Of the line at hand, which is read. */
static bool is_kept (struct lines *lines, const int64_t *steps, size_t n)
{
    int64_t step;

    if (lines_take_prefix (lines, "#"))
        return true;
    return lines_take_integer (lines, &step)
           && bsearch (&step, steps, n, sizeof (*steps), compare_steps);
}

int kept_rows_copy (const char *from, const char *to, const int64_t *steps,
                    size_t n, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf kept = STRBUF_INIT;
    struct lines lines = LINES_INIT;
    int rc = lines_open (&lines, from, 0, err);

    while (rc == 0 && (rc = lines_next (&lines, err)) == 1) {
        const char *line = lines.at;
        size_t len = (size_t)(lines.end - line);

        if (lines.complete && is_kept (&lines, steps, n)) {
            strbuf_add (&kept, line, len);
            strbuf_add_char (&kept, '\n');
        }
        rc = 0;
    }
    if (rc == 0)
        rc = file_write_atomic (to, kept.buf, kept.len, err);
    lines_close (&lines);
    return rc < 0 ? -1 : 0;
}
