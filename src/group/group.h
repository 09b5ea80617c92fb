/* SPDX-License-Identifier: BSD-3-Clause */
/* group.h - run a group: programs that run together as one task
 *
 * `fanfold group`, which the agent starts in the task's directory.  order.h
 * says what happens when; node.h does it.  One process without threads, which
 * waits for signals and pipes in one place.
 */
#ifndef GROUP_GROUP_H
#define GROUP_GROUP_H

/* Run what group.json of the working directory says, and leave group-end.json
 * there.  *status: 0, or that of the first program that failed (128 + n for
 * signal n).  -1 with 'err': there is no such file, or no end could be written.
 */
int group_run (int *status, struct error *err);

#endif /* !GROUP_GROUP_H */
