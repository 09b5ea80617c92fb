/* SPDX-License-Identifier: BSD-3-Clause */
/* test_allocation_conforms.c - the nodes of a job under the conformance suite
 *
 * The job is one of PBS with two nodes, by its environment; both are this
 * machine, and this program is also what runs on them.
 */
#include "base/base.h"

#include <signal.h>

#include "allocation/allocation.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "conformance.h"

/* A path below 'dir' that lives as long as the program: it exits soon. */
static const char *below (const char *dir, const char *name)
{
    static char paths[4][4096];
    static int next;
    char *path = paths[next++ % 4];

    snprintf (path, sizeof (paths[0]), "%s/%s", dir, name);
    return path;
}

/* Started once, it starts what follows on both nodes. */
static const char *const agents[] = {
    "sh", "-c", "for node in a b; do FANFOLD_NODE=$node \"$@\" & done; wait",
    "agents {nodes}", NULL
};

static char local_spool[4096 + 32];

static void set_up (const char *dir, struct scheduler *scheduler)
{
    const char *hosts = below (dir, "hosts");

    if (file_write_atomic (hosts, "a\na\nb\n", 6, NULL) < 0)
        abort ();
    setenv ("PBS_JOBID", "4711.server", 1);
    setenv ("PBS_NODEFILE", hosts, 1);
    setenv ("FANFOLD_SPOOL", below (dir, "local"), 1);
    snprintf (local_spool, sizeof (local_spool), "FANFOLD_SPOOL=%s",
              getenv ("FANFOLD_SPOOL"));
    *scheduler = (struct scheduler){ .spool = below (dir, "allocation"),
                                     .agents = agents,
                                     .deadline_s = 10 };
}

/* Runners stay for a while, and the test's directory goes now. */
static void tear_down (void)
{
    for (int i = 0; i < 200 && process_kill_tagged (local_spool, SIGKILL) > 0;
         i++)
        clock_sleep (0.01, NULL);
}

static void set_up_broken (const char *dir, struct scheduler *scheduler)
{
    (void)dir;
    *scheduler = (struct scheduler){ .spool = "/proc/self/spool",
                                     .agents = agents,
                                     .deadline_s = 10 };
}

int main (int argc, char **argv)
{
    const struct conformance c = { .adapter = &allocation_adapter,
                                   .set_up = set_up,
                                   .tear_down = tear_down,
                                   .set_up_broken = set_up_broken,
                                   .kills = true,
                                   .patience_s = 30 };
    struct error err = ERROR_INIT;

    if (argc == 3 && strcmp (argv[1], allocation_adapter.starts) == 0) {
        if (allocation_runner_run (argv[2], &err) == 0)
            return 0;
        fprintf (stderr, "%s\n", err.text);
        return 1;
    }
    return conformance_run (&c);
}
