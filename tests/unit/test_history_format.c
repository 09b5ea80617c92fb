/* SPDX-License-Identifier: BSD-3-Clause */
/* test_history_format.c - journals and states of other versions are understood
 * or refused, and never cut
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "base/version.h"
#include "engine/history/engine.h"
#include "engine/history/history_format.h"
#include "engine/history/journal.h"
#include "engine/history/recovery.h"
#include "engine/history/state.h"
#include "in_temp_dir.h"
#include "quoted_json.h"
#include "space/record_log.h"

#define SEGMENT ".fanfold/journal/000001"

/* --- heads --- */

static void test_heads (void **unused)
{
    static const struct {
        const char *head;
        bool ours;
        const char *refused; /* NULL: it is read */
    } heads[] = {
        { "{'format':1,'program':'1.2.3'}", true, NULL },
        { "{'format':1,'program':'1.2.4'}", false, NULL },
        { "{'format':1}", false, NULL },
        { "{'format':2,'program':'2.0.0'}", false,
          "'f' was written by fanfold 2.0.0 in format 2, and fanfold 1.2.3 "
          "reads format 1; go on with the version that wrote it (`fanfold "
          "--version` tells which one runs)" },
        { "{'format':0}", false,
          "'f' was written by fanfold of another version in format 0, and "
          "fanfold 1.2.3 reads format 1; go on with the version that wrote it "
          "(`fanfold --version` tells which one runs)" },
        { "{'program':'1.2.3'}", false, "in format 0" },
    };

    (void)unused;
    setenv ("FANFOLD_VERSION", "1.2.3", 1);
    for (size_t i = 0; i < ARRAY_SIZE (heads); i++) {
        struct json *head = json_of (heads[i].head);
        struct error err = ERROR_INIT;

        assert_int_equal (history_format_is_ours (head), heads[i].ours);
        assert_int_equal (history_format_check (head, "f", &err),
                          heads[i].refused ? -1 : 0);
        if (heads[i].refused && !strstr (err.text, heads[i].refused))
            fail_msg ("%s", err.text);
        json_unref (head);
    }
}

static void test_what_is_written_is_ours (void **unused)
{
    struct json *head = json_object ();

    (void)unused;
    setenv ("FANFOLD_VERSION", "1.2.3", 1);
    history_format_set (head);
    assert_true (history_format_is_ours (head));
    setenv ("FANFOLD_VERSION", "1.2.4", 1);
    assert_false (history_format_is_ours (head));
    assert_int_equal (history_format_check (head, "f", NULL), 0);
    json_unref (head);
}

static void test_explained (void **unused)
{
    struct json *head = json_of ("{'format':1,'program':'1.2.4'}");
    struct error err = ERROR_INIT;

    (void)unused;
    setenv ("FANFOLD_VERSION", "1.2.4", 1);
    error_set (&err, "event 7");
    assert_int_equal (history_format_explain (head, "f", &err), -1);
    assert_string_equal (err.text, "event 7");
    setenv ("FANFOLD_VERSION", "1.2.3", 1);
    history_format_explain (head, "f", &err);
    assert_string_equal (
        err.text, "event 7; 'f' was written by fanfold 1.2.4 and this is "
                  "fanfold 1.2.3: go on with the newer one (`fanfold "
                  "--version` tells which one runs)");
    json_unref (head);
}

/* --- journals --- */

/* A journal of one segment: a head and events, quoted; each gets its number. */
static void write_journal (const char *const *records, struct strbuf *text)
{
    strbuf_truncate (text, 0);
    for (int n = 0; records[n]; n++) {
        struct json *record = json_of (records[n]);

        json_set (record, "n", json_int (n + 1));
        record_format (record, text);
        json_unref (record);
    }
    assert_int_equal (file_make_dirs (".fanfold/journal", NULL), 0);
    assert_int_equal (file_write_atomic (SEGMENT, text->buf, text->len, NULL),
                      0);
}

static int apply (const struct json *event, void *arg, struct error *err)
{
    return state_apply (arg, event, err);
}

static int read_all (struct error *err)
{
    struct journal_position position = { 0 };
    struct state state = STATE_INIT;
    int rc = journal_read (dir.path, &position, apply, &state, err);

    state_release (&state);
    return rc;
}

static void expect_same_journal (const struct strbuf *text)
{
    struct strbuf now = STRBUF_INIT;

    assert_int_equal (file_read (SEGMENT, 1 << 20, &now, NULL), 0);
    assert_int_equal (now.len, text->len);
    assert_memory_equal (now.buf, text->buf, now.len);
    strbuf_release (&now);
}

/* What no version before can understand is neither read nor recovered, and
 * no message advises `fanfold recover`.
 */
static void expect_kept (const char *const *records, const char *message)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT, again = ERROR_INIT;
    struct recovery recovery = RECOVERY_INIT;

    setenv ("FANFOLD_VERSION", "1.2.3", 1);
    write_journal (records, &text);
    assert_int_equal (read_all (&err), -1);
    if (!strstr (err.text, message))
        fail_msg ("'%s' does not say '%s'", err.text, message);
    assert_null (strstr (err.text, "recover"));
    assert_int_equal (campaign_recover (dir.path, NULL, &recovery, &again), -1);
    if (!strstr (again.text, message))
        fail_msg ("'%s' does not say '%s'", again.text, message);
    expect_same_journal (&text);
    recovery_release (&recovery);
    strbuf_release (&text);
}

static void test_newer_format (void **unused)
{
    static const char *const records[] = {
        "{'ev':'segment','format':2,'program':'2.0.0','epoch':1}",
        "{'ev':'paused','why':'tea'}",
        NULL,
    };

    (void)unused;
    expect_kept (records, "was written by fanfold 2.0.0 in format 2");
}

static void test_newer_event (void **unused)
{
    static const char *const records[] = {
        "{'ev':'segment','format':1,'program':'1.3.0','epoch':1}",
        "{'ev':'resurrect'}",
        NULL,
    };

    (void)unused;
    expect_kept (records, "event 2: unknown kind 'resurrect'; '");
    expect_kept (records, "was written by fanfold 1.3.0 and this is fanfold "
                          "1.2.3: go on with the newer one");
}

/* Of this version it is damage, which recovery cuts. */
static void test_own_event (void **unused)
{
    static const char *const records[] = {
        "{'ev':'segment','format':1,'program':'1.2.3','epoch':1}",
        "{'ev':'resurrect'}",
        NULL,
    };
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct recovery recovery = RECOVERY_INIT;

    (void)unused;
    setenv ("FANFOLD_VERSION", "1.2.3", 1);
    write_journal (records, &text);
    assert_int_equal (read_all (&err), -1);
    assert_non_null (strstr (err.text, "`fanfold recover`"));
    if (campaign_recover (dir.path, NULL, &recovery, &err) < 0)
        fail_msg ("%s", err.text);
    assert_true (recovery.needed);
    assert_int_equal (read_all (NULL), 0);
    recovery_release (&recovery);
    strbuf_release (&text);
}

/* Whatever knows more than the journal and is of another version. */
static void test_state_of_another_version (void **unused)
{
    static const char *const records[] = {
        "{'ev':'segment','format':1,'program':'1.2.3','epoch':1}",
        "{'ev':'resurrect'}",
        NULL,
    };
    const char *state = "{\"format\":1,\"program\":\"1.3.0\","
                        "\"journal\":{\"epoch\":1,\"bytes\":999,\"n\":40},"
                        "\"state\":{}}";
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct recovery recovery = RECOVERY_INIT;

    (void)unused;
    setenv ("FANFOLD_VERSION", "1.2.3", 1);
    write_journal (records, &text);
    assert_int_equal (
        file_write_atomic ("state.json", state, strlen (state), NULL), 0);
    assert_int_equal (campaign_recover (dir.path, NULL, &recovery, &err), -1);
    assert_non_null (strstr (err.text, "knows more than what is left of the "
                                       "journal; '"));
    assert_non_null (strstr (err.text, "state.json' was written by fanfold "
                                       "1.3.0 and this is fanfold 1.2.3"));
    expect_same_journal (&text);
    recovery_release (&recovery);
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_heads),
        cmocka_unit_test (test_what_is_written_is_ours),
        cmocka_unit_test (test_explained),
        cmocka_unit_test_setup_teardown (test_newer_format, enter, leave),
        cmocka_unit_test_setup_teardown (test_newer_event, enter, leave),
        cmocka_unit_test_setup_teardown (test_own_event, enter, leave),
        cmocka_unit_test_setup_teardown (test_state_of_another_version, enter,
                                         leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
