/* SPDX-License-Identifier: BSD-3-Clause */
/* provenance.c - where each selected frame comes from, and why others do not */
#include "config.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "reduce/inspect.h"
#include "reduce/passes.h"
#include "reduce/plan_file.h"
#include "reduce/provenance.h"
#include "selection/survey.h"

/* Which frame, or atom of one, it is. */
static struct json *identity_of (const struct plan *plan,
                                 const struct drawn *drawn)
{
    struct json *one = json_object ();

    if (plan->iteration >= 0)
        json_set (one, "iteration", json_int (plan->iteration));
    json_set (one, "system", json_string (plan_trajectory (plan, drawn)->name));
    json_set (one, "task", json_int (drawn->task));
    json_set (one, "part", json_int (drawn->part));
    json_set (one, "step", json_int (drawn->step));
    if (drawn->atom > 0)
        json_set (one, "atom", json_int (drawn->atom));
    json_set (one, "deviation", json_real (drawn->deviation));
    return one;
}

static struct json *choice_of (const struct plan *plan,
                               const struct survey *survey,
                               const struct drawn *drawn)
{
    static const char *const picks[] = {
        [PICK_RANDOM] = "random",
        [PICK_MAX] = "max",
        [PICK_STRATIFIED] = "stratified",
        [PICK_INVERSE_POPULATION] = "inverse_population",
        [PICK_DIVERSE] = "diverse",
    };
    size_t system = plan_trajectory (plan, drawn)->system;
    struct json *one = identity_of (plan, drawn);

    json_set (one, "levels", survey_levels_json (survey, system));
    json_set (one, "picked", json_string (picks[plan->rules.pick]));
    return one;
}

static struct json *refusal_of (const struct plan *plan,
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
    struct json *one = identity_of (plan, &refused->frame);

    json_set (one, "why", json_string (why[refused->why]));
    return one;
}

/* How to select, as it was asked for. */
static struct json *request_of (const struct plan *plan)
{
    struct json *request = json_object ();

    for (size_t i = 0; rules_keys[i]; i++) {
        struct json *value = json_get (plan->json, rules_keys[i]);

        if (!json_is_null (value))
            json_set (request, rules_keys[i], json_ref (value));
    }
    return request;
}

static struct json *make_provenance (const struct plan *plan,
                                     const struct survey *survey,
                                     const struct selection *selection)
{
    struct json *all = json_object (), *frames = json_array (),
                *refused = json_array ();

    for (size_t i = 0; i < selection->n; i++)
        json_push (frames, choice_of (plan, survey, &selection->frames[i]));
    for (size_t i = 0; i < selection->n_refused; i++)
        json_push (refused, refusal_of (plan, &selection->refused[i]));
    json_set (all, "format", json_int (1));
    json_set (all, "request", request_of (plan));
    json_set (all, "frames", frames);
    json_set (all, "refused", refused);
    return all;
}

int provenance_write (const struct plan *plan,
                      const struct survey *survey,
                      const struct selection *selection,
                      struct error *err)
{
    struct json *all;
    int rc;

    if (!plan->provenance_path)
        return 0;
    all = make_provenance (plan, survey, selection);
    rc = file_make_parent (plan->provenance_path, err);
    if (rc == 0)
        rc = json_write_file (plan->provenance_path, all, err);
    json_unref (all);
    return rc;
}
