/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.c - are results, and what they were made from, what they were? */
#include "base/base.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/harmless.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/explain_file.h"
#include "commands/lineage_left.h"
#include "commands/lineage.h"
#include "commands/lineage_users.h"
#include "engine/history/output_artifacts.h"
#include "space/layout_read.h"

static const double tell_every_s = 1;

struct verification {
    const volatile int *stop;
    bool all; /* go on behind the first that differs */
    int64_t files, bytes, removed;
    int64_t wrong;
    struct json *differences;          /* [{path, what}]; NULL: print them */
    const char *dir;                   /* the campaign's, absolute */
    const struct state *state;         /* what the journal knows */
    struct strvec asked;               /* paths; none: all there is */
    struct strvec met;                 /* of these what was compared */
    const struct lineage_stage *stage; /* that is looked at */
    struct heartbeat heartbeat;        /* tells how far it is */
    bool tells;
    double told_s;
};

/* Is there more to do? */
static bool goes_on (const struct verification *v)
{
    return !*v->stop && (v->all || v->wrong == 0);
}

static void tell_progress (void *arg)
{
    struct verification *v = arg;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    double now_s = clock_mono_s ();

    if (!v->tells || now_s < v->told_s + tell_every_s)
        return;
    v->told_s = now_s;
    format_bytes (v->bytes, &text);
    fputs (ERASE_LINE, stderr);
    fprintf (stderr, "%" PRId64 " results, %s", v->files, text.buf);
    if (v->stage)
        fprintf (stderr, ": %s, iteration %d", v->stage->stage,
                 v->stage->iteration);
}

static void end_progress (const struct verification *v)
{
    if (v->tells && v->told_s > 0)
        fputs (ERASE_LINE, stderr);
}

static void say_wrong (struct verification *v, const char *path,
                       const char *what)
{
    struct json *one;

    end_progress (v);
    v->wrong++;
    if (!v->differences) {
        printf ("%s: %s\n", path, what);
        return;
    }
    one = json_object ();
    json_set (one, "path", json_string (path));
    json_set (one, "what", json_string (what));
    json_push (v->differences, one);
}

/* --- one artifact --- */

/* Is it, or anything below or above it, to be compared?  Then that is noted. */
static bool is_asked (struct verification *v, const char *path)
{
    bool asked = v->asked.n == 0;

    for (size_t i = 0; i < v->asked.n; i++) {
        const char *one = v->asked.v[i];

        if (!path_is_at_or_below (path, one)
            && !path_is_at_or_below (one, path))
            continue;
        asked = true;
        if (!strvec_contains (&v->met, one))
            strvec_push (&v->met, one);
    }
    return asked;
}

/* What the path leads to has this digest, or is told. */
static void verify_path (struct verification *v, const char *dir,
                         const char *path, const char *sha256, const char *what)
{
    _cleanup_free_ char *full = path_join (dir, path);
    char hex[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    tell_progress (v);
    v->files++;
    if (strcmp (dir, v->dir) == 0)
        is_asked (v, path);
    if (digest_tree (full, hex, NULL, &v->heartbeat, &err) < 0)
        strbuf_addf (&text,
                     error_is_absence (&err) ? "is missing (%s)"
                                             : "cannot be read (%s)",
                     error_is_absence (&err) ? what : err.text);
    else if (strcmp (hex, sha256) != 0)
        strbuf_addf (&text, "differs: its sha256 is %s, and was %s (%s)", hex,
                     sha256, what);
    if (text.len > 0)
        say_wrong (v, path, text.buf);
}

static void verify_artifact (struct verification *v, const char *path,
                             const char *output, const struct json *artifact)
{
    _cleanup_ (strbuf_release) struct strbuf what = STRBUF_INIT;

    if (json_get (v->stage->removed, output)) {
        v->removed++;
        is_asked (v, path);
    } else if (!json_is_null (artifact)) {
        strbuf_addf (&what, "output '%s' of %s, iteration %d", output,
                     v->stage->stage, v->stage->iteration);
        verify_path (v, v->stage->dir, path,
                     json_get_string (artifact, "sha256"), what.buf);
        v->bytes += json_get_int (artifact, "bytes");
    }
}

/* --- a stage --- */

/* What the tasks of the stage were told of in outputs.json; a task whose
 * result.json says otherwise was changed.
 */
static void verify_task (struct verification *v, int task)
{
    const struct stage_place place = lineage_place (v->stage);
    _cleanup_json_ struct json *result = lineage_result (v->stage, task);
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    size_t len;

    layout_task_out (&place, task, &out);
    len = out.len;
    JSON_FOREACH (json_get (result, "artifacts"), it) {
        strbuf_truncate (&out, len);
        strbuf_addf (&out, "/%s",
                     json_get_string (json_iter_value (it), "path"));
        if (goes_on (v))
            verify_artifact (v, out.buf, json_iter_key (it),
                             json_iter_value (it));
    }
}

static int verify_collected (const struct output_artifact *artifact, void *arg,
                             struct error *err)
{
    struct verification *v = arg;
    _cleanup_json_ struct json *told = NULL;
    struct space_path at;

    (void)err;
    space_path_read (artifact->path, &at);
    if (at.task >= 0 || !goes_on (v))
        return 0;
    told = json_object ();
    json_set (told, "sha256", json_string (artifact->sha256));
    json_set (told, "bytes", json_int (artifact->bytes));
    verify_artifact (v, artifact->path, artifact->output, told);
    return 0;
}

/* outputs.json and result.json have to tell the same of a task. */
static int compare_told (const struct output_artifact *artifact, void *arg,
                         struct error *err)
{
    struct verification *v = arg;
    struct space_path at;
    _cleanup_json_ struct json *result = NULL;
    const struct json *told;

    (void)err;
    space_path_read (artifact->path, &at);
    if (at.task < 0 || !goes_on (v)
        || !task_range_contains (&v->stage->tasks, at.task))
        return 0;
    result = lineage_result (v->stage, at.task);
    told = json_get (json_get (result, "artifacts"), artifact->output);
    if (!result)
        say_wrong (v, artifact->path,
                   "its result.json is missing, or is no result of that task");
    else if (strcmp (json_get_string (told, "sha256"), artifact->sha256) != 0)
        say_wrong (v, artifact->path,
                   "outputs.json and result.json tell different digests");
    return 0;
}

/* What the journal says of the stage that is looked at; NULL: nothing. */
static const struct stage_state *known_stage (const struct verification *v)
{
    const struct stage_place place = lineage_place (v->stage);

    return strcmp (v->stage->dir, v->dir) == 0
               ? state_stage_in (v->state, &place)
               : NULL;
}

/* By the digest that the journal has of it. */
static void verify_outputs (struct verification *v)
{
    const struct stage_place place = lineage_place (v->stage);
    const struct stage_state *known = known_stage (v);
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf what = STRBUF_INIT;

    layout_stage_path (&place, LAYOUT_OUTPUTS, &path);
    strbuf_addf (&what, "what %s made in iteration %d", place.stage,
                 place.iteration);
    if (known && known->status == STAGE_DONE && known->outputs && goes_on (v))
        verify_path (v, v->dir, path.buf, known->outputs, what.buf);
}

static void verify_stage (struct verification *v)
{
    const struct stage_place place = lineage_place (v->stage);
    _cleanup_json_ struct json *file = lineage_file (v->stage, LAYOUT_OUTPUTS);

    for (int32_t t = -1;
         goes_on (v) && (t = task_range_next (&v->stage->tasks, t)) >= 0;)
        verify_task (v, t);
    verify_outputs (v);
    if (file)
        output_artifacts_each (file, &place, NULL, compare_told, v, NULL);
    if (file && v->stage->collected)
        output_artifacts_each (file, &place, NULL, verify_collected, v, NULL);
}

/* --- logs, which have the parameters of tasks that made no files --- */

/* So much of it as results stand on has this digest. */
static void verify_log (struct verification *v, const char *dir,
                        const char *path, const struct json *journaled)
{
    int64_t bytes = json_get_int (journaled, "bytes");
    _cleanup_free_ char *full = path_join (dir, path);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];

    tell_progress (v);
    v->files++;
    v->bytes += bytes;
    if (file_read_range (full, 0, (size_t)bytes, &text, NULL) < 0) {
        say_wrong (v, path, "is missing, or shorter than it was");
    } else {
        digest_bytes (text.buf, text.len, hex);
        if (strcmp (hex, json_get_string (journaled, "sha256")) != 0)
            say_wrong (v, path,
                       "differs: results of tasks were taken from it, and it "
                       "was changed since");
    }
}

static bool is_met (const struct lineage *lineage, const char *stage,
                    int iteration)
{
    for (size_t i = 0; i < lineage->n; i++) {
        const struct lineage_stage *s = &lineage->stages[i];

        if (s->iteration == iteration && strcmp (s->stage, stage) == 0
            && strcmp (s->dir, lineage->dir) == 0)
            return true;
    }
    return false;
}

static void verify_logs (struct verification *v, const struct state *state,
                         const struct lineage *lineage, int iteration)
{
    const struct iteration_state *it = &state->iterations[iteration];

    for (size_t i = 0; i < it->n_stages; i++) {
        const struct stage_state *s = &it->stages[i];
        const char *name = s->dir ? s->dir : s->name;

        if (!is_met (lineage, name, iteration))
            continue;
        JSON_FOREACH (s->logs, log) {
            _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

            layout_run (s->generation, &path);
            strbuf_addf (&path, "/%s", json_iter_key (log));
            if (goes_on (v))
                verify_log (v, lineage->dir, path.buf, json_iter_value (log));
        }
    }
}

/* What the journal tells of them; without one it is not known. */
static void verify_all_logs (struct verification *v,
                             const struct lineage *lineage)
{
    v->stage = NULL;
    for (int i = 0; i <= state_iteration (v->state); i++)
        verify_logs (v, v->state, lineage, i);
}

/* --- what no stage made --- */

static void verify_files (struct verification *v, const struct lineage *lineage)
{
    v->stage = NULL;
    JSON_FOREACH (lineage->files, it) {
        const struct json *file = json_iter_value (it);
        const char *sha256 = json_get_string (file, "sha256");

        if (goes_on (v) && *sha256)
            verify_path (v, lineage->dir, json_iter_key (it), sha256,
                         *json_get_string (file, "from")
                             ? "a copy of what a stage read"
                             : "what a stage read");
    }
}

/* --- training data --- */

/* By what the journal has of them since they were published. */
static void verify_datasets (struct verification *v)
{
    v->stage = NULL;
    for (int i = 0; i <= state_iteration (v->state); i++) {
        JSON_FOREACH (v->state->iterations[i].dataset, it) {
            _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

            layout_dataset_dir (json_iter_key (it), i, &path);
            if (goes_on (v) && is_asked (v, path.buf))
                verify_path (v, v->dir, path.buf,
                             json_as_string (json_iter_value (it)),
                             "training data as they were published");
        }
    }
}

/* --- what is asked for --- */

/* One that no stage made, as it was read last. */
static void verify_read_file (struct verification *v, const char *path)
{
    _cleanup_free_ char *sha256 = lineage_read_digest (v->dir, v->state, path);

    if (sha256)
        verify_path (v, v->dir, path, sha256, "what a stage read");
}

static bool is_directory (const char *path)
{
    struct stat st;

    return stat (path, &st) == 0 && S_ISDIR (st.st_mode);
}

/* Files that stages only tell by their directories, or that tell themselves. */
static bool is_told (const struct verification *v, const char *path)
{
    _cleanup_free_ char *full = path_join (v->dir, path);
    struct space_path at;
    bool told;

    space_path_read (path, &at);
    told = at.kind == SPACE_STAGE && file_exists (full)
           && (is_directory (full) || strcmp (at.rest, LAYOUT_OUTPUTS) == 0
               || strcmp (at.rest, LAYOUT_REMOVED) == 0
               || strcmp (at.rest, LAYOUT_SEEN) == 0
               || strcmp (at.rest, LAYOUT_WITNESS) == 0
               || strcmp (path_base (path), LAYOUT_RESULT_FILE) == 0);
    return told;
}

static void verify_asked (struct verification *v)
{
    for (size_t i = 0; i < v->asked.n && goes_on (v); i++) {
        const char *path = v->asked.v[i];

        if (!strvec_contains (&v->met, path))
            verify_read_file (v, path);
        if (!strvec_contains (&v->met, path) && !is_told (v, path))
            say_wrong (v, path,
                       "nothing tells what it was: it is no result, and no "
                       "stage has read it");
    }
}

static enum exit_status add_asked (const struct invocation *invocation,
                                   struct verification *v,
                                   struct lineage *lineage)
{
    struct error err = ERROR_INIT;

    if (invocation->n_args == 0)
        lineage_add_all (lineage, v->state);
    for (int i = 0; i < invocation->n_args; i++) {
        char *path = campaign_path (lineage->dir, invocation->args[i]);
        int rc = path && *path ? lineage_add (lineage, path, &err)
                               : error_set (&err, "%s: not in the campaign",
                                            invocation->args[i]);

        if (rc == 0)
            strvec_push (&v->asked, path);
        free (path);
        if (rc < 0)
            return complain (STATUS_USAGE, "%s", err.text);
    }
    return lineage_follow (lineage, &err) < 0
               ? complain (STATUS_FAILED, "%s", err.text)
               : STATUS_DONE;
}

static void print_end (const struct verification *v)
{
    _cleanup_json_ struct json *end = json_object ();

    json_set (end, "ok", json_bool (v->wrong == 0));
    json_set (end, "compared", json_int (v->files));
    json_set (end, "bytes", json_int (v->bytes));
    json_set (end, "removed", json_int (v->removed));
    json_set (end, "differences", json_ref (v->differences));
    print_json (end);
}

static enum exit_status tell_end (const struct verification *v)
{
    struct strbuf text = STRBUF_INIT;

    end_progress (v);
    format_count (v->files, "result", &text);
    strbuf_add_str (&text, ", ");
    format_bytes (v->bytes, &text);
    if (v->removed > 0)
        strbuf_addf (&text, " (%" PRId64 " more were removed: keep)",
                     v->removed);
    if (*v->stop)
        return complain (STATUS_INTERRUPTED, "stopped after %s", text.buf);
    if (v->differences)
        print_end (v);
    else if (v->wrong == 0)
        printf ("%s: all as they were\n", text.buf);
    strbuf_release (&text);
    return v->wrong > 0 ? STATUS_FAILED : STATUS_DONE;
}

static enum exit_status verify_lineage (const struct invocation *invocation,
                                        const struct plan *plan,
                                        struct verification *v)
{
    struct lineage lineage;
    enum exit_status status;

    lineage_init (&lineage, v->dir);
    lineage_add_publishers (&lineage, plan, v->state);
    status = add_asked (invocation, v, &lineage);
    lineage_sort (&lineage);
    for (size_t i = lineage.n; status == STATUS_DONE && i-- > 0;) {
        v->stage = &lineage.stages[i];
        if (goes_on (v))
            verify_stage (v);
    }
    if (status == STATUS_DONE) {
        verify_datasets (v);
        verify_all_logs (v, &lineage);
        verify_files (v, &lineage);
        verify_asked (v);
        status = tell_end (v);
    }
    lineage_release (&lineage);
    return status;
}

static enum exit_status verify (const struct invocation *invocation)
{
    _cleanup_free_ char *dir = path_absolute (invocation->dir);
    struct verification v = { .stop = stopping_flag (),
                              .all =
                                  invocation_option (invocation, "all") != NULL,
                              .asked = STRVEC_INIT,
                              .met = STRVEC_INIT,
                              .dir = dir,
                              .tells = isatty (STDERR_FILENO) };
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    _cleanup_plan_ struct plan *plan =
        campaign_plan (invocation, false, NULL, NULL, &problems);
    struct error err = ERROR_INIT;
    struct engine engine;
    enum exit_status status;

    v.heartbeat = (struct heartbeat){ tell_progress, &v };
    if (invocation_option (invocation, "json"))
        v.differences = json_array ();
    if (engine_open (&engine, dir, invocation->program, &err) < 0) {
        status = complain (STATUS_FAILED, "%s", err.text);
    } else {
        v.state = &engine.state;
        status = verify_lineage (invocation, plan, &v);
        engine_close (&engine);
    }
    json_unref (v.differences);
    strvec_release (&v.met);
    strvec_release (&v.asked);
    return status;
}

static const struct command_option options[] = {
    { "all", NULL, "name all that differ, not the first" },
    { "json", NULL, "print what differs as one JSON object" },
    { 0 },
};

const struct command verify_command = {
    .name = "verify",
    .arguments = "[FILE ...]",
    .summary = "recompute the digests of results and of what they were made "
               "from",
    .max_args = 1000,
    .options = options,
    .run = verify,
};
