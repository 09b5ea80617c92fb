/* SPDX-License-Identifier: BSD-3-Clause */
/* node_programs.c - programs of stages are tried on a node, in what a job of
 * the profile has around it
 */
#include "base/base.h"

#include <unistd.h>

#include "base/environment.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/process.h"
#include "doctor/doctor.h"
#include "operators/code_trial.h"
#include "signature/template.h"

enum { PRINTED_MAX_BYTES = 1 << 20 };

/* What a shell or the loader of libraries exits with that started nothing. */
enum { EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

static const char elsewhere[] =
    "let setup of the profile load it (module load ...), let env set PATH, or "
    "write where it is on the nodes";

/* --- what it means (pure) --- */

/* "dp of stage 'train'", "lammps of stages 'a', 'b'" */
static void add_subject (const struct json *program, struct strbuf *subject)
{
    const struct json *stages = json_get (program, "stages");

    strbuf_addf (subject, "%s of stage%s", json_get_string (program, "name"),
                 json_count (stages) == 1 ? "" : "s");
    for (size_t i = 0; i < json_count (stages); i++)
        strbuf_addf (subject, "%s '%s'", i == 0 ? "" : ",",
                     json_as_string (json_at (stages, i)));
}

static void say (const struct json *program, enum grade grade,
                 const char *advice, const char *text,
                 struct findings *findings)
{
    _cleanup_ (strbuf_release) struct strbuf subject = STRBUF_INIT;

    add_subject (program, &subject);
    findings_add (findings, grade, subject.buf, advice, "%s", text);
}

void program_judge (const struct json *program, const char *printed,
                    struct findings *findings)
{
    const struct code_trial *trial =
        code_trial_find (json_get_string (program, "operator"),
                         json_get_string (program, "input"));
    _cleanup_ (strbuf_release) struct strbuf says = STRBUF_INIT;
    enum grade grade =
        trial ? trial->judge (json_get (program, "question"), printed, &says)
              : GRADE_GOOD;
    char *advice = grade == GRADE_GOOD ? NULL : strstr (says.buf, "; ");

    if (advice)
        *advice = '\0';
    say (program, grade, advice ? advice + 2 : NULL, says.buf, findings);
}

/* --- on the node --- */

/* A process alone, of one thread, as tasks of one rank are. */
static void make_env (const char *dir, const struct json *program,
                      struct strvec *env)
{
    const struct json *entries = json_get (program, "environment");
    _cleanup_json_ struct json *values = json_object ();

    strvec_push_all (env, environ);
    environment_set (env, "OMP_NUM_THREADS=1");
    json_set (values, "dir", json_string (dir));
    for (size_t i = 0; i < json_count (entries); i++) {
        _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

        if (template_expand (json_as_string (json_at (entries, i)), values,
                             &words, NULL)
                == 0
            && words.n == 1)
            environment_set (env, words.v[0]);
    }
}

static int run (const char *dir, const struct json *program,
                struct process_result *result, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;
    const struct json *question = json_get (program, "question");

    template_words (json_get (program, "argv"), &argv);
    template_words (json_get (question, "arguments"), &argv);
    make_env (dir, program, &env);
    spec.argv = (const char *const *)argv.v;
    spec.env = env.v;
    spec.cwd = dir;
    spec.capture_bytes = PRINTED_MAX_BYTES;
    spec.deadline_s = PROGRAM_TRIAL_S;
    return process_run (&spec, result, err);
}

static int write_file (const char *dir, const struct json *program,
                       struct error *err)
{
    const char *text = json_get_string (json_get (program, "question"), "file");
    _cleanup_free_ char *path = path_join (dir, CODE_TRIAL_FILE);
    int rc = file_make_dirs (dir, err);

    if (rc == 0 && text[0])
        rc = file_write_atomic (path, text, strlen (text), err);
    return rc;
}

/* Its last words, which stderr has first. */
static void add_words (const struct process_result *result, struct strbuf *text)
{
    const char *const streams[] = { result->err.buf, result->out.buf };
    const char *last = NULL;

    for (size_t i = 0; !last && i < 2; i++) {
        _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

        strvec_split (&lines, streams[i], "\r\n");
        last = strvec_last_words (&lines, lines.n);
        if (last)
            strbuf_addf (text, ": %.300s", last);
    }
}

static void judge_end (const struct json *program, const char *host,
                       const struct process_result *result,
                       struct findings *findings)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    bool began = result->exit_code != EXIT_NOT_EXECUTABLE
                 && result->exit_code != EXIT_NOT_FOUND;

    if (result->timed_out || !began) {
        strbuf_addf (&text, "on %s it ", host);
        process_describe (result, &text);
        add_words (result, &text);
        say (program, began ? GRADE_WARNING : GRADE_BAD,
             began ? "run it on a node by hand" : elsewhere, text.buf,
             findings);
    } else {
        strbuf_addf (&text, "%s\n%s", result->out.buf, result->err.buf);
        program_judge (program, text.buf, findings);
    }
}

static void try_program (const char *dir, const char *host,
                         const struct json *program, struct findings *findings)
{
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    struct error err = ERROR_INIT;

    if (write_file (dir, program, &err) == 0
        && run (dir, program, &result, &err) == 0)
        judge_end (program, host, &result, findings);
    else
        say (program, GRADE_BAD, elsewhere, err.text, findings);
}

/* One that cannot be tried is looked for. */
static void find_program (const char *host, const struct json *program,
                          struct findings *findings)
{
    const char *word = json_as_string (json_at (json_get (program, "argv"), 0));
    _cleanup_free_ char *path = process_which (word, NULL);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (path)
        strbuf_addf (&text, "it is %s on %s, and was not run", path, host);
    else
        strbuf_addf (&text, "there is no %s on PATH of %s", word, host);
    say (program, path ? GRADE_GOOD : GRADE_BAD, path ? NULL : elsewhere,
         text.buf, findings);
}

int node_programs_try (const char *dir, const char *host,
                       struct findings *findings, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, NODE_PROGRAMS_FILE);
    _cleanup_free_ char *work = path_join (dir, "trial");
    struct json *programs;
    int rc = file_look (path, err);

    if (rc > 0) {
        programs = json_read_file (path, err);
        rc = programs ? 0 : -1;
        for (size_t i = 0; i < json_count (programs); i++) {
            const struct json *program = json_at (programs, i);

            if (json_get (program, "question"))
                try_program (work, host, program, findings);
            else
                find_program (host, program, findings);
        }
        json_unref (programs);
    }
    return rc;
}
