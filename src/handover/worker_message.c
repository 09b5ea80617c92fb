/* SPDX-License-Identifier: BSD-3-Clause */
/* worker_message.c - what an agent and a worker tell each other (pure) */
#include "base/base.h"

#include "base/json.h"
#include "base/json_record.h"
#include "handover/group_file.h"
#include "handover/worker_message.h"

enum { SHOWN_BYTES = 200 }; /* of a line that is wrong */

/* --- reading --- */

static const char *const kinds[] = {
    [WORKER_HELLO] = "hello",
    [WORKER_REPORT] = "report",
    [WORKER_RESULT] = "result",
    [WORKER_ERROR] = "error",
};

/* The kinds of errors are outcomes: those that a task can be to blame for. */
static const enum outcome error_kinds[] = {
    OUTCOME_FAILED,     OUTCOME_FATAL,         OUTCOME_BAD_INPUT,
    OUTCOME_BAD_OUTPUT, OUTCOME_OUT_OF_MEMORY,
};

static int read_kind (const struct json *v, struct worker_message *m,
                      struct error *err)
{
    const char *type;

    if (json_want_string (v, "type", &type, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE (kinds); i++) {
        if (strcmp (kinds[i], type) == 0) {
            m->kind = (enum worker_message_kind)i;
            return 0;
        }
    }
    return error_set (err,
                      "key 'type': expected hello, report, result or error");
}

static int read_int (const struct json *v, const char *key, int *out,
                     struct error *err)
{
    int64_t value;

    if (json_want_in (v, key, 0, INT_MAX, &value, err) < 0)
        return -1;
    *out = (int)value;
    return 0;
}

/* Plain, and no longer than anybody reads. */
static char *plain (const char *text)
{
    struct strbuf whole = STRBUF_INIT;

    strbuf_add_str (&whole, text);
    strbuf_shorten (&whole, WORKER_TEXT_MAX - 3); /* and "..." */
    return text_made_plain (strbuf_detach (&whole));
}

static int read_hello (const struct json *v, struct worker_message *m,
                       struct error *err)
{
    const char *program;

    if (read_int (v, "protocol", &m->protocol, err) < 0)
        return -1;
    if (!json_get (v, "program"))
        return 0;
    if (json_want_string (v, "program", &program, err) < 0)
        return -1;
    m->text = plain (program);
    return 0;
}

static int read_report (const struct json *v, struct worker_message *m,
                        struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    size_t len;

    if (json_want_object (v, "report", &m->report, err) < 0)
        return -1;
    json_dump (m->report, JSON_COMPACT, &text);
    len = text.len;
    return len <= GROUP_REPORT_MAX
               ? 0
               : error_set (err, "key 'report': it is longer than %d bytes",
                            GROUP_REPORT_MAX);
}

static int read_error (const struct json *v, struct worker_message *m,
                       struct error *err)
{
    const char *kind, *text;

    if (json_want_string (v, "kind", &kind, err) < 0
        || json_want_string (v, "message", &text, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE (error_kinds); i++) {
        if (strcmp (outcome_name (error_kinds[i]), kind) == 0) {
            m->outcome = error_kinds[i];
            m->text = plain (text);
            return 0;
        }
    }
    return error_set (err, "key 'kind': expected failed, fatal, bad_input, "
                           "bad_output or out_of_memory");
}

static int read_message (const struct json *v, struct worker_message *m,
                         struct error *err)
{
    if (json_kind (v) != JSON_KIND_OBJECT)
        return error_set (err, "it is %s; a message is an object",
                          json_kind_name (v));
    if (read_kind (v, m, err) < 0)
        return -1;
    if (m->kind == WORKER_HELLO)
        return read_hello (v, m, err);
    if (read_int (v, "task", &m->task, err) < 0)
        return -1;
    if (json_get (v, "bye") && json_want_bool (v, "bye", &m->bye, err) < 0)
        return -1;
    if (m->kind == WORKER_REPORT)
        return read_report (v, m, err);
    return m->kind == WORKER_ERROR ? read_error (v, m, err) : 0;
}

int worker_message_parse (const char *line, size_t len,
                          struct worker_message *message, struct error *err)
{
    struct worker_message m = { .kind = WORKER_HELLO };
    _cleanup_free_ char *shown = NULL;

    m.v = json_parse (line, len, "line", err);
    if (m.v && read_message (m.v, &m, err) == 0) {
        *message = m;
        return 0;
    }
    worker_message_release (&m);
    shown = xstrndup (line, len < SHOWN_BYTES ? len : SHOWN_BYTES);
    error_prefix (err, "it printed '%s%s', which is no message",
                  text_made_plain (shown), len > SHOWN_BYTES ? "..." : "");
    return -1;
}

void worker_message_release (struct worker_message *message)
{
    free (message->text);
    json_unref (message->v);
    *message = (struct worker_message){ .kind = WORKER_HELLO };
}

/* --- whose turn it is --- */

int worker_message_expect (const struct worker_message *message, bool greeted,
                           int task, enum outcome *outcome, struct error *err)
{
    const char *kind = kinds[message->kind];

    *outcome = OUTCOME_FAILED;
    if (message->kind == WORKER_HELLO) {
        if (greeted)
            return error_set (err, "it said hello twice");
        if (message->protocol == WORKER_PROTOCOL)
            return 0;
        *outcome = OUTCOME_FATAL;
        return error_set (err,
                          "it speaks protocol %d, and this program protocol "
                          "%d; take a worker that does",
                          message->protocol, WORKER_PROTOCOL);
    }
    if (!greeted)
        return error_set (err, "it wrote %s before it said hello", kind);
    if (task < 0)
        return error_set (err, "it wrote %s of task %d when it had no task",
                          kind, message->task);
    if (message->task != task)
        return error_set (err, "it wrote %s of task %d while it had task %d",
                          kind, message->task, task);
    return 0;
}

/* --- writing --- */

static void write_line (struct json *v, struct strbuf *out)
{
    json_dump (v, JSON_COMPACT, out);
    strbuf_add_char (out, '\n');
    json_unref (v);
}

static struct json *message_of (const char *type)
{
    struct json *v = json_object ();

    json_set (v, "type", json_string (type));
    return v;
}

void worker_hello_line (const char *program, struct strbuf *out)
{
    struct json *v = message_of ("hello");

    json_set (v, "protocol", json_int (WORKER_PROTOCOL));
    json_set (v, "program", json_string (program));
    write_line (v, out);
}

void worker_task_line (int task, const char *dir, struct strbuf *out)
{
    struct json *v = message_of ("task");

    json_set (v, "task", json_int (task));
    json_set (v, "dir", json_string (dir));
    write_line (v, out);
}

void worker_bye_line (struct strbuf *out)
{
    write_line (message_of ("bye"), out);
}
