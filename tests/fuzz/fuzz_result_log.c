/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_result_log.c - results-<element>.<claim> */
#include "config.h"

#include "arrays/result_log.h"
#include "arrays/task_range.h"
#include "base/alloc.h"
#include "fuzz.h"
#include "whole_records.h"

static int hear (const struct result_event *event, void *arg, struct error *err)
{
    bool about_task = event->kind != RESULT_CLAIM && event->kind != RESULT_DONE;

    (void)arg;
    (void)err;
    must_hold (about_task ? event->task >= 0 && event->task <= TASK_MAX
                          : event->task == -1,
               "a task is in range");
    must_hold (event->message, "there is a message");
    must_hold (event->kind != RESULT_CLAIM || event->host,
               "a claim has a host");
    must_hold (event->kind != RESULT_FOUND || event->result,
               "what was found has a result");
    if (event->kind == RESULT_END) {
        must_hold (event->outcome > OUTCOME_NONE
                       && event->outcome < OUTCOME_COUNT,
                   "an end has an outcome");
        must_hold (event->outcome != OUTCOME_OK || event->result,
                   "what is ok has a result");
    }
    return 0;
}

static void scan (const char *text, size_t len)
{
    uint64_t accepted = UINT64_MAX;

    result_log_scan (text, len, "results-0.a", hear, NULL, &accepted, NULL);
    must_hold (accepted <= len, "no more is accepted than there is");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct strbuf log = STRBUF_INIT;
    char *name = xstrndup ((const char *)data, size);

    scan ((const char *)data, size);
    whole_records ((const char *)data, size, &log);
    scan (log.buf, log.len);
    must_hold (result_log_element (name) >= -1, "an element or none");
    free (name);
    strbuf_release (&log);
    return 0;
}
