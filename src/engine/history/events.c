/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c - the beginnings all events share */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/events.h"

struct json *event_new (const char *kind, double now_s)
{
    struct json *event = json_object ();

    json_set (event, "ev", json_string (kind));
    json_set (event, "now_s", json_real (now_s));
    return event;
}

struct json *event_of_stage (const char *kind, double now_s, int iteration,
                             const char *stage)
{
    struct json *event = event_new (kind, now_s);

    json_set (event, "iteration", json_int (iteration));
    json_set (event, "stage", json_string (stage));
    return event;
}

struct json *event_of_token (const char *kind, double now_s, const char *token)
{
    struct json *event = event_new (kind, now_s);

    json_set (event, "token", json_string (token));
    return event;
}

struct json *event_of_answer (const char *kind, double now_s,
                              const struct uptime *up, const char *token)
{
    struct json *event = event_of_token (kind, now_s, token);

    json_set (event, "boot", json_string (up->boot));
    json_set (event, "up_s", json_real (up->s));
    return event;
}
