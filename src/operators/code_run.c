/* SPDX-License-Identifier: BSD-3-Clause */
/* code_run.c - run a simulation program inside a task */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "operators/code_run.h"
#include "operators/step_task.h"

enum { TAIL_BYTES = 64 << 10, COPY_BYTES = 64 << 10, QUOTED_LINES = 20 };

/* The agent ends a task whose time is over, and records it as such; this is
 * how much later we do, in case no agent watches.
 */
static const double backstop_s = 60;

static int build_argv (const struct step_task *task,
                       const struct strvec *program,
                       const char *const *arguments, struct strvec *argv,
                       struct error *err)
{
    if (program->n == 0)
        return error_set (err, "no program is named");
    if (task->resources.ranks > 1 && task->launcher.n == 0)
        return error_set (err,
                          "%d ranks are asked for but the profile has no "
                          "launcher; add `launcher:` to it in site.yaml",
                          task->resources.ranks);
    if (task->resources.ranks > 1)
        strvec_push_all (argv, task->launcher.v);
    strvec_push_all (argv, program->v);
    strvec_push_all (argv, (char *const *)arguments);
    return 0;
}

/* What it prints is passed on to our own output while it runs. */
struct passing_on {
    int fd;
    off_t at; /* so far */
};

/* A log that cannot be written is no reason to lose the result. */
static void copy_to_log (void *arg)
{
    struct passing_on *passing = arg;
    char bytes[COPY_BYTES];
    ssize_t n;

    while ((n = pread (passing->fd, bytes, sizeof (bytes), passing->at)) > 0) {
        passing->at += n;
        file_write_all (STDOUT_FILENO, bytes, (size_t)n, NULL);
    }
}

/* The end of what it printed, as a string; *whole: all of it. */
static int read_tail (const char *path, int fd, struct strbuf *tail,
                      bool *whole, struct error *err)
{
    struct stat st;
    uint64_t from = 0;

    if (fstat (fd, &st) == 0 && st.st_size > TAIL_BYTES)
        from = (uint64_t)st.st_size - TAIL_BYTES;
    *whole = from == 0;
    /* twice: a straggler may still be printing */
    if (file_read_from (path, from, 2 * TAIL_BYTES, tail, err) < 0)
        return -1;
    for (size_t i = 0; i < tail->len; i++) {
        if (tail->buf[i] == '\0')
            tail->buf[i] = '?';
    }
    return 0;
}

/* The last lines of what it printed, so that whoever reads the log finds them
 * before the message.
 */
static void quote_last_lines (const struct code *code, const char *printed)
{
    size_t len = strlen (printed), from = len;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (int n = 0; from > 0; from--) {
        if (printed[from - 1] == '\n' && from < len && ++n == QUOTED_LINES)
            break;
    }
    strbuf_addf (&text, "--- the last lines of what %s said:\n", code->name);
    while (printed[from]) {
        len = strcspn (printed + from, "\n");
        strbuf_addf (&text, "> %.*s\n", (int)len, printed + from);
        from += len + (printed[from + len] == '\n');
    }
    file_write_all (STDOUT_FILENO, text.buf, text.len, NULL);
}

static enum step_status status_of (enum ending ending)
{
    switch (ending) {
    case ENDING_DONE:
        return STEP_OK;
    case ENDING_UNKNOWN:
    case ENDING_SILENT:
    case ENDING_PASSING:
    case ENDING_KILLED:
    case ENDING_CRASHED:
        return STEP_FAILED;
    default:
        return STEP_FATAL;
    }
}

/* What is said of an ending: the row's message, or what it printed. */
static enum step_status tell_ending (const struct code *code, const char *how,
                                     enum ending ending, const char *printed,
                                     const char *message, struct error *err)
{
    if (ending == ENDING_UNKNOWN || ending == ENDING_KILLED
        || ending == ENDING_CRASHED) {
        quote_last_lines (code, printed);
        error_set (err,
                   "%s %s: no line that it printed is an error message "
                   "that Fanfold knows; its last lines are in the log",
                   code->name, how);
    } else if (ending == ENDING_SILENT) {
        error_set (err, "%s %s: it never started; it said: %.200s", code->name,
                   how, printed);
    } else {
        error_set (err, "%s %s: %s", code->name, how, message);
    }
    return status_of (ending);
}

/* A launcher tells the signal of its rank as 128 + N. */
static enum ending ending_of_signal (const struct process_result *result)
{
    int number = result->signal ? result->signal : result->exit_code - 128;

    return number == SIGKILL ? ENDING_KILLED
           : number > 0      ? ENDING_CRASHED
                             : ENDING_UNKNOWN;
}

static enum step_status judge (const struct code *code,
                               const struct process_result *result,
                               const struct strbuf *tail, bool whole,
                               enum ending *ending, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf message = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf how = STRBUF_INIT;

    process_describe (result, &how);
    *ending = code_judge (code, tail->buf, whole, &message);
    if (*ending == ENDING_UNKNOWN)
        *ending = ending_of_signal (result);
    return tell_ending (code, how.buf, *ending, tail->buf, message.buf, err);
}

static bool is_done (const struct code *code,
                     const struct process_result *result,
                     const struct strbuf *tail)
{
    return process_succeeded (result)
           && (!code->last_words || strstr (tail->buf, code->last_words));
}

static enum step_status run_to_end (const struct code *code,
                                    struct process_spec *spec,
                                    const char *output_path,
                                    enum ending *ending, struct error *err)
{
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    _cleanup_ (strbuf_release) struct strbuf tail = STRBUF_INIT;
    struct passing_on passing = { spec->output_fd, 0 };
    enum step_status status = STEP_FAILED;
    bool whole;

    spec->heartbeat = (struct heartbeat){ copy_to_log, &passing };
    if (process_run (spec, &result, err) < 0)
        return status;
    copy_to_log (&passing);
    if (read_tail (output_path, spec->output_fd, &tail, &whole, err) < 0)
        return status;
    if (is_done (code, &result, &tail)) {
        *ending = ENDING_DONE;
        status = STEP_OK;
    } else if (result.timed_out) {
        error_set (err, "%s ran out of time", spec->argv[0]);
    } else {
        status = judge (code, &result, &tail, whole, ending, err);
    }
    return status;
}

enum step_status code_run (const struct code *code,
                           const struct step_task *task,
                           const struct strvec *program,
                           const char *const *arguments,
                           const char *output_path, enum ending *ending,
                           struct error *err)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    enum step_status status = STEP_FATAL;

    *ending = ENDING_UNKNOWN;
    if (build_argv (task, program, arguments, &argv, err) < 0)
        return status;
    status = STEP_FAILED;
    spec.argv = (const char *const *)argv.v;
    spec.output_fd = file_open (output_path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (spec.output_fd < 0) {
        error_errno (err, "cannot write '%s'", output_path);
        return status;
    }
    if (task->resources.walltime_s > 0)
        spec.deadline_s = task->resources.walltime_s + backstop_s;
    status = run_to_end (code, &spec, output_path, ending, err);
    close (spec.output_fd);
    return status;
}

enum ending code_complaint (const struct code *code, const char *output_path,
                            struct strbuf *message)
{
    _cleanup_ (strbuf_release) struct strbuf tail = STRBUF_INIT;
    enum ending ending = ENDING_UNKNOWN;
    bool whole;
    int fd = file_open (output_path, O_RDONLY | O_NONBLOCK, 0);

    if (fd >= 0 && read_tail (output_path, fd, &tail, &whole, NULL) == 0)
        ending = code_judge (code, tail.buf, whole, message);
    if (fd >= 0)
        close (fd);
    return ending;
}
