/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lease.c - one driver at a time, whoever held it before */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/clock.h"
#include "lease_scene.h"
#include "fsync_calls.h"

/* --- one after the other --- */

static void test_epochs_grow (void **state)
{
    struct strvec names = STRVEC_INIT;

    (void)state;
    for (int64_t epoch = 1; epoch <= 12; epoch++) {
        struct lease *lease = acquire (SHORT_S);

        assert_int_equal (lease_epoch (lease), epoch);
        expect_busy_for_others ();
        lease_release (lease, NULL);
    }
    /* earlier names are gone; so is whatever helped to make them */
    assert_int_equal (file_list_dir (LOCK, &names, NULL), 0);
    assert_int_equal (names.n, 2);
    assert_string_equal (names.v[0], "12.free");
    assert_string_equal (names.v[1], "beat");
    strvec_release (&names);
    lease_release (NULL, 0);
}

/* Taken, given back with what is known and without: each name lasts. */
static void test_names_last (void **state)
{
    struct lease *lease;

    (void)state;
    fsync_watch (LOCK "/1");
    lease = acquire (SHORT_S);
    assert_true (fsync_watched.name_lasts);
    fsync_watch (LOCK "/1.free");
    release_with (lease, 3, 3);
    assert_true (fsync_watched.name_lasts);
    lease = acquire (SHORT_S);
    fsync_watch (LOCK "/2.free");
    lease_release (lease, NULL);
    assert_true (fsync_watched.name_lasts);
}

/* What a driver could not give back it takes again, or it waits for itself. */
static void test_own_name_that_stays (void **state)
{
    struct lease *kept = acquire (LONG_S);
    struct lease *lease = acquire (LONG_S);

    (void)state;
    assert_int_equal (lease_epoch (lease), 2);
    assert_true (lease_after_crash (lease));
    assert_int_equal (lease_check (kept, NULL), -1);
    expect_busy_for_others ();
    lease_release (kept, NULL);
    lease_release (lease, NULL);
}

/* What one holder says was done, the next ones know, also after a crash. */
static void test_marks_are_handed_on (void **state)
{
    struct lease *lease = acquire (SHORT_S);

    (void)state;
    assert_int_equal (lease_mark (lease).n, 0);
    release_with (lease, 7, 7);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease).n, 7);
    lease_release (lease, NULL);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease).n, 7);
    release_with (lease, 5, 5); /* they do not sink */
    end_child (start_child (hold));
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease).n, 7);
    release_with (lease, 9, 8);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease).n, 9);
    assert_int_equal (lease_mark (lease).segment, 8);
    lease_release (lease, NULL);
    end_child (start_child (hold));
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease).segment, 8);
    lease_release (lease, NULL);
}

/* Far more than any record. */
static void write_long (const char *path)
{
    char text[10001];

    memset (text, ' ', sizeof (text) - 1);
    text[sizeof (text) - 1] = '\0';
    write_text (path, text);
}

/* A free name made by hand says nothing, a damaged one no more. */
static void test_marks_of_strangers (void **state)
{
    static const char *const texts[] = { "", "{", "[1]", "{\"mark\": \"x\"}" };

    struct lease *lease;

    (void)state;
    assert_int_equal (file_make_dirs (LOCK, NULL), 0);
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        char path[64];

        snprintf (path, sizeof (path), LOCK "/%zu.free", 10 * i + 10);
        write_text (path, texts[i]);
        lease = acquire (SHORT_S);
        assert_int_equal (lease_epoch (lease), 10 * i + 11);
        assert_int_equal (lease_mark (lease).n, 0);
        lease_release (lease, NULL);
    }
    write_long (LOCK "/99.free");
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease).n, 0);
    lease_release (lease, NULL);
}

/* A holder before us that would not learn that it was replaced. */
static void test_old_name_that_stays (void **state)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_make_dirs (LOCK "/3/x", NULL), 0);
    write_text (LOCK "/7.free", "");
    assert_int_equal (lease_acquire (dir.path, SHORT_S, NULL, &lease, &err),
                      LEASE_FAILED);
    assert_non_null (strstr (err.text, "cannot remove the old lock"));
    assert_int_equal (file_remove_tree (LOCK "/3", NULL, NULL), 0);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_epoch (lease), 8);
    lease_release (lease, NULL);
}

/* A holder that cannot be read may be at work. */
static void test_holder_that_cannot_be_read (void **state)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_make_dirs (LOCK, NULL), 0);
    assert_int_equal (symlink ("4", LOCK "/4"), 0); /* ELOOP */
    assert_int_equal (lease_acquire (dir.path, SHORT_S, NULL, &lease, &err),
                      LEASE_FAILED);
    assert_non_null (strstr (err.text, "/4"));
    assert_null (lease);
    assert_int_equal (unlink (LOCK "/4"), 0);
    assert_false (file_exists (LOCK "/5"));
}

static void test_stray_names_are_no_epochs (void **state)
{
    static const char *const stray[] = {
        "new.abcdefgh", "0", "-7", "9x", "9.", "9.freed", "99999999999999999999"
    };
    struct lease *lease;

    (void)state;
    assert_int_equal (file_make_dirs (LOCK, NULL), 0);
    for (size_t i = 0; i < ARRAY_SIZE (stray); i++) {
        char path[64];

        snprintf (path, sizeof (path), LOCK "/%s", stray[i]);
        write_text (path, "");
    }
    lease = acquire (SHORT_S);
    assert_int_equal (lease_epoch (lease), 1);
    lease_release (lease, NULL);
}

static void test_no_directory_to_be_had (void **state)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    (void)state;
    write_text (".fanfold", "a file");
    assert_int_equal (lease_acquire (dir.path, SHORT_S, NULL, &lease, &err),
                      LEASE_FAILED);
    assert_non_null (strstr (err.text, ".fanfold"));
}

/* --- holders on this host --- */

static void test_living_holder (void **state)
{
    pid_t pid = start_child (hold);
    char who[64];
    double began_s = clock_mono_s ();

    (void)state;
    snprintf (who, sizeof (who), "pid %d on ", (int)pid);
    expect_busy (LONG_S, who);
    expect_busy (0, who); /* however still its beat stands */
    assert_true (clock_mono_s () - began_s < LONG_S / 10);
    end_child (pid);
}

static void test_dead_holder_is_replaced_at_once (void **state)
{
    double began_s = clock_mono_s ();
    struct lease *lease;

    (void)state;
    end_child (start_child (hold));
    lease = acquire (LONG_S);
    assert_int_equal (lease_epoch (lease), 2);
    assert_true (clock_mono_s () - began_s < LONG_S / 10);
    lease_release (lease, NULL);
}

static void test_zombie_is_dead (void **state)
{
    pid_t pid = start_child (hold);
    siginfo_t info;
    struct lease *lease;

    (void)state;
    assert_int_equal (kill (pid, SIGKILL), 0);
    assert_int_equal (waitid (P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    lease = acquire (LONG_S);
    lease_release (lease, NULL);
    assert_int_equal (waitpid (pid, NULL, 0), pid);
}

/* A pid that was given to somebody else since. */
static void test_reused_pid (void **state)
{
    pid_t pid = start_child (hold);
    struct json *record = json_read_file (LOCK "/1", NULL);
    struct lease *lease;

    (void)state;
    assert_non_null (record);
    json_set (record, "start_ticks",
              json_int (json_as_int (json_get (record, "start_ticks")) - 1));
    assert_int_equal (json_write_file (LOCK "/1", record, NULL), 0);
    json_unref (record);
    lease = acquire (LONG_S);
    assert_int_equal (lease_epoch (lease), 2);
    lease_release (lease, NULL);
    end_child (pid);
}

/* --- holders elsewhere --- */

static void test_still_beat_elsewhere (void **state)
{
    double began_s;
    struct lease *lease;

    (void)state;
    forge_holder (6, "far");
    write_text (LOCK "/beat", "{\"epoch\": 6, \"beat\": 3}\n");
    began_s = clock_mono_s ();
    lease = acquire (SHORT_S);
    assert_int_equal (lease_epoch (lease), 7);
    assert_true (clock_mono_s () - began_s >= SHORT_S);
    lease_release (lease, NULL);
}

static void test_no_beat_elsewhere (void **state)
{
    struct lease *lease;

    (void)state;
    forge_holder (1, "far");
    lease = acquire (SHORT_S);
    lease_release (lease, NULL);
}

static void beat_on (int ready)
{
    say_ready (ready);
    for (int n = 0;; n++) {
        struct json *beat = json_int (n);

        json_write_file (LOCK "/beat", beat, NULL);
        json_unref (beat);
        clock_sleep (SHORT_S / 20, NULL);
    }
}

static void test_beating_holder_elsewhere (void **state)
{
    pid_t pid;
    double began_s;

    (void)state;
    forge_holder (3, "far");
    pid = start_child (beat_on);
    began_s = clock_mono_s ();
    expect_busy (MIDDLE_S, "pid 4711 on far");
    assert_true (clock_mono_s () - began_s < MIDDLE_S / 2);
    end_child (pid);
}

static void let_go_soon (int ready)
{
    say_ready (ready);
    clock_sleep (SHORT_S, NULL);
    rename (LOCK "/3", LOCK "/3.free");
}

/* Who waits for a beat sees that the lock was given back meanwhile. */
static void test_released_while_watched (void **state)
{
    double began_s;
    pid_t pid;
    struct lease *lease;

    (void)state;
    forge_holder (3, "far");
    began_s = clock_mono_s ();
    pid = start_child (let_go_soon);
    lease = acquire (MIDDLE_S);
    assert_true (clock_mono_s () - began_s < MIDDLE_S / 2);
    assert_int_equal (lease_epoch (lease), 4);
    lease_release (lease, NULL);
    end_child (pid);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        TEST (test_epochs_grow),
        TEST (test_names_last),
        TEST (test_own_name_that_stays),
        TEST (test_marks_are_handed_on),
        TEST (test_marks_of_strangers),
        TEST (test_old_name_that_stays),
        TEST (test_holder_that_cannot_be_read),
        TEST (test_stray_names_are_no_epochs),
        TEST (test_no_directory_to_be_had),
        TEST (test_living_holder),
        TEST (test_dead_holder_is_replaced_at_once),
        TEST (test_zombie_is_dead),
        TEST (test_reused_pid),
        TEST (test_still_beat_elsewhere),
        TEST (test_no_beat_elsewhere),
        TEST (test_beating_holder_elsewhere),
        TEST (test_released_while_watched),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
