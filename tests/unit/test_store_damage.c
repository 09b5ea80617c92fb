/* SPDX-License-Identifier: BSD-3-Clause */
/* test_store_damage.c - what is damaged, missing or in the way */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "store_scene.h"

static void damage (const char *path, const char *text)
{
    assert_int_equal (chmod (path, 0644), 0);
    write_text (path, text);
}

static void assert_damaged (struct store *store, const char *hex,
                            const char *path)
{
    struct error err = ERROR_INIT;

    assert_int_equal (store_has (store, hex, &err), 0);
    assert_non_null (strstr (err.text, path));
    assert_non_null (strstr (err.text, "is damaged"));
    err = (struct error)ERROR_INIT;
    assert_int_equal (store_place (store, hex, "back", &err), 0);
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
    assert_damaged (store, hex, entry);
    put (store, "data", hex);
    place (store, hex, "back");
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
    assert_int_equal (store_has (store, hex, &err), 1);
    assert_false (file_exists (entry)); /* it has its new name */
    assert_int_equal (store_has (store, hex, &err), 1);
    free (entry);
}

static void test_damaged_tree (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], file[DIGEST_HEX_SIZE], *entry, *list;

    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("d/f", "one");
    put (store, "d", hex);
    assert_int_equal (digest_tree ("d/f", file, NULL, NULL, NULL), 0);
    entry = entry_of (file);
    damage (entry, "another");
    assert_damaged (store, hex, entry);
    put (store, "d", hex);
    list = xasprintf ("s/trees/%.3s/%s", hex, hex);
    damage (list, "dir x\n");
    assert_damaged (store, hex, list);
    put (store, "d", hex);
    free (list);
    free (entry);
}

/* A list that leads out of the tree is none, whatever digest it has. */
static void test_list_through_link (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char file[DIGEST_HEX_SIZE], hex[DIGEST_HEX_SIZE], sum[DIGEST_HEX_SIZE];
    struct strvec lines = STRVEC_INIT;
    char *records, *text, *path;

    write_text ("data", "one");
    put (store, "data", file);
    assert_int_equal (mkdir ("victim", 0777), 0);
    digest_list_file (&lines, file, "a/data");
    digest_list_link (&lines, "../victim", "a");
    digest_lines (&lines, hex);
    records = xasprintf ("link a\nto ../victim\nfile %s a/data\n", file);
    digest_bytes (records, strlen (records), sum);
    text = xasprintf ("%send %s\n", records, sum);
    path = xasprintf ("s/trees/%.3s/%s", hex, hex);
    assert_int_equal (file_make_parent (path, NULL), 0);
    write_text (path, text);
    assert_damaged (store, hex, path);
    assert_false (file_exists ("victim/data"));
    free (path);
    free (text);
    free (records);
    strvec_release (&lines);
}

static void test_missing (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    char hex[DIGEST_HEX_SIZE], *entry;
    struct error err = ERROR_INIT;

    digest_bytes ("nothing", 7, hex);
    assert_int_equal (store_has (store, hex, &err), 0);
    assert_string_equal (err.text, "");
    assert_int_equal (store_place (store, hex, "back", &err), 0);
    assert_int_equal (store_has (store, "../../etc/passwd", &err), -1);
    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("d/f", "one");
    put (store, "d", hex);
    assert_int_equal (digest_tree ("d/f", hex, NULL, NULL, NULL), 0);
    entry = entry_of (hex);
    assert_int_equal (unlink (entry), 0);
    assert_int_equal (digest_tree ("d", hex, NULL, NULL, NULL), 0);
    assert_int_equal (store_place (store, hex, "back", &err), 0);
    assert_non_null (strstr (err.text, "'f' of the tree"));
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
    assert_int_equal (store_place (store, hex, "mine", &err), -1);
    assert_int_equal (err.number, EEXIST);
    assert_file_text ("mine", "precious");
    assert_int_equal (store_place (store, hex, "no/where", &err), -1);
    assert_non_null (strstr (err.text, "no/where"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        TEST (test_damaged_file), TEST (test_touched_file),
        TEST (test_damaged_tree), TEST (test_list_through_link),
        TEST (test_missing),      TEST (test_place_replaces_nothing),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
