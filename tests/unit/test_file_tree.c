/* SPDX-License-Identifier: BSD-3-Clause */
/* test_file_tree.c - whole trees: remove, copy, link, measure */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file_copy.h"
#include "base/heartbeat.h"
#include "temp_dir.h"

/* d: a file, an executable, a link, and a directory of mode 0555 with a file.
 */
static int enter (void **state)
{
    struct temp_dir *dir = malloc (sizeof (*dir));

    assert_non_null (dir);
    temp_dir_enter (dir);
    umask (022);
    assert_int_equal (file_make_dirs ("d/locked", NULL), 0);
    write_text ("d/file", "12345");
    write_text ("d/program", "#!/bin/sh\n");
    assert_int_equal (chmod ("d/program", 0755), 0);
    assert_int_equal (symlink ("../outside", "d/link"), 0);
    write_text ("d/locked/inner", "678");
    assert_int_equal (chmod ("d/locked", 0555), 0);
    assert_int_equal (mkdir ("outside", 0777), 0);
    write_text ("outside/precious", "keep");
    *state = dir;
    return 0;
}

static int leave (void **state)
{
    temp_dir_leave (*state);
    free (*state);
    return 0;
}

static mode_t mode_of (const char *path)
{
    struct stat st;

    assert_int_equal (lstat (path, &st), 0);
    return st.st_mode & 07777;
}

static void test_replace (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_make_dirs ("work/out", NULL), 0);
    write_text ("work/out/new", "1");
    assert_int_equal (file_replace_tree ("work/out", "place", NULL, &err), 0);
    assert_true (file_exists ("place/new"));
    assert_int_equal (file_make_dirs ("work/out", NULL), 0);
    write_text ("work/out/newer", "2");
    assert_int_equal (file_replace_tree ("work/out", "place", NULL, &err), 0);
    assert_true (file_exists ("place/newer"));
    assert_false (file_exists ("place/new"));
    assert_int_equal (rmdir ("work"), 0); /* nothing is left of it */
}

/* Beside it, as `fanfold convert --force` does. */
static void test_swap (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal (file_make_dirs ("new", NULL), 0);
        write_text (i == 0 ? "new/first" : "new/second", "1");
        assert_int_equal (file_swap_tree ("new", "place", NULL, &err), 0);
        assert_false (file_exists ("new"));
    }
    assert_true (file_exists ("place/second"));
    assert_false (file_exists ("place/first"));
    assert_int_equal (file_swap_tree ("new", "place", NULL, &err), -1);
    assert_non_null (strstr (err.text, "'new' is gone"));
    assert_true (file_exists ("place/second"));
}

/* Who comes too late must not take away what took its place. */
static void test_replace_by_nothing (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_replace_tree ("work/out", "outside", NULL, &err),
                      -1);
    assert_non_null (strstr (err.text, "'work/out' is gone"));
    assert_int_equal (file_make_dirs ("work", NULL), 0);
    assert_int_equal (file_replace_tree ("work/out", "outside", NULL, &err),
                      -1);
    assert_true (file_exists ("outside/precious"));
}

static void test_remove (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_remove_tree ("d", NULL, &err), 0);
    assert_false (file_exists ("d"));
    assert_file_text ("outside/precious", "keep");
    assert_int_equal (file_remove_tree ("d", NULL, &err), 0);
}

/* At each step: what is at the path is whole, or nothing is. */
static void look_for_half (void *looks)
{
    assert_false (file_exists ("d"));
    ++*(int *)looks;
}

static void test_discard (void **state)
{
    int looks = 0;
    const struct heartbeat heartbeat = { look_for_half, &looks };
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (mkdir ("d.removed", 0777), 0); /* of who was killed */
    write_text ("d.removed/half", "");
    assert_int_equal (rename ("d", "e"), 0);
    assert_int_equal (file_discard_tree ("d", NULL, &err), 0);
    assert_false (file_exists ("d.removed"));
    assert_int_equal (rename ("e", "d"), 0);
    assert_int_equal (file_discard_tree ("d", &heartbeat, &err), 0);
    assert_true (looks > 0);
    assert_false (file_exists ("d"));
    assert_false (file_exists ("d.removed"));
    assert_file_text ("outside/precious", "keep");
}

static void test_remove_a_link_not_its_target (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (symlink ("outside", "l"), 0);
    assert_int_equal (file_remove_tree ("l", NULL, &err), 0);
    assert_file_text ("outside/precious", "keep");
    assert_int_equal (symlink ("nowhere", "l"), 0);
    assert_int_equal (file_remove_tree ("l", NULL, &err), 0);
    assert_int_equal (file_remove_tree ("d/file", NULL, &err), 0);
    assert_false (file_exists ("d/file"));
}

static void test_remove_names_what_stays (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_remove_tree ("/proc/self/attr", NULL, &err), -1);
    assert_non_null (strstr (err.text, "/proc/self/attr"));
}

static void test_seal (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_seal_tree ("d", NULL, &err), 0);
    assert_int_equal (mode_of ("d/file"), 0444);
    assert_int_equal (mode_of ("d/program"), 0555);
    assert_int_equal (mode_of ("d/locked/inner"), 0444);
    assert_int_equal (mode_of ("d"), 0755);
    assert_int_equal (mode_of ("outside/precious"), 0644);
    assert_int_equal (file_seal_tree ("d/file", NULL, &err), 0);
    assert_int_equal (file_seal_tree ("none", NULL, &err), -1);
    assert_int_equal (errno, ENOENT);
}

static void test_bytes (void **state)
{
    struct error err = ERROR_INIT;
    uint64_t bytes = 0;

    (void)state;
    assert_int_equal (file_tree_bytes ("d", &bytes, &err), 0);
    assert_int_equal (bytes, 5 + 10 + 3);
    assert_int_equal (file_tree_bytes ("d/file", &bytes, &err), 0);
    assert_int_equal (bytes, 5);
    assert_int_equal (file_tree_bytes ("none", &bytes, &err), -1);
    assert_int_equal (bytes, 5);
}

/* Deeper than there are descriptors, and than a path may be long. */
static void test_deeper_than_paths_are_long (void **state)
{
    enum { LEVELS = 1500 };
    uint64_t bytes = 0;
    int fd = open (".", O_RDONLY);

    (void)state;
    for (int i = 0; i < LEVELS; i++) {
        assert_int_equal (mkdir ("level", 0777), 0);
        assert_int_equal (chdir ("level"), 0);
    }
    write_text ("bottom", "12345");
    assert_int_equal (fchdir (fd), 0);
    close (fd);
    assert_int_equal (file_tree_bytes ("level", &bytes, NULL), 0);
    assert_int_equal (bytes, 5);
    assert_int_equal (file_seal_tree ("level", NULL, NULL), 0);
    assert_int_equal (file_remove_tree ("level", NULL, NULL), 0);
    assert_false (file_exists ("level"));
}

static void assert_holds (const char *path, const char *text)
{
    struct strbuf found = STRBUF_INIT;

    assert_int_equal (file_read (path, 100, &found, NULL), 0);
    assert_string_equal (found.buf, text);
    strbuf_release (&found);
}

static void assert_link (const char *path, const char *target)
{
    char *found = file_read_link (path, NULL);

    assert_non_null (found);
    assert_string_equal (found, target);
    free (found);
}

/* A copy is whole, may be written to, and leads to nothing of the original. */
static void test_copy (void **state)
{
    struct error err = ERROR_INIT;
    struct stat st;

    (void)state;
    assert_int_equal (file_make_dirs ("from/a/b", NULL), 0);
    write_text ("from/a/b/c", "inside");
    write_text ("elsewhere", "outside");
    assert_int_equal (chmod ("from/a/b/c", 0555), 0);
    assert_int_equal (symlink ("b/../b/c", "from/a/in"), 0);
    assert_int_equal (symlink ("../../elsewhere", "from/a/out"), 0);
    assert_int_equal (symlink ("nothing", "from/dangling"), 0);
    assert_int_equal (symlink ("from", "link"), 0);
    assert_int_equal (file_copy_tree ("link", "to", NULL, &err), 0);
    assert_int_equal (stat ("to/a/b/c", &st), 0);
    assert_int_equal (st.st_mode & 0777, 0755);
    assert_link ("to/a/in", "b/../b/c");
    assert_link ("to/dangling", "nothing");
    write_text ("to/a/out", "changed");
    assert_holds ("elsewhere", "outside");
    write_text ("to/a/in", "changed");
    assert_holds ("from/a/b/c", "inside");
    assert_int_equal (file_copy_tree ("elsewhere", "file", NULL, &err), 0);
    assert_holds ("file", "outside");
    assert_int_equal (symlink ("..", "from/up"), 0);
    assert_int_equal (file_copy_tree ("from", "again", NULL, &err), -1);
    assert_non_null (strstr (err.text, "which is outside and no file"));
}

/* --- other names --- */

static int link_errno; /* 0: links are made */

/* In place of the C library's. */
int link (const char *from, const char *to)
{
    if (link_errno == 0)
        return (int)syscall (SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = link_errno;
    return -1;
}

static void link_all (int refused)
{
    struct error err = ERROR_INIT;
    int rc;

    link_errno = refused;
    rc = file_link_tree ("d", "linked", &err);
    link_errno = 0;
    if (rc < 0)
        fail_msg ("%s", err.text);
}

static void test_link (void **state)
{
    struct stat one, other;

    (void)state;
    link_all (0);
    for (const char *const *name =
             (const char *const[]){ "file", "program", "locked/inner", NULL };
         *name; name++) {
        char *from = path_join ("d", *name), *to = path_join ("linked", *name);

        assert_int_equal (stat (from, &one), 0);
        assert_int_equal (stat (to, &other), 0);
        assert_int_equal (one.st_ino, other.st_ino);
        free (from);
        free (to);
    }
    assert_link ("linked/link", "../outside");
    assert_int_equal (file_link_tree ("d/file", "one", NULL), 0);
    assert_int_equal (stat ("one", &other), 0);
    assert_int_equal (other.st_nlink, 3);
}

/* Whoever asks, links are not made here: then there are copies, which look as
 * what they were made of.
 */
static void assert_copied (int refused)
{
    const struct timespec times[2] = { { 1000, 0 }, { 2000, 5000 } };
    struct stat one, other;

    assert_int_equal (chmod ("d/file", 0444), 0);
    assert_int_equal (utimensat (AT_FDCWD, "d/file", times, 0), 0);
    link_all (refused);
    assert_int_equal (stat ("d/file", &one), 0);
    assert_int_equal (stat ("linked/file", &other), 0);
    assert_true (one.st_ino != other.st_ino);
    assert_int_equal (other.st_mode & 07777, 0444);
    assert_int_equal (mode_of ("linked/program"), 0755);
    assert_int_equal (other.st_mtim.tv_sec, 2000);
    assert_int_equal (other.st_mtim.tv_nsec, one.st_mtim.tv_nsec);
    assert_holds ("linked/file", "12345");
    assert_int_equal (file_remove_tree ("linked", NULL, NULL), 0);
}

static void test_link_refused (void **state)
{
    (void)state;
    assert_copied (EXDEV);
    assert_copied (EMLINK);
    assert_copied (EPERM);
}

/* What is no refusal is told. */
static void test_link_fails (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    link_errno = EIO;
    assert_int_equal (file_link_tree ("d/file", "one", &err), -1);
    link_errno = 0;
    assert_non_null (strstr (err.text, "cannot link 'd/file' to 'one'"));
    assert_int_equal (access ("one", F_OK), -1);
    assert_int_equal (file_link_tree ("d/none", "one", &err), -1);
    write_text ("one", "there");
    assert_int_equal (file_link_tree ("d/file", "one", &err), -1);
    assert_holds ("one", "there");
}

/* What nobody may write to is linked, the rest is copied. */
static void test_keep (void **state)
{
    struct stat one, other;

    (void)state;
    assert_int_equal (chmod ("d/file", 0440), 0);
    assert_int_equal (file_keep_tree ("d", "kept", false, NULL), 0);
    assert_int_equal (stat ("d/file", &one), 0);
    assert_int_equal (stat ("kept/file", &other), 0);
    assert_int_equal (one.st_ino, other.st_ino);
    assert_int_equal (stat ("d/program", &one), 0);
    assert_int_equal (stat ("kept/program", &other), 0);
    assert_true (one.st_ino != other.st_ino);
    assert_int_equal (mode_of ("kept/program"), 0555);
    assert_int_equal (mode_of ("d/program"), 0755);
    assert_link ("kept/link", "../outside");
}

/* Whole or not at all, and nothing that is there is replaced. */
static void test_place (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (chmod ("d/file", 0444), 0);
    assert_int_equal (file_make_dirs ("to", NULL), 0);
    assert_int_equal (file_place_tree ("d", "to/a", FILES_WRITABLE, &err), 0);
    assert_int_equal (mode_of ("to/a/file"), 0644);
    assert_int_equal (file_place_tree ("d", "to/a", FILES_LINKED, &err), -1);
    assert_int_equal (err.number, EEXIST);
    assert_int_equal (mkfifo ("d/pipe", 0666), 0);
    assert_int_equal (file_place_tree ("d", "to/b", FILES_LINKED, &err), -1);
    assert_non_null (strstr (err.text, "'d/pipe' is neither"));
    /* Nothing else is in it, whatever it is called. */
    assert_int_equal (unlink ("d/pipe"), 0);
    assert_int_equal (file_remove_tree ("to/a", NULL, NULL), 0);
    assert_int_equal (rmdir ("to"), 0);
}

/* --- comparing --- */

/* A file of so many bytes, of which one may be another. */
static void write_long (const char *name, size_t len, size_t other)
{
    char *text = xmalloc (len);

    memset (text, 'x', len);
    if (other < len)
        text[other] = 'y';
    assert_int_equal (file_write_atomic (name, text, len, NULL), 0);
    free (text);
}

static void test_compare (void **state)
{
    enum { LONG = (2 << 20) + 17 };
    struct error err = ERROR_INIT;

    (void)state;
    write_long ("a", LONG, LONG);
    write_long ("b", LONG, LONG);
    assert_int_equal (file_compare ("a", "b", &err), 1);
    write_long ("b", LONG, LONG - 1);
    assert_int_equal (file_compare ("a", "b", &err), 0);
    write_long ("b", LONG - 17,
                LONG); /* the beginning of it, in whole blocks */
    assert_int_equal (file_compare ("a", "b", &err), 0);
    assert_int_equal (file_compare ("b", "a", &err), 0);
    write_text ("empty", "");
    assert_int_equal (file_compare ("empty", "empty", &err), 1);
    assert_int_equal (file_compare ("empty", "a", &err), 0);
    assert_int_equal (file_compare ("a", "none", &err), -1);
    assert_non_null (strstr (err.text, "cannot open 'none'"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_replace, enter, leave),
        cmocka_unit_test_setup_teardown (test_swap, enter, leave),
        cmocka_unit_test_setup_teardown (test_replace_by_nothing, enter, leave),
        cmocka_unit_test_setup_teardown (test_remove, enter, leave),
        cmocka_unit_test_setup_teardown (test_discard, enter, leave),
        cmocka_unit_test_setup_teardown (test_remove_a_link_not_its_target,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_remove_names_what_stays, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_seal, enter, leave),
        cmocka_unit_test_setup_teardown (test_bytes, enter, leave),
        cmocka_unit_test_setup_teardown (test_copy, enter, leave),
        cmocka_unit_test_setup_teardown (test_link, enter, leave),
        cmocka_unit_test_setup_teardown (test_link_refused, enter, leave),
        cmocka_unit_test_setup_teardown (test_link_fails, enter, leave),
        cmocka_unit_test_setup_teardown (test_keep, enter, leave),
        cmocka_unit_test_setup_teardown (test_place, enter, leave),
        cmocka_unit_test_setup_teardown (test_compare, enter, leave),
        cmocka_unit_test_setup_teardown (test_deeper_than_paths_are_long, enter,
                                         leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
