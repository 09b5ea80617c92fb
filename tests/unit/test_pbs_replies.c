/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pbs_replies.c - ids, records, and what they tell of a site */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "pbs/pbs.h"
#include "reply_text.h"
#include "site_description.h"

/* --- ids --- */

static void test_ids (void **state)
{
    static const struct {
        const char *text;
        bool good;
        struct pbs_id id;
    } cases[] = {
        { "12.pbs01", true, { 12, -1 } },
        { "12", true, { 12, -1 } },
        { "0.pbs01", true, { 0, -1 } },
        { "12[].pbs01", true, { 12, -1 } },
        { "12[5].pbs-01.site_a.org", true, { 12, 5 } },
        { "12[5]", true, { 12, 5 } },
        { "12[5", false, { 0 } },
        { "12[5-7].pbs01", false, { 0 } },
        { "12[-1].pbs01", false, { 0 } },
        { "12.", false, { 0 } },
        { "12. pbs01", false, { 0 } },
        { "12.pbs01 ", false, { 0 } },
        { "12;rm", false, { 0 } },
        { "-12.pbs01", false, { 0 } },
        { "12345678901234567890.pbs01", false, { 0 } },
        { "12[12345678901234567890].pbs01", false, { 0 } },
        { ".pbs01", false, { 0 } },
        { "a23456789012345", false, { 0 } },
        { "", false, { 0 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct pbs_id id = { -7, -7 };

        assert_int_equal (pbs_read_id (cases[i].text, &id), cases[i].good);
        assert_int_equal (id.number, cases[i].good ? cases[i].id.number : -7);
        assert_int_equal (id.index, cases[i].good ? cases[i].id.index : -7);
    }
}

static void test_printed_ids (void **state)
{
    static const struct {
        const char *text;
        const char *id;
    } cases[] = {
        { "2[].pbs01\n", "2[].pbs01" },
        { "2.pbs01\r\n", "2.pbs01" },
        { "Welcome!\nYour quota: 42\n2[].pbs01\nThank you.\n", "2[].pbs01" },
        { "1.pbs01\n2.pbs01\n", "2.pbs01" },
        { "job 2.pbs01\n", NULL },
        { "", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *id = reply_last_id (cases[i].text, pbs_is_id, NULL);

        if (cases[i].id)
            assert_string_equal (id, cases[i].id);
        else
            assert_null (id);
        free (id);
    }
}

static void test_selected_ids (void **state)
{
    static const char good[] = "2[].pbs01\n3.pbs01\n";
    static const char bad[] = "2[].pbs01\nqselect: warning\n";
    struct strvec ids = STRVEC_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (
        reply_ids ("qselect", good, strlen (good), pbs_is_id, &ids, NULL), 0);
    assert_int_equal (ids.n, 2);
    assert_int_equal (
        reply_ids ("qselect", bad, strlen (bad), pbs_is_id, &ids, &err), -1);
    assert_non_null (strstr (err.text, "qselect: warning"));
    assert_int_equal (ids.n, 2);
    assert_int_equal (reply_ids ("qselect", "", 0, pbs_is_id, &ids, NULL), 0);
    assert_int_equal (ids.n, 2);
    strvec_release (&ids);
}

/* --- records --- */

/* Append "ID NAME=VALUE" of one attribute of every record to 'notes'. */
static int note (const char *text, size_t len, const char *name,
                 struct strbuf *notes, struct error *err)
{
    struct pbs_records records = pbs_records ("Job Id: ", text, len);
    const char *settings;

    while ((settings = pbs_next_record (&records, err))) {
        const char *value = reply_value (settings, name);

        strbuf_addf (notes, "%s=%s ", records.id.buf, value ? value : "?");
    }
    return pbs_records_end (&records);
}

static void test_folded_values (void **state)
{
    static const char text[] = "Job Id: 1[].s\n"
                               "    A = 1\n"
                               "    Long = one,\n"
                               "\ttwo,thr\n"
                               "\tee = four\n"
                               "    LongNot = x\n"
                               "\n"
                               "Job Id: 2.s\n"
                               "\n";
    struct strbuf notes = STRBUF_INIT;

    (void)state;
    assert_int_equal (note (text, strlen (text), "Long", &notes, NULL), 0);
    assert_string_equal (notes.buf, "1[].s=one,two,three = four 2.s=? ");
    strbuf_release (&notes);
}

/* qstat prints some values as they are, as a path of somebody else's job with
 * line breaks in it.
 */
static void test_raw_line_breaks (void **state)
{
    static const char *const texts[] = {
        "Job Id: 1[].s\n    Error_Path = h:/a\nb\n    A = 1\n\n"
        "Job Id: 2.s\n    A = 2\n\n",
        "Job Id: 1[].s\n    A = 1\n    Error_Path = h:/a\n\n b\nc\n"
        "    B = 3\n\nJob Id: 2.s\n    A = 2\n\n",
        "Job Id: 1[].s\n    A = 1\n    Error_Path = h:/a\n\n\n\n"
        "Job Id: 2.s\n    A = 2\n\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct strbuf notes = STRBUF_INIT;
        struct error err = ERROR_INIT;

        if (note (texts[i], strlen (texts[i]), "A", &notes, &err) < 0)
            fail_msg ("%s", err.text);
        assert_string_equal (notes.buf, "1[].s=1 2.s=2 ");
        strbuf_release (&notes);
    }
}

static void test_numbers (void **state)
{
    static const char settings[] =
        "a = 12\0b = -29\0c = 12x\0d = \0e = 99999999999999999999\0";

    (void)state;
    assert_int_equal (reply_number (settings, "a", 7), 12);
    assert_int_equal (reply_number (settings, "b", 7), -29);
    assert_int_equal (reply_number (settings, "c", 7), 7);
    assert_int_equal (reply_number (settings, "d", 7), 7);
    assert_int_equal (reply_number (settings, "e", 7), 7);
    assert_int_equal (reply_number (settings, "f", 7), 7);
    assert_null (reply_value (settings, ""));
}

static void test_bytes (void **state)
{
    static const char settings[] = "a = 8gb\0b = 16384kb\0c = 3b\0d = 7\0"
                                   "e = 9xb\0f = -1kb\0g = 9999999tb\0"
                                   "h = mb\0";

    (void)state;
    assert_int_equal (reply_bytes (settings, "a"), INT64_C (8) << 30);
    assert_int_equal (reply_bytes (settings, "b"), 16 << 20);
    assert_int_equal (reply_bytes (settings, "c"), 3);
    assert_int_equal (reply_bytes (settings, "d"), 7);
    assert_int_equal (reply_bytes (settings, "e"), 0);
    assert_int_equal (reply_bytes (settings, "f"), 0);
    assert_int_equal (reply_bytes (settings, "g"), 0);
    assert_int_equal (reply_bytes (settings, "h"), 0);
    assert_int_equal (reply_bytes (settings, "i"), 0);
}

/* Cut off anywhere, or with anything else among it, an answer is none. */
static void test_what_is_no_answer (void **state)
{
    static const char *const texts[] = {
        "x",
        "x\n",
        "Job Id: \n\n",
        "Job Id: 1.s\n",
        "Job Id: 1.s\n    A = 1\n",
        "Job Id: 1.s\n    A = 1",
        "Job Id: 1.s\n    A\n\n",
        "Job Id: 1.s\nA = 1\n\n",
        "Job Id: 1.s\n\tx\n\n",
        "Job Id: 1.s\n    A = 1\nJob Id: 2.s\n\n",
        "<html>\n",
        "    A = 1\n\n",
    };
    struct strbuf notes = STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct error err = ERROR_INIT;

        assert_int_equal (note (texts[i], strlen (texts[i]), "A", &notes, &err),
                          -1);
        assert_string_not_equal (err.text, "");
    }
    assert_int_equal (note ("Job Id: 1\0.s\n\n", 14, "A", &notes, NULL), -1);
    assert_int_equal (note ("", 0, "A", &notes, NULL), 0);
    strbuf_release (&notes);
}

static void test_every_prefix_of_a_recording (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct strbuf notes = STRBUF_INIT;
    int whole = 0;

    (void)state;
    fixture_read ("pbs/mixed.txt", &text);
    for (size_t len = 0; len <= text.len; len++)
        whole += note (text.buf, len, "job_state", &notes, NULL) == 0;
    /* One for each record and each empty line, and nothing at all. */
    assert_int_equal (whole, 1 + 8);
    strbuf_release (&notes);
    strbuf_release (&text);
}

/* --- sites --- */

static void read_fixture (client_read read, const char *name,
                          struct site_description *site)
{
    struct strbuf text = STRBUF_INIT;

    fixture_read (name, &text);
    assert_int_equal (read (text.buf, text.len, site, NULL), 0);
    strbuf_release (&text);
}

static void begin (struct site_description *site)
{
    site_init (site, "pbs", &pbs_commands);
    site->user = "me";
}

static void test_site (void **state)
{
    struct site_facts facts;
    struct site_description site;

    (void)state;
    begin (&site);
    read_fixture (pbs_read_server, "pbs/server.txt", &site);
    read_fixture (pbs_read_queues, "pbs/queues.txt", &site);
    read_fixture (pbs_read_nodes, "pbs/nodes.txt", &site);
    assert_string_equal (site.version, "23.06.06 (pbs01)");
    assert_int_equal (site.shown_s, 86400);
    assert_string_equal (site_find_queue (&site, NULL)->name, "workq");
    site_facts (&site, NULL, &facts);
    assert_int_equal (facts.limits.elements, 10000);
    assert_int_equal (facts.limits.submit, 0);
    assert_int_equal (facts.limits.node_cores, 4);
    assert_int_equal (facts.limits.node_gpus, 2);
    assert_int_equal (facts.limits.node_memory_bytes, (int64_t)8 << 30);
    site_facts (&site, "small", &facts);
    assert_int_equal (facts.limits.elements, 3);
    assert_int_equal (facts.limits.submit, 4);
    assert_true (facts.limits.walltime_s == 40);
    site_release (&site);
}

static void test_queue_limits (void **state)
{
    static const char text[] = "Queue: q\n"
                               "    max_queued = [u:PBS_GENERIC=5],[u:you=3]\n"
                               "    resources_max.walltime = 336:00:00\n"
                               "    max_array_size = 10\n"
                               "\n";
    struct site_facts facts;
    struct site_description site;

    (void)state;
    begin (&site);
    site.elements = 100;
    site.submit = 7;
    assert_int_equal (pbs_read_queues (text, strlen (text), &site, NULL), 0);
    site_facts (&site, "q", &facts);
    assert_int_equal (facts.limits.elements, 10);
    assert_int_equal (facts.limits.submit, 5);
    assert_true (facts.limits.walltime_s == 336 * 3600.0);
    site.elements = 4;
    site_facts (&site, "q", &facts);
    assert_int_equal (facts.limits.elements, 4);
    site_facts (&site, "other", &facts);
    assert_int_equal (facts.limits.submit, 7);
    site_release (&site);
}

static void test_limits_of_users (void **state)
{
    static const struct {
        const char *text;
        int64_t limit;
    } cases[] = {
        { "[u:PBS_GENERIC=5]", 5 },
        { "[u:PBS_GENERIC=5], [u:me=9]", 9 },
        { "[u:PBS_GENERIC=5], [u:meme=9]", 5 },
        { "[o:PBS_ALL=100], [u:PBS_GENERIC=500]", 100 },
        { "[o:PBS_ALL=100], [u:me=50]", 50 },
        { "[g:PBS_GENERIC=5]", 0 },
        { "[u:PBS_GENERIC=-5]", 0 },
        { "[u:PBS_GENERIC=]", 0 },
        { "[[u:me=", 0 },
        { "", 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (pbs_read_limit (cases[i].text, "me"), cases[i].limit);
}

static void test_usual_node (void **state)
{
    static const char text[] = "a\n"
                               "     resources_available.ncpus = 64\n"
                               "     resources_available.mem = 263837892kb\n"
                               "\n"
                               "b\n"
                               "     resources_available.ncpus = 8\n"
                               "     resources_available.mem = 1tb\n"
                               "     resources_available.ngpus = 4\n"
                               "\n"
                               "c\n"
                               "     resources_available.ncpus = 64\n"
                               "     resources_available.mem = 263837892kb\n"
                               "\n"
                               "d\n"
                               "     state = down\n"
                               "\n";
    struct site_facts facts;
    struct site_description site;

    (void)state;
    begin (&site);
    assert_int_equal (pbs_read_nodes (text, strlen (text), &site, NULL), 0);
    assert_int_equal (site.n_nodes, 3);
    site_facts (&site, NULL, &facts);
    assert_int_equal (facts.limits.node_cores, 64);
    assert_int_equal (facts.limits.node_gpus, 0);
    assert_int_equal (facts.limits.node_memory_bytes, (int64_t)263837892 << 10);
    assert_int_equal (site_things (site.nodes[1].things, "ngpus"), 4);
    site_release (&site);
}

static void test_no_server (void **state)
{
    struct error err = ERROR_INIT;
    struct site_description site;

    (void)state;
    begin (&site);
    assert_int_equal (pbs_read_server ("", 0, &site, &err), -1);
    assert_string_not_equal (err.text, "");
    assert_int_equal (pbs_read_server ("garbage\n", 8, &site, NULL), -1);
    site_release (&site);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_ids),
        cmocka_unit_test (test_printed_ids),
        cmocka_unit_test (test_selected_ids),
        cmocka_unit_test (test_folded_values),
        cmocka_unit_test (test_raw_line_breaks),
        cmocka_unit_test (test_numbers),
        cmocka_unit_test (test_bytes),
        cmocka_unit_test (test_what_is_no_answer),
        cmocka_unit_test (test_every_prefix_of_a_recording),
        cmocka_unit_test (test_site),
        cmocka_unit_test (test_queue_limits),
        cmocka_unit_test (test_limits_of_users),
        cmocka_unit_test (test_usual_node),
        cmocka_unit_test (test_no_server),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
