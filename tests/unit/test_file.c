/* SPDX-License-Identifier: BSD-3-Clause */
/* test_file.c - whole or absent: writing, reading, making, listing */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fsync_calls.h"
#include "temp_dir.h"

static int enter (void **state)
{
    struct temp_dir *dir = malloc (sizeof (*dir));

    assert_non_null (dir);
    temp_dir_enter (dir);
    umask (022);
    *state = dir;
    return 0;
}

static int leave (void **state)
{
    temp_dir_leave (*state);
    free (*state);
    return 0;
}

static size_t count_entries (const char *path)
{
    struct strvec names = STRVEC_INIT;
    size_t n;

    assert_int_equal (file_list_dir (path, &names, NULL), 0);
    n = names.n;
    strvec_release (&names);
    return n;
}

static void test_write_atomic (void **state)
{
    struct error err = ERROR_INIT;
    struct stat st;

    (void)state;
    assert_int_equal (file_write_atomic ("a", "one", 3, &err), 0);
    assert_file_text ("a", "one");
    assert_int_equal (stat ("a", &st), 0);
    assert_int_equal (st.st_mode & 07777, 0644);
    assert_int_equal (file_write_atomic ("./a", "", 0, &err), 0);
    assert_file_text ("a", "");
    assert_int_equal (count_entries ("."), 1);
}

static void test_write_atomic_failures_leave_the_old (void **state)
{
    struct error err = ERROR_INIT;
    struct temp_dir *dir = *state;
    char expected[PATH_MAX + 20];

    assert_int_equal (file_write_atomic ("no/a", "x", 1, &err), -1);
    assert_int_equal (errno, ENOENT);
    assert_non_null (strstr (err.text, "'no/a'"));
    assert_int_equal (mkdir ("d", 0777), 0);
    assert_int_equal (file_write_atomic ("d", "x", 1, &err), -1);
    assert_non_null (strstr (err.text, "'d'"));
    assert_true (file_exists ("d/."));
    assert_int_equal (count_entries ("."), 1);
    snprintf (expected, sizeof (expected), "%s/a", dir->path);
    assert_int_equal (file_write_atomic (expected, "abs", 3, &err), 0);
    assert_file_text ("a", "abs");
}

static void test_create (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_create ("a", "first", 5, &err), 0);
    assert_int_equal (file_create ("a", "second", 6, &err), 1);
    assert_string_equal (err.text, "");
    assert_file_text ("a", "first");
    assert_int_equal (file_create ("no/a", "x", 1, &err), -1);
    assert_non_null (strstr (err.text, "no/a"));
}

static void test_read (void **state)
{
    struct error err = ERROR_INIT;
    struct strbuf out = STRBUF_INIT;

    (void)state;
    strbuf_add_str (&out, "<");
    assert_int_equal (file_write_atomic ("a", "x\0y", 3, &err), 0);
    assert_int_equal (file_read ("a", 3, &out, &err), 0);
    assert_int_equal (out.len, 4);
    assert_memory_equal (out.buf, "<x\0y", 5);
    assert_int_equal (file_read ("a", 2, &out, &err), -1);
    assert_int_equal (errno, EFBIG);
    assert_non_null (strstr (err.text, "more than 2 bytes"));
    assert_int_equal (out.len, 4);
    assert_int_equal (file_read ("none", 2, &out, &err), -1);
    assert_int_equal (errno, ENOENT);
    assert_int_equal (file_read (".", 2, &out, &err), -1);
    assert_int_equal (out.len, 4);
    strbuf_release (&out);
}

static void test_read_big (void **state)
{
    static char bytes[1000003];
    struct error err = ERROR_INIT;
    struct strbuf out = STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof (bytes); i++)
        bytes[i] = (char)(i * i >> 3);
    assert_int_equal (file_write_atomic ("a", bytes, sizeof (bytes), &err), 0);
    assert_int_equal (file_read ("a", sizeof (bytes), &out, &err), 0);
    assert_int_equal (out.len, sizeof (bytes));
    assert_memory_equal (out.buf, bytes, sizeof (bytes));
    strbuf_reset (&out);
    assert_int_equal (file_read_from ("a", 1000000, 100, &out, &err), 0);
    assert_int_equal (out.len, 3);
    assert_memory_equal (out.buf, bytes + 1000000, 3);
    strbuf_release (&out);
}

static void test_read_from_beyond (void **state)
{
    struct error err = ERROR_INIT;
    struct strbuf out = STRBUF_INIT;

    (void)state;
    write_text ("a", "abc");
    assert_int_equal (file_read_from ("a", 3, 0, &out, &err), 0);
    assert_int_equal (file_read_from ("a", 99, 0, &out, &err), 0);
    assert_int_equal (out.len, 0);
    assert_int_equal (file_read_from ("a", 1, 1, &out, &err), -1);
    strbuf_release (&out);
}

static void test_read_proc (void **state)
{
    struct strbuf out = STRBUF_INIT;

    (void)state; /* stat says it has 0 bytes */
    assert_int_equal (file_read ("/proc/self/stat", 1 << 16, &out, NULL), 0);
    assert_true (out.len > 10);
    strbuf_release (&out);
}

static void test_write_all_fails (void **state)
{
    struct error err = ERROR_INIT;
    int fd = open ("/dev/full", O_WRONLY | O_CLOEXEC);

    (void)state;
    assert_true (fd >= 0);
    assert_int_equal (file_write_all (fd, "x", 1, &err), -1);
    assert_int_equal (errno, ENOSPC);
    close (fd);
}

static void test_make_dirs (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_make_dirs ("a/b//c/", &err), 0);
    assert_true (file_exists ("a/b/c/."));
    assert_int_equal (file_make_dirs ("a/b/c", &err), 0);
    assert_int_equal (file_make_dirs (".", &err), 0);
    assert_int_equal (file_make_dirs ("/", &err), 0);
    assert_int_equal (file_make_parent ("x/y/z", &err), 0);
    assert_true (file_exists ("x/y/."));
    assert_false (file_exists ("x/y/z"));
    assert_int_equal (file_make_parent ("z", &err), 0);
    write_text ("f", "");
    assert_int_equal (file_make_dirs ("f/g", &err), -1);
    assert_non_null (strstr (err.text, "'f'"));
    assert_int_equal (file_make_dirs ("f", &err), -1);
}

static void test_exists (void **state)
{
    (void)state;
    write_text ("f", "");
    assert_int_equal (symlink ("nowhere", "dangling"), 0);
    assert_true (file_exists ("f"));
    assert_true (file_exists ("."));
    assert_false (file_exists ("g"));
    assert_false (file_exists ("dangling"));
    assert_true (file_exists ("./."));
    assert_false (file_exists ("f/."));
    assert_false (file_exists ("g/."));
}

static void test_rename (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    write_text ("a", "moved");
    assert_int_equal (mkdir ("d", 0777), 0);
    assert_int_equal (file_rename ("a", "d/b", &err), 0);
    assert_file_text ("d/b", "moved");
    assert_false (file_exists ("a"));
    assert_int_equal (file_rename ("a", "b", &err), -1);
    assert_int_equal (errno, ENOENT);
    assert_non_null (strstr (err.text, "'a'"));
}

static void test_list_dir (void **state)
{
    struct error err = ERROR_INIT;
    struct strvec names = STRVEC_INIT;

    (void)state;
    write_text ("b", "");
    write_text ("a", "");
    write_text (".hidden", "");
    write_text (".tmp-half-written", "");
    strvec_push (&names, "zero");
    assert_int_equal (file_list_dir (".", &names, &err), 0);
    assert_int_equal (names.n, 4);
    assert_string_equal (names.v[0], "zero");
    assert_string_equal (names.v[1], ".hidden");
    assert_string_equal (names.v[2], "a");
    assert_string_equal (names.v[3], "b");
    assert_int_equal (file_list_dir ("none", &names, &err), -1);
    assert_int_equal (errno, ENOENT);
    assert_int_equal (file_list_dir ("a", &names, &err), -1);
    assert_int_equal (names.n, 4);
    strvec_release (&names);
}

static void test_sync (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_make_dirs ("d/e", &err), 0);
    write_text ("d/e/f", "x");
    assert_int_equal (symlink ("nowhere", "d/dangling"), 0);
    assert_int_equal (file_seal_tree ("d", NULL, &err), 0);
    assert_int_equal (file_seal_tree ("d/e/f", NULL, &err), 0);
    assert_int_equal (file_sync_dir ("none", &err), -1);
    assert_int_equal (file_sync_dir ("d/e/f", &err), -1);
    assert_int_equal (file_seal_tree ("none", NULL, &err), -1);
    assert_int_equal (errno, ENOENT);
}

/* A name lasts once the directory it is in was synced, too. */
static void test_names_last (void **state)
{
    (void)state;
    assert_int_equal (file_make_dirs ("one", NULL), 0);
    assert_int_equal (file_make_dirs ("two", NULL), 0);
    fsync_watch ("one/f");
    assert_int_equal (file_write_atomic ("one/f", "x", 1, NULL), 0);
    assert_true (fsync_watched.name_lasts);
    fsync_watch ("two/g");
    assert_int_equal (file_create ("two/g", "x", 1, NULL), 0);
    assert_true (fsync_watched.name_lasts);
    fsync_watch ("one/h");
    assert_int_equal (file_rename ("one/f", "one/h", NULL), 0);
    assert_true (fsync_watched.name_lasts);
    fsync_watch ("one"); /* which is synced once */
    assert_int_equal (file_rename ("one/h", "one/f", NULL), 0);
    assert_int_equal (fsync_watched.times, 1);
    assert_int_equal (file_rename ("one/f", "two/f", NULL), 0);
    assert_int_equal (fsync_watched.times, 2);
    assert_int_equal (file_rename ("two/f", "one/f", NULL), 0);
    assert_int_equal (fsync_watched.times, 3);
}

static mode_t mode_of (const char *path)
{
    struct stat st;

    assert_int_equal (stat (path, &st), 0);
    return st.st_mode & 07777;
}

static void test_seal (void **state)
{
    (void)state;
    assert_int_equal (file_make_dirs ("s/d", NULL), 0);
    write_text ("s/d/plain", "x");
    write_text ("s/program", "x");
    write_text ("s/private", "x");
    write_text ("elsewhere", "x");
    assert_int_equal (chmod ("s/d", 0755), 0);
    assert_int_equal (chmod ("s/d/plain", 0644), 0);
    assert_int_equal (chmod ("s/program", 04755), 0);
    assert_int_equal (chmod ("s/private", 0600), 0);
    assert_int_equal (chmod ("elsewhere", 0644), 0);
    assert_int_equal (link ("elsewhere", "s/two_names"), 0);
    assert_int_equal (symlink ("../elsewhere", "s/link"), 0);
    assert_int_equal (file_seal_tree ("s", NULL, NULL), 0);
    assert_int_equal (mode_of ("s/d"), 0755);
    assert_int_equal (mode_of ("s/d/plain"), 0444);
    assert_int_equal (mode_of ("s/program"), 0555);
    assert_int_equal (mode_of ("s/private"), 0400);
    assert_int_equal (mode_of ("elsewhere"), 0644);
    assert_int_equal (file_seal_tree ("s", NULL, NULL), 0);
    assert_int_equal (file_seal_tree ("none", NULL, NULL), -1);
    assert_int_equal (file_remove_tree ("s", NULL, NULL), 0);
}

static void test_read_link (void **state)
{
    struct error err = ERROR_INIT;
    char target[1000];
    char *found;

    (void)state;
    memset (target, 'x', sizeof (target) - 1);
    for (size_t i = 100; i < sizeof (target); i += 100)
        target[i] = '/';
    target[sizeof (target) - 1] = '\0';
    assert_int_equal (symlink (target, "link"), 0);
    found = file_read_link ("link", &err);
    assert_string_equal (found, target);
    free (found);
    write_text ("f", "");
    assert_null (file_read_link ("f", &err));
    assert_non_null (strstr (err.text, "'f'"));
}

/* What was written to after it was made is newer than its directory. */
static void test_remove_temporaries (void **state)
{
    const struct timespec times[2] = { { .tv_sec = 2000000000 },
                                       { .tv_sec = 2000000000 } };

    (void)state;
    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("d/" FILE_TEMPORARY "new", "");
    write_text ("d/kept", "");
    assert_int_equal (utimensat (AT_FDCWD, "d/" FILE_TEMPORARY "new", times, 0),
                      0);
    file_remove_temporaries ("d", 3600);
    assert_true (file_exists ("d/" FILE_TEMPORARY "new"));
    file_remove_temporaries ("d", 0);
    assert_false (file_exists ("d/" FILE_TEMPORARY "new"));
    assert_true (file_exists ("d/kept"));
}

/* What is written stays where it is said to be; what is read may be elsewhere.
 */
static void test_links_are_not_written_through (void **state)
{
    static const int flags[] = { O_WRONLY, O_RDWR, O_WRONLY | O_CREAT | O_TRUNC,
                                 O_WRONLY | O_CREAT | O_APPEND,
                                 O_RDONLY | O_CREAT };
    struct temp_dir dir;
    int fd;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("target", "kept");
    assert_int_equal (symlink ("target", "link"), 0);
    assert_int_equal (symlink ("nowhere", "dangling"), 0);
    for (size_t i = 0; i < ARRAY_SIZE (flags); i++) {
        errno = 0;
        assert_int_equal (file_open ("link", flags[i], 0666), -1);
        assert_int_equal (errno, ELOOP);
        assert_int_equal (file_open_at (AT_FDCWD, "dangling", flags[i], 0666),
                          -1);
        assert_int_equal (errno, ELOOP);
    }
    assert_file_text ("target", "kept");
    assert_false (file_exists ("nowhere"));
    assert_true ((fd = file_open ("link", O_RDONLY, 0)) >= 0);
    file_close (fd);
    temp_dir_leave (&dir);
}

static void test_look (void **state)
{
    struct error err = ERROR_INIT;
    char name[300];

    (void)state;
    write_text ("file", "");
    assert_int_equal (file_look ("file", &err), 1);
    assert_int_equal (file_look ("absent", &err), 0);
    assert_int_equal (file_look ("file/below", &err), 0);
    assert_string_equal (err.text, "");
    memset (name, 'n', sizeof (name));
    name[sizeof (name) - 1] = '\0';
    assert_int_equal (file_look (name, &err), -1);
    assert_int_equal (err.number, ENAMETOOLONG);
    assert_non_null (strstr (err.text, "cannot look at 'nnn"));
    assert_false (file_exists (name));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_write_atomic, enter, leave),
        cmocka_unit_test_setup_teardown (
            test_write_atomic_failures_leave_the_old, enter, leave),
        cmocka_unit_test_setup_teardown (test_create, enter, leave),
        cmocka_unit_test_setup_teardown (test_remove_temporaries, enter, leave),
        cmocka_unit_test_setup_teardown (test_read, enter, leave),
        cmocka_unit_test_setup_teardown (test_read_big, enter, leave),
        cmocka_unit_test_setup_teardown (test_read_from_beyond, enter, leave),
        cmocka_unit_test_setup_teardown (test_read_proc, enter, leave),
        cmocka_unit_test_setup_teardown (test_write_all_fails, enter, leave),
        cmocka_unit_test_setup_teardown (test_make_dirs, enter, leave),
        cmocka_unit_test_setup_teardown (test_exists, enter, leave),
        cmocka_unit_test (test_links_are_not_written_through),
        cmocka_unit_test_setup_teardown (test_look, enter, leave),
        cmocka_unit_test_setup_teardown (test_rename, enter, leave),
        cmocka_unit_test_setup_teardown (test_list_dir, enter, leave),
        cmocka_unit_test_setup_teardown (test_sync, enter, leave),
        cmocka_unit_test_setup_teardown (test_seal, enter, leave),
        cmocka_unit_test_setup_teardown (test_names_last, enter, leave),
        cmocka_unit_test_setup_teardown (test_read_link, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
