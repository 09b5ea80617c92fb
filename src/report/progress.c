/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - what `run` shows */
#include "base/base.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/harmless.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/config_changes.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/observe/observe.h"
#include "report/failure_view.h"
#include "report/live_view.h"
#include "report/notice_view.h"
#include "report/path_change.h"
#include "report/progress.h"
#include "report/reuse_view.h"
#include "report/scheduler_view.h"
#include "report/science_view.h"
#include "report/screen.h"
#include "report/status_view.h"
#include "space/lease.h"

/* How far apart the calls of progress_wait are. */
#define BEAT_S 1.0

struct progress {
    const struct engine *engine;
    FILE *to;
    int fd;                /* where it ends */
    int iteration;         /* that was told last; -1: none */
    bool live;             /* a terminal */
    const char *keys;      /* for its screen, once there is something to show;
                              NULL: it has none */
    FILE **messages;       /* lent: stderr */
    bool left;             /* by `q` */
    struct screen *screen; /* NULL: not yet, or it can have none */
    bool drawn;            /* the live line stands there now */
    bool stamped;          /* no terminal: lines begin with the time */
    double at_s;           /* of the event that is told; 0: now */
    char *error;           /* told last; NULL: none */
    struct json *told;     /* {PROFILE: what its scheduler was told to say} */
    struct json *whys;     /* {STAGE: why its tasks failed, as told last} */
    struct json *waits;    /* {PROFILE: the longest call that was told} */
    struct strvec science; /* what looked wrong, as told */
    double wait_began_s, beat_s; /* mono: of the call that lasts */
    double looked_s;             /* mono: for a key */
};

/* Of the column of names; a longer name moves what is behind it. */
enum { WIDTH_LEAST = 10, WIDTH_MOST = 32 };

struct progress *progress_create (const struct engine *engine, FILE *to, int fd,
                                  const char *keys, FILE **messages)
{
    struct progress *progress = xcalloc (1, sizeof (*progress));
    const char *term = getenv ("TERM");

    progress->engine = engine;
    progress->to = to;
    progress->fd = fd;
    progress->iteration = -1;
    progress->science = (struct strvec)STRVEC_INIT;
    progress->stamped = !isatty (fd);
    progress->live = !progress->stamped && term && strcmp (term, "dumb");
    progress->keys = progress->live ? keys : NULL;
    progress->messages = messages;
    progress->told = json_object ();
    progress->whys = json_object ();
    progress->waits = json_object ();
    return progress;
}

bool progress_is_live (const struct progress *progress)
{
    return progress->live;
}

static void erase (struct progress *progress)
{
    if (!progress->drawn)
        return;
    fflush (progress->to);
    fputs (ERASE_LINE, progress->to);
    fflush (progress->to);
    progress->drawn = false;
}

static void print_line (struct progress *progress, const char *text)
{
    char when[CLOCK_ISO_SIZE];

    if (progress->screen) {
        screen_say (progress->screen, text);
        return;
    }
    erase (progress);
    clock_iso_here (progress->at_s > 0 ? progress->at_s : clock_wall_s (),
                    when);
    fprintf (progress->to, "%s%s%s\n", progress->stamped ? when : "",
             progress->stamped ? "  " : "", text);
    fflush (progress->to);
}

/* That of the longest name, of the plan as it is now. */
static int name_width (const struct plan *plan)
{
    size_t width = WIDTH_LEAST;

    for (size_t i = 0; i < plan->n_stages; i++) {
        size_t len = strlen (plan->stages[i].name);

        width = len > width ? len : width;
    }
    return width < WIDTH_MOST ? (int)width : WIDTH_MOST;
}

/* "  label      ", for what is told of a stage. */
static void add_name (const struct progress *progress, const struct json *event,
                      struct strbuf *text)
{
    strbuf_addf (text, "  %-*s ", name_width (progress->engine->plan),
                 json_get_string (event, "stage"));
}

/* What is known of the stage that an event is about; NULL: nothing. */
static const struct stage_state *state_of (const struct progress *progress,
                                           const struct json *event)
{
    return state_stage (&progress->engine->state,
                        (int)json_get_int (event, "iteration"),
                        json_get_string (event, "stage"));
}

static void stage_line (struct progress *progress, const struct json *event)
{
    const struct stage_state *state = state_of (progress, event);
    const char *stage = json_get_string (event, "stage");
    struct strbuf text = STRBUF_INIT;

    add_name (progress, event, &text);
    if (strcmp (json_get_string (event, "phase"), "done") == 0)
        task_counts_text (state, &text);
    else
        strbuf_addf (&text, "failed: %s", json_get_string (event, "why"));
    if (state->usage.ran.n > 0) {
        strbuf_add_str (&text, "  ");
        format_duration (time_spans_total_s (&state->usage.ran), &text);
    }
    if (state->status == STAGE_FAILED && state->n_tasks > 0 && !state->unsteady)
        strbuf_addf (&text, "; see `fanfold log %s --failed`", stage);
    print_line (progress, text.buf);
    strbuf_release (&text);
    if (state->unsteady && state->status == STAGE_DONE) {
        add_name (progress, event, &text);
        strbuf_addf (&text, "unsteady: %s" UNSTEADY_MEANS, state->unsteady);
        print_line (progress, text.buf);
        strbuf_release (&text);
    }
}

/* What looks wrong up to this iteration, each line once. */
static void science_told (struct progress *progress, int iteration)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

    science_lines (progress->engine, iteration, &lines);
    for (size_t i = 0; i < lines.n; i++) {
        if (strvec_contains (&progress->science, lines.v[i]))
            continue;
        strvec_push (&progress->science, lines.v[i]);
        print_line (progress, lines.v[i]);
    }
}

static void closing_line (struct progress *progress, const struct json *event)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf row = STRBUF_INIT;

    JSON_FOREACH (json_get (event, "history"), it) {
        const struct json *value = json_iter_value (it);

        strbuf_addf (&row, "  %s ", json_iter_key (it));
        if (json_kind (value) == JSON_KIND_REAL)
            strbuf_addf (&row, "%.4g", json_as_double (value));
        else
            json_dump (value, JSON_COMPACT, &row);
    }
    strbuf_addf (&text, "iteration %lld closed%s%s",
                 (long long)json_get_int (event, "iteration"),
                 row.len > 0 ? ":" : "", row.buf);
    print_line (progress, text.buf);
    science_told (progress, (int)json_get_int (event, "iteration"));
}

static void failures_line (struct progress *progress, const struct json *event)
{
    const struct plan *plan = progress->engine->plan;
    int stage = plan_stage_find (plan, json_get_string (event, "stage"));
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

    failure_lines (event, stage >= 0 ? &plan->stages[stage] : NULL,
                   state_of (progress, event), progress->whys, &lines);
    for (size_t i = 0; i < lines.n; i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        add_name (progress, event, &text);
        strbuf_add_str (&text, lines.v[i]);
        print_line (progress, text.buf);
    }
}

/* How many changes are told, and how much of a value is. */
enum { CHANGES_TOLD = 5, VALUE_MAX_BYTES = 60 };

/* "taken on: stages.select.with.pick.quota 50 -> 100, ..." */
static void config_line (struct progress *progress, const struct json *event)
{
    const struct json *changes = json_get (event, "changes");
    size_t n = json_count (changes);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (n == 0)
        return;
    strbuf_add_str (&text, "taken on: ");
    for (size_t i = 0; i < n && i < CHANGES_TOLD; i++) {
        strbuf_add_str (&text, i > 0 ? ", " : "");
        config_change_text (json_at (changes, i), VALUE_MAX_BYTES, &text);
    }
    if (n > CHANGES_TOLD)
        strbuf_addf (&text, " (and %zu more)", n - CHANGES_TOLD);
    if (json_get (event, "from"))
        strbuf_addf (&text, ", from stage '%s' of iteration %lld on",
                     json_get_string (event, "from"),
                     (long long)json_get_int (event, "iteration"));
    else
        strbuf_addf (&text, ", from iteration %lld on",
                     (long long)json_get_int (event, "iteration"));
    print_line (progress, text.buf);
}

/* Where one begins, or goes on: after a retry, say. */
static void iteration_line (struct progress *progress, int iteration)
{
    const struct iteration_state *it =
        &progress->engine->state.iterations[iteration];
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (iteration == progress->iteration)
        return;
    progress->iteration = iteration;
    strbuf_addf (&text, "iteration %d", iteration);
    if (it->phase)
        strbuf_addf (&text, ", phase %s", it->phase);
    print_line (progress, text.buf);
}

void progress_event (const struct json *event, void *arg)
{
    static const char *const of_iterations[] = { "iteration", "stage",   "skip",
                                                 "unfit",     "results", NULL };
    struct progress *progress = arg;
    const char *kind = json_get_string (event, "ev");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    progress->at_s = json_get_double (event, "now_s");
    if (words_contain (of_iterations, kind))
        iteration_line (progress, (int)json_get_int (event, "iteration"));
    if (strcmp (kind, "stage") == 0) {
        stage_line (progress, event);
    } else if (strcmp (kind, "config") == 0) {
        config_line (progress, event);
    } else if (strcmp (kind, "skip") == 0) {
        add_name (progress, event, &text);
        strbuf_addf (&text, "skipped: %s", json_get_string (event, "why"));
    } else if (strcmp (kind, "unfit") == 0) {
        add_name (progress, event, &text);
        strbuf_addf (&text, "failed: %s", json_get_string (event, "why"));
    } else if (strcmp (kind, "results") == 0) {
        failures_line (progress, event);
    } else if (strcmp (kind, "intent") == 0) {
        path_change_text (event, &text);
    } else if (strcmp (kind, "noted") == 0) {
        strbuf_add_str (&text, json_get_string (event, "why"));
    } else if (strcmp (kind, "notice") == 0) {
        notice_failed_text (event, &text);
    } else if (strcmp (kind, "answers") == 0) {
        json_delete (progress->told, json_get_string (event, "profile"));
        scheduler_answers_text (event, &text);
    } else if (strcmp (kind, "closing") == 0) {
        closing_line (progress, event);
    }
    if (text.len > 0)
        print_line (progress, text.buf);
    progress->at_s = 0;
}

void progress_outages (struct progress *progress, const struct state *state)
{
    JSON_FOREACH (state->outages, it) {
        const char *profile = json_iter_key (it);
        const struct json *why = json_get (json_iter_value (it), "why");
        struct strbuf text = STRBUF_INIT;

        if (strcmp (json_get_string (progress->told, profile),
                    json_as_string (why))
            == 0)
            continue;
        json_set (progress->told, profile, json_deep_copy (why));
        scheduler_outage_text (profile, json_iter_value (it), &text);
        strbuf_add_str (&text, "; trying again");
        print_line (progress, text.buf);
        strbuf_release (&text);
    }
}

/* Where calls take long each time that is said a few times and no more. */
void progress_wait (const struct profile *profile, void *arg)
{
    struct progress *progress = arg;
    double now_s = clock_mono_s ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    double waited_s;

    progress_beat (0, progress);
    if (now_s - progress->beat_s > 2 * BEAT_S)
        progress->wait_began_s = now_s - BEAT_S;
    progress->beat_s = now_s;
    waited_s = now_s - progress->wait_began_s;
    if (json_get (progress->told, profile->name)
        || waited_s < 2 * json_get_double (progress->waits, profile->name))
        return;
    json_set (progress->waits, profile->name, json_real (waited_s));
    strbuf_addf (&text,
                 "waiting for the scheduler of profile '%s' (%s): no answer "
                 "for ",
                 profile->name, profile->scheduler);
    format_duration (waited_s, &text);
    print_line (progress, text.buf);
}

void progress_note_error (struct progress *progress, const char *text)
{
    if (text[0] && (!progress->error || strcmp (progress->error, text) != 0)) {
        _cleanup_free_ char *line = xasprintf ("%s; trying again", text);

        print_line (progress, line);
    }
    free (progress->error);
    progress->error = text[0] ? xstrdup (text) : NULL;
}

/* "explore 7/12 (2 running)", "explore 7/12 (2 running, attempt 2)" */
static void stage_part (const struct stage_state *stage,
                        const struct observed_attempt *seen,
                        struct strbuf *text)
{
    int32_t ended = 0;
    int32_t running = 0;

    for (int32_t i = 0; i < stage->n_tasks; i++) {
        const struct logged_task *logged = seen ? &seen->logs->tasks[i] : NULL;

        if (stage->tasks[i].outcome != OUTCOME_NONE
            || (logged && logged->outcome != OUTCOME_NONE))
            ended++;
        else if (logged && logged->started)
            running++;
    }
    strbuf_addf (text, "  %s %d/%d", stage->name, ended, stage->n_tasks);
    if (running > 0)
        strbuf_addf (text, " (%d running", running);
    if (running > 0 && stage->n_attempts > 1)
        strbuf_addf (text, ", attempt %zu", stage->n_attempts);
    if (running > 0)
        strbuf_add_char (text, ')');
}

/* So often it is looked whether a key was pressed while the driver works. */
#define KEYS_S 0.1

void progress_beat (double s, void *arg)
{
    struct progress *progress = arg;
    double now_s = clock_mono_s ();

    if (!progress->screen) {
        clock_sleep (s, progress->engine->stop);
        return;
    }
    if (s <= 0 && now_s < progress->looked_s + KEYS_S)
        return;
    progress->looked_s = now_s;
    if (!screen_wait (progress->screen, s) || *progress->engine->stop)
        return;
    progress->left = true;
    raise (SIGINT);
}

bool progress_is_left (const struct progress *progress)
{
    return progress->left;
}

/* False: there is no screen to show it on. */
static bool draw_screen (struct progress *progress,
                         const struct observations *observations,
                         const struct lease_holder *holder)
{
    struct live_view view;

    if (progress->keys && !progress->screen)
        progress->screen =
            screen_open (progress->fd, progress->keys, progress->messages);
    if (!progress->screen) {
        progress->keys = NULL;
        return false;
    }
    live_view_make (progress->engine, observations, holder, &view);
    screen_show (progress->screen, &view);
    return true;
}

void progress_draw (struct progress *progress,
                    const struct observations *observations,
                    const struct lease_holder *holder)
{
    const struct state *state = &progress->engine->state;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct winsize size = { .ws_col = 0 };

    if (!progress->live || draw_screen (progress, observations, holder)
        || state->n_iterations == 0)
        return;
    strbuf_addf (&text, "iteration %d:", state_iteration (state));
    for (size_t i = 0; i < progress->engine->plan->n_stages; i++) {
        const char *name = progress->engine->plan->stages[i].name;
        const struct stage_state *stage =
            state_stage (state, state_iteration (state), name);

        if (stage && stage->status == STAGE_PREPARED)
            stage_part (stage, observations_find (observations, name), &text);
    }
    erase (progress);
    if (text.len > 0) {
        ioctl (progress->fd, TIOCGWINSZ, &size);
        fprintf (progress->to, "%.*s", size.ws_col > 0 ? size.ws_col - 1 : 79,
                 text.buf);
        progress->drawn = true;
    }
    fflush (progress->to);
}

void progress_destroy (struct progress *progress, const struct state *state)
{
    if (!progress)
        return;
    erase (progress);
    screen_close (steal (&progress->screen), progress->to);
    if (state && state->status == CAMPAIGN_DONE) {
        _cleanup_free_ char *text =
            xasprintf ("%s: %s: %s", progress->engine->plan->name,
                       science_ending_word (science_ending (progress->engine)),
                       state->why ? state->why : "");

        science_told (progress, state_iteration (state));
        print_line (progress, text);
    }
    fflush (progress->to);
    strvec_release (&progress->science);
    json_unref (progress->told);
    json_unref (progress->whys);
    json_unref (progress->waits);
    free (progress->error);
    free (progress);
}
