/* SPDX-License-Identifier: BSD-3-Clause */
/* lease_scene.h - drivers that hold a lease, here and elsewhere */
#ifndef TESTS_LEASE_SCENE_H
#define TESTS_LEASE_SCENE_H

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "in_temp_dir.h"
#include "space/lease.h"

#define LOCK ".fanfold/lock"
#define SHORT_S 0.2
#define MIDDLE_S 10.0
#define LONG_S 1000.0

static inline struct lease *acquire (double lease_s)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    if (lease_acquire (dir.path, lease_s, NULL, &lease, &err) != LEASE_OK)
        fail_msg ("%s", err.text);
    assert_int_equal (lease_check (lease, NULL), 0);
    return lease;
}

/* Give it back with a mark. */
static inline void release_with (struct lease *lease, int64_t n,
                                 int64_t segment)
{
    lease_release (lease, &(struct lease_mark){ n, segment });
}

static inline void expect_busy (double lease_s, const char *who)
{
    struct lease *lease = NULL;
    struct error err = ERROR_INIT;

    assert_int_equal (lease_acquire (dir.path, lease_s, NULL, &lease, &err),
                      LEASE_BUSY);
    assert_null (lease);
    assert_non_null (strstr (err.text, who));
}

/* Another process of this host asks. */
static inline void expect_busy_for_others (void)
{
    struct lease *lease;
    pid_t pid = fork ();
    int status;

    assert_true (pid >= 0);
    if (pid == 0)
        _exit (lease_acquire (dir.path, SHORT_S, NULL, &lease, NULL)
                       == LEASE_BUSY
                   ? 0
                   : 1);
    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_int_equal (status, 0);
}

/* A process that does 'work', which says when it is ready and never ends. */
static inline pid_t start_child (void (*work) (int ready))
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

static inline void say_ready (int ready)
{
    if (write (ready, "x", 1) != 1)
        _exit (1);
}

static inline void end_child (pid_t pid)
{
    assert_int_equal (kill (pid, SIGKILL), 0);
    assert_int_equal (waitpid (pid, NULL, 0), pid);
}

static inline void hold (int ready)
{
    struct lease *lease;

    if (lease_acquire (dir.path, LONG_S, NULL, &lease, NULL) != LEASE_OK)
        _exit (1);
    say_ready (ready);
}

/* A record as a driver on another host would have left it. */
static inline void forge_holder (int64_t epoch, const char *host)
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

#define TEST(name) cmocka_unit_test_setup_teardown (name, enter, leave)

#endif /* !TESTS_LEASE_SCENE_H */
