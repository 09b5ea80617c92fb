/* SPDX-License-Identifier: BSD-3-Clause */
/* test_task_checkpoint.c - what a try leaves is whole, and one agent has it */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>

#include "base/json.h"
#include "handover/task_checkpoint.h"
#include "fsync_calls.h"
#include "temp_dir.h"

static int rename_error; /* of what would come to be c/2; 0: none */

static bool another_goes_first; /* right before a file of w moves */

/* Another driver gathers what is in w and puts it in its place. */
static void gather_first (void)
{
    another_goes_first = false;
    assert_int_equal (renameat (AT_FDCWD, "w/ckpt", AT_FDCWD, "c/2.part/ckpt"),
                      0);
    assert_int_equal (
        renameat (AT_FDCWD, "w/md.restart", AT_FDCWD, "c/2.part/md.restart"),
        0);
    assert_int_equal (renameat (AT_FDCWD, "c/2.part", AT_FDCWD, "c/2"), 0);
}

/* In place of the C library's. */
int rename (const char *from, const char *to)
{
    if (another_goes_first && strncmp (from, "w/", 2) == 0)
        gather_first ();
    if (rename_error != 0 && strcmp (from, "c/2.part") == 0) {
        errno = rename_error;
        return -1;
    }
    return renameat (AT_FDCWD, from, AT_FDCWD, to);
}

static void (*on_made) (
    void); /* when the copy of md.restart is made; or NULL */

/* In place of the C library's. */
int open (const char *path, int flags, ...)
{
    va_list ap;
    mode_t mode;

    va_start (ap, flags);
    mode = flags & O_CREAT ? va_arg (ap, mode_t) : 0;
    va_end (ap);
    if (on_made && strcmp (path, "w/0.1/2.part/md.restart") == 0)
        on_made ();
    return openat (AT_FDCWD, path, flags, mode);
}

static const char *const md[] = { "md.restart", "ckpt", "out/*.xyz", NULL };

static int enter (void **state)
{
    struct temp_dir *dir = malloc (sizeof (*dir));

    assert_non_null (dir);
    temp_dir_enter (dir);
    *state = dir;
    return 0;
}

static int leave (void **state)
{
    temp_dir_leave (*state);
    free (*state);
    return 0;
}

/* Make the files of "PATH=TEXT PATH=TEXT ...". */
static void make (const char *files)
{
    struct strvec words = STRVEC_INIT;

    strvec_split (&words, files, " ");
    for (size_t i = 0; i < words.n; i++) {
        char *equals = strchr (words.v[i], '=');

        assert_non_null (equals);
        *equals = '\0';
        assert_int_equal (file_make_parent (words.v[i], NULL), 0);
        write_text (words.v[i], equals + 1);
    }
    strvec_release (&words);
}

/* The files below 'dir' as make() takes them, sorted. */
static void list (const char *dir, struct strbuf *out)
{
    struct strvec names = STRVEC_INIT;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        char *path = path_join (strcmp (dir, ".") == 0 ? "" : dir, names.v[i]);
        struct stat st;

        assert_int_equal (lstat (path, &st), 0);
        if (S_ISDIR (st.st_mode)) {
            list (path, out);
        } else {
            strbuf_addf (out, "%s%s=", out->len > 0 ? " " : "", path);
            assert_int_equal (file_read (path, 100, out, NULL), 0);
        }
        free (path);
    }
    strvec_release (&names);
}

static void assert_files (const char *files)
{
    struct strbuf out = STRBUF_INIT;

    list (".", &out);
    assert_string_equal (out.buf, files);
    strbuf_release (&out);
}

static void empty (void)
{
    struct strvec names = STRVEC_INIT;

    assert_int_equal (file_list_dir (".", &names, NULL), 0);
    for (size_t i = 0; i < names.n; i++)
        assert_int_equal (file_remove_tree (names.v[i], NULL, NULL), 0);
    strvec_release (&names);
}

static bool gather (const char *dir)
{
    struct error err = ERROR_INIT;
    bool found = false;

    if (task_checkpoint_gather (dir, md, "c/2", NULL, &found, &err) < 0)
        fail_msg ("%s", err.text);
    return found;
}

static void test_matches (void **state)
{
    static const char *const all[] = { "*", "out/*", "in/*", "in", NULL };
    static const struct {
        const char *const *patterns;
        const char *path;
        bool matches;
    } cases[] = {
        { md, "md.restart", true },
        { md, "md.restart.2", false },
        { md, "ckpt", true },
        { md, "ckpt/a", false }, /* the directory is taken as one */
        { md, "out/a.xyz", true },
        { md, "out/deep/a.xyz", false },
        { md, "out", false },
        { all, "anything", true },
        { all, ".hidden", false },
        { all, "task.json", false },
        { all, "params.json", false },
        { all, "in", false },
        { all, "in/start.extxyz", false },
        { all, "out", false },
        { all, "out/result.json", false },
        { all, "out/frames.extxyz", true },
        { NULL, "md.restart", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        print_message ("# %s\n", cases[i].path);
        assert_true (task_checkpoint_matches (cases[i].patterns, cases[i].path)
                     == cases[i].matches);
    }
}

/* However far an earlier driver got before it was killed, what is there
 * afterwards is the newest, and whole.
 */
static void test_gather (void **state)
{
    static const struct {
        const char *before, *after;
        bool found;
    } cases[] = {
        { "w/task.json=t", "w/task.json=t", false },
        { "w/md.restart=7 w/ckpt/a/b=1 w/out/t.xyz=x w/log=l",
          "c/2/ckpt/a/b=1 c/2/md.restart=7 c/2/out/t.xyz=x w/log=l", true },
        /* moved in part */
        { "c/2.part/md.restart=7 w/ckpt/a/b=1",
          "c/2/ckpt/a/b=1 c/2/md.restart=7", true },
        { "c/2.part/md.restart=7", "c/2/md.restart=7", true },
        /* an older one gives way; with nothing new it stays */
        { "c/2/md.restart=6 c/2/ckpt/a=0 w/md.restart=7", "c/2/md.restart=7",
          true },
        { "c/2/md.restart=6 w/log=l", "c/2/md.restart=6 w/log=l", true },
        /* killed while it gave way */
        { "c/2.old/md.restart=6 c/2.part/md.restart=7", "c/2/md.restart=7",
          true },
        { "c/2.old/md.restart=6 c/2/md.restart=7 w/log=l",
          "c/2/md.restart=7 c/2.old/md.restart=6 w/log=l", true },
        { "c/2.old/md.restart=6 c/2/md.restart=7 w/md.restart=8",
          "c/2/md.restart=8", true },
        { "c/2.old/md.restart=6", "c/2/md.restart=6", true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        print_message ("# %s\n", cases[i].before);
        make (cases[i].before);
        assert_true (gather ("w") == cases[i].found);
        assert_files (cases[i].after);
        /* done twice it is the same */
        assert_true (gather ("w") == cases[i].found);
        assert_files (cases[i].after);
        empty ();
    }
    assert_false (gather ("gone"));
}

/* The older one stays where the newer cannot come. */
static void test_place_that_fails (void **state)
{
    static const struct {
        int error, rc;
    } cases[] = {
        { EIO, -1 }, { ENOENT, 0 }, /* somebody else has moved it */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        bool found = false;

        empty ();
        make ("c/2/md.restart=7 w/md.restart=8");
        rename_error = cases[i].error;
        assert_int_equal (
            task_checkpoint_gather ("w", md, "c/2", NULL, &found, &err),
            cases[i].rc);
        rename_error = 0;
        assert_file_text ("c/2/md.restart", "7");
        assert_true (found == (cases[i].rc == 0));
    }
}

/* A driver that goes on late, between two files, finds nothing to move. */
static void test_gather_late (void **state)
{
    (void)state;
    make ("w/ckpt=1 w/md.restart=7");
    another_goes_first = true;
    assert_true (gather ("w"));
    assert_false (another_goes_first);
    assert_files ("c/2/ckpt=1 c/2/md.restart=7");
}

/* A pipe is none of it, by whatever pattern, nor a directory's. */
static void test_gather_no_pipes (void **state)
{
    struct stat st;

    (void)state;
    make ("w/ckpt/a=1");
    assert_int_equal (mkfifo ("w/md.restart", 0600), 0);
    assert_true (gather ("w"));
    assert_int_equal (lstat ("w/md.restart", &st), 0);
    assert_int_equal (lstat ("c/2/md.restart", &st), -1);
    assert_file_text ("c/2/ckpt/a", "1");
}

/* A driver moved it and was killed, or could not sync: the next one does. */
static void test_gather_what_was_moved (void **state)
{
    bool found;

    (void)state;
    make ("c/2.part/md.restart=7");
    fsync_watch ("c/2.part/md.restart");
    assert_int_equal (
        task_checkpoint_gather ("w/0.0/2", md, "c/2", NULL, &found, NULL), 0);
    assert_true (found);
    assert_true (fsync_watched.name_lasts);
    assert_int_equal (fsync_watched.times, 1);
    assert_files ("c/2/md.restart=7");
}

/* It counts as newer when its content is, whatever the times are. */
static void test_describe (void **state)
{
    struct json *a, *b, *c, *d;

    (void)state;
    make ("p/md.restart=123 p/ckpt/x=45");
    a = task_checkpoint_describe ("p", NULL, NULL);
    assert_int_equal (json_get_int (a, "files"), 2);
    assert_int_equal (json_get_int (a, "bytes"), 5);
    assert_string_equal (json_get_string (a, "name"), "ckpt/x");
    empty ();
    make ("q/md.restart=123 q/ckpt/x=45");
    b = task_checkpoint_describe ("q", NULL, NULL);
    assert_string_equal (json_get_string (a, "sha256"),
                         json_get_string (b, "sha256"));
    make ("q/md.restart=124");
    c = task_checkpoint_describe ("q", NULL, NULL);
    assert_string_not_equal (json_get_string (b, "sha256"),
                             json_get_string (c, "sha256"));
    /* of what has no digest, too */
    assert_int_equal (mkfifo ("q/pipe", 0666), 0);
    d = task_checkpoint_describe ("q", NULL, NULL);
    assert_int_equal (strlen (json_get_string (d, "sha256")), 64);
    json_unref (a);
    json_unref (b);
    json_unref (c);
    json_unref (d);
}

static void test_take (void **state)
{
    bool taken = true;

    (void)state;
    assert_int_equal (task_checkpoint_take ("c/2", "w/0.1/2", &taken, NULL), 0);
    assert_false (taken);
    make ("c/2/md.restart=7");
    assert_int_equal (task_checkpoint_take ("c/2", "w/0.1/2", &taken, NULL), 0);
    assert_true (taken);
    assert_files ("w/0.1/2/md.restart=7");
    /* another agent finds nothing */
    assert_int_equal (task_checkpoint_take ("c/2", "w/0.2/2", &taken, NULL), 0);
    assert_false (taken);
    make ("c/2/md.restart=7 c/2.part/a=1 c/2.old/b=2");
    assert_int_equal (task_checkpoint_discard ("c/2", NULL, NULL), 0);
    assert_files ("w/0.1/2/md.restart=7");
}

static void test_copy (void **state)
{
    bool taken = true;

    (void)state;
    make ("w/0.0/2/log=l");
    assert_int_equal (
        task_checkpoint_copy ("w/0.0/2", md, "w/0.1/2", &taken, NULL), 0);
    assert_false (taken);
    make ("w/0.0/2/md.restart=7 w/0.0/2/ckpt/a=1 w/0.0/2/out/t.xyz=x");
    assert_int_equal (symlink ("a", "w/0.0/2/ckpt/latest"), 0);
    fsync_watch ("w/0.1/2.part/ckpt/a");
    assert_int_equal (
        task_checkpoint_copy ("w/0.0/2", md, "w/0.1/2", &taken, NULL), 0);
    assert_true (taken);
    assert_int_equal (fsync_watched.times, 1); /* it may be all there is */
    make ("w/0.0/2/md.restart=8");             /* the older agent goes on */
    assert_files ("w/0.0/2/ckpt/a=1 w/0.0/2/ckpt/latest=1 w/0.0/2/log=l "
                  "w/0.0/2/md.restart=8 w/0.0/2/out/t.xyz=x "
                  "w/0.1/2/ckpt/a=1 w/0.1/2/ckpt/latest=1 w/0.1/2/md.restart=7 "
                  "w/0.1/2/out/t.xyz=x");
}

static void go_on (void)
{
    make ("w/0.0/2/md.restart=89");
}

/* What changed while it was copied is of two moments: it is none. */
static void test_copy_of_what_changes (void **state)
{
    bool taken = true;

    (void)state;
    make ("w/0.0/2/md.restart=7 w/0.0/2/ckpt/a=1");
    on_made = go_on;
    assert_int_equal (
        task_checkpoint_copy ("w/0.0/2", md, "w/0.1/2", &taken, NULL), 0);
    on_made = NULL;
    assert_false (taken);
    assert_files ("w/0.0/2/ckpt/a=1 w/0.0/2/md.restart=89");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_matches),
        cmocka_unit_test_setup_teardown (test_gather, enter, leave),
        cmocka_unit_test_setup_teardown (test_gather_no_pipes, enter, leave),
        cmocka_unit_test_setup_teardown (test_gather_late, enter, leave),
        cmocka_unit_test_setup_teardown (test_place_that_fails, enter, leave),
        cmocka_unit_test_setup_teardown (test_gather_what_was_moved, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_describe, enter, leave),
        cmocka_unit_test_setup_teardown (test_take, enter, leave),
        cmocka_unit_test_setup_teardown (test_copy, enter, leave),
        cmocka_unit_test_setup_teardown (test_copy_of_what_changes, enter,
                                         leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
