/* SPDX-License-Identifier: BSD-3-Clause */
/* simulate.c - campaigns in simulated worlds, one for each seed
 *
 * usage: simulate [--seeds N] [--first S] [--jobs N] [--trace | --journals]
 *
 * The program's own code (drivers, agents, everything they read and write)
 * runs in one process against a simulated scheduler, file system, clock and
 * cluster.  Each seed's campaign is played twice: in a calm world, and in one
 * where things go wrong; both must come to the same results.  In the end the
 * journal is deleted, and the campaign run once more: nothing is computed
 * again.
 */
#include "base/base.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "calls.h"
#include "check.h"
#include "check_taking.h"
#include "disk.h"
#include "drivers.h"
#include "faults.h"
#include "nodes.h"
#include "scenario.h"
#include "space/layout.h"
#include "world.h"

/* Campaigns take hours, a few days where people are slow. */
static const double longest_s = 10 * 86400.0;

/* How long what is late may still come after the campaign's end. */
static const double epilogue_s = 3000;

/* Most worlds take some thousand steps: with so many, one goes in circles. */
enum { BUDGET_MAX = 60, STEPS_MAX = 1000 * 1000 };

static bool traced;   /* --trace */
static bool journals; /* --journals */
static double slow_s; /* --slow-ms: drivers' calls take so long */

/* What all worlds saw together. */
struct figures {
    uint64_t playing; /* the seed now */
    int64_t seeds;
    int64_t failed; /* of them */
    int64_t violations;
    int64_t steps;
    int64_t calls;
    int64_t jobs;
    int64_t taken; /* generations that results were taken of */
    int64_t struck[FAULTS];
};

/* One seed's. */
struct play {
    struct world world;
    struct disk disk;
    struct faults faults;
    struct scenario scenario;
    struct drivers drivers;
    struct check check;
    int befallen;        /* how often something might have */
    struct json *middle; /* a copy of a calm campaign before its end */
};

/* --- what befalls a world from time to time --- */

static void login_suffers (struct play *play)
{
    struct world *world = &play->world;
    int host = (int)faults_pick (&play->faults, LOGINS);

    if (faults_strike (&play->faults, FAULT_LOGIN_FAILS))
        world_host_fails (world, host,
                          world->now_s + 300 * faults_draw (&play->faults));
    if (faults_strike (&play->faults, FAULT_CLOCK_STEPS))
        world->hosts[host].skew_s = 600 * (faults_draw (&play->faults) - 0.5);
}

static void people_ask (struct play *play)
{
    static const char *const kinds[] = { "pause", "cancel", "resume", "retry",
                                         "redo",  "reset",  "redo" };

    const int64_t n = ARRAY_SIZE (kinds) - !play->scenario.takes;

    if (play->drivers.status == CAMPAIGN_PAUSED)
        drivers_ask (&play->drivers,
                     !faults_strike (&play->faults, FAULT_PERSON) ? "resume"
                     : faults_pick (&play->faults, 3) == 0        ? "reset"
                                                                  : "redo");
    else if (play->drivers.status == CAMPAIGN_FAILED)
        drivers_ask (&play->drivers, "retry");
    else if (faults_strike (&play->faults, FAULT_PERSON))
        drivers_ask (&play->drivers, kinds[faults_pick (&play->faults, n)]);
}

/* The file is edited now and then; when the last edit changed what results are
 * made of, all is done again.
 */
static void people_edit (struct play *play)
{
    struct scenario *scenario = &play->scenario;

    if (scenario->version + 1 < scenario->n_versions
        && (play->drivers.is_over || faults_draw (&play->faults) < 0.1))
        scenario_edit (&play->disk, scenario);
    else if (plan_stage_find (scenario->versions[scenario->version], "extra")
                 < 0
             && faults_draw (&play->faults) < 0.2)
        drivers_ask (&play->drivers, "forget");
    else if (play->drivers.to_redo
             && scenario->version + 1 == scenario->n_versions)
        drivers_ask (&play->drivers,
                     faults_pick (&play->faults, 2) ? "reset" : "again");
}

/* The other campaign is not at rest. */
static void source_changes (void *arg)
{
    struct play *play = arg;
    int64_t n = (int64_t)json_count (play->check.sources);

    if (n > 0 && !play->check.again && !play->world.closing)
        source_put (&play->check, (size_t)faults_pick (&play->faults, n));
}

/* ... least of all while somebody reads it. */
static void opened (const char *path, void *arg)
{
    struct play *play = arg;
    struct world *world = &play->world;

    if (play->check.sources && world->current
        && path_is_at_or_below (path, SCENARIO_SOURCE)
        && faults_draw (&play->faults) < 0.15)
        world_at (world, world->now_s + 0.05 * faults_draw (&play->faults),
                  source_changes, play);
}

static void befall (void *arg)
{
    struct play *play = arg;
    struct world *world = &play->world;

    if (world->closing || play->drivers.status == CAMPAIGN_DONE)
        return;
    nodes_suffer (world);
    login_suffers (play);
    people_ask (play);
    people_edit (play);
    if (faults_draw (&play->faults) < 0.3)
        source_changes (play);
    if (++play->befallen == 12)
        play->middle = source_copy (&play->disk);
    world_at (world, world->now_s + 300 * faults_draw (&play->faults), befall,
              play);
}

/* --- one world --- */

static double late_s (void *arg)
{
    struct play *play = arg;

    if (!faults_strike (&play->faults, FAULT_FILE_LATE))
        return 0;
    return 55 * faults_draw (&play->faults); /* less than visibility */
}

static void renamed (const char *from, const char *to, void *arg)
{
    struct play *play = arg;

    check_renamed (from, to, &play->check);
}

static void boot_hosts (struct play *play)
{
    struct world *world = &play->world;

    world->n_hosts = LOGINS + play->scenario.site.nodes;
    for (int h = 0; h < world->n_hosts; h++) {
        struct strbuf path = STRBUF_INIT;

        world->hosts[h].up = true;
        strbuf_addf (&path, "/hosts/%d/proc/sys/kernel/random/boot_id", h);
        disk_put (&play->disk, path.buf, path.buf);
        strbuf_reset (&path);
        strbuf_addf (&path, "/hosts/%d/proc/self/ns/pid", h);
        disk_put (&play->disk, path.buf, "");
        strbuf_release (&path);
    }
}

static void begin (struct play *play, uint64_t seed, bool calm, bool otherwise)
{
    struct world *world = &play->world;
    struct sim_player player = nodes_player (world);

    memset (play, 0, sizeof (*play));
    world_init (world);
    world_enter (world);
    faults_init (&play->faults, seed, calm ? 0 : BUDGET_MAX);
    disk_init (&play->disk, world);
    world->disk = &play->disk;
    world->call_s = calm ? slow_s : 0;
    world->faults = &play->faults;
    scenario_make (seed, calm, otherwise, &play->disk, world, &play->scenario);
    boot_hosts (play);
    world->sim = sim_create (&play->scenario.site, &player);
    check_init (&play->check, world, &play->scenario);
    play->check.traced = traced && !calm;
    play->disk.late_s = late_s;
    play->disk.renamed = renamed;
    play->disk.opened = opened;
    play->disk.arg = play;
    play->drivers =
        (struct drivers){ .world = world,
                          .scenario = &play->scenario,
                          .calm = calm,
                          .check = &play->check,
                          .to_redo = !calm && play->scenario.changed };
    drivers_begin (&play->drivers);
    befall (play);
}

/* To the end of the campaign, and of what is late. */
static void go_through (struct play *play)
{
    struct world *world = &play->world;
    const double last_s = world->now_s + longest_s;
    const int64_t most = world->steps + STEPS_MAX;
    double end_s = last_s;

    while (world->now_s < end_s && world->steps < most && world_step (world)) {
        if (play->drivers.status == CAMPAIGN_DONE && play->drivers.active == 0
            && end_s == last_s)
            end_s = world->now_s + epilogue_s;
    }
    if (play->drivers.status != CAMPAIGN_DONE)
        check_fail (&play->check,
                    "the campaign does not end: %s, %" PRId64 " steps",
                    campaign_status_name (play->drivers.status), world->steps);
}

static void add_figures (const struct play *play, struct figures *figures)
{
    figures->jobs += sim_count_jobs (play->world.sim);
    figures->steps += play->world.steps;
    figures->calls += play->world.calls;
    figures->violations += play->check.n;
    figures->taken += play->check.taken;
    for (int f = 0; f < FAULTS; f++)
        figures->struck[f] += play->faults.struck[f];
}

static void end (struct play *play)
{
    struct world *world = &play->world;

    world->closing = true;
    for (struct process *p = world->processes; p; p = p->next)
        world_kill (world, p);
    while (world->processes)
        world_step (world);
    world_release (world);
    sim_destroy (world->sim);
    disk_release (&play->disk);
    check_release (&play->check);
    scenario_release (&play->scenario);
    json_unref (play->middle);
}

/* What its end, and its middle, are for those who take results. */
static void add_sources (struct play *play, struct json *sources)
{
    json_push (sources, source_copy (&play->disk));
    json_push (sources,
               json_ref (play->middle ? play->middle : json_at (sources, 0)));
}

/* The results of a calm world: {path: text}. */
static struct json *play_calm (uint64_t seed, bool otherwise,
                               struct json *sources, struct figures *figures)
{
    struct play play;
    struct json *results;

    begin (&play, seed, true, otherwise);
    go_through (&play);
    check_end (&play.check, NULL);
    results = check_results (&play.world);
    if (scenario_takes (seed))
        add_sources (&play, sources);
    if (play.check.n > 0)
        printf ("# seed %" PRIu64 ", nothing goes wrong:\n%s", seed,
                play.check.violations.buf);
    add_figures (&play, figures);
    end (&play);
    return results;
}

/* Somebody deletes .fanfold of the campaign that is done, and runs it: nothing
 * is computed again.  Nothing goes wrong any more.
 */
static void play_again (struct play *play, const struct json *calm)
{
    struct drivers *drivers = &play->drivers;

    play->faults.budget = 0;
    disk_remove_tree (&play->disk, SCENARIO_DIR "/" LAYOUT_HIDDEN_DIR);
    disk_remove (&play->disk, NOBODY, SCENARIO_DIR "/" LAYOUT_STATE_FILE,
                 false);
    check_again (&play->check);
    drivers->status = CAMPAIGN_RUNNING;
    drivers->status_n = 0;
    drivers->is_over = false;
    drivers_begin (drivers);
    go_through (play);
    check_end (&play->check, calm);
}

static void play_wild (uint64_t seed, const struct json *calm,
                       const struct json *sources, struct figures *figures)
{
    struct play play;

    begin (&play, seed, false, false);
    if (play.scenario.takes) {
        play.check.sources = sources;
        source_put (
            &play.check,
            (size_t)faults_pick (&play.faults, (int64_t)json_count (sources)));
    }
    go_through (&play);
    if (journals) {
        printf ("seed %" PRIu64 "\n", seed);
        check_print_journal (&play.check);
    }
    check_end (&play.check, calm);
    if (play.scenario.takes)
        check_taken_end (&play.check);
    if (play.check.n == 0)
        play_again (&play, calm);
    if (play.check.n > 0)
        printf ("# seed %" PRIu64 ":\n%s", seed, play.check.violations.buf);
    add_figures (&play, figures);
    end (&play);
}

static void play_seed (uint64_t seed, struct figures *figures)
{
    int64_t before = figures->violations;
    struct json *sources = json_array (), *calm;

    figures->playing = seed;
    calm = play_calm (seed, false, sources, figures);
    if (scenario_takes (seed) && slow_s == 0)
        json_unref (play_calm (seed, true, sources, figures));
    if (slow_s == 0)
        play_wild (seed, calm, sources, figures);
    json_unref (sources);
    json_unref (calm);
    figures->seeds++;
    if (figures->violations > before) {
        figures->failed++;
        printf ("# again: scripts/simulate --seeds 1 --first %" PRIu64 "\n",
                seed);
    }
    fflush (stdout);
}

/* --- the program --- */

static void add_up (const struct figures *one, struct figures *all)
{
    all->seeds += one->seeds;
    all->failed += one->failed;
    all->violations += one->violations;
    all->steps += one->steps;
    all->calls += one->calls;
    all->jobs += one->jobs;
    all->taken += one->taken;
    for (int f = 0; f < FAULTS; f++)
        all->struck[f] += one->struck[f];
}

static void print_figures (const struct figures *figures)
{
    const char *separator = "";

    printf ("# simulate: %" PRId64 " seeds, %" PRId64 " steps, %" PRId64
            " system calls, %" PRId64 " jobs, %" PRId64
            " generations taken from; faults: ",
            figures->seeds, figures->steps, figures->calls, figures->jobs,
            figures->taken);
    for (int f = 0; f < FAULTS; f++) {
        if (figures->struck[f] > 0) {
            printf ("%s%s %" PRId64, separator, fault_name (f),
                    figures->struck[f]);
            separator = ", ";
        }
    }
    printf ("; %" PRId64 " violations in %" PRId64 " seeds\n",
            figures->violations, figures->failed);
}

struct options {
    uint64_t seeds;
    uint64_t first;
    uint64_t jobs;
    uint64_t slow_ms;
};

/* One of options->jobs processes: every so many-th seed is its own. */
static void play_share (const struct options *options, uint64_t job,
                        struct figures *figures)
{
    static char text[1 << 16]; /* what a seed prints is written at once */

    setvbuf (stdout, text, _IOFBF, sizeof (text));
    for (uint64_t i = job; i < options->seeds; i += options->jobs)
        play_seed (options->first + i, figures);
}

/* A process that did not come to its end printed nothing. */
static void tell_died (const struct figures *share, int status)
{
    printf ("# seed %" PRIu64 ": the process that played it died: %s %d\n"
            "# again: scripts/simulate --seeds 1 --first %" PRIu64 "\n",
            share->playing, WIFSIGNALED (status) ? "signal" : "status",
            WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status),
            share->playing);
}

/* 0, or -1 when a process did not come to its end. */
static int play_all (const struct options *options, struct figures *all)
{
    size_t bytes = options->jobs * sizeof (struct figures);
    struct figures *shares = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t *pids = xcalloc (options->jobs, sizeof (*pids));
    int rc = 0;

    if (shares == MAP_FAILED)
        alloc_failed (bytes);
    for (uint64_t job = 0; job < options->jobs; job++) {
        pids[job] = fork ();
        if (pids[job] == 0) {
            play_share (options, job, &shares[job]);
            exit (0);
        }
    }
    for (uint64_t job = 0; job < options->jobs; job++) {
        int status;

        if (pids[job] < 0 || __real_wait4 (pids[job], &status, 0, NULL) < 0)
            rc = -1;
        else if (status != 0) {
            tell_died (&shares[job], status);
            rc = -1;
        }
    }
    for (uint64_t job = 0; job < options->jobs; job++)
        add_up (&shares[job], all);
    munmap (shares, bytes);
    free (pids);
    return rc;
}

static int usage (void)
{
    fputs ("usage: simulate [--seeds N] [--first S] [--jobs N] "
           "[--slow-ms MS] [--trace | --journals]\n",
           stderr);
    return 2;
}

static int read_number (const char *text, uint64_t least, uint64_t *out)
{
    char *end;

    *out = strtoull (text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *out >= least ? 0 : -1;
}

int main (int argc, char **argv)
{
    struct options options = { 1000, 1, 1, 0 };
    struct figures figures = { 0 };
    int rc;

    setenv ("FANFOLD_STORE", "none", 1); /* each world is alone */
    for (int i = 1; i < argc; i += 2) {
        uint64_t *number = strcmp (argv[i], "--seeds") == 0   ? &options.seeds
                           : strcmp (argv[i], "--first") == 0 ? &options.first
                           : strcmp (argv[i], "--jobs") == 0  ? &options.jobs
                           : strcmp (argv[i], "--slow-ms") == 0
                               ? &options.slow_ms
                               : NULL;

        if (strcmp (argv[i], "--trace") == 0
            || strcmp (argv[i], "--journals") == 0) {
            *(argv[i][2] == 't' ? &traced : &journals) = true;
            i--;
            continue;
        }
        if (!number || i + 1 == argc
            || read_number (argv[i + 1],
                            number != &options.first
                                && number != &options.slow_ms,
                            number)
                   < 0)
            return usage ();
    }
    slow_s = (double)options.slow_ms / 1000;
    rc = play_all (&options, &figures);
    print_figures (&figures);
    return rc < 0 || figures.violations > 0;
}
