/* SPDX-License-Identifier: BSD-3-Clause */
/* stdout_to.h - send what is printed elsewhere for a while, away from the TAP
 *
 *     int ours = stdout_to ("log");
 *
 *     ... print ...
 *     stdout_back (ours);
 */
#ifndef TESTS_STDOUT_TO_H
#define TESTS_STDOUT_TO_H

#include <fcntl.h>
#include <unistd.h>

static inline int stdout_to (const char *path)
{
    int ours = dup (STDOUT_FILENO);
    int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true (ours >= 0 && fd >= 0);
    fflush (stdout);
    assert_true (dup2 (fd, STDOUT_FILENO) >= 0);
    close (fd);
    return ours;
}

static inline void stdout_back (int ours)
{
    fflush (stdout);
    assert_true (dup2 (ours, STDOUT_FILENO) >= 0);
    close (ours);
}

#endif /* !TESTS_STDOUT_TO_H */
