/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_text.c - why a stage or a task has the state it has, for people */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/units.h"
#include "commands/explain_record.h"
#include "engine/history/removal.h"
#include "engine/history/state.h"
#include "report/group_view.h"
#include "report/inputs_view.h"
#include "report/reuse_view.h"
#include "report/status_view.h"

/* "NAME: TEXT", where the record has it. */
static void line_text (const struct json *record, const char *key,
                       const char *name, struct strbuf *out)
{
    if (json_get (record, key))
        strbuf_addf (out, "%s: %s\n", name, json_get_string (record, key));
}

static void task_text (const struct json *record, struct strbuf *out)
{
    const struct json *checkpoint = json_get (record, "checkpoint");
    int64_t tries = json_get_int (record, "tries");

    if (!json_get (record, "task"))
        return;
    strbuf_addf (out, "task %" PRId64 ": %s, %" PRId64 " %s\n",
                 json_get_int (record, "task"),
                 json_get_string (record, "outcome"), tries,
                 tries == 1 ? "try" : "tries");
    if (checkpoint) {
        strbuf_add_str (out, "continues from a checkpoint of ");
        checkpoint_text (checkpoint, out);
        strbuf_add_char (out, '\n');
    }
}

/* What it made and is there no more. */
static void removed_text (const struct json *record, struct strbuf *out)
{
    JSON_FOREACH (json_get (record, "removed"), it) {
        const struct json *removal = json_iter_value (it);

        if (removal_is_of_raw (removal))
            strbuf_add_str (out, "raw files: ");
        else
            strbuf_addf (out, "output '%s': ", json_iter_key (it));
        removal_text (removal, out);
        if (!removal_is_of_raw (removal))
            strbuf_addf (out,
                         "; `fanfold redo %s --iteration %" PRId64
                         "` makes it again",
                         json_get_string (record, "stage"),
                         json_get_int (record, "iteration"));
        strbuf_add_char (out, '\n');
    }
}

/* Of a task that did not run here; its number there where its files tell. */
static void origin_text (const struct json *record, struct strbuf *out)
{
    const struct json *origin = json_get (record, "reused");

    if (!origin)
        return;
    if (json_get (origin, "task"))
        strbuf_addf (out, "reused: task %" PRId64 " of ",
                     json_get_int (origin, "task"));
    else
        strbuf_add_str (out, "reused: from ");
    reused_origin_text (origin, out);
    strbuf_add_char (out, '\n');
}

static void prepared_text (const struct json *record, struct strbuf *out)
{
    bool is_done = strcmp (json_get_string (record, "state"),
                           stage_status_name (STAGE_DONE))
                   == 0;

    if (json_get (record, "unsteady"))
        strbuf_addf (out, "unsteady: %s%s\n",
                     json_get_string (record, "unsteady"),
                     is_done ? UNSTEADY_MEANS : "");
    origin_text (record, out);
    if (json_get (record, "operator"))
        strbuf_addf (out, "operator: %s", json_get_string (record, "operator"));
    if (json_get (record, "version"))
        strbuf_addf (out, ", version %" PRId64,
                     json_get_int (record, "version"));
    if (json_get (record, "operator"))
        strbuf_add_char (out, '\n');
    line_text (record, "definition", "definition", out);
}

/* --- what happened --- */

/* {TASK: TEXT} */
static void messages_text (const struct json *messages, struct strbuf *out)
{
    JSON_FOREACH (messages, it) {
        strbuf_addf (out, "    task %s: %s\n", json_iter_key (it),
                     json_as_string (json_iter_value (it)));
    }
}

static void event_text (const struct json *event, struct strbuf *out)
{
    const char *detail = json_get_string (event, "detail");
    char when[CLOCK_ISO_SIZE];

    clock_iso_here (json_get_double (event, "at_s"), when);
    strbuf_addf (out, "%s  %s%s%s\n", when, json_get_string (event, "what"),
                 *detail ? ": " : "", detail);
    messages_text (json_get (event, "why"), out);
    messages_text (json_get (event, "remarks"), out);
    JSON_FOREACH (json_get (event, "retired"), it)
        strbuf_addf (out, "    %s\n", json_iter_key (it));
    reused_origins_text (json_get (event, "reused"), out);
}

/* --- a task's newest try --- */

/* "memory of NUMA nodes 0-1 first" */
static void memory_text (const struct json *policy, struct strbuf *out)
{
    const char *mode = json_get_string (policy, "mode");
    const char *how = " in turn";

    if (strcmp (mode, "preferred") == 0)
        how = " first";
    else if (strcmp (mode, "strict") == 0)
        how = " alone";
    strbuf_addf (out, "memory of NUMA nodes %s%s",
                 json_get_string (policy, "nodes"), how);
}

static void place_text (const struct json *newest, struct strbuf *out)
{
    const struct json *memory = json_get (newest, "memory");
    const char *gpus = json_get_string (newest, "gpus");

    strbuf_addf (out, "newest try: on %s, CPUs %s",
                 json_get_string (newest, "host"),
                 json_get_string (newest, "cores"));
    if (memory) {
        strbuf_add_str (out, ", ");
        memory_text (memory, out);
    }
    if (*gpus)
        strbuf_addf (out, ", GPUs %s", gpus);
    strbuf_add_char (out, '\n');
}

static void differences_text (const struct json *newest, struct strbuf *out)
{
    const char *cores = json_get_string (newest, "cores_wanted");
    const struct json *memory = json_get (newest, "memory_wanted");

    if (*cores)
        strbuf_addf (
            out,
            "  asked for were CPUs %s: something else on the node binds "
            "processes, or they are not there; ask who runs it, or set "
            "bind: none in the profile\n",
            cores);
    if (!memory)
        return;
    strbuf_add_str (out, "  asked for was ");
    memory_text (memory, out);
    strbuf_add_str (out, json_get (newest, "memory")
                             ? ": something else on the node chooses memory "
                               "for processes; ask who runs it\n"
                             : ": the system forbids a job to say so (a "
                               "container may), or they are not there\n");
}

static void node_text (const struct json *newest, struct strbuf *out)
{
    const char *differs = json_get_string (newest, "node_differs");

    if (*differs)
        strbuf_addf (out,
                     "  its node is not as topology of the profile says (%s), "
                     "and was taken as it is; record it again with `fanfold "
                     "probe`, or keep jobs to nodes that are alike\n",
                     differs);
}

static void use_text (const struct json *newest, struct strbuf *out)
{
    int64_t peak_bytes = json_get_int (newest, "peak_bytes");

    if (!json_get (newest, "wall_s"))
        return;
    if (json_get (newest, "version_line"))
        strbuf_addf (out, "  code: '%s'\n",
                     json_get_string (newest, "version_line"));
    strbuf_addf (out, "  used: %.3g s of CPU time in %.3g s",
                 json_get_double (newest, "cpu_s"),
                 json_get_double (newest, "wall_s"));
    if (peak_bytes > 0) {
        strbuf_add_str (out, ", at most ");
        format_bytes (peak_bytes, out);
        strbuf_add_str (out, " of memory");
    }
    if (json_get (newest, "energy_j"))
        strbuf_addf (out, ", %.3g kJ of energy of the node's processors",
                     json_get_double (newest, "energy_j") / 1e3);
    strbuf_add_char (out, '\n');
}

static void try_text (const struct json *record, struct strbuf *out)
{
    const struct json *newest = json_get (record, "newest_try");

    line_text (record, "not_known", "newest try: not known", out);
    if (!newest)
        return;
    place_text (newest, out);
    differences_text (newest, out);
    node_text (newest, out);
    use_text (newest, out);
}

/* Where a person should look next. */
static void places_text (const struct json *record, struct strbuf *out)
{
    const struct json *tasks = json_get (record, "tasks");

    line_text (record, "task_dir", "task directory", out);
    if (json_get (record, "task"))
        strbuf_addf (
            out, "output: fanfold log %s %" PRId64 " --iteration %" PRId64 "\n",
            json_get_string (record, "stage"), json_get_int (record, "task"),
            json_get_int (record, "iteration"));
    line_text (record, "run_dir",
               json_get_int (tasks, "ok") < json_get_int (tasks, "all")
                   ? "run files (failed tasks' working directories)"
                   : "run files",
               out);
}

void explain_text (const struct json *record, struct strbuf *out)
{
    const struct json *events = json_get (record, "events");

    strbuf_addf (out, "%s, iteration %" PRId64 ": %s\n",
                 json_get_string (record, "stage"),
                 json_get_int (record, "iteration"),
                 json_get_string (record, "state"));
    task_text (record, out);
    removed_text (record, out);
    prepared_text (record, out);
    group_view_text (json_get (record, "group"), out);
    inputs_text (record, out);
    for (size_t i = 0; i < json_count (events); i++)
        event_text (json_at (events, i), out);
    try_text (record, out);
    places_text (record, out);
}
