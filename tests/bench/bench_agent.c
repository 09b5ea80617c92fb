/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_agent.c - what scripts/bench agent needs besides the agent
 *
 *   bench_agent make DIR TASKS SLOTS [--artifact] COMMAND...
 *       writes the run files of one element of TASKS tasks into the campaign
 *       directory DIR, as a driver leaves them; with --artifact the tasks have
 *       the output `made`, whose path {outputs.made} in COMMAND is
 *   bench_agent spawn TASKS WIDTH COMMAND...
 *       runs COMMAND so often, WIDTH at once: posix_spawn and wait, no more
 */
#include "base/base.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "handover/job_manifest.h"
#include "handover/stage_manifest.h"
#include "signature/operator.h"
#include "space/layout.h"

#define STAGE_DIR "work/x/iter/000000"
#define RUN_DIR STAGE_DIR "/000000/000000"
#define TOKEN "bench0000000000"

static const struct port no_ports[] = { { .name = NULL } };
static const struct port made[] = {
    { .name = "made", .type = { .kind = TYPE_FILE } },
    { .name = NULL },
};

/* Takes over 'v'. */
static void write_json (const char *path, struct json *v)
{
    struct error err = ERROR_INIT;

    if (file_make_parent (path, &err) < 0
        || json_write_file (path, v, &err) < 0) {
        fprintf (stderr, "bench_agent: %s\n", err.text);
        exit (1);
    }
    json_unref (v);
}

static void write_stage (int tasks, const struct port *outputs,
                         const char *const *command)
{
    const char *const *commands[] = { command, NULL };
    const char *const no_words[] = { NULL };
    struct stage_manifest stage = {
        .campaign = "bench",
        .place = { "work", "bench", 0 },
        .seed = 1,
        .tasks = tasks,
        .inputs = no_ports,
        .outputs = outputs,
        .values = json_object (),
        .commands = commands,
        .launcher = no_words,
    };

    write_json (STAGE_DIR "/" LAYOUT_STAGE_MANIFEST,
                stage_manifest_to_json (&stage));
    json_unref (stage.values);
}

static void write_job (int tasks, int slots)
{
    struct job_manifest job = {
        .token = TOKEN,
        .elements = 1,
        .slots = slots,
        .task = { .ranks = 1, .cores = 1 },
        .visibility_s = 10,
        .grace_s = 10,
    };
    struct json *submission = json_object ();

    task_range_add_span (&job.tasks, 0, tasks - 1);
    write_json (RUN_DIR "/" LAYOUT_JOB_MANIFEST, job_manifest_to_json (&job));
    job_manifest_release (&job);
    json_set (submission, "format", json_int (1));
    json_set (submission, "token", json_string (TOKEN));
    json_set (submission, "id", json_string ("1"));
    write_json (RUN_DIR "/" LAYOUT_SUBMISSION, submission);
}

static int make (int argc, char **argv)
{
    const struct port *outputs = no_ports;
    int command = 5;

    if (argc < 6 || chdir (argv[2]) < 0)
        return 2;
    if (strcmp (argv[5], "--artifact") == 0) {
        outputs = made;
        command++;
    }
    write_stage (atoi (argv[3]), outputs, (const char *const *)argv + command);
    write_job (atoi (argv[3]), atoi (argv[4]));
    return 0;
}

static int run_many (int argc, char **argv)
{
    int left, running = 0, width;
    pid_t pid;

    if (argc < 5)
        return 2;
    width = atoi (argv[3]);
    for (left = atoi (argv[2]); left > 0 || running > 0;) {
        if (left > 0 && running < width) {
            if (posix_spawnp (&pid, argv[4], NULL, NULL, argv + 4, environ)
                != 0)
                return 1;
            left--;
            running++;
        } else if (wait (NULL) > 0) {
            running--;
        }
    }
    return 0;
}

int main (int argc, char **argv)
{
    if (argc > 2 && strcmp (argv[1], "make") == 0)
        return make (argc, argv);
    if (argc > 2 && strcmp (argv[1], "spawn") == 0)
        return run_many (argc, argv);
    fprintf (stderr, "usage: bench_agent make DIR TASKS SLOTS [--artifact] "
                     "COMMAND... | spawn TASKS WIDTH COMMAND...\n");
    return 2;
}
