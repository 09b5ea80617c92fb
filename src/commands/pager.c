/* SPDX-License-Identifier: BSD-3-Clause */
/* pager.c - what is printed goes through $PAGER */
#include "base/base.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/spawn.h"
#include "base/terminal.h"
#include "commands/pager.h"

static char *wanted_pager (void)
{
    const char *pager = getenv ("PAGER"), *term = getenv ("TERM");

    if (!isatty (STDOUT_FILENO) || !term || strcmp (term, "dumb") == 0)
        return NULL;
    if (!pager)
        return process_which ("less", NULL);
    return *pager && strcmp (pager, "cat") != 0 ? xstrdup (pager) : NULL;
}

/* In our process group, so that it reads keys from the terminal. */
static pid_t start (const char *pager, int in_fd)
{
    const char *argv[] = { "sh", "-c", pager, NULL };
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    int rc;

    if (posix_spawn_file_actions_init (&actions) != 0)
        return 0;
    rc = posix_spawn_file_actions_adddup2 (&actions, in_fd, STDIN_FILENO);
    if (rc == 0)
        rc = posix_spawnp (&pid, argv[0], &actions, NULL, (char *const *)argv,
                           environ);
    posix_spawn_file_actions_destroy (&actions);
    return rc == 0 ? pid : 0;
}

void pager_begin (struct pager *pager)
{
    _cleanup_free_ char *wanted = wanted_pager ();
    _cleanup_free_ char *columns =
        xasprintf ("%d", terminal_columns (STDOUT_FILENO));
    int ends[2];

    pager->pid = 0;
    if (!wanted || spawn_pipe (ends) < 0)
        return;
    setenv ("LESS", "FRX", 0);
    fflush (stdout);
    pager->pid = start (wanted, ends[0]);
    if (pager->pid > 0) {
        dup2 (ends[1], STDOUT_FILENO);
        setenv (TERMINAL_PAGED, columns, 1); /* for who wraps lines */
    }
    file_close (ends[0]);
    file_close (ends[1]);
}

void pager_end (struct pager *pager)
{
    if (pager->pid <= 0)
        return;
    fflush (stdout);
    close (STDOUT_FILENO);
    signal (SIGINT, SIG_IGN); /* it is the pager's */
    while (waitpid (pager->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
