/* SPDX-License-Identifier: BSD-3-Clause */
/* usage.h - when tasks ran, and what they used meanwhile (pure)
 *
 * Agents log when a task ended and how long it took.  Of that the journal keeps
 * sums, and the time in which any task ran as a few spans: its size does not
 * grow with the tasks.
 */
#ifndef ENGINE_USAGE_H
#define ENGINE_USAGE_H

struct resources;

/* --- spans of time --- */

enum { TIME_SPANS_MOST = 16 };

/* Apart from each other, ascending; of more than there is room for the two that
 * are closest become one.
 */
struct time_spans {
    int n;
    struct time_span {
        double from_s, to_s;
    } v[TIME_SPANS_MOST];
};

/* Nothing is added unless from_s < to_s, both finite. */
void time_spans_add (struct time_spans *spans, double from_s, double to_s);
void time_spans_add_all (struct time_spans *spans,
                         const struct time_spans *more);
double time_spans_total_s (const struct time_spans *spans);

/* [FROM, TO, FROM, TO ...]; what cannot be read is passed over. */
struct json *time_spans_to_json (const struct time_spans *spans);
void time_spans_add_json (struct time_spans *spans, const struct json *v);

/* --- what was used --- */

struct used {
    double node_s; /* the part of a node that a task has, times its time */
    double core_s;
    double gpu_s;
};

struct usage {
    struct used ok;   /* by tasks that are ok, and by tries that got further */
    struct used lost; /* by tries that ended otherwise */
    struct time_spans ran;
};

/* 's' seconds of tasks that each have 'task', which is 'node_share' of a node.
 */
void used_add (struct used *used, double s, const struct resources *task,
               double node_share);
void used_add_all (struct used *used, const struct used *more);
void usage_add_all (struct usage *usage, const struct usage *more);
bool usage_is_empty (const struct usage *usage);

/* {"ok": [node_s, core_s, gpu_s], "lost": [...], "ran": [...]} */
struct json *usage_to_json (const struct usage *usage);
void usage_add_json (struct usage *usage, const struct json *v);

#endif /* !ENGINE_USAGE_H */
