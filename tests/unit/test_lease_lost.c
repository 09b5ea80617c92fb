/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lease_lost.c - a lease that is taken over, watched and raced for */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "lease_scene.h"
#include "fsync_calls.h"

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
    lease_release (lease, NULL); /* and gives back nothing */
    assert_false (file_exists (LOCK "/1.free"));
    assert_int_equal (lease_check (other, NULL), 0);
    assert_true (file_exists (LOCK "/3"));
    lease_release (other, NULL);
}

/* What it knew to be done is not handed on by one that was replaced. */
static void test_mark_of_the_replaced (void **state)
{
    struct lease *lease = acquire (SHORT_S);
    struct lease *other;

    (void)state;
    forge_holder (2, "far");
    other = acquire (SHORT_S);
    release_with (lease, 9, 9);
    assert_false (file_exists (LOCK "/1.free"));
    lease_release (other, NULL);
}

static void test_how_the_holder_before_ended (void **state)
{
    struct lease *lease = acquire (SHORT_S);

    (void)state;
    assert_false (lease_after_crash (lease));
    assert_false (lease_after_standstill (lease));
    lease_release (lease, NULL);
    forge_holder (2, "far");
    lease = acquire (SHORT_S);
    assert_true (lease_after_crash (lease));
    assert_true (lease_after_standstill (lease));
    lease_release (lease, NULL);
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
    release_with (lease, 9, 9);
    lease = acquire (SHORT_S);
    assert_int_equal (lease_mark (lease).n, 9);
    lease_release (lease, NULL);
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
    lease_release (lease, NULL);
}

static void test_lock_directory_vanished (void **state)
{
    struct lease *lease = acquire (SHORT_S);

    (void)state;
    assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    assert_int_equal (lease_check (lease, NULL), -1);
    lease_heartbeat (lease);
    lease_release (lease, NULL);
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
    lease_release (lease, NULL);
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
    lease_release (lease, NULL);
    lease = acquire (0.06);
    clock_sleep (0.011, NULL);
    lease_heartbeat (lease);
    assert_int_equal (beat_now (), 2);
    lease_release (lease, NULL);
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
    lease_release (lease, NULL);
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

    if (lease_acquire (dir.path, LONG_S, NULL, &lease, NULL) != LEASE_OK)
        _exit (0);
    if (atomic_fetch_add (&race->holders, 1) != 0)
        atomic_fetch_add (&race->collisions, 1);
    atomic_fetch_add (&race->won, 1);
    atomic_fetch_add (&race->epochs[lease_epoch (lease)], 1);
    if (lease_check (lease, NULL) < 0)
        atomic_fetch_add (&race->collisions, 1);
    atomic_fetch_sub (&race->holders, 1);
    if (number % 2 == 0)
        lease_release (lease, NULL);
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
        TEST (test_taken_over),
        TEST (test_mark_of_the_replaced),
        TEST (test_how_the_holder_before_ended),
        TEST (test_never_released_without_its_mark),
        TEST (test_later_name_that_cannot_be_read),
        TEST (test_lock_directory_vanished),
        TEST (test_number_used_before),
        TEST (test_beat),
        TEST (test_peek),
        TEST (test_racers),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
