/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_worker_message.c - lines that a worker writes */
#include "base/base.h"

#include "handover/worker_message.h"
#include "fuzz.h"

static void try_line (const char *line, size_t len)
{
    struct worker_message m;
    struct error err = ERROR_INIT;
    enum outcome outcome;

    if (worker_message_parse (line, len, &m, &err) < 0) {
        must_hold (strstr (err.text, "which is no message") != NULL,
                   "a complaint");
        return;
    }
    must_hold (m.kind != WORKER_REPORT || m.report, "a report is there");
    must_hold (m.kind != WORKER_ERROR
                   || (m.text && m.outcome > OUTCOME_OK
                       && m.outcome < OUTCOME_COUNT
                       && strlen (m.text) <= WORKER_TEXT_MAX),
               "an error has a kind and a text");
    must_hold (m.task >= 0 && m.protocol >= 0, "numbers are numbers of tasks");
    if (worker_message_expect (&m, true, 3, &outcome, &err) < 0)
        must_hold (err.text[0] && outcome > OUTCOME_OK, "a complaint");
    worker_message_release (&m);
}

/* One after the other, as an agent reads them. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;

    while (size > 0) {
        const char *end = memchr (text, '\n', size);
        size_t len = end ? (size_t)(end - text) : size;

        try_line (text, len);
        len += end != NULL;
        text += len;
        size -= len;
    }
    return 0;
}
