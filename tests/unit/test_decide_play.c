/* SPDX-License-Identifier: BSD-3-Clause */
/* test_decide_play.c - whole campaigns played in a toy world
 *
 * decide says what is to be done; doing it is a few lines here, because
 * nothing is on disk.  Replies are lost, jobs and agents die, people pause,
 * cancel and retry, and the driver dies between any two steps.  Every campaign
 * must come to its end, with every task done exactly once.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/decide/decide.h"
#include "engine/history/events.h"
#include "engine/decide/retry.h"
#include "history.h"
#include "space/layout.h"
#include "observed.h"
#include "toy_world.h"

enum { LABEL, TRAIN, EXPLORE, SIDE, STAGES };
enum { ROUNDS_OF_TROUBLE = 250, ROUNDS_MAX = 3000 };

static const struct port in_port = { .name = "in" };
static const struct operator_spec an_op = { .name = "x.any", .code = "x" };
static const struct profile cluster = { .name = "toy",
                                        .poll_s = 30,
                                        .settle_s = 60,
                                        .visibility_s = 10 };

struct play {
    struct toy_world world;
    struct plan plan;
    struct stage stages[STAGES];
    struct binding bindings[STAGES];
    int after[STAGES];
    struct state state;
    int requests, tokens;
    bool crashed; /* what was decided is forgotten */
    bool silent;  /* a scheduler did not answer */
};

static void play_init (struct play *p, uint64_t seed)
{
    static const char *const names[] = { "label", "train", "explore", "side" };

    memset (p, 0, sizeof (*p));
    p->world.seed = seed;
    p->world.now_s = 1000;
    p->world.luck = (int)(seed % 100);
    for (int s = 0; s < STAGES; s++) {
        struct stage *stage = &p->stages[s];

        *stage = (struct stage){ .name = names[s],
                                 .op = &an_op,
                                 .profile = &cluster,
                                 .success = s == SIDE ? 0.5 : 1 };
        for (int o = 0; o < OUTCOME_COUNT; o++)
            stage->retry[o].tries = 3;
        if (s == LABEL || s == SIDE)
            continue;
        p->after[s] = s - 1; /* each waits for the one before */
        p->bindings[s] = (struct binding){ .port = &in_port,
                                           .source = SOURCE_THIS,
                                           .stage = s - 1,
                                           .output = "out" };
        stage->bindings = &p->bindings[s];
        stage->n_bindings = 1;
        stage->after = &p->after[s];
        stage->n_after = 1;
    }
    p->plan = (struct plan){ .dir = "/nowhere",
                             .stages = p->stages,
                             .n_stages = STAGES,
                             .stop_consecutive = 1,
                             .max_iterations = 2 };
}

static void play_release (struct play *p)
{
    toy_release (&p->world);
    state_release (&p->state);
}

/* Bad luck between an effect and its record. */
static bool dies (struct play *p)
{
    p->crashed = p->crashed || toy_bad (&p->world, 5);
    return p->crashed;
}

static void record (struct play *p, struct json *event)
{
    struct error err = ERROR_INIT;

    json_set (event, "n", json_int (p->state.n + 1));
    if (state_apply (&p->state, event, &err) < 0)
        fail_msg ("seed %d: %s", (int)p->world.seed, err.text);
    json_unref (event);
}

static struct json *of_stage (const struct play *p, const char *kind,
                              const struct action *action)
{
    return event_of_stage (kind, p->world.now_s, action->iteration,
                           p->stages[action->stage].name);
}

static struct stage_state *stage_of (const struct play *p,
                                     const struct action *action)
{
    return state_stage (&p->state, action->iteration,
                        p->stages[action->stage].name);
}

/* --- the actions --- */

static void do_record (struct play *p, const struct action *action)
{
    const char *kind = json_as_string (json_get (action->event, "ev"));
    const char *token = json_as_string (json_get (action->event, "token"));
    int from = -1;

    /* What is concluded to be absent must not come to be. */
    if (strcmp (kind, "absent") == 0)
        assert_null (toy_find (&p->world, token, true, &from));
    record (p, json_ref (action->event));
}

static void do_begin (struct play *p, const struct action *action)
{
    struct json *event = event_new ("iteration", p->world.now_s);

    json_set (event, "iteration", json_int (action->iteration));
    memset (p->world.tasks, 0, sizeof (p->world.tasks));
    record (p, event);
}

static void do_prepare (struct play *p, const struct action *action)
{
    bool unfit = toy_bad (&p->world, 5);
    struct json *event = of_stage (p, unfit ? "unfit" : "prepared", action);

    if (unfit)
        json_set (event, "why", json_string ("bad_input: bad luck"));
    else
        json_set (event, "tasks", json_int (toy_draw (&p->world, TOY_TASKS)));
    record (p, event);
}

static void set_packing (struct json *event, int chunks)
{
    const struct packing packing = { .slots = 1,
                                     .per_element = 1,
                                     .elements = chunks,
                                     .chunks = chunks,
                                     .per_chunk = 1,
                                     .nodes = 1 };
    const struct resources task = { .ranks = 1, .cores = 1, .nodes = 1 };

    json_set (event, "packing", packing_to_json (&packing));
    json_set (event, "task", resources_to_json (&task));
}

static void do_open (struct play *p, const struct action *action)
{
    struct stage_state *stage = stage_of (p, action);
    struct strbuf text = STRBUF_INIT;
    struct json *event = of_stage (p, "attempt", action);

    toy_open (&p->world, action->stage, action->iteration,
              (int)stage->n_attempts, &action->tasks);
    task_range_format (&action->tasks, &text);
    json_set (event, "attempt", json_int ((int64_t)stage->n_attempts));
    json_set (event, "tasks", json_string (text.buf));
    set_packing (event, p->world.attempts[action->stage].chunks);
    if (dies (p))
        json_unref (event);
    else
        record (p, event);
    strbuf_release (&text);
}

static void record_id (struct play *p, const char *token, const char *id)
{
    struct json *event =
        event_of_answer ("recorded", p->world.now_s,
                         &(struct uptime){ "b", p->world.now_s }, token);

    json_set (event, "id", json_string (id));
    record (p, event);
}

/* The reply may be lost, the job there or not, even twice. */
static void do_submit (struct play *p, const struct action *action)
{
    struct json *event = of_stage (p, "intent", action);
    char token[TOKEN_LENGTH + 1];
    char id[16];

    snprintf (token, sizeof (token), "t%d", ++p->tokens);
    json_set (event, "chunk", json_int (action->chunk));
    json_set (event, "token", json_string (token));
    json_set (
        event, "elements",
        json_int (p->world.attempts[action->stage].elements[action->chunk]));
    record (p, event);
    if (dies (p))
        return;
    if (toy_bad (&p->world, 5)) {
        event = event_of_token ("refused", p->world.now_s, token);
        json_set (event, "why", json_string ("no"));
        record (p, event);
        return;
    }
    if ((p->silent = toy_bad (&p->world, 10)))
        return;
    snprintf (id, sizeof (id), "%s",
              toy_submit (&p->world, action->stage, action->chunk, token));
    if (toy_bad (&p->world, 5)) {
        toy_submit (&p->world, action->stage, action->chunk, token);
        p->world.jobs[p->world.n_jobs - 1].twin = true;
        p->world.jobs[p->world.n_jobs - 2].twin = true;
    }
    if (!dies (p) && !(p->silent = toy_bad (&p->world, 15)))
        record_id (p, token, id);
}

static void do_find (struct play *p, const struct action *action)
{
    struct toy_job *first;
    struct toy_job *other;
    int from = -1;

    if ((p->silent = toy_bad (&p->world, 20)))
        return;
    first = toy_find (&p->world, action->token, false, &from);
    if (!first) {
        record (p, event_of_answer ("empty", p->world.now_s,
                                    &(struct uptime){ "b", p->world.now_s },
                                    action->token));
        return;
    }
    while ((other = toy_find (&p->world, action->token, false, &from)))
        toy_cancel (&p->world, other);
    if (!dies (p))
        record_id (p, action->token, first->id);
}

static void do_release (struct play *p, const struct action *action)
{
    const struct submission *s = state_submission (&p->state, action->token);
    struct toy_job *job = toy_job (&p->world, s->id);

    snprintf (p->world.attempts[action->stage].submission[s->chunk],
              sizeof (job->id), "%s", s->id);
    if (dies (p) || (p->silent = toy_bad (&p->world, 10)))
        return;
    toy_release_job (&p->world, job);
    if (!dies (p))
        record (p, event_of_token ("released", p->world.now_s, action->token));
}

static void do_cancel (struct play *p, const struct action *action)
{
    const struct submission *s = state_submission (&p->state, action->token);

    if ((p->silent = toy_bad (&p->world, 10)))
        return;
    toy_cancel (&p->world, toy_job (&p->world, s->id));
    if (!dies (p))
        record (
            p, event_of_token (action->kind == ACT_END ? "ended" : "cancelling",
                               p->world.now_s, action->token));
}

static void sweep (struct play *p, const struct submission *s)
{
    struct toy_job *job;
    int from = -1;

    while ((job = toy_find (&p->world, s->token, false, &from))) {
        if (!s->id || strcmp (job->id, s->id) != 0)
            toy_cancel (&p->world, job);
    }
}

static void do_sweep (struct play *p, const struct action *action)
{
    if ((p->silent = toy_bad (&p->world, 10)))
        return;
    sweep (p, state_submission (&p->state, action->token));
    if (!dies (p))
        record (p, event_of_answer ("swept", p->world.now_s,
                                    &(struct uptime){ "b", p->world.now_s },
                                    action->token));
}

static void do_close (struct play *p, const struct action *action)
{
    const struct stage_state *stage = stage_of (p, action);
    const struct attempt *attempt = stage_open_attempt (stage);
    struct json *event;
    bool without_result = true;

    p->world.attempts[action->stage].closed = true;
    for (size_t i = 0; i < attempt->n_submissions; i++)
        sweep (p, &attempt->submissions[i]);
    if (dies (p))
        return;
    for (int32_t t = -1; (t = task_range_next (&attempt->tasks, t)) >= 0;)
        without_result =
            without_result && stage->tasks[t].outcome == OUTCOME_NONE;
    event = of_stage (p, "closed", action);
    json_set (event, "without_result", json_bool (without_result));
    record (p, event);
}

/* Every task that took effect is known to be ok, and no other. */
static void do_fan_in (struct play *p, const struct action *action)
{
    const struct stage_state *stage = stage_of (p, action);
    struct json *event = of_stage (p, "stage", action);

    for (int32_t t = 0; t < stage->n_tasks; t++)
        assert_int_equal (stage->tasks[t].outcome == OUTCOME_OK,
                          p->world.tasks[action->stage][t].ok);
    json_set (event, "phase", json_string ("done"));
    json_set (event, "count", json_int (stage->by_outcome[OUTCOME_OK]));
    json_set (event, "proceed", json_bool (stage->by_outcome[OUTCOME_OK] > 0));
    if (dies (p))
        json_unref (event);
    else
        record (p, event);
}

static void (*const does[]) (struct play *p, const struct action *action) = {
    [ACT_RECORD] = do_record,     [ACT_RESULTS] = do_record,
    [ACT_BEGIN] = do_begin,       [ACT_PREPARE] = do_prepare,
    [ACT_OPEN_ATTEMPT] = do_open, [ACT_SUBMIT] = do_submit,
    [ACT_FIND] = do_find,         [ACT_RELEASE] = do_release,
    [ACT_CANCEL] = do_cancel,     [ACT_SWEEP] = do_sweep,
    [ACT_END] = do_cancel,        [ACT_CLOSE_ATTEMPT] = do_close,
    [ACT_FAN_IN] = do_fan_in,
};

/* --- looking --- */

static void read_lines (const struct play *p, int stage,
                        struct attempt_logs *logs)
{
    const struct toy_world *w = &p->world;

    for (size_t i = 0; i < w->n_lines; i++) {
        const struct toy_line *line = &w->lines[i];

        if (line->stage != stage || line->seen_s > w->now_s)
            continue;
        if (line->outcome == OUTCOME_NONE)
            logs->tasks[line->task].started = true;
        else if (logs->tasks[line->task].outcome != OUTCOME_OK)
            logs->tasks[line->task].outcome = (uint8_t)line->outcome;
    }
}

static void look_at (struct play *p, int stage, const struct stage_state *state,
                     const struct attempt *attempt, struct observed_attempt *a)
{
    struct attempt_logs *logs;

    a->stage = state->name;
    a->logs = logs =
        observed_logs (state->name, TOY_TASKS, TOY_CHUNKS * TOY_ELEMENTS);
    a->n_submissions = attempt->n_submissions;
    a->submissions =
        xcalloc (attempt->n_submissions + 1, sizeof (*a->submissions));
    read_lines (p, stage, logs);
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];
        struct observed_submission *o = &a->submissions[i];

        o->token = s->token;
        if (s->status != SUBMISSION_RELEASED)
            continue;
        o->polled = !toy_bad (&p->world, 20);
        o->n_elements = s->elements;
        o->elements = xcalloc ((size_t)s->elements, sizeof (*o->elements));
        o->bundles = &logs->bundles[s->chunk * TOY_ELEMENTS];
        for (int e = 0; e < s->elements; e++) {
            const struct toy_job *job = toy_job (&p->world, s->id);

            task_range_copy (&logs->bundles[s->chunk * TOY_ELEMENTS + e],
                             &job->elements[e].bundle);
            if (o->polled)
                o->elements[e] = toy_status (&p->world, job, e);
        }
    }
}

static void look (struct play *p, struct observations *seen)
{
    *seen = (struct observations){ .now_s = p->world.now_s,
                                   .up = { "b", p->world.now_s } };
    seen->attempts = xcalloc (STAGES, sizeof (*seen->attempts));
    for (int s = 0; s < STAGES; s++) {
        const struct stage_state *state = state_stage (
            &p->state, state_iteration (&p->state), p->stages[s].name);
        const struct attempt *attempt =
            state ? stage_open_attempt (state) : NULL;

        if (attempt)
            look_at (p, s, state, attempt, &seen->attempts[seen->n_attempts++]);
    }
}

/* --- the play --- */

static void ask (struct play *p, const char *kind, const char *stage)
{
    struct json *event = event_new ("request", p->world.now_s);

    json_set (event, "id", json_stringf ("r%d", p->requests++));
    json_set (event, "kind", json_string (kind));
    json_set (event, "iteration", json_int (state_iteration (&p->state)));
    if (stage)
        json_set (event, "stage", json_string (stage));
    record (p, event);
}

static const char *failed_stage (const struct play *p)
{
    const struct iteration_state *it =
        &p->state.iterations[p->state.n_iterations - 1];

    for (size_t i = 0; i < it->n_stages; i++) {
        if (it->stages[i].status == STAGE_FAILED)
            return it->stages[i].name;
    }
    return NULL;
}

static void people (struct play *p)
{
    static const char *const wishes[] = { "pause", "cancel", "retry" };

    if (p->state.status == CAMPAIGN_FAILED && toy_bad (&p->world, 30))
        ask (p, "skip", failed_stage (p));
    else if (p->state.status == CAMPAIGN_FAILED)
        ask (p, "retry", toy_draw (&p->world, 2) ? failed_stage (p) : NULL);
    else if (p->state.status == CAMPAIGN_PAUSED && toy_draw (&p->world, 3) == 0)
        ask (p, "resume", NULL);
    else if (p->state.n_iterations > 0 && toy_bad (&p->world, 4))
        ask (p, wishes[toy_draw (&p->world, 3)], NULL);
}

/* The driver dies and another one reads the checkpoint. */
static void restart (struct play *p)
{
    struct json *v = state_to_json (&p->state);
    struct state again = STATE_INIT;

    assert_int_equal (state_from_json (v, &again, NULL), 0);
    state_release (&p->state);
    p->state = again;
    p->crashed = false;
    json_unref (v);
}

/* How long until there may be more to do. */
static double play_round (struct play *p)
{
    struct observations seen;
    struct actions actions = ACTIONS_INIT;
    double wait_s;

    p->silent = false;
    people (p);
    look (p, &seen);
    decide (&p->plan, &p->state, &seen, &actions);
    for (size_t i = 0; i < actions.n && !p->crashed; i++)
        does[actions.v[i].kind](p, &actions.v[i]);
    wait_s = actions.n > 0 ? (p->silent ? 20 : 0.1) : actions.next_s;
    /* Nothing to do and nothing to wait for: only where a person is needed. */
    if (wait_s == 0) {
        assert_int_not_equal (p->state.status, CAMPAIGN_RUNNING);
        wait_s = 100;
    }
    actions_release (&actions);
    observed_release (&seen);
    if (p->crashed)
        restart (p);
    return wait_s;
}

static void expect_end (struct play *p)
{
    p->world.now_s += 1000; /* agents have the time to end, none to begin */
    toy_run (&p->world);
    for (int i = 0; i < p->plan.max_iterations; i++) {
        for (int s = 0; s < STAGES; s++) {
            const struct stage_state *stage =
                state_stage (&p->state, i, p->stages[s].name);

            assert_non_null (stage);
            assert_true (stage->status == STAGE_DONE
                         || stage->status == STAGE_SKIPPED);
            assert_null (stage_open_attempt (stage));
            if (stage->status == STAGE_DONE && s != SIDE)
                assert_int_equal (stage->by_outcome[OUTCOME_OK],
                                  stage->n_tasks);
        }
    }
    /* Nobody is forgotten; a twin may have shown up too late to be cancelled,
     * but is held for ever.
     */
    for (size_t j = 0; j < p->world.n_jobs; j++) {
        const struct toy_job *job = &p->world.jobs[j];

        for (int e = 0; e < job->n; e++) {
            if (job->elements[e].state != ELEMENT_ENDED)
                assert_true (job->twin
                             && job->elements[e].state == ELEMENT_HELD);
        }
    }
}

static int play_campaign (uint64_t seed)
{
    struct play p;
    int rounds = 0;

    play_init (&p, seed);
    for (; p.state.status != CAMPAIGN_DONE && rounds < ROUNDS_MAX; rounds++) {
        if (rounds >= ROUNDS_OF_TROUBLE)
            p.world.luck = 100;
        toy_run (&p.world);
        p.world.now_s += 0.001 + play_round (&p);
    }
    if (p.state.status != CAMPAIGN_DONE)
        fail_msg ("seed %d: no end in sight", (int)seed);
    expect_end (&p);
    play_release (&p);
    return rounds;
}

static void test_good_luck (void **unused)
{
    (void)unused;
    for (uint64_t seed = 99; seed < 5000; seed += 100)
        assert_true (play_campaign (seed) < ROUNDS_OF_TROUBLE);
}

static void test_all_kinds_of_luck (void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 400; seed++)
        play_campaign (seed);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_good_luck),
        cmocka_unit_test (test_all_kinds_of_luck),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
