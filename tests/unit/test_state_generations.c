/* SPDX-License-Identifier: BSD-3-Clause */
/* test_state_generations.c - numbers are given once; what may be taken of those
 * that are superseded
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/history/state.h"
#include "history.h"
#include "state_rows.h"

#define PREPARING(ITERATION, STAGE, N, MEMBERS)                                \
    "{'ev':'preparing','iteration':" #ITERATION ",'stage':'" STAGE             \
    "','code':'x','first_name':'" STAGE "','generation':" #N MEMBERS "}"
#define PREPARED(ITERATION, STAGE, N)                                          \
    "{'ev':'prepared','iteration':" #ITERATION ",'stage':'" STAGE              \
    "','code':'x','first_name':'" STAGE "','generation':" #N ",'tasks':2,"     \
    "'ok':'0-1'}"
#define ENDED(ITERATION, STAGE)                                                \
    "{'ev':'stage','iteration':" #ITERATION ",'stage':'" STAGE                 \
    "','phase':'done','now_s':9,'outputs':'d" STAGE "'}"
#define SUPERSEDED(ITERATION, STAGE, N)                                        \
    "{'generation':" #N ",'stage':'" STAGE "','iteration':" #ITERATION "}"
#define SUPERSEDES(ITERATION, STAGE, N)                                        \
    "{'generation':" #N ",'dir':'" STAGE "/x/iter/00000" #ITERATION            \
    "','stage':'" STAGE "','iteration':" #ITERATION "}"
#define REQUEST(KIND, MEMBERS)                                                 \
    "{'ev':'request','id':'r','kind':'" KIND "'," MEMBERS "}"

static const char *const begun[] = {
    "{'ev':'campaign','id':'c1','name':'c'}",
    "{'ev':'iteration','iteration':0}",
    NULL,
};

/* Two stages, of two iterations. */
static const char *const two_stages[] = {
    "{'ev':'campaign','id':'c1','name':'c'}",
    "{'ev':'iteration','iteration':0}",
    PREPARING (0, "label", 1, ""),
    PREPARED (0, "label", 1),
    ENDED (0, "label"),
    PREPARING (0, "train", 2, ""),
    PREPARED (0, "train", 2),
    ENDED (0, "train"),
    "{'ev':'closing','iteration':0,'history':{},'stop':false}",
    "{'ev':'iteration','iteration':1}",
    PREPARING (1, "label", 3, ""),
    PREPARED (1, "label", 3),
    ENDED (1, "label"),
    NULL,
};

static void assert_misfit (struct state *state, const char *text,
                           const char *why)
{
    struct json *event = json_of (text), *before = state_to_json (state);
    struct error err = ERROR_INIT;
    struct json *after;

    print_message ("# %s\n", text);
    assert_int_equal (state_apply (state, event, &err), -1);
    assert_non_null (strstr (err.text, why));
    after = state_to_json (state);
    assert_true (json_equal (before, after));
    json_unref (after);
    json_unref (before);
    json_unref (event);
}

/* --- numbers --- */

static void test_given_once (void **unused)
{
    static const struct row rows[] = {
        { PREPARING (0, "label", 1, ""), "generation", "1" },
        { NULL, STAGE0 "generation", "1" },
        { NULL, STAGE0 "phase", "0" },
        { NULL, "superseded", "null" },
        /* the driver was killed; another one goes on */
        { PREPARING (0, "label", 4, ""), "generation", "4" },
        { NULL, STAGE0 "generation", "4" },
        { PREPARED (0, "label", 4), STAGE0 "phase", "1" },
        { NULL, STAGE0 "generation", "4" },
        { PREPARING (0, "train", 5, ""), "iterations.0.stages.1.generation",
          "5" },
        { NULL, STAGE0 "generation", "4" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, begun);
    walk (&state, rows, ARRAY_SIZE (rows));
    assert_misfit (&state, PREPARING (0, "train", 5, ""), "given before");
    assert_misfit (&state, PREPARING (0, "explore", 3, ""), "given before");
    assert_misfit (&state, PREPARING (0, "explore", 0, ""), "given before");
    assert_misfit (&state, PREPARING (0, "label", 6, ""), "prepared before");
    assert_misfit (&state, PREPARED (0, "train", 4), "as generation 5");
    assert_misfit (&state, PREPARED (0, "explore", 6), "as generation 0");
    assert_misfit (&state, "{'ev':'preparing','iteration':0,'stage':'explore'}",
                   "'generation'");
    assert_misfit (
        &state,
        REQUEST ("redo", "'to':0,'stages':[],'fresh':[],'number':5,'moves':[]"),
        "given before");
    state_release (&state);
}

/* The journal was lost: numbers go on behind those that lie about. */
static void test_numbers_of_before (void **unused)
{
    static const struct row rows[] = {
        { "{'ev':'campaign','id':'c1','generation':12}", "generation", "12" },
        { "{'ev':'iteration','iteration':0}", "generation", "12" },
        { PREPARING (0, "label", 13, ""), "generation", "13" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    walk (&state, rows, ARRAY_SIZE (rows));
    assert_misfit (&state, PREPARING (0, "train", 12, ""), "given before");
    state_release (&state);
}

/* All but state.json was lost, which may be older than what lies about. */
static void test_recovered (void **unused)
{
    struct state state = STATE_INIT, known = STATE_INIT;
    struct json *event = json_of ("{'ev':'recovered','generation':9}");

    (void)unused;
    happen_all (&known, two_stages);
    json_set (event, "state", state_to_json (&known));
    assert_int_equal (state_apply (&state, event, NULL), 0);
    expect (&state, "generation", "9");
    expect (&state, "iterations.1.stages.0.generation", "3");
    json_unref (event);
    state_release (&known);
    state_release (&state);
}

/* What a preparation finds in the place may be taken from. */
static void test_found (void **unused)
{
    static const struct row rows[] = {
        { PREPARING (0, "label", 4,
                     ",'found':[{'generation':3,'dir':'label/x/iter/000000'}]"),
          "superseded", "[" SUPERSEDED (0, "label", 3) "]" },
        { PREPARED (0, "label", 4), "superseded",
          "[" SUPERSEDED (0, "label", 3) "]" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, begun);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

/* Another host may still see in the place what is no longer there: it is not
 * listed twice, and what a person wants made again is not taken after all.
 */
static void test_found_late (void **unused)
{
    static const struct row rows[] = {
        { REQUEST ("redo",
                   "'to':1,'stages':['label'],'fresh':[],'number':4,'moves':[],"
                   "'supersedes':[" SUPERSEDES (1, "label", 3) "]"),
          "superseded", "[" SUPERSEDED (1, "label", 3) "]" },
        { "{'ev':'replaced','number':4}", "moves", "null" },
        { PREPARING (1, "label", 5,
                     ",'found':[{'generation':3,'dir':'label/x/iter/000001'}]"),
          "superseded", "[" SUPERSEDED (1, "label", 3) "]" },
        { PREPARED (1, "label", 5), "iterations.1.stages.0.generation", "5" },
        { REQUEST ("redo",
                   "'to':1,'stages':['label'],'fresh':['label'],'number':6,"
                   "'moves':[],'supersedes':[" SUPERSEDES (1, "label", 5) "]"),
          "superseded", "null" },
        { "{'ev':'replaced','number':6}", "moves", "null" },
        { PREPARING (1, "label", 7,
                     ",'found':[{'generation':5,'dir':'label/x/iter/000001'}]"),
          "superseded", "null" },
        /* that of a driver that was killed since */
        { PREPARING (1, "label", 8,
                     ",'found':[{'generation':7,'dir':'label/x/iter/000001'}]"),
          "superseded", "[" SUPERSEDED (1, "label", 7) "]" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, two_stages);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

/* --- what may be taken --- */

/* From what is done again by name nothing; from the others all. */
static void test_redo (void **unused)
{
    static const struct row rows[] = {
        { REQUEST ("redo",
                   "'to':0,'stages':['train'],'fresh':[],'number':4,"
                   "'moves':[],'supersedes':[" SUPERSEDES (
                       0, "train", 2) "," SUPERSEDES (1, "label", 3) "]"),
          "superseded",
          "[" SUPERSEDED (0, "train", 2) "," SUPERSEDED (1, "label", 3) "]" },
        { NULL, "generation", "4" },
        { NULL, "iterations.0.stages.1.generation", "0" },
        { NULL, STAGE0 "generation", "1" },
        { "{'ev':'replaced','number':4}", "moves", "null" },
        { PREPARING (0, "train", 5, ""), "iterations.0.stages.1.generation",
          "5" },
        { PREPARED (0, "train", 5), "iterations.0.stages.1.phase", "1" },
        { ENDED (0, "train"), "iterations.0.stages.1.phase", "2" },
        /* by name: neither what it supersedes nor anything older */
        { REQUEST ("redo",
                   "'to':0,'stages':['train'],'fresh':['train'],'number':6,"
                   "'moves':[],'supersedes':[" SUPERSEDES (0, "train", 5) "]"),
          "superseded", "[" SUPERSEDED (1, "label", 3) "]" },
        { "{'ev':'replaced','number':6}", "moves", "null" },
        { PREPARING (0, "train", 7, ""), "superseded",
          "[" SUPERSEDED (1, "label", 3) "]" },
        { PREPARED (0, "train", 7), "iterations.0.stages.1.generation", "7" },
        /* what is made since then may be taken */
        { REQUEST ("redo",
                   "'to':0,'stages':['train'],'fresh':[],'number':8,"
                   "'moves':[],'supersedes':[" SUPERSEDES (0, "train", 7) "]"),
          "superseded",
          "[" SUPERSEDED (1, "label", 3) "," SUPERSEDED (0, "train", 7) "]" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, two_stages);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

/* The digest of its outputs.json, where one is known. */
static void test_outputs (void **unused)
{
    static const struct row rows[] = {
        { REQUEST ("redo",
                   "'to':1,'stages':['label'],'fresh':[],'number':4,'moves':[],"
                   "'supersedes':[{'generation':3,'dir':'label/x/iter/000001',"
                   "'stage':'label','iteration':1,'outputs':'abc'}]"),
          "superseded",
          "[{'generation':3,'stage':'label','iteration':1,'outputs':'abc'}]" },
        { NULL, "moves.supersedes.0.dir", "'label/x/iter/000001'" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, two_stages);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

static void test_forget (void **unused)
{
    static const struct row rows[] = {
        { REQUEST ("forget",
                   "'to':1,'stages':[],'fresh':[],'number':4,'moves':[],"
                   "'forgotten':'label','supersedes':[" SUPERSEDES (
                       0, "label", 1) "," SUPERSEDES (1, "label", 3) "]"),
          "superseded", "null" },
        { NULL, "iterations.0.stages.0.name", "'train'" },
        { NULL, "iterations.1.stages", "[]" },
        { NULL, "moves.number", "4" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, two_stages);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

/* A stage of the same name that is prepared since begins with nothing, and
 * others keep what they had.
 */
static void test_forget_one (void **unused)
{
    static const struct row rows[] = {
        { REQUEST ("redo",
                   "'to':0,'stages':['label','train'],'fresh':[],"
                   "'number':4,'moves':[],'supersedes':[" SUPERSEDES (
                       0, "label", 1) "," SUPERSEDES (0, "train", 2) "]"),
          "superseded",
          "[" SUPERSEDED (0, "label", 1) "," SUPERSEDED (0, "train", 2) "]" },
        { "{'ev':'replaced','number':4}", "moves", "null" },
        { REQUEST ("forget",
                   "'to':0,'stages':[],'fresh':[],'number':5,'moves':[],"
                   "'forgotten':'label','supersedes':[]"),
          "superseded", "[" SUPERSEDED (0, "train", 2) "]" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, two_stages);
    walk (&state, rows, ARRAY_SIZE (rows));
    state_release (&state);
}

static void test_reset (void **unused)
{
    static const struct row rows[] = {
        { REQUEST ("redo",
                   "'to':1,'stages':['label'],'fresh':[],'number':4,'moves':[],"
                   "'supersedes':[" SUPERSEDES (1, "label", 3) "]"),
          "superseded", "[" SUPERSEDED (1, "label", 3) "]" },
        { "{'ev':'replaced','number':4}", "moves", "null" },
        { REQUEST ("reset", "'to':0,'stages':[],'fresh':[],'number':5,"
                            "'moves':['label','train'],'supersedes':[]"),
          "superseded", "null" },
        { NULL, "iterations", "[]" },
        { NULL, "generation", "5" },
        { "{'ev':'replaced','number':5}", "moves", "null" },
        { "{'ev':'iteration','iteration':0}", "generation", "5" },
        { PREPARING (0, "label", 6, ""), STAGE0 "generation", "6" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, two_stages);
    walk (&state, rows, ARRAY_SIZE (rows));
    assert_misfit (&state, PREPARING (0, "train", 3, ""), "given before");
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_given_once),
        cmocka_unit_test (test_numbers_of_before),
        cmocka_unit_test (test_recovered),
        cmocka_unit_test (test_found),
        cmocka_unit_test (test_found_late),
        cmocka_unit_test (test_redo),
        cmocka_unit_test (test_outputs),
        cmocka_unit_test (test_forget),
        cmocka_unit_test (test_forget_one),
        cmocka_unit_test (test_reset),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
