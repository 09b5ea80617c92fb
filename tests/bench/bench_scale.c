/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_scale.c - what the back half of a large stage costs a driver
 *
 *   bench_scale TASKS DIR FANFOLD
 *
 * Makes a campaign of one stage of TASKS tasks in the new directory DIR and
 * submits it to the local scheduler, whose jobs only wait.  Results are written
 * here by the agent's own code, without a process for any task; FANFOLD, the
 * program, drives.  Prints `name value unit` lines.
 */
#include "base/base.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/assignment.h"
#include "agent/claim.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "engine/drive/driver.h"
#include "engine/observe/observe.h"
#include "engine/observe/scheduler_access.h"
#include "report/live_view.h"
#include "space/lease.h"

enum {
    TASKS_OF_AN_ELEMENT = 1000,
    RUNS = 5,
    DURABLE_EVERY = 50,
    NEW_AT_A_LOOK = 50
};

/* One element, whose agent is this program. */
struct element {
    struct assignment assignment;
    struct claim claim;
    int32_t last; /* the task that ended last; -1: none */
};

struct bench {
    int tasks, n_elements;
    const char *dir, *fanfold;
    struct element *elements;
    int nothing_fd;        /* what a task printed */
    int ask_fd, answer_fd; /* of the process that starts drivers */
    double closed_s, done_s;
};

static void stop_at (const char *what, const struct error *err)
{
    fprintf (stderr, "bench_scale: %s: %s\n", what, err->text);
    exit (1);
}

static void print_line (const struct bench *b, const char *name, double value,
                        const char *unit)
{
    printf ("%s_%d %.4g %s\n", name, b->tasks, value, unit);
    fflush (stdout);
}

/* --- the campaign --- */

static FILE *create (const struct bench *b, const char *name)
{
    char *path = path_join (b->dir, name);
    FILE *file = fopen (path, "w");

    if (!file) {
        perror (path);
        exit (1);
    }
    free (path);
    return file;
}

static void make_campaign (const struct bench *b)
{
    FILE *file = create (b, "campaign.yaml");

    fprintf (file,
             "format: 1\ncampaign: scale\nelements: [Si]\n"
             "stop: {iterations: 1}\n"
             "stages:\n  work:\n    uses: bench.nothing\n"
             "    task: {cores: 1}\n"
             "operators:\n  bench.nothing:\n"
             "    outputs: {value: {type: float}}\n"
             "    prepare:\n      slices: {n: {type: int}}\n"
             "      command: [cp, %s/numbers.json, slices.json]\n"
             "    command: [\"true\"]\n",
             b->dir);
    fclose (file);
    file = create (b, "site.yaml");
    fprintf (file,
             "format: 1\nprofiles:\n  here:\n    scheduler: local\n"
             "    node: {cores: 1}\n    spool: %s/spool\n"
             "    limits: {running: %d, poll: 1s}\n"
             "    setup: [[sh, -c, 'while [ -e %s/site.yaml ]; do sleep 1; "
             "done; exit 1']]\n",
             b->dir, b->n_elements, b->dir);
    fclose (file);
    file = create (b, "numbers.json");
    fprintf (file, "{\"n\": [0");
    for (int i = 1; i < b->tasks; i++)
        fprintf (file, ",%d", i);
    fprintf (file, "]}\n");
    fclose (file);
}

/* `fanfold advance`: its seconds, and what memory it had at most. */
struct advanced {
    double s;
    long rss_kib;
};

static struct advanced advance_here (const struct bench *b)
{
    double start_s = clock_mono_s ();
    struct rusage usage;
    int status;
    pid_t pid = fork ();

    if (pid == 0) {
        dup2 (open ("/dev/null", O_WRONLY), STDOUT_FILENO);
        execl (b->fanfold, b->fanfold, "-C", b->dir, "advance", (char *)NULL);
        perror (b->fanfold);
        _exit (127);
    }
    if (pid < 0 || wait4 (pid, &status, 0, &usage) < 0 || status != 0) {
        fprintf (stderr, "bench_scale: `fanfold advance` failed\n");
        exit (1);
    }
    return (struct advanced){ clock_mono_s () - start_s, usage.ru_maxrss };
}

/* Drivers are started by a process that is small: the memory of the process
 * that forks counts as theirs.
 */
static void serve_drivers (const struct bench *b, int ask_fd, int answer_fd)
{
    char c;

    while (read (ask_fd, &c, 1) == 1) {
        struct advanced advanced = advance_here (b);

        if (write (answer_fd, &advanced, sizeof (advanced))
            != sizeof (advanced))
            _exit (1);
    }
    _exit (0);
}

static void start_server (struct bench *b)
{
    int ask[2], answer[2];
    pid_t pid;

    if (pipe (ask) < 0 || pipe (answer) < 0 || (pid = fork ()) < 0) {
        perror ("fork");
        exit (1);
    }
    if (pid == 0) {
        close (ask[1]);
        close (answer[0]);
        serve_drivers (b, ask[0], answer[1]);
    }
    close (ask[0]);
    close (answer[1]);
    b->ask_fd = ask[1];
    b->answer_fd = answer[0];
}

static struct advanced advance (const struct bench *b)
{
    struct advanced advanced;

    if (write (b->ask_fd, "", 1) != 1
        || read (b->answer_fd, &advanced, sizeof (advanced))
               != sizeof (advanced))
        exit (1);
    return advanced;
}

/* --- the agents --- */

/* What an agent reads before its first task. */
static void begin_elements (struct bench *b)
{
    double start_s = clock_mono_s ();
    struct error err = ERROR_INIT;
    sigset_t none;

    sigemptyset (&none);
    b->elements = xcalloc ((size_t)b->n_elements, sizeof (*b->elements));
    for (int e = 0; e < b->n_elements; e++) {
        struct element *element = &b->elements[e];
        const struct agent_options options = {
            .campaign_dir = b->dir,
            .run_dir = ".fanfold/run/000001/000000/000000",
            .element = e,
            .job_id = "1",
            .program = b->fanfold,
        };

        element->assignment = (struct assignment)ASSIGNMENT_INIT;
        element->claim = (struct claim)CLAIM_INIT;
        element->last = -1;
        if (assignment_read (&element->assignment, &options, &none, &err) < 0)
            stop_at ("assignment_read", &err);
    }
    print_line (b, "slices_us_per_element",
                (clock_mono_s () - start_s) * 1e6 / b->n_elements, "us");
    for (int e = 0; e < b->n_elements; e++) {
        if (claim_take (&b->elements[e].assignment, &b->elements[e].claim, &err)
            < 0)
            stop_at ("claim_take", &err);
    }
}

static void end_task (const struct bench *b, struct claim *claim, int32_t task,
                      struct error *err)
{
    const struct task_start start = { .cores = "0", .gpus = "" };
    struct json *params = json_object ();
    struct task_end end = {
        .outcome = OUTCOME_OK, .wall_s = 0.25, .message = "", .params = params
    };

    json_set (params, "value", json_real ((double)task / 7));
    claim_keep_printed (claim, b->nothing_fd, &end);
    if (claim_log_start (claim, task, &start, err) < 0
        || claim_log_end (claim, task, &end, err) < 0)
        stop_at ("claim_log_end", err);
    json_unref (params);
}

/* 'n' more tasks of an element; how many there were. */
static int end_tasks (const struct bench *b, struct element *element, int n)
{
    struct error err = ERROR_INIT;
    int ended = 0;

    while (ended < n) {
        int32_t task =
            task_range_next (&element->assignment.tasks, element->last);

        if (task < 0)
            break;
        end_task (b, &element->claim, task, &err);
        element->last = task;
        if (++ended % DURABLE_EVERY == 0
            && claim_sync (&element->claim, &err) < 0)
            stop_at ("claim_sync", &err);
    }
    if (claim_sync (&element->claim, &err) < 0)
        stop_at ("claim_sync", &err);
    return ended;
}

/* 'n' more tasks of every element; how many in all. */
static int end_everywhere (struct bench *b, int n)
{
    int ended = 0;

    for (int e = 0; e < b->n_elements; e++)
        ended += end_tasks (b, &b->elements[e], n);
    return ended;
}

/* --- the driver --- */

static void note_event (const struct json *event, void *arg)
{
    struct bench *b = arg;
    const char *kind = json_as_string (json_get (event, "ev"));

    if (strcmp (kind, "closed") == 0)
        b->closed_s = clock_mono_s ();
    if (strcmp (kind, "stage") == 0)
        b->done_s = clock_mono_s ();
}

static double step_s (struct engine *engine)
{
    double start_s = clock_mono_s ();
    struct error err = ERROR_INIT;
    struct step step;

    if (driver_step (engine, &step, &err) < 0)
        stop_at ("driver_step", &err);
    return clock_mono_s () - start_s;
}

/* The jobs wait for nothing any more. */
static void cancel_jobs (struct engine *engine, const struct job_key *job)
{
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, &engine->plan->profiles[0], &scheduler);

    adapter->cancel (&scheduler, job, -1, NULL);
}

/* A driver that goes on: first with what is new, then with all. */
static void drive (struct bench *b)
{
    const struct invocation invocation = { .command = &run_command,
                                           .program = b->fanfold,
                                           .dir = b->dir };
    struct campaign campaign;
    struct error err = ERROR_INIT;
    struct engine *engine = &campaign.engine;
    double idle_s = INFINITY, new_s = INFINITY;
    const struct submission *job;
    struct job_key key;
    int n = 0;

    if (campaign_open (&invocation, &campaign) != STATUS_DONE)
        exit (1);
    if (engine_take_lease (engine, &err) != 0)
        stop_at ("engine_take_lease", &err);
    engine->on_event = note_event;
    engine->on_event_arg = b;
    job = &engine->state.iterations[0].stages[0].attempts[0].submissions[0];
    key = (struct job_key){ .id = xstrdup (job->id),
                            .token = xstrdup (job->token) };
    step_s (engine);
    for (int i = 0; i < RUNS; i++) {
        n = end_everywhere (b, TASKS_OF_AN_ELEMENT / 20);
        new_s = fmin (new_s, step_s (engine));
        idle_s = fmin (idle_s, step_s (engine));
    }
    print_line (b, "round_idle_ms", idle_s * 1e3, "ms");
    print_line (b, "round_us_per_new_result", (new_s - idle_s) * 1e6 / n, "us");
    end_everywhere (b, TASKS_OF_AN_ELEMENT);
    step_s (engine);
    if (b->done_s == 0) {
        fprintf (stderr, "bench_scale: the stage did not end\n");
        exit (1);
    }
    print_line (b, "fan_in_us_per_task",
                (b->done_s - b->closed_s) * 1e6 / b->tasks, "us");
    cancel_jobs (engine, &key);
    free ((char *)key.id);
    free ((char *)key.token);
    campaign_close (&campaign);
}

/* --- who looks --- */

/* As `status --watch` does; how long that took. */
static double look_s (struct campaign *campaign)
{
    const struct lease_holder holder = { .held = true };
    struct engine *engine = &campaign->engine;
    struct observations observations = { 0 };
    double start_s = clock_mono_s ();
    struct error err = ERROR_INIT;
    struct live_view view;

    if (engine_look (engine, &err) < 0
        || observe_logs (engine, &observations, &err) < 0)
        stop_at ("observe_logs", &err);
    live_view_make (engine, &observations, &holder, &view);
    live_view_release (&view);
    observations_release (&observations);
    return clock_mono_s () - start_s;
}

static void watch (struct bench *b)
{
    const struct invocation invocation = { .command = &status_command,
                                           .program = b->fanfold,
                                           .dir = b->dir };
    double start_s = clock_mono_s (), idle_s = INFINITY, new_s = INFINITY;
    struct campaign campaign;

    if (campaign_open (&invocation, &campaign) != STATUS_DONE)
        exit (1);
    look_s (&campaign);
    print_line (b, "watch_first_ms", (clock_mono_s () - start_s) * 1e3, "ms");
    for (int i = 0; i < RUNS; i++) {
        idle_s = fmin (idle_s, look_s (&campaign));
        for (int e = 0; e < b->n_elements && e < NEW_AT_A_LOOK; e++)
            end_tasks (b, &b->elements[e], 1);
        new_s = fmin (new_s, look_s (&campaign));
    }
    print_line (b, "watch_idle_ms", idle_s * 1e3, "ms");
    print_line (b, "watch_new_ms", new_s * 1e3, "ms");
    print_line (b, "watch_vs_limit", fmax (idle_s, new_s) / 0.02, "ratio");
    campaign_close (&campaign);
}

/* --- what is left --- */

static long inodes;

static int count_inode (const char *path, const struct stat *st, int type,
                        struct FTW *at)
{
    (void)path;
    (void)st;
    (void)type;
    (void)at;
    inodes++;
    return 0;
}

static void count_inodes (const struct bench *b)
{
    char *path = path_join (b->dir, ".fanfold/run");

    nftw (path, count_inode, 16, FTW_PHYS);
    free (path);
    path = path_join (b->dir, "work");
    nftw (path, count_inode, 16, FTW_PHYS);
    free (path);
    print_line (b, "inodes_per_task", (double)inodes / b->tasks, "inodes");
}

static void measure_idle (const struct bench *b)
{
    struct advanced best = { INFINITY, 0 };

    for (int i = 0; i < RUNS; i++) {
        struct advanced advanced = advance (b);

        if (advanced.s < best.s)
            best = advanced;
    }
    print_line (b, "advance_idle_ms", best.s * 1e3, "ms");
    print_line (b, "driver_rss_kib", (double)best.rss_kib, "KiB");
}

int main (int argc, char **argv)
{
    struct bench b = { 0 };

    if (argc != 4) {
        fprintf (stderr, "usage: bench_scale TASKS DIR FANFOLD\n");
        return 2;
    }
    b.tasks = atoi (argv[1]);
    b.n_elements = (b.tasks + TASKS_OF_AN_ELEMENT - 1) / TASKS_OF_AN_ELEMENT;
    b.dir = argv[2];
    b.fanfold = argv[3];
    b.nothing_fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);
    start_server (&b);
    make_campaign (&b);
    advance (&b);
    begin_elements (&b);
    end_everywhere (&b, TASKS_OF_AN_ELEMENT / 2);
    advance (&b);
    measure_idle (&b);
    watch (&b);
    drive (&b);
    count_inodes (&b);
    return 0;
}
