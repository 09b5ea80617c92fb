/* SPDX-License-Identifier: BSD-3-Clause */
/* decide_scene.h - a small campaign, and what decide makes of it as text
 *
 * label -> train -> check, where check has a `when:` and takes train's model
 * or a default; and lone, which depends on nothing.
 */
#ifndef TESTS_DECIDE_SCENE_H
#define TESTS_DECIDE_SCENE_H

#include "campaign/plan.h"
#include "engine/decide/decide.h"
#include "history.h"
#include "observed.h"
#include "signature/expression.h"
#include "space/layout.h"

enum { LABEL, TRAIN, CHECK, LONE, STAGES };

static const struct port in_port = { .name = "in" };
static const struct port in_optional = { .name = "in", .optional = true };
static const int after_label[] = { LABEL };
static const int after_train[] = { TRAIN };

static const struct operator_spec an_op = { .name = "x.any", .code = "x" };

static const struct profile cluster = { .name = "cluster",
                                        .scheduler = "s",
                                        .poll_s = 30,
                                        .settle_s = 60,
                                        .visibility_s = 10 };

static struct {
    struct plan plan;
    struct stage stages[STAGES];
    struct binding bindings[2];
    struct json *fallback;
    const char *config_sha256; /* what the driver goes by; NULL: unknown */
    struct json *outputs;      /* of label, as observed; NULL: not read */
    bool tells_all;            /* of actions, what they carry, too */
} scene;

static inline int enter (void **unused)
{
    static const char *const names[] = { "label", "train", "check", "lone" };

    (void)unused;
    memset (&scene, 0, sizeof (scene));
    for (int s = 0; s < STAGES; s++) {
        struct stage *stage = &scene.stages[s];

        *stage = (struct stage){
            .name = names[s], .op = &an_op, .profile = &cluster, .success = 1
        };
        stage->retry[OUTCOME_FAILED].tries = 2;
        stage->retry[OUTCOME_LOST].tries = 2;
        stage->retry[OUTCOME_TIMEOUT].tries = 2;
        stage->retry[OUTCOME_TIMEOUT].walltime_factor = 2;
        stage->retry[OUTCOME_LOST].exclude_node = true;
        stage->needs = (struct resources){
            .ranks = 1, .cores = 1, .memory_bytes = 1 << 20, .walltime_s = 100
        };
    }
    scene.bindings[0] = (struct binding){ .port = &in_port,
                                          .source = SOURCE_THIS,
                                          .stage = LABEL,
                                          .output = "dataset" };
    scene.fallback = json_int (1);
    scene.bindings[1] = (struct binding){ .port = &in_optional,
                                          .source = SOURCE_THIS,
                                          .stage = TRAIN,
                                          .output = "model",
                                          .fallback = scene.fallback };
    scene.stages[LABEL].success = 0.5;
    scene.stages[TRAIN].bindings = &scene.bindings[0];
    scene.stages[TRAIN].n_bindings = 1;
    scene.stages[TRAIN].after = after_label;
    scene.stages[TRAIN].n_after = 1;
    scene.stages[CHECK].bindings = &scene.bindings[1];
    scene.stages[CHECK].n_bindings = 1;
    scene.stages[CHECK].after = after_train;
    scene.stages[CHECK].n_after = 1;
    scene.stages[CHECK].when_text = "label.count > 2";
    scene.stages[CHECK].when =
        expression_parse (scene.stages[CHECK].when_text, NULL);
    scene.plan = (struct plan){ .dir = "/nowhere",
                                .stages = scene.stages,
                                .n_stages = STAGES,
                                .stop_consecutive = 1,
                                .max_iterations = 3 };
    return 0;
}

static inline int leave (void **unused)
{
    (void)unused;
    expression_destroy (scene.stages[CHECK].when);
    expression_destroy (scene.plan.stop);
    json_unref (scene.fallback);
    json_unref (scene.outputs);
    return 0;
}

/* What is seen of label's results. */
static inline void see_count (int count)
{
    json_unref (scene.outputs);
    scene.outputs = json_object ();
    json_set (scene.outputs, "count", json_int (count));
}

/* --- actions as text --- */

static inline void add_record (const struct json *event, struct strbuf *text)
{
    struct json *copy = json_deep_copy (event);

    assert_true (json_as_double (json_get (event, "now_s")) == 1000);
    json_delete (copy, "now_s");
    json_delete (copy, "iteration");
    text_of (copy, text);
    json_unref (copy);
}

/* "of 0-3, 12 s each, 20 kept back, arrays of 3, 4 cores, 2 nodes" */
static inline void add_carried (const struct action *a, struct strbuf *text)
{
    if (a->tasks.n_spans > 0) {
        strbuf_add_str (text, " of ");
        task_range_format (&a->tasks, text);
    }
    if (a->measured_s > 0)
        strbuf_addf (text, ", %g s each", a->measured_s);
    if (a->reserved > 0)
        strbuf_addf (text, ", %d kept back", (int)a->reserved);
    if (a->elements > 0)
        strbuf_addf (text, ", arrays of %d", (int)a->elements);
    if (a->task.walltime_s > 0)
        strbuf_addf (text, ", %g s", a->task.walltime_s);
    if (a->task.memory_bytes > 0)
        strbuf_addf (text, ", %d bytes", (int)a->task.memory_bytes);
    if (a->running > 0)
        strbuf_addf (text, ", %d at a time", (int)a->running);
    if (a->repack)
        strbuf_add_str (text, ", to pack again");
}

static inline void add_action (const struct action *action, struct strbuf *text)
{
    if (scene.tells_all && action->kind == ACT_RESULTS)
        strbuf_addf (text, "look at nodes after %x: ", action->avoid_after);
    if (action->kind == ACT_RECORD || action->kind == ACT_RESULTS) {
        add_record (action->event, text);
        return;
    }
    strbuf_add_str (text, action_name (action->kind));
    if (action->stage >= 0 && !action->token[0])
        strbuf_addf (text, " %s", scene.stages[action->stage].name);
    if (action->token[0])
        strbuf_addf (text, " %s", action->token);
    if (action->kind == ACT_WAKE && action->delay_s > 0)
        strbuf_addf (text, " in %g", action->delay_s);
    if (action->kind == ACT_SUBMIT)
        strbuf_addf (text, " %d", action->chunk);
    if (action->kind == ACT_CONFIG)
        strbuf_addf (text, " %d", action->number);
    if (action->kind == ACT_BEGIN)
        strbuf_addf (text, " %d", action->iteration);
    if (action->kind == ACT_BEGIN && scene.plan.n_phases > 0)
        strbuf_addf (text, " phase %d", action->number);
    if (scene.tells_all)
        add_carried (action, text);
}

/* Who drives a chained campaign, and what is seen of its dependency jobs. */
struct chain_scene {
    const char *driving_job;
    double patience_s;
    const char *dependency_jobs;
};

/* "prepare lone; next 30" */
static inline void decide_text (const struct state *state, const char *elements,
                                const char *logged, const char *machine_error,
                                const struct chain_scene *chain,
                                struct strbuf *text)
{
    struct observations seen;
    struct actions actions = ACTIONS_INIT;

    observed_make (state, elements, logged, 1000, &seen);
    seen.config_sha256 = scene.config_sha256;
    seen.driving_job = chain->driving_job;
    seen.patience_s = chain->patience_s;
    observe_dependency_jobs (
        state, chain->dependency_jobs ? chain->dependency_jobs : "", &seen);
    if (machine_error) {
        seen.attempts[0].pause = machine_error[0] == '!';
        seen.attempts[0].machine_error =
            machine_error + (machine_error[0] == '!');
    }
    if (scene.outputs)
        observations_add_outputs (&seen, "label", 0, scene.outputs);
    decide (&scene.plan, state, &seen, &actions);
    for (size_t i = 0; i < actions.n; i++) {
        strbuf_add_str (text, i > 0 ? "; " : "");
        add_action (&actions.v[i], text);
    }
    if (actions.next_s > 0)
        strbuf_addf (text, "%snext %g", text->len > 0 ? "; " : "",
                     actions.next_s);
    actions_release (&actions);
    observed_release (&seen);
}

/* After 'base', NULL-terminated 'more' ... */
struct row {
    const char *what;
    const char *const *base;
    const char *more[8];
    const char *elements; /* see observed.h */
    const char *logged;
    const char *actions;
    const char *machine_error; /* of the first open attempt; with a '!' before
                            it, of room */
    struct chain_scene chain;
    bool tells_all;
};

static inline void expect_rows (const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct state state = STATE_INIT;
        struct strbuf text = STRBUF_INIT;

        print_message ("# %s\n", rows[i].what);
        scene.tells_all = rows[i].tells_all;
        if (rows[i].base)
            happen_all (&state, rows[i].base);
        happen_all (&state, rows[i].more);
        decide_text (&state, rows[i].elements ? rows[i].elements : "",
                     rows[i].logged ? rows[i].logged : "",
                     rows[i].machine_error, &rows[i].chain, &text);
        assert_string_equal (text.buf, rows[i].actions);
        strbuf_release (&text);
        state_release (&state);
    }
}

/* TABLE (rows): a test of these rows, named like them. */
struct table {
    const struct row *rows;
    size_t n;
};

static inline void test_table (void **state)
{
    const struct table *table = *state;

    expect_rows (table->rows, table->n);
}

#define TABLE(rows_of)                                                         \
    {                                                                          \
        .name = #rows_of, .test_func = test_table, .setup_func = enter,        \
        .teardown_func = leave, .initial_state = &(struct table)               \
        {                                                                      \
            .rows = rows_of, .n = ARRAY_SIZE (rows_of)                         \
        }                                                                      \
    }

/* --- histories --- */

#define OF(stage) "'iteration':0,'stage':'" stage "'"
#define PREPARED(stage, n) "{'ev':'prepared'," OF (stage) ",'tasks':" n "}"
#define SKIPPED(stage) "{'ev':'skip'," OF (stage) ",'why':'w'}"
#define DONE(stage, n, proceed)                                                \
    "{'ev':'stage'," OF (stage) ",'phase':'done','count':" n                   \
                                ",'proceed':" proceed "}"
#define FAILED(stage) "{'ev':'stage'," OF (stage) ",'phase':'failed','why':'w'}"
#define ATTEMPT(stage, number, tasks, chunks)                                  \
    "{'ev':'attempt'," OF (stage) ",'attempt':" number ",'tasks':'" tasks      \
                                  "'," PACKED (chunks, chunks, "1") "}"
#define CLOSED(stage, without_result)                                          \
    "{'ev':'closed'," OF (stage) ",'without_result':" without_result "}"
#define INTENT(chunk, token, n)                                                \
    "{'ev':'intent'," OF ("label") ",'chunk':" chunk ",'token':'" token        \
                                   "','elements':" n ",'now_s':900}"
#define RECORDED(token) "{'ev':'recorded','token':'" token "','id':'17'}"
#define RELEASED(token) "{'ev':'released','token':'" token "'}"
#define RESULTS(tried, outcomes)                                               \
    "{'ev':'results'," OF ("label") ",'tried':'" tried                         \
                                    "','outcomes':{" outcomes "}}"
#define REQUEST(kind) "{'ev':'request','id':'r','kind':'" kind "','why':'w'}"
#define OTHERS SKIPPED ("train"), SKIPPED ("check"), SKIPPED ("lone")

static const char *const begun[] = { "{'ev':'iteration','iteration':0}", NULL };

/* Only label is left. */
static const char *const label[] = { "{'ev':'iteration','iteration':0}", OTHERS,
                                     PREPARED ("label", "4"), NULL };

#endif /* !TESTS_DECIDE_SCENE_H */
