/* SPDX-License-Identifier: BSD-3-Clause */
/* examine.c - what is wrong with this site? */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "pbs/client.h"
#include "pbs/examine.h"
#include "pbs/records.h"
#include "pbs/site.h"

static bool is_value (const struct pbs_record *record,
                      const char *name,
                      const char *value)
{
    const char *there = pbs_value (record, name);

    return there && strcmp (there, value) == 0;
}

/* --- the server --- */

static void judge_dialect (const char *adapter,
                           const char *version,
                           struct findings *findings)
{
    bool openpbs = version && strstr (version, "pbs_version");
    bool right = openpbs == (strcmp (adapter, "pbs") == 0);

    if (!version)
        return;
    findings_add (findings, right ? GRADE_GOOD : GRADE_BAD, "pbs: dialect",
                  right     ? NULL
                  : openpbs ? "write `scheduler: pbs` in the profile"
                            : "write `scheduler: torque` in the profile",
                  openpbs ? "OpenPBS or PBS Professional"
                          : "qsub does not say pbs_version: this is TORQUE");
}

static void judge_history (const struct pbs_site *site,
                           struct findings *findings)
{
    if (site->history)
        findings_add (findings, GRADE_GOOD, "pbs: history", NULL,
                      "jobs that have ended are known");
    else
        findings_add (findings, GRADE_WARNING, "pbs: history",
                      "ask the administrators for `qmgr -c 'set server "
                      "job_history_enable = True'`",
                      "the server forgets jobs as they end: of an element only "
                      "what its agent logged is known, and one that somebody "
                      "deleted is run again");
}

static int judge_server (const struct pbs_record *record,
                         void *arg,
                         struct error *err)
{
    const char *version = pbs_value (record, "pbs_version");

    (void)err;
    findings_add (arg, GRADE_GOOD, "pbs: server", NULL, "%s, release %s",
                  record->id, version ? version : "not told");
    if (is_value (record, "scheduling", "False"))
        findings_add (
            arg, GRADE_WARNING, "pbs: scheduler",
            "wait, or ask the administrators",
            "it is switched off (scheduling = False): nothing starts");
    return 0;
}

void pbs_judge_site (const char *adapter,
                     const struct pbs_replies *replies,
                     struct findings *findings)
{
    struct pbs_site site = { .history = false };
    struct error err = ERROR_INIT;
    size_t len = strlen (replies->server);

    judge_dialect (adapter, replies->version, findings);
    if (pbs_read_server (replies->server, len, &site, &err) < 0) {
        findings_add (findings, GRADE_BAD, "pbs: server",
                      "is qstat on PATH a wrapper that prints other words?",
                      "%s", err.text);
        return;
    }
    pbs_read_records ("Server: ", replies->server, len, judge_server, findings,
                      NULL);
    judge_history (&site, findings);
    if (site.max_array > 0)
        findings_add (findings, GRADE_GOOD, "pbs: arrays", NULL,
                      "up to %" PRId64 " elements (max_array_size)",
                      site.max_array);
}

/* --- a profile --- */

struct judging {
    const struct profile_use *use;
    const char *queue;
    struct findings *findings;
    struct strbuf names; /* of all queues */
    bool found;
    int64_t nodes, fit, fit_up, most_cores;
};

static void say (const struct judging *j,
                 enum grade grade,
                 const char *key,
                 const char *advice,
                 const char *text)
{
    char *what = xasprintf ("profile '%s': %s", j->use->profile, key);

    findings_add (j->findings, grade, what, advice, "%s", text);
    free (what);
}

static void judge_walltime (const struct judging *j,
                            const struct pbs_record *record)
{
    const char *most = pbs_value (record, "resources_max.walltime");
    struct strbuf text = STRBUF_INIT;
    double s;

    if (!most || parse_duration (most, &s) < 0)
        return;
    strbuf_addf (&text, "queue %s gives %s", record->id, most);
    if (j->use->job->walltime_s > s)
        say (j, GRADE_BAD, "walltime",
             "lower `limits: walltime:` of the profile, or name another "
             "`queue`",
             text.buf);
    else if (j->use->job->walltime_s <= 0)
        say (j, GRADE_WARNING, "walltime",
             "set `limits: walltime:` of the profile to that", text.buf);
    strbuf_release (&text);
}

static int judge_queue (const struct pbs_record *record,
                        void *arg,
                        struct error *err)
{
    struct judging *j = arg;

    (void)err;
    strbuf_addf (&j->names, "%s%s", j->names.len > 0 ? ", " : "", record->id);
    if (strcmp (record->id, j->queue) != 0)
        return 0;
    j->found = true;
    if (is_value (record, "enabled", "False"))
        say (j, GRADE_BAD, "queue", "name another `queue` in the profile",
             "it takes no jobs (enabled = False)");
    else if (is_value (record, "started", "False"))
        say (j, GRADE_WARNING, "queue", "wait, or name another `queue`",
             "it starts no jobs (started = False)");
    else if (is_value (record, "acl_user_enable", "True")
             || is_value (record, "acl_group_enable", "True"))
        say (j, GRADE_WARNING, "queue",
             "ask the administrators, or name another `queue`",
             "only some may use it (acl_users, acl_groups)");
    else
        say (j, GRADE_GOOD, "queue", NULL, record->id);
    judge_walltime (j, record);
    return 0;
}

static int count_node (const struct pbs_record *record,
                       void *arg,
                       struct error *err)
{
    struct judging *j = arg;
    const struct array_job *job = j->use->job;
    const char *state = pbs_value (record, "state");
    struct pbs_node node;

    (void)err;
    pbs_read_node (record, job->gres, &node);
    if (node.cores < 1)
        return 0;
    j->nodes++;
    if (node.cores > j->most_cores)
        j->most_cores = node.cores;
    if (node.cores < job->cores || node.gpus < job->gpus
        || (node.memory_bytes > 0 && node.memory_bytes < job->memory_bytes))
        return 0;
    j->fit++;
    if (!state || (!strstr (state, "down") && !strstr (state, "offline")))
        j->fit_up++;
    return 0;
}

static void judge_nodes (struct judging *j, const char *nodes)
{
    struct strbuf text = STRBUF_INIT;

    if (pbs_read_records ("", nodes, strlen (nodes), count_node, j, NULL) < 0
        || j->nodes == 0)
        return; /* a site need not show its nodes */
    strbuf_addf (&text,
                 "%" PRId64 " of %" PRId64 " fit, %" PRId64 " of them "
                 "can be had; the largest has %" PRId64 " cores",
                 j->fit, j->nodes, j->fit_up, j->most_cores);
    if (j->fit_up >= (j->use->job->nodes > 1 ? j->use->job->nodes : 1))
        say (j, GRADE_GOOD, "nodes", NULL, text.buf);
    else
        say (j, GRADE_BAD, "nodes",
             j->fit > 0 ? "wait, or lower `node` of the profile"
                        : "lower `node` or correct `gres` of the profile",
             text.buf);
    strbuf_release (&text);
}

void pbs_judge_profile (const struct profile_use *use,
                        const struct pbs_replies *replies,
                        struct findings *findings)
{
    struct pbs_site site = { .history = false };
    struct judging j = { .use = use,
                         .findings = findings,
                         .names = STRBUF_INIT };
    struct strbuf text = STRBUF_INIT;

    pbs_read_server (replies->server, strlen (replies->server), &site, NULL);
    j.queue = use->job->queue ? use->job->queue : site.queue;
    pbs_read_records ("Queue: ", replies->queues, strlen (replies->queues),
                      judge_queue, &j, NULL);
    strbuf_addf (&text, "there is no queue '%s'; there is: %s", j.queue,
                 j.names.buf);
    if (!j.found && j.queue[0])
        say (&j, GRADE_BAD, "queue", "correct `queue` of the profile",
             text.buf);
    else if (!j.found)
        say (&j, GRADE_BAD, "queue", "name one with `queue` in the profile",
             "the server has no default queue");
    judge_nodes (&j, replies->nodes);
    strbuf_release (&text);
    strbuf_release (&j.names);
}

/* --- asking --- */

static int keep (const char *text, size_t len, void *arg, struct error *err)
{
    (void)err;
    strbuf_add (arg, text, len);
    return 0;
}

static enum answer examine (const char *adapter,
                            const struct scheduler *scheduler,
                            const struct profile_use *uses,
                            size_t n,
                            struct findings *findings,
                            struct error *err)
{
    static const char *const needed[] = { "qsub", "qstat",    "qselect", "qrls",
                                          "qdel", "pbsnodes", NULL };
    static const char *const asked[][4] = { { "qsub", "--version" },
                                            { "qstat", "-B", "-f" },
                                            { "qstat", "-Q", "-f" },
                                            { "pbsnodes", "-a" } };
    struct strbuf texts[ARRAY_SIZE (asked)];
    struct client client = pbs_client (scheduler);
    struct error why = ERROR_INIT;
    enum answer answer = ANSWER_OK;
    struct pbs_replies replies;
    bool told[ARRAY_SIZE (asked)];

    if (!client_find_commands (&client, "pbs: commands", needed, findings, err))
        return ANSWER_BROKEN;
    for (size_t i = 0; i < ARRAY_SIZE (asked); i++) {
        const struct client_command command = pbs_command (asked[i]);
        bool needs_it = i == 1 || i == 2;

        strbuf_init (&texts[i]);
        told[i] = answer == ANSWER_OK
                  && client_ask (&client, &command, 0, keep, &texts[i], &why)
                         == ANSWER_OK;
        if (!told[i] && needs_it)
            answer = ANSWER_TRY_LATER;
    }
    replies = (struct pbs_replies){ told[0] ? texts[0].buf : NULL, texts[1].buf,
                                    texts[2].buf, texts[3].buf };
    if (answer == ANSWER_OK)
        pbs_judge_site (adapter, &replies, findings);
    for (size_t i = 0; answer == ANSWER_OK && i < n; i++)
        pbs_judge_profile (&uses[i], &replies, findings);
    if (answer != ANSWER_OK) {
        findings_add (findings, GRADE_BAD, "pbs: server",
                      "is this a login node of the cluster, and is the server "
                      "up? try `qstat -B`",
                      "%s", why.text);
        error_copy (err, &why);
    }
    for (size_t i = 0; i < ARRAY_SIZE (asked); i++)
        strbuf_release (&texts[i]);
    return answer;
}

enum answer pbs_examine (const struct scheduler *scheduler,
                         const struct profile_use *uses,
                         size_t n,
                         struct findings *findings,
                         struct error *err)
{
    return examine ("pbs", scheduler, uses, n, findings, err);
}

enum answer torque_examine (const struct scheduler *scheduler,
                            const struct profile_use *uses,
                            size_t n,
                            struct findings *findings,
                            struct error *err)
{
    return examine ("torque", scheduler, uses, n, findings, err);
}
