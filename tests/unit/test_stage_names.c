/* SPDX-License-Identifier: BSD-3-Clause */
/* test_stage_names.c - stages that are renamed, orphaned and forgotten,
 * and campaigns that begin again
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/history/orphans.h"
#include "history.h"
#include "space/layout.h"

#define STAGE(i, name)                                                         \
    "{'ev':'prepared','iteration':" #i ",'stage':'" name                       \
    "','tasks':2,'code':'x','ok':'0-1'}",                                      \
        "{'ev':'stage','iteration':" #i ",'stage':'" name                      \
        "','phase':'done','count':2,'proceed':true}"

/* Two iterations of label and train; the second label is running. */
static const char *const history[] = {
    "{'ev':'campaign','id':'c','name':'n'}",
    "{'ev':'config','iteration':0,'number':0,'sha256':'a'}",
    "{'ev':'iteration','iteration':0}",
    STAGE (0, "label"),
    STAGE (0, "train"),
    "{'ev':'closing','iteration':0,'history':{},'stop':false}",
    "{'ev':'config','iteration':1,'number':0,'sha256':'a'}",
    "{'ev':'iteration','iteration':1}",
    "{'ev':'prepared','iteration':1,'stage':'label','tasks':3,'code':'x'}",
    NULL,
};

#define RENAME(from, to)                                                       \
    "{'ev':'config','iteration':1,'number':1,'sha256':'b','renamed':{'" from   \
    "':'" to "'}}"

static void test_renamed (void **unused)
{
    struct state state = STATE_INIT;
    struct stage_place place;

    (void)unused;
    happen_all (&state, history);
    assert_string_equal (state_first_name (&state, "label", "?"), "label");
    assert_string_equal (state_first_name (&state, "dft", "?"), "?");
    happen (&state, RENAME ("label", "dft"));
    assert_null (state_stage (&state, 0, "label"));
    assert_int_equal (state_stage (&state, 1, "dft")->n_tasks, 3);
    assert_string_equal (state_first_name (&state, "dft", "?"), "label");
    place = state_place (&state, 0, "dft");
    assert_string_equal (place.stage, "label");
    assert_string_equal (place.code, "x");
    assert_string_equal (state_dir_name (&state, 1, "dft"), "label");
    assert_string_equal (state_dir_name (&state, 2, "dft"), "dft");
    /* Again: what was prepared first stays known. */
    happen (&state, RENAME ("dft", "ab"));
    assert_string_equal (state_dir_name (&state, 0, "ab"), "label");
    assert_string_equal (state_first_name (&state, "ab", "?"), "label");
    state_release (&state);
}

/* What begins anew is prepared under its new name, with the old seeds. */
static void test_begins_anew (void **unused)
{
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, history);
    happen (&state, RENAME ("label", "dft"));
    happen (&state, "{'ev':'request','id':'1','kind':'redo','to':0,'stages':"
                    "['dft','train'],'fresh':[],'number':1,'moves':[]}");
    assert_string_equal (state_dir_name (&state, 0, "dft"), "dft");
    assert_string_equal (state_first_name (&state, "dft", "?"), "label");
    happen (&state, "{'ev':'replaced','number':1}");
    happen (&state, "{'ev':'prepared','iteration':0,'stage':'dft','tasks':1,"
                    "'code':'x','first_name':'label'}");
    assert_string_equal (state_dir_name (&state, 0, "dft"), "dft");
    assert_string_equal (state_first_name (&state, "dft", "?"), "label");
    state_release (&state);
}

static void test_does_not_fit (void **unused)
{
    struct state state = STATE_INIT;
    struct json *event = json_of (RENAME ("label", "train"));
    struct error err = ERROR_INIT;

    (void)unused;
    happen_all (&state, history);
    assert_int_equal (state_apply (&state, event, &err), -1);
    assert_non_null (strstr (err.text, "are both in iteration 0"));
    assert_non_null (state_stage (&state, 0, "label"));
    assert_string_equal (state.config_sha256, "a");
    json_unref (event);
    state_release (&state);
}

static void test_forgotten (void **unused)
{
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, history);
    happen (
        &state,
        "{'ev':'request','id':'1','kind':'forget','stage':'label','to':1,"
        "'stages':[],'fresh':[],'number':1,'supersedes':[],'moves':['label'],"
        "'forgotten':'label','results':2,'publish':[0]}");
    assert_false (state_knows (&state, "label"));
    assert_non_null (state_stage (&state, 0, "train"));
    assert_int_equal (state_iteration (&state), 1);
    assert_true (state.iterations[0].closed);
    assert_int_equal (json_count (json_get (state.moves, "publish")), 1);
    state_release (&state);
}

/* No iteration has been, and nothing is adopted; what is kept is known. */
static void test_reset (void **unused)
{
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, history);
    happen (&state, "{'ev':'request','id':'1','kind':'reset','to':0,'stages':"
                    "[],'fresh':[],'number':1,'moves':['label'],'keep':'d',"
                    "'results':2,'iterations':2}");
    assert_int_equal (state_iteration (&state), -1);
    assert_string_equal (state.config_sha256, "");
    assert_null (state.superseded);
    assert_int_equal (state.kept, 1);
    assert_string_equal (json_get_string (state.moves, "keep"), "d");
    happen (&state, "{'ev':'replaced','number':1}");
    happen (&state, "{'ev':'iteration','iteration':0}");
    happen (&state, "{'ev':'request','id':'2','kind':'reset','to':0,'stages':"
                    "[],'fresh':[],'number':2,'moves':['label'],'results':0,"
                    "'iterations':1}");
    assert_int_equal (state.generation, 2);
    assert_int_equal (state.kept, 0);
    state_release (&state);
}

/* --- what a definition would do to the history --- */

static void test_orphans (void **unused)
{
    static const char *const from_label[] = { "label", NULL };
    static const char *const from_both[] = { "never", "label", NULL };
    static const char *const from_train[] = { "train", NULL };
    static const struct {
        struct stage stages[2];
        const char *due, *orphans;
    } rows[] = {
        { { { .name = "label" }, { .name = "train" } }, "{}", "" },
        { { { .name = "dft" }, { .name = "train" } }, "{}", "label" },
        { { { .name = "dft" }, { .name = "fit" } }, "{}", "label train" },
        { { { .name = "dft", .renamed_from = from_label },
            { .name = "train" } },
          "{'label':'dft'}",
          "" },
        { { { .name = "dft", .renamed_from = from_both },
            { .name = "fit", .renamed_from = from_train } },
          "{'label':'dft','train':'fit'}",
          "" },
        /* Two histories do not become one. */
        { { { .name = "train", .renamed_from = from_label },
            { .name = "fit" } },
          "{}",
          "label" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, history);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct plan plan = { .stages = (struct stage *)rows[i].stages,
                                   .n_stages = 2 };
        struct json *due = renames_due (&plan, &state);
        struct json *expected = json_of (rows[i].due);
        struct strvec names = STRVEC_INIT;
        struct strbuf joined = STRBUF_INIT;

        print_message ("# row %zu\n", i);
        assert_true (json_equal (due, expected));
        orphans_find (&plan, &state, &names);
        for (size_t k = 0; k < names.n; k++)
            strbuf_addf (&joined, "%s%s", k > 0 ? " " : "", names.v[k]);
        assert_string_equal (joined.buf, rows[i].orphans);
        strbuf_release (&joined);
        strvec_release (&names);
        json_unref (expected);
        json_unref (due);
    }
    state_release (&state);
}

static void test_words (void **unused)
{
    static struct stage stages[] = { { .name = "dft" } };
    const struct plan plan = { .stages = stages, .n_stages = 1 };
    struct state state = STATE_INIT;
    struct strbuf text = STRBUF_INIT;

    (void)unused;
    happen_all (&state, history);
    assert_true (orphans_text (&plan, &state, &text));
    assert_string_equal (
        text.buf,
        "2 results of stage 'label' would no longer be used: the stage is not "
        "in campaign.yaml any more; write renamed_from: label in the stage "
        "that goes on with it, or run `fanfold forget label`\n"
        "2 results of stage 'train' would no longer be used: the stage is not "
        "in campaign.yaml any more; write renamed_from: train in the stage "
        "that goes on with it, or run `fanfold forget train`");
    strbuf_reset (&text);
    orphan_text (&plan, &state, "label", 8, &text);
    assert_non_null (strstr (text.buf, "8 labelled frames of stage 'label' "
                                       "would no longer be training data"));
    strbuf_release (&text);
    state_release (&state);
}

/* What a person wrote in renamed_from that no stage ever was. */
static void test_slips (void **unused)
{
    static const struct {
        const char *former[3], *orphan, *remedy;
    } rows[] = {
        { { "lable" },
          "label",
          "; renamed_from: stage 'lable' has no results; did you mean "
          "'label'?" },
        { { "lable" }, "train", "; write renamed_from: train in the stage" },
        { { "dft" }, "label", "; write renamed_from: label in the stage" },
        /* A chain of names, of which one was in use. */
        { { "lable", "train" },
          "label",
          "; write renamed_from: label in the stage" },
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, history);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct stage stages[] = {
            { .name = "md" }, { .name = "ab", .renamed_from = rows[i].former }
        };
        const struct plan plan = { .stages = stages, .n_stages = 2 };
        struct strbuf text = STRBUF_INIT;

        print_message ("# row %zu\n", i);
        orphan_text (&plan, &state, rows[i].orphan, 0, &text);
        assert_non_null (strstr (text.buf, rows[i].remedy));
        strbuf_release (&text);
    }
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_renamed),
        cmocka_unit_test (test_begins_anew),
        cmocka_unit_test (test_does_not_fit),
        cmocka_unit_test (test_forgotten),
        cmocka_unit_test (test_reset),
        cmocka_unit_test (test_orphans),
        cmocka_unit_test (test_words),
        cmocka_unit_test (test_slips),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
