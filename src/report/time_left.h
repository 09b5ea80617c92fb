/* SPDX-License-Identifier: BSD-3-Clause */
/* time_left.h - how long an iteration and a campaign may still take (pure)
 *
 * A stage that runs: of its tasks that have ended, how many there were in the
 * time in which any ran, and in all the time since the first one began; the
 * tasks that are left at these two rates, each taken as uncertain by one in the
 * square root of their number, and a task's time for the last ones.  Where too
 * few have ended, and for stages to come: how long the stage took in earlier
 * iterations, the shortest and the longest of n, by (1 + 1/n).  Where there is
 * nothing to go by, nothing is said.
 */
#ifndef REPORT_TIME_LEFT_H
#define REPORT_TIME_LEFT_H

struct time_range {
    bool known;
    double least_s, most_s; /* where it is known */
};

/* How long something took before: 'n' times; 0: it is not known. */
struct time_seen {
    int n;
    double least_s, most_s;
};

void time_seen_add (struct time_seen *seen, double s);

/* So long it may take again. */
struct time_range time_expected (const struct time_seen *seen);

enum { TASKS_TELL = 4 }; /* so many must have ended to tell a rate */

/* A stage of the iteration. */
struct stage_work {
    bool over;           /* done, skipped */
    bool runs;           /* its tasks are known; else it is to come */
    double elapsed_s;    /* since it began; runs */
    int64_t tasks_left;  /* not ended; runs */
    int64_t tasks_ended; /* by which the rate is told; runs */
    double ran_s;        /* in which any task ran, until now; runs */
    double since_s;      /* since the first of them began; runs */
    double task_s;       /* the mean of a task; 0: not known */
    struct time_seen before;
    const int *after; /* which of these stages it waits for */
    size_t n_after;
};

struct time_range stage_time_left (const struct stage_work *work);

/* Of the whole iteration: the longest way through its stages, in an order where
 * 'after' comes first.  Unknown where that of a stage is.
 */
struct time_range iteration_time_left (const struct stage_work *stages,
                                       size_t n);

/* Of the campaign, which has at most 'n_more' iterations after this one, none
 * of which need come where it may 'stop' before.
 */
struct time_range campaign_time_left (const struct time_range *iteration,
                                      const struct time_seen *iterations,
                                      int64_t n_more, bool stops);

/* "42s", "12m", "3h05m", "2d04h": for a screen, on which what changes each
 * second is not calm; and a range of them: "12m", "12m to 3h05m", "at most
 * 12m".
 */
void time_about_text (double s, struct strbuf *out);
void time_range_text (const struct time_range *range, struct strbuf *out);

#endif /* !REPORT_TIME_LEFT_H */
