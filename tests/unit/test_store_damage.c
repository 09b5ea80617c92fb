/* SPDX-License-Identifier: BSD-3-Clause */
/* test_store_damage.c - what is damaged, missing or in the way */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <unistd.h>

#include "store_scene.h"

static void damage (const char *path, const char *text)
{
    assert_int_equal (chmod (path, 0644), 0);
    write_text (path, text);
}

static void assert_damaged (struct store *store, enum store_kind kind,
                            const char *hex, const char *path)
{
    struct error err = ERROR_INIT;

    assert_int_equal (store_has (store, kind, hex, &err), 0);
    assert_non_null (strstr (err.text, path));
    assert_non_null (strstr (err.text, "is damaged"));
    err = (struct error)ERROR_INIT;
    assert_int_equal (store_place (store, kind, hex, "back", &err), 0);
    assert_non_null (strstr (err.text, "is damaged"));
    assert_false (file_exists ("back"));
}

static void test_damaged_file (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], *entry;

    write_text ("data", "one");
    put (store, "data", hex);
    entry = entry_of (hex);
    damage (entry, "another");
    assert_damaged (store, STORE_FILE, hex, entry);
    put (store, "data", hex);
    place (store, STORE_FILE, hex, "back");
    assert_file_text ("back", "one");
    free (entry);
}

/* Only touched, it has another time, and the same bytes. */
static void test_touched_file (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    struct timespec times[2] = { { .tv_sec = 7 }, { .tv_sec = 7 } };
    char hex[DIGEST_HEX_SIZE], *entry;
    struct error err = ERROR_INIT;

    write_text ("data", "one");
    put (store, "data", hex);
    entry = entry_of (hex);
    assert_int_equal (utimensat (AT_FDCWD, entry, times, 0), 0);
    assert_int_equal (store_has (store, STORE_FILE, hex, &err), 1);
    free (entry);
}

/* Put a tree, and give what makes it another one. */
static void assert_damage_shows (struct store *store,
                                 void (*change) (const char *entry))
{
    char hex[DIGEST_HEX_SIZE], *entry;
    struct error err = ERROR_INIT;

    make_tree ("d");
    put (store, "d", hex);
    entry = entry_of (hex);
    change (entry);
    assert_damaged (store, STORE_TREE, hex, entry);
    put (store, "d", hex);
    assert_int_equal (store_has (store, STORE_TREE, hex, &err), 1);
    assert_int_equal (file_remove_tree ("d", NULL, NULL), 0);
    assert_int_equal (file_remove_tree ("s/contents", NULL, NULL), 0);
    free (entry);
}

static void change_file (const char *entry)
{
    char *path = path_join (entry, "inner/deep/a  b");

    damage (path, "another");
    free (path);
}

static void remove_file (const char *entry)
{
    char *path = path_join (entry, "inner/deep/a  b");

    assert_int_equal (unlink (path), 0);
    free (path);
}

static void add_file (const char *entry)
{
    char *path = path_join (entry, "inner/empty/more");

    write_text (path, "more");
    free (path);
}

static void remove_dir (const char *entry)
{
    char *path = path_join (entry, "inner/empty");

    assert_int_equal (rmdir (path), 0);
    free (path);
}

static void let_execute (const char *entry)
{
    char *path = path_join (entry, "inner/deep/a  b");

    assert_int_equal (chmod (path, 0555), 0);
    free (path);
}

static void change_link (const char *entry)
{
    char *path = path_join (entry, "link");

    assert_int_equal (unlink (path), 0);
    assert_int_equal (symlink ("/etc", path), 0);
    free (path);
}

static void put_pipe (const char *entry)
{
    char *path = path_join (entry, "pipe");

    assert_int_equal (mkfifo (path, 0666), 0);
    free (path);
}

static void test_damaged_tree (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    void (*const changes[]) (
        const char *entry) = { change_file, remove_file, add_file, remove_dir,
                               let_execute, change_link, put_pipe };

    for (size_t i = 0; i < ARRAY_SIZE (changes); i++)
        assert_damage_shows (store, changes[i]);
}

static void test_missing (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], *entry;
    struct error err = ERROR_INIT;

    digest_bytes ("nothing", 7, hex);
    assert_int_equal (store_has (store, STORE_FILE, hex, &err), 0);
    assert_string_equal (err.text, "");
    assert_int_equal (store_place (store, STORE_FILE, hex, "back", &err), 0);
    assert_int_equal (store_has (store, STORE_FILE, "../../etc/passwd", &err),
                      -1);
    write_text ("data", "one");
    put (store, "data", hex);
    entry = entry_of (hex);
    assert_int_equal (unlink (entry), 0);
    assert_int_equal (store_place (store, STORE_FILE, hex, "back", &err), 0);
    assert_string_equal (err.text, "");
    assert_false (file_exists ("back"));
    free (entry);
}

static void test_place_replaces_nothing (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;

    write_text ("data", "one");
    put (store, "data", hex);
    write_text ("mine", "precious");
    assert_int_equal (store_place (store, STORE_FILE, hex, "mine", &err), -1);
    assert_int_equal (err.number, EEXIST);
    assert_file_text ("mine", "precious");
    assert_int_equal (store_place (store, STORE_FILE, hex, "no/where", &err),
                      -1);
    assert_non_null (strstr (err.text, "no/where"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        TEST (test_damaged_file),           TEST (test_touched_file),
        TEST (test_damaged_tree),           TEST (test_missing),
        TEST (test_place_replaces_nothing),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
