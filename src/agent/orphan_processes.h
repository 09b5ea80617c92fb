/* SPDX-License-Identifier: BSD-3-Clause */
/* orphan_processes.h - what a task leaves running when its commands have ended
 */
#ifndef AGENT_ORPHAN_PROCESSES_H
#define AGENT_ORPHAN_PROCESSES_H

/* May anything be left?  False only when this subreaper has no children but
 * 'n_known' (all orphans among its descendants become its children).
 */
bool orphan_processes_possible (int n_known);

/* Kill every process whose environment has the entry 'tag' until none is
 * found, for two seconds at most (what sleeps in the kernel cannot end).
 */
void orphan_processes_kill (const char *tag);

/* Kill every child until there is none, for two seconds at most: orphans whose
 * environment says nothing.  Only when no task is running.
 */
void orphan_processes_kill_orphans (void);

#endif /* !AGENT_ORPHAN_PROCESSES_H */
