/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_slurm_rows.c - what squeue, sacct and sbatch print */
#include "base/base.h"

#include "base/json.h"
#include "fuzz.h"
#include "job_view.h"
#include "reply_text.h"
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

/* Of what is remembered only what was cancelled is recalled, and all of it. */
static void check_memory (const struct job_view *view)
{
    struct element_status elements[ELEMENTS] = { 0 };
    struct job_status job = { .key = view->jobs[0].key,
                              .n_elements = ELEMENTS,
                              .elements = elements };
    struct json *memories = slurm_memory_after (NULL, view, 1000);
    struct job_view blank;

    job_view_init (&blank, &job, 1, slurm_is_id);
    slurm_memory_recall (memories, &blank, 1000 + 1e6, 300);
    for (int64_t e = 0; e < ELEMENTS; e++) {
        const struct element_status *known = &view->jobs[0].elements[e];

        must_hold (blank.jobs[0].told[e]
                       == (view->jobs[0].told[e]
                           && known->state == ELEMENT_ENDED
                           && known->outcome == OUTCOME_CANCELLED),
                   "what was cancelled is recalled, and nothing else");
    }
    job_view_release (&blank);
    json_unref (memories);
}

static void check_view (const char *text, size_t len)
{
    struct element_status elements[ELEMENTS];
    struct job_status job = { .key = { "28", "t28" },
                              .n_elements = ELEMENTS,
                              .elements = elements };
    struct job_view view;

    job_view_init (&view, &job, 1, slurm_is_id);
    slurm_tell_squeue (text, len, &view, NULL);
    slurm_tell_sacct (text, len, &view, NULL);
    job_view_infer (&view, 1795273890, 150);
    job_view_result (&view, &job);
    if (view.jobs[0].number >= 0)
        check_memory (&view);
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
