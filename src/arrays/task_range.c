/* SPDX-License-Identifier: BSD-3-Clause */
/* task_range.c - "0-9,15" <-> a set of task numbers */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/json.h"

void task_range_release (struct task_range *range)
{
    free (range->spans);
    *range = (struct task_range)TASK_RANGE_INIT;
}

void task_range_copy (struct task_range *to, const struct task_range *from)
{
    struct task_range copy = { .n_spans = from->n_spans,
                               .alloc = from->n_spans };

    if (from->n_spans > 0) {
        copy.spans = xreallocarray (NULL, from->n_spans, sizeof (*copy.spans));
        memcpy (copy.spans, from->spans, from->n_spans * sizeof (*copy.spans));
    }
    task_range_release (to);
    *to = copy;
}

/* Index of the first span that ends at or after 'task'; n_spans if none. */
static size_t first_reaching (const struct task_range *range, int64_t task)
{
    size_t low = 0;
    size_t high = range->n_spans;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (range->spans[mid].last < task)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void insert_span (struct task_range *range, size_t at,
                         struct task_span span)
{
    range->spans = grow_array (range->spans, range->n_spans, &range->alloc,
                               sizeof (*range->spans));
    memmove (range->spans + at + 1, range->spans + at,
             (range->n_spans - at) * sizeof (*range->spans));
    range->spans[at] = span;
    range->n_spans++;
}

/* Remove spans [at, at + n). */
static void remove_spans (struct task_range *range, size_t at, size_t n)
{
    memmove (range->spans + at, range->spans + at + n,
             (range->n_spans - at - n) * sizeof (*range->spans));
    range->n_spans -= n;
}

void task_range_add_span (struct task_range *range, int32_t first, int32_t last)
{
    /* The spans that overlap or touch become one with the new span. */
    size_t from = first_reaching (range, (int64_t)first - 1);
    size_t to = from;
    struct task_span span = { first, last };

    while (to < range->n_spans && range->spans[to].first <= (int64_t)last + 1) {
        if (range->spans[to].first < span.first)
            span.first = range->spans[to].first;
        if (range->spans[to].last > span.last)
            span.last = range->spans[to].last;
        to++;
    }
    if (to == from) {
        insert_span (range, from, span);
        return;
    }
    range->spans[from] = span;
    if (to - from > 1)
        remove_spans (range, from + 1, to - from - 1);
}

void task_range_add (struct task_range *range, int32_t task)
{
    task_range_add_span (range, task, task);
}

void task_range_remove (struct task_range *range, int32_t task)
{
    size_t i = first_reaching (range, task);
    struct task_span *span;
    struct task_span tail;

    if (!task_range_contains (range, task))
        return;
    span = &range->spans[i];
    tail = (struct task_span){ task + 1, span->last };
    if (span->first == task && span->last == task) {
        remove_spans (range, i, 1);
    } else if (span->first == task) {
        span->first++;
    } else {
        span->last = task - 1;
        if (tail.first <= tail.last)
            insert_span (range, i + 1, tail);
    }
}

bool task_range_contains (const struct task_range *range, int32_t task)
{
    size_t i = first_reaching (range, task);

    return i < range->n_spans && range->spans[i].first <= task;
}

size_t task_range_count (const struct task_range *range)
{
    size_t count = 0;

    for (size_t i = 0; i < range->n_spans; i++)
        count += (size_t)(range->spans[i].last - range->spans[i].first) + 1;
    return count;
}

int32_t task_range_next (const struct task_range *range, int32_t after)
{
    size_t i = first_reaching (range, (int64_t)after + 1);

    if (i == range->n_spans)
        return -1;
    return range->spans[i].first > after ? range->spans[i].first : after + 1;
}

void task_range_take (const struct task_range *range,
                      struct task_cursor *cursor, int64_t count,
                      struct task_range *to)
{
    while (count > 0 && cursor->span < range->n_spans) {
        const struct task_span *span = &range->spans[cursor->span];
        int32_t first = span->first + cursor->used;
        int64_t left = (int64_t)span->last - first + 1;
        int32_t n = (int32_t)(count < left ? count : left);

        if (to)
            task_range_add_span (to, first, first + n - 1);
        count -= n;
        cursor->used += n;
        if (n == left)
            *cursor = (struct task_cursor){ .span = cursor->span + 1 };
    }
}

/* --- text --- */

/* A number at *text, moved past it; -1 when there is none that is legal. */
static int32_t parse_task (const char **text)
{
    const char *p = *text;
    int64_t n = 0;

    if (*p < '0' || *p > '9')
        return -1;
    for (; *p >= '0' && *p <= '9'; p++) {
        n = n * 10 + (*p - '0');
        if (n > TASK_MAX)
            return -1;
    }
    *text = p;
    return (int32_t)n;
}

/* "3" or "3-7" at *text, moved past it. */
static int parse_span (const char **text, struct task_span *span)
{
    if ((span->first = parse_task (text)) < 0)
        return -1;
    span->last = span->first;
    if (**text == '-') {
        (*text)++;
        if ((span->last = parse_task (text)) < span->first)
            return -1;
    }
    return 0;
}

int task_range_parse (const char *text, struct task_range *range,
                      struct error *err)
{
    struct task_range parsed = TASK_RANGE_INIT;
    struct task_span span;
    const char *p = text;
    int32_t highest = -1;

    while (*p || p != text) {
        if (parse_span (&p, &span) < 0 || span.first <= highest
            || (*p && *p != ',')) {
            task_range_release (&parsed);
            return error_set (err,
                              "'%.80s' is no ascending list of tasks like "
                              "0-9,15 (column %td)",
                              text, p - text + 1);
        }
        highest = span.last;
        task_range_add_span (&parsed, span.first, span.last);
        if (!*p)
            break;
        p++;
    }
    task_range_release (range);
    *range = parsed;
    return 0;
}

void task_range_format (const struct task_range *range, struct strbuf *out)
{
    for (size_t i = 0; i < range->n_spans; i++) {
        const struct task_span *span = &range->spans[i];

        strbuf_addf (out, "%s%d", i > 0 ? "," : "", (int)span->first);
        if (span->last > span->first)
            strbuf_addf (out, "-%d", (int)span->last);
    }
}

struct json *task_range_to_json (const struct task_range *range)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v;

    task_range_format (range, &text);
    v = json_string (text.buf);
    return v;
}
