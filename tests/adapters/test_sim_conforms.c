/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sim_conforms.c - the simulated scheduler under the conformance suite
 *
 * Its player is this machine: elements are processes, and every call lets as
 * much virtual time pass as real time did.
 */
#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrays/array_job.h"
#include "base/clock.h"
#include "conformance.h"
#include "sim/sim.h"

enum { RUNS_MAX = 64 };

static struct {
    struct simulation *sim;
    struct sim_run *runs[RUNS_MAX]; /* NULL: free */
    pid_t pids[RUNS_MAX];
} machine;

static void start (struct sim_run *run, void *arg)
{
    int i = 0;

    (void)arg;
    while (machine.runs[i])
        i++;
    machine.runs[i] = run;
    machine.pids[i] = fork ();
    if (machine.pids[i] == 0) {
        char *index = xasprintf ("%lld", (long long)run->element);

        setpgid (0, 0);
        setenv ("FANFOLD_ARRAY_INDEX", index, 1);
        setenv ("FANFOLD_JOB_ID", run->id, 1);
        execl ("/bin/sh", "sh", run->script_path, (char *)NULL);
        _exit (127);
    }
    setpgid (machine.pids[i], machine.pids[i]);
}

static void stop (struct sim_run *run, bool by_force, void *arg)
{
    (void)arg;
    for (int i = 0; i < RUNS_MAX; i++) {
        if (machine.runs[i] == run)
            kill (-machine.pids[i], by_force ? SIGKILL : SIGTERM);
    }
}

static void reap (void)
{
    for (int i = 0; i < RUNS_MAX; i++) {
        struct sim_run *run = machine.runs[i];
        int status;

        if (!run || waitpid (machine.pids[i], &status, WNOHANG) <= 0)
            continue;
        machine.runs[i] = NULL;
        sim_ended (machine.sim, run, status == 0);
    }
}

static bool let_time_pass (double s, void *arg)
{
    (void)s;
    (void)arg;
    sim_advance (machine.sim, clock_mono_s ());
    reap ();
    sim_advance (machine.sim, clock_mono_s ());
    return true;
}

static bool no_reply (enum sim_fault fault, void *arg)
{
    (void)arg;
    return fault == SIM_SUBMIT_BUSY || fault == SIM_FIND_BUSY
           || fault == SIM_RELEASE_BUSY || fault == SIM_CANCEL_BUSY
           || fault == SIM_POLL_BUSY;
}

/* A new one for each test: ids begin anew as on a reinstalled cluster. */
static void set_up (const char *dir, struct scheduler *scheduler)
{
    static const struct sim_site site = {
        .nodes = 2, .cores = 4, .elements = 1000, .cycle_s = 0.001, .keep_s = 60
    };
    static const struct sim_player player = { .wait = let_time_pass,
                                              .start = start,
                                              .stop = stop };

    (void)dir;
    sim_destroy (machine.sim);
    machine.sim = sim_create (&site, &player);
    *scheduler = (struct scheduler){ .deadline_s = 10, .own = machine.sim };
}

/* One that never answers. */
static void set_up_broken (const char *dir, struct scheduler *scheduler)
{
    static const struct sim_site site = { .nodes = 1, .cores = 1 };
    static const struct sim_player player = { .strikes = no_reply };
    static struct simulation *broken;

    (void)dir;
    sim_destroy (broken);
    broken = sim_create (&site, &player);
    *scheduler = (struct scheduler){ .deadline_s = 10, .own = broken };
}

int main (void)
{
    const struct conformance c = { .adapter = &sim_adapter,
                                   .set_up = set_up,
                                   .set_up_broken = set_up_broken,
                                   .patience_s = 30 };

    return conformance_run (&c);
}
