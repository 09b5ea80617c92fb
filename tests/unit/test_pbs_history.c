/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pbs_history.c - ended sub-jobs whose own records are gone: recorded from
 * OpenPBS 23.06.06
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "job_view.h"
#include "pbs/pbs.h"
#include "reply_text.h"
#include "site_description.h"

enum { ELEMENTS_MOST = 8 };

/* q: queued, r: running, ?: unknown, c: cancelled */
static char letter (const struct element_status *status)
{
    if (status->state == ELEMENT_QUEUED)
        return 'q';
    if (status->state == ELEMENT_RUNNING)
        return 'r';
    if (status->state == ELEMENT_UNKNOWN)
        return '?';
    assert_int_equal (status->state, ELEMENT_ENDED);
    assert_int_equal (status->outcome, OUTCOME_CANCELLED);
    return 'c';
}

/* As recorded. */
static const char *token_of (const char *id)
{
    return strcmp (id, "5144[].pbs01") == 0   ? "t23456789012345"
           : strcmp (id, "5165[].pbs01") == 0 ? "d23456789012345"
                                              : "abc";
}

static void look (const char *fixture, const char *id, double kept_s,
                  double now_s, size_t n, char *letters)
{
    struct element_status elements[ELEMENTS_MOST] = { { .outcome = 0 } };
    struct job_status job = { .key = { id, token_of (id) },
                              .n_elements = (int64_t)n,
                              .elements = elements };
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct job_view view;

    fixture_read (fixture, &text);
    job_view_init (&view, &job, 1, pbs_is_id);
    if (pbs_tell_jobs (text.buf, text.len, &view, &err) < 0)
        fail_msg ("%s", err.text);
    job_view_infer (&view, now_s, kept_s);
    job_view_result (&view, &job);
    for (size_t e = 0; e < n; e++)
        letters[e] = letter (&elements[e]);
    letters[n] = '\0';
    job_view_release (&view);
    strbuf_release (&text);
}

static void test_lost_records (void **state)
{
    static const double began_s = 1795286778; /* the array of short-history */
    static const struct {
        const char *fixture;
        const char *id;
        double kept_s;
        double after_s;
        const char *expected;
    } cases[] = {
        /* 0 ended well, 1 did not, nobody deleted anything */
        { "pbs/short-history.txt", "5134[].pbs01", 5, 135, "??r" },
        { "pbs/short-history.txt", "5134[].pbs01", 135, 135, "??r" },
        /* as if the server kept for longer: then somebody did */
        { "pbs/short-history.txt", "5134[].pbs01", 136, 135, "ccr" },
        { "pbs/short-history.txt", "5134[].pbs01", 0, 0, "??r" },
        /* what never began */
        { "pbs/deleted-queued.txt", "5128[].pbs01", 5, 9000, "qcq" },
        { "pbs/deleted-queued.txt", "5128[].pbs01", 0, 9000, "q?q" },
        { "pbs/deleted-one-by-one.txt", "5128[].pbs01", 5, 9000, "ccc" },
        /* a whole array, however long ago */
        { "pbs/deleted.txt", "5144[].pbs01", 5, 9000, "ccccccc" },
        { "pbs/no-history.txt", "5133[].pbs01", 0, 9000, "??rrrq" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char letters[ELEMENTS_MOST + 1];

        look (cases[i].fixture, cases[i].id, cases[i].kept_s,
              began_s + cases[i].after_s, strlen (cases[i].expected), letters);
        assert_string_equal (letters, cases[i].expected);
    }
}

static void test_nothing_is_lost (void **state)
{
    char letters[ELEMENTS_MOST + 1];

    (void)state;
    look ("pbs/waiting.txt", "5165[].pbs01", 5, 9000, 2, letters);
    assert_string_equal (letters, "qq");
}

static void test_how_long (void **state)
{
    static const struct {
        const char *lines;
        double shown_s;
    } cases[] = {
        { "job_history_enable = True", 14 * 86400 },
        { "job_history_enable = True\n    job_history_duration = 400:00:00",
          400 * 3600 },
        { "job_history_enable = True\n    job_history_duration = 00:00:05", 5 },
        { "job_history_enable = True\n    job_history_duration = soon",
          14 * 86400 },
        { "job_history_enable = False", 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *text = xasprintf ("Server: s\n    pbs_version = 1\n    %s\n\n",
                                cases[i].lines);
        struct site_description site;

        site_init (&site, "pbs", &pbs_commands);
        assert_int_equal (pbs_read_server (text, strlen (text), &site, NULL),
                          0);
        assert_true (site.shown_s == cases[i].shown_s);
        site_release (&site);
        free (text);
    }
}

static void test_times (void **state)
{
    static const struct {
        const char *value;
        double s;
    } cases[] = {
        { "Sat Nov 21 18:46:18 2026", 1795286778 },
        { "Thu Jan  1 00:00:10 1970", 10 },
        { "yesterday", 0 },
        { "", 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char line[64] = ""; /* ends with two NULs */

        snprintf (line, sizeof (line) - 1, "stime = %s", cases[i].value);
        assert_true (reply_time (line, "stime") == cases[i].s);
        assert_true (reply_time (line, "qtime") == 0);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_lost_records),
        cmocka_unit_test (test_nothing_is_lost),
        cmocka_unit_test (test_how_long),
        cmocka_unit_test (test_times),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
