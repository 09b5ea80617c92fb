/* SPDX-License-Identifier: BSD-3-Clause */
/* task_log.c - what a task's commands print, while they run and when they
 * failed
 */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/task.h"
#include "agent/task_log.h"
#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "signature/script.h"
#include "space/layout.h"

enum {
    HEADER_MAX = 2000, /* bytes of an argv shown */
    TAIL_MAX = 4096,   /* how far back a last line is looked for */
    RULE_MIN = 20,     /* dashes of a line between two texts */
    LAST_LINE_MAX = 300,
};

static char *slot_path (const struct task *task)
{
    return xasprintf ("%s/" LAYOUT_SLOT_LOG, task->element->work_dir,
                      task->slot_index);
}

int task_log_open (struct task *task, struct error *err)
{
    _cleanup_free_ char *path = NULL;

    if (task->log_fd >= 0)
        return 0;
    path = slot_path (task);
    task->log_fd =
        file_open (path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0666);
    if (task->log_fd < 0)
        error_errno (err, "cannot create '%s'", path);
    return task->log_fd < 0 ? -1 : 0;
}

static void close_log (struct task *task)
{
    close (task->log_fd);
    task->log_fd = -1;
}

void task_log_keep (struct task *task)
{
    _cleanup_free_ char *from = NULL;
    _cleanup_free_ char *to = NULL;

    if (task->log_fd < 0)
        return;
    from = slot_path (task);
    to = xasprintf ("%s.log", task->dir);
    /* Where this fails a person sees less. */
    if (task->worker.pid > 0) {
        (void)file_copy (from, to, 0666, NULL, NULL);
        task_log_clear (task, false);
    } else {
        if (rename (from, to) < 0)
            unlink (from);
        close_log (task);
    }
}

int task_log_copy (const struct task *task, const char *to, struct error *err)
{
    _cleanup_free_ char *from = slot_path (task);

    return file_copy (from, to, 0666, NULL, err);
}

void task_log_clear (struct task *task, bool shared)
{
    if (task->log_fd >= 0 && (shared || ftruncate (task->log_fd, 0) < 0))
        task_log_remove (task);
}

void task_log_remove (struct task *task)
{
    char *path;

    if (task->log_fd < 0)
        return;
    path = slot_path (task);
    unlink (path);
    free (path);
    close_log (task);
}

int task_log_header (struct task *task, const struct strvec *argv,
                     struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    char now[CLOCK_ISO_SIZE];
    int rc;

    clock_iso (clock_wall_s (), now);
    strbuf_addf (&line, "=== %s " LAYOUT_LOG_TASK " %zu:", now, task->number,
                 task->command + 1);
    for (size_t i = 0; i < argv->n; i++) {
        strbuf_add_char (&line, ' ');
        shell_quote (argv->v[i], &line);
    }
    if (line.len > HEADER_MAX) {
        strbuf_truncate (&line, HEADER_MAX);
        strbuf_add_str (&line, " ...");
    }
    strbuf_add_char (&line, '\n');
    rc = file_write_all (task->log_fd, line.buf, line.len, err);
    if (rc < 0) {
        _cleanup_free_ char *path = slot_path (task);

        error_prefix (err, "task %06d, '%s'", task->number, path);
    }
    task->log_mark = lseek (task->log_fd, 0, SEEK_END);
    return rc;
}

/* Find the last line of 'text' that is not blank: where it starts and ends. */
static size_t line_before (const char *text, size_t *end)
{
    size_t start;

    while (*end > 0 && strchr (" \t\r\n", text[*end - 1]))
        (*end)--;
    for (start = *end; start > 0; start--) {
        if (text[start - 1] == '\n' || text[start - 1] == '\r')
            break;
    }
    return start;
}

static bool is_rule (const char *line, size_t len)
{
    return len >= RULE_MIN && strspn (line, "-") >= len;
}

/* Open MPI says between two rules that it ends what other ranks do: of why, the
 * rank that failed said something before.
 */
static bool is_of_other_ranks (const char *text, size_t len)
{
    static const char *const words[] = {
        "Primary job ", "MPI_ABORT was invoked",
        "detected that one or more processes exited"
    };

    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (memmem (text, len, words[i], strlen (words[i])))
            return true;
    }
    return false;
}

/* Where 'text' ends without such a notice, if anything stands before it. */
static size_t end_before_notice (const char *text, size_t end)
{
    size_t below = end, start = line_before (text, &below), above = start;

    if (!is_rule (text + start, below - start))
        return end;
    do {
        below = above;
        above = line_before (text, &below);
    } while (above > 0 && !is_rule (text + above, below - above));
    return is_of_other_ranks (text + above, start - above)
                   && text_has_words (text, above)
               ? end_before_notice (text, above)
               : end;
}

/* Find the last line of 'text' that has words: where it starts and ends. */
static size_t last_line (const char *text, size_t *end)
{
    size_t start;

    *end = end_before_notice (text, *end);
    do {
        start = line_before (text, end);
        if (text_has_words (text + start, *end - start))
            break;
        *end = start;
    } while (*end > 0);
    return start;
}

/* Without what a terminal would act on. */
static void add_line (struct strbuf *message, const char *what,
                      const char *line, const char *end)
{
    if (end - line > LAST_LINE_MAX)
        end = line + LAST_LINE_MAX;
    strbuf_add_str (message, what);
    for (; line < end; line++)
        strbuf_add_char (message, (unsigned char)*line < ' ' ? ' ' : *line);
}

void task_log_last_line (const struct task *task, struct strbuf *message)
{
    char tail[TAIL_MAX + 1];
    const char *failure;
    off_t size = lseek (task->log_fd, 0, SEEK_END);
    off_t from = size < task->log_mark ? 0 : task->log_mark;
    ssize_t n;
    size_t start;
    size_t end;

    if (size - from > TAIL_MAX)
        from = size - TAIL_MAX;
    n = pread (task->log_fd, tail, TAIL_MAX, from);
    end = n > 0 ? (size_t)n : 0;
    tail[end] = '\0';
    start = last_line (tail, &end);
    if ((failure = script_failure (tail + start))) {
        add_line (message, " at ", failure, tail + end);
        end = start;
        start = last_line (tail, &end);
    }
    if (start == end) {
        strbuf_add_str (message, " and printed nothing");
        return;
    }
    add_line (message, "; its last line: '", tail + start, tail + end);
    strbuf_add_char (message, '\'');
}
