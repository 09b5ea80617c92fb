/* SPDX-License-Identifier: BSD-3-Clause */
/* test_local_conforms.c - the local adapter under the conformance suite
 *
 * The agent script also stands for the fanfold program that supervisors are
 * started from; it hands that part back to this program.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/process.h"
#include "conformance.h"
#include "local/local.h"

/* A path below 'dir' that lives as long as the program: it exits soon. */
static const char *below (const char *dir, const char *name)
{
    static char path[4096];

    snprintf (path, sizeof (path), "%s/%s", dir, name);
    return path;
}

static void set_up (const char *dir, struct scheduler *scheduler)
{
    *scheduler =
        (struct scheduler){ .spool = below (dir, "spool"), .deadline_s = 10 };
}

/* A spool that is somebody else's. */
static void set_up_broken (const char *dir, struct scheduler *scheduler)
{
    (void)dir;
    *scheduler =
        (struct scheduler){ .spool = "/proc/self/spool", .deadline_s = 10 };
}

int main (int argc, char **argv)
{
    struct conformance c = { .adapter = &local_adapter,
                             .set_up = set_up,
                             .set_up_broken = set_up_broken,
                             .kills = true,
                             .patience_s = 30 };
    struct error err = ERROR_INIT;
    char *self, *prologue;
    int rc;

    if (argc == 3 && strcmp (argv[1], "local-supervisor") == 0) {
        rc = local_supervisor_run (argv[2], &err);
        if (rc < 0)
            fprintf (stderr, "%s\n", err.text);
        return rc < 0 ? 1 : 0;
    }
    self = process_self ();
    prologue = xasprintf ("if test \"$1\" = local-supervisor; then "
                          "exec '%s' \"$@\"; fi\n",
                          self);
    c.agent_prologue = prologue;
    rc = conformance_run (&c);
    free (prologue);
    free (self);
    return rc;
}
