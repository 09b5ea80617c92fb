/* SPDX-License-Identifier: BSD-3-Clause */
/* science_view.h - what looks wrong with what a campaign found, though all of
 * its tasks are ok
 */
#ifndef REPORT_SCIENCE_VIEW_H
#define REPORT_SCIENCE_VIEW_H

struct engine;

/* Push a sentence for each stage that publishes whose inputs are others than in
 * the iteration before; and for each that explores or selects, of the newest
 * iteration up to 'iteration' in which it is done: trajectories are not sound
 * (health_view.h; where no selection tells, all of them ended early), all
 * frames failed, none is a candidate in iteration 0, none was
 * accurate in several iterations, or what it made cannot be read.
 */
void science_lines (const struct engine *engine, int iteration,
                    struct strvec *lines);

/* [health_summary ()] of each selection that tells it, of the same iteration.
 * Caller unrefs.
 */
struct json *science_health (const struct engine *engine, int iteration);

/* Does the stage tell which fractions of frames are accurate, candidates and
 * failed, by outputs of these names?
 */
struct stage;
bool stage_classifies_frames (const struct stage *stage);

/* What a campaign that is done came to: "converged"; "limit", its rules (stop:,
 * until:) did not hold before its iterations were over; "all", it has none.
 */
const char *science_ending (const struct engine *engine);

/* "done", or "ended" where that is "limit". */
const char *science_ending_word (const char *ending);

#endif /* !REPORT_SCIENCE_VIEW_H */
