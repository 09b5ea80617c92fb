/* SPDX-License-Identifier: BSD-3-Clause */
/* test_request_view.c - what a request changes, in words */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "history.h"
#include "report/request_view.h"

#define AGAIN                                                                  \
    "prepared again, since its definition or its inputs changed; what is ok "  \
    "and has the same identity stays\n"

static const struct {
    const char *event, *stage, *text;
} cases[] = {
    { "{'kind':'pause'}", NULL, "" },
    { "{'kind':'retry'}", NULL, "" }, /* as they were once */
    { "{'kind':'refused','asked':'retry','why':'no'}", NULL, "" },
    { "{'kind':'retry','tries_anew':{}}", NULL, "" },
    { "{'kind':'retry','tries_anew':{'label':'3'}}", NULL,
      "label: task 3 gets new tries\n" },
    { "{'kind':'retry','tries_anew':{'label':'3,7-8','train':''}}", NULL,
      "label: tasks 3,7-8 get new tries\ntrain: its inputs are bound again\n" },
    { "{'kind':'retry','tries_anew':{'label':'3','train':'1'}}", "train",
      "train: task 1 gets new tries\n" },
    { "{'kind':'retry','stages':['md'],'tries_anew':{'label':'3'}}", NULL,
      "label: task 3 gets new tries\nmd: " AGAIN },
    { "{'kind':'retry','stages':['md'],'tries_anew':{}}", "label", "" },
    { "{'kind':'redo','stages':['train','md'],'fresh':['train']}", NULL,
      "train: all its tasks run again\n"
      "md: prepared again; tasks whose identity is unchanged stay\n" },
    { "{'kind':'redo','stages':['train','md'],'fresh':['train']}", "train",
      "train: all its tasks run again\n" },
    { "{'kind':'forget','forgotten':'label','results':24,'number':3,'stages':"
      "['md']}",
      NULL,
      "label: 24 results move to .fanfold/replaced; nothing that was "
      "made of them is computed again by itself\n"
      "md: prepared again by campaign.yaml\n" },
    { "{'kind':'forget','forgotten':'label','results':1,'number':3,'frames':"
      "5}",
      NULL,
      "label: 1 result moves to .fanfold/replaced; nothing that was "
      "made of it is computed again by itself\n"
      "5 labelled frames are no training data any more\n" },
    { "{'kind':'reset','results':9,'iterations':1,'number':3,'frames':1}", NULL,
      "9 results of 1 iteration move to .fanfold/replaced/000003; the "
      "campaign begins again\n"
      "1 labelled frame is no training data any more\n" },
    { "{'kind':'reset','results':9,'iterations':2,'number':3,'frames':7,"
      "'keep':'a/b'}",
      NULL,
      "9 results of 2 iterations move to .fanfold/replaced/000003; the "
      "campaign begins again\n"
      "a/b moves to kept/000003 and is initial data from then on\n" },
    { "{'kind':'reset','results':9,'iterations':2,'number':3,'keep':'a/b'}",
      NULL,
      "9 results of 2 iterations move to .fanfold/replaced/000003; the "
      "campaign begins again\n"
      "a/b moves to kept/000003 and is initial data from then on\n" },
};

static void test_words (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *event = json_of (cases[i].event);
        struct strbuf text = STRBUF_INIT;

        request_text (event, cases[i].stage, &text);
        assert_string_equal (text.buf, cases[i].text);
        strbuf_release (&text);
        json_unref (event);
    }
}

static const struct {
    const char *event, *changes;
} told[] = {
    { "{'kind':'pause','id':'x','iteration':1}", "{}" },
    { "{'kind':'retry','tries_anew':{'label':'3'},'enough':['md'],'why':'x'}",
      "{'tries_anew':{'label':'3'},'enough':['md']}" },
    { "{'kind':'redo','to':2,'stages':['md'],'fresh':['md'],'number':7,"
      "'supersedes':[],'moves':['a'],'publish':[1]}",
      "{'to':2,'stages':['md'],'fresh':['md']}" },
    { "{'kind':'reset','results':9,'iterations':2,'frames':7,'keep':'a/b'}",
      "{'results':9,'iterations':2,'frames':7,'keep':'a/b'}" },
    { "{'kind':'skip','stage':'md','steps':['md.run']}",
      "{'steps':['md.run']}" },
};

static void test_changes (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (told); i++) {
        _cleanup_json_ struct json *event = json_of (told[i].event);
        _cleanup_json_ struct json *wanted = json_of (told[i].changes);
        _cleanup_json_ struct json *changes = request_changes (event);

        if (!json_equal (changes, wanted))
            fail_msg ("%s", told[i].event);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test (test_words),
                                        cmocka_unit_test (test_changes) };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
