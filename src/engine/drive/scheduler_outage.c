/* SPDX-License-Identifier: BSD-3-Clause */
/* scheduler_outage.c - which schedulers cannot be used for now
 *
 * A scheduler that gives no answer is well again with any answer; one that
 * takes no jobs goes on answering, and is well again when it takes one.  Of
 * silence the first words stand, since each command has its own for it; why no
 * job is taken may change, from a queue that is closed to a limit.
 */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/actions.h"
#include "engine/drive/scheduler_outage.h"
#include "engine/history/engine.h"

static const char *skip_digits (const char *s)
{
    while (isdigit ((unsigned char)*s))
        s++;
    return s;
}

bool outage_same_words (const char *a, const char *b)
{
    for (;;) {
        a = skip_digits (a);
        b = skip_digits (b);
        if (*a != *b)
            return false;
        if (*a == '\0')
            return true;
        a++;
        b++;
    }
}

static bool is_full (const struct json *outage)
{
    return json_as_bool (json_get (outage, "full"));
}

static int begins (struct engine *engine, const struct profile *profile,
                   bool full, double since_s, const char *words,
                   struct error *err)
{
    const struct json *known = state_outage (&engine->state, profile->name);
    struct json *event;

    if (known && is_full (known) == full) {
        if (!full || outage_same_words (json_get_string (known, "why"), words))
            return 0;
        since_s = json_get_double (known, "since_s");
    }
    event = event_new ("outage", engine_now_s (engine));
    json_set (event, "profile", json_string (profile->name));
    json_set (event, "scheduler", json_string (profile->scheduler));
    json_set (event, "since_s", json_real (since_s));
    json_set (event, "why", json_stringf ("%.600s", words));
    json_set (event, "full", json_bool (full));
    return engine_record (engine, event, err);
}

static int ends (struct engine *engine, const struct profile *profile,
                 bool took_job, struct error *err)
{
    const struct json *known = state_outage (&engine->state, profile->name);
    double now_s = engine_now_s (engine);
    struct json *event;

    if (!known || (is_full (known) && !took_job))
        return 0;
    event = event_new ("answers", now_s);
    json_set (event, "profile", json_string (profile->name));
    json_set (event, "scheduler", json_string (profile->scheduler));
    json_set (event, "lasted_s",
              json_real (now_s - json_get_double (known, "since_s")));
    json_set (event, "full", json_bool (is_full (known)));
    return engine_record (engine, event, err);
}

int outages_of_polls (struct engine *engine, struct error *err)
{
    for (size_t p = 0; p < engine->plan->n_profiles; p++) {
        const struct profile *profile = &engine->plan->profiles[p];
        struct profile_poll *poll = &engine->polls[p];
        int rc = 0;

        if (!poll->heard)
            continue;
        poll->heard = false;
        rc = poll->unanswered ? begins (engine, profile, false, poll->began_s,
                                        poll->unanswered, err)
                              : ends (engine, profile, false, err);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static const struct profile *profile_of (const struct engine *engine,
                                         const struct action *action)
{
    return engine->plan->stages[action->stage].profile;
}

int outage_of_action (struct engine *engine, const struct action *action,
                      bool full, double since_s, const char *words,
                      struct error *err)
{
    return begins (engine, profile_of (engine, action), full, since_s, words,
                   err);
}

int outage_over (struct engine *engine, const struct action *action,
                 struct error *err)
{
    switch (action->kind) {
    case ACT_SUBMIT:
    case ACT_WAKE:
        return ends (engine, profile_of (engine, action), true, err);
    case ACT_FIND:
    case ACT_RELEASE:
    case ACT_CANCEL:
    case ACT_SWEEP:
    case ACT_DISMISS:
    case ACT_END:
        return ends (engine, profile_of (engine, action), false, err);
    default: /* what it knows may be remembered, or none was asked */
        return 0;
    }
}
