/* SPDX-License-Identifier: BSD-3-Clause */
/* queue_waits.c - how long jobs of a campaign waited until they ran */
#include "base/base.h"

#include "base/json.h"
#include "base/sort.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "report/forecast.h"
#include "report/queue_waits.h"

/* Of a profile. */
struct waits {
    double *v;
    size_t n, alloc;
};

/* The attempt of a stage that is open, while the journal is read. */
struct open_attempt {
    double released_s; /* its first job; 0: none is */
    double began_s;    /* its first element; 0: none has */
};

struct reading {
    const struct plan *plan;
    struct open_attempt *open; /* of each stage of the plan */
    struct waits *waits;       /* of each profile */
    struct json *stages;       /* {TOKEN: stage}, by index */
};

static void add (struct waits *waits, double s)
{
    waits->v =
        grow_array (waits->v, waits->n, &waits->alloc, sizeof (*waits->v));
    waits->v[waits->n++] = fmax (s, 0);
}

static void close_attempt (struct reading *reading, int stage)
{
    const struct open_attempt *open = &reading->open[stage];
    const struct profile *profile = reading->plan->stages[stage].profile;

    if (open->released_s > 0 && open->began_s > 0)
        add (&reading->waits[profile - reading->plan->profiles],
             open->began_s - open->released_s);
    reading->open[stage] = (struct open_attempt){ 0 };
}

/* Elements of the attempt before are over when this one is released. */
static void note_ran (struct open_attempt *open, const struct json *ran)
{
    double from_s = json_as_double (json_at (ran, 0));

    if (json_count (ran) > 0 && open->released_s > 0
        && (open->began_s <= 0 || from_s < open->began_s))
        open->began_s = from_s;
}

static int read_event (const struct json *event, void *arg, struct error *err)
{
    struct reading *reading = arg;
    const char *kind = json_get_string (event, "ev");
    const struct json *of =
        json_get (reading->stages, json_get_string (event, "token"));
    int stage =
        json_get (event, "stage")
            ? plan_stage_find (reading->plan, json_get_string (event, "stage"))
            : -1;

    (void)err;
    if (strcmp (kind, "released") == 0 && of) {
        struct open_attempt *open = &reading->open[json_as_int (of)];

        if (open->released_s <= 0)
            open->released_s = json_get_double (event, "now_s");
    } else if (stage < 0) {
        return 0;
    } else if (strcmp (kind, "intent") == 0) {
        json_set (reading->stages, json_get_string (event, "token"),
                  json_int (stage));
    } else if (strcmp (kind, "attempt") == 0) {
        reading->open[stage] = (struct open_attempt){ 0 };
    } else if (strcmp (kind, "results") == 0) {
        note_ran (&reading->open[stage], json_get (event, "ran"));
    } else if (strcmp (kind, "closed") == 0) {
        close_attempt (reading, stage);
    }
    return 0;
}

static struct json *waits_json (const struct profile *profile,
                                struct waits *waits)
{
    struct json *v = json_object ();
    double bound;

    sort_doubles (waits->v, waits->n);
    bound = forecast_wait_bound (waits->v, waits->n);
    json_set (v, "profile", json_string (profile->name));
    json_set (v, "submissions", json_int ((int64_t)waits->n));
    json_set (v, "at_most_s", bound >= 0 ? json_real (bound) : json_null ());
    json_set (v, "needed", json_int (FORECAST_WAITS));
    return v;
}

static bool is_used (const struct plan *plan, const struct profile *profile)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        if (plan->stages[i].profile == profile)
            return !profile_runs_here (profile);
    }
    return false;
}

struct json *queue_waits_json (const struct engine *engine, struct error *err)
{
    const struct plan *plan = engine->plan;
    struct journal_position position = { 0 };
    _cleanup_free_ struct open_attempt *open =
        xcalloc (plan->n_stages + 1, sizeof (*open));
    _cleanup_free_ struct waits *waits =
        xcalloc (plan->n_profiles + 1, sizeof (*waits));
    _cleanup_json_ struct json *stages = json_object ();
    struct reading reading = { plan, open, waits, stages };
    struct json *v = NULL;

    if (journal_read (engine->dir, &position, read_event, &reading, err) == 0)
        v = json_array ();
    for (size_t i = 0; i < plan->n_profiles; i++) {
        if (v && is_used (plan, &plan->profiles[i]))
            json_push (v, waits_json (&plan->profiles[i], &waits[i]));
        free (waits[i].v);
    }
    return v;
}

void queue_waits_text (const struct json *queues, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (queues); i++) {
        const struct json *v = json_at (queues, i);
        const struct json *at_most = json_get (v, "at_most_s");

        strbuf_addf (out,
                     "queue of profile '%s': ", json_get_string (v, "profile"));
        if (json_is_null (at_most)) {
            format_count (json_get_int (v, "needed"), "submission", out);
            strbuf_addf (out,
                         " that ran are needed to tell how long one waits at "
                         "most, there are %lld\n",
                         (long long)json_get_int (v, "submissions"));
            continue;
        }
        strbuf_add_str (out, "9 of 10 submissions wait at most ");
        format_duration (json_as_double (at_most), out);
        strbuf_addf (out,
                     " (with a confidence of 90 %%, by %lld that ran), which "
                     "is not in the times above\n",
                     (long long)json_get_int (v, "submissions"));
    }
}
