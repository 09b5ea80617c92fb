/* SPDX-License-Identifier: BSD-3-Clause */
/* result_log.c - results-<element>.<n> as it is read */
#include "base/base.h"

#include <signal.h>

#include "handover/result_log.h"
#include "arrays/task_range.h"
#include "base/json.h"
#include "base/json_record.h"
#include "space/layout.h"
#include "space/record_log.h"

static const char *const kind_names[] = {
    [RESULT_CLAIM] = "claim",       [RESULT_START] = "start",
    [RESULT_END] = "end",           [RESULT_FOUND] = "found",
    [RESULT_RETURNED] = "returned", [RESULT_MACHINE_ERROR] = "machine_error",
    [RESULT_DURABLE] = "durable",   [RESULT_DONE] = "done",
    [RESULT_RETIRED] = "retired",
};

/* The kind called 'name', or -1. */
static int kind_from_name (const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE (kind_names); i++) {
        if (strcmp (kind_names[i], name) == 0)
            return (int)i;
    }
    return -1;
}

static int read_task (const struct json *record, struct result_event *event,
                      struct error *err)
{
    int64_t task;

    if (json_want_in (record, "task", 0, TASK_MAX, &task, err) < 0)
        return -1;
    event->task = (int)task;
    return 0;
}

/* [offset, bytes] */
static int read_printed (const struct json *record, struct result_event *event,
                         struct error *err)
{
    const struct json *v = json_get (record, "printed");
    int64_t at = json_as_int (json_at (v, 0));
    int64_t bytes = json_as_int (json_at (v, 1));

    if (!v)
        return 0;
    if (json_count (v) != 2 || at < 0 || bytes < 0)
        return error_set (err, "key 'printed': expected [offset, bytes]");
    event->printed = true;
    event->printed_at = (uint64_t)at;
    event->printed_bytes = (uint64_t)bytes;
    return 0;
}

static int read_params (const struct json *record, struct result_event *event,
                        struct error *err)
{
    struct json *params;

    if (!json_get (record, "params"))
        return 0;
    if (json_want_object (record, "params", &params, err) < 0)
        return -1;
    event->params = params;
    return 0;
}

static int read_report (const struct json *record, struct result_event *event,
                        struct error *err)
{
    struct json *report;

    if (!json_get (record, "report"))
        return 0;
    if (json_want_object (record, "report", &report, err) < 0)
        return -1;
    event->report = report;
    return 0;
}

static int read_end (const struct json *record, struct result_event *event,
                     struct error *err)
{
    const char *outcome;

    if (read_task (record, event, err) < 0
        || json_want_string (record, "outcome", &outcome, err) < 0
        || json_want_double (record, "wall_s", &event->wall_s, err) < 0
        || json_want_string (record, "message", &event->message, err) < 0)
        return -1;
    event->outcome = outcome_from_name (outcome);
    if (event->outcome == OUTCOME_NONE || event->outcome == OUTCOME_COUNT)
        return error_set (err, "key 'outcome': unknown outcome '%s'", outcome);
    event->now_s = json_as_double (json_get (record, "now_s"));
    event->peak_bytes = json_as_int (json_get (record, "peak_bytes"));
    event->exit_code = (int)json_as_int (json_get (record, "exit"));
    event->signal = (int)json_as_int (json_get (record, "signal"));
    event->node = json_as_string (json_get (record, "node"));
    if (read_report (record, event, err) < 0)
        return -1;
    if (event->outcome != OUTCOME_OK)
        return 0;
    return read_printed (record, event, err) < 0
                   || read_params (record, event, err) < 0
               ? -1
               : 0;
}

static int read_durable (const struct json *record, struct result_event *event,
                         struct error *err)
{
    int64_t bytes;

    if (json_want_int (record, "bytes", &bytes, err) < 0)
        return -1;
    if (bytes < 0 || (uint64_t)bytes > event->end_bytes)
        return error_set (err, "key 'bytes': out of range");
    event->durable_bytes = (uint64_t)bytes;
    return 0;
}

static int read_claim (const struct json *record, struct result_event *event,
                       struct error *err)
{
    event->node = json_as_string (json_get (record, "node"));
    event->older = json_get (record, "older");
    event->now_s = json_as_double (json_get (record, "now_s"));
    return json_want_string (record, "host", &event->host, err);
}

static int read_machine_error (const struct json *record,
                               struct result_event *event, struct error *err)
{
    if (read_task (record, event, err) < 0
        || json_want_string (record, "message", &event->message, err) < 0)
        return -1;
    event->pause = json_as_bool (json_get (record, "pause"));
    return 0;
}

static int read_retired (const struct json *record, struct result_event *event,
                         struct error *err)
{
    return json_want_string (record, "message", &event->message, err) < 0
                   || json_want_string (record, "host", &event->host, err) < 0
                   || json_want_string (record, "device", &event->device, err)
                          < 0
               ? -1
               : 0;
}

static int read_event (const struct json *record, struct result_event *event,
                       struct error *err)
{
    switch (event->kind) {
    case RESULT_CLAIM:
        return read_claim (record, event, err);
    case RESULT_START:
        event->slot = (int)json_as_int (json_get (record, "slot"));
        return read_task (record, event, err);
    case RESULT_RETURNED:
        return read_task (record, event, err);
    case RESULT_MACHINE_ERROR:
        return read_machine_error (record, event, err);
    case RESULT_END:
        return read_end (record, event, err);
    case RESULT_FOUND:
        event->outcome = OUTCOME_OK;
        return read_task (record, event, err);
    case RESULT_DURABLE:
        return read_durable (record, event, err);
    case RESULT_RETIRED:
        return read_retired (record, event, err);
    case RESULT_DONE:
        return 0;
    }
    return 0;
}

struct reader {
    const char *name;
    int (*each) (const struct result_event *event, void *arg,
                 struct error *err);
    void *arg;
    uint64_t from;
    const uint64_t *accepted_bytes;
};

static int pass_on (const struct json *record, void *arg, struct error *err)
{
    struct reader *reader = arg;
    struct result_event event = { .task = -1,
                                  .message = "",
                                  .record = record,
                                  .end_bytes =
                                      reader->from + *reader->accepted_bytes };
    const char *name;
    int kind;

    if (json_want_string (record, "ev", &name, err) < 0)
        return error_prefix (err, "%s", reader->name);
    kind = kind_from_name (name);
    if (kind < 0) /* a later version wrote it */
        return 0;
    event.kind = (enum result_event_kind)kind;
    if (read_event (record, &event, err) < 0)
        return error_prefix (err, "%s: record '%s'", reader->name, name);
    return reader->each (&event, reader->arg, err);
}

int result_log_scan (const char *text, size_t len, const char *name,
                     int (*each) (const struct result_event *event, void *arg,
                                  struct error *err),
                     void *arg, uint64_t *accepted_bytes, struct error *err)
{
    return result_log_scan_from (0, text, len, name, each, arg, accepted_bytes,
                                 err);
}

int result_log_scan_from (uint64_t from, const char *text, size_t len,
                          const char *name,
                          int (*each) (const struct result_event *event,
                                       void *arg, struct error *err),
                          void *arg, uint64_t *accepted_bytes,
                          struct error *err)
{
    struct reader reader = { name, each, arg, from, accepted_bytes };

    return record_scan (text, len, name, pass_on, &reader, accepted_bytes, err);
}

bool result_is_killed (const struct result_event *event)
{
    return event->kind == RESULT_END && event->outcome == OUTCOME_FAILED
           && (event->signal == SIGTERM || event->signal == SIGKILL
               || event->exit_code == 128 + SIGTERM
               || event->exit_code == 128 + SIGKILL);
}

/* The number at *text, and move behind it; -1: there is none. */
static int64_t read_number (const char **text)
{
    size_t n = strspn (*text, "0123456789");
    const char *digits = *text;

    /* 10^18 - 1 fits; one number has one name. */
    if (n == 0 || n > 18 || (n > 1 && digits[0] == '0'))
        return -1;
    *text += n;
    return strtoll (digits, NULL, 10);
}

int64_t result_log_element (const char *file_name, int64_t *n)
{
    const size_t prefix = strlen (LAYOUT_RESULTS_PREFIX);
    const char *text = file_name + prefix;
    int64_t element, claim;

    if (strncmp (file_name, LAYOUT_RESULTS_PREFIX, prefix) != 0
        || (element = read_number (&text)) < 0 || *text++ != '.'
        || (claim = read_number (&text)) < 0 || *text != '\0')
        return -1;
    if (n)
        *n = claim;
    return element;
}

/* --- which bytes count --- */

/* What the claim of 'newer' gives log 'n'; one that it does not name was not
 * there for it.
 */
static uint64_t given_by (const struct log_extent *newer, int64_t n)
{
    for (size_t i = 0; i < newer->n_older; i++) {
        if (newer->older[i].n == n)
            return newer->older[i].bytes;
    }
    return 0;
}

static uint64_t least (uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most (uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void result_log_limits (const struct log_extent *logs, size_t n,
                        struct log_limit_of *limits)
{
    for (size_t i = n; i-- > 0;) {
        const struct log_extent *log = &logs[i];
        struct log_limit_of *limit = &limits[i];
        uint64_t given = UINT64_MAX;

        for (size_t j = i + 1; j < n; j++) {
            if (limits[j].bytes > 0)
                given = least (given, given_by (&logs[j], log->n));
        }
        /* What a claim gives its agent knew to be on the disk. */
        limit->durable = given < UINT64_MAX
                             ? least (given, log->whole_bytes)
                             : least (log->durable_bytes, log->whole_bytes);
        limit->durable = most (limit->durable, log->journaled_bytes);
        limit->bytes = most (least (given, log->whole_bytes), limit->durable);
        if (log->claim_bytes == 0 || limit->bytes < log->claim_bytes)
            *limit = (struct log_limit_of){ 0, 0 };
    }
}
