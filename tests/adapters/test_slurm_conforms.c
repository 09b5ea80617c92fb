/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slurm_conforms.c - the Slurm adapter under the conformance suite, on a
 * real cluster that scripts/testbed-slurm starts for it
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "conformance.h"
#include "../unit/temp_dir.h"

/* Run to the end; what it said is printed when it fails. */
static int run (const char *const *argv)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct process_result result = PROCESS_RESULT_INIT;
    struct error err = ERROR_INIT;
    int rc = -1;

    spec.argv = argv;
    spec.deadline_s = 120;
    if (process_run (&spec, &result, &err) < 0)
        fprintf (stderr, "%s\n", err.text);
    else if (!process_succeeded (&result))
        fprintf (stderr, "%s failed: %s%s\n", argv[0], result.out.buf,
                 result.err.buf);
    else
        rc = 0;
    process_result_release (&result);
    return rc;
}

static int testbed (const char *action)
{
    const char *source = getenv ("abs_top_srcdir");
    char *script =
        xasprintf ("%s/scripts/testbed-slurm", source ? source : ".");
    const char *const argv[] = { script, action, NULL };
    int rc = run (argv);

    free (script);
    return rc;
}

static void set_up (const char *dir, struct scheduler *scheduler)
{
    (void)dir;
    *scheduler = (struct scheduler){ .deadline_s = 20 };
}

/* The cluster, or its configuration with a munge that is not there. */
static void silence (bool silent)
{
    const char *cluster = getenv ("FANFOLD_TESTBED");
    char *path =
        xasprintf ("%s/etc/%s.conf", cluster, silent ? "silent" : "slurm");

    setenv ("SLURM_CONF", path, 1);
    free (path);
}

static int write_silent_conf (const char *cluster)
{
    char *from = xasprintf ("%s/etc/slurm.conf", cluster);
    char *to = xasprintf ("%s/etc/silent.conf", cluster);
    struct strbuf text = STRBUF_INIT;
    char *socket;
    int rc = file_read (from, 1 << 20, &text, NULL);

    while (rc == 0 && (socket = strstr (text.buf, "munge.socket")))
        memcpy (socket, "nowhere", 7);
    if (rc == 0)
        rc = file_write_atomic (to, text.buf, text.len, NULL);
    strbuf_release (&text);
    free (to);
    free (from);
    return rc;
}

/* Slurm counts in minutes: move the end of the elements that run to now. */
static void expire (const char *id)
{
    for (int element = 0; element < 3; element++) {
        char *job = xasprintf ("JobId=%s_%d", id, element);
        const char *const argv[] = { "scontrol", "update", job, "EndTime=now",
                                     NULL };

        run (argv);
        free (job);
    }
}

static void pretend (const char *id)
{
    if (id)
        setenv ("SLURM_JOB_ID", id, 1);
    else
        unsetenv ("SLURM_JOB_ID");
}

int main (void)
{
    const struct conformance c = { .adapter = scheduler_adapter_find ("slurm"),
                                   .set_up = set_up,
                                   .set_up_broken = set_up,
                                   .silence = silence,
                                   .expire = expire,
                                   .pretend = pretend,
                                   .patience_s = 90 };
    struct temp_dir dir;
    int rc = 1;

    temp_dir_enter (&dir);
    setenv ("FANFOLD_TESTBED", dir.path, 1);
    /* The login shell of a job would run what is in the tester's profile. */
    setenv ("HOME", dir.path, 1);
    if (testbed ("up") == 0 && write_silent_conf (dir.path) == 0) {
        silence (false);
        rc = conformance_run (&c);
    }
    testbed ("down");
    temp_dir_leave (&dir);
    return rc;
}
