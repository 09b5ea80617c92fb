/* SPDX-License-Identifier: BSD-3-Clause */
/* result_log.c - results-<element>.<claim> as the engine reads it */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "arrays/result_log.h"
#include "arrays/task_range.h"
#include "base/error.h"
#include "base/json.h"
#include "space/layout.h"
#include "space/record_log.h"

static const char *const kind_names[] = {
    [RESULT_CLAIM] = "claim",       [RESULT_START] = "start",
    [RESULT_END] = "end",           [RESULT_FOUND] = "found",
    [RESULT_RETURNED] = "returned", [RESULT_TROUBLE] = "trouble",
    [RESULT_DONE] = "done",
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

static int read_task (const struct json *record,
                      struct result_event *event,
                      struct error *err)
{
    int64_t task;

    if (json_want_int (record, "task", &task, err) < 0)
        return -1;
    if (task < 0 || task > TASK_MAX)
        return error_set (err, "key 'task': out of range");
    event->task = (int)task;
    return 0;
}

static int read_result (const struct json *record,
                        struct result_event *event,
                        struct error *err)
{
    struct json *result;

    event->outcome = OUTCOME_OK;
    if (json_want_object (record, "result", &result, err) < 0)
        return -1;
    event->result = result;
    return 0;
}

static int read_end (const struct json *record,
                     struct result_event *event,
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
        return error_set (err, "key 'outcome': unknown word '%s'", outcome);
    return event->outcome == OUTCOME_OK ? read_result (record, event, err) : 0;
}

static int read_trouble (const struct json *record,
                         struct result_event *event,
                         struct error *err)
{
    if (read_task (record, event, err) < 0
        || json_want_string (record, "message", &event->message, err) < 0)
        return -1;
    event->no_space = json_as_bool (json_get (record, "no_space"));
    return 0;
}

static int read_event (const struct json *record,
                       struct result_event *event,
                       struct error *err)
{
    switch (event->kind) {
    case RESULT_CLAIM:
        event->node = json_as_string (json_get (record, "node"));
        return json_want_string (record, "host", &event->host, err);
    case RESULT_START:
    case RESULT_RETURNED:
        return read_task (record, event, err);
    case RESULT_TROUBLE:
        return read_trouble (record, event, err);
    case RESULT_END:
        return read_end (record, event, err);
    case RESULT_FOUND:
        return read_task (record, event, err) < 0
                       || read_result (record, event, err) < 0
                   ? -1
                   : 0;
    case RESULT_DONE:
        return 0;
    }
    return 0;
}

struct reader {
    const char *name;
    int (*each) (const struct result_event *event,
                 void *arg,
                 struct error *err);
    void *arg;
};

static int pass_on (const struct json *record, void *arg, struct error *err)
{
    struct reader *reader = arg;
    struct result_event event = { .task = -1, .message = "" };
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

int result_log_scan (const char *text,
                     size_t len,
                     const char *name,
                     int (*each) (const struct result_event *event,
                                  void *arg,
                                  struct error *err),
                     void *arg,
                     uint64_t *accepted_bytes,
                     struct error *err)
{
    struct reader reader = { name, each, arg };

    return record_scan (text, len, name, pass_on, &reader, accepted_bytes, err);
}

int64_t result_log_element (const char *file_name)
{
    const size_t prefix = strlen (LAYOUT_RESULTS_PREFIX);
    const char *digits = file_name + prefix;
    size_t n;

    if (strncmp (file_name, LAYOUT_RESULTS_PREFIX, prefix) != 0)
        return -1;
    n = strspn (digits, "0123456789");
    if (n == 0 || n > 18 || digits[n] != '.' || digits[n + 1] == '\0')
        return -1;
    return strtoll (digits, NULL, 10);
}
