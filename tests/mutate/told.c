/* SPDX-License-Identifier: BSD-3-Clause */
/* told.c - what `fanfold run` says of each of many files
 *
 * usage: told CAMPAIGN-DIR FILE SLIPS-DIR
 * Each file of SLIPS-DIR is put in place of FILE in CAMPAIGN-DIR, and what
 * `fanfold -C CAMPAIGN-DIR run` says and exits with is printed, between "==
 * NAME" and "== exit STATUS".  The program is started once and forks for each:
 * to start is most of what refusing a file costs.
 */
#include "base/base.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "commands/command.h"

static void must (bool done, const char *what)
{
    if (!done) {
        perror (what);
        exit (1);
    }
}

static void put_in_place (const char *slip, const char *file)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    must (file_read (slip, 1 << 20, &text, &err) == 0, slip);
    must (file_write_atomic (file, text.buf, text.len, &err) == 0, file);
    strbuf_release (&text);
}

/* The exit status, or 128 and the signal. */
static int run (char *dir)
{
    char *argv[] = { "fanfold", "-C", dir, "run", NULL };
    pid_t child = fork ();
    int status;

    must (child >= 0, "fork");
    if (child == 0) {
        dup2 (STDOUT_FILENO, STDERR_FILENO);
        exit (invocation_main (4, argv));
    }
    must (waitpid (child, &status, 0) == child, "waitpid");
    return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

static int is_slip (const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main (int argc, char **argv)
{
    struct dirent **slips;
    char *file;
    int n;

    if (argc != 4) {
        fprintf (stderr, "usage: told CAMPAIGN-DIR FILE SLIPS-DIR\n");
        return 2;
    }
    n = scandir (argv[3], &slips, is_slip, alphasort);
    must (n >= 0, argv[3]);
    file = xasprintf ("%s/%s", argv[1], argv[2]);
    for (int i = 0; i < n; i++) {
        char *slip = xasprintf ("%s/%s", argv[3], slips[i]->d_name);

        put_in_place (slip, file);
        printf ("== %s\n", slips[i]->d_name);
        fflush (stdout);
        printf ("== exit %d\n", run (argv[1]));
        fflush (stdout);
        free (slip);
        free (slips[i]);
    }
    free (slips);
    free (file);
    return 0;
}
