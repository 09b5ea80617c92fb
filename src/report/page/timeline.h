/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - what ran when, of all stages and iterations, in bins (pure) */
#ifndef REPORT_PAGE_TIMELINE_H
#define REPORT_PAGE_TIMELINE_H

struct report_facts;

enum {
    TIMELINE_BINS = 600,
    TIMELINE_SPAN = 4, /* bins that are one in figures over time */
    TIMELINE_SPANS = TIMELINE_BINS / TIMELINE_SPAN,
};

/* What ran in one bin of a row. */
struct timeline_bin {
    double busy_s;  /* of all its slots and stages */
    double stage_s; /* of the stage that is added */
    double most_s;  /* of the stage that had most of it, */
    size_t stage;   /* and its number */
    double failed, retried;
};

struct timeline {
    const struct report_facts *facts;
    double from_s, to_s; /* time of day */
    struct strvec rows;
    double *slots;             /* by row */
    int depth;                 /* rows are slots, 1: nodes, 2: all together */
    struct timeline_bin *bins; /* by row, then by time */
    double *running_s;         /* of all rows, by stage, then by span */
};

/* Gather what the summaries of stages tell; false: no task has run.  Release
 * 'timeline' in any case.
 */
bool timeline_read (const struct report_facts *facts,
                    struct timeline *timeline);
void timeline_release (struct timeline *timeline);

/* How long a bin is. */
double timeline_bin_s (const struct timeline *timeline);

#endif /* !REPORT_PAGE_TIMELINE_H */
