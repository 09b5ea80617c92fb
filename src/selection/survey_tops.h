/* SPDX-License-Identifier: BSD-3-Clause */
/* survey_tops.h - the part of a survey that finds adaptive lower levels
 *
 * For survey.c, which keeps what these functions work on.
 */
#ifndef SELECTION_SURVEY_TOPS_H
#define SELECTION_SURVEY_TOPS_H

#include <stddef.h>

#include "selection/survey.h"

void survey_tops_init (struct survey *survey);
void survey_tops_release (struct survey *survey);
void survey_tops_start (struct survey *survey);
void survey_tops_reset (const struct survey *survey, struct survey_part *part);

/* Add rows to a part, in SURVEY_RANGES or SURVEY_TOPS; 'frame' says of which
 * task.
 */
void survey_tops_add (const struct survey *survey,
                      struct survey_part *part,
                      struct drawn frame,
                      const struct deviation_rows *rows);
void survey_tops_merge (struct survey *survey, const struct survey_part *part);

/* The classes of rows once the lower levels are known. */
void survey_tops_classify (const struct survey *survey,
                           size_t system,
                           struct drawn frame,
                           const struct deviation_rows *rows,
                           unsigned char *class);

#endif /* !SELECTION_SURVEY_TOPS_H */
