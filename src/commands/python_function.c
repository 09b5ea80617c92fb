/* SPDX-License-Identifier: BSD-3-Clause */
/* python_function.c - what the annotations of a Python function declare */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/process.h"
#include "campaign/plan.h"
#include "commands/python_function.h"
#include "handover/python_path.h"
#include "signature/function_compare.h"
#include "signature/operator.h"

/* A file is read and nothing imported but our package. */
static const double deadline_s = 60;

enum { EXIT_MISTAKE = 3 }; /* of fanfold.declare: there is one in the file */

/* From a directory without modules: Python looks there first. */
static int run_python (const char *program, const char *function,
                       struct process_result *result, struct error *err)
{
    const char *argv[] = { "python3",         "-B",     "-m",
                           "fanfold.declare", function, NULL };
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
    _cleanup_free_ char *package = python_path (program);
    struct process_spec spec = PROCESS_SPEC_INIT;

    strvec_push_all (&env, environ);
    python_path_append (package, &env);
    spec.argv = argv;
    spec.cwd = "/";
    spec.env = env.v;
    spec.deadline_s = deadline_s;
    return process_run (&spec, result, err);
}

/* Its last line, or how it ended. */
static int say_why (const struct process_result *result, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    const char *said;

    strvec_split (&lines, result->err.buf, "\n");
    said = strvec_last_words (&lines, lines.n);
    process_describe (result, &text);
    return said ? error_set (err, "%s", said)
                : error_set (err, "python3 %s", text.buf);
}

struct json *python_function_read (const char *program, const char *dir,
                                   const char *function, bool *silent,
                                   struct error *err)
{
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    _cleanup_free_ char *path = path_join (dir, function);
    _cleanup_free_ char *full = path_absolute (path);

    *silent = true;
    if (run_python (program, full, &result, err) < 0)
        return NULL;
    *silent = result.exit_code != EXIT_MISTAKE;
    if (!process_succeeded (&result)) {
        say_why (&result, err);
        return NULL;
    }
    return json_parse (result.out.buf, result.out.len, "fanfold.declare", err);
}

/* --- check --- */

struct check {
    const struct plan *plan;
    const char *program;
    struct mark mark; /* of campaign.yaml */
    struct problems *problems;
    struct strvec seen; /* operators, of several stages */
};

/* Does a task run with the Python that was asked?  (That of a profile's setup,
 * of an image or of a path is another one.)
 */
static bool runs_by_path (const struct stage *stage)
{
    return strcmp (stage->op->commands[0][0], "python3") == 0 && !stage->op->env
           && !stage->image && stage->profile && !stage->profile->setup
           && !stage->profile->env;
}

/* {MODULE: "FILE:LINE"}: each import would be the failure of every task. */
static void warn_of_absent (struct check *check, const struct stage *stage,
                            const struct json *absent)
{
    const char *here =
        profile_runs_here (stage->profile) ? "" : " on this host";

    JSON_FOREACH (absent, it)
        problems_warn (check->problems, check->mark,
                       "operator '%s': %s imports %s, which python3 of PATH%s "
                       "does not have; install it there, or write the path of "
                       "the Python that has it in place of python3",
                       stage->op->name, json_as_string (json_iter_value (it)),
                       json_iter_key (it), here);
}

static void check_operator (struct check *check, const struct stage *stage)
{
    const struct operator_spec *op = stage->op;
    _cleanup_ (strvec_release) struct strvec differences = STRVEC_INIT;
    _cleanup_free_ char *function = NULL;
    struct error err = ERROR_INIT;
    struct function_place place;
    _cleanup_json_ struct json *declared = NULL;
    bool silent = false;

    if (strvec_contains (&check->seen, op->name)
        || !operator_function (op, &place))
        return;
    strvec_push (&check->seen, op->name);
    function = xasprintf ("%s:%s", place.file, place.name);
    declared = python_function_read (check->program, check->plan->dir, function,
                                     &silent, &err);
    if (!declared && silent)
        problems_warn (check->problems, check->mark,
                       "operator '%s' is not compared with %s: %s; have "
                       "python3 3.9 or newer on PATH",
                       op->name, function, err.text);
    else if (!declared)
        problems_add (check->problems, check->mark, "operator '%s': %s",
                      op->name, err.text);
    else
        function_compare (op, json_get (declared, "operator"), &differences);
    if (declared && runs_by_path (stage))
        warn_of_absent (check, stage, json_get (declared, "absent"));
    for (size_t i = 0; i < differences.n; i++)
        problems_add (check->problems, check->mark, "operator '%s' and %s: %s",
                      op->name, function, differences.v[i]);
}

void python_functions_check (const struct plan *plan, const char *program,
                             const char *file, struct problems *problems)
{
    struct check check = {
        plan, program, { file, 0, 0 }, problems, STRVEC_INIT
    };

    for (size_t i = 0; i < plan->n_stages; i++)
        check_operator (&check, &plan->stages[i]);
    for (size_t i = 0; i < plan->n_functions; i++)
        check_operator (&check, &plan->functions[i].stage);
    strvec_release (&check.seen);
}
