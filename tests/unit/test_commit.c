/* SPDX-License-Identifier: BSD-3-Clause */
/* test_commit.c - in what order an agent's work comes to the disk
 *
 * The linker leads fsync, rename and write of the program to here (--wrap),
 * where they are noted in the file `calls`.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "agent_scene.h"

int __real_fsync (int fd);
int __real_renameat (int from_fd, const char *from, int to_fd, const char *to);
ssize_t __real_write (int fd, const void *bytes, size_t len);
int __wrap_fsync (int fd);
int __wrap_renameat (int from_fd, const char *from, int to_fd, const char *to);
ssize_t __wrap_write (int fd, const void *bytes, size_t len);

static int calls_fd = -1; /* of `calls`; -1: note nothing */
static bool lose_claim;   /* what is written first to a log is another text */
static enum {
    PLACE_REPLIES,
    PLACE_IS_SILENT, /* it was done, and the reply is lost: EIO */
    PLACE_IS_TAKEN,  /* another agent puts its result there before */
} answer;

/* "WHAT PATH", the path without the campaign's directory. */
static void note (const char *what, const char *path)
{
    char *cwd, *line;

    if (calls_fd < 0)
        return;
    cwd = path_absolute (".");
    if (path_is_at_or_below (path, cwd) && strlen (path) > strlen (cwd))
        path += strlen (cwd) + 1;
    line = xasprintf ("%s %s\n", what, path);
    assert_true (__real_write (calls_fd, line, strlen (line)) > 0);
    free (line);
    free (cwd);
}

static char *path_of_fd (int fd)
{
    char *link = xasprintf ("/proc/self/fd/%d", fd);
    char *path = file_read_link (link, NULL);

    free (link);
    return path;
}

int __wrap_fsync (int fd)
{
    char *path = path_of_fd (fd);

    note ("sync", path ? path : "?");
    free (path);
    return __real_fsync (fd);
}

/* Another agent's result of the same task. */
static void put_another (const char *from, const char *to)
{
    char *command =
        xasprintf ("cp -R '%s' '%s' && sed -i 's/\"claim\":\"0\"/"
                   "\"claim\":\"7\"/; s/\"claim\": \"0\"/\"claim\": "
                   "\"7\"/' '%s/out/result.json'",
                   from, to, to);

    assert_int_equal (system (command), 0);
    free (command);
}

int __wrap_renameat (int from_fd, const char *from, int to_fd, const char *to)
{
    char *dir = path_of_fd (to_fd);
    char *path = dir ? path_join (dir, to) : xstrdup (to);
    bool is_place = strstr (path, "/" JOB_DIR) && path_base (path)[0] == '0';
    int rc;

    note ("rename", path);
    if (is_place && answer == PLACE_IS_TAKEN)
        put_another (from, path);
    free (path);
    free (dir);
    rc = __real_renameat (from_fd, from, to_fd, to);
    if (is_place && answer == PLACE_IS_SILENT) {
        errno = EIO;
        return -1;
    }
    return rc;
}

ssize_t __wrap_write (int fd, const void *bytes, size_t len)
{
    char *path = calls_fd >= 0 || lose_claim ? path_of_fd (fd) : NULL;
    bool log = path && strstr (path, "/results-");
    char *spaces;

    free (path);
    if (log && strncmp (bytes, "{\"ev\":\"end\"", 11) == 0)
        note ("log", "end");
    if (!log || !lose_claim)
        return __real_write (fd, bytes, len);
    spaces = xmalloc (len);
    memset (spaces, ' ', len);
    len = (size_t)__real_write (fd, spaces, len);
    free (spaces);
    return (ssize_t)len;
}

/* A file system that answers for another request, or loses what was written. */
static void test_claim_is_read_back (void **state)
{
    const struct scene scene = { .sh = "touch {campaign}/started" };

    (void)state;
    set_scene (&scene);
    lose_claim = true;
    assert_int_equal (run_agent (), 1);
    lose_claim = false;
    expect_error ("is not what was just written");
    assert_false (file_exists ("started"));
}

/* Where "WHAT PATH" is among the calls: it is there once. */
static size_t place_of (const struct strvec *calls, const char *call)
{
    size_t place = 0, n = 0;

    for (size_t i = 0; i < calls->n; i++) {
        if (strcmp (calls->v[i], call) == 0) {
            place = i;
            n++;
        }
    }
    if (n != 1)
        fail_msg ("'%s' was called %zu times", call, n);
    return place;
}

/* The task's files and directories, its place, and how its end is logged. */
static void expect_order (const struct strvec *calls, int task)
{
    static const char *const before[] = {
        "/out/mark", "/out/result.json", "/out", "/log", "/in/run.inp",
        "/in",       "/raw/run.out.gz",  "/raw", ""
    };
    char *call = xasprintf ("rename " JOB_DIR "%06d", task);
    size_t placed = place_of (calls, call);
    bool job_synced = false;

    free (call);
    for (size_t i = 0; i < ARRAY_SIZE (before); i++) {
        call = xasprintf ("sync " RUN_DIR "/work/0.0/%06d.place%s", task,
                          before[i]);
        assert_true (place_of (calls, call) < placed);
        free (call);
    }
    for (size_t i = placed; strcmp (calls->v[i], "log end") != 0; i++) {
        assert_true (i + 1 < calls->n);
        if (strcmp (calls->v[i], "sync train/linear/iter/000003/job") == 0)
            job_synced = true;
    }
    assert_true (job_synced);
}

/* Each file and directory is synced once; no end is logged before that. */
static void test_synced_once_and_in_order (void **state)
{
    static const struct port outputs[] = {
        { .name = "mark", .type = { .kind = TYPE_FILE } },
        { .name = NULL },
    };
    /* The last one ends when others were committed. */
    const struct scene scene = { .sh = "echo {task} > {outputs.mark}; "
                                       "touch run.inp; "
                                       "mkdir raw; touch raw/run.out.gz; "
                                       "until test {task} != 4 || test -e "
                                       "{campaign}/" JOB_DIR "000000/out; "
                                       "do sleep 0.01; done",
                                 .outputs = outputs,
                                 .keeps_logs = true,
                                 .keeps_raw = true,
                                 .input_files =
                                     (const char *const[]){ "*.inp", NULL },
                                 .bundle = "0-4" };
    struct strbuf text = STRBUF_INIT;
    struct strvec calls = STRVEC_INIT;

    (void)state;
    set_scene (&scene);
    calls_fd = open ("calls", O_WRONLY | O_CREAT | O_APPEND, 0666);
    assert_true (calls_fd >= 0);
    assert_int_equal (run_agent (), 0);
    close (calls_fd);
    calls_fd = -1;
    assert_int_equal (file_read ("calls", 1 << 20, &text, NULL), 0);
    strvec_split (&calls, text.buf, "\n");
    for (int task = 0; task < 5; task++)
        expect_order (&calls, task);
    place_of (&calls, "sync " STAGE_DIR); /* once for all batches */
    strvec_release (&calls);
    strbuf_release (&text);
}

/* What is in the place decides whose it is. */
static void test_place_that_fails (void **state)
{
    static const struct port outputs[] = {
        { .name = "mark", .type = { .kind = TYPE_FILE } },
        { .name = NULL },
    };
    static const struct {
        int answer;
        const char *story;
    } cases[] = {
        { PLACE_REPLIES, "start0 end0(ok) done" },
        { PLACE_IS_SILENT, "start0 end0(ok) done" },
        { PLACE_IS_TAKEN, "start0 found0 done" },
    };
    const struct scene scene = { .sh = "echo > {outputs.mark}",
                                 .outputs = outputs };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        print_message ("# %d\n", cases[i].answer);
        set_scene (&scene);
        answer = cases[i].answer;
        assert_int_equal (run_agent (), 0);
        answer = PLACE_REPLIES;
        expect_story (cases[i].story);
        assert_int_equal (system ("rm -rf .fanfold train"), 0);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_claim_is_read_back),
        IN_DIR (test_synced_once_and_in_order),
        IN_DIR (test_place_that_fails),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
