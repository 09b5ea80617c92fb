/* SPDX-License-Identifier: BSD-3-Clause */
/* site_findings.c - what a site is like means for campaigns and their profiles
 */
#include "base/base.h"

#include "arrays/array_job.h"
#include "arrays/packing.h"
#include "base/arena.h"
#include "base/findings.h"
#include "base/units.h"
#include "command_scheduler.h"
#include "site_description.h"

/* --- versions --- */

/* The version in what a command says of itself: from the first digit on. */
static const char *find_version (const char *text)
{
    while (*text && !isdigit ((unsigned char)*text))
        text++;
    return text;
}

/* Releases that differ in the first two numbers may speak different protocols.
 */
static bool read_release (const char *text, int *major, int *minor)
{
    return sscanf (text, "%d.%d", major, minor) == 2;
}

static void judge_version (struct site_description *site)
{
    const char *said = site->commands_version ? site->commands_version : "";
    const char *server = site->version ? site->version : "";
    const char *ours = find_version (said);
    int major[2], minor[2];
    int len = (int)strcspn (ours, " \n");

    if (!read_release (ours, &major[0], &minor[0])
        || !read_release (server, &major[1], &minor[1]))
        findings_add (&site->remarks, GRADE_WARNING, "version",
                      "are the commands on PATH wrappers that print other "
                      "words?",
                      "the version cannot be told from '%.*s' and '%s'",
                      (int)strcspn (said, "\n"), said, server);
    else if (major[0] != major[1] || minor[0] != minor[1])
        findings_add (&site->remarks, GRADE_WARNING, "version",
                      "put the commands of this cluster first on PATH",
                      "the commands are of %.*s, the %s of %s", len, ours,
                      site->of->server, server);
    else
        findings_add (&site->remarks, GRADE_GOOD, "version", NULL, "%s",
                      server);
}

/* Are the commands those of this scheduler, and not of one like it? */
static void judge_sign (struct site_description *site)
{
    const struct command_scheduler *of = site->of;
    const char *said = site->commands_version;

    if (said
        && ((of->own_sign && !strstr (said, of->own_sign))
            || (of->foreign_sign && strstr (said, of->foreign_sign))))
        findings_add (&site->remarks, GRADE_BAD, "dialect", of->foreign_advice,
                      "the commands are of another scheduler: %s says '%.*s'",
                      of->program, (int)strcspn (said, "\n"), said);
}

/* --- arrays and jobs --- */

static void judge_arrays (struct site_description *site)
{
    if (site->no_arrays)
        findings_add (&site->remarks, GRADE_BAD, "arrays",
                      "ask the administrators to allow them",
                      "job arrays are switched off (%s = 0)",
                      site->elements_setting);
    else if (site->elements > 0)
        findings_add (&site->remarks, GRADE_GOOD, "arrays", NULL,
                      "up to %" PRId64 " elements (%s); a stage with more "
                      "becomes several arrays",
                      site->elements, site->elements_setting);
}

static void judge_jobs (struct site_description *site)
{
    if (site->jobs > 0 && site->jobs < site->elements)
        findings_add (&site->remarks, GRADE_WARNING, "jobs",
                      "set `limits: submit:` of the profiles to a part of that",
                      "all users together may have %" PRId64
                      " jobs (%s), and each element is one",
                      site->jobs, site->jobs_setting);
    else if (site->jobs > 0)
        findings_add (&site->remarks, GRADE_GOOD, "jobs", NULL,
                      "%" PRId64 " of all users together (%s)", site->jobs,
                      site->jobs_setting);
}

/* --- history --- */

/* Whoever looks twice while an end is shown has seen it. */
static void judge_shown (struct site_description *site,
                         const struct profile_use *uses, size_t n)
{
    _cleanup_ (strbuf_release) struct strbuf shown = STRBUF_INIT;
    bool often_enough = true;

    format_duration (site->shown_s, &shown);
    for (size_t i = 0; i < n; i++) {
        if (site->accounting || uses[i].poll_s <= site->shown_s / 2)
            continue;
        often_enough = false;
        findings_add (&site->remarks, GRADE_WARNING, "history",
                      "ask more often: lower `limits: poll:` of the profile "
                      "below half of that",
                      "jobs that ended are shown for %s (%s), nothing else "
                      "remembers them, and profile '%s' looks every %g s",
                      shown.buf, site->shown_setting, uses[i].profile,
                      uses[i].poll_s);
    }
    if (often_enough)
        findings_add (&site->remarks, GRADE_GOOD, "history", NULL,
                      "jobs that have ended are shown for %s (%s)%s", shown.buf,
                      site->shown_setting,
                      site->accounting ? ", and then known by accounting" : "");
}

static void judge_history (struct site_description *site,
                           const struct profile_use *uses, size_t n)
{
    if (site->shown_s > 0)
        judge_shown (site, uses, n);
    else if (!site->accounting)
        findings_add (
            &site->remarks, GRADE_WARNING, "history", site->of->history_advice,
            "the %s forgets jobs as they end: of an element only "
            "what its agent logged is known, and one that was deleted "
            "is run again",
            site->of->server);
}

void site_judge (struct site_description *site, const struct profile_use *uses,
                 size_t n, struct findings *findings)
{
    findings_about (findings, "%s",
                    ""); /* what the remarks are about they say */
    judge_sign (site);
    judge_version (site);
    judge_arrays (site);
    judge_jobs (site);
    judge_history (site, uses, n);
    findings_append (findings, &site->remarks);
}

/* --- a profile's queue --- */

/* One profile under examination. */
struct judging {
    const struct site_description *site;
    const struct site_queue *queue;
    const struct array_job *job;
    const char *key; /* what a queue is called here */
    struct findings *findings;
};

static void add_name (struct strbuf *names, const char *name)
{
    strbuf_addf (names, "%s%s", names->len > 0 ? ", " : "", name);
}

static void no_queue (const struct judging *j)
{
    _cleanup_ (strbuf_release) struct strbuf names = STRBUF_INIT;

    for (size_t i = 0; i < j->site->n_queues; i++)
        add_name (&names, j->site->queues[i].name);
    if (j->job->queue)
        findings_add (
            j->findings, GRADE_BAD, j->key,
            arena_printf (j->site->arena, "change `%s` of the profile", j->key),
            "there is no %s '%s'; there is: %s", j->key, j->job->queue,
            names.buf);
    else
        findings_add (j->findings, GRADE_BAD, j->key,
                      arena_printf (j->site->arena,
                                    "name one with `%s` of the profile",
                                    j->key),
                      "the site has no default; there is: %s", names.buf);
}

static const char *wait_or_other (const struct judging *j)
{
    return arena_printf (j->site->arena,
                         "wait, or name another `%s` in the profile", j->key);
}

static void judge_queue_state (const struct judging *j)
{
    const struct site_queue *queue = j->queue;

    if (queue->state != QUEUE_RUNS)
        findings_add (
            j->findings, GRADE_BAD, j->key, wait_or_other (j),
            "%s %s is %s: jobs are %s", j->key, queue->name, queue->state_words,
            queue->state == QUEUE_WAITS ? "taken and wait" : "refused");
    else if (queue->restriction)
        findings_add (j->findings, GRADE_WARNING, j->key,
                      "ask the administrators whether this user may",
                      "only some may use %s (%s)", queue->name,
                      queue->restriction);
    else
        findings_add (j->findings, GRADE_GOOD, j->key, NULL, "%s is up%s",
                      queue->name, j->job->queue ? "" : ", the site's default");
}

/* Is 'word', the profile's 'key', one that the queue takes? */
static void judge_allowed (const struct judging *j, const char *key,
                           const char *word, const char *allowed)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

    strvec_split (&words, allowed ? allowed : "", ",");
    if (word && allowed && !strvec_contains (&words, word))
        findings_add (j->findings, GRADE_BAD, key,
                      arena_printf (j->site->arena,
                                    "change `%s` or `%s` of the profile", key,
                                    j->key),
                      "%s %s does not take '%s', but %s", j->key,
                      j->queue->name, word, allowed);
}

/* --- its account --- */

static void judge_account (const struct judging *j)
{
    const struct array_job *job = j->job;
    _cleanup_ (strbuf_release) struct strbuf names = STRBUF_INIT;
    bool found = false;

    for (size_t i = 0; i < j->site->n_accounts; i++) {
        const struct site_account *account = &j->site->accounts[i];

        add_name (&names, account->name);
        if ((!job->account || strcmp (account->name, job->account) == 0)
            && (!job->queue || !account->queue
                || strcmp (account->queue, job->queue) == 0))
            found = true;
    }
    if (j->site->n_accounts == 0)
        findings_add (j->findings, GRADE_BAD, "account",
                      "ask the administrators for an account",
                      "the site asks for one and this user has none");
    else if (!found)
        findings_add (j->findings, GRADE_BAD, "account",
                      "change `account` of the profile",
                      "this user may not use '%s'%s%s; there is: %s",
                      job->account ? job->account : "any",
                      job->queue ? " in this " : "", job->queue ? j->key : "",
                      names.buf);
    else
        findings_add (j->findings, GRADE_GOOD, "account", NULL, "%s",
                      job->account ? job->account : "the user's default");
}

/* --- its walltime --- */

static const char *time_text (const struct judging *j, double s)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    const char *copy;

    format_duration (s, &text);
    copy = arena_strdup (j->site->arena, text.buf);
    return copy;
}

static void judge_walltime (const struct judging *j)
{
    double asked_s = j->job->walltime_s;
    double given_s = j->queue->default_walltime_s;
    const char *most, *asked = time_text (j, asked_s);
    struct site_facts facts;
    double most_s;

    site_facts (j->site, j->queue->name, &facts);
    most_s = facts.limits.walltime_s;
    most = time_text (j, most_s);
    if (given_s <= 0)
        given_s = most_s;
    if (asked_s > 0 && most_s > 0 && asked_s > most_s)
        findings_add (
            j->findings, GRADE_WARNING, "walltime",
            arena_printf (j->site->arena,
                          "lower `limits: walltime:` of the profile to that, "
                          "or name a longer `%s`",
                          j->key),
            "%s %s gives %s, the profile says %s; elements are made for what "
            "it gives",
            j->key, j->queue->name, most, asked);
    else if (asked_s <= 0 && given_s > 0)
        findings_add (j->findings, GRADE_WARNING, "walltime",
                      "state `limits: walltime:` in the profile, or `walltime` "
                      "of every task",
                      "none is stated: a task that states none either gets %s",
                      time_text (j, given_s));
    else
        findings_add (j->findings, GRADE_GOOD, "walltime", NULL,
                      "%s, and %s %s gives %s",
                      asked_s > 0 ? asked : "no limit", j->key, j->queue->name,
                      most_s > 0 ? most : "any");
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

static void raise (int64_t *most, int64_t n)
{
    if (n > *most)
        *most = n;
}

static void add_kinds (const char *things, const char *gpu,
                       struct strbuf *kinds)
{
    _cleanup_ (strvec_release) struct strvec entries = STRVEC_INIT;

    strvec_split (&entries, things, ",");
    for (size_t i = 0; i < entries.n; i++) {
        if (strncmp (entries.v[i], gpu, strlen (gpu)) == 0
            && !strstr (kinds->buf, entries.v[i]))
            add_name (kinds, entries.v[i]);
    }
}

static void count_nodes (const struct judging *j,
                         const struct site_nodes *nodes, struct fitting *f)
{
    int64_t gpus = site_things (nodes->things, f->gpu);

    if (nodes->queue && strcmp (nodes->queue, j->queue->name) != 0)
        return;
    f->nodes += nodes->n;
    raise (&f->most_cores, nodes->cores);
    raise (&f->most_bytes, nodes->memory_bytes);
    raise (&f->most_gpus, gpus);
    add_kinds (nodes->things, j->site->of->gpu, &f->kinds);
    if (nodes->cores < j->job->cores || gpus < j->job->gpus
        || (nodes->memory_bytes > 0
            && nodes->memory_bytes < j->job->memory_bytes))
        return;
    f->fit += nodes->n;
    f->fit_up += nodes->usable ? nodes->n : 0;
}

static void no_node_fits (const struct judging *j, const struct fitting *f)
{
    const struct array_job *job = j->job;
    const char *name = j->queue->name;
    bool cores = f->most_cores < job->cores;
    bool memory = f->most_bytes < job->memory_bytes;
    const char *advice = arena_printf (
        j->site->arena, "lower `node%s` of the profile%s, or name another `%s`",
        cores    ? ": cores:"
        : memory ? ": memory:"
                 : "",
        memory && !cores ? " (nodes keep some for themselves)" : "", j->key);

    if (f->most_gpus < job->gpus)
        findings_add (j->findings, GRADE_BAD, "nodes",
                      "change `gres` or `node: gpus:` of the profile",
                      "no node of %s %s has %d of '%s'; it has: %s", j->key,
                      name, job->gpus, f->gpu,
                      f->kinds.len > 0 ? f->kinds.buf : "no GPUs");
    else if (cores)
        findings_add (j->findings, GRADE_BAD, "nodes", advice,
                      "no node of %s %s has %d cores; the largest has %" PRId64,
                      j->key, name, job->cores, f->most_cores);
    else if (memory)
        findings_add (j->findings, GRADE_BAD, "nodes", advice,
                      "no node of %s %s has %" PRId64
                      " MiB of memory; the largest has %" PRId64,
                      j->key, name, job_memory_mib (job), f->most_bytes >> 20);
    else
        findings_add (j->findings, GRADE_BAD, "nodes", advice,
                      "no node of %s %s has cores, memory and GPUs of `node` "
                      "together",
                      j->key, name);
}

static void judge_nodes (const struct judging *j)
{
    const char *gres = j->job->gres;
    struct fitting f = { .gpu = gres ? gres : j->site->of->gpu,
                         .kinds = STRBUF_INIT };

    for (size_t i = 0; i < j->site->n_nodes; i++)
        count_nodes (j, &j->site->nodes[i], &f);
    if (j->site->n_nodes == 0) /* a site need not show them */
        ;
    else if (f.fit == 0)
        no_node_fits (j, &f);
    else if (f.fit_up == 0)
        findings_add (j->findings, GRADE_BAD, "nodes", wait_or_other (j),
                      "%" PRId64 " of %" PRId64
                      " nodes fit, and all of them are down or drained",
                      f.fit, f.nodes);
    else if (f.fit_up < job_nodes (j->job))
        findings_add (j->findings, GRADE_BAD, "nodes", wait_or_other (j),
                      "%" PRId64 " of %" PRId64 " fit, %" PRId64
                      " of them can be had; an element needs %d",
                      f.fit, f.nodes, f.fit_up, job_nodes (j->job));
    else
        findings_add (j->findings, GRADE_GOOD, "nodes", NULL,
                      "%" PRId64 " of %" PRId64 " fit, %" PRId64
                      " of them can be had",
                      f.fit, f.nodes, f.fit_up);
    strbuf_release (&f.kinds);
}

static void judge_submit (const struct judging *j)
{
    int64_t submit = tighter_limit (j->site->submit, j->queue->submit);

    if (submit > 0)
        findings_add (j->findings, GRADE_GOOD, "submit", NULL,
                      "%" PRId64 " elements queued or running at a time; of a "
                      "stage with more the rest waits its turn",
                      submit);
}

/* --- the whole of it --- */

void site_judge_profile (const struct site_description *site,
                         const struct profile_use *use,
                         struct findings *findings)
{
    const struct array_job *job = use->job;
    const struct judging j = { site, site_find_queue (site, job->queue), job,
                               site->of->queue_key, findings };

    findings_about (findings, "profile '%s': ", use->profile);
    for (const struct risky_directive *risky = site->of->risky;
         risky && risky->directive; risky++) {
        if (strvec_contains (&job->directives, risky->directive))
            findings_add (findings, GRADE_WARNING, "directives", risky->advice,
                          "%s: %s", risky->directive, risky->text);
    }
    if (site->wants_account)
        judge_account (&j);
    if (!j.queue) {
        no_queue (&j);
        return;
    }
    judge_queue_state (&j);
    judge_allowed (&j, "account", job->account, j.queue->accounts);
    judge_allowed (&j, "qos", job->qos, j.queue->qos);
    judge_walltime (&j);
    judge_submit (&j);
    judge_nodes (&j);
}
