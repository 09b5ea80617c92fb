/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.c - one campaign being looked at or driven */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "engine/history/definition.h"
#include "engine/history/engine.h"
#include "engine/history/history_format.h"
#include "engine/history/home.h"
#include "engine/history/outputs_store.h"
#include "engine/history/stale_files.h"
#include "space/layout.h"
#include "space/lease.h"
#include "space/process_identity.h"

/* A request may take back what was recorded of tasks, which their logs tell,
 * and results of stages; and other logs are read of an adopted campaign.
 */
static int fold (const struct json *event, void *arg, struct error *err)
{
    struct engine *engine = arg;

    const char *kind = json_as_string (json_get (event, "ev"));

    if (strcmp (kind, "request") == 0 || strcmp (kind, "adopted") == 0) {
        logs_read_release (&engine->logs_read);
        outputs_store_forget (engine->outputs);
        definition_forget_recorded (engine);
    }
    return state_apply (&engine->state, event, err);
}

static int fold_read (const struct json *event, void *arg, struct error *err)
{
    struct engine *engine = arg;
    int rc = fold (event, engine, err);

    if (rc == 0 && engine->on_read)
        engine->on_read (event, engine->on_event_arg);
    return rc;
}

/* Start from state.json where there is one; it only saves time, so one that
 * cannot be read is passed over.
 */
static void read_checkpoint (struct engine *engine)
{
    _cleanup_free_ char *path = path_join (engine->dir, LAYOUT_STATE_FILE);
    _cleanup_json_ struct json *file = json_read_file (path, NULL);
    const struct json *at = json_get (file, "journal");
    struct state state = STATE_INIT;

    if (history_format_is_ours (file)
        && state_from_json (json_get (file, "state"), &state, NULL) == 0) {
        engine->state = state;
        engine->position.epoch = json_as_int (json_get (at, "epoch"));
        engine->position.bytes = (uint64_t)json_as_int (json_get (at, "bytes"));
        engine->position.n = json_as_int (json_get (at, "n"));
        logs_read_from_json (json_get (file, "logs_read"), &state,
                             &engine->logs_read);
    }
}

static int fold_more (struct engine *engine, struct error *err)
{
    return journal_read (engine->dir, &engine->position, fold_read, engine,
                         err);
}

/* A half-folded state must lead to nothing. */
int engine_fold_anew (struct engine *engine, struct error *err)
{
    state_release (&engine->state);
    logs_read_release (&engine->logs_read);
    memset (&engine->position, 0, sizeof (engine->position));
    engine->is_folded = fold_more (engine, err) == 0;
    return engine->is_folded ? 0 : -1;
}

/* What is new may not fit what was folded before: a checkpoint of another
 * journal, events of a driver that had lost the lease.
 */
static int catch_up (struct engine *engine, struct error *err)
{
    if (fold_more (engine, err) < 0)
        return engine_fold_anew (engine, err);
    engine->is_folded = true;
    return 0;
}

int engine_look (struct engine *engine, struct error *err)
{
    return catch_up (engine, err);
}

void engine_config_text (const struct plan *plan, struct strbuf *text)
{
    if (plan->config)
        json_dump (plan->config, JSON_PRETTY, text);
}

int engine_open (struct engine *engine, const char *dir, const char *program,
                 struct error *err)
{
    memset (engine, 0, sizeof (*engine));
    engine->dir = xstrdup (dir);
    engine->program = program;
    engine->mono_to_wall_s = clock_wall_s () - clock_mono_s ();
    engine->boot = host_boot_id ();
    engine->heartbeat = (struct heartbeat){ engine_heartbeat, engine };
    engine->outputs = outputs_store_create (engine->dir, &engine->state);
    read_checkpoint (engine);
    if (catch_up (engine, err) == 0)
        return 0;
    engine_close (engine);
    return -1;
}

void engine_close (struct engine *engine)
{
    engine_give_lease (engine);
    state_release (&engine->state);
    logs_read_release (&engine->logs_read);
    outputs_store_destroy (engine->outputs);
    engine->outputs = NULL;
    free (engine->default_spool);
    free (engine->shared_spool);
    engine->default_spool = NULL;
    engine->shared_spool = NULL;
    free (engine->cache_dir);
    engine->cache_dir = NULL;
    free (engine->boot);
    engine->boot = NULL;
    definition_close (engine);
    free (engine->dir);
    engine->dir = NULL;
}

/* How long a driver waits to see the journal whole. */
#define LAGS_IN_LEASE 1.5

/* Drivers of one campaign must agree on it. */
double engine_lease_s (void)
{
    return point_seconds ("lease", ENGINE_LEASE_S);
}

double engine_quiet_s (void)
{
    return point_seconds ("quiet", ENGINE_QUIET_S);
}

static int journal_is_short (const struct journal_position *end,
                             const struct lease_mark *mark, struct error *err)
{
    bool segment = end->n >= mark->n;

    return error_set (
        err,
        "%s: ends with %s %" PRId64
        " here, but the driver before wrote %" PRId64
        ": this host sees the file system late; try again, or drive "
        "from another host; where these events are lost for good run "
        "`fanfold recover`",
        LAYOUT_JOURNAL_DIR, segment ? "segment" : "event",
        segment ? end->epoch : end->n, segment ? mark->segment : mark->n);
}

/* The journal of the driver before us may be seen late on this host.  Going on
 * without its last events would do again what they say was done.  One that was
 * replaced because it stood still left no mark of what it wrote until then.
 */
static int catch_up_to_mark (struct engine *engine, struct error *err)
{
    const double end_s = clock_mono_s () + LAGS_IN_LEASE * engine_lease_s ();
    const struct lease_mark mark = lease_mark (engine->lease);

    for (;;) {
        bool over = clock_mono_s () >= end_s;

        if (catch_up (engine, err) < 0)
            return -1;
        if (journal_reaches (&engine->position, &mark)
            && (over || !lease_after_standstill (engine->lease)))
            return 0;
        if (over)
            return journal_is_short (&engine->position, &mark, err);
        if (engine->stop && *engine->stop)
            return error_set (err,
                              "%s: told to stop before it was known that all "
                              "of it shows here",
                              LAYOUT_JOURNAL_DIR);
        clock_sleep (engine_lease_s () / 60, (const int *)engine->stop);
        engine_heartbeat (engine);
    }
}

/* What a driver wrote last that was killed, or could not sync it, may not be
 * durable.  Nothing may be built on it before it is, our mark least of all:
 * were it lost with this host, the drivers to come would wait for it for ever.
 */
static int catch_up_durably (struct engine *engine, struct error *err)
{
    if (catch_up_to_mark (engine, err) < 0)
        return -1;
    return lease_after_crash (engine->lease)
                   || engine->position.n > lease_mark (engine->lease).n
               ? journal_sync (engine->dir, &engine->position, err)
               : 0;
}

int engine_take_over (struct engine *engine, struct error *err)
{
    enum lease_answer answer = lease_acquire (
        engine->dir, engine_lease_s (), engine->stop, &engine->lease, err);

    if (answer != LEASE_OK)
        return answer == LEASE_BUSY ? 1 : -1;
    if (catch_up_durably (engine, err) < 0
        || unpublished_remove (engine, err) < 0) {
        lease_release (engine->lease, NULL);
        engine->lease = NULL;
        return -1;
    }
    engine->journal = journal_open (engine->dir, lease_epoch (engine->lease),
                                    &engine->position);
    engine->taken_n = engine->position.n;
    stale_files_remove (engine->plan, &engine->state,
                        lease_after_crash (engine->lease), &engine->heartbeat);
    point_reached ("lease.taken");
    return 0;
}

/* The journal may have told more since it was read. */
static int check_home (struct engine *engine, struct error *err)
{
    if (home_check (engine, err) < 0 || home_check_user (engine, err) < 0)
        return -1;
    return home_is_elsewhere (engine) ? home_settle (engine, false, err) : 0;
}

int engine_take_lease (struct engine *engine, struct error *err)
{
    int rc;

    /* Who holds a lock that was copied is no driver of ours. */
    if (home_check (engine, err) < 0)
        return -1;
    rc = engine_take_over (engine, err);
    if (rc > 0 && home_is_elsewhere (engine))
        return home_refuse (engine, err);
    if (rc == 0 && check_home (engine, err) < 0) {
        engine_give_lease (engine);
        return -1;
    }
    return rc;
}

static void write_checkpoint (const struct engine *engine)
{
    const struct journal_position *end = &engine->position;
    _cleanup_free_ char *path = path_join (engine->dir, LAYOUT_STATE_FILE);
    _cleanup_json_ struct json *file = json_object ();
    struct json *at = json_object ();

    json_set (at, "epoch", json_int (end->epoch));
    json_set (at, "bytes", json_int ((int64_t)end->bytes));
    json_set (at, "n", json_int (end->n));
    history_format_set (file);
    json_set (file, "journal", at);
    json_set (file, "state", state_to_json (&engine->state));
    json_set (file, "logs_read",
              logs_read_to_json (&engine->logs_read, &engine->state));
    json_write_file (path, file, NULL);
}

void engine_give_lease (struct engine *engine)
{
    struct lease_mark mark = { 0 };

    if (!engine->lease)
        return;
    if (engine->journal)
        mark = (struct lease_mark){ journal_end (engine->journal)->n,
                                    journal_end (engine->journal)->epoch };
    /* Not where the journal has more than could be made durable. */
    if (engine->journal && engine->position.n == mark.n
        && (engine->position.n > engine->taken_n || engine->logs_read.changed)
        && lease_check (engine->lease, NULL) == 0) {
        point_reached ("checkpoint.checked");
        write_checkpoint (engine);
        engine->logs_read.changed = false;
    }
    journal_close (engine->journal);
    engine->journal = NULL;
    point_reached ("lease.releasing");
    lease_release (engine->lease, &mark);
    engine->lease = NULL;
    point_reached ("lease.released");
}

/* Folded first: an event that does not fit must not get into the journal,
 * which could not be read again.  The lease is looked at again when the event
 * is durable: held then, whoever takes over reads the event; lost, it may lie
 * beyond what the successor accepted, and nothing may be built on it.
 */
int engine_record (struct engine *engine, struct json *event, struct error *err)
{
    _cleanup_json_ struct json *owned = event;

    if (!engine->is_folded)
        return error_set (err,
                          "the journal could not be read again; start again");
    if (lease_check (engine->lease, err) < 0)
        return -1;
    point_reached ("lease.checked");
    json_set (event, "n", json_int (journal_next (engine->journal)));
    if (fold (event, engine, err) < 0)
        return -1;
    if (journal_append (engine->journal, event, err) < 0
        || lease_check (engine->lease, err) < 0) {
        engine_fold_anew (engine, NULL);
        return -1;
    }
    engine->position = *journal_end (engine->journal);
    if (engine->on_event)
        engine->on_event (event, engine->on_event_arg);
    return 0;
}

double engine_now_s (const struct engine *engine)
{
    return clock_mono_s () + engine->mono_to_wall_s;
}

struct uptime engine_uptime (const struct engine *engine)
{
    return (struct uptime){ engine->boot, clock_mono_s () };
}

void engine_heartbeat (void *arg)
{
    struct engine *engine = arg;

    if (engine->lease)
        lease_heartbeat (engine->lease);
    if (engine->on_beat)
        engine->on_beat (0, engine->on_event_arg);
}

char *engine_path (const struct engine *engine, struct strbuf *relative)
{
    char *path = path_join (engine->dir, relative->buf);

    strbuf_release (relative);
    return path;
}

char *engine_stage_path (const struct engine *engine, int iteration,
                         const char *stage, const char *name)
{
    _cleanup_free_ char *dir =
        state_stage_dir (&engine->state, iteration, stage);
    char *path = dir ? xasprintf ("%s/%s/%s", engine->dir, dir, name) : NULL;

    return path;
}

struct json *engine_stage_file (const struct engine *engine, int iteration,
                                const char *stage, const char *name)
{
    _cleanup_free_ char *path =
        engine_stage_path (engine, iteration, stage, name);
    struct json *file = path ? json_read_file (path, NULL) : NULL;

    return file;
}
