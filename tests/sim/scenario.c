/* SPDX-License-Identifier: BSD-3-Clause */
/* scenario.c - a seed's campaign and its site */
#include "base/base.h"

#include "base/problems.h"
#include "campaign/compile.h"
#include "campaign/plan.h"
#include "disk.h"
#include "engine/history/state.h"
#include "faults.h"
#include "scenario.h"
#include "world.h"
#include "task_process.h"

static int between (struct faults *shape, int least, int most)
{
    return least + (int)faults_pick (shape, most - least + 1);
}

/* Mostly few: what goes wrong among few tasks goes wrong among many. */
static int draw_tasks (struct faults *shape)
{
    int kind = between (shape, 1, 300);

    if (kind == 1)
        return between (shape, 500, 2000);
    return kind <= 20 ? between (shape, 30, 150) : between (shape, 1, 12);
}

static void write_site (struct faults *shape, struct scenario *s,
                        struct strbuf *text)
{
    int cores = between (shape, 2, 4); /* a group has two programs */
    int elements = s->tasks > 200 ? 100 : between (shape, 1, 6);

    s->site.nodes = between (shape, 1, 6);
    s->site.cores = cores + between (shape, 0, 4);
    s->site.elements = between (shape, 0, 2) * elements;
    s->site.submit = between (shape, 0, 3) * elements;
    s->site.cycle_s = 0.1 + 5 * faults_draw (shape);
    s->site.keep_s = between (shape, 0, 1) ? 300 : 5;
    s->site.lag_s = 50; /* less than settle */
    strbuf_addf (text,
                 "format: 1\n"
                 "profiles:\n"
                 "  sim:\n"
                 "    scheduler: sim\n"
                 "    node: {cores: %d}\n"
                 "    limits: {elements: %d, running: %d, walltime: %dh,"
                 " poll: 30s, settle: 60s, visibility: 60s}\n",
                 cores, elements, between (shape, 1, 4 * elements),
                 between (shape, 1, 2) * between (shape, 1, 12));
}

static void write_items (int n, struct strbuf *text)
{
    strbuf_add_str (text, "[");
    for (int i = 0; i < n; i++)
        strbuf_addf (text, "%s%d", i > 0 ? ", " : "", i);
    strbuf_add_str (text, "]");
}

/* More tries than any world has faults. */
static const char retry[] =
    "    retry: {failed: 200, bad_output: 200, out_of_memory: 200,\n"
    "      timeout: {tries: 200, walltime: x1.1}, node_failure: 200,\n"
    "      preempted: 200, lost: 200}\n";

#define PUBLISHED "{type: frames, publish: true}"

/* With how long files are kept. */
#define OPERATORS                                                              \
    "operators:\n"                                                             \
    "  sim.item:\n"                                                            \
    "%s"                                                                       \
    "    fan_out: [item]\n"                                                    \
    "    inputs: {item: {type: int}, carried: {type: int}}\n"                  \
    "    outputs: {value: {type: int}, made: {type: file, keep: %s}}\n"        \
    "    checkpoint: [" CHECKPOINT_FILE "]\n"                                  \
    "    logs: keep\n"                                                         \
    "    command: [task, \"{outputs.made}\", \"{seed}\", \"{task}\"]\n"        \
    "  sim.value:\n"                                                           \
    "    fan_out: [value]\n"                                                   \
    "    inputs: {value: {type: int}}\n"                                       \
    "    outputs: {value: {type: int}}\n"                                      \
    "    group:\n"                                                             \
    "      setup: [step]\n"                                                    \
    "      exit: [step]\n"                                                     \
    "      programs:\n"                                                        \
    "        driver: {command: [task, \"{seed}\"], setup: [step], exit: "      \
    "[step]}\n"                                                                \
    "        client: {command: [task, \"{seed}\"], per_instance: {setup: "     \
    "[step]}}\n"                                                               \
    "  sim.cut:\n"                                                             \
    "    inputs: {values: {type: int, list: true}}\n"                          \
    "    outputs: {value: {type: int}}\n"                                      \
    "    command: [task, \"{seed}\"]\n"                                        \
    "    prepare: {slices: {scale: {type: int}}, command: [prepare]}\n"        \
    "    collect:\n"                                                           \
    "      outputs: {total: {type: int}, data: " PUBLISHED "}\n"               \
    "      command: [collect]\n"                                               \
    "  sim.last:\n"                                                            \
    "    inputs: {total: {type: int}, files: {type: file, list: true},\n"      \
    "      values: {type: int, list: true}}\n"                                 \
    "    outputs: {value: {type: int}, frames: " PUBLISHED "}\n"               \
    "    logs: keep\n"                                                         \
    "    command: [task, \"{outputs.frames}\", \"{seed}\"]\n"                  \
    "  sim.label:\n"                                                           \
    "    inputs: {values: {type: int, list: true}}\n"                          \
    "    outputs: {value: {type: int}, frames: " PUBLISHED "}\n"               \
    "    logs: keep\n"                                                         \
    "    command: [task, \"{outputs.frames}\", \"{seed}\"]\n"

/* Some campaigns have phases, the last of which has another third stage. */
static void write_end (uint64_t seed, int iterations, struct strbuf *text)
{
    if (seed % 3 != 0 || iterations == 1) {
        strbuf_addf (text, "stop: {iterations: %d}\n", iterations);
        return;
    }
    strbuf_addf (text,
                 "phases:\n"
                 "  - {name: one, iterations: %d, until: second.count > 0,"
                 " on_maximum: continue}\n"
                 "  - name: other\n"
                 "    iterations: %d\n"
                 "    stages: {third: {with: {values: second.value}}}\n",
                 iterations, iterations - 1);
}

/* What campaign.yaml is like: drawn once, and then edited. */
struct definition {
    int first, second; /* walltimes in minutes */
    int iterations;
    int carried; /* of which results are made */
    bool renamed;
    bool unlabelled; /* the last stage, which publishes, is skipped */
    bool otherwise;  /* its tasks make other values */
    bool extra; /* a stage whose outputs no other uses, and that publishes */
};

static const char *keep_of (uint64_t seed)
{
    static const char *const rules[] = { "always", "until_used", "1" };

    return rules[seed / 3 % 3];
}

bool scenario_takes (uint64_t seed)
{
    return seed % 3 == 1;
}

static const char renamed[] = "primary";

static void draw_definition (struct faults *shape, const struct scenario *s,
                             struct definition *d)
{
    /* Agents look at what runs every other second: not for days of many. */
    int minutes = s->tasks > 20 ? 4 : 60;

    *d = (struct definition){ 0 };
    d->first = between (shape, 1, minutes);
    d->iterations = s->tasks > 200 ? 1 : between (shape, 1, 3);
    d->second = between (shape, 1, minutes);
}

/* More iterations (where these are not parts of phases), other limits, another
 * input, another name, a stage less. */
static void edit (struct faults *edits, struct scenario *s, bool phases,
                  struct definition *d)
{
    switch (between (edits, 0, 5)) {
    case 0:
        d->iterations += s->tasks <= 20 && !phases;
        break;
    case 1:
        d->second = 1 + d->second / 2;
        break;
    case 2:
        d->carried++;
        s->changed = true;
        break;
    case 3:
        d->renamed = true;
        break;
    case 4:
        d->unlabelled = true;
        s->changed = true;
        break;
    default:
        d->extra = false;
        break;
    }
}

/* Where results are taken it says what a task makes, not what it is. */
static const char *env_of (uint64_t seed, bool otherwise)
{
    if (!scenario_takes (seed))
        return "";
    return otherwise ? "    env: {" TASK_ENV ": other}\n"
                     : "    env: {" TASK_ENV ": same}\n";
}

/* Some people are told. */
static const char notify[] =
    "notify: {stage_failed: [tell], iteration_done: [tell], paused: [tell],"
    " done: [tell], stuck: [tell]}\n";

static void write_campaign (const struct definition *d,
                            const struct scenario *s, uint64_t seed,
                            struct strbuf *text)
{
    const char *first = d->renamed ? renamed : "first";

    strbuf_addf (text,
                 "format: 1\n"
                 "campaign: simulated\n"
                 "elements: [Si]\n"
                 "seed: %" PRIu64 "\n"
                 "stages:\n"
                 "  %s:\n"
                 "%s"
                 "    uses: sim.item\n"
                 "    task: {cores: 1, walltime: %dm}\n"
                 "    with:\n"
                 "      carried: {from: previous.last.value, default: %d}\n"
                 "      item: ",
                 seed % 1000000, first,
                 d->renamed ? "    renamed_from: first\n" : "", d->first,
                 d->carried);
    write_items (s->tasks, text);
    strbuf_addf (text,
                 "\n%s"
                 "  second:\n"
                 "    uses: sim.value\n"
                 "    task: {walltime: %dm}\n"
                 "    with: {value: %s.value}\n%s"
                 "  third:\n"
                 "    uses: sim.cut\n"
                 "    with: {values: %s.value}\n"
                 "    task: {walltime: 10m}\n%s"
                 "  last:\n"
                 "    uses: sim.last\n"
                 "    task: {walltime: 10m}\n"
                 "    with: {total: third.total, files: %s.made,"
                 " values: second.value}\n%s%s"
                 "%s%s%s%s"
                 "history: {ok: second.count}\n" OPERATORS,
                 retry, d->second, first, retry, first, retry, first, retry,
                 d->unlabelled ? "    when: iteration == 9\n" : "",
                 d->extra ? "  extra:\n    uses: sim.label\n"
                            "    with: {values: "
                          : "",
                 d->extra ? first : "", d->extra ? ".value}\n" : "",
                 d->extra ? retry : "", env_of (seed, d->otherwise),
                 keep_of (seed));
    write_end (seed, d->iterations, text);
    if (seed % 5 == 2)
        strbuf_add_str (text, notify);
}

struct plan *scenario_compile (const struct scenario *s, struct json *recorded)
{
    static const struct operator_spec *const no_operators[] = { NULL };
    static const char *const schedulers[] = { "sim", NULL };
    const struct compile_options options = { .dir = SCENARIO_DIR,
                                             .builtin = no_operators,
                                             .schedulers = schedulers,
                                             .recorded = recorded };
    struct problems problems = PROBLEMS_INIT;
    struct process *current = s->world->current;
    struct strbuf text = STRBUF_INIT;
    struct plan *plan;

    s->world->current = NULL; /* nothing goes wrong with that */
    plan = campaign_compile (&options, &problems);
    s->world->current = current;

    if (!plan) {
        problems_format (&problems, &text);
        fputs (text.buf, stderr);
        abort ();
    }
    strbuf_release (&text);
    problems_release (&problems);
    return plan;
}

static void put_version (struct disk *disk, struct scenario *s, int version)
{
    s->version = version;
    disk_put (disk, SCENARIO_DIR "/campaign.yaml", s->texts[version]);
}

void scenario_edit (struct disk *disk, struct scenario *s)
{
    put_version (disk, s, s->version + 1);
}

/* The campaign in all its versions.  Most are edited. */
static void make_versions (uint64_t seed, bool otherwise, struct faults *shape,
                           struct disk *disk, struct scenario *s)
{
    struct definition d;
    struct faults edits;

    faults_init (&edits, seed + 1, 0);
    draw_definition (shape, s, &d);
    d.otherwise = otherwise;
    d.extra = between (&edits, 0, 1);
    s->n_versions = between (&edits, 1, VERSIONS_MAX);
    for (int v = 0; v < s->n_versions; v++) {
        struct strbuf text = STRBUF_INIT;

        if (v > 0)
            edit (&edits, s, seed % 3 == 0, &d);
        write_campaign (&d, s, seed, &text);
        s->texts[v] = strbuf_detach (&text);
        put_version (disk, s, v);
        s->versions[v] = scenario_compile (s, NULL);
    }
    s->plan = s->versions[s->n_versions - 1];
}

void scenario_make (uint64_t seed, bool calm, bool otherwise, struct disk *disk,
                    struct world *world, struct scenario *s)
{
    struct strbuf site = STRBUF_INIT;
    struct faults shape;

    faults_init (&shape, seed, 0);
    *s = (struct scenario){ .tasks = draw_tasks (&shape), .world = world };
    write_site (&shape, s, &site);
    s->takes = !calm && scenario_takes (seed);
    if (s->takes) {
        strbuf_add_str (&site, "reuse_from: [" SCENARIO_SOURCE "]\n");
        disk_put (disk, SCENARIO_SOURCE "/campaign.yaml", "format: 1\n");
    }
    disk_put (disk, SCENARIO_DIR "/site.yaml", site.buf);
    make_versions (seed, otherwise, &shape, disk, s);
    if (!calm)
        put_version (disk, s, 0);
    s->advance_s = between (&shape, 0, 2) * between (&shape, 10, 300);
    s->run_s = s->advance_s > 0 ? between (&shape, 0, 1) * 900
                                : between (&shape, 10, 300);
    s->chained = between (&shape, 0, 2) == 0;
    if (s->chained) {
        s->advance_s = s->run_s = 0;
        /* Wake-ups need room besides. */
        s->site.submit += s->site.submit > 0 ? 3 * DEPENDENCY_JOB_ELEMENTS : 0;
    }
    strbuf_release (&site);
}

void scenario_release (struct scenario *s)
{
    for (int v = 0; v < s->n_versions; v++) {
        plan_destroy (s->versions[v]);
        free (s->texts[v]);
    }
}

char *scenario_first_names (const char *text)
{
    struct strbuf out = STRBUF_INIT;
    const char *at;

    for (; (at = strstr (text, renamed)); text = at + strlen (renamed))
        strbuf_addf (&out, "%.*sfirst", (int)(at - text), text);
    strbuf_add_str (&out, text);
    return strbuf_detach (&out);
}
