/* SPDX-License-Identifier: BSD-3-Clause */
/* test_input_watch.c - tasks that write to their inputs */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent_scene.h"
#include "base/file.h"

/* The next directory of this name cannot be opened; NULL: none. */
static const char *stale;

/* In place of the C library's. */
int openat (int fd, const char *path, int flags, ...)
{
    va_list ap;
    mode_t mode;

    if (stale && strcmp (path_base (path), stale) == 0) {
        stale = NULL;
        errno = ESTALE;
        return -1;
    }
    va_start (ap, flags);
    mode = va_arg (ap, mode_t);
    va_end (ap);
    return (int)syscall (SYS_openat, fd, path, flags, mode);
}

static const struct port inputs[] = {
    { .name = "model", .type = { .kind = TYPE_FILE }, .optional = true },
    { .name = "more",
      .type = { .kind = TYPE_DIR, .depth = 1 },
      .optional = true },
    { .name = "own", .type = { .kind = TYPE_FILE }, .optional = true },
    { .name = "frame", .type = { .kind = TYPE_FRAMES }, .optional = true },
    { .name = NULL },
};

#define VALUES "{\"model\": \"a.bin\", \"more\": [\"d\", \"e\"]}"
#define FRAMES                                                                 \
    "{\"frame\":{\"path\":\"f.extxyz\",\"frame\":0,\"offset\":0,"              \
    "\"bytes\":11}}\n"

/* A directory that a stage made. */
#define MADE_DIR "make/t/iter/000000/job/000000/out/m"
#define MADE "{\"more\": [\"" MADE_DIR "\"]}"

static void make_files (void)
{
    write_text ("a.bin", "a");
    write_text ("b.bin", "b");
    write_text ("f.extxyz", "1\n\nSi 0 0 0\n");
    assert_int_equal (file_make_dirs ("d/sub", NULL), 0);
    assert_int_equal (file_make_dirs ("e", NULL), 0);
    assert_int_equal (file_make_dirs (MADE_DIR "/sub", NULL), 0);
    write_text (MADE_DIR "/sub/x", "x");
    write_text ("d/sub/x", "x");
    write_text ("outside", "o");
    assert_int_equal (symlink ("../outside", "e/link"), 0);
}

static const struct {
    const char *sh;     /* one or more tasks, and whose number is 1 */
    const char *values; /* NULL: VALUES */
    const char *slices, *bundle;
    int tasks, slots;
    const char *story, *message; /* NULL: none */
} cases[] = {
    /* what is only read */
    { "cat {model} d/sub/x; :", .story = "start0 end0(ok) done" },
    { "chmod u+w {campaign}/a.bin", .story = "start0 end0(ok) done" },
    { "echo > {campaign}/d/new", .story = "start0 end0(ok) done" },
    /* the only task there is */
    { "echo b >> {model}", .tasks = 1, .story = "start0 end0(fatal) done",
      .message = "/a.bin' was changed while task 0 ran here; inputs must stay "
                 "as they are; restore the file, let the task write elsewhere, "
                 "then run `fanfold retry`" },
    { "echo b >> {model}; exit 1", .tasks = 1,
      .story = "start0 end0(fatal) done",
      .message = "/a.bin' was changed while" },
    { "rm {model}", .tasks = 1, .story = "start0 end0(fatal) done",
      .message = "/a.bin' was removed while task 0 ran here" },
    /* another name for another file of the same size and time */
    { "cp -p {model} n; mv n {model}", .tasks = 1,
      .story = "start0 end0(fatal) done", .message = "/a.bin' was changed" },
    { "touch -d 2001-01-01 {model}", .tasks = 1,
      .story = "start0 end0(fatal) done", .message = "/a.bin' was changed" },
    /* written over within its second: as long, and the same inode */
    { "t=$(stat -c %y {model} | cut -d. -f1); touch -d $t.999999999 {model}",
      .tasks = 1, .story = "start0 end0(fatal) done",
      .message = "/a.bin' was changed" },
    { "echo x >> {campaign}/d/sub/x", .tasks = 1,
      .story = "start0 end0(fatal) done", .message = "/d/sub/x' was changed" },
    { "echo x >> {campaign}/outside", .tasks = 1,
      .story = "start0 end0(fatal) done", .message = "/e/link' was changed" },
    /* one of several: a task of another node may have done it */
    { "echo b >> {model}", .story = "start0 machine_error0 done",
      .message = "/a.bin' was changed while task 0 ran here; inputs must" },
    { "echo b >> {model}; exit 3", .story = "start0 machine_error0 done",
      .message = "/a.bin' was changed" },
    /* of the tasks of one element, the last does not take effect */
    { "test {task} != 1 || echo b >> {model}", .bundle = "0-2",
      .story = "start0 end0(ok) start1 end1(ok) start2 machine_error2 done",
      .message = "/a.bin' was changed while tasks 0-2 ran here" },
    /* a file that is one task's is looked at when that one is over */
    { "test {task} != 1 || echo b >> {own}",
      .slices = "{\"own\":\"a.bin\"}\n{\"own\":\"b.bin\"}\n"
                "{\"own\":\"a.bin\"}\n",
      .values = "{}", .bundle = "0-2",
      .story = "start0 end0(ok) start1 machine_error1 returned2 done",
      .message = "/b.bin' was changed while task 1 ran here" },
    /* what a stage made has the files that it had */
    { "echo > {campaign}/" MADE_DIR "/new", .values = MADE, .tasks = 1,
      .story = "start0 end0(fatal) done",
      .message = "/out/m/new' was added while task 0 ran here" },
    { "rm {campaign}/" MADE_DIR "/sub/x", .values = MADE, .tasks = 1,
      .story = "start0 end0(fatal) done",
      .message = "/out/m/sub/x' was removed while task 0 ran here" },
    { "cd {campaign}/" MADE_DIR "; mv sub/x y", .values = MADE,
      .story = "start0 machine_error0 done",
      .message = "/out/m/sub/x' was removed" },
    { "echo >> {campaign}/f.extxyz", .slices = FRAMES FRAMES, .values = "{}",
      .bundle = "0-1", .story = "start0 end0(ok) start1 machine_error1 done",
      .message = "/f.extxyz' was changed while tasks 0-1 ran here" },
};

static void test_cases (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = {
            .sh = cases[i].sh,
            .inputs = inputs,
            .values = cases[i].values ? cases[i].values : VALUES,
            .slices = cases[i].slices,
            .bundle = cases[i].bundle,
            .tasks = cases[i].tasks,
            .slots = cases[i].slots,
        };

        print_message ("# %zu: %s\n", i, cases[i].sh);
        make_files ();
        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story (cases[i].story);
        if (cases[i].message)
            expect_message (cases[i].message);
        assert_int_equal (system ("rm -rf -- .fanfold train *"), 0);
    }
}

/* What could not be looked at in the beginning is not added later. */
static void test_stale_directory (void **state)
{
    const struct scene scene = {
        .sh = ":", .inputs = inputs, .values = MADE, .tasks = 1
    };

    (void)state;
    make_files ();
    set_scene (&scene);
    stale = "m";
    assert_int_equal (run_agent (), 0);
    stale = NULL;
    expect_story ("start0 end0(ok) done");
}

/* Whoever is running then may have done it. */
static void test_side_by_side (void **state)
{
    const struct scene scene = {
        .sh = "if test {task} = 0; then until test -e {campaign}/go; do sleep "
              "0.01; done; else echo b >> {own}; touch {campaign}/go; fi",
        .inputs = inputs,
        .slices = "{\"own\":\"a.bin\"}\n{\"own\":\"b.bin\"}\n",
        .bundle = "0-1",
        .slots = 2,
    };

    (void)state;
    if (sysconf (_SC_NPROCESSORS_ONLN) < 2)
        skip ();
    make_files ();
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    assert_int_equal (
        system (
            "grep -q \"b.bin' was changed while tasks 0-1 ran here\" " RUN_DIR
            "/results-0.*"),
        0);
}

/* A task that was done before may be the last that could have told. */
static void test_last_was_done_before (void **state)
{
    const struct port outputs[] = {
        { .name = "mark", .type = { .kind = TYPE_FILE } },
        { .name = NULL },
    };
    const struct scene first = { .sh = "touch out/mark",
                                 .outputs = outputs,
                                 .bundle = "1" };
    const struct scene scene = { .sh = "echo b >> {model}; touch out/mark",
                                 .inputs = inputs,
                                 .outputs = outputs,
                                 .values = VALUES,
                                 .bundle = "0-1" };

    (void)state;
    make_files ();
    set_scene (&first);
    assert_int_equal (run_agent (), 0);
    assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story_in_any_order ("start0 end0(ok) machine_error1 done");
    expect_message ("/a.bin' was changed while task 0 ran here");
}

/* A directory that holds the campaign, and so our own files, and one of very
 * many files.
 */
static void test_bounds (void **state)
{
    const struct scene around = { .sh = "true",
                                  .inputs = inputs,
                                  .values = "{\"more\": [\".\", \"/\"]}" };
    const struct scene many = { .sh = "for f in {campaign}/many/*; do : ; done",
                                .inputs = inputs,
                                .values = "{\"more\": [\"many\"]}" };

    (void)state;
    set_scene (&around);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
    assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    assert_int_equal (file_make_dirs ("many", NULL), 0);
    for (int i = 0; i < 1100; i++) {
        char *path = xasprintf ("many/%d", i);

        write_text (path, "");
        free (path);
    }
    set_scene (&many);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
}

/* What is committed cannot be written to, but removed. */
static void test_committed_is_read_only (void **state)
{
    static const struct port outputs[] = {
        { .name = "model", .type = { .kind = TYPE_DIR } },
        { .name = NULL },
    };
    const struct scene scene = {
        .sh = "mkdir -p out/model/sub; echo x > out/model/sub/x; "
              "echo x > out/model/run; chmod 755 out/model/run; "
              "ln {campaign}/a.bin out/model/a.bin",
        .outputs = outputs,
    };
    static const struct {
        const char *path;
        mode_t mode;
    } wanted[] = {
        { JOB_DIR "000000/out/result.json", 0444 },
        { JOB_DIR "000000/out/model/sub/x", 0444 },
        { JOB_DIR "000000/out/model/run", 0555 },
        { JOB_DIR "000000/out/model/sub", 0755 },
        { "a.bin", 0644 }, /* which is the user's */
    };

    (void)state;
    umask (022);
    make_files ();
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
    for (size_t i = 0; i < ARRAY_SIZE (wanted); i++) {
        struct stat st;

        assert_int_equal (stat (wanted[i].path, &st), 0);
        assert_int_equal (st.st_mode & 07777, wanted[i].mode);
    }
    assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_cases),        IN_DIR (test_stale_directory),
        IN_DIR (test_side_by_side), IN_DIR (test_last_was_done_before),
        IN_DIR (test_bounds),       IN_DIR (test_committed_is_read_only),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
