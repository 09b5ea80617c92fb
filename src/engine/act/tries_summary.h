/* SPDX-License-Identifier: BSD-3-Clause */
/* tries_summary.h - when the tries of a stage's tasks ran, where, and how they
 * ended, in a size that does not grow with the tasks (pure)
 *
 *   {"from_s", "to_s" (time of day), "bins": N (of that, equal),
 *    "tries", "retries", "failures" (numbers), "nodes", "slots", "busy_s" (of
 *    all slots),
 *    "rows": [{"name", "slots" (how many it is of), "busy": one digit for each
 *       bin, 0: nothing ran, 9: all of its slots were busy,
 *       "failed": [BIN, N, ...], "retried": [BIN, N, ...]}]
 *       (slots; of more than TRIES_ROWS_MOST nodes; of more groups of them),
 *    "slowest": [{"task", "node", "slot", "outcome", "wall_s", "peak_bytes"}],
 *    "failed": [{..., "ended_s", "why"}] (the latest of them)}
 * A try without an end has the outcome "pending": its agent did not come to
 * tell.
 */
#ifndef ENGINE_TRIES_SUMMARY_H
#define ENGINE_TRIES_SUMMARY_H

enum {
    TRIES_ROWS_MOST = 64,
    TRIES_BINS = 200,
    TRIES_NAMED = 10, /* of the slowest, and of those that failed */
};

struct result_event;
struct tries_summary;

struct tries_summary *tries_summary_create (int32_t n_tasks);
void tries_summary_destroy (struct tries_summary *summary); /* NULL is legal */

/* Take a record of an agent's log; each log begins with its claim. */
void tries_summary_add (struct tries_summary *summary,
                        const struct result_event *event);

/* After all records.  NULL: there was no try.  Caller unrefs. */
struct json *tries_summary_json (struct tries_summary *summary);

#endif /* !ENGINE_TRIES_SUMMARY_H */
