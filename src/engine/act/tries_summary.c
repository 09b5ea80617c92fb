/* SPDX-License-Identifier: BSD-3-Clause */
/* tries_summary.c - when the tries of a stage's tasks ran, and where */
#include "base/base.h"

#include "arrays/outcome.h"
#include "base/json.h"
#include "engine/act/tries_summary.h"
#include "handover/result_log.h"

enum { SLOTS_MOST = 4096 };

struct try_span {
    double from_s, to_s;
    int32_t task;
    uint32_t node;
    uint16_t slot;
    uint8_t outcome; /* enum outcome; NONE: it has no end */
    bool is_retry;
};

/* One that a table names. */
struct named_try {
    struct try_span span;
    double wall_s;
    int64_t peak_bytes;
    char *why;
};

struct tries_summary {
    struct try_span *spans;
    size_t n, alloc;
    size_t open_from; /* tries of the log that is read begin there */
    struct strvec nodes;
    uint32_t node; /* of that log */
    double last_s; /* the newest time of day it told */
    int32_t n_tasks;
    bool *started; /* by task */
    struct named_try slowest[TRIES_NAMED], failed[TRIES_NAMED];
    int n_slowest, n_failed;
};

struct tries_summary *tries_summary_create (int32_t n_tasks)
{
    struct tries_summary *t = xcalloc (1, sizeof (*t));

    t->n_tasks = n_tasks;
    t->started = xcalloc ((size_t)n_tasks + 1, sizeof (*t->started));
    strvec_init (&t->nodes);
    return t;
}

void tries_summary_destroy (struct tries_summary *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->n_slowest; i++)
        free (t->slowest[i].why);
    for (int i = 0; i < t->n_failed; i++)
        free (t->failed[i].why);
    strvec_release (&t->nodes);
    free (t->spans);
    free (t->started);
    free (t);
}

/* --- taking records --- */

/* A log has ended: what of it has no end did not get further than the log. */
static void close_log (struct tries_summary *t)
{
    for (size_t i = t->open_from; i < t->n; i++) {
        if (!(t->spans[i].to_s > 0))
            t->spans[i].to_s = fmax (t->spans[i].from_s, t->last_s);
    }
    t->open_from = t->n;
    t->last_s = 0;
}

static void take_claim (struct tries_summary *t,
                        const struct result_event *event)
{
    const char *name = event->node[0] ? event->node : event->host;

    close_log (t);
    t->last_s = event->now_s;
    t->node = (uint32_t)words_index (t->nodes.v, t->nodes.n, name);
    if (t->node == t->nodes.n)
        strvec_push (&t->nodes, name);
}

static void take_start (struct tries_summary *t,
                        const struct result_event *event)
{
    double now_s = json_get_double (event->record, "now_s");

    if (event->task < 0 || event->task >= t->n_tasks || t->nodes.n == 0)
        return;
    t->spans = grow_array (t->spans, t->n, &t->alloc, sizeof (*t->spans));
    t->spans[t->n++] = (struct try_span){
        .from_s = now_s,
        .task = event->task,
        .node = t->node,
        .slot = (uint16_t)(event->slot < 0 || event->slot > SLOTS_MOST
                               ? SLOTS_MOST
                               : event->slot),
        .outcome = OUTCOME_NONE,
        .is_retry = t->started[event->task],
    };
    t->started[event->task] = true;
    t->last_s = fmax (t->last_s, now_s);
}

/* The try that is over; NULL: its start is not in the log. */
static struct try_span *span_of (struct tries_summary *t, int32_t task)
{
    for (size_t i = t->n; i > t->open_from; i--) {
        if (t->spans[i - 1].task == task && !(t->spans[i - 1].to_s > 0))
            return &t->spans[i - 1];
    }
    return NULL;
}

/* Put it where it belongs in a list that is sorted by 'more', the most first;
 * takes over the text.
 */
static void name_try (struct named_try *list, int *n, struct named_try new,
                      double (*key) (const struct named_try *))
{
    int at = *n;

    while (at > 0 && key (&list[at - 1]) < key (&new))
        at--;
    if (at == TRIES_NAMED) {
        free (new.why);
        return;
    }
    if (*n == TRIES_NAMED)
        free (list[--*n].why);
    memmove (&list[at + 1], &list[at], (size_t)(*n - at) * sizeof (*list));
    list[at] = new;
    ++*n;
}

static double how_slow (const struct named_try *try)
{
    return try->wall_s;
}

static double how_late (const struct named_try *try)
{
    return try->span.to_s;
}

static void take_end (struct tries_summary *t, const struct result_event *event)
{
    struct try_span *span = span_of (t, event->task);
    struct named_try named;

    if (!span)
        return;
    if (!(span->from_s > 0))
        span->from_s = event->now_s - event->wall_s;
    span->to_s =
        fmax (event->now_s > 0 ? event->now_s : span->from_s + event->wall_s,
              span->from_s);
    span->outcome = (uint8_t)event->outcome;
    t->last_s = fmax (t->last_s, span->to_s);
    named = (struct named_try){ *span, event->wall_s, event->peak_bytes, NULL };
    name_try (t->slowest, &t->n_slowest, named, how_slow);
    if (event->outcome == OUTCOME_OK)
        return;
    named.why = xstrdup (event->message);
    name_try (t->failed, &t->n_failed, named, how_late);
}

void tries_summary_add (struct tries_summary *t,
                        const struct result_event *event)
{
    if (event->kind == RESULT_CLAIM)
        take_claim (t, event);
    else if (event->kind == RESULT_START)
        take_start (t, event);
    else if (event->kind == RESULT_END)
        take_end (t, event);
}

/* --- rows --- */

/* How nodes and their slots become rows. */
struct rows {
    size_t n;
    bool by_slot;
    size_t *first;  /* by node: its first slot, or its row */
    size_t *slots;  /* by node: how many it has */
    size_t n_slots; /* of all */
};

static void rows_release (struct rows *rows)
{
    free (rows->first);
    free (rows->slots);
}

static struct rows rows_of (const struct tries_summary *t)
{
    size_t nodes = t->nodes.n;
    struct rows rows = { .first = xcalloc (nodes + 1, sizeof (size_t)),
                         .slots = xcalloc (nodes + 1, sizeof (size_t)) };

    for (size_t i = 0; i < t->n; i++) {
        size_t *slots = &rows.slots[t->spans[i].node];

        if (*slots < (size_t)t->spans[i].slot + 1)
            *slots = (size_t)t->spans[i].slot + 1;
    }
    for (size_t k = 0; k < nodes; k++) {
        rows.first[k] = rows.n_slots;
        rows.n_slots += rows.slots[k];
    }
    rows.by_slot = rows.n_slots <= TRIES_ROWS_MOST;
    rows.n = rows.by_slot               ? rows.n_slots
             : nodes <= TRIES_ROWS_MOST ? nodes
                                        : TRIES_ROWS_MOST;
    for (size_t k = 0; !rows.by_slot && k < nodes; k++)
        rows.first[k] =
            nodes <= TRIES_ROWS_MOST ? k : k * TRIES_ROWS_MOST / nodes;
    return rows;
}

static size_t row_of (const struct rows *rows, const struct try_span *span)
{
    return rows->first[span->node] + (rows->by_slot ? span->slot : 0);
}

/* --- bins --- */

struct binned_row {
    double busy_s[TRIES_BINS];
    uint32_t failed[TRIES_BINS], retried[TRIES_BINS];
    size_t slots;
    struct strbuf name;
};

static int bin_at (double s, double from_s, double bin_s)
{
    double bin = floor ((s - from_s) / bin_s);

    return bin < 0 ? 0 : bin >= TRIES_BINS ? TRIES_BINS - 1 : (int)bin;
}

static void add_span (struct binned_row *row, const struct try_span *span,
                      double from_s, double bin_s)
{
    int first = bin_at (span->from_s, from_s, bin_s);
    int last = bin_at (span->to_s, from_s, bin_s);

    for (int b = first; b <= last; b++) {
        double begin = fmax (span->from_s, from_s + b * bin_s);
        double end = fmin (span->to_s, from_s + (b + 1) * bin_s);

        row->busy_s[b] += fmax (0, end - begin);
    }
    row->failed[last] += span->outcome != OUTCOME_OK;
    row->retried[first] += span->is_retry;
}

/* [BIN, N, BIN, N ...]; NULL: of none. */
static struct json *counts_json (const uint32_t *counts)
{
    struct json *list = NULL;

    for (int b = 0; b < TRIES_BINS; b++) {
        if (counts[b] == 0)
            continue;
        list = list ? list : json_array ();
        json_push (list, json_int (b));
        json_push (list, json_int (counts[b]));
    }
    return list;
}

static struct json *row_json (const struct binned_row *row, double bin_s)
{
    struct json *v = json_object ();
    struct json *failed = counts_json (row->failed);
    struct json *retried = counts_json (row->retried);
    char busy[TRIES_BINS + 1];

    for (int b = 0; b < TRIES_BINS; b++) {
        double part = row->busy_s[b] / (bin_s * (double)row->slots);
        int digit = (int)fmin (round (9 * part), 9);

        busy[b] = (char)('0' + (digit == 0 && row->busy_s[b] > 0 ? 1 : digit));
    }
    busy[TRIES_BINS] = '\0';
    json_set (v, "name", json_string (row->name.buf));
    json_set (v, "slots", json_int ((int64_t)row->slots));
    json_set (v, "busy", json_string (busy));
    if (failed)
        json_set (v, "failed", failed);
    if (retried)
        json_set (v, "retried", retried);
    return v;
}

/* "n1/0", "n1", "n1 to n8": the first and the last of the nodes in the row. */
static void name_rows (const struct tries_summary *t, const struct rows *rows,
                       struct binned_row *binned)
{
    for (size_t k = 0; k < t->nodes.n; k++) {
        struct binned_row *row = &binned[rows->first[k]];

        for (size_t s = 0; rows->by_slot && s < rows->slots[k]; s++) {
            strbuf_addf (&row[s].name, "%s/%zu", t->nodes.v[k], s);
            row[s].slots = 1;
        }
        if (rows->by_slot)
            continue;
        row->slots += rows->slots[k];
        if (row->name.len == 0)
            strbuf_add_str (&row->name, t->nodes.v[k]);
        else if (k + 1 == t->nodes.n || rows->first[k + 1] != rows->first[k])
            strbuf_addf (&row->name, " to %s", t->nodes.v[k]);
    }
}

static struct json *rows_json (const struct tries_summary *t,
                               const struct rows *rows, double from_s,
                               double bin_s)
{
    struct binned_row *binned = xcalloc (rows->n + 1, sizeof (*binned));
    struct json *list = json_array ();

    for (size_t i = 0; i < rows->n; i++)
        strbuf_init (&binned[i].name);
    name_rows (t, rows, binned);
    for (size_t i = 0; i < t->n; i++)
        add_span (&binned[row_of (rows, &t->spans[i])], &t->spans[i], from_s,
                  bin_s);
    for (size_t i = 0; i < rows->n; i++) {
        if (binned[i].slots > 0)
            json_push (list, row_json (&binned[i], bin_s));
        strbuf_release (&binned[i].name);
    }
    free (binned);
    return list;
}

/* --- all of it --- */

static struct json *named_json (const struct tries_summary *t,
                                const struct named_try *list, int n)
{
    struct json *all = json_array ();

    for (int i = 0; i < n; i++) {
        const struct named_try *try = &list[i];
        struct json *v = json_object ();

        json_set (v, "task", json_int (try->span.task));
        json_set (v, "node", json_string (t->nodes.v[try->span.node]));
        json_set (v, "slot", json_int (try->span.slot));
        json_set (v, "outcome",
                  json_string (outcome_name ((enum outcome)try->span.outcome)));
        json_set (v, "wall_s", json_real (try->wall_s));
        json_set (v, "peak_bytes", json_int (try->peak_bytes));
        if (try->why) {
            json_set (v, "ended_s", json_real (try->span.to_s));
            json_set (v, "why", json_string (try->why));
        }
        json_push (all, v);
    }
    return all;
}

static void set_counts (const struct tries_summary *t, struct json *v)
{
    int64_t failures = 0, retries = 0;
    double busy_s = 0;

    for (size_t i = 0; i < t->n; i++) {
        failures += t->spans[i].outcome != OUTCOME_OK;
        retries += t->spans[i].is_retry;
        busy_s += t->spans[i].to_s - t->spans[i].from_s;
    }
    json_set (v, "tries", json_int ((int64_t)t->n));
    json_set (v, "retries", json_int (retries));
    json_set (v, "failures", json_int (failures));
    json_set (v, "nodes", json_int ((int64_t)t->nodes.n));
    json_set (v, "busy_s", json_real (busy_s));
}

struct json *tries_summary_json (struct tries_summary *t)
{
    double from_s = INFINITY, to_s = -INFINITY;
    struct json *v;
    _cleanup_ (rows_release) struct rows rows = { .n = 0 };

    close_log (t);
    for (size_t i = 0; i < t->n; i++) {
        from_s = fmin (from_s, t->spans[i].from_s);
        to_s = fmax (to_s, t->spans[i].to_s);
    }
    if (t->n == 0)
        return NULL;
    to_s = fmax (to_s, from_s + 1e-3); /* bins have a length */
    rows = rows_of (t);
    v = json_object ();
    json_set (v, "from_s", json_real (from_s));
    json_set (v, "to_s", json_real (to_s));
    json_set (v, "bins", json_int (TRIES_BINS));
    set_counts (t, v);
    json_set (v, "slots", json_int ((int64_t)rows.n_slots));
    json_set (v, "rows",
              rows_json (t, &rows, from_s, (to_s - from_s) / TRIES_BINS));
    json_set (v, "slowest", named_json (t, t->slowest, t->n_slowest));
    json_set (v, "failed", named_json (t, t->failed, t->n_failed));
    return v;
}
