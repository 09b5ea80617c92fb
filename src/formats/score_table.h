/* SPDX-License-Identifier: BSD-3-Clause */
/* score_table.h - scores of frames, and errors of those with a label
 *
 *   # score  error
 *   0.13           a frame without a label
 *   0.27 0.31      with one: how far the prediction is off
 *   0.44 nan       with one that failed
 *
 * "#" begins a comment.  Scores are finite, of any sign; errors are 0 or more,
 * of any unit.
 */
#ifndef FORMATS_SCORE_TABLE_H
#define FORMATS_SCORE_TABLE_H

struct lines;

struct scored_frame {
    double score;
    double error; /* NAN: no label; INFINITY: its label failed */
};

struct score_table {
    struct scored_frame *frames; /* as they come */
    size_t n, alloc;
};

#define SCORE_TABLE_INIT                                                       \
    {                                                                          \
        NULL, 0, 0                                                             \
    }

/* Read 'lines' to their end.  Release the table in any case. */
int score_table_read (struct lines *lines, struct score_table *table,
                      struct error *err);

void score_table_release (struct score_table *table);

#endif /* !FORMATS_SCORE_TABLE_H */
