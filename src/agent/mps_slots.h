/* SPDX-License-Identifier: BSD-3-Clause */
/* mps_slots.h - the MPS daemons of an element: one for each device of its slots
 */
#ifndef AGENT_MPS_SLOTS_H
#define AGENT_MPS_SLOTS_H

struct mps;
struct slots;

/* Start a daemon for each device that the slots have, and add to the
 * environment of each slot what its tasks, 'tasks' of them on a device, are to
 * know.  *mps: the daemons, NULL-terminated, also on failure: mps_slots_stop
 * ends them and frees the list.
 */
int mps_slots_start (struct slots *slots, int tasks, struct mps ***mps,
                     struct error *err);

/* NULL is allowed. */
void mps_slots_stop (struct mps **mps);

#endif /* !AGENT_MPS_SLOTS_H */
