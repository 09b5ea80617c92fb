/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_result_log.c - results-<element>.<n> */
#include "base/base.h"

#include "handover/result_log.h"
#include "arrays/task_range.h"
#include "fuzz.h"
#include "whole_records.h"

static int hear (const struct result_event *event, void *arg, struct error *err)
{
    bool about_task = event->kind != RESULT_CLAIM && event->kind != RESULT_DONE
                      && event->kind != RESULT_DURABLE;

    (void)arg;
    (void)err;
    must_hold (about_task ? event->task >= 0 && event->task <= TASK_MAX
                          : event->task == -1,
               "a task is in range");
    must_hold (event->message, "there is a message");
    must_hold (event->kind != RESULT_CLAIM || event->host,
               "a claim has a host");
    must_hold (event->kind != RESULT_END
                   || (event->outcome > OUTCOME_NONE
                       && event->outcome < OUTCOME_COUNT),
               "an end has an outcome");
    must_hold (event->durable_bytes <= event->end_bytes,
               "what is durable was written before");
    return 0;
}

static void scan (const char *text, size_t len)
{
    uint64_t accepted = UINT64_MAX;

    result_log_scan (text, len, "results-0.0", hear, NULL, &accepted, NULL);
    must_hold (accepted <= len, "no more is accepted than there is");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct strbuf log = STRBUF_INIT;
    char *name = xstrndup ((const char *)data, size);

    scan ((const char *)data, size);
    whole_records ((const char *)data, size, &log);
    scan (log.buf, log.len);
    must_hold (result_log_element (name, NULL) >= -1, "an element or none");
    free (name);
    strbuf_release (&log);
    return 0;
}
