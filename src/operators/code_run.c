/* SPDX-License-Identifier: BSD-3-Clause */
/* code_run.c - run a simulation program inside a task */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "operators/code_run.h"
#include "operators/step_task.h"

enum { TAIL_BYTES = 64 << 10, COPY_BYTES = 64 << 10 };

/* The agent ends a task whose time is over, and records it as such; this is
 * how much later we do, in case nobody watches.
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

/* Pass the file on to our own output.  A log that cannot be written is no
 * reason to lose the result.
 */
static void copy_to_log (int fd)
{
    char bytes[COPY_BYTES];
    off_t at = 0;
    ssize_t n;

    while ((n = pread (fd, bytes, sizeof (bytes), at)) > 0) {
        if (file_write_all (STDOUT_FILENO, bytes, (size_t)n, NULL) < 0)
            break;
        at += n;
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

/* How did it end that did not succeed? */
static enum step_status judge (const struct code *code,
                               const struct process_result *result,
                               const struct strbuf *tail, bool whole,
                               bool *diverged, struct error *err)
{
    struct strbuf message = STRBUF_INIT, how = STRBUF_INIT;
    enum code_ending ending = code->ending (tail->buf, whole, &message);

    *diverged = ending == ENDING_DIVERGED;
    if (ending == ENDING_SILENT)
        strbuf_addf (&message, "it never started; it said: %.200s", tail->buf);
    if (ending == ENDING_NO_ERROR)
        strbuf_add_str (&message, "there is no error message");
    process_describe (result, &how);
    error_set (err, "%s %s: %s", code->name, how.buf, message.buf);
    strbuf_release (&message);
    strbuf_release (&how);
    return *diverged || ending == ENDING_ERROR ? STEP_FATAL : STEP_FAILED;
}

static enum step_status run_to_end (const struct code *code,
                                    const struct process_spec *spec,
                                    const char *output_path, bool *diverged,
                                    struct error *err)
{
    struct process_result result = PROCESS_RESULT_INIT;
    struct strbuf tail = STRBUF_INIT;
    enum step_status status = STEP_FAILED;
    bool whole;

    if (process_run (spec, &result, err) < 0)
        goto done;
    copy_to_log (spec->output_fd);
    if (read_tail (output_path, spec->output_fd, &tail, &whole, err) < 0)
        goto done;
    if (process_succeeded (&result))
        status = STEP_OK;
    else if (result.timed_out)
        error_set (err, "%s ran out of time", spec->argv[0]);
    else
        status = judge (code, &result, &tail, whole, diverged, err);
done:
    process_result_release (&result);
    strbuf_release (&tail);
    return status;
}

enum step_status code_run (const struct code *code,
                           const struct step_task *task,
                           const struct strvec *program,
                           const char *const *arguments,
                           const char *output_path, bool *diverged,
                           struct error *err)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct strvec argv = STRVEC_INIT;
    enum step_status status = STEP_FATAL;

    *diverged = false;
    if (build_argv (task, program, arguments, &argv, err) < 0)
        goto done;
    status = STEP_FAILED;
    spec.argv = (const char *const *)argv.v;
    spec.output_fd = file_open (output_path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (spec.output_fd < 0) {
        error_errno (err, "cannot write '%s'", output_path);
        goto done;
    }
    if (task->resources.walltime_s > 0)
        spec.deadline_s = task->resources.walltime_s + backstop_s;
    status = run_to_end (code, &spec, output_path, diverged, err);
    close (spec.output_fd);
done:
    strvec_release (&argv);
    return status;
}

/* --- what codes print when they fail --- */

/* Append the line at 'at' and return its end. */
static const char *add_line (struct strbuf *message, const char *at)
{
    const char *stop = at + strcspn (at, "\n");

    strbuf_add (message, at, (size_t)(stop - at));
    if (stop > at && stop[-1] == '\r')
        strbuf_truncate (message, message->len - 1);
    return stop;
}

/* --- LAMMPS --- */

/* What LAMMPS says when the motion, not the input, is at fault. */
static const char *const explosions[] = {
    "Lost atoms",
    "Non-numeric",         /* atom coords, box dimensions, pressure */
    "simulation unstable", /* as newer releases put it */
    "Out of range atoms",  /* long-range solvers */
    "Neighbor list overflow",
    "Too many neighbor bins",
    "Domain too large for neighbor bins",
    "Cannot use neighbor bins - box size << cutoff",
    "missing on proc", /* bond, angle, dihedral, improper, shake */
    "atom missing in", /* image flags, box size check, delete */
    "Bond extent",
    "tilted box too far", /* fix npt and nph */
    "Shake determinant",
    "Particle on or inside",
    "Atoms too close",
    "Pair distance <", /* tabulated potentials */
    "Pair distance >",
    "KIM Compute returned error",
};

/* The first line that starts with 'prefix', or NULL. */
static const char *find_line (const char *at, const char *prefix)
{
    while (strncmp (at, prefix, strlen (prefix)) != 0) {
        at = strchr (at, '\n');
        if (!at)
            return NULL;
        at++;
    }
    return at;
}

static enum code_ending lammps_ending (const char *printed, bool whole,
                                       struct strbuf *message)
{
    const char *error = find_line (printed, "ERROR"), *last;
    enum code_ending ending = ENDING_ERROR;

    if (!error && whole && !strstr (printed, "LAMMPS ("))
        return ENDING_SILENT;
    if (!error)
        return ENDING_NO_ERROR;
    add_line (message, error);
    for (size_t i = 0; i < ARRAY_SIZE (explosions); i++) {
        if (strstr (message->buf, explosions[i]))
            ending = ENDING_DIVERGED;
    }
    last = find_line (error, "Last command: ");
    if (last) {
        strbuf_add_str (message, "; ");
        add_line (message, last);
    }
    return ending;
}

const struct code lammps_code = { "LAMMPS", lammps_ending };

/* --- pw.x --- */

/* What stands behind 'words', or NULL. */
static const char *find_after (const char *printed, const char *words)
{
    const char *at = strstr (printed, words);

    return at ? at + strlen (words) : NULL;
}

static enum code_ending pw_ending (const char *printed, bool whole,
                                   struct strbuf *message)
{
    const char *at;

    /* "     Error in routine readpp (1):\n     file x not found" */
    if ((at = find_after (printed, "Error in routine "))) {
        at = add_line (message, at);
        if (*at) {
            strbuf_add_char (message, ' ');
            add_line (message, at + 1 + strspn (at + 1, " \t"));
        }
        return ENDING_ERROR;
    }
    /* "convergence NOT achieved after   3 iterations: stopping" */
    if ((at = find_after (printed, "convergence NOT achieved after"))) {
        strbuf_addf (message, "SCF not converged after %ld steps",
                     strtol (at, NULL, 10));
        return ENDING_DIVERGED;
    }
    return whole && !strstr (printed, "Program PWSCF") ? ENDING_SILENT
                                                       : ENDING_NO_ERROR;
}

const struct code pw_code = { "pw.x", pw_ending };
