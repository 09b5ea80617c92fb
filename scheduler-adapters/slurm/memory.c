/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - which elements of a job were pending when squeue was last asked */
#include "config.h"

#include "base/json.h"
#include "slurm/memory.h"

static const double month_s = 30 * 86400.0;

void slurm_memory_release (struct slurm_memory *memory)
{
    task_range_release (&memory->pending);
    task_range_release (&memory->cancelled);
    *memory = (struct slurm_memory)SLURM_MEMORY_INIT;
}

/* --- what it means (pure) --- */

static void set_cancelled (struct job_view_job *job,
                           const struct task_range *range)
{
    for (int32_t e = -1; (e = task_range_next (range, e)) >= 0;)
        job_view_tell (job, e, ELEMENT_ENDED, OUTCOME_CANCELLED);
}

/* Half of the time leaves room for two hosts' clocks and a slow poll. */
void slurm_memory_recall (const struct slurm_memory *memory,
                          struct job_view_job *job,
                          double now_s,
                          double min_job_age_s)
{
    double age_s = now_s - memory->polled_s;

    set_cancelled (job, &memory->cancelled);
    if (memory->polled_s > 0 && age_s >= 0 && age_s < min_job_age_s / 2)
        set_cancelled (job, &memory->pending);
}

static bool was_cancelled (const struct job_view_job *job, int64_t e)
{
    return job->elements[e].state == ELEMENT_ENDED
           && job->elements[e].outcome == OUTCOME_CANCELLED;
}

bool slurm_memory_note (struct slurm_memory *memory,
                        const struct job_view_job *job,
                        double now_s)
{
    struct slurm_memory known = { .polled_s = now_s };

    for (int64_t e = 0; e < job->n_elements && e <= TASK_MAX; e++) {
        if (job->elements[e].state == ELEMENT_QUEUED
            || job->elements[e].state == ELEMENT_HELD)
            task_range_add (&known.pending, (int32_t)e);
        else if (job->told[e] && was_cancelled (job, e))
            task_range_add (&known.cancelled, (int32_t)e);
    }
    slurm_memory_release (memory);
    *memory = known;
    return known.pending.n_spans > 0 || known.cancelled.n_spans > 0;
}

/* --- JSON --- */

struct json *slurm_memory_to_json (const struct slurm_memory *memory)
{
    struct json *v = json_object ();

    json_set (v, "polled_s", json_real (memory->polled_s));
    json_set (v, "pending", task_range_to_json (&memory->pending));
    json_set (v, "cancelled", task_range_to_json (&memory->cancelled));
    return v;
}

bool slurm_memory_from_json (const struct json *v, struct slurm_memory *memory)
{
    struct slurm_memory read = SLURM_MEMORY_INIT;
    const char *pending, *cancelled;

    if (json_want_double (v, "polled_s", &read.polled_s, NULL) == 0
        && json_want_string (v, "pending", &pending, NULL) == 0
        && json_want_string (v, "cancelled", &cancelled, NULL) == 0
        && task_range_parse (pending, &read.pending, NULL) == 0
        && task_range_parse (cancelled, &read.cancelled, NULL) == 0) {
        slurm_memory_release (memory);
        *memory = read;
        return true;
    }
    slurm_memory_release (&read);
    return false;
}

struct json *slurm_memories_keep (const struct json *memories, double now_s)
{
    struct json *kept = json_object ();

    JSON_FOREACH (memories, it) {
        struct json *one = json_iter_value (it);
        double polled_s = json_as_double (json_get (one, "polled_s"));

        if (now_s - polled_s < month_s)
            json_set (kept, json_iter_key (it), json_ref (one));
    }
    return kept;
}
