/* SPDX-License-Identifier: BSD-3-Clause */
/* test_store.c - contents are kept by digest, read-only, and come back whole */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "store_scene.h"

/* --- files --- */

/* What may be written to is copied: it stays its owner's. */
static void test_file_is_copied (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], *entry;

    write_text ("data", "one");
    put (store, "data", hex);
    entry = entry_of (hex);
    assert_true (look (entry).st_ino != look ("data").st_ino);
    assert_int_equal (look (entry).st_mode & 07777, 0444);
    assert_int_equal (look ("data").st_mode & 07777, 0644);
    write_text ("data", "two");
    place (store, STORE_FILE, hex, "back");
    assert_file_text ("back", "one");
    assert_int_equal (look ("back").st_ino, look (entry).st_ino);
    free (entry);
}

static void test_read_only_file_is_linked (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], *entry;

    write_text ("data", "one");
    make_read_only ("data");
    put (store, "data", hex);
    entry = entry_of (hex);
    assert_int_equal (look (entry).st_ino, look ("data").st_ino);
    assert_int_equal (look (entry).st_nlink, 2);
    put (store, "data", hex);
    assert_int_equal (look (entry).st_nlink, 2);
    free (entry);
}

static void test_right_to_execute (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE];

    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("d/plain", "#!/bin/sh\n");
    write_text ("d/program", "#!/bin/sh\n");
    assert_int_equal (chmod ("d/program", 0755), 0);
    put (store, "d", hex);
    place (store, STORE_TREE, hex, "tree");
    assert_int_equal (look ("tree/plain").st_mode & 07777, 0444);
    assert_int_equal (look ("tree/program").st_mode & 07777, 0555);
    put (store, "d/program", hex);
    place (store, STORE_FILE, hex, "back");
    assert_int_equal (look ("back").st_mode & 07777, 0555);
}

/* What a file's owner keeps from others is kept from them. */
static void test_private_file (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], *entry;

    write_text ("data", "one");
    assert_int_equal (chmod ("data", 0600), 0);
    put (store, "data", hex);
    entry = entry_of (hex);
    assert_int_equal (look (entry).st_mode & 07777, 0400);
    free (entry);
}

static void test_link_is_followed (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE];

    write_text ("data", "one");
    assert_int_equal (symlink ("data", "link"), 0);
    put (store, "link", hex);
    place (store, STORE_FILE, hex, "back");
    assert_true (S_ISREG (look ("back").st_mode));
}

/* --- trees --- */

static void test_tree (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], again[DIGEST_HEX_SIZE];

    make_tree ("d");
    put (store, "d", hex);
    place (store, STORE_TREE, hex, "back");
    assert_int_equal (digest_tree ("back", again, NULL, NULL, NULL), 0);
    assert_string_equal (hex, again);
    assert_file_text ("back/\xff\xfe", "one");
    assert_true (S_ISDIR (look ("back/inner/empty").st_mode));
    assert_true (S_ISLNK (look ("back/link").st_mode));
}

static void test_empty_tree (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE];

    assert_int_equal (mkdir ("d", 0777), 0);
    put (store, "d", hex);
    place (store, STORE_TREE, hex, "back");
    assert_true (S_ISDIR (look ("back").st_mode));
}

/* Longer than two times of a file system that differ lie apart. */
static const double tick_s = 0.02;

/* What the digest does not count is that of the one which was put last. */
static void test_trees_of_one_digest (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], again[DIGEST_HEX_SIZE];

    assert_int_equal (file_make_dirs ("a/x", NULL), 0);
    assert_int_equal (file_make_dirs ("b/y", NULL), 0);
    write_text ("a/program", "one");
    write_text ("b/program", "one");
    assert_int_equal (chmod ("b/program", 0755), 0);
    put (store, "a", hex);
    clock_sleep (tick_s, NULL);
    put (store, "b", again);
    assert_string_equal (hex, again);
    place (store, STORE_TREE, hex, "of_b");
    clock_sleep (tick_s, NULL);
    put (store, "a", again);
    place (store, STORE_TREE, hex, "of_a");
    assert_true (S_ISDIR (look ("of_a/x").st_mode));
    assert_false (file_exists ("of_a/y"));
    assert_int_equal (look ("of_a/program").st_mode & 0111, 0);
    assert_true (S_ISDIR (look ("of_b/y").st_mode));
    assert_int_equal (look ("of_b/program").st_mode & 0111, 0111);
}

/* A list of a tree's digests, as sha256sum prints it, has the tree's digest. */
static void test_file_and_tree_of_one_digest (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], again[DIGEST_HEX_SIZE], *text;
    struct error err = ERROR_INIT;

    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("d/f", "one");
    assert_int_equal (digest_tree ("d/f", hex, NULL, NULL, NULL), 0);
    text = xasprintf ("%s  f\n", hex);
    write_text ("sums", text);
    free (text);
    put (store, "d", hex);
    assert_int_equal (store_has (store, STORE_FILE, hex, &err), 0);
    assert_int_equal (store_has (store, STORE_TREE, hex, &err), 1);
    put (store, "sums", again);
    assert_string_equal (hex, again);
    assert_int_equal (store_place (store, STORE_TREE, hex, "t", &err), 1);
    assert_int_equal (store_place (store, STORE_FILE, hex, "f", &err), 1);
    assert_true (S_ISDIR (look ("t").st_mode));
    assert_true (S_ISREG (look ("f").st_mode));
}

static void test_refused_trees (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE] = "as it was";
    struct error err = ERROR_INIT;

    assert_int_equal (mkdir ("d", 0777), 0);
    assert_int_equal (mkfifo ("d/pipe", 0666), 0);
    assert_int_equal (store_put (store, "d", hex, &err), -1);
    assert_non_null (strstr (err.text, "d/pipe"));
    assert_int_equal (unlink ("d/pipe"), 0);
    write_text ("d/a\nb", "one");
    assert_int_equal (store_put (store, "d", hex, &err), -1);
    assert_non_null (strstr (err.text, "rename it"));
    assert_int_equal (unlink ("d/a\nb"), 0);
    assert_int_equal (symlink ("a\nb", "d/link"), 0);
    assert_int_equal (store_put (store, "d", hex, &err), -1);
    assert_non_null (strstr (err.text, "make it anew"));
    assert_int_equal (store_put (store, "gone", hex, &err), -1);
    assert_string_equal (hex, "as it was");
}

/* --- the directory --- */

static void assert_dir (char *dir, const char *expected)
{
    if (expected)
        assert_string_equal (dir, expected);
    else
        assert_null (dir);
    free (dir);
}

static void test_where (void **state)
{
    static const struct {
        const char *site, *named, *data, *home, *expected;
    } rows[] = {
        { "/a/b", "/c", "/d", "/e", "/a/b" },
        { NULL, "/c/../c2", "/d", "/e", "/c2" },
        { NULL, NULL, "/d", "/e", "/d/fanfold" },
        { NULL, "", "", "/e", "/e/.local/share/fanfold" },
        { NULL, NULL, "relative", "/e", "/e/.local/share/fanfold" },
        { NULL, NULL, NULL, NULL, NULL },
        { NULL, "none", "/d", "/e", NULL },
        { "/etc/none", "/c", "/d", "/e", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const char *const names[] = { "FANFOLD_STORE", "XDG_DATA_HOME",
                                      "HOME" };
        const char *const values[] = { rows[i].named, rows[i].data,
                                       rows[i].home };
        char *dir;

        for (size_t k = 0; k < 3; k++)
            assert_int_equal (values[k] ? setenv (names[k], values[k], 1)
                                        : unsetenv (names[k]),
                              0);
        dir = store_dir (rows[i].site);
        assert_dir (dir, rows[i].expected);
    }
}

static void test_open_refuses (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (mkdir ("full", 0777), 0);
    write_text ("full/thesis", "precious");
    assert_null (store_open ("full", &err));
    assert_non_null (strstr (err.text, "'thesis'"));
    assert_int_equal (mkdir ("newer", 0777), 0);
    write_text ("newer/store.json", "{\"format\": 3}\n");
    assert_null (store_open ("newer", &err));
    assert_non_null (strstr (err.text, "format 3"));
    write_text ("newer/store.json", "{\"format\": 1}\n");
    assert_null (store_open ("newer", &err));
    assert_non_null (strstr (err.text, "format 1"));
    write_text ("newer/store.json", "{");
    assert_null (store_open ("newer", &err));
    write_text ("file", "");
    assert_null (store_open ("file", &err));
}

/* Who lets the group write to the store means all of it, whatever one user's
 * umask keeps from it elsewhere.
 */
static void test_group (void **state)
{
    struct scene *scene = *state;
    struct json *record = json_object ();
    char hex[DIGEST_HEX_SIZE], *entry, *inner;
    mode_t before = umask (077);

    store_close (scene->store);
    assert_int_equal (file_remove_tree ("s", NULL, NULL), 0);
    assert_int_equal (mkdir ("s", 0700), 0);
    assert_int_equal (chmod ("s", 02770), 0);
    scene->store = store_open ("s", NULL);
    make_tree ("d");
    make_read_only ("d/inner/deep/a  b");
    assert_int_equal (chmod ("d/inner/deep/a  b", 0400), 0);
    put (scene->store, "d", hex);
    assert_int_equal (
        store_record_write (scene->store, "models", "m", record, NULL), 0);
    assert_int_equal (store_make_folder (scene->store, "making", NULL), 0);
    umask (before);
    entry = entry_of (hex);
    inner = path_join (entry, "inner/deep");
    assert_int_equal (look ("s/contents").st_mode & 0777, 0770);
    assert_int_equal (look ("s/making").st_mode & 0777, 0770);
    assert_int_equal (look (entry).st_mode & 0777, 0770);
    assert_int_equal (look (inner).st_mode & 0777, 0770);
    free (inner);
    inner = path_join (entry, "inner/deep/a  b");
    assert_int_equal (look (inner).st_mode & 0777, 0440);
    assert_int_equal (look ("d/inner/deep/a  b").st_mode & 0777, 0400);
    assert_int_equal (look ("s/store.json").st_mode & 0077, 0040);
    assert_int_equal (look ("s/records/models/m.json").st_mode & 0077, 0040);
    free (inner);
    free (entry);
    json_unref (record);
}

/* --- several at once --- */

static void put_many (int process)
{
    struct store *store = store_open ("s", NULL);
    char hex[DIGEST_HEX_SIZE], *to;
    bool good = store && store_put (store, "d", hex, NULL) == 0;

    to = xasprintf ("back-%d", process);
    good = good && store_place (store, STORE_TREE, hex, to, NULL) == 1;
    store_close (store);
    _exit (good ? 0 : 1);
}

static void test_processes (void **state)
{
    enum { PROCESSES = 6, FILES = 200 };
    char hex[DIGEST_HEX_SIZE], again[DIGEST_HEX_SIZE];

    assert_int_equal (mkdir ("d", 0777), 0);
    for (int i = 0; i < FILES; i++) {
        char *path = xasprintf ("d/%d", i), *text = xasprintf ("%d", i % 50);

        write_text (path, text);
        if (i % 2 == 0)
            make_read_only (path);
        free (text);
        free (path);
    }
    (void)state;
    for (int i = 0; i < PROCESSES; i++) {
        pid_t pid = fork ();

        assert_true (pid >= 0);
        if (pid == 0)
            put_many (i);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;

        assert_true (wait (&status) > 0);
        assert_int_equal (status, 0);
    }
    assert_int_equal (digest_tree ("d", hex, NULL, NULL, NULL), 0);
    for (int i = 0; i < PROCESSES; i++) {
        char *path = xasprintf ("back-%d", i);

        assert_int_equal (digest_tree (path, again, NULL, NULL, NULL), 0);
        assert_string_equal (again, hex);
        free (path);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        TEST (test_file_is_copied),
        TEST (test_read_only_file_is_linked),
        TEST (test_right_to_execute),
        TEST (test_private_file),
        TEST (test_link_is_followed),
        TEST (test_tree),
        TEST (test_empty_tree),
        TEST (test_trees_of_one_digest),
        TEST (test_file_and_tree_of_one_digest),
        TEST (test_refused_trees),
        TEST (test_where),
        TEST (test_open_refuses),
        TEST (test_group),
        TEST (test_processes),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
