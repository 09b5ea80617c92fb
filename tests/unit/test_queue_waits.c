/* SPDX-License-Identifier: BSD-3-Clause */
/* test_queue_waits.c - how long jobs waited, by the journal */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/journal.h"
#include "in_temp_dir.h"
#include "quoted_json.h"
#include "report/queue_waits.h"

static struct profile profiles[] = {
    { .name = "cluster", .scheduler = "slurm" },
    { .name = "here", .scheduler = "local" },
    { .name = "unused", .scheduler = "slurm" },
};
static struct stage stages[] = {
    { .name = "label", .profile = &profiles[0] },
    { .name = "train", .profile = &profiles[1] },
};
static const struct plan plan = { .profiles = profiles,
                                  .n_profiles = ARRAY_SIZE (profiles),
                                  .stages = stages,
                                  .n_stages = ARRAY_SIZE (stages) };

static void append (struct journal *journal, char *text)
{
    struct json *event = json_of (text);
    struct error err = ERROR_INIT;

    if (journal_append (journal, event, &err) < 0)
        fail_msg ("%s: %s", text, err.text);
    json_unref (event);
    free (text);
}

/* The job of attempt 'n' is released at 100 s, and asks again for its token;
 * its first element to run begins 'wait_s' later, and is told second.
 */
static void run_attempt (struct journal *journal, int n, const char *stage,
                         double wait_s)
{
    append (journal, xasprintf ("{'ev':'attempt','stage':'%s'}", stage));
    append (journal,
            xasprintf ("{'ev':'intent','stage':'%s','token':'a%d'}", stage, n));
    append (journal,
            xasprintf ("{'ev':'intent','stage':'%s','token':'b%d'}", stage, n));
    append (journal,
            xasprintf ("{'ev':'released','token':'a%d','now_s':100}", n));
    append (journal,
            xasprintf ("{'ev':'released','token':'b%d','now_s':900}", n));
    append (journal, xasprintf ("{'ev':'results','stage':'%s',"
                                "'ran':[5000,5001,6000,6001]}",
                                stage));
    append (journal, xasprintf ("{'ev':'results','stage':'%s','ran':[%f,7000]}",
                                stage, 100 + wait_s));
    append (journal, xasprintf ("{'ev':'closed','stage':'%s'}", stage));
}

static struct json *look (void)
{
    const struct engine engine = { .dir = dir.path, .plan = &plan };
    struct error err = ERROR_INIT;
    struct json *v = queue_waits_json (&engine, &err);

    if (!v)
        fail_msg ("%s", err.text);
    return v;
}

static struct journal *begin (void)
{
    static const struct journal_position start = { 0 };

    return journal_open (dir.path, 1, &start);
}

/* What runs here waits in no queue, and a profile that nothing uses has none.
 */
static void test_few (void **unused)
{
    struct journal *journal = begin ();
    struct strbuf text = STRBUF_INIT;
    struct json *v;

    (void)unused;
    run_attempt (journal, 0, "label", 30);
    run_attempt (journal, 1, "train", 30);
    run_attempt (journal, 2, "gone", 30);
    /* Nothing of it ran, or it has not ended. */
    append (journal, xstrdup ("{'ev':'attempt','stage':'label'}"));
    append (journal, xstrdup ("{'ev':'intent','stage':'label','token':'x'}"));
    append (journal, xstrdup ("{'ev':'released','token':'x','now_s':1}"));
    append (journal, xstrdup ("{'ev':'closed','stage':'label'}"));
    append (journal, xstrdup ("{'ev':'attempt','stage':'label'}"));
    append (journal, xstrdup ("{'ev':'intent','stage':'label','token':'y'}"));
    append (journal, xstrdup ("{'ev':'released','token':'y','now_s':1}"));
    journal_close (journal);
    v = look ();
    assert_json (v, "[{'profile':'cluster','submissions':1,'at_most_s':null,"
                    "'needed':22}]");
    queue_waits_text (v, &text);
    assert_string_equal (text.buf,
                         "queue of profile 'cluster': 22 submissions that ran "
                         "are needed to tell how long one waits at most, there "
                         "are 1\n");
    strbuf_release (&text);
    json_unref (v);
}

static void test_enough (void **unused)
{
    struct journal *journal = begin ();
    struct strbuf text = STRBUF_INIT;
    struct json *v;

    (void)unused;
    for (int i = 0; i < 38; i++)
        run_attempt (journal, i, "label", 60 * (1 + i * 7 % 38));
    journal_close (journal);
    v = look ();
    /* The last but one of 1, 2, ... 38 minutes. */
    assert_json (v, "[{'profile':'cluster','submissions':38,'at_most_s':2220.0,"
                    "'needed':22}]");
    queue_waits_text (v, &text);
    assert_non_null (strstr (text.buf, "9 of 10 submissions wait at most 37m"));
    strbuf_release (&text);
    json_unref (v);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_few, enter, leave),
        cmocka_unit_test_setup_teardown (test_enough, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
