/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - what a group does next (pure) */
#include "base/base.h"

#include <signal.h>

#include "group/order.h"
#include "signature/group.h"

/* Of the grace time: for what was running, with its last reports, for all. */
static const double for_programs = 0.5, for_reports = 0.6, for_exits = 0.9;

/* --- parts and their names --- */

static size_t count_parts (const struct group_spec *group)
{
    size_t n = 0;

    while (group->nodes[n])
        n++;
    for (size_t i = 0; i < group->n_programs; i++)
        n += 1 + (size_t)group->programs[i].instances;
    return n;
}

struct part *group_parts (const struct group_spec *group, size_t *n)
{
    struct part *parts;
    size_t at = 0;

    *n = count_parts (group);
    parts = xcalloc (*n, sizeof (*parts));
    for (size_t i = 0; group->nodes[i]; i++)
        parts[at++] = (struct part){ .level = LEVEL_NODE, .node = i };
    for (size_t i = 0; i < group->n_programs; i++)
        parts[at++] = (struct part){ .level = LEVEL_PROGRAM,
                                     .node = (size_t)group_node_find (
                                         group, group->programs[i].node),
                                     .program = i };
    for (size_t i = 0; i < group->n_programs; i++) {
        for (int k = 0; k < group->programs[i].instances; k++)
            parts[at++] = (struct part){ .level = LEVEL_INSTANCE,
                                         .node = (size_t)group_node_find (
                                             group, group->programs[i].node),
                                         .program = i,
                                         .instance = k };
    }
    return parts;
}

void part_name (const struct group_spec *group, const struct part *part,
                struct strbuf *out)
{
    strbuf_add_str (out, group->nodes[part->node]);
    if (part->level == LEVEL_NODE)
        return;
    strbuf_addf (out, "/%s", group->programs[part->program].name);
    if (part->level == LEVEL_INSTANCE
        && group->programs[part->program].instances > 1)
        strbuf_addf (out, ":%d", part->instance);
}

void step_name (const struct group_spec *group, const struct part *part,
                enum group_phase phase, struct strbuf *out)
{
    part_name (group, part, out);
    if (phase < PHASE_RUN)
        strbuf_add_str (out, " setup");
    else if (phase == PHASE_LAST_REPORT)
        strbuf_add_str (out, " report");
    else if (phase > PHASE_RUN)
        strbuf_add_str (out, " exit");
}

/* --- phases --- */

void order_init (struct order *order, const struct group_spec *group,
                 double grace_s)
{
    *order = (struct order){ .group = group, .grace_s = grace_s };
    order->parts = group_parts (group, &order->n_parts);
}

void order_release (struct order *order)
{
    free (order->parts);
    *order = (struct order){ .group = NULL };
}

static bool is_exit (enum group_phase phase)
{
    return phase > PHASE_LAST_REPORT;
}

static bool has_level (enum group_phase phase, enum group_level level)
{
    switch (phase) {
    case PHASE_NODE_SETUP:
    case PHASE_NODE_EXIT:
        return level == LEVEL_NODE;
    case PHASE_PROGRAM_SETUP:
    case PHASE_PROGRAM_EXIT:
        return level == LEVEL_PROGRAM;
    case PHASE_INSTANCE_SETUP:
    case PHASE_RUN:
    case PHASE_INSTANCE_EXIT:
        return level == LEVEL_INSTANCE;
    case PHASE_LAST_REPORT:
        return level != LEVEL_PROGRAM;
    case PHASE_OVER:
        break;
    }
    return false;
}

/* Is the step of this part wanted, as things are? */
static bool is_wanted (const struct order *order, const struct part *part)
{
    if (part->lost || !has_level (order->phase, part->level))
        return false;
    if (is_exit (order->phase))
        return part->set_up && !order->killed;
    return order->phase == PHASE_LAST_REPORT ? order->ran : !order->stopping;
}

static void next_phase (struct order *order, double now_s)
{
    bool no_time = order->killed && is_exit (order->phase);

    order->phase++;
    order->next = 0;
    order->phase_s = now_s;
    order->told = false;
    order->killed = no_time;
}

bool order_take (struct order *order, double now_s, size_t *part)
{
    while (order->phase < PHASE_OVER) {
        for (; order->next < order->n_parts; order->next++) {
            struct part *candidate = &order->parts[order->next];

            if (!is_wanted (order, candidate))
                continue;
            candidate->busy = true;
            order->n_busy++;
            order->ran = order->ran || order->phase == PHASE_RUN;
            *part = order->next++;
            return true;
        }
        if (order->n_busy > 0)
            return false;
        next_phase (order, now_s);
    }
    return false;
}

void order_stop (struct order *order, double now_s)
{
    if (order->stopping)
        return;
    order->stopping = true;
    order->stop_s = now_s;
}

void order_ended (struct order *order, size_t part, bool ok, bool partly,
                  double now_s)
{
    struct part *p = &order->parts[part];

    p->busy = false;
    order->n_busy--;
    if ((ok || partly) && order->phase < PHASE_RUN)
        p->set_up = true;
    if (!ok && order->phase <= PHASE_RUN)
        order_stop (order, now_s);
}

void order_lost (struct order *order, size_t node, double now_s)
{
    for (size_t i = 0; i < order->n_parts; i++) {
        struct part *part = &order->parts[i];

        if (part->node != node || part->lost)
            continue;
        part->lost = true;
        order->n_busy -= part->busy;
        part->busy = false;
    }
    order_stop (order, now_s);
}

/* --- pushing what is busy to end --- */

static double kill_at_s (const struct order *order)
{
    double grace_end_s = INFINITY, part = for_exits;

    if (order->phase <= PHASE_RUN)
        part = for_programs;
    else if (order->phase == PHASE_LAST_REPORT)
        part = for_reports;
    if (order->stopping)
        grace_end_s = order->stop_s + part * order->grace_s;
    if (order->phase == PHASE_LAST_REPORT)
        return fmin (grace_end_s, order->phase_s + LAST_REPORT_S);
    return grace_end_s;
}

static bool is_to_be_told (const struct order *order)
{
    return order->stopping && order->phase <= PHASE_RUN && !order->told;
}

int order_push (struct order *order, double now_s)
{
    if (order->n_busy == 0 || order->killed)
        return 0;
    if (now_s >= kill_at_s (order)) {
        order->killed = true;
        return SIGKILL;
    }
    if (!is_to_be_told (order))
        return 0;
    order->told = true;
    return SIGTERM;
}

double order_due_s (const struct order *order)
{
    if (order->phase == PHASE_OVER || order->killed)
        return INFINITY;
    return is_to_be_told (order) ? order->stop_s : kill_at_s (order);
}
