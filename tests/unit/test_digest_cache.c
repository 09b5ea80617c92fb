/* SPDX-License-Identifier: BSD-3-Clause */
/* test_digest_cache.c - digests are remembered of files that stood still, and
 * of no others
 *
 * A cache is told what time it is; the files are as young as they are.
 */
#include "base/base.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/digest_cache.h"
#include "base/json.h"
#include "temp_dir.h"

static struct temp_dir dir;

static int enter (void **unused)
{
    (void)unused;
    temp_dir_enter (&dir);
    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("d/a", "abc");
    write_text ("d/b", "b");
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    temp_dir_leave (&dir);
    return 0;
}

/* A time at which the files have stood still for so long. */
static double later (double age_s)
{
    return clock_wall_s () + age_s;
}

/* The digest of 'path' by what "cache" has, which is written again. */
static void digest_at (double now_s, const char *path,
                       char hex[DIGEST_HEX_SIZE])
{
    struct digest_cache cache;
    struct error err = ERROR_INIT;

    digest_cache_init (&cache, "cache", now_s);
    if (digest_tree (path, hex, &cache, NULL, &err) < 0)
        fail_msg ("%s", err.text);
    if (digest_cache_write (&cache, "cache", &err) < 0)
        fail_msg ("%s", err.text);
    digest_cache_release (&cache);
}

/* In "cache" every digest becomes that of another file: who believes it returns
 * another result.
 */
static void falsify (void)
{
    struct json *v = json_read_file ("cache", NULL), *files, *wrong;
    struct error err = ERROR_INIT;

    assert_non_null (v);
    files = json_get (v, "files");
    wrong = json_object ();
    JSON_FOREACH (files, it) {
        const char *text = json_as_string (json_iter_value (it));
        size_t stamp = strlen (text) - (DIGEST_HEX_SIZE - 1);

        json_set (wrong, json_iter_key (it),
                  json_stringf ("%.*s%064d", (int)stamp, text, 0));
    }
    json_set (v, "files", wrong);
    assert_int_equal (json_write_file ("cache", v, &err), 0);
    json_unref (v);
}

static size_t remembered (void)
{
    struct json *v = json_read_file ("cache", NULL);
    size_t n = json_count (json_get (v, "files"));

    json_unref (v);
    return n;
}

static void test_old_files (void **unused)
{
    char first[DIGEST_HEX_SIZE], again[DIGEST_HEX_SIZE];

    (void)unused;
    digest_at (later (3600), "d", first);
    assert_int_equal (remembered (), 2);
    digest_at (later (3600), "d", again);
    assert_string_equal (first, again);
    falsify (); /* they are not read again */
    digest_at (later (3600), "d", again);
    assert_string_not_equal (first, again);
    digest_at (later (0), "d", again); /* nor when the clock was set back */
    assert_string_not_equal (first, again);
}

/* What changed a moment ago may change again within the same moment. */
static void test_young_files (void **unused)
{
    char hex[DIGEST_HEX_SIZE];

    (void)unused;
    digest_at (later (0), "d", hex);
    assert_int_equal (remembered (), 0);
    digest_at (later (DIGEST_CACHE_AGE_S - 30), "d", hex);
    assert_int_equal (remembered (), 0);
    digest_at (later (-3600), "d", hex); /* a clock that is behind */
    assert_int_equal (remembered (), 0);
    digest_at (later (DIGEST_CACHE_AGE_S + 30), "d", hex);
    assert_int_equal (remembered (), 2);
}

/* Until the file's time is another one, which here takes no minute. */
static void write_again (void)
{
    struct stat before, after;

    assert_int_equal (stat ("d/a", &before), 0);
    do {
        write_text ("d/a", "xyz");
        assert_int_equal (stat ("d/a", &after), 0);
    } while (after.st_ctim.tv_sec == before.st_ctim.tv_sec
             && after.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
}

/* cp -p, rsync -t and the like: as long as before, and as old by its mtime. */
static void write_and_set_time (void)
{
    struct stat st;
    struct timespec times[2];

    assert_int_equal (stat ("d/a", &st), 0);
    write_again ();
    times[0] = st.st_atim;
    times[1] = st.st_mtim;
    assert_int_equal (utimensat (AT_FDCWD, "d/a", times, 0), 0);
}

static void replace (void)
{
    write_text ("d/c", "xyz");
    assert_int_equal (rename ("d/c", "d/a"), 0);
}

static void exchange (void)
{
    assert_int_equal (rename ("d/a", "d/c"), 0);
    assert_int_equal (rename ("d/b", "d/a"), 0);
    assert_int_equal (rename ("d/c", "d/b"), 0);
}

static void remove_one (void)
{
    assert_int_equal (remove ("d/b"), 0);
}

static void test_changes (void **unused)
{
    static void (*const changes[]) (void) = { write_again, write_and_set_time,
                                              replace, exchange, remove_one };
    char before[DIGEST_HEX_SIZE], after[DIGEST_HEX_SIZE];
    char cached[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (changes); i++) {
        print_message ("# change %zu\n", i);
        write_text ("d/a", "abc");
        write_text ("d/b", "b");
        (void)remove ("cache");
        digest_at (later (3600), "d", before);
        changes[i]();
        assert_int_equal (digest_tree ("d", after, NULL, NULL, &err), 0);
        digest_at (later (3600), "d", cached);
        assert_string_not_equal (before, after);
        assert_string_equal (cached, after);
    }
}

/* One that is being written while it is read is not known. */
static void test_changed_meanwhile (void **unused)
{
    struct digest_cache cache;
    struct stat before, after;
    char hex[DIGEST_HEX_SIZE];

    (void)unused;
    assert_int_equal (stat ("d/a", &before), 0);
    write_text ("d/a", "abcd");
    assert_int_equal (stat ("d/a", &after), 0);
    digest_bytes ("abc", 3, hex);
    digest_cache_init (&cache, "none", later (3600));
    digest_cache_add (&cache, "d/a", &before, &after, hex);
    assert_false (digest_cache_find (&cache, "d/a", &before, hex));
    assert_false (digest_cache_find (&cache, "d/a", &after, hex));
    digest_cache_add (&cache, "d/a", &after, &after, hex);
    assert_true (digest_cache_find (&cache, "d/a", &after, hex));
    before = after; /* a file system that does not tell when */
    before.st_ctim = (struct timespec){ 0 };
    digest_cache_add (&cache, "d/b", &before, &before, hex);
    assert_false (digest_cache_find (&cache, "d/b", &before, hex));
    digest_cache_release (&cache);
}

static void test_damaged (void **unused)
{
    static const char *const texts[] = {
        "",
        "{\"format\": 1, \"files\": {\"d/a\": ",
        "{\"format\": 2, \"files\": {}}",
        "{\"format\": 1, \"files\": []}",
        "{\"format\": 1, \"files\": {\"d/a\": 3, \"d/b\": \"\"}}",
        "[]",
    };
    char right[DIGEST_HEX_SIZE], hex[DIGEST_HEX_SIZE];

    (void)unused;
    digest_at (later (3600), "d", right);
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        print_message ("# text %zu\n", i);
        write_text ("cache", texts[i]);
        digest_at (later (3600), "d", hex);
        assert_string_equal (hex, right);
        assert_int_equal (remembered (), 2);
    }
}

/* The file does not grow for ever: what was used last stays. */
static void test_bounded (void **unused)
{
    struct digest_cache cache;
    struct stat st;
    struct error err = ERROR_INIT;
    char hex[DIGEST_HEX_SIZE];

    (void)unused;
    digest_bytes ("abc", 3, hex);
    assert_int_equal (stat ("d/a", &st), 0);
    digest_cache_init (&cache, "cache", later (3600));
    for (int i = 0; i < DIGEST_CACHE_FILES_MAX + 10; i++) {
        char path[32];

        snprintf (path, sizeof (path), "old/%d", i);
        digest_cache_add (&cache, path, &st, &st, hex);
    }
    assert_int_equal (digest_cache_write (&cache, "cache", &err), 0);
    digest_cache_release (&cache);
    assert_int_equal (remembered (), DIGEST_CACHE_FILES_MAX);
    digest_at (later (3600), "d", hex);
    assert_int_equal (remembered (), DIGEST_CACHE_FILES_MAX);
    falsify ();
    digest_at (later (3600), "d/a", hex);
    assert_string_equal (hex, "00000000000000000000000000000000"
                              "00000000000000000000000000000000");
}

/* Nothing new, nothing is written: who has no right to write may read. */
static void test_writes_what_is_new (void **unused)
{
    struct stat before, after;
    char hex[DIGEST_HEX_SIZE];

    (void)unused;
    digest_at (later (3600), "d", hex);
    assert_int_equal (stat ("cache", &before), 0);
    digest_at (later (3600), "d", hex);
    assert_int_equal (stat ("cache", &after), 0);
    assert_int_equal (before.st_ino, after.st_ino);
    write_text ("d/c", "");
    digest_at (later (3600), "d", hex);
    assert_int_equal (remembered (), 3);
}

int main (void)
{
#define TEST(name) cmocka_unit_test_setup_teardown (name, enter, leave)
    const struct CMUnitTest tests[] = {
        TEST (test_old_files),
        TEST (test_young_files),
        TEST (test_changes),
        TEST (test_changed_meanwhile),
        TEST (test_damaged),
        TEST (test_bounded),
        TEST (test_writes_what_is_new),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
