/* SPDX-License-Identifier: BSD-3-Clause */
/* actions.c - what decide() says is to be done, in order */
#include "base/base.h"

#include "base/json.h"
#include "engine/decide/actions.h"

void actions_release (struct actions *actions)
{
    for (size_t i = 0; i < actions->n; i++) {
        json_unref (actions->v[i].event);
        task_range_release (&actions->v[i].tasks);
    }
    free (actions->v);
    memset (actions, 0, sizeof (*actions));
}

struct action *actions_add (struct actions *actions, enum action_kind kind,
                            int stage, int iteration)
{
    struct action *action;

    actions->v = grow_array (actions->v, actions->n, &actions->alloc,
                             sizeof (*actions->v));
    action = &actions->v[actions->n++];
    memset (action, 0, sizeof (*action));
    action->kind = kind;
    action->stage = stage;
    action->iteration = iteration;
    return action;
}

bool action_leads_on (const struct action *action)
{
    if (action->kind == ACT_RESULTS)
        return false;
    return action->kind != ACT_RECORD
           || strcmp (json_as_string (json_get (action->event, "ev")),
                      "results")
                  != 0;
}

void actions_record (struct actions *actions, struct json *event)
{
    actions_add (actions, ACT_RECORD, -1, -1)->event = event;
}

static void sooner (double *at_s, double s)
{
    if (*at_s == 0 || s < *at_s)
        *at_s = s;
}

void actions_wait (struct actions *actions, double s)
{
    sooner (&actions->next_s, s);
    sooner (&actions->due_s, s);
}

void actions_follow (struct actions *actions, double s)
{
    sooner (&actions->next_s, s);
}

const char *action_name (enum action_kind kind)
{
    static const char *const names[] = {
        "record",        "results",      "config", "replace", "begin",
        "prepare",       "open attempt", "submit", "find",    "release",
        "cancel",        "end",          "sweep",  "wake",    "dismiss",
        "close attempt", "fan in",       "remove",
    };

    return names[kind];
}
