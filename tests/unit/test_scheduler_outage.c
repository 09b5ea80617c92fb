/* SPDX-License-Identifier: BSD-3-Clause */
/* test_scheduler_outage.c - schedulers that cannot be used for now: which
 * words are the same, and what people read
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <time.h>

#include "engine/drive/scheduler_outage.h"
#include "engine/history/state.h"
#include "history.h"
#include "report/scheduler_view.h"

static void test_same_words (void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        { "", "", true },
        { "closed", "closed", true },
        { "closed", "open", false },
        { "closed", "closed for 7 days", false },
        { "3 of 5 jobs", "14 of 5 jobs", true },
        { "7", "", true },
        { "job 7", "job", false },
        { "ran out of time after 18.2 s", "ran out of time after 19 s", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        assert_int_equal (outage_same_words (rows[i].a, rows[i].b),
                          rows[i].same);
        assert_int_equal (outage_same_words (rows[i].b, rows[i].a),
                          rows[i].same);
    }
}

static void test_words (void **unused)
{
    struct state state = STATE_INIT;
    struct strbuf text = STRBUF_INIT;
    struct json *event;

    (void)unused;
    setenv ("TZ", "UTC0", 1);
    tzset ();
    scheduler_outages_text (&state, &text);
    assert_string_equal (text.buf, "");
    happen (&state, "{'ev':'outage','profile':'cpu','scheduler':'pbs',"
                    "'since_s':86400,'why':'qsub: no','full':true}");
    happen (&state, "{'ev':'outage','profile':'gpu','scheduler':'slurm',"
                    "'since_s':90061,'why':'squeue: who?'}");
    scheduler_outages_text (&state, &text);
    assert_string_equal (
        text.buf, "the scheduler of profile 'cpu' (pbs) has taken no jobs "
                  "since 1970-01-02 00:00:00: qsub: no; the scheduler of "
                  "profile 'gpu' (slurm) has not answered since 1970-01-02 "
                  "01:01:01: squeue: who?");
    strbuf_reset (&text);
    event = json_of ("{'profile':'cpu','scheduler':'pbs','lasted_s':11520,"
                     "'full':true}");
    scheduler_answers_text (event, &text);
    assert_string_equal (text.buf, "the scheduler of profile 'cpu' (pbs) takes "
                                   "jobs again, after 3h12m");
    json_set (event, "full", json_bool (false));
    strbuf_reset (&text);
    scheduler_answers_text (event, &text);
    assert_string_equal (text.buf, "the scheduler of profile 'cpu' (pbs) "
                                   "answers again, after 3h12m");
    json_unref (event);
    strbuf_release (&text);
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_same_words),
        cmocka_unit_test (test_words),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
