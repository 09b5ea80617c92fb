/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_survey.c - a trajectory and its committee's forces into a survey */
#include "config.h"

#include "base/error.h"
#include "formats/deviation_file.h"
#include "selection/committee_survey.h"
#include "selection/once.h"
#include "selection/survey.h"

/* One time through; steps of which some come again are kept from 'keep_from'
 * on.
 */
static int read_once (const struct survey *survey,
                      const struct committee_source *source,
                      struct once *once,
                      struct survey_part *part,
                      int64_t keep_from,
                      struct committee_losses *losses,
                      struct error *err)
{
    struct committee *committee;
    uint64_t places[DEVIATION_ROWS_MAX];
    struct deviation_rows rows;
    int rc;

    *losses = (struct committee_losses){ 0 };
    committee = committee_open (&source->files, losses, err);
    if (!committee)
        return -1;
    survey_part_reset (survey, part, source->system);
    once_start (once, survey, part, source->task, source->part, keep_from);
    while ((rc = committee_next (committee, &rows, places, err)) == 1)
        once_add (once, &rows, places);
    once_end (once);
    once->went_back |= source->files.piece && committee_went_back (committee);
    committee_close (committee, losses);
    return rc;
}

int committee_survey (const struct survey *survey,
                      const struct committee_source *source,
                      struct once *once,
                      struct survey_part *part,
                      struct committee_losses *losses,
                      struct error *err)
{
    int rc = read_once (survey, source, once, part, INT64_MAX, losses, err);

    if (rc == 0 && once->went_back && !source->files.piece)
        rc = read_once (survey, source, once, part, once->lowest, losses, err);
    return rc;
}
