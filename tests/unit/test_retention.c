/* SPDX-License-Identifier: BSD-3-Clause */
/* test_retention.c - which outputs go, by what binds them and what has run */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/decide/deciding.h"
#include "engine/decide/retention.h"
#include "history.h"

/* `make` has the outputs big (of a task) and sum (of collect); `use` binds
 * big, `late` and `other` what a row says.
 */
enum { MAKE, USE, LATE, OTHER, STAGES };

static const char *const names[] = { "make", "use", "late", "other" };

enum { BINDINGS = 3 };

struct row {
    const char *what;
    enum source source;   /* by which `use` binds big */
    int keep;             /* of big */
    const char *history;  /* a word for each iteration, a letter for each stage:
                             D done, d done and proceed: false, S skipped, P
                             prepared, F failed, - nothing.  All but the last are
                             closed, with a `.` the last, too; with a `$` the
                             campaign is done, with a `|` paused */
    const char *gone;     /* "0:big 1:big": what is removed */
    enum source late;     /* by which `late` binds it, as part of a list; 0: it
                             does not */
    enum source in_phase; /* by which `other` binds it in another phase */
    int sum;              /* keep: of sum */
    enum source function; /* by which a function binds it */
    const char *file;     /* the digest of what the plan was read from */
    bool is_call;         /* the campaign is one */
    bool leaves_raw;      /* `make` does */
    enum raw_rule raw;    /* its raw: */
};

static void happen_to (struct state *state, int iteration, const char *stage,
                       char letter)
{
    char text[256];
    const char *status = letter == 'F' ? "failed" : "done";

    if (letter == '-')
        return;
    snprintf (text, sizeof (text),
              letter == 'S' ? "{'ev':'skip','iteration':%d,'stage':'%s',"
                              "'why':'w'}"
                            : "{'ev':'prepared','iteration':%d,'stage':'%s',"
                              "'tasks':1,'code':'t'}",
              iteration, stage);
    happen (state, text);
    if (letter == 'S' || letter == 'P')
        return;
    snprintf (text, sizeof (text),
              "{'ev':'stage','iteration':%d,'stage':'%s','phase':'%s',"
              "'count':1,'proceed':%s,'why':'w'}",
              iteration, stage, status, letter == 'd' ? "false" : "true");
    happen (state, text);
}

static void close_iteration (struct state *state, int iteration)
{
    char text[128];

    snprintf (text, sizeof (text),
              "{'ev':'closing','iteration':%d,'history':{}}", iteration);
    happen (state, text);
}

static void begin_iteration (struct state *state, int iteration)
{
    char text[64];

    snprintf (text, sizeof (text), "{'ev':'iteration','iteration':%d}",
              iteration);
    happen (state, text);
}

static void play (struct state *state, const char *history)
{
    int iteration = -1, stage = 0;

    for (const char *p = history; *p; p++) {
        if (iteration < 0 || *p == ' ') {
            if (iteration >= 0)
                close_iteration (state, iteration);
            begin_iteration (state, ++iteration);
            stage = 0;
        }
        if (*p == '.' || *p == '$')
            close_iteration (state, iteration);
        if (*p == '$')
            happen (state, "{'ev':'finished','phase':'done','why':'w'}");
        if (*p == '|')
            happen (state, "{'ev':'paused','why':'w'}");
        if (!strchr (" .$|", *p))
            happen_to (state, iteration, names[stage++], *p);
    }
}

static const struct port in_port = { .name = "in" };

struct world {
    struct port outputs[2], collected[2];
    struct operator_spec make, none;
    struct binding bindings[BINDINGS], part, of_function;
    struct function function;
    struct call call;
    struct stage stages[STAGES], others[STAGES];
    struct plan plan, other, *by_phase[2];
};

static struct binding binding_of (enum source source)
{
    return (struct binding){
        .port = &in_port, .source = source, .stage = MAKE, .output = "big"
    };
}

static void bind (struct stage *stage, struct binding *binding)
{
    stage->bindings = binding;
    stage->n_bindings = 1;
}

static void build (const struct row *row, struct world *w)
{
    memset (w, 0, sizeof (*w));
    w->outputs[0] = (struct port){ .name = "big", .keep = row->keep };
    w->collected[0] = (struct port){ .name = "sum", .keep = row->sum };
    w->make = (struct operator_spec){ .name = "t.make",
                                      .leaves_raw = row->leaves_raw,
                                      .outputs = w->outputs,
                                      .collected = w->collected };
    w->none = (struct operator_spec){ .name = "t.none" };
    for (int i = 0; i < STAGES; i++)
        w->stages[i] = (struct stage){ .name = names[i],
                                       .op = i == MAKE ? &w->make : &w->none };
    w->stages[MAKE].raw = row->raw;
    memcpy (w->others, w->stages, sizeof (w->others));
    if (row->source != SOURCE_UNBOUND) {
        w->bindings[0] = binding_of (row->source);
        bind (&w->stages[USE], &w->bindings[0]);
    }
    if (row->late != SOURCE_UNBOUND) {
        w->part = binding_of (row->late);
        w->bindings[1] = (struct binding){ .port = &in_port,
                                           .source = SOURCE_JOINED,
                                           .parts = &w->part,
                                           .n_parts = 1,
                                           .stage = -1 };
        bind (&w->stages[LATE], &w->bindings[1]);
    }
    if (row->in_phase != SOURCE_UNBOUND) {
        w->bindings[2] = binding_of (row->in_phase);
        bind (&w->others[OTHER], &w->bindings[2]);
    }
    w->plan = (struct plan){ .stages = w->stages, .n_stages = STAGES };
    w->other = (struct plan){ .stages = w->others, .n_stages = STAGES };
    if (row->function != SOURCE_UNBOUND) {
        w->of_function = binding_of (row->function);
        bind (&w->function.stage, &w->of_function);
        w->function.stage.name = "fit";
        w->plan.functions = &w->function;
        w->plan.n_functions = 1;
    }
    if (row->is_call)
        w->plan.call = &w->call;
    w->by_phase[0] = &w->plan;
    w->by_phase[1] = &w->other;
    if (row->in_phase != SOURCE_UNBOUND) {
        w->plan.by_phase = w->by_phase;
        w->plan.n_phases = 2;
    }
}

static void text_of_actions (const struct actions *actions, struct strbuf *text)
{
    for (size_t i = 0; i < actions->n; i++) {
        const struct action *action = &actions->v[i];

        assert_int_equal (action->kind, ACT_REMOVE);
        if (!action->event)
            strbuf_addf (text, "%s%d:again", text->len > 0 ? " " : "",
                         action->iteration);
        JSON_FOREACH (json_get (action->event, "outputs"), it)
            strbuf_addf (text, "%s%d:%s", text->len > 0 ? " " : "",
                         action->iteration, json_iter_key (it));
    }
}

/* What goes after the events of 'row', and then 'more' (or NULL). */
static void expect (const struct row *row, const char *const *more)
{
    struct world world;
    struct state state = STATE_INIT;
    struct observations seen = { 0 };
    struct actions actions = ACTIONS_INIT;
    struct deciding d = { &world.plan, &state, &seen, &actions, -1 };
    struct strbuf text = STRBUF_INIT;

    print_message ("# %s\n", row->what);
    build (row, &world);
    play (&state, row->history);
    if (more)
        happen_all (&state, more);
    seen.config_sha256 = row->file;
    d.iteration = state_iteration (&state);
    decide_retention (&d);
    text_of_actions (&actions, &text);
    assert_string_equal (text.buf ? text.buf : "", row->gone);
    strbuf_release (&text);
    actions_release (&actions);
    state_release (&state);
}

#define USED KEEP_UNTIL_USED

static const struct row rows[] = {
    { "always is for ever", SOURCE_THIS, KEEP_ALWAYS, "DD DD DD.", .gone = "" },
    { "nothing has run", SOURCE_THIS, USED, "", .gone = "" },
    { "it is not made", SOURCE_THIS, USED, "P-", .gone = "" },
    { "its user has not begun", SOURCE_THIS, USED, "D-", .gone = "" },
    { "its user is prepared", SOURCE_THIS, USED, "DP", .gone = "" },
    { "its user failed, and may be tried again", SOURCE_THIS, USED, "DF",
      .gone = "" },
    { "its user is done", SOURCE_THIS, USED, "DD", .gone = "0:big" },
    { "its user was skipped", SOURCE_THIS, USED, "DS", .gone = "0:big" },
    { "nobody goes on with it", SOURCE_THIS, USED, "dS", .gone = "0:big" },
    { "the stage failed", SOURCE_THIS, USED, "FS", .gone = "" },
    { "it was skipped", SOURCE_THIS, USED, "SS", .gone = "" },
    { "each iteration", SOURCE_THIS, USED, "DD DD D-", .gone = "0:big 1:big" },
    { "paused", SOURCE_THIS, USED, "DD|", .gone = "" },
    { "done", SOURCE_THIS, USED, "DD$", .gone = "0:big" },
    { "nothing binds it: it is not used", SOURCE_UNBOUND, USED, "DD DD.",
      .gone = "" },
    { "nothing binds it, for one iteration", SOURCE_UNBOUND, 1, "DD DD.",
      .gone = "0:big" },
    { "an iteration has begun", SOURCE_UNBOUND, 1, "DD --", .gone = "0:big" },
    { "... and not before", SOURCE_UNBOUND, 1, "DD.", .gone = "" },
    { "for two", SOURCE_UNBOUND, 2, "DD DD DD DD", .gone = "0:big 1:big" },
    { "for one, but it is needed", SOURCE_PREVIOUS, 1, "DD DP", .gone = "" },
    { "... and was", SOURCE_PREVIOUS, 1, "DD DD", .gone = "0:big" },
    { "previous: the next iteration", SOURCE_PREVIOUS, USED, "DD", .gone = "" },
    { "... has it", SOURCE_PREVIOUS, USED, "DD D-", .gone = "" },
    { "... is done with it", SOURCE_PREVIOUS, USED, "DD -D", .gone = "0:big" },
    { "... there is none, but there may be one", SOURCE_PREVIOUS, USED, "DD$",
      .gone = "" },
    { "latest: the newest one", SOURCE_LATEST, USED, "DD DD", .gone = "0:big" },
    { "... is not used yet", SOURCE_LATEST, USED, "DD DP", .gone = "" },
    { "... is not there yet", SOURCE_LATEST, USED, "DD SD S- ", .gone = "" },
    { "... was skipped", SOURCE_LATEST, USED, "DD SD SD.", .gone = "" },
    { "... says not to proceed", SOURCE_LATEST, USED, "DD dD.",
      .gone = "1:big" },
    { "... came at last", SOURCE_LATEST, USED, "DD SD DD", .gone = "0:big" },
    { "all: for ever", SOURCE_ALL, USED, "DD DD DD$", .gone = "" },
    { "all: for ever, whatever the number", SOURCE_ALL, 1, "DD DD DD$",
      .gone = "" },
    { "a part of a list", SOURCE_THIS, USED, "DDP", .gone = "",
      .late = SOURCE_THIS },
    { "... and it is done", SOURCE_THIS, USED, "DDD", .gone = "0:big",
      .late = SOURCE_THIS },
    { "... of all iterations", SOURCE_THIS, USED, "DDD DDD", .gone = "",
      .late = SOURCE_ALL },
    { "... of the iteration before", SOURCE_THIS, USED, "DDD DD-", .gone = "",
      .late = SOURCE_PREVIOUS },
    { "a phase that is to come", SOURCE_THIS, USED, "DDSS", .gone = "",
      .in_phase = SOURCE_PREVIOUS },
    { "... and is over", SOURCE_THIS, USED, "DDSS DDSD", .gone = "0:big",
      .in_phase = SOURCE_PREVIOUS },
    { "... whose stage this one does not have", SOURCE_THIS, USED, "DDS-",
      .gone = "", .in_phase = SOURCE_THIS },
    { "... and is closed", SOURCE_THIS, USED, "DDS- ----", .gone = "0:big",
      .in_phase = SOURCE_THIS },
    { "... of all", SOURCE_THIS, USED, "DDSS DDSS", .gone = "",
      .in_phase = SOURCE_ALL },
    { "a function may be called", SOURCE_THIS, USED, "DD DD.", .gone = "",
      .function = SOURCE_LATEST },
    { "what a call made", SOURCE_THIS, USED, "DD DD.", .gone = "",
      .is_call = true },
    { "what collect makes", SOURCE_THIS, KEEP_ALWAYS, "DD DD.", .gone = "0:sum",
      .sum = 1 },
    { "raw files while it runs", SOURCE_THIS, KEEP_ALWAYS, "DD DD.", .gone = "",
      .leaves_raw = true },
    { "... when the campaign is done", SOURCE_THIS, KEEP_ALWAYS, "DD DD$",
      .gone = "0:raw 1:raw", .leaves_raw = true },
    { "... of a stage that failed", SOURCE_THIS, KEEP_ALWAYS, "DD FS$",
      .gone = "0:raw", .leaves_raw = true },
    { "... with outputs", SOURCE_THIS, USED, "DD$", .gone = "0:big 0:raw",
      .leaves_raw = true },
    { "... that are for ever", SOURCE_THIS, KEEP_ALWAYS, "DD$", .gone = "",
      .leaves_raw = true, .raw = RAW_ALWAYS },
    { "... of which there are none", SOURCE_THIS, KEEP_ALWAYS, "DD$",
      .gone = "", .leaves_raw = true, .raw = RAW_NEVER },
    { "... of a call", SOURCE_THIS, KEEP_ALWAYS, "DD$", .gone = "",
      .is_call = true, .leaves_raw = true },
    { "both", SOURCE_THIS, USED, "DD DD.", .gone = "0:big 0:sum 1:big",
      .sum = 1 },
};

static void test_what_goes (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++)
        expect (&rows[i], NULL);
}

#define REMOVING                                                               \
    "{'ev':'removing','iteration':0,'stage':'make','outputs':{'big':"          \
    "'until_used'}}"
#define REMOVED                                                                \
    "{'ev':'removed','iteration':0,'stage':'make','outputs':{'big':7}}"
#define CONFIG(number)                                                         \
    "{'ev':'config','iteration':0,'number':" number ",'sha256':'x'}"
#define PREPARED_AGAIN                                                         \
    "{'ev':'prepared','iteration':0,'stage':'late','tasks':1,'code':'t'}"

static const struct {
    struct row row;
    const char *more[5];
} histories[] = {
    { { "a driver was killed", SOURCE_THIS, USED, "DD", .gone = "0:again" },
      { REMOVING } },
    { { "... and the rule is another one now", SOURCE_THIS, KEEP_ALWAYS, "DD",
        .gone = "0:again" },
      { REMOVING } },
    { { "... and it is needed now", SOURCE_ALL, USED, "DD", .gone = "0:again" },
      { REMOVING } },
    { { "... but a person looks at it", SOURCE_THIS, USED, "DD", .gone = "" },
      { REMOVING, "{'ev':'paused','why':'w'}" } },
    { { "removed", SOURCE_THIS, USED, "DD", .gone = "" },
      { REMOVING, REMOVED } },
    { { "what was prepared reads what the plan says", SOURCE_THIS, USED, "DD",
        .gone = "0:big" },
      { CONFIG ("1"), PREPARED_AGAIN } },
    { { "what was prepared before an edit reads nobody knows what", SOURCE_THIS,
        USED, "DD", .gone = "" },
      { PREPARED_AGAIN, CONFIG ("1") } },
    { { "... and so may one that failed", SOURCE_THIS, USED, "DD", .gone = "" },
      { PREPARED_AGAIN,
        "{'ev':'stage','iteration':0,'stage':'late','phase':'failed'}",
        CONFIG ("1") } },
    { { "the plan is that of the journal", SOURCE_THIS, USED, "DD",
        .gone = "0:big", .file = "x" },
      { CONFIG ("1") } },
    { { "the file was edited since: nothing begins", SOURCE_THIS, USED, "DD",
        .gone = "", .file = "y" },
      { CONFIG ("1") } },
    { { "... and what began goes on", SOURCE_THIS, USED, "DD",
        .gone = "0:again", .file = "y" },
      { CONFIG ("1"), REMOVING } },
    { { "something is to be moved first", SOURCE_THIS, USED, "DD", .gone = "" },
      { "{'ev':'request','id':'r','kind':'redo','to':0,'stages':['use'],"
        "'fresh':[],'number':1,'moves':[]}" } },
};

static void test_histories (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (histories); i++)
        expect (&histories[i].row, histories[i].more);
}

/* --- what was removed, and is bound --- */

static void forget_big (struct state *state, int iteration)
{
    char text[128];

    snprintf (text, sizeof (text),
              "{'ev':'removing','iteration':%d,'stage':'make','outputs':"
              "{'big':'1'}}",
              iteration);
    happen (state, text);
}

static const struct {
    const char *what;
    enum source source;
    const char *history;
    int removed; /* the iteration whose big is gone */
    int found;   /* where `use` misses it next; -1: it does not */
    int redo;    /* the iteration that a redo of `use` goes back to */
    int missed;  /* by that; -1: nothing is */
} bound[] = {
    { "this iteration", SOURCE_THIS, "DD DP", 1, 1, 1, 1 },
    { "an earlier one", SOURCE_THIS, "DD DP", 0, -1, 1, -1 },
    { "... that is done again", SOURCE_THIS, "DD DD", 0, -1, 0, 0 },
    { "the one before", SOURCE_PREVIOUS, "DD DP", 0, 0, 1, 0 },
    { "... of the next", SOURCE_PREVIOUS, "DD DD", 1, 1, 1, -1 },
    { "... after a redo of the one before", SOURCE_PREVIOUS, "DD DD", 0, -1, 0,
      0 },
    { "the latest", SOURCE_LATEST, "DD SD", 0, 0, 1, 0 },
    { "all of them", SOURCE_ALL, "DD DD DD", 1, 1, 2, 1 },
};

static void test_bound (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (bound); i++) {
        const struct row row = { .source = bound[i].source };
        static const bool again[STAGES] = { [USE] = true };
        struct removed_input input;
        struct state state = STATE_INIT;
        struct world w;

        print_message ("# %s\n", bound[i].what);
        build (&row, &w);
        play (&state, bound[i].history);
        forget_big (&state, bound[i].removed);
        if (!removed_input_find (&w.plan, &state, &w.stages[USE],
                                 next_iteration (&state, "use"), &input))
            input.at = -1;
        assert_int_equal (input.at, bound[i].found);
        if (!removed_input_of_redo (&w.plan, &state, again, bound[i].redo,
                                    &input))
            input.at = -1;
        assert_int_equal (input.at, bound[i].missed);
        state_release (&state);
    }
}

static void test_text (void **unused)
{
    const struct row row = { .source = SOURCE_THIS };
    struct strbuf text = STRBUF_INIT;
    struct state state = STATE_INIT;
    struct removed_input input;
    struct world w;

    (void)unused;
    build (&row, &w);
    play (&state, "D-");
    forget_big (&state, 0);
    assert_true (
        removed_input_find (&w.plan, &state, &w.stages[USE], 0, &input));
    removed_input_text (&w.plan, &state, &input, &text);
    assert_string_equal (text.buf,
                         "input 'in' of stage 'use' needs 'big' of stage "
                         "'make' in iteration 0, which was removed in "
                         "iteration 0 (keep: 1)");
    strbuf_release (&text);
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_what_goes),
        cmocka_unit_test (test_histories),
        cmocka_unit_test (test_bound),
        cmocka_unit_test (test_text),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
