/* SPDX-License-Identifier: BSD-3-Clause */
/* test_short_path.c - short names for directories in which tasks work
 *
 * They are in /tmp, of which the test has one of its own; where that cannot be
 * had nothing is shown.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/short_path.h"
#include "base/file.h"
#include "temp_dir.h"

#define CAMPAIGN "a-campaign-in-a-directory-that-has-a-name-of-many-letters"
#define LONG "/tmp/" CAMPAIGN "/and-one-below-it/work/0.0"

static char base[64]; /* where the links are */

static bool tell (const char *path, const char *text)
{
    FILE *file = fopen (path, "w");

    return file && fputs (text, file) >= 0 && fclose (file) == 0;
}

/* Whoever we are, and no other. */
static bool map_user (void)
{
    char users[64], groups[64];

    snprintf (users, sizeof (users), "%u %u 1", (unsigned)geteuid (),
              (unsigned)geteuid ());
    snprintf (groups, sizeof (groups), "%u %u 1", (unsigned)getegid (),
              (unsigned)getegid ());
    return unshare (CLONE_NEWUSER | CLONE_NEWNS) == 0
           && tell ("/proc/self/uid_map", users)
           && tell ("/proc/self/setgroups", "deny")
           && tell ("/proc/self/gid_map", groups);
}

/* A /tmp that nobody else sees. */
static bool have_own_tmp (void)
{
    return (geteuid () == 0 ? unshare (CLONE_NEWNS) == 0 : map_user ())
           && mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0
           && mount ("tmp", "/tmp", "tmpfs", 0, NULL) == 0;
}

static int enter (void **state)
{
    static const char *const made[] = { base, "/tmp/x", "/tmp/other",
                                        "/tmp/" CAMPAIGN };

    (void)state;
    snprintf (base, sizeof (base), "/tmp/fanfold-%u", (unsigned)geteuid ());
    for (size_t i = 0; i < ARRAY_SIZE (made); i++)
        assert_int_equal (file_remove_tree (made[i], NULL, NULL), 0);
    return 0;
}

static void expect_link (const char *path, const char *to)
{
    char *target = file_read_link (path, NULL);

    assert_non_null (target);
    assert_string_equal (target, to);
    free (target);
}

static void test_short_enough (void **state)
{
    (void)state;
    assert_null (short_path_make ("/tmp/short"));
    assert_false (file_exists (base));
}

static void test_link (void **state)
{
    char *path, *again, *other;
    struct stat st;

    (void)state;
    path = short_path_make (LONG);
    assert_non_null (path);
    expect_link (path, LONG);
    assert_true (strlen (path) < 44);
    assert_int_equal (stat (base, &st), 0);
    assert_int_equal (st.st_mode & 0777, 0700);
    assert_true (file_exists (LONG)); /* so that nobody takes it for dead */
    again = short_path_make (LONG);
    assert_string_equal (again, path);
    other = short_path_make (LONG ".1");
    assert_string_not_equal (other, path);
    expect_link (path, LONG); /* it was not in the way */
    short_path_remove (other);
    short_path_remove (again);
    assert_int_equal (lstat (path, &st), -1);
    free (path);
}

/* Others could lead programs elsewhere: there is no short name then. */
static void test_base_of_others (void **state)
{
    static const char *const makings[] = {
        "mkdir -m 755 $BASE",
        "mkdir -m 770 $BASE",
        "mkdir -m 701 $BASE",
        "touch $BASE",
        "mkdir /tmp/x; ln -s x $BASE",
        "ln -s nowhere $BASE",
        "mkdir -m 700 $BASE; chown 7 $BASE",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (makings); i++) {
        if (strstr (makings[i], "chown") && geteuid () != 0)
            continue;
        print_message ("# %s\n", makings[i]);
        enter (NULL);
        setenv ("BASE", base, 1);
        assert_int_equal (system (makings[i]), 0);
        assert_null (short_path_make (LONG));
    }
}

/* A name that leads elsewhere is another's, and stays. */
static void test_link_that_leads_elsewhere (void **state)
{
    static const char *const targets[] = { "/tmp", "/tmp/other", LONG "/", "" };
    char *path = short_path_make (LONG);

    (void)state;
    assert_int_equal (mkdir ("/tmp/other", 0700), 0);
    for (size_t i = 0; targets[i][0]; i++) {
        assert_int_equal (unlink (path), 0);
        assert_int_equal (symlink (targets[i], path), 0);
        assert_null (short_path_make (LONG));
        expect_link (path, targets[i]);
    }
    free (path);
}

/* Of directories that are gone, and no others. */
static void test_dangling (void **state)
{
    char *gone = short_path_make (LONG), *path;

    (void)state;
    assert_int_equal (rmdir (LONG), 0);
    path = short_path_make (LONG ".1");
    expect_link (path, LONG ".1");
    assert_null (file_read_link (gone, NULL));
    free (short_path_make (LONG ".2"));
    expect_link (path, LONG ".1");
    short_path_remove (path);
    free (gone);
}

#define FRESH(test) cmocka_unit_test_setup (test, enter)

int main (void)
{
    const struct CMUnitTest tests[] = {
        FRESH (test_short_enough),   FRESH (test_link),
        FRESH (test_base_of_others), FRESH (test_link_that_leads_elsewhere),
        FRESH (test_dangling),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    if (!have_own_tmp ()) {
        printf ("1..0 # SKIP no /tmp of its own: %s\n", strerror (errno));
        return 0;
    }
    return cmocka_run_group_tests (tests, NULL, NULL);
}
