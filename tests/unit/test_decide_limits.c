/* SPDX-License-Identifier: BSD-3-Clause */
/* test_decide_limits.c - what waits for room under the submit limits */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "decide_scene.h"

/* Three chunks of two elements of one task; the site takes 'most'. */
#define SITE_ATTEMPT(most)                                                     \
    "{'ev':'attempt'," OF ("label") ",'attempt':0,'tasks':'0-5'," PACKED (     \
        "6", "3", "2") ",'site_submit':" most "}"
#define HISTORY(most)                                                          \
    {                                                                          \
        "{'ev':'iteration','iteration':0}", OTHERS, PREPARED ("label", "6"),   \
            SITE_ATTEMPT (most), NULL                                          \
    }

static const char *const site_of_5[] = HISTORY ("5");
static const char *const site_of_1[] = HISTORY ("1");
static const char *const no_limit[] = HISTORY ("0");

#define FIRST_RUNS INTENT ("0", "ta", "2"), RECORDED ("ta"), RELEASED ("ta")

static const struct row site[] = {
    { "no limit",
      no_limit,
      { NULL },
      .actions = "submit label 0; submit label 1; submit label 2" },
    { "room for two of three",
      site_of_5,
      { NULL },
      .actions = "submit label 0; submit label 1; next 30" },
    { "what may exist counts",
      site_of_5,
      { INTENT ("0", "ta", "2"), INTENT ("1", "tb", "2") },
      .actions = "find ta; find tb; next 30" },
    { "what was found absent does not",
      site_of_5,
      { INTENT ("0", "ta", "2"), INTENT ("1", "tb", "2"),
        "{'ev':'absent','token':'ta'}" },
      .actions = "sweep ta; submit label 0; find tb; next 30" },
    { "what is queued counts",
      site_of_5,
      { FIRST_RUNS },
      .elements = "QQ",
      .actions = "submit label 1; next 30" },
    { "what has ended does not, be the rest of it running",
      site_of_5,
      { FIRST_RUNS },
      .elements = "ER",
      .logged = "os....",
      .actions = "{'ev':'results','stage':'label','tried':'0',"
                 "'outcomes':{'ok':'0'}}; submit label 1; submit label 2; "
                 "next 30" },
    { "what is unknown counts, unless its tasks have an outcome",
      site_of_5,
      { FIRST_RUNS },
      .elements = "?R",
      .logged = ".s....",
      .actions = "submit label 1; next 30" },
    { "... as here",
      site_of_5,
      { FIRST_RUNS },
      .elements = "?R",
      .logged = "os....",
      .actions = "{'ev':'results','stage':'label','tried':'0',"
                 "'outcomes':{'ok':'0'}}; submit label 1; submit label 2; "
                 "next 30" },
    { "... or by the journal",
      site_of_5,
      { FIRST_RUNS, RESULTS ("0", "'ok':'0'") },
      .elements = "?R",
      .logged = "os....",
      .actions = "submit label 1; submit label 2; next 30" },
    { "without an answer all count",
      site_of_5,
      { FIRST_RUNS },
      .elements = "!",
      .actions = "submit label 1; next 30" },
    { "alone it is tried, whatever the limit is by now",
      site_of_1,
      { NULL },
      .actions = "submit label 0; next 30" },
};

/* The profile's own limit: lone has the same profile, train another one of the
 * same scheduler.
 */
static void test_profile (void **unused)
{
    static const struct profile small = { .name = "small",
                                          .scheduler = "s",
                                          .poll_s = 30,
                                          .limits = { .submit = 4 } };
    static const struct profile large = { .name = "large",
                                          .scheduler = "s",
                                          .poll_s = 30 };
#define LONE_RUNS                                                              \
    PREPARED ("lone", "3"),                                                    \
        "{'ev':'attempt'," OF ("lone") ",'attempt':0,'tasks':'0-2'," PACKED (  \
            "3", "1", "3") "}",                                                \
        "{'ev':'intent'," OF ("lone") ",'chunk':0,'token':'tl',"               \
                                      "'elements':3,'now_s':900}"
#define LABEL_OPENED PREPARED ("label", "6"), SITE_ATTEMPT ("6")
    static const struct row rows[] = {
        { "the same profile",
          begun,
          { SKIPPED ("train"), SKIPPED ("check"), LONE_RUNS, LABEL_OPENED },
          .actions = "find tl; next 30" },
    };
    static const struct row others[] = {
        { "another one of the scheduler: only its own limit",
          begun,
          { SKIPPED ("train"), SKIPPED ("check"), LONE_RUNS, LABEL_OPENED },
          .actions = "submit label 0; find tl; next 30" },
    };

    (void)unused;
    scene.stages[LABEL].profile = &small;
    scene.stages[LONE].profile = &small;
    expect_rows (rows, ARRAY_SIZE (rows));
    scene.stages[LONE].profile = &large;
    expect_rows (others, ARRAY_SIZE (others));
}

/* Three arrays that share what may run. */
static void test_running (void **state)
{
    static const struct profile of_two = { .name = "two",
                                           .scheduler = "s",
                                           .poll_s = 30,
                                           .limits = { .running = 2 } };
    static const struct row rows[] = {
        { "two share it, the third waits",
          no_limit,
          { NULL },
          .actions = "submit label 0; submit label 1; next 30" },
        { "what may exist has its share",
          no_limit,
          { INTENT ("0", "ta", "2"), INTENT ("1", "tb", "2") },
          .actions = "find ta; find tb; next 30" },
        { "what is absent has none",
          no_limit,
          { INTENT ("0", "ta", "2"), "{'ev':'absent','token':'ta'}" },
          .actions = "sweep ta; submit label 0; submit label 1; next 30" },
        { "what has ended has none",
          no_limit,
          { FIRST_RUNS, "{'ev':'ended','token':'ta'}" },
          .actions = "submit label 1; submit label 2" },
    };

    (void)state;
    scene.stages[LABEL].profile = &of_two;
    expect_rows (rows, ARRAY_SIZE (rows));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        TABLE (site),
        cmocka_unit_test_setup_teardown (test_profile, enter, leave),
        cmocka_unit_test_setup_teardown (test_running, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
