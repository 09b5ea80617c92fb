/* SPDX-License-Identifier: BSD-3-Clause */
/* recovery.h - a journal that is damaged, or whose end is lost, made whole
 *
 * What is provable stays: the events that are whole and follow one another from
 * the first on, and beyond them the state that state.json holds.  They become
 * one segment that ends with the event `recovered`; the journal as it was is
 * kept beside.  Attempts of which then nothing is known are moved aside, so
 * that their agents stop and what comes next does not take their files for its
 * own.
 */
#ifndef ENGINE_RECOVERY_H
#define ENGINE_RECOVERY_H

struct recovery {
    bool needed;         /* else all of it is whole, and nothing was done */
    int64_t events;      /* that stay */
    int64_t lost;        /* that are known to have been, but for 'by_state' */
    int64_t segment;     /* 0, or the newest one, which is not there */
    bool by_state;       /* state.json tells what those came to */
    char *kept;          /* where the former journal is, relative */
    struct strvec moved; /* attempts that were moved: where to, relative */
    struct strvec jobs;  /* ids of their jobs, as the scheduler calls them */
};

#define RECOVERY_INIT                                                          \
    {                                                                          \
        .moved = STRVEC_INIT, .jobs = STRVEC_INIT                              \
    }

void recovery_release (struct recovery *recovery);

/* Recover the campaign at 'dir' (absolute), as its driver.  0, 1 busy ('err'
 * says who), -1.  Killed on the way it is to be done again.
 */
int campaign_recover (const char *dir, const volatile int *stop,
                      struct recovery *recovery, struct error *err);

#endif /* !ENGINE_RECOVERY_H */
