/* SPDX-License-Identifier: BSD-3-Clause */
/* worker_message.h - what an agent and a worker tell each other (pure)
 *
 * A worker is a process that runs one task after the other.  Both sides write
 * lines of JSON, an object each, the agent to the worker's standard input, the
 * worker to its standard output; fanfold-worker(7) is the reference:
 *
 *   agent                                     worker
 *   {"type": "hello", "protocol": 1, ...}     {"type": "hello", "protocol": 1}
 *   {"type": "task", "task": 3, "dir": DIR}   {"type": "report", "task": 3,
 * ...}
 *                                             {"type": "result", "task": 3}
 *                                      or     {"type": "error", "task": 3, ...}
 *   {"type": "bye"}
 *
 * Keys that are not known are not looked at.
 */
#ifndef HANDOVER_WORKER_MESSAGE_H
#define HANDOVER_WORKER_MESSAGE_H

#include "arrays/outcome.h"

enum {
    WORKER_PROTOCOL = 1,
    WORKER_LINE_MAX = 1 << 16, /* bytes of a worker's line, newline included */
    WORKER_TEXT_MAX = 900,     /* of an error's text; the rest is cut off */
};

enum worker_message_kind {
    WORKER_HELLO,
    WORKER_REPORT,
    WORKER_RESULT,
    WORKER_ERROR,
};

struct worker_message {
    enum worker_message_kind kind;
    int protocol;         /* hello */
    int task;             /* report, result, error */
    enum outcome outcome; /* error: how its task ended */
    bool bye;             /* result, error: the worker takes no more tasks */
    char *text;           /* hello: the program with its version, or NULL;
                             error: what is wrong; plain text, owned */
    struct json *report;  /* report: an object; lent by 'v' */
    struct json *v;       /* the line; owned */
};

/* What a worker wrote, without the newline.  -1 with "what is wrong" and the
 * beginning of the line.
 */
int worker_message_parse (const char *line, size_t len,
                          struct worker_message *message, struct error *err);
void worker_message_release (struct worker_message *message);

/* Is this its turn: one hello, then of task 'task' alone (-1: it has none)?  -1
 * with what is wrong; *outcome is then how the task ended (fatal: another
 * worker is needed, not another try).
 */
int worker_message_expect (const struct worker_message *message, bool greeted,
                           int task, enum outcome *outcome, struct error *err);

/* Append the line that the agent writes, with its newline. */
void worker_hello_line (const char *program, struct strbuf *out);
void worker_task_line (int task, const char *dir, struct strbuf *out);
void worker_bye_line (struct strbuf *out);

#endif /* !HANDOVER_WORKER_MESSAGE_H */
