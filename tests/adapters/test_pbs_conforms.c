/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pbs_conforms.c - the PBS adapter under the conformance suite: on a real
 * PBS where qsub answers, else on the emulator tests/fakes/pbs
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/process.h"
#include "conformance.h"
#include "../unit/temp_dir.h"

static bool runs (const char *const *argv)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct process_result result = PROCESS_RESULT_INIT;
    bool ok;

    spec.argv = argv;
    spec.deadline_s = 60;
    ok = process_run (&spec, &result, NULL) == 0 && process_succeeded (&result);
    process_result_release (&result);
    return ok;
}

static bool fake (const char *action, const char *dir, const char *setting)
{
    const char *source = getenv ("abs_top_srcdir");
    char *script = xasprintf ("%s/tests/fakes/pbs", source ? source : ".");
    const char *const argv[] = { script, action, dir, setting, NULL };
    bool ok = runs (argv);

    free (script);
    return ok;
}

static void set_up (const char *dir, struct scheduler *scheduler)
{
    (void)dir;
    *scheduler = (struct scheduler){ .deadline_s = 20 };
}

static void silence (bool silent)
{
    if (silent)
        setenv ("PBS_SERVER", "no.such.host", 1);
    else
        unsetenv ("PBS_SERVER");
}

/* As its first sub-job. */
static void pretend (const char *id)
{
    const char *end = id ? strchr (id, ']') : NULL;
    char *part = end ? xasprintf ("%.*s0%s", (int)(end - id), id, end) : NULL;

    if (part)
        setenv ("PBS_JOBID", part, 1);
    else
        unsetenv ("PBS_JOBID");
    free (part);
}

int main (void)
{
    static const char *const ask[] = { "qstat", "-B", "-f", NULL };
    const struct conformance c = { .adapter = scheduler_adapter_find ("pbs"),
                                   .set_up = set_up,
                                   .set_up_broken = set_up,
                                   .silence = silence,
                                   .pretend = pretend,
                                   .patience_s = 120 };
    struct temp_dir dir;
    bool real = runs (ask);
    int rc = 1;
    char *path;

    temp_dir_enter (&dir);
    if (!real) {
        path = xasprintf ("%s/bin:%s", dir.path, getenv ("PATH"));
        setenv ("PATH", path, 1);
        setenv ("HOME", dir.path, 1);
        free (path);
    }
    printf ("# %s\n", real ? "the PBS of this machine" : "the emulator");
    if (real || fake ("up", dir.path, "job_history_enable=True"))
        rc = conformance_run (&c);
    fake ("down", dir.path, NULL);
    temp_dir_leave (&dir);
    return rc;
}
