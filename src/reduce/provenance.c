/* SPDX-License-Identifier: BSD-3-Clause */
/* provenance.c - where each selected frame comes from, and why others do not */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "reduce/inspect.h"
#include "reduce/passes.h"
#include "reduce/selection_input.h"
#include "reduce/provenance.h"
#include "selection/rules/rule_fields.h"
#include "selection/statistics/frame_stats.h"

/* Which frame, or atom of one, it is. */
static struct json *identity_of (const struct selection_input *input,
                                 const struct sampled *sampled)
{
    struct json *one = json_object ();

    if (input->iteration >= 0)
        json_set (one, "iteration", json_int (input->iteration));
    json_set (
        one, "system",
        json_string (
            input->systems.v[input_trajectory (input, sampled->task)->system]));
    json_set (one, "task", json_int (sampled->task));
    json_set (one, "part", json_int (sampled->part));
    json_set (one, "step", json_int (sampled->step));
    if (sampled->atom > 0)
        json_set (one, "atom", json_int (sampled->atom));
    json_set (one, "deviation", json_real (sampled->deviation));
    return one;
}

static struct json *choice_of (const struct selection_input *input,
                               const struct frame_stats *stats,
                               const struct sampled *sampled)
{
    size_t system = input_trajectory (input, sampled->task)->system;
    struct json *one = identity_of (input, sampled);

    json_set (one, "levels", frame_stats_levels_json (stats, system));
    json_set (one, "picked", json_string (rules_picks[input->rules.pick]));
    return one;
}

static struct json *refusal_of (const struct selection_input *input,
                                const struct refused *refused)
{
    static const char *const why[] = {
        [VERDICT_USABLE] = "",
        [VERDICT_NO_FRAME] = "no trajectory holds it",
        [VERDICT_BAD_BOX] = "its cell",
        [VERDICT_TOO_CLOSE] = "two atoms are too close",
        [VERDICT_NO_VACUUM] = "a cluster fills its cell",
        [VERDICT_DUPLICATE] = "it has a label already",
    };
    struct json *one = identity_of (input, &refused->frame);

    json_set (one, "why", json_string (why[refused->why]));
    return one;
}

/* A rule, or the rules of a section without the data that is in it. */
static struct json *rules_alone (struct json *value)
{
    struct json *rules = json_object ();

    if (json_kind (value) != JSON_KIND_OBJECT) {
        json_unref (rules);
        return json_ref (value);
    }
    JSON_FOREACH (value, it) {
        if (!words_contain (rules_data_keys, json_iter_key (it)))
            json_set (rules, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    }
    return rules;
}

/* How to select, as it was asked for. */
static struct json *request_of (const struct selection_input *input)
{
    struct json *request = json_object ();

    for (size_t i = 0; rules_keys[i]; i++) {
        struct json *value = json_get (input->inputs, rules_keys[i]);

        if (!json_is_null (value))
            json_set (request, rules_keys[i], rules_alone (value));
    }
    return request;
}

struct json *provenance_of (const struct selection_input *input,
                            const struct frame_stats *stats,
                            const struct selection *selection)
{
    struct json *all = json_object (), *frames = json_array (),
                *refused = json_array ();

    for (size_t i = 0; i < selection->n; i++)
        json_push (frames, choice_of (input, stats, &selection->frames[i]));
    for (size_t i = 0; i < selection->n_refused; i++)
        json_push (refused, refusal_of (input, &selection->refused[i]));
    json_set (all, "format", json_int (1));
    json_set (all, "request", request_of (input));
    json_set (all, "frames", frames);
    json_set (all, "refused", refused);
    return all;
}

int provenance_write (const struct selection_input *input,
                      const struct frame_stats *stats,
                      const struct selection *selection, struct error *err)
{
    _cleanup_json_ struct json *all = NULL;
    int rc;

    if (!input->provenance_path)
        return 0;
    all = provenance_of (input, stats, selection);
    rc = file_make_parent (input->provenance_path, err);
    if (rc == 0)
        rc = json_write_file (input->provenance_path, all, err);
    return rc;
}
