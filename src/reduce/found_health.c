/* SPDX-License-Identifier: BSD-3-Clause */
/* found_health.c - which of the trajectories are sound */
#include "base/base.h"

#include "base/json.h"
#include "reduce/found_health.h"
#include "reduce/health_pass.h"
#include "reduce/pass.h"
#include "reduce/selection_input.h"

void found_health_release (struct found_health *found)
{
    closeness_release (&found->closeness);
    free (found->cases);
    strvec_release (&found->texts);
    *found = (struct found_health)FOUND_HEALTH_INIT;
}

static void set_case (const struct trajectory *trajectory, uint64_t frames,
                      const char *conditions, struct health_case *one)
{
    *one = (struct health_case){
        .task = trajectory->task,
        .system = trajectory->system,
        .conditions = conditions,
        .frames = frames,
        .expected = trajectory->expected_frames,
        .blown_up = trajectory->blown_up,
        .broken_step = INFINITY,
        .closest = CLOSE_PAIR_NONE,
    };
}

/* What is known before anything is read for it. */
static void begin_cases (const struct selection_input *input,
                         const struct layout *layout,
                         struct found_health *found)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    found->n = input->n_trajectories;
    found->cases = xcalloc (found->n, sizeof (*found->cases));
    for (size_t i = 0; i < found->n; i++) {
        const struct trajectory *trajectory = &input->trajectories[i];

        strbuf_reset (&text);
        if (trajectory->conditions)
            json_dump (trajectory->conditions, JSON_COMPACT, &text);
        strvec_push (&found->texts, text.len > 0 ? text.buf : "");
    }
    for (size_t i = 0; i < found->n; i++)
        set_case (&input->trajectories[i], layout->found[i], found->texts.v[i],
                  &found->cases[i]);
}

int found_health_find (const struct selection_input *input,
                       const struct layout *layout, struct found_health *found,
                       struct error *err)
{
    found->any = true;
    begin_cases (input, layout, found);
    closeness_init (&found->closeness, input->elements.n,
                    input->health.closest);
    if (input->health_labelled.n > 0) {
        if (health_read_labelled (input, &found->closeness, err) < 0
            || health_read_trajectories (input, &found->closeness, found->cases,
                                         err)
                   < 0)
            return -1;
    }
    health_sum (found->cases, found->n, &found->health);
    return 0;
}

double found_health_share (const struct found_health *found,
                           const struct selection_input *input)
{
    uint64_t n = found->n + input->missing_tasks;

    return n > 0 ? (double)found->health.all.healthy / (double)n : 0;
}

/* --- as JSON --- */

static void set_count (struct json *v, const char *key, uint64_t count)
{
    json_set (v, key, json_int ((int64_t)count));
}

static void set_counts (struct json *v, const struct health_group *group)
{
    for (int f = 0; f < HEALTH_FINDINGS; f++)
        set_count (v, health_finding_names[f], group->findings[f]);
}

/* Which system it is of, and its conditions, where they are known. */
static void set_place (struct json *v, const struct found_health *found,
                       const struct selection_input *input, size_t at)
{
    const struct trajectory *trajectory = &input->trajectories[at];

    json_set (v, "system",
              json_string (input->systems.v[found->cases[at].system]));
    if (trajectory->conditions)
        json_set (v, "conditions",
                  json_ref ((struct json *)trajectory->conditions));
}

/* Pair a * n + b. */
static struct json *pair_json (const struct selection_input *input, size_t pair)
{
    size_t n = input->elements.n;
    struct json *v = json_array ();

    json_push (v, json_string (input->elements.v[pair / n]));
    json_push (v, json_string (input->elements.v[pair % n]));
    return v;
}

static struct json *labelled_json (const struct found_health *found,
                                   const struct selection_input *input)
{
    const struct closeness *closeness = &found->closeness;
    struct json *all = json_array ();

    for (size_t i = 0; i < closeness->n * closeness->n; i++) {
        struct json *one;

        if (i / closeness->n > i % closeness->n
            || !isfinite (closeness->least[i]))
            continue;
        one = json_object ();
        json_set (one, "pair", pair_json (input, i));
        json_set (one, "distance", json_real (closeness->least[i]));
        json_push (all, one);
    }
    return all;
}

static struct json *groups_json (const struct found_health *found,
                                 const struct selection_input *input)
{
    struct json *all = json_array ();

    for (size_t i = 0; i < found->health.n_groups; i++) {
        const struct health_group *group = &found->health.groups[i];
        struct json *one = json_object ();

        set_place (one, found, input, group->first);
        set_count (one, "trajectories", group->n);
        set_count (one, "healthy", group->healthy);
        set_counts (one, group);
        json_push (all, one);
    }
    return all;
}

static struct json *worst_json (const struct found_health *found,
                                const struct selection_input *input,
                                const struct health_worst *worst)
{
    const struct health_case *one = &found->cases[worst->at];
    struct json *v = json_object ();

    json_set (v, "task", json_int (one->task));
    set_place (v, found, input, worst->at);
    json_set (v, "finding", json_string (health_finding_names[worst->finding]));
    switch (worst->finding) {
    case HEALTH_ENDED_EARLY:
        set_count (v, "frames", one->frames);
        set_count (v, "expected", one->expected);
        break;
    case HEALTH_BROKEN:
        json_set (v, "step", json_int ((int64_t)one->broken_step));
        break;
    case HEALTH_TOO_CLOSE:
        json_set (v, "step", json_int ((int64_t)one->closest.step));
        json_set (v, "pair", pair_json (input, (size_t)one->closest.pair));
        json_set (v, "distance", json_real (one->closest.distance));
        json_set (
            v, "labelled",
            json_real (found->closeness.least[(size_t)one->closest.pair]));
        break;
    case HEALTH_FINDINGS:
        break;
    }
    return v;
}

struct json *found_health_json (const struct found_health *found,
                                const struct selection_input *input)
{
    const struct health *health = &found->health;
    struct json *v = json_object (), *worst = json_array ();

    for (size_t i = 0; i < health->n_worst; i++)
        json_push (worst, worst_json (found, input, &health->worst[i]));
    json_set (v, "closest", json_real (input->health.closest));
    set_count (v, "trajectories", health->all.n);
    set_count (v, "healthy", health->all.healthy);
    set_count (v, "missing_tasks", input->missing_tasks);
    set_counts (v, &health->all);
    json_set (v, "labelled", labelled_json (found, input));
    json_set (v, "groups", groups_json (found, input));
    set_count (v, "more_groups", health->n_more);
    json_set (v, "worst", worst);
    return v;
}
