/* SPDX-License-Identifier: BSD-3-Clause */
/* device_runs.c - which devices fail tasks that others do not fail (pure) */
#include "base/base.h"

#include "agent/device_runs.h"

static const double fast_s = 10;

void device_runs_release (struct device_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++)
        free (runs->v[i].devices);
    free (runs->v);
    *runs = (struct device_runs){ 0 };
}

size_t device_runs_add (struct device_runs *runs, const char *devices, int task,
                        enum outcome outcome, double wall_s)
{
    size_t forgotten = runs->n == DEVICE_RUNS_MOST;

    if (forgotten > 0) {
        free (runs->v[0].devices);
        memmove (runs->v, runs->v + 1, --runs->n * sizeof (*runs->v));
    }
    runs->v = grow_array (runs->v, runs->n, &runs->alloc, sizeof (*runs->v));
    runs->v[runs->n++] =
        (struct device_run){ xstrdup (devices), task, outcome, wall_s };
    return forgotten;
}

bool device_is_in (const char *devices, const char *device)
{
    size_t len = strlen (device);

    for (; *devices; devices += strspn (devices, " ")) {
        size_t word = strcspn (devices, " ");

        if (word == len && strncmp (devices, device, len) == 0)
            return true;
        devices += word;
    }
    return false;
}

static bool is_ok_without (const struct device_run *run, const char *device)
{
    return run->outcome == OUTCOME_OK && !device_is_in (run->devices, device);
}

bool device_has_witness (const struct device_runs *runs, const char *device)
{
    for (size_t i = 0; i < runs->n; i++) {
        if (is_ok_without (&runs->v[i], device))
            return true;
    }
    return false;
}

/* How long a failure may take to be a fast one. */
static double fast_limit_s (const struct device_runs *runs, const char *device)
{
    double sum_s = 0;
    int n = 0;

    for (size_t i = 0; i < runs->n; i++) {
        if (is_ok_without (&runs->v[i], device)) {
            sum_s += runs->v[i].wall_s;
            n++;
        }
    }
    return n > 0 ? fmax (fast_s, sum_s / n / 2) : fast_s;
}

static bool is_failure (enum outcome outcome)
{
    return outcome == OUTCOME_FAILED || outcome == OUTCOME_BAD_OUTPUT;
}

int device_failures (const struct device_runs *runs, size_t from,
                     const char *device, size_t which[SICK_AFTER])
{
    double limit_s = fast_limit_s (runs, device);
    int failures = 0;

    for (size_t i = runs->n; i-- > from && failures < SICK_AFTER;) {
        const struct device_run *run = &runs->v[i];

        if (!device_is_in (run->devices, device))
            continue;
        if (!is_failure (run->outcome) || run->wall_s > limit_s)
            break;
        if (which)
            which[failures] = i;
        failures++;
    }
    return failures;
}
