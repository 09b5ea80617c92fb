/* SPDX-License-Identifier: BSD-3-Clause */
/* test_engine.c - a state that is exactly what the journal says
 *
 * Opening, driving and giving back, with checkpoints that do not fit, events
 * that do not fit, a full disk and a lease that was lost.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/journal.h"
#include "engine/history/recovery.h"
#include "history.h"
#include "space/layout.h"
#include "space/lease.h"
#include "fsync_calls.h"
#include "temp_dir.h"

static struct temp_dir dir;
static struct plan plan;

static int enter (void **unused)
{
    (void)unused;
    temp_dir_enter (&dir);
    plan = (struct plan){ .dir = dir.path, .name = "silicon" };
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    temp_dir_leave (&dir);
    return 0;
}

static void look (struct engine *engine)
{
    struct error err = ERROR_INIT;

    if (engine_open (engine, dir.path, "fanfold", &err) < 0)
        fail_msg ("%s", err.text);
    engine_take_plan (engine, &plan);
}

static void drive (struct engine *engine)
{
    struct error err = ERROR_INIT;

    look (engine);
    if (engine_take_lease (engine, &err) != 0)
        fail_msg ("%s", err.text);
}

static int try_record (struct engine *engine, const char *text)
{
    return engine_record (engine, json_of (text), NULL);
}

static void record (struct engine *engine, const char *text)
{
    struct error err = ERROR_INIT;

    if (engine_record (engine, json_of (text), &err) < 0)
        fail_msg ("%s: %s", text, err.text);
}

#define BEGIN "{'ev':'iteration','iteration':0}"
#define SKIP(stage) "{'ev':'skip','iteration':0,'stage':'" stage "','why':'w'}"

/* Another driver's term. */
static void begin_with_more (const char *stage_event)
{
    struct engine engine;

    drive (&engine);
    record (&engine, stage_event);
    engine_close (&engine);
}

/* The names of the stages that were skipped: "a b". */
static void expect_skipped (const struct engine *engine, const char *names)
{
    const struct state *state = &engine->state;
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < state->n_iterations; i++) {
        for (size_t s = 0; s < state->iterations[i].n_stages; s++)
            strbuf_addf (&text, "%s%s", text.len > 0 ? " " : "",
                         state->iterations[i].stages[s].name);
    }
    assert_string_equal (text.buf, names);
    strbuf_release (&text);
}

/* What a newcomer sees. */
static void expect_journal (const char *names)
{
    struct engine engine;

    look (&engine);
    expect_skipped (&engine, names);
    engine_close (&engine);
}

static void begin_with (const char *stage_event)
{
    struct engine engine;

    drive (&engine);
    record (&engine, BEGIN);
    record (&engine, stage_event);
    engine_close (&engine);
}

static void test_record_and_open (void **unused)
{
    struct engine engine;
    struct engine other;
    struct json *one;
    struct json *same;

    (void)unused;
    drive (&engine);
    record (&engine, BEGIN);
    record (&engine, SKIP ("a"));
    assert_false (file_exists ("state.json"));
    look (&other);
    expect_skipped (&other, "a");
    assert_memory_equal (&other.position, &engine.position,
                         sizeof (engine.position));
    one = state_to_json (&engine.state);
    same = state_to_json (&other.state);
    assert_true (json_equal (one, same));
    assert_int_equal (other.state.n, engine.position.n);
    engine_close (&other);
    engine_close (&engine);
    assert_true (file_exists ("state.json"));
    look (&other);
    json_unref (same);
    same = state_to_json (&other.state);
    assert_true (json_equal (one, same));
    json_unref (one);
    json_unref (same);
    engine_close (&other);
}

static void count_event (const struct json *event, void *arg)
{
    *(int64_t *)arg += json_as_int (json_get (event, "n"));
}

static void test_events_are_told (void **unused)
{
    struct engine engine;
    int64_t sum = 0;

    (void)unused;
    drive (&engine);
    engine.on_event = count_event;
    engine.on_event_arg = &sum;
    record (&engine, BEGIN);
    record (&engine, SKIP ("a"));
    assert_int_equal (try_record (&engine, "{'ev':'odd'}"), -1);
    assert_int_equal (sum, 2 + 3); /* 1 is the head of the segment */
    engine_close (&engine);
}

/* In another process, which is what another driver is. */
static void expect_busy_for_others (struct engine *engine)
{
    struct error err = ERROR_INIT;
    pid_t pid = fork ();
    int status;

    assert_true (pid >= 0);
    if (pid == 0)
        _exit (engine_take_lease (engine, &err) == 1
                       && strstr (err.text, "another driver holds the lock")
                   ? 0
                   : 1);
    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_int_equal (status, 0);
}

static void test_one_driver (void **unused)
{
    struct engine engine;
    struct engine other;
    struct error err = ERROR_INIT;

    (void)unused;
    look (&other);
    drive (&engine);
    record (&engine, BEGIN);
    record (&engine, SKIP ("a"));
    expect_busy_for_others (&other);
    expect_skipped (&other, "");
    engine_give_lease (&engine);
    engine_give_lease (&engine); /* there is nothing to give */
    assert_int_equal (engine_take_lease (&other, &err), 0);
    expect_skipped (&other, "a"); /* what happened meanwhile is folded */
    record (&other, SKIP ("b"));
    engine_close (&other);
    engine_close (&engine);
    expect_journal ("a b");
}

/* --- checkpoints --- */

static void test_checkpoints_only_save_time (void **unused)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{\"format\": 2}",
        "{\"format\": 1, \"journal\": {}, \"state\": {}}",
        "{\"format\": 1, \"journal\": {\"epoch\": 9, \"bytes\": 7, \"n\": 1},"
        " \"state\": {\"n\": 1, \"phase\": 2, \"iterations\": []}}",
        "{\"format\": 1, \"journal\": {\"epoch\": 1, \"bytes\": 70000,"
        " \"n\": 3}, \"state\": {\"n\": 1, \"phase\": 2, \"iterations\": []}}",
        "{\"format\": 1, \"journal\": {\"epoch\": 0, \"bytes\": 0, \"n\": 0},"
        " \"state\": {\"n\": 1, \"phase\": 0, \"iterations\": [{}]}}",
    };

    (void)unused;
    begin_with (SKIP ("a"));
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        print_message ("# %s\n", texts[i]);
        write_text ("state.json", texts[i]);
        expect_journal ("a");
    }
    assert_int_equal (unlink ("state.json"), 0);
    expect_journal ("a");
}

/* What a deposed driver wrote was read, and is no part of the journal. */
static void test_what_was_read_is_off_the_chain (void **unused)
{
    struct engine deposed;
    struct engine reader;
    struct journal *next;
    struct json *phantom = json_of (SKIP ("phantom"));
    struct json *event = json_of (SKIP ("b"));

    (void)unused;
    drive (&deposed);
    record (&deposed, BEGIN);
    record (&deposed, SKIP ("a"));
    next = journal_open (dir.path, 2, &deposed.position);
    assert_int_equal (journal_append (deposed.journal, phantom, NULL), 0);
    look (&reader);
    expect_skipped (&reader, "a phantom");
    assert_int_equal (journal_append (next, event, NULL), 0);
    journal_close (next);
    engine_close (&deposed);
    assert_int_equal (engine_take_lease (&reader, NULL), 0);
    expect_skipped (&reader, "a b");
    engine_close (&reader);
    json_unref (phantom);
    json_unref (event);
}

static void damage_journal (void)
{
    struct strbuf text = STRBUF_INIT;

    assert_int_equal (
        file_read (".fanfold/journal/000001", 1 << 20, &text, NULL), 0);
    *strstr (text.buf, "iteration") = 'I';
    write_text (".fanfold/journal/000001", text.buf);
    strbuf_release (&text);
}

static void test_damaged_journal (void **unused)
{
    struct engine engine;
    struct engine other;
    struct error err = ERROR_INIT;

    (void)unused;
    begin_with (SKIP ("a"));
    look (&other);
    damage_journal ();
    assert_int_equal (engine_open (&engine, dir.path, "fanfold", &err), -1);
    assert_non_null (strstr (err.text, "000001:2: damaged"));
    assert_int_equal (engine_take_lease (&other, &err), -1);
    assert_non_null (strstr (err.text, "000001:2: damaged"));
    assert_null (other.lease); /* it was given back */
    assert_true (file_exists (".fanfold/lock/2.free"));
    engine_close (&other);
}

/* --- what cannot be recorded --- */

static void test_misfits_do_not_get_in (void **unused)
{
    static const char *const misfits[] = {
        "{'ev':'request','id':'r','kind':'dance'}",
        "{'ev':'recorded','token':'t','id':'1'}",
        "{'ev':'iteration','iteration':7}",
        "{'ev':'prepared','iteration':1,'stage':'a','tasks':1}",
    };
    struct engine engine;

    (void)unused;
    drive (&engine);
    record (&engine, BEGIN);
    for (size_t i = 0; i < ARRAY_SIZE (misfits); i++)
        assert_int_equal (try_record (&engine, misfits[i]), -1);
    record (&engine, SKIP ("a"));
    expect_journal ("a");
    engine_close (&engine);
    expect_journal ("a");
}

static void limit_file_size (rlim_t bytes)
{
    struct rlimit limit;

    assert_int_equal (getrlimit (RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal (setrlimit (RLIMIT_FSIZE, &limit), 0);
}

static void test_disk_full (void **unused)
{
    struct engine engine;
    struct stat st;
    void (*before) (int) = signal (SIGXFSZ, SIG_IGN);
    int rc;

    (void)unused;
    drive (&engine);
    record (&engine, BEGIN);
    record (&engine, SKIP ("a"));
    assert_int_equal (stat (".fanfold/journal/000001", &st), 0);
    limit_file_size ((rlim_t)st.st_size + 9);
    rc = try_record (&engine, SKIP ("b"));
    limit_file_size (RLIM_INFINITY);
    assert_int_equal (rc, -1);
    expect_skipped (&engine, "a"); /* not ahead of the journal */
    expect_journal ("a");
    record (&engine, SKIP ("c")); /* there is room again */
    engine_close (&engine);
    expect_journal ("a c");
    signal (SIGXFSZ, before);
}

/* --- a lease that was lost --- */

static void test_lease_lost (void **unused)
{
    struct engine engine;

    (void)unused;
    drive (&engine);
    record (&engine, BEGIN);
    record (&engine, SKIP ("a"));
    write_text (".fanfold/lock/2", "{}");
    assert_int_equal (try_record (&engine, SKIP ("b")), -1);
    expect_skipped (&engine, "a");
    engine_close (&engine);
    assert_false (file_exists ("state.json"));
    assert_true (file_exists (".fanfold/lock/2"));
    expect_journal ("a");
}

static void test_lock_directory_deleted (void **unused)
{
    struct engine engine;
    struct error err = ERROR_INIT;

    (void)unused;
    begin_with (SKIP ("a"));
    drive (&engine);
    record (&engine, SKIP ("b"));
    engine_close (&engine);
    assert_int_equal (file_remove_tree (".fanfold/lock", NULL, NULL), 0);
    drive (&engine); /* as driver 1 again, whose events nobody would read */
    assert_int_equal (engine_record (&engine, json_of (SKIP ("c")), &err), -1);
    assert_non_null (strstr (err.text, ".fanfold/lock/2.free"));
    engine_close (&engine);
    expect_journal ("a b");
    write_text (".fanfold/lock/2.free", "");
    drive (&engine);
    record (&engine, SKIP ("c"));
    engine_close (&engine);
    expect_journal ("a b c");
}

/* As when this host sees the last events late: it does not go on without. */
static void test_journal_seen_late (void **unused)
{
    static const int stop = 1; /* do not wait for it here */
    struct error err = ERROR_INIT;
    struct engine engine;

    (void)unused;
    begin_with (SKIP ("a"));
    begin_with_more (SKIP ("b"));
    assert_int_equal (rename (".fanfold/journal/000002", "late"), 0);
    assert_int_equal (unlink ("state.json"), 0);
    look (&engine);
    setenv ("FANFOLD_LEASE_S", "0.001", 1);
    assert_int_equal (engine_take_lease (&engine, &err), -1);
    unsetenv ("FANFOLD_LEASE_S");
    assert_non_null (strstr (err.text, "ends with event 3 here, but the "
                                       "driver before wrote 5"));
    engine.stop = &stop;
    assert_int_equal (engine_take_lease (&engine, &err), -1);
    assert_non_null (strstr (err.text, "told to stop"));
    engine_close (&engine);
    assert_int_equal (rename ("late", ".fanfold/journal/000002"), 0);
    drive (&engine);
    expect_skipped (&engine, "a b");
    engine_close (&engine);
}

/* A driver that was replaced wrote more events than its successor, whose
 * segment does not show: 5 is "stale" here, and "b" there.
 */
static void write_after_replaced (void)
{
    struct engine replaced, engine;
    struct journal *journal;

    begin_with (SKIP ("a"));
    drive (&replaced);
    drive (&engine);
    journal = journal_open (dir.path, 2, &engine.position);
    for (int i = 0; i < 2; i++) {
        struct json *event =
            json_of (i == 0 ? SKIP ("stale") : SKIP ("staler"));

        json_set (event, "n", json_int (journal_next (journal)));
        assert_int_equal (journal_append (journal, event, NULL), 0);
        json_unref (event);
    }
    journal_close (journal);
    record (&engine, SKIP ("b"));
    engine_close (&engine);
    engine_close (&replaced);
    assert_int_equal (rename (".fanfold/journal/000003", "late"), 0);
}

/* So the mark names the segment, too. */
static void test_newest_segment_seen_late (void **unused)
{
    struct error err = ERROR_INIT;
    struct engine engine;

    (void)unused;
    write_after_replaced ();
    assert_int_equal (rename (LAYOUT_STATE_FILE, "state"), 0);
    look (&engine);
    setenv ("FANFOLD_LEASE_S", "0.001", 1);
    assert_int_equal (engine_take_lease (&engine, &err), -1);
    unsetenv ("FANFOLD_LEASE_S");
    assert_non_null (strstr (err.text, "ends with segment 2 here, but the "
                                       "driver before wrote 3"));
    engine_close (&engine);
    assert_int_equal (rename ("late", ".fanfold/journal/000003"), 0);
    drive (&engine);
    expect_skipped (&engine, "a b");
    engine_close (&engine);
}

/* A journal without it is not whole, however many events it has: what was
 * written in its place is not taken for it.
 */
static void test_newest_segment_is_lost (void **unused)
{
    struct recovery recovery = RECOVERY_INIT;

    (void)unused;
    write_after_replaced ();
    assert_int_equal (campaign_recover (dir.path, NULL, &recovery, NULL), 0);
    assert_true (recovery.needed);
    assert_true (recovery.by_state);
    assert_int_equal (recovery.segment, 3);
    recovery_release (&recovery);
    expect_journal ("a b");
    recovery = (struct recovery)RECOVERY_INIT;
    assert_int_equal (campaign_recover (dir.path, NULL, &recovery, NULL), 0);
    assert_false (recovery.needed);
    recovery_release (&recovery);
}

/* What it wrote is none of what can be recovered, where the segment after it
 * tells that it was replaced.
 */
static void test_recovery_after_replaced (void **unused)
{
    static const char path[] = ".fanfold/journal/000003";
    struct recovery recovery = RECOVERY_INIT;
    struct strbuf late = STRBUF_INIT, text = STRBUF_INIT;
    size_t head;

    (void)unused;
    write_after_replaced ();
    assert_int_equal (file_read ("late", 1 << 20, &late, NULL), 0);
    head = strcspn (late.buf, "\n") + 1;
    strbuf_add (&text, late.buf, head);
    strbuf_add_str (&text, "no event\n");
    strbuf_add_str (&text, late.buf + head);
    assert_int_equal (file_write_atomic (path, text.buf, text.len, NULL), 0);
    assert_int_equal (unlink (LAYOUT_STATE_FILE), 0);
    assert_int_equal (campaign_recover (dir.path, NULL, &recovery, NULL), 0);
    assert_true (recovery.needed);
    recovery_release (&recovery);
    strbuf_release (&late);
    strbuf_release (&text);
    expect_journal ("a b");
}

/* --- what a driver that was killed, or stood still, wrote --- */

static void drive_and_die (const char *event)
{
    struct engine engine;
    pid_t pid = fork ();
    int status;

    assert_true (pid >= 0);
    if (pid == 0) {
        drive (&engine);
        record (&engine, event);
        _exit (0);
    }
    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_int_equal (status, 0);
}

/* It may be seen late, and left no mark: it is waited for. */
static void test_driver_that_stood_still_elsewhere (void **unused)
{
    static const int stop = 1; /* do not wait for it here */
    static const char holder[] = "{\"boot_id\": \"another\", \"pid\": 1}";
    struct error err = ERROR_INIT;
    struct engine engine;

    (void)unused;
    begin_with (SKIP ("a"));
    drive_and_die (SKIP ("b"));
    assert_int_equal (
        file_write_atomic (".fanfold/lock/2", holder, strlen (holder), NULL),
        0);
    setenv ("FANFOLD_LEASE_S", "0.01", 1);
    look (&engine);
    engine.stop = &stop;
    assert_int_equal (engine_take_lease (&engine, &err), -1);
    assert_non_null (strstr (err.text, "told to stop"));
    engine.stop = NULL;
    assert_int_equal (engine_take_lease (&engine, NULL), 0);
    expect_skipped (&engine, "a b");
    engine_close (&engine);
    unsetenv ("FANFOLD_LEASE_S");
}

/* Its mark must not count what can be lost with this host. */
static void test_events_of_the_killed_are_made_durable (void **unused)
{
    struct engine engine;

    (void)unused;
    begin_with (SKIP ("a"));
    drive_and_die (SKIP ("b"));
    fsync_watch (".fanfold/journal/000002");
    drive (&engine);
    expect_skipped (&engine, "a b");
    assert_int_equal (fsync_watched.times, 1);
    engine_close (&engine);
    drive (&engine); /* after one that gave the lease back: no need */
    assert_int_equal (fsync_watched.times, 1);
    engine_close (&engine);
}

/* Nor is it counted on while a driver that lives cannot sync it: neither its
 * mark nor its checkpoint says that it is there.
 */
static void test_event_that_could_not_be_synced (void **unused)
{
    struct engine engine;

    (void)unused;
    drive (&engine);
    record (&engine, BEGIN);
    fsync_watch (".fanfold/journal/000001");
    fsync_watched.fails = true;
    assert_int_equal (try_record (&engine, SKIP ("a")), -1);
    engine_close (&engine);
    assert_int_equal (access (LAYOUT_STATE_FILE, F_OK), -1);
    look (&engine);
    assert_int_equal (engine_take_lease (&engine, NULL), -1);
    fsync_watched.fails = false;
    fsync_watched.times = 0;
    assert_int_equal (engine_take_lease (&engine, NULL), 0);
    assert_int_equal (fsync_watched.times, 1);
    expect_skipped (&engine, "a");
    engine_close (&engine);
}

/* Nothing follows from a journal that was read in part. */
static void test_journal_gone_meanwhile (void **unused)
{
    struct error err = ERROR_INIT;
    struct engine engine;

    (void)unused;
    begin_with (SKIP ("a"));
    begin_with_more (SKIP ("b"));
    drive (&engine);
    assert_int_equal (rename (".fanfold/journal/000001", "gone"), 0);
    assert_int_equal (engine_fold_anew (&engine, &err), -1);
    assert_int_equal (engine_record (&engine, json_of (BEGIN), &err), -1);
    assert_non_null (strstr (err.text, "start again"));
    engine_close (&engine);
    assert_int_equal (rename ("gone", ".fanfold/journal/000001"), 0);
    expect_journal ("a b");
}

/* --- configurations that were taken on before --- */

static struct plan *count_recompiled (struct json *config, void *n)
{
    assert_int_equal (json_get_int (config, "a"), 1);
    ++*(int *)n;
    return NULL;
}

/* Each is compiled once, but iterations that were undone have others then. */
static void test_recorded_once (void **unused)
{
    struct engine engine;
    int n = 0;

    (void)unused;
    assert_int_equal (file_make_dirs ("config/iter/000000", NULL), 0);
    write_text ("config/iter/000000/config.json", "{\"a\": 1}");
    drive (&engine);
    engine.source =
        (struct plan_source){ .recompile = count_recompiled, .arg = &n };
    record (&engine, "{'ev':'campaign','id':'c','name':'n'}");
    record (&engine, "{'ev':'config','iteration':0,'number':0,'sha256':'a'}");
    record (&engine, "{'ev':'iteration','iteration':0}");
    engine_keep_prepared (&engine);
    assert_int_equal (n, 1); /* what an edit is compared with */
    record (&engine,
            "{'ev':'prepared','iteration':0,'stage':'label','tasks':1}");
    engine_keep_prepared (&engine);
    engine_keep_prepared (&engine);
    assert_int_equal (n, 1);
    record (&engine, "{'ev':'request','id':'r','kind':'redo','to':0,"
                     "'stages':[],'fresh':[],'number':1,'moves':[]}");
    engine_keep_prepared (&engine);
    assert_int_equal (n, 2);
    engine_close (&engine);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_record_and_open, enter, leave),
        cmocka_unit_test_setup_teardown (test_events_are_told, enter, leave),
        cmocka_unit_test_setup_teardown (test_one_driver, enter, leave),
        cmocka_unit_test_setup_teardown (test_checkpoints_only_save_time, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_what_was_read_is_off_the_chain,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_damaged_journal, enter, leave),
        cmocka_unit_test_setup_teardown (test_misfits_do_not_get_in, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_disk_full, enter, leave),
        cmocka_unit_test_setup_teardown (test_lease_lost, enter, leave),
        cmocka_unit_test_setup_teardown (test_lock_directory_deleted, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_journal_seen_late, enter, leave),
        cmocka_unit_test_setup_teardown (test_newest_segment_seen_late, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_newest_segment_is_lost, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_recovery_after_replaced, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (
            test_events_of_the_killed_are_made_durable, enter, leave),
        cmocka_unit_test_setup_teardown (test_driver_that_stood_still_elsewhere,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_event_that_could_not_be_synced,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_journal_gone_meanwhile, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_recorded_once, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
