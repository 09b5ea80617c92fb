/* SPDX-License-Identifier: BSD-3-Clause */
/* live_view.h - how a campaign stands at this moment, as one screen */
#ifndef REPORT_LIVE_VIEW_H
#define REPORT_LIVE_VIEW_H

#include "engine/history/state.h"
#include "report/screen_row.h"
#include "report/time_left.h"

struct engine;
struct lease_holder;
struct observations;

/* A stage of the current iteration. */
struct live_stage {
    char *name;
    enum stage_status status;
    char *why;     /* skipped, failed, or what a person should know; NULL */
    int64_t tasks; /* in all */
    int64_t n[BAR_PARTS];
    int64_t reused;     /* of those that are ok */
    double tasks_per_s; /* while any ran; 0: not known */
    double queued_s;    /* since when the oldest element waits that has not
                           started; 0: none waits */
    double waited_s;    /* the longest that one has waited which started */
    double wall_s;      /* in which any task ran; 0: none did */
    struct time_range left;
};

/* How accurate the frames of a stage were. */
struct live_accuracy {
    char *name;
    double *values; /* by iteration, 0 to 1; NAN: not known */
    int n;
};

/* It owns its strings: it may outlive the plan that it was made of. */
struct live_view {
    char *campaign;
    const char *status; /* status_word: a constant */
    char *why;          /* paused, failed, done: for a person; or NULL */
    char *driver;       /* another one: "driven by pid 12 on login1"; or NULL */
    int iteration;      /* -1: before the first */
    int64_t iterations; /* at most */
    char *phase;        /* or NULL */
    struct live_stage *stages;
    size_t n_stages;
    struct time_range iteration_left, campaign_left;
    double node_hours, lost_node_hours; /* used by tries that ended */
    double submitted_node_hours; /* what is queued and running may use yet; < 0:
                                    not known */
    struct live_accuracy *accuracy;
    size_t n_accuracy;
};

/* 'observations': of the logs (observe_logs).  Each task of an open attempt is
 * looked at.  live_view_release gives back what it has.
 */
void live_view_make (const struct engine *engine,
                     const struct observations *observations,
                     const struct lease_holder *holder, struct live_view *view);
void live_view_release (struct live_view *view);

/* Push at most look->height lines (pure).  'said' are lines that were told, the
 * latest last, of which as many are shown as there is room for; 'now' is the
 * time of day as a person reads it; 'keys' tells what a person can press.
 */
void live_view_lines (const struct live_view *view,
                      const struct screen_look *look, const struct strvec *said,
                      const char *now, const char *keys, struct strvec *lines);

#endif /* !REPORT_LIVE_VIEW_H */
