/* SPDX-License-Identifier: BSD-3-Clause */
/* notices.h - programs that tell people are run
 *
 * By whoever drives, journaled before and after (decide/notices.h).  What
 * becomes of such a program is told in the journal, and does nothing else.
 */
#ifndef ENGINE_DRIVE_NOTICES_H
#define ENGINE_DRIVE_NOTICES_H

struct engine;

/* Tell all that is due; what the files ask for is journaled before.  A driver
 * that is to stop leaves the rest to the next one.  The engine must hold the
 * lease.  -1 with 'err' when the driver cannot go on.
 */
int notices_tell (struct engine *engine, struct error *err);

#endif /* !ENGINE_DRIVE_NOTICES_H */
