/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_slurm_rows.c - what squeue, sacct and sbatch print */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz.h"
#include "job_view.h"
#include "reply_text.h"
#include "slurm/memory.h"
#include "slurm/slurm.h"

enum { ELEMENTS = 20 };

static void check_elements (const struct element_status *elements)
{
    for (int e = 0; e < ELEMENTS; e++) {
        must_hold (elements[e].state <= ELEMENT_UNCLEAR, "a known state");
        must_hold ((elements[e].state == ELEMENT_ENDED)
                       == (elements[e].outcome != OUTCOME_NONE),
                   "what has ended has an outcome, and nothing else");
    }
}

/* What was noted and is recalled for a job without a word is what was known. */
static void check_memory (const struct job_view_job *job)
{
    struct slurm_memory memory = SLURM_MEMORY_INIT;
    struct element_status elements[ELEMENTS] = { 0 };
    bool told[ELEMENTS] = { false };
    struct job_view_job blank = { .n_elements = ELEMENTS,
                                  .elements = elements,
                                  .told = told };

    slurm_memory_note (&memory, job, 1000);
    slurm_memory_recall (&memory, &blank, 1001, 300);
    for (int64_t e = 0; e < ELEMENTS; e++)
        must_hold (!told[e] || elements[e].outcome == OUTCOME_CANCELLED,
                   "only what was cancelled is recalled");
    slurm_memory_release (&memory);
}

static void check_view (const char *text, size_t len)
{
    struct element_status elements[ELEMENTS];
    struct job_status job = { .id = "28",
                              .n_elements = ELEMENTS,
                              .elements = elements };
    struct job_view view;

    job_view_init (&view, &job, 1, slurm_is_id);
    slurm_tell_squeue (text, len, &view, NULL);
    slurm_tell_sacct (text, len, &view, NULL);
    job_view_infer (&view, 1795273890, 150);
    job_view_result (&view, &job);
    check_memory (&view.jobs[0]);
    check_elements (elements);
    must_hold (memchr (job.note, '\0', sizeof (job.note)), "a note ends");
    job_view_release (&view);
}

static void check_index (int64_t index, void *arg)
{
    (void)arg;
    must_hold (index >= 0 && index < ELEMENTS, "an index is within bounds");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);
    char *id = reply_last_id (text, slurm_is_id, ";");

    must_hold (!id || slurm_is_id (id), "an id is one");
    check_view ((const char *)data, size);
    slurm_each_index (text, ELEMENTS, check_index, NULL);
    must_hold (slurm_state (text, text).state <= ELEMENT_UNCLEAR,
               "any word has a state");
    slurm_stuck (text);
    free (id);
    free (text);
    return 0;
}
