/* SPDX-License-Identifier: BSD-3-Clause */
/* test_state_checkpoint.c - a state written and read is the same state
 *
 * Long made-up histories: whatever is next is drawn from what fits.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/hash.h"
#include "engine/history/state.h"
#include "history.h"

struct draw {
    uint64_t seed;
    uint64_t n;
};

/* 0 .. below-1 */
static int draw (struct draw *d, int below)
{
    uint64_t words[] = { d->seed, d->n++ };

    return (int)(hash_words (0, words, 2) % (uint64_t)below);
}

static struct json *event_named (const char *kind, struct draw *d)
{
    struct json *event = json_object ();

    json_set (event, "ev", json_string (kind));
    json_set (event, "now_s", json_real (draw (d, 1000000) / 7.0));
    return event;
}

static struct json *stage_event (const char *kind, const struct state *state,
                                 const char *stage, struct draw *d)
{
    struct json *event = event_named (kind, d);

    json_set (event, "iteration", json_int (state_iteration (state)));
    json_set (event, "stage", json_string (stage));
    json_set (event, "why", json_stringf ("why \"%d\"", draw (d, 99)));
    return event;
}

/* Each of the tasks with a chance of one in 'odds'. */
static struct json *some_tasks (int32_t n, int odds, struct draw *d)
{
    struct task_range range = TASK_RANGE_INIT;
    struct strbuf text = STRBUF_INIT;
    struct json *v;

    for (int32_t t = 0; t < n; t++) {
        if (draw (d, odds) == 0)
            task_range_add (&range, t);
    }
    task_range_format (&range, &text);
    v = json_string (text.buf);
    strbuf_release (&text);
    task_range_release (&range);
    return v;
}

static void add_sizes (struct json *event, struct draw *d)
{
    struct task_sizes sizes = { 0 };

    for (int i = draw (d, 4); i > 0; i--)
        size_counts_add (&sizes.of[draw (d, SIZE_KINDS)], draw (d, 40) - 20,
                         1 + draw (d, 9));
    if (sizes.of[0].n + sizes.of[1].n > 0)
        json_set (event, "sizes", task_sizes_to_json (&sizes));
    task_sizes_release (&sizes);
}

static struct json *draw_results (const struct state *state,
                                  const struct stage_state *stage,
                                  struct draw *d)
{
    struct json *event = stage_event ("results", state, stage->name, d);
    struct json *outcomes = json_object ();
    int o = OUTCOME_OK + draw (d, OUTCOME_COUNT - OUTCOME_OK);

    json_set (event, "tried", some_tasks (stage->n_tasks, 3, d));
    json_set (event, "timed_tasks", json_int (draw (d, 5)));
    json_set (event, "timed_s", json_real (draw (d, 100) / 8.0));
    add_sizes (event, d);
    json_set (outcomes, outcome_name ((enum outcome)o),
              some_tasks (stage->n_tasks, 3, d));
    json_set (event, "outcomes", outcomes);
    return event;
}

static struct json *draw_token_event (const struct submission *s,
                                      struct draw *d)
{
    static const char *const kinds[] = { "recorded", "noted",     "empty",
                                         "absent",   "refused",   "swept",
                                         "over",     "back",      "ended",
                                         "released", "cancelling" };
    int n = (int)ARRAY_SIZE (kinds) - (s->id ? 0 : 2);
    struct json *event = event_named (kinds[draw (d, n)], d);

    json_set (event, "token", json_string (s->token));
    json_set (event, "id", json_stringf ("%d", draw (d, 9999)));
    json_set (event, "why", json_string ("w"));
    return event;
}

static struct json *draw_of_attempt (const struct state *state,
                                     const struct stage_state *stage,
                                     const struct attempt *attempt,
                                     struct draw *d)
{
    struct json *event;
    int kind = draw (d, 8);

    if (kind == 0) {
        event = stage_event ("closed", state, stage->name, d);
        json_set (event, "without_result", json_bool (draw (d, 2)));
        return event;
    }
    if (kind <= 2)
        return draw_results (state, stage, d);
    if (attempt->n_submissions > 0 && draw (d, 4) > 0)
        return draw_token_event (
            &attempt->submissions[draw (d, (int)attempt->n_submissions)], d);
    event = stage_event ("intent", state, stage->name, d);
    json_set (event, "chunk",
              json_int (draw (d, (int)attempt->packing.chunks)));
    json_set (event, "elements", json_int (1 + draw (d, 9)));
    json_set (event, "token",
              json_stringf ("t%d.%zu", draw (d, 1 << 20), d->n % 1000000));
    return event;
}

static void set_packing (struct json *event, int chunks, int per_chunk,
                         struct draw *d)
{
    const struct packing packing = {
        .slots = 1 + draw (d, 9),
        .per_element = 1 + draw (d, 9),
        .elements = chunks * per_chunk,
        .chunks = chunks,
        .per_chunk = per_chunk,
        .cores = draw (d, 9),
        .gpus = draw (d, 9),
        .memory_bytes = draw (d, 1 << 20),
        .walltime_s = draw (d, 1 << 20),
        .nodes = 1 + draw (d, 9),
    };
    const struct resources task = { .ranks = 1 + draw (d, 3),
                                    .cores = 36,
                                    .walltime_s = draw (d, 999),
                                    .nodes = 1 };

    json_set (event, "packing", packing_to_json (&packing));
    json_set (event, "task", resources_to_json (&task));
}

static struct json *draw_of_stage (const struct state *state, const char *name,
                                   struct draw *d)
{
    const struct stage_state *stage =
        state_stage (state, state_iteration (state), name);
    const struct attempt *attempt = stage ? stage_open_attempt (stage) : NULL;
    struct json *event;
    int kind = draw (d, 10);

    if (!stage || stage->status == STAGE_WAITING) {
        if (kind < 2)
            return stage_event (kind ? "skip" : "unfit", state, name, d);
        event = stage_event ("prepared", state, name, d);
        json_set (event, "tasks", json_int (draw (d, 30)));
    } else if (attempt) {
        return draw_of_attempt (state, stage, attempt, d);
    } else if (kind < 8 && stage->status == STAGE_DONE) {
        event = stage_event (kind < 4 || !json_get (stage->removed, "out")
                                 ? "removing"
                                 : "removed",
                             state, name, d);
        json_set (event, "outputs", json_object ());
        json_set (json_get (event, "outputs"), "out", json_int (draw (d, 9)));
    } else if (kind < 8 && stage->status == STAGE_PREPARED) {
        event = stage_event ("attempt", state, name, d);
        json_set (event, "attempt", json_int ((int64_t)stage->n_attempts));
        json_set (event, "tasks", some_tasks (stage->n_tasks, 2, d));
        set_packing (event, 1 + draw (d, 3), 1 + draw (d, 9), d);
        json_set (event, "site_submit", json_int (draw (d, 9)));
    } else {
        event = stage_event ("stage", state, name, d);
        json_set (event, "phase", json_string (kind == 8 ? "failed" : "done"));
        json_set (event, "count", json_int (draw (d, 30)));
        json_set (event, "proceed", json_bool (draw (d, 2)));
    }
    return event;
}

static struct json *draw_of_campaign (const struct state *state, struct draw *d)
{
    static const char *const kinds[] = { "pause", "resume", "cancel",
                                         "retry", "skip",   "refused" };
    struct json *event;

    switch (draw (d, 8)) {
    case 0:
        event = event_named ("campaign", d);
        json_set (event, "id", json_stringf ("c%d", draw (d, 99)));
        return event;
    case 1:
        event = event_named ("config", d);
        json_set (event, "sha256", json_stringf ("%064d", draw (d, 99)));
        return event;
    case 2:
        event = event_named (draw (d, 2) ? "paused" : "finished", d);
        json_set (event, "phase", json_string (draw (d, 2) ? "done" : "x"));
        json_set (event, "converged", json_bool (draw (d, 2)));
        json_set (event, "why", json_string ("w"));
        return event;
    case 3:
        event = event_named ("closing", d);
        json_set (event, "history", json_of ("{'a':[1,null,0.1],'b':{}}"));
        json_set (event, "stop", json_bool (draw (d, 2)));
        return event;
    default:
        event = stage_event ("request", state, "train", d);
        json_set (event, "kind",
                  json_string (kinds[draw (d, (int)ARRAY_SIZE (kinds))]));
        json_set (event, "id", json_stringf ("r%d", draw (d, 1000)));
        return event;
    }
}

static struct json *draw_of_scheduler (struct draw *d)
{
    struct json *event = event_named (draw (d, 2) ? "outage" : "answers", d);

    json_set (event, "profile", json_stringf ("p%d", draw (d, 2)));
    json_set (event, "scheduler", json_string ("s"));
    json_set (event, "since_s", json_real (draw (d, 99) / 8.0));
    json_set (event, "full", json_bool (draw (d, 2)));
    json_set (event, "why", json_string ("w"));
    return event;
}

/* What people are to be told, and that it is told. */
static struct json *draw_of_notices (const struct state *state, struct draw *d)
{
    static const char *const phases[] = { "begun", "told", "failed" };
    const struct json *waits = json_at (state->notices, 0);
    struct json *event = event_named (waits ? "notice" : "notify", d);

    if (!waits) {
        json_set (
            event, "events",
            json_of (draw (d, 4) ? "['stage_failed','paused','done']" : "[]"));
        return event;
    }
    json_set (event, "event", json_ref (json_get (waits, "event")));
    json_set (event, "of", json_ref (json_get (waits, "of")));
    json_set (event, "phase", json_string (phases[draw (d, 3)]));
    json_set (event, "why", json_string ("w"));
    return event;
}

static struct json *draw_event (const struct state *state, struct draw *d)
{
    static const char *const names[] = { "label", "train", "explore" };
    const struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;
    struct json *event;

    if (!it || (it->closed && draw (d, 3) == 0)) {
        event = event_named ("iteration", d);
        json_set (event, "iteration", json_int (state_iteration (state) + 1));
        return event;
    }
    if (draw (d, 30) == 0)
        return draw_of_campaign (state, d);
    if (draw (d, 40) == 0)
        return draw_of_scheduler (d);
    if (draw (d, 40) == 0)
        return draw_of_notices (state, d);
    return draw_of_stage (state, names[draw (d, (int)ARRAY_SIZE (names))], d);
}

/* What is counted must be what there is. */
static void expect_counts (const struct state *state)
{
    for (size_t i = 0; i < state->n_iterations; i++) {
        for (size_t s = 0; s < state->iterations[i].n_stages; s++) {
            const struct stage_state *stage = &state->iterations[i].stages[s];
            int32_t count[OUTCOME_COUNT] = { 0 };

            for (int32_t t = 0; t < stage->n_tasks; t++)
                count[stage->tasks[t].outcome]++;
            assert_memory_equal (count, stage->by_outcome, sizeof (count));
        }
    }
}

static void dump (const struct state *state, struct strbuf *text)
{
    struct json *v = state_to_json (state);

    strbuf_reset (text);
    json_dump (v, JSON_COMPACT, text);
    json_unref (v);
}

/* Through the text of a file. */
static void copy_state (const struct state *from, struct state *to)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct json *v;

    dump (from, &text);
    v = json_parse (text.buf, text.len, "checkpoint", &err);
    if (!v || state_from_json (v, to, &err) < 0)
        fail_msg ("%s", err.text);
    json_unref (v);
    strbuf_release (&text);
}

static void fold (struct state *state, const struct json *event)
{
    struct error err = ERROR_INIT;
    struct strbuf text = STRBUF_INIT;

    if (state_apply (state, event, &err) < 0) {
        json_dump (event, JSON_COMPACT, &text);
        fail_msg ("%s: %s", err.text, text.buf);
    }
    strbuf_release (&text);
}

enum { EVENTS = 3600, CUTS = 30 };

static void test_any_cut (void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct draw d = { .seed = seed };
        struct state whole = STATE_INIT;
        struct state cut[CUTS] = { STATE_INIT };
        struct strbuf wanted = STRBUF_INIT;
        struct strbuf found = STRBUF_INIT;
        size_t cuts = 0;

        for (int n = 1; n <= EVENTS; n++) {
            struct json *event = draw_event (&whole, &d);

            json_set (event, "n", json_int (n));
            fold (&whole, event);
            for (size_t i = 0; i < cuts; i++)
                fold (&cut[i], event);
            if (n % (EVENTS / CUTS) == 0)
                copy_state (&whole, &cut[cuts++]);
            json_unref (event);
        }
        expect_counts (&whole);
        dump (&whole, &wanted);
        for (size_t i = 0; i < cuts; i++) {
            dump (&cut[i], &found);
            assert_string_equal (found.buf, wanted.buf);
            expect_counts (&cut[i]);
            state_release (&cut[i]);
        }
        assert_true (whole.n_iterations > 10);
        assert_int_equal (whole.n, EVENTS);
        state_release (&whole);
        strbuf_release (&wanted);
        strbuf_release (&found);
    }
}

static void test_json_is_a_copy (void **unused)
{
    struct state state = STATE_INIT;
    struct json *before;

    (void)unused;
    happen (&state, "{'ev':'request','id':'r1','kind':'refused'}");
    before = state_to_json (&state);
    happen (&state, "{'ev':'request','id':'r2','kind':'refused'}");
    assert_json (json_get (before, "requests_seen"), "{'r1':true}");
    json_unref (before);
    state_release (&state);
}

static const char *const history[] = {
    "{'ev':'iteration','iteration':0}",
    "{'ev':'prepared','iteration':0,'stage':'train','tasks':5}",
    "{'ev':'attempt','iteration':0,'stage':'train','attempt':0,'tasks':'0-4',"
    "" PACKED ("1", "1", "1") "}",
    "{'ev':'intent','iteration':0,'stage':'train','chunk':0,'token':'ta',"
    "'elements':3}",
    "{'ev':'recorded','token':'ta','id':'17'}",
    "{'ev':'results','iteration':0,'stage':'train','tried':'0-1','outcomes':"
    "{'ok':'0','timeout':'1'}}",
    NULL,
};

/* What a hand has spoilt is refused and leaves the target alone. */
static void test_spoilt (void **unused)
{
    static const struct {
        const char *was;
        const char *is;
    } cases[] = {
        { "{'n':6", "{'m':6" },
        { "'phase':0,'converged'", "'phase':4,'converged'" },
        { "'iterations':[", "'iterations':7,'i':[" },
        { "'name':'train','phase':1", "'name':'train','phase':5" },
        { "'name':'train'", "'name':7" },
        { "'tasks':5", "'tasks':-1" },
        { "'tasks':5", "'tasks':100000001" },
        { "'tasks':5", "'tasks':'5'" },
        { "'tasks':5", "'tasks':4" }, /* fewer than the attempt has */
        { "{'ok':'0',", "{'ok':'0-'," },
        { "'tasks':'0-4'", "'tasks':'4-0'" },
        { "'chunks':1", "'chunks':0" },
        { "'token':'ta'", "'token':null" },
        { "'id':'17',", "" },
        { "{'phase':1,'token'", "{'phase':-1,'token'" },
        { "'elements':3", "'elements':99999999999" },
    };
    struct state state = STATE_INIT;
    struct json *good;
    struct strbuf text = STRBUF_INIT;

    (void)unused;
    happen_all (&state, history);
    good = state_to_json (&state);
    text_of (good, &text);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const char *at = strstr (text.buf, cases[i].was);
        struct strbuf bad = STRBUF_INIT;
        struct state target = { .n = 42 };
        struct error err = ERROR_INIT;
        struct json *v;

        print_message ("# %s\n", cases[i].is);
        assert_non_null (at);
        strbuf_add (&bad, text.buf, (size_t)(at - text.buf));
        strbuf_add_str (&bad, cases[i].is);
        strbuf_add_str (&bad, at + strlen (cases[i].was));
        v = json_of (bad.buf);
        assert_int_equal (state_from_json (v, &target, &err), -1);
        assert_true (err.text[0]);
        assert_int_equal (target.n, 42);
        json_unref (v);
        strbuf_release (&bad);
    }
    json_unref (good);
    strbuf_release (&text);
    state_release (&state);
}

/* Any other byte anywhere: refused, or a state that can be looked at. */
static void test_any_byte (void **unused)
{
    struct state state = STATE_INIT;
    struct strbuf text = STRBUF_INIT;
    int read = 0;

    (void)unused;
    happen_all (&state, history);
    dump (&state, &text);
    for (size_t i = 0; i < text.len; i++) {
        static const char others[] = "0\"9-x,]}";

        for (const char *other = others; *other; other++) {
            char was = text.buf[i];
            struct state target = STATE_INIT;
            struct json *v;

            text.buf[i] = *other;
            v = json_parse (text.buf, text.len, "x", NULL);
            if (v && state_from_json (v, &target, NULL) == 0) {
                struct strbuf again = STRBUF_INIT;

                read++;
                dump (&target, &again);
                expect_counts (&target);
                state_release (&target);
                strbuf_release (&again);
            }
            json_unref (v);
            text.buf[i] = was;
        }
    }
    assert_true (read > 0);
    strbuf_release (&text);
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_any_cut),
        cmocka_unit_test (test_json_is_a_copy),
        cmocka_unit_test (test_spoilt),
        cmocka_unit_test (test_any_byte),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
