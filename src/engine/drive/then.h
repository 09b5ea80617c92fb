/* SPDX-License-Identifier: BSD-3-Clause */
/* then.h - what a function says is run when a call of it is done
 *
 * It is run by whoever brings the call to its end, and journaled before and
 * after.  A driver that is killed in between leaves it to the next one, which
 * runs it again with the same event id; so does a failure.  So does one that is
 * told to end, which ends the program first.  What is done again
 * (redo) and ends as another result has another id.
 */
#ifndef ENGINE_THEN_H
#define ENGINE_THEN_H

struct engine;

/* Run it if it is due; its failure is journaled and is none of the driver's.
 * The engine must hold the lease.
 */
int then_run (struct engine *engine, struct error *err);

#endif /* !ENGINE_THEN_H */
