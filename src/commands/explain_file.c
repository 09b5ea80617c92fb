/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_file.c - the chain of tasks behind a file */
#include "base/base.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/explain_file.h"
#include "commands/lineage_left.h"
#include "commands/lineage.h"
#include "engine/history/removal.h"
#include "engine/history/version_lines.h"
#include "handover/slice_file.h"
#include "signature/programs.h"
#include "space/layout_read.h"

enum { NAMES_MAX = 5, VALUE_WIDTH = 60 };

/* --- which file --- */

char *campaign_path (const char *dir, const char *name)
{
    _cleanup_free_ char *full = path_absolute (name);
    _cleanup_free_ char *real = realpath (full, NULL);
    _cleanup_free_ char *real_dir = realpath (dir, NULL);
    const char *below = NULL;
    char *found = NULL;

    while (strncmp (name, "./", 2) == 0)
        name += 2 + strspn (name + 2, "/");
    if (real && real_dir && path_is_at_or_below (real, real_dir))
        below = real + strlen (real_dir);
    else if (path_is_at_or_below (full, dir))
        below = full + strlen (dir);
    else if (path_is_inside (name))
        below = name;
    if (below)
        found = xstrdup (below + strspn (below, "/"));
    for (size_t len = found ? strlen (found) : 0;
         len > 0 && found[len - 1] == '/'; len--)
        found[len - 1] = '\0';
    return found;
}

static void add_publisher (struct lineage *lineage, const char *name)
{
    if (!strvec_contains (&lineage->publishers, name))
        strvec_push (&lineage->publishers, name);
}

void lineage_add_publishers (struct lineage *lineage, const struct plan *plan,
                             const struct state *state)
{
    for (size_t i = 0; plan && i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];

        if (!stage_publishes (stage))
            continue;
        add_publisher (lineage, stage->name);
        for (int n = 0; n <= state_iteration (state); n++)
            add_publisher (lineage, state_dir_name (state, n, stage->name));
    }
}

/* --- for people --- */

static void print_line (const char *name, const char *text)
{
    printf ("  %-16s  %s\n", name, text);
}

/* "label, iterations 0-3 (64 tasks)", by stage. */
static void makers_text (const struct json *makers, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (makers); i++) {
        const char *stage = json_get_string (json_at (makers, i), "stage");
        struct task_range iterations = TASK_RANGE_INIT;
        size_t n = 0;
        bool told = false;

        for (size_t k = 0; k < json_count (makers); k++) {
            const struct json *one = json_at (makers, k);
            struct task_range tasks = TASK_RANGE_INIT;

            if (strcmp (json_get_string (one, "stage"), stage) != 0)
                continue;
            told = told || k < i;
            task_range_add (&iterations,
                            (int32_t)json_get_int (one, "iteration"));
            task_range_parse (json_get_string (one, "tasks"), &tasks, NULL);
            n += task_range_count (&tasks);
            task_range_release (&tasks);
        }
        if (!told) {
            strbuf_addf (out, "%s%s, iteration%s ", out->len > 0 ? "; " : "",
                         stage, task_range_count (&iterations) > 1 ? "s" : "");
            task_range_format (&iterations, out);
            strbuf_add_str (out, " (");
            format_count ((int64_t)n, "task", out);
            strbuf_add_char (out, ')');
        }
        task_range_release (&iterations);
    }
}

/* A path that no stage made, as its user knows it. */
static void file_text (const struct lineage_stage *stage, const char *path,
                       struct strbuf *out)
{
    const struct json *told =
        json_get (json_get (stage->bindings, "files"), path);
    const char *from = json_get_string (told, "from");
    const char *sha256 = json_get_string (told, "sha256");

    strbuf_add_str (out, *from ? from : path);
    if (*sha256)
        strbuf_addf (out, " (sha256 %.16s)", sha256);
}

struct naming {
    const struct lineage_stage *stage;
    struct strbuf *out;
    size_t n;
};

static void name_files (const struct json *value, struct naming *naming)
{
    const char *path = json_kind (value) == JSON_KIND_OBJECT
                           ? json_get_string (value, "path")
                           : json_as_string (value);
    struct space_path at;

    for (size_t i = 0;
         json_kind (value) == JSON_KIND_ARRAY && i < json_count (value); i++)
        name_files (json_at (value, i), naming);
    if (json_kind (value) == JSON_KIND_ARRAY || !*path)
        return;
    space_path_read (path, &at);
    if (at.kind == SPACE_STAGE || naming->n++ >= NAMES_MAX)
        return;
    strbuf_add_str (naming->out, naming->out->len > 0 ? "; " : "");
    file_text (naming->stage, path, naming->out);
}

static void artifact_text (const struct lineage *lineage,
                           const struct lineage_stage *stage, const char *name,
                           struct json *value, struct strbuf *out)
{
    struct naming naming = { stage, out, 0 };
    _cleanup_json_ struct json *values = json_object ();
    _cleanup_json_ struct json *makers = NULL;

    json_set (values, name, json_ref (value));
    makers = lineage_makers (lineage, stage, values);
    makers_text (makers, out);
    name_files (value, &naming);
    if (naming.n > NAMES_MAX)
        strbuf_addf (out, " and %zu more", naming.n - NAMES_MAX);
}

static void print_inputs (const struct lineage *lineage,
                          const struct lineage_stage *stage,
                          const struct json *values)
{
    JSON_FOREACH (values, it) {
        const char *name = json_iter_key (it);
        struct strbuf text = STRBUF_INIT;

        if (strcmp (name, SLICE_IDENTITY) == 0)
            continue;
        if (lineage_is_artifact (stage, name)) {
            artifact_text (lineage, stage, name, json_iter_value (it), &text);
        } else {
            json_dump (json_iter_value (it), JSON_COMPACT, &text);
            if (text.len > VALUE_WIDTH) {
                strbuf_truncate (&text, VALUE_WIDTH);
                strbuf_add_str (&text, " ...");
            }
        }
        print_line (name, text.buf ? text.buf : "");
        strbuf_release (&text);
    }
}

/* Where parameters come from, and what many tasks have one each of. */
static void print_sources (const struct lineage_stage *stage, bool alone)
{
    const struct json *same = json_get (stage->manifest, "values");

    JSON_FOREACH (json_get (stage->bindings, "sources"), it) {
        const struct json *list = json_iter_value (it);
        struct strbuf text = STRBUF_INIT;

        if (lineage_is_artifact (stage, json_iter_key (it))
            && (alone || json_get (same, json_iter_key (it))))
            continue;
        for (size_t i = 0; i < json_count (list); i++) {
            const struct json *one = json_at (list, i);

            strbuf_addf (
                &text, "%s%s of %s, iteration %s", i > 0 ? "; " : "from ",
                json_get_string (one, "output"), json_get_string (one, "stage"),
                json_get_string (one, "iterations"));
        }
        print_line (json_iter_key (it), text.buf);
        strbuf_release (&text);
    }
}

/* What tasks used and left, in all. */
struct summary {
    struct strvec hosts;
    double first_s, last_s, wall_s;
    struct json *outputs;  /* {NAME: [FILES, BYTES]} */
    struct json *versions; /* of the code (version_lines.h) */
    int32_t reused, known;
};

static void add_output (struct summary *sum, const char *name, int64_t bytes)
{
    const struct json *before = json_get (sum->outputs, name);
    struct json *v = json_array ();

    json_push (v, json_int (json_as_int (json_at (before, 0)) + 1));
    json_push (v, json_int (json_as_int (json_at (before, 1)) + bytes));
    json_set (sum->outputs, name, v);
}

static void add_task (struct summary *sum, const struct json *task)
{
    const struct json *run = json_get (task, "run");
    const char *host = json_get_string (run, "host");
    double began_s = json_get_double (run, "started_s");

    sum->known++;
    sum->reused += json_get (task, "reused") != NULL;
    if (*host && !strvec_contains (&sum->hosts, host))
        strvec_push (&sum->hosts, host);
    version_lines_note (sum->versions, json_get_string (run, "version_line"));
    if (began_s > 0 && (sum->first_s == 0 || began_s < sum->first_s))
        sum->first_s = began_s;
    if (began_s > sum->last_s)
        sum->last_s = began_s;
    sum->wall_s += json_get_double (run, "wall_s");
    JSON_FOREACH (json_get (task, "artifacts"), it) {
        if (!json_is_null (json_iter_value (it)))
            add_output (sum, json_iter_key (it),
                        json_get_int (json_iter_value (it), "bytes"));
    }
}

static void print_run (const struct summary *sum)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char when[CLOCK_ISO_SIZE];

    for (size_t i = 0; i < sum->hosts.n && i < NAMES_MAX; i++)
        strbuf_addf (&text, "%s%s", i > 0 ? ", " : "on ", sum->hosts.v[i]);
    if (sum->hosts.n > NAMES_MAX)
        strbuf_addf (&text, " and %zu more nodes", sum->hosts.n - NAMES_MAX);
    if (sum->first_s > 0) {
        clock_iso_here (sum->first_s, when);
        strbuf_addf (&text, ", %s", when);
    }
    if (sum->last_s > sum->first_s) {
        clock_iso_here (sum->last_s, when);
        strbuf_addf (&text, " to %s", when);
    }
    if (sum->wall_s > 0) {
        strbuf_add_str (&text, ", took ");
        format_duration (sum->wall_s, &text);
    }
    if (text.len > 0)
        print_line ("ran", text.buf);
    strbuf_reset (&text);
    version_lines_text (sum->versions, &text);
    if (text.len > 0)
        print_line ("code", text.buf);
}

/* ", removed in iteration 4 (keep: 2)", if it was. */
static void add_removal (const struct json *removed, const char *output,
                         struct strbuf *text)
{
    const struct json *removal = json_get (removed, output);

    if (!removal)
        return;
    strbuf_add_str (text, ", ");
    removal_text (removal, text);
}

static void print_outputs (const struct summary *sum,
                           const struct json *removed)
{
    JSON_FOREACH (sum->outputs, it) {
        const char *name = json_iter_key (it);
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        strbuf_addf (&text, "%s: ", name);
        format_count (json_as_int (json_at (json_iter_value (it), 0)),
                      "artifact", &text);
        strbuf_add_str (&text, ", ");
        format_bytes (json_as_int (json_at (json_iter_value (it), 1)), &text);
        add_removal (removed, name, &text);
        print_line ("made", text.buf);
    }
}

static void print_one_output (const char *name, const struct json *artifact,
                              const struct json *removed)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "%s: ", name);
    format_bytes (json_get_int (artifact, "bytes"), &text);
    strbuf_addf (&text, ", sha256 %s", json_get_string (artifact, "sha256"));
    add_removal (removed, name, &text);
    print_line ("made", text.buf);
}

static void print_task (const struct lineage *lineage,
                        const struct lineage_stage *stage, int task,
                        const struct json *left)
{
    _cleanup_json_ struct json *slice = lineage_slice (stage, task);
    const struct json *reused = json_get (left, "reused");
    _cleanup_ (strbuf_release) struct strbuf params = STRBUF_INIT;

    if (json_get (left, "seed"))
        printf ("  %-16s  %" PRId64 "\n", "seed", json_get_int (left, "seed"));
    print_inputs (lineage, stage, slice);
    if (reused)
        printf ("  %-16s  task %" PRId64 " of %s, iteration %" PRId64
                " in %s\n",
                "reused", json_get_int (reused, "task"),
                json_get_string (reused, "stage"),
                json_get_int (reused, "iteration"),
                json_get_string (reused, "campaign"));
    JSON_FOREACH (json_get (left, "artifacts"), it)
        print_one_output (json_iter_key (it), json_iter_value (it),
                          stage->removed);
    if (json_count (json_get (left, "params")) > 0) {
        json_dump (json_get (left, "params"), JSON_COMPACT, &params);
        print_line ("said", params.buf);
    }
}

static void print_heading (const struct lineage *lineage,
                           const struct lineage_stage *stage)
{
    size_t n = task_range_count (&stage->tasks);
    struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "\n%s, iteration %d: ", stage->stage, stage->iteration);
    if (n == 1)
        strbuf_addf (&text, "task %d", task_range_next (&stage->tasks, -1));
    else
        format_count ((int64_t)n, "task", &text);
    if (strcmp (stage->dir, lineage->dir) != 0)
        strbuf_addf (&text, ", in %s", stage->dir);
    puts (text.buf);
    strbuf_release (&text);
    if (!stage->manifest)
        print_line ("operator", "not known: its stage.json is gone");
    else if (json_get (stage->manifest, "version"))
        printf ("  %-16s  %s, version %" PRId64 "\n", "operator",
                json_get_string (stage->manifest, "operator"),
                json_get_int (stage->manifest, "version"));
    else
        printf (
            "  %-16s  %s (%.16s)\n", "operator",
            json_get_string (stage->manifest, "operator"),
            json_get_string (json_get (stage->manifest, "parts"), "version"));
}

/* Where the text is that ran, if it was kept. */
static void print_kept (const struct lineage_stage *stage, const char *path,
                        const char *sha256)
{
    _cleanup_ (strbuf_release) struct strbuf kept = STRBUF_INIT;
    _cleanup_free_ char *full = NULL;

    programs_run_from (stage->manifest, path, &kept);
    if (strcmp (kept.buf, path) == 0) {
        strbuf_reset (&kept);
        layout_input_copy (sha256, path_base (path), &kept);
    }
    full = path_join (stage->dir, kept.buf);
    if (file_exists (full))
        print_line ("", kept.buf);
}

static void print_programs (const struct lineage_stage *stage)
{
    JSON_FOREACH (json_get (json_get (stage->manifest, "parts"), "files"), it) {
        const char *sha256 = json_as_string (json_iter_value (it));

        printf ("  %-16s  %s (sha256 %.16s)\n", "program", json_iter_key (it),
                sha256);
        print_kept (stage, json_iter_key (it), sha256);
    }
}

static void print_unsteady (const struct lineage_stage *stage)
{
    _cleanup_json_ struct json *witness = lineage_file (stage, LAYOUT_WITNESS);

    if (json_get (witness, "unsteady"))
        print_line ("unsteady", json_get_string (witness, "unsteady"));
}

static void print_stage (const struct lineage *lineage,
                         const struct lineage_stage *stage)
{
    _cleanup_json_ struct json *collected = lineage_collected (stage);
    struct summary sum = { .hosts = STRVEC_INIT,
                           .outputs = json_object (),
                           .versions = json_object () };
    bool one = task_range_count (&stage->tasks) == 1;

    print_heading (lineage, stage);
    print_programs (stage);
    print_unsteady (stage);
    print_inputs (lineage, stage, json_get (stage->manifest, "values"));
    print_sources (stage, one);
    for (int32_t t = -1; (t = task_range_next (&stage->tasks, t)) >= 0;) {
        _cleanup_json_ struct json *left = lineage_left (stage, t);

        if (left)
            add_task (&sum, left);
        if (one)
            print_task (lineage, stage, t, left);
    }
    if (!one && sum.reused > 0)
        printf ("  %-16s  %d of the tasks\n", "reused", sum.reused);
    print_run (&sum);
    if (!one)
        print_outputs (&sum, stage->removed);
    JSON_FOREACH (collected, it)
        print_one_output (json_iter_key (it), json_iter_value (it),
                          stage->removed);
    strvec_release (&sum.hosts);
    json_unref (sum.outputs);
    json_unref (sum.versions);
}

static void print_files (const struct lineage *lineage)
{
    bool told = false;

    JSON_FOREACH (lineage->files, it) {
        const struct json *file = json_iter_value (it);
        const char *from = json_get_string (file, "from");

        if (!told)
            puts ("\nmade by no stage");
        told = true;
        printf ("  %s", *from ? from : json_iter_key (it));
        if (*json_get_string (file, "sha256"))
            printf (", sha256 %s", json_get_string (file, "sha256"));
        if (*from)
            printf (", copied to %s", json_iter_key (it));
        putchar ('\n');
    }
}

char *explain_file_path (const struct campaign *campaign, const char *name)
{
    const char *dir = campaign->engine.dir;
    char *path = strchr (name, '/') ? campaign_path (dir, name) : NULL;
    _cleanup_ (strbuf_release) struct strbuf there = STRBUF_INIT;
    struct space_path at = { .kind = SPACE_OTHER };
    _cleanup_free_ char *full = NULL;

    if (path)
        space_path_read (path, &at);
    /* What keep: removed has a path all the same: its stage is there. */
    if (at.kind == SPACE_STAGE)
        layout_stage_dir (
            &(struct stage_place){ at.name, at.code, at.iteration, 0 }, &there);
    else
        strbuf_add_str (&there, path ? path : "");
    full = path_join (dir, there.buf ? there.buf : "");
    if (path && (!*path || !file_exists (full))) {
        free (path);
        path = NULL;
    }
    return path;
}

enum exit_status explain_file (const struct campaign *campaign,
                               const char *path, bool json)
{
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;
    struct lineage lineage;

    lineage_init (&lineage, campaign->engine.dir);
    lineage_add_publishers (&lineage, campaign->plan, &campaign->engine.state);
    if (lineage_add (&lineage, path, &err) < 0
        || lineage_follow (&lineage, &err) < 0) {
        status = complain (STATUS_FAILED, "%s", err.text);
    } else {
        lineage_sort (&lineage);
        if (json) {
            explain_file_json (&lineage, path);
        } else {
            puts (path);
            for (size_t i = 0; i < lineage.n; i++)
                print_stage (&lineage, &lineage.stages[i]);
            print_files (&lineage);
        }
    }
    lineage_release (&lineage);
    return status;
}
