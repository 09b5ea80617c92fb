/* SPDX-License-Identifier: BSD-3-Clause */
/* workspace.h - {workspace}: one directory for all programs of a node
 *
 * Whoever uses one holds a lock on it, which its programs inherit: so it is in
 * use until the last of them is gone, whatever became of the runner.
 */
#ifndef GROUP_WORKSPACE_H
#define GROUP_WORKSPACE_H

#include <signal.h>

struct group_file;

struct workspace {
    char *path;
    bool private;
    int lock; /* -1: none */
};

#define WORKSPACE_INIT                                                         \
    {                                                                          \
        .lock = -1                                                             \
    }

/* For the first node of a group, or another, which has no lock on a global one.
 * A private one is made, with mode 0700, after those were removed that runs
 * left on this node of which no process is there any more.  A global one is
 * made unless it is there; while another run has it this waits for up to two
 * minutes (longer than a file server keeps the locks of a node that is gone),
 * or until a signal of 'interrupts', which are blocked, comes and stays
 * pending; 'log_fd' is told what it waits for.  -1 with 'err', a machine's
 * error.
 */
int workspace_take (const struct group_file *file, bool first,
                    const sigset_t *interrupts, int log_fd,
                    struct workspace *workspace, struct error *err);

/* A private one is removed. */
void workspace_release (struct workspace *workspace);

#endif /* !GROUP_WORKSPACE_H */
