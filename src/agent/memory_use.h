/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_use.h - how much memory processes use
 *
 * Counted is what they could not do without: anonymous and shared memory, not
 * the pages of files, which the kernel takes back when it needs them.  A page
 * that several of them have in common counts once (its parts in smaps_rollup's
 * Pss_Anon and Pss_Shmem, proc_pid_smaps(5); before Linux 5.4 Pss, files
 * included).
 */
#ifndef AGENT_MEMORY_USE_H
#define AGENT_MEMORY_USE_H

struct memory_use {
    int64_t bytes;      /* at the last look that counted */
    int64_t peak_bytes; /* the most of all looks */
};

/* Count what 'pids' use.  It takes long where pages are many: so only if what
 * is resident, which is no less, may be more than 'limit_bytes' (0: none) or
 * notably more than the peak.
 */
void memory_use_count (struct memory_use *use, const struct strvec *pids,
                       int64_t limit_bytes);

/* What the text of a process's smaps_rollup, or smaps, comes to (pure). */
int64_t smaps_bytes (const char *text);

#endif /* !AGENT_MEMORY_USE_H */
