/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu_list.h - sets of CPUs as the kernel writes them: "0-1,64-65" */
#ifndef PLACEMENT_CPU_LIST_H
#define PLACEMENT_CPU_LIST_H

#include <sched.h>
#include <stddef.h>
#include <sys/types.h>

struct strbuf;

/* Append the CPUs of a set of 'bytes' bytes; nothing for the empty set. */
void cpu_list_format (const cpu_set_t *set, size_t bytes, struct strbuf *out);

/* Append the CPUs that process 'pid' (0: this one) may run on.  0, or -1 with
 * errno when there is no such process; 'out' is then untouched.
 */
int cpu_list_of_process (pid_t pid, struct strbuf *out);

#endif /* !PLACEMENT_CPU_LIST_H */
