/* SPDX-License-Identifier: BSD-3-Clause */
/* time_left.c - how long an iteration and a campaign may still take */
#include "base/base.h"

#include "base/units.h"
#include "report/time_left.h"

static const struct time_range unknown = { .known = false };

void time_seen_add (struct time_seen *seen, double s)
{
    if (!isfinite (s) || s < 0)
        return;
    seen->least_s = seen->n > 0 ? fmin (seen->least_s, s) : s;
    seen->most_s = seen->n > 0 ? fmax (seen->most_s, s) : s;
    seen->n++;
}

struct time_range time_expected (const struct time_seen *seen)
{
    double factor = 1 + 1.0 / fmax (seen->n, 1);

    if (seen->n == 0)
        return unknown;
    return (struct time_range){ true, seen->least_s / factor,
                                seen->most_s * factor };
}

static struct time_range left_by_rate (const struct stage_work *work)
{
    double doubt = 1 / sqrt ((double)work->tasks_ended);
    double n = (double)work->tasks_left / (double)work->tasks_ended;

    return (struct time_range){
        true, n * work->ran_s / (1 + doubt),
        n * fmax (work->since_s, work->ran_s) / (1 - doubt) + work->task_s
    };
}

struct time_range stage_time_left (const struct stage_work *work)
{
    struct time_range left;

    if (work->over || (work->runs && work->tasks_left == 0))
        return (struct time_range){ .known = true };
    if (work->runs && work->tasks_ended >= TASKS_TELL && work->ran_s > 0)
        return left_by_rate (work);
    left = time_expected (&work->before);
    if (!work->runs || !left.known)
        return left;
    left.least_s = fmax (left.least_s - work->elapsed_s, 0);
    left.most_s -= work->elapsed_s;
    return left.most_s > 0 ? left : unknown;
}

struct time_range iteration_time_left (const struct stage_work *stages,
                                       size_t n)
{
    _cleanup_free_ struct time_range *ends = xcalloc (n + 1, sizeof (*ends));
    struct time_range all = { .known = true };

    for (size_t i = 0; i < n; i++) {
        struct time_range left = stage_time_left (&stages[i]);

        ends[i] = (struct time_range){ .known = true };
        if (!left.known)
            return unknown;
        for (size_t j = 0; j < stages[i].n_after; j++) {
            const struct time_range *before = &ends[stages[i].after[j]];

            ends[i].least_s = fmax (ends[i].least_s, before->least_s);
            ends[i].most_s = fmax (ends[i].most_s, before->most_s);
        }
        ends[i].least_s += left.least_s;
        ends[i].most_s += left.most_s;
        all.least_s = fmax (all.least_s, ends[i].least_s);
        all.most_s = fmax (all.most_s, ends[i].most_s);
    }
    return all;
}

struct time_range campaign_time_left (const struct time_range *iteration,
                                      const struct time_seen *iterations,
                                      int64_t n_more, bool stops)
{
    struct time_range one = time_expected (iterations);
    double n = (double)n_more;

    if (!iteration->known || (n_more > 0 && !one.known))
        return unknown;
    return (struct time_range){ true,
                                iteration->least_s
                                    + (stops ? 0 : n * one.least_s),
                                iteration->most_s + n * one.most_s };
}

void time_about_text (double s, struct strbuf *out)
{
    if (s < 60)
        strbuf_addf (out, "%.0fs", ceil (s));
    else if (s >= 600 && s < 3600)
        strbuf_addf (out, "%.0fm", s / 60);
    else
        format_duration (s, out);
}

void time_range_text (const struct time_range *range, struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf least = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf most = STRBUF_INIT;

    time_about_text (range->least_s, &least);
    time_about_text (range->most_s, &most);
    if (range->least_s < 1)
        strbuf_addf (out, "at most %s", most.buf);
    else if (strcmp (least.buf, most.buf) == 0)
        strbuf_add_str (out, most.buf);
    else
        strbuf_addf (out, "%s to %s", least.buf, most.buf);
}
