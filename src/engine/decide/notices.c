/* SPDX-License-Identifier: BSD-3-Clause */
/* notices.c - what people are to be told now */
#include "base/base.h"

#include "base/json.h"
#include "engine/decide/notices.h"
#include "engine/history/state.h"

/* The longest that a stage took which was done, before iteration 'end'; 0: it
 * never was, or all its results were taken from elsewhere.
 */
static double longest_s (const struct state *state, int end, const char *name)
{
    double longest = 0;

    for (int i = 0; i < end; i++) {
        const struct stage_state *s = state_stage (state, i, name);

        if (s && s->status == STAGE_DONE && s->n_attempts > 0 && s->began_s > 0)
            longest = fmax (longest, s->ended_s - s->began_s);
    }
    return longest;
}

/* How long nothing may be heard of a stage whose tasks are on their way. */
static double quiet_most_s (const struct state *state,
                            const struct stage_state *stage, double least_s)
{
    const struct attempt *attempt = stage_open_attempt (stage);
    double took_s = longest_s (state, state_iteration (state), stage->name);
    double most_s = took_s > 0 ? took_s : QUIET_UNKNOWN * least_s;

    if (attempt)
        most_s = fmax (most_s, attempt->packing.walltime_s);
    return fmax (most_s, least_s);
}

struct quiet quiet_look (const struct state *state, double least_s)
{
    struct quiet quiet = { .most_s = least_s };
    const struct iteration_state *it;

    if (state->status != CAMPAIGN_RUNNING || state->n_iterations == 0)
        return quiet;
    quiet.since_s = state->moved_s;
    it = &state->iterations[state->n_iterations - 1];
    for (size_t i = 0; i < it->n_stages; i++) {
        const struct stage_state *stage = &it->stages[i];
        double most_s = stage->status == STAGE_PREPARED
                            ? quiet_most_s (state, stage, least_s)
                            : 0;

        if (most_s > 0 && (!quiet.stage || most_s > quiet.most_s)) {
            quiet.most_s = most_s;
            quiet.stage = stage->name;
        }
    }
    return quiet;
}

bool quiet_is_long (const struct quiet *quiet, double now_s)
{
    return quiet->since_s > 0 && now_s - quiet->since_s > quiet->most_s;
}

/* Nothing moves, which was not told of this time. */
static bool is_stuck (const struct notify *notify, const struct state *state,
                      double now_s, double least_s, struct notice *notice)
{
    struct quiet quiet = quiet_look (state, least_s);

    if (!notify->argv[NOTICE_STUCK] || state->stuck_n == state->moved_n
        || !quiet_is_long (&quiet, now_s))
        return false;
    *notice = (struct notice){ .event = NOTICE_STUCK,
                               .of = state->moved_n,
                               .quiet = quiet };
    return true;
}

bool notice_due (const struct notify *notify, const struct state *state,
                 double now_s, double least_s, struct notice *notice)
{
    for (size_t i = 0; i < json_count (state->notices); i++) {
        const struct json *waits = json_at (state->notices, i);
        enum notice_event event =
            notice_event_find (json_get_string (waits, "event"));

        if (event == NOTICE_EVENTS || !notify->argv[event])
            continue;
        *notice = (struct notice){ .event = event,
                                   .of = json_get_int (waits, "of"),
                                   .begun = (int)json_get_int (waits, "begun"),
                                   .waits = waits };
        if (event == NOTICE_STUCK)
            notice->quiet = quiet_look (state, least_s);
        return true;
    }
    return is_stuck (notify, state, now_s, least_s, notice);
}
