/* SPDX-License-Identifier: BSD-3-Clause */
/* test_mps.c - daemons for shared GPUs, by a stand-in for the control program
 * that notes what it is asked
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "agent_scene.h"

/* The daemon is a process that sleeps; clients are those of the file. */
static const char stand_in[] =
    "#!/bin/sh\n"
    "p=$CUDA_MPS_PIPE_DIRECTORY\n"
    "if [ \"$1\" = -d ]; then\n"
    "    [ -d \"$p\" ] || exit 1\n"
    "    sleep 1000 >/dev/null 2>&1 &\n"
    "    echo $! >\"$p/daemon\"\n"
    "    echo \"start $p $CUDA_VISIBLE_DEVICES $!\" >>\"$NOTES\"\n"
    "    exit\n"
    "fi\n"
    "while read -r word server client; do\n"
    "    case $word in\n"
    "    get_server_list) echo 4242 ;;\n"
    "    get_client_list) cat \"$CLIENTS\" ;;\n"
    "    terminate_client)\n"
    "        kill -0 $client && echo \"terminate $server alive\" >>\"$NOTES\" "
    ";;\n"
    "    quit)\n"
    "        echo quit >>\"$NOTES\"\n"
    "        kill $(cat \"$p/daemon\") ;;\n"
    "    esac\n"
    "done\n";

/* Of a device that it is asked of, and only of the whole of its memory. */
static const char smi[] =
    "#!/bin/sh\n"
    "[ \"$1 $2 $3\" = '--query-gpu=memory.total "
    "--format=csv,noheader,nounits -i' ] || exit 2\n"
    "case $4 in GPU-a | GPU-b | 6 | 4) echo 1000 ;; *) exit 6 ;; esac\n";

/* In the test's directory: the stand-ins on PATH, and their files. */
static void set_stand_in (void)
{
    char *here = getcwd (NULL, 0);
    char *path = xasprintf ("%s/bin:%s", here, getenv ("PATH"));
    char *notes = xasprintf ("%s/notes", here);
    char *clients = xasprintf ("%s/clients", here);

    assert_int_equal (file_make_dirs ("bin", NULL), 0);
    write_text ("bin/nvidia-cuda-mps-control", stand_in);
    assert_int_equal (chmod ("bin/nvidia-cuda-mps-control", 0755), 0);
    write_text ("bin/nvidia-smi", smi);
    assert_int_equal (chmod ("bin/nvidia-smi", 0755), 0);
    write_text ("notes", "");
    write_text ("clients", "");
    setenv ("PATH", path, 1);
    setenv ("NOTES", notes, 1);
    setenv ("CLIENTS", clients, 1);
    setenv ("HWLOC_SYNTHETIC", "core:8 pu:1", 1);
    free (here);
    free (path);
    free (notes);
    free (clients);
}

static void read_notes (struct strvec *lines)
{
    struct strbuf text = STRBUF_INIT;

    assert_int_equal (file_read ("notes", 1 << 16, &text, NULL), 0);
    strvec_split (lines, text.buf, "\n");
    strbuf_release (&text);
}

/* "start PIPE_DIR DEVICE PID" */
struct started {
    char dir[64], device[32];
    int pid;
};

static void parse_start (const char *line, struct started *started)
{
    assert_int_equal (sscanf (line, "start %63s %31s %d", started->dir,
                              started->device, &started->pid),
                      3);
}

static bool is_gone (const struct started *started)
{
    return kill (started->pid, 0) < 0 && access (started->dir, F_OK) < 0;
}

static const struct port seen_output[] = {
    { .name = "seen", .type = { .kind = TYPE_FILE } },
    { .name = NULL },
};

static const struct resources half = { .ranks = 1,
                                       .cores = 1,
                                       .gpus = 1,
                                       .gpu_share = 2 };

/* A client is told to the daemon while it lives, then it is killed; at the end
 * the daemon quits.
 */
static void test_order_on_timeout (void **state)
{
    struct resources needs = half;
    struct scene scene = { .sh = "trap '' TERM; echo $$ >$CLIENTS; "
                                 "while :; do sleep 0.05; done",
                           .mps = true,
                           .grace_s = 0.2 };
    struct strvec lines = STRVEC_INIT;
    struct started started;

    (void)state;
    set_stand_in ();
    setenv ("CUDA_VISIBLE_DEVICES", "GPU-a", 1);
    needs.walltime_s = 2;
    scene.needs = needs;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(timeout) done");
    read_notes (&lines);
    assert_true (lines.n >= 3);
    parse_start (lines.v[0], &started);
    assert_string_equal (lines.v[1], "terminate 4242 alive");
    assert_string_equal (lines.v[lines.n - 1], "quit");
    assert_true (is_gone (&started));
    strvec_release (&lines);
}

/* What a task left is ended though its environment tells nothing. */
static void test_orphans_beside_a_daemon (void **state)
{
    const struct scene scene = {
        .sh = "env -i setsid sh -c 'sleep 1000 & echo $! >$0; exit 0' "
              "{campaign}/orphan",
        .mps = true,
        .needs = half
    };
    struct strbuf text = STRBUF_INIT;

    (void)state;
    set_stand_in ();
    setenv ("CUDA_VISIBLE_DEVICES", "GPU-a", 1);
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
    assert_int_equal (file_read ("orphan", 64, &text, NULL), 0);
    assert_int_equal (kill (atoi (text.buf), 0), -1);
    strbuf_release (&text);
}

/* An agent that is killed cannot say anything. */
static void test_gone_with_the_agent (void **state)
{
    const struct scene scene = { .sh = "touch {campaign}/began; sleep 1000",
                                 .mps = true,
                                 .needs = half };
    struct strvec lines = STRVEC_INIT;
    struct started started;
    pid_t agent;

    (void)state;
    set_stand_in ();
    setenv ("CUDA_VISIBLE_DEVICES", "GPU-a", 1);
    set_scene (&scene);
    agent = start_agent_as ("4711");
    while (!file_exists ("began"))
        usleep (1000);
    read_notes (&lines);
    parse_start (lines.v[0], &started);
    assert_int_equal (kill (started.pid, 0), 0);
    kill (agent, SIGKILL);
    assert_int_equal (waitpid (agent, NULL, 0), agent);
    for (int i = 0; i < 10000 && !is_gone (&started); i++)
        usleep (1000);
    assert_true (is_gone (&started));
    strvec_release (&lines);
}

/* A task saw one of the two devices, and its daemon's directory. */
static void expect_seen (int task, const char *const *visible,
                         const struct started *started)
{
    char *path = xasprintf (JOB_DIR "%06d/out/seen", task);
    struct strbuf text = STRBUF_INIT;
    bool found = false;

    assert_int_equal (file_read (path, 4096, &text, NULL), 0);
    for (size_t k = 0; k < 2; k++) {
        char *wanted =
            xasprintf ("%s 50 0=500M %s\n", visible[k], started[k].dir);

        found = found || strcmp (text.buf, wanted) == 0;
        free (wanted);
    }
    assert_true (found);
    strbuf_release (&text);
    free (path);
}

/* Each device has its own, each element another; a task sees one of half a
 * device, which it numbers 0 where it was named by a number.
 */
static void test_never_shared (void **state)
{
    static const struct {
        const char *given, *visible[2];
    } cases[] = {
        { "GPU-a,GPU-b", { "GPU-a", "GPU-b" } },
        { "6,4", { "0", "0" } },
    };
    struct started started[4];
    size_t n = 0;

    (void)state;
    set_stand_in ();
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = {
            .sh = "echo $CUDA_VISIBLE_DEVICES "
                  "$CUDA_MPS_ACTIVE_THREAD_PERCENTAGE "
                  "$CUDA_MPS_PINNED_DEVICE_MEM_LIMIT "
                  "$CUDA_MPS_PIPE_DIRECTORY >{outputs.seen}",
            .bundle = "0-7",
            .slots = 4,
            .outputs = seen_output,
            .mps = true,
            .needs = half
        };
        struct strvec lines = STRVEC_INIT;

        setenv ("CUDA_VISIBLE_DEVICES", cases[i].given, 1);
        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        read_notes (&lines);
        assert_int_equal (lines.n, 4 * (i + 1));
        for (size_t k = 0; k < 2; k++) {
            parse_start (lines.v[4 * i + k], &started[n]);
            assert_true (is_gone (&started[n++]));
        }
        for (int task = 0; task < 8; task++)
            expect_seen (task, cases[i].visible, &started[n - 2]);
        strvec_release (&lines);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n; k++)
            assert_string_not_equal (started[i].dir, started[k].dir);
    }
}

/* A node without it is at fault, not a task: nothing is begun. */
static void test_no_control_program (void **state)
{
    const struct scene scene = { .sh = "true", .mps = true, .needs = half };

    (void)state;
    set_stand_in ();
    setenv ("CUDA_VISIBLE_DEVICES", "GPU-a", 1);
    assert_int_equal (unlink ("bin/nvidia-cuda-mps-control"), 0);
    set_scene (&scene);
    assert_int_equal (run_agent (), 1);
    expect_error ("no MPS daemon for GPU GPU-a: there is no "
                  "'nvidia-cuda-mps-control' on PATH");
    assert_int_equal (count_paths (RUN_DIR "/results-*"), 0);
    write_text ("bin/nvidia-cuda-mps-control",
                "#!/bin/sh\necho 'no device' >&2\nexit 1\n");
    assert_int_equal (chmod ("bin/nvidia-cuda-mps-control", 0755), 0);
    assert_int_equal (run_agent (), 1);
    expect_error ("exited with status 1: no device");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_order_on_timeout),
        IN_DIR (test_orphans_beside_a_daemon),
        IN_DIR (test_gone_with_the_agent),
        IN_DIR (test_never_shared),
        IN_DIR (test_no_control_program),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
