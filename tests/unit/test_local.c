/* SPDX-License-Identifier: BSD-3-Clause */
/* test_local.c - supervisors that die, spools that are not ours, shared cores
 *
 * What every adapter owes is in tests/adapters/conformance.c.  This program
 * is also the one that supervisors are started from.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/stat.h>

#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/process.h"
#include "cores.h"
#include "local/local.h"
#include "spool.h"
#include "temp_dir.h"

enum { ELEMENTS = 2 };

/* Made anew for every test: what is left of a job is found by its token, also
 * by another run of this program.
 */
static char token[TOKEN_LENGTH + 1];
static char other_token[TOKEN_LENGTH + 1];

/* "spool/NAME/FILE"; the text lives until the next call. */
static const char *in_spool (const char *name, const char *file)
{
    static char path[128];

    snprintf (path, sizeof (path), "spool/%s%s%s", name, *file ? "/" : "",
              file);
    return path;
}

struct place {
    struct temp_dir dir;
    char *spool;
    struct scheduler scheduler;
};

/* A job whose script is 'sh' after "cd <the test's directory>". */
static void submit_after (const struct scheduler *scheduler, const char *name,
                          const char *sh, int cores, const char *after)
{
    struct array_job job = { .elements = ELEMENTS,
                             .cores = cores,
                             .after = after,
                             .unheld = after != NULL,
                             .agent = STRVEC_INIT,
                             .directives = STRVEC_INIT };
    const struct job_key key = { name, name };
    struct strbuf script = STRBUF_INIT;
    struct strbuf id = STRBUF_INIT;
    char *self = process_self ();
    char cwd[PATH_MAX];

    assert_non_null (getcwd (cwd, sizeof (cwd)));
    strbuf_addf (&script, "cd '%s'\ne=$FANFOLD_ARRAY_INDEX\n%s\n", cwd, sh);
    write_text ("script", script.buf);
    memcpy (job.token, name, TOKEN_LENGTH + 1);
    strvec_push (&job.agent, self);
    assert_int_equal (
        local_adapter.submit (scheduler, &job, "script", &id, NULL), ANSWER_OK);
    assert_string_equal (id.buf, name);
    if (!after)
        assert_int_equal (local_adapter.release (scheduler, &key, NULL),
                          ANSWER_OK);
    strbuf_release (&id);
    strbuf_release (&script);
    strvec_release (&job.agent);
    free (self);
}

static void submit (const struct scheduler *scheduler, const char *name,
                    const char *sh, int cores)
{
    submit_after (scheduler, name, sh, cores, NULL);
}

static void poll_job (const struct scheduler *scheduler, const char *name,
                      struct element_status *status)
{
    struct job_status job = { .key = { name, name },
                              .n_elements = ELEMENTS,
                              .elements = status };
    struct error err = ERROR_INIT;

    if (local_adapter.poll (scheduler, &job, 1, &err) != ANSWER_OK)
        fail_msg ("%s", err.text);
}

static void wait_ended (const struct scheduler *scheduler, const char *name,
                        struct element_status *status)
{
    double end_s = clock_mono_s () + 30;

    do {
        poll_job (scheduler, name, status);
        assert_true (clock_mono_s () < end_s);
        clock_sleep (0.005, NULL);
    } while (status[0].state != ELEMENT_ENDED
             || status[1].state != ELEMENT_ENDED);
}

static void wait_file (const char *path)
{
    double end_s = clock_mono_s () + 30;

    while (!file_exists (path)) {
        assert_true (clock_mono_s () < end_s);
        clock_sleep (0.005, NULL);
    }
}

static pid_t read_pid (const char *path)
{
    struct strbuf text = STRBUF_INIT;
    pid_t pid;

    assert_int_equal (file_read (path, 100, &text, NULL), 0);
    pid = (pid_t)atoi (text.buf);
    assert_true (pid > 1);
    strbuf_release (&text);
    return pid;
}

static void wait_gone (pid_t pid)
{
    double end_s = clock_mono_s () + 30;

    while (process_start_ticks (pid) != 0) { /* a zombie counts as gone */
        assert_true (clock_mono_s () < end_s);
        clock_sleep (0.002, NULL);
    }
}

static int enter (void **state)
{
    static struct place place;

    temp_dir_enter (&place.dir);
    random_token (token, TOKEN_LENGTH);
    random_token (other_token, TOKEN_LENGTH);
    place.spool = path_join (place.dir.path, "spool");
    place.scheduler =
        (struct scheduler){ .spool = place.spool, .deadline_s = 10 };
    *state = &place;
    return 0;
}

static const struct scheduler *scheduler_of (void **state)
{
    return &((struct place *)*state)->scheduler;
}

/* Whatever the test found, nothing of it stays. */
static void end_job (const struct scheduler *scheduler, const char *name)
{
    const struct job_key key = { name, name };
    double end_s = clock_mono_s () + 30;

    local_adapter.cancel (scheduler, &key, -1, NULL);
    while (local_adapter.forget (scheduler, name, NULL) != ANSWER_OK
           && clock_mono_s () < end_s)
        continue;
}

static int leave (void **state)
{
    struct place *place = *state;

    end_job (&place->scheduler, token);
    end_job (&place->scheduler, other_token);
    temp_dir_leave (&place->dir);
    free (place->spool);
    return 0;
}

/* --- supervisors --- */

#define SUPERVISOR in_spool (token, "supervisor")
#define OTHER_SUPERVISOR in_spool (other_token, "supervisor")

static void test_supervisor_is_detached (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    struct strvec fds = STRVEC_INIT;
    struct strbuf line = STRBUF_INIT;
    char *path;
    pid_t pid;

    submit (scheduler, token, "touch here-$e; exec sleep 1000", 1);
    wait_file ("here-0");
    pid = read_pid (SUPERVISOR);
    assert_int_not_equal (getsid (pid), getsid (0));
    assert_int_not_equal (getpgid (pid), getpgid (0));
    path = xasprintf ("/proc/%d/fd", (int)pid);
    assert_int_equal (file_list_dir (path, &fds, NULL), 0);
    for (size_t i = 0; i < fds.n; i++) {
        char *link = path_join (path, fds.v[i]);
        char *target = file_read_link (link, NULL);

        /* NULL: it was closed since it was listed */
        if (target && strcmp (target, "/dev/null") != 0
            && !strstr (target, "/spool/"))
            fail_msg ("descriptor %s is '%s'", fds.v[i], target);
        free (target);
        free (link);
    }
    free (path);
    strvec_release (&fds);
    strbuf_release (&line);
}

/* What ran under it ended as on a node that failed; the rest runs when
 * somebody asks.
 */
static void test_killed_supervisor (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    struct element_status status[ELEMENTS];
    pid_t leftover;

    submit (scheduler, token,
            "test $e = 1 && exit 0\n"
            "setsid sleep 1000 & echo $! > pid.new; mv pid.new pid\n"
            "trap '' TERM; while :; do sleep 1; done",
            1000000); /* all cores: one at a time */
    wait_file ("pid");
    leftover = read_pid ("pid");
    assert_int_equal (kill (read_pid (SUPERVISOR), SIGKILL), 0);
    wait_gone (read_pid (SUPERVISOR));
    poll_job (scheduler, token, status);
    assert_int_equal (status[0].state, ELEMENT_ENDED);
    assert_int_equal (status[0].outcome, OUTCOME_NODE_FAILURE);
    wait_gone (leftover);
    wait_ended (scheduler, token, status);
    assert_int_equal (status[0].outcome, OUTCOME_NODE_FAILURE);
    assert_int_equal (status[1].outcome, OUTCOME_OK);
}

/* Whoever waits for a job looks after it: nobody else may. */
static void test_killed_supervisor_of_a_job_that_is_waited_for (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);

    submit (scheduler, token, "touch here-$e; exec sleep 1000", 0);
    wait_file ("here-0");
    wait_file ("here-1");
    submit_after (scheduler, other_token, "touch after-$e", 0, token);
    assert_false (file_exists ("after-0"));
    assert_int_equal (kill (read_pid (SUPERVISOR), SIGKILL), 0);
    wait_file ("after-0");
    wait_file ("after-1");
}

/* ... and whoever ends after those who wait for it. */
static void test_killed_supervisor_of_a_job_that_waits (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);

    submit (scheduler, token, "until test -e go; do sleep 0.01; done", 0);
    submit_after (scheduler, other_token, "touch after-$e", 0, token);
    wait_file (OTHER_SUPERVISOR);
    kill (read_pid (OTHER_SUPERVISOR), SIGKILL);
    wait_gone (read_pid (OTHER_SUPERVISOR));
    write_text ("go", "");
    wait_file ("after-0");
    wait_file ("after-1");
}

static void test_killed_supervisor_of_a_cancelled_job (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    const struct job_key key = { token, token };
    struct element_status status[ELEMENTS];

    submit (scheduler, token, "touch here-$e; exec sleep 1000", 1000000);
    wait_file ("here-0");
    assert_int_equal (kill (read_pid (SUPERVISOR), SIGKILL), 0);
    wait_gone (read_pid (SUPERVISOR));
    assert_int_equal (local_adapter.cancel (scheduler, &key, -1, NULL),
                      ANSWER_OK);
    poll_job (scheduler, token, status);
    for (int e = 0; e < ELEMENTS; e++) {
        assert_int_equal (status[e].state, ELEMENT_ENDED);
        assert_int_equal (status[e].outcome, OUTCOME_CANCELLED);
    }
    assert_false (file_exists ("here-1"));
}

/* Its supervisor was to remove it and cannot: the next who submits does. */
static void test_killed_supervisor_of_a_forgotten_job (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    pid_t leftover;

    submit (scheduler, token,
            "setsid sleep 1000 & echo $! > pid.new; mv pid.new pid; wait",
            1000000);
    wait_file ("pid");
    leftover = read_pid ("pid");
    assert_int_not_equal (local_adapter.forget (scheduler, token, NULL),
                          ANSWER_OK);
    submit (scheduler, other_token, "true", 1);
    assert_true (file_exists (SUPERVISOR)); /* it is still at work */
    end_job (scheduler, other_token);
    assert_int_equal (kill (read_pid (SUPERVISOR), SIGKILL), 0);
    wait_gone (read_pid (SUPERVISOR));
    submit (scheduler, other_token, "true", 1);
    assert_false (file_exists (in_spool (token, "")));
    wait_gone (leftover);
}

static void test_removal_that_was_cut_off (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    char *gone = xasprintf ("spool/.gone-%s", token);
    char *output = path_join (gone, "output");

    assert_int_equal (file_make_dirs (gone, NULL), 0);
    write_text (output, "");
    submit (scheduler, other_token, "true", 1);
    assert_false (file_exists (gone));
    end_job (scheduler, other_token);
    free (output);
    free (gone);
}

static void test_supervisor_told_to_end (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    struct element_status status[ELEMENTS];

    submit (scheduler, token, "touch here-$e; exec sleep 1000", 1000000);
    wait_file ("here-0");
    assert_int_equal (kill (read_pid (SUPERVISOR), SIGTERM), 0);
    wait_ended (scheduler, token, status);
    assert_int_equal (status[0].outcome, OUTCOME_CANCELLED);
    assert_int_equal (status[1].outcome, OUTCOME_CANCELLED);
}

static void test_orphan_processes_of_an_element (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    struct element_status status[ELEMENTS];

    submit (scheduler, token,
            "setsid sleep 1000 & echo $! > pid-$e; kill -9 $$", 1);
    wait_ended (scheduler, token, status);
    assert_int_equal (status[0].outcome, OUTCOME_FAILED);
    wait_gone (read_pid ("pid-0")); /* it was killed, and may be ending */
    wait_gone (read_pid ("pid-1"));
}

static void test_several_nodes_are_refused (void **state)
{
    struct array_job job = { .nodes = 2 };
    struct strbuf script = STRBUF_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (local_adapter.render (NULL, &job, &script, &err),
                      ANSWER_REFUSED);
    assert_non_null (strstr (err.text, "nodes: "));
    assert_int_equal (script.len, 0);
    strbuf_release (&script);
}

static void test_program_is_gone (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    struct array_job job = { .elements = 1, .cores = 1, .agent = STRVEC_INIT };
    const struct job_key key = { token, token };
    struct strbuf id = STRBUF_INIT;
    struct error err = ERROR_INIT;

    memcpy (job.token, token, sizeof (token));
    strvec_push (&job.agent, "/no/such/fanfold");
    write_text ("script", "true\n");
    assert_int_equal (
        local_adapter.submit (scheduler, &job, "script", &id, NULL), ANSWER_OK);
    assert_int_equal (local_adapter.release (scheduler, &key, &err),
                      ANSWER_BROKEN);
    assert_non_null (strstr (err.text, "/no/such/fanfold"));
    strbuf_release (&id);
    strvec_release (&job.agent);
}

/* --- cores --- */

static void test_element_is_bound (void **state)
{
    const struct scheduler *scheduler = scheduler_of (state);
    struct element_status status[ELEMENTS];

    submit (scheduler, token,
            "grep Cpus_allowed_list /proc/self/status > cpus-$e; "
            "ls /proc/self/fd | wc -l > fds-$e",
            1);
    wait_ended (scheduler, token, status);
    assert_int_equal (status[0].outcome, OUTCOME_OK);
    if (cores_count () > 1) {
        struct strbuf cpus = STRBUF_INIT;

        assert_int_equal (file_read ("cpus-0", 4096, &cpus, NULL), 0);
        assert_int_equal (cores_count () == 2 && strchr (cpus.buf, ','), 0);
        strbuf_release (&cpus);
    }
    assert_file_text ("fds-0", "4\n"); /* 0, 1, 2 and the directory */
}

/* Two jobs that want the whole machine take turns. */
static void test_jobs_share_the_machine (void **state)
{
    static const char sh[] = "mkdir busy || touch overlap; sleep 0.05; "
                             "rmdir busy";
    const struct scheduler *scheduler = scheduler_of (state);
    struct element_status status[ELEMENTS];

    submit (scheduler, token, sh, cores_count ());
    submit (scheduler, other_token, sh, cores_count ());
    wait_ended (scheduler, token, status);
    assert_int_equal (status[1].outcome, OUTCOME_OK);
    wait_ended (scheduler, other_token, status);
    assert_int_equal (status[1].outcome, OUTCOME_OK);
    assert_false (file_exists ("overlap"));
}

static void test_cores_are_taken_all_or_none (void **state)
{
    struct cores one, rest, none;
    int all = cores_count ();

    (void)state;
    assert_int_equal (file_make_dirs ("spool", NULL), 0);
    assert_int_equal (cores_take ("spool", 1, &one, NULL), 0);
    assert_int_equal (one.n, 1);
    assert_true (CPU_COUNT (&one.cpus) >= 1);
    assert_int_equal (cores_take ("spool", all, &none, NULL), 1);
    if (all > 1) {
        assert_int_equal (cores_take ("spool", all - 1, &rest, NULL), 0);
        assert_int_equal (cores_take ("spool", 1, &none, NULL), 1);
        cores_give (&rest);
    }
    cores_give (&one);
    assert_int_equal (cores_take ("spool", all + 7, &rest, NULL), 0);
    assert_int_equal (rest.n, all);
    cores_give (&rest);
}

/* --- the spool --- */

static void test_spool_must_be_ours (void **state)
{
    struct error err = ERROR_INIT;
    struct stat st;

    (void)state;
    assert_int_equal (spool_open ("made/spool", NULL), 0);
    assert_int_equal (stat ("made/spool", &st), 0);
    assert_int_equal (st.st_mode & 0777, 0700);
    assert_int_equal (chmod ("made/spool", 0755), 0);
    assert_int_equal (spool_open ("made/spool", NULL), 0);
    assert_int_equal (stat ("made/spool", &st), 0);
    assert_int_equal (st.st_mode & 0777, 0700);
    assert_int_equal (symlink ("made/spool", "link"), 0);
    assert_int_equal (spool_open ("link", &err), -1);
    assert_non_null (strstr (err.text, "site.yaml"));
    write_text ("file", "");
    assert_int_equal (spool_open ("file", NULL), -1);
}

static void test_spool_of_another_user (void **state)
{
    (void)state;
    if (geteuid () != 0)
        skip ();
    assert_int_equal (spool_open ("made/spool", NULL), 0);
    assert_int_equal (chown ("made/spool", 1, 1), 0);
    assert_int_equal (spool_open ("made/spool", NULL), -1);
}

static void test_job_ids (void **state)
{
    static const char *const bad[] = { "", "..", "a/b", "A", "a b", ".new-x" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct error err = ERROR_INIT;

        assert_null (spool_job_dir ("spool", bad[i], &err));
        assert_string_not_equal (err.text, "");
    }
}

static void make_spool_job (struct spool_job *job)
{
    struct array_job array = { .token = "a23456789012345",
                               .elements = ELEMENTS,
                               .cores = 1,
                               .agent = STRVEC_INIT };

    strvec_push (&array.agent, "/opt/fanfold");
    write_text ("script", "true\n");
    assert_int_equal (spool_open ("spool", NULL), 0);
    assert_int_equal (spool_create ("spool", &array, "script", NULL), 0);
    assert_int_equal (spool_create ("spool", &array, "script", NULL), -1);
    assert_int_equal (spool_read ("spool/a23456789012345", job, NULL), 0);
    strvec_release (&array.agent);
}

/* Wherever the last line was cut, the next one is read. */
static void test_torn_events (void **state)
{
    static const char *const torn[] = { "s", "start", "start 1", "end 1",
                                        "end 1 o" };
    struct spool_job job;

    (void)state;
    make_spool_job (&job);
    for (size_t i = 0; i < ARRAY_SIZE (torn); i++) {
        struct spool_job again;
        char *text = xasprintf ("start 0\n%s", torn[i]);

        write_text ("spool/a23456789012345/events", text);
        assert_int_equal (spool_log (&job, 0, OUTCOME_NODE_FAILURE, NULL), 0);
        assert_int_equal (spool_read (job.dir, &again, NULL), 0);
        assert_int_equal (again.status[0].state, ELEMENT_ENDED);
        assert_int_equal (again.status[0].outcome, OUTCOME_NODE_FAILURE);
        assert_int_equal (again.status[1].state, ELEMENT_HELD);
        assert_file_text ("spool/a23456789012345/events",
                          "start 0\nend 0 node_failure\n");
        spool_job_release (&again);
        free (text);
    }
    spool_job_release (&job);
}

static void test_bad_events_and_jobs (void **state)
{
    struct spool_job job, again;

    (void)state;
    make_spool_job (&job);
    write_text ("spool/a23456789012345/events",
                "start 7\nend -1 ok\nnonsense\n\nend 1 nonsense\n"
                "end 99999999999999999999999 ok\nstart 0\n");
    assert_int_equal (spool_read (job.dir, &again, NULL), 0);
    assert_int_equal (again.status[0].state, ELEMENT_RUNNING);
    spool_job_release (&again);
    write_text ("spool/a23456789012345/job.json", "{\"elements\": 1");
    assert_int_equal (spool_read (job.dir, &again, NULL), -1);
    write_text ("spool/a23456789012345/job.json", "{\"elements\": -1}");
    assert_int_equal (spool_read (job.dir, &again, NULL), -1);
    assert_int_equal (file_remove_tree ("spool", NULL, NULL), 0);
    spool_job_release (&job);
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

int main (int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_supervisor_is_detached),
        IN_DIR (test_killed_supervisor),
        IN_DIR (test_killed_supervisor_of_a_job_that_is_waited_for),
        IN_DIR (test_killed_supervisor_of_a_job_that_waits),
        IN_DIR (test_killed_supervisor_of_a_cancelled_job),
        IN_DIR (test_killed_supervisor_of_a_forgotten_job),
        IN_DIR (test_removal_that_was_cut_off),
        IN_DIR (test_supervisor_told_to_end),
        IN_DIR (test_orphan_processes_of_an_element),
        cmocka_unit_test (test_several_nodes_are_refused),
        IN_DIR (test_program_is_gone),
        IN_DIR (test_element_is_bound),
        IN_DIR (test_jobs_share_the_machine),
        IN_DIR (test_cores_are_taken_all_or_none),
        IN_DIR (test_spool_must_be_ours),
        IN_DIR (test_spool_of_another_user),
        IN_DIR (test_job_ids),
        IN_DIR (test_torn_events),
        IN_DIR (test_bad_events_and_jobs),
    };

    if (argc == 3 && strcmp (argv[1], "local-supervisor") == 0)
        return local_supervisor_run (argv[2], NULL) < 0 ? 1 : 0;
    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
