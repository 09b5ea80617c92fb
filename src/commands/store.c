/* SPDX-License-Identifier: BSD-3-Clause */
/* store.c - look after the store: list, verify, gc */
#include "base/base.h"

#include "base/findings.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "report/table.h"
#include "store/store.h"
#include "store/store_upkeep.h"

enum { BY_SHOWN = 2 };

/* What was done, in one line. */
static void print_line (struct strbuf *line)
{
    puts (line->buf);
    strbuf_release (line);
}

static enum exit_status failed (const struct error *err)
{
    return complain (STATUS_FAILED, "%s", err->text);
}

/* --- list --- */

static struct json *content_json (const struct store_content *content)
{
    struct json *v = json_object ();

    json_set (v, "sha256", json_string (content->hex));
    json_set (v, "kind",
              json_string (content->kind == STORE_FILE ? "file" : "tree"));
    json_set (v, "files", json_int (content->files));
    json_set (v, "bytes", json_int (content->bytes));
    json_set (v, "by",
              content->by ? json_deep_copy (content->by) : json_array ());
    json_set (v, "kept", json_bool (content->kept));
    return v;
}

static struct json *survey_json (const char *dir,
                                 const struct store_survey *survey)
{
    struct json *v = json_object (), *contents = json_array ();
    int64_t files = 0, trees = 0, bytes = 0;

    for (size_t i = 0; i < survey->n; i++) {
        const struct store_content *content = &survey->v[i];

        files += content->files;
        trees += content->kind == STORE_TREE;
        bytes += content->bytes;
        json_push (contents, content_json (content));
    }
    json_set (v, "store", json_string (dir));
    json_set (v, "files", json_int (files));
    json_set (v, "trees", json_int (trees));
    json_set (v, "bytes", json_int (bytes));
    json_set (v, "documents", json_int (survey->documents));
    json_set (v, "contents", contents);
    return v;
}

/* "a, b and 3 more" */
static void add_names (const struct json *by, bool kept, struct strbuf *out)
{
    size_t n = json_count (by);

    for (size_t i = 0; i < n && i < BY_SHOWN; i++)
        strbuf_addf (out, "%s%s", i > 0 ? ", " : "",
                     json_as_string (json_at (by, i)));
    if (n > BY_SHOWN)
        strbuf_addf (out, " and %zu more", n - BY_SHOWN);
    if (n == 0)
        strbuf_add_str (out, kept ? "none yet" : "none");
}

static void add_row (const struct json *content, struct strvec *cells)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strvec_pushf (cells, "%.12s", json_get_string (content, "sha256"));
    strvec_push (cells, json_get_string (content, "kind"));
    strvec_pushf (cells, "%lld", (long long)json_get_int (content, "files"));
    format_bytes (json_get_int (content, "bytes"), &text);
    strvec_push (cells, text.buf);
    strbuf_reset (&text);
    add_names (json_get (content, "by"),
               json_as_bool (json_get (content, "kept")), &text);
    strvec_push (cells, text_made_plain (text.buf));
}

static void print_table (const struct json *contents)
{
    static const char *const heads[] = { "SHA-256", "kind", "files", "size",
                                         "referred to by" };
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (heads); i++)
        strvec_push (&cells, heads[i]);
    for (size_t i = 0; i < json_count (contents); i++)
        add_row (json_at (contents, i), &cells);
    if (json_count (contents) > 0)
        table_text (&cells, ARRAY_SIZE (heads), &text);
    fputs (text.buf, stdout);
}

static void print_survey (const struct json *v)
{
    struct strbuf line = STRBUF_INIT;

    strbuf_addf (&line, "%s: ", json_get_string (v, "store"));
    format_count (json_get_int (v, "files"), "file", &line);
    strbuf_add_str (&line, ", ");
    format_bytes (json_get_int (v, "bytes"), &line);
    strbuf_add_str (&line, "; ");
    format_count (json_get_int (v, "trees"), "tree", &line);
    strbuf_add_str (&line, ", ");
    format_count (json_get_int (v, "documents"), "document", &line);
    print_line (&line);
    print_table (json_get (v, "contents"));
}

static enum exit_status list (const struct invocation *invocation,
                              struct store *store)
{
    struct store_survey survey;
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;
    struct json *v;

    if (store_survey_take (store, STORE_KEPT_AT_LEAST_S, &survey, &err) < 0) {
        status = failed (&err);
    } else {
        v = survey_json (store_path (store), &survey);
        if (invocation_option (invocation, "json"))
            print_json (v);
        else
            print_survey (v);
        json_unref (v);
    }
    store_survey_release (&survey);
    return status;
}

/* --- verify --- */

static struct json *verify_json (const struct store_verify_counts *counts,
                                 const struct findings *findings)
{
    struct json *v = json_object ();

    json_set (v, "files", json_int (counts->files));
    json_set (v, "trees", json_int (counts->trees));
    json_set (v, "documents", json_int (counts->documents));
    json_set (v, "bytes", json_int (counts->bytes));
    json_set (v, "damaged", findings_to_json (findings));
    return v;
}

static void print_verified (const struct store_verify_counts *counts,
                            const struct findings *findings)
{
    struct strbuf text = STRBUF_INIT;

    if (findings->n > 0)
        findings_text (findings, &text);
    fputs (text.buf, stdout);
    strbuf_reset (&text);
    format_count (counts->files, "file", &text);
    strbuf_add_str (&text, ", ");
    format_bytes (counts->bytes, &text);
    strbuf_add_str (&text, "; ");
    format_count (counts->trees, "tree", &text);
    strbuf_add_str (&text, ", ");
    format_count (counts->documents, "document", &text);
    strbuf_addf (&text, ": %lld damaged", (long long)counts->damaged);
    print_line (&text);
}

static enum exit_status verify (const struct invocation *invocation,
                                struct store *store)
{
    struct store_verify_counts counts;
    _cleanup_ (findings_release) struct findings findings = FINDINGS_INIT;
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;
    int rc = store_verify (store, &findings, &counts, &err);
    _cleanup_json_ struct json *v = verify_json (&counts, &findings);

    if (invocation_option (invocation, "json"))
        print_json (v);
    else
        print_verified (&counts, &findings);
    if (counts.damaged > 0)
        status = STATUS_FAILED;
    if (rc < 0)
        status = failed (&err);
    return status;
}

/* --- gc --- */

static struct json *gc_json (const struct store_gc_counts *counts)
{
    struct json *v = json_object ();

    json_set (v, "files", json_int (counts->files));
    json_set (v, "trees", json_int (counts->trees));
    json_set (v, "temporaries", json_int (counts->temporaries));
    json_set (v, "bytes", json_int (counts->bytes));
    return v;
}

static void print_removed (const struct store_gc_counts *counts, bool dry_run)
{
    struct strbuf line = STRBUF_INIT;

    strbuf_add_str (&line, dry_run ? "would remove " : "removed ");
    format_count (counts->files, "file", &line);
    strbuf_add_str (&line, ", ");
    format_count (counts->trees, "tree", &line);
    strbuf_add_str (&line, ": ");
    format_bytes (counts->bytes, &line);
    strbuf_add_str (&line, dry_run ? " would be free" : " are free");
    print_line (&line);
}

static enum exit_status gc (const struct invocation *invocation,
                            struct store *store)
{
    bool dry_run = invocation_option (invocation, "dry-run") != NULL;
    const char *age = invocation_option (invocation, "age");
    double kept_s = STORE_KEPT_AT_LEAST_S;
    struct store_gc_counts counts;
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;
    struct json *v;

    if (age && parse_duration (age, &kept_s) < 0)
        return complain (STATUS_USAGE,
                         "--age: '%s'; write a duration such as 1h", age);
    if (store_gc (store, kept_s, dry_run, &counts, &err) < 0) {
        status = failed (&err);
    } else {
        v = gc_json (&counts);
        if (invocation_option (invocation, "json"))
            print_json (v);
        else
            print_removed (&counts, dry_run);
        json_unref (v);
    }
    return status;
}

/* --- the command --- */

static const struct {
    const char *word;
    enum exit_status (*run) (const struct invocation *invocation,
                             struct store *store);
} actions[] = { { "list", list }, { "verify", verify }, { "gc", gc } };

/* Looking after a store makes none: where there is none yet '*store' stays
 * NULL, and STATUS_DONE.
 */
static enum exit_status open_there (const struct invocation *invocation,
                                    struct store **store)
{
    _cleanup_plan_ struct plan *plan =
        campaign_plan_or_complain (invocation, true);
    _cleanup_free_ char *dir = plan ? store_dir (plan->store) : NULL;
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;
    int there = dir ? store_there (dir, &err) : 0;

    if (!plan)
        status = STATUS_INVALID;
    else if (!dir)
        status = complain (STATUS_FAILED,
                           "there is no store: HOME is not set, or store: in "
                           "site.yaml or FANFOLD_STORE says none; name one "
                           "with either");
    else if (there == 0)
        complain (STATUS_DONE,
                  "there is no store in '%s' yet; it is made when something is "
                  "first put into it",
                  dir);
    else if (there < 0 || !(*store = store_open (dir, &err)))
        status = failed (&err);
    return status;
}

static enum exit_status look_after (const struct invocation *invocation)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    struct store *store = NULL;
    enum exit_status status;
    size_t i = 0;

    while (i < ARRAY_SIZE (actions)
           && strcmp (actions[i].word, invocation->args[0]) != 0)
        strvec_push (&words, actions[i++].word);
    if (i == ARRAY_SIZE (actions))
        status = complain_unknown ("command of the store", invocation->args[0],
                                   &words);
    else if (actions[i].run != gc
             && (invocation_option (invocation, "dry-run")
                 || invocation_option (invocation, "age")))
        status = complain (STATUS_USAGE, "--dry-run and --age are for gc");
    else if ((status = open_there (invocation, &store)) == STATUS_DONE && store)
        status = actions[i].run (invocation, store);
    else if (status == STATUS_DONE && invocation_option (invocation, "json"))
        puts ("{}");
    store_close (store);
    return status;
}

static const struct command_option options[] = {
    { "age", "DURATION",
      "make gc keep what was put in less than so long ago (default: 1h)" },
    { "dry-run", NULL, "let gc only say what it would remove" },
    { "json", NULL, "print what was found, or done, as JSON" },
    { 0 },
};

const struct command store_command = {
    .name = "store",
    .arguments = "list | verify | gc",
    .summary = "look after the contents that `fanfold quick` keeps",
    .min_args = 1,
    .max_args = 1,
    .options = options,
    .run = look_after,
};
