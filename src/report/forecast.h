/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast.h - what the rest of a campaign may take, by playing it (pure)
 *
 * Stages are played many times on slots: each task that is free takes the next
 * slot and a time drawn from those that tasks took so far; a part of the tries
 * fail, and their tasks are tried again when all others have ended.  How long
 * jobs wait in queues is no part of it.
 */
#ifndef REPORT_FORECAST_H
#define REPORT_FORECAST_H

struct size_counts;

enum forecast_now {
    FORECAST_TO_COME,
    FORECAST_RUNS, /* 'left' tasks of it have not ended */
    FORECAST_OVER, /* in this iteration */
};

struct forecast_stage {
    const struct size_counts *times; /* of tasks that are ok, in classes of
                                        seconds (size_counts.h); lent */
    double assumed_s;      /* > 0: each takes so long, whatever was seen */
    double failing;        /* the part of tries that fail */
    int tries;             /* of a task, at most; >= 1 */
    const int64_t *counts; /* how many tasks it may have in an iteration: one of
                              these, each as likely */
    size_t n_counts;
    int64_t at_a_time; /* tasks, >= 1 */
    double node_share; /* the part of a node that a task has */
    const int *after;  /* which it waits for, all of them before it */
    size_t n_after;
    enum forecast_now now;
    int64_t left;
};

/* From the value that a tenth of the plays stay below to that which a tenth go
 * above.
 */
struct forecast_range {
    double least, most;
};

struct forecast {
    struct forecast_range s, node_hours;
};

/* Are its tasks and their times known? */
bool forecast_knows (const struct forecast_stage *stage);

/* Play 'iterations' (>= 1, with the current one) of 'n' stages that are known,
 * 'plays' times (>= 1).  of_stages[i]: the time in which any task of it runs,
 * and its node-hours, of all iterations together; *all: from now to the end.
 * Equal seeds have equal results.
 */
void forecast_play (const struct forecast_stage *stages, size_t n,
                    int64_t iterations, int plays, uint64_t seed,
                    struct forecast *of_stages, struct forecast *all);

/* The least of 'n' waits (ascending) that at least 9 of 10 submissions like
 * these do not exceed, with a confidence of 90 %: the k-th, for the least k
 * with P (X < k) >= 0.9 where X is binomial (n, 0.9); exact where waits are
 * independent and alike (J. Brevik, D. Nurmi, R. Wolski, Predicting bounds on
 * queuing delay for batch-scheduled parallel machines, 2006).  -1: n is too
 * small for any; FORECAST_WAITS is the least that is enough.
 */
double forecast_wait_bound (const double *waits, size_t n);

enum { FORECAST_WAITS = 22 };

#endif /* !REPORT_FORECAST_H */
