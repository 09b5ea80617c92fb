/* SPDX-License-Identifier: BSD-3-Clause */
/* health_view.h - what a selection found of the trajectories that it selects
 * from (reduce/found_health.h), for people (pure)
 */
#ifndef REPORT_HEALTH_VIEW_H
#define REPORT_HEALTH_VIEW_H

struct json;

/* Append "temperature=300, pressure=0"; nothing where no conditions are known.
 */
void health_conditions (const struct json *conditions, struct strbuf *out);

/* Append what is wrong with a trajectory, one of "worst": "H and O are 0.41 A
 * apart in step 120, and 0.93 A or more in labelled frames".
 */
void health_finding_text (const struct json *worst, struct strbuf *out);

/* Append "13 of 24 trajectories are sound (7 ended early, 2 with atoms too
 * close)", with 'of' behind "trajectories".
 */
void health_counts_text (const struct json *health, const char *of,
                         struct strbuf *out);

/* Push a sentence that names the worst where not all of them are sound;
 * 'explorer' (NULL: not known) made them.
 */
void health_line (const char *stage, const char *explorer, int iteration,
                  const struct json *health, struct strvec *lines);

/* {"stage", "iteration", "trajectories", .., "worst": [..]}, without groups.
 * Caller unrefs.
 */
struct json *health_summary (const char *stage, int iteration,
                             const struct json *health);

#endif /* !REPORT_HEALTH_VIEW_H */
