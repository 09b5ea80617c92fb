/* SPDX-License-Identifier: BSD-3-Clause */
/* new.c - write a commented campaign from a template
 *
 * Without --template it is one that runs as it is, with nothing but a shell:
 * the reader changes a working campaign instead of completing a broken one.
 */
#include "base/base.h"

#include <sys/stat.h>

#include "arrays/array_job.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/yaml_write.h"
#include "campaign/field_reader.h"
#include "commands/command.h"
#include "commands/python_function.h"
#include "commands/template_files.h"
#include "space/layout.h"

/* clang-format off */
static const char new_campaign_head[] =
    "# A Fanfold campaign: science here, machines in site.yaml.\n"
    "# Every key is explained in fanfold-campaign(5); `fanfold check` tells what is\n"
    "# wrong, `fanfold plan` what would run, `fanfold run` runs it.\n"
    "format: 1\n"
    "campaign: ";

static const char new_campaign_body[] =
    "\n"
    "elements: [Si]       # the type map, in this order everywhere\n"
    "seed: 1              # every random choice follows from it\n"
    "models: 4            # size of the committee; `from: models` is [0, 1, 2, 3]\n"
    "\n"
    "# A loop of two stages that needs nothing but a shell.  Put real ones in their\n"
    "# place: qe.label, lammps.explore, model_devi.select (fanfold-operators(7)),\n"
    "# and your own operators below.\n"
    "stages:\n"
    "  train:\n"
    "    uses: toy.train          # one task per model\n"
    "    success: 0.75            # go on when 3 of 4 are ok\n"
    "    task: {cores: 1, walltime: 5m}\n"
    "  judge:\n"
    "    uses: toy.judge          # one task over the results of all\n"
    "    with: {errors: train.error}\n"
    "\n"
    "# Stop when this held in so many iterations in a row, or at the limit.\n"
    "stop: {when: judge.mean_error < 0.3, consecutive: 1, iterations: 5}\n"
    "\n"
    "# What `fanfold status` lists for each iteration.\n"
    "history: {mean_error: judge.mean_error}\n"
    "\n"
    "operators:\n"
    "  toy.train:\n"
    "    fan_out: [model]         # one task for each item of these inputs\n"
    "    inputs:\n"
    "      model: {type: int, from: models, doc: number of the committee member}\n"
    "      round: {type: int, from: iteration}\n"
    "    outputs:\n"
    "      error: {type: float}\n"
    "    # One argv, or an ordered list of them; a shell only where you ask for one.\n"
    "    # Output parameters are returned as JSON in {outputs.params}.\n"
    "    command:\n"
    "      - [sh, -c, 'echo \"model $1, round $2\"', sh, \"{model}\", \"{round}\"]\n"
    "      - [sh, -c, 'echo \"{\\\"error\\\": 0.$((9 - 2 * $1 - $2 % 2))}\" > \"$3\"', sh, \"{round}\", \"{model}\", \"{outputs.params}\"]\n"
    "\n"
    "  toy.judge:\n"
    "    inputs:\n"
    "      errors: {type: float, list: true, doc: one for each model that is ok}\n"
    "    outputs:\n"
    "      mean_error: {type: float}\n"
    "    command: [awk, 'BEGIN { for (i = 2; i < ARGC; i++) s += ARGV[i]; printf(\"{\\\"mean_error\\\": %g}\", s / (ARGC - 2)) > ARGV[1] }', \"{outputs.params}\", \"{errors}\"]\n";

static const char new_site[] =
    "# Where and how work runs: fanfold-site(5).\n"
    "format: 1\n"
    "profiles:\n"
    "  here:\n"
    "    scheduler: local         # this machine; jobs outlive the command\n"
    "    # node: {cores: 8, memory: 16GiB}      measured when left out\n"
    "    # launcher: [mpirun, -n, \"{ranks}\"]    for tasks with ranks > 1\n";
/* clang-format on */

/* A campaign's name is the directory's, where that is fit to be one.  Caller
 * frees.
 */
static char *campaign_name (const char *dir)
{
    _cleanup_free_ char *full = path_absolute (dir);
    const char *base = path_base (full);
    char *name = xstrdup (word_is_title (base) ? base : "campaign");

    return name;
}

static int say_is_there (const char *path, struct error *err)
{
    return error_set (
        err, "%s is there already; choose another directory with -C", path);
}

static int write_new (const char *dir, const char *file, const char *text,
                      struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, file);
    int rc = file_create (path, text, strlen (text), err);

    if (rc > 0)
        rc = say_is_there (path, err);
    return rc;
}

/* To be pasted into a shell. */
static void next_text (const char *dir, bool is_template, struct strbuf *out)
{
    _cleanup_ (strbuf_release) struct strbuf word = STRBUF_INIT;

    shell_quote (dir, &word);
    if (is_template)
        strbuf_addf (out,
                     "wrote the files of a campaign in %s\n"
                     "next: read README.md there, change what it says; "
                     "fanfold -C %s check\n",
                     word.buf, word.buf);
    else
        strbuf_addf (out,
                     "wrote campaign.yaml and site.yaml in %s\n"
                     "next: fanfold -C %s check; fanfold -C %s run\n",
                     dir, word.buf, word.buf);
}

/* 'first': of the template; NULL: it was none. */
static void print_written (const struct invocation *invocation, const char *dir,
                           const struct template_file *first)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec files = STRVEC_INIT;
    _cleanup_json_ struct json *v = json_object ();

    for (const struct template_file *f = first;
         f && f->template_name
         && strcmp (f->template_name, first->template_name) == 0;
         f++)
        strvec_push (&files, f->path);
    if (!first) {
        strvec_push (&files, "campaign.yaml");
        strvec_push (&files, "site.yaml");
    }
    json_set (v, "directory", json_string (dir));
    json_set (v, "template",
              first ? json_string (first->template_name) : json_null ());
    json_set (v, "files", json_strings (&files));
    next_text (dir, first != NULL, &text);
    print_reply (invocation, v, text.buf);
}

/* Of campaign.yaml and site.yaml the line by which editors find the schema of
 * the fanfold at 'program', if it is installed with one.  A blank would end the
 * path.
 */
static void add_schema_line (const char *program, const char *file,
                             struct strbuf *text)
{
    _cleanup_free_ char *name =
        xasprintf ("schemas/%.*s.schema.json", (int)strcspn (file, "."), file);
    _cleanup_free_ char *path = layout_installed (program, name);
    const char *ending = strchr (file, '.');

    if (ending && strcmp (ending, ".yaml") == 0 && file_exists (path)
        && !strpbrk (path, " \t\n"))
        strbuf_addf (text, "# yaml-language-server: $schema=%s\n", path);
}

static int write_ours (const char *program, const char *dir, const char *name,
                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf campaign = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf site = STRBUF_INIT;
    int rc = file_make_dirs (dir, err);

    add_schema_line (program, "campaign.yaml", &campaign);
    strbuf_addf (&campaign, "%s%s%s", new_campaign_head, name,
                 new_campaign_body);
    add_schema_line (program, "site.yaml", &site);
    strbuf_add_str (&site, new_site);
    if (rc == 0)
        rc = write_new (dir, "campaign.yaml", campaign.buf, err);
    if (rc == 0)
        rc = write_new (dir, "site.yaml", site.buf, err);
    return rc;
}

/* --- templates --- */

/* The first file of the template, or NULL. */
static const struct template_file *find_template (const char *name)
{
    for (const struct template_file *f = template_files; f->template_name;
         f++) {
        if (strcmp (f->template_name, name) == 0)
            return f;
    }
    return NULL;
}

static enum exit_status complain_of_template (const char *name)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    for (const struct template_file *f = template_files; f->template_name;
         f++) {
        if (!strvec_contains (&names, f->template_name))
            strvec_push (&names, f->template_name);
    }
    return complain_unknown ("template", name, &names);
}

/* The text of the file, for a campaign of that name. */
static void format_file (const struct template_file *file, const char *name,
                         struct strbuf *text)
{
    static const char key[] = "campaign: ";

    for (const char *const *line = file->lines; *line; line++) {
        if (strcmp (file->path, "campaign.yaml") == 0
            && strncmp (*line, key, strlen (key)) == 0)
            strbuf_addf (text, "%s%s\n", key, name);
        else
            strbuf_add_str (text, *line);
    }
}

/* For whoever may read it. */
static int make_executable (const char *path, struct error *err)
{
    struct stat st;

    if (stat (path, &st) < 0
        || chmod (path, (st.st_mode | (st.st_mode & 0444) >> 2) & 07777) < 0)
        return error_errno (err, "cannot make '%s' executable", path);
    return 0;
}

static int write_file (const char *program, const char *dir,
                       const struct template_file *file, const char *name,
                       struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, file->path);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = file_make_parent (path, err);

    add_schema_line (program, file->path, &text);
    format_file (file, name, &text);
    if (rc == 0)
        rc = write_new (dir, file->path, text.buf, err);
    if (rc == 0 && file->executable)
        rc = make_executable (path, err);
    return rc;
}

/* None of the files may be there, so that nothing is left of half of them. */
static int check_none (const char *dir, const struct template_file *first,
                       struct error *err)
{
    int rc = 0;

    for (const struct template_file *f = first;
         rc == 0 && f->template_name
         && strcmp (f->template_name, first->template_name) == 0;
         f++) {
        _cleanup_free_ char *path = path_join (dir, f->path);

        rc = file_look (path, err);
        if (rc > 0)
            rc = say_is_there (path, err);
    }
    return rc;
}

static int write_template (const char *program, const char *dir,
                           const struct template_file *first, const char *name,
                           struct error *err)
{
    int rc = check_none (dir, first, err);

    for (const struct template_file *f = first;
         rc == 0 && f->template_name
         && strcmp (f->template_name, first->template_name) == 0;
         f++)
        rc = write_file (program, dir, f, name, err);
    return rc;
}

/* --- an operator --- */

/* python3 -m fanfold.run {campaign}/FILE FUNCTION */
static struct json *function_command (const char *function)
{
    const char *colon = strrchr (function, ':');
    struct json *command = json_array ();

    json_push (command, json_string ("python3"));
    json_push (command, json_string ("-m"));
    json_push (command, json_string ("fanfold.run"));
    json_push (command, json_stringf ("{campaign}/%.*s",
                                      (int)(colon - function), function));
    json_push (command, json_string (colon + 1));
    return command;
}

/* As `operators:` of campaign.yaml has it. */
static void print_operator (const struct invocation *invocation,
                            const struct json *declared, const char *function)
{
    struct arena *arena = arena_create ();
    struct json *pairs = json_object ();
    struct json *op = json_deep_copy (json_get (declared, "operator"));
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_set (op, "command", function_command (function));
    json_set (pairs, json_get_string (declared, "name"), op);
    yaml_write_pairs (yaml_from_json (arena, pairs), 2, &text);
    print_reply (invocation, pairs, text.buf);
    json_unref (pairs);
    arena_destroy (arena);
}

static enum exit_status create_operator (const struct invocation *invocation,
                                         const char *dir, const char *function)
{
    const char *colon = strrchr (function, ':');
    struct error err = ERROR_INIT;
    struct json *declared;
    bool silent;

    if (!colon || colon == function || !colon[1] || function[0] == '/')
        return complain (STATUS_USAGE,
                         "--operator: '%s'; write FILE:FUNCTION, such as "
                         "train.py:train, FILE as seen from the campaign",
                         function);
    declared = python_function_read (invocation->program, dir, function,
                                     &silent, &err);
    if (!declared)
        return complain (STATUS_FAILED, "%s", err.text);
    print_operator (invocation, declared, function);
    json_unref (declared);
    return STATUS_DONE;
}

static enum exit_status create (const struct invocation *invocation)
{
    const char *dir =
        invocation->n_args > 0 ? invocation->args[0] : invocation->dir;
    const char *program = invocation->program;
    const char *wanted = invocation_option (invocation, "template");
    const char *function = invocation_option (invocation, "operator");
    const struct template_file *first = wanted ? find_template (wanted) : NULL;
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;
    _cleanup_free_ char *name = NULL;

    if (wanted && function)
        return complain (STATUS_USAGE,
                         "--operator writes no files; leave --template out");
    if (wanted && !first)
        return complain_of_template (wanted);
    if (function)
        return create_operator (invocation, dir, function);
    name = campaign_name (dir);
    if ((first ? write_template (program, dir, first, name, &err)
               : write_ours (program, dir, name, &err))
        < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else
        print_written (invocation, dir, first);
    return status;
}

static const struct command_option options[] = {
    { "template", "NAME",
      "write this example with all its files; an unknown NAME tells which "
      "there "
      "are" },
    { "operator", "FILE:FUNCTION",
      "print what campaign.yaml says of an operator that runs this Python "
      "function (fanfold-python(7)); write no files" },
    { "json", NULL, "print what was written as one JSON object" },
    { 0 },
};

const struct command new_command = {
    .name = "new",
    .arguments = "[DIR]",
    .summary = "write a commented campaign.yaml and site.yaml",
    .max_args = 1,
    .options = options,
    .run = create,
};
