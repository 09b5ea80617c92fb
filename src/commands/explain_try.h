/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_try.h - where a task's newest try ran, and what it used */
#ifndef COMMANDS_EXPLAIN_TRY_H
#define COMMANDS_EXPLAIN_TRY_H

struct task_record;

/* Append lines for a person: host, CPUs, memory and GPUs as they were had, each
 * difference from what was wanted, and what was used.  Nothing of a task that
 * was not started.
 */
void explain_try (const struct task_record *record, struct strbuf *out);

#endif /* !COMMANDS_EXPLAIN_TRY_H */
