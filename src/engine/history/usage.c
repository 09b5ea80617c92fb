/* SPDX-License-Identifier: BSD-3-Clause */
/* usage.c - when tasks ran, and what they used meanwhile (pure) */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/usage.h"
#include "signature/resources.h"

/* --- spans of time --- */

static void remove_span (struct time_spans *spans, int i)
{
    memmove (&spans->v[i], &spans->v[i + 1],
             (size_t)(spans->n - i - 1) * sizeof (*spans->v));
    spans->n--;
}

static void join_with_next (struct time_spans *spans, int i)
{
    spans->v[i].to_s = fmax (spans->v[i].to_s, spans->v[i + 1].to_s);
    remove_span (spans, i + 1);
}

static void join_closest (struct time_spans *spans)
{
    int best = 0;

    for (int i = 1; i + 1 < spans->n; i++) {
        if (spans->v[i + 1].from_s - spans->v[i].to_s
            < spans->v[best + 1].from_s - spans->v[best].to_s)
            best = i;
    }
    join_with_next (spans, best);
}

void time_spans_add (struct time_spans *spans, double from_s, double to_s)
{
    int i = 0;

    if (!isfinite (from_s) || !isfinite (to_s) || !(from_s < to_s))
        return;
    while (i < spans->n && spans->v[i].to_s < from_s)
        i++;
    if (i < spans->n && spans->v[i].from_s <= to_s) {
        spans->v[i].from_s = fmin (spans->v[i].from_s, from_s);
        spans->v[i].to_s = fmax (spans->v[i].to_s, to_s);
        while (i + 1 < spans->n && spans->v[i + 1].from_s <= spans->v[i].to_s)
            join_with_next (spans, i);
        return;
    }
    if (spans->n == TIME_SPANS_MOST) {
        join_closest (spans);
        time_spans_add (spans, from_s, to_s); /* there is room now */
        return;
    }
    memmove (&spans->v[i + 1], &spans->v[i],
             (size_t)(spans->n - i) * sizeof (*spans->v));
    spans->v[i] = (struct time_span){ from_s, to_s };
    spans->n++;
}

void time_spans_add_all (struct time_spans *spans,
                         const struct time_spans *more)
{
    for (int i = 0; i < more->n; i++)
        time_spans_add (spans, more->v[i].from_s, more->v[i].to_s);
}

double time_spans_total_s (const struct time_spans *spans)
{
    double s = 0;

    for (int i = 0; i < spans->n; i++)
        s += spans->v[i].to_s - spans->v[i].from_s;
    return s;
}

struct json *time_spans_to_json (const struct time_spans *spans)
{
    struct json *v = json_array ();

    for (int i = 0; i < spans->n; i++) {
        json_push (v, json_real (spans->v[i].from_s));
        json_push (v, json_real (spans->v[i].to_s));
    }
    return v;
}

void time_spans_add_json (struct time_spans *spans, const struct json *v)
{
    for (size_t i = 0; i + 1 < json_count (v); i += 2)
        time_spans_add (spans, json_as_double (json_at (v, i)),
                        json_as_double (json_at (v, i + 1)));
}

/* --- what was used --- */

void used_add (struct used *used, double s, const struct resources *task,
               double node_share)
{
    int on_gpu = task->gpu_share > 1 ? task->gpu_share : 1;

    if (!isfinite (s) || s <= 0)
        return;
    used->node_s += s * node_share;
    used->core_s += s * task->cores;
    used->gpu_s += s * task->gpus / on_gpu;
}

void used_add_all (struct used *used, const struct used *more)
{
    used->node_s += more->node_s;
    used->core_s += more->core_s;
    used->gpu_s += more->gpu_s;
}

void usage_add_all (struct usage *usage, const struct usage *more)
{
    used_add_all (&usage->ok, &more->ok);
    used_add_all (&usage->lost, &more->lost);
    time_spans_add_all (&usage->ran, &more->ran);
}

static bool is_nothing (const struct used *used)
{
    return !(used->node_s > 0) && !(used->core_s > 0) && !(used->gpu_s > 0);
}

bool usage_is_empty (const struct usage *usage)
{
    return is_nothing (&usage->ok) && is_nothing (&usage->lost)
           && usage->ran.n == 0;
}

static struct json *used_to_json (const struct used *used)
{
    struct json *v = json_array ();

    json_push (v, json_real (used->node_s));
    json_push (v, json_real (used->core_s));
    json_push (v, json_real (used->gpu_s));
    return v;
}

static struct used used_of_json (const struct json *v)
{
    return (struct used){ json_as_double (json_at (v, 0)),
                          json_as_double (json_at (v, 1)),
                          json_as_double (json_at (v, 2)) };
}

struct json *usage_to_json (const struct usage *usage)
{
    struct json *v = json_object ();

    json_set (v, "ok", used_to_json (&usage->ok));
    json_set (v, "lost", used_to_json (&usage->lost));
    json_set (v, "ran", time_spans_to_json (&usage->ran));
    return v;
}

void usage_add_json (struct usage *usage, const struct json *v)
{
    const struct used ok = used_of_json (json_get (v, "ok"));
    const struct used lost = used_of_json (json_get (v, "lost"));

    used_add_all (&usage->ok, &ok);
    used_add_all (&usage->lost, &lost);
    time_spans_add_json (&usage->ran, json_get (v, "ran"));
}
