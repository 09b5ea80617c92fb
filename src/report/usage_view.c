/* SPDX-License-Identifier: BSD-3-Clause */
/* usage_view.c - node-hours, core-hours and GPU-hours */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/state.h"
#include "report/usage_view.h"

#define S_PER_HOUR 3600

static struct json *hours_json (const struct used *used)
{
    struct json *v = json_object ();

    json_set (v, "node_hours", json_real (used->node_s / S_PER_HOUR));
    json_set (v, "core_hours", json_real (used->core_s / S_PER_HOUR));
    json_set (v, "gpu_hours", json_real (used->gpu_s / S_PER_HOUR));
    return v;
}

struct json *usage_json (const struct usage *usage)
{
    struct used all = usage->ok;
    struct json *v;

    used_add_all (&all, &usage->lost);
    v = hours_json (&all);
    json_set (v, "lost", hours_json (&usage->lost));
    return v;
}

void usage_of_iteration (const struct iteration_state *iteration,
                         struct usage *usage)
{
    for (size_t i = 0; i < iteration->n_stages; i++)
        usage_add_all (usage, &iteration->stages[i].usage);
}

void usage_of_campaign (const struct state *state, struct usage *usage)
{
    usage_add_all (usage, &state->replaced_usage);
    for (size_t i = 0; i < state->n_iterations; i++)
        usage_of_iteration (&state->iterations[i], usage);
}

/* Three digits, or all before the point. */
static void hours_text (double hours, struct strbuf *out)
{
    if (hours < 0.005)
        strbuf_add_str (out, "<0.01");
    else
        strbuf_addf (out, "%.*f",
                     hours < 9.995   ? 2
                     : hours < 99.95 ? 1
                                     : 0,
                     hours);
}

void node_hours_text (const struct json *used, struct strbuf *out)
{
    double hours = json_get_double (used, "node_hours");

    if (hours > 0)
        hours_text (hours, out);
}

static void add_hours (const struct json *used, const char *key,
                       const char *name, struct strbuf *out)
{
    double hours = json_get_double (used, key);

    if (!(hours > 0))
        return;
    strbuf_add_str (out, ", ");
    hours_text (hours, out);
    strbuf_addf (out, " %s", name);
}

void usage_text (const struct json *used, struct strbuf *out)
{
    const struct json *lost = json_get (used, "lost");

    if (!(json_get_double (used, "node_hours") > 0))
        return;
    strbuf_add_str (out, "used: ");
    node_hours_text (used, out);
    strbuf_add_str (out, " node-hours");
    if (json_get_double (lost, "node_hours") > 0) {
        strbuf_add_str (out, " (");
        node_hours_text (lost, out);
        strbuf_add_str (out, " lost to tries that failed)");
    }
    add_hours (used, "core_hours", "core-hours", out);
    add_hours (used, "gpu_hours", "GPU-hours", out);
    strbuf_add_char (out, '\n');
}
