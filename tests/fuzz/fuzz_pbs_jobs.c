/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_pbs_jobs.c - what qstat -f prints of jobs */
#include "base/base.h"

#include "fuzz.h"
#include "job_view.h"
#include "pbs/pbs.h"

enum { ELEMENTS = 7 };

static void check_view (const char *text, size_t len, double kept_s)
{
    struct element_status elements[ELEMENTS];
    struct job_status job = { .key = { "5144[].pbs01", "t23456789012345" },
                              .n_elements = ELEMENTS,
                              .elements = elements };
    struct job_view view;

    job_view_init (&view, &job, 1, pbs_is_id);
    if (pbs_tell_jobs (text, len, &view, NULL) == 0) {
        job_view_infer (&view, 1795287600, kept_s);
        job_view_result (&view, &job);
        must_hold (memchr (job.note, '\0', sizeof (job.note)), "a note ends");
        for (int e = 0; e < ELEMENTS; e++) {
            must_hold (elements[e].state <= ELEMENT_UNCLEAR, "a known state");
            must_hold ((elements[e].state == ELEMENT_ENDED)
                           == (elements[e].outcome != OUTCOME_NONE),
                       "what has ended has an outcome, and nothing else");
        }
    }
    job_view_release (&view);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    check_view ((const char *)data, size, 1e9);
    check_view ((const char *)data, size, 0);
    check_view ((const char *)data, size, 60);
    return 0;
}
