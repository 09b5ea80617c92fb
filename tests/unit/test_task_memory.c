/* SPDX-License-Identifier: BSD-3-Clause */
/* test_task_memory.c - tasks that take more memory than they stated */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/memory_cgroup.h"
#include "agent/memory_use.h"
#include "agent/shortage.h"
#include "agent/task_processes.h"
#include "agent_scene.h"

enum { MIB = 1 << 20 };

/* --- what is counted --- */

static void test_smaps_bytes (void **state)
{
    static const struct {
        const char *text;
        int64_t kib;
    } cases[] = {
        { "", 0 },
        { "Rss: 9 kB\nPss: 7 kB\nPss_Anon: 3 kB\nPss_File: 4 kB\n"
          "Pss_Shmem: 2 kB\nSwapPss: 9 kB\n",
          5 },
        { "Rss: 9 kB\nPss: 7 kB\nSwapPss: 9 kB\n", 7 },
        { "7f-80 rw-p 00000000\nPss:    4 kB\n80-81 r--p\nPss:   2 kB\n", 6 },
        { "Pss_Anon: 1", 1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (smaps_bytes (cases[i].text), cases[i].kib * 1024);
}

/* A child that has said over a pipe that it is ready, and waits. */
struct waiter {
    pid_t pid;
    int ready[2];
};

static void waiter_start (struct waiter *w)
{
    assert_int_equal (pipe (w->ready), 0);
    w->pid = fork ();
    assert_true (w->pid >= 0);
}

static _Noreturn void waiter_wait (const struct waiter *w)
{
    (void)!write (w->ready[1], "x", 1);
    for (;;)
        pause ();
}

static void waiter_expect (const struct waiter *w, size_t n)
{
    char bytes[16];

    close (w->ready[1]);
    for (size_t i = 0; i < n; i++)
        assert_int_equal (read (w->ready[0], bytes, 1), 1);
    close (w->ready[0]);
}

static void *take_memory (size_t bytes)
{
    void *at = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true (at != MAP_FAILED);
    memset (at, 1, bytes);
    return at;
}

/* Four workers of one that has 64 MiB, which they read and one MiB of which
 * each writes to: what they share counts once.
 */
static void test_what_is_shared_counts_once (void **state)
{
    struct memory_use use = { 0, 0 };
    struct strvec pids = STRVEC_INIT;
    struct waiter w;

    (void)state;
    waiter_start (&w);
    if (w.pid == 0) {
        char *memory = take_memory (64 * MIB);

        for (int i = 0; i < 4; i++) {
            if (fork () == 0) {
                memset (memory + i * MIB, 2, MIB);
                waiter_wait (&w);
            }
        }
        waiter_wait (&w);
    }
    waiter_expect (&w, 5);
    task_processes (w.pid, "NO=tag", false, &pids);
    assert_int_equal (pids.n, 5);
    memory_use_count (&use, &pids, 0);
    assert_in_range (use.peak_bytes, 67 * MIB, 90 * MIB);
    assert_int_equal (use.bytes, use.peak_bytes);
    for (size_t i = 0; i < pids.n; i++)
        kill (atoi (pids.v[i]), SIGKILL);
    waitpid (w.pid, NULL, 0);
    strvec_release (&pids);
}

/* What is well below the peak is not looked into. */
static void test_only_news_are_counted (void **state)
{
    struct memory_use use = { 5, (int64_t)1 << 40 };
    struct strvec pids = STRVEC_INIT;

    (void)state;
    strvec_pushf (&pids, "%d", (int)getpid ());
    memory_use_count (&use, &pids, 0);
    assert_int_equal (use.bytes, 5);
    memory_use_count (&use, &pids, 1);
    assert_true (use.bytes > 5);
    strvec_pushf (&pids, "%d", 1 << 30); /* has ended */
    use = (struct memory_use){ 0, 0 };
    memory_use_count (&use, &pids, 0);
    assert_true (use.peak_bytes > 0);
    strvec_release (&pids);
}

/* --- tasks --- */

/* 200 MiB, and then it waits: tail keeps what has no end of line. */
#define HOG "(head -c 200M /dev/zero; sleep 100) | tail -n 1"

/* Task 0 does 'task_0'; task 1 waits for its end. */
#define NEIGHBOUR(task_0)                                                      \
    "if [ {task} = 0 ]; then " task_0 "; fi; "                                 \
    "until grep -q '\"ev\":\"end\"' {campaign}/" RUN_DIR "/results-0.*; do "   \
    "sleep 0.02; done; touch {outputs.done}"

static const struct port done_output[] = {
    { .name = "done", .type = { .kind = TYPE_FILE } },
    { .name = NULL },
};

static void expect_end (const char *part)
{
    struct story story = STORY_INIT;

    read_story (&story);
    if (!strstr (story.text.buf, part))
        fail_msg ("'%s' is not in '%s'", part, story.text.buf);
    story_release (&story);
}

/* A task over its memory is ended within seconds, whichever of its processes
 * has it; its neighbour goes on.
 */
static void test_over_its_memory (void **state)
{
    static const char *const commands[] = {
        NEIGHBOUR (HOG),
        /* An orphan that is in no group of the task. */
        NEIGHBOUR ("(setsid sh -c \"" HOG "\" &); sleep 100"),
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (commands); i++) {
        const struct scene scene = {
            .sh = commands[i],
            .bundle = "0-1",
            .slots = 2,
            .outputs = done_output,
            .needs = { .ranks = 1, .cores = 1, .memory_bytes = 100 * MIB },
        };

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_end ("end0(out_of_memory)");
        expect_end ("end1(ok)");
        expect_message (" its memory of 100.0 MiB");
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    }
}

static int take_peak (const struct result_event *event, void *arg,
                      struct error *err)
{
    (void)err;
    if (event->kind == RESULT_END)
        *(int64_t *)arg = event->peak_bytes;
    return 0;
}

/* What the record of the end says, and what result.json does: the same. */
static int64_t told_peak (void)
{
    struct json *result =
        json_read_file (JOB_DIR "000000/out/result.json", NULL);
    struct element_logs logs = ELEMENT_LOGS_INIT;
    int64_t peak = -1;

    assert_int_equal (element_logs_add (&logs, RUN_DIR, 0, 0, 0, NULL), 0);
    assert_int_equal (element_logs_limit (&logs, NULL), 0);
    assert_int_equal (element_log_scan (&logs.v[0], take_peak, &peak, NULL), 0);
    assert_int_equal (
        peak, json_as_int (json_get (json_get (result, "run"), "peak_bytes")));
    element_logs_release (&logs);
    json_unref (result);
    return peak;
}

/* What a child's ru_maxrss has from this process: the child's pages before its
 * exec. Tens of MiB under a sanitizer.
 */
static int64_t own_peak (void)
{
    struct rusage self;

    assert_int_equal (getrusage (RUSAGE_SELF, &self), 0);
    return (int64_t)self.ru_maxrss * 1024;
}

/* The peak of a short task is known; that of ranks only where their launcher is
 * seen to have them.
 */
static void test_peak_is_told (void **state)
{
    static const struct {
        const char *sh;
        struct resources needs;
        int least_mib, most_mib;
    } cases[] = {
        { "head -c 60M /dev/zero | tail -n 1 >/dev/null",
          { .ranks = 1, .cores = 1 },
          59,
          120 },
        { "sleep 1.1",
          { .ranks = 2, .cores = 2, .memory_bytes = 1 << 30 },
          0,
          0 },
        { "for i in 1 2; do (sleep 1.3; :) & done; wait",
          { .ranks = 2, .cores = 2, .memory_bytes = 1 << 30 },
          0,
          20 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *sh = xasprintf ("%s; touch {outputs.done}", cases[i].sh);
        const struct scene scene = { .sh = sh,
                                     .outputs = done_output,
                                     .needs = cases[i].needs };
        int64_t peak;

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        peak = told_peak ();
        assert_in_range (
            peak, (int64_t)cases[i].least_mib * MIB,
            cases[i].most_mib == 0 ? 0 : cases[i].most_mib * MIB + own_peak ());
        assert_true (peak > 0 || cases[i].most_mib == 0);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
        free (sh);
    }
}

/* --- a cgroup of its own --- */

/* Where nothing can be divided, nothing is left behind. */
static void test_no_cgroup_to_divide (void **state)
{
    static const struct {
        const char *self, *controllers;
    } cases[] = {
        { "4:memory:/x\n", "memory\n" },
        { "0::/y\n", "memory\n" },
        { "0::/x\n", "cpu memoryless\n" },
        /* A directory whose groups have no files: not a cgroup. */
        { "0::/x\n", "cpu memory pids\n" },
    };
    struct memory_cgroup cgroup = MEMORY_CGROUP_INIT;

    (void)state;
    assert_int_equal (file_make_dirs ("x", NULL), 0);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        write_text ("self", cases[i].self);
        write_text ("x/cgroup.controllers", cases[i].controllers);
        memory_cgroup_enter (&cgroup, "self", ".");
        assert_null (cgroup.own);
        assert_null (memory_cgroup_begin (&cgroup, 0, MIB));
        memory_cgroup_leave (&cgroup);
        assert_int_equal (count_paths ("x/*"), 1);
    }
}

/* A cgroup that this test makes below its own, where the kernel lets it. */
static char *make_cgroup (void)
{
    char *name = own_cgroup (OOM_SELF_CGROUP);
    char *dir = xasprintf ("%s%s/fanfold-test-%d", OOM_CGROUP_MOUNT,
                           name ? name : "", (int)getpid ());
    char *memory = path_join (dir, "memory.max");
    bool made = name && mkdir (dir, 0777) == 0;

    free (name);
    if (made && file_exists (memory)) {
        free (memory);
        return dir;
    }
    rmdir (dir);
    free (memory);
    free (dir);
    return NULL;
}

static int put_in (const char *cgroup, const char *name, const char *text)
{
    char *path = path_join (cgroup, name);
    int fd = open (path, O_WRONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : write (fd, text, strlen (text));

    close (fd);
    free (path);
    return n < 0 ? -1 : 0;
}

static pid_t start_agent_in (const char *cgroup)
{
    sigset_t all, before;
    pid_t pid;

    sigfillset (&all);
    sigprocmask (SIG_SETMASK, &all, &before);
    pid = fork ();
    assert_true (pid >= 0);
    if (pid == 0) {
        if (put_in (cgroup, "cgroup.procs", "0") < 0)
            _exit (2);
        be_agent ("4711");
    }
    sigprocmask (SIG_SETMASK, &before, NULL);
    return pid;
}

static size_t count_groups (const char *cgroup)
{
    char *pattern = xasprintf ("%s/fanfold-*", cgroup);
    size_t n = count_paths (pattern);

    free (pattern);
    return n;
}

/* The kernel ends the task at once; what a killed agent leaves is removed.
 * Nobody can join a group that hands controllers down: who puts another agent
 * into it has to take that back.
 */
static void test_kept_by_a_cgroup (void **state)
{
    const struct resources needs = { .ranks = 1,
                                     .cores = 1,
                                     .memory_bytes = 100 * MIB };
    const struct scene waits = { .sh = "sleep 100", .needs = needs };
    const struct scene over = { .sh = NEIGHBOUR (HOG),
                                .bundle = "0-1",
                                .slots = 2,
                                .outputs = done_output,
                                .needs = needs };
    char *cgroup = make_cgroup ();
    pid_t agent;

    (void)state;
    if (!cgroup) { /* doc/testing.md says where it ran */
        print_message ("# not here: no cgroup with a memory controller can be "
                       "made\n");
        return;
    }
    set_scene (&waits);
    agent = start_agent_in (cgroup);
    while (count_groups (cgroup) < 2)
        usleep (1000);
    kill (agent, SIGKILL);
    assert_int_equal (waitpid (agent, NULL, 0), agent);
    assert_true (count_groups (cgroup) >= 1);
    assert_int_equal (put_in (cgroup, "cgroup.subtree_control", "-memory"), 0);
    assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);

    set_scene (&over);
    assert_int_equal (wait_agent (start_agent_in (cgroup)), 0);
    expect_end ("end0(out_of_memory)");
    expect_end ("end1(ok)");
    expect_message ("it used up its memory of 100.0 MiB");
    assert_int_equal (count_groups (cgroup), 0);
    assert_int_equal (rmdir (cgroup), 0);
    free (cgroup);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_smaps_bytes),
        cmocka_unit_test (test_what_is_shared_counts_once),
        cmocka_unit_test (test_only_news_are_counted),
        IN_DIR (test_over_its_memory),
        IN_DIR (test_peak_is_told),
        IN_DIR (test_no_cgroup_to_divide),
        IN_DIR (test_kept_by_a_cgroup),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
