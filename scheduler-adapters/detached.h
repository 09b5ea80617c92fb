/* SPDX-License-Identifier: BSD-3-Clause */
/* detached.h - a program that outlives its starter */
#ifndef SCHEDULER_DETACHED_H
#define SCHEDULER_DETACHED_H

/* Start a program (looked up on PATH) in a session of its own, or in ours and a
 * process group of its own: whoever ends all of our session then ends it, too.
 * It is in the root directory, with no descriptors but /dev/null, 'out' (for
 * what it prints) and, unless that is -1, 'kept' as descriptor 3.  Both stay
 * open here.
 */
int detached_start (const char *const *argv, char *const *env, bool session,
                    int out, int kept, struct error *err);

#endif /* !SCHEDULER_DETACHED_H */
