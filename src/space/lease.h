/* SPDX-License-Identifier: BSD-3-Clause */
/* lease.h - one driver at a time
 *
 * .fanfold/lock/<epoch> names the holder (boot id, pid namespace, pid, start
 * time, host); it is made by link(2), so it appears whole and only once.
 * Releasing renames it to <epoch>.free.  Epochs only grow.  The holder
 * rewrites .fanfold/lock/beat now and then; who waits elsewhere judges by
 * that counter standing still on its own monotonic clock.
 */
#ifndef SPACE_LEASE_H
#define SPACE_LEASE_H

struct lease;

/* How far the journal went.  A count of events alone would not do: a driver
 * that was replaced may have written as many to the segment before.
 */
struct lease_mark {
    int64_t n;       /* number of the last event; 0: nothing is known */
    int64_t segment; /* epoch of the segment that has it; 0: not told */
};

enum lease_answer {
    LEASE_OK = 0,
    LEASE_BUSY = 1, /* another drives: 'err' says who and where */
    LEASE_FAILED = -1,
};

/* Take the lease of the campaign at 'dir' (absolute).  A holder that is dead
 * on this host is replaced at once; one that cannot be examined from here
 * only after its beat stood still for 'lease_s' seconds, during which the
 * call blocks, unless *stop (NULL: none) becomes non-zero: then it fails; a
 * beating one is BUSY at once.  A process holds one lease of a
 * campaign at most: it replaces itself, where giving back had failed.
 */
enum lease_answer lease_acquire (const char *dir, double lease_s,
                                 const volatile int *stop, struct lease **lease,
                                 struct error *err);

int64_t lease_epoch (const struct lease *lease);

/* Where the lock directory was copied with the campaign it names holders of the
 * original, and a mark that the journal here need not have: no driver holds it,
 * after 'epoch' at least, which the journal has.
 */
int lease_renew (const char *dir, int64_t epoch, struct error *err);

/* The mark that those before us left.  Over NFS the lock may show before what
 * was done under it; who does not see that much must wait for it.
 */
struct lease_mark lease_mark (const struct lease *lease);

/* What they left a mark of is lost for good, and no driver is to wait for it:
 * the mark that is given to lease_release stands alone.
 */
void lease_forget_mark (struct lease *lease);

/* Did the holder before us not give it back?  Then what it was writing when it
 * was killed may lie about.
 */
bool lease_after_crash (const struct lease *lease);

/* ... and was on another host, as far as we know?  It may have stood still, not
 * crashed, and written until we took its name away.
 */
bool lease_after_standstill (const struct lease *lease);

/* 0 while we still hold it; -1 when another took over (or the lock directory
 * vanished), or when that cannot be known now.  Call before every effect.
 */
int lease_check (const struct lease *lease, struct error *err);

/* Write the beat if the last one is older than lease_s / 6. */
void lease_heartbeat (struct lease *lease);

/* Give it back (unless lost) and free.  'mark' says how far the journal goes by
 * now; NULL: as far as before.  A lease that is NULL is legal.
 */
void lease_release (struct lease *lease, const struct lease_mark *mark);

struct lease_holder {
    bool held;    /* a driver has it and is not known to be dead */
    bool certain; /* examined on this host */
    int64_t epoch;
    int64_t pid;
    char host[64];
};

/* Who drives?  For `status`; takes nothing, waits for nothing. */
int lease_peek (const char *dir, struct lease_holder *holder,
                struct error *err);

#endif /* !SPACE_LEASE_H */
