/* SPDX-License-Identifier: BSD-3-Clause */
/* process_identity.h - which process wrote a record, so that others can tell
 * whether it lives
 */
#ifndef SPACE_PROCESS_IDENTITY_H
#define SPACE_PROCESS_IDENTITY_H

/* Of this host; "unknown" where the kernel has none.  Caller frees. */
char *host_boot_id (void);

/* Set "host", "boot_id", "pid_namespace", "pid" and "start_ticks". */
void process_identity_write (struct json *record);

enum life { LIFE_DEAD, LIFE_ALIVE, LIFE_ELSEWHERE };

/* Can we tell from here whether the process that wrote it lives?  ELSEWHERE:
 * no, since it is on another host, or is hidden from us here.
 */
enum life process_identity_life (const struct json *record);

#endif /* !SPACE_PROCESS_IDENTITY_H */
