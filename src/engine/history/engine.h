/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h - one campaign being looked at or driven
 *
 * Opening folds the journal.  A driver also holds the lease; only then may
 * events be recorded and effects be had.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/digest.h"
#include "base/heartbeat.h"
#include "engine/history/attempt_logs.h"
#include "engine/history/events.h"
#include "engine/history/journal.h"
#include "engine/history/state.h"

struct lease;
struct outputs_store;
struct plan;
struct profile;
struct scheduler_adapter;
struct stage;

/* Who compiles; all NULL: none, the plan stays the one that was taken.  What
 * they return belongs to the engine.
 */
struct plan_source {
    /* The plan of the files as they are now; NULL: they have not changed since
     * it was asked last, or have problems, which was said.
     */
    struct plan *(*reread) (const struct heartbeat *heartbeat, void *arg);
    /* That of a recorded configuration; NULL: it cannot be compiled now. */
    struct plan *(*recompile) (struct json *config, void *arg);
    /* What the files say is not taken on, and why: once.  NULL: it is not told.
     */
    void (*held) (const char *why, void *arg);
    void *arg;
};

struct engine {
    char *dir;               /* the campaign's, absolute */
    const struct plan *plan; /* what it goes by; NULL before a plan was taken */
    struct definition *definition; /* where that comes from */
    struct plan_source source;
    const char *program; /* path of fanfold, for agents; lent */
    struct state state;
    struct journal_position position;    /* of the fold */
    char config_sha256[DIGEST_HEX_SIZE]; /* of plan->config, as written */
    bool is_folded; /* false: reading the journal failed in the middle */
    struct outputs_store *outputs;
    struct logs_read logs_read; /* by who observes */
    struct lease *lease;        /* NULL: only looking */
    struct journal *journal;    /* NULL: only looking */
    double mono_to_wall_s;      /* of engine_now_s */
    char *boot;                 /* id of this host's boot */
    int64_t taken_n;            /* events there were when the lease was taken */
    char *default_spool;        /* of the local scheduler */
    char *shared_spool;         /* ... of one whose jobs run on many nodes */
    char *cache_dir;            /* absolute LAYOUT_SITE_DIR */
    struct profile_poll {
        double asked_s; /* mono: when its scheduler was last asked; 0: never */
        double began_s; /* the same by engine_now_s, before it answered */
        bool heard;     /* asked since the driver looked at this last */
        char *unanswered; /* why it did not answer then; NULL: it did */
        bool broken;      /* ... and will not before a person acts */
    } * polls;            /* by profile */
    /* Keys of tasks (space/task_key.h) and names of stages whose results are
     * not taken from other campaigns; NULL: there are none, an empty list: of
     * nothing.  Lent.
     */
    const char *const *no_reuse;
    /* Answers for every scheduler, with its own data; NULL: each for itself.
     * Lent.
     */
    const struct scheduler_adapter *adapter;
    void *adapter_own;
    struct heartbeat heartbeat; /* engine_heartbeat, to hand down */
    const volatile int *stop;   /* set by a signal handler: come to an end */
    double stop_at_s;           /* mono: come to an end then; 0: never */
    double stop_margin_s;       /* what that leaves of a job's time */
    const char *driving_job; /* token of the dependency job that this driver is;
                           NULL: none; lent */
    double patience_s;       /* how long it waits before it leaves that to a
                                dependency job */
    void (*on_event) (const struct json *event, void *arg); /* or NULL */
    void *on_event_arg; /* of all of these */
    /* Is told of each event that is folded in without being recorded here; or
     * NULL.
     */
    void (*on_read) (const struct json *event, void *arg);
    /* Called again and again while the driver works (0), and to wait for up to
     * 's' seconds in place of sleeping; or NULL.
     */
    void (*on_beat) (double s, void *arg);
    /* Called about once a second while a call of a profile's scheduler lasts.
     */
    void (*on_wait) (const struct profile *profile, void *arg); /* or NULL */
    const struct profile *asking; /* whose scheduler was to be reached last */
};

/* Fold what there is in the campaign directory 'dir' (absolute, copied).
 * 'program' must outlive the engine.
 */
int engine_open (struct engine *engine, const char *dir, const char *program,
                 struct error *err);
void engine_close (struct engine *engine);

/* Go by 'plan' from now on, which must outlive the engine: a campaign without
 * one is neither looked at nor driven.
 */
void engine_take_plan (struct engine *engine, const struct plan *plan);

/* The plan that was taken, whether it can be taken on or not. */
const struct plan *engine_offered_plan (const struct engine *engine);

/* That, or the one that was taken on last where it would leave results without
 * a stage (orphans.h); engine->plan is this one in the phase of the current
 * iteration, with stages that stay as they were prepared.
 */
const struct plan *engine_newest_plan (const struct engine *engine);

/* As engine_take_plan, of a plan that becomes the engine's. */
void engine_take_over_plan (struct engine *engine, struct plan *plan);

/* See to it that the stages that are prepared go by the configuration they were
 * prepared with, and all else by the newest.
 */
void engine_keep_prepared (struct engine *engine);

/* Take on what the files say now, if they changed. */
void engine_reread_plan (struct engine *engine);

/* How long a driver may stand still before another takes over. */
double engine_lease_s (void);

/* Become the driver: take the lease, fold what others appended meanwhile.
 * 0, 1 busy ('err' says who), -1.
 */
int engine_take_lease (struct engine *engine, struct error *err);

/* The same where it is not asked whether this is the campaign's directory, and
 * whose its jobs are.
 */
int engine_take_over (struct engine *engine, struct error *err);

/* The text of config.json; fills 'text'. */
void engine_config_text (const struct plan *plan, struct strbuf *text);

/* Write the checkpoint and give the lease back. */
void engine_give_lease (struct engine *engine);

/* Append 'event' to the journal and fold it in; unrefs it.  Fails when the
 * lease was lost; on success every driver to come knows of the event.
 */
int engine_record (struct engine *engine, struct json *event,
                   struct error *err);

/* Without the lease: fold what others appended meanwhile. */
int engine_look (struct engine *engine, struct error *err);

/* Fold the journal from its beginning, as it is now for everybody. */
int engine_fold_anew (struct engine *engine, struct error *err);

/* The time of day for events and for what is decided from them: that when the
 * engine was opened, and what went by since on a clock that cannot be set.
 * Waits between two events of one driver are so long as they say.
 */
double engine_now_s (const struct engine *engine);

/* Since this host was booted; lent by the engine. */
struct uptime engine_uptime (const struct engine *engine);

/* Keep the lease alive; for long work. */
void engine_heartbeat (void *engine);

/* Absolute path of 'relative' (a strbuf that is released); caller frees. */
char *engine_path (const struct engine *engine, struct strbuf *relative);

/* Absolute path of what has this name in the directory of a stage (space/layout
 * .h); NULL: the stage was not prepared in that iteration.  Caller frees.
 */
char *engine_stage_path (const struct engine *engine, int iteration,
                         const char *stage, const char *name);

/* The same, read; NULL: it cannot be, or is not there.  Caller unrefs. */
struct json *engine_stage_file (const struct engine *engine, int iteration,
                                const char *stage, const char *name);

enum { ENGINE_LEASE_S = 60 };

/* How long nothing may move at least before a person is told. */
double engine_quiet_s (void);

enum { ENGINE_QUIET_S = 3600 };

#endif /* !ENGINE_ENGINE_H */
