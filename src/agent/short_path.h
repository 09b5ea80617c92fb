/* SPDX-License-Identifier: BSD-3-Clause */
/* short_path.h - a short name for the directory in which tasks work
 *
 * The address of a socket has 108 bytes (unix(7)), and programs make sockets
 * below TMPDIR: what loads data for PyTorch (torch_shm_manager), Python's
 * multiprocessing, MPI.  Directories of tasks are longer than that leaves room
 * for in most campaigns, so TMPDIR leads there by a link.
 */
#ifndef AGENT_SHORT_PATH_H
#define AGENT_SHORT_PATH_H

/* Make 'dir', and a link to it, /tmp/fanfold-UID/HASH, whose path the caller
 * frees; dangling links of agents that were killed go.  NULL: 'dir' is short
 * enough, or there can be no link.
 */
char *short_path_make (const char *dir);

/* Remove the link, if there is one, and free its path. */
void short_path_remove (char *path);

#endif /* !AGENT_SHORT_PATH_H */
