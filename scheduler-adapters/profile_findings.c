/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_findings.c - does what a profile asks for exist on the site? */
#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "arrays/array_job.h"
#include "base/arena.h"
#include "base/findings.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "command_scheduler.h"
#include "command_script.h"
#include "site_findings.h"

/* One profile under examination. */
struct judging {
    const struct site_description *site;
    const struct site_queue *queue;
    const struct profile_use *use;
    const char *key; /* what a queue is called here */
    struct findings *findings;
};

static void say (const struct judging *j,
                 enum grade grade,
                 const char *subject,
                 const char *advice,
                 const char *fmt,
                 ...) PRINTF_LIKE (5, 6);

static void say (const struct judging *j,
                 enum grade grade,
                 const char *subject,
                 const char *advice,
                 const char *fmt,
                 ...)
{
    const char *what = arena_printf (j->site->arena, "profile '%s': %s",
                                     j->use->profile, subject);
    struct strbuf text = STRBUF_INIT;
    va_list ap;

    va_start (ap, fmt);
    strbuf_vaddf (&text, fmt, ap);
    va_end (ap);
    findings_add (j->findings, grade, what, advice, "%s", text.buf);
    strbuf_release (&text);
}

/* --- its queue --- */

static void no_queue (const struct judging *j)
{
    const char *queue = j->use->job->queue;
    struct strbuf names = STRBUF_INIT;
    const char *advice =
        arena_printf (j->site->arena,
                      queue ? "correct `%s` of the profile"
                            : "name one with `%s` of the profile",
                      j->key);

    for (size_t i = 0; i < j->site->n_queues; i++)
        strbuf_addf (&names, "%s%s", i > 0 ? ", " : "",
                     j->site->queues[i].name);
    if (queue)
        say (j, GRADE_BAD, j->key, advice, "there is no %s '%s'; there is: %s",
             j->key, queue, names.buf);
    else
        say (j, GRADE_BAD, j->key, advice,
             "the site has no default; there is: %s", names.buf);
    strbuf_release (&names);
}

static void judge_queue_state (const struct judging *j)
{
    const struct site_queue *queue = j->queue;
    const char *advice = arena_printf (
        j->site->arena, "wait, or name another `%s` in the profile", j->key);

    if (queue->state != QUEUE_RUNS)
        say (j, GRADE_BAD, j->key, advice, "%s %s is %s: jobs are %s", j->key,
             queue->name, queue->state_words,
             queue->state == QUEUE_WAITS ? "taken and wait" : "refused");
    else if (queue->restriction)
        say (j, GRADE_WARNING, j->key,
             "ask the administrators whether this user may",
             "only some may use %s (%s)", queue->name, queue->restriction);
    else
        say (j, GRADE_GOOD, j->key, NULL, "%s is up%s", queue->name,
             j->use->job->queue ? "" : ", the site's default");
}

/* Is 'word' in the list "a,b"? */
static bool list_has (const char *list, const char *word)
{
    struct strvec words = STRVEC_INIT;
    bool found;

    strvec_split (&words, list, ",");
    found = strvec_contains (&words, word);
    strvec_release (&words);
    return found;
}

/* Is 'word', the profile's 'key', one that the queue takes? */
static void judge_allowed (const struct judging *j,
                           const char *key,
                           const char *word,
                           const char *allowed)
{
    const char *advice = arena_printf (
        j->site->arena, "change `%s` or `%s` of the profile", key, j->key);

    if (word && allowed && !list_has (allowed, word))
        say (j, GRADE_BAD, key, advice, "%s %s does not take '%s', but %s",
             j->key, j->queue->name, word, allowed);
}

/* --- its account --- */

static bool may_use (const struct site_account *account,
                     const struct array_job *job)
{
    return (!job->account || strcmp (account->name, job->account) == 0)
           && (!job->queue || !account->queue
               || strcmp (account->queue, job->queue) == 0);
}

static void judge_account (const struct judging *j)
{
    const struct array_job *job = j->use->job;
    struct strbuf names = STRBUF_INIT;
    bool found = false;

    for (size_t i = 0; i < j->site->n_accounts; i++) {
        const struct site_account *account = &j->site->accounts[i];

        strbuf_addf (&names, "%s%s", i > 0 ? ", " : "", account->name);
        found = found || may_use (account, job);
    }
    if (j->site->n_accounts == 0)
        say (j, GRADE_BAD, "account", "ask the administrators for an account",
             "the site wants one and this user has none");
    else if (!found)
        say (j, GRADE_BAD, "account", "correct `account` of the profile",
             "this user may not use '%s'%s%s; there is: %s",
             job->account ? job->account : "any", job->queue ? " in this " : "",
             job->queue ? j->key : "", names.buf);
    else
        say (j, GRADE_GOOD, "account", NULL, "%s",
             job->account ? job->account : "the user's default");
    strbuf_release (&names);
}

/* --- its walltime --- */

static double longest_s (const struct judging *j)
{
    struct site_facts facts;

    site_facts (j->site, j->queue->name, &facts);
    return facts.limits.walltime_s;
}

static void judge_walltime (const struct judging *j)
{
    double asked_s = j->use->job->walltime_s;
    double most_s = longest_s (j);
    double given_s = j->queue->default_walltime_s;
    struct strbuf most = STRBUF_INIT, asked = STRBUF_INIT, given = STRBUF_INIT;
    const char *advice =
        arena_printf (j->site->arena,
                      "lower `limits: walltime:` of the profile to "
                      "that, or name a longer `%s`",
                      j->key);

    if (given_s <= 0)
        given_s = most_s;
    format_duration (most_s, &most);
    format_duration (asked_s, &asked);
    format_duration (given_s, &given);
    if (asked_s > 0 && most_s > 0 && asked_s > most_s)
        say (j, GRADE_WARNING, "walltime", advice,
             "%s %s gives %s, the profile says %s; elements are made for what "
             "it gives",
             j->key, j->queue->name, most.buf, asked.buf);
    else if (asked_s <= 0 && given_s > 0)
        say (j, GRADE_WARNING, "walltime",
             "state `limits: walltime:` in the profile, or `walltime` of every "
             "task",
             "none is stated: a task that states none either gets %s",
             given.buf);
    else
        say (j, GRADE_GOOD, "walltime", NULL, "%s, and %s %s gives %s",
             asked_s > 0 ? asked.buf : "no limit", j->key, j->queue->name,
             most_s > 0 ? most.buf : "any");
    strbuf_release (&given);
    strbuf_release (&asked);
    strbuf_release (&most);
}

/* --- its nodes --- */

struct fitting {
    const char *gpu;    /* what the profile calls one */
    int64_t nodes;      /* of the queue */
    int64_t fit;        /* have all that an element needs */
    int64_t fit_up;     /* ... and can be given to jobs */
    int64_t most_cores; /* the most that any node has of one thing */
    int64_t most_bytes;
    int64_t most_gpus;
    struct strbuf kinds; /* of GPUs, as the site calls them */
};

static int64_t larger (int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void add_kinds (const char *things,
                       const char *gpu,
                       struct strbuf *kinds)
{
    struct strvec entries = STRVEC_INIT;

    strvec_split (&entries, things, ",");
    for (size_t i = 0; i < entries.n; i++) {
        if (strncmp (entries.v[i], gpu, strlen (gpu)) == 0
            && !strstr (kinds->buf, entries.v[i]))
            strbuf_addf (kinds, "%s%s", kinds->len > 0 ? ", " : "",
                         entries.v[i]);
    }
    strvec_release (&entries);
}

static void count_nodes (const struct judging *j,
                         const struct site_nodes *nodes,
                         struct fitting *f)
{
    const struct array_job *job = j->use->job;
    int64_t gpus = site_things (nodes->things, f->gpu);

    if (nodes->queue && strcmp (nodes->queue, j->queue->name) != 0)
        return;
    f->nodes += nodes->n;
    f->most_cores = larger (f->most_cores, nodes->cores);
    f->most_bytes = larger (f->most_bytes, nodes->memory_bytes);
    f->most_gpus = larger (f->most_gpus, gpus);
    add_kinds (nodes->things, j->site->of->gpu, &f->kinds);
    if (nodes->cores < job->cores || gpus < job->gpus
        || (nodes->memory_bytes > 0 && nodes->memory_bytes < job->memory_bytes))
        return;
    f->fit += nodes->n;
    f->fit_up += nodes->usable ? nodes->n : 0;
}

static void no_node_fits (const struct judging *j, const struct fitting *f)
{
    const struct array_job *job = j->use->job;
    const char *name = j->queue->name;
    const char *other =
        arena_printf (j->site->arena, ", or name another `%s`", j->key);
    const char *cores = arena_printf (
        j->site->arena, "lower `node: cores:` of the profile%s", other);
    const char *memory =
        arena_printf (j->site->arena,
                      "lower `node: memory:` of the profile (nodes "
                      "keep some for themselves)%s",
                      other);
    const char *node =
        arena_printf (j->site->arena, "lower `node` of the profile%s", other);

    if (f->most_gpus < job->gpus)
        say (j, GRADE_BAD, "nodes",
             "correct `gres` or `node: gpus:` of the profile",
             "no node of %s %s has %d of '%s'; it has: %s", j->key, name,
             job->gpus, f->gpu, f->kinds.len > 0 ? f->kinds.buf : "no GPUs");
    else if (f->most_cores < job->cores)
        say (j, GRADE_BAD, "nodes", cores,
             "no node of %s %s has %d cores; the largest has %" PRId64, j->key,
             name, job->cores, f->most_cores);
    else if (f->most_bytes < job->memory_bytes)
        say (j, GRADE_BAD, "nodes", memory,
             "no node of %s %s has %" PRId64
             " MiB of memory; the largest has %" PRId64,
             j->key, name, job_memory_mib (job), f->most_bytes >> 20);
    else
        say (j, GRADE_BAD, "nodes", node,
             "no node of %s %s has cores, memory and GPUs of `node` together",
             j->key, name);
}

static void judge_fitting (const struct judging *j, const struct fitting *f)
{
    const char *advice = arena_printf (
        j->site->arena, "wait, or name another `%s` in the profile", j->key);

    if (f->fit == 0)
        no_node_fits (j, f);
    else if (f->fit_up == 0)
        say (j, GRADE_BAD, "nodes", advice,
             "%" PRId64 " of %" PRId64
             " nodes fit, and all of them are down or drained",
             f->fit, f->nodes);
    else if (f->fit_up < job_nodes (j->use->job))
        say (j, GRADE_BAD, "nodes", advice,
             "%" PRId64 " of %" PRId64 " fit, %" PRId64
             " of them can be had; an element needs %d",
             f->fit, f->nodes, f->fit_up, job_nodes (j->use->job));
    else
        say (j, GRADE_GOOD, "nodes", NULL,
             "%" PRId64 " of %" PRId64 " fit, %" PRId64 " of them can be had",
             f->fit, f->nodes, f->fit_up);
}

static void judge_nodes (const struct judging *j)
{
    const char *gres = j->use->job->gres;
    struct fitting f = { .gpu = gres ? gres : j->site->of->gpu,
                         .kinds = STRBUF_INIT };

    for (size_t i = 0; i < j->site->n_nodes; i++)
        count_nodes (j, &j->site->nodes[i], &f);
    if (j->site->n_nodes > 0) /* a site need not show them */
        judge_fitting (j, &f);
    strbuf_release (&f.kinds);
}

/* --- the whole --- */

static void judge_directives (const struct judging *j)
{
    const struct risky_directive *risky = j->site->of->risky;

    for (; risky && risky->directive; risky++) {
        if (strvec_contains (&j->use->job->directives, risky->directive))
            say (j, GRADE_WARNING, "directives", risky->advice, "%s: %s",
                 risky->directive, risky->text);
    }
}

void site_judge_profile (const struct site_description *site,
                         const struct profile_use *use,
                         struct findings *findings)
{
    const struct judging j = { site, site_find_queue (site, use->job->queue),
                               use, site->of->queue_key, findings };

    judge_directives (&j);
    if (site->wants_account)
        judge_account (&j);
    if (!j.queue) {
        no_queue (&j);
        return;
    }
    judge_queue_state (&j);
    judge_allowed (&j, "account", use->job->account, j.queue->accounts);
    judge_allowed (&j, "qos", use->job->qos, j.queue->qos);
    judge_walltime (&j);
    judge_nodes (&j);
}
