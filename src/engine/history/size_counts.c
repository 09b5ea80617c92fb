/* SPDX-License-Identifier: BSD-3-Clause */
/* size_counts.c - how many tasks needed how much, in classes of size */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/size_counts.h"

enum {
    CLASSES_OF_OCTAVE = 8,
    NUMBER_MOST = 64 * CLASSES_OF_OCTAVE /* beyond any size */
};

static const char *const
    kind_names[] = { [SIZE_MEMORY] = "memory", [SIZE_WALLTIME] = "walltime" };

void size_counts_release (struct size_counts *counts)
{
    free (counts->v);
    *counts = (struct size_counts){ 0 };
}

int size_number (double size)
{
    double number = ceil (CLASSES_OF_OCTAVE * log2 (size));

    return (int)fmax (fmin (number, NUMBER_MOST), -NUMBER_MOST);
}

double size_of_number (int number)
{
    return exp2 ((double)number / CLASSES_OF_OCTAVE);
}

void size_counts_add (struct size_counts *counts, int number, int64_t tasks)
{
    size_t i = counts->n;

    while (i > 0 && counts->v[i - 1].number >= number)
        i--;
    if (i < counts->n && counts->v[i].number == number) {
        counts->v[i].tasks += tasks;
        return;
    }
    counts->v =
        grow_array (counts->v, counts->n, &counts->alloc, sizeof (*counts->v));
    memmove (&counts->v[i + 1], &counts->v[i],
             (counts->n - i) * sizeof (*counts->v));
    counts->v[i] = (struct size_count){ number, tasks };
    counts->n++;
}

void size_counts_add_all (struct size_counts *counts,
                          const struct size_counts *more)
{
    for (size_t i = 0; i < more->n; i++)
        size_counts_add (counts, more->v[i].number, more->v[i].tasks);
}

int64_t size_counts_tasks (const struct size_counts *counts)
{
    int64_t tasks = 0;

    for (size_t i = 0; i < counts->n; i++)
        tasks += counts->v[i].tasks;
    return tasks;
}

double size_counts_enough_for (const struct size_counts *counts, double part)
{
    double wanted = part * (double)size_counts_tasks (counts);
    int64_t tasks = 0;

    for (size_t i = 0; i < counts->n; i++) {
        tasks += counts->v[i].tasks;
        if ((double)tasks >= wanted)
            return size_of_number (counts->v[i].number);
    }
    return 0;
}

/* --- as JSON --- */

static struct json *counts_to_json (const struct size_counts *counts)
{
    struct json *v = json_object ();
    char key[16];

    for (size_t i = 0; i < counts->n; i++) {
        snprintf (key, sizeof (key), "%d", counts->v[i].number);
        json_set (v, key, json_int (counts->v[i].tasks));
    }
    return v;
}

static void add_json (struct size_counts *counts, const struct json *v)
{
    JSON_FOREACH (v, it) {
        char *end;
        long number = strtol (json_iter_key (it), &end, 10);
        int64_t tasks = json_as_int (json_iter_value (it));

        if (*end == '\0' && end != json_iter_key (it)
            && labs (number) <= NUMBER_MOST && tasks > 0 && tasks <= INT32_MAX)
            size_counts_add (counts, (int)number, tasks);
    }
}

struct json *task_sizes_to_json (const struct task_sizes *sizes)
{
    struct json *v = NULL;

    for (int kind = 0; kind < SIZE_KINDS; kind++) {
        if (sizes->of[kind].n == 0)
            continue;
        if (!v)
            v = json_object ();
        json_set (v, kind_names[kind], counts_to_json (&sizes->of[kind]));
    }
    return v;
}

void task_sizes_add_json (struct task_sizes *sizes, const struct json *v)
{
    for (int kind = 0; kind < SIZE_KINDS; kind++)
        add_json (&sizes->of[kind], json_get (v, kind_names[kind]));
}

void task_sizes_release (struct task_sizes *sizes)
{
    for (int kind = 0; kind < SIZE_KINDS; kind++)
        size_counts_release (&sizes->of[kind]);
}
