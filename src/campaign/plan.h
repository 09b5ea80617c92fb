/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.h - a campaign that has been parsed, checked, bound and compiled
 *
 * Nothing has run: a plan is the definition.  It is made once by
 * campaign_compile and never changed.  All its memory belongs to its arena;
 * JSON values in it live as long as the plan.
 */
#ifndef CAMPAIGN_PLAN_H
#define CAMPAIGN_PLAN_H

#include "arrays/outcome.h"
#include "arrays/packing.h"
#include "base/problems.h"
#include "campaign/notify.h"
#include "campaign/reuse_from.h"
#include "placement/node_shape.h"
#include "placement/place_rules.h"
#include "signature/operator.h"
#include "signature/resources.h"

struct array_job;
struct expression;
struct function;

/* What a job that wakes a chained campaign has, where that is not as in the
 * rest of the profile (NULL).
 */
struct wake_settings {
    const char *queue;
    const char *account;
    const char *qos;
    const char *const *directives; /* NULL-terminated */
    double walltime_s;
    int64_t memory_bytes;
};

/* Where and how work runs (site.yaml). */
struct profile {
    const char *name;
    const char *scheduler;     /* name of its adapter */
    struct node_capacity node; /* 0 cores: the site is asked */
    struct place_rules rules;
    bool mps;                  /* gpu_sharing: mps */
    struct node_size recorded; /* by 'topology' */
    const char *topology; /* the file of hwloc's XML that 'node' is from, as
                             it can be opened; NULL: none */
    struct array_limits limits;
    double poll_s;       /* least time between two status queries */
    double settle_s;     /* how long the scheduler may lag behind */
    double visibility_s; /* how long a file may take to be seen */
    double call_s;       /* how long the scheduler may take to answer */
    int64_t log_bytes;   /* of a task's log, at most; 0: any */
    const char *queue;   /* partition / queue; NULL: the default */
    const char *account; /* NULL: the default */
    const char *qos;     /* NULL: the default */
    const char *gres;    /* what a GPU is called; NULL: "gpu" */
    const char *spool;   /* NULL: /var/tmp/fanfold-<uid> */
    const char *const
        *env; /* "NAME=value" of its jobs; NULL-term.; NULL: none */
    const char *const *const *setup; /* argvs run once per node; NULL-term. */
    bool login_shell;                /* by which, where it is asked for */
    const char *const *launcher;     /* argv template; NULL: none given */
    const struct launcher_environment *environment; /* of tasks */
    const char *const *container; /* argv template: runs a command in an image
                                     (signature/container.h) */
    const char *const *agents; /* argv template: starts a program once on each
                                  of {nodes} nodes of the job it is called in */
    const char *const *directives; /* passed through; NULL-terminated */
    struct wake_settings wake;
};

/* What to do when a task ends in some way. */
struct retry_rule {
    int tries;              /* in all, the first one included; 1: no retry */
    double walltime_factor; /* applied at each retry; 1: unchanged */
    double memory_factor;
    bool exclude_node;
};

enum source {
    SOURCE_UNBOUND, /* optional input, or its default_json */
    SOURCE_LITERAL, /* 'literal'; artifact paths are relative to the campaign */
    SOURCE_THIS,    /* train.model: this iteration */
    SOURCE_PREVIOUS,  /* previous.select.frames: the iteration before */
    SOURCE_ALL,       /* all.label.dataset: list over iterations 0..this (of
                         stages earlier in this one; those not skipped; of the
                         stage itself up to the previous one); for frames one
                         flat list of files, in which the campaign's initial
                         data comes first */
    SOURCE_LATEST,    /* latest.train.model: newest iteration, this included,
                         in which the stage was not skipped */
    SOURCE_ITERATION, /* `from: iteration`: the number of the iteration */
    SOURCE_JOINED,    /* [a.x, all.b.x]: one list of what its parts have; a
                         part whose source was skipped has nothing */
};

/* What the parts of SOURCE_JOINED make. */
enum fold {
    FOLD_LIST,  /* a list of what there is */
    FOLD_LEAST, /* the least of them, of which none may be missing */
    FOLD_ALL,   /* whether all are true, the same */
};

struct binding {
    const struct port *port;
    enum source source;
    struct json *literal;  /* SOURCE_LITERAL, and SOURCE_UNBOUND's default */
    struct binding *parts; /* SOURCE_JOINED, else NULL: bindings to stages, and
                              values */
    size_t n_parts;
    enum fold fold;
    bool is_item;          /* a part whose value is one item of the list, where
                              that of another is a list itself; frames are one
                              list of files in any case */
    int stage;             /* index into plan->stages; -1: no stage */
    const char *output;    /* "dataset"; also "count" and "proceed" */
    struct json *fallback; /* `default:`, used when the source was skipped;
                              NULL: none, the stage is skipped too */
    struct mark mark;      /* where it is bound, or its stage */
};

/* `keep:` of a stage: how long one of its outputs stays. */
struct output_keep {
    const char *output; /* NULL terminates a table */
    int keep;           /* as struct port */
};

/* `raw:` of a stage that labels: how long what its code left stays. */
enum raw_rule {
    RAW_UNTIL_DONE, /* until the campaign is done */
    RAW_ALWAYS,
    RAW_FAILED, /* of tasks that fail, in their working directories */
    RAW_NEVER,
};

struct stage {
    const char *name;
    const char *family; /* of a step "train.run": "train", the stage of the file
                           that it is part of; NULL: it is that itself */
    const char *title;  /* as messages call it: "stage 'train'" */
    const struct function *function; /* that it is of; NULL: of none */
    const char *const *renamed_from; /* what it was called before, the latest
                                        first; NULL-terminated, or NULL */
    const struct operator_spec *op;
    const struct group_spec *group; /* the operator's, as this stage has it;
                                       NULL: none */
    const char *image;              /* its own, or the operator's; NULL: none */
    const struct profile *profile;
    struct binding *bindings; /* one per input port of op, in its order */
    size_t n_bindings;
    struct expression *when; /* NULL: always */
    const char *when_text;
    double success;         /* quorum: least fraction of tasks ok, 0..1 */
    struct resources needs; /* campaign's `task:` over the operator's */
    struct retry_rule retry[OUTCOME_COUNT];
    int priority; /* of its jobs among the user's; higher is sooner */
    bool publish; /* `publish: false` keeps it out of dataset/ */
    bool reuse;   /* `reuse: false`: see stage_reuses */
    const struct output_keep *keep; /* of its outputs, where that is not what
                                       the operator says; NULL: none */
    enum raw_rule raw;              /* of one whose operator leaves raw files */
    const int *after; /* stages of the same iteration it waits for */
    size_t n_after;
};

/* An output of a super-operator: what another stage makes. */
struct family_output {
    const char *name; /* NULL ends a table */
    const char *stage, *output;
};

/* A stage with a super-operator, or a step with one.  The plan has its steps as
 * stages, called NAME.STEP, and not itself.
 */
struct family {
    const char *name;               /* "train" */
    const struct operator_spec *op; /* 'collected' are the outputs */
    const struct family_output *outputs;
    const char *const *makers; /* the stages that make them, each once (all of
                                  its stages, if there are no outputs);
                                  NULL-terminated.  `count` and `proceed` are
                                  the least and all of theirs */
};

enum function_type {
    FUNCTION_TRAIN,   /* calls come one after another */
    FUNCTION_PREDICT, /* ... and run side by side */
};

/* A stage that runs when it is called, in a campaign of its own.  Its bindings
 * are SOURCE_LITERAL, SOURCE_ITERATION, SOURCE_LATEST or such parts; those that
 * are SOURCE_UNBOUND are bound by whoever calls.
 */
struct function {
    const char *name;
    enum function_type type;
    struct stage stage; /* of bindings, 'stage' is an index into plan->stages,
                           or, from n_stages on, into plan->functions */
    const struct family *family; /* of a super-operator: what a call has as
                                    stages; NULL: one stage of its name */
    const char *const *then;     /* argv template; NULL: none */

    /* YAML for the campaign that a call is, in which {campaign} and paths are
     * meant from there: the pairs of its stage, but for `with:`, and of
     * `operators:`.
     */
    const char *stage_text;
    const char *operators_text;
};

/* The campaign is a call of a function of the one in LAYOUT_CALL_UP. */
struct call {
    const char *function;
    int number;
    const char *const *then; /* argv template of what is run when it is done;
                                NULL: nothing */
};

/* Data that the campaign has in another form; paths are relative to it. */
struct data_import {
    const char *from; /* a directory of DeePMD systems */
    const char *to;   /* the extended XYZ file that is made of it before a
                         stage may use it */
};

struct named_expression {
    const char *name;
    const char *text;
    struct expression *expression;
};

/* A part of the campaign in which stages have conditions of their own. */
struct phase {
    const char *name;
    int iterations;           /* at most, >= 1 */
    struct expression *until; /* it is over when this holds; NULL: when the
                                 iterations are done */
    const char *until_text;
    bool stops; /* `on_maximum: stop`: the campaign ends where 'until' did not
                   hold by then */
};

struct plan {
    struct arena *arena;
    const char *dir; /* absolute campaign directory */
    const char *name;
    int64_t seed;
    int models;
    bool verify_always; /* `verify: always`: artifacts are read each time they
                           are used, however they look */
    const char *const *elements; /* NULL-terminated symbols */
    size_t n_elements;
    const char *const *initial; /* data.initial, relative; NULL-terminated */
    const char *const *held_out;
    int kept; /* number of the newest data that a reset kept, which are among
                 the initial ones; 0: none */
    struct json *data; /* {initial: [path], held_out: [path]}: what the campaign
                          names, patterns looked up */
    struct data_import *imports;
    size_t n_imports;
    struct stage *stages; /* in an order where `after` comes first */
    size_t n_stages;
    struct family *families; /* one before those that are in it */
    size_t n_families;
    bool of_steps; /* its stages are the steps of one operator, being checked */
    struct function *functions;
    size_t n_functions;
    struct call *call; /* NULL: it is none */
    struct profile *profiles;
    size_t n_profiles;
    const char *default_profile;  /* its name; NULL: site.yaml names none */
    const char *store;            /* site.yaml's `store`, absolute; NULL: see
                                     store_dir */
    struct reuse_from reuse_from; /* of site.yaml and campaign.yaml */
    struct notify notify;         /* the same */
    struct expression *stop;      /* NULL: only the limit */
    const char *stop_text;
    int stop_consecutive; /* how many iterations in a row, >= 1 */
    int max_iterations;   /* >= 1 */
    struct phase *phases; /* in their order; none: the campaign is one */
    size_t n_phases;
    struct plan **by_phase; /* the plan in each of them; NULL: there is one.
                               The first of them owns the others */
    struct named_expression *history;
    size_t n_history;
    struct json *config;          /* campaign.yaml and site.yaml as data: the
                                     effective configuration */
    const struct plan *lent_from; /* of plan_keep_stages: owns all but the
                                     arrays; else NULL */
};

/* A stage as it was prepared, and what it is called now. */
struct kept_stage {
    const struct stage *stage;
    const char *name; /* copied */
};

/* 'newest' with stages that go on as they were when they were prepared, under
 * an earlier definition: the operator stays, profile, resources, retry rules
 * and quorum are the newest where the stage still uses that operator and, of a
 * group, its task is as large as it was.  One that 'newest' has no more comes
 * last and waits for nothing.  All that is given must outlive the plan.
 */
struct plan *plan_keep_stages (const struct plan *newest,
                               const struct kept_stage *kept, size_t n);

/* The number of the phase called 'name' (NULL: of no phase); where there is
 * none any more, the one that has 'number' now, or the last.  0 in a plan
 * without.
 */
int plan_phase (const struct plan *plan, const char *name, int number);

/* The plan that holds in phase 'number' of a plan that was compiled. */
const struct plan *plan_in_phase (const struct plan *plan, int number);

/* NULL is legal. */
void plan_destroy (struct plan *plan);

/* A local that is destroyed where its block ends (base/cleanup.h). */
#define _cleanup_plan_ _cleanup_ (plan_destroy_at)

static inline void plan_destroy_at (struct plan **plan)
{
    plan_destroy (*plan);
}

/* Are the profile's jobs processes of this host?  False where its scheduler is
 * not known.
 */
bool profile_runs_here (const struct profile *profile);

/* Where the profile's jobs run on the nodes of the job that this process is
 * part of: how many there are; else 0.
 */
int profile_nodes (const struct profile *profile);

/* What every job of the profile is told, whatever it is for: queue, account,
 * qos, gres, env, setup and directives (appended).  Lent by the plan.
 */
void profile_describe_job (const struct profile *profile,
                           struct array_job *job);

/* The array job that runs 'elements' elements of a stage, packed so, with tasks
 * that need 'task', in RUN_DIR (relative to the campaign): all but its token,
 * run_dir and the nodes to exclude.  'program' is the path of fanfold.  Strings
 * are lent, lists are appended to.
 */
void stage_describe_job (const struct plan *plan, const struct stage *stage,
                         const struct packing *packing,
                         const struct resources *task, const char *program,
                         const char *run_dir, struct array_job *job);

/* Ranks of a task, or of the program of its group that has most. */
int stage_ranks (const struct stage *stage);

/* Does it make training data? */
bool stage_publishes (const struct stage *stage);

/* Do its tasks go on from what earlier ones left in a global workspace?  No
 * identity tells of that.
 */
bool stage_goes_on (const struct stage *stage);

/* May its tasks take results of other campaigns?  Not those of an operator or
 * stage with `reuse: false`, nor of one that goes on, nor what cannot be seen:
 * tasks without outputs.
 */
bool stage_reuses (const struct stage *stage);

/* How long output 'port' of the stage stays (struct port). */
int stage_keep (const struct stage *stage, const struct port *port);

/* Do raw files lie beside the results of its tasks? */
bool stage_keeps_raw (const struct stage *stage);

/* {NAME: value} of the inputs that other stages have no part in, paths made
 * absolute from 'dir', the campaign's; null where nothing is bound.  Caller
 * unrefs.
 */
struct json *stage_known_values (const struct stage *stage, const char *dir);

/* How many tasks the stage's prepare will make, where they tell; else -1. */
int64_t stage_prepared_tasks (const struct stage *stage, const char *dir);

/* How many frames its output of frames will have, where that is told before
 * anything runs; else -1.
 */
int64_t stage_made_frames (const struct stage *stage, const char *dir);

/* Index of the stage called 'name', or -1. */
int plan_stage_find (const struct plan *plan, const char *name);

/* The family called 'name', or NULL. */
const struct family *plan_family_find (const struct plan *plan,
                                       const char *name);

/* Is the stage 'name' called so, or a step of what is ("train.run" of "train")?
 */
bool stage_is_of (const char *name, const char *family);

/* What its bindings and expressions hold. */
void stage_release (struct stage *stage);
/* Index of the function called 'name', or -1. */
int plan_function_find (const struct plan *plan, const char *name);

const char *function_type_name (enum function_type type);

/* The operator that a call is of (plan->call); NULL: the campaign lacks it. */
const struct operator_spec *plan_call_operator (const struct plan *plan);

/* How many iterations there are at most, by `stop:` and by the phases. */
int64_t plan_iterations (const struct plan *plan);

#endif /* !CAMPAIGN_PLAN_H */
