/* SPDX-License-Identifier: BSD-3-Clause */
/* task_range.h - "0-9,15" <-> a set of task numbers (sorted, without
 * duplicates); TASK_RANGE_INIT is the empty set.
 */
#ifndef ARRAYS_TASK_RANGE_H
#define ARRAYS_TASK_RANGE_H

/* Far more than a driver's memory is meant for (5 bytes a task); numbers above
 * it are damage.
 */
enum { TASK_MAX = 99999999 };

struct task_range {
    struct task_span {
        int32_t first, last; /* inclusive */
    } * spans;               /* ascending, disjoint, not adjacent */
    size_t n_spans;
    size_t alloc;
};

#define TASK_RANGE_INIT                                                        \
    {                                                                          \
        0                                                                      \
    }

void task_range_release (struct task_range *range);
void task_range_copy (struct task_range *to, const struct task_range *from);

/* Parse "0-9,15"; "" is the empty set.  Numbers above TASK_MAX, descending or
 * overlapping pieces are errors.
 */
int task_range_parse (const char *text, struct task_range *range,
                      struct error *err);
void task_range_format (const struct task_range *range, struct strbuf *out);

/* The same as a JSON string; the caller unrefs. */
struct json *task_range_to_json (const struct task_range *range);

void task_range_add (struct task_range *range, int32_t task);
void task_range_add_span (struct task_range *range, int32_t first,
                          int32_t last);
void task_range_remove (struct task_range *range, int32_t task);
bool task_range_contains (const struct task_range *range, int32_t task);
size_t task_range_count (const struct task_range *range);

/* The smallest task > 'after' (pass -1 to start), or -1: a walk costs
 * O(log spans) a step.
 */
int32_t task_range_next (const struct task_range *range, int32_t after);

/* Take the next 'count' tasks behind 'cursor' ({ 0 }: the beginning) and add
 * them to 'to' (NULL: pass over them); fewer where there are fewer.  O(spans)
 * for a whole walk.
 */
struct task_cursor {
    size_t span;
    int32_t used; /* tasks of the span */
};
void task_range_take (const struct task_range *range,
                      struct task_cursor *cursor, int64_t count,
                      struct task_range *to);

#endif /* !ARRAYS_TASK_RANGE_H */
