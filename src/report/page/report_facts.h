/* SPDX-License-Identifier: BSD-3-Clause */
/* report_facts.h - what sections of a report are made from: a campaign that is
 * open, and the summaries of its stages
 */
#ifndef REPORT_PAGE_REPORT_FACTS_H
#define REPORT_PAGE_REPORT_FACTS_H

struct engine;

struct report_facts {
    const struct engine *engine; /* lent */
    int n_iterations;
    size_t n_stages;
    struct json **summaries; /* act/stage_summary.h, by iteration and stage of
                                the plan; NULL: there is none */
    int n_unread;            /* stages whose summary is not there, and that have
                                too many tasks to make it */
    struct json *events;     /* [EVENT]: those of the journal that tell what
                                persons did, and what stopped the campaign */
};

/* Read them.  -1 with 'err' when the journal cannot be read. */
int report_facts_read (struct report_facts *facts, const struct engine *engine,
                       struct error *err);
void report_facts_release (struct report_facts *facts);

/* What the stage made in an iteration, where it has few tasks and is done: its
 * outputs, lent; NULL: nothing, or they cannot be read.
 */
const struct json *report_outputs (const struct report_facts *facts,
                                   int iteration, size_t stage);

/* One of these that is a map, lent; NULL: there is none. */
const struct json *report_output_map (const struct report_facts *facts,
                                      int iteration, size_t stage,
                                      const char *output);

/* The newest iteration with such a one; -1: none has. */
int report_newest_map (const struct report_facts *facts, size_t stage,
                       const char *output);

/* An output that is a number for each task, as number_spread; NULL: it has
 * none. Caller unrefs.
 */
struct json *report_spread (const struct report_facts *facts, int iteration,
                            size_t stage, const char *output);

/* Of the tries in it, lent; NULL: nothing is known. */
const struct json *report_tries (const struct report_facts *facts,
                                 int iteration, size_t stage);

/* --- sections, in the order of the page --- */

struct page;
struct section;

void report_overview (const struct report_facts *facts, struct page *page);
void report_selection (const struct report_facts *facts, struct page *page);

/* Of stage k, where its levels were found by labels: errors against deviations
 * of the newest iteration, and coverage by iteration.
 */
void report_calibration (const struct report_facts *facts, size_t k,
                         struct section *section);

/* Of stage k, where it looked at whether trajectories are sound: how many are,
 * by iteration; systems under conditions, and the worst, of the newest one.
 */
void report_health (const struct report_facts *facts, size_t k,
                    struct section *section);

/* Into a section that the caller has begun: errors by iteration. */
void report_errors (const struct report_facts *facts, struct section *section);
void report_labels (const struct report_facts *facts, struct page *page);
void report_timeline (const struct report_facts *facts, struct page *page);
void report_use (const struct report_facts *facts, struct page *page);
void report_edits (const struct report_facts *facts, struct page *page);
void report_provenance (const struct report_facts *facts, struct page *page);

#endif /* !REPORT_PAGE_REPORT_FACTS_H */
