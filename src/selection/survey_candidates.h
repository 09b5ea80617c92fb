/* SPDX-License-Identifier: BSD-3-Clause */
/* survey_candidates.h - the part of a survey that draws from its candidates */
#ifndef SELECTION_SURVEY_CANDIDATES_H
#define SELECTION_SURVEY_CANDIDATES_H

#include <stdint.h>

struct deviation_rows;
struct drawn;
struct levels;
struct survey;
struct survey_part;

/* Count the candidates among the rows, and offer them to the part's draws.
 * class[i] is that of row i, value[i] what it is drawn by, with 'levels';
 * places as in survey_add.  'frame' is what they have in common.
 */
void survey_candidates_add (const struct survey *survey,
                            struct survey_part *part,
                            const struct levels *levels,
                            const struct drawn *frame,
                            const struct deviation_rows *rows,
                            const unsigned char *class,
                            const double *value,
                            const uint64_t *places);

/* The same of one candidate; its key is filled in. */
void survey_candidate_add (const struct survey *survey,
                           struct survey_part *part,
                           const struct levels *levels,
                           struct drawn *frame);

#endif /* !SELECTION_SURVEY_CANDIDATES_H */
