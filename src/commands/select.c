/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - what would be selected: other levels, other rules, on deviations
 * that are there; writes nothing
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/select_view.h"
#include "formats/number.h"
#include "selection/choose.h"
#include "selection/deviation_survey.h"
#include "selection/survey.h"

static const struct command_option options[] = {
    { "force", "LOW:HIGH", "levels in eV/angstrom (0.05:0.15)" },
    { "virial", "LOW:HIGH", "levels in eV/atom" },
    { "semantics", "NAME", "dpgen, dpgen2 or simplify" },
    { "adaptive", "N", "the N largest are candidates; a fraction if below 1" },
    { "quota", "N", "of each system (100)" },
    { "pick", "NAME", "random, max, stratified or inverse_population" },
    { "skip-steps", "N", "frames before step N do not count" },
    { "json", NULL, "the numbers as JSON" },
    { 0 },
};

/* --- which files --- */

static bool is_deviation_name (const char *name)
{
    size_t len = strlen (name);

    return strncmp (name, "model_devi", 10) == 0 && len >= 14
           && strcmp (name + len - 4, ".out") == 0;
}

/* Append the files below a directory, or the file itself. */
static int find_files (const char *path,
                       bool named,
                       struct strvec *files,
                       struct error *err)
{
    struct strvec names = STRVEC_INIT;
    struct stat st;
    int rc = 0;

    if (lstat (path, &st) < 0 || (named && stat (path, &st) < 0))
        return error_errno (err, "cannot find '%s'", path);
    if (!S_ISDIR (st.st_mode)) {
        if (named || is_deviation_name (path_base (path)))
            strvec_push (files, path);
        return 0;
    }
    rc = file_list_dir (path, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *inside = path_join (path, names.v[i]);

        rc = find_files (inside, false, files, err);
        free (inside);
    }
    strvec_release (&names);
    return rc;
}

/* DP-GEN's task.SSS.TTTTTT is of system SSS; other paths tell of none. */
static size_t system_of (const char *path, struct strvec *systems)
{
    const char *task = strstr (path, "task.");
    size_t len = task ? strspn (task + 5, "0123456789") : 0;
    char *name = len > 0 && task[5 + len] == '.' ? xstrndup (task + 5, len)
                                                 : xstrdup ("all");
    size_t i = 0;

    while (i < systems->n && strcmp (systems->v[i], name) != 0)
        i++;
    if (i == systems->n)
        strvec_push (systems, name);
    free (name);
    return i;
}

/* --- which rules --- */

/* "0.05:0.15", or the high level alone. */
static int read_levels (const char *option,
                        const char *text,
                        struct json *rules,
                        struct error *err)
{
    const char *end = text + strlen (text), *colon = strchr (text, ':');
    struct json *levels = json_object ();
    double low = 0, high;
    bool ok = !colon || number_read (text, end, &low) == colon;

    ok = ok && number_read (colon ? colon + 1 : text, end, &high) == end;
    if (ok) {
        if (colon)
            json_set (levels, "low", json_real (low));
        json_set (levels, "high", json_real (high));
        json_set (rules, option, levels);
        return 0;
    }
    json_unref (levels);
    return error_set (err, "--%s: '%s'; write LOW:HIGH", option, text);
}

static int read_whole (const char *option,
                       const char *key,
                       const char *text,
                       struct json *rules,
                       struct error *err)
{
    const char *end = text + strlen (text);
    int64_t n;

    if (integer_read (text, end, &n) != end || n < 0)
        return error_set (err, "--%s: '%s'; write a whole number", option,
                          text);
    json_set (rules, key, json_int (n));
    return 0;
}

/* How many of the largest by force, or which part of all. */
static int read_adaptive (const char *text,
                          struct json *rules,
                          struct error *err)
{
    const char *end = text + strlen (text);
    struct json *top, *adaptive;
    double n;

    if (number_read (text, end, &n) != end || !(n >= 0) || n > 1e15)
        return error_set (err, "--adaptive: '%s'; write a number", text);
    top = json_object ();
    adaptive = json_object ();
    if (n < 1)
        json_set (top, "fraction", json_real (n));
    else
        json_set (top, "count", json_int ((int64_t)n));
    json_set (adaptive, "force", top);
    json_set (rules, "adaptive", adaptive);
    return 0;
}

static struct json *default_rules (void)
{
    struct json *rules = json_object (), *levels = json_object ();

    json_set (levels, "low", json_real (0.05));
    json_set (levels, "high", json_real (0.15));
    json_set (rules, "force", levels);
    json_set (rules, "quota", json_int (100));
    json_set (rules, "quota_per", json_string ("system"));
    return rules;
}

/* The rules that the options ask for; NULL with 'err'. */
static struct json *ask_rules (const struct invocation *invocation,
                               struct error *err)
{
    struct json *rules = default_rules ();
    int rc = 0;

    for (const struct command_option *o = options; rc == 0 && o->name; o++) {
        const char *text = invocation_option (invocation, o->name);

        if (!text || !o->arg)
            continue;
        if (strcmp (o->arg, "LOW:HIGH") == 0)
            rc = read_levels (o->name, text, rules, err);
        else if (strcmp (o->name, "adaptive") == 0)
            rc = read_adaptive (text, rules, err);
        else if (strcmp (o->name, "skip-steps") == 0)
            rc = read_whole (o->name, "skip_steps", text, rules, err);
        else if (strcmp (o->arg, "N") == 0)
            rc = read_whole (o->name, o->name, text, rules, err);
        else
            json_set (rules, o->name, json_string (text));
    }
    if (rc == 0)
        return rules;
    json_unref (rules);
    return NULL;
}

/* --- passes --- */

struct what_if {
    struct strvec files;
    struct strvec systems;
    size_t *system; /* of each file */
    struct rules rules;
    struct survey survey;
    uint64_t cut;
    uint64_t repeated;
};

static struct deviation_source source_of (const struct what_if *what_if,
                                          size_t i,
                                          struct error *err)
{
    struct deviation_source source = { .path = what_if->files.v[i],
                                       .task = (int64_t)i,
                                       .system = what_if->system[i] };

    if (file_tree_bytes (source.path, &source.file_bytes, err) < 0)
        source.path = NULL;
    source.end = source.file_bytes;
    return source;
}

static int read_pass (struct what_if *what_if,
                      enum survey_pass pass,
                      struct error *err)
{
    struct survey *survey = &what_if->survey;
    struct deviation_reader *reader = deviation_reader_for (&what_if->rules);
    struct survey_part *part = survey_part_new (survey);
    struct once once = ONCE_INIT;
    uint64_t cut;
    int rc = 0;

    survey_start (survey, pass, what_if->rules.quota);
    what_if->cut = what_if->repeated = 0;
    for (size_t i = 0; rc == 0 && i < what_if->files.n; i++) {
        struct deviation_source source = source_of (what_if, i, err);

        rc = source.path ? deviation_survey (survey, &source, reader, &once,
                                             part, &cut, err)
                         : -1;
        if (rc < 0)
            break;
        survey_merge (survey, part);
        what_if->cut += cut;
        what_if->repeated += once.repeated;
    }
    once_release (&once);
    survey_part_free (part);
    deviation_reader_free (reader);
    return rc;
}

static int read_all (struct what_if *what_if, struct error *err)
{
    if (what_if->rules.adaptive) {
        if (read_pass (what_if, SURVEY_RANGES, err) < 0)
            return -1;
        survey_find_bins (&what_if->survey);
        if (read_pass (what_if, SURVEY_TOPS, err) < 0)
            return -1;
        survey_find_levels (&what_if->survey);
    }
    return read_pass (what_if, SURVEY_CLASSES, err);
}

/* How many of each system would be selected.  Caller frees. */
static uint64_t *count_selected (struct what_if *what_if)
{
    uint64_t *selected = xcalloc (what_if->systems.n, sizeof (*selected));
    struct drawn *frames;
    size_t n;

    choose_frames (&what_if->survey, NULL, NULL, true, &frames, &n);
    for (size_t i = 0; i < n; i++)
        selected[what_if->system[frames[i].task]]++;
    free (frames);
    return selected;
}

static void show (struct what_if *what_if, bool as_json)
{
    struct select_view view = { .survey = &what_if->survey,
                                .systems = &what_if->systems,
                                .selected = count_selected (what_if),
                                .n_files = what_if->files.n,
                                .cut_rows = what_if->cut,
                                .repeated_steps = what_if->repeated };

    if (as_json)
        select_view_json (&view);
    else
        select_view_print (&view);
    free (view.selected);
}

static enum exit_status find_all (const struct invocation *invocation,
                                  struct what_if *what_if)
{
    struct error err = ERROR_INIT;

    for (int i = 0; i < invocation->n_args; i++) {
        if (find_files (invocation->args[i], true, &what_if->files, &err) < 0)
            return complain (STATUS_FAILED, "%s", err.text);
    }
    if (what_if->files.n == 0)
        return complain (STATUS_FAILED,
                         "there is no model_devi*.out below '%s'",
                         invocation->args[0]);
    what_if->system = xcalloc (what_if->files.n, sizeof (*what_if->system));
    for (size_t i = 0; i < what_if->files.n; i++)
        what_if->system[i] = system_of (what_if->files.v[i], &what_if->systems);
    return STATUS_DONE;
}

static enum exit_status run_what_if (const struct invocation *invocation,
                                     const struct json *asked,
                                     struct what_if *what_if)
{
    struct error err = ERROR_INIT;
    enum exit_status status = find_all (invocation, what_if);

    if (status != STATUS_DONE)
        return status;
    if (rules_from_json (asked, &what_if->systems, &what_if->rules, &err) < 0)
        return complain (STATUS_USAGE, "%s", err.text);
    if (what_if->rules.pick == PICK_DIVERSE)
        return complain (STATUS_USAGE,
                         "--pick: diverse looks at structures, which are not "
                         "read here");
    survey_init (&what_if->survey, &what_if->rules);
    if (read_all (what_if, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    show (what_if, invocation_option (invocation, "json") != NULL);
    return STATUS_DONE;
}

static enum exit_status run_select (const struct invocation *invocation)
{
    struct what_if what_if = { .files = STRVEC_INIT, .systems = STRVEC_INIT };
    struct error err = ERROR_INIT;
    struct json *asked = ask_rules (invocation, &err);
    enum exit_status status;

    if (!asked)
        return complain (STATUS_USAGE, "%s", err.text);
    status = run_what_if (invocation, asked, &what_if);
    survey_release (&what_if.survey);
    rules_release (&what_if.rules);
    free (what_if.system);
    strvec_release (&what_if.systems);
    strvec_release (&what_if.files);
    json_unref (asked);
    return status;
}

const struct command select_command = {
    .name = "select",
    .arguments = "PATH...",
    .summary = "what other levels would select; writes nothing",
    .min_args = 1,
    .max_args = 1000000,
    .options = options,
    .run = run_select,
};
