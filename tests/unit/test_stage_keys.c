/* SPDX-License-Identifier: BSD-3-Clause */
/* test_stage_keys.c - each key of a stage is known, or refused, in each place
 *
 * A row that is added to the table fails here until 'samples' says what comes
 * of it.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/stage_keys.h"
#include "super_operator_scene.h"

/* --- what comes of a key --- */

static bool has_more_time (const struct stage *stage)
{
    return stage->needs.walltime_s == 7;
}

static bool is_tried_nine_times (const struct stage *stage)
{
    return stage->retry[OUTCOME_LOST].tries == 9;
}

static bool has_quorum (const struct stage *stage)
{
    return stage->success == 0.5;
}

static bool has_priority (const struct stage *stage)
{
    return stage->priority == -7;
}

static bool has_condition (const struct stage *stage)
{
    return stage->when != NULL;
}

static bool is_not_published (const struct stage *stage)
{
    return !stage->publish;
}

static bool is_not_reused (const struct stage *stage)
{
    return !stage->reuse;
}

static bool has_image (const struct stage *stage)
{
    return stage->image != NULL;
}

static bool has_former_name (const struct stage *stage)
{
    return stage->renamed_from
           && strncmp (stage->renamed_from[0], "old.", 4) == 0;
}

static bool has_profile (const struct stage *stage)
{
    return stage->profile && strcmp (stage->profile->name, "local") == 0;
}

/* Of the output that the step makes: that of `run` alone. */
static bool keeps_its_own (const struct stage *stage)
{
    return strcmp (stage->name, "train.run") != 0
           || (stage->keep && strcmp (stage->keep->output, "model") == 0);
}

/* 'arrived': of a key that holds for all steps; NULL: of no such key. */
static const struct sample {
    const char *key, *value;
    bool (*arrived) (const struct stage *step);
} samples[] = {
    { "uses", "dp.train", NULL },
    { "with", "{}", NULL },
    { "steps", "{}", NULL },
    { "type", "train", NULL },
    { "then", "[run]", NULL },
    { "profile", "local", has_profile },
    { "task", "{walltime: 7s}", has_more_time },
    { "retry", "{lost: 9}", is_tried_nine_times },
    { "success", "0.5", has_quorum },
    { "priority", "-7", has_priority },
    { "when", "iteration == 0", has_condition },
    { "publish", "false", is_not_published },
    { "reuse", "false", is_not_reused },
    { "image", "docker://x", has_image },
    { "keep", "{models: until_used}", keeps_its_own },
    { "raw", "never", NULL },
    { "renamed_from", "old", has_former_name },
    { "node_map", "{a: b}", NULL },
    { NULL, NULL, NULL },
};

static const struct sample *sample_of (const char *key)
{
    for (const struct sample *sample = samples; sample->key; sample++) {
        if (strcmp (sample->key, key) == 0)
            return sample;
    }
    fail_msg ("say in 'samples' what comes of `%s`", key);
    return NULL;
}

/* --- a campaign with the key somewhere --- */

static struct plan *compile_edited (const char *from, const char *to,
                                    struct strbuf *said)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf text = STRBUF_INIT;
    char *dir = make_directory ();
    struct plan *plan;

    edit (good, from, to, &text);
    plan = compile_texts (dir, text.buf, NULL, &problems);
    problems_format (&problems, said);
    problems_release (&problems);
    strbuf_release (&text);
    temp_dir_remove (dir);
    return plan;
}

static struct plan *compile_with_key (const char *line,
                                      const struct sample *sample,
                                      struct strbuf *said)
{
    struct strbuf more = STRBUF_INIT;
    struct plan *plan;

    strbuf_addf (&more, "%s    %s: %s\n", line, sample->key, sample->value);
    plan = compile_edited (line, more.buf, said);
    strbuf_release (&more);
    return plan;
}

static void expect_arrived (const struct sample *sample)
{
    struct strbuf said = STRBUF_INIT;
    struct plan *plan =
        compile_with_key ("    uses: dp.train\n", sample, &said);

    if (!plan)
        fail_msg ("%s: %s", sample->key, said.buf);
    for (size_t i = 0; i < plan->n_stages; i++) {
        if (plan->stages[i].family && !sample->arrived (&plan->stages[i]))
            fail_msg ("`%s` of a stage with steps is lost in '%s'", sample->key,
                      plan->stages[i].name);
    }
    plan_destroy (plan);
    strbuf_release (&said);
}

static void expect_refused (const struct sample *sample)
{
    struct strbuf said = STRBUF_INIT;
    struct plan *plan =
        compile_with_key ("    uses: dp.train\n", sample, &said);

    assert_null (plan);
    assert_non_null (strstr (said.buf, sample->key));
    assert_non_null (strstr (said.buf, "has steps; write steps: {STEP:"));
    strbuf_release (&said);
}

/* --- tests --- */

static void test_stage_with_steps (void **state)
{
    (void)state;
    for (const struct stage_key *row = stage_keys; row->field.key; row++) {
        const struct sample *sample = sample_of (row->field.key);

        if (!(row->places & IN_STAGE))
            continue;
        if (row->steps == STEPS_HAVE_IT) {
            assert_non_null (sample->arrived);
            expect_arrived (sample);
        } else if (row->steps == STEPS_SAY_IT) {
            expect_refused (sample);
        }
    }
}

/* Places that refuse a key name it, with its line. */
static void expect_unknown_unless (const struct stage_key *row,
                                   enum stage_key_place place, const char *from,
                                   const char *before, const char *behind)
{
    const struct sample *sample = sample_of (row->field.key);
    struct strbuf said = STRBUF_INIT, to = STRBUF_INIT, unknown = STRBUF_INIT;

    strbuf_addf (&to, "%s%s: %s%s", before, sample->key, sample->value, behind);
    strbuf_addf (&unknown, "unknown key '%s' in", sample->key);
    plan_destroy (compile_edited (from, to.buf, &said));
    if (!!strstr (said.buf, unknown.buf) == !!(row->places & place))
        fail_msg ("`%s` in '%s': %s", sample->key, to.buf, said.buf);
    strbuf_release (&said);
    strbuf_release (&to);
    strbuf_release (&unknown);
}

static void test_places (void **state)
{
    (void)state;
    for (const struct stage_key *row = stage_keys; row->field.key; row++) {
        expect_unknown_unless (row, IN_STAGE, "    uses: my.use\n", "    ",
                               "\n");
        expect_unknown_unless (row, IN_STEPS, "{run: {success: 0.5}}",
                               "{run: {", "}}");
        expect_unknown_unless (row, IN_STEP, "{uses: dp.prep,", "{", ",");
        expect_unknown_unless (row, IN_DEFAULTS, "stages:\n", "defaults: {",
                               "}\nstages:\n");
        expect_unknown_unless (
            row, IN_PHASE, "stop: {iterations: 2}\n",
            "stop: {iterations: 2}\nphases: [{name: a, iterations: 1, stages: "
            "{use: {",
            "}}}]\n");
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_stage_with_steps),
        cmocka_unit_test (test_places),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
