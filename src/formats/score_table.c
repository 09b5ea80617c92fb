/* SPDX-License-Identifier: BSD-3-Clause */
/* score_table.c - scores of frames, and errors of those with a label */
#include "base/base.h"

#include "formats/lines.h"
#include "formats/number.h"
#include "formats/score_table.h"

static void drop_comment (struct lines *lines)
{
    const char *comment =
        memchr (lines->at, '#', (size_t)(lines->end - lines->at));

    if (comment)
        lines->end = comment;
}

static int take_score (struct lines *lines, double *score, struct error *err)
{
    if (!lines_take_number (lines, score))
        return lines_error (lines, err,
                            "the score is no number; write a score, or a score "
                            "and an error, and begin other lines with #");
    if (!isfinite (*score))
        return lines_error (lines, err,
                            "the score is not finite; leave such frames out");
    return 0;
}

/* A label whose error is no number, or without end, is one that failed. */
static int take_error (struct lines *lines, double *error, struct error *err)
{
    if (!lines_take_number (lines, error))
        return lines_error (lines, err,
                            "the error is no number; write nan where a label "
                            "failed");
    if (*error < 0)
        return lines_error (lines, err,
                            "the error is below 0; write how large it is");
    if (!isfinite (*error))
        *error = INFINITY;
    return 0;
}

static int read_row (struct lines *lines, struct scored_frame *frame,
                     struct error *err)
{
    if (take_score (lines, &frame->score, err) < 0)
        return -1;
    frame->error = NAN;
    if (lines_at_end (lines))
        return 0;
    if (take_error (lines, &frame->error, err) < 0)
        return -1;
    if (!lines_at_end (lines))
        return lines_error (lines, err,
                            "there is more than a score and an error; leave "
                            "the other columns out");
    return 0;
}

int score_table_read (struct lines *lines, struct score_table *table,
                      struct error *err)
{
    int rc;

    while ((rc = lines_next (lines, err)) == 1) {
        drop_comment (lines);
        if (lines_at_end (lines))
            continue;
        table->frames = grow_array (table->frames, table->n, &table->alloc,
                                    sizeof (*table->frames));
        if (lines_check_end (lines, err) < 0
            || read_row (lines, &table->frames[table->n], err) < 0)
            return -1;
        table->n++;
    }
    return rc;
}

void score_table_release (struct score_table *table)
{
    free (table->frames);
    *table = (struct score_table)SCORE_TABLE_INIT;
}
