/* SPDX-License-Identifier: BSD-3-Clause */
/* site_description.h - what a site is like, in no scheduler's words
 *
 * An adapter tells it; what it means for limits and for the doctor is decided
 * here and in site_findings.c, once for all.
 */
#ifndef SCHEDULER_SITE_DESCRIPTION_H
#define SCHEDULER_SITE_DESCRIPTION_H

#include "adapter.h"
#include "base/findings.h"

struct arena;
struct command_scheduler;

enum queue_state { QUEUE_RUNS, QUEUE_WAITS, QUEUE_REFUSES };

struct site_queue {
    const char *name;
    bool is_default;
    enum queue_state state;    /* what becomes of a job in it */
    const char *state_words;   /* ... in the scheduler's words; NULL: it runs */
    const char *restriction;   /* what may keep this user out; NULL: nothing */
    const char *accounts;      /* it takes only these, "a,b"; NULL: any */
    const char *qos;           /* the same */
    const char *own_qos;       /* its jobs run under that, too; NULL: none */
    double walltime_s;         /* 0: no limit */
    double default_walltime_s; /* of who states none; 0: walltime_s */
    int64_t elements;          /* as in struct scheduler_limits */
    int64_t submit;
};

/* Nodes that are alike, of one queue. */
struct site_nodes {
    const char *queue; /* NULL: of all queues */
    int64_t n;
    bool usable; /* not down, drained or the like */
    int64_t cores;
    int64_t memory_bytes; /* 0: not told */
    const char *things;   /* what else a job may ask for, and how many of it:
                             "gpu:a100:4,fs:1" */
};

/* An account that this user may name. */
struct site_account {
    const char *name;
    const char *queue; /* only there; NULL: anywhere */
};

struct site_description {
    const struct command_scheduler *of;
    const char *user;    /* whose jobs these are */
    struct arena *arena; /* all texts are there */

    const char *commands_version; /* all that the commands say of theirs; NULL:
                                     they were not asked, or failed */
    const char *version;          /* of the server; NULL: not told */

    bool no_arrays;
    int64_t elements; /* largest array; 0: unbounded */
    const char *elements_setting;
    int64_t submit; /* elements of this user at a time; 0: unbounded */
    int64_t jobs;   /* elements of all users together; 0: unbounded */
    const char *jobs_setting;
    double walltime_s; /* 0: unbounded */

    double shown_s; /* how long a job that has ended is shown; 0: not at all */
    const char *shown_setting;
    bool accounting; /* and is known for good afterwards */

    bool wants_account; /* a job needs one of 'accounts' */
    struct site_account *accounts;
    size_t n_accounts, accounts_alloc;
    struct site_queue *queues;
    size_t n_queues, queues_alloc;
    struct site_nodes *nodes; /* none: the site does not show them */
    size_t n_nodes, nodes_alloc;

    struct findings remarks; /* what else there is to be said of it; subjects
                                begin with "NAME: " */
};

void site_init (struct site_description *site, const char *name,
                const struct command_scheduler *of);
void site_release (struct site_description *site);

/* Lent until the next one is added; 'name' is copied.  A queue that is there
 * already is not made again.
 */
struct site_queue *site_add_queue (struct site_description *site,
                                   const char *name);
struct site_nodes *site_add_nodes (struct site_description *site, int64_t n);
struct site_account *site_add_account (struct site_description *site,
                                       const char *name);

/* The queue called 'name', or the default one (NULL); NULL: it is not there. */
const struct site_queue *site_find_queue (const struct site_description *site,
                                          const char *name);

/* How many of what is called 'name' ("gpu", "gpu:a100") are among things? */
int64_t site_things (const char *things, const char *name);

/* --- risky settings --- */

/* A setting whose value has the words 'has' in it ("": whatever it is), and
 * what that means; of the rows about one 'subject' the first that fits counts.
 */
struct site_verdict {
    const char *subject; /* NULL ends a table */
    const char *setting;
    const char *has;
    enum grade grade;
    const char *advice;
    const char *text; /* the setting is named behind it; NULL: nothing is to be
                         said */
};

/* 'settings' are those of reply_text.h. */
void site_judge_settings (struct site_description *site, const char *settings,
                          const struct site_verdict *verdicts);

/* --- what there is to remember --- */

struct site_facts {
    struct scheduler_limits limits; /* in the queue that was asked for */
    double shown_s;
    bool accounting;
};

/* The facts for jobs in 'queue' (NULL: the default one).  A queue that is not
 * there has no limits: submitting tells, in the site's own words.
 */
void site_facts (const struct site_description *site, const char *queue,
                 struct site_facts *facts);

/* The facts that were put for the same adapter, 'cluster' (what tells one from
 * another; NULL: nothing does), queue, account and QOS less than ten minutes
 * ago; false: there are none.
 */
bool site_cache_get (const struct scheduler *scheduler, const char *cluster,
                     struct site_facts *facts);

/* It only saves time: failing is no matter. */
void site_cache_put (const struct scheduler *scheduler, const char *cluster,
                     const struct site_facts *facts);

/* What the file holds (pure).  A record that cannot be read is none. */
struct json *site_facts_to_json (const struct site_facts *facts);
bool site_facts_from_json (const struct json *v, struct site_facts *facts);

/* --- site_findings.c: what it means for campaigns (pure) --- */

/* Append what is to be said of the site as a whole, and of how often the
 * profiles look; its remarks are among it.
 */
void site_judge (struct site_description *site, const struct profile_use *uses,
                 size_t n, struct findings *findings);

/* ... of a profile's queue, account, walltime, nodes and directives there. */
void site_judge_profile (const struct site_description *site,
                         const struct profile_use *use,
                         struct findings *findings);

#endif /* !SCHEDULER_SITE_DESCRIPTION_H */
