/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_survey.h - a trajectory and its committee's forces into a survey */
#ifndef SELECTION_COMMITTEE_SURVEY_H
#define SELECTION_COMMITTEE_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "selection/committee.h"

struct error;
struct once;
struct survey;
struct survey_part;

/* Whose frames they are. */
struct committee_source {
    struct committee_files files;
    int64_t task;
    int64_t part;
    size_t system;
};

/* Add all frames to 'part', which is reset, through 'once'; when steps went
 * back the files are read again.  Of a piece only part may be here:
 * once->went_back is then left true and 'part' is worth nothing.  What was lost
 * is in *losses then.  -1: a file is malformed.
 */
int committee_survey (const struct survey *survey,
                      const struct committee_source *source,
                      struct once *once,
                      struct survey_part *part,
                      struct committee_losses *losses,
                      struct error *err);

#endif /* !SELECTION_COMMITTEE_SURVEY_H */
