/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_notice.c - what people are to be told (`notify:`), folded in
 *
 * Events that are to be told wait in state->notices until the journal says that
 * they were told; only those that happened while it was asked for them.
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/notify.h"
#include "engine/history/fold.h"

/* A driver tells each as soon as it is recorded: more wait only where none can.
 */
enum { WAITING_MAX = 100 };

/* --- which events --- */

/* Which event of the journal is which event for people. */
static const struct source {
    const char *kind;
    const char *key; /* has to have 'value'; NULL: nothing has to */
    const char *value;
    enum notice_event notice;
} sources[] = {
    { "stage", "phase", "failed", NOTICE_STAGE_FAILED },
    { "unfit", NULL, NULL, NOTICE_STAGE_FAILED },
    { "closing", NULL, NULL, NOTICE_ITERATION_DONE },
    { "paused", NULL, NULL, NOTICE_PAUSED },
    { "request", "kind", "pause", NOTICE_PAUSED },
    { "request", "kind", "cancel", NOTICE_PAUSED },
    { "finished", "phase", "done", NOTICE_DONE },
};

/* An iteration is closed again where a campaign that was done goes on. */
static bool was_closed (const struct state *state)
{
    return state->n_iterations > 0
           && state->iterations[state->n_iterations - 1].ended_s > 0;
}

enum notice_event fold_notice_of (const struct state *state,
                                  const struct json *event)
{
    const char *kind = json_get_string (event, "ev");

    for (size_t i = 0; i < ARRAY_SIZE (sources); i++) {
        const struct source *s = &sources[i];

        if (strcmp (s->kind, kind) != 0
            || (s->key
                && strcmp (json_get_string (event, s->key), s->value) != 0))
            continue;
        return s->notice == NOTICE_ITERATION_DONE && was_closed (state)
                   ? NOTICE_EVENTS
                   : s->notice;
    }
    return NOTICE_EVENTS;
}

/* Does the campaign move on by it?  Not by what was only asked, tried or told.
 */
static bool is_move (const char *kind)
{
    static const char *const moves[] = {
        "campaign", "config",  "iteration", "skip",    "preparing", "prepared",
        "unfit",    "attempt", "released",  "results", "closed",    "stage",
        "closing",  "request", "recovered", "removed", "replaced",  "paused",
        "finished", "adopted", NULL
    };

    return words_contain (moves, kind);
}

/* --- those that wait --- */

static struct json *find_waiting (const struct state *state, const char *name,
                                  int64_t of)
{
    for (size_t i = 0; i < json_count (state->notices); i++) {
        struct json *v = json_at (state->notices, i);

        if (json_get_int (v, "of") == of
            && strcmp (json_get_string (v, "event"), name) == 0)
            return v;
    }
    return NULL;
}

/* Only those that 'stays' says; the latest of them, if there are too many. */
static void keep_waiting (struct state *state,
                          bool (*stays) (const struct json *entry,
                                         const void *arg),
                          const void *arg)
{
    size_t n = json_count (state->notices);
    struct json *kept = json_array ();

    for (size_t i = 0; i < n; i++) {
        struct json *v = json_at (state->notices, i);

        if (stays (v, arg) && n - i <= WAITING_MAX)
            json_push (kept, json_ref (v));
    }
    json_unref (state->notices);
    state->notices = json_count (kept) > 0 ? kept : NULL;
    if (!state->notices)
        json_unref (kept);
}

static bool is_not (const struct json *entry, const void *other)
{
    return entry != other;
}

static bool is_asked_for (const struct json *entry, const void *list)
{
    return json_array_has_string (list, json_get_string (entry, "event"));
}

/* That nothing moves is no news when something does. */
static bool is_news (const struct json *entry, const void *unused)
{
    (void)unused;
    return notice_event_find (json_get_string (entry, "event")) != NOTICE_STUCK;
}

static struct json *add_waiting (struct state *state, const char *name,
                                 int64_t of, const struct json *event)
{
    static const char *const keys[] = { "iteration", "stage", "why" };
    struct json *entry = json_object ();

    json_set (entry, "event", json_string (name));
    json_set (entry, "of", json_int (of));
    json_set (entry, "at_s", json_real (fold_now_s (event)));
    json_set (entry, "begun", json_int (0));
    if (state_iteration (state) >= 0)
        json_set (entry, "iteration", json_int (state_iteration (state)));
    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        if (json_get (event, keys[i]))
            json_set (entry, keys[i],
                      json_deep_copy (json_get (event, keys[i])));
    }
    if (!state->notices)
        state->notices = json_array ();
    json_push (state->notices, entry);
    return entry;
}

void fold_moved (struct state *state, const struct json *event,
                 enum notice_event notice)
{
    const char *name =
        notice != NOTICE_EVENTS ? notice_event_name (notice) : "";

    if (is_move (json_get_string (event, "ev"))) {
        state->moved_n = state->n;
        state->moved_s = fold_now_s (event);
        keep_waiting (state, is_news, NULL);
    }
    if (json_array_has_string (state->notify, name))
        add_waiting (state, name, state->n, event);
}

void fold_forget_notices (struct state *state)
{
    json_unref (state->notices);
    state->notices = NULL;
}

/* --- what the journal says of them --- */

static int fold_notify (struct state *state, const struct json *event,
                        struct error *err)
{
    struct json *events;

    if (json_want_array (event, "events", &events, err) < 0)
        return -1;
    json_unref (state->notify);
    state->notify = json_count (events) > 0 ? json_deep_copy (events) : NULL;
    keep_waiting (state, is_asked_for, state->notify);
    return 0;
}

static void fold_told (struct state *state, const struct json *event,
                       const char *name, bool failed)
{
    json_unref (state->notice_failed);
    state->notice_failed = NULL;
    if (!failed)
        return;
    state->notice_failed = json_object ();
    json_set (state->notice_failed, "event", json_string (name));
    json_set (state->notice_failed, "why",
              json_string (json_get_string (event, "why")));
    json_set (state->notice_failed, "at_s", json_real (fold_now_s (event)));
}

static int fold_notice (struct state *state, const struct json *event,
                        struct error *err)
{
    const char *name, *phase;
    struct json *entry;
    int64_t of;

    if (json_want_string (event, "event", &name, err) < 0
        || json_want_int (event, "of", &of, err) < 0
        || json_want_string (event, "phase", &phase, err) < 0)
        return -1;
    entry = find_waiting (state, name, of);
    if (strcmp (phase, "begun") == 0) {
        if (notice_event_find (name) == NOTICE_STUCK)
            state->stuck_n = of;
        if (!entry)
            entry = add_waiting (state, name, of, event);
        json_set (entry, "begun", json_int (json_get_int (entry, "begun") + 1));
        return 0;
    }
    if (strcmp (phase, "told") != 0 && strcmp (phase, "failed") != 0)
        return error_set (err, "unknown phase '%s'", phase);
    fold_told (state, event, name, strcmp (phase, "failed") == 0);
    if (entry)
        keep_waiting (state, is_not, entry);
    return 0;
}

const struct event_fold notice_folds[] = {
    { "notify", fold_notify },
    { "notice", fold_notice },
    { NULL, NULL },
};
