/* SPDX-License-Identifier: BSD-3-Clause */
/* import.c - a campaign of DP-GEN or DPGEN2 as one of Fanfold */
#include "base/base.h"

#include "arrays/array_job.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/command.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/dpgen2.h"
#include "import/draft_write.h"
#include "import/machine.h"
#include "import/run_dir.h"

/* --- reading --- */

static struct json *read_document (const char *path, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v = NULL;

    if (file_read (path, IMPORT_DOCUMENT_MAX_BYTES, &text, err) == 0)
        v = document_parse (text.buf, text.len, path, err);
    return v;
}

/* The directory that a file or directory is in, absolute.  Caller frees. */
static char *directory_of (const char *path)
{
    char *full = path_absolute (path);
    size_t len = (size_t)(path_base (full) - full);

    full[len > 1 ? len - 1 : len] = '\0';
    return full;
}

/* --- from whom --- */

struct source {
    const char *word; /* the first argument */
    int n_files;
    bool continues; /* --continue */
    int (*translate) (const struct invocation *invocation, struct draft *draft,
                      struct error *err);
};

/* The machine file at 'path' as profiles. */
static int read_machines (const char *path, struct draft *draft,
                          struct stage_machine stages[IMPORT_STAGES],
                          struct error *err)
{
    _cleanup_json_ struct json *machine = read_document (path, err);
    int rc = machine ? 0 : -1;

    if (rc == 0 && machine_translate (machine, draft, stages, err) < 0)
        rc = error_prefix (err, "%s", path);
    return rc;
}

static int from_dpgen (const struct invocation *invocation, struct draft *draft,
                       struct error *err)
{
    const char *param_path = invocation->args[1];
    const char *run = invocation_option (invocation, "continue");
    struct dpgen_progress progress = { .data = NULL };
    struct stage_machine stages[IMPORT_STAGES] = { { .profile = NULL } };
    _cleanup_json_ struct json *param = read_document (param_path, err);
    int rc = -1;

    if (param)
        rc = read_machines (invocation->args[2], draft, stages, err);
    if (rc == 0 && run)
        rc = run_dir_read (run, draft, &progress, err);
    if (rc == 0
        && dpgen_translate (param, stages, run ? &progress : NULL, draft, err)
               < 0)
        rc = error_prefix (err, "%s", param_path);
    dpgen_progress_release (&progress);
    for (size_t i = 0; i < IMPORT_STAGES; i++)
        stage_machine_release (&stages[i]);
    return rc;
}

static int from_dpgen2 (const struct invocation *invocation,
                        struct draft *draft, struct error *err)
{
    _cleanup_json_ struct json *input =
        read_document (invocation->args[1], err);
    int rc = input ? dpgen2_translate (input, draft, err) : -1;

    if (input && rc < 0)
        error_prefix (err, "%s", invocation->args[1]);
    return rc;
}

static const struct source sources[] = {
    { "dpgen", 2, true, from_dpgen },
    { "dpgen2", 1, false, from_dpgen2 },
};

/* --- telling --- */

static void print_report (const struct draft *draft, const char *dir)
{
    _cleanup_ (strbuf_release) struct strbuf word = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    size_t unknown = key_report_count (&draft->report, KEY_UNKNOWN);
    size_t unsupported = key_report_count (&draft->report, KEY_UNSUPPORTED);

    shell_quote (dir, &word);
    draft_summary (draft, &text);
    printf ("wrote campaign.yaml, site.yaml, import.txt and %zu further files "
            "in %s\n",
            draft->paths.n + json_count (draft->copies), dir);
    fputs (text.buf, stdout);
    printf ("\n%zu keys translated, %zu not supported, %zu unknown: import.txt "
            "has all\n"
            "next: fanfold -C %s check\n",
            key_report_count (&draft->report, KEY_TRANSLATED), unsupported,
            unknown, word.buf);
}

static void print_report_json (const struct draft *draft)
{
    _cleanup_json_ struct json *v = json_object ();

    json_set (v, "files", json_strings (&draft->paths));
    json_set (v, "absent", json_strings (&draft->absent));
    json_set (v, "remarks", json_strings (&draft->remarks));
    json_set (v, "keys", key_report_json (&draft->report));
    print_json (v);
}

/* --- the command --- */

static enum exit_status convert (const struct invocation *invocation,
                                 const struct source *source)
{
    const char *dir = invocation->args[source->n_files + 1];
    const char *said = invocation_option (invocation, "from");
    _cleanup_free_ char *from =
        said ? path_absolute (said) : directory_of (invocation->args[1]);
    _cleanup_free_ char *around = directory_of (dir);
    struct import_files files = import_files_of (from, around);
    struct draft draft;
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;

    draft_init (&draft, &files);
    if (source->translate (invocation, &draft, &err) < 0)
        status = complain (STATUS_INVALID, "%s", err.text);
    else if (draft_write (&draft, path_base (invocation->args[1]), dir, &err)
             < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else if (invocation_option (invocation, "json"))
        print_report_json (&draft);
    else
        print_report (&draft, dir);
    draft_release (&draft);
    return status;
}

static enum exit_status import (const struct invocation *invocation)
{
    for (size_t i = 0; i < ARRAY_SIZE (sources); i++) {
        if (strcmp (sources[i].word, invocation->args[0]) == 0
            && invocation->n_args == sources[i].n_files + 2) {
            if (!sources[i].continues
                && invocation_option (invocation, "continue"))
                return complain (STATUS_USAGE,
                                 "--continue is for runs of DP-GEN; a "
                                 "workflow of DPGEN2 is not taken over: name "
                                 "its data in inputs.init_data_sys, and "
                                 "import without it");
            return convert (invocation, &sources[i]);
        }
    }
    return complain (STATUS_USAGE, "write `fanfold import dpgen PARAM MACHINE "
                                   "DIR` or `fanfold import dpgen2 INPUT "
                                   "DIR`");
}

static const struct command_option options[] = {
    { "continue", "RUN_DIR",
      "go on where this directory of a DP-GEN run stands: its data, models and "
      "iteration" },
    { "from", "FROM",
      "relative paths of the input are seen from that directory (the "
      "input's)" },
    { "json", NULL, "print what became of every key as JSON" },
    { 0 },
};

const struct command import_command = {
    .name = "import",
    .arguments = "dpgen PARAM MACHINE DIR | dpgen2 INPUT DIR",
    .summary = "make a campaign of one of DP-GEN or DPGEN2",
    .min_args = 3,
    .max_args = 4,
    .options = options,
    .run = import,
};
