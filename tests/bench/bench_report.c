/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_report.c - what a report of a large campaign costs
 *
 *   bench_report ITERATIONS TASKS DIR FANFOLD
 *
 * Makes a campaign in the new directory DIR as drivers would have left it: a
 * stage of TASKS tasks on 128 nodes of 8 slots, of which some fail, and one
 * that selects, in each iteration.  Nothing runs.  Then FANFOLD, the program,
 * makes its report.  Prints `name value unit` lines.
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/act/tries_summary.h"
#include "engine/history/events.h"
#include "engine/history/journal.h"
#include "handover/result_log.h"
#include "space/layout.h"

enum { NODES = 128, SLOTS = 8, TASK_S = 90, SYSTEMS = 40, BINS = 48 };

struct bench {
    int iterations, tasks;
    const char *dir, *fanfold;
    struct journal *journal;
    int generation;
    double now_s;
};

static void stop_at (const char *what, const struct error *err)
{
    fprintf (stderr, "bench_report: %s: %s\n", what, err->text);
    exit (1);
}

/* --- files --- */

static void write_file (const struct bench *b, const char *name,
                        const char *text, char sha256[DIGEST_HEX_SIZE])
{
    _cleanup_free_ char *path = path_join (b->dir, name);
    struct error err = ERROR_INIT;

    if (file_make_parent (path, &err) < 0
        || file_write_atomic (path, text, strlen (text), &err) < 0)
        stop_at (name, &err);
    if (sha256)
        digest_bytes (text, strlen (text), sha256);
}

static void write_json (const struct bench *b, const char *name, struct json *v,
                        char sha256[DIGEST_HEX_SIZE])
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_PRETTY, &text);
    write_file (b, name, text.buf, sha256);
    json_unref (v);
}

static void make_campaign (const struct bench *b)
{
    write_file (
        b, "campaign.yaml",
        "format: 1\ncampaign: large\nelements: [Si]\n"
        "stages:\n  work: {uses: b.work, with: {n: [1]}}\n"
        "  select: {uses: b.select, with: {n: work.value}}\n"
        "stop: {iterations: 1000}\n"
        "operators:\n  b.work:\n    fan_out: [n]\n"
        "    inputs: {n: {type: int}}\n"
        "    outputs: {value: {type: float}, force_rmse: {type: float}}\n"
        "    command: [\"true\"]\n"
        "  b.select:\n    inputs: {n: {type: float, list: true}}\n"
        "    outputs: {accurate: {type: float}, candidate: {type: "
        "float}, failed: {type: float}, systems: {type: map}}\n"
        "    command: [\"true\"]\n",
        NULL);
    write_file (
        b, "site.yaml",
        "format: 1\nprofiles:\n  here: {scheduler: local, node: {cores: "
        "8}}\n",
        NULL);
}

/* --- the journal --- */

static void record (struct bench *b, struct json *event)
{
    struct error err = ERROR_INIT;

    if (journal_append (b->journal, event, &err) < 0)
        stop_at ("the journal", &err);
    json_unref (event);
}

static struct json *of_stage (const struct bench *b, const char *kind,
                              int iteration, const char *stage)
{
    return event_of_stage (kind, b->now_s, iteration, stage);
}

static void prepare (struct bench *b, int iteration, const char *stage,
                     int tasks)
{
    struct json *event = of_stage (b, "preparing", iteration, stage);

    json_set (event, "code", json_string ("b"));
    json_set (event, "first_name", json_string (stage));
    json_set (event, "generation", json_int (++b->generation));
    record (b, event);
    event = of_stage (b, "prepared", iteration, stage);
    json_set (event, "code", json_string ("b"));
    json_set (event, "first_name", json_string (stage));
    json_set (event, "generation", json_int (b->generation));
    json_set (event, "tasks", json_int (tasks));
    record (b, event);
}

static void run (struct bench *b, int iteration, const char *stage, int tasks)
{
    struct json *event = of_stage (b, "attempt", iteration, stage);
    struct json *outcomes = json_object ();
    static const char packing[] =
        "{\"slots\":1,\"per_element\":1,\"elements\":1,\"chunks\":1,"
        "\"per_chunk\":1,\"cores\":1,\"gpus\":0,\"memory_bytes\":0,"
        "\"walltime_s\":0.0,\"nodes\":1}";
    static const char task[] = "{\"ranks\":1,\"cores\":1,\"gpus\":0,"
                               "\"memory_bytes\":0,\"walltime_s\":0.0,"
                               "\"nodes\":1}";

    json_set (event, "attempt", json_int (0));
    json_set (event, "tasks", json_stringf ("0-%d", tasks - 1));
    json_set (event, "packing",
              json_parse (packing, strlen (packing), "packing", NULL));
    json_set (event, "task", json_parse (task, strlen (task), "task", NULL));
    json_set (event, "node_share", json_real (0.125));
    record (b, event);
    event = of_stage (b, "results", iteration, stage);
    json_set (event, "tried", json_stringf ("0-%d", tasks - 1));
    json_set (outcomes, "ok", json_stringf ("0-%d", tasks - 1));
    json_set (event, "outcomes", outcomes);
    json_set (event, "timed_tasks", json_int (tasks));
    json_set (event, "timed_s", json_real ((double)tasks * TASK_S));
    record (b, event);
    event = of_stage (b, "closed", iteration, stage);
    json_set (event, "attempt", json_int (0));
    json_set (event, "without_result", json_bool (false));
    record (b, event);
}

static void end (struct bench *b, int iteration, const char *stage, int count,
                 const char *sha256)
{
    struct json *event = of_stage (b, "stage", iteration, stage);

    json_set (event, "phase", json_string ("done"));
    json_set (event, "count", json_int (count));
    json_set (event, "proceed", json_bool (true));
    json_set (event, "outputs", json_string (sha256));
    record (b, event);
}

/* --- what fan-in left --- */

static void add_try (struct tries_summary *tries, int task, int slot,
                     double from_s, const struct json *start)
{
    struct result_event event = {
        .kind = RESULT_START, .task = task, .slot = slot, .record = start
    };

    tries_summary_add (tries, &event);
    event.kind = RESULT_END;
    event.outcome = task % 97 == 0 ? OUTCOME_FAILED : OUTCOME_OK;
    event.wall_s = TASK_S - task % 30;
    event.now_s = from_s + event.wall_s;
    event.message = "it did not converge";
    tries_summary_add (tries, &event);
}

static struct json *tries_of (const struct bench *b)
{
    struct tries_summary *tries = tries_summary_create (b->tasks);
    int rounds = b->tasks / (NODES * SLOTS) + 1;
    struct json *v;

    for (int node = 0; node < NODES; node++) {
        char name[32];
        struct result_event claim = {
            .kind = RESULT_CLAIM, .now_s = b->now_s, .host = name, .node = name
        };

        snprintf (name, sizeof (name), "node%03d", node);
        tries_summary_add (tries, &claim);
        for (int r = 0; r < rounds; r++) {
            struct json *start = json_object ();
            double from_s = b->now_s + r * TASK_S;

            json_set (start, "now_s", json_real (from_s));
            for (int slot = 0; slot < SLOTS; slot++)
                add_try (tries, (r * NODES + node) * SLOTS + slot, slot, from_s,
                         start);
            json_unref (start);
        }
    }
    v = tries_summary_json (tries);
    tries_summary_destroy (tries);
    return v;
}

static void write_summary (const struct bench *b, const char *sha256)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    struct json *v = json_object (), *numbers = json_object ();
    static const char spread[] = "{\"n\":100,\"least\":0.1,\"median\":0.2,"
                                 "\"mean\":0.2,\"most\":0.4}";

    layout_run (b->generation, &path);
    strbuf_add_str (&path, "/" LAYOUT_SUMMARY);
    json_set (v, "format", json_int (1));
    json_set (v, "outputs", json_string (sha256));
    json_set (v, "tries", tries_of (b));
    json_set (numbers, "force_rmse",
              json_parse (spread, strlen (spread), "spread", NULL));
    json_set (v, "numbers", numbers);
    write_json (b, path.buf, v, NULL);
}

static struct json *systems_of (void)
{
    struct json *systems = json_object ();

    for (int s = 0; s < SYSTEMS; s++) {
        struct json *system = json_object (), *histogram = json_object ();
        struct json *edges = json_array (), *frames = json_array ();
        _cleanup_free_ char *name = xasprintf ("system-%03d", s);

        for (int i = 0; i <= BINS; i++)
            json_push (edges, json_real (0.01 * (1 + i)));
        for (int i = 0; i < BINS; i++)
            json_push (frames, json_int (i * s));
        json_set (histogram, "edges", edges);
        json_set (histogram, "frames", frames);
        json_set (system, "histogram", histogram);
        json_set (systems, name, system);
    }
    return systems;
}

static void write_selection (const struct bench *b, int iteration,
                             char sha256[DIGEST_HEX_SIZE])
{
    struct stage_place place = { "select", "b", iteration, b->generation };
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    struct json *v = json_object (), *outputs = json_object ();
    double accurate = 1 - 1.0 / (2 + iteration);

    json_set (outputs, "accurate", json_real (accurate));
    json_set (outputs, "candidate", json_real ((1 - accurate) / 2));
    json_set (outputs, "failed", json_real ((1 - accurate) / 2));
    json_set (outputs, "systems", systems_of ());
    json_set (outputs, "count", json_int (1));
    json_set (outputs, "proceed", json_bool (true));
    json_set (v, "format", json_int (1));
    json_set (v, "stage", json_string ("select"));
    json_set (v, "code", json_string ("b"));
    json_set (v, "iteration", json_int (iteration));
    json_set (v, "tasks", json_int (1));
    json_set (v, "outputs", outputs);
    layout_stage_path (&place, LAYOUT_OUTPUTS, &path);
    write_json (b, path.buf, v, sha256);
}

static void make_iteration (struct bench *b, int iteration)
{
    char sha256[DIGEST_HEX_SIZE];
    struct json *event = event_new ("iteration", b->now_s);

    json_set (event, "iteration", json_int (iteration));
    record (b, event);
    memset (sha256, 'a', sizeof (sha256) - 1);
    sha256[sizeof (sha256) - 1] = '\0';
    prepare (b, iteration, "work", b->tasks);
    run (b, iteration, "work", b->tasks);
    write_summary (b, sha256);
    b->now_s += (b->tasks / (NODES * SLOTS) + 1) * TASK_S;
    end (b, iteration, "work", b->tasks, sha256);
    prepare (b, iteration, "select", 1);
    run (b, iteration, "select", 1);
    write_selection (b, iteration, sha256);
    end (b, iteration, "select", 1, sha256);
    event = event_new ("closing", b->now_s);
    json_set (event, "iteration", json_int (iteration));
    json_set (event, "history", json_object ());
    json_set (event, "stop", json_bool (false));
    record (b, event);
}

static void make_history (struct bench *b)
{
    struct journal_position position = { 0 };
    struct json *event = event_new ("campaign", b->now_s);
    _cleanup_free_ char *journal = path_join (b->dir, LAYOUT_JOURNAL_DIR);
    struct error err = ERROR_INIT;

    if (file_make_dirs (journal, &err) < 0)
        stop_at (journal, &err);
    b->journal = journal_open (b->dir, 1, &position);
    json_set (event, "id", json_string ("large-1"));
    json_set (event, "name", json_string ("large"));
    record (b, event);
    for (int i = 0; i < b->iterations; i++)
        make_iteration (b, i);
    journal_close (b->journal);
}

/* --- the report --- */

static void measure (const struct bench *b)
{
    _cleanup_free_ char *page = path_join (b->dir, "report.html");
    double start_s = clock_mono_s ();
    struct rusage usage;
    struct stat st;
    int status;
    pid_t pid = fork ();

    if (pid == 0) {
        dup2 (open ("/dev/null", O_WRONLY), STDOUT_FILENO);
        execl (b->fanfold, b->fanfold, "-C", b->dir, "report", page,
               (char *)NULL);
        _exit (127);
    }
    if (pid < 0 || wait4 (pid, &status, 0, &usage) < 0 || status != 0
        || stat (page, &st) < 0) {
        fprintf (stderr, "bench_report: `fanfold report` failed\n");
        exit (1);
    }
    printf ("report_s_%d_%d %.4g s\n", b->iterations, b->tasks,
            clock_mono_s () - start_s);
    printf (
        "report_cpu_s_%d_%d %.4g s\n", b->iterations, b->tasks,
        (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec
            + ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec)
                  / 1e6);
    printf ("report_rss_kib_%d_%d %ld KiB\n", b->iterations, b->tasks,
            usage.ru_maxrss);
    printf ("report_bytes_%d_%d %lld B\n", b->iterations, b->tasks,
            (long long)st.st_size);
}

int main (int argc, char **argv)
{
    struct bench b = { .now_s = 1.7e9 };

    if (argc != 5) {
        fprintf (stderr, "usage: bench_report ITERATIONS TASKS DIR FANFOLD\n");
        return 2;
    }
    b.iterations = atoi (argv[1]);
    b.tasks = atoi (argv[2]);
    b.dir = argv[3];
    b.fanfold = argv[4];
    make_campaign (&b);
    make_history (&b);
    measure (&b);
    return 0;
}
