/* SPDX-License-Identifier: BSD-3-Clause */
/* science_view.c - what looks wrong with what a campaign found */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/outputs_store.h"
#include "engine/history/state.h"
#include "report/health_view.h"
#include "report/science_view.h"
#include "signature/operator.h"
#include "space/layout.h"

/* So many iterations without an accurate frame are no beginning any more. */
enum { ITERATIONS_WITHOUT = 2 };

/* What has converged has more accurate frames than this. */
static const double accurate_few = 0.5;

/* What the stage found, lent; NULL: nothing yet, or it cannot be read: 'why'.
 */
static const struct json *found_by (const struct engine *engine,
                                    const struct stage *stage, int iteration,
                                    struct error *why)
{
    const struct stage_state *s =
        state_stage (&engine->state, iteration, stage->name);

    return s && s->status == STAGE_DONE ? outputs_store_get (
               engine->outputs, iteration, stage->name, why)
                                        : NULL;
}

/* The same of the newest iteration up to *at in which there is any, *at. */
static const struct json *found_newest (const struct engine *engine,
                                        const struct stage *stage, int *at,
                                        struct error *why)
{
    const struct json *found = NULL;

    while (*at >= 0 && !(found = found_by (engine, stage, *at, why))
           && !(why && why->text[0]))
        --*at;
    return found;
}

static bool selects (const struct stage *stage)
{
    return strcmp (stage->op->name, "model_devi.select") == 0;
}

/* --- exploring --- */

static void look_at_trajectories (const struct stage *stage, int iteration,
                                  const struct json *found,
                                  struct strvec *lines)
{
    const struct json *ends = json_get (found, "blown_up");
    size_t early = 0, n = 0;

    for (size_t i = 0; i < json_count (ends); i++) {
        n += !json_is_null (json_at (ends, i));
        early += json_as_bool (json_at (ends, i));
    }
    if (n > 0 && early == n)
        strvec_pushf (lines,
                      "stage '%s': all %zu trajectories of iteration %d ended "
                      "early; look at the time step, the temperature and the "
                      "potential",
                      stage->name, n, iteration);
}

/* Which stage made the trajectories that a stage selects from; -1: none, or
 * several.
 */
static int explorer_of (const struct stage *stage)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (strcmp (stage->bindings[i].port->name, "trajectories") == 0)
            return stage->bindings[i].stage;
    }
    return -1;
}

/* NULL: it was not asked for. */
static const struct json *health_in (const struct json *found)
{
    const struct json *health = json_get (found, "health");

    return json_kind (health) == JSON_KIND_OBJECT ? health : NULL;
}

/* Does a selection tell more of the trajectories of stage number 'k'? */
static bool is_judged (const struct engine *engine, size_t k, int iteration)
{
    for (size_t i = 0; i < engine->plan->n_stages; i++) {
        const struct stage *stage = &engine->plan->stages[i];

        if (selects (stage) && explorer_of (stage) == (int)k
            && health_in (found_by (engine, stage, iteration, NULL)))
            return true;
    }
    return false;
}

static void look_at_health (const struct engine *engine,
                            const struct stage *stage, int iteration,
                            const struct json *found, struct strvec *lines)
{
    int explorer = explorer_of (stage);

    if (health_in (found))
        health_line (stage->name,
                     explorer >= 0 ? engine->plan->stages[explorer].name : NULL,
                     iteration, health_in (found), lines);
}

struct json *science_health (const struct engine *engine, int iteration)
{
    struct json *all = json_array ();

    for (size_t i = 0; i < engine->plan->n_stages; i++) {
        const struct stage *stage = &engine->plan->stages[i];
        const struct json *health;
        int at = iteration;

        if (!selects (stage))
            continue;
        health = health_in (found_newest (engine, stage, &at, NULL));
        if (health)
            json_push (all, health_summary (stage->name, at, health));
    }
    return all;
}

/* --- selecting --- */

static bool none_accurate (const struct json *found)
{
    return json_get_int (found, "total") > 0
           && json_get_double (found, "accurate") == 0;
}

/* In how many iterations up to this one no frame was accurate. */
static int iterations_without (const struct engine *engine,
                               const struct stage *stage, int iteration)
{
    int n = 0;

    while (iteration - n >= 0
           && none_accurate (found_by (engine, stage, iteration - n, NULL)))
        n++;
    return n;
}

/* Levels by error that do not hold, or are not there. */
static void look_at_calibration (const struct stage *stage, int iteration,
                                 const struct json *c, struct strvec *lines)
{
    long long needed = json_get_int (c, "labels_needed");
    _cleanup_ (strbuf_release) struct strbuf advice = STRBUF_INIT;

    if (json_is_number (json_get (c, "low"))) {
        strvec_pushf (lines,
                      "stage '%s': of %lld labelled frames of iteration %d "
                      "that the level calls accurate %lld are right, too few; "
                      "raise count of the stage that draws",
                      stage->name, (long long)json_get_int (c, "judged"),
                      iteration, (long long)json_get_int (c, "right"));
        return;
    }
    if (needed > 0)
        strbuf_addf (&advice, "%lld labels are needed if as many are right",
                     needed);
    else
        strbuf_add_str (&advice, "no number of labels gives one");
    if (json_is_number (json_get (c, "least_target")))
        strbuf_addf (&advice, "; there is one for an error of %.3g or more",
                     json_get_double (c, "least_target"));
    strvec_pushf (lines,
                  "stage '%s': %lld labels of iteration %d give no level, so "
                  "no frame is accurate; %s",
                  stage->name, (long long)json_get_int (c, "n"), iteration,
                  advice.buf);
}

static void look_at_frames (const struct engine *engine,
                            const struct stage *stage, int iteration,
                            const struct json *found, struct strvec *lines)
{
    long long total = json_get_int (found, "total");
    long long refused;
    int without;

    if (json_kind (json_get (found, "total")) != JSON_KIND_INT)
        return;
    if (total == 0) {
        strvec_pushf (lines, "stage '%s': there were no frames in iteration %d",
                      stage->name, iteration);
    } else if (json_get_double (found, "failed") == 1) {
        strvec_pushf (
            lines,
            "stage '%s': all %lld frames of iteration %d failed, %lld "
            "of them lost; look at levels and at the dynamics",
            stage->name, total, iteration,
            (long long)json_get_int (found, "lost"));
    } else if (iteration == 0 && json_get_int (found, "candidates") == 0) {
        strvec_pushf (lines,
                      "stage '%s': none of %lld frames of iteration 0 is a "
                      "candidate (accurate %.4g%%); look at levels, and "
                      "whether the members differ",
                      stage->name, total,
                      100 * json_get_double (found, "accurate"));
    }
    refused = json_get_int (found, "bad_box")
              + json_get_int (found, "too_close")
              + json_get_int (found, "no_vacuum")
              + json_get_int (found, "duplicates");
    if (refused > 0 && json_get_int (found, "selected") == 0)
        strvec_pushf (lines,
                      "stage '%s': all %lld candidates of iteration %d were "
                      "refused (%lld too close, %lld in a bad box, %lld "
                      "without vacuum, %lld duplicates); look at filters and "
                      "duplicates",
                      stage->name, refused, iteration,
                      (long long)json_get_int (found, "too_close"),
                      (long long)json_get_int (found, "bad_box"),
                      (long long)json_get_int (found, "no_vacuum"),
                      (long long)json_get_int (found, "duplicates"));
    if (engine->state.converged && total > 0
        && json_get_double (found, "accurate") < accurate_few)
        strvec_pushf (lines,
                      "stage '%s': %.3g%% of its frames were accurate when "
                      "stop: held; look at stop:",
                      stage->name, 100 * json_get_double (found, "accurate"));
    if (json_kind (json_get (found, "calibrated")) == JSON_KIND_BOOL
        && !json_as_bool (json_get (found, "calibrated")))
        look_at_calibration (stage, iteration, json_get (found, "calibration"),
                             lines);
    without = iterations_without (engine, stage, iteration);
    if (without >= ITERATIONS_WITHOUT)
        strvec_pushf (lines,
                      "stage '%s': no frame was accurate in %d iterations; "
                      "look at levels, and whether the training learns",
                      stage->name, without);
}

/* --- labelling --- */

/* Is the input what the campaign says, and not what other stages make? */
static bool is_said (const struct stage *stage, const char *name)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct binding *b = &stage->bindings[i];

        if (strcmp (b->port->name, name) == 0)
            return (b->source == SOURCE_LITERAL || b->source == SOURCE_UNBOUND)
                   && !b->port->program;
    }
    return false;
}

/* What the stage was prepared with in that iteration, where it is done: the
 * digests of what its identity is made of.  NULL: that is not known.  Caller
 * unrefs.
 */
static struct json *parts_of (const struct engine *engine,
                              const struct stage *stage, int iteration)
{
    const struct stage_state *s =
        state_stage (&engine->state, iteration, stage->name);
    _cleanup_json_ struct json *v = NULL;
    struct json *parts;

    if (!s || s->status != STAGE_DONE)
        return NULL;
    v = engine_stage_file (engine, iteration, stage->name,
                           LAYOUT_STAGE_MANIFEST);
    parts = json_ref (json_get (v, "parts"));
    return parts;
}

/* Append the names of inputs that had another value or content, but for
 * programs and what is tried when an input fails.
 */
static void add_changed (const struct stage *stage, const struct json *now,
                         const struct json *before, struct strbuf *out)
{
    static const char *const groups[] = { "inputs", "parameters" };

    for (size_t i = 0; i < ARRAY_SIZE (groups); i++) {
        const struct json *old = json_get (before, groups[i]);

        JSON_FOREACH (json_get (now, groups[i]), it) {
            const char *name = json_iter_key (it);

            if (!is_said (stage, name) || strcmp (name, "fallback") == 0
                || json_equal (json_iter_value (it), json_get (old, name)))
                continue;
            strbuf_addf (out, "%s%s", out->len > 0 ? ", " : "", name);
        }
    }
}

/* Labels of two settings in one set: an INCAR was edited, and nothing labelled
 * anew.
 */
static void look_at_labels (const struct engine *engine,
                            const struct stage *stage, int iteration,
                            struct strvec *lines)
{
    _cleanup_json_ struct json *now = parts_of (engine, stage, iteration);
    _cleanup_json_ struct json *before = NULL;
    _cleanup_ (strbuf_release) struct strbuf changed = STRBUF_INIT;
    int at = iteration, first = 0;

    while (now && !before && at > 0)
        before = parts_of (engine, stage, --at);
    if (now && before)
        add_changed (stage, now, before, &changed);
    for (struct json *done = NULL; changed.len > 0 && !done; first += !done) {
        done = parts_of (engine, stage, first);
        json_unref (done);
    }
    if (changed.len > 0)
        strvec_pushf (lines,
                      "stage '%s': %s is not in iteration %d what it was in "
                      "iteration %d, and labels of both are training data; "
                      "where they do not fit each other label anew: `fanfold "
                      "redo %s --iteration %d`",
                      stage->name, changed.buf, iteration, at, stage->name,
                      first);
}

static bool has_output (const struct stage *stage, const char *name)
{
    return port_find (stage->op->outputs, name)
           || (stage->op->collected && port_find (stage->op->collected, name));
}

bool stage_classifies_frames (const struct stage *stage)
{
    return has_output (stage, "accurate") && has_output (stage, "candidate")
           && has_output (stage, "failed");
}

void science_lines (const struct engine *engine, int iteration,
                    struct strvec *lines)
{
    for (size_t i = 0; i < engine->plan->n_stages; i++) {
        const struct stage *stage = &engine->plan->stages[i];
        const struct json *found;
        struct error why = ERROR_INIT;
        int at = iteration;

        if (stage_publishes (stage))
            look_at_labels (engine, stage, iteration, lines);
        if (!selects (stage) && !port_find (stage->op->outputs, "blown_up"))
            continue;
        found = found_newest (engine, stage, &at, &why);
        if (why.text[0])
            strvec_push (lines, why.text);
        if (!found)
            continue;
        if (selects (stage)) {
            look_at_health (engine, stage, at, found, lines);
            look_at_frames (engine, stage, at, found, lines);
        } else if (!is_judged (engine, i, at)) {
            look_at_trajectories (stage, at, found, lines);
        }
    }
}

/* --- how it ended --- */

static bool has_rules (const struct plan *plan)
{
    bool any = plan->stop != NULL;

    for (size_t i = 0; i < plan->n_phases; i++)
        any = any || plan->phases[i].until;
    return any;
}

const char *science_ending (const struct engine *engine)
{
    if (engine->state.converged)
        return "converged";
    return has_rules (engine->plan) ? "limit" : "all";
}

const char *science_ending_word (const char *ending)
{
    return strcmp (ending, "limit") == 0 ? "ended" : "done";
}
