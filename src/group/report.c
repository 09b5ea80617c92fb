/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - what a group tells of itself while its programs run */
#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "group/node.h"
#include "group/report.h"
#include "group/stream.h"
#include "handover/group_file.h"
#include "signature/container.h"
#include "signature/group.h"
#include "signature/template.h"

void report_init (struct report *report, const struct report_step *step,
                  size_t part, const char *name)
{
    *report = (struct report){
        .step = step, .part = part, .name = xstrdup (name), .due_s = INFINITY
    };
}

static void forget_run (struct report *report)
{
    stream_destroy (report->out);
    stream_destroy (report->err);
    report->out = report->err = NULL;
    report->pid = 0;
    report->last = false;
}

void report_release (struct report *report)
{
    if (report->pid > 0) {
        kill (-report->pid, SIGKILL);
        TEMP_FAILURE_RETRY (waitpid (report->pid, NULL, 0));
    }
    forget_run (report);
    free (report->name);
}

struct json *report_parse (const char *text, size_t len, struct error *err)
{
    struct json *v;

    if (len > GROUP_REPORT_MAX) {
        error_set (err, "printed more than %d bytes", GROUP_REPORT_MAX);
        return NULL;
    }
    v = json_parse (text, len, "line", err);
    if (!v) {
        error_prefix (err, "printed no JSON object");
    } else if (json_kind (v) != JSON_KIND_OBJECT) {
        error_set (err, "printed %s, not an object", json_kind_name (v));
        json_unref (v);
        v = NULL;
    }
    return v;
}

/* Once: what happens each second would fill the log. */
static void note_failure (struct report *report, struct node *node,
                          const char *what)
{
    _cleanup_free_ char *name = NULL;
    _cleanup_free_ char *text = NULL;

    if (report->noted)
        return;
    report->noted = true;
    name = xasprintf ("%s report", report->name);
    text = xasprintf ("%s; later failures of it are not noted", what);
    node_note (node, name, text);
}

/* --- a run of it --- */

static int expand (const struct report *report, const struct node *node,
                   struct strvec *argv, struct error *err)
{
    _cleanup_json_ struct json *values = node_values (node, report->part, err);

    return values ? container_expand (report->step->command, values, argv, err)
                  : -1;
}

static pid_t start (struct report *report, struct node *node,
                    const struct strvec *argv, struct error *err)
{
    int out = -1, errors = -1;
    pid_t pid = -1;

    report->out =
        stream_open (node->epoll_fd, "", -1, GROUP_REPORT_MAX + 1, &out, err);
    if (report->out)
        report->err = stream_open (node->epoll_fd, "", -1, GROUP_REPORT_MAX,
                                   &errors, err);
    if (report->err)
        pid = node_spawn (node, node_slot (node, report->part), 1, NULL, argv,
                          out, errors, err);
    if (out >= 0)
        close (out);
    if (errors >= 0)
        close (errors);
    return pid;
}

bool report_run (struct report *report, struct node *node, bool last)
{
    struct strvec argv = STRVEC_INIT;
    struct error why = ERROR_INIT;
    pid_t pid = -1;

    if (report->pid > 0 && !last)
        return true;
    if (report->pid > 0) {
        kill (-report->pid, SIGKILL); /* reaped as no step's */
        forget_run (report);
    }
    if (expand (report, node, &argv, &why) == 0)
        pid = start (report, node, &argv, &why);
    strvec_release (&argv);
    if (pid < 0) {
        forget_run (report);
        error_prefix (&why, "cannot be started");
        note_failure (report, node, why.text);
        return false;
    }
    report->pid = pid;
    report->last = last;
    return true;
}

/* The last line with words of what it said on stderr, for the log. */
static const char *last_line (struct strbuf *text)
{
    for (;;) {
        const char *newline = strrchr (text->buf, '\n');
        const char *line = newline ? newline + 1 : text->buf;

        if (!newline || text_has_words (line, strlen (line)))
            return line;
        strbuf_truncate (text, (size_t)(newline - text->buf));
    }
}

static void note_status (struct report *report, struct node *node, int status)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *said = last_line (&report->err->text);

    if (WIFSIGNALED (status))
        strbuf_addf (&text, "was killed by signal %d (%s)", WTERMSIG (status),
                     strsignal (WTERMSIG (status)));
    else
        strbuf_addf (&text, "exited with status %d", WEXITSTATUS (status));
    if (*said)
        strbuf_addf (&text, "; its last line: '%.300s'", said);
    note_failure (report, node, text_made_plain (text.buf));
}

struct json *report_reaped (struct report *report, struct node *node,
                            int status)
{
    struct error why = ERROR_INIT;
    struct json *v = NULL;

    stream_drain (report->out);
    stream_drain (report->err);
    if (!WIFEXITED (status) || WEXITSTATUS (status) != 0) {
        note_status (report, node, status);
    } else {
        v = report_parse (report->out->text.buf, report->out->text.len, &why);
        if (!v)
            note_failure (report, node, text_made_plain (why.text));
    }
    forget_run (report);
    return v;
}
