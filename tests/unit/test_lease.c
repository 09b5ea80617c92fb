/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lease.c - one driver at a time, whoever dies and whoever races */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strvec.h"
#include "in_temp_dir.h"
#include "space/lease.h"
#include "fsync_calls.h"

#define LOCK ".fanfold/lock"
#define SHORT_S 0.2
#define MIDDLE_S 10.0
#define LONG_S 1000.0

static struct lease *acquire (double lease_s)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    if (lease_acquire (dir.path, lease_s, &lease, &err) != LEASE_OK)
        fail_msg ("%s", err.text);
    assert_int_equal (lease_check (lease, NULL), 0);
    return lease;
}

static void expect_busy (double lease_s, const char *who)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    assert_int_equal (lease_acquire (dir.path, lease_s, &lease, &err),
                      LEASE_BUSY);
    assert_null (lease);
    assert_non_null (strstr (err.text, who));
}

/* Another process of this host asks. */
static void expect_busy_for_others (void)
{
    struct lease *lease;
    pid_t pid = fork ();
    int status;

    assert_true (pid >= 0);
    if (pid == 0)
        _exit (lease_acquire (dir.path, SHORT_S, &lease, NULL) == LEASE_BUSY
                   ? 0
                   : 1);
    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_int_equal (status, 0);
}

/* A process that does 'work', which says when it is ready and never ends. */
static pid_t start_child (void (*work) (int ready))
{
    int ready[2];
    char byte;
    pid_t pid;

    assert_int_equal (pipe (ready), 0);
    pid = fork ();
    assert_true (pid >= 0);
    if (pid == 0) {
        work (ready[1]);
        for (;;)
            pause ();
    }
    close (ready[1]);
    assert_int_equal (read (ready[0], &byte, 1), 1);
    close (ready[0]);
    return pid;
}

static void say_ready (int ready)
{
    if (write (ready, "x", 1) != 1)
        _exit (1);
}

static void end_child (pid_t pid)
{
    assert_int_equal (kill (pid, SIGKILL), 0);
    assert_int_equal (waitpid (pid, NULL, 0), pid);
}

static void hold (int ready)
{
    struct lease *lease;

    if (lease_acquire (dir.path, LONG_S, &lease, NULL) != LEASE_OK)
        _exit (1);
    say_ready (ready);
}

/* A record as a driver on another host would have left it. */
static void forge_holder (int64_t epoch, const char *host)
{
    char path[64];
    struct json *record = json_object ();

    json_set (record, "format", json_int (1));
    json_set (record, "epoch", json_int (epoch));
    json_set (record, "host", json_string (host));
    json_set (record, "boot_id", json_string ("not this boot"));
    json_set (record, "pid_namespace", json_int (1));
    json_set (record, "pid", json_int (4711));
    json_set (record, "start_ticks", json_int (1));
    snprintf (path, sizeof (path), LOCK "/%" PRId64, epoch);
    assert_int_equal (file_make_dirs (LOCK, NULL), 0);
    assert_int_equal (json_write_file (path, record, NULL), 0);
    json_unref (record);
}

/* --- one after the other --- */

static void test_epochs_grow (void **state)
{
    struct strvec names = STRVEC_INIT;

    (void)state;
    for (int64_t epoch = 1; epoch <= 12; epoch++) {
        struct lease *lease = acquire (SHORT_S);

        assert_int_equal (lease_epoch (lease), epoch);
        expect_busy_for_others ();
        lease_release (lease, 0);
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
    lease_release (lease, 3);
    assert_true (fsync_watched.name_lasts);
    lease = acquire (SHORT_S);
    fsync_watch (LOCK "/2.free");
    lease_release (lease, 0);
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
    lease_release (kept, 0);
    lease_release (lease, 0);
}

/* What one holder says was done, the next ones know, also after a crash. */
static void test_marks_are_handed_on (void **state)
{
    struct lease *lease = acquire (SHORT_S);

    (void)state;
    assert_int_equal (lease_mark (lease), 0);
    lease_release (lease, 7);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease), 7);
    lease_release (lease, 0);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease), 7);
    lease_release (lease, 5); /* they do not sink */
    end_child (start_child (hold));
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease), 7);
    lease_release (lease, 9);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease), 9);
    lease_release (lease, 0);
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
        assert_int_equal (lease_mark (lease), 0);
        lease_release (lease, 0);
    }
    write_long (LOCK "/99.free");
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease), 0);
    lease_release (lease, 0);
}

/* A holder before us that would not learn that it was replaced. */
static void test_old_name_that_stays (void **state)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_make_dirs (LOCK "/3/x", NULL), 0);
    write_text (LOCK "/7.free", "");
    assert_int_equal (lease_acquire (dir.path, SHORT_S, &lease, &err),
                      LEASE_FAILED);
    assert_non_null (strstr (err.text, "cannot remove the old lock"));
    assert_int_equal (file_remove_tree (LOCK "/3", NULL, NULL), 0);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_epoch (lease), 8);
    lease_release (lease, 0);
}

/* A holder that cannot be read may be at work. */
static void test_holder_that_cannot_be_read (void **state)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_make_dirs (LOCK, NULL), 0);
    assert_int_equal (symlink ("4", LOCK "/4"), 0); /* ELOOP */
    assert_int_equal (lease_acquire (dir.path, SHORT_S, &lease, &err),
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
    lease_release (lease, 0);
}

static void test_no_directory_to_be_had (void **state)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    (void)state;
    write_text (".fanfold", "a file");
    assert_int_equal (lease_acquire (dir.path, SHORT_S, &lease, &err),
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
    lease_release (lease, 0);
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
    lease_release (lease, 0);
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
    lease_release (lease, 0);
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
    lease_release (lease, 0);
}

static void test_no_beat_elsewhere (void **state)
{
    struct lease *lease;

    (void)state;
    forge_holder (1, "far");
    lease = acquire (SHORT_S);
    lease_release (lease, 0);
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
    lease_release (lease, 0);
    end_child (pid);
}

/* --- losing it --- */

static void test_taken_over (void **state)
{
    struct lease *lease = acquire (SHORT_S);
    struct lease *other;
    struct error err = ERROR_INIT;

    (void)state;
    forge_holder (2, "far");
    assert_int_equal (lease_check (lease, &err), -1);
    assert_non_null (strstr (err.text, "another driver took over"));
    other = acquire (SHORT_S); /* which removes our name */
    assert_int_equal (lease_check (lease, NULL), -1);
    lease_release (lease, 0); /* and gives back nothing */
    assert_false (file_exists (LOCK "/1.free"));
    assert_int_equal (lease_check (other, NULL), 0);
    assert_true (file_exists (LOCK "/3"));
    lease_release (other, 0);
}

/* What it knew to be done is not handed on by one that was replaced. */
static void test_mark_of_the_replaced (void **state)
{
    struct lease *lease = acquire (SHORT_S);
    struct lease *other;

    (void)state;
    forge_holder (2, "far");
    other = acquire (SHORT_S);
    lease_release (lease, 9);
    assert_false (file_exists (LOCK "/1.free"));
    lease_release (other, 0);
}

static void test_how_the_holder_before_ended (void **state)
{
    struct lease *lease = acquire (SHORT_S);

    (void)state;
    assert_false (lease_after_crash (lease));
    assert_false (lease_after_standstill (lease));
    lease_release (lease, 0);
    forge_holder (2, "far");
    lease = acquire (SHORT_S);
    assert_true (lease_after_crash (lease));
    assert_true (lease_after_standstill (lease));
    lease_release (lease, 0);
}

/* Who comes next must wait until he sees what was done, or a directory that is
 * seen late lets him do it again.
 */
static void test_never_released_without_its_mark (void **state)
{
    struct lease *lease = acquire (SHORT_S);

    (void)state;
    assert_int_equal (unlink (LOCK "/1"), 0);
    assert_int_equal (symlink ("1", LOCK "/1"), 0); /* ELOOP */
    lease_release (lease, 9);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease), 9);
    lease_release (lease, 0);
}

/* Whether somebody took over cannot be known. */
static void test_later_name_that_cannot_be_read (void **state)
{
    struct lease *lease = acquire (SHORT_S);
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (symlink ("2", LOCK "/2"), 0); /* ELOOP */
    assert_int_equal (lease_check (lease, &err), -1);
    assert_non_null (strstr (err.text, "cannot look at the lock"));
    assert_int_equal (unlink (LOCK "/2"), 0);
    assert_int_equal (lease_check (lease, NULL), 0);
    lease_release (lease, 0);
}

static void test_lock_directory_vanished (void **state)
{
    struct lease *lease = acquire (SHORT_S);

    (void)state;
    assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    assert_int_equal (lease_check (lease, NULL), -1);
    lease_heartbeat (lease);
    lease_release (lease, 0);
    assert_false (file_exists (".fanfold"));
}

/* Somebody listed the directory long ago and links a number that was used
 * and given back meanwhile.
 */
static void test_number_used_before (void **state)
{
    struct lease *lease;
    struct error err = ERROR_INIT;

    (void)state;
    forge_holder (5, "far");
    write_text (LOCK "/5.free", "{}");
    lease = acquire (LONG_S); /* 5 is free, whoever else linked it */
    assert_int_equal (lease_epoch (lease), 6);
    assert_false (file_exists (LOCK "/5"));
    assert_false (file_exists (LOCK "/5.free"));
    assert_int_equal (lease_check (lease, &err), 0);
    lease_release (lease, 0);
}

/* --- the beat --- */

static int64_t beat_now (void)
{
    struct json *beat = json_read_file (LOCK "/beat", NULL);
    int64_t n = json_as_int (json_get (beat, "beat"));

    json_unref (beat);
    return n;
}

static void test_beat (void **state)
{
    struct lease *lease = acquire (LONG_S);

    (void)state;
    assert_int_equal (beat_now (), 1);
    lease_heartbeat (lease); /* too soon */
    assert_int_equal (beat_now (), 1);
    lease_release (lease, 0);
    lease = acquire (0.06);
    clock_sleep (0.011, NULL);
    lease_heartbeat (lease);
    assert_int_equal (beat_now (), 2);
    lease_release (lease, 0);
}

/* --- looking --- */

static void test_peek (void **state)
{
    struct lease_holder holder = { .pid = 1 };
    struct lease *lease;
    pid_t pid;

    (void)state;
    assert_int_equal (lease_peek (dir.path, &holder, NULL), 0);
    assert_false (holder.held);
    assert_int_equal (holder.pid, 0);

    lease = acquire (LONG_S);
    assert_int_equal (lease_peek (dir.path, &holder, NULL), 0);
    assert_true (holder.held && holder.certain);
    assert_int_equal (holder.epoch, 1);
    assert_int_equal (holder.pid, getpid ());
    assert_true (holder.host[0]);
    lease_release (lease, 0);
    assert_int_equal (lease_peek (dir.path, &holder, NULL), 0);
    assert_false (holder.held);

    pid = start_child (hold);
    end_child (pid);
    assert_int_equal (lease_peek (dir.path, &holder, NULL), 0);
    assert_false (holder.held);
    assert_true (holder.certain);
    assert_int_equal (holder.pid, pid);

    forge_holder (9, "far");
    assert_int_equal (lease_peek (dir.path, &holder, NULL), 0);
    assert_true (holder.held);
    assert_false (holder.certain);
    assert_string_equal (holder.host, "far");
    assert_int_equal (holder.epoch, 9);
}

/* --- racing --- */

enum { RACERS = 6, ROUNDS = 50, EPOCHS = RACERS * ROUNDS + 1 };

struct race {
    atomic_int holders;
    atomic_int collisions;
    atomic_int won;
    atomic_int epochs[EPOCHS]; /* how often each was given away */
};

/* One racer: odd ones die while they hold it. */
static void run_race (struct race *race, int number)
{
    struct lease *lease;

    if (lease_acquire (dir.path, LONG_S, &lease, NULL) != LEASE_OK)
        _exit (0);
    if (atomic_fetch_add (&race->holders, 1) != 0)
        atomic_fetch_add (&race->collisions, 1);
    atomic_fetch_add (&race->won, 1);
    atomic_fetch_add (&race->epochs[lease_epoch (lease)], 1);
    if (lease_check (lease, NULL) < 0)
        atomic_fetch_add (&race->collisions, 1);
    atomic_fetch_sub (&race->holders, 1);
    if (number % 2 == 0)
        lease_release (lease, 0);
    _exit (0);
}

static void race_once (struct race *race)
{
    int gate[2];
    pid_t pids[RACERS];

    assert_int_equal (pipe (gate), 0);
    for (int i = 0; i < RACERS; i++) {
        pids[i] = fork ();
        assert_true (pids[i] >= 0);
        if (pids[i] == 0) {
            char byte;

            close (gate[1]);
            if (read (gate[0], &byte, 1) == 0)
                run_race (race, i);
            _exit (1);
        }
    }
    close (gate[0]);
    close (gate[1]); /* go */
    for (int i = 0; i < RACERS; i++) {
        int status;

        assert_int_equal (waitpid (pids[i], &status, 0), pids[i]);
        assert_int_equal (status, 0);
    }
}

static void test_racers (void **state)
{
    struct race *race = mmap (NULL, sizeof (*race), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_true (race != MAP_FAILED);
    for (int round = 1; round <= ROUNDS; round++) {
        race_once (race);
        assert_int_equal (race->collisions, 0);
        assert_true (race->won >= round); /* somebody always gets it */
    }
    for (int epoch = 0; epoch < EPOCHS; epoch++)
        assert_true (race->epochs[epoch] <= 1);
    munmap (race, sizeof (*race));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_epochs_grow, enter, leave),
        cmocka_unit_test_setup_teardown (test_names_last, enter, leave),
        cmocka_unit_test_setup_teardown (test_own_name_that_stays, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_marks_are_handed_on, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_marks_of_strangers, enter, leave),
        cmocka_unit_test_setup_teardown (test_old_name_that_stays, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_holder_that_cannot_be_read, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_stray_names_are_no_epochs, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_no_directory_to_be_had, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_living_holder, enter, leave),
        cmocka_unit_test_setup_teardown (test_dead_holder_is_replaced_at_once,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_zombie_is_dead, enter, leave),
        cmocka_unit_test_setup_teardown (test_reused_pid, enter, leave),
        cmocka_unit_test_setup_teardown (test_still_beat_elsewhere, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_no_beat_elsewhere, enter, leave),
        cmocka_unit_test_setup_teardown (test_beating_holder_elsewhere, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_released_while_watched, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_taken_over, enter, leave),
        cmocka_unit_test_setup_teardown (test_how_the_holder_before_ended,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_never_released_without_its_mark,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_mark_of_the_replaced, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_later_name_that_cannot_be_read,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_lock_directory_vanished, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_number_used_before, enter, leave),
        cmocka_unit_test_setup_teardown (test_beat, enter, leave),
        cmocka_unit_test_setup_teardown (test_peek, enter, leave),
        cmocka_unit_test_setup_teardown (test_racers, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
